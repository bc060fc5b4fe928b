//! Limits hold inside one expansion, too: time, memory and Ctrl-C, with every search.

use crate::{Output, Sandbox, finish};
use rustix::process::{Pid, Signal, kill_process};
use std::process::Command;
use std::time::{Duration, Instant};
use swarmgp::search::catalogue::{self, Opt, Search};

/// One expansion takes longer than anyone waits: simple paths through an atomic loop.
const SLOW: &str = "byte a, b, c, n;
active proctype A() { accept_A: atomic { do :: a = (a+1)%4 :: b = (b+1)%4 :: c = (c+1)%4 od } }
active proctype N() { accept_N: do :: n++ :: n = 0 od }
";

/// Far more than it should take, for a machine that is busy.
pub const LATE: Duration = Duration::from_secs(10);

fn searches() -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = catalogue::ALL.into_iter();
    all.map(|search| if search.finds_states() { ("safety", search.name) } else { ("acceptance", search.name) })
}

fn answered_in_time(what: &str, output: &Output, started: Instant) {
    assert!(matches!(output.code, 1 | 3), "{what}: {}\n{}{}", output.code, output.out, output.err);
    assert!(started.elapsed() < LATE, "{what}: {:?}", started.elapsed());
}

#[test]
fn a_slow_expansion_ends_at_the_time_limit() {
    let sandbox = Sandbox::with(SLOW);
    for (property, search) in searches() {
        let started = Instant::now();
        let command = format!("verify m.pml --property {property} --search {search} --time 0.3 --no-trail");
        answered_in_time(search, &sandbox.run(&command), started);
    }
}

/// What reductions have to do in one expansion is no less. (The whole of them leaves nothing of this model.)
#[test]
fn a_slow_expansion_of_a_reduced_search_ends_at_the_time_limit() {
    let sandbox = Sandbox::with(SLOW);
    let reduced: Vec<&str> = catalogue::ALL.iter().filter(|s| s.honours.has(Opt::Reduce)).map(|s| s.name).collect();
    for (property, search) in searches().filter(|(_, search)| reduced.contains(search)) {
        let started = Instant::now();
        let command = format!("verify m.pml --property {property} --search {search} --reduce=merge,order --time 0.3");
        answered_in_time(search, &sandbox.run(&format!("{command} --no-trail")), started);
    }
}

pub fn list(separator: &str, statement: &str, count: usize) -> String {
    vec![statement; count].join(separator)
}

fn escapes(count: usize) -> String {
    let (options, escapes) = (list(" :: ", "x < 200", count), list(" :: ", "x == 7", count));
    format!("active [2] proctype P() {{ do :: {options} od unless {{ if :: {escapes} fi }} }}")
}

/// What is found out about the statements before the search, or in its first step, does not take longer than the search may.
#[test]
fn what_is_found_out_about_statements_is_found_out_in_time() {
    let models = [
        ("wide selections", format!("active [2] proctype P() {{ do :: {} od }}", list(" :: ", "x < 200", 20_000))),
        ("long sequences", format!("active [2] proctype P() {{ atomic {{ {} }} }}", list("; ", "x = 1 - x", 20_000))),
        ("much to merge", format!("active [2] proctype P() {{ byte y; {} }}", list("; ", "y = 1 - y", 20_000))),
        ("many escapes", escapes(500)),
        (
            "many proctypes",
            (0..10_000).map(|n| format!("active proctype p{n}() {{ byte y; y = x; x = y }}\n")).collect(),
        ),
    ];
    for (what, model) in &models {
        let sandbox = Sandbox::with(&format!("byte x;\n{model}\n"));
        for options in ["", "--search dfs", "--search dfs --reduce"] {
            let started = Instant::now();
            let output =
                sandbox.run(&format!("verify m.pml --no-end-states --time 1 --memory 500M --no-trail {options}"));
            assert!(matches!(output.code, 0 | 3), "{what} {options}: {}\n{}{}", output.code, output.out, output.err);
            assert!(started.elapsed() < LATE, "{what} {options}: {:?}", started.elapsed());
        }
    }
}

#[test]
fn a_model_with_too_many_transitions_is_refused() {
    let sandbox = Sandbox::with(&format!("byte x;\n{}\n", escapes(3_000)));
    let started = Instant::now();
    let output = sandbox.run("verify m.pml");
    assert!(output.code == 2 && output.err.contains("has more than 4194304 transitions"), "{}", output.err);
    assert!(started.elapsed() < LATE, "{:?}", started.elapsed());
}

