//! The lab: searches run again and again, each time in a process of its own, and what that tells about them.
//!
//! `Job` (one run that is to be done) → [`measure`] → `Record` (one run that was done) → `Study` (all records of a question, by case
//! and search) → [`judge`] (which differences are statistically significant) → tables, files and the page.

pub mod charts;
pub mod experiment;
pub mod formats;
pub mod groups;
pub mod job;
pub mod journal;
pub mod judge;
pub mod machine;
pub mod measure;
pub mod metric;
pub mod page;
pub mod record;
pub mod stats;
pub mod study;
pub mod table;
