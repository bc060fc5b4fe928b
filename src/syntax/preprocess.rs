//! The preprocessor: files to one stream of tokens, directives obeyed and macros expanded.
//!
//! This is C's preprocessor as far as models use it; `directive` reads the lines with `#`, `define` and `expand` do the
//! macros, `condition` the `#if`s. Only `__LINE__` and `__FILE__` are predefined. In particular `linux`, `unix` and
//! the like are not, which SPIN inherits from the C preprocessor and which break models that use them as names.
//!
//! Every token keeps a span: text of a file its own, text of a macro's body that of the body `via` the expansion,
//! arguments their own. Embedded C is refused here and does not come out.

use super::define::Macro;
use super::embedded::Embedded;
use super::expand::Context;
use super::formula::Tracker;
use super::number;
use super::report::Report;
use super::token::{Gap, Kind, Token, lex};
use super::word::{Word, Words};
use crate::file::why;
use crate::source::{Diagnostic, FileId, Source, Sources, Span};
use rustc_hash::FxHashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How files are read, so that tests and fuzzers need no disk.
pub type Read<'a> = dyn Fn(&Path) -> io::Result<Vec<u8>> + 'a;

/// What the command line says about how to read a model.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `--lossy`: a message sent to a full channel is lost. The preprocessor does not care; [`crate::load::program`] does.
    pub lossy: bool,
    /// `-D NAME=VALUE`, in order; the name may carry parameters, as in `max(a,b)`.
    pub defines: Vec<(String, String)>,
    /// `-U NAME`, after all `-D`.
    pub undefines: Vec<String>,
    /// `-I DIR`, in order.
    pub include_dirs: Vec<PathBuf>,
}

impl Options {
    /// Adds a `-D` argument: `NAME` means `NAME=1`.
    pub fn define(&mut self, argument: &str) {
        let (name, value) = argument.split_once('=').unwrap_or((argument, "1"));
        self.defines.push((name.to_string(), value.to_string()));
    }

    /// The options as the lines they stand for.
    fn text(&self) -> String {
        let one_line = |text: &str| text.replace(['\n', '\r'], " ").trim_end_matches(['\\', ' ']).to_string();
        let defines = self.defines.iter().map(|(n, v)| format!("#define {} {}\n", one_line(n), one_line(v)));
        let undefines = self.undefines.iter().map(|n| format!("#undef {}\n", one_line(n)));
        defines.chain(undefines).collect()
    }
}

/// Whether a macro can be called so. Parameters may follow, as in `f(a, b)`.
#[cfg(feature = "lab")]
pub fn is_macro(name: &str) -> bool {
    let (name, parameters) = name.split_once('(').map_or((name, None), |(name, rest)| (name, Some(rest)));
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name = !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty() && name.chars().all(is_word);
    is_name && parameters.is_none_or(|rest| rest.ends_with(')'))
}

/// `#include`s inside one another, and in all: a file that includes the next twice doubles with every level.
const MAX_INCLUDE_DEPTH: usize = 200;
const MAX_INCLUDES: usize = 10_000;

/// A group of `#if` … `#endif` that is open.
pub(super) struct Group {
    pub span: Span,
    pub active: bool,
    /// One branch of it was active.
    pub taken: bool,
    /// The group around it is active.
    pub around: bool,
    pub in_else: bool,
}

/// A file that is being read.
pub(super) struct Open {
    pub file: FileId,
    /// Where its `#include "…"` look first.
    pub dir: PathBuf,
    pub tokens: Rc<Vec<Token>>,
    pub next: usize,
    pub groups: Vec<Group>,
}

impl Open {
    pub fn skipping(&self) -> bool {
        self.groups.last().is_some_and(|group| !group.active)
    }
}

