//! Where results go: what cannot be written is told, what is read is not written over, nothing sends codes to a terminal.

use crate::{ASSERTION, HOLDS, Sandbox, finish};
use std::fs::{self, File};
use std::process::Stdio;

const EXPERIMENT: &str = "title = \"t\"\n[[case]]\nmodel = \"m.pml\"\n[[search]]\nuse = \"bfs\"\n";

#[test]
fn a_full_disk_is_told() {
    let sandbox = Sandbox::with(ASSERTION);
    sandbox.file("e.toml", EXPERIMENT);
    assert_eq!(sandbox.run("verify m.pml").code, 1);
    for args in [
        "verify m.pml",
        "verify m.pml --json",
        "show m.pml --stage program",
        "ltl []p",
        "ltl --check-equivalent p q",
        "compare m.pml --search bfs",
        "compare m.pml --search bfs --csv -",
        "bench e.toml",
        "simulate m.pml",
        "simulate m.pml --interactive",
        "replay m.pml",
        "replay m.pml --json",
        "replay m.pml --mermaid -",
        "searches",
        "searches --json",
        "completions bash",
        "--help",
        "--version",
    ] {
        let mut command = sandbox.command(args);
        command.stdout(Stdio::from(File::options().write(true).open("/dev/full").expect("a device")));
        let done = finish(command, "1\n");
        assert_eq!(done.code, 2, "{args}: {}", done.err);
        let why = "cannot write to the standard output: no space left on device";
        assert!(done.err.contains(why), "{args}: {}", done.err);
    }
    for args in ["verify m.pml", "--help"] {
        let closed = std::process::Command::new("sh")
            .args(["-c", &format!("exec \"$0\" {args} >&-"), env!("CARGO_BIN_EXE_swarmgp")])
            .current_dir(&sandbox.dir)
            .output()
            .expect("a shell");
        let err = String::from_utf8_lossy(&closed.stderr);
        assert!(closed.status.code() == Some(2) && err.contains("the standard output: it is closed"), "{args}: {err}");
    }
    let done = sandbox.run("compare m.pml --search bfs --csv /dev/full");
    assert!(done.code == 2 && done.err.contains("cannot write /dev/full: no space left"), "{}", done.err);
}

/// A trail that was asked for is a result; one that is left behind is not worth losing the verdict.
#[test]
fn a_trail_that_cannot_be_written_is_told() {
    let sandbox = Sandbox::with(ASSERTION);
    let run = sandbox.run("verify m.pml --trail /dev/full");
    assert!(run.code == 2 && run.err.contains("error: there is no trail file: cannot write /dev/full"), "{}", run.err);
    assert!(run.out.contains("violated"), "{}", run.out);
    let (code, document) = sandbox.document("verify m.pml --trail /dev/full --json");
    assert!(code == 2 && document.to_string().contains("cannot write /dev/full"), "{document}");
    std::os::unix::fs::symlink("/dev/full", sandbox.dir.join("m.pml.trail")).expect("a link");
    let run = sandbox.run("verify m.pml");
    assert!(run.code == 1 && run.err.contains("warning: there is no trail file: cannot write"), "{}", run.err);
}

/// As with `| head`: the verdict stands.
#[test]
fn a_reader_that_is_gone_is_no_error() {
    let sandbox = Sandbox::with(ASSERTION);
    for (args, code) in
        [("verify m.pml", 1), ("verify m.pml --json", 1), ("searches", 0), ("show m.pml --stage spec", 0)]
    {
        let mut command = sandbox.command(args);
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        command.stdout(Stdio::from(writer));
        let done = finish(command, "");
        assert_eq!((done.code, done.err.as_str()), (code, ""), "{args}");
    }
}

#[test]
fn what_is_read_is_not_written_over() {
    let sandbox = Sandbox::empty();
    sandbox.file("part.pml", "byte x;\n");
    sandbox.file("m.pml", "#include \"part.pml\"\nactive proctype P() { x = 1; assert(x == 0) }\n");
    sandbox.file("never", "never { accept: do :: x == 1 od }\n");
    sandbox.file("e.toml", EXPERIMENT);
    assert_eq!(sandbox.run("verify m.pml --trail t").code, 1);
    assert_eq!(sandbox.run("bench e.toml --results r.jsonl").code, 0);
    fs::hard_link(sandbox.dir.join("m.pml"), sandbox.dir.join("hard")).expect("a link");
    std::os::unix::fs::symlink("part.pml", sandbox.dir.join("soft")).expect("a link");
    fs::create_dir(sandbox.dir.join("d")).expect("a directory");
    let names = ["part.pml", "m.pml", "never", "e.toml", "t", "r.jsonl"];
    let before = names.map(|name| sandbox.read(name));
    for args in [
        "verify m.pml --trail m.pml",
        "verify m.pml --trail hard",
        "verify m.pml --trail soft",
        "verify m.pml --trail d/../part.pml",
        "verify m.pml --never never --trail never",
        "compare m.pml --search bfs --csv ./m.pml",
        "compare m.pml --search bfs --report soft",
        "compare m.pml --never never --search ndfs --json never",
        "replay m.pml t --html t",
        "replay m.pml t --svg hard",
        "replay m.pml t --itf soft",
        "replay m.pml t --html h --never never --mermaid never",
        "bench e.toml --results r.jsonl --csv e.toml",
        "bench e.toml --results r.jsonl --markdown part.pml",
        "bench e.toml --results m.pml",
        "bench e.toml --results r.jsonl --no-run --json r.jsonl",
    ] {
        let run = sandbox.run(args);
        assert_eq!(run.code, 2, "{args}: {}{}", run.out, run.err);
        assert!(run.err.contains("would overwrite a file that is read"), "{args}: {}", run.err);
    }
    assert_eq!(names.map(|name| sandbox.read(name)), before);
    // a trail that nobody named
    sandbox.file("m.pml.trail", sandbox.read("never"));
    let run = sandbox.run("verify m.pml --never m.pml.trail");
    assert!(run.code == 2 && run.err.contains("the trail m.pml.trail would overwrite"), "{}", run.err);
}

