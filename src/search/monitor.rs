//! Limits, progress and stopping: the interface between a search and its caller.

use super::rounds::Pace;
use crate::machine::{self, Instant};
use crate::store::Explored;
use crate::system::cutoff::{self, Cutoff, Halt};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Where a search gives up. Without limits it goes on until it is complete.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Steps of a depth-first search, levels of a breadth-first one.
    pub max_depth: Option<u64>,
    /// States stored.
    pub max_states: Option<u64>,
    /// Bytes.
    pub memory: Option<u64>,
    /// Returns the bytes that the process uses, for a search that has the process to itself. Without it, the search's
    /// own count is compared with the limit.
    pub in_use: Option<fn() -> Option<u64>>,
    /// What the process may use while a state is expanded; without it, `memory`.
    pub expanding: Option<cutoff::Memory>,
    /// Since the start.
    pub time: Option<Duration>,
    /// States that a walk may expand.
    pub evaluations: Option<u64>,
}

/// By how much a search beside another one may exceed the memory limit of both while it expands a state. With what is taken
/// between two looks it must stay below a twentieth; where memory is short, it must be more than the other one takes between two.
fn excess(limit: u64) -> u64 {
    (limit / 64 + (512 << 10)).min(limit / 32)
}

impl Limits {
    fn bytes_in_use(&self) -> Option<u64> {
        self.in_use.and_then(|in_use| in_use())
    }

    fn memory_limit(&self) -> Option<cutoff::Memory> {
        Some(cutoff::Memory { limit: self.memory?, in_use: self.in_use.unwrap_or(|| None) })
    }

    /// For one of several searches side by side, with a visited set of its own: its own count is limited to 1/`share` of
    /// the memory. While it expands a state, what the whole process uses counts, and may exceed the limit a little: where
    /// another search ends because it has reached the limit, this one goes on.
    pub fn share(self, share: u64) -> Limits {
        let room = |memory: cutoff::Memory| cutoff::Memory { limit: memory.limit + excess(memory.limit), ..memory };
        let expanding = self.memory_limit().map(room);
        Limits { memory: self.memory.map(|limit| limit / share), in_use: None, expanding, ..self }
    }
}

/// Successors that are as much work as one state, for searches side by side. An exhaustive search counts what it stores, but a walk or a
/// depth-first search beside it what it expands: where a state has hundreds of successors they would otherwise do hundreds of times its work.
pub const SUCCESSORS: u64 = 16;

/// Why a search did not cover everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The limit of depth.
    Depth(u64),
    /// The limit of states.
    States(u64),
    /// The limit of memory, in bytes.
    Memory(u64),
    /// The limit of time.
    Time(Duration),
    /// What there was of a time limit that is for more than this search.
    Share(Duration),
    /// The limit of expanded states.
    Evaluations(u64),
    /// The search is not exhaustive, and has found nothing.
    NotExhaustive(&'static str),
    /// A level of a beam search had more states than there was room for.
    Beam(usize),
    /// A limit of the translation has left a formula without an automaton.
    Formula(String),
    /// There is no initial state, for this reason.
    CannotStart(String),
    /// The stop flag was set.
    Interrupted,
    /// There is no memory for another state.
    StoreFull,
    /// Nothing was found, but the store may have taken different states for the same.
    LossyStore,
    /// An atomic sequence was too long to be followed to its end.
    EndlessAtomic,
    /// Fairness was asked for, and there are more processes than this.
    Processes(u32),
    /// Another search has found the answer.
    Overtaken,
    /// What was found is a run only if hidden variables are ignored, as the store ignores them.
    Hidden,
    /// The operating system could not start a thread.
    NoThread(String),
}

impl From<Halt> for Reason {
    fn from(halt: Halt) -> Reason {
        match halt {
            Halt::Stop => Reason::Interrupted,
            Halt::Time(limit) => Reason::Time(limit),
            Halt::Memory(limit) => Reason::Memory(limit),
            Halt::Exhausted => Reason::StoreFull,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Depth(n) => write!(f, "the depth limit of {n} steps was reached"),
            Reason::States(n) => write!(f, "the limit of {n} states was reached"),
            Reason::Memory(n) => write!(f, "the memory limit of {} MiB was reached", n >> 20),
            Reason::Time(t) | Reason::Share(t) if t.is_zero() => write!(f, "there was no time left"),
            Reason::Share(t) => write!(f, "its share of the time limit, {}, was used up", rounded(*t)),
            Reason::Time(t) if t.as_millis() == 0 => {
                write!(f, "the time limit of {:.3} ms was reached", t.as_secs_f64() * 1e3)
            }
            Reason::Time(t) => write!(f, "the time limit of {} s was reached", t.as_secs_f64()),
            Reason::Evaluations(n) => write!(f, "the limit of {n} evaluations was reached"),
            Reason::NotExhaustive(search) => write!(f, "{search} found nothing, which proves nothing"),
            Reason::Beam(width) => write!(f, "some states were dropped: the beam has room for {width}"),
            Reason::Formula(why) => write!(f, "{why}"),
            Reason::CannotStart(why) => write!(f, "there is no first state: {why}"),
            Reason::StoreFull => write!(f, "there is no memory for more states"),
            Reason::LossyStore => {
                write!(f, "nothing was found, but the store may have taken different states for the same")
            }
            Reason::Interrupted => write!(f, "the search was interrupted"),
            Reason::Processes(n) => {
                write!(f, "there are more than {n} processes, too many for weak fairness with a claim of this size")
            }
            Reason::Hidden => {
                write!(f, "what was found is no run, because hidden variables differ in states that count as the same")
            }
            Reason::NoThread(why) => write!(f, "no thread could be started: {why}"),
            Reason::Overtaken => write!(f, "another search was faster"),
            Reason::EndlessAtomic => write!(f, "an atomic sequence takes more steps than can be followed"),
        }
    }
}

