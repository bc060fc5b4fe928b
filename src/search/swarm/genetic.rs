//! Swarmed depth-first search, also from artificial states (`swarm-gp`).
//!
//! Renault, Improving swarming using genetic algorithms, 2020, Algorithms 5 and 6. Some workers search from the initial state as in
//! `dfs`. The others breed artificial states (`artificial`) from the first states that they see and search from these; when none are
//! left, they search from the initial state, too.
//!
//! Differs from the paper, where a state that a worker from an artificial state has closed is closed for all, and the search ends when one
//! worker has closed the initial state. That loses states: with ι→a, a→b, b→a and b→c, a worker that starts at b closes a (b is
//! on its stack) before it looks at c; the one from ι finds a closed, closes ι, and all stop. Here the search has phases:
//!
//! ```text
//! some workers search from the initial state; a state that one from an artificial state has opened they note as a hit and do not enter
//! when they have ended, or a worker has opened as many states from artificial ones as it may without knowing more, all stop
//! sweep, from the hits, along the logged expansions: every state that is found is reachable, and counts
//!        if something is wrong with it, that is a violation
//! next phase, not from the initial state but from those that the sweep found unexpanded and those that were left to be visited
//! ```
//!
//! So every state that was entered from the initial state or swept has been expanded, and all its successors are among these states: the
//! figures are those of a search by one worker. Unreachable states never count. No state that a worker from an artificial state has
//! opened is expanded again by the search.

use super::Start;
use super::breed::{Breeding, breed};
use super::crew::Crew;
use super::dfs::{DEADLOCK_GP, LINK, OPEN, REACHED, Worker, adopt, path_to};
use super::genes::Genome;
use super::log::{GAVE_UP, Link, WRONG};
use super::traces::{Arrival, Traces};
use crate::search::{Config, Monitor, Problem, Reason, Tally};
use crate::store::{Shared, StateId, States};
use crate::system::{Batch, Run, System};
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::sync::atomic::Ordering::Acquire;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What artificial states have led to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Artificial {
    /// Artificial states that were bred.
    pub bred: u64,
    /// States that were looked at on the way from them.
    pub states: u64,
    /// How many of `states` are reachable, if that is known.
    pub reachable: Option<u64>,
}

pub fn search<S: System>(problem: &Problem<S>, plan: &Breeding, seed: u64, config: Config, monitor: &Monitor) -> Tally {
    let start = match Start::new(&problem.system, problem.checks, config, LINK + 1) {
        Ok(start) => start,
        Err(tally) => return *tally,
    };
    let Start { tally: mut whole, store, root } = start;
    let real = config.threads - plan.artificial_threads(config.threads);
    let crew = Crew::new(&store, config.threads, real, monitor);
    let genome = Genome::new(problem.system.program(), None);
    let traces: Vec<Mutex<Traces>> = (0..config.threads).map(|_| Mutex::default()).collect();
    let mut roots = vec![Arrival::root(root, root)];
    for phase in 0.. {
        crew.renew(real);
        let finished = crew.run(|thread| {
            let mut own = std::mem::take(&mut *lock(&traces[thread]));
            own.ahead = plan.ahead;
            // before it has a writer: no other worker need wait for it at the gate
            let bred = (phase == 0 && thread >= real).then(|| breed(problem, &genome, plan, (thread, seed), &crew));
            let finding = match bred {
                Some(Ok(states)) => {
                    own.adopt(states);
                    None
                }
                Some(Err(finding)) => Some(finding),
                None => None,
            };
            let mut worker = Worker::new(problem, &crew, config, thread, own);
            if let Some(finding) = finding {
                worker.found(*finding);
            }
            let before = worker.traces().artificial;
            while worker.may_go_on_from_artificial()
                && let Some(state) = worker.traces().roots.pop()
            {
                worker.search_artificial(&state);
            }
            if worker.traces().artificial > before && worker.is_far_enough() {
                // a sweep is due
                crew.pause();
            }
            if thread < real || !crew.is_paused() && crew.begin() {
                let _shift = crew.shift();
                let (before, behind) = roots.split_at(roots.len() * thread / crew.threads());
                worker.search(behind.iter().chain(before).copied());
            }
            let (tally, own) = worker.end();
            *lock(&traces[thread]) = own;
            tally
        });
        match finished {
            Ok(tallies) => tallies.into_iter().for_each(|tally| whole.join(tally)),
            Err(error) => whole.cut_short(Reason::NoThread(error.to_string())),
        }
        let mut traces: Vec<MutexGuard<Traces>> = traces.iter().map(lock).collect();
        if !whole.is_unfinished() {
            break;
        }
        let hits = traces.iter_mut().flat_map(|own| std::mem::take(&mut own.hits)).collect();
        let swept = sweep(&store, &traces, hits, &mut whole);
        crew.note_entered(swept.reached.iter().sum());
        traces.iter_mut().zip(&swept.reached).for_each(|(own, reached)| own.reachable += reached);
        if let Some(wrong) = swept.wrong {
            let mut worker = Worker::new(problem, &crew, config, 0, Traces::default());
            worker.report_from(wrong.state, path_to(&store, wrong.parent()));
            whole.join(worker.end().0);
        }
        roots = swept.unknown;
        traces.iter_mut().for_each(|own| roots.append(&mut own.left));
        roots.sort_unstable_by_key(|root| root.state);
        roots.dedup_by_key(|root| root.state);
        if roots.is_empty() || !whole.is_unfinished() {
            break;
        }
    }
    let traces: Vec<Traces> = traces.into_iter().map(|own| own.into_inner().unwrap_or_default()).collect();
    let bred = traces.iter().map(|own| own.bred).sum();
    let states = traces.iter().map(|own| own.artificial).sum();
    let reachable = traces.iter().map(|own| own.reachable + own.both).sum();
    whole.seed = Some(seed);
    whole.artificial = Some(Artificial { bred, states, reachable: Some(reachable) });
    complete_coverage(problem, &store, &traces, &mut whole);
    whole.count_matches();
    whole.counts.memory = crew.memory();
    whole
}

