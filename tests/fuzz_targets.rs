//! The fuzz targets over some inputs, so that they keep working where nobody fuzzes.
//!
//! Every model, cut off and with pieces of others; formulas, automata, claims and trails. What fuzzing has found is here.

#[path = "../fuzz/src/lib.rs"]
mod fuzz;

use std::fs;
use std::path::Path;

fn models() -> Vec<String> {
    let folders = ["models", "models/language"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder of models"));
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("a text")).collect()
}

/// The text up to each of some places.
fn beginnings(text: &str, step: usize) -> impl Iterator<Item = &str> {
    (0..text.len()).step_by(step).filter_map(|end| text.get(..end))
}

#[test]
fn models_whole_and_cut_off() {
    let models = models();
    assert!(models.len() > 50, "the models are not found");
    for text in &models {
        fuzz::model::run(text);
        beginnings(text, 1 + text.len() / 5).for_each(fuzz::model::run);
    }
    fuzz::model::run("byte x; active proctype P() { x++ } ltl broken { [] <f (x == 0) } ltl whole { <> (x == 1) }");
}

#[test]
fn formulas() {
    let texts =
        ["[](p -> <>q)", "p U q U r", "!X(a && \"b > 1\") || <>[]c", "a <-> b -> c", "p W (q V r)", "GF a & FG !a"];
    for text in texts {
        fuzz::formula::run(text);
        beginnings(text, 1).for_each(fuzz::formula::run);
    }
}

#[test]
fn automata() {
    let text = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"p\" \"q > 1\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\n\
                State: 0 {0}\n[0&!1] 1\n[t] 0\nState: 1\n[1 | 0] 0 {0}\n--END--\n";
    fuzz::hoa::run(text);
    assert!(ltl::format::hoa::read(text).is_ok(), "the example is refused");
    beginnings(text, 1).for_each(fuzz::hoa::run);
}

#[test]
fn claims() {
    let text = "never { /* !p */\nT0_init: do :: (p && !(x > 1)) -> goto accept_S :: (1) -> goto T0_init od;\n\
                accept_S: if :: atomic { !p -> assert(!!p) } fi; accept_all: skip }";
    fuzz::never::run(text);
    let simple = "never { S: do :: true :: p -> goto accept_T od; accept_T: do :: p || !q od }";
    fuzz::never::run(simple);
    assert!(ltl::format::never::read(simple).is_ok(), "the example is refused");
    // a state without a label behind one that accepts everything
    fuzz::never::run("never { S_1: do :: (!q && r) -> p od; accept_all: skip }");
    [text, simple].into_iter().for_each(|text| beginnings(text, 1).for_each(fuzz::never::run));
}

#[test]
fn trails() {
    let text = "-4:-4:-4\n1:0:6\n2:0:7\n-1:-1:-1\n3:1:0\n4:0:9\n# swarmgp property safety\n# swarmgp model 1f\n";
    fuzz::trail::run(text);
    fuzz::trail::run("-2:1:-2\n1:0:5\n2:1:6\n3:2:1\n");
    beginnings(text, 1).for_each(fuzz::trail::run);
    fuzz::trail::run("1:0:8\n# swarmgp property saf\t\tety\n# swarmgp model 1f\n");
}
