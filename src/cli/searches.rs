//! `swarmgp searches`

use super::args::Searches;
use super::wrap::wrapped;
use super::{Done, Exit, output};
use crate::report::json::render;
use crate::search::Knobs;
use crate::search::catalogue::{self, Opt, Proves, Search};
use crate::search::guide::Heuristic;
use serde_json::json;

/// Lists every search with its parameters.
pub fn searches(args: &Searches) -> Done {
    let mut knobs = Knobs::default();
    if args.json {
        let all: Vec<_> = catalogue::ALL.into_iter().map(|search| as_json(search, &mut knobs)).collect();
        output::print(&render(&all))?;
    } else {
        let all: Vec<String> = catalogue::ALL.into_iter().map(|search| as_text(search, &mut knobs)).collect();
        output::print(&all.join("\n"))?;
    }
    Ok(Exit::Fine)
}

/// What it looks for.
fn finds(search: &Search) -> &'static str {
    match (search.finds_states(), search.finds_cycles()) {
        (true, true) => "safety and cycles",
        (true, false) => "safety",
        _ => "cycles",
    }
}

fn proves(search: &Search) -> &'static str {
    match search.proves {
        Proves::Unless => "finds violations; proves that a property holds only if nothing was dropped",
        Proves::Both => "proves that a property holds, or finds a violation",
        Proves::Violations => "finds violations, proves nothing",
    }
}

fn as_text(search: &Search, knobs: &mut Knobs) -> String {
    let paper = if search.paper.is_empty() { String::new() } else { format!(" ({})", search.paper) };
    let columns = output::width();
    let mut out = String::new();
    let mut say = |line: String, indent: usize| out.push_str(&format!("{}\n", wrapped(&line, indent, columns)));
    say(format!("{}: {}{paper}", search.name, search.summary), 2);
    let threads = if search.honours.has(Opt::Threads) { "; by many threads" } else { "" };
    say(format!("  {}; {}{threads}", finds(search), proves(search)), 4);
    let heuristics: Vec<&str> = (search.heuristics)().into_iter().map(Heuristic::name).collect();
    if !heuristics.is_empty() {
        say(format!("  heuristics: {}", heuristics.join(", ")), 4);
    }
    let parameters = (search.parameters)(knobs);
    let width = parameters.iter().map(|parameter| parameter.name.len()).max().unwrap_or(0);
    for parameter in parameters {
        let (value, range) = (parameter.value.shown(), parameter.value.range());
        say(format!("    {:width$} = {value:8} {} ({range})", parameter.name, parameter.meaning), width + 16);
    }
    out
}

fn as_json(search: &Search, knobs: &mut Knobs) -> serde_json::Value {
    let parameters: Vec<_> = (search.parameters)(knobs)
        .iter()
        .map(|parameter| {
            let value = &parameter.value;
            let (default, range) = (value.shown(), value.range());
            json!({ "name": parameter.name, "default": default, "range": range, "meaning": parameter.meaning })
        })
        .collect();
    json!({
        "name": search.name,
        "summary": search.summary,
        "finds": finds(search),
        "proves": search.proves(),
        "threads": search.honours.has(Opt::Threads),
        "depends_on_chance": search.is_walk(),
        "paper": search.paper,
        "heuristics": (search.heuristics)().into_iter().map(Heuristic::name).collect::<Vec<_>>(),
        "parameters": parameters,
    })
}
