//! Manual pages and completions.

use super::Sandbox;

const COMMANDS: [&str; 10] =
    ["verify", "compare", "bench", "replay", "simulate", "show", "ltl", "searches", "completions", "man"];

#[test]
fn every_command_has_a_manual_page() {
    let sandbox = Sandbox::empty();
    let run = sandbox.run("man deep/pages");
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    assert!(sandbox.read("deep/pages/swarmgp.1").contains("explicit\\-state model checker"));
    for command in COMMANDS {
        let page = sandbox.read(&format!("deep/pages/swarmgp-{command}.1"));
        assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{command}");
    }
    sandbox.file("taken", "");
    let run = sandbox.run("man taken/pages");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("cannot write to taken/pages: "), "{}", run.err);
}

#[test]
fn shells_complete_commands_and_searches() {
    let sandbox = Sandbox::empty();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = sandbox.run(&format!("completions {shell}"));
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{shell}");
        let missing = COMMANDS.into_iter().chain(["aco-live", "weak-fairness"]).find(|word| !run.out.contains(word));
        assert_eq!(missing.filter(|_| shell != "elvish" && shell != "powershell"), None, "{shell}");
    }
    assert_eq!(sandbox.run("completions tcsh").code, 2);
}
