//! Claims and SPIN itself, where it is installed: we read what it prints, it reads what we write.

use ltl::format::never;
use std::process::{Command, Output};

const FORMULAS: [&str; 36] = [
    "true",
    "false",
    "p",
    "!p",
    "p && q",
    "p || q",
    "p -> q",
    "p <-> q",
    "[]p",
    "<>p",
    "[]<>p",
    "<>[]p",
    "p U q",
    "p V q",
    "!(p U q)",
    "[](p -> <>q)",
    "[](p -> (q U r))",
    "<>(p && <>q)",
    "<>(p && <>(q && <>r))",
    "[]<>p && []<>q",
    "[]<>p || <>[]q",
    "[]<>p -> []<>q",
    "(p U q) U r",
    "p U (q U r)",
    "[](p || []q)",
    "<>[]p && <>[]q",
    "!([]<>p -> <>q)",
    "[]p || []q",
    "<>p && []q",
    "(<>p) U (<>q)",
    "[](p -> []q)",
    "[](p U q)",
    "<>(p V q)",
    "p U (q && []r)",
    "[](p <-> <>q)",
    "[](p && !r -> (!r U (q && !r)))",
];

/// `None` where there is no SPIN.
fn spin(arguments: &[&str], folder: &std::path::Path) -> Option<Output> {
    Command::new("spin").args(arguments).current_dir(folder).output().ok()
}

#[test]
fn claims_go_both_ways() {
    let folder = std::env::temp_dir().join(format!("ltl-claims-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for formula in FORMULAS {
        let Some(output) = spin(&["-f", formula], &folder) else { break };
        let claim = String::from_utf8(output.stdout).unwrap();
        let automaton = never::read(&claim).unwrap_or_else(|error| panic!("{error}\n{claim}"));
        let written = never::write(&automaton);
        let model = format!("bool p, q, r; active proctype P() {{ p = true }}\n{written}");
        std::fs::write(folder.join("model.pml"), &model).unwrap();
        let output = spin(&["-a", "model.pml"], &folder).unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && said.is_empty(), "{said}\n{model}");
        assert_eq!(never::write(&never::read(&written).unwrap()), written);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
