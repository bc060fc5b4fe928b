//! Where text comes from, and how we talk about it.
//!
//! A [`Sources`] holds every file that was read and every macro or inline expansion that happened. A [`Span`] names a
//! stretch of one file and, through `via`, the expansion it came out of, so that a diagnostic can point at the line the
//! user wrote and name the macro. Invariant: a span's byte offsets are valid for its file's text.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A file in a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileId(pub u32);

/// An expansion in a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExpansionId(pub u32);

/// A stretch of source text and the expansion it came out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The text it lies in.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte behind the last one.
    pub end: u32,
    /// The macro or inline expansion whose body this text is in; `None` for text read straight from the file.
    pub via: Option<ExpansionId>,
}

impl Span {
    /// A stretch that was read straight from a file.
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end as u32, via: None }
    }

    /// The same stretch as a part of an expansion.
    pub fn via(self, expansion: ExpansionId) -> Span {
        Span { via: Some(expansion), ..self }
    }

    /// The stretch from the start of `self` to the end of `other`, if both lie in the same text; else `self`.
    pub fn to(self, other: Span) -> Span {
        if self.file == other.file && self.via == other.via && self.start <= other.end {
            Span { end: other.end.max(self.end), ..self }
        } else {
            self
        }
    }
}

/// One file: its name as shown to users and its text.
#[derive(Clone, Debug)]
pub struct Source {
    /// As it is shown.
    pub name: String,
    /// All of it.
    pub text: String,
    /// The file, if it is one.
    path: Option<PathBuf>,
    /// Byte offset at which each line starts.
    lines: Vec<u32>,
    /// Every character is one byte.
    is_ascii: bool,
    /// `# n "file"` markers, by the line they stand on: from the next line on, this is line `line` of file `name`.
    markers: Vec<Marker>,
    /// Where texts end that were put behind this one.
    seams: Vec<Seam>,
}

/// A text that follows another one in brackets, and where the bracket behind it ends.
#[derive(Clone, Copy, Debug)]
struct Seam {
    start: usize,
    end: usize,
    until: usize,
}

#[derive(Clone, Debug)]
struct Marker {
    at_line: usize,
    line: usize,
    name: Option<String>,
}

impl Source {
    /// A file as read from disk. Bytes that are not UTF-8 become U+FFFD: harmless in a comment or a string (many old
    /// models carry Latin-1 there), while the lexer refuses it anywhere else. Only a file beyond the range of a span's
    /// offsets is refused here.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Source, Diagnostic> {
        let name = name.into();
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        match u32::try_from(text.len()) {
            Ok(_) => Ok(Source::new(name, text)),
            Err(_) => Err(Diagnostic::general(format!("{name}: file too large (4 GiB or more)"))),
        }
    }

    /// A text under a name; [`Source::at`] says which file it is.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        let starts = text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        let is_ascii = text.is_ascii();
        Source { name: name.into(), text, path: None, lines, is_ascii, markers: Vec::new(), seams: Vec::new() }
    }

    /// Says which file this was read from.
    pub fn at(self, path: &Path) -> Source {
        Source { path: Some(path.to_path_buf()), ..self }
    }

    /// This text and, behind it, another one between `before` and `after`; diagnostics show that one under its own name.
    pub fn followed_by(self, before: &str, name: &str, text: &str, after: &str) -> Source {
        let shown = Source::shown(name);
        let start = format!("{}\n{before}\n# 1 \"{shown}\"\n", self.text);
        let mut seams = self.seams;
        if !after.is_empty() {
            let end = start.len() + text.trim_end().len();
            seams.push(Seam { start: start.len(), end, until: start.len() + text.len() + 1 + after.len() });
        }
        Source { path: self.path, seams, ..Source::new(self.name, format!("{start}{text}\n{after}\n")) }
    }

    /// The name that diagnostics show for a text that follows another one.
    pub fn shown(name: &str) -> String {
        name.replace(['"', '\\', '\n'], "_")
    }

    /// How many characters these bytes are. (A line may be a megabyte long, and a place may be asked for each statement on it.)
    fn characters(&self, bytes: Range<usize>) -> usize {
        let length = bytes.len();
        if self.is_ascii { length } else { self.text.get(bytes).map_or(length, |text| text.chars().count()) }
    }

    fn physical_line(&self, offset: u32) -> usize {
        self.lines.partition_point(|&start| start <= offset)
    }
}