/// A time that was calculated, in seconds with two digits: `0.99871 s` is `1 s`.
pub fn rounded(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let magnitude = if seconds > 0.0 { seconds.log10().floor() as i32 } else { 0 };
    let digits = (1 - magnitude).clamp(0, 9) as usize;
    let text = format!("{seconds:.digits$}");
    let text = if digits > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} s")
}

/// Shared by a search and its caller, which may watch its progress from another thread.
#[derive(Debug)]
pub struct Monitor {
    /// Where the search gives up.
    pub limits: Limits,
    started: Instant,
    stop: Arc<AtomicBool>,
    gauges: Arc<Gauges>,
    /// For one of several searches side by side.
    pace: Option<Pace>,
}

/// How far a search is.
#[derive(Debug, Default)]
struct Gauges {
    states: AtomicU64,
    depth: AtomicU64,
    memory: AtomicU64,
}

/// A look at a running search.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// States stored, expanded or entered, by what the search counts.
    pub states: u64,
    /// The greatest depth so far.
    pub depth: u64,
    /// Bytes in use.
    pub memory: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

impl Monitor {
    /// `stop` may be set by any thread, at any time, to end the search.
    pub fn new(limits: Limits, stop: Arc<AtomicBool>) -> Monitor {
        Monitor::since(Instant::now(), limits, stop)
    }

    /// For a part of a task that started earlier: the time limit is for the whole task.
    pub fn since(started: Instant, limits: Limits, stop: Arc<AtomicBool>) -> Monitor {
        Monitor { limits, started, stop, gauges: Arc::default(), pace: None }
    }

    /// For one of several searches side by side, with limits of its own. The one that sets the pace shows its progress
    /// in this monitor.
    pub fn paced(&self, pace: Pace, limits: Limits) -> Monitor {
        let gauges = if pace.sets_it() { self.gauges.clone() } else { Arc::default() };
        Monitor { limits, started: self.started, stop: self.stop.clone(), gauges, pace: Some(pace) }
    }

    /// The same monitor for work that takes this long at most.
    pub fn for_at_most(self, time: Duration) -> Monitor {
        let end = self.started.elapsed() + time;
        let time = self.limits.time.map_or(end, |limit| limit.min(end));
        Monitor { limits: Limits { time: Some(time), ..self.limits }, ..self }
    }

    /// A monitor with the same limits, but for at most `max_states` states.
    pub fn within(&self, max_states: u64) -> Monitor {
        let limits = Limits { max_states: Some(max_states), ..self.limits };
        Monitor { started: self.started, ..Monitor::new(limits, self.stop.clone()) }
    }

    /// The same monitor for a part of the search, which may store at most `max_states` states.
    pub fn for_part(&self, max_states: u64) -> Monitor {
        Monitor { gauges: self.gauges.clone(), ..self.within(max_states) }
    }

    /// The same monitor for what comes after walks that have expanded `expanded` states.
    pub fn after_walks(&self, expanded: u64) -> Monitor {
        let evaluations = self.limits.evaluations.map(|limit| limit.saturating_sub(expanded));
        let rest = Monitor::since(self.started, Limits { evaluations, ..self.limits }, self.stop.clone());
        Monitor { gauges: self.gauges.clone(), ..rest }
    }

    /// A monitor with the same limits for a search that need not keep pace with others.
    pub fn unpaced(&self) -> Monitor {
        Monitor { started: self.started, ..Monitor::new(self.limits, self.stop.clone()) }
    }

    /// The same monitor for work that leaves half of the time to what comes after it.
    pub fn for_half_the_time(self) -> Monitor {
        let used = self.started.elapsed();
        let time = self.limits.time.map(|limit| used + limit.saturating_sub(used) / 2);
        Monitor { limits: Limits { time, ..self.limits }, ..self }
    }

