//! Conditions of Promela inside formulas: `x > 3`, `len(q) == 0`, `P[2]@critical`.
//!
//! The formula's reader asks at every place where it expects an operand. What is recognised here is no more than the
//! shape of a condition; whether its names mean anything only a model can tell.

/// The length of the condition at the start of `text`, if there is one that is more than a name.
pub fn condition(text: &str) -> Option<usize> {
    let mut scanner = Scanner { text, at: 0 };
    let mut first = scanner.operand()?;
    let mut end = scanner.at;
    while scanner.operator() && scanner.operand().is_some() {
        end = scanner.at;
        first = Operand::Compound;
    }
    (first == Operand::Compound).then_some(end)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    /// A name, a number, or parentheses: the reader of formulas knows what to do.
    Plain,
    /// With an index, a field, a label or arguments.
    Compound,
}

struct Scanner<'s> {
    text: &'s str,
    at: usize,
}

/// Names that take arguments.
const FUNCTIONS: [&str; 8] = ["len", "empty", "nempty", "full", "nfull", "enabled", "pc_value", "get_priority"];
/// Longer ones first.
const OPERATORS: [&str; 13] = ["<<", ">>", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%"];
/// What begins like an operator and belongs to the formula.
const OTHERS: [&str; 6] = ["<=>", "<->", "<>", "->", "/\\", "=>"];

impl Scanner<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, what: &str) -> bool {
        let here = self.rest().starts_with(what);
        self.at += if here { what.len() } else { 0 };
        here
    }

    fn operator(&mut self) -> bool {
        self.skip_space();
        !OTHERS.iter().any(|other| self.rest().starts_with(other))
            && OPERATORS.iter().any(|operator| self.eat(operator))
    }

    fn operand(&mut self) -> Option<Operand> {
        self.skip_space();
        self.eat("-");
        if self.rest().starts_with('(') {
            return self.brackets().then_some(Operand::Plain);
        }
        let name = self.word()?.to_string();
        let is_number = name.starts_with(|c: char| c.is_ascii_digit());
        if !is_number && ltl::parse::is_operator(&name) {
            return None;
        }
        let before = self.at;
        if FUNCTIONS.contains(&name.as_str()) && self.rest().trim_start().starts_with('(') {
            self.skip_space();
            self.brackets();
        }
        loop {
            let suffix = match self.rest().as_bytes() {
                [b'[', b']', ..] => false,
                [b'[', ..] => self.brackets(),
                [b'.' | b'@' | b':', ..] if !is_number => {
                    self.at += 1;
                    self.word().is_some()
                }
                _ => false,
            };
            if !suffix {
                break;
            }
        }
        Some(if self.at > before { Operand::Compound } else { Operand::Plain })
    }

    fn word(&mut self) -> Option<&str> {
        let length = self.rest().find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest().len());
        let start = self.at;
        self.at += length;
        (length > 0).then(|| &self.text[start..start + length])
    }

    /// From an opening bracket to the one that closes it.
    fn brackets(&mut self) -> bool {
        let mut depth = 0;
        for (place, c) in self.text[self.at..].char_indices() {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at += place + 1;
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::condition;

    #[test]
    fn conditions() {
        let found = |text: &'static str| condition(text).map(|length| &text[..length]);
        assert_eq!(found("x > 3 && y"), Some("x > 3"));
        assert_eq!(found("len(q) == 0)"), Some("len(q) == 0"));
        assert_eq!(found("P[2]@critical U a"), Some("P[2]@critical"));
        assert_eq!(found("P@idle"), Some("P@idle"));
        assert_eq!(found("a[i+1].b<=c -> d"), Some("a[i+1].b<=c"));
        assert_eq!(found("empty(q) W p"), Some("empty(q)"));
        assert_eq!(found("(x + 1) * 2 != y <-> p"), Some("(x + 1) * 2 != y"));
        assert_eq!(found("x == -1"), Some("x == -1"));
        for formula in [
            "p",
            "p U q",
            "(x > 3 && y)",
            "p -> q",
            "p <-> q",
            "p <> q",
            "[] p",
            "G (x > 3)",
            "GFp0",
            "X p",
            "p => q",
            "1",
        ] {
            assert_eq!(found(formula), None, "{formula}");
        }
    }
}
