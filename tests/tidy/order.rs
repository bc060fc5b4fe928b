//! A module uses only what stands above it, and siblings do not need each other in a circle.

use super::allowed;
use super::modules::{Path, Use, uses};
use super::text::{files, root};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

#[test]
fn a_module_uses_only_modules_above_it_in_lib_rs() {
    let text = fs::read_to_string(root().join("src/lib.rs")).expect("src/lib.rs");
    let names = text.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'));
    let order: Vec<&str> = names.collect();
    assert!(order.len() > 10, "the modules of src/lib.rs are not found: {order:?}");
    let place = |path: &Path| path.first().and_then(|top| order.iter().position(|name| name == top));
    let files = files(&["src"]);
    let bad: Vec<String> = uses(&files, "src")
        .iter()
        .filter(|one| place(&one.from).is_some() && place(&one.to) > place(&one.from))
        .map(|one| format!("{}: uses crate::{}", one.file, one.to.join("::")))
        .collect();
    assert!(
        bad.is_empty(),
        "a module uses only modules above it in src/lib.rs: move what is needed up, or the user of it down\n{}",
        bad.join("\n")
    );
}

#[test]
fn siblings_are_not_in_a_circle() {
    let files = files(&["src", "ltl/src"]);
    let (ltl, swarmgp): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.name.starts_with("ltl/"));
    let mut problems = Vec::new();
    let mut unused: BTreeSet<(&str, &str, &str)> = allowed::CIRCLES.iter().copied().collect();
    for (crate_name, uses) in [("", uses(&swarmgp, "src")), ("ltl::", uses(&ltl, "ltl/src"))] {
        for (parent, edges) in between_siblings(&uses).into_iter().filter(|(parent, _)| parent != "model") {
            let parent = format!("{crate_name}{parent}");
            let is_allowed = |(from, to): &(String, String)| allowed::CIRCLES.contains(&(&parent, from, to));
            // an exception is needed as long as it closes a circle
            unused.retain(|&(of, from, to)| {
                of != parent || !edges.contains(&(from.into(), to.into())) || !reaches(&edges, to, from)
            });
            let kept: BTreeSet<_> = edges.iter().filter(|edge| !is_allowed(edge)).cloned().collect();
            for (from, to) in kept.iter().filter(|(from, to)| reaches(&kept, to, from)) {
                problems.push(format!("(\"{parent}\", \"{from}\", \"{to}\")"));
            }
        }
    }
    assert!(
        problems.is_empty(),
        "these uses of a sibling are part of a circle: move what both need into a module of its own\n{}",
        problems.join("\n")
    );
    assert!(unused.is_empty(), "no longer part of a circle: take it out of CIRCLES in allowed.rs\n{unused:?}");
}

/// By parent: which of its children use which.
fn between_siblings(uses: &[Use]) -> BTreeMap<String, BTreeSet<(String, String)>> {
    let mut found: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for Use { from, to, .. } in uses {
        let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        if let (Some(a), Some(b)) = (from.get(common), to.get(common)) {
            found.entry(from[..common].join("::")).or_default().insert((a.clone(), b.clone()));
        }
    }
    found
}

/// There is a way along the edges.
fn reaches(edges: &BTreeSet<(String, String)>, from: &str, to: &str) -> bool {
    let mut found = vec![from];
    let mut next = 0;
    while let Some(&at) = found.get(next) {
        next += 1;
        for (_, target) in edges.iter().filter(|(source, _)| source == at) {
            if !found.contains(&target.as_str()) {
                found.push(target);
            }
        }
    }
    found.contains(&to)
}
