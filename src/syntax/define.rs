//! Macros: what `#define` says, and the replacement of one call.
//!
//! A body is taken apart when it is read, so that a call only copies: a [`Part`] is a token, a parameter or a `#`
//! parameter, and knows whether `##` glues it to the next. Expansion order, painting and rescanning are `expand`'s.

use super::report::Report;
use super::token::{Gap, Kind, Token, lex_one};
use super::word::{Word, Words};
use crate::source::{Diagnostic, ExpansionId, Span};
use std::cell::Cell;

/// Bytes of a token that `#` or `##` made: both can double a text with every level of macros.
const MAX_TEXT: usize = 65_536;

#[derive(Debug)]
pub struct Macro {
    pub name: Word,
    pub span: Span,
    /// `None` for a macro without parentheses.
    pub params: Option<Vec<Word>>,
    /// The last parameter takes all remaining arguments.
    pub variadic: bool,
    parts: Vec<Part>,
    /// Its expansion is being read: its name is not expanded again.
    pub busy: Cell<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Text,
    Param(usize),
    /// `#param`
    Quote(usize),
}

#[derive(Clone, Copy, Debug)]
struct Part {
    what: What,
    token: Token,
    /// `##` follows.
    glued: bool,
}

/// An argument of a call.
#[derive(Clone, Debug, Default)]
pub struct Arg {
    pub raw: Vec<Token>,
    /// `raw` after expansion; only filled where [`Macro::expands`] asks for it.
    pub expanded: Vec<Token>,
    /// A variadic argument that is not there at all, not even empty.
    pub omitted: bool,
}

impl Macro {
    /// Reads the line behind `#define`; `directive` is the place to blame for a missing name.
    pub fn read(line: &[Token], directive: Span) -> Result<Macro, Diagnostic> {
        let Some((name, rest)) = line.split_first() else {
            return Err(Diagnostic::error(directive, "#define needs a name"));
        };
        if name.kind != Kind::Name || name.is(Word::DEFINED) {
            return Err(Diagnostic::error(name.span, "#define needs a name that may be defined"));
        }
        let (params, variadic, body) = match rest.first() {
            Some(paren) if paren.is(Word::PAREN) && paren.gap == Gap::None => {
                let (params, variadic, body) = read_params(&rest[1..], paren.span)?;
                (Some(params), variadic, body)
            }
            _ => (None, false, rest),
        };
        let parts = read_parts(body, params.as_deref())?;
        Ok(Macro { name: name.text, span: name.span, params, variadic, parts, busy: Cell::new(false) })
    }

    /// Do two definitions say the same?
    pub fn same(&self, other: &Macro) -> bool {
        let key = |p: &Part| (p.what, p.token.text, p.glued, p.token.gap == Gap::None);
        (&self.params, self.variadic) == (&other.params, other.variadic)
            && self.parts.iter().map(key).eq(other.parts.iter().map(key))
    }

    /// How many tokens the replacement of a call has at most.
    pub fn size(&self, args: &[Arg]) -> usize {
        let size = |part: &Part| match part.what {
            What::Param(param) => args[param].raw.len().max(args[param].expanded.len()),
            _ => 1,
        };
        self.parts.iter().map(size).fold(0, usize::saturating_add)
    }

    fn glued_before(&self, index: usize) -> bool {
        index > 0 && self.parts[index - 1].glued
    }

    /// Does the body use this parameter other than with `#` and `##`?
    pub fn expands(&self, param: usize) -> bool {
        (0..self.parts.len())
            .any(|i| self.parts[i].what == What::Param(param) && !self.parts[i].glued && !self.glued_before(i))
    }

    /// The replacement of one call, before it is scanned again. The body's tokens come out `via` the expansion, the
    /// arguments' tokens as they are.
    pub fn replace(&self, args: &[Arg], via: ExpansionId, words: &mut Words, report: &mut Report) -> Vec<Token> {
        let mut out: Vec<Token> = Vec::with_capacity(self.parts.len());
        // Whether the last token of `out` is the left side of the `##` before the current part.
        let mut left = false;
        for (index, part) in self.parts.iter().enumerate() {
            let token = Token { span: part.token.span.via(via), ..part.token };
            let glued = self.glued_before(index);
            if part.what == What::Text && !glued {
                out.push(token);
                left = true;
                continue;
            }
            let piece = self.piece(index, token, args, words, report);
            let comma = glued && self.is_comma_before_rest(index);
            if comma && args.last().is_some_and(|arg| arg.omitted) {
                out.pop();
            } else if glued && left && !comma && !piece.is_empty() {
                glue(&mut out, &piece, token.span, words, report);
            } else {
                left = !piece.is_empty() || (glued && left && !comma);
                out.extend(piece);
            }
        }
        out
    }

    /// `, ## __VA_ARGS__`: gcc's way to drop the comma when there are no more arguments.
    fn is_comma_before_rest(&self, index: usize) -> bool {
        let last = self.params.as_ref().map_or(0, |p| p.len().wrapping_sub(1));
        self.variadic && self.parts[index].what == What::Param(last) && self.parts[index - 1].token.is(Word::COMMA)
    }

