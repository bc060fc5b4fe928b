//! Directed searches and walks on all models: what they say is true, and the same every time.

#[allow(dead_code)]
mod support {
    pub mod command;
}

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::command::{Limits, Workshop, installed, run};

const SPIN: Limits = Limits { seconds: 60, megabytes: 2000 };
const WALKS: [&str; 4] = ["aco", "path-ga", "gega", "random-walk"];

/// Every model, at its default size.
fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut all = Vec::new();
    for directory in [root.clone(), root.join("language")] {
        for entry in std::fs::read_dir(&directory).expect("models are here").flatten() {
            if entry.path().extension().is_some_and(|extension| extension == "pml") {
                all.push(entry.path());
            }
        }
    }
    all.sort();
    assert!(all.len() > 50, "only {} models", all.len());
    all
}

/// The result of the only property, or the whole object.
fn only_result(mut document: Value) -> Value {
    match document.get_mut("results").and_then(|all| all.as_array_mut()).map(Vec::as_mut_slice) {
        Some([only]) => only.take(),
        _ => document,
    }
}

/// The JSON of a run, without what is different each time.
fn verify(model: &Path, args: &[&str]) -> (i32, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_swarmgp"));
    command.arg("verify").arg(model).args(["--json", "--no-trail"]).args(args);
    let output = command.output().expect("swarmgp runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let document: Value = serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{model:?} {args:?}: {}", String::from_utf8_lossy(&output.stderr)));
    let mut answer = only_result(document);
    if let Some(fields) = answer.as_object_mut() {
        fields.remove("time_s");
    }
    (output.status.code().unwrap_or(-1), answer)
}

#[test]
fn shortest_trails_of_a_star_and_breadth_first_search_are_equal() {
    let mut compared = 0;
    for model in models() {
        let (_, by_bfs) = verify(&model, &["--property", "safety", "--search", "bfs", "--max-states", "300000"]);
        let (_, by_a_star) = verify(&model, &["--property", "safety", "--search", "astar", "--max-states", "300000"]);
        assert_eq!(by_bfs["verdict"], by_a_star["verdict"], "{model:?}");
        assert_eq!(by_bfs["trail"]["length"], by_a_star["trail"]["length"], "{model:?}");
        let violated = by_bfs["verdict"] == "violated";
        compared += violated as usize;
        let deepening = ["--property", "safety", "--search", "ida-star", "--max-states", "100000"];
        if let (1, by_ida_star) = verify(&model, &deepening) {
            assert_eq!(by_bfs["trail"]["length"], by_ida_star["trail"]["length"], "{model:?}");
        }
        let (_, best_first) =
            verify(&model, &["--property", "safety", "--search", "best-first", "--max-states", "300000"]);
        assert_eq!(by_bfs["verdict"], best_first["verdict"], "{model:?}");
    }
    assert!(compared >= 15, "only {compared} models are violated");
}

/// Searches that see everything, or would if a limit did not end them.
const EXHAUSTIVE: [&str; 5] = ["auto", "dfs", "astar", "best-first", "ida-star"];

#[test]
fn exhaustive_searches_agree_and_repeat_themselves() {
    for model in models() {
        let (truth, _) = verify(&model, &["--property", "safety", "--max-states", "300000"]);
        for search in EXHAUSTIVE {
            let mut args = vec!["--property", "safety", "--search", search];
            match search {
                // many threads may not find the same twice, but these models are not large enough for them
                "auto" => args.extend(["--threads", "2"]),
                "ida-star" => args.extend(["--max-states", "20000"]),
                _ => args.extend(["--max-states", "300000"]),
            }
            let (code, answer) = verify(&model, &args);
            assert!(code == truth || search == "ida-star" && code == 3, "{model:?} {search}: {code}, not {truth}");
            assert_eq!(verify(&model, &args).1, answer, "{model:?} {search}: not the same twice");
        }
    }
}

