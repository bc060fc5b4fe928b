//! Options of spin and pan that are typed by habit.

use super::{HOLDS, Sandbox, finish};

/// What is said about a command line that is refused.
fn told(args: &str) -> String {
    let run = Sandbox::with(HOLDS).run(args);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{args}: {}", run.err);
    run.err
}

#[test]
fn options_of_pan() {
    for (option, instead) in [
        ("-a", "`--property ltl:NAME`"),
        ("-m10000", "`--max-depth N`"),
        ("-c0", "`--continue`"),
        ("-f", "`--weak-fairness`"),
        ("-l", "`--property progress`"),
        ("-i", "`--shorten off`"),
        ("-n", "`--unreached`"),
        ("-q", "`--check-channels-empty`"),
        ("-A", "`--no-assertions`"),
        ("-E", "`--no-end-states`"),
        ("-w24", "not needed"),
        ("-Q5", "`--time 5m`"),
    ] {
        let said = told(&format!("verify m.pml {option}"));
        let hint = said.lines().find(|line| line.starts_with("hint: ")).unwrap_or_else(|| panic!("{option}: {said}"));
        assert!(hint.contains(instead) && hint.contains("docs/from-spin.md"), "{option}: {hint}");
    }
}

#[test]
fn options_of_spin_without_a_command() {
    assert!(told("-a m.pml").contains("here: `swarmgp verify m.pml`"));
    assert!(told("-search m.pml").contains("here: `swarmgp verify m.pml`"));
    assert!(
        told("-search -ltl p m.pml")
            .contains("-ltl is an option of spin; here: `swarmgp verify m.pml --property ltl:NAME`")
    );
    assert!(told("-run m.pml").contains("here: `swarmgp verify m.pml`"));
    let replay = told("-t -p m.pml");
    assert!(replay.contains("here: `swarmgp replay m.pml [FILE]`") && !replay.contains("simulate"), "{replay}");
    let printed = told("-p -g -l m.pml");
    assert!(printed.contains("-l is an option of spin; here: not needed") && !printed.contains("of pan"), "{printed}");
    assert!(told("-p m.pml").contains("here: `swarmgp simulate m.pml`"));
}

#[test]
fn a_model_without_a_command() {
    let said = told("m.pml");
    assert!(said.contains("hint: a command comes first: `swarmgp verify m.pml` checks the model"), "{said}");
    let said = told("-DN=2 m.pml");
    assert!(said.contains("`swarmgp simulate m.pml -DN=2` runs it (docs/from-spin.md)"), "{said}");
    assert!(told("-B m.pml").contains("-B is an option of spin; here: `swarmgp simulate m.pml --quiet`"));
    assert!(told("-t2 m.pml").contains("-t2 is an option of spin; here: `swarmgp replay m.pml [FILE]`"));
    assert!(!told("frobnicate").contains("hint: "));
}

#[test]
fn options_of_gcc() {
    assert!(told("verify m.pml -O2").contains("-O2 is an option of gcc; here: not needed: nothing is compiled"));
    assert!(told("verify m.pml -O2 -DXUSAFE").contains("-DXUSAFE is an option of gcc"));
}

#[test]
fn what_cannot_be_a_macro_is_refused() {
    for option in ["-DN M=1", "-D1N", "-UN M"] {
        let sandbox = Sandbox::with(HOLDS);
        let mut command = sandbox.command("verify m.pml --no-trail");
        command.arg(option);
        let run = finish(command, "");
        assert!(run.code == 2 && run.err.contains("cannot be the name of a macro"), "{option}: {}", run.err);
    }
    let sandbox = Sandbox::with("byte x;\nactive proctype P() { x = MAX(1, 2) }\n");
    let mut command = sandbox.command("verify m.pml --no-trail");
    command.arg("-DMAX(a,b)=(a > b -> a : b)");
    assert_eq!(finish(command, "").code, 0);
}

#[test]
fn macros_for_gcc() {
    for option in
        ["-DSAFETY", "-DNOREDUCE", "-DMEMLIM=512", "-DBITSTATE", "-DXUSAFE", "-DNOCOMP", "-DT_REVERSE", "-DHC4"]
    {
        assert!(told(&format!("verify m.pml {option}")).contains("is an option of gcc; here: "), "{option}");
    }
    // a model may have macros of that name
    let sandbox = Sandbox::with("#ifdef SAFETY\nbyte x;\n#endif\nactive proctype P() { x = 1 }\n");
    assert_eq!(sandbox.run("verify m.pml -DSAFETY").code, 0);
    assert_eq!(Sandbox::with(HOLDS).run("verify m.pml -DN=3").code, 0);
}

#[test]
fn other_mistakes_get_no_such_hint() {
    assert!(!told("verify m.pml --nonsense").contains("hint: "));
}
