//! The text of `ltl` blocks.
//!
//! Inside `ltl name { … }` the tokens `[` `]` become `[]`, `<` `>` become `<>`, and `!!` is two negations. A macro is one
//! operand there: its expansion is put in parentheses where that can matter. This differs from SPIN on purpose: with
//! `#define busy level == 1`, SPIN reads `[]<> busy` as `([]<> level) == 1`, which says nothing about `busy`.
//!
//! An expansion is left bare unless it is a complete operand (it starts and ends like one and has no loose brackets or
//! commas) with an operator of its own, and unless it is part of a larger name, as `P0` in `P0@critical` or `P0:x`.
//!
//! The letters `G`, `F`, `R` and `M`, and words of such letters (`GF`), are operators as for `swarmgp ltl`, unless the
//! model has such a name: unless they occur outside of ltl blocks, too.

use super::token::{Gap, Kind, Token};
use super::word::{Word, Words};
use crate::source::Span;
use ltl::expr::Unary;
use rustc_hash::FxHashSet;

/// Tells whether a token stream is inside an `ltl` block.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tracker {
    state: State,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Outside,
    Keyword,
    Name,
    Inside(usize),
}

impl Tracker {
    pub fn see(&mut self, token: &Token) {
        if matches!(token.kind, Kind::Open | Kind::Close) {
            return;
        }
        self.state = match (self.state, token.text) {
            (State::Inside(depth), Word::BRACE) => State::Inside(depth + 1),
            (State::Inside(1), Word::BRACE_END) => State::Outside,
            (State::Inside(depth), Word::BRACE_END) => State::Inside(depth - 1),
            (State::Inside(depth), _) => State::Inside(depth),
            (_, Word::LTL) => State::Keyword,
            (State::Keyword | State::Name, Word::BRACE) => State::Inside(1),
            (State::Keyword, _) if token.is_plain_name() => State::Name,
            _ => State::Outside,
        };
    }

    pub fn inside(&self) -> bool {
        matches!(self.state, State::Inside(_))
    }
}

/// Rewrites the `ltl` blocks; the marks around expansions are gone afterwards.
pub fn rewrite(tokens: Vec<Token>, words: &Words) -> Vec<Token> {
    if !tokens.iter().any(|token| token.is(Word::LTL)) {
        return tokens;
    }
    let names = names_outside(&tokens);
    let proctypes: FxHashSet<Word> = proctypes(&tokens).collect();
    let mut tracker = Tracker::default();
    let mut out = Vec::with_capacity(tokens.len());
    let mut block = Vec::new();
    for token in tokens {
        tracker.see(&token);
        if tracker.inside() {
            match letters(&token, &names, words).filter(|_| !names_a_part(&block, &proctypes)) {
                Some(operators) => block.extend(operators),
                None => block.push(token),
            }
            continue;
        }
        enclose(&join(std::mem::take(&mut block)), &mut out);
        if !matches!(token.kind, Kind::Open | Kind::Close) {
            out.push(token);
        }
    }
    enclose(&join(block), &mut out);
    out
}

/// The names that occur outside of ltl blocks. The name of a block is none of them: formulas cannot refer to it.
fn names_outside(tokens: &[Token]) -> FxHashSet<Word> {
    let mut tracker = Tracker::default();
    let mut names = FxHashSet::default();
    for token in tokens {
        tracker.see(token);
        if matches!(tracker.state, State::Outside) && token.kind == Kind::Name {
            names.insert(token.text);
        }
    }
    names
}

/// The names of all proctypes.
pub fn proctypes(tokens: &[Token]) -> impl Iterator<Item = Word> + '_ {
    let pairs = tokens.windows(2).filter(|pair| matches!(pair[0].text, Word::PROCTYPE | Word::D_PROCTYPE));
    pairs.map(|pair| pair[1].text)
}

