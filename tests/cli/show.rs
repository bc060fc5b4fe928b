//! `swarmgp show`: the stages of a model.

use super::Sandbox;

const MODEL: &str = "#define N 2
mtype = { red, green };
typedef Pair { byte a[N]; short b = 7 };
hidden byte h;
Pair pairs[N];
mtype light = red;
unsigned u : 3;
chan q = [N] of { mtype, byte };
inline twice(x) { x = x * 2 }
active [N] proctype P() priority 3 { byte l = 1; L: twice(l); q!red,l }
proctype Q(byte n; chan c) { c?_,n }
ltl p { [] (light == red) }
";

#[test]
fn stages() {
    let sandbox = Sandbox::with(MODEL);
    let shown = |args: &str| {
        let run = sandbox.run(&format!("show m.pml --stage {args}"));
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        run.out
    };
    assert!(!shown("source").contains("#define") && shown("source").contains("l = l * 2"));
    assert!(shown("spec").contains("proctype"));
    assert!(shown("program").contains("proctype P\n") && shown("program").contains("l = (l*2)"));
    assert!(shown("program --dot").starts_with("digraph"));
    let model = shown("model");
    for expected in [
        "mtype { green = 1, red = 2 }\n",
        "typedef Pair { byte a[2]; short b = 7 }\n",
        "hidden byte h\n",
        "Pair pairs[2]\n",
        "mtype light = red\n",
        "unsigned u : 3\n",
        "chan q = [2] of { mtype, byte }\n",
        "proctype P() active [2] priority 3\n    byte l = 1\n    L:\n",
        "proctype Q(byte n; chan c)\n",
        "ltl p { [] ((light==red)) }\n",
    ] {
        assert!(model.contains(expected), "{expected}\n{model}");
    }
}
