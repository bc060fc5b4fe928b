//! The text the grammar reads, and the way back from it to what the user wrote.
//!
//! [`flatten`] takes a file through all stages that work on tokens: preprocessor, formulas, inlines, `select`, remote
//! references, separators, limits. The result is one text without directives, macros, inlines and comments, in which
//! every statement ends with a written separator and a blank stands between two tokens (none before `;` and `,`).
//! Lines are broken for people; the grammar treats a line end as a blank.

use super::parse::Origin;
use super::preprocess::{Options, Read, preprocess};
use super::report::Report;
use super::token::Token;
use super::word::{Word, Words};
use super::{formula, inline, layout, nesting, remote, select};
use crate::source::{Diagnostic, FileId, Sources, Span};
use std::ops::Range;

/// The text of a model, and where each token of it came from.
#[derive(Clone, Debug)]
pub struct Flat {
    pub text: String,
    /// In order of the text.
    pieces: Vec<Piece>,
    file: FileId,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    start: u32,
    end: u32,
    span: Span,
    /// The grammar knows it by another text than the user.
    respelled: bool,
}

/// What `formula` and `remote` write for the user's letters and signs.
const SPELLED_ANEW: [Word; 6] = [Word::BOX, Word::DIAMOND, Word::X, Word::V, Word::STRONG_RELEASE, Word::REMOTE];

/// The text of `file` for the grammar, and warnings; or all diagnostics if there is an error among them.
pub fn flatten(
    sources: &mut Sources,
    file: FileId,
    options: &Options,
    read: &Read<'_>,
) -> Result<(Flat, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut words = Words::default();
    let mut report = Report::default();
    let mut tokens = preprocess(sources, &mut words, &mut report, options, read, file);
    if !report.stopped() {
        tokens = formula::rewrite(tokens, &words);
        tokens = inline::expand(tokens, sources, &words, &mut report);
    }
    if !report.stopped() {
        tokens = select::expand(tokens, sources, &mut words, &mut report);
        remote::mark(&mut tokens);
        tokens = layout::separate(tokens);
    }
    if !report.failed() {
        nesting::check(&tokens, sources, &words, &mut report);
    }
    if report.failed() {
        return Err(report.into_diagnostics());
    }
    Ok((Flat::new(&tokens, &words, file), report.into_diagnostics()))
}

impl Flat {
    fn new(tokens: &[Token], words: &Words, file: FileId) -> Flat {
        let mut flat = Flat { text: String::new(), pieces: Vec::with_capacity(tokens.len()), file };
        let mut lines = Lines::default();
        for token in tokens {
            let word = words.text(token.text);
            lines.before(token.text, &mut flat.text);
            let start = flat.text.len() as u32;
            flat.text.push_str(word);
            let respelled = SPELLED_ANEW.contains(&token.text);
            flat.pieces.push(Piece { start, end: flat.text.len() as u32, span: token.span, respelled });
        }
        flat.text.push('\n');
        flat
    }

    /// Where the text comes from, for the parser.
    pub fn origin<'f>(&'f self, sources: &'f Sources) -> impl Origin + 'f {
        Behind { flat: self, sources }
    }

    /// The source text behind a range of the flat text: from its first to its last token, followed back to the
    /// innermost text that holds both. A range without a token stands for the token that follows it, or the last one.
    pub fn span(&self, range: Range<usize>, sources: &Sources) -> Span {
        let first = self.pieces.partition_point(|piece| piece.end as usize <= range.start);
        let end = self.pieces.partition_point(|piece| (piece.start as usize) < range.end);
        let first = first.min(self.pieces.len().saturating_sub(1));
        let last = end.saturating_sub(1).max(first);
        match (self.pieces.get(first), self.pieces.get(last)) {
            (Some(first), Some(last)) => sources.join(first.span, last.span),
            _ => Span::new(self.file, 0, 0),
        }
    }
}

/// See [`Flat::origin`].
struct Behind<'f> {
    flat: &'f Flat,
    sources: &'f Sources,
}

impl Origin for Behind<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        self.flat.span(start..end, self.sources)
    }

    fn typed(&self, start: usize, _end: usize) -> Option<String> {
        let pieces = &self.flat.pieces;
        let piece = pieces.get(pieces.partition_point(|piece| piece.end as usize <= start))?;
        let Span { file, start, end, .. } = piece.span;
        // of a macro: as its definition has it
        let text = self.sources.file(file).text.get(start as usize..end as usize)?;
        (piece.respelled && !text.is_empty()).then(|| text.to_string())
    }
}

