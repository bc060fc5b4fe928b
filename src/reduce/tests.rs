//! What is left out in small models, and what must not be.

use super::checked::{Bounds, Examiner};
use super::memory::Memory;
use super::*;
use crate::load;
use crate::property::Claim;
use crate::search::catalogue::{Aim, BFS, Job};
use crate::search::{Checks, Config, Enough, Limits, Monitor, Plan, Problem, Report};
use crate::source::Source;
use crate::syntax::preprocess::Options;
use crate::system::{Batch, Interpreter, Outcome, Run, System};

fn program(text: &str) -> Program {
    load::program(Source::new("m.pml", text), &Options::default()).expect("a model").it
}

/// The processes that move in the smallest set of the initial state.
fn movers(text: &str) -> Vec<u32> {
    let program = program(text);
    let reduction = Reduction::new(&program).expect("a model that can be reduced");
    let system = Interpreter::new(&program);
    let mut scratch = system.scratch();
    let state = system.initial(&mut scratch).expect("a state");
    let mut batch = Batch::default();
    system.successors(&state, Run::GoesOn, &mut scratch, &mut batch, |_| {});
    let mut chooser = Chooser::new(&reduction);
    let choice = chooser.choose(&reduction, &state, &batch, 0, &mut system.observer(&mut scratch));
    let kept = (0..batch.entries.len()).filter(|&entry| choice == Choice::All || chooser.keeps(entry));
    let mut pids: Vec<u32> = kept.filter_map(|entry| Some(batch.steps(&batch.entries[entry]).next()?.pid)).collect();
    pids.sort_unstable();
    pids.dedup();
    pids
}

/// States of a breadth-first search, with what is kept of their successors by one that is asked about all of them in this order.
fn kept(program: &Program, reduction: &Reduction, states: &[Vec<u64>], memory: Memory) -> Vec<Vec<bool>> {
    let system = Interpreter::new(program);
    let mut scratch = system.scratch();
    let mut chooser = Chooser::remembering(reduction, memory);
    let mut batch = Batch::default();
    let kept = states.iter().map(|state| {
        batch.clear();
        system.successors(state, Run::GoesOn, &mut scratch, &mut batch, |_| {});
        let choice = chooser.choose(reduction, state, &batch, 0, &mut system.observer(&mut scratch));
        (0..batch.entries.len()).map(|entry| choice == Choice::All || chooser.keeps(entry)).collect()
    });
    kept.collect()
}

fn reachable(program: &Program, most: usize) -> Vec<Vec<u64>> {
    let system = Interpreter::new(program);
    let mut scratch = system.scratch();
    let mut states = vec![system.initial(&mut scratch).expect("a state")];
    let mut seen = std::collections::HashSet::from([states[0].clone()]);
    let mut next = 0;
    while next < states.len() && states.len() < most {
        let mut batch = Batch::default();
        system.successors(&states[next], Run::GoesOn, &mut scratch, &mut batch, |_| {});
        next += 1;
        for entry in batch.entries.iter().filter(|entry| entry.outcome == Outcome::State) {
            if seen.insert(batch.state(entry).to_vec()) {
                states.push(batch.state(entry).to_vec());
            }
        }
    }
    states
}

