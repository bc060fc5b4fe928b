//! Two formulas are equivalent if no word satisfies just one of them.

use super::input::{Input, Problem};
use crate::cli::args::Ltl;
use crate::cli::{Done, Exit, Failure, output, say};
use crate::report::formula::word::{self, Difference, Which, Word};
use ltl::automaton::{Atoms, MAX_ATOMS};
use ltl::formula::Node;
use ltl::rewrite::Rewriter;
use ltl::translate::{Options, satisfying_word};
use ltl::{Expr, Formula, Formulas, Limit};
use std::collections::{BTreeSet, HashSet};

pub fn check(texts: &[String], args: &Ltl) -> Done {
    let mut exprs = Vec::new();
    for (name, text) in ["<first formula>", "<second formula>"].into_iter().zip(texts) {
        match read(&Input::argument(name, text)) {
            Some(expr) => exprs.push(expr),
            None => return Ok(Exit::Refused),
        }
    }
    let [first, second] = &exprs[..] else {
        return Err(Failure::Usage("--check-equivalent takes two formulas".into()));
    };
    check_atoms(first, second)?;
    match difference(first, second) {
        Ok(difference) => {
            let show = if args.json { word::object } else { word::text };
            output::print(&show(difference.as_ref()))?;
            Ok(if difference.is_some() { Exit::Violated } else { Exit::Fine })
        }
        Err(Trouble::Wrong) => Err(Failure::Internal("a word that should tell two formulas apart does not".into())),
        Err(Trouble::Limit(limit)) => {
            output::error(&format!("these formulas cannot be compared: {limit}"));
            Ok(Exit::Inconclusive)
        }
    }
}

/// Why there is no answer.
enum Trouble {
    Limit(Limit),
    /// An answer that does not stand up to scrutiny.
    Wrong,
}

/// A formula, or a complaint.
fn read(input: &Input) -> Option<Expr> {
    let formula = input.formulas[0];
    match input.parse(formula) {
        Ok(parsed) => {
            input.warn(formula, &parsed.warnings);
            Some(parsed.expr)
        }
        Err(Problem { diagnostic, .. }) => {
            say(&input.sources, &diagnostic);
            None
        }
    }
}

fn check_atoms(first: &Expr, second: &Expr) -> Result<(), Failure> {
    let names = |expr: &Expr| {
        let mut formulas = Formulas::new();
        formulas.intern(expr);
        formulas.atoms().to_vec()
    };
    let together: BTreeSet<String> = [first, second].into_iter().flat_map(names).collect();
    if together.len() > MAX_ATOMS {
        let count = together.len();
        let message = format!("the two formulas have {count} different atoms; at most {MAX_ATOMS} can be compared");
        return Err(Failure::Usage(message));
    }
    Ok(())
}

/// A word that satisfies one formula only. One that is found settles the matter even if the other way is too hard.
fn difference(first: &Expr, second: &Expr) -> Result<Option<Difference>, Trouble> {
    let mut formulas = Formulas::new();
    let (f, g) = (formulas.intern(first), formulas.intern(second));
    let mut limit = None;
    for (satisfies, yes, no) in [(Which::First, f, g), (Which::Second, g, f)] {
        let not = formulas.not(no);
        let only = formulas.and2(yes, not);
        match satisfying_word(&mut formulas, only, &Options::default()) {
            Ok(Some(lasso)) => {
                // the word was found by automata; formulas judge it without them
                if [yes, no].map(|formula| lasso.satisfies(&formulas, formula)) != [true, false] {
                    return Err(Trouble::Wrong);
                }
                let relevant = relevant(&mut formulas, &[f, g]);
                let word = Word::new(&lasso, formulas.atoms(), relevant);
                return Ok(Some(Difference { satisfies, word }));
            }
            Ok(None) => {}
            Err(reached) => limit = Some(Trouble::Limit(reached)),
        }
    }
    limit.map_or(Ok(None), Err)
}

/// The atoms that are left when the formulas are simplified.
fn relevant(formulas: &mut Formulas, roots: &[Formula]) -> Atoms {
    let mut rewriter = Rewriter::default();
    let mut todo: Vec<Formula> = roots.iter().map(|&root| rewriter.simplify(formulas, root)).collect();
    let (mut atoms, mut seen) = (0, HashSet::new());
    while let Some(formula) = todo.pop() {
        if !seen.insert(formula) {
            continue;
        }
        match formulas.node(formula) {
            Node::False | Node::True => {}
            Node::Literal { atom, .. } => atoms |= 1 << atom,
            Node::And(parts) | Node::Or(parts) => todo.extend(parts),
            Node::Next(f) | Node::Eventually(f) | Node::Always(f) => todo.push(*f),
            Node::Until(f, g) | Node::WeakUntil(f, g) | Node::Release(f, g) | Node::StrongRelease(f, g) => {
                todo.extend([*f, *g]);
            }
        }
    }
    atoms
}
