//! From a property of a program to an answer that has been checked: the plan, the searches, the replay of what they find.
//!
//! ```text
//! Task (a property) + Plan (a search and what was set for it) + Request (what counts, limits)
//!     ──search──▶ Report          auto: an exhaustive search and others beside it
//!     ──shortest▶ Report          with a shortest trail, if that was asked for
//!     ──confirm─▶ Replayed        every finding is executed again before anyone sees it
//! ```

mod auto;
mod automaton;
pub mod claims;
mod check;
mod clock;
pub mod confirm;
pub mod patience;
pub mod properties;
mod request;
mod retell;
mod run;
mod runs;
mod shortest;
mod task;
mod untried;

pub use check::{Answer, Check};
pub use clock::Clock;
pub use properties::{Asked, Question, RefusedProperty};
pub use request::{Refusal, Request, RunsDone, Unwatched, Watcher};
// what they return has not been executed again
#[cfg(feature = "cli")]
pub(crate) use run::{Attempt, Attempts, check_reduction, refuse_hidden};
pub use task::{Kind, Task};
pub use untried::untried;
