//! How a formula was read: its parentheses, its atoms, and where SPIN reads it otherwise.

use super::Sense;
use super::rows::row;
use ltl::expr::Kind;
use ltl::parse::Warning;
use ltl::{Expr, Formulas, Parsed};

/// What is particular to one formula.
pub fn reading(text: &str, parsed: &Parsed, sense: Sense) -> String {
    let one = |about: &str, what: String| row(about, &[what]);
    let mut out = row("formula", &text.lines().map(str::to_string).collect::<Vec<_>>());
    out += &one("read as", parsed.expr.explicit().to_string());
    if sense == Sense::Negated {
        out += &one("translated", sense.of(&parsed.expr).explicit().to_string());
    }
    out += &one("atoms", atoms(&parsed.expr));
    out + &row("SPIN", &other_readings(&parsed.warnings))
}

/// The names in the order of their first use, in quotes where they need them.
fn atoms(expr: &Expr) -> String {
    let mut formulas = Formulas::new();
    formulas.intern(expr);
    let shown = |name: &String| Expr { kind: Kind::Atom(name.clone()), span: 0..0 }.explicit().to_string();
    let names: Vec<String> = formulas.atoms().iter().map(shown).collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

fn other_readings(warnings: &[Warning]) -> Vec<String> {
    if warnings.is_empty() {
        return vec!["reads it in the same way, or not at all".into()];
    }
    let line = |warning: &Warning| match &warning.note.help {
        Some(help) => format!("{}; {help}", warning.note.message),
        None => warning.note.message.clone(),
    };
    warnings.iter().map(line).collect()
}

/// How tightly operators bind.
pub const PRECEDENCE: &str = "\
operators, tightest first              also written
  !  X  []  <>   before an operand     ~ not, next, G always, F eventually
  U  W  V  M     to the right          until stronguntil, weakuntil, R release; M is strong release
  &&             in chains             & /\\
  ||             in chains             | \\/
  ->             to the right          => implies
  <->            to the right          <=> equivalent
";

#[cfg(test)]
mod tests {
    use ltl::parse;

    #[test]
    fn the_table_is_true() {
        for (text, expected) in [
            ("!a U []b W <>c", "(!a) U (([]b) W (<>c))"),
            ("a V b M X c U d", "a V (b M ((X c) U d))"),
            ("a && b U c & d /\\ e", "a && (b U c) && d && e"),
            ("a || b && c | d \\/ e", "a || (b && c) || d || e"),
            ("a -> b || c => d implies e", "a -> ((b || c) -> (d -> e))"),
            ("a <-> b -> c <=> d equivalent e", "a <-> ((b -> c) <-> (d <-> e))"),
            ("not ~a release b R c", "(!(!a)) V (b V c)"),
            ("always eventually next G F a stronguntil b weakuntil c", "([](<>(X ([](<>a))))) U (b W c)"),
        ] {
            assert_eq!(parse(text).unwrap().expr.explicit().to_string(), expected);
        }
    }
}
