//! [`Spec`](crate::syntax::spec::Spec) to [`Model`]: names, types, constants.

mod arguments;
mod bodies;
mod claims;
mod constants;
mod declare;
mod expressions;
mod labels;
mod loops;
mod messages;
mod places;
mod report;
mod resolve;
mod scope;
mod statements;
pub mod tree;
mod types;
mod walk;

#[cfg(test)]
mod tests;

pub use claims::is_temporal;
pub use resolve::resolve;
pub use tree::*;
pub(crate) use walk::{any, expressions};
