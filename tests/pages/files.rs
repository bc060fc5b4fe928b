//! Which files are written where, and what is refused.

use super::Case;

fn case() -> Case {
    Case::with(
        "byte x; active proctype P() { x = 1; assert(x == 2) }\nltl low { [] (x < 1) }\n",
        &["--property", "safety"],
    )
}

#[test]
fn files_beside_the_usual_text() {
    let case = case();
    let usual = case.replay(&[]);
    let both = case.replay(&["--html", "p.html", "--svg", "c.svg", "--mermaid", "d.mmd", "--itf", "t.json"]);
    assert_eq!((both.code, &both.out, &both.err), (usual.code, &usual.out, &usual.err));
    assert!(case.read("p.html").starts_with("<!doctype html>") && case.read("c.svg").starts_with("<svg xmlns="));
    assert!(case.read("d.mmd").starts_with("sequenceDiagram\n") && case.read("t.json").starts_with('{'));
    let json = case.replay(&["--json", "--svg", "again.svg"]);
    assert_eq!(json.out, case.replay(&["--json"]).out);
    assert_eq!(case.read("again.svg"), case.read("c.svg"));
}

/// A page is one file: it asks for nothing else, from nowhere.
#[test]
fn a_page_needs_nothing_else() {
    let page = case().written("--html", &["--property", "ltl:low"]);
    for outside in ["http:", "https:", "src=", "@import", "url(", "fetch(", "XMLHttpRequest", "import("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page.matches("href=").count(), 1, "an empty icon, so that nobody asks for one");
}

#[test]
fn a_dash_is_the_standard_output() {
    let case = case();
    let usual = case.replay(&[]);
    for option in ["--svg", "--mermaid", "--itf", "--html"] {
        let done = case.replay(&[option, "-"]);
        assert_eq!((done.code, done.out), (1, case.written(option, &[])), "{option}");
        assert_eq!(done.err, usual.out, "{option}");
    }
    let two = case.replay(&["--svg", "-", "--itf", "-"]);
    assert!(two.code == 2 && two.err.contains("--svg - and --itf - both want the standard output"), "{}", two.err);
    let json = case.replay(&["--svg", "-", "--json"]);
    assert!(json.code == 2 && json.err.contains("--json and --svg - both"), "{}", json.err);
}

#[test]
fn what_cannot_be_written() {
    let case = case();
    for option in ["--svg", "--mermaid", "--itf", "--html"] {
        let done = case.replay(&[option, "no/such/directory/file"]);
        assert_eq!((done.code, done.out.as_str()), (2, ""));
        assert!(done.err.contains("cannot write no/such/directory/file: no such file or directory"), "{}", done.err);
    }
}

#[test]
fn what_is_replayed_stays() {
    let case = case();
    let model = case.read("m.pml");
    for file in ["m.pml", "./trail"] {
        let done = case.replay(&["--svg", file]);
        assert_eq!(done.code, 2);
        assert!(done.err.contains("would overwrite a file that is read"), "{}", done.err);
    }
    assert_eq!(case.read("m.pml"), model);
}

#[test]
fn properties_that_cannot_be_shown() {
    let case = case();
    let refused = |options: &[&str], why: &str| {
        let done = case.replay(options);
        assert!(done.code == 2 && done.err.contains(why), "{options:?}: {}", done.err);
    };
    refused(&["--html", "p", "--ltl", " "], "the formula of --ltl is empty");
    refused(&["--html", "p", "--ltl", "x } byte y; ltl z { x"], "this `}` closes nothing");
    refused(&["--html", "p", "--ltl", "[] y"], "--ltl:1:4");
    refused(&["--html", "p", "--property", "ltl:lo"], "no ltl block `lo`; did you mean `ltl:low`?");
    refused(&["--html", "p", "--property", "never"], "the model has no never claim");
    refused(&["--html", "p", "--never", "missing"], "cannot read missing");
    case.file("meddling", "never { do :: x = 1 od }");
    refused(&["--html", "p", "--never", "meddling"], "may only look at the state");
}

#[test]
fn a_run_without_a_step_or_without_a_state() {
    let stuck = Case::with("active proctype P() { false }\n", &[]);
    let stillborn = Case::with("byte z; byte x = 1 / z; active proctype P() { skip }\n", &[]);
    for (case, states) in [(stuck, 1), (stillborn, 0)] {
        case.written("--html", &["--ltl", "[] true"]);
        assert!(case.written("--svg", &[]).contains("violated"));
        assert!(case.written("--mermaid", &[]).contains("violated"));
        let trace: serde_json::Value = serde_json::from_str(&case.written("--itf", &[])).expect("JSON");
        assert_eq!(trace["states"].as_array().map(Vec::len), Some(states));
    }
}
