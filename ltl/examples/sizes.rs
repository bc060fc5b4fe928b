//! Sizes of automata beside those of other translators, as a Markdown table.
//!
//! `cargo run --release -p ltl --example sizes -- FILE` reads lines of tab-separated fields: a set, a formula, and
//! `states,edges,…` for Spot and for ltl2ba. Lines that begin with # are comments. The time goes to the standard error.

use ltl::translate::{Options, translate};
use ltl::{Formulas, parse};
use std::error::Error;
use std::time::{Duration, Instant};

/// States and edges.
type Size = [usize; 2];

#[derive(Default)]
struct Row {
    set: String,
    formulas: usize,
    ours: Size,
    spot: Size,
    ltl2ba: Size,
}

impl Row {
    fn add(&mut self, [ours, spot, ltl2ba]: [Size; 3]) {
        self.formulas += 1;
        for (total, size) in [(&mut self.ours, ours), (&mut self.spot, spot), (&mut self.ltl2ba, ltl2ba)] {
            total[0] += size[0];
            total[1] += size[1];
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: sizes FILE")?;
    let mut rows: Vec<Row> = Vec::new();
    let mut total = Row { set: "**all**".into(), ..Row::default() };
    let (mut most_above, mut time) = (0, Duration::ZERO);
    for line in std::fs::read_to_string(file)?.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[set, formula, spot, ltl2ba] = &fields[..] else { return Err(format!("not four fields: {line}").into()) };
        let start = Instant::now();
        let ours = translated(formula)?;
        time += start.elapsed();
        let sizes = [ours, size(spot)?, size(ltl2ba)?];
        most_above = most_above.max(ours[0].saturating_sub(sizes[1][0]));
        if rows.last().is_none_or(|row| row.set != set) {
            rows.push(Row { set: set.into(), ..Row::default() });
        }
        rows.last_mut().into_iter().chain([&mut total]).for_each(|row| row.add(sizes));
    }
    println!("| set | formulas | ours: states | edges | Spot: states | edges | ltl2ba: states | edges |");
    println!("|---|---|---|---|---|---|---|---|");
    for row in rows.iter().chain([&total]) {
        let [ours, spot, ltl2ba] =
            [row.ours, row.spot, row.ltl2ba].map(|[states, edges]| format!("{states} | {edges}"));
        println!("| {} | {} | {ours} | {spot} | {ltl2ba} |", row.set, row.formulas);
    }
    println!("\nNo automaton has more than {most_above} more states than Spot's.");
    eprintln!("{:.2} s", time.as_secs_f64());
    Ok(())
}

fn translated(text: &str) -> Result<Size, Box<dyn Error>> {
    let mut formulas = Formulas::new();
    let f = formulas.intern(&parse(text)?.expr);
    let automaton = translate(&mut formulas, f, &Options::default())?.automaton;
    Ok([automaton.states.len(), automaton.edge_count()])
}

/// `states,edges,…`
fn size(field: &str) -> Result<Size, Box<dyn Error>> {
    let mut numbers = field.split(',').map(str::parse);
    let mut next = || numbers.next().ok_or("a number is missing")?.map_err(Box::<dyn Error>::from);
    Ok([next()?, next()?])
}
