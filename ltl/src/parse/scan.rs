//! From text to tokens.
//!
//! What a word means depends on whether an operand or an operator is due (`U` is an operator only between operands, the
//! caller's atoms begin only where an operand does), so the scanner keeps the two apart. Everything that is wrong with a
//! text is found here, except that its tree is too deep.

use super::lexeme::{number, quoted, skip_blanks, split_letters, word};
use super::operators::{CONSTANT_WORDS, INFIX_WORDS, PREFIX_WORDS, infix_symbol, meaning, prefix_symbol};
use super::token::{Infix, Symbol, Token};
use super::tree::too_deep;
use super::{MAX_NESTING, complain};
use crate::automaton::MAX_ATOMS;
use crate::error::Error;
use crate::expr::Span;
use rustc_hash::FxHashSet;

/// The tokens of a text: operands and operators alternate, parentheses match.
pub fn scan(text: &str, atoms: &dyn Fn(&str) -> Option<usize>) -> Result<Vec<Token>, Error> {
    let mut scanner = Scanner { text, at: 0, atoms, tokens: Vec::new(), open: Vec::new(), names: FxHashSet::default() };
    loop {
        while !scanner.operand()? {}
        while scanner.close()? {}
        if scanner.end()? {
            return Ok(scanner.tokens);
        }
        scanner.infix()?;
    }
}

struct Scanner<'a> {
    text: &'a str,
    /// Where the rest begins, in bytes.
    at: usize,
    atoms: &'a dyn Fn(&str) -> Option<usize>,
    tokens: Vec<Token>,
    /// The parentheses that are not closed yet.
    open: Vec<Span>,
    names: FxHashSet<String>,
}

impl Scanner<'_> {
    /// Reads a token where an operand is due. It is complete unless the token only announces one.
    fn operand(&mut self) -> Result<bool, Error> {
        let rest = self.rest();
        if let Some(length) = self.claimed(rest) {
            self.atom(rest[..length].to_string(), length)?;
        } else if let Ok((after, operator)) = prefix_symbol(rest) {
            self.push(Symbol::Prefix(operator), rest.len() - after.len());
            return Ok(false);
        } else if rest.starts_with('(') {
            self.open()?;
            return Ok(false);
        } else if rest.starts_with('"') {
            self.quoted(rest)?;
        } else if let Ok((_, word)) = word(rest) {
            return self.word(word);
        } else if let Ok((_, number)) = number(rest) {
            self.number(number)?;
        } else {
            return Err(complain::operand_expected(self.text, self.at, self.tokens.last()));
        }
        Ok(true)
    }

    /// How much of the rest the caller takes for an atom. A length that is 0 or not at a character boundary is ignored.
    fn claimed(&self, rest: &str) -> Option<usize> {
        (self.atoms)(rest).filter(|&length| length > 0 && rest.is_char_boundary(length))
    }

    fn word(&mut self, word: &str) -> Result<bool, Error> {
        if let Some(operator) = meaning(PREFIX_WORDS, word) {
            self.push(Symbol::Prefix(operator), word.len());
            Ok(false)
        } else if let Some(constant) = meaning(CONSTANT_WORDS, word) {
            self.push(Symbol::Constant(constant), word.len());
            Ok(true)
        } else if meaning(INFIX_WORDS, word).is_some() {
            Err(complain::operand_expected(self.text, self.at, self.tokens.last()))
        } else if let Some((operators, atom)) = split_letters(word) {
            operators.into_iter().for_each(|operator| self.push(Symbol::Prefix(operator), 1));
            // The caller may know an atom that begins after the letters; it is asked when we come back.
            Ok(atom > 0 && self.claimed(self.rest_here()).is_none() && self.plain_atom(atom)?)
        } else {
            self.plain_atom(word.len())
        }
    }

    fn plain_atom(&mut self, length: usize) -> Result<bool, Error> {
        self.atom(self.rest_here()[..length].to_string(), length)?;
        Ok(true)
    }

    fn quoted(&mut self, rest: &str) -> Result<(), Error> {
        let Ok((after, name)) = quoted(rest) else {
            return Err(Error::new("this quote is not closed", self.at..self.at + 1));
        };
        let length = rest.len() - after.len();
        if name.is_empty() {
            return Err(Error::new("expected the name of an atom between the quotes", self.at..self.at + length));
        }
        self.atom(name, length)
    }

    fn number(&mut self, number: &str) -> Result<(), Error> {
        match number {
            "0" | "1" => self.push(Symbol::Constant(number == "1"), 1),
            _ => return Err(complain::not_a_truth_value(number, self.at)),
        }
        Ok(())
    }

    fn atom(&mut self, name: String, length: usize) -> Result<(), Error> {
        if !self.names.contains(&name) {
            if self.names.len() == MAX_ATOMS {
                let message = format!("a formula has at most {MAX_ATOMS} different atoms");
                return Err(Error::new(message, self.at..self.at + length));
            }
            self.names.insert(name.clone());
        }
        self.push(Symbol::Atom(name), length);
        Ok(())
    }

    fn open(&mut self) -> Result<(), Error> {
        let span = self.at..self.at + 1;
        if self.open.len() == MAX_NESTING {
            return Err(too_deep(span));
        }
        self.open.push(span);
        self.push(Symbol::Open, 1);
        Ok(())
    }

    fn close(&mut self) -> Result<bool, Error> {
        if !self.rest().starts_with(')') {
            return Ok(false);
        }
        if self.open.pop().is_none() {
            return Err(Error::new("this `)` closes nothing", self.at..self.at + 1));
        }
        self.push(Symbol::Close, 1);
        Ok(true)
    }

    fn end(&mut self) -> Result<bool, Error> {
        match (self.rest().is_empty(), self.open.last()) {
            (true, Some(open)) => Err(Error::new("this `(` is not closed", open.clone())),
            (end, _) => Ok(end),
        }
    }

    fn infix(&mut self) -> Result<(), Error> {
        let rest = self.rest();
        let (operator, length) =
            infix(rest).ok_or_else(|| complain::operator_expected(self.text, self.at, &self.tokens, &self.open))?;
        self.push(Symbol::Infix(operator), length);
        Ok(())
    }

    fn push(&mut self, symbol: Symbol, length: usize) {
        let span = self.at..self.at + length;
        self.at = span.end;
        self.tokens.push(Token { symbol, span });
    }
}

impl<'a> Scanner<'a> {
    /// The rest of the text, past blanks.
    fn rest(&mut self) -> &'a str {
        let rest = skip_blanks(self.rest_here());
        self.at = self.text.len() - rest.len();
        rest
    }

    fn rest_here(&self) -> &'a str {
        &self.text[self.at..]
    }
}

fn infix(rest: &str) -> Option<(Infix, usize)> {
    if let Ok((after, operator)) = infix_symbol(rest) {
        return Some((operator, rest.len() - after.len()));
    }
    let (_, word) = word(rest).ok()?;
    meaning(INFIX_WORDS, word).map(|operator| (operator, word.len()))
}
