//! [`Spec`](crate::syntax::spec::Spec) to [`Model`]: names, types, constants.

pub mod tree;

pub use tree::*;