    /// A monitor with the same limits, but for at most `evaluations` expanded states.
    pub fn evaluating(&self, evaluations: u64) -> Monitor {
        let limits = Limits { evaluations: Some(evaluations), ..self.limits };
        Monitor { started: self.started, ..Monitor::new(limits, self.stop.clone()) }
    }

    /// Shows the searches beside this one what it has explored, now and from now on.
    pub fn share(&self, explored: Explored) {
        if let Some(pace) = &self.pace {
            pace.share(explored);
        }
    }

    /// What the exhaustive search beside this one has explored, if it shares that.
    pub fn explored(&self) -> Option<Explored> {
        self.pace.as_ref()?.explored()
    }

    /// Called by a search now and then: notes its progress, and may wait for the searches beside it. An error says why
    /// it must stop.
    pub fn check(&self, states: u64, depth: u64, memory: u64) -> Result<(), Reason> {
        self.check_work(states, states, depth, memory)
    }

    /// The same for a search that has done the work of `work` states, for the searches beside it.
    pub fn check_work(&self, states: u64, work: u64, depth: u64, memory: u64) -> Result<(), Reason> {
        self.gauges.states.store(states, Relaxed);
        self.gauges.depth.store(depth, Relaxed);
        self.gauges.memory.store(memory, Relaxed);
        if self.stop.load(Relaxed) {
            return Err(Reason::Interrupted);
        }
        if let Some(limit) = self.limits.max_states.filter(|&limit| states >= limit) {
            return Err(Reason::States(limit));
        }
        let memory = self.pace.as_ref().map_or(memory, |pace| pace.memory(memory));
        if let Some(limit) = self.limits.memory.filter(|&limit| self.limits.bytes_in_use().unwrap_or(memory) > limit) {
            return Err(Reason::Memory(limit));
        }
        if machine::is_exhausted() {
            return Err(Reason::StoreFull);
        }
        if let Some(limit) = self.limits.time.filter(|&limit| self.started.elapsed() >= limit) {
            return Err(Reason::Time(limit));
        }
        let overtaken = self.pace.as_ref().is_some_and(|pace| !pace.may_go_on(work));
        if overtaken { Err(Reason::Overtaken) } else { Ok(()) }
    }

    /// An error if so many more bytes, taken at once, are beyond the memory limit.
    pub fn check_room(&self, bytes: u64) -> Result<(), Reason> {
        let Limits { memory, .. } = self.limits;
        let beyond = |limit: &u64| self.limits.bytes_in_use().is_some_and(|used| used.saturating_add(bytes) > *limit);
        memory.filter(beyond).map_or(Ok(()), |limit| Err(Reason::Memory(limit)))
    }

    /// The same limits for what happens between two checks, inside one expansion.
    pub fn cutoff(&self) -> Cutoff {
        let over = self.pace.as_ref().map(Pace::over);
        let stops = std::iter::once(self.stop.clone()).chain(over).collect();
        Cutoff::new(stops, self.started, self.limits.time, self.limits.expanding.or_else(|| self.limits.memory_limit()))
    }

    /// The stop flag is set, or the time is up.
    pub fn is_out_of_time(&self) -> bool {
        self.stop.load(Relaxed) || self.limits.time.is_some_and(|limit| self.started.elapsed() >= limit)
    }

    /// Whether the time limit leaves this much time.
    pub fn has_time_for(&self, time: Duration) -> bool {
        self.limits.time.is_none_or(|limit| self.started.elapsed() + time <= limit)
    }

    /// How far the search is.
    pub fn progress(&self) -> Progress {
        Progress {
            states: self.gauges.states.load(Relaxed),
            depth: self.gauges.depth.load(Relaxed),
            memory: self.gauges.memory.load(Relaxed),
            elapsed: self.started.elapsed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_limit_is_shown_as_nothing() {
        let shown = [0, 250_000, 1_500_000_000].map(|nanos| Reason::Time(Duration::from_nanos(nanos)).to_string());
        let expected =
            ["there was no time left", "the time limit of 0.250 ms was reached", "the time limit of 1.5 s was reached"];
        assert_eq!(shown, expected);
        assert_eq!(Reason::Share(Duration::ZERO).to_string(), "there was no time left");
    }

    #[test]
    fn a_share_of_the_time_is_rounded() {
        let shown = [0.999, 0.700585719, 1.9987, 0.333, 59.96, 1234.5, 0.00025, 0.0]
            .map(|s| rounded(Duration::from_secs_f64(s)));
        assert_eq!(shown, ["1 s", "0.7 s", "2 s", "0.33 s", "60 s", "1234 s", "0.00025 s", "0 s"]);
        let share = Reason::Share(Duration::from_millis(999)).to_string();
        assert_eq!(share, "its share of the time limit, 1 s, was used up");
    }
}
