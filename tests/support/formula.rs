//! Random formulas, and models for them.

use super::generate::generate;
use super::print::print;
use super::profile::{Profile, Weights};
use super::tree::Model;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256StarStar;

/// A model without what makes runs fail: formulas are the point here.
pub fn model(seed: u64) -> Model {
    generate(seed, &Profile { statements: (8, 24), ..harmless() })
}

/// A small model in which much depends on who moves between which steps of whom: short atomic sequences among assignments and conditions, and
/// processes that look at each other.
pub fn entangled(seed: u64) -> Model {
    let plain = harmless();
    let weights = Weights { atomic: 25, guard: 15, step: 15, declare: 6, assign: 30, print: 1, ..plain.weights };
    generate(seed, &Profile { statements: (6, 16), remote: 60, init: 10, weights, ..plain })
}

/// Runs of these models do not fail.
fn harmless() -> Profile {
    let mut profile = Profile { truthful: 100, hidden: 0, stray_index: (0, 0), unset_channel: 0, ..Profile::default() };
    (profile.poll_rendezvous, profile.blocking_d_step, profile.priority, profile.provided) = (0, 0, 0, 0);
    // pan with a claim and spin's simulator have their own idea of these
    (profile.last, profile.weights.timeout) = (0, 0);
    profile
}

/// A formula over the scalar globals that every model has, fully parenthesised.
pub fn formula(seed: u64) -> String {
    let mut random = Xoshiro256StarStar::seed_from_u64(seed ^ 0x5eed);
    let depth = random.random_range(1..5);
    temporal(&mut random, depth)
}

fn temporal(random: &mut Xoshiro256StarStar, depth: u32) -> String {
    if depth == 0 || random.random_ratio(1, 8) {
        let (variable, value) = (random.random_range(0..3), random.random_range(0..3));
        let comparison = ["==", "!=", "<", ">"][random.random_range(0..4)];
        return format!("(v{variable} {comparison} {value})");
    }
    let mut part = || temporal(random, depth - 1);
    let (left, right) = (part(), part());
    match random.random_range(0..12) {
        0..2 => format!("([] {left})"),
        2..4 => format!("(<> {left})"),
        4 => format!("([]<> {left})"),
        5 => format!("(<>[] {left})"),
        6 => format!("(! {left})"),
        7 => format!("({left} U {right})"),
        8 => format!("({left} -> {right})"),
        9 => format!("({left} && {right})"),
        10 => format!("({left} || {right})"),
        _ => format!("({left} V {right})"),
    }
}

/// The model, and what its formula is about: see [`watched`].
pub fn text(model: &Model, formula: &str) -> String {
    format!("{}ltl f {{ {formula} }}\n", watched(model))
}

/// The model beside a process that says that two of its watched variables never have certain values together.
pub fn monitored(model: &Model, seed: u64) -> String {
    let mut random = Xoshiro256StarStar::seed_from_u64(seed ^ 0x3a7c);
    let (first, other) = (random.random_range(0..3), random.random_range(1..3));
    let second = (first + other) % 3;
    let mut value = || random.random_range(0..3);
    let together = format!("v{first} == {} && v{second} == {}", value(), value());
    format!("{}active proctype monitor() {{ assert(!({together})) }}\n", watched(model))
}

/// The model with three watched variables: they follow its first globals, so that a shrunk model still compiles.
pub fn watched(model: &Model) -> String {
    let mut scalars = model.globals.iter().filter(|decl| {
        let kind = decl.before.split_whitespace().last().unwrap_or("");
        decl.after.is_empty() && matches!(kind, "bit" | "bool" | "byte" | "short" | "int")
    });
    let names: Vec<String> = (0..3).map(|_| scalars.next().map_or("0".into(), |decl| decl.name.clone())).collect();
    let defines: String = (0..3).map(|number| format!("#define v{number} {}\n", names[number])).collect();
    // acceptance labels count for SPIN even where a formula is checked
    format!("{}{defines}", print(model).replace("accept_", "label_"))
}