/// What follows is the name of a field, a label or a variable of a process, as in `s.G` and `P[1]:G`.
fn names_a_part(before: &[Token], proctypes: &FxHashSet<Word>) -> bool {
    let mut back = before.iter().rev().filter(|token| !matches!(token.kind, Kind::Open | Kind::Close));
    match back.next().map(|token| token.text) {
        Some(Word::DOT | Word::AT) => true,
        Some(Word::COLON) => {
            let mut depth = 0usize;
            let mut outside = back.skip_while(|token| {
                depth += usize::from(token.is(Word::BRACKET_END));
                let inside = depth > 0;
                depth -= usize::from(token.is(Word::BRACKET));
                inside
            });
            outside.next().is_some_and(|token| proctypes.contains(&token.text))
        }
        _ => false,
    }
}

/// The operators that a word stands for, if it is no name of the model and consists of their letters alone: with an atom
/// behind them, as in `Fp`, it is rather a name that was mistyped.
fn letters(token: &Token, names: &FxHashSet<Word>, words: &Words) -> Option<Vec<Token>> {
    if token.kind != Kind::Name || token.text.is_temporal() || names.contains(&token.text) {
        return None;
    }
    let infix = |text| Some(vec![Token { text, ..*token }]);
    let text = words.text(token.text).to_string();
    match text.as_str() {
        "R" => return infix(Word::V),
        "M" => return infix(Word::STRONG_RELEASE),
        _ => {}
    }
    let (operators, _) = ltl::parse::split_letters(&text).filter(|&(_, atom)| atom == 0)?;
    let part = |start: usize, end: usize| {
        let gap = if start == 0 { token.gap } else { Gap::None };
        Token { gap, span: within(token.span, text.len(), start, end), ..*token }
    };
    let prefix = |(at, operator): (usize, &Unary)| match operator {
        Unary::Always => Token { kind: Kind::Op, text: Word::BOX, ..part(at, at + 1) },
        Unary::Eventually => Token { kind: Kind::Op, text: Word::DIAMOND, ..part(at, at + 1) },
        Unary::Next | Unary::Not => Token { text: Word::X, ..part(at, at + 1) },
    };
    Some(operators.iter().enumerate().map(prefix).collect())
}

/// A part of a token's text in the source, if the source has the text as it is.
fn within(span: Span, length: usize, start: usize, end: usize) -> Span {
    if (span.end - span.start) as usize != length {
        return span;
    }
    Span { start: span.start + start as u32, end: span.start + end as u32, ..span }
}

/// Makes `[]`, `<>` and single negations.
fn join(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let joined = match (out.last().map(|last| last.text), token.text) {
            (Some(Word::BRACKET), Word::BRACKET_END) => Some(Word::BOX),
            (Some(Word::LT), Word::GT) => Some(Word::DIAMOND),
            _ => None,
        };
        match (joined, out.last_mut()) {
            (Some(text), Some(last)) => *last = Token { text, span: last.span.to(token.span), ..*last },
            _ if token.is(Word::SORTED_SEND) => {
                let middle = (token.span.start + 1).min(token.span.end);
                out.push(Token { text: Word::SEND, span: Span { end: middle, ..token.span }, ..token });
                let span = Span { start: middle, ..token.span };
                out.push(Token { text: Word::SEND, span, gap: Gap::None, ..token });
            }
            _ => out.push(token),
        }
    }
    out
}

