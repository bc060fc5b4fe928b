//! The automaton of a claim as a picture: states in layers by their distance from the initial one, edges with their
//! conditions. Accepting states have two circles; the letter of a component's class stands below its states.

use super::Property;
use crate::program::Program;
use crate::program::code::Action;
use crate::report::chart::tip;
use crate::report::figures::cut;
use crate::report::rows::statement;
use crate::source::Sources;
use askama::Template;
use ltl::format::label;

#[derive(Template)]
#[template(path = "automaton.svg")]
pub struct Picture {
    pub width: i64,
    /// Where the picture begins.
    pub top: i64,
    pub height: i64,
    pub states: Vec<State>,
    pub edges: Vec<Edge>,
    pub initial: u32,
}

pub struct State {
    pub id: u32,
    pub x: i64,
    pub y: i64,
    pub accepting: bool,
    /// N, P or F.
    pub class: &'static str,
    pub says: &'static str,
}

pub struct Edge {
    pub from: u32,
    pub to: u32,
    pub path: String,
    pub tip: String,
    pub x: i64,
    pub y: i64,
    /// The conditions, cut where they are long.
    pub lines: Vec<String>,
    pub title: String,
}

const RADIUS: f64 = 18.0;
const LINE: i64 = 13;
const LONGEST_CONDITION: usize = 34;

/// Draws the part of the claim that can be reached.
pub fn draw(program: &Program, sources: &Sources, property: &Property) -> Picture {
    let moves = moves(program, sources, property);
    let layers = layers(property.claim.initial(), &moves);
    let gap = (70 + longest(&moves, |from, to| from != to)).clamp(130, 310);
    // the text of a loop stands above the middle of its state
    let side = 12 + longest(&moves, |from, to| from == to) / 2;
    let left = side.max(70);
    let tallest = layers.iter().map(Vec::len).max().unwrap_or(1) as i64;
    let most = moves.iter().filter(|(from, to, _)| from == to).map(|(.., lines)| lines.len()).max().unwrap_or(0) as i64;
    let top = 62 + LINE * most;
    let row = 110 + LINE * most;
    let mut states = Vec::new();
    for (layer, members) in layers.iter().enumerate() {
        let indent = (tallest - members.len() as i64) * row / 2;
        for (i, &id) in members.iter().enumerate() {
            let class = property.claim.class(id);
            states.push(State {
                id,
                x: left + layer as i64 * gap,
                y: top + indent + i as i64 * row,
                accepting: property.claim.is_accepting(id),
                class: class.name(),
                says: says(class),
            });
        }
    }
    let width = left + (layers.len() as i64 - 1) * gap + side.max(60);
    let edges: Vec<Edge> = moves.iter().filter_map(|each| edge(each, &states, &moves)).collect();
    let highest = edges.iter().map(|edge| edge.y - 2 * LINE).chain([top - 50]).min().unwrap_or(0);
    let lowest = edges.iter().map(|edge| edge.y + LINE * edge.lines.len() as i64);
    let lowest = lowest.chain(states.iter().map(|state| state.y + 46)).max().unwrap_or(0);
    Picture { width, top: highest, height: lowest - highest, states, edges, initial: property.claim.initial() }
}

fn says(class: ltl::scc::Class) -> &'static str {
    match class {
        ltl::scc::Class::N => "no cycle here is accepting",
        ltl::scc::Class::P => "some cycles here are accepting",
        ltl::scc::Class::F => "every cycle here is accepting",
    }
}

/// From, to, and the conditions: any of them will do.
type Moves = Vec<(u32, u32, Vec<String>)>;

fn moves(program: &Program, sources: &Sources, property: &Property) -> Moves {
    let mut all: Moves = Vec::new();
    let mut add = |from: u32, to: u32, text: String| match all.iter_mut().find(|(f, t, _)| (*f, *t) == (from, to)) {
        Some((.., texts)) => texts.push(text),
        None => all.push((from, to, vec![text])),
    };
    match &property.automaton {
        Some(automaton) => {
            for (from, each) in automaton.moves() {
                add(from as u32, each.target as u32, label::show(&each.label, &automaton.atoms));
            }
        }
        None => {
            let never = property.claim.proctype().map(|number| program.automaton(number));
            for number in never.into_iter().flat_map(|never| never.range()) {
                let transition = &program.transitions[number];
                if !matches!(transition.action, Action::End) {
                    add(transition.from, transition.to, statement(program, sources, number as u32));
                }
            }
        }
    }
    all
}