#[test]
fn walks_help_where_there_is_too_much_to_search() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    for (model, define, property, found_by) in [
        ("phi", "-DN=30", "ltl:fed", &["aco-live", "gega"][..]),
        ("dining-once", "-DN=16", "safety", &["aco", "gega", "path-ga"]),
        ("marriage", "-DN=8", "safety", &["aco", "gega", "path-ga"]),
    ] {
        let args = [define, "--property", property, "--threads", "2"];
        let (code, answer) = verify(&root.join(format!("{model}.pml")), &args);
        assert_eq!(code, 1, "{model}: {answer}");
        let search = answer["search"].as_str().expect("a search");
        assert!(found_by.contains(&search), "{model} by {search}");
        assert_eq!(verify(&root.join(format!("{model}.pml")), &args).1, answer, "{model}: not the same twice");
    }
    // neither the one nor the others: nothing is known
    let correct = ["-DN=6", "--property", "safety", "--memory", "16M"];
    let (code, answer) = verify(&root.join("leader.pml"), &correct);
    assert_eq!((code, answer["verdict"].as_str()), (3, Some("inconclusive")));
    assert!(answer["reason"].as_str().is_some_and(|reason| reason.contains("memory limit")), "{answer}");
    // those beside the search by one thread and those beside that by many, together
    let large = ["-DN=6", "--property", "safety", "--threads", "2", "--memory", "300M", "--evaluations", "5000"];
    let (code, answer) = verify(&root.join("leader.pml"), &large);
    assert_eq!((code, answer["search"].as_str()), (3, Some("pbfs-reduced")), "{answer}");
    assert!(answer["walked"].as_u64().is_some_and(|walked| (1..=5_000).contains(&walked)), "{answer}");
}

/// Searches by many threads, with what they are to check in a model that is too large for their limits.
const PARALLEL: [(&str, &[&str]); 5] = [
    ("pbfs", &["--property", "safety"]),
    ("swarm", &["--property", "safety"]),
    ("swarm-gp", &["--property", "safety"]),
    ("cndfs", &["--property", "ltl:elected"]),
    ("cndfs-gp", &["--property", "ltl:elected"]),
];

#[test]
fn limits_end_searches_by_many_threads() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/leader.pml");
    for (search, property) in PARALLEL {
        for threads in ["1", "2", "4", "8"] {
            for (limit, value, reason) in [("--memory", "16M", "memory limit"), ("--max-states", "3000", "3000 states")]
            {
                let own = ["-DN=6", "--search", search, "--threads", threads, limit, value];
                let (code, answer) = verify(&model, &[&own[..], property].concat());
                assert_eq!(code, 3, "{search} {threads} {limit}: {answer}");
                assert!(
                    answer["reason"].as_str().is_some_and(|why| why.contains(reason)),
                    "{search} {threads}: {answer}"
                );
                assert_eq!(answer["complete"], false, "{search} {threads}: {answer}");
            }
        }
    }
}

/// The second search of one thread comes to states that another thread is at work with, and to those behind them that nobody has seen: it
/// must not take them for searched. The long d_steps let the threads meet where it matters, in most orders of the successors.
#[test]
fn a_second_search_goes_where_nobody_has_been() {
    let model = "byte at; short order = ORDER; int pause;
active proctype walker() {
  do
  :: d_step { at == 0 -> at = 1 }  :: d_step { at == 0 -> at = 6 }  :: d_step { at == 0 -> at = 8 }
  :: d_step { at == 1 -> at = 2 }  :: d_step { at == 1 -> at = 3 }  :: d_step { at == 1 -> at = 5 }
  :: d_step { at == 2 -> at = 1 }  :: d_step { at == 3 -> at = 4 }
  :: d_step { at == 4 -> do :: pause < LONG -> pause++ :: else -> break od; pause = 0; at = 11 }
  :: d_step { at == 6 -> do :: pause < LONG / 20 -> pause++ :: else -> break od; pause = 0; at = 7 }
  :: d_step { at == 7 -> at = 2 }
  :: d_step { at == 8 -> at = 9 }  :: d_step { at == 9 -> at = 10 }
  :: d_step { at == 10 -> at = 5 } :: d_step { at == 5 -> at = 8 }
  od
}
never {
T0: if :: at != 9 && at != 6 && at != 3 -> goto T0 :: at == 9 || at == 6 -> goto accept_A :: at == 3 -> goto T1 fi;
accept_A: if :: at != 9 && at != 6 && at != 3 -> goto T0 :: at == 9 || at == 6 -> goto accept_A :: at == 3 -> goto T1 fi;
T1: do :: true -> skip od
}
";
    let workshop = Workshop::new();
    let file = workshop.path.join("meet.pml");
    std::fs::write(&file, model).expect("a model");
    for order in 0..12 {
        for search in ["cndfs", "cndfs-gp"] {
            let order = format!("-DORDER={order}");
            let args = [&order, "-DLONG=3000000", "--property", "never", "--search", search, "--threads", "2"];
            let (code, answer) = verify(&file, &args);
            assert_eq!(code, 1, "{search} {order}: {answer}");
        }
    }
}

