//! The JSON of `verify` and `replay` has one shape, and it is the documented one.

use super::{ASSERTION, HOLDS, Sandbox};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The keys in the tables of docs/json.md below a line that starts with `title`, up to the next paragraph.
fn documented(title: &str) -> BTreeSet<String> {
    let page = include_str!("../../docs/json.md");
    let lines = page.lines().skip_while(|line| !line.starts_with(title));
    let rows = lines.skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|')).skip(2);
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(String::from).collect::<Vec<_>>();
    rows.flat_map(|row| quoted(row.split('|').nth(1).unwrap_or(""))).collect()
}

fn keys(object: &Value) -> BTreeSet<String> {
    object.as_object().unwrap_or_else(|| panic!("not an object: {object}")).keys().cloned().collect()
}

/// What is documented as always there is always there, and nothing is there that is not documented.
fn check_result(result: &Value) -> BTreeSet<String> {
    let (always, sometimes) = (documented("A result:"), documented("These are there only"));
    let given = keys(result);
    assert!(always.is_subset(&given), "missing: {:?}", always.difference(&given));
    let extra: BTreeSet<String> = given.difference(&always).cloned().collect();
    assert!(extra.is_subset(&sometimes), "undocumented: {:?}", extra.difference(&sometimes));
    extra
}

const CLAIMS: &str = "byte x;
active proctype P() { do :: x < 3 -> x++ :: x > 0 -> x-- od }
ltl up { []<>(x == 3) }
ltl low { [](x <= 5) }
ltl vague { []((x == 9) -> <>(x == 1)) }
";

#[test]
fn every_documented_key_is_printed_and_no_other() {
    let mut seen = BTreeSet::new();
    for (model, args) in [
        (HOLDS, "--peak-memory --ranges --execution-counts"),
        (ASSERTION, "--search path-ga --errors 2 --trail-steps"),
        (ASSERTION, "--search pbfs --threads 2 --unreached"),
        (ASSERTION, "--search swarm-gp --threads 2"),
        (CLAIMS, "--property ltl:up --search aco-live --runs 2"),
        (CLAIMS, "--property ltl:up --search gega --trace-run"),
        (CLAIMS, "--property ltl:vague"),
        (CLAIMS, "--property ltl:up --shortest"),
        (CLAIMS, "--max-states 1 --time 60"),
        (CLAIMS, "--property ltl:up --weak-fairness --reduce"),
    ] {
        let (_, document) = Sandbox::with(model).document(&format!("verify m.pml --json {args}"));
        assert_eq!(keys(&document), documented("## verify"), "{args}");
        let results = document["results"].as_array().expect("results");
        results.iter().for_each(|result| seen.extend(check_result(result)));
    }
    // others beside an exhaustive search start only where there is much to search
    seen.extend(["walked", "dived", "given_up_after", "errors_unlisted"].map(String::from));
    assert_eq!(seen, documented("These are there only"));
}

#[test]
fn trails_and_their_steps() {
    let sandbox = Sandbox::with(ASSERTION);
    let (_, result) = sandbox.json("verify m.pml --json --trail-steps");
    let mut documented = documented("A trail:");
    assert!(documented.remove("initial_truncations"));
    assert_eq!(keys(&result["trail"]), documented);
    let row = include_str!("../../docs/json.md").lines().find(|line| line.starts_with("| `steps`")).expect("a row");
    let in_row: BTreeSet<String> = row.split('`').skip(1).step_by(2).map(String::from).collect();
    for key in keys(&result["trail"]["steps"][0]) {
        assert!(in_row.contains(&key), "{key} is not documented");
    }
}

#[test]
fn one_property_or_several_the_shape_is_the_same() {
    let sandbox = Sandbox::with(CLAIMS);
    let (code, one) = sandbox.document("verify m.pml --property ltl:low --json");
    assert_eq!((code, &one["schema"], &one["verdict"]), (0, &2.into(), &"holds".into()));
    assert_eq!(one["results"].as_array().map(Vec::len), Some(1));
    let (code, all) = sandbox.document("verify m.pml --json");
    assert_eq!((code, &all["model"], &all["verdict"]), (1, &"m.pml".into(), &"violated".into()));
    let properties: Vec<&Value> = all["results"].as_array().expect("results").iter().map(|r| &r["property"]).collect();
    assert_eq!(properties, ["safety", "ltl:up", "ltl:low", "ltl:vague"]);
    assert!(all["results"][3]["warnings"][0].is_string(), "{all}");
    let (code, limited) = sandbox.document("verify m.pml --property safety --max-states 3 --json");
    assert_eq!((code, &limited["verdict"]), (3, &"inconclusive".into()));
}

