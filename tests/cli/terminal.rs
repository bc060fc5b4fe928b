//! How results look: colours, widths, folded steps, the table of all properties.

use super::{ASSERTION, ENDLESS, HOLDS, Output, Sandbox, finish};
use std::process::Command;

/// With settings in the environment.
fn with(sandbox: &Sandbox, args: &str, settings: &[(&str, &str)]) -> Output {
    let mut command = sandbox.command(args);
    command.envs(settings.iter().copied());
    finish(command, "")
}

#[test]
fn colours_are_for_terminals_or_on_demand() {
    let sandbox = Sandbox::with(ASSERTION);
    assert!(!sandbox.run("verify m.pml").out.contains('\x1b'));
    let painted = sandbox.run("verify m.pml --color always");
    assert!(painted.out.starts_with("\x1b[1m\x1b[31mviolated\x1b[0m: assertion"), "{:?}", painted.out);
    let before = sandbox.run("--color=always verify m.pml");
    assert_eq!(before.out.lines().next(), painted.out.lines().next());
    let asked = with(&sandbox, "verify m.pml --color always", &[("NO_COLOR", "1")]);
    assert!(asked.out.contains('\x1b'), "what is asked for counts");
    assert!(!sandbox.run("verify m.pml --color never").out.contains('\x1b'));
    assert!(!sandbox.run("verify m.pml --color always --json").out.contains('\x1b'));
}

#[test]
fn diagnostics_have_colours_too() {
    let sandbox = Sandbox::with("active proctype P() { x = }\n");
    assert!(!sandbox.run("verify m.pml").err.contains('\x1b'));
    let painted = sandbox.run("verify m.pml --color always");
    assert!(painted.err.contains("\x1b[1m") && painted.err.contains("m.pml:1:27"), "{:?}", painted.err);
    assert!(sandbox.run("verify m.pml --nonsense --color always").err.contains('\x1b'));
}

/// Ten steps of init, an atomic sequence of eight, and one that fails.
const LONG: &str = "byte a, b, x;
init {
    a = 1; a = 2; a = 3; a = 4; a = 5;
    b = 1; b = 2; b = 3; b = 4;
    run P()
}
proctype P() {
    atomic { x = 1; x = 2; x = 3; x = 4; x = 5; x = 6; x = 7; printf(\"done\\n\") };
    assert(x == 0)
}
";

#[test]
fn long_sequences_are_folded() {
    let sandbox = Sandbox::with(LONG);
    let run = sandbox.run("verify m.pml");
    let lines: Vec<&str> = run.out.lines().skip(2).take(5).collect();
    assert_eq!(lines[0], " 1–10  init(0)  :3–5  10 steps         a = 5, b = 4, P(1) starts", "{}", run.out);
    assert_eq!(lines[1], "11–18  P(1)     :8    atomic: 8 steps  x = 7", "{}", run.out);
    assert_eq!(lines[2], "       | done");
    assert!(lines[3].starts_with("   19  P(1)     :9    assert(x == 0)"), "{}", run.out);
    assert_eq!(lines[4], "       --full-trail shows every step");
    let whole = sandbox.run("verify m.pml --full-trail").out;
    assert!(whole.contains("  7  init(0)  :4  b = 2") && !whole.contains("atomic: "), "{whole}");
    let replayed = sandbox.run("replay m.pml").out;
    assert!(run.out.starts_with(&replayed), "{replayed}");
    assert!(sandbox.run("replay m.pml --full-trail").out.contains("x = 6"));
}

#[test]
fn short_sequences_are_not() {
    let model = "byte x; init { x = 1; x = 2; atomic { x = 3; x = 4; x = 5 }; assert(x == 0) }\n";
    let run = Sandbox::with(model).run("verify m.pml");
    assert!(run.out.contains("  5  init(0)  :1  x = 5"), "{}", run.out);
}

#[test]
fn several_files_are_named_and_paths_are_short() {
    let sandbox = Sandbox::with("#include \"part.pml\"\nactive proctype P() { x == 2; assert(x == 0) }\n");
    sandbox.file("part.pml", "byte x;\nactive proctype Q() { x = 2 }\n");
    let run = sandbox.run("verify m.pml --search dfs --shorten off");
    assert!(run.out.contains("part.pml:2  x = 2") && run.out.contains("m.pml:2"), "{}", run.out);
    let sandbox = Sandbox::with(ASSERTION);
    let absolute = sandbox.dir.canonicalize().expect("a directory").join("m.pml");
    let run = sandbox.run(&format!("verify {}", absolute.display()));
    assert!(run.out.starts_with("violated: assertion violated (x==1)  (m.pml:6)\n"), "{}", run.out);
}

#[test]
fn several_properties_end_with_a_table() {
    let model = format!("{HOLDS}ltl soon {{ <>(x == 1) }}\nltl never_two {{ [](x != 1) }}\n");
    let sandbox = Sandbox::with(&model);
    let run = sandbox.run("verify m.pml");
    let lines: Vec<&str> = run.out.lines().collect();
    let table = &lines[lines.len() - 4..];
    assert!(table[0].starts_with("property       verdict   search"), "{}", run.out);
    let starts = ["safety         holds     ", "ltl:soon       holds     ", "ltl:never_two  violated  "];
    for (line, start) in table[1..].iter().zip(starts) {
        assert!(line.starts_with(start) && line.ends_with(" s"), "{}", run.out);
    }
    assert!(!sandbox.run("verify m.pml --property safety").out.contains("verdict"));
    assert!(!sandbox.run("verify m.pml --quiet").out.contains("search"));
}

/// What a command writes to a terminal of 80 columns; `None` where there is no script(1).
fn on_terminal(sandbox: &Sandbox, args: &str) -> Option<String> {
    let command = format!("stty rows 24 cols 80; {} {args}", env!("CARGO_BIN_EXE_swarmgp"));
    let mut script = Command::new("script");
    script
        .args(["-q", "-e", "-c", &command, "/dev/null"])
        .current_dir(&sandbox.dir)
        .env("TERM", "xterm")
        .env_remove("NO_COLOR");
    script.env_remove("COLUMNS").stdin(std::process::Stdio::null());
    let output = script.output().ok().or_else(|| {
        println!("script(1) is not installed: there is no terminal");
        None
    })?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The text without colours and cursor movements.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\x1b' {
            let _ = chars.find(|c| c.is_ascii_alphabetic());
        } else {
            out.push(c);
        }
    }
    out
}