/// What a claim may see differs once the run has ended, also for those who breed states.
#[test]
fn breeding_knows_when_a_run_has_ended() {
    let model = "byte x;
active proctype p() { x = 1; x = 2; end: x == 9 }
never {
T0: if :: x != 2 -> goto T0 :: x == 2 -> goto TA fi;
TA: if :: true -> goto TB fi;
TB: if :: np_ -> goto done :: !np_ -> goto T2 fi;
T2: do :: true -> skip od;
done: skip
}
";
    let workshop = Workshop::new();
    let file = workshop.path.join("ended.pml");
    std::fs::write(&file, model).expect("a model");
    for threads in ["1", "2", "4"] {
        let args = ["--property", "never", "--search", "cndfs-gp", "--threads", threads];
        let (code, answer) = verify(&file, &args);
        assert_eq!(code, 0, "{threads}: {answer}");
    }
}

#[test]
fn what_ends_a_search_is_its_reason() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/two-phase-commit.pml");
    for (property, search) in [("safety", "dfs"), ("ltl:decided", "ndfs")] {
        let own = ["-DN=6", "--property", property, "--search", search, "--max-depth", "60"];
        let (code, answer) = verify(&model, &[&own[..], &["--max-states", "20000"]].concat());
        assert_eq!((code, answer["reason"].as_str()), (3, Some("the limit of 20000 states was reached")), "{answer}");
        let (code, answer) =
            verify(&model, &["-DN=2", "--property", property, "--search", search, "--max-depth", "20"]);
        assert_eq!((code, answer["reason"].as_str()), (3, Some("the depth limit of 20 steps was reached")), "{answer}");
    }
}

/// Who would see millions of states before breeding has to mind the limits meanwhile: the model has far more.
#[test]
fn limits_end_breeding() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/leader.pml");
    for (search, property) in [("swarm-gp", "safety"), ("cndfs-gp", "ltl:elected")] {
        for (limit, value, reason) in [("--time", "1", "time limit"), ("--memory", "64M", "memory limit")] {
            let own = ["-DN=6", "--search", search, "--threads", "2", "--set", "seen=10000000", limit, value];
            let (code, answer) = verify(&model, &[&own[..], &["--property", property]].concat());
            assert_eq!(code, 3, "{search} {limit}: {answer}");
            assert!(answer["reason"].as_str().is_some_and(|why| why.contains(reason)), "{search}: {answer}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_searches_by_many_threads() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/leader.pml");
    let auto = [("auto", PARALLEL[0].1), ("auto", PARALLEL[3].1)];
    for (search, property) in PARALLEL.into_iter().chain(auto) {
        for threads in ["1", "2", "8"] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_swarmgp"));
            command.arg("verify").arg(&model).args(["-DN=6", "--json", "--no-trail", "--search", search]);
            command.args(["--threads", threads, "--memory", "4G", "--time", "60"]).args(property);
            let child = command.stdout(std::process::Stdio::piped()).spawn().expect("swarmgp starts");
            std::thread::sleep(std::time::Duration::from_millis(300));
            let kill = format!("kill -INT {}", child.id());
            Command::new("sh").args(["-c", &kill]).status().expect("a shell");
            let done = child.wait_with_output().expect("swarmgp ends");
            let answer: Value = only_result(serde_json::from_slice(&done.stdout).expect("one object"));
            assert_eq!(done.status.code(), Some(3), "{search} {threads}: {answer}");
            assert_eq!(answer["reason"], "the search was interrupted", "{search} {threads}: {answer}");
        }
    }
}

