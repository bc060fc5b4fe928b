//! What is asked for and cannot be done: exit code 2, and what is said.

use super::{HOLDS, Sandbox};

/// The message of a command that must be refused with code 2 and nothing on the standard output.
fn refusal(sandbox: &Sandbox, args: &str) -> String {
    let run = sandbox.run(args);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{args}: {}", run.err);
    run.err
}

#[test]
fn a_typo_is_shown_with_its_place_and_line() {
    let sandbox = Sandbox::with("byte count;\nactive proctype P() {\n    coumt = 1\n}\n");
    for command in ["verify m.pml", "verify m.pml --json=1", "simulate m.pml", "show m.pml --stage model"] {
        let message = refusal(&sandbox, command);
        for expected in ["m.pml:3:5", "coumt = 1", "^^^^^", "count"] {
            assert!(message.contains(expected), "{command}: {message}");
        }
    }
}

#[test]
fn syntax_errors() {
    for (model, place) in [
        ("active proctype P() { x = }\n", "m.pml:1:27"),
        ("active proctype P() {\n  if\n  :: skip\n}\n", "m.pml:4:1"),
        ("#include \"nowhere.h\"\n", "m.pml:1:"),
        ("active proctype P() { c_code { x } }\n", "m.pml:1:23"),
    ] {
        let message = refusal(&Sandbox::with(model), "verify m.pml");
        assert!(message.contains("error") && message.contains(place), "{model}{message}");
    }
}

#[test]
fn what_is_no_model() {
    let sandbox = Sandbox::empty();
    assert!(refusal(&sandbox, "verify missing.pml").contains("cannot read missing.pml"));
    assert!(refusal(&sandbox, "verify .").contains("cannot read ."));
    sandbox.file("empty.pml", "");
    assert!(refusal(&sandbox, "verify empty.pml").contains("error"));
    sandbox.file("junk.pml", (0..4096u32).map(|i| (i * 7919 % 251) as u8).collect::<Vec<u8>>());
    assert!(refusal(&sandbox, "verify junk.pml").contains("error"));
    sandbox.file("nul.pml", b"byte x;\0active proctype P() { skip }");
    assert!(refusal(&sandbox, "verify nul.pml").contains("nul.pml:1:8"));
}

#[test]
fn deep_models_are_checked_or_refused() {
    let nested = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    let sum = |length: usize| vec!["1"; length].join("+");
    for value in [nested(900), nested(2_000), nested(100_000), sum(900), sum(9_000), sum(100_000)] {
        let sandbox = Sandbox::with(&format!("byte x; active proctype P() {{ x = {value} }}\n"));
        let run = sandbox.run("verify m.pml");
        let refused = run.code == 2 && run.err.contains(" too ") && run.err.contains("m.pml:1:");
        assert!(run.code == 0 || (refused && value.len() > 2_000), "{}", run.err);
    }
}

#[test]
fn options_that_do_not_apply() {
    let sandbox = Sandbox::with(HOLDS);
    for args in [
        "verify m.pml --search ants",
        "verify m.pml --memory 512",
        "verify m.pml --memory lots",
        "verify m.pml --time -1",
        "verify m.pml --time 0",
        "verify m.pml --time forever",
        "verify m.pml --max-depth 0",
        "verify m.pml --max-states x",
        "verify m.pml --trail t --no-trail",
        "verify m.pml --quiet --full-trail",
        "verify m.pml --trail-steps",
        "verify m.pml --check-channels-empty --no-end-states",
        "verify m.pml --ltl p --property safety",
        "verify m.pml --continue --threads 2",
        "verify m.pml --search bfs --threads 2",
        "verify m.pml --search aco --threads 2",
        "verify m.pml --search pbfs --max-depth 10",
        "verify m.pml --search pbfs --seed 1",
        "verify m.pml --no-such-option",
        "verify",
        "verify m.pml other.pml",
        "simulate m.pml --interactive --seed 1",
        "show m.pml",
        "show m.pml --stage nonsense",
        "show m.pml --stage model --dot",
        "nonsense",
        "",
    ] {
        assert!(!refusal(&sandbox, args).is_empty());
    }
    let message = refusal(&sandbox, "verify m.pml --search aco --threads 2");
    assert!(message.contains("--threads is for searches by many threads and for --runs"), "{message}");
    assert_eq!(sandbox.run("verify m.pml --search aco --threads 2 --runs 2").code, 3);
    let message = refusal(&sandbox, "verify m.pml --search ants");
    assert!(message.contains("bfs") && message.contains("dfs"), "{message}");
}