/// Copies a block to `out`, with parentheses around the expansions that need them and without the marks.
fn enclose(tokens: &[Token], out: &mut Vec<Token>) {
    // How many parentheses to put before and behind each token.
    let mut before = vec![0u32; tokens.len()];
    let mut behind = vec![0u32; tokens.len()];
    let mut open = Vec::new();
    let mut last = None;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open => open.push(index),
            // A call may have taken its `(` from behind the end of another expansion: such pairs are no operand.
            Kind::Close => {
                let pair = open.iter().rposition(|&o: &usize| tokens[o].span.via == token.span.via);
                let whole = pair.is_some_and(|at| at + 1 == open.len());
                let start = pair.map(|at| open.drain(at..).next());
                let found = start.flatten().filter(|_| whole).and_then(|start| operand(tokens, start, index));
                // The same tokens may be the whole expansion of several macros.
                if let Some((first, end)) = found.filter(|_| found != last) {
                    before[first] += 1;
                    behind[end] += 1;
                    last = found;
                }
            }
            _ => {}
        }
    }
    for (index, token) in tokens.iter().enumerate() {
        if matches!(token.kind, Kind::Open | Kind::Close) {
            continue;
        }
        let at = |place: u32| Span { start: place, end: place, ..token.span };
        for _ in 0..before[index] {
            out.push(Token { gap: token.gap, ..Token::op(Word::PAREN, at(token.span.start)) });
        }
        out.push(*token);
        for _ in 0..behind[index] {
            out.push(Token::op(Word::PAREN_END, at(token.span.end)));
        }
    }
}

/// The first and last token between two marks, if they are an operand that needs parentheses.
fn operand(tokens: &[Token], open: usize, close: usize) -> Option<(usize, usize)> {
    let real = |&index: &usize| !matches!(tokens[index].kind, Kind::Open | Kind::Close);
    let first = (open..close).find(real)?;
    let last = (open..close).rev().find(real)?;
    let previous = (0..open).rev().find(real).map(|index| tokens[index].text);
    let next = (close..tokens.len()).find(real).map(|index| tokens[index].text);
    let part_of_name = matches!(previous, Some(Word::DOT | Word::AT | Word::COLON))
        || matches!(next, Some(Word::DOT | Word::AT | Word::COLON | Word::BRACKET | Word::PAREN));
    let inner = tokens[first..=last].iter().filter(|t| !matches!(t.kind, Kind::Open | Kind::Close));
    (!part_of_name && starts_operand(&tokens[first]) && ends_operand(&tokens[last]) && has_operator(inner))
        .then_some((first, last))
}

fn starts_operand(token: &Token) -> bool {
    match token.kind {
        Kind::Name => !token.text.is_temporal() || token.text.is_temporal_prefix(),
        Kind::Op => {
            matches!(token.text, Word::PAREN | Word::SEND | Word::TILDE | Word::MINUS | Word::BOX | Word::DIAMOND)
        }
        _ => true,
    }
}

fn ends_operand(token: &Token) -> bool {
    token.ends_operand() && !(token.kind == Kind::Name && token.text.is_temporal())
}

/// Is there an operator outside of all brackets, with the brackets in balance? A negative number has none.
fn has_operator<'a>(tokens: impl Iterator<Item = &'a Token>) -> bool {
    let mut depth = 0usize;
    let (mut count, mut operators, mut sign, mut number) = (0, 0, false, false);
    for token in tokens {
        count += 1;
        match token.text {
            Word::PAREN | Word::BRACKET | Word::BRACE => depth += 1,
            Word::PAREN_END | Word::BRACKET_END | Word::BRACE_END if depth == 0 => return false,
            Word::PAREN_END | Word::BRACKET_END | Word::BRACE_END => depth -= 1,
            Word::COMMA | Word::SEMI if depth == 0 => return false,
            text if depth == 0 => {
                operators += usize::from(text.is_operator() || (token.kind == Kind::Name && text.is_temporal()));
            }
            _ => {}
        }
        sign |= count == 1 && token.is(Word::MINUS);
        number |= count == 2 && token.kind == Kind::Number;
    }
    depth == 0 && operators > 0 && !(count == 2 && sign && number)
}

#[cfg(test)]
mod tests {
    use crate::syntax::flat::tests::text;

    #[test]
    fn temporal_operators_are_words_of_their_own() {
        assert_eq!(text("ltl p { []<>!!a -> (b <-> [ ] c) }"), "ltl p { [] <> ! ! a -> ( b <-> [] c ) }");
        assert_eq!(text("init { c?<x>; a[i] = !!b }"), "init { c ? < x >; a [ i ] = !! b }");
    }