/// Whatever a worker has seen before, and however little of it it may remember.
#[test]
fn what_is_remembered_does_not_change_what_is_chosen() {
    let arguments = "byte g[4]; chan c = [2] of { byte }; byte last;
        proctype p(byte i) { byte x; do :: x < 3 -> g[i] = x; x++ :: x == 3 -> c!i; break od; last == i; g[(i + 1) % 4] = 0 }
        active proctype reader() { byte y; do :: c?y -> last = y :: g[_pid] == 2 -> y = 0 od }
        init { run p(0); run p(1); run p(2) }";
    let pids =
        "byte g[5]; bit done; active [4] proctype p() { byte x; do :: g[_pid] < 2 -> g[_pid]++ :: done -> break od }
        active proctype q() { g[0] == 2; done = 1; g[1] = 0 }";
    for text in [arguments, pids] {
        let program = program(text);
        let reduction = Reduction::new(&program).expect("a model that can be reduced");
        let mut states = reachable(&program, 2_000);
        let expected = kept(&program, &reduction, &states, Memory::default());
        let reduced = expected.iter().filter(|kept| kept.contains(&false)).count();
        assert!(reduced > 100, "{reduced} of {} states are reduced", states.len());
        let little = |words| Memory { profiles: words, meetings: words, choices: words };
        let few = [
            little(0),
            little(40),
            little(1_000),
            Memory { profiles: 0, ..Memory::default() },
            Memory { meetings: 0, ..Memory::default() },
            Memory { choices: 0, ..Memory::default() },
        ];
        for memory in few {
            assert!(kept(&program, &reduction, &states, memory) == expected, "{memory:?}");
        }
        states.reverse();
        for memory in few.into_iter().chain([Memory::default()]) {
            let mut backwards = kept(&program, &reduction, &states, memory);
            backwards.reverse();
            assert!(backwards == expected, "backwards, {memory:?}");
        }
    }
}

#[test]
fn a_handshake_is_visible_if_what_is_received_is() {
    let text = "byte g; chan c = [0] of { byte };
        active proctype p() { byte x; do :: x = 1 - x od } active proctype q() { c!1 } active proctype r() { c?g }
        ltl f { [] (g == 0) }";
    let program = program(text);
    let claim = Claim::against(&program.formulas[0]).expect("a claim");
    let conditions = claim.conditions().expect("a formula without X");
    let reduction = Reduction::watching(&program, &conditions).expect("a model that can be reduced");
    let bounds = Bounds { states: 10, depth: 10 };
    let mut examiner = Examiner::new(&reduction, &conditions, bounds);
    let initial = examiner.system().initial(&mut examiner.system().scratch()).expect("a state");
    examiner.examine(&initial).expect("the move of p is in every set");
}

/// What a breadth-first search finds with these reductions.
fn search(text: &str, reductions: &str) -> Report {
    let reduce: Reductions = reductions.parse().expect("reductions");
    let program = smaller(&program(text), reduce, Liveness::Strong, &[]);
    let reduction = Reduction::new(&program).ok();
    let problem = Problem::of_safety(Interpreter::new(&program), Checks::default()).with_reduction(reduction);
    let config = Config { enough: Enough::Never, reduce, ..Config::of(&BFS) };
    let plan = Plan { config, ..Plan::usual(&BFS, Aim::Safety(&program)) };
    let monitor = Monitor::new(Limits::default(), Default::default());
    crate::search::run(&problem, &Job { plan: &plan, monitor: &monitor }).expect("a search for safety")
}

fn states(text: &str, reductions: &str) -> u64 {
    let report = search(text, reductions);
    assert!(report.complete);
    report.counts.stored
}

#[test]
fn processes_that_share_nothing_move_one_after_the_other() {
    assert_eq!(movers("active [3] proctype p() { byte x; x = 1 }"), [2]);
    assert_eq!(movers("byte g[3]; active [3] proctype p() { g[_pid] = 1 }"), [2]);
    assert_eq!(movers("byte g; active [2] proctype p() { byte x; x = g }"), [1], "nobody writes it");
}

#[test]
fn what_others_notice_is_not_put_off() {
    assert_eq!(movers("byte g; active [2] proctype p() { g = g + 1 }"), [0, 1]);
    assert_eq!(movers("byte g; active proctype p() { g = 1 } active proctype q() { assert(g == 0) }"), [0, 1]);
    assert_eq!(movers("byte g; active proctype p() { atomic { skip; g++ } } active proctype q() { g++ }"), [0, 1]);
    assert_eq!(movers("active proctype p() { l: skip } active proctype q() { (p@l); skip }"), [0, 1]);
    assert_eq!(movers("byte g[2], i; active [2] proctype p() { g[i]++ }"), [0, 1], "the index may be any");
}

#[test]
fn who_was_written_to_last_does_not_matter_if_all_write_the_same() {
    let text = "byte g = 1; active proctype p() { g == 1 } active proctype q() { g = 1; g = 1 }";
    assert_eq!(movers(text).len(), 1);
    let text = "byte g = 1; active proctype p() { g == 1 } active proctype q() { g = 1; g = 2 }";
    assert_eq!(movers(text).len(), 2);
}