/// The cycle is found, and then one of the expansions that tell the way round is cut off.
#[test]
fn a_cycle_that_cannot_be_told_in_time() {
    let sandbox = Sandbox::with(SLOW);
    let cycles = catalogue::ALL.into_iter().filter(|search| !search.finds_states());
    for (search, time) in cycles.flat_map(|search| ["0.6", "1.2", "2"].map(|time| (search.name, time))) {
        let started = Instant::now();
        let command = format!("verify m.pml --property acceptance --search {search} --time {time} --no-trail");
        answered_in_time(search, &sandbox.run(&command), started);
    }
}

#[test]
fn a_slow_expansion_ends_when_it_is_interrupted() {
    let sandbox = Sandbox::with(SLOW);
    for (property, search) in searches() {
        let mut command = sandbox.command(&format!("verify m.pml --property {property} --search {search} --no-trail"));
        let child = command.spawn().expect("swarmgp starts");
        let pid = Pid::from_raw(child.id() as i32).expect("a process has a number");
        std::thread::sleep(Duration::from_millis(400));
        let started = Instant::now();
        kill_process(pid, Signal::INT).expect("it is still there");
        let done = child.wait_with_output().expect("swarmgp ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        let code = done.status.code().unwrap_or_else(|| panic!("{search}: a signal"));
        answered_in_time(search, &Output { code, out: text(done.stdout), err: text(done.stderr) }, started);
    }
}

#[test]
fn a_long_d_step_ends_at_the_time_limit() {
    let sandbox = Sandbox::with(
        "int i; byte x;
        active proctype A() { do :: d_step { i = 0; do :: i < 40000000 -> i++ :: else -> break od; i = 0; x++ } od }
        active proctype B() { byte y; do :: y++ od }",
    );
    let started = Instant::now();
    let output = sandbox.run("verify m.pml --time 0.5 --no-trail");
    answered_in_time("a long d_step", &output, started);
    assert!(output.out.contains("the time limit of 0.5 s was reached"), "{}", output.out);
}

/// What a d_step does again and again is not all kept until it ends.
#[test]
fn an_endless_d_step_keeps_to_the_memory_limit() {
    let truncates = "int i; byte x; active proctype P() { d_step { do :: i++; x = i od } }";
    let prints = "int i; active proctype P() { d_step { do :: i++; printf(\"%d\\n\", i) od } }";
    let complains = "int i; active proctype P() { d_step { do :: i++; assert(false) od } }";
    for (model, options) in [(truncates, ""), (truncates, "--reduce"), (prints, "--reduce"), (complains, "--continue")]
    {
        let args = format!("verify m.pml --memory 100M --time 1 --no-trail --json --peak-memory {options}");
        let (code, value) = Sandbox::with(model).json(&args);
        assert!(matches!(code, 1 | 3), "{model} {options}: {value}");
        let peak = value["peak_bytes"].as_u64().expect("Linux tells");
        assert!(peak < 150 << 20, "{model} {options}: {} MiB", peak >> 20);
    }
}

/// Only the steps of a trail are executed again, not what other processes could do meanwhile.
#[test]
fn a_trail_is_replayed_in_time_beside_a_slow_statement() {
    let sandbox = Sandbox::with(
        "int i; byte x;
        active proctype P() { d_step { i = 0; do :: i < 5000000 -> i++ :: else -> break od }; x = 1; assert(false) }
        active proctype Q() { byte k; do :: k < 200 -> k++ :: else -> break od }",
    );
    let output = sandbox.run("verify m.pml --search dfs --shorten off --time 5");
    assert_eq!(output.code, 1, "{}{}", output.out, output.err);
    let started = Instant::now();
    assert_eq!(sandbox.run("replay m.pml").code, 1);
    assert!(started.elapsed() < LATE, "{:?}", started.elapsed());
}

/// Under a cap on the address space, as `ulimit -v` sets it.
pub fn capped(sandbox: &Sandbox, args: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -c 0; ulimit -v 2000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_swarmgp")]);
    command.args(args.split_whitespace()).current_dir(&sandbox.dir);
    command.stdin(std::process::Stdio::piped());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    finish(command, "")
}

#[test]
fn one_expansion_keeps_to_the_memory_limit() {
    let models = [
        "byte x; active [9999] proctype p() { x = 1; x = 2; x = 3 }",
        "proctype p() { false } init { atomic { do :: run p() od } }",
        "byte a[1000000]; active [2000] proctype p() { byte b; a[_pid] = 1; b = 1; a[_pid] = 2 }",
        "chan c = [0] of { byte }; active [3000] proctype r() { byte b; c?b; b = 0 } active proctype s() { c!1 }",
    ];
    for model in models {
        let sandbox = Sandbox::with(model);
        for search in ["auto", "dfs", "swarm", "aco"] {
            let args =
                format!("verify m.pml --search {search} --memory 100M --time 20 --no-trail --json --peak-memory");
            let output = capped(&sandbox, &args);
            assert!(matches!(output.code, 1 | 3), "{model}, {search}: {}\n{}{}", output.code, output.out, output.err);
            let value: serde_json::Value = serde_json::from_str(&output.out).expect("one object");
            let result = value.get("results").map_or(&value, |results| &results[0]);
            let peak = result["peak_bytes"].as_u64().expect("Linux tells");
            // a trail that was found in time is put together beyond the limit
            assert!(peak < 150 << 20, "{model}, {search}: {} MiB", peak >> 20);
        }
    }
}

/// The limit is the one that was asked for, and not a sixth more. (ida-star needs no memory to speak of.)
#[test]
fn a_search_overshoots_its_memory_limit_by_a_twentieth_at_most() {
    let sandbox = Sandbox::with(crate::ENDLESS);
    let stores = |search: &&Search| search.proves() && search.finds_states() && search.name != "ida-star";
    for search in catalogue::ALL.into_iter().filter(stores).map(|search| search.name) {
        let (code, value) =
            sandbox.json(&format!("verify m.pml --search {search} --memory 100M --no-trail --json --peak-memory"));
        assert_eq!(code, 3, "{search}: {value}");
        let result = value.get("results").map_or(&value, |results| &results[0]);
        let peak = result["peak_bytes"].as_u64().expect("Linux tells");
        assert!(peak <= 105 << 20, "{search}: {} MiB", peak >> 20);
    }
}

/// The depth-first search beside the exhaustive one expands states, too.
#[test]
fn searches_side_by_side_keep_to_the_memory_limit_in_an_atomic_sequence() {
    let sandbox = Sandbox::with(
        "byte x[60]; active proctype P() { byte i; atomic {
            do :: i < 60 -> if :: x[i] = 0 :: x[i] = 1 :: x[i] = 2 fi; i++ :: else -> break od } }",
    );
    for run in 0..4 {
        let (code, value) = sandbox.json("verify m.pml --threads 2 --memory 100M --no-trail --json --peak-memory");
        assert_eq!(code, 3, "{value}");
        let result = value.get("results").map_or(&value, |results| &results[0]);
        let peak = result["peak_bytes"].as_u64().expect("Linux tells");
        assert!(peak <= 105 << 20, "run {run}: {} MiB", peak >> 20);
    }
}

