//! Formulas as text: what is printed reads back as the same tree, and SPIN reads the same.

use ltl::expr::{Binary, Expr, Kind, Unary};
use ltl::parse;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[test]
fn three_notations() {
    let table = [
        ("[](p -> <>q)", "[](p -> <>q)", "[](p -> (<>q))", "G(p -> Fq)"),
        ("G F Full", "[]<>Full", "[](<>Full)", "GF Full"),
        ("X X a", "X X a", "X (X a)", "XXa"),
        ("!!a", "! !a", "!(!a)", "!!a"),
        ("X true", "X true", "X true", "X true"),
        ("a U b U c", "a U (b U c)", "a U (b U c)", "a U (b U c)"),
        ("a V !b && c", "a V !b && c", "(a V (!b)) && c", "a R !b & c"),
        ("a && b || c", "(a && b) || c", "(a && b) || c", "(a & b) | c"),
        ("a && (b && c)", "a && (b && c)", "a && (b && c)", "a & (b & c)"),
        ("a W b <-> c M d", "a W b <-> c M d", "(a W b) <-> (c M d)", "a W b <-> c M d"),
        ("[] Xmit", "[](Xmit)", "[]Xmit", "G Xmit"),
        (
            r#"G "U" & X"a \"b\" \\""#,
            r#"[]"U" && X "a \"b\" \\""#,
            r#"([]"U") && (X "a \"b\" \\")"#,
            r#"G"U" & X"a \"b\" \\""#,
        ),
    ];
    for (text, spin, explicit, letters) in table {
        let expr = parse(text).unwrap().expr;
        assert_eq!(expr.to_string(), spin);
        assert_eq!(expr.explicit().to_string(), explicit);
        assert_eq!(expr.letters().to_string(), letters);
    }
}

#[test]
fn printed_formulas_read_back() {
    let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(7));
    for _ in 0..5_000 {
        let depth = random.below(6);
        let expr = random.expr(depth);
        for text in [expr.to_string(), expr.explicit().to_string(), expr.letters().to_string()] {
            let parsed = parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(without_spans(parsed.expr), expr, "{text}");
        }
        let text = expr.to_string();
        assert_eq!(parse(&text).unwrap().warnings, [], "{text}");
    }
}

#[test]
fn the_deepest_formula_reads_back() {
    let text = format!("{}Xmit{}", "(".repeat(500), " U a)".repeat(500));
    let expr = parse(&text).unwrap().expr;
    for text in [expr.to_string(), expr.explicit().to_string(), expr.letters().to_string()] {
        assert_eq!(without_spans(parse(&text).unwrap().expr), without_spans(expr.clone()));
    }
}

/// Names that are plain, that only look like operators, and that need quotes.
const NAMES: &[&str] = &[
    "p", "p0", "q12", "Full", "Xmit", "_x", "G", "Fp0", "U", "until", "true", "x > 3", "\"", "\\", "é", "1", "((", "GF",
];

struct Random(Xoshiro256PlusPlus);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn expr(&mut self, depth: usize) -> Expr {
        let kind = match if depth == 0 { self.below(4) } else { self.below(12) } {
            0 => Kind::Constant(self.below(2) == 1),
            1..4 => Kind::Atom(self.pick(NAMES).to_string()),
            4..7 => Kind::Unary(self.pick(UNARY), self.boxed(depth - 1)),
            7..10 => Kind::Binary(self.pick(BINARY), self.boxed(depth - 1), self.boxed(depth - 1)),
            10 => Kind::And(self.parts(depth - 1)),
            _ => Kind::Or(self.parts(depth - 1)),
        };
        Expr { kind, span: 0..0 }
    }

    fn boxed(&mut self, depth: usize) -> Box<Expr> {
        Box::new(self.expr(depth))
    }

    fn parts(&mut self, depth: usize) -> Vec<Expr> {
        (0..2 + self.below(3)).map(|_| self.expr(depth)).collect()
    }
}

const UNARY: &[Unary] = &[Unary::Not, Unary::Next, Unary::Always, Unary::Eventually];

const BINARY: &[Binary] =
    &[Binary::Implies, Binary::Equivalent, Binary::Until, Binary::WeakUntil, Binary::Release, Binary::StrongRelease];

fn without_spans(expr: Expr) -> Expr {
    let boxed = |expr: Box<Expr>| Box::new(without_spans(*expr));
    let parts = |parts: Vec<Expr>| parts.into_iter().map(without_spans).collect();
    let kind = match expr.kind {
        Kind::Unary(operator, operand) => Kind::Unary(operator, boxed(operand)),
        Kind::Binary(operator, left, right) => Kind::Binary(operator, boxed(left), boxed(right)),
        Kind::And(all) => Kind::And(parts(all)),
        Kind::Or(all) => Kind::Or(parts(all)),
        leaf => leaf,
    };
    Expr { kind, span: 0..0 }
}
