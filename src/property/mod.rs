//! What runs are checked for besides safety: claims, and their product with the system.
//!
//! A claim ([`claim`]) watches a run and accepts those that violate the property: the automaton of a negated formula, a
//! never claim, or the labels of the model. The [`product`] of a system and a claim is a system again, whose accepting
//! cycles are the violations.

pub mod claim;
pub mod fairness;
pub mod product;
#[cfg(test)]
mod tests;
pub mod vacuity;

pub use crate::program::formula::Formula;
pub use claim::Claim;
pub use product::{Fairness, Product};
