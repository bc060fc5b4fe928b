//! Source text to preprocessing tokens.
//!
//! In comes the text of one file, out comes every token of it, directives and skipped groups included: what is active
//! is decided by `preprocess`. Comments and line splices are gone; what was between two tokens survives as a [`Gap`],
//! because Promela reads a line end as a semicolon. Text that is no token becomes a [`Kind::Bad`] token: it is
//! harmless in a skipped group and is reported where it would be used.
//!
//! Differs from C: `0..N` is three tokens (a C preprocessor reads one number and leaves the macro `N` alone), a number
//! has no fraction, and Promela's operators are tokens. `[]` and `<>` are read as two tokens each, since `c?<x>` and
//! `a[i]` need the halves; `formula` joins them inside `ltl` blocks.

use super::word::{Word, Words};
use crate::source::{Diagnostic, FileId, Span};
use std::borrow::Cow;

/// What stands before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// Nothing: the tokens touch.
    None,
    /// Blanks, comments within a line, line splices.
    Space,
    /// A line end inside a comment: it ends a line as `layout` sees it (gcc -E prints a line end there, too), but it
    /// does not end a directive.
    Break,
    /// A line end.
    Line,
}

/// Why a text is no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    UnclosedString,
    UnclosedChar,
    /// `''`, `'ab'`, `'é'`
    NotOneChar,
    Unknown,
}

impl Fault {
    pub fn message(self, text: &str) -> String {
        match self {
            Fault::UnclosedString => "this string is not closed".into(),
            Fault::UnclosedChar => "this character constant is not closed".into(),
            Fault::NotOneChar => "a character constant holds exactly one ASCII character".into(),
            Fault::Unknown if text.contains('\u{fffd}') => "this is not UTF-8 text".into(),
            Fault::Unknown => format!("unexpected `{}`", shown(text)),
        }
    }

    /// What to write instead.
    pub fn help(self, text: &str) -> Option<&'static str> {
        match (self, text) {
            (Fault::Unknown, "/\\") => Some("for `/\\` write `&&`"),
            (Fault::Unknown, "\\/") => Some("for `\\/` write `||`"),
            _ => None,
        }
    }
}

/// The beginning of a text, with control characters in sight.
fn shown(text: &str) -> String {
    let shown = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
    text.chars().take(20).map(shown).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword.
    Name,
    /// Digits, and whatever letters stick to them: only decimal numbers are Promela, but `#if` reads C's.
    Number,
    Char,
    Str,
    Op,
    Bad(Fault),
    /// Where the expansion of a macro inside a formula starts; `formula` removes it.
    Open,
    /// Where it ends.
    Close,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Kind,
    pub gap: Gap,
    /// The name of a macro inside its own expansion: never expanded again.
    pub painted: bool,
    /// Came out of an inline.
    pub inlined: bool,
    pub text: Word,
    pub span: Span,
}

impl Token {
    pub fn new(kind: Kind, text: Word, span: Span) -> Token {
        Token { kind, gap: Gap::Space, painted: false, inlined: false, text, span }
    }

    pub fn op(text: Word, span: Span) -> Token {
        Token::new(Kind::Op, text, span)
    }

    /// Is this the name, operator or separator `word`? (A string or a character never is: its quotes are in its text.)
    pub fn is(&self, word: Word) -> bool {
        self.text == word
    }

    pub fn starts_line(&self) -> bool {
        self.gap == Gap::Line
    }

    /// A name that is not a keyword.
    pub fn is_plain_name(&self) -> bool {
        self.kind == Kind::Name && !self.text.is_keyword()
    }

    /// Can an operand end here, so that an operator that follows stands between two operands?
    pub fn ends_operand(&self) -> bool {
        match self.kind {
            Kind::Name => !self.text.is_keyword() || matches!(self.text, Word::TIMEOUT | Word::NP),
            Kind::Number | Kind::Char => true,
            Kind::Op => matches!(self.text, Word::PAREN_END | Word::BRACKET_END),
            _ => false,
        }
    }
}

