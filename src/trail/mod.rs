//! [`Witness`](crate::search::Witness) to trail file and back, and running either of them step by step.
//!
//! A trail file is SPIN's: one line `D:P:N` for each step, with the number of the step, the process and the statement.
//! A run is always re-executed on the interpreter, whatever found it: [`follow`] says where it stops being possible.

pub mod accepted;
pub mod follow;
pub mod frames;
pub mod inside;
mod merged;
pub mod observed;
pub mod offered;
pub mod origin;
pub mod player;
mod printed;
pub mod read;
pub mod unplayable;
pub mod write;

pub use follow::{Ending, Moment, Replayed};
pub use origin::Origin;
pub use player::Player;
pub use read::Trail;
pub use unplayable::Unplayable;
