//! swarmgp: an explicit-state model checker for Promela and LTL.

pub mod file;
pub mod machine;
pub mod source;
pub mod syntax;
pub mod model;
pub mod program;
pub mod system;
pub mod property;
pub mod reduce;
pub mod store;
pub mod search;
pub mod load;
pub mod trail;
pub mod verify;
pub mod report;
pub mod lab;
pub mod cli;