#[test]
fn a_send_and_a_receive_on_the_same_channel_are_independent() {
    let head = "chan c = [2] of { byte }; chan d = [2] of { byte };";
    assert_eq!(
        movers(&format!("{head} active proctype p() {{ c!1; c!2 }} active proctype q() {{ byte x; d!1; c?x }}")),
        [1]
    );
    assert_eq!(movers(&format!("{head} active proctype p() {{ c!1 }} active proctype q() {{ c!2 }}")), [0, 1]);
    assert_eq!(movers(&format!("{head} active proctype p() {{ c!1 }} active proctype q() {{ len(c) == 0 }}")), [0, 1]);
}

#[test]
fn a_receive_waits_for_any_message_before_it_waits_for_the_right_one() {
    let text = "byte g; chan c = [1] of { byte };
        active proctype p() { byte x; c?x; assert(g != 0) } active proctype q() { c!1 } active proctype r() { g = 1 }";
    assert_eq!(movers(text), [1], "whatever contains the move of r contains that of q: the channel is empty");
    assert!(search(text, "order").verdict_is_violated());
}

#[test]
fn what_is_known_not_to_hold_comes_before_what_may_not_hold() {
    let text = "byte g, h; chan c = [1] of { byte };
        active proctype p() provided (h == 1) { c!1; assert(g != 0) }
        active proctype q() { h = 1 } active proctype r() { g = 1 }";
    assert_eq!(movers(text), [1], "whatever contains the move of r contains that of q: there is room in the channel");
    assert!(search(text, "order").verdict_is_violated());
}

#[test]
fn handshakes_are_moves_of_both() {
    let text = "chan c = [0] of { byte };
        active proctype p() { c!1 } active proctype q() { byte x; c?x } active proctype r() { skip }";
    assert_eq!(movers(text), [2]);
    let two = "chan c = [0] of { byte };
        active proctype p() { c!1 } active proctype q() { byte x; c?x } active proctype r() { c!2 }";
    assert_eq!(movers(two), [0, 2], "q takes one message");
}

#[test]
fn who_comes_to_receive_changes_an_atomic_sequence_that_sends() {
    let text = "bool g, d; chan c = [0] of { byte };
        active proctype p() { atomic { g = 1; c!1 } } active proctype r() { assert(!g || d) }
        active proctype q() { byte x; x = 1; atomic { c?x; d = 1 } }";
    assert_eq!(movers(text), [0, 1, 2], "p waits in the middle as long as q does not receive");
    assert!(search(text, "order").verdict_is_violated());
}

#[test]
fn an_escape_does_not_keep_a_process_from_receiving() {
    let text = "chan c = [0] of { byte }; chan d = [1] of { byte };
        active proctype q() { byte x; x = 1; end: c!0; assert(false) } active proctype p() { { c?_; skip } unless d!1 }";
    assert!(search(text, "off").verdict_is_violated());
    assert!(search(text, "order").verdict_is_violated());
}

#[test]
fn first_values_of_locals_are_read_when_a_process_is_created() {
    let text = "byte g; proctype q() { byte x = g; assert(x != 0) } active proctype p() { run q() }
        active proctype r() { g = 1 }";
    assert_eq!(movers(text), [0, 1]);
    assert!(search(text, "order").verdict_is_violated());
}

#[test]
fn processes_come_and_go_in_every_order() {
    // a process number is given out again
    assert_eq!(movers("active proctype p() { run q() } proctype q() { skip } active proctype r() { run q() }"), [0, 1]);
}

#[test]
fn dead_values_are_dropped() {
    let text = "active proctype p() { byte x; if :: x = 1 :: x = 2 :: x = 3 fi; x == x; do :: skip; skip od }";
    assert!(states(text, "dead") < states(text, "off"));
    let counter = "byte n; active proctype p() { do :: n = n + 1 od }";
    assert_eq!((states(counter, "off"), states(counter, "dead")), (256, 1), "only ever written");
    let counters = "bit a[4]; active [2] proctype p() { do :: a[_pid]++ od }";
    assert_eq!(
        (states(counters, "off"), states(counters, "dead")),
        (256 * 256, 1),
        "its index is the index that is written"
    );
    let read = "byte n; active proctype p() { do :: n < 9 -> n = n + 1 :: else -> break od }";
    assert_eq!(states(read, "off"), states(read, "dead"));
}

