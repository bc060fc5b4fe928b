//! Which module uses which, read off the paths in the code.
//!
//! A path that starts with `crate`, `super` or `self` is resolved to the module that defines its end, through what modules
//! on the way import or re-export. Names that a module uses of its own children are not looked at: a parent may use them.

use super::text::File;
use std::collections::{BTreeMap, BTreeSet};

/// The names of modules from the root to one of them.
pub type Path = Vec<String>;

/// One file uses a module.
pub struct Use<'f> {
    pub file: &'f str,
    pub from: Path,
    pub to: Path,
}

/// Every use of a module by another one.
pub fn uses<'f>(files: &'f [File], folder: &str) -> Vec<Use<'f>> {
    let modules: BTreeMap<Path, &File> = files.iter().map(|file| (module(&file.name, folder), file)).collect();
    let known: BTreeSet<&Path> = modules.keys().collect();
    let imports: BTreeMap<(Path, String), Path> =
        modules.iter().flat_map(|(module, file)| imports(module, file, &known)).collect();
    let mut found = Vec::new();
    for (from, file) in &modules {
        let targets: BTreeSet<Path> =
            references(from, file).into_iter().map(|path| resolve(path, &known, &imports)).collect();
        let others = targets.into_iter().filter(|to| to != from);
        found.extend(others.map(|to| Use { file: &file.name, from: from.clone(), to }));
    }
    found
}

/// `src/search/mod.rs` is `search`, `src/search/tally.rs` is `search::tally`.
fn module(name: &str, folder: &str) -> Path {
    let inside = name.strip_prefix(folder).expect("a file of the folder").trim_start_matches('/');
    let mut path: Path = inside.trim_end_matches(".rs").split('/').map(String::from).collect();
    path.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
    path
}

/// The module in which a path ends.
fn resolve(mut path: Path, known: &BTreeSet<&Path>, imports: &BTreeMap<(Path, String), Path>) -> Path {
    // an import may lead to another one
    for _ in 0..8 {
        let inside = (0..=path.len()).rev().find(|&len| known.contains(&path[..len].to_vec())).unwrap_or(0);
        let Some(name) = path.get(inside) else { break };
        match imports.get(&(path[..inside].to_vec(), name.clone())) {
            Some(target) if *target != path => path = target.clone(),
            _ => {
                path.truncate(inside);
                break;
            }
        }
    }
    path
}

/// The names that a module imports, and what they stand for.
fn imports(module: &Path, file: &File, known: &BTreeSet<&Path>) -> Vec<((Path, String), Path)> {
    let tokens = file.tokens();
    let mut found = Vec::new();
    for start in positions(&tokens, "use") {
        let mut leaves = Vec::new();
        tree(&tokens, start + 1, Vec::new(), &mut leaves);
        for (leaf, name) in leaves {
            let first = [module.as_slice(), &[leaf[0].clone()]].concat();
            let path = match leaf[0].as_str() {
                "crate" | "super" | "self" => absolute(module, &leaf),
                _ if known.contains(&first) => [module.as_slice(), &leaf].concat(),
                _ => continue,
            };
            found.push(((module.clone(), name), path));
        }
    }
    found
}

/// The absolute paths that a file mentions.
fn references(module: &Path, file: &File) -> Vec<Path> {
    let tokens = file.tokens();
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let starts = ["crate", "super", "self"].contains(&tokens[at]);
        if starts && tokens.get(at + 1) == Some(&"::") && (at == 0 || tokens[at - 1] != "::") {
            let mut leaves = Vec::new();
            tree(&tokens, at, Vec::new(), &mut leaves);
            found.extend(leaves.into_iter().map(|(leaf, _)| absolute(module, &leaf)));
        }
    }
    found
}

fn positions<'t>(tokens: &'t [&str], word: &str) -> impl Iterator<Item = usize> + use<'t> {
    let word = word.to_string();
    (0..tokens.len()).filter(move |&at| tokens[at] == word)
}

/// Collects the paths of a use tree with the names they give; where it ends.
fn tree(tokens: &[&str], mut at: usize, mut path: Path, leaves: &mut Vec<(Path, String)>) -> usize {
    loop {
        if tokens.get(at) == Some(&"{") {
            at += 1;
            while at < tokens.len() && tokens[at] != "}" {
                let end = tree(tokens, at, path.clone(), leaves);
                at = end + (tokens.get(end) == Some(&",") || end == at) as usize;
            }
            return at + 1;
        }
        let Some(word) = tokens.get(at).filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_')) else {
            break;
        };
        path.push(word.to_string());
        at += 1;
        if tokens.get(at) != Some(&"::") {
            break;
        }
        at += 1;
    }
    if tokens.get(at) == Some(&"*") {
        at += 1;
    }
    let mut name = path.last().cloned().unwrap_or_default();
    if tokens.get(at) == Some(&"as") {
        name = tokens[at + 1].to_string();
        at += 2;
    }
    if !path.is_empty() {
        leaves.push((path, name));
    }
    at
}

/// A path without `crate`, `super` and `self`.
fn absolute(module: &Path, path: &Path) -> Path {
    let mut result = module.clone();
    for segment in path {
        match segment.as_str() {
            "crate" => result.clear(),
            "super" => _ = result.pop(),
            "self" => {}
            _ => result.push(segment.clone()),
        }
    }
    result
}

#[test]
fn a_path_is_resolved_through_imports() {
    let file = |name: &str, code: &str| File::new(name.into(), code.into());
    let files = [
        file("src/lib.rs", "pub mod a; pub mod b;"),
        file("src/a/mod.rs", "mod c; mod d; pub use c::{Thing, other as another};"),
        file("src/a/c.rs", "use super::d;"),
        file("src/a/d.rs", "use super::Thing; fn f() { crate::b::g() }"),
        file("src/b.rs", "use crate::a::{another, d::{self, X}};"),
    ];
    let uses = uses(&files, "src");
    let shown: Vec<_> = uses.iter().map(|u| format!("{} > {}", u.from.join("::"), u.to.join("::"))).collect();
    assert_eq!(shown, ["a::c > a::d", "a::d > a::c", "a::d > b", "b > a::c", "b > a::d"]);
}