/// Sixty processes with some steps that are nobody else's business: far too many states, and few for a search that knows that.
#[test]
fn many_threads_find_a_way_out_where_the_state_space_explodes() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/crowd.pml");
    for (threads, search) in [("1", "bfs-reduced"), ("2", "pbfs-reduced"), ("4", "pbfs-reduced")] {
        let (code, answer) = verify(&model, &["-DN=60", "--property", "safety", "--threads", threads]);
        assert_eq!((code, answer["search"].as_str()), (0, Some(search)), "{threads}: {answer}");
    }
    // a search by its name asks a reduced one when it has stored a million states
    for search in [&["bfs"][..], &["pbfs", "--threads", "2"]] {
        let (code, answer) = verify(&model, &[&["-DN=60", "--property", "safety", "--search"], search].concat());
        assert_eq!((code, answer["search"].as_str()), (0, Some("bfs-reduced")), "{search:?}: {answer}");
    }
}

#[test]
fn many_threads_find_a_violation_as_near_as_any() {
    let mut violated = 0;
    for model in models() {
        let args = ["--property", "safety", "--max-states", "300000", "--search"];
        let (code, by_one) = verify(&model, &[&args[..], &["bfs"]].concat());
        if code != 1 || std::fs::read_to_string(&model).is_ok_and(|text| text.contains("hidden ")) {
            continue;
        }
        violated += 1;
        for threads in ["1", "2", "4"] {
            let (code, by_many) = verify(&model, &[&args[..], &["pbfs", "--threads", threads]].concat());
            assert_eq!((code, &by_many["depth"]), (1, &by_one["depth"]), "{model:?} {threads}");
        }
    }
    assert!(violated >= 15, "only {violated} models are violated");
}

#[test]
fn different_errors_have_different_trails() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/dining-choice.pml");
    let model = model.to_str().expect("a name");
    let workshop = Workshop::new();
    let args = ["verify", model, "-DN=6", "--property", "safety", "--search", "path-ga", "--errors", "2", "--json"];
    let output = run(&workshop.path, env!("CARGO_BIN_EXE_swarmgp"), &args, SPIN).both();
    let answer = only_result(serde_json::from_str(&output).expect("one object"));
    assert_eq!(answer["errors"].as_array().map(Vec::len), Some(2), "{output}");
    let trails = ["dining-choice.pml.trail", "dining-choice.pml2.trail"];
    let ends = trails.map(|trail| {
        let replayed =
            run(&workshop.path, env!("CARGO_BIN_EXE_swarmgp"), &["replay", model, trail, "-DN=6"], SPIN).both();
        let (_, end) = replayed.split_once("invalid end state").unwrap_or_else(|| panic!("{trail}: {replayed}"));
        end.to_string()
    });
    assert_ne!(ends[0], ends[1], "the same deadlock twice");
}

#[test]
fn equal_assertions_at_two_places_are_two_errors() {
    let workshop = Workshop::new();
    let source = "int x;\nactive proctype p() {\n  x = 1;\n  if\n  :: assert(x != 1)\n  :: x = 1; assert(x != 1)\n  \
                  :: assert(x != 2)\n  fi\n}\n";
    std::fs::write(workshop.path.join("twice.pml"), source).expect("a model");
    let args = ["verify", "twice.pml", "--property", "safety", "--search", "path-ga", "--json"];
    for (wanted, found) in [("1", 1), ("2", 2), ("3", 2)] {
        let args = [&args[..], &["--errors", wanted]].concat();
        let output = run(&workshop.path, env!("CARGO_BIN_EXE_swarmgp"), &args, SPIN).both();
        let answer = only_result(serde_json::from_str(&output).expect("one object"));
        assert_eq!(answer["errors"].as_array().map(Vec::len), Some(found), "{output}");
    }
}

