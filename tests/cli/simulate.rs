//! `swarmgp simulate`: runs by chance, by hand, with input.

use super::{ASSERTION, DEADLOCK, ENDLESS, HOLDS, Sandbox};

#[test]
fn the_same_seed_gives_the_same_run() {
    let sandbox = Sandbox::with(ENDLESS);
    let run = |seed: u32| sandbox.run(&format!("simulate m.pml --steps 50 --seed {seed}"));
    assert_eq!(run(7).out, run(7).out);
    assert_ne!(run(7).out, run(8).out);
    assert!(run(7).out.starts_with("seed 7\n") && run(7).code == 0);
    let unseeded = sandbox.run("simulate m.pml --steps 5").out;
    assert!(unseeded.starts_with("seed ") && unseeded.ends_with("stopped after 5 steps\n"), "{unseeded}");
}

#[test]
fn how_a_run_ends() {
    let last = |model: &str| {
        let run = Sandbox::with(model).run("simulate m.pml");
        (run.code, run.out)
    };
    let (code, out) = last(HOLDS);
    assert!(code == 0 && out.ends_with("ended after 3 steps: all processes are gone\n"), "{out}");
    let (code, out) = last(ASSERTION);
    assert!(code == 1 && out.ends_with("violated: assertion violated (x==1)  (m.pml:6)\n"), "{out}");
    let (code, out) = last(DEADLOCK);
    assert!(code == 1 && out.contains("violated: invalid end state") && out.contains("c!2"), "{out}");
    let (code, out) = last("chan c = [0] of { byte }; active proctype P() { end: c?_ }\n");
    assert!(code == 0 && out.contains("every process may end here"), "{out}");
}

#[test]
fn quiet_shows_only_what_is_printed() {
    let model = "active proctype P() { byte x = 4; printf(\"x is %d\\n\", x); printf(\"no line end\") }\n";
    let run = Sandbox::with(model).run("simulate m.pml --quiet --seed 1");
    assert_eq!(run.out, "x is 4\nno line end");
    assert!(run.err.starts_with("seed 1\n"), "{}", run.err);
}

#[test]
fn of_steps_that_are_skipped_only_what_is_printed_is_shown() {
    let model = "byte x; active proctype P() { x = 1; printf(\"one\\n\"); x = 2; assert(x == 2) }\n";
    let run = Sandbox::with(model).run("simulate m.pml --skip 2");
    let lines: Vec<&str> = run.out.lines().skip(1).collect();
    assert!(lines[0] == "one" && lines[1].starts_with("   3  P(0)") && lines.len() == 5, "{}", run.out);
}

const CHOICE: &str = "byte x; active proctype P() { if :: x = 1 :: x = 2 fi; assert(x == 1) }\n";

#[test]
fn interactively() {
    let sandbox = Sandbox::with(CHOICE);
    let run = sandbox.run_with("simulate m.pml --interactive", "2\n1\n");
    assert!(run.code == 1 && run.out.contains("x = 2"), "{}", run.out);
    let run = sandbox.run_with("simulate m.pml --interactive", "7\nfirst\n\n1\n1\n1\n");
    assert_eq!(run.out.matches("there is no step").count(), 3, "{}", run.out);
    assert!(run.code == 0 && run.out.contains("all processes are gone"), "{}", run.out);
}

#[test]
fn an_interactive_run_can_be_left() {
    let sandbox = Sandbox::with(CHOICE);
    for input in ["q\n", "", "1\nq\n", "1"] {
        let run = sandbox.run_with("simulate m.pml --interactive", input);
        assert!(run.code == 0 && run.out.ends_with("stopped\n") && run.err.is_empty(), "{input:?}: {}", run.out);
    }
}

const READS: &str = "chan STDIN;
byte n;
active proctype P() {
    byte c, d;
    do
    :: STDIN?c -> if :: c == 'x' -> break :: else -> printf(\"%c\", c) fi
    od;
    d_step { STDIN?c; STDIN?d };
    printf(\"%c%c\", d, c)
}
active proctype Q() { do :: n < 20 -> n++ :: else -> break od }
";

#[test]
fn characters_of_the_standard_input() {
    let sandbox = Sandbox::with(READS);
    for seed in 1..5 {
        let run = sandbox.run_with(&format!("simulate m.pml --quiet --seed {seed}"), "abcx12");
        assert_eq!((run.code, run.out.as_str()), (0, "abc21"), "{}", run.err);
    }
    let run = sandbox.run_with("simulate m.pml", "ab");
    assert!(run.code == 1 && run.out.contains("violated: invalid end state"), "the input has ended: {}", run.out);
    let run = sandbox.run("simulate m.pml --interactive");
    assert!(run.code == 2 && run.err.contains("the model reads STDIN"), "{}", run.err);
    let run = sandbox.run("verify m.pml --no-trail");
    assert!(run.code == 1 && run.out.contains("use of an uninitialised channel"), "as in pan: {}", run.out);
}
