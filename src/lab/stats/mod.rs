//! Samples of runs in, figures and tests out: the statistics by which searches are compared.
//!
//! Pure functions on slices of finite numbers, one number for each run. A search that works by chance is run many
//! times, and its runs are a sample; nothing is known about their distribution, so the tests go by ranks. Which one
//! answers which question, after Chicano and Alba (Searching for liveness property violations in concurrent systems
//! with ACO, GECCO 2008) and Arcuri and Briand (A hitchhiker's guide to statistical tests for assessing randomized
//! algorithms in software engineering, STVR 24(3), 2014):
//!
//! | question | answer |
//! |---|---|
//! | how long, how large: two searches | `mann_whitney`, and [`a12`] for how much |
//! | the same: two or more searches | `kruskal_wallis` |
//! | a search by chance against a deterministic one | `wilcoxon` |
//! | do two searches find errors equally often | `equivalent`, and [`HitRate::wilson`] for each |
//! | many questions at once | `holm` |
//! | how sure is a mean or a median | `bootstrap` |
//!
//! Every test answers with a [`Tested`]: a p-value, or the reason why there is none. Few runs are the usual one. A test
//! that could not have come out below [`LEVEL`] whatever the runs had been has not shown that there is no difference.

mod bootstrap;
mod effect;
mod holm;
mod kruskal_wallis;
mod mann_whitney;
mod proportions;
mod ranks;
mod summary;
mod tested;
mod wilcoxon;

#[cfg(test)]
mod samples;

pub use bootstrap::{Resampling, bootstrap};
pub use effect::{Magnitude, a12};
pub use holm::holm;
pub use kruskal_wallis::{RUNS_FOR_KRUSKAL_WALLIS, kruskal_wallis};
pub use mann_whitney::{mann_whitney, runs_for_mann_whitney, smallest_mann_whitney_p};
pub use proportions::{HitRate, Margin, equivalent, runs_for_equivalence};
pub use ranks::{Ranks, ranks};
pub use summary::{Summary, mean, median, quantile};
pub use tested::{LEVEL, Tested};
pub use wilcoxon::{runs_for_wilcoxon, smallest_wilcoxon_p, wilcoxon};

/// The confidence of intervals, unless told otherwise.
pub const CONFIDENCE: f64 = 0.95;

/// Where a figure lies, with some confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}