/// Where lines of the flat text are broken and how far they are indented.
#[derive(Default)]
struct Lines {
    /// The last word, and whether a line may end behind it.
    last: Option<(Word, bool)>,
    depth: usize,
    /// Open parentheses, brackets and lists: no line ends there.
    inside: usize,
    /// For every open brace: is it that of a list, as in `of { byte }`?
    lists: Vec<bool>,
}

impl Lines {
    const STEP: usize = 3;
    /// The deepest indentation.
    const BLANKS: &'static str = "                                                            ";

    /// Writes what stands before `word`: a line break, a blank, or nothing.
    fn before(&mut self, word: Word, text: &mut String) {
        use Word as W;
        let opens_list = word == W::BRACE && matches!(self.last, Some((W::OF | W::ASSIGN, _)));
        let closes_list = word == W::BRACE_END && self.lists.pop() == Some(true);
        let closes = matches!(word, W::FI | W::OD) || (word == W::BRACE_END && !closes_list);
        if closes {
            self.depth = self.depth.saturating_sub(1);
        }
        if matches!(word, W::PAREN_END | W::BRACKET_END) || closes_list {
            self.inside = self.inside.saturating_sub(1);
        }
        self.gap(word, closes, text);
        if matches!(word, W::PAREN | W::BRACKET) || opens_list {
            self.inside += 1;
        }
        if matches!(word, W::IF | W::DO) || (word == W::BRACE && !opens_list) {
            self.depth += 1;
        }
        if word == W::BRACE {
            self.lists.push(opens_list);
        }
        let breaks = word == W::SEMI || (word == W::BRACE && !opens_list) || (word == W::BRACE_END && !closes_list);
        self.last = Some((word, breaks));
    }

