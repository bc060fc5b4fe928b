//! Inlines: definitions out, calls replaced by their bodies.
//!
//! A call `f(x, y)` becomes `{ body }` with every formal replaced by the tokens of the actual: no parentheses are added,
//! strings are left alone, and even a field with the name of a formal is hit, as in SPIN. `v = f(x)` becomes
//! `{ body }` with `return e` in it becoming `v = e`. Calls inside a body are replaced after its own formals.
//!
//! Differs from SPIN: all formals are replaced at once, so `f(b, a)` may call an inline with formals `a` and `b`;
//! a comma inside brackets does not split an actual; there is no limit on parameters, text or nesting but the common
//! one on growth.
//!
//! Body tokens come out `via` an inline expansion, macros in the body included. An actual keeps its own place, via the
//! formal it replaces, so that a statement made of both is shown in the body.

use super::report::Report;
use super::token::{Gap, Kind, Token};
use super::word::{Word, Words};
use crate::source::{Diagnostic, ExpansionId, ExpansionKind, Sources, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Replaces all inline calls in `tokens`.
pub fn expand(tokens: Vec<Token>, sources: &mut Sources, words: &Words, report: &mut Report) -> Vec<Token> {
    let later = defined_names(&tokens);
    if later.is_empty() && !tokens.iter().any(|token| token.is(Word::RETURN) || token.is(Word::INLINE)) {
        return tokens;
    }
    let out = Vec::with_capacity(tokens.len());
    let base = Frame { tokens, next: 0, call: None };
    let inlines = FxHashMap::default();
    let mut expander = Expander { sources, words, report, inlines, later, frames: vec![base], depth: 0, out };
    while let Some(frame) = expander.frames.last_mut() {
        if expander.report.stopped() {
            break;
        }
        match frame.tokens.get(frame.next).copied() {
            Some(token) => {
                frame.next += 1;
                expander.token(token);
            }
            None => expander.leave(),
        }
    }
    expander.out
}

/// The names of all inlines, also of those defined further down.
fn defined_names(tokens: &[Token]) -> FxHashSet<Word> {
    let pairs = tokens.windows(2).filter(|pair| pair[0].is(Word::INLINE) && pair[1].is_plain_name());
    pairs.map(|pair| pair[1].text).collect()
}

struct Inline {
    formals: FxHashMap<Word, usize>,
    /// With its braces.
    body: Vec<Token>,
}

/// A text that is being read: the file, or the body of an inline with its actuals in place.
struct Frame {
    tokens: Vec<Token>,
    next: usize,
    call: Option<Call>,
}

/// The call a body was read for.
struct Call {
    name: Word,
    /// The variable that takes what `return` gives, and whether anything was given.
    receiver: Option<Vec<Token>>,
    returned: bool,
    /// The call's place, to report.
    span: Span,
}

struct Expander<'a> {
    sources: &'a mut Sources,
    words: &'a Words,
    report: &'a mut Report,
    inlines: FxHashMap<Word, Rc<Inline>>,
    later: FxHashSet<Word>,
    frames: Vec<Frame>,
    /// Open braces of the file.
    depth: usize,
    out: Vec<Token>,
}

