//! What is left to be tried for a property about which nothing is known.

use super::request::Request;
use super::task::{Kind, Task};
use crate::program::Program;
use crate::property::Fairness;
use crate::reduce::can_order;
use crate::search::catalogue::{AUTO, Search, Shape};
use crate::search::{Reason, Report, Verdict};

/// Options that apply to the property, and that another search would follow than those that ran.
pub fn untried(request: &Request, program: &Program, task: &Task, report: &Report) -> Vec<String> {
    if !ended_early(&report.verdict) {
        return Vec::new();
    }
    let search = |search: &'static Search| format!("--search {}", search.name);
    let exhaustive = !report.search.proves();
    let can_reduce = match &task.kind {
        Kind::Safety => true,
        Kind::Cycles { claim, .. } => request.fairness == Fairness::None && claim.conditions().is_ok(),
        Kind::Untranslated(_) => false,
    };
    let reduce = can_reduce && !report.reduced && !request.shortest;
    let walks = program.layout.hidden_words == 0 && !has_walked(report);
    let all = [
        exhaustive.then(|| search(&AUTO)),
        task.kind.depth_first().filter(|_| !is_deep(report)).map(search),
        (reduce && can_order(program)).then(|| "--reduce".into()),
        walks.then(|| search(task.kind.walks()[0])),
    ];
    all.into_iter().flatten().collect()
}

/// Something else than the property itself ended the search.
fn ended_early(verdict: &Verdict) -> bool {
    use Reason::*;
    let Verdict::Inconclusive(reason) = verdict else { return false };
    matches!(
        reason,
        States(_) | Memory(_) | Time(_) | Share(_) | Evaluations(_) | NotExhaustive(_) | Beam(_) | StoreFull
    )
}

fn has_walked(report: &Report) -> bool {
    report.search.is_walk() || report.walked.is_some_and(|walked| walked > 0)
}

fn is_deep(report: &Report) -> bool {
    report.search.shape == Shape::Stack || report.dived.is_some_and(|dived| dived > 0)
}