/// What kind of text replaced a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpansionKind {
    /// A `#define`.
    Macro,
    /// An `inline` of Promela.
    Inline,
    /// A parameter of an inline, replaced by the caller's text; `call` is the parameter in the inline's body.
    Argument,
}

/// The replacement of a name at `call` by the body of a macro or an inline.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// What was replaced.
    pub kind: ExpansionKind,
    /// Its name.
    pub name: String,
    /// Where the name stands that was replaced.
    pub call: Span,
    /// How many expansions lie between this text and a file, itself included; at least 1.
    pub depth: u32,
}

/// All files and expansions of one run.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
    expansions: Vec<Expansion>,
}

/// A place as a user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the file, as a line marker may have changed it.
    pub file: String,
    /// From 1, as a line marker may have changed it.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Sources {
    /// Takes over a file; its number.
    pub fn add(&mut self, source: Source) -> FileId {
        self.files.push(source);
        FileId(self.files.len() as u32 - 1)
    }

    /// A number that tells the texts of all files from others.
    pub fn fingerprint(&self) -> u64 {
        fnv(self.files.iter().flat_map(|file| file.text.bytes().chain([0])))
    }

    /// The files that were read.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter_map(|file| file.path.as_deref())
    }

    /// The file with this number.
    pub fn file(&self, id: FileId) -> &Source {
        &self.files[id.0 as usize]
    }

    /// Notes that a name was replaced; the number of the expansion.
    pub fn expand(&mut self, kind: ExpansionKind, name: impl Into<String>, call: Span) -> ExpansionId {
        let depth = 1 + self.depth(call);
        self.expansions.push(Expansion { kind, name: name.into(), call, depth });
        ExpansionId(self.expansions.len() as u32 - 1)
    }

    /// The expansion with this number.
    pub fn expansion(&self, id: ExpansionId) -> &Expansion {
        &self.expansions[id.0 as usize]
    }

    /// How many expansions a span came through; 0 for text read straight from a file.
    pub fn depth(&self, span: Span) -> u32 {
        span.via.map_or(0, |id| self.expansion(id).depth)
    }

    /// A `# line "name"` marker that stands at byte `offset` of `file`. Without a name the file of the marker before it
    /// goes on. A file that is included twice may repeat its markers.
    pub fn mark_line(&mut self, file: FileId, offset: usize, line: usize, name: Option<String>) {
        let source = &mut self.files[file.0 as usize];
        let at_line = source.physical_line(offset as u32);
        let at = source.markers.partition_point(|m| m.at_line < at_line);
        if source.markers.get(at).is_some_and(|m| m.at_line == at_line) {
            return;
        }
        let name = name.or_else(|| at.checked_sub(1).and_then(|before| source.markers[before].name.clone()));
        source.markers.insert(at, Marker { at_line, line, name });
    }

    /// The innermost text that holds both spans: each is followed back to what it was expanded from until they meet.
    /// Spans that never meet (two files) give the text `first` was written in.
    pub fn join(&self, first: Span, last: Span) -> Span {
        let (mut a, mut b) = (first, last);
        while (a.file, a.via) != (b.file, b.via) {
            let (outer_a, outer_b) = (self.depth(a), self.depth(b));
            match (a.via, b.via) {
                (Some(id), _) if outer_a > outer_b => a = self.expansion(id).call,
                (_, Some(id)) if outer_b > outer_a => b = self.expansion(id).call,
                (Some(x), Some(y)) => (a, b) = (self.expansion(x).call, self.expansion(y).call),
                _ => return a,
            }
        }
        Span { start: a.start.min(b.start), end: a.end.max(b.end), ..a }
    }

    /// The span the user wrote: macros are followed back to the place that used them; inlines and their arguments are
    /// not (their text is what the user wants to see).
    pub fn written(&self, span: Span) -> Span {
        let mut span = span;
        while let Some(id) = span.via {
            let expansion = self.expansion(id);
            if expansion.kind != ExpansionKind::Macro {
                break;
            }
            span = expansion.call;
        }
        span
    }

    /// File, line and column of the start of a span as written by the user, `# n "file"` markers respected.
    pub fn place(&self, span: Span) -> Place {
        let span = self.written(span);
        let source = self.file(span.file);
        let physical = source.physical_line(span.start);
        let column = 1 + source.characters(source.lines[physical - 1] as usize..span.start as usize);
        let markers = source.markers.partition_point(|m| m.at_line < physical);
        match markers.checked_sub(1).map(|last| &source.markers[last]) {
            None => Place { file: source.name.clone(), line: physical, column },
            Some(m) => {
                let file = m.name.clone().unwrap_or_else(|| source.name.clone());
                Place { file, line: m.line + physical - m.at_line - 1, column }
            }
        }
    }

    /// A diagnostic without the bracket that was put behind somebody's text: there the text has come to its end.
    pub fn without_brackets(&self, diagnostic: Diagnostic) -> Diagnostic {
        let Some(span) = diagnostic.span else { return diagnostic };
        let at = |seam: &&Seam| (seam.start..=seam.until).contains(&(span.start as usize));
        let Some(seam) = self.file(span.file).seams.iter().find(at) else { return diagnostic };
        let message = diagnostic.message.replace("found `}`", "found the end of the text");
        if (span.start as usize) < seam.end {
            return Diagnostic { message, ..diagnostic };
        }
        Diagnostic { message, span: Some(Span::new(span.file, seam.end, seam.end)), help: None, ..diagnostic }
    }

    /// The text of a span exactly as the user wrote it.
    pub fn text(&self, span: Span) -> &str {
        let span = self.written(span);
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// One diagnostic as text with the source line and a caret.
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        self.render_by(&Renderer::plain(), diagnostic)
    }

    /// The same with colours, for a terminal that is so wide.
    pub fn render_styled(&self, diagnostic: &Diagnostic, width: Option<usize>) -> String {
        let styled = Renderer::styled();
        self.render_by(&width.map_or(styled.clone(), |width| styled.term_width(width)), diagnostic)
    }

    fn render_by(&self, renderer: &Renderer, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(diagnostic.message.as_str());
        let Some(span) = diagnostic.span else {
            let help = diagnostic.help.iter().map(|help| Level::HELP.message(help.as_str()));
            return renderer.render(&[Group::with_title(title).elements(help)]);
        };
        let place = self.place(span);
        let notes = self.notes(span);
        let written = self.written(span);
        let (text, offset) = self.window(written);
        let range = written.start as usize - offset..(written.end as usize - offset).min(text.len());
        let snippet = Snippet::source(text).line_start(place.line);
        let snippet = snippet.annotation(AnnotationKind::Primary.span(range).label(""));
        let is_cut = self.file(written.file).lines.binary_search(&(offset as u32)).is_err();
        let mut element = if is_cut {
            // the place is not the one in the snippet
            let origin = Origin::path(place.file.as_str()).line(place.line).char_column(place.column);
            title.element(origin).element(snippet)
        } else {
            title.element(snippet.path(place.file.as_str()))
        };
        for note in &notes {
            element = element.element(Level::NOTE.message(note.as_str()));
        }
        if let Some(help) = &diagnostic.help {
            element = element.element(Level::HELP.message(help.as_str()));
        }
        renderer.render(&[element])
    }

    /// How the text of a span came to stand where it does, innermost first.
    pub fn notes(&self, span: Span) -> Vec<String> {
        const SHOWN: usize = 8;
        let mut notes = Vec::new();
        let mut at = span;
        while let Some(id) = at.via {
            let expansion = self.expansion(id);
            let what = match expansion.kind {
                ExpansionKind::Macro => "expansion of macro",
                ExpansionKind::Inline => "call of inline",
                ExpansionKind::Argument => "replacement of parameter",
            };
            if notes.len() == SHOWN {
                notes.push(format!("and through {} more", expansion.depth));
                break;
            }
            notes.push(format!("in the {what} `{}` at {}", expansion.name, self.place(expansion.call)));
            at = expansion.call;
        }
        notes
    }

    /// The lines a span covers (at most a few, and of a long line only what is near the start of the span), and the offset of the first.
    fn window(&self, span: Span) -> (&str, usize) {
        const NEAR: usize = 2000;
        let source = self.file(span.file);
        let first = source.physical_line(span.start);
        let last = source.physical_line(span.end.max(span.start + 1) - 1).clamp(first, first + 3);
        let start = source.lines[first - 1] as usize;
        let end = source.lines.get(last).map_or(source.text.len(), |&e| e as usize);
        let at = span.start as usize;
        let start = start.max(source.text.floor_char_boundary(at.saturating_sub(NEAR)));
        let end = end.min(source.text.ceil_char_boundary(at + NEAR));
        (&source.text[start..end], start)
    }
}