#[test]
fn trails_are_made_shorter() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    // the shortest trails that are known, in steps
    for (model, define, property, search, shortest) in [
        ("giop", "-DN=2", "ltl:answered", "indfs", 85),
        ("giop", "-DN=2", "ltl:answered", "aco-live", 85),
        ("phi", "-DN=5", "ltl:fed", "ndfs", 23),
        ("elev", "-DN=5", "ltl:served", "scc", 23),
        ("dekker", "-DX", "ltl:served", "random-walk", 4),
        ("dining-choice", "-DN=8", "safety", "path-ga", 16),
        ("window", "-DNUMBERS=2", "safety", "dfs", 24),
        ("phi", "-DN=8", "ltl:fed", "auto", 23),
    ] {
        let path = root.join(format!("{model}.pml"));
        let args = [define, "--property", property, "--search", search];
        let (_, short) = verify(&path, &args);
        let (_, raw) = verify(&path, &[&args[..], &["--shorten", "off"]].concat());
        let length = short["trail"]["length"].as_u64().expect("a trail");
        assert_eq!(short["found_length"], raw["trail"]["length"], "{model} {search}");
        assert!(length < raw["trail"]["length"].as_u64().expect("a trail"), "{model} {search}: {length}");
        assert!(length * 10 <= shortest * 12, "{model} {search}: {length} steps");
    }
}

#[test]
fn what_walks_say_is_true_and_repeatable() {
    let mut found = 0;
    for model in models() {
        let (truth, _) = verify(&model, &["--property", "safety", "--max-states", "300000"]);
        for search in WALKS.into_iter().chain(["beam"]) {
            let budget: &[&str] =
                if search == "beam" { &["--max-states", "20000"] } else { &["--evaluations", "20000"] };
            let args = [&["--property", "safety", "--search", search], budget].concat();
            let (code, answer) = verify(&model, &args);
            match code {
                0 => assert!(search == "beam" && answer["complete"] == true && truth == 0, "{model:?} {search}"),
                1 => assert_eq!(truth, 1, "{model:?} {search}"),
                _ => assert_eq!(code, 3, "{model:?} {search}"),
            }
            found += (code == 1) as usize;
            assert_eq!(verify(&model, &args).1, answer, "{model:?} {search}: not the same twice");
        }
    }
    assert!(found > 60, "only {found} violations were found");
}

/// The formulas of models, with what is true of them.
const FORMULAS: [(&str, &str, &str, bool); 10] = [
    ("alter", "", "both_ways", false),
    ("phi", "-DN=20", "fed", false),
    ("elev", "-DN=10", "served", false),
    ("giop", "-DN=2", "answered", false),
    ("procedure", "", "started", false),
    ("dekker", "", "served", false),
    ("peterson", "", "served", true),
    ("peterson", "", "exclusive", true),
    ("elev", "-DROUND=1", "served", true),
    ("leader", "", "elected", true),
];

#[test]
fn cycles_by_walks() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    for (model, define, formula, holds) in FORMULAS {
        let path = root.join(format!("{model}.pml"));
        for search in ["aco-live", "gega", "random-walk"] {
            let property = format!("ltl:{formula}");
            let mut args = vec!["--property", &property, "--search", search, "--evaluations", "200000"];
            if !define.is_empty() {
                args.push(define);
            }
            let (code, answer) = verify(&path, &args);
            assert!(code == 3 || code == 1 && !holds, "{model} {formula} {search}: {answer}");
            assert!(search != "aco-live" || holds || code == 1, "{model} {formula}: the ants found nothing");
            assert_eq!(verify(&path, &args).1, answer, "{model} {search}: not the same twice");
        }
    }
}

#[test]
fn several_runs_are_single_runs() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/dining-philosophers.pml");
    let args = ["--property", "safety", "--search", "gega", "--seed", "7"];
    let (_, all) = verify(&model, &[&args[..], &["--runs", "3"]].concat());
    let runs = all["runs"].as_array().expect("three runs");
    assert_eq!(runs.len(), 3);
    for run in runs {
        let seed = run["seed"].as_u64().expect("a seed").to_string();
        let (_, one) = verify(&model, &["--property", "safety", "--search", "gega", "--seed", &seed]);
        assert_eq!(one["trail"]["length"], run["length"]);
        assert_eq!(one["evaluations"], run["evaluations"]);
    }
}