/// One step of the trail takes about a second: there is no time to look for a shorter one and to replay it.
#[test]
fn shortening_leaves_time_for_the_replay() {
    let sandbox = Sandbox::with(
        "byte y; active proctype P() { int i;
            d_step { do :: i < 16000000 -> i++; y = 1 :: else -> break od }; assert(false) }",
    );
    let (code, value) = sandbox.json("verify m.pml --search dfs --time 15 --no-trail --json");
    assert_eq!(code, 1, "{value}");
}

#[test]
fn a_vector_of_a_million_bytes_is_looked_at_in_time() {
    let sandbox = Sandbox::with(
        "byte a[1000000]; int i;
        active proctype p() { do :: i < 1000000 -> a[i] = 1; i++ :: else -> break od }",
    );
    for search in catalogue::ALL.into_iter().filter(|search| search.finds_states()).map(|search| search.name) {
        let started = Instant::now();
        let output = sandbox.run(&format!("verify m.pml --search {search} --time 0.7 --no-trail"));
        answered_in_time(search, &output, started);
    }
}

/// What statements do to each of them is found out before the search, for reductions.
#[test]
fn a_million_channels_are_looked_at_in_time() {
    let sandbox = Sandbox::with(
        "chan ring[1000000] = [0] of { byte };
        active proctype s() { byte i; atomic { ring[i]!1; ring[i]!2 } }
        active proctype r() { byte b; ring[_pid]?b }",
    );
    for options in ["", "--reduce", "--search dfs"] {
        let started = Instant::now();
        let output = sandbox.run(&format!("verify m.pml --time 1 --memory 200M --no-trail {options}"));
        answered_in_time(options, &output, started);
    }
}

/// What was found is not taken back because it takes long to say what the channels are called.
#[test]
fn many_local_channels_have_their_names_in_time() {
    let sandbox =
        Sandbox::with("active proctype p() { chan c[200000] = [1] of { byte }; c[7]!1; assert(empty(c[7])) }");
    let started = Instant::now();
    let output = sandbox.run("verify m.pml --search dfs --time 5 --memory 1G --no-trail");
    answered_in_time("channels", &output, started);
    assert!(output.code == 1 && output.out.contains("c[7] = [1]"), "{}{}", output.out, output.err);
}