/// A hash that is the same everywhere and always (FNV-1a).
pub fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |all, byte| (all ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Whether a model can be used nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// It cannot.
    Error,
    /// It can, but may not mean what was meant.
    Warning,
}

/// Something to tell the user about a place in the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the model can be used nevertheless.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// Where, if it is in the text.
    pub span: Option<Span>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, message: message.into(), span: Some(span), help: None }
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, message: message.into(), span: Some(span), help: None }
    }

    /// An error without a place, such as a missing file.
    pub fn general(message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, message: message.into(), span: None, help: None }
    }

    /// The same with a piece of advice.
    pub fn help(self, help: impl Into<String>) -> Diagnostic {
        Diagnostic { help: Some(help.into()), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        let source = Source::from_bytes("m", b"/* f\xfcr */ x".to_vec()).unwrap();
        assert_eq!(source.text, "/* f\u{fffd}r */ x");
    }

    #[test]
    fn columns_are_characters() {
        let mut sources = Sources::default();
        let file = sources.add(Source::new("m", "a\n/* für → */ x\n"));
        let at = sources.file(file).text.find('x').unwrap();
        assert_eq!(sources.place(Span::new(file, at, at + 1)).to_string(), "m:2:13");
    }

    #[test]
    fn a_long_line_is_shown_where_the_error_is() {
        let mut sources = Sources::default();
        let text = format!("byte x;\n{} wrong {}\nbyte y;\n", "é ".repeat(1 << 20), "ö".repeat(1 << 20));
        let at = text.find("wrong").unwrap();
        let file = sources.add(Source::new("m", text));
        let (shown, offset) = sources.window(Span::new(file, at, at + 5));
        assert!(shown.len() < 5000 && shown[at - offset..].starts_with("wrong"), "{}", shown.len());
        let told = sources.render(&Diagnostic::error(Span::new(file, at, at + 5), "this is wrong"));
        assert!(told.contains(&format!("m:2:{}", (2 << 20) + 2)) && told.contains(" ^^^^^"), "{told}");
        let all = sources.render(&Diagnostic::error(Span::new(file, 8, at + 5), "all of it"));
        assert!(all.contains("m:2:1\n") && all.len() < 10_000, "{all}");
    }

    #[test]
    fn spans_meet_in_the_innermost_common_text() {
        let mut sources = Sources::default();
        let file = sources.add(Source::new("m", "0123456789"));
        let outer = sources.expand(ExpansionKind::Inline, "f", Span::new(file, 0, 1));
        let left = sources.expand(ExpansionKind::Macro, "a", Span::new(file, 2, 3).via(outer));
        let right = sources.expand(ExpansionKind::Macro, "b", Span::new(file, 5, 6).via(outer));
        let deep = sources.expand(ExpansionKind::Macro, "c", Span::new(file, 7, 8).via(right));
        let (x, y) = (Span::new(file, 8, 9).via(left), Span::new(file, 9, 10).via(deep));
        assert_eq!(sources.join(x, y), Span::new(file, 2, 6).via(outer));
        assert_eq!(sources.join(y, x), Span::new(file, 2, 6).via(outer));
        assert_eq!(sources.join(y, Span::new(file, 3, 4)), Span::new(file, 0, 4));
        let other = sources.add(Source::new("n", "0"));
        assert_eq!(sources.join(x, Span::new(other, 0, 1)), Span::new(file, 0, 1));
        assert_eq!((sources.depth(x), sources.depth(y)), (2, 3));
    }

    #[test]
    fn markers_rename_the_lines_behind_them() {
        let mut sources = Sources::default();
        let file = sources.add(Source::new("m", "a\n# 10 \"n\"\nb\n# 20\nc\n"));
        sources.mark_line(file, 2, 10, Some("n".into()));
        sources.mark_line(file, 13, 20, None);
        sources.mark_line(file, 2, 99, None);
        let place = |at| sources.place(Span::new(file, at, at + 1)).to_string();
        assert_eq!([place(0), place(11), place(18)], ["m:1:1", "n:10:1", "n:20:1"]);
    }
}