pub struct Preprocessor<'a> {
    pub(super) sources: &'a mut Sources,
    pub(super) words: &'a mut Words,
    pub(super) report: &'a mut Report,
    pub(super) options: &'a Options,
    read: &'a Read<'a>,
    pub(super) macros: FxHashMap<Word, Rc<Macro>>,
    /// The file of the command line's definitions.
    pub command_line: Option<FileId>,
    pub(super) files: Vec<Open>,
    known: FxHashMap<PathBuf, (FileId, Rc<Vec<Token>>)>,
    includes: usize,
    // For `expand`: replacements to read before the files go on, tokens to read before those, the gap of macros that
    // expanded to nothing, and how deep in the arguments of calls we are, reading them and expanding them.
    pub(super) contexts: Vec<Context>,
    pub(super) ahead: Vec<Token>,
    pub(super) carry: Gap,
    pub(super) collecting: usize,
    pub(super) argument_depth: usize,
    embedded: Embedded,
    formula: Tracker,
    out: Vec<Token>,
}

/// The tokens of `file` and of all it includes, in order.
pub fn preprocess<'a>(
    sources: &'a mut Sources,
    words: &'a mut Words,
    report: &'a mut Report,
    options: &'a Options,
    read: &'a Read<'a>,
    file: FileId,
) -> Vec<Token> {
    let mut preprocessor = Preprocessor {
        sources,
        words,
        report,
        options,
        read,
        macros: FxHashMap::default(),
        command_line: None,
        files: Vec::new(),
        known: FxHashMap::default(),
        includes: 0,
        contexts: Vec::new(),
        ahead: Vec::new(),
        carry: Gap::None,
        collecting: 0,
        argument_depth: 0,
        embedded: Embedded::default(),
        formula: Tracker::default(),
        out: Vec::new(),
    };
    preprocessor.start(file);
    while let Some(token) = preprocessor.expanded() {
        preprocessor.emit(token);
    }
    preprocessor.out
}

