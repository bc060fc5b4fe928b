//! Several runs of a search that depends on chance, in figures.

use crate::lab::stats::Summary;
use crate::report::json::RunFigures;
use crate::search::Verdict;
use crate::verify::Attempt;

pub fn json_run(run: &Attempt) -> RunFigures {
    let report = &run.report;
    let (verdict, length) = match &report.verdict {
        Verdict::Violated(finding) => ("violated", Some(finding.witness.length())),
        Verdict::Holds => ("holds", None),
        Verdict::Inconclusive(_) => ("inconclusive", None),
    };
    RunFigures {
        seed: report.seed.unwrap_or(0),
        verdict,
        length,
        found_length: report.found_length,
        evaluations: report.evaluations.unwrap_or(0),
        states: report.counts.stored,
        time_s: run.time.as_secs_f64(),
        memory_bytes: report.counts.memory,
    }
}

/// A few lines about all of them.
pub fn text(runs: &[Attempt]) -> String {
    let figures: Vec<RunFigures> = runs.iter().map(json_run).collect();
    let hits: Vec<&RunFigures> = figures.iter().filter(|run| run.length.is_some()).collect();
    let mut out = format!("{} of {} runs found a violation\n", hits.len(), figures.len());
    let of_hits = |of: &dyn Fn(&RunFigures) -> Option<usize>| -> Vec<f64> {
        hits.iter().filter_map(|run| of(run)).map(|value| value as f64).collect()
    };
    let of_all = |of: &dyn Fn(&RunFigures) -> f64| -> Vec<f64> { figures.iter().map(of).collect() };
    let rows = [
        ("steps as found", of_hits(&|run| run.found_length)),
        ("steps", of_hits(&|run| run.length)),
        ("states expanded", of_all(&|run| run.evaluations as f64)),
        ("seconds", of_all(&|run| run.time_s)),
        ("MiB", of_all(&|run| run.memory_bytes as f64 / f64::from(1 << 20))),
    ];
    let summaries = rows.into_iter().filter_map(|(name, values)| Some((name, Summary::of(&values)?)));
    for (name, values) in summaries {
        let Summary { mean, sd, min, max, .. } = values;
        out.push_str(&format!("  {name}: {mean:.3} ± {:.3} ({min:.3} to {max:.3})\n", sd.unwrap_or(0.0)));
    }
    out
}