/// How wide the longest condition is on the moves that are meant.
fn longest(moves: &Moves, meant: impl Fn(u32, u32) -> bool) -> i64 {
    let lines = moves.iter().filter(|(from, to, _)| meant(*from, *to)).flat_map(|(.., lines)| lines);
    lines.map(|line| line.chars().count().min(LONGEST_CONDITION) as i64 * 7).max().unwrap_or(0)
}

/// The states that can be reached, by their distance from the initial one.
fn layers(initial: u32, moves: &Moves) -> Vec<Vec<u32>> {
    let mut known = vec![initial];
    let mut layers = vec![vec![initial]];
    loop {
        let mut next = Vec::new();
        for &state in &layers[layers.len() - 1] {
            for &(_, to, _) in moves.iter().filter(|&&(from, ..)| from == state) {
                if !known.contains(&to) {
                    known.push(to);
                    next.push(to);
                }
            }
        }
        if next.is_empty() {
            return layers;
        }
        layers.push(next);
    }
}

fn edge((from, to, texts): &(u32, u32, Vec<String>), states: &[State], moves: &Moves) -> Option<Edge> {
    let find = |id: u32| states.iter().find(|state| state.id == id);
    let (a, b) = (find(*from)?, find(*to)?);
    let lines: Vec<String> = texts.iter().map(|text| cut(text, LONGEST_CONDITION)).collect();
    let Curve { path, tip, x, y, below } = if from == to {
        loop_at(a)
    } else {
        let reverse = moves.iter().any(|(f, t, _)| (f, t) == (to, from));
        let hidden = states.iter().any(|state| is_between(state, a, b));
        curve(a, b, reverse, hidden)
    };
    let y = if below { y + 14 } else { y - 7 - LINE * (lines.len() as i64 - 1) };
    let title = format!("{from} → {to}: {}", texts.join(" or "));
    Some(Edge { from: *from, to: *to, path, tip, x, y, lines, title })
}

/// The line of an edge, and where there is room for its text: below this point, or above it.
struct Curve {
    path: String,
    tip: String,
    x: i64,
    y: i64,
    below: bool,
}

fn loop_at(state: &State) -> Curve {
    let (x, y) = (state.x, state.y - RADIUS as i64 + 3);
    let path = format!("M{} {y}C{} {} {} {} {} {y}", x - 11, x - 23, y - 34, x + 23, y - 34, x + 11);
    Curve { path, tip: tip(x as f64 + 11.0, y as f64, 1.9), x, y: y - 28, below: false }
}

/// A line between two states: bent if there is another one the other way (`reverse`), more if a state would be `hidden`.
fn curve(a: &State, b: &State, reverse: bool, hidden: bool) -> Curve {
    let (ax, ay, bx, by) = (a.x as f64, a.y as f64, b.x as f64, b.y as f64);
    let length = (bx - ax).hypot(by - ay).max(1.0);
    let (ux, uy) = ((bx - ax) / length, (by - ay) / length);
    let bend = match (reverse, hidden) {
        (_, true) => 46.0 + length / 12.0,
        // past the loop of the state below
        (_, false) if a.x == b.x => 34.0,
        (true, false) => 24.0,
        (false, false) => 0.0,
    };
    // the middle of the curve is half way to its control point
    let middle = |bend: f64| ((ax + bx) / 2.0 - uy * bend, (ay + by) / 2.0 + ux * bend);
    let ((cx, cy), (x, y)) = (middle(2.0 * bend), middle(bend));
    let towards = |x: f64, y: f64| {
        let length = (cx - x).hypot(cy - y).max(1.0);
        (x + (cx - x) / length * (RADIUS + 3.0), y + (cy - y) / length * (RADIUS + 3.0))
    };
    let ((sx, sy), (ex, ey)) = (towards(ax, ay), towards(bx, by));
    Curve {
        path: format!("M{sx:.1} {sy:.1}Q{cx:.1} {cy:.1} {ex:.1} {ey:.1}"),
        tip: tip(ex, ey, (ey - cy).atan2(ex - cx)),
        x: x as i64,
        y: y as i64,
        below: bend > 0.0 && ux >= 0.0,
    }
}

/// A straight line from `a` to `b` would touch the state.
fn is_between(state: &State, a: &State, b: &State) -> bool {
    if state.id == a.id || state.id == b.id {
        return false;
    }
    let (dx, dy) = ((b.x - a.x) as f64, (b.y - a.y) as f64);
    let (px, py) = ((state.x - a.x) as f64, (state.y - a.y) as f64);
    let along = (px * dx + py * dy) / (dx * dx + dy * dy);
    (0.0..=1.0).contains(&along) && (px - along * dx).hypot(py - along * dy) < RADIUS + 8.0
}