impl Preprocessor<'_> {
    /// Opens the main file and, to be read before it, the command line's definitions.
    fn start(&mut self, file: FileId) {
        let path = PathBuf::from(&self.sources.file(file).name);
        let tokens = self.lex(file);
        self.open(file, &path, tokens);
        let text = self.options.text();
        if !text.is_empty() {
            let file = self.sources.add(Source::new("<command line>", text));
            self.command_line = Some(file);
            let tokens = self.lex(file);
            self.open(file, Path::new(""), tokens);
        }
    }

    fn lex(&mut self, file: FileId) -> Rc<Vec<Token>> {
        let (tokens, unclosed) = lex(file, &self.sources.file(file).text, self.words);
        if let Some(diagnostic) = unclosed {
            self.report.say(diagnostic);
        }
        Rc::new(tokens)
    }

    fn open(&mut self, file: FileId, path: &Path, tokens: Rc<Vec<Token>>) {
        let dir = path.parent().map(Path::to_path_buf).unwrap_or_default();
        self.files.push(Open { file, dir, tokens, next: 0, groups: Vec::new() });
    }

    /// The next token of the files that is in no directive and no skipped group.
    pub(super) fn next_of_files(&mut self) -> Option<Token> {
        while !self.report.stopped() {
            let open = self.files.last_mut()?;
            let Some(&token) = open.tokens.get(open.next) else {
                // As for gcc, a macro call does not reach beyond the end of a file.
                if self.collecting > 0 {
                    return None;
                }
                self.close();
                continue;
            };
            open.next += 1;
            if token.is(Word::HASH) && token.starts_line() {
                self.directive(token.span);
            } else if !open.skipping() {
                return Some(token);
            }
        }
        None
    }

    fn close(&mut self) {
        if let Some(open) = self.files.pop() {
            for group in &open.groups {
                self.report.error(group.span, "this `#if` has no `#endif`");
            }
        }
    }

    /// Opens the file that an `#include` at `span` names, from the first of `dirs` that has it.
    pub(super) fn include(&mut self, name: &str, dirs: Vec<PathBuf>, span: Span) {
        self.includes += 1;
        if self.files.len() > MAX_INCLUDE_DEPTH {
            let message =
                format!("#include is nested more than {MAX_INCLUDE_DEPTH} deep: does the file include itself?");
            return self.report.stop(Diagnostic::error(span, message));
        }
        if self.includes > MAX_INCLUDES {
            let message = format!("more than {MAX_INCLUDES} #includes");
            return self.report.stop(Diagnostic::error(span, message));
        }
        for path in dirs.iter().map(|dir| dir.join(name)) {
            if let Some((file, tokens)) = self.known.get(&path).cloned() {
                self.report.charge(tokens.len(), 0, span);
                return self.open(file, &path, tokens);
            }
            match (self.read)(&path) {
                Ok(bytes) => return self.include_new(path, bytes, span),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return self.error(span, format!("cannot read {}: {}", path.display(), why(&error))),
            }
        }
        let help = "files are looked for beside the including file (\"…\" only) and in the directories given with -I";
        self.say(Diagnostic::error(span, format!("cannot find `{name}`")).help(help));
    }

    fn include_new(&mut self, path: PathBuf, bytes: Vec<u8>, span: Span) {
        match Source::from_bytes(path.display().to_string(), bytes) {
            Err(diagnostic) => self.error(span, diagnostic.message),
            Ok(source) => {
                let file = self.sources.add(source.at(&path));
                let tokens = self.lex(file);
                self.report.charge(tokens.len(), 0, span);
                self.known.insert(path.clone(), (file, tokens.clone()));
                self.open(file, &path, tokens);
            }
        }
    }

    /// Reports, unless it is about the inside of C text that is refused anyway.
    pub(super) fn say(&mut self, diagnostic: Diagnostic) {
        if !self.embedded.inside() {
            self.report.say(diagnostic);
        }
    }

    pub(super) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.say(Diagnostic::error(span, message));
    }

    pub(super) fn in_formula(&self) -> bool {
        self.formula.inside()
    }

    fn emit(&mut self, token: Token) {
        if self.embedded.swallows(&token, self.words, self.report) {
            return;
        }
        self.formula.see(&token);
        match token.kind {
            Kind::Bad(fault) => {
                let text = self.words.text(token.text);
                let diagnostic = Diagnostic::error(token.span, fault.message(text));
                return self.say(Diagnostic { help: fault.help(text).map(String::from), ..diagnostic });
            }
            Kind::Number if !self.words.text(token.text).bytes().all(|byte| byte.is_ascii_digit()) => {
                return self.error(token.span, "a number has decimal digits only");
            }
            Kind::Number => {
                let warning = number::truncated(&token, self.out.last(), self.words);
                warning.into_iter().for_each(|warning| self.say(warning));
            }
            Kind::Op if matches!(token.text, Word::HASH | Word::PASTE) => {
                let diagnostic = Diagnostic::error(token.span, format!("unexpected `{}`", self.words.text(token.text)));
                return self.say(diagnostic.help("a preprocessor directive starts its line"));
            }
            _ => {}
        }
        self.out.push(token);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The tokens of file `m` among `files`, with a blank between two, and what was reported.
    pub fn files(files: &[(&str, &str)], options: &Options) -> (String, Vec<String>) {
        let find = |path: &Path| files.iter().find(|(name, _)| Path::new(name) == path);
        let read = |path: &Path| {
            let missing = || io::Error::from(io::ErrorKind::NotFound);
            find(path).map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(missing)
        };
        let (mut sources, mut words, mut report) = (Sources::default(), Words::default(), Report::default());
        let main = sources.add(Source::new("m", find(Path::new("m")).unwrap().1));
        let tokens = preprocess(&mut sources, &mut words, &mut report, options, &read, main);
        let text: Vec<_> = tokens.iter().map(|token| words.text(token.text)).collect();
        (text.join(" "), report.into_diagnostics().into_iter().map(|d| d.message).collect())
    }

    /// The tokens of a text that has no fault.
    pub fn clean(text: &str) -> String {
        let (out, messages) = files(&[("m", text)], &Options::default());
        assert_eq!(messages, [""; 0], "{text}");
        out
    }

    pub fn messages(text: &str) -> Vec<String> {
        files(&[("m", text)], &Options::default()).1
    }

    #[test]
    fn includes_are_found_beside_the_file_then_in_the_directories() {
        let tree = [
            ("m", "#include \"d/a.h\"\n#include <b.h>\n#include \"b.h\"\n#define WHERE \"d/c.h\"\n#include WHERE\nm"),
            ("d/a.h", "a\n#include \"c.h\""),
            ("d/c.h", "beside"),
            ("i/b.h", "found"),
            ("i/d/c.h", "wrong"),
        ];
        let options = Options { include_dirs: vec!["none".into(), "i".into()], ..Options::default() };
        assert_eq!(files(&tree, &options), ("a beside found found beside m".into(), vec![]));
        let (_, messages) = files(&tree, &Options::default());
        assert_eq!(messages, ["cannot find `b.h`", "cannot find `b.h`"]);
    }

    #[test]
    fn includes_end() {
        let (_, messages) = files(&[("m", "x\n#include \"m\"\n")], &Options::default());
        assert_eq!(messages, ["#include is nested more than 200 deep: does the file include itself?"]);
        let names: Vec<_> = (0..=30).map(|n| format!("f{n}")).collect();
        let twice: Vec<_> = (1..=31).map(|n| format!("#include \"f{n}\"\n").repeat(2)).collect();
        let mut tree: Vec<_> = names.iter().map(String::as_str).zip(twice.iter().map(String::as_str)).collect();
        tree.push(("f31", ""));
        tree.push(("m", "#include \"f0\""));
        assert_eq!(files(&tree, &Options::default()).1, ["more than 10000 #includes"]);
    }

    #[test]
    fn command_line_definitions() {
        let mut options = Options::default();
        for argument in ["N=3", "DEBUG", "max(a,b)=((a)>(b)->(a):(b))", "GONE=1", "EMPTY=", "LINES=1\n2\\"] {
            options.define(argument);
        }
        options.undefines.push("GONE".into());
        let text = "N DEBUG GONE [ EMPTY ] max(x, 1) LINES";
        let (out, messages) = files(&[("m", text)], &options);
        assert_eq!(messages, [""; 0]);
        assert_eq!(out, "3 1 GONE [ ] ( ( x ) > ( 1 ) -> ( x ) : ( 1 ) ) 1 2");
    }

    #[test]
    fn nothing_is_predefined_that_a_model_may_use() {
        assert_eq!(clean("linux unix i386 __STDC__"), "linux unix i386 __STDC__");
        assert_eq!(clean("\n__LINE__ __FILE__"), "2 \"m\"");
    }

    #[test]
    fn faults_in_active_text_only() {
        assert_eq!(clean("#if 0\ndon't 0x1F \"\n#endif\nok"), "ok");
        assert_eq!(
            messages("\"abc\n'xy' $ 0x1F\na # b\nx\u{fffd}y"),
            [
                "this string is not closed",
                "a character constant holds exactly one ASCII character",
                "unexpected `$`",
                "a number has decimal digits only",
                "unexpected `#`",
                "this is not UTF-8 text",
            ]
        );
    }

    #[test]
    fn a_fault_in_a_macro_is_told_once() {
        assert_eq!(messages("#define BAD 12ab\nBAD BAD BAD"), ["a number has decimal digits only"]);
    }

    #[test]
    fn embedded_c_is_refused_once_per_kind() {
        let text = "c_decl {\n\\#include <x.h>\n#include \"y.h\"\nint a = 0x1F; char *s = \"}\"; char c = 'ab';\n}\n\
                    c_state \"int x\" \"Global\" c_track \"&x\" \"4\"\n\
                    init { c_code [now.x > 1] { f({1}); } ; c_code { }; (c_expr { x } ) }";
        let (out, messages) = files(&[("m", text)], &Options::default());
        let told: Vec<_> = ["c_decl", "c_state", "c_track", "c_code", "c_expr"]
            .map(|word| format!("embedded C ({word}) is not supported"))
            .into();
        assert_eq!(messages, told);
        assert_eq!(out, "init { ; ; ( ) }");
    }
}
