//! Text to [`spec::Spec`].

mod condition;
mod define;
mod directive;
mod embedded;
mod expand;
pub mod flat;
mod formula;
mod inline;
mod layout;
mod nesting;
mod number;
pub mod parse;
pub mod preprocess;
pub mod print;
mod remote;
mod report;
mod select;
pub mod spec;
pub mod spelling;
mod token;
mod word;
