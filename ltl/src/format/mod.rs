//! Automata as text: in and out of the formats that other tools speak, and out to people.
//!
//! | module          | in  | out | what                                             |
//! |-----------------|-----|-----|--------------------------------------------------|
//! | [`hoa`]         | yes | yes | the Hanoi Omega-Automata format, version 1       |
//! | [`mod@never`]   | yes | yes | never claims as SPIN, ltl2ba and Spot print them |
//! | [`dot`]         |     | yes | Graphviz                                         |
//! | [`text`]        |     | yes | a drawing for the terminal                       |
//!
//! A reader has three stages, one file each: `lexeme` knows the smallest parts of the text, `syntax` makes a tree that is
//! faithful to it, `resolve` turns names and numbers into an automaton. Every mistake is an [`Error`](crate::Error) with
//! its place; no text makes a reader panic, overflow the stack or try things an exponential number of times.

pub mod dot;
pub mod hoa;
pub mod label;
pub mod never;
pub mod text;

mod condition;
mod cubes;
mod reading;
