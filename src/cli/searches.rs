//! `swarmgp searches`

use super::args::Searches;
use super::wrap::wrapped;
use super::{Done, Exit, output};
use crate::report::json::render;
use crate::search::Strategy;
use crate::search::catalogue::{Knobs, Proves};
use crate::search::guide::Heuristic;
use serde_json::json;

/// Lists every search with its parameters.
pub fn searches(args: &Searches) -> Done {
    let mut knobs = Knobs::default();
    if args.json {
        let all: Vec<_> = Strategy::ALL.into_iter().map(|strategy| as_json(strategy, &mut knobs)).collect();
        output::print(&render(&all))?;
    } else {
        let all: Vec<String> = Strategy::ALL.into_iter().map(|strategy| as_text(strategy, &mut knobs)).collect();
        output::print(&all.join("\n"))?;
    }
    Ok(Exit::Fine)
}

/// What it looks for.
fn finds(strategy: Strategy) -> &'static str {
    match (strategy.finds_states(), strategy.finds_cycles()) {
        (true, true) => "safety and cycles",
        (true, false) => "safety",
        _ => "cycles",
    }
}

fn proves(strategy: Strategy) -> &'static str {
    match strategy.proves() {
        _ if strategy == Strategy::Beam => "finds violations; proves that a property holds only if nothing was dropped",
        Proves::Both => "proves that a property holds, or finds a violation",
        Proves::Violations => "finds violations, proves nothing",
    }
}

fn as_text(strategy: Strategy, knobs: &mut Knobs) -> String {
    let paper = if strategy.paper().is_empty() { String::new() } else { format!(" ({})", strategy.paper()) };
    let columns = output::width();
    let mut out = String::new();
    let mut say = |line: String, indent: usize| out.push_str(&format!("{}\n", wrapped(&line, indent, columns)));
    say(format!("{}: {}{paper}", strategy.name(), strategy.summary()), 2);
    say(format!("  {}; {}", finds(strategy), proves(strategy)), 4);
    let heuristics: Vec<&str> = strategy.heuristics().into_iter().map(Heuristic::name).collect();
    if !heuristics.is_empty() {
        say(format!("  heuristics: {}", heuristics.join(", ")), 4);
    }
    let parameters = knobs.of(strategy);
    let width = parameters.iter().map(|parameter| parameter.name.len()).max().unwrap_or(0);
    for parameter in parameters {
        let (value, range) = (parameter.value.shown(), parameter.value.range());
        say(format!("    {:width$} = {value:8} {} ({range})", parameter.name, parameter.meaning), width + 16);
    }
    out
}

fn as_json(strategy: Strategy, knobs: &mut Knobs) -> serde_json::Value {
    let parameters: Vec<_> = knobs
        .of(strategy)
        .iter()
        .map(|parameter| json!({ "name": parameter.name, "default": parameter.value.shown(), "range": parameter.value.range(), "meaning": parameter.meaning }))
        .collect();
    json!({
        "name": strategy.name(),
        "summary": strategy.summary(),
        "finds": finds(strategy),
        "proves": strategy.proves() == Proves::Both,
        "depends_on_chance": strategy.is_walk(),
        "paper": strategy.paper(),
        "heuristics": strategy.heuristics().into_iter().map(Heuristic::name).collect::<Vec<_>>(),
        "parameters": parameters,
    })
}
