//! Brackets that match, and text a recursive parser can take.
//!
//! Checked before parsing: `( )`, `[ ]`, `{ }`, `if fi` and `do od` are in balance; nothing is nested deeper than
//! [`MAX_NESTING`], where prefix operators, labels and fields that follow one another nest as well; and no tree of an
//! expression is deeper than [`MAX_OPERATORS`], where `a + b + c` is a tree of depth two. So neither the parser nor
//! anything that walks the tree runs out of stack.
//!
//! An ltl block ends at its brace, whatever is left open in it: what does not match there is found by the parser, and is no
//! error of the rest of the model.

use super::formula::Tracker;
use super::parse::complain::advice;
use super::report::Report;
use super::token::{Kind, Token};
use super::word::{Word, Words};
use crate::source::{Diagnostic, Sources};

pub const MAX_NESTING: usize = 1_000;
pub const MAX_OPERATORS: usize = 10_000;

/// Reports brackets that do not match and text that is nested too deeply or too long.
pub fn check(tokens: &[Token], sources: &Sources, words: &Words, report: &mut Report) {
    let mut open: Vec<Level> = Vec::new();
    let mut run = Run::default();
    let mut formula = Tracker::default();
    // Levels that enclose the ltl block.
    let mut outside = 0;
    for token in tokens {
        if !formula.inside() {
            outside = open.len();
        }
        let ends_formula = formula.inside() && token.is(Word::BRACE_END);
        formula.see(token);
        if ends_formula && !formula.inside() {
            open.truncate(outside + 1);
        }
        if let Some(level) = open.last_mut().filter(|level| level.first.is_none()) {
            level.first = Some(token.text);
        }
        if opens(token.text) {
            let statements = !matches!(token.text, Word::PAREN | Word::BRACKET);
            let start = if statements { Run::default() } else { Run { operand: false, ..run } };
            open.push(Level { token: *token, first: None, start });
            run = start;
        } else if let Some(wanted) = opener(token.text) {
            if formula.inside() && !open.last().is_some_and(|level| level.token.is(wanted)) {
                continue;
            }
            match open.pop() {
                Some(level) if level.token.is(wanted) => run = Run { operand: token.ends_operand(), ..level.start },
                Some(level) if level.is_without_options() => return without_options(level.token, report),
                level => return mismatch(level.map(|level| level.token), token, sources, words, report),
            }
        } else {
            let level = open.last();
            let in_parens = level.is_some_and(|level| matches!(level.token.text, Word::PAREN | Word::BRACKET));
            let start = level.map(|level| level.start).unwrap_or_default();
            if separates(token.text, in_parens || formula.inside()) {
                run = start;
            } else {
                run.step(token, &start, formula.inside());
            }
        }
        if open.len() + run.chain > MAX_NESTING {
            return report.stop(Diagnostic::error(token.span, "this is nested too deeply"));
        }
        if run.operators > MAX_OPERATORS {
            return report.stop(Diagnostic::error(token.span, "this expression is too long"));
        }
    }
    if let Some(level) = open.last() {
        if level.is_without_options() {
            return without_options(level.token, report);
        }
        report.error(level.token.span, format!("this `{}` is not closed", words.text(level.token.text)));
    }
}

/// An open bracket, and what the expression around it had before.
struct Level {
    token: Token,
    /// What stands right behind it.
    first: Option<Word>,
    start: Run,
}

impl Level {
    /// An `if` or a `do` as in other languages, which has no end.
    fn is_without_options(&self) -> bool {
        matches!(self.token.text, Word::IF | Word::DO) && self.first != Some(Word::SEP)
    }
}

fn without_options(token: Token, report: &mut Report) {
    report.error(token.span, if token.is(Word::IF) { advice::IF_HAS_OPTIONS } else { advice::DO_HAS_OPTIONS });
}

/// What the expression has so far that makes its tree deep.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    operators: usize,
    /// Prefix operators, labels and fields in a row.
    chain: usize,
    /// Does an operand stand right before?
    operand: bool,
}

impl Run {
    /// `start` is what there was at the start of the expression.
    fn step(&mut self, token: &Token, start: &Run, in_formula: bool) {
        let temporal = in_formula && token.kind == Kind::Name && token.text.is_temporal();
        let operator = token.kind == Kind::Op && token.text.is_operator() || temporal;
        let link = matches!(token.text, Word::DOT | Word::COLON | Word::REMOTE | Word::AT);
        self.operators += usize::from(operator || link);
        if link || (operator && !self.operand) {
            self.chain += 1;
        } else if operator {
            self.chain = start.chain;
        }
        self.operand = token.ends_operand() && !temporal;
    }
}

