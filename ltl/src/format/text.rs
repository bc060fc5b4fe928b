//! Automata for the terminal: one block of lines per state, one line per move.
//!
//! ```text
//! → 0    p && !q  → 1
//!        !p       ↺
//!   1 ●  true     ↺
//! ```
//!
//! `→` before a state: the runs begin here; `●`: accepting; `↺`: the move stays. A label too long for its column is
//! broken between its alternatives, and the target stands in the first line.

use super::label::{alternatives, show};
use crate::automaton::{Buchi, Label, Move, Place, State};

/// A label that needs more columns is broken.
const LABEL_WIDTH: usize = 60;

/// The automaton as lines of text.
pub fn draw(automaton: &Buchi) -> String {
    let digits = automaton.states.len().saturating_sub(1).to_string().len();
    let blocks: Vec<Block> = (0..automaton.states.len()).map(|state| Block::of(automaton, state, digits)).collect();
    let width = blocks.iter().flat_map(|block| &block.rows).map(Row::width).max().unwrap_or(0);
    blocks.iter().map(|block| block.draw(width)).collect()
}

struct Block {
    /// What stands before the first line; the others are indented as far.
    head: String,
    rows: Vec<Row>,
}

struct Row {
    lines: Vec<String>,
    target: String,
}

impl Block {
    fn of(automaton: &Buchi, state: State, digits: usize) -> Block {
        let Place { accepting, moves } = &automaton.states[state];
        let arrow = if state == automaton.initial { '→' } else { ' ' };
        let dot = if *accepting { '●' } else { ' ' };
        let head = format!("{arrow} {state:>digits$} {dot}  ");
        let row = |each: &Move| Row { lines: lines(&each.label, &automaton.atoms), target: target(state, each.target) };
        let rows = match moves.is_empty() {
            true => vec![Row { lines: vec!["(no moves)".to_owned()], target: String::new() }],
            false => moves.iter().map(row).collect(),
        };
        Block { head, rows }
    }

    fn draw(&self, width: usize) -> String {
        let margin = " ".repeat(columns(&self.head));
        let lines = self.rows.iter().flat_map(|row| row.draw(width));
        let with_head = |(at, line): (usize, String)| format!("{}{line}", if at == 0 { &self.head } else { &margin });
        lines.enumerate().map(|each| with_head(each).trim_end().to_owned() + "\n").collect()
    }
}

impl Row {
    /// Lines beyond the column do not widen it: a single cube can be of any length.
    fn width(&self) -> usize {
        self.lines.iter().map(|line| columns(line)).filter(|&width| width <= LABEL_WIDTH).max().unwrap_or(0)
    }

    fn draw(&self, width: usize) -> impl Iterator<Item = String> {
        let gap = move |line: &str| " ".repeat(width.saturating_sub(columns(line)) + 2);
        self.lines.iter().enumerate().map(move |(at, line)| match at {
            0 => format!("{line}{}{}", gap(line), self.target),
            _ => line.clone(),
        })
    }
}

fn target(from: State, to: State) -> String {
    if from == to { "↺".to_owned() } else { format!("→ {to}") }
}

fn lines(label: &Label, atoms: &[String]) -> Vec<String> {
    let whole = show(label, atoms);
    if columns(&whole) <= LABEL_WIDTH || label.0.len() < 2 {
        return vec![whole];
    }
    let before = |at: usize| if at == 0 { "   " } else { "|| " };
    alternatives(label, atoms).iter().enumerate().map(|(at, cube)| format!("{}{cube}", before(at))).collect()
}

/// How wide a text is on a screen, near enough.
fn columns(text: &str) -> usize {
    text.chars().count()
}
