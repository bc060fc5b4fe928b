//! The page in a browser: forwards and backwards, by buttons, keys and slider, round and round a cycle.

use super::{Case, browser, steps, text};
use serde_json::Value;
use std::collections::BTreeSet;

/// What one sees of a step, and how to get to another one.
const HANDS: &str = r##"
    const find = (id) => document.getElementById(id);
    const all = (selector) => [...document.querySelectorAll(selector)];
    const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    const click = (id) => find(id).click();
    const look = () => ({
        where: find("where").textContent,
        step: all("#step > :not(.ending)").map((child) => child.textContent),
        ending: all("#step .ending").map((child) => child.textContent),
        changed: all("tr.changed td:first-child").map((cell) => cell.textContent),
        values: Object.fromEntries(all("#variables tr").filter((row) => row.children.length === 2)
            .map((row) => [...row.children].map((cell) => cell.textContent))),
        lines: all(".listing .now").map((line) => 1 + [...line.parentElement.children].indexOf(line)),
        lit: all(".arrow.now").length,
        row: [find("now-row").getAttribute("y"), find("now-row").getAttribute("height")],
        lap: find("lap").textContent,
        state: all(".state.now").map((state) => state.dataset.state),
        claim: find("claim") ? find("claim").textContent : null,
        holds: all(".conditions .holds").map((span) => span.textContent),
    });
"##;

fn visit(case: &Case, options: &[&str], script: &str) -> Option<Value> {
    if !browser::installed() {
        println!("chromium is not installed: no page is opened");
        return None;
    }
    let visit = browser::visit(&case.page(options), &format!("{HANDS}\n{script}"));
    assert_eq!(visit.complaints, [""; 0]);
    Some(visit.reported())
}

/// The variables that a step changes, as the table names them.
fn changed(step: &Value) -> BTreeSet<String> {
    let changes = step["changes"].as_object().expect("changes");
    let own = |name: &String| {
        let name = name.split(':').next_back().unwrap_or(name);
        name.split(['[', '.']).next().unwrap_or(name).to_string()
    };
    changes.keys().map(own).collect()
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().filter_map(Value::as_str).collect()
}

#[test]
fn complaints_are_heard() {
    if !browser::installed() {
        println!("chromium is not installed: no page is opened");
        return;
    }
    let case = Case::of("philosophers.pml", &[], &[]);
    let visit = browser::visit(&case.page(&[]), "report(1); nobody.knows();");
    assert!(visit.complaints.len() == 1 && visit.complaints[0].contains("nobody"), "{:?}", visit.complaints);
}

#[test]
fn every_step_forwards_and_backwards() {
    let case = Case::of("window.pml", &["-DNUMBERS=2"], &[]);
    let script = "const there = [look()], back = [];
        while (!find('forward').disabled) { click('forward'); there.push(look()); }
        for (back.push(look()); !find('back').disabled; back.push(look())) click('back');
        report({ there, back, arrows: all('.arrow').length, stubs: all('.stub').length });";
    let Some(seen) = visit(&case, &[], script) else { return };
    let trail = case.trail();
    let steps = steps(&trail);
    let there = seen["there"].as_array().expect("a list");
    assert_eq!(there.len(), steps.len() + 1);
    assert_eq!(text(&there[0], "where"), format!("start of {}", steps.len()));
    let mut lit = 0;
    for (shown, step) in there[1..].iter().zip(steps) {
        assert_eq!(text(shown, "where"), format!("step {} of {}", step["step"], steps.len()));
        let (pid, line) = (&step["pid"], &step["line"]);
        let parts = strings(&shown["step"]);
        let expected = format!("{}({pid}){}{}:{line}", text(step, "process"), text(step, "text"), text(step, "file"));
        assert_eq!(parts[0], expected);
        let faults = strings(&step["faults"]);
        assert_eq!(&parts[1..], &faults[..]);
        assert_eq!(shown["lines"], serde_json::json!([line]));
        let marked: BTreeSet<String> = strings(&shown["changed"]).into_iter().map(str::to_string).collect();
        assert_eq!(marked, changed(step), "{step}");
        for (name, value) in step["changes"].as_object().expect("changes") {
            let name = name.split(':').next_back().unwrap_or(name);
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            let value = if value == "[]" { "empty".into() } else { value };
            assert_eq!(shown["values"][name], value, "{step}");
        }
        lit += shown["lit"].as_u64().expect("a number");
    }
    let endings: Vec<Vec<&str>> = there.iter().map(|shown| strings(&shown["ending"])).collect();
    let (last, others) = endings.split_last().expect("steps");
    assert!(last.len() == 1 && last[0].starts_with("receiver(1) fails: assertion violated"), "{last:?}");
    assert!(others.iter().all(Vec::is_empty));
    let mut back = seen["back"].as_array().expect("a list").clone();
    back.reverse();
    assert_eq!(&back, there);
    // an arrow is lit twice: where it starts and where it ends
    assert_eq!((lit, &seen["arrows"], &seen["stubs"]), (8, &4.into(), &1.into()));
}

