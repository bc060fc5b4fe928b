//! Swarmed depth-first search from artificial states, too (`swarm-gp`).
//!
//! Renault, Improving swarming using genetic algorithms, 2020, Algorithms 5 and 6. Some threads search from the initial state as
//! [`super::dfs`] has it. The others breed artificial states ([`super::artificial`]) from the first states that they see, and
//! search from these; when there are none left, they search from the initial state, too.
//!
//! Differs from the paper, where what a thread from an artificial state has closed is closed for all. That loses states: with ι→a,
//! a→b, b→a and b→c, a thread that starts at b closes a (b is on its stack) before it looks at c; the one from ι finds a closed,
//! closes ι, and everybody stops. Here a thread from the initial state that finds such a state closed notes it as a hit and does
//! not enter it, and in the end:
//!
//! ```text
//! sweep: from the hits, along the logged expansions: whatever is found can be reached, and counts
//!        something is wrong there: that is a violation
//!        states that were never expanded: all threads search from these as from the initial state, and sweep again
//! ```
//!
//! So every state that is entered from the initial state or swept has been expanded, all its successors are among these states, and
//! the figures are those of a search by one thread. States that nobody can reach never count.

use super::Start;
use super::breed::{Plan, breed};
use super::crew::Crew;
use super::dfs::{HIT, LINK, OPEN, REACHED, Role, Traces, Worker};
use super::genes::Genome;
use super::log::{GAVE_UP, Link, WRONG};
use crate::search::{Config, Monitor, Problem, Reason, Tally};
use crate::store::{Shared, StateId, States};
use crate::system::{Batch, System};
use serde::Serialize;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

/// What became of artificial states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Artificial {
    /// So many were bred.
    pub bred: u64,
    /// States that were entered on the way from them.
    pub states: u64,
    /// Those of these that can be reached from the initial state, if that is known.
    pub reachable: Option<u64>,
}

pub fn search(problem: &Problem, plan: &Plan, seed: u64, config: Config, monitor: &Monitor) -> Tally {
    let start = match Start::new(&problem.system, problem.checks, config, LINK + 1) {
        Ok(start) => start,
        Err(tally) => return *tally,
    };
    let Start { tally: mut whole, store, root } = start;
    let artificial = plan.artificial_threads(config.threads);
    let real = config.threads - artificial;
    let crew = Crew::new(&store, config.threads, real, monitor);
    let genome = Genome::new(problem.system.program(), None);
    let finished = crew.run(|thread, writer| {
        let mut worker = Worker::new(problem, &crew, config, (thread, writer), root);
        if thread >= real {
            match breed(problem, &genome, plan, (thread, seed), &crew) {
                Ok(states) => {
                    worker.traces.bred = states.len() as u64;
                    for state in states {
                        if worker.may_go_on_from_artificial() {
                            worker.search_artificial(&state);
                        }
                    }
                }
                Err(finding) => worker.found(*finding),
            }
        }
        if thread < real || crew.begin() {
            let _shift = crew.shift();
            worker.search(root, Role::Real);
        }
        worker.end()
    });
    let mut traces: Vec<Traces> = Vec::new();
    match finished {
        Ok(all) => join(&mut whole, all, &mut traces),
        Err(error) => whole.cut_short(Reason::NoThread(error.to_string())),
    }
    let bred = traces.iter().map(|trace| trace.bred).sum();
    let mut reachable = 0;
    while whole.is_unfinished() {
        let hits: Vec<StateId> = traces.iter_mut().flat_map(|trace| std::mem::take(&mut trace.hits)).collect();
        let swept = sweep(&store, &traces, hits, &mut whole);
        reachable += swept.reached;
        if let Some(wrong) = swept.wrong {
            let mut worker = Worker::new(problem, &crew, config, (0, store.writer()), root);
            worker.report_from(wrong, Vec::new());
            whole.join(worker.end().0);
        }
        if swept.unknown.is_empty() || !whole.is_unfinished() {
            break;
        }
        let unknown = &swept.unknown;
        let finished = crew.run(|thread, writer| {
            let mut worker = Worker::new(problem, &crew, config, (thread, writer), root);
            let (before, behind) = unknown.split_at(unknown.len() * thread / crew.threads());
            behind.iter().chain(before).for_each(|&state| worker.search(state, Role::Real));
            worker.end()
        });
        match finished {
            Ok(all) => join(&mut whole, all, &mut traces),
            Err(error) => whole.cut_short(Reason::NoThread(error.to_string())),
        }
    }
    let states = traces.iter().map(|trace| trace.artificial).sum();
    reachable += traces.iter().map(|trace| trace.both).sum::<u64>();
    whole.artificial = Some(Artificial { bred, states, reachable: Some(reachable) });
    let log: u64 = traces.iter().map(|trace| trace.log.memory()).sum();
    complete_coverage(problem, &store, traces, &mut whole);
    whole.count_matches();
    whole.counts.memory = crew.memory().max(store.memory() + log);
    whole
}