impl Expander<'_> {
    fn token(&mut self, token: Token) {
        if token.kind == Kind::Name {
            match token.text {
                Word::INLINE => return self.define(token),
                Word::RETURN => return self.give(token),
                name if self.later.contains(&name) && self.peek(0).is_some_and(|t| t.is(Word::PAREN)) => {
                    return self.call(token);
                }
                _ => {}
            }
        } else if self.frames.len() == 1 {
            match token.text {
                Word::BRACE => self.depth += 1,
                Word::BRACE_END => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        self.out.push(token);
    }

    fn peek(&self, ahead: usize) -> Option<Token> {
        let frame = self.frames.last()?;
        frame.tokens.get(frame.next + ahead).copied()
    }

    fn skip(&mut self, count: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.next += count;
        }
    }

    fn error(&mut self, span: Span, message: String) {
        self.report.error(span, message);
    }

    /// The distance from the next token to behind the bracket that closes the one there.
    fn closed(&self, open: Word, close: Word) -> Option<usize> {
        let frame = self.frames.last()?;
        let mut depth = 0usize;
        for (index, token) in frame.tokens[frame.next..].iter().enumerate() {
            if token.is(open) {
                depth += 1;
            } else if token.is(close) {
                depth -= 1;
                if depth == 0 {
                    return Some(index + 1);
                }
            }
        }
        None
    }

    /// Reads `inline name(a, b) { … }` behind `inline`.
    fn define(&mut self, keyword: Token) {
        if self.frames.len() > 1 || self.depth > 0 {
            self.skip(1);
            return self.error(keyword.span, "an inline is defined outside of all bodies".into());
        }
        let Some(name) = self.peek(0).filter(Token::is_plain_name) else {
            return self.error(keyword.span, "`inline` needs a name".into());
        };
        self.skip(1);
        let text = self.words.text(name.text);
        let Some(formals) = self.formals() else {
            let message = format!("the inline `{text}` needs a list of names in parentheses, without types");
            return self.error(name.span, message);
        };
        if self.peek(0).is_none_or(|t| !t.is(Word::BRACE)) {
            return self.error(name.span, format!("the inline `{text}` needs a body in braces"));
        }
        let Some(length) = self.closed(Word::BRACE, Word::BRACE_END) else {
            let diagnostic = Diagnostic::error(name.span, format!("the body of the inline `{text}` is not closed"));
            return self.report.stop(diagnostic);
        };
        let body = self.frames[0].tokens[self.frames[0].next..][..length].to_vec();
        self.skip(length);
        if self.inlines.contains_key(&name.text) {
            return self.error(name.span, format!("the inline `{text}` is defined twice"));
        }
        self.inlines.insert(name.text, Rc::new(Inline { formals, body }));
    }

    fn formals(&mut self) -> Option<FxHashMap<Word, usize>> {
        let mut formals = FxHashMap::default();
        self.peek(0).filter(|t| t.is(Word::PAREN))?;
        self.skip(1);
        if self.peek(0)?.is(Word::PAREN_END) {
            self.skip(1);
            return Some(formals);
        }
        loop {
            let formal = self.peek(0).filter(Token::is_plain_name)?;
            let separator = self.peek(1)?;
            self.skip(2);
            let index = formals.len();
            if formals.insert(formal.text, index).is_some() {
                self.error(formal.span, "this parameter is there twice".into());
            }
            match separator.text {
                Word::PAREN_END => return Some(formals),
                Word::COMMA => {}
                _ => return None,
            }
        }
    }

    /// Replaces the call at `name`, whose `(` comes next.
    fn call(&mut self, name: Token) {
        let text = self.words.text(name.text);
        let statement = self.out.last().is_none_or(|t| t.is(Word::ASSIGN) || !continues(t));
        let Some(inline) = self.inlines.get(&name.text).cloned() else {
            if statement && self.depth > 0 {
                let message = format!("the inline `{text}` is called before its definition");
                self.report.say(Diagnostic::error(name.span, message).help("move the definition up"));
            }
            return self.out.push(name);
        };
        if !statement {
            self.out.push(name);
            return self.error(name.span, format!("the inline `{text}` is a statement and has no value here"));
        }
        let Some(length) = self.closed(Word::PAREN, Word::PAREN_END) else {
            let diagnostic = Diagnostic::error(name.span, format!("this call of the inline `{text}` is not closed"));
            return self.report.stop(diagnostic);
        };
        let Some(frame) = self.frames.last() else { return };
        let list = frame.tokens[frame.next..][..length].to_vec();
        self.skip(length);
        let close = list.last().map_or(name.span, |close| close.span);
        let span = self.sources.join(name.span, close);
        let receiver = self.receiver();
        let gap = receiver.as_ref().and_then(|r| r.first()).map_or(name.gap, |first| first.gap);
        let actuals = split(&list[1..length - 1]);
        if self.may_enter(name, &inline, &actuals) {
            let call = Call { name: name.text, receiver, returned: false, span };
            self.enter(&inline, call, actuals, gap);
        }
    }

    fn may_enter(&mut self, name: Token, inline: &Inline, actuals: &[&[Token]]) -> bool {
        let text = self.words.text(name.text);
        let (wanted, given) = (inline.formals.len(), actuals.len());
        if self.frames.iter().any(|frame| frame.call.as_ref().is_some_and(|call| call.name == name.text)) {
            self.error(name.span, format!("cyclic inline: `{text}` calls itself"));
        } else if wanted != given {
            let plural = if wanted == 1 { "" } else { "s" };
            self.error(name.span, format!("the inline `{text}` takes {wanted} parameter{plural}, not {given}"));
        } else if actuals.iter().any(|actual| actual.is_empty()) {
            self.error(name.span, format!("a parameter of the inline `{text}` is missing"));
        } else if let Some(nested) = actuals.iter().find_map(|actual| self.nested_call(actual)) {
            let nested_text = self.words.text(nested.text);
            self.error(nested.span, format!("the inline `{nested_text}` is a statement and has no value here"));
        } else {
            return true;
        }
        false
    }

    fn nested_call(&self, actual: &[Token]) -> Option<Token> {
        let mut pairs = actual.windows(2);
        pairs.find(|p| p[1].is(Word::PAREN) && self.inlines.contains_key(&p[0].text)).map(|p| p[0])
    }

    /// Takes `v =` back from the output, if the call stands behind it.
    fn receiver(&mut self) -> Option<Vec<Token>> {
        let assign = self.out.len().checked_sub(1).filter(|&last| self.out[last].is(Word::ASSIGN))?;
        let start = reference_start(&self.out[..assign]);
        let before = start.checked_sub(1).map(|index| self.out[index]);
        let declared = before.is_some_and(|t| {
            (t.text.is_type() || t.is(Word::COMMA) || t.is_plain_name()) && self.out[start].gap < Gap::Break
        });
        if start == assign || declared {
            let message = "an inline can be assigned to a variable, but not initialise a declaration";
            self.error(self.out[assign].span, message.into());
        }
        self.out.pop();
        Some(self.out.split_off(start))
    }

    /// Puts the body with the actuals in place on the stack.
    fn enter(&mut self, inline: &Inline, call: Call, actuals: Vec<&[Token]>, gap: Gap) {
        let body = &inline.body;
        let size = |token: &Token| inline.formals.get(&token.text).map_or(1, |&index| actuals[index].len());
        let total = body.iter().map(size).fold(0, usize::saturating_add);
        self.report.charge(total, self.sources.depth(call.span) + 2, call.span);
        if self.report.stopped() {
            return;
        }
        let via = self.sources.expand(ExpansionKind::Inline, self.words.text(call.name), call.span);
        let mut moved = FxHashMap::default();
        let mut tokens = Vec::with_capacity(total);
        for token in body {
            let span = self.moved(token.span, via, &mut moved);
            let token = Token { span, inlined: true, ..*token };
            match inline.formals.get(&token.text) {
                Some(&index) if token.kind == Kind::Name => {
                    tokens.extend(argument(self.sources, actuals[index], token, self.words));
                }
                _ => tokens.push(token),
            }
        }
        if let Some(open) = tokens.first_mut() {
            open.gap = gap;
        }
        self.frames.push(Frame { tokens, next: 0, call: Some(call) });
    }

    /// The place of body text in this call: expansions inside the body become expansions inside the call.
    fn moved(&mut self, span: Span, via: ExpansionId, moved: &mut FxHashMap<ExpansionId, ExpansionId>) -> Span {
        let mut chain = Vec::new();
        let mut inner = span.via;
        while let Some(id) = inner.filter(|id| !moved.contains_key(id)) {
            chain.push(id);
            inner = self.sources.expansion(id).call.via;
        }
        let mut outer = inner.map_or(via, |id| moved[&id]);
        for id in chain.into_iter().rev() {
            let expansion = self.sources.expansion(id).clone();
            outer = self.sources.expand(expansion.kind, expansion.name, expansion.call.via(outer));
            moved.insert(id, outer);
        }
        span.via(outer)
    }

    fn leave(&mut self) {
        if let Some(Call { receiver: Some(_), returned: false, span, name }) = self.frames.pop().and_then(|f| f.call) {
            let message = format!("the inline `{}` has no `return`: nothing is assigned", self.words.text(name));
            self.report.say(Diagnostic::warning(span, message));
        }
    }

    /// `return e` in the body of an inline: `v = e`.
    fn give(&mut self, keyword: Token) {
        let call = self.frames.last_mut().and_then(|frame| frame.call.as_mut());
        let Some(call) = call else {
            return self.error(keyword.span, "`return` stands only in an inline".into());
        };
        call.returned = true;
        let Some(receiver) = call.receiver.clone() else {
            let message = "this `return` has no variable to assign to: the inline is not called as in `v = f()`";
            return self.error(keyword.span, message.into());
        };
        self.out.extend(argument(self.sources, &receiver, keyword, self.words));
        self.out.push(Token { kind: Kind::Op, text: Word::ASSIGN, gap: Gap::Space, ..keyword });
    }
}

