//! swarmgp: an explicit-state model checker for Promela and LTL.
//!
//! ```
//! use swarmgp::verify::Check;
//!
//! let answers = Check::of("byte x; active proctype P() { x = 1; assert(x == 2) }").answers()?;
//! assert!(answers[0].is_violated());
//! # Ok::<(), swarmgp::verify::Refusal>(())
//! ```
//!
//! [`verify`] is the front door: every property of a model, or one, with any search of the [catalogue](search::catalogue) or one of your own;
//! what is found is executed again before you see it. Behind it the modules stand in the order in which a text passes through
//! them, and each uses only those above it:
//!
//! - [`source`], `syntax`, `model`, `program`: from text to control automata and a layout of states; [`load`] runs them.
//! - [`system`]: states and steps. [`property`]: claims, and their product with a system. [`reduce`]: what need not be explored.
//! - [`store`]: visited states. [`search`]: from a problem to a report.
//! - [`trail`]: runs as data, replayed. [`verify`]: all of it together.
//! - [`report`], `lab`, `cli`: for people, for experiments, for the terminal.
//!
//! Features, all of them on by default: `cli` (the binary), `lab` (experiments and statistics; the binary needs them), `pages` (runs as
//! pages and charts; the lab needs them). Without them the library has few dependencies, and still every search and all results as text and
//! JSON. It needs neither 64-bit addresses nor threads, nor a system that maps memory: `wasm32-unknown-unknown` will do, where the
//! program has to supply the clock (`machine::clock`).

#![warn(missing_docs)]

pub mod file;
pub mod machine;
pub mod source;
pub(crate) mod syntax;
pub(crate) mod model;
pub(crate) mod program;
pub mod system;
pub mod property;
pub mod reduce;
pub mod store;
pub mod search;
pub mod load;
pub mod trail;
pub mod verify;
pub mod report;
#[cfg(feature = "lab")]
#[doc(hidden)]
pub mod lab;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
