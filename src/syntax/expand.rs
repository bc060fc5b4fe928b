//! Macro expansion: the stream of tokens with every macro replaced.
//!
//! Follows gcc's scheme, which decides the cases the C standard leaves open as users of `cpp` know them. A stack of
//! [`Context`]s is read from the top, below it lie the files. Calling a macro pushes its replacement as a context and
//! makes the macro busy until that context is read to its end; the name of a busy macro is painted and never expanded
//! again. An argument is expanded on its own, above a context that ends the reading. The `(` of a call may lie beyond
//! the end of contexts, which then end (so `f(2)(9)` with `f(a)` = `a*g`, `g(a)` = `f(a)` gives `2*9*g`).
//!
//! Inside an `ltl` block every expansion is enclosed in an open and a close mark, for `formula`.

use super::define::{Arg, Macro};
use super::preprocess::Preprocessor;
use super::token::{Gap, Kind, Token};
use super::word::Word;
use crate::source::{Diagnostic, ExpansionKind, Span};
use std::rc::Rc;

/// Calls inside arguments of calls; the only recursion here.
const MAX_ARGUMENT_DEPTH: usize = 200;

/// Tokens waiting to be read again.
pub struct Context {
    tokens: Vec<Token>,
    next: usize,
    /// The macro that is busy while this is read; a list that is expanded on its own has none and ends the reading.
    of: Option<Rc<Macro>>,
}