#[test]
fn a_global_is_dropped_as_a_whole_or_not_at_all() {
    let text = "byte n, m[2]; active proctype p() { do :: n = m[n % 2]; m[0]++ :: n = 7; n = n + 1 od }";
    assert!(states(text, "dead") <= states(text, "off"));
}

#[test]
fn an_element_of_an_array_leaves_the_others_alive() {
    let text = "active proctype p() { byte i; bool a[3]; a[i] = 1; i = 1; a[i] = 1; i = 0; assert(a[i] == 1) }";
    assert!(!search(text, "dead").verdict_is_violated());
}

#[test]
fn an_index_out_of_bounds_fails_whether_the_value_matters_or_not() {
    for text in
        ["byte a[2]; active [3] proctype p() { a[_pid]++ }", "byte a[2]; active [3] proctype p() { a[0] = a[_pid] }"]
    {
        assert!(search(text, "dead").verdict_is_violated(), "{text}");
    }
}

#[test]
fn a_value_that_may_fail_is_not_dropped() {
    let text = "byte n, m; active proctype p() { n = 1; m = 1 / (n - 1) }";
    assert!(search(text, "dead").verdict_is_violated());
}

#[test]
fn private_steps_are_merged() {
    let text = "byte g; active proctype p() { byte x; g = 1; x = 1; x = 2; x = 3; g = x }";
    assert_eq!((states(text, "off"), states(text, "merge")), (7, 4));
    let decision = "byte g; active proctype p() { byte x; g = 1; if :: x == 0 -> x = 5 :: else -> x = 6 fi; g = x }";
    assert!(states(decision, "merge") < states(decision, "off"));
    let endless = "active proctype p() { byte x; do :: x = 1 - x od }";
    assert!(search(endless, "merge").complete, "one state of the loop is left");
}

#[test]
fn an_atomic_sequence_is_merged_as_a_whole_or_not_at_all() {
    let text = "byte g, go; active proctype p() { byte x; go = 1; atomic { x = 1; assert(g == 0) } }
        active proctype q() { go == 1; g = 1 }";
    assert!(search(text, "off").verdict_is_violated());
    assert!(search(text, "merge").verdict_is_violated(), "q moves before the sequence starts");
    let private = "byte g; active proctype p() { byte x; g = 1; atomic { x = 1; x = 2 } x = 3; g = x }";
    assert_eq!((states(private, "off"), states(private, "merge")), (6, 4));
}

