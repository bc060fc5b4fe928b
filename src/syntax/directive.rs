//! Lines that start with `#`.

use super::condition;
use super::define::Macro;
use super::preprocess::{Group, Preprocessor};
use super::token::{Gap, Kind, Token};
use super::word::Word;
use crate::source::{Diagnostic, Span};
use std::rc::Rc;

impl Preprocessor<'_> {
    /// Obeys the directive whose `#` stands at `hash` and was just read.
    pub(super) fn directive(&mut self, hash: Span) {
        let Some(line) = self.rest_of_line() else { return };
        let Some((&first, rest)) = line.split_first() else { return };
        let span = hash.to(first.span);
        if first.kind == Kind::Name && self.conditional(first.text, rest, span) {
            return;
        }
        if self.files.last().is_none_or(|open| open.skipping()) {
            return;
        }
        match (first.kind, first.text) {
            (Kind::Number, _) => self.line_marker(&line, span),
            (_, Word::DEFINE) => self.define(rest, span),
            (_, Word::UNDEF) => self.undefine(rest, span),
            (_, Word::INCLUDE) => self.include_line(rest, span),
            (_, Word::LINE_DIRECTIVE) => {
                let line = self.expand_list(rest.to_vec());
                self.line_marker(&line, span);
            }
            (_, Word::ERROR) => {
                let text = self.written(rest);
                self.error(span, format!("#error {text}"));
            }
            (_, Word::WARNING) => {
                let text = self.written(rest);
                self.say(Diagnostic::warning(span, format!("#warning {text}")));
            }
            (_, Word::PRAGMA | Word::IDENT) => {}
            _ => {
                let name = self.words.text(first.text);
                self.error(span, format!("unknown directive `#{name}`"));
            }
        }
    }

    /// Takes the tokens up to the end of the line.
    fn rest_of_line(&mut self) -> Option<Vec<Token>> {
        let open = self.files.last_mut()?;
        let rest = &open.tokens[open.next..];
        let length = rest.iter().position(Token::starts_line).unwrap_or(rest.len());
        let line = rest[..length].to_vec();
        open.next += length;
        Some(line)
    }

    /// The text of a line as it stands in the file.
    fn written(&self, line: &[Token]) -> String {
        match (line.first(), line.last()) {
            (Some(first), Some(last)) => self.sources.text(first.span.to(last.span)).to_string(),
            _ => String::new(),
        }
    }

    /// Obeys `#if` and its kin, also in skipped groups.
    fn conditional(&mut self, directive: Word, line: &[Token], span: Span) -> bool {
        match directive {
            Word::IF | Word::IFDEF | Word::IFNDEF => {
                let around = self.files.last().is_some_and(|open| !open.skipping());
                let active = around && self.condition(directive, line, span);
                let group = Group { span, active, taken: active, around, in_else: false };
                if let Some(open) = self.files.last_mut() {
                    open.groups.push(group);
                }
            }
            Word::ELIF | Word::ELSE => self.next_branch(directive, line, span),
            Word::ENDIF => {
                if self.files.last_mut().is_some_and(|open| open.groups.pop().is_none()) {
                    self.error(span, "#endif without #if");
                }
            }
            _ => return false,
        }
        true
    }

    fn next_branch(&mut self, directive: Word, line: &[Token], span: Span) {
        let name = self.words.text(directive).to_string();
        let group = self.files.last().and_then(|open| open.groups.last());
        let Some(&Group { taken, around, in_else, .. }) = group else {
            return self.error(span, format!("#{name} without #if"));
        };
        if in_else {
            self.error(span, format!("#{name} after #else"));
        }
        let is_else = directive == Word::ELSE;
        let active = around && !taken && (is_else || self.condition(Word::IF, line, span));
        if let Some(group) = self.files.last_mut().and_then(|open| open.groups.last_mut()) {
            group.active = active;
            group.taken |= active;
            group.in_else |= is_else;
        }
    }

    fn condition(&mut self, directive: Word, line: &[Token], span: Span) -> bool {
        if directive != Word::IF {
            let Some(name) = line.first().filter(|token| token.kind == Kind::Name) else {
                self.error(span, "a name is missing here");
                return false;
            };
            return self.is_defined(name.text) == (directive == Word::IFDEF);
        }
        let tokens = self.with_list(line.to_vec(), |this| this.condition_tokens());
        match condition::evaluate(&tokens, self.words, span) {
            Ok(value) => value,
            Err(diagnostic) => {
                self.say(diagnostic);
                false
            }
        }
    }

    pub(super) fn is_defined(&self, name: Word) -> bool {
        self.macros.contains_key(&name) || matches!(name, Word::LINE | Word::FILE)
    }

    /// The tokens of a condition, expanded except behind `defined`, which becomes 0 or 1.
    fn condition_tokens(&mut self) -> Vec<Token> {
        let mut out = Vec::new();
        while let Some(token) = self.expanded() {
            if token.kind != Kind::Name || !token.is(Word::DEFINED) {
                out.push(token);
                continue;
            }
            let mut name = self.unexpanded();
            let paren = name.is_some_and(|t| t.is(Word::PAREN));
            if paren {
                name = self.unexpanded();
            }
            let closed = !paren || self.unexpanded().is_some_and(|t| t.is(Word::PAREN_END));
            match name {
                Some(name) if closed && name.kind == Kind::Name => {
                    let text = if self.is_defined(name.text) { Word::ONE } else { Word::ZERO };
                    out.push(Token { kind: Kind::Number, text, ..token });
                }
                _ => self.error(token.span, "`defined` needs a name"),
            }
        }
        out
    }

    fn define(&mut self, line: &[Token], span: Span) {
        let made = match Macro::read(line, span) {
            Ok(made) => made,
            Err(diagnostic) => return self.say(diagnostic),
        };
        if let Some(old) = self.macros.get(&made.name).filter(|old| !old.same(&made)) {
            let name = self.words.text(made.name);
            let warning = if Some(old.span.file) == self.command_line {
                let warning =
                    Diagnostic::warning(made.span, format!("the value of -D{name} on the command line is not used"));
                warning.help(format!("put `#ifndef {name}` and `#endif` around this definition"))
            } else {
                Diagnostic::warning(made.span, format!("the macro `{name}` was already defined differently"))
            };
            self.say(warning);
        }
        self.macros.insert(made.name, Rc::new(made));
    }

    fn undefine(&mut self, line: &[Token], span: Span) {
        match line.first() {
            Some(name) if name.kind == Kind::Name => _ = self.macros.remove(&name.text),
            _ => self.error(span, "#undef needs a name"),
        }
    }

    /// `#include "f"`, `#include <f>`, or a macro that stands for one of them.
    fn include_line(&mut self, line: &[Token], span: Span) {
        let named = self.file_name(line).or_else(|| {
            let expanded = self.expand_list(line.to_vec());
            self.file_name(&expanded)
        });
        let Some((name, quoted)) = named else {
            return self.error(span, "#include needs a file name in `\"…\"` or `<…>`");
        };
        let span = line.last().map_or(span, |last| span.to(last.span));
        let beside = self.files.last().map(|open| open.dir.clone()).filter(|_| quoted);
        let dirs = beside.into_iter().chain(self.options.include_dirs.iter().cloned()).collect();
        self.include(&name, dirs, span);
    }

    /// The file a line names, and whether in quotes.
    fn file_name(&self, line: &[Token]) -> Option<(String, bool)> {
        let (first, rest) = line.split_first()?;
        if first.kind == Kind::Str {
            return Some((self.words.text(first.text).trim_matches('"').to_string(), true));
        }
        let end = rest.iter().position(|t| t.is(Word::GT)).filter(|_| first.is(Word::LT))?;
        let mut name = String::new();
        for (index, token) in rest[..end].iter().enumerate() {
            if index > 0 && token.gap != Gap::None {
                name.push(' ');
            }
            name.push_str(self.words.text(token.text));
        }
        Some((name, false))
    }

    /// `# 12 "file"` or `#line 12 "file"`, from its number on.
    fn line_marker(&mut self, line: &[Token], span: Span) {
        let number = line.first().filter(|token| token.kind == Kind::Number);
        let number = number.and_then(|token| self.words.text(token.text).parse::<u32>().ok());
        let Some(number) = number.filter(|&n| n <= i32::MAX as u32) else {
            return self.error(span, "a line marker needs a line number");
        };
        let name = line.get(1).filter(|token| token.kind == Kind::Str);
        let name = name.map(|token| self.words.text(token.text).trim_matches('"').to_string());
        if let Some(file) = self.files.last().map(|open| open.file) {
            self.sources.mark_line(file, span.start as usize, number as usize, name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::preprocess::tests::{clean, files, messages};
    use crate::source::{Source, Sources};
    use crate::syntax::flat::flatten;
    use crate::syntax::preprocess::Options;

    #[test]
    fn groups() {
        let text = "#define A 2\n#if A == 1\none\n#elif A == 2\ntwo\n#elif 1/0\nthree\n#else\nfour\n#endif\n\
                    #ifdef B\nb\n#if 1\nc\n#else\nd\n#endif\n#else\ne\n#endif\n#ifndef B\nf\n#endif";
        assert_eq!(clean(text), "two e f");
        assert_eq!(clean("#if 0\n#error no\n#include \"none\"\n#unknown\n#define A b\n#else\nA\n#endif"), "A");
        assert_eq!(clean("# /* x\n y */ if 1 /* z\n */ && 1\na\n#endif /* 1 */"), "a");
    }

    #[test]
    fn defined_is_answered_before_macros_are_expanded() {
        let text = "#define A B\n#define HAS defined(A) && !defined C\n\
                    #if defined A && defined(A) && !defined(B) && HAS\nyes\n#endif\n\
                    #if defined(__LINE__) && __LINE__ == 6\nhere\n#endif";
        assert_eq!(clean(text), "yes here");
        assert_eq!(clean("#define max(a,b) ((a)>(b)?(a):(b))\n#if max(2,3) == 3\nyes\n#endif"), "yes");
    }

    #[test]
    fn undef_and_redefinition() {
        assert_eq!(clean("#define A 1\n#define A 1\n#undef A\n#undef A\n#define A 2\nA"), "2");
        let (out, said) = files(&[("m", "#define A 1\n#define A 2\nA")], &Options::default());
        assert_eq!(
            (out.as_str(), said.as_slice()),
            ("2", &["the macro `A` was already defined differently".into()][..])
        );
        let mut options = Options::default();
        options.define("A=1");
        let (out, said) = files(&[("m", "#define A 2\nA")], &options);
        assert_eq!(
            (out.as_str(), said.as_slice()),
            ("2", &["the value of -DA on the command line is not used".into()][..])
        );
        assert_eq!(files(&[("m", "#ifndef A\n#define A 2\n#endif\nA")], &options), ("1".into(), vec![]));
    }

    #[test]
    fn ignored_lines() {
        assert_eq!(clean("#\n#pragma once\n#ident \"x\"\n  #  define A \\\n b\nA"), "b");
    }

    #[test]
    fn wrong_lines() {
        for (text, message) in [
            ("#else", "#else without #if"),
            ("#elif 1", "#elif without #if"),
            ("#endif", "#endif without #if"),
            ("#if 1\n#else\n#else\n#endif", "#else after #else"),
            ("#if 1\nx", "this `#if` has no `#endif`"),
            ("#if\n#endif", "a condition is missing here"),
            ("#ifdef\n#endif", "a name is missing here"),
            ("#if defined(\n#endif", "`defined` needs a name"),
            ("#define", "#define needs a name"),
            ("#define 1 2", "#define needs a name that may be defined"),
            ("#define f(a", "bad parameter list of a macro"),
            ("#define f(a,a) a", "this parameter of the macro is there twice"),
            ("#define f(a) #b", "`#` stands before a parameter of the macro"),
            ("#define f ## a", "`##` stands between two tokens"),
            ("#define f a ##", "`##` stands between two tokens"),
            ("#undef", "#undef needs a name"),
            ("#include", "#include needs a file name in `\"…\"` or `<…>`"),
            ("#include <x", "#include needs a file name in `\"…\"` or `<…>`"),
            ("#error can't  do /* x */ it", "#error can't  do /* x */ it"),
            ("#warning hm", "#warning hm"),
            ("#line x", "a line marker needs a line number"),
            ("# 99999999999 \"f\"", "a line marker needs a line number"),
            ("#foo", "unknown directive `#foo`"),
        ] {
            assert!(messages(text).contains(&message.to_string()), "{text}: {:?}", messages(text));
        }
    }

    #[test]
    fn markers_move_places() {
        let text = "a\n# 100 \"other.pml\"\nb\nc\n#line 7\nd";
        let mut sources = Sources::default();
        let file = sources.add(Source::new("m", text));
        let (flat, _) = flatten(&mut sources, file, &Options::default(), &|_| unreachable!()).unwrap();
        let places: Vec<_> = ["a", "b", "c", "d"]
            .map(|name| {
                let at = flat.text.find(name).unwrap();
                sources.place(flat.span(at..at + 1, &sources)).to_string()
            })
            .into();
        assert_eq!(places, ["m:1:1", "other.pml:100:1", "other.pml:101:1", "other.pml:7:1"]);
    }
}
