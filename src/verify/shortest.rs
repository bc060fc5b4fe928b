//! `--shortest`: from what was found to a shortest trail.
//!
//! What was found has been made shorter already, as without the option. If time or memory does not suffice to find a shortest trail, that is
//! the result.

use super::request::Refusal;
use super::run::Attempts;
use super::task::{Kind, SMALL};
use crate::search::catalogue::{BFS, PBFS, Search, Trails};
use crate::search::problem::FairnessBy;
use crate::search::{self, Finding, Monitor, Quality, Reason, Report, Verdict};

/// The report with a trail that is no longer, and whether it is a shortest one.
pub fn shortest(attempts: &Attempts, mut report: Report, monitor: &Monitor) -> Result<Report, Refusal> {
    let Verdict::Violated(found) = &mut report.verdict else { return Ok(report) };
    if report.search.trails == Trails::Shortest && !report.reduced {
        report.quality = Some(Quality::Shortest);
        return Ok(report);
    }
    match &attempts.task.kind {
        Kind::Safety => match nearest(attempts, monitor)? {
            Some(nearest) => {
                report.quality = Some(Quality::Shortest);
                if moves(&nearest) < moves(found) {
                    *found = nearest;
                }
            }
            None => report.quality = Some(Quality::BestSoFar),
        },
        Kind::Untranslated(_) => {}
        Kind::Cycles { .. } => {
            search::shorten(&attempts.cycle_problem(FairnessBy::States, monitor)?, &mut report, monitor)
        }
    }
    Ok(report)
}

/// What the scheduler does, and of equally many moves the steps.
fn moves(finding: &Finding) -> (usize, usize) {
    (finding.witness.sights.len(), finding.witness.length())
}

/// The violation that a breadth-first search meets first, by many threads where there is much to search.
fn nearest(attempts: &Attempts, monitor: &Monitor) -> Result<Option<Box<Finding>>, Refusal> {
    let Attempts { plan, task, program, .. } = attempts;
    let by = |search: &'static Search| plan.with(search, task.kind.aim(program));
    let part = attempts.run(&by(&BFS), &monitor.for_part(SMALL))?;
    let report = match part.verdict {
        Verdict::Inconclusive(Reason::States(SMALL)) => {
            attempts.run(&by(if plan.config.threads > 1 { &PBFS } else { &BFS }), monitor)?
        }
        _ => part,
    };
    Ok(match report.verdict {
        // what a reduced search has found in place of one that a limit has ended may be far away
        Verdict::Violated(finding) if !report.reduced => Some(finding),
        _ => None,
    })
}