#[test]
fn a_terminal_is_not_overrun() {
    let model = "byte counter_with_a_long_name, another_counter_with_a_long_name;
active proctype process_with_a_long_name() {
    counter_with_a_long_name = another_counter_with_a_long_name + counter_with_a_long_name + 1;
    another_counter_with_a_long_name = counter_with_a_long_name + counter_with_a_long_name + 1;
    assert(counter_with_a_long_name == 0)
}
";
    let sandbox = Sandbox::with(model);
    let Some(text) = on_terminal(&sandbox, "verify m.pml --no-trail") else { return };
    assert!(text.contains("\x1b[31mviolated"), "{text:?}");
    let trail = plain(&text);
    let rows: Vec<&str> = trail.lines().filter(|line| line.contains("process_with_a_long_name(0)  :")).collect();
    assert!(rows.len() == 3 && rows.iter().all(|row| row.trim_end().chars().count() <= 80), "{trail}");
    assert!(rows[0].trim_end().ends_with('…'), "{trail}");
    let piped = sandbox.run("verify m.pml --no-trail").out;
    assert!(piped.lines().any(|line| line.chars().count() > 80), "{piped}");
}

#[test]
fn sentences_are_broken_between_words() {
    let sandbox =
        Sandbox::with("byte x; active proctype P() { do :: x < 9 -> x++ :: else -> x = 0 od } ltl p { [] (x < 10) }");
    let model = "m.pml --property ltl:p --no-trail";
    let Some(text) = on_terminal(&sandbox, &format!("verify {model}")) else { return };
    assert!(plain(&text).lines().all(|line| line.trim_end().chars().count() <= 80), "{text}");
    let sentence = "assertions and run-time errors were checked on the runs of the claim, end states were not\n";
    assert_eq!(sandbox.run(&format!("verify {model}")).out.matches(sentence).count(), 1);
    assert!(plain(&text).replace("\r", "").replace("\n  ", " ").contains(sentence), "{text}");
}

#[test]
fn the_progress_line_goes_away() {
    let sandbox = Sandbox::with(ENDLESS);
    let Some(text) = on_terminal(&sandbox, "verify m.pml --search bfs --time 1.5 --memory 2G") else { return };
    let at = text.rfind("states/s, depth").unwrap_or_else(|| panic!("no progress was shown: {text:?}"));
    let rest = &text[at..];
    let result = rest.find("inconclusive").unwrap_or_else(|| panic!("{text:?}"));
    // the cursor returns to the beginning of the line, and what stands there is cleared
    let between = &rest[..result];
    assert!(between.contains("\r\x1b[2K") || between.contains("\x1b[2K"), "{between:?}");
    assert!(!between.contains('\n'), "{between:?}");
}