#[test]
fn a_bad_model_is_a_document_with_diagnostics() {
    let sandbox = Sandbox::with("byte count;\nactive proctype P() {\n    coumt = 1\n}\n");
    for command in ["verify m.pml --json", "replay m.pml --json"] {
        let (code, document) = sandbox.document(command);
        assert_eq!((code, &document["schema"]), (2, &2.into()), "{document}");
        let diagnostic = &document["diagnostics"][0];
        assert_eq!(keys(diagnostic), documented("A diagnostic:"));
        let place = [&diagnostic["severity"], &diagnostic["file"], &diagnostic["line"], &diagnostic["column"]];
        assert_eq!(place, [&json!("error"), &json!("m.pml"), &json!(3), &json!(5)], "{document}");
    }
    let (_, document) = sandbox.document("verify m.pml --json");
    assert_eq!((&document["results"], &document["verdict"]), (&json!([]), &Value::Null));
    let (code, document) = sandbox.document("verify missing.pml --json");
    assert_eq!((code, &document["diagnostics"][0]["file"]), (2, &Value::Null), "{document}");
    let (code, document) = Sandbox::with(HOLDS).document("verify m.pml --property ltl:none --json");
    assert_eq!((code, &document["results"]), (2, &json!([])), "{document}");
    assert!(document["diagnostics"][0]["message"].is_string(), "{document}");
}

#[test]
fn a_diagnostic_names_the_property_that_it_refuses() {
    let sandbox =
        Sandbox::with("byte x; active proctype P() { x = 1 }\nltl bad { [] timeout }\nltl good { [] (x < 2) }\n");
    for command in
        ["verify m.pml --json", "verify m.pml --json --property ltl:bad", "replay m.pml --json --property ltl:bad"]
    {
        let (code, document) = sandbox.document(command);
        assert_eq!((code, &document["diagnostics"][0]["property"]), (2, &json!("ltl:bad")), "{command}: {document}");
    }
}

#[test]
fn a_refused_command_line_is_a_document_with_a_diagnostic() {
    let sandbox = Sandbox::with(HOLDS);
    for (command, said) in [
        ("verify m.pml --json --search nosuch", "invalid value 'nosuch'"),
        ("verify m.pml --json=2 --bogus", "unexpected argument '--bogus'"),
        ("verify m.pml --json -DSAFETY", "-DSAFETY is an option of gcc"),
        ("replay m.pml --json --bogus", "unexpected argument '--bogus'"),
        ("replay m.pml --json -DSAFETY", "-DSAFETY is an option of gcc"),
    ] {
        let (code, document) = sandbox.document(command);
        let diagnostic = &document["diagnostics"][0];
        assert_eq!((code, keys(diagnostic)), (2, documented("A diagnostic:")), "{command}: {document}");
        assert!(diagnostic["message"].as_str().is_some_and(|message| message.starts_with(said)), "{document}");
    }
    let (_, document) = sandbox.document("verify m.pml --json --bogus");
    assert_eq!(keys(&document), documented("## verify"));
    assert_eq!(sandbox.run("verify m.pml --bogus").out, "");
}

#[test]
fn warnings_about_the_model_are_diagnostics() {
    let sandbox = Sandbox::with("byte x; active proctype P() { x = 300 }\n");
    let run = sandbox.run("verify m.pml --json");
    let document: Value = serde_json::from_str(&run.out).expect("one object");
    let warned = run.err.contains("warning");
    let severities: Vec<&Value> =
        document["diagnostics"].as_array().expect("a list").iter().map(|d| &d["severity"]).collect();
    assert_eq!(severities, vec!["warning"; warned as usize], "{}{}", run.out, run.err);
    let sandbox = Sandbox::with(ASSERTION);
    std::fs::create_dir(sandbox.dir.join("m.pml.trail")).expect("a directory where the trail should be");
    let (code, document) = sandbox.document("verify m.pml --json");
    assert_eq!((code, &document["results"][0]["trail"]["file"]), (1, &Value::Null));
    let message = document["diagnostics"][0]["message"].as_str();
    assert!(message.is_some_and(|text| text.starts_with("there is no trail file: ")), "{document}");
}

#[test]
fn unreached_statements_are_part_of_a_complete_result() {
    let model = "byte x;\nactive proctype P() {\n  if\n  :: x == 1 -> x = 2\n  :: else\n  fi\n}\n";
    let (_, result) = Sandbox::with(model).json("verify m.pml --json");
    let missed = json!([{ "file": "m.pml", "line": 4, "text": "x = 2" }]);
    assert_eq!(result["unreached"][0]["statements"], missed, "{result}");
}

#[test]
fn the_first_schema_can_still_be_had() {
    let sandbox = Sandbox::with(ASSERTION);
    let (_, one) = sandbox.document("verify m.pml --json=1");
    assert_eq!((&one["schema"], &one["verdict"]), (&1.into(), &"violated".into()));
    assert!(one.get("results").is_none() && one.get("diagnostics").is_none(), "{one}");
    let (_, replayed) = sandbox.document("replay m.pml --json=1");
    assert_eq!(keys(&replayed), ["schema", "model", "violation", "message", "trail"].map(String::from).into());
    let (_, several) = Sandbox::with(CLAIMS).document("verify m.pml --json=1");
    assert_eq!((&several["schema"], &several["results"][1]["schema"]), (&1.into(), &1.into()));
    let refused = sandbox.run("verify m.pml --json=3");
    assert!(refused.code == 2 && refused.err.contains("[possible values: 1, 2]"), "{}", refused.err);
}