    fn piece(&self, index: usize, token: Token, args: &[Arg], words: &mut Words, report: &mut Report) -> Vec<Token> {
        let part = &self.parts[index];
        match part.what {
            What::Text => vec![token],
            What::Quote(param) => {
                let mut text = quote(&args[param].raw, words);
                if text.len() > MAX_TEXT {
                    report.error(token.span, "`#` makes a string that is too long");
                    text = "\"\"".into();
                }
                vec![Token { kind: Kind::Str, text: words.intern(&text), ..token }]
            }
            What::Param(param) => {
                let raw = part.glued || self.glued_before(index);
                let mut piece = if raw { args[param].raw.clone() } else { args[param].expanded.clone() };
                if let Some(first) = piece.first_mut() {
                    first.gap = token.gap;
                }
                piece
            }
        }
    }
}

/// The parameters behind `(`, whether the last takes the rest, and the body.
fn read_params(line: &[Token], paren: Span) -> Result<(Vec<Word>, bool, &[Token]), Diagnostic> {
    let mut params = Vec::new();
    let mut at = 0;
    if line.first().is_some_and(|t| t.is(Word::PAREN_END)) {
        return Ok((params, false, &line[1..]));
    }
    loop {
        let bad = || Diagnostic::error(line.get(at).map_or(paren, |t| t.span), "bad parameter list of a macro");
        let token = line.get(at).ok_or_else(bad)?;
        let mut name = token.text;
        if token.kind == Kind::Name {
            at += 1;
        } else {
            name = Word::VA_ARGS;
        }
        if params.contains(&name) {
            return Err(Diagnostic::error(token.span, "this parameter of the macro is there twice"));
        }
        params.push(name);
        // `...` is read as `..` and `.`
        let rest =
            line.get(at).is_some_and(|t| t.is(Word::DOTDOT)) && line.get(at + 1).is_some_and(|t| t.is(Word::DOT));
        at += if rest { 2 } else { 0 };
        match line.get(at) {
            Some(end) if end.is(Word::PAREN_END) && (rest || token.kind == Kind::Name) => {
                return Ok((params, rest, &line[at + 1..]));
            }
            Some(comma) if comma.is(Word::COMMA) && !rest && token.kind == Kind::Name => at += 1,
            _ => {
                return Err(Diagnostic::error(line.get(at).map_or(paren, |t| t.span), "bad parameter list of a macro"));
            }
        }
    }
}

fn read_parts(body: &[Token], params: Option<&[Word]>) -> Result<Vec<Part>, Diagnostic> {
    let find = |token: &Token| params.and_then(|p| p.iter().position(|&name| name == token.text));
    let mut parts: Vec<Part> = Vec::with_capacity(body.len());
    let mut at = 0;
    while let Some(&token) = body.get(at) {
        at += 1;
        if token.is(Word::PASTE) {
            match parts.last_mut() {
                Some(left) if at < body.len() => left.glued = true,
                _ => return Err(Diagnostic::error(token.span, "`##` stands between two tokens")),
            }
        } else if token.is(Word::HASH) && params.is_some() {
            let Some(param) = body.get(at).and_then(&find) else {
                return Err(Diagnostic::error(token.span, "`#` stands before a parameter of the macro"));
            };
            let span = token.span.to(body[at].span);
            parts.push(Part { what: What::Quote(param), token: Token { span, ..token }, glued: false });
            at += 1;
        } else {
            let what = find(&token).map_or(What::Text, What::Param);
            parts.push(Part { what, token, glued: false });
        }
    }
    // A line end inside a comment of the body is no line end of the model.
    for part in &mut parts {
        part.token.gap = part.token.gap.min(Gap::Space);
    }
    Ok(parts)
}

/// Pastes the first token of `right` onto the last of `out`; the others follow.
fn glue(out: &mut Vec<Token>, right: &[Token], at: Span, words: &mut Words, report: &mut Report) {
    let (Some(left), Some((first, rest))) = (out.last_mut(), right.split_first()) else { return };
    let text = format!("{}{}", words.text(left.text), words.text(first.text));
    match lex_one(&text) {
        Some(kind) if text.len() <= MAX_TEXT => {
            let span = if left.span.via == at.via { left.span.to(at) } else { at };
            *left = Token { kind, text: words.intern(&text), painted: false, span, ..*left };
            out.extend_from_slice(rest);
        }
        Some(_) => report.error(at, "`##` makes a token that is too long"),
        None => {
            let (left, first) = (words.text(left.text), words.text(first.text));
            report.error(at, format!("`##` makes no token of `{left}` and `{first}`"));
        }
    }
}

/// `#param`: the argument as a string.
fn quote(arg: &[Token], words: &Words) -> String {
    let mut text = String::from("\"");
    for (index, token) in arg.iter().enumerate() {
        if index > 0 && token.gap != Gap::None {
            text.push(' ');
        }
        for c in words.text(token.text).chars() {
            if matches!(token.kind, Kind::Str | Kind::Char) && matches!(c, '"' | '\\') {
                text.push('\\');
            }
            text.push(c);
        }
    }
    text.push('"');
    text
}