    fn gap(&self, word: Word, closes: bool, text: &mut String) {
        let Some((_, breaks)) = self.last else { return };
        if matches!(word, Word::SEMI | Word::COMMA) {
            return;
        }
        let goes_on = matches!(word, Word::UNLESS | Word::ARROW);
        let option = word == Word::SEP;
        if self.inside > 0 || !(closes || option || (breaks && !goes_on)) {
            return text.push(' ');
        }
        text.push('\n');
        let steps = self.depth - usize::from(option && self.depth > 0);
        text.push_str(&Lines::BLANKS[..(steps * Lines::STEP).min(Lines::BLANKS.len())]);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::source::Source;

    type Outcome = Result<(Flat, Vec<Diagnostic>), Vec<Diagnostic>>;

    fn flat(model: &str) -> (Sources, Outcome) {
        let mut sources = Sources::default();
        let file = sources.add(Source::from_bytes("m.pml", model.as_bytes().to_vec()).unwrap());
        let result = flatten(&mut sources, file, &Options::default(), &|path| std::fs::read(path));
        (sources, result)
    }

    /// The flat text of a model without faults, on one line.
    pub fn text(model: &str) -> String {
        let (sources, result) = flat(model);
        match result {
            Ok((flat, warnings)) if warnings.is_empty() => flat.text.split_whitespace().collect::<Vec<_>>().join(" "),
            Ok((_, said)) | Err(said) => panic!("{}", sources.render(&said[0])),
        }
    }

    /// What is said about a model.
    pub fn messages(model: &str) -> Vec<String> {
        let (sources, result) = flat(model);
        let said = match result {
            Ok((_, said)) | Err(said) => said,
        };
        said.iter().for_each(|diagnostic| _ = sources.render(diagnostic));
        said.into_iter().map(|diagnostic| diagnostic.message).collect()
    }

    /// Line and text of the source behind the first occurrence of `part` in the flat text.
    fn behind(model: &str, part: &str) -> (usize, String) {
        let (sources, result) = flat(model);
        let (flat, _) = result.unwrap();
        let at = flat.text.find(part).expect("part of the flat text");
        let span = flat.span(at..at + part.len(), &sources);
        (sources.place(span).line, sources.text(span).to_string())
    }

    #[test]
    fn the_text_is_laid_out() {
        let model = "mtype = { a, b }\nchan c = [2] of { mtype, byte };\nactive proctype P(byte x; byte y) {\n\
                     do :: x > 1 -> atomic { x--; y = 2 } unless { y == 3 } :: else od\n}";
        let (_, result) = flat(model);
        let expected = "mtype = { a, b };
chan c = [ 2 ] of { mtype, byte };
active proctype P ( byte x; byte y ) {
   do
   :: x > 1 -> atomic {
         x --;
         y = 2
      } unless {
         y == 3
      }
   :: else
   od
}
";
        assert_eq!(result.unwrap().0.text, expected);
    }

    #[test]
    fn spans_of_plain_text() {
        let model = "byte x;\ninit {\n  x = 1 +\n    2;\n}";
        assert_eq!(behind(model, "x = 1 + 2"), (3, "x = 1 +\n    2".into()));
        assert_eq!(behind(model, ";"), (1, ";".into()));
        assert_eq!(behind("init { skip\n skip }", ";"), (1, "".into()), "an implied separator has no text");
    }

    #[test]
    fn spans_of_macros_lead_to_their_use() {
        let model = "#define ONE 1\n#define INC(v) v = v + ONE\n#define TWICE(v) INC(v); INC(v)\nbyte x;\ninit {\n  TWICE(x)\n}";
        assert_eq!(behind(model, "x = x + 1"), (6, "TWICE(x)".into()));
        assert_eq!(behind(model, "1"), (6, "TWICE(x)".into()));
        assert_eq!(behind("#define P x ==\ninit {\n (P 3) }", "x == 3"), (3, "P 3".into()));
    }

    #[test]
    fn spans_of_inlines_stay_in_the_body() {
        let model =
            "#define STEP 2\ninline add(v, d) {\n  v = v + d;\n  v = v * STEP\n}\nbyte x;\ninit {\n  add(x, 7)\n}";
        assert_eq!(behind(model, "x = x + 7"), (3, "v = v + d".into()));
        assert_eq!(behind(model, "x = x * 2"), (4, "v = v * STEP".into()));
        assert_eq!(behind(model, "7"), (8, "7".into()));
        assert_eq!(behind(model, "{\n      x"), (2, "{\n  v".into()));
        let (sources, result) = flat(model);
        let flat = result.unwrap().0;
        let at = flat.text.find("* 2").unwrap();
        let note = sources.render(&Diagnostic::error(flat.span(at + 2..at + 3, &sources), "here"));
        assert!(note.contains("macro `STEP` at m.pml:4:11"), "{note}");
        assert!(note.contains("inline `add` at m.pml:8:3"), "{note}");
    }

    #[test]
    fn a_statement_of_two_texts_is_shown_where_both_meet() {
        let model = "#define GUARD x > 0\ninline f(c) {\n  c!x\n}\nbyte x; chan q = [1] of { byte };\ninit {\n  GUARD -> f(q)\n}";
        assert_eq!(behind(model, "x > 0 -> {\n      q ! x\n   }"), (7, "GUARD -> f(q)".into()));
    }

    #[test]
    fn ranges_without_a_token() {
        let (sources, result) = flat("init { skip }");
        let flat = result.unwrap().0;
        let end = flat.text.len();
        assert_eq!(sources.text(flat.span(end..end, &sources)), "}");
        assert_eq!(sources.text(flat.span(4..5, &sources)), "{");
        assert_eq!(sources.text(flat.span(0..end, &sources)), "init { skip }");
        let (sources, result) = super::tests::flat("");
        assert_eq!(sources.text(result.unwrap().0.span(0..0, &sources)), "");
    }

    #[test]
    fn several_errors_in_one_run() {
        let model = "#foo\nbyte x = 0x10;\ninline f(a) { a }\ninit { f(); f(1,2); return 3 }";
        assert_eq!(
            messages(model),
            [
                "unknown directive `#foo`",
                "a number has decimal digits only",
                "the inline `f` takes 1 parameter, not 0",
                "the inline `f` takes 1 parameter, not 2",
                "`return` stands only in an inline",
            ]
        );
        let many = messages(&"$ ".repeat(1000));
        assert_eq!(many.len(), 51);
        assert!(many[50].starts_with("too many errors"));
    }

    #[test]
    fn nothing_panics() {
        let parts = "#define f(a) a##a #a\n¦f(¦)¦#if ¦1¦#endif\n¦inline ¦g¦(¦{¦}¦return ¦=¦,¦ltl ¦[]¦<>¦select ¦:¦..¦c_code ¦\"¦'¦\\¦\n¦\
                     /*¦*/¦//¦#¦##¦proctype ¦P¦[¦]¦;¦->¦unless ¦else ¦do ¦od ¦\u{e9}¦\0¦#include \"m.pml\"\n¦# 3 \"x\"\n¦\
                     #define P g(\n¦!!¦@¦typedef ¦__LINE__ ¦defined ";
        let parts: Vec<_> = parts.split('¦').collect();
        let mut seed = 1u64;
        for _ in 0..1000 {
            let mut model = String::new();
            for _ in 0..40 {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                model.push_str(parts[(seed >> 33) as usize % parts.len()]);
            }
            let (sources, result) = flat(&model);
            match result {
                Ok((flat, _)) => (0..flat.text.len()).for_each(|at| _ = flat.span(at..at + 3, &sources)),
                Err(said) => said.iter().for_each(|diagnostic| _ = sources.render(diagnostic)),
            }
        }
    }
}