/// The tokens of `text`, and an error if it ends inside a comment.
pub fn lex(file: FileId, text: &str, words: &mut Words) -> (Vec<Token>, Option<Diagnostic>) {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, end: 0, file, unclosed: None };
    let mut tokens = Vec::with_capacity(text.len() / 4);
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    let mut first = Some(Gap::Line);
    while let Some((kind, gap, start)) = lexer.next() {
        let raw = &text[start..lexer.end];
        let text = words.intern(spelling(&unsplice(raw)));
        let span = Span::new(file, start, lexer.end);
        let gap = first.take().unwrap_or(gap);
        tokens.push(Token { kind, gap, painted: false, inlined: false, text, span });
    }
    (tokens, lexer.unclosed)
}

/// One spelling for what is one token.
fn spelling(text: &str) -> &str {
    if text == "-->" { "->" } else { text }
}

/// The kind of the only token in `text`, if there is exactly one (for `##`).
pub fn lex_one(text: &str) -> Option<Kind> {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, end: 0, file: FileId(0), unclosed: None };
    let (kind, ..) = lexer.next()?;
    let whole = lexer.end == text.len() && lexer.unclosed.is_none();
    let single = spelling(text) == text;
    (whole && single && !matches!(kind, Kind::Bad(_))).then_some(kind)
}

/// The length of a line splice at the start of `bytes`: a backslash, perhaps blanks, a line end.
fn splice(bytes: &[u8]) -> Option<usize> {
    if bytes.first() != Some(&b'\\') {
        return None;
    }
    let blanks = bytes[1..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
    (bytes.get(1 + blanks) == Some(&b'\n')).then_some(blanks + 2)
}

fn unsplice(raw: &str) -> Cow<'_, str> {
    let bytes = raw.as_bytes();
    if !bytes.contains(&b'\\') {
        return Cow::Borrowed(raw);
    }
    let mut clean = String::with_capacity(raw.len());
    let (mut from, mut at) = (0, 0);
    while at < bytes.len() {
        match splice(&bytes[at..]) {
            Some(length) => {
                clean.push_str(&raw[from..at]);
                at += length;
                from = at;
            }
            None => at += 1,
        }
    }
    clean.push_str(&raw[from..]);
    Cow::Owned(clean)
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Where the token that is being read ends so far: `at` may be behind a splice that follows it.
    end: usize,
    file: FileId,
    unclosed: Option<Diagnostic>,
}

