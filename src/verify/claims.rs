//! Claims by their names: a formula of an option, a never claim in a file, a block of the model.

use super::request::Refusal;
use crate::load::{self, Loaded, Refused};
use crate::program::Program;
use crate::program::formula::Formula;
use crate::property::Claim;
use crate::source::{Diagnostic, Source, Sources, Span};
use crate::syntax::spelling::did_you_mean;
use std::path::Path;

/// The block that `--ltl` becomes part of the model as.
const COMMAND_LINE: &str = "__ltl_option__";

/// The model with the formula of `--ltl`.
pub fn with_formula(source: Source, formula: &str) -> Result<Source, Refusal> {
    if formula.trim().is_empty() {
        return Err(Refusal::Unfit("the formula of --ltl is empty".into()));
    }
    check_brackets("--ltl", formula)?;
    Ok(source.followed_by(&format!("ltl {COMMAND_LINE} {{"), "--ltl", formula, "}"))
}

/// The model with the never claim of a file.
pub fn with_never(source: Source, file: &Path) -> Result<Source, Refusal> {
    let claim = load::read(file)?;
    Ok(source.followed_by("", &claim.name, &claim.text, ""))
}

/// The blocks that the command line has added are in order, or the command line is not.
pub fn check_added(loaded: &Loaded<Program>) -> Result<(), Refusal> {
    let added = loaded.it.model.refused.iter().find(|refused| is_added(&refused.name));
    added.map_or(Ok(()), |refused| Err(refusal(&loaded.sources, refused.diagnostics.clone())))
}

/// The block stands for an option; users do not know its name.
pub fn is_added(name: &str) -> bool {
    name.starts_with("__") && name.ends_with("__")
}

/// The formula of `--ltl`, in the program of the model with it.
pub fn formula_of_option(loaded: &Loaded<Program>) -> Result<&Formula, Refusal> {
    check_added(loaded)?;
    block(&loaded.it, COMMAND_LINE).ok_or_else(|| Refusal::Broken("the formula of --ltl is lost".into()))
}

/// A block of the model.
pub fn named<'p>(loaded: &'p Loaded<Program>, name: &str) -> Result<&'p Formula, Refusal> {
    let Loaded { it: program, sources, .. } = loaded;
    if let Some(refused) = program.model.refused.iter().find(|refused| refused.name == name) {
        return Err(property_refusal(sources, format!("ltl:{name}"), refused.diagnostics.clone()));
    }
    block(program, name).ok_or_else(|| unknown(program, &format!("ltl:{name}")))
}

fn block<'p>(program: &'p Program, name: &str) -> Option<&'p Formula> {
    program.formulas.iter().find(|formula| formula.name == name)
}

/// A never claim of the model.
pub struct Never {
    /// As `--property` names it: `never` if it is the only one.
    pub property: String,
    /// The number of its automaton in the program.
    pub proctype: u32,
}

/// The never claims of the model, in the order of the text.
pub fn nevers(program: &Program) -> Vec<Never> {
    let claims = Claim::nevers(program);
    let several = claims.len() > 1;
    let never = |proctype: u32| {
        let name = &program.automaton(proctype).name;
        Never { property: if several { format!("never:{name}") } else { "never".into() }, proctype }
    };
    claims.into_iter().map(never).collect()
}

/// The never claim that `never` or `never:NAME` stands for.
pub fn never(program: &Program, asked: &str) -> Result<Never, Refusal> {
    let mut claims = nevers(program);
    if asked == "never" && claims.len() > 1 {
        let names: Vec<&str> = claims.iter().map(|never| never.property.as_str()).collect();
        return Err(Refusal::Unfit(format!("the model has several never claims: choose one of {}", names.join(", "))));
    }
    let is_meant =
        |never: &Never| asked == "never" || asked == format!("never:{}", program.automaton(never.proctype).name);
    match claims.iter().position(is_meant) {
        Some(position) => Ok(claims.swap_remove(position)),
        None if claims.is_empty() => Err(Refusal::Unfit("the model has no never claim".into())),
        None => Err(unknown(program, asked)),
    }
}

/// The never claims that a file has added to the model.
pub fn nevers_of_file(loaded: &Loaded<Program>, file: &Path) -> Result<Vec<Never>, Refusal> {
    let Loaded { it: program, sources, .. } = loaded;
    let claims = nevers(program);
    let name = Source::shown(&file.display().to_string());
    let is_there = |never: &Never| sources.place(program.model.proctypes[never.proctype as usize].span).file == name;
    let (mut added, mut others): (Vec<Never>, Vec<Never>) = claims.into_iter().partition(is_there);
    if added.is_empty() {
        added.extend(others.pop());
    }
    match &mut added[..] {
        [] => return Err(Refusal::Unfit(format!("{} has no never claim", file.display()))),
        [only] => only.property = "never".into(),
        _ => {}
    }
    Ok(added)
}

/// The claim itself, if it does not change what it looks at.
pub fn claim(loaded: &Loaded<Program>, never: &Never) -> Result<Claim, Vec<Diagnostic>> {
    match Claim::meddling(&loaded.it, never.proctype) {
        Some(span) => {
            let message = "a never claim may only look at the state: conditions, assertions and jumps";
            Err(vec![Diagnostic::error(span, message)])
        }
        None => Ok(Claim::never(&loaded.it, never.proctype)),
    }
}