fn lock(traces: &Mutex<Traces>) -> MutexGuard<'_, Traces> {
    traces.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a sweep has found.
#[derive(Default)]
struct Swept {
    /// The number of swept states, by the worker that has expanded them.
    reached: Vec<u64>,
    /// A state with which, or behind which, something is wrong.
    wrong: Option<Arrival>,
    /// Reachable states that no worker has expanded.
    unknown: Vec<Arrival>,
}

/// Finds all states that are reachable from the hits along logged expansions, and counts them.
fn sweep(store: &Shared, traces: &[MutexGuard<Traces>], hits: Vec<Arrival>, whole: &mut Tally) -> Swept {
    let mut swept = Swept { reached: vec![0; traces.len()], ..Swept::default() };
    let mut todo = hits;
    while let Some(arrival) = todo.pop() {
        let state = arrival.state;
        if store.note(state).load(Acquire) & (OPEN | REACHED) != 0 {
            continue;
        }
        let link = Link(store.word(state, LINK).load(Acquire));
        if link.0 == 0 {
            swept.unknown.push(arrival);
            continue;
        }
        let note = adopt(store, state, arrival.parent(), REACHED);
        let record = traces[link.log()].log.get(link);
        swept.reached[link.log()] += 1;
        whole.counts.stored += 1;
        whole.counts.matched += record.successors.len() as u64;
        whole.counts.atomic_steps += record.atomic_steps as u64;
        if record.marks & GAVE_UP != 0 {
            whole.cut_short(Reason::EndlessAtomic);
        }
        if record.marks & WRONG != 0 || note & DEADLOCK_GP != 0 {
            swept.wrong = Some(arrival);
            return swept;
        }
        let behind = record.successors.iter().map(|&next| Arrival::root(StateId::unpack(next), state));
        todo.extend(behind);
    }
    swept
}

/// Counts transitions that were executed only on the way from artificial states, if that was in a reachable state.
fn complete_coverage<S: System>(problem: &Problem<S>, store: &Shared, traces: &[Traces], whole: &mut Tally) {
    let is_swept = |state: StateId| store.note(state).load(Acquire) & (OPEN | REACHED) == REACHED;
    for &(transition, state) in traces.iter().flat_map(|own| &own.sightings) {
        whole.coverage.executed[transition as usize] |= is_swept(state);
    }
    let candidates = traces.iter().flat_map(|own| own.coverage.executed.iter().enumerate());
    let doubtful: FxHashSet<usize> = candidates
        .filter(|&(number, executed)| *executed && !whole.coverage.executed[number])
        .map(|(number, _)| number)
        .collect();
    let cuts = traces.iter().flat_map(|own| own.coverage.truncations.keys());
    let cuts: FxHashSet<u32> = cuts.filter(|cut| !whole.coverage.truncations.contains_key(cut)).copied().collect();
    if doubtful.is_empty() && cuts.is_empty() {
        return;
    }
    // the sightings do not tell: swept states are expanded again until it is known
    let mut scratch = problem.system.scratch();
    let (mut batch, mut buffer) = (Batch::default(), Vec::new());
    for state in traces.iter().flat_map(|own| own.log.states()).filter(|&state| is_swept(state)) {
        batch.clear();
        problem.system.successors(store.recall(state, &mut buffer), Run::GoesOn, &mut scratch, &mut batch, |_| {});
        let known = S::coverage(&mut scratch);
        if doubtful.iter().all(|&number| known.executed[number])
            && cuts.iter().all(|cut| known.truncations.contains_key(cut))
        {
            break;
        }
    }
    whole.coverage.join(std::mem::take(S::coverage(&mut scratch)));
}