#[test]
fn help_and_version_are_no_errors() {
    let sandbox = Sandbox::empty();
    for (args, expected) in [("--help", "verify"), ("--version", "swarmgp"), ("verify --help", "--max-depth")] {
        let run = sandbox.run(args);
        assert!(run.code == 0 && run.out.contains(expected) && run.err.is_empty(), "{args}: {}", run.err);
    }
}

#[test]
fn reduction_that_does_not_apply() {
    let sandbox = Sandbox::with(HOLDS);
    for (args, expected) in [
        (
            "--reduce --search beam",
            "--reduce is for bfs, dfs, ndfs, indfs, scc, aco, aco-live, path-ga, gega, random-walk, pbfs, swarm, cndfs, rdkp and \
             ufscc, not for beam",
        ),
        ("--reduce --search swarm-gp", "not for swarm-gp"),
        (
            "--reduce --proviso queue --search aco",
            "--proviso is for bfs, dfs, ndfs, indfs, scc, pbfs, swarm, cndfs, rdkp and ufscc",
        ),
        ("--reduce=off --proviso queue --search bfs", "--proviso is for --reduce with order"),
        ("--reduce --proviso ws-pr19-safe --search rdkp", "--search rdkp does not have the proviso ws-pr19-safe"),
        ("--reduce --shortest", "--shortest"),
        ("--reduce=dead,most", "`most` is none of dead, merge, order, all and off"),
        ("--reduce=dead,off", "`off` stands alone, not in a list"),
        ("--reduce=all,dead", "`all` stands alone, not in a list"),
        ("--reduce --ranges", "--ranges is about values, and --reduce with dead drops some"),
        ("--reduce=dead --search dfs --ranges", "there is --reduce=merge,order"),
        ("--proviso queue", "--reduce"),
        (
            "--reduce --proviso dfs-pr19-live --search bfs",
            "--search bfs does not have the proviso dfs-pr19-live: it has bottom-safe, queue",
        ),
        ("--reduce=dead --proviso queue --search bfs", "--proviso is for --reduce with order"),
    ] {
        assert!(refusal(&sandbox, &format!("verify m.pml {args}")).contains(expected), "{args}");
    }
}

/// A proviso is for the searches of all properties: before any of them is checked, it is known that one does not have it.
#[test]
fn a_proviso_that_one_of_several_searches_does_not_have() {
    let sandbox = Sandbox::with("byte x; active proctype P() { do :: x = 1 - x od }\nltl p { []<> (x == 1) }\n");
    for (args, expected) in [
        ("--reduce --proviso queue", "--search indfs does not have the proviso queue"),
        (
            "--reduce --search dfs --proviso dfs-pr19-safe",
            "--search indfs does not have the proviso dfs-pr19-safe: it has",
        ),
        ("--reduce --search ufscc --proviso ws-pr19-safe", "the proviso ws-pr19-safe for claims: it has ws-done-live"),
    ] {
        assert!(refusal(&sandbox, &format!("verify m.pml {args}")).contains(expected), "{args}");
    }
    assert_eq!(sandbox.run("verify m.pml --property safety --reduce --proviso queue").code, 0);
}

fn searches(sandbox: &Sandbox) -> serde_json::Value {
    serde_json::from_str(&sandbox.run("searches --json").out).expect("one array")
}

#[test]
fn parameters_have_ranges() {
    let sandbox = Sandbox::with(HOLDS);
    for (args, why) in [
        ("gega --set population=18446744073709551615", "population is a whole number, 1 to 1000000"),
        ("gega --set length=2000000000", "length is a whole number, 1 to 1000000"),
        ("gega --set length=1000000 --set population=51", "population × length is 51000000"),
        ("path-ga --set depth=1000000", "population × depth is 200000000"),
        ("astar --weight NaN", "weight is a number, 0 to 1000000"),
        ("astar --weight inf", "weight is a number, 0 to 1000000"),
        ("astar --weight=-1", "weight is a number, 0 to 1000000"),
        ("beam --set width=0", "width is a whole number, 1 to 100000000"),
        ("gega --runs 1000000000", "is not in 1..=100000"),
        ("bfs --time NaN", "a time is a number of seconds, or has a unit"),
        ("bfs --time 0s", "a time limit is more than nothing"),
    ] {
        let run = sandbox.run(&format!("verify m.pml --property safety --search {args}"));
        assert!(run.code == 2 && run.err.contains(why), "{args}: {}", run.err);
    }
    let run = sandbox.run("searches");
    assert!(run.out.contains("genes of a chromosome, at most (1 to 1000000)"), "{}", run.out);
    let searches = searches(&sandbox);
    for parameter in searches.as_array().expect("searches").iter().flat_map(|search| search["parameters"].as_array()) {
        assert!(parameter.iter().all(|parameter| parameter["range"].is_string()));
    }
}

