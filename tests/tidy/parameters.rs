//! Parameters say at the call what they mean: an enum, not a `bool`; a struct, not a tuple.

use super::allowed;
use super::text::{File, files};
use std::collections::BTreeMap;

#[test]
fn no_more_bool_parameters() {
    compare(
        allowed::BOOL_PARAMETERS,
        |parameter| parameter.ends_with(": bool") || parameter.ends_with(": & bool"),
        "a bool says nothing where the function is called: take an enum with two names",
        "BOOL_PARAMETERS",
    );
}

#[test]
fn no_more_tuple_parameters() {
    compare(
        allowed::TUPLE_PARAMETERS,
        |parameter| parameter.starts_with("( ") && (parameter.contains(" ): (") || parameter.contains(" ): & (")),
        "a tuple has no names where the function is called: take a struct, or two parameters",
        "TUPLE_PARAMETERS",
    );
}

/// The numbers of such parameters have to be those of the list: more are refused, fewer are to be recorded.
fn compare(allowed: &[(&str, usize)], is_bad: impl Fn(&str) -> bool, advice: &str, list: &str) {
    let mut found = BTreeMap::new();
    for file in files(&["src", "ltl/src"]) {
        let bad: Vec<String> = parameters(&file).into_iter().filter(|parameter| is_bad(parameter)).collect();
        if !bad.is_empty() {
            found.insert(file.name, bad);
        }
    }
    let allowed: BTreeMap<&str, usize> = allowed.iter().copied().collect();
    let mut problems = Vec::new();
    for (file, bad) in &found {
        let most = allowed.get(file.as_str()).copied().unwrap_or(0);
        if bad.len() > most {
            problems.push(format!("{file}: {} instead of {most} – {advice}: {}", bad.len(), bad.join("; ")));
        }
    }
    for (file, most) in allowed {
        let count = found.get(file).map_or(0, Vec::len);
        if count < most {
            problems.push(format!("{file}: only {count} now – write that into {list} in tests/tidy/allowed.rs"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The parameters of all functions, each as its words and signs with blanks between them. (Those of closures are not looked at.)
fn parameters(file: &File) -> Vec<String> {
    let tokens = file.tokens();
    let mut found = Vec::new();
    for at in (0..tokens.len()).filter(|&at| tokens[at] == "fn") {
        // a function has a name, a pointer to one does not
        let named = tokens.get(at + 1).is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        if named && let Some(open) = behind_generics(&tokens, at + 2) {
            found.extend(listed(&tokens, open));
        }
    }
    found
}

/// Where the parenthesis of the parameters opens.
fn behind_generics(tokens: &[&str], mut at: usize) -> Option<usize> {
    let mut depth = 0;
    loop {
        match *tokens.get(at)? {
            "<" => depth += 1,
            ">" => depth -= 1,
            "(" if depth == 0 => return Some(at),
            _ => {}
        }
        at += 1;
    }
}

fn listed(tokens: &[&str], open: usize) -> Vec<String> {
    let mut list = vec![Vec::new()];
    let mut depth = 0;
    for &token in &tokens[open + 1..] {
        match token {
            "(" | "[" | "{" | "<" => depth += 1,
            ")" if depth == 0 => break,
            ")" | "]" | "}" | ">" => depth -= 1,
            "," if depth == 0 => {
                list.push(Vec::new());
                continue;
            }
            _ => {}
        }
        list.last_mut().expect("one at least").push(token);
    }
    list.into_iter().map(|parameter| parameter.join(" ").replace(" :", ":")).filter(|p| !p.is_empty()).collect()
}

#[test]
fn parameters_are_found() {
    let code = "fn a<T: Fn(bool)>(&self, x: bool, f: fn(bool) -> bool) {} fn b((p, q): (u8, u8), r: &bool) -> bool {}";
    let file = File::new(String::new(), code.into());
    let found = parameters(&file);
    let expected = ["& self", "x: bool", "f: fn ( bool ) -> bool", "( p , q ): ( u8 , u8 )", "r: & bool"];
    assert_eq!(found, expected);
}