#[test]
fn keys_and_the_slider() {
    let case = Case::of("window.pml", &["-DNUMBERS=2"], &[]);
    let script = "const seen = [];
        for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'Home', 'ArrowLeft', 'ArrowRight', 'x']) {
            press(key); seen.push(look().where);
        }
        find('slider').value = 7; find('slider').dispatchEvent(new Event('input')); seen.push(look().where);
        click('last'); seen.push(look().where); seen.push(find('slider').value);
        click('first'); seen.push(look().where); seen.push(find('back').disabled);
        report(seen);";
    let Some(seen) = visit(&case, &[], script) else { return };
    let step = |number: usize| format!("step {number} of 24");
    let start = || "start of 24".to_string();
    let expected = [step(24), step(23), step(22), step(23), start(), start(), step(1), step(1), step(7), step(24)];
    assert_eq!(seen.as_array().expect("a list")[..10], expected.map(Value::from));
    assert_eq!(seen.as_array().expect("a list")[10..], ["24".into(), start().into(), Value::Bool(true)]);
}

#[test]
fn a_handshake_is_one_step_of_two() {
    let model = "chan c = [0] of { byte }; byte y;
        active proctype P() { c!7 } active proctype Q() { byte x; c?x; y = x; assert(false) }";
    let case = Case::with(model, &["--property", "safety"]);
    let Some(seen) =
        visit(&case, &[], "click('forward'); const one = look(); click('forward'); report([one, look()]);")
    else {
        return;
    };
    assert_eq!((&seen[0]["where"], &seen[0]["lit"]), (&"step 1–2 of 4".into(), &1.into()));
    assert_eq!(seen[0]["step"].as_array().map(Vec::len), Some(2));
    assert_eq!((&seen[0]["values"]["x"], &seen[0]["changed"]), (&"7".into(), &serde_json::json!(["x"])));
    assert_eq!((&seen[1]["where"], &seen[1]["lit"]), (&"step 3 of 4".into(), &0.into()));
}

#[test]
fn a_process_and_its_variables_come_and_go() {
    let model = "proctype Q(byte n) { byte x; x = n }
        init { run Q(3); (_nr_pr == 1); run Q(4); (_nr_pr == 1); assert(false) }";
    let case = Case::with(model, &["--property", "safety"]);
    let script = "const seen = []; while (!find('forward').disabled) { click('forward'); seen.push([look().values, look().step]); }
        report({ seen, lanes: all('.lane').length });";
    let Some(seen) = visit(&case, &[], script) else { return };
    assert_eq!(seen["lanes"], 3);
    let seen = seen["seen"].as_array().expect("a list");
    let n: Vec<Option<&str>> = seen.iter().map(|each| each[0]["n"].as_str()).collect();
    assert_eq!(n, [Some("3"), Some("3"), None, None, Some("4"), Some("4"), None, None, None]);
    let x: Vec<Option<&str>> = seen.iter().map(|each| each[0]["x"].as_str()).collect();
    assert_eq!(x[..6], [Some("0"), Some("3"), None, None, Some("0"), Some("4")]);
    assert!(strings(&seen[0][1]).contains(&"Q(1) starts") && strings(&seen[2][1]).contains(&"Q(1) ends"), "{seen:?}");
}