impl Preprocessor<'_> {
    /// The next token after expansion; `None` at the end of the input or of a list expanded on its own.
    pub(super) fn expanded(&mut self) -> Option<Token> {
        loop {
            let mut token = self.unexpanded()?;
            if token.kind == Kind::Name && !token.painted && !self.report.stopped() {
                if let Some(found) = self.macros.get(&token.text).cloned() {
                    if found.busy.get() {
                        token.painted = true;
                    } else if self.call(&found, token) {
                        continue;
                    }
                } else if matches!(token.text, Word::LINE | Word::FILE) {
                    token = self.place_of(token);
                }
            }
            token.gap = token.gap.max(std::mem::replace(&mut self.carry, Gap::None));
            return Some(token);
        }
    }

    /// Expands a list of tokens on its own.
    pub(super) fn expand_list(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        self.with_list(tokens, |this| std::iter::from_fn(|| this.expanded()).collect())
    }

    /// Lets `reader` read `tokens` and nothing else.
    pub(super) fn with_list<T>(&mut self, tokens: Vec<Token>, reader: impl FnOnce(&mut Self) -> T) -> T {
        let carry = std::mem::replace(&mut self.carry, Gap::None);
        let depth = self.contexts.len();
        self.contexts.push(Context { tokens, next: 0, of: None });
        let result = reader(self);
        for context in self.contexts.drain(depth..) {
            if let Some(of) = context.of {
                of.busy.set(false);
            }
        }
        self.carry = carry;
        result
    }

    /// The next token as it stands in the contexts or the files.
    pub(super) fn unexpanded(&mut self) -> Option<Token> {
        if let Some(token) = self.ahead.pop() {
            return Some(token);
        }
        while let Some(context) = self.contexts.last_mut() {
            if let Some(&token) = context.tokens.get(context.next) {
                context.next += 1;
                return Some(token);
            }
            context.of.as_ref()?.busy.set(false);
            self.contexts.pop();
        }
        self.next_of_files()
    }

    /// Replaces a call of `of` at `name`, unless it lacks its arguments.
    fn call(&mut self, of: &Rc<Macro>, name: Token) -> bool {
        let (args, end) = match &of.params {
            None => (Vec::new(), name.span),
            Some(params) => {
                if !self.take_paren() {
                    return false;
                }
                match self.arguments(of, params.len(), name.span) {
                    Some((args, end)) => (args, end),
                    None => return true,
                }
            }
        };
        let call = self.sources.join(name.span, end);
        let depth = self.sources.depth(call) + 1;
        self.report.charge(args.iter().map(|arg| arg.raw.len()).sum(), depth, call);
        let args = self.expand_arguments(of, args);
        self.report.charge(of.size(&args), depth, call);
        if self.report.stopped() {
            return true;
        }
        let via = self.sources.expand(ExpansionKind::Macro, self.words.text(of.name), call);
        let mut tokens = of.replace(&args, via, self.words, self.report);
        match tokens.first_mut() {
            Some(first) => first.gap = name.gap,
            None => self.carry = self.carry.max(name.gap),
        }
        if self.in_formula() {
            let mark = |kind| Token::new(kind, of.name, call.via(via));
            tokens.insert(0, Token { gap: Gap::None, ..mark(Kind::Open) });
            tokens.push(Token { gap: Gap::None, ..mark(Kind::Close) });
        }
        of.busy.set(true);
        self.contexts.push(Context { tokens, next: 0, of: Some(of.clone()) });
        true
    }

    /// Takes a `(` if it comes next.
    fn take_paren(&mut self) -> bool {
        let mut seen = Vec::new();
        while let Some(token) = self.unexpanded() {
            if token.is(Word::PAREN) {
                return true;
            }
            seen.push(token);
            if !matches!(token.kind, Kind::Open | Kind::Close) {
                break;
            }
        }
        self.ahead.extend(seen.into_iter().rev());
        false
    }

    /// The arguments of a call behind its `(`, and the place of its `)`.
    fn arguments(&mut self, of: &Macro, params: usize, name: Span) -> Option<(Vec<Arg>, Span)> {
        self.collecting += 1;
        let read = self.read_arguments(of.variadic.then_some(params));
        self.collecting -= 1;
        let text = self.words.text(of.name).to_string();
        let Some((mut args, end)) = read else {
            self.error(name, format!("this call of the macro `{text}` is not closed"));
            return None;
        };
        if params == 0 && args.len() == 1 && args[0].raw.is_empty() {
            args.pop();
        }
        if of.variadic && args.len() + 1 == params {
            args.push(Arg { omitted: true, ..Arg::default() });
        } else if of.variadic && params == 1 && args[0].raw.is_empty() {
            args[0].omitted = true;
        }
        if args.len() != params {
            let plural = if params == 1 { "" } else { "s" };
            let message = format!("the macro `{text}` takes {params} argument{plural}, not {}", args.len());
            self.error(name, message);
            return None;
        }
        Some((args, end))
    }

    /// Splits the tokens up to the closing `)` at commas; the argument number `rest` takes all that remain.
    fn read_arguments(&mut self, rest: Option<usize>) -> Option<(Vec<Arg>, Span)> {
        let mut args = vec![Arg::default()];
        let mut depth = 0usize;
        loop {
            let mut token = self.unexpanded()?;
            match token.text {
                Word::PAREN => depth += 1,
                Word::PAREN_END if depth == 0 => return Some((args, token.span)),
                Word::PAREN_END => depth -= 1,
                Word::COMMA if depth == 0 && rest != Some(args.len()) => {
                    args.push(Arg::default());
                    continue;
                }
                _ => {}
            }
            if matches!(token.kind, Kind::Open | Kind::Close) {
                continue;
            }
            token.gap = token.gap.min(Gap::Space);
            if let Some(arg) = args.last_mut() {
                arg.raw.push(token);
            }
        }
    }

    fn expand_arguments(&mut self, of: &Macro, mut args: Vec<Arg>) -> Vec<Arg> {
        if self.report.stopped() {
            return args;
        }
        if self.argument_depth == MAX_ARGUMENT_DEPTH {
            if let Some(first) = args.iter().find_map(|arg| arg.raw.first()) {
                let message = format!("macro calls are nested in arguments more than {MAX_ARGUMENT_DEPTH} deep");
                self.report.stop(Diagnostic::error(first.span, message));
            }
            return args;
        }
        self.argument_depth += 1;
        for (index, arg) in args.iter_mut().enumerate() {
            if of.expands(index) {
                arg.expanded = self.expand_list(arg.raw.clone());
            }
        }
        self.argument_depth -= 1;
        args
    }

    /// `__LINE__` or `__FILE__`.
    fn place_of(&mut self, token: Token) -> Token {
        let place = self.sources.place(token.span);
        let (kind, text) = match token.text {
            Word::LINE => (Kind::Number, place.line.to_string()),
            _ => (Kind::Str, format!("\"{}\"", place.file.replace('\\', "\\\\").replace('"', "\\\""))),
        };
        Token { kind, text: self.words.intern(&text), ..token }
    }
}

#[cfg(test)]
mod tests {
    use super::super::preprocess::tests::{clean, messages};

    /// Blanks out of the expectation, which is what `gcc -E -P` (12.2) printed, do not count.
    fn same(text: &str, expected: &str) {
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(bare(&clean(text)), bare(expected), "{text}");
    }

