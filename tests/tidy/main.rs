//! Rules of the repository that no compiler checks. A failure says what to do.

mod allowed;
mod lines;
mod modules;
mod order;
mod parameters;
mod text;