/// Round and round: forward from the last step is the first step of the cycle, and back again.
#[test]
fn a_cycle_goes_round() {
    let case = Case::of("elev.pml", &[], &["--property", "ltl:served"]);
    let script = "const there = []; press('End'); there.push(look());
        for (let i = 0; i < 60; i++) { press('ArrowRight'); there.push(look()); }
        const back = [look()];
        for (let i = 0; i < 60; i++) { press('ArrowLeft'); back.push(look()); }
        report({ there, back });";
    let Some(seen) = visit(&case, &[], script) else { return };
    let trail = case.trail();
    let start = trail["cycle_start"].as_u64().expect("a cycle");
    let there = seen["there"].as_array().expect("a list");
    let mut back = seen["back"].as_array().expect("a list").clone();
    back.reverse();
    assert_eq!(&back, there);
    let length = trail["length"].as_u64().expect("a length");
    assert_eq!(text(&there[0], "where"), format!("step {length} of {length}"));
    assert_eq!(text(&there[1], "where"), format!("step {start} of {length}"));
    assert_eq!((text(&there[0], "lap"), text(&there[1], "lap")), ("", "round 2 of the cycle"));
    // the state before the cycle and after it is the same
    let round = there[1..].iter().position(|shown| shown["where"] == there[0]["where"]).expect("a round") + 1;
    assert_eq!(there[0]["values"], there[round]["values"]);
    assert_eq!(there[1]["values"], there[round + 1]["values"]);
    assert_eq!(text(&there[round + 1], "lap"), "round 3 of the cycle");
}

/// What the page says about the claim is what the search said: the same conditions in every state, moves that follow
/// on each other, an accepting state in every round.
#[test]
fn the_claim_moves_along() {
    let cases: [(&str, &[&str], &str); 4] = [
        ("alter.pml", &["--ltl", "[](p -> <>q)"], "1"),
        ("alter.pml", &["--property", "ltl:both_ways"], ""),
        ("giop.pml", &["--property", "ltl:answered"], "1"),
        ("elev.pml", &["--property", "ltl:served"], "1"),
    ];
    for (model, property, accepting) in cases {
        let case = Case::of(model, &[], property);
        let script = "const seen = [look()];
            for (let i = 0; i < 200; i++) { press('ArrowRight'); seen.push(look()); }
            report({ seen, accepting: all('.state.accepting').map((state) => state.dataset.state), initial: all('.state').length });";
        let Some(page) = visit(&case, property, script) else { return };
        let accepts = strings(&page["accepting"]);
        assert!(!accepts.is_empty() && (accepting.is_empty() || accepts == [accepting]), "{accepts:?}");
        let seen = page["seen"].as_array().expect("a list");
        let mut expected: Option<String> = Some("0".into());
        for shown in seen {
            let [state] = strings(&shown["state"])[..] else { panic!("{shown}") };
            if let Some(expected) = expected {
                assert_eq!(state, expected, "{model}: {shown}");
            }
            let claim = text(shown, "claim");
            assert!(claim.starts_with(&format!("in state {state}")), "{claim}");
            let next = claim.split("goes on to ").nth(1);
            expected = next.map(|next| next.chars().take_while(char::is_ascii_digit).collect());
        }
        let last_rounds = &seen[100..];
        assert!(last_rounds.iter().any(|shown| accepts.contains(&strings(&shown["state"])[0])), "{model}");
    }
}