/// The refusal for these diagnostics, with the sources that they point into.
pub fn refusal(sources: &Sources, diagnostics: Vec<Diagnostic>) -> Refusal {
    Refusal::Refused(Refused::new(sources.clone(), diagnostics))
}

/// The same where one property of the model is in error.
pub fn property_refusal(sources: &Sources, property: String, diagnostics: Vec<Diagnostic>) -> Refusal {
    Refusal::Refused(Refused { property: Some(property), ..Refused::new(sources.clone(), diagnostics) })
}

/// There is no such property: those there are, and the one that may have been meant.
pub fn unknown(program: &Program, asked: &str) -> Refusal {
    let known = properties(program);
    let same_name = known.iter().find(|property| property.split_once(':').is_some_and(|(_, name)| name == asked));
    let meant = match same_name {
        Some(property) => Some(format!("did you mean `{property}`?")),
        None => {
            let near = |asked: &str| did_you_mean(asked, known.iter().map(String::as_str));
            let long = asked.chars().count() > 3;
            let of_kind = |kind| near(&format!("{kind}:{asked}")).filter(|_| long);
            near(asked).or_else(|| ["ltl", "never"].into_iter().find_map(of_kind)).or_else(|| called(asked))
        }
    };
    let meant = meant.map(|meant| format!("; {meant}")).unwrap_or_default();
    let what = match asked.split_once(':') {
        Some(("ltl", name)) => format!("the model has no ltl block `{name}`"),
        Some(("never", name)) => format!("the model has no never claim `{name}`"),
        _ => format!("no such property: {asked}"),
    };
    Refusal::Unfit(format!("{what}{meant} (there are {})", known.join(", ")))
}

/// Names that others have for what a property says.
const CALLED: [(&str, &str); 6] = [
    ("liveness", "liveness is what an ltl block states; there are also acceptance and progress"),
    ("deadlock", "deadlocks are part of safety"),
    ("deadlocks", "deadlocks are part of safety"),
    ("assertions", "assertions are part of safety"),
    ("end-states", "invalid end states are part of safety"),
    ("non-progress", "progress looks for cycles without progress"),
];

fn called(asked: &str) -> Option<String> {
    let near = |word: &&(&str, &str)| word.0 == asked || did_you_mean(asked, [word.0]).is_some();
    CALLED.iter().find(near).map(|(_, meant)| meant.to_string())
}

/// What `--property` can ask of a model.
fn properties(program: &Program) -> Vec<String> {
    let blocks = program.formulas.iter().map(|formula| &formula.name);
    let blocks = blocks.chain(program.model.refused.iter().map(|refused| &refused.name)).filter(|name| !is_added(name));
    let mut all = vec!["safety".to_string()];
    all.extend(blocks.map(|name| format!("ltl:{name}")));
    all.extend(nevers(program).into_iter().map(|never| never.property));
    all.extend(program.has_accept_labels().then(|| "acceptance".to_string()));
    all.push("progress".to_string());
    all
}

/// Brackets that do not match: put between brackets, the text would get out of them.
pub fn check_brackets(option: &str, text: &str) -> Result<(), Refusal> {
    let Some((at, message)) = unmatched(text) else { return Ok(()) };
    let mut sources = Sources::default();
    let file = sources.add(Source::new(option, text));
    Err(refusal(&sources, vec![Diagnostic::error(Span::new(file, at, at + 1), message)]))
}

/// The first bracket that closes nothing, or the last one that nothing closes.
fn unmatched(text: &str) -> Option<(usize, String)> {
    let mut open: Vec<(usize, char)> = Vec::new();
    for (at, bracket) in brackets(text) {
        match (bracket, open.last()) {
            ('(' | '[' | '{', _) => open.push((at, bracket)),
            (')', Some((_, '('))) | (']', Some((_, '['))) | ('}', Some((_, '{'))) => _ = open.pop(),
            (_, Some(&(at, opening))) => return Some((at, format!("this `{opening}` is not closed"))),
            (_, None) => return Some((at, format!("this `{bracket}` closes nothing"))),
        }
    }
    open.pop().map(|(at, opening)| (at, format!("this `{opening}` is not closed")))
}

/// The brackets of a text and their places, without those in comments, strings and character constants.
fn brackets(text: &str) -> Vec<(usize, char)> {
    let mut found = Vec::new();
    let mut skip_to = 0;
    for (at, c) in text.char_indices() {
        if at < skip_to {
            continue;
        }
        let rest = &text[at..];
        let behind =
            |start: usize, end: &str| rest[start..].find(end).map_or(text.len(), |i| at + start + i + end.len());
        match c {
            '(' | ')' | '[' | ']' | '{' | '}' => found.push((at, c)),
            '"' => skip_to = behind(1, "\""),
            '\'' => skip_to = behind(1, "'"),
            _ if rest.starts_with("/*") => skip_to = behind(2, "*/"),
            _ if rest.starts_with("//") => skip_to = behind(2, "\n"),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_that_do_not_match_are_found() {
        let message = |text: &str| unmatched(text).map(|(at, message)| format!("{at}: {message}")).unwrap_or_default();
        assert_eq!(message("[] (x == 1"), "3: this `(` is not closed");
        assert_eq!(message("x }"), "2: this `}` closes nothing");
        assert_eq!(message("(a[1)"), "2: this `[` is not closed");
        assert_eq!(message("[] (x == ')') /* :( */ // ]"), "");
    }
}
