//! Traces: as many states as steps and one more, each with the values that the steps say.

use super::{Case, steps};
use serde_json::{Value, json};

fn trace(case: &Case) -> Value {
    serde_json::from_str(&case.written("--itf", &[])).expect("JSON")
}

/// The value with a name such as `a[1].b` in an object of variables.
fn named<'v>(variables: &'v Value, name: &str) -> &'v Value {
    if let Some(whole) = variables.get(name) {
        return whole;
    }
    let mut at = variables;
    for part in name.split(['.', '[']) {
        at = match part.strip_suffix(']') {
            Some(index) => &at[index.parse::<usize>().expect("an index")],
            None => &at[part],
        };
    }
    at
}

/// As the steps of a replay write it.
fn spelled(value: &Value) -> Value {
    if let Some(number) = value.as_str().and_then(|name| name.parse::<i64>().ok()) {
        // an mtype without a name
        return json!(number);
    }
    let Some(messages) = value.as_array() else { return value.clone() };
    let field = |field: &Value| field.as_str().map_or_else(|| field.to_string(), str::to_string);
    let message = |message: &Value| {
        let fields = message["#tup"].as_array().expect("a tuple").iter().map(field);
        format!("[{}]", fields.collect::<Vec<_>>().join(","))
    };
    let all: String = messages.iter().map(message).collect();
    json!(if all.is_empty() { "[]".to_string() } else { all })
}

#[test]
fn every_state_has_what_the_step_before_it_changed() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("window.pml", &["-DNUMBERS=2"], &[]),
        ("giop.pml", &[], &["--property", "ltl:answered"]),
        ("elev.pml", &[], &["--property", "ltl:served"]),
        ("needham-schroeder.pml", &[], &["--property", "safety"]),
        ("leader.pml", &[], &["--ltl", "[] (informed < N)"]),
    ];
    for &(model, defines, property) in cases {
        let case = Case::of(model, defines, property);
        let (trace, trail) = (trace(&case), case.trail());
        let states = trace["states"].as_array().expect("states");
        assert_eq!(states.len() as u64, trail["length"].as_u64().expect("a length") + 1, "{model}");
        let start = trail["cycle_start"].as_u64();
        assert_eq!(trace.get("loop").and_then(Value::as_u64), start.map(|first| first - 1), "{model}");
        let variables: Vec<&str> = trace["vars"].as_array().expect("vars").iter().filter_map(Value::as_str).collect();
        for (index, state) in states.iter().enumerate() {
            assert_eq!(state["#meta"]["index"], index, "{model}");
            let mut names: Vec<&str> = state.as_object().expect("a state").keys().map(String::as_str).collect();
            names.retain(|name| *name != "#meta");
            let mut expected = variables.clone();
            expected.sort_unstable();
            assert_eq!(names, expected, "{model}, state {index}");
        }
        let mut changes = 0;
        for (step, state) in steps(&trail).iter().zip(&states[1..]) {
            for (name, value) in step["changes"].as_object().expect("changes") {
                let found = match name.split_once(':') {
                    None => named(state, name),
                    Some((process, local)) => {
                        let pid: usize = process.split(['(', ')']).nth(1).and_then(|n| n.parse().ok()).expect("a pid");
                        let process = &state["processes"][pid];
                        assert_eq!(process["pid"], pid);
                        match process["locals"].get(format!("{local}.messages")) {
                            Some(messages) if value.as_str().is_some_and(|v| v.starts_with('[')) => messages,
                            _ => named(&process["locals"], local),
                        }
                    }
                };
                assert_eq!(&spelled(found), value, "{model}: {name} after {step}");
                changes += 1;
            }
        }
        assert!(changes > 5, "{model}: only {changes} changes");
    }
}

#[test]
fn arrays_records_names_and_channels() {
    let model = "mtype = { red, blue }; typedef T { byte a[2]; mtype m }; T t[2]; chan c = [2] of { mtype, byte };
        chan v = [1] of { int }; chan w; int big = -2147483647;
        active proctype P() { chan own = [1] of { byte }; t[1].a[0] = 3; t[1].m = blue; c!red, 200; w = v; v = w; own!4; assert(false) }";
    let case = Case::with(model, &["--property", "safety"]);
    let trace = trace(&case);
    let last = trace["states"].as_array().and_then(|states| states.last()).expect("states");
    assert_eq!(last["t"], json!([{"a": [0, 0], "m": "0"}, {"a": [3, 0], "m": "blue"}]));
    assert_eq!(last["c"], json!([{"#tup": ["red", 200]}]));
    assert_eq!((&last["w"], &last["v"], &last["v.messages"]), (&json!("v"), &json!("v"), &json!([])));
    assert_eq!(last["big"], -2147483647);
    assert_eq!(last["processes"][0]["locals"]["own.messages"], json!([{"#tup": [4]}]));
    assert_eq!(trace["#meta"]["format"], "ITF");
    assert!(trace.get("loop").is_none());
}