#[test]
fn conditions_are_those_of_the_search() {
    let case = Case::of("alter.pml", &[], &["--property", "ltl:delivered"]);
    let mut options = vec!["--property", "ltl:delivered", "--json", "--trail-steps"];
    options.push("--no-trail");
    let verified = case.run("verify", &[], &options);
    let verified: Value = serde_json::from_str(&verified.out).expect("JSON");
    let script =
        "const seen = [look()]; for (let i = 0; i < 4; i++) { click('forward'); seen.push(look()); } report(seen);";
    let Some(seen) = visit(&case, &["--property", "ltl:delivered"], script) else { return };
    let mut compared = 0;
    for (shown, step) in seen.as_array().expect("a list").iter().zip(steps(&verified["results"][0]["trail"])) {
        let Some(claim) = step.get("claim") else { continue };
        let conditions = claim["conditions"].as_object().expect("conditions").iter();
        let holding: BTreeSet<&str> =
            conditions.filter(|(_, holds)| **holds == true).map(|(name, _)| name.as_str()).collect();
        assert_eq!(strings(&shown["holds"]).into_iter().collect::<BTreeSet<_>>(), holding, "{step}");
        compared += 1;
    }
    assert!(compared >= 3, "{compared}");
}

#[test]
fn a_property_that_the_run_does_not_violate() {
    let case = Case::of("alter.pml", &[], &["--property", "ltl:delivered"]);
    let page = case.written("--html", &["--ltl", "<> sent"]);
    assert!(page.contains("This run does not violate the property"));
    assert!(page.contains("class=\"automaton\"") && !page.contains("violated: ltl"));
    let cut = Case::with("byte x; active proctype P() { x = 1; assert(false); x = 2 }", &["--property", "safety"]);
    let page = cut.written("--html", &["--ltl", "<> (x == 2)"]);
    assert!(page.contains("The trail ends before it is decided"));
}

#[test]
fn without_a_property_there_is_no_claim_unless_there_is_only_one() {
    let many = Case::of("alter.pml", &[], &["--property", "ltl:delivered"]);
    let page = many.written("--html", &[]);
    assert!(page.contains("class=\"automaton\"") && page.contains("violated: ltl:delivered"), "the trail knows");
    many.forget_origin();
    assert!(!many.written("--html", &[]).contains("class=\"automaton\""));
    let one = Case::of("elev.pml", &[], &["--property", "ltl:served"]);
    one.forget_origin();
    let page = one.written("--html", &[]);
    assert!(page.contains("class=\"automaton\"") && page.contains("violated: ltl:served"));
}

/// A claim that needs two rounds of the system's cycle for one of its own; a never claim; a bad prefix; a run that ends.
#[test]
fn other_claims() {
    let toggle = "bit b; active proctype P() { do :: b = 1 - b od }";
    // accepting at every fourth state, where the cycle has two
    let never = "never { S0: if :: true -> goto S1 fi; S1: if :: true -> goto S2 fi; S2: if :: true -> goto accept fi;
        accept: if :: true -> goto S0 fi }";
    let bad_prefix = "byte x; active proctype P() { x = 1; x = 2; x = 3 }\nltl low { [] (x < 2) }";
    let ends = "byte x; active proctype P() { x = 1 }\nltl grows { <> (x == 2) }";
    let script = "const seen = [look()]; for (let i = 0; i < 12; i++) { press('ArrowRight'); seen.push(look()); }
        report(seen);";
    let with_claim = format!("{toggle}\n{never}");
    for (model, property, distinct) in
        [(with_claim.as_str(), "never", 4), (bad_prefix, "ltl:low", 1), (ends, "ltl:grows", 1)]
    {
        let case = Case::with(model, &["--property", property]);
        let Some(seen) = visit(&case, &["--property", property], script) else { return };
        let looks = seen.as_array().expect("a list");
        let states: Vec<&str> = looks.iter().flat_map(|shown| strings(&shown["state"])).collect();
        assert_eq!(states.len(), 13, "{model}: {seen}");
        let mut different = states.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), distinct, "{model}: {states:?}");
        let enough: Vec<bool> = looks.iter().map(|shown| text(shown, "claim").contains("whatever follows")).collect();
        let expected: Vec<bool> = (0..13).map(|at| property == "ltl:low" && at >= 2).collect();
        assert_eq!(enough, expected, "{model}");
    }
}
