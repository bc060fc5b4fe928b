//! Results for people and for programs. Everything here is a function to text; nothing is printed.

pub mod changes;
#[cfg(feature = "pages")]
pub mod chart;
pub mod excerpt;
pub mod executions;
pub mod figures;
mod fold;
pub mod formula;
pub mod itf;
pub mod json;
pub mod model;
mod names;
#[cfg(feature = "pages")]
pub mod page;
pub mod paint;
pub mod recording;
pub mod rows;
pub mod stands;
pub mod text;
pub mod truncations;
pub mod unreached;
mod values;
pub mod visible;
