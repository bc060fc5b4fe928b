//! Products of small systems with small claims: successors, ends of runs, fairness; what was seen, and remarks on it.
//!
//! A successor is `P0 x = 1 > 2`: the step and the claim's state behind it; `stutter` if no process moves. Marks behind
//! it: `.` the run has ended, `*` accepting, `+` the claim is completed, `(level)` with fairness.

mod fair;
mod products;
mod remarks;

use super::product::ProductScratch;
use super::{Claim, Fairness, Product};
use crate::load;
use crate::program::Program;
use crate::source::Source;
use crate::syntax::preprocess::Options;
use crate::system::{Batch, Interpreter, Outcome, Run, Scratch, Step, System};

fn program(text: &str) -> Program {
    let loaded = load::program(Source::new("m.pml", text), &Options::default());
    loaded.unwrap_or_else(|refused| panic!("{}", refused.sources.render(&refused.diagnostics[0]))).it
}

/// The claim against the only formula of a model, or its only never claim.
fn claim(program: &Program) -> Claim {
    match (&program.formulas[..], &Claim::nevers(program)[..]) {
        ([formula], []) => Claim::against(formula).expect("a small formula"),
        ([], &[never]) => Claim::never(program, never),
        _ => panic!("not one claim"),
    }
}

/// A run of a product that goes where the test says.
struct Course<'p> {
    product: Product<'p, Interpreter<'p>>,
    scratch: ProductScratch<Scratch>,
    state: Vec<u64>,
    /// In the last step no process moved.
    stuttered: bool,
}

impl<'p> Course<'p> {
    fn new(program: &'p Program, claim: &'p Claim, fairness: Fairness) -> Course<'p> {
        let product = Product::new(Interpreter::new(program), claim, fairness).expect("a product");
        let mut scratch = product.scratch();
        let state = product.initial(&mut scratch).expect("an initial state");
        Course { product, scratch, state, stuttered: false }
    }

    fn successors(&mut self) -> Vec<(String, Option<Vec<u64>>)> {
        let mut batch = Batch::default();
        let ended = self.stuttered && !self.product.remembers_endings();
        let run = if ended { Run::Ended } else { Run::GoesOn };
        self.product.successors(&self.state, run, &mut self.scratch, &mut batch, |_| {});
        let mut found = Vec::new();
        for entry in &batch.entries {
            let steps: Vec<String> = batch.steps(entry).map(|step| self.step(step)).collect();
            let step = steps.join(", ");
            found.push(match entry.outcome {
                Outcome::State => {
                    let state = batch.state(entry).to_vec();
                    (format!("{step} > {}", self.claim_part(&state)), Some(state))
                }
                Outcome::Fault(number) => (format!("{step} ! {}", batch.faults[number as usize]), None),
                other => (format!("{step} ? {other:?}"), None),
            });
        }
        found
    }

    fn steps(&mut self) -> Vec<String> {
        self.successors().into_iter().map(|(text, _)| text).collect()
    }

    #[track_caller]
    fn take(&mut self, step: &str) -> &mut Self {
        let successors = self.successors();
        let found = successors.iter().find(|(text, _)| text == step);
        let Some((_, Some(state))) = found else { panic!("{step} is not one of {successors:?}") };
        self.state = state.clone();
        self.stuttered = step.starts_with("stutter");
        self
    }

    fn step(&self, step: Step) -> String {
        let program = self.product.program();
        if step == Step::STUTTER {
            return "stutter".into();
        }
        let info = &program.infos[step.transition as usize];
        format!("{}{} {}", program.automaton(info.proctype).name, step.pid, info.text)
    }

    fn claim_part(&mut self, state: &[u64]) -> String {
        let claim = self.product.claim_state(state);
        let mut text = claim.to_string();
        if state[0] >> 63 == 1 {
            text.push('.');
        }
        if self.product.is_accepting(state, &mut self.scratch) {
            text.push('*');
        }
        if self.product.claim.is_completed(claim) {
            text.push('+');
        }
        let level = super::product::extra(state) / self.product.claim.state_count() as u32;
        if level > 0 {
            text += &format!("({level})");
        }
        text
    }
}

/// Sees every state of the product.
fn explored<'p>(program: &'p Program, claim: &'p Claim) -> Course<'p> {
    let mut run = Course::new(program, claim, Fairness::None);
    let mut found = vec![run.state.clone()];
    let mut next = 0;
    while next < found.len() {
        run.state = found[next].clone();
        next += 1;
        for state in run.successors().into_iter().filter_map(|(_, state)| state) {
            if !found.contains(&state) {
                found.push(state);
            }
        }
    }
    run
}