/// The same without what depends on the number of threads: time, and memory, of which each needs some.
fn regardless_of_threads(mut answer: Value) -> Value {
    let strip = |value: &mut Value| {
        if let Some(fields) = value.as_object_mut() {
            fields.retain(|key, _| key != "time_s" && key != "memory_bytes");
        }
    };
    answer.get_mut("runs").and_then(Value::as_array_mut).into_iter().flatten().for_each(strip);
    strip(&mut answer);
    answer
}

/// What walks are told, and the exit code.
const BY_GENERATIONS: [(&str, &[&str], i32); 10] = [
    ("dining-once", &["-DN=8", "--property", "safety", "--search", "gega"], 1),
    (
        "dining-once",
        &["-DN=12", "--property", "safety", "--search", "gega", "--memory-operator", "--set", "generations=100"],
        1,
    ),
    ("phi", &["-DN=20", "--property", "ltl:fed", "--search", "gega", "--trace-run"], 1),
    ("elev", &["-DN=10", "--property", "ltl:served", "--search", "gega", "--seed", "3"], 1),
    ("peterson", &["--property", "ltl:served", "--search", "gega"], 3),
    ("dining-choice", &["-DN=6", "--property", "safety", "--search", "path-ga", "--seed", "5"], 1),
    ("dining-choice", &["-DN=6", "--property", "safety", "--search", "path-ga", "--errors", "2"], 1),
    ("leader", &["--property", "safety", "--search", "path-ga", "--set", "generations=5", "--trace-run"], 3),
    ("leader", &["--property", "safety", "--search", "path-ga", "--evaluations", "12345"], 3),
    ("leader", &["--property", "ltl:elected", "--search", "gega", "--evaluations", "5432"], 3),
];

#[test]
fn the_number_of_threads_makes_no_difference_to_a_generation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    for (model, args, expected) in BY_GENERATIONS {
        let model = root.join(format!("{model}.pml"));
        let by = |threads: &str| {
            let (code, answer) = verify(&model, &[args, &["--threads", threads]].concat());
            (code, regardless_of_threads(answer))
        };
        let (code, alone) = by("1");
        assert_eq!(code, expected, "{model:?} {args:?}: {alone}");
        for threads in ["2", "4", "56"] {
            assert_eq!(by(threads), (code, alone.clone()), "{model:?} {args:?} by {threads}");
        }
        if let Some(place) = args.iter().position(|&arg| arg == "--evaluations") {
            assert_eq!(alone["evaluations"].to_string(), args[place + 1], "{alone}");
        }
    }
}

#[test]
fn the_number_of_threads_makes_no_difference_to_several_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    for (model, runs, args) in [
        ("dining-philosophers", 7, &["--property", "safety", "--search", "gega"][..]),
        ("dining-once", 5, &["-DN=8", "--property", "safety", "--search", "aco", "--seed", "9"]),
        ("phi", 3, &["-DN=12", "--property", "ltl:fed", "--search", "aco-live"]),
        ("leader", 4, &["--property", "safety", "--search", "random-walk", "--evaluations", "3000"]),
    ] {
        let (model, number) = (root.join(format!("{model}.pml")), runs.to_string());
        let by = |threads: &str| {
            let args = [args, &["--runs", &number, "--threads", threads]].concat();
            regardless_of_threads(verify(&model, &args).1)
        };
        let alone = by("1");
        assert_eq!(alone["runs"].as_array().map(Vec::len), Some(runs), "{alone}");
        for threads in ["2", "4", "16"] {
            assert_eq!(by(threads), alone, "{model:?} {args:?} by {threads}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_several_runs() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/leader.pml");
    for (search, threads) in [("random-walk", "1"), ("random-walk", "2"), ("gega", "3")] {
        // a busy machine may not have ended a run after a second
        let runs = [1, 5, 25].into_iter().map(|seconds| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_swarmgp"));
            command.arg("verify").arg(&model).args(["--property", "safety", "--json", "--no-trail"]);
            command.args(["--search", search, "--runs", "100000", "--threads", threads]);
            let child = command.stdout(std::process::Stdio::piped()).spawn().expect("swarmgp starts");
            std::thread::sleep(std::time::Duration::from_secs(seconds));
            let kill = format!("kill -INT {}", child.id());
            Command::new("sh").args(["-c", &kill]).status().expect("a shell");
            let done = child.wait_with_output().expect("swarmgp ends");
            assert_eq!(done.status.code(), Some(3), "{search} {threads}");
            let answer: Value = only_result(serde_json::from_slice(&done.stdout).expect("one object"));
            answer["runs"].as_array().map_or(0, Vec::len)
        });
        assert!(runs.into_iter().any(|runs| (1..100_000).contains(&runs)), "{search} {threads}");
    }
}

