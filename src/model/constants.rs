//! Constant expressions, and what is left of a value that is stored in a small variable.

use super::report::Report;
use super::tree::{BinaryOp, Expr, Scalar, UnaryOp};
use crate::source::Span;

/// Why an expression has no constant value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    NotConstant,
    DivisionByZero,
    Overflow,
}

/// The value of an expression that mentions no variable.
pub fn evaluate(expr: &Expr) -> Result<i32, Trouble> {
    let (mut spine, mut leaf) = (Vec::new(), expr);
    while let Expr::Binary(op, left, right) = leaf {
        spine.push((*op, right));
        leaf = left;
    }
    let mut value = atom(leaf)?;
    for (op, right) in spine.into_iter().rev() {
        value = match (op, value) {
            (BinaryOp::And, 0) => 0,
            (BinaryOp::Or, v) if v != 0 => 1,
            _ => binary(op, value, evaluate(right)?)?,
        };
    }
    Ok(value)
}

fn atom(expr: &Expr) -> Result<i32, Trouble> {
    match expr {
        Expr::Const(value) | Expr::Name(_, value) => Ok(*value),
        Expr::Unary(UnaryOp::Not, e) => Ok(i32::from(evaluate(e)? == 0)),
        Expr::Unary(UnaryOp::Complement, e) => Ok(!evaluate(e)?),
        Expr::Unary(UnaryOp::Minus, e) => evaluate(e)?.checked_neg().ok_or(Trouble::Overflow),
        Expr::Conditional(c, a, b) => evaluate(if evaluate(c)? != 0 { a } else { b }),
        _ => Err(Trouble::NotConstant),
    }
}

fn binary(op: BinaryOp, a: i32, b: i32) -> Result<i32, Trouble> {
    let shift = |f: fn(i32, u32) -> Option<i32>| u32::try_from(b).ok().and_then(|b| f(a, b));
    let value = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err(Trouble::DivisionByZero),
        BinaryOp::Div => a.checked_div(b),
        BinaryOp::Rem => a.checked_rem(b),
        BinaryOp::ShiftLeft => shift(i32::checked_shl),
        BinaryOp::ShiftRight => shift(i32::checked_shr),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::Lt => Some(i32::from(a < b)),
        BinaryOp::Le => Some(i32::from(a <= b)),
        BinaryOp::Gt => Some(i32::from(a > b)),
        BinaryOp::Ge => Some(i32::from(a >= b)),
        BinaryOp::Eq => Some(i32::from(a == b)),
        BinaryOp::Ne => Some(i32::from(a != b)),
        BinaryOp::And => Some(i32::from(a != 0 && b != 0)),
        BinaryOp::Or => Some(i32::from(a != 0 || b != 0)),
        _ => return Err(Trouble::NotConstant),
    };
    value.ok_or(Trouble::Overflow)
}

/// The value of an expression that has to be constant; `what` names its role in the diagnostic.
pub fn required(report: &mut Report, expr: &Expr, what: &str, span: Span) -> Option<i32> {
    match evaluate(expr) {
        Ok(value) => return Some(value),
        Err(Trouble::NotConstant) => report.error(span, format!("{what} must be a constant")),
        Err(Trouble::DivisionByZero) => report.error(span, format!("{what} divides by zero")),
        Err(Trouble::Overflow) => report.error(span, format!("{what} is out of the range of int")),
    }
    None
}

/// What a variable of this type holds after `value` was assigned to it (C conversion, as in pan).
pub fn stored(ty: Scalar, value: i32) -> i32 {
    match ty {
        Scalar::Bit => value & 1,
        Scalar::Byte | Scalar::Mtype(_) | Scalar::Chan => i32::from(value as u8),
        Scalar::Short => i32::from(value as i16),
        Scalar::Int => value,
        Scalar::Unsigned(bits) => value & ((1i64 << bits) - 1) as i32,
    }
}

/// Warns if a constant is not what will be stored.
pub fn check_fit(report: &mut Report, ty: Scalar, value: &Expr, span: Span) {
    if let Ok(value) = evaluate(value)
        && stored(ty, value) != value
    {
        let becomes = stored(ty, value);
        report.warning(span, format!("{value} does not fit in {}: becomes {becomes}", article(ty)));
    }
}

/// The type a scalar is stored with where nothing is packed: a bit in an array is a byte, as in pan.
pub fn unpacked(ty: Scalar) -> Scalar {
    match ty {
        Scalar::Bit => Scalar::Byte,
        ty => ty,
    }
}

/// The type with its article, as users say it.
pub fn article(ty: Scalar) -> String {
    match ty {
        Scalar::Bit => "a bit".into(),
        Scalar::Byte => "a byte".into(),
        Scalar::Short => "a short".into(),
        Scalar::Int => "an int".into(),
        Scalar::Unsigned(bits) => format!("an unsigned of {bits} bits"),
        Scalar::Mtype(_) => "an mtype".into(),
        Scalar::Chan => "a channel".into(),
    }
}
