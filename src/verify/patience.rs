//! How long the automata of formulas are waited for: within the limits of the whole run, and until Ctrl-C.

use crate::machine::Instant;
use crate::program::formula::Formula;
use crate::property::Claim;
use crate::search::{Limits, Monitor, Reason};
use ltl::{Budget, Limit};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// The limits within which formulas are translated into automata.
pub struct Patience {
    limits: Limits,
    started: Instant,
    stop: Arc<AtomicBool>,
    others: Others,
}

/// What else there is to do in the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// Nothing: the translation may take all of the time.
    Nothing,
    /// Other properties, which get half of the time at least.
    Properties,
}

impl Patience {
    /// Within the limits of the searches, as far as they are about time and memory.
    pub fn new(limits: Limits, others: Others, (started, stop): (Instant, &Arc<AtomicBool>)) -> Patience {
        let time = match others {
            Others::Nothing => limits.time,
            Others::Properties => limits.time.map(|time| time / 2),
        };
        let limits = Limits { memory: limits.memory, time, ..Limits::default() };
        Patience { limits, started, stop: stop.clone(), others }
    }

    /// The claim against a formula, or why there is none.
    pub fn claim(&self, formula: &Formula) -> Result<Claim, Reason> {
        let monitor = Monitor::since(self.started, self.limits, self.stop.clone());
        let why = Arc::new(Mutex::new(None));
        let noted = why.clone();
        let budget = Budget::until(move |bytes| {
            let reason = monitor.check(0, 0, bytes as u64).err();
            let spent = reason.is_some();
            if spent {
                *noted.lock().unwrap_or_else(PoisonError::into_inner) = reason;
            }
            spent
        });
        Claim::against_within(formula, budget).map_err(|limit| match limit {
            Limit::Stopped => self.reason(why.lock().unwrap_or_else(PoisonError::into_inner).take()),
            limit => Reason::Formula(limit.to_string()),
        })
    }

    fn reason(&self, why: Option<Reason>) -> Reason {
        match why {
            None | Some(Reason::Interrupted) => Reason::Interrupted,
            Some(Reason::Time(time)) if self.others == Others::Properties => {
                let seconds = time.as_secs_f64();
                Reason::Formula(format!(
                    "the automaton of the formula was not ready after half of the time, {seconds} s"
                ))
            }
            Some(limit) => Reason::Formula(format!("{limit} before the automaton of the formula was ready")),
        }
    }
}
