//! Line ends to semicolons.
//!
//! In Promela a line end can separate statements. In the body of a proctype, `init`, claim or `trace` and in a typedef,
//! outside of parentheses and brackets, it does so behind `}` `)` `]` `od` `fi` `else` `break`, a name, a constant, `++`
//! and `--`. Wherever it stands, `}` is separated from what follows, and so is `else`. Here these separators become `;`
//! tokens, after which line ends mean nothing. A `;` that would change nothing is left out: before another separator,
//! `}`, `::`, `fi` and `od`, and behind a body at the top (as spin: spinlex.c, `lex`, `yylex`).
//!
//! Consequently `x = 1 ⏎ + 2` is two statements. The name of a typedef or of a proctype declared above is no place to
//! end a statement, nor is `np_`, nor `timeout` in an inline (SPIN writes `(timeout)` elsewhere).
//!
//! Differs from SPIN, which rejects these: a line end inside `[ ]` is a blank; `unless` may start a line whatever is
//! before it; `}` and a comma may follow one another, as in `chan a = [1] of { byte }, b = …`.

use super::token::{Gap, Kind, Token};
use super::word::Word;
use rustc_hash::FxHashSet;

/// Inserts the separators that line ends, `}` and `else` stand for.
pub fn separate(tokens: Vec<Token>) -> Vec<Token> {
    let mut layout = Layout::default();
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len() + tokens.len() / 8);
    for token in tokens {
        if let Some(last) = out.last().copied()
            && layout.separates(&last, &token)
        {
            let span = crate::source::Span { start: last.span.end, ..last.span };
            out.push(Token { gap: Gap::None, inlined: last.inlined, ..Token::op(Word::SEMI, span) });
        }
        layout.see(&token);
        out.push(token);
    }
    out
}

/// Can a statement end with this token, so that a line end behind it separates?
pub fn ends_line(token: &Token) -> bool {
    match token.kind {
        Kind::Name => match token.text {
            Word::OD | Word::FI | Word::ELSE | Word::BREAK => true,
            Word::TIMEOUT => !token.inlined,
            name => !name.is_keyword(),
        },
        Kind::Number | Kind::Char => true,
        Kind::Op => {
            matches!(token.text, Word::BRACE_END | Word::PAREN_END | Word::BRACKET_END | Word::INCR | Word::DECR)
        }
        _ => false,
    }
}

/// What the outermost braces hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// Statements, or the fields of a typedef.
    Body,
    Formula,
    /// A list of names, types or values.
    List,
}

#[derive(Default)]
struct Layout {
    braces: usize,
    parens: usize,
    brackets: usize,
    /// What the next brace at the top opens.
    announced: Option<Unit>,
    unit: Option<Unit>,
    /// The word before a name that it declares.
    declares: Option<Word>,
    /// A typedef whose body is open.
    typedef: Option<Word>,
    /// Proctypes and typedefs so far.
    known: FxHashSet<Word>,
}

impl Layout {
    fn separates(&self, last: &Token, next: &Token) -> bool {
        use Word as W;
        if matches!(next.text, W::SEMI | W::ARROW | W::BRACE_END | W::SEP | W::FI | W::OD | W::UNLESS) {
            return false;
        }
        if last.is(W::ELSE) {
            return true;
        }
        if last.is(W::BRACE_END) {
            let unit_end = self.braces == 0 && self.unit != Some(Unit::List);
            return !unit_end && !matches!(next.text, W::PROCTYPE | W::INIT | W::NEVER | W::COMMA);
        }
        let in_body = self.braces > 0 && self.unit == Some(Unit::Body) && self.parens == 0 && self.brackets == 0;
        in_body && next.gap >= Gap::Break && ends_line(last) && !self.known.contains(&last.text)
    }

    fn see(&mut self, token: &Token) {
        match token.kind {
            Kind::Name => self.see_name(token.text),
            Kind::Op => self.see_bracket(token.text),
            _ => {}
        }
    }

    fn see_name(&mut self, name: Word) {
        match self.declares.take() {
            Some(Word::TYPEDEF) => self.typedef = Some(name),
            Some(_) => _ = self.known.insert(name),
            None => {}
        }
        if matches!(name, Word::PROCTYPE | Word::D_PROCTYPE | Word::TYPEDEF) {
            self.declares = Some(name);
        }
        if self.braces == 0 {
            match name {
                Word::PROCTYPE | Word::D_PROCTYPE | Word::TYPEDEF => self.announced = Some(Unit::Body),
                Word::INIT | Word::NEVER | Word::TRACE | Word::NOTRACE => self.announced = Some(Unit::Body),
                Word::LTL => self.announced = Some(Unit::Formula),
                _ => {}
            }
        }
    }