/// Adds up what threads have found; their logs stay where links lead to: each at the number of its thread.
fn join(whole: &mut Tally, finished: Vec<(Tally, Traces)>, traces: &mut Vec<Traces>) {
    for (number, (tally, trace)) in finished.into_iter().enumerate() {
        whole.join(tally);
        match traces.get_mut(number) {
            // only the first time threads search from artificial states
            Some(own) => {
                own.hits = trace.hits;
                own.both += trace.both;
            }
            None => traces.push(trace),
        }
    }
}

/// What a sweep has found.
#[derive(Default)]
struct Swept {
    reached: u64,
    /// Something is wrong with this state.
    wrong: Option<StateId>,
    /// States that nobody has expanded.
    unknown: Vec<StateId>,
}

/// Finds everything that can be reached from the hits along logged expansions, and counts it.
fn sweep(store: &Shared, traces: &[Traces], hits: Vec<StateId>, whole: &mut Tally) -> Swept {
    let mut swept = Swept::default();
    let mut todo = hits;
    while let Some(state) = todo.pop() {
        let note = store.note(state).fetch_or(REACHED | HIT, AcqRel);
        if note & (OPEN | REACHED) != 0 {
            continue;
        }
        let link = Link(store.word(state, LINK).load(Acquire));
        if link.0 == 0 {
            store.note(state).fetch_and(!REACHED, AcqRel);
            swept.unknown.push(state);
            continue;
        }
        let record = traces[link.log()].log.get(link);
        swept.reached += 1;
        whole.counts.stored += 1;
        whole.counts.matched += record.successors.len() as u64;
        whole.counts.atomic_steps += record.atomic_steps as u64;
        if record.marks & GAVE_UP != 0 {
            whole.cut_short(Reason::EndlessAtomic);
        }
        if record.marks & WRONG != 0 {
            swept.wrong = Some(state);
            return swept;
        }
        todo.extend(record.successors.iter().map(|&state| StateId(state.into())));
    }
    swept.unknown.sort_unstable();
    swept.unknown.dedup();
    swept
}

/// Transitions that were executed only on the way from artificial states were executed if some of the states that can be
/// reached did so: these are expanded again until that is known.
fn complete_coverage(problem: &Problem, store: &Shared, traces: Vec<Traces>, whole: &mut Tally) {
    let mut doubtful = vec![false; whole.executed.len()];
    for (number, executed) in traces.iter().flat_map(|trace| trace.executed.iter().enumerate()) {
        doubtful[number] |= *executed && !whole.executed[number];
    }
    if !doubtful.contains(&true) {
        return;
    }
    let mut scratch = problem.system.scratch();
    let mut batch = Batch::default();
    let swept = traces.iter().flat_map(|trace| trace.log.states());
    for state in swept.filter(|&state| store.note(state).load(Acquire) & (OPEN | REACHED) == REACHED) {
        batch.clear();
        problem.system.successors(store.state(state), &mut scratch, &mut batch, |_| {});
        let left = doubtful.iter().zip(&scratch.executed).any(|(doubtful, executed)| *doubtful && !*executed);
        if !left {
            break;
        }
    }
    whole.executed.iter_mut().zip(&scratch.executed).for_each(|(own, new)| *own |= new);
}
