//! Results for people and for programs. Everything here is a function to text; nothing is printed.

pub mod changes;
pub mod figures;
pub mod formula;
pub mod json;
pub mod model;
mod names;
pub mod rows;
pub mod stands;
pub mod text;
pub mod unreached;