impl Lexer<'_> {
    /// Kind, gap before and start of the next token; it ends at `self.end`.
    fn next(&mut self) -> Option<(Kind, Gap, usize)> {
        let gap = self.gap();
        let first = self.peek()?;
        let start = self.at;
        self.bump();
        let kind = match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.alphanumerics();
                Kind::Name
            }
            b'0'..=b'9' => {
                self.alphanumerics();
                Kind::Number
            }
            b'"' => self.string(),
            b'\'' => self.character(start),
            b'/' | b'\\' if self.other_half(first) => Kind::Bad(Fault::Unknown),
            _ if self.operator(first) => Kind::Op,
            _ => {
                self.unknown();
                Kind::Bad(Fault::Unknown)
            }
        };
        Some((kind, gap, start))
    }

    /// The next byte, behind any line splices.
    fn peek(&mut self) -> Option<u8> {
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte == b'\\'
                && let Some(length) = splice(&self.bytes[self.at..])
            {
                self.at += length;
                continue;
            }
            return Some(byte);
        }
        None
    }

    /// Takes the byte just peeked into the token.
    fn bump(&mut self) {
        self.at += 1;
        self.end = self.at;
    }

    fn gap(&mut self) -> Gap {
        let mut gap = Gap::None;
        loop {
            match self.peek() {
                Some(b'\n') => {
                    self.at += 1;
                    gap = Gap::Line;
                }
                Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c) => {
                    self.at += 1;
                    gap = gap.max(Gap::Space);
                }
                Some(b'/') => match self.comment() {
                    Some(comment) => gap = gap.max(comment),
                    None => return gap,
                },
                // A splice alone separates nothing: `pro\⏎ctype` is one word.
                _ => return gap,
            }
        }
    }

    /// Skips the comment that starts at this `/`, if one does.
    fn comment(&mut self) -> Option<Gap> {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some(b'/') => {
                while self.peek().is_some_and(|byte| byte != b'\n') {
                    self.at += 1;
                }
                Some(Gap::Space)
            }
            Some(b'*') => {
                self.at += 1;
                Some(self.block_comment(start))
            }
            _ => {
                self.at = start;
                None
            }
        }
    }

    fn block_comment(&mut self, start: usize) -> Gap {
        let mut gap = Gap::Space;
        let mut star = false;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'/' if star => return gap,
                b'\n' => gap = Gap::Break,
                _ => {}
            }
            star = byte == b'*';
        }
        let span = Span::new(self.file, start, start + 2);
        self.unclosed = Some(Diagnostic::error(span, "this comment is not closed"));
        gap
    }

    fn alphanumerics(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.bump();
        }
    }

    /// Up to the closing `quote` on this line; a backslash protects the character behind it.
    fn quoted(&mut self, quote: u8) -> bool {
        while let Some(byte) = self.peek() {
            if byte == b'\n' {
                return false;
            }
            self.bump();
            if byte == quote {
                return true;
            }
            if byte == b'\\' && self.peek().is_some_and(|byte| byte != b'\n') {
                self.bump();
            }
        }
        false
    }

    fn string(&mut self) -> Kind {
        if self.quoted(b'"') { Kind::Str } else { Kind::Bad(Fault::UnclosedString) }
    }

    fn character(&mut self, start: usize) -> Kind {
        if !self.quoted(b'\'') {
            return Kind::Bad(Fault::UnclosedChar);
        }
        let text = unsplice(&self.text[start..self.end]);
        match text.as_bytes() {
            [b'\'', b'\\', escaped, b'\''] if escaped.is_ascii() => Kind::Char,
            [b'\'', plain, b'\''] if plain.is_ascii() && *plain != b'\\' => Kind::Char,
            _ => Kind::Bad(Fault::NotOneChar),
        }
    }

    fn follows(&mut self, byte: u8) -> bool {
        let follows = self.peek() == Some(byte);
        if follows {
            self.bump();
        }
        follows
    }

    /// The longest operator that starts with `first`.
    fn operator(&mut self, first: u8) -> bool {
        match first {
            b'(' | b')' | b'{' | b'}' | b'[' | b']' | b',' | b';' | b'@' | b'*' | b'/' | b'%' | b'^' | b'~' => {}
            b':' | b'.' | b'+' | b'&' | b'|' | b'?' | b'=' | b'#' => {
                self.follows(first);
            }
            b'!' => _ = self.follows(b'=') || self.follows(b'!'),
            b'-' => self.arrow_or_decrement(),
            b'>' => _ = self.follows(b'>') || self.follows(b'='),
            b'<' => _ = self.follows(b'<') || self.follows(b'=') || self.equivalence(),
            _ => return false,
        }
        true
    }

    /// The rest of `->`, of `--`, or of `-->`, which is an arrow, too (as spin: spinlex.c, `lex`).
    fn arrow_or_decrement(&mut self) {
        self.follows(b'-');
        self.follows(b'>');
    }

    /// The rest of `<->`.
    fn equivalence(&mut self) -> bool {
        let (at, end) = (self.at, self.end);
        let found = self.follows(b'-') && self.follows(b'>');
        if !found {
            (self.at, self.end) = (at, end);
        }
        found
    }

    /// A run of characters that start no token, as one piece.
    /// The rest of `/\` or of `\/`, which other notations have.
    fn other_half(&mut self, first: u8) -> bool {
        self.follows(if first == b'/' { b'\\' } else { b'/' })
    }

    fn unknown(&mut self) {
        while let Some(byte) = self.peek() {
            let known = byte.is_ascii_graphic() && !matches!(byte, b'$' | b'`' | b'\\') || byte.is_ascii_whitespace();
            if known || byte == 0x0b {
                return;
            }
            self.bump();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let mut words = Words::default();
        let (tokens, unclosed) = lex(FileId(0), text, &mut words);
        assert!(unclosed.is_none());
        tokens.iter().map(|t| words.text(t.text).to_string()).collect()
    }

    fn kinds(text: &str) -> Vec<Kind> {
        lex(FileId(0), text, &mut Words::default()).0.iter().map(|t| t.kind).collect()
    }

    #[test]
    fn longest_operator_wins() {
        assert_eq!(texts("a->b<->c<-d--e"), ["a", "->", "b", "<->", "c", "<", "-", "d", "--", "e"]);
        assert_eq!(texts("c??<x>->y!!z::w..v"), ["c", "??", "<", "x", ">", "->", "y", "!!", "z", "::", "w", "..", "v"]);
        assert_eq!(texts("[]<>p"), ["[", "]", "<", ">", "p"]);
        assert_eq!(
            texts("a-->b x-- -->c x---->d --"),
            ["a", "->", "b", "x", "--", "->", "c", "x", "--", "->", "d", "--"]
        );
        assert_eq!(texts("x-- >y - >"), ["x", "--", ">", "y", "-", ">"]);
        assert_eq!(
            texts("a<=b>=c==d!=e&&f||g<<h>>i"),
            "a <= b >= c == d != e && f || g << h >> i".split(' ').collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_range_is_three_tokens() {
        assert_eq!(texts("0..N 1..3 a[0].b"), ["0", "..", "N", "1", "..", "3", "a", "[", "0", "]", ".", "b"]);
        assert_eq!(texts("0x1F 10u"), ["0x1F", "10u"]);
    }

    #[test]
    fn splices_join_anywhere() {
        assert_eq!(
            texts("pro\\\nctype a-\\\r\n> \"x\\\ny\" 1\\  \n2 /\\\n* c *\\\n/ b"),
            ["proctype", "a", "->", "\"xy\"", "12", "b"]
        );
        assert_eq!(texts("// a \\\n b\nc"), ["c"]);
    }

    #[test]
    fn spans_leave_splices_out() {
        let text = "ab\\\n + c";
        let (tokens, _) = lex(FileId(0), text, &mut Words::default());
        assert_eq!(&text[tokens[0].span.start as usize..tokens[0].span.end as usize], "ab");
    }

    #[test]
    fn gaps_tell_line_ends_apart() {
        let (tokens, _) = lex(FileId(0), "a b/**/c/*\n*/d\ne+\\\nf \\\n g\r\nh", &mut Words::default());
        let gaps: Vec<_> = tokens.iter().map(|t| t.gap).collect();
        use Gap::*;
        assert_eq!(gaps, [Line, Space, Space, Break, Line, None, None, Space, Line]);
    }

    #[test]
    fn strings_and_characters() {
        assert_eq!(kinds(r#""a\"b" 'x' '\n' '\'' '"'"#), [Kind::Str, Kind::Char, Kind::Char, Kind::Char, Kind::Char]);
        for (text, fault) in [
            ("\"abc\n", Fault::UnclosedString),
            ("\"abc\\", Fault::UnclosedString),
            ("'a\nb", Fault::UnclosedChar),
            ("'", Fault::UnclosedChar),
            ("''", Fault::NotOneChar),
            ("'ab'", Fault::NotOneChar),
            ("'\u{e9}'", Fault::NotOneChar),
            ("$\u{1}\u{e9}`", Fault::Unknown),
            ("\\", Fault::Unknown),
            ("/\\", Fault::Unknown),
            ("\\/", Fault::Unknown),
        ] {
            assert_eq!(kinds(text)[0], Kind::Bad(fault), "{text:?}");
        }
    }

    #[test]
    fn an_open_comment_is_reported() {
        let (tokens, unclosed) = lex(FileId(0), "a /* b", &mut Words::default());
        assert_eq!(tokens.len(), 1);
        assert_eq!(unclosed.unwrap().span, Some(Span::new(FileId(0), 2, 4)));
        assert!(lex(FileId(0), "/*/", &mut Words::default()).1.is_some());
    }

    #[test]
    fn one_token_or_none() {
        assert_eq!(lex_one("ab12"), Some(Kind::Name));
        assert_eq!(lex_one("<="), Some(Kind::Op));
        for text in ["", "a b", "//", "/*", "+=", "\"", "- 1", "-1"] {
            assert_eq!(lex_one(text), None, "{text}");
        }
    }
}