#[test]
fn locals_that_others_read_are_not_private() {
    let text =
        "byte go, g; active proctype p() { byte x, y[2]; go = 1; x = 1; x = 2; g = 1; y[0] = 1; y[0] = 2; g = 2 }
        active proctype q() { go == 1;";
    for observed in ["x", "y[0]", "y[go - 1]"] {
        let text = format!("{text} assert(p[0]:{observed} != 1) }}");
        for reductions in ["off", "merge", "dead,merge"] {
            assert!(search(&text, reductions).verdict_is_violated(), "{observed}, {reductions}");
        }
    }
    let read = format!("{text} p[0]:x == 1 }}");
    assert!(states(&read, "merge") < states(&read, "off"), "y is not read by others");
    let formula = program(&format!("{text} skip }} ltl f {{ [] (p[0]:x != 1) }}"));
    let claim = Claim::against(&formula.formulas[0]).expect("a formula");
    let conditions = claim.conditions().expect("conditions");
    let passed = |reductions: &str, conditions: &[Code]| {
        let reduce = reductions.parse().expect("reductions");
        let program = smaller(&formula, reduce, Liveness::Plain, conditions);
        program.transitions.iter().filter(|transition| transition.atomic).count()
    };
    assert!(passed("merge", &conditions) < passed("merge", &[]), "a claim reads x");
}

#[test]
fn a_label_that_others_ask_for_is_not_entered_unnoticed() {
    let text = "byte g; active proctype p() { byte x; g = 3; x = 1; L: g = 2 }
        active proctype q() { assert(g != 3 || p[0]@L) }";
    assert!(search(text, "merge").verdict_is_violated());
}

/// Somebody does something else if the other one is not ready to receive yet.
#[test]
fn becoming_ready_to_receive_is_not_private_where_senders_do_not_wait() {
    let receiver = "chan c = [0] of { byte }; byte g, go; active proctype p() { byte x; go = 1; x = 1; c?x }";
    let impatient = [
        "go == 1; atomic { g = 1; c!1; g = 2 }",
        "go == 1; if :: c!1 :: else -> g = 1; g = 3 fi",
        "go == 1; { g = 1; g = 3 } unless { c!1 }",
        "go == 1; if :: d_step { c!1; g = 2 } :: else -> g = 1; g = 3 fi",
    ];
    for sender in impatient {
        let text =
            format!("{receiver} active proctype q() {{ {sender} }} active proctype r() {{ g == 1; assert(false) }}");
        let found = (search(&text, "off").verdict_is_violated(), search(&text, "merge").verdict_is_violated());
        assert_eq!(found, (true, true), "{sender}");
    }
    let patient = format!("{receiver} active proctype q() {{ go == 1; c!1; g = 2 }}");
    assert!(states(&patient, "merge") < states(&patient, "off"));
}

#[test]
fn a_loop_of_atomic_sequences_does_not_go_on_for_ever() {
    let choices = "byte g; active proctype p() { byte x, y; g = 1;
        do :: atomic { select(x : 1 .. 3); y = x } :: atomic { x = 1 - x; y = x } od }";
    let merged = search(choices, "merge");
    assert!(merged.complete && merged.counts.stored <= states(choices, "off"), "{merged:?}");
    let waits = "byte g; active proctype p() { byte x; g = 1;
        do :: atomic { select(x : 1 .. 3); assert(g < 3); g = 3 - g } od } active proctype q() { g == 2 }";
    assert!(search(waits, "merge").complete);
}

#[test]
fn a_timeout_waits_for_everybody() {
    let text = "byte g; active proctype p() { timeout -> assert(g == 2) } active [2] proctype q() { g++ }";
    assert!(!search(text, "all").verdict_is_violated());
    let text = "byte g; active proctype p() { timeout -> assert(g < 2) } active [2] proctype q() { g++ }";
    assert!(search(text, "all").verdict_is_violated());
}

impl Report {
    fn verdict_is_violated(&self) -> bool {
        matches!(self.verdict, crate::search::Verdict::Violated(_))
    }
}

#[test]
fn what_statements_do_and_mind_must_fit_into_memory() {
    let reduced = |channels: u32| {
        let sends = "c[i]!1; ".repeat(100);
        let text = format!("chan c[{channels}] = [0] of {{ byte }}; active proctype p() {{ byte i; {sends} }}");
        Reduction::new(&program(&text)).map(drop)
    };
    assert_eq!(reduced(1000), Ok(()));
    assert!(reduced(1_000_000).is_err_and(|why| why.contains("too many")));
}

/// Whatever is found out looks at the limits.
#[test]
fn what_is_found_out_is_abandoned_when_a_stop_flag_is_set() {
    let statements = "y = 1 - y; x = y; ".repeat(10_000);
    let program = program(&format!("byte x; active proctype P() {{ byte y; {statements} }}"));
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let cutoff = Cutoff::new(vec![stop], crate::machine::Instant::now(), None, None);
    for reductions in ["dead", "merge"] {
        let wanted = reductions.parse().expect("reductions");
        let smaller = smaller_within(&program, wanted, Liveness::Strong, &[], &mut Effort::within(&cutoff));
        assert_eq!(smaller.err(), Some(Halt::Stop), "{reductions}");
    }
    let reduction = Reduction::watching_within(&program, &[], &mut Effort::within(&cutoff));
    assert_eq!(reduction.err(), Some(Halt::Stop));
}
