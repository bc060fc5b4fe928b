//! A system that is checked while it runs, for tests: whatever it hands out must be what an interpreter that saves no work finds, states
//! must be canonical, and processes must touch nothing but their footprints. It panics where that is not so.

mod canonical;
mod footprints;

use super::{
    Batch, Coverage, Cutoff, End, Entry, Fault, Grace, Interpreter, Observer, Outcome, Run, Savings, Scratch, Step,
    System,
};
use crate::program::Program;
pub use canonical::check_state;
use footprints::Footprints;

/// A system, and an interpreter of the same program that does everything step by step.
pub struct Checked<'p, S> {
    system: S,
    plain: Interpreter<'p>,
}

/// Per-thread memory of a system that is checked.
pub struct CheckedScratch<S> {
    system: S,
    plain: Scratch,
    found: Batch,
    footprints: Footprints,
}

impl<'p, S: System> Checked<'p, S> {
    /// Checks `system`, which must be a system of `program`.
    pub fn new(system: S, program: &'p Program) -> Checked<'p, S> {
        Checked { system, plain: Interpreter::new(program).saving(Savings::None) }
    }

    /// Compares the entries from `first` on with what the interpreter has found.
    fn compare(&self, state: &[u64], batch: &Batch, first: usize, scratch: &mut CheckedScratch<S::Scratch>) {
        let found = &scratch.found;
        // what is given up, or abandoned at a limit, may be so at another place
        if batch.gave_up || found.gave_up || [batch, found].iter().any(|each| has_endless(each)) {
            return;
        }
        let (own, plain) = (&batch.entries[first..], &found.entries[..]);
        assert_eq!(own.len(), plain.len(), "so many successors of {state:x?}");
        for (entry, expected) in own.iter().zip(plain) {
            assert_eq!(told(batch, entry), told(found, expected), "a successor of {state:x?}");
            if entry.outcome == Outcome::State {
                check_state(self.plain.program(), batch.state(entry));
            }
        }
    }
}

fn has_endless(batch: &Batch) -> bool {
    batch.entries.iter().any(|entry| entry.outcome == Outcome::Endless)
}

/// What a search gets to know of an entry.
fn told<'b>(batch: &'b Batch, entry: &Entry) -> (Vec<Step>, &'b [u64], Option<String>) {
    let fault = match entry.outcome {
        Outcome::Fault(fault) => Some(batch.faults[fault as usize].to_string()),
        _ => None,
    };
    (batch.steps(entry).collect(), batch.state(entry), fault)
}

impl<S: System> System for Checked<'_, S> {
    type Scratch = CheckedScratch<S::Scratch>;

    fn scratch(&self) -> Self::Scratch {
        CheckedScratch {
            system: self.system.scratch(),
            plain: self.plain.scratch(),
            found: Batch::default(),
            footprints: Footprints::default(),
        }
    }

    fn initial(&self, scratch: &mut Self::Scratch) -> Result<Vec<u64>, Fault> {
        let initial = self.system.initial(&mut scratch.system);
        let expected = self.plain.initial(&mut scratch.plain);
        assert_eq!(initial.as_ref().map_err(Fault::to_string), expected.as_ref().map_err(Fault::to_string));
        if let Ok(state) = &initial {
            check_state(self.plain.program(), state);
        }
        initial
    }

    fn successors(
        &self,
        state: &[u64],
        run: Run,
        scratch: &mut Self::Scratch,
        batch: &mut Batch,
        watch: impl FnMut(&Batch),
    ) {
        let first = batch.entries.len();
        self.system.successors(state, run, &mut scratch.system, batch, watch);
        scratch.found.clear();
        self.plain.successors(state, run, &mut scratch.plain, &mut scratch.found, |_| {});
        self.compare(state, batch, first, scratch);
        scratch.footprints.check(&self.plain, state, &mut scratch.plain);
    }

    fn process_successors(&self, state: &[u64], pid: usize, scratch: &mut Self::Scratch, batch: &mut Batch) {
        let first = batch.entries.len();
        self.system.process_successors(state, pid, &mut scratch.system, batch);
        scratch.found.clear();
        self.plain.process_successors(state, pid, &mut scratch.plain, &mut scratch.found);
        self.compare(state, batch, first, scratch);
    }

    fn end(&self, state: &[u64], scratch: &mut Self::Scratch) -> End {
        let end = self.system.end(state, &mut scratch.system);
        assert_eq!(end, self.plain.end(state, &mut scratch.plain));
        end
    }

    fn observer<'o>(&'o self, scratch: &'o mut Self::Scratch) -> Observer<'o> {
        self.system.observer(&mut scratch.system)
    }

    fn coverage(scratch: &mut Self::Scratch) -> &mut Coverage {
        S::coverage(&mut scratch.system)
    }

    fn hidden_words(&self) -> usize {
        self.system.hidden_words()
    }

    fn program(&self) -> &Program {
        self.system.program()
    }

    fn cutoff(&self) -> &Cutoff {
        self.system.cutoff()
    }

    fn set_grace(&self, grace: Grace, scratch: &mut Self::Scratch) {
        self.system.set_grace(grace, &mut scratch.system);
    }
}
