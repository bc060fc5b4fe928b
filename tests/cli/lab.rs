//! `swarmgp compare` and `swarmgp bench`.

use crate::{Output, Sandbox, finish};
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Two processes race for a token; one of them may never get it.
const RACE: &str = "byte turn, got;
active [3] proctype racer() { do :: turn = _pid; if :: turn == _pid -> got = _pid; got = 3 :: else fi od }
#define p (got == 0)
";
const FORMULA: &str = "[]<>(got == 0)";

fn sandbox() -> Sandbox {
    Sandbox::with(RACE)
}

fn compare(sandbox: &Sandbox, more: &[&str]) -> Output {
    let mut command = sandbox.command("compare m.pml");
    command.args(["--ltl", FORMULA]).args(more);
    finish(command, "")
}

#[test]
fn figures_are_those_of_single_runs() {
    let sandbox = sandbox();
    let searches = "ndfs,indfs,aco-live,aco-live --scc off,gega,auto,cndfs --threads 2";
    let output = compare(&sandbox, &["--search", searches, "--runs", "4", "--seed", "5", "--json", "-"]);
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    let study: Value = serde_json::from_str(&output.out).expect("one object");
    let searches = study["cases"][0]["searches"].as_array().expect("searches");
    let runs: Vec<usize> = searches.iter().map(|search| search["records"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(runs, [1, 1, 4, 4, 4, 4, 4]);
    for record in searches.iter().flat_map(|search| search["records"].as_array().expect("records")) {
        let args: Vec<&str> = record["args"].as_array().expect("arguments").iter().filter_map(Value::as_str).collect();
        let mut command = sandbox.command("verify");
        command.args(&args).args(["--json", "--no-trail"]);
        let single: Value = serde_json::from_str(&finish(command, "").out).expect("one object");
        let single = &single["results"][0];
        assert_eq!(record["outcome"], single["verdict"], "{record}");
        let by_threads = args.contains(&"cndfs");
        if by_threads {
            continue;
        }
        assert_eq!(record["length"], single["trail"]["length"], "{record}");
        let found = single.get("found_length").unwrap_or(&single["trail"]["length"]);
        assert_eq!(record["found"], *found, "{record}");
        let states = single.get("evaluations").unwrap_or(&single["states_stored"]);
        assert_eq!(record["states"], *states, "{record}");
        // a search that did not need its walks does not mention the seed
        assert!(single["seed"].is_null() || record["seed"] == single["seed"], "{record}");
        assert!(record["cpu_s"].as_f64().is_some_and(|time| time > 0.0));
        assert!(record["peak_bytes"].as_u64().is_some_and(|bytes| bytes > 1 << 20));
    }
    // the seeds are those of several runs of `verify`
    let seeds = |search: &Value| -> Vec<u64> {
        search.as_array().expect("records").iter().filter_map(|record| record["seed"].as_u64()).collect()
    };
    let mut command = sandbox.command("verify m.pml --search gega --runs 4 --seed 5 --json --no-trail");
    command.args(["--ltl", FORMULA]);
    let single: Value = serde_json::from_str(&finish(command, "").out).expect("one object");
    let (mut derived, mut ours) = (seeds(&single["results"][0]["runs"]), seeds(&searches[4]["records"]));
    derived.sort_unstable();
    ours.sort_unstable();
    assert_eq!(derived, ours);
}

#[test]
fn tables_and_files() {
    let sandbox = sandbox();
    let files = ["--csv", "r.csv", "--json", "r.json", "--markdown", "r.md", "--report", "r.html"];
    let searches = ["--search", "ndfs,aco-live,gega", "--runs", "3", "--trace-run"];
    let output = compare(&sandbox, &[&searches[..], &files].concat());
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    assert!(output.out.contains("m.pml, []<>(got == 0): violated"), "{}", output.out);
    assert!(output.out.contains("3 of 3") && output.out.contains("1 of 1"), "{}", output.out);
    assert!(output.out.contains("shortest trail that is known: "), "{}", output.out);
    // three runs are too few for any of the tests
    assert!(output.out.contains("too few runs to tell"), "{}", output.out);
    assert!(!output.out.contains("p = "), "{}", output.out);
    assert!(!output.out.contains('\u{1b}'), "no bold letters where nobody sees them");
    assert_eq!(sandbox.read("r.csv").lines().count(), 1 + 1 + 3 + 3);
    assert!(sandbox.read("r.md").contains("| ndfs "));
    let study: Value = serde_json::from_str(&sandbox.read("r.json")).expect("one object");
    let searches = study["cases"][0]["searches"].as_array().expect("searches");
    for (search, traced) in searches.iter().zip([false, true, true]) {
        assert_eq!(search["traced"]["trace"].is_array(), traced, "{search}");
        assert!(search["records"].as_array().expect("records").iter().all(|run| run.get("trace").is_none()));
    }
    let page = sandbox.read("r.html");
    assert!(page.contains("[]&#60;&#62;(got == 0)"), "what is from the model is escaped");
    assert!(
        !page.contains("http:") && !page.contains("https:") && !page.contains("<script"),
        "the page needs nothing else"
    );
    // instead of the tables
    let output = compare(&sandbox, &["--search", "ndfs,gega", "--runs", "2", "--csv", "-"]);
    assert!(output.out.starts_with("case,search,run,seed,outcome,"), "{}", output.out);
    assert_eq!(output.out.lines().count(), 1 + 1 + 2);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let sandbox = sandbox();
    let refused = |args: &[&str], why: &str| {
        let output = compare(&sandbox, args);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{args:?}: {}", output.err);
        assert!(output.err.contains(why), "{args:?}: {}", output.err);
    };
    refused(&["--search", "ndsf"], "there is no search `ndsf`: did you mean ndfs?");
    refused(&["--search", "ndfs,ndfs"], "ndfs is there twice");
    refused(&["--search", "gega --seed 3"], "--seed is not for a single search");
    refused(&["--search", "bfs"], "--search bfs cannot check");
    refused(&["--search", "ndfs,ndfs --weak-fairness"], "--weak-fairness is not for a single search");
    refused(&["--search", "ndfs --full-trail"], "cannot be used with");
    refused(&["--search", "ndfs", "--csv", "-", "--json", "-"], "--csv - and --json - both want the standard output");
    refused(&["--search", "gega --ants 3"], "unexpected argument '--ants'");
    refused(&["--search", "ndfs --evaluations 3"], "--evaluations is for searches that walk");
    refused(&["--search", "ndfs", "--runs", "0"], "0 is not in 1..");
    refused(&["--search", "ndfs", "--report", "no/such/place.html"], "cannot write no/such/place.html");
    refused(&["--search", "bfs=ndfs"], "`ndfs` cannot be called bfs");
    refused(&["--search", "gega", "--runs", "1000000000"], "1000000000 is not in 1..=100000");
    let many: Vec<String> = (1..=11).map(|number| format!("gega --set length={number}")).collect();
    refused(&["--search", &many.join(","), "--runs", "100000"], "these are 1100000 runs in all");
    let output = sandbox.run("compare - --search bfs");
    assert_eq!(output.code, 2);
    assert!(output.err.contains("compare needs a file"), "{}", output.err);
    sandbox.file("two.pml", format!("{RACE}ltl a {{ []<>p }} ltl b {{ <>p }}"));
    let output = sandbox.run("compare two.pml --search ndfs");
    assert_eq!(output.code, 2);
    assert!(output.err.contains("choose one with --property: safety, ltl:a, ltl:b"), "{}", output.err);
    sandbox.file("bad.pml", "active proctype p() { x = 1 }");
    let output = sandbox.run("compare bad.pml --search bfs");
    assert_eq!(output.code, 2);
    assert!(output.err.contains("bad.pml:1:23"), "{}", output.err);
}

#[test]
fn searches_that_suit_the_property() {
    let sandbox = sandbox();
    let names = |args: &[&str]| -> Vec<String> {
        let mut command = sandbox.command("compare m.pml --runs 1 --time 1m --json -");
        command.args(args);
        let output = finish(command, "");
        let study: Value = serde_json::from_str(&output.out).unwrap_or_else(|_| panic!("{}", output.err));
        let searches = study["cases"][0]["searches"].as_array().expect("searches");
        searches.iter().filter_map(|search| search["search"].as_str().map(String::from)).collect()
    };
    assert_eq!(names(&["--ltl", FORMULA]), ["indfs", "aco-live", "gega"]);
    assert_eq!(names(&["--ltl", "[](got < 3)"]), ["bfs", "best-first", "aco", "gega", "path-ga"]);
    assert_eq!(names(&["--ltl", FORMULA, "--search", "fast=aco-live --set tries=50,ndfs"]), ["fast", "ndfs"]);
}

#[test]
fn a_search_may_have_a_name() {
    let sandbox = sandbox();
    let searches = ["--search", "fast=aco-live --set tries=50,\"a, b\"=gega", "--runs", "2"];
    let files = ["--csv", "r.csv", "--report", "r.html", "--markdown", "r.md"];
    let output = compare(&sandbox, &[&searches[..], &files].concat());
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    assert!(output.out.contains("│ fast ") && output.out.contains("│ a, b "), "{}", output.out);
    let csv = sandbox.read("r.csv");
    assert!(csv.contains(",fast,1,") && csv.contains(",\"a, b\",1,") && csv.contains("--set 'tries=50'"), "{csv}");
    assert!(sandbox.read("r.html").contains("fast") && sandbox.read("r.md").contains("| fast "));
}

#[test]
fn a_limit_costs_one_run() {
    let sandbox = Sandbox::with("int x, y; active proctype p() { do :: x++ :: y++ od }");
    let searches = "bfs --max-states 1000,dfs --max-depth 50";
    let mut command = sandbox.command("compare m.pml --json -");
    command.args(["--search", searches]);
    let output = finish(command, "");
    assert_eq!(output.code, 0, "{}", output.err);
    let study: Value = serde_json::from_str(&output.out).expect("one object");
    for search in study["cases"][0]["searches"].as_array().expect("searches") {
        assert_eq!((&search["hits"], &search["records"][0]["outcome"]), (&Value::from(0), &"inconclusive".into()));
    }
}

const EXPERIMENT: &str = r#"
title = "A race"
runs = 40
results = "out/race.jsonl"
[[case]]
model = "m.pml"
vary = { UNUSED = [1, 2] }
ltl = "[]<>(got == 0)"
[[search]]
use = "gega --set generations=20"
name = "genes"
[[search]]
use = "ndfs"
[[published]]
case = "m UNUSED=1"
search = "genes"
hit_rate = 90
length = 17.5
"#;

fn journal(sandbox: &Sandbox) -> Vec<Value> {
    let text = std::fs::read_to_string(sandbox.dir.join("lab/out/race.jsonl")).unwrap_or_default();
    // the last line may not be whole yet
    let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    lines.map(|line| serde_json::from_str(line).expect("whole lines are objects")).collect()
}

fn runs(lines: &[Value]) -> Vec<String> {
    let key = |run: &Value| format!("{} {} {}", run["case"], run["search"], run["run"]);
    lines.iter().filter_map(|line| line.get("run")).map(key).collect()
}

#[test]
fn an_experiment_that_was_killed_goes_on() {
    let sandbox = sandbox();
    std::fs::create_dir(sandbox.dir.join("lab")).expect("a directory");
    sandbox.file("lab/m.pml", RACE);
    sandbox.file("lab/race.toml", EXPERIMENT);
    let mut child = sandbox.command("bench lab/race.toml --jobs 2").stdout(Stdio::null()).spawn().expect("it starts");
    let started = Instant::now();
    while runs(&journal(&sandbox)).len() < 10 {
        assert!(started.elapsed() < Duration::from_secs(120), "nothing is written");
        std::thread::sleep(Duration::from_millis(1));
    }
    // SIGKILL
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let before = journal(&sandbox);
    assert!(runs(&before).len() < 82, "killed too late");
    let output = sandbox.run("bench lab/race.toml --markdown -");
    assert_eq!(output.code, 0, "{}", output.err);
    let known = runs(&before).len();
    assert!(
        output.err.contains(&format!("{known} runs are in out/race.jsonl, {} are left", 82 - known)),
        "{}",
        output.err
    );
    let after = journal(&sandbox);
    assert_eq!(after[..before.len()], before[..], "what was done stays");
    let mut all = runs(&after);
    assert_eq!(all.len(), 82, "none is done twice, none is missing");
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 82);
    assert!(output.out.contains("published"), "{}", output.out);
    // once more: there is nothing to do
    let output = sandbox.run("bench lab/race.toml --report r.html");
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    assert_eq!(journal(&sandbox), after);
    assert!(sandbox.read("r.html").contains("Cases answered in most of the runs"));
    // a changed model is another one
    let model = sandbox.read("lab/m.pml");
    sandbox.file("lab/m.pml", format!("{model}byte more;"));
    let output = sandbox.run("bench lab/race.toml --no-run --csv -");
    assert_eq!(output.out.lines().count(), 1, "{}", output.out);
    sandbox.file("lab/m.pml", model);
    // a changed experiment does not take old runs for its own
    sandbox
        .file("lab/race.toml", EXPERIMENT.replace("generations=20", "generations=21").replace("runs = 40", "runs = 1"));
    let output = sandbox.run("bench lab/race.toml");
    assert!(output.err.contains("80 runs that are not part of this experiment"), "{}", output.err);
    assert_eq!(runs(&journal(&sandbox)).len(), 84);
}

/// Two counters, whose steps are independent.
const COUNTERS: &str = "byte x, y; active proctype X() { do :: x < N -> x++ :: else -> break od }
active proctype Y() { do :: y < N -> y++ :: else -> break od }";

const ELSEWHERE: &str = r#"
title = "Counters"
models = "the counters of somewhere"
baseline = "all"
runs = 2
results = "out/race.jsonl"
[[case]]
model = "deep/counters.pml"
vary = { N = [5, 9] }
group = "small"
property = "safety"
[[search]]
name = "all"
use = "swarm --threads 1"
[[search]]
name = "fewer"
use = "swarm --threads 2 --reduce=order"
relative_to = "all"
"#;

#[test]
fn models_may_be_elsewhere() {
    let sandbox = Sandbox::empty();
    std::fs::create_dir(sandbox.dir.join("lab")).expect("a directory");
    std::fs::create_dir_all(sandbox.dir.join("over/there/deep")).expect("a directory");
    sandbox.file("over/there/deep/counters.pml", COUNTERS);
    sandbox.file("lab/e.toml", ELSEWHERE);
    let refused = |command: &str, why: &str| {
        let output = sandbox.run(command);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{}", output.err);
        assert!(output.err.contains(why), "{}", output.err);
        assert!(!sandbox.has("lab/out"), "nothing is run");
    };
    let why = "lab/e.toml: its models are not part of swarmgp but from the counters of somewhere: say with --models DIRECTORY";
    refused("bench lab/e.toml", why);
    refused("bench lab/e.toml --no-run", why);
    refused("bench lab/e.toml --models nowhere", "cannot enter nowhere");
    refused("bench lab/e.toml --models lab", "deep/counters.pml");
    sandbox.file("lab/near.toml", ELSEWHERE.replace("models =", "source ="));
    refused("bench lab/near.toml --models over/there", "lab/near.toml: its models are beside it");

    let output = sandbox.run("bench lab/e.toml --models over/there --markdown r.md --json r.json --report r.html");
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    let before = journal(&sandbox);
    assert_eq!(runs(&before).len(), 8);
    // the journal goes on, also for a directory that is named in another way
    let there = sandbox.dir.join("over/there");
    let mut command = sandbox.command("bench lab/e.toml --csv -");
    command.arg(format!("--models={}", there.display()));
    let output = finish(command, "");
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    assert_eq!(journal(&sandbox), before);
    // where models are on this machine stands nowhere
    let texts = [
        sandbox.read("lab/out/race.jsonl"),
        output.out,
        sandbox.read("r.md"),
        sandbox.read("r.json"),
        sandbox.read("r.html"),
    ];
    assert!(texts.iter().all(|text| !text.contains("over/there")), "{texts:?}");
    assert!(texts[0].contains("\"args\":[\"deep/counters.pml\",\"-DN=5\""), "{}", texts[0]);
    assert!(texts[2].contains("bench lab/e.toml --models DIRECTORY --markdown"), "{}", texts[2]);
    assert!(texts[2].contains("Models: the counters of somewhere."), "{}", texts[2]);
    assert!(texts[4].contains("for the directory of the models"));
}

#[test]
fn groups_are_added_up() {
    let sandbox = Sandbox::empty();
    sandbox.file("deep.toml", ELSEWHERE.replace("deep/", ""));
    sandbox.file("counters.pml", COUNTERS);
    let output = sandbox.run("bench deep.toml --models . --markdown r.md --json r.json --report r.html");
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    let study: Value = serde_json::from_str(&sandbox.read("r.json")).expect("one object");
    let group = &study["groups"][0];
    assert_eq!((&group["name"], &group["cases"], &group["counted"]), (&"small".into(), &2.into(), &2.into()));
    // every value of x with every value of y, each process in its loop or at its end
    let states = |case: usize, search: usize| {
        study["cases"][case]["searches"][search]["figures"]["states"]["median"].as_f64().expect("a number")
    };
    let sum = |search: usize| group["searches"][search]["sums"]["states"].as_f64().expect("a number");
    assert_eq!(sum(0), states(0, 0) + states(1, 0));
    assert_eq!(sum(1), states(0, 1) + states(1, 1));
    assert!(sum(1) < sum(0) / 2.0, "{group}");
    let percent = 50.0 * (states(0, 1) / states(0, 0) + states(1, 1) / states(1, 0));
    let shown = group["searches"][1]["percent_of_baseline"].as_f64().expect("a number");
    assert!((shown - percent).abs() < 1e-6, "{shown} {percent}");
    assert!(group["searches"][1]["speed_up"].as_f64().is_some_and(|ratio| ratio > 0.0), "{group}");
    let markdown = sandbox.read("r.md");
    assert!(markdown.contains("## small: 2 of 2 cases") && markdown.contains("| % of all | speed-up |"), "{markdown}");
    assert!(markdown.contains("Sums over the cases that all searches of the group have answered"), "{markdown}");
    let page = sandbox.read("r.html");
    assert!(page.contains("<h2 id=\"groups\">Groups</h2>") && page.contains("<figcaption>Speed-up</figcaption>"));
}

/// A spreadsheet takes what begins with these signs for a formula.
#[test]
fn no_cell_is_a_formula() {
    let sandbox = Sandbox::with("active proctype P() { skip }\n");
    let search = |sign: &str| format!("[[search]]\nname = '{sign}1'\nuse = 'bfs'\n");
    let searches: String = ["=", "+", "-", "@"].map(search).concat();
    let case = "[[case]]\nname = '=HYPERLINK(1)'\nmodel = 'm.pml'\nproperty = 'safety'\n";
    sandbox.file("e.toml", format!("title = 'signs'\n{case}{searches}"));
    let output = sandbox.run("bench e.toml --csv -");
    assert_eq!(output.code, 0, "{}", output.err);
    let cells: Vec<&str> = output.out.lines().skip(1).map(|line| line.split(",1,").next().unwrap_or(line)).collect();
    assert_eq!(cells, ["=", "+", "-", "@"].map(|sign| format!("'=HYPERLINK(1),'{sign}1")), "{}", output.out);
    let output = sandbox.run("compare m.pml --property safety --search @a=bfs --csv -");
    assert!(output.out.contains(",'@a,"), "{}{}", output.out, output.err);
}

#[test]
fn equal_charts_are_shown_once() {
    let sandbox = Sandbox::with(
        "byte x;
        active proctype P() { do :: x++; assert(x < 9) :: x = 0 od }
        active proctype Q() { byte y; do :: y < 20 -> y++ od }",
    );
    let captions = |search: &str| {
        let args = ["compare", "m.pml", "--property", "safety", "--search", search, "--report", "r.html"];
        let mut command = sandbox.command("");
        command.args(args);
        let output = finish(command, "");
        assert_eq!(output.code, 0, "{}", output.err);
        let page = sandbox.read("r.html");
        let captions =
            page.split("<figcaption>Steps").skip(1).map(|rest| rest.split('<').next().unwrap_or(rest).to_string());
        captions.collect::<Vec<_>>()
    };
    let (found, length) = (" of the trail as the search found it", " of the trail after it was made shorter");
    // nothing can be shorter than what is found breadth-first
    assert_eq!(captions("bfs"), [format!("{found}; Steps{length}")]);
    assert_eq!(captions("dfs"), [found, length]);
}

#[test]
fn what_is_wrong_with_an_experiment_is_said() {
    let sandbox = sandbox();
    let refused = |text: String, why: &str| {
        sandbox.file("e.toml", text);
        let output = sandbox.run("bench e.toml");
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{}", output.err);
        assert!(output.err.contains(why), "{}", output.err);
        assert!(!sandbox.has("out/race.jsonl"), "nothing is run");
    };
    refused("title = ".into(), "e.toml: TOML parse error at line 1");
    refused(EXPERIMENT.replace("runs = 40", "rums = 40"), "unknown field `rums`");
    refused(EXPERIMENT.replace("model = \"m.pml\"", "name = \"m\"\nmodel = \"n.pml\""), "n.pml");
    refused(EXPERIMENT.replace("{ UNUSED", "{ \"N M\""), "`N M` cannot be the name of a macro");
    refused(EXPERIMENT.replace("[]<>(got == 0)", "[]<>(gotten == 0)"), "gotten");
    refused(EXPERIMENT.replace("use = \"ndfs\"", "use = \"bfs\""), "--search bfs cannot check");
    sandbox.file("e.toml", EXPERIMENT);
    sandbox.file("precious", "no journal");
    for (file, why) in [("precious", "precious is not a journal"), ("/dev/full", "/dev/full: it is a device")] {
        let output = sandbox.run(&format!("bench e.toml --results {file}"));
        assert_eq!(output.code, 2, "{}", output.err);
        assert!(output.err.contains(why), "{}", output.err);
    }
    assert_eq!(sandbox.read("precious"), "no journal");
    let output = sandbox.run("bench nothing.toml");
    assert_eq!(output.code, 2);
    assert!(output.err.contains("cannot read nothing.toml: no such file"), "{}", output.err);
}

/// A run that nobody waits for any more does not go on.
#[cfg(target_os = "linux")]
#[test]
fn runs_end_with_their_experiment() {
    let sandbox = Sandbox::with("int x, y; active proctype p() { do :: x++ :: y++ od }");
    for signal in ["-INT", "-KILL"] {
        let mut command = sandbox.command("compare m.pml --property safety --memory 4G --search bfs --json -");
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let mut runs = String::new();
        let started = Instant::now();
        while runs.is_empty() && started.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(20));
            let tasks = std::fs::read_dir(format!("/proc/{}/task", child.id())).expect("it runs");
            let of =
                |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            runs = tasks.filter_map(Result::ok).map(of).collect();
        }
        assert!(!runs.is_empty(), "a run has begun");
        std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
        child.wait().expect("it ends");
        std::thread::sleep(Duration::from_millis(500));
        for run in runs.split_whitespace() {
            let state = std::fs::read_to_string(format!("/proc/{run}/stat")).unwrap_or_default();
            assert!(state.is_empty() || state.contains(") Z "), "{signal}: {run} goes on: {state}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_gives_what_is_known() {
    let sandbox = sandbox();
    let mut command = sandbox.command("compare m.pml --runs 10000 --json -");
    command
        .args(["--ltl", FORMULA, "--search", "gega --set generations=2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("it starts");
    std::thread::sleep(Duration::from_secs(2));
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    let done = child.wait_with_output().expect("it ends");
    assert_eq!(done.status.code(), Some(3));
    let study: Value = serde_json::from_slice(&done.stdout).expect("one object");
    let runs = study["cases"][0]["searches"][0]["runs"].as_u64().expect("a number");
    assert!((1..10_000).contains(&runs), "{runs}");
    assert!(String::from_utf8_lossy(&done.stderr).contains("interrupted: these are the runs that were done"));
}