    #[test]
    fn the_examples_of_the_c_standard() {
        same(
            "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n\
             #define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n\
             f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n\
             p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };",
            "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);
             f(2 * (2 +(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);
             int i[] = { 1, 23, 4, 5, };",
        );
        same(
            "#define str(s) # s\n#define xstr(s) str(s)\n#define INCFILE(n) vers ## n\nxstr(INCFILE(2).h)\n\
             #define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n#define HIGHLOW \"hello\"\n\
             #define LOW LOW \", world\"\nglue(HIGH, LOW);\nxglue(HIGH, LOW)",
            "\"vers2.h\" \"hello\"; \"hello\" \", world\"",
        );
        same(
            "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n\
             #define join(c, d) in_between(c hash_hash d)\njoin(x, y)",
            "\"x ## y\"",
        );
    }

    #[test]
    fn a_macro_is_not_expanded_inside_itself() {
        same("#define self self + other\n#define other self\nself other", "self + self self + other");
        same("#define AA BB\n#define BB AA\nAA BB", "AA BB");
        same(
            "#define rem(a) a\n#define nest(a) rem(a) a nest(a)\nrem(rem(rem(1))) nest(nest(1))",
            "1 1 1 nest(1) 1 1 nest(1) nest(1 1 nest(1))",
        );
    }

    #[test]
    fn a_call_may_reach_behind_an_expansion() {
        same("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2*9*g");
        same("#define NIL(x) x\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)", "42");
        same("#define foo() bar\n#define EMPTY\nfoo\n() foo EMPTY () foo", "bar foo () foo");
        same(
            "#define LPAREN (\n#define RPAREN )\n#define F(x, y) x + y\n#define ALL(...) __VA_ARGS__\n\
             ALL(F, LPAREN, 'a', 'b', RPAREN);",
            "F, (, 'a', 'b', );",
        );
    }

    #[test]
    fn quotes_and_pastes() {
        same("#define str(s) #s\nstr( a  b \"c\\n\\\"d\" '\\'' '\"' @ )", r#""a b \"c\\n\\\"d\" '\\'' '\"' @""#);
        same("#define cat3(a,b,c) a ## b ## c\ncat3(1,,2) cat3(,b,) cat3(a,b,c)", "12 b abc");
        same("#define op(a,b) a##b\nx op(-,>) y op(<,=) z", "x -> y <= z");
        assert_eq!(messages("#define g(a,b) a##b\ng(-,1)"), ["`##` makes no token of `-` and `1`"]);
    }

    #[test]
    fn rest_arguments() {
        same(
            "#define va(fmt, ...) printf(fmt, ## __VA_ARGS__)\nva(\"a\") va(\"a\",) va(\"a\", 1, 2)",
            "printf(\"a\") printf(\"a\",) printf(\"a\", 1, 2)",
        );
        same("#define vb(fmt, rest...) printf(fmt, rest)\nvb(\"a\", 1, (2, 3))", "printf(\"a\", 1, (2, 3))");
    }

    #[test]
    fn a_range_expands_its_bounds() {
        assert_eq!(clean("#define LO 0\n#define HI 3\nLO..HI 0..HI"), "0 .. 3 0 .. 3");
    }

    #[test]
    fn directives_inside_a_call() {
        assert_eq!(clean("#define f(x) <x>\nf(\n#define A 1\n#if A\na\n#else\nb\n#endif\n)"), "< a >");
    }

    #[test]
    fn wrong_calls() {
        assert_eq!(messages("#define f(a,b) a\nf(1)"), ["the macro `f` takes 2 arguments, not 1"]);
        assert_eq!(messages("#define f(a) a\nf(1,2)"), ["the macro `f` takes 1 argument, not 2"]);
        assert_eq!(messages("#define f() a\nf(1)"), ["the macro `f` takes 0 arguments, not 1"]);
        assert_eq!(messages("#define f(a) a\nf(1, (2"), ["this call of the macro `f` is not closed"]);
    }

    #[test]
    fn runaway_expansion_stops() {
        let chain = |line: &str, n: usize| -> String {
            (0..n).map(|i| line.replace('@', &i.to_string()).replace('$', &(i + 1).to_string()) + "\n").collect()
        };
        let tokens = "the model expands to more than 2000000 tokens";
        assert_eq!(messages(&(chain("#define a@ a$ a$", 40) + "#define a40\na0")), [tokens]);
        assert_eq!(messages(&(chain("#define a@(x) a$(x x)", 60) + "a0(q)")), [tokens]);
        assert_eq!(messages(&(chain("#define a@ a$", 5000) + "a0")), ["expansions are nested more than 1000 deep"]);
        let pasted = messages(&(chain("#define a@(x) a$(x##x)", 40) + "a0(q)"));
        assert!(pasted.contains(&"`##` makes a token that is too long".to_string()), "{pasted:?}");
        let quoted =
            messages(&("#define s(x) #x\n".to_string() + &chain("#define a@(x) a$(s(x))", 40) + "a0(\"\\\\\")"));
        assert!(quoted.contains(&"`#` makes a string that is too long".to_string()), "{quoted:?}");
        let deep = format!("#define f(x) x\n{}1{}", "f(".repeat(1000), ")".repeat(1000));
        assert_eq!(messages(&deep), ["macro calls are nested in arguments more than 200 deep"]);
    }
}