/// The greatest value of every parameter, and what is far beyond it: nothing panics, nothing is out of memory.
#[test]
fn extremes() {
    let sandbox =
        Sandbox::with("byte x;\nactive proctype P() { do :: x++; assert(x < 5) od }\nltl f { []<>(x == 0) }\n");
    let searches = searches(&sandbox);
    for search in searches.as_array().expect("searches") {
        let property = if search["finds"] == "cycles" { "ltl:f" } else { "safety" };
        for parameter in search["parameters"].as_array().expect("parameters") {
            let (name, range) =
                (parameter["name"].as_str().expect("a name"), parameter["range"].as_str().expect("a range"));
            let Some((least, most)) = range.split_once(" to ") else { continue };
            for value in [least, most, "18446744073709551615", "1e308", "-1", "NaN"] {
                let search = search["name"].as_str().expect("a name");
                let run = sandbox.run(&format!(
                    "verify m.pml --property {property} --search {search} --set {name}={value} --time 1 --quiet --no-trail"
                ));
                assert!(run.code <= 3, "{search} {name}={value}: {}", run.err);
                let in_range = value == least || value == most;
                assert!(in_range || run.code == 2, "{search} {name}={value}: {}", run.code);
            }
        }
    }
}

#[test]
fn times_have_units() {
    let sandbox = Sandbox::with(HOLDS);
    for time in ["5m", "90s", "1h", "1.5h", "500ms", "3"] {
        let run = sandbox.run(&format!("verify m.pml --time {time} --quiet"));
        assert_eq!(run.code, 0, "{time}: {}", run.err);
    }
    let run = sandbox.run("verify m.pml --time 5x");
    assert!(run.code == 2 && run.err.contains("500ms, 90s, 5m, 1.5h"), "{}", run.err);
    let searches = "[[search]]\nuse = \"bfs\"\n[[search]]\nuse = \"dfs\"\ntime = 7\n";
    sandbox.file("e.toml", format!("title = \"t\"\ntime = \"1.5m\"\n[[case]]\nmodel = \"m.pml\"\n{searches}"));
    let run = sandbox.run("bench e.toml --csv -");
    assert!(run.out.contains("--time 1.5m") && run.out.contains("--time 7"), "{}{}", run.out, run.err);
}

#[test]
fn numbers_in_messages_can_be_read() {
    let said = Sandbox::with(HOLDS).run("verify m.pml --search astar --weight 1e308").err;
    assert!(said.contains("weight is a number, 0 to 1000000, not `1e308`"), "{said}");
}

#[test]
fn names_of_properties_that_others_have() {
    let with_block = Sandbox::with(&format!("{HOLDS}ltl liveness {{ <> true }}\n"));
    assert!(with_block.run("verify m.pml --property livenes").err.contains("did you mean `ltl:liveness`?"));
    let without = Sandbox::with(HOLDS);
    for name in ["livenes", "liveness"] {
        let said = without.run(&format!("verify m.pml --property {name}")).err;
        assert!(said.contains("liveness is what an ltl block states"), "{said}");
    }
    assert!(without.run("verify m.pml --property deadlock").err.contains("deadlocks are part of safety"));
}

/// SPIN starts both.
#[test]
fn a_second_init_is_a_process_with_a_warning() {
    let run =
        Sandbox::with("byte x;\ninit { x = 1; assert(_nr_pr == 2 || x == 2) }\ninit { x = 2 }\n").run("verify m.pml");
    assert!(
        run.err.contains("warning: another `init`: each of them is a process of its own, as in SPIN"),
        "{}",
        run.err
    );
    assert!(run.err.contains("m.pml:3:1"), "{}", run.err);
}
