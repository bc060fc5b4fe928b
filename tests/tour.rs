//! What the README and the pages in docs/ show is what happens: their `console` blocks are executed.

use std::path::Path;

#[cfg(unix)]
#[test]
fn the_documentation_says_what_happens() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // trails are written to the current directory
    let place = std::env::temp_dir().join(format!("swarmgp-tour-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a directory for the tour");
    let _ = std::os::unix::fs::symlink(root.join("models"), place.join("models"));
    let _ = std::os::unix::fs::symlink(root.join("experiments"), place.join("experiments"));
    std::env::set_current_dir(&place).expect("the directory is ours");
    trycmd::TestCases::new().case(root.join("README.md")).case(root.join("docs/*.md"));
    std::env::set_current_dir(root).expect("the project");
    std::fs::remove_dir_all(&place).expect("the directory is ours");
}

#[path = "../examples/own_heuristic.rs"]
mod own_heuristic;
#[path = "../examples/own_search.rs"]
mod own_search;
#[path = "../examples/verify_text.rs"]
mod verify_text;
#[path = "../examples/witness_to_json.rs"]
mod witness_to_json;

#[test]
fn the_examples_run() {
    verify_text::main().expect("a model");
    own_search::main().expect("a model");
    own_heuristic::main().expect("a model");
    witness_to_json::main().expect("a model");
}
