//! The automaton of a claim as a picture: states in layers by their distance from the initial one, edges with their
//! conditions. Accepting states have two circles; the letter of a component's class stands below its states.

use super::Property;
use crate::model::ProctypeKind;
use crate::program::Program;
use crate::program::code::Action;
use crate::report::figures::cut;
use crate::report::rows::statement;
use crate::source::Sources;
use askama::Template;
use ltl::format::label;

#[derive(Template)]
#[template(path = "automaton.svg")]
pub struct Picture {
    pub width: i64,
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
    let longest = moves.iter().filter(|(from, to, _)| from != to).flat_map(|(.., lines)| lines);
    let longest = longest.map(|line| line.chars().count().min(LONGEST_CONDITION)).max().unwrap_or(0);
    let gap = (70 + longest as i64 * 7).clamp(130, 310);
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
                x: 70 + layer as i64 * gap,
                y: top + indent + i as i64 * row,
                accepting: property.claim.is_accepting(id),
                class: class.name(),
                says: says(class),
            });
        }
    }
    let bent = moves.iter().any(|(from, to, _)| from != to && moves.iter().any(|(f, t, _)| (f, t) == (to, from)));
    let foot = if bent || layers.len() > 2 { 80 } else { 46 };
    let width = 70 + (layers.len() as i64 - 1) * gap + 110;
    let height = top + (tallest - 1) * row + foot;
    let edges = moves.iter().filter_map(|each| edge(each, &states, &moves)).collect();
    Picture { width, height, states, edges, initial: property.claim.initial() }
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
            let never = program.automata.iter().rfind(|automaton| automaton.kind == ProctypeKind::Never);
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
    let title = format!("{from} → {to}: {}", texts.join(" or "));
    let (ax, ay, bx, by) = (a.x as f64, a.y as f64, b.x as f64, b.y as f64);
    if from == to {
        let (left, right, y) = (ax - 11.0, ax + 11.0, ay - RADIUS + 3.0);
        let path = format!("M{left} {y}C{} {} {} {} {right} {y}", left - 12.0, y - 34.0, right + 12.0, y - 34.0);
        let y = a.y - 50 - LINE * (lines.len() as i64 - 1);
        return Some(Edge {
            from: *from,
            to: *to,
            path,
            tip: tip(right, ay - RADIUS + 3.0, 1.9),
            x: a.x,
            y,
            lines,
            title,
        });
    }
    let (dx, dy) = (bx - ax, by - ay);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let reverse = moves.iter().any(|(f, t, _)| (f, t) == (to, from));
    let between = states.iter().any(|state| is_between(state, a, b));
    let bend = match (reverse, between) {
        (_, true) => 46.0 + length / 12.0,
        (true, false) => 24.0,
        (false, false) => 0.0,
    };
    let (cx, cy) = ((ax + bx) / 2.0 - uy * bend * 2.0, (ay + by) / 2.0 + ux * bend * 2.0);
    let towards = |x: f64, y: f64| {
        let (dx, dy) = (cx - x, cy - y);
        let length = dx.hypot(dy).max(1.0);
        (x + dx / length * (RADIUS + 3.0), y + dy / length * (RADIUS + 3.0))
    };
    let ((sx, sy), (ex, ey)) = (towards(ax, ay), towards(bx, by));
    let angle = (ey - cy).atan2(ex - cx);
    let (x, y) = ((ax + bx) / 2.0 - uy * bend, (ay + by) / 2.0 + ux * bend);
    let y = if bend > 0.0 && uy.abs() < 0.7 && ux < 0.0 {
        y - 6.0 - (LINE * (lines.len() as i64 - 1)) as f64
    } else if bend > 0.0 {
        y + 14.0
    } else {
        y - 7.0 - (LINE * (lines.len() as i64 - 1)) as f64
    };
    Some(Edge {
        from: *from,
        to: *to,
        path: format!("M{sx:.1} {sy:.1}Q{cx:.1} {cy:.1} {ex:.1} {ey:.1}"),
        tip: tip(ex, ey, angle),
        x: x as i64,
        y: y as i64,
        lines,
        title,
    })
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

fn tip(x: f64, y: f64, angle: f64) -> String {
    let corner = |turn: f64| (x - 8.0 * (angle + turn).cos(), y - 8.0 * (angle + turn).sin());
    let ((ax, ay), (bx, by)) = (corner(0.42), corner(-0.42));
    format!("M{x:.1} {y:.1}L{ax:.1} {ay:.1}L{bx:.1} {by:.1}Z")
}