    #[test]
    fn a_macro_is_one_operand() {
        let model = "#define busy level == 1\n#define idle !busy\n#define both(a, b) a && b\n\
                     ltl p { []<> busy -> <> idle U both(busy, x) }";
        assert_eq!(text(model), "ltl p { [] <> ( level == 1 ) -> <> ( ! ( level == 1 ) ) U ( ( level == 1 ) && x ) }");
    }

    #[test]
    fn parentheses_only_where_they_matter() {
        for (body, use_, expected) in [
            ("x", "M", "x"),
            ("(x == 1)", "M", "( x == 1 )"),
            ("(x) == (1)", "M", "( ( x ) == ( 1 ) )"),
            ("s.f[1]", "len(M)", "len ( s . f [ 1 ] )"),
            ("-1", "x == M", "x == - 1"),
            ("- x", "a + M", "a + ( - x )"),
            ("q?[x]", "<> M", "<> q ? [ x ]"),
            ("[]<>", "M x", "[] <> x"),
            ("->", "a M b", "a -> b"),
            ("&& b", "a M", "a && b"),
            ("a ||", "M b", "a || b"),
            ("a U", "M b", "a U b"),
            ("P[1]", "M@L", "P [ 1 ] @ L"),
            ("a + 1", "b[M]", "b [ ( a + 1 ) ]"),
            ("a) && (b", "(M)", "( a ) && ( b )"),
            ("1, 2 + x", "q?[M]", "q ? [ 1, 2 + x ]"),
            ("N", "M", "( x + 1 )"),
        ] {
            let model = format!("#define N x + 1\n#define M {body}\nltl p {{ {use_} }}");
            assert_eq!(text(&model), format!("ltl p {{ {expected} }}"), "{body}");
        }
    }

    #[test]
    fn letters_are_operators_where_they_are_no_names() {
        assert_eq!(text("ltl G { G (a -> F b) }"), "ltl G { [] ( a -> <> b ) }");
        assert_eq!(
            text("ltl { (a R b) && (a M b) && GF p0 && XX q }"),
            "ltl { ( a V b ) && ( a \\M b ) && [] <> p0 && X X q }"
        );
        assert_eq!(text("bool G, M;\nltl { [] G -> F M && Gate }"), "bool G, M; ltl { [] G -> <> M && Gate }");
        assert_eq!(text("#define F x > 1\nltl { G F }"), "ltl { [] ( x > 1 ) }");
    }

    #[test]
    fn letters_with_an_atom_are_a_name() {
        assert_eq!(text("bool p, x;\nltl { Gp && Fx && GFp && Xp0 }"), "bool p, x; ltl { Gp && Fx && GFp && Xp0 }");
    }

    #[test]
    fn letters_behind_a_dot_an_at_or_the_colon_of_a_process_are_names() {
        let model = "proctype P() { skip }\nltl { s.G && P@F && P:G && P[a[1]]:M && (c -> a : F p) }";
        let expected =
            "proctype P ( ) { skip } ltl { s . G && P @ F && P @: G && P [ a [ 1 ] ] @: M && ( c -> a : <> p ) }";
        assert_eq!(text(model), expected);
    }

    #[test]
    fn calls_across_expansions() {
        let model = "#define f(a) a == 1\n#define g f\n#define h f(x\nltl p { g(y) && h) && f }";
        assert_eq!(text(model), "ltl p { ( y == 1 ) && ( x == 1 ) && f }");
    }

    #[test]
    fn outside_of_formulas_macros_are_text() {
        assert_eq!(
            text("#define M a + b\ninit { x = M * 2 }\nltl p { M }\ninit { M }"),
            "init { x = a + b * 2 } ltl p { ( a + b ) } init { a + b }"
        );
    }
}