/// Does this end an expression?
fn separates(word: Word, in_expression: bool) -> bool {
    matches!(word, Word::SEMI | Word::SEP | Word::COMMA) || (word == Word::ARROW && !in_expression)
}

/// What a closing word closes.
fn opener(word: Word) -> Option<Word> {
    Some(match word {
        Word::PAREN_END => Word::PAREN,
        Word::BRACKET_END => Word::BRACKET,
        Word::BRACE_END => Word::BRACE,
        Word::FI => Word::IF,
        Word::OD => Word::DO,
        _ => return None,
    })
}

fn opens(word: Word) -> bool {
    matches!(word, Word::PAREN | Word::BRACKET | Word::BRACE | Word::IF | Word::DO)
}

fn mismatch(open: Option<Token>, close: &Token, sources: &Sources, words: &Words, report: &mut Report) {
    let text = words.text(close.text);
    match open {
        None => report.error(close.span, format!("this `{text}` closes nothing")),
        Some(open) => {
            let message = format!("this `{}` is not closed", words.text(open.text));
            let help = format!("`{text}` at {} comes first", sources.place(close.span));
            report.say(Diagnostic::error(open.span, message).help(help));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::advice;
    use crate::syntax::flat::tests::{messages, text};

    #[test]
    fn brackets_match() {
        for (model, message) in [
            ("init { (x }", "this `(` is not closed"),
            ("init { if :: x od }", "this `if` is not closed"),
            ("init { x) }", "this `{` is not closed"),
            ("init { x } }", "this `}` closes nothing"),
            ("init { do :: x", "this `do` is not closed"),
            ("init { if (x) { y } }", advice::IF_HAS_OPTIONS),
            ("init { do { y } while (x) }", advice::DO_HAS_OPTIONS),
        ] {
            assert_eq!(messages(model), [message], "{model}");
        }
    }

    #[test]
    fn what_does_not_match_in_a_formula_is_left_to_the_parser() {
        for block in ["ltl p { [] (x }", "ltl { [] x) }", "ltl p { (x] }", "ltl p { x[(1 }", "ltl p { if x }"] {
            let after = text("init { x;\ny = (1) }");
            assert!(text(&format!("{block}\ninit {{ x\ny = (1) }}")).ends_with(&after), "{block}");
        }
        assert_eq!(messages("ltl p { (x }\ninit { (x }"), ["this `(` is not closed"]);
        assert_eq!(messages("ltl p { (x\ninit { x }"), ["this `(` is not closed"]);
    }

    #[test]
    fn deep_text_is_refused() {
        let n = 5_000;
        for (before, after) in [
            ("{", ""),
            ("init { x = (", ""),
            ("if :: ", ""),
            ("do :: ", "od "),
            ("!", "1"),
            ("- ", "1"),
            ("~!", "1"),
            ("x.", "y"),
            ("a:", "skip"),
            ("P@", "x"),
            ("x[", ""),
            ("(!", ""),
        ] {
            let model = format!("init {{ {}{} }}", before.repeat(n), after);
            assert_eq!(messages(&model), ["this is nested too deeply"], "{before}");
        }
        for prefix in ["[]", "<>", "X ", "always ", "! X "] {
            let model = format!("ltl p {{ {} a }}", prefix.repeat(n));
            assert_eq!(messages(&model), ["this is nested too deeply"], "{prefix}");
        }
    }

    #[test]
    fn long_expressions_are_refused() {
        let n = 20_000;
        for model in [
            format!("init {{ x = 1{} }}", " + 1".repeat(n)),
            format!("init {{ x = 1{} }}", " + q?[x,y]".repeat(n)),
            format!("ltl p {{ a{} }}", " -> a".repeat(n)),
            format!("ltl p {{ a{} }}", " U (a && b)".repeat(n)),
        ] {
            assert_eq!(messages(&model), ["this expression is too long"]);
        }
    }

    #[test]
    fn long_texts_that_are_flat_are_fine() {
        let n = 3_000;
        text(&format!("init {{ {} skip }}", "x = y + 1; ".repeat(n)));
        text(&format!("init {{ {} skip }}", "x -> ".repeat(n)));
        text(&format!("init {{ if {} fi }}", ":: (a && b) -> c = 1 ".repeat(n)));
        text(&format!("init {{ printf(\"\"{}) }}", ", a + s.b".repeat(n)));
        text(&format!("init {{ x = 0{} }}", " + (s.a[i] - 1 + s.b)".repeat(900)));
        text(&format!("mtype = {{ {} }}", "a ".repeat(n)));
    }
}