    fn see_bracket(&mut self, bracket: Word) {
        match bracket {
            Word::PAREN => self.parens += 1,
            Word::PAREN_END => self.parens = self.parens.saturating_sub(1),
            Word::BRACKET => self.brackets += 1,
            Word::BRACKET_END => self.brackets = self.brackets.saturating_sub(1),
            Word::BRACE => {
                if self.braces == 0 {
                    self.unit = self.announced.take().or(Some(Unit::List));
                }
                self.braces += 1;
            }
            Word::BRACE_END => {
                self.braces = self.braces.saturating_sub(1);
                if self.braces == 0 {
                    self.known.extend(self.typedef.take());
                    // what is left open in a formula is open nowhere else
                    (self.parens, self.brackets) = (0, 0);
                }
            }
            Word::SEMI if self.braces == 0 && self.parens == 0 => self.announced = None,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::flat::tests::text;

    fn same(model: &str, written: &str) {
        assert_eq!(text(model), text(written), "{model}");
    }

    #[test]
    fn line_ends_separate_statements() {
        same(
            "init {\n int x\n x = 1\n x++\n a[1] = (x)\n a[x]\n c!x\n skip }",
            "init { int x; x = 1; x++; a[1] = (x); a[x]; c!x; skip }",
        );
        same(
            "init { if\n:: x\n:: else\nfi\ndo\n:: break\n:: 'a'\nod\nx }",
            "init { if :: x :: else fi; do :: break :: 'a' od; x }",
        );
        same("init {\n x = 1 +\n 2\n y = (a\n && b) ->\n z\n}", "init { x = 1 + 2; y = (a && b) -> z }");
        assert_eq!(text("init { x = 1\n + 2 }"), "init { x = 1; + 2 }");
        assert_eq!(text("init { x /* a\n */ y }"), "init { x; y }");
        assert_eq!(text("init { x \\\n y }"), "init { x y }");
    }

    #[test]
    fn only_in_bodies() {
        assert_eq!(
            text("byte x\nbyte y\nmtype = { a\n b }\n;proctype\nP\n(byte a\n)\n{ skip }"),
            "byte x byte y mtype = { a b }; proctype P ( byte a ) { skip }"
        );
        same("typedef T {\n byte a\n byte b[2]\n}\nT t;", "typedef T { byte a; byte b[2] } T t;");
        same("never\n{\n a\n b }\ntrace {\n c!x\n d!y }", "never { a; b } trace { c!x; d!y }");
        same("ltl p {\n [] (a\n) }\nltl\n{ b }", "ltl p { [] (a) } ltl { b }");
    }

    #[test]
    fn not_before_another_separator() {
        same("init { a\n -> b\n ; c\n }", "init { a -> b ; c }");
        same("init { a; ; b -> -> c;\n}", "init { a; ; b -> -> c; }");
        same("init { { a }\n unless { b } }", "init { { a } unless { b } }");
        same("init { do :: a od\n unless { b } }", "init { do :: a od unless { b } }");
        same("init { { a }\n up = 1 }", "init { { a }; up = 1 }");
    }

    #[test]
    fn braces_and_else_separate_by_themselves() {
        same("init { atomic { a } x = 2 }", "init { atomic { a } ; x = 2 }");
        same("init { if :: a -> { b } :: { c } fi }", "init { if :: a -> { b } :: { c } fi }");
        same("init { if :: else a :: else -> b :: else fi }", "init { if :: else; a :: else -> b :: else fi }");
        assert_eq!(text("init { if :: a fi x = 2 }"), "init { if :: a fi x = 2 }");
        same(
            "chan c = [1] of { byte } byte x; chan a = [1] of { byte }, b = [1] of { byte };",
            "chan c = [1] of { byte }; byte x; chan a = [1] of { byte }, b = [1] of { byte };",
        );
        same(
            "init { a } active proctype P() { b } ltl p { c } never { d }",
            "init { a }\nactive proctype P() { b }\nltl p { c }\nnever { d }",
        );
    }

    #[test]
    fn names_that_end_no_statement() {
        same(
            "typedef T { byte a }\nproctype P() {\n T\n t\n run P\n () }",
            "typedef T { byte a } proctype P() { T t; run P () }",
        );
        same("never { np_\n && a }", "never { np_ && a }");
        same("init { timeout\n a }", "init { timeout; a }");
        assert_eq!(text("inline f() { timeout\n a }\ninit { f() }"), "init { { timeout a } }");
        same("init { a[1\n] = 2\n b }", "init { a[1] = 2; b }");
    }

    #[test]
    fn macros_keep_the_line_ends_around_them() {
        same("#define E\n#define A a\n#define F(x) x\ninit { x\nE y\nA\nF(1\n)\nF(2) z }", "init { x; y; a; 1; 2 z }");
        assert_eq!(text("#define M(p) p\ninit { M(x\n y) }"), "init { x y }");
    }

    #[test]
    fn inlines_end_like_braces() {
        same(
            "inline f(x) {\n x = 1\n g(x)\n}\ninit { a\n f(b) c\n f(d)\n e }",
            "inline f(x) { x = 1; g(x) }\ninit { a; f(b); c; f(d); e }",
        );
    }
}