/// A file is what it is, also if it comes in by the standard input or the standard output goes there.
#[test]
fn the_standard_streams_are_files_too() {
    let sandbox = Sandbox::with(ASSERTION);
    assert_eq!(sandbox.run("verify m.pml --trail t").code, 1);
    let names = ["m.pml", "t"];
    let before = names.map(|name| sandbox.read(name));
    for (args, input) in [
        ("verify - --trail m.pml", "m.pml"),
        ("replay - t --html m.pml", "m.pml"),
        ("replay m.pml - --svg t", "t"),
        ("compare - --search bfs --csv m.pml", "m.pml"),
    ] {
        let mut command = sandbox.command(args);
        command.stdin(File::open(sandbox.dir.join(input)).expect("an input"));
        let done = command.output().expect("swarmgp ends");
        assert_eq!(done.status.code(), Some(2), "{args}");
        assert_eq!(names.map(|name| sandbox.read(name)), before, "{args}");
    }
    for (args, output) in [
        ("verify m.pml --trail o", "o"),
        ("verify m.pml --trail /dev/stdout", "o"),
        ("verify m.pml", "m.pml.trail"),
        ("replay m.pml t --itf o", "o"),
    ] {
        let mut command = sandbox.command(args);
        command.stdout(File::create(sandbox.dir.join(output)).expect("an output"));
        let done = finish(command, "");
        assert_eq!(done.code, 2, "{args}: {}", done.err);
        assert!(done.err.contains("the standard output and "), "{args}: {}", done.err);
        assert_eq!(sandbox.read(output), "", "{args}");
    }
}

#[test]
fn two_results_are_not_written_to_one_file() {
    let sandbox = Sandbox::with(ASSERTION);
    sandbox.file("e.toml", EXPERIMENT);
    assert_eq!(sandbox.run("verify m.pml").code, 1);
    std::os::unix::fs::symlink("new", sandbox.dir.join("link")).expect("a link");
    for (args, why) in [
        ("compare m.pml --search bfs --csv x --json ./x", "--csv and --json both write ./x"),
        ("compare m.pml --search bfs --csv link --json new", "--csv and --json both write new"),
        ("replay m.pml --html x --itf x", "--html and --itf both write x"),
        ("replay m.pml --svg - --itf -", "--svg - and --itf - both want the standard output"),
        ("bench e.toml --results x --csv x", "--results and --csv both write "),
        ("verify m.pml --trail -", "--trail names a file"),
        ("verify m.pml --trail no/such/place", "cannot write no/such/place"),
    ] {
        let run = sandbox.run(args);
        assert!(run.code == 2 && run.err.contains(why), "{args}: {}", run.err);
    }
    assert!(!sandbox.has("x") && !sandbox.has("new") && sandbox.dir.join("link").is_symlink());
    assert_eq!(sandbox.run("compare m.pml --search bfs --csv /dev/null --json /dev/null").code, 0);
}

#[test]
fn nothing_sends_codes_to_a_terminal() {
    let sandbox = Sandbox::with(HOLDS);
    let name = "\u{1b}[31m.pml";
    let printing = "active proctype P() { printf(\"\u{1b}[2Jred\u{9b}1m\\n\"); /* \u{1b}[1m */ assert(false) }\n";
    sandbox.file(name, printing);
    sandbox.file("bad\u{1b}[1m.pml", "active proctype P() { \u{1b}[31m }\n");
    let case = "[[case]]\nname = \"\\u001b[31m\"\nmodel = \"m.pml\"\n";
    let search = "[[search]]\nname = \"=\\u001b[1m\"\nuse = \"bfs\"\n";
    sandbox.file("e.toml", format!("title = \"\\u007f\"\n{case}{search}"));
    let verify = ["verify", name, "--full-trail"];
    let json = ["verify", name, "--json", "--trail-steps"];
    for words in [
        &verify[..],
        &json,
        &["simulate", name],
        &["simulate", name, "--quiet"],
        &["show", name, "--stage", "source"],
        &["replay", name, "--html", "page"],
        &["replay", name, "--mermaid", "-"],
        &["compare", name, "--search", "bfs,random-walk", "--runs", "2", "--csv", "-"],
        &["compare", name, "--search", "bfs,random-walk", "--runs", "2"],
        &["verify", "bad\u{1b}[1m.pml"],
        &["verify", "\u{1b}[1m.no-file"],
        &["bench", "e.toml", "--csv", "csv", "--report", "report"],
    ] {
        let mut command = sandbox.command("");
        command.args(words);
        let run = finish(command, "");
        let written =
            ["page", "csv", "report"].map(|name| if sandbox.has(name) { sandbox.read(name) } else { String::new() });
        let all = format!("{}{}{}", run.out, run.err, written.concat());
        assert!(!all.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{words:?}: {all:?}");
        assert!(run.code < 3 && !all.is_empty(), "{words:?}: {all}");
    }
    assert!(sandbox.run("simulate m.pml").code == 0);
    assert!(sandbox.read("csv").contains("'=\\u{1b}[1m"), "{}", sandbox.read("csv"));
}