/// The caller's tokens in the place of `formal`, on one line.
fn argument(sources: &mut Sources, actual: &[Token], formal: Token, words: &Words) -> Vec<Token> {
    let via = sources.expand(ExpansionKind::Argument, words.text(formal.text), formal.span);
    let mut tokens = Vec::with_capacity(actual.len());
    for token in actual {
        let span = sources.written(token.span).via(via);
        tokens.push(Token { span, inlined: true, gap: token.gap.min(Gap::Space), ..*token });
    }
    if let Some(first) = tokens.first_mut() {
        first.gap = formal.gap;
    }
    tokens
}

/// The actuals between parentheses.
fn split(list: &[Token]) -> Vec<&[Token]> {
    if list.is_empty() {
        return Vec::new();
    }
    let mut depth = 0usize;
    let outer_comma = |token: &Token| {
        match token.text {
            Word::PAREN | Word::BRACKET | Word::BRACE => depth += 1,
            Word::PAREN_END | Word::BRACKET_END | Word::BRACE_END => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && token.is(Word::COMMA)
    };
    list.split(outer_comma).collect()
}

/// Does an expression go on behind this token, so that an inline cannot be called there?
fn continues(token: &Token) -> bool {
    use Word as W;
    let other = matches!(
        token.text,
        W::PAREN | W::BRACKET | W::COMMA | W::RUN | W::RECEIVE | W::RANDOM_RECEIVE | W::AT | W::DOT | W::PROCTYPE
    );
    token.kind == Kind::Op && token.text.is_operator() && !token.is(W::ARROW) || other
}

/// Where the variable reference at the end of `tokens` starts: `a`, `a[i]`, `s.f[i].g`.
fn reference_start(tokens: &[Token]) -> usize {
    let mut at = tokens.len();
    loop {
        let mut name = at;
        if name > 0 && tokens[name - 1].is(Word::BRACKET_END) {
            let mut depth = 0usize;
            while name > 0 {
                name -= 1;
                depth += usize::from(tokens[name].is(Word::BRACKET_END));
                depth -= usize::from(tokens[name].is(Word::BRACKET));
                if depth == 0 {
                    break;
                }
            }
        }
        if name == 0 || !tokens[name - 1].is_plain_name() {
            return at;
        }
        at = name - 1;
        if at == 0 || !tokens[at - 1].is(Word::DOT) {
            return at;
        }
        at -= 1;
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::flat::tests::{messages, text};

    #[test]
    fn actuals_replace_formals_as_tokens() {
        let model = "inline f(a, b) { a = b*2; s.a = 1; printf(\"a b\"); q!a(b) }\ninit { f(x[1], 1+2) }";
        assert_eq!(
            text(model),
            "init { { x [ 1 ] = 1 + 2 * 2; s . x [ 1 ] = 1; printf ( \"a b\" ); q ! x [ 1 ] ( 1 + 2 ) } }"
        );
    }

    #[test]
    fn formals_are_replaced_at_once() {
        assert_eq!(text("inline f(a, b) { a = b }\ninit { f(b, a) }"), "init { { b = a } }");
        assert_eq!(text("inline f(a) { a = 1 }\ninit { f(run P(x, y)[1]) }"), "init { { run P ( x, y ) [ 1 ] = 1 } }");
    }

    #[test]
    fn calls_inside_bodies() {
        let model = "inline f(a) { g(a, 1); a++ }\ninline g(x, a) { x = a }\ninit { f(z) }";
        assert_eq!(text(model), "init { { { z = 1 }; z ++ } }");
    }

    #[test]
    fn return_assigns() {
        let model = "inline f(a) { if :: a -> return a + 1 :: else -> return 0 fi }\ninit { s.v[i] = f(3); x = f(y)\n}";
        assert_eq!(
            text(model),
            "init { { if :: 3 -> s . v [ i ] = 3 + 1 :: else -> s . v [ i ] = 0 fi }; \
             { if :: y -> x = y + 1 :: else -> x = 0 fi } }"
        );
        let nested = "inline g() { return 5 }\ninline f() { y = g(); return y }\ninit { x = f() }";
        assert_eq!(text(nested), "init { { { y = 5 }; x = y } }");
    }

    #[test]
    fn wrong_uses() {
        for (model, message) in [
            ("inline f() { f() }\ninit { f() }", "cyclic inline: `f` calls itself"),
            ("inline f() { g() }\ninline g() { f() }\ninit { f() }", "cyclic inline: `f` calls itself"),
            ("inline f(a) { a }\ninit { f() }", "the inline `f` takes 1 parameter, not 0"),
            ("inline f() { a }\ninit { f(1) }", "the inline `f` takes 0 parameters, not 1"),
            ("inline f(a, b) { a }\ninit { f(1, ) }", "a parameter of the inline `f` is missing"),
            ("inline f() { a }\ninline f() { b }", "the inline `f` is defined twice"),
            ("inline f(a, a) { a }", "this parameter is there twice"),
            ("inline f(byte a) { a }", "the inline `f` needs a list of names in parentheses, without types"),
            ("inline f(a) b", "the inline `f` needs a body in braces"),
            ("inline f(a) { b", "the body of the inline `f` is not closed"),
            ("inline if() { b }", "`inline` needs a name"),
            ("init { inline f() { b } }", "an inline is defined outside of all bodies"),
            ("inline f(a) { a }\ninit { f(1", "this call of the inline `f` is not closed"),
            ("inline f(a) { a }\ninit { x = 1 + f(1) }", "the inline `f` is a statement and has no value here"),
            ("inline f(a) { a }\ninit { f(f(1)) }", "the inline `f` is a statement and has no value here"),
            (
                "inline f() { return 1 }\ninit { byte x = f() }",
                "an inline can be assigned to a variable, but not initialise a declaration",
            ),
            (
                "inline f() { return 1 }\ninit { f() }",
                "this `return` has no variable to assign to: the inline is not called as in `v = f()`",
            ),
            ("init { return 1 }", "`return` stands only in an inline"),
            ("inline f() { skip }\ninit { x = f() }", "the inline `f` has no `return`: nothing is assigned"),
            ("init { f() }\ninline f() { skip }", "the inline `f` is called before its definition"),
        ] {
            assert_eq!(messages(model), [message], "{model}");
        }
    }

    #[test]
    fn growth_is_limited() {
        let mut model: String = (0..40).map(|i| format!("inline f{i}() {{ f{0}(); f{0}() }}\n", i + 1)).collect();
        model.push_str("inline f40() { skip }\ninit { f0() }");
        assert_eq!(messages(&model), ["the model expands to more than 2000000 tokens"]);
        assert_eq!(messages(&format!("inline f(x) {{ x }}\ninit {{ {}", "f(".repeat(20_000))).len(), 1);
        assert_eq!(messages(&format!("inline f(x) {{ x }}\ninit {{ {}", "f(1; ".repeat(20_000))).len(), 1);
    }
}