#[test]
fn spin_replays_what_walks_find() {
    if !installed("spin") {
        println!("The trails of walks are not replayed by SPIN, which is not installed.");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    for (model, define, property, search) in [
        ("phi", "-DN=12", "ltl:fed", "aco-live"),
        ("giop", "-DN=2", "ltl:answered", "aco-live"),
        ("elev", "-DN=6", "ltl:served", "gega"),
        ("dining-once", "-DN=8", "safety", "gega"),
        ("dining-choice", "-DN=6", "safety", "path-ga"),
        ("marriage", "-DN=5", "safety", "aco"),
        ("needham-schroeder", "-DFIXED_START=1", "safety", "best-first"),
        ("coherence", "-DFORGETFUL=1", "safety", "beam"),
    ] {
        for shortening in ["on", "off"] {
            let workshop = Workshop::new();
            let path = root.join(format!("{model}.pml"));
            let path = path.to_str().expect("a name");
            let mut args =
                vec!["verify", path, define, "--property", property, "--search", search, "--trail", "t.trail"];
            args.extend(["--shorten", shortening]);
            let ours = run(&workshop.path, env!("CARGO_BIN_EXE_swarmgp"), &args, SPIN).both();
            assert!(ours.contains("violated"), "{model} {search}: {ours}");
            let spin = run(&workshop.path, "spin", &[define, "-p", "-k", "t.trail", path], SPIN).both();
            let failures = ["transition failed", "no matching stmnt", "invalid statement", "stop error", "cannot find"];
            let failure = failures.into_iter().find(|failure| spin.contains(failure));
            assert!(failure.is_none() && spin.contains("trail ends after"), "{model} {search}: {failure:?}");
        }
    }
}

/// How many states of a model are left with a proviso, by one worker.
fn left(model: &str, search: &str, proviso: &str) -> u64 {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(model);
    let options = format!(
        "--property safety --no-assertions --no-end-states --shorten off --search {search} --reduce=order --proviso {proviso}"
    );
    let (code, answer) = verify(&model, &options.split(' ').collect::<Vec<_>>());
    assert_eq!(code, 0, "{model:?}, {options}: {answer}");
    answer["states_stored"].as_u64().expect("a number")
}

/// It returns to the path before it picks other states of a component, and so expands the targets of back edges.
#[test]
fn one_worker_by_shared_components_goes_depth_first() {
    for model in ["token-ring.pml", "window.pml"] {
        let depth_first = left(model, "dfs", "dfs-pr19-live");
        assert_eq!(left(model, "ufscc --threads 1", "ws-done-live"), depth_first, "{model}");
        assert!(
            left(model, "ufscc --threads 1", "ws-pr19-live") > depth_first,
            "{model}: it knows nothing of the path"
        );
    }
}

#[test]
fn a_queue_need_not_expand_before_it_is_empty() {
    let (mut at_the_end, mut at_once) = (0, 0);
    for model in ["token-ring.pml", "window.pml", "alter-chain.pml", "leader.pml"] {
        at_the_end += left(model, "bfs", "bottom-safe");
        at_once += left(model, "bfs", "queue");
    }
    assert!(4 * at_the_end < 3 * at_once, "{at_the_end} states, {at_once} with the proviso for queues");
}
