//! swarmgp: an explicit-state model checker for Promela and LTL.

pub mod model;
pub mod source;
pub mod syntax;
