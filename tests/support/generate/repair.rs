//! The last pass over a body: moves what SPIN would refuse because of where it stands.

use crate::support::tree::{Kind, Seq, Stmt};

/// What stands before the first statement of a sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// A proctype: its first statement may have a label.
    Body,
    /// A block, an option or an inline: its first statement may not.
    Inner,
}

pub fn repair(seq: Seq, opening: Opening) -> Seq {
    let mut out = Seq::new();
    for mut stmt in seq {
        repair_parts(&mut stmt);
        if out.is_empty() && opening == Opening::Inner && stmt.label.is_some() {
            out.push(Stmt::plain("skip"));
        }
        // `L: int x` and `L: a unless b` are errors
        if matches!(stmt.kind, Kind::Declare(_) | Kind::Unless(..))
            && let Some(label) = stmt.label.take()
        {
            out.push(Stmt::plain("skip").labelled(label));
        }
        // a `break` just before a d_step is taken for a jump into it
        if out.last().is_some_and(ends_with_loop) && begins_with_d_step(&stmt) {
            out.push(Stmt::plain("skip"));
        }
        out.push(stmt);
    }
    out
}

fn repair_parts(stmt: &mut Stmt) {
    match &mut stmt.kind {
        Kind::If(options) | Kind::Do(options) => options.iter_mut().for_each(repair_option),
        Kind::For(_, body) | Kind::Atomic(body) | Kind::DStep(body) | Kind::Block(body) => repair_inner(body),
        Kind::Unless(main, escape) => {
            repair_parts(main);
            repair_parts(escape);
        }
        _ => {}
    }
}

fn repair_inner(seq: &mut Seq) {
    *seq = repair(std::mem::take(seq), Opening::Inner);
}

/// A loop that ends a `d_step` that ends an option is refused: its `break` would leave the `d_step`.
fn repair_option(option: &mut Seq) {
    repair_inner(option);
    if let Some(Stmt { kind: Kind::DStep(body), .. }) = option.last_mut()
        && body.last().is_some_and(ends_with_loop)
    {
        body.push(Stmt::plain("skip"));
    }
}

fn begins_with_d_step(stmt: &Stmt) -> bool {
    match &stmt.kind {
        Kind::DStep(_) => true,
        Kind::Block(body) | Kind::Atomic(body) => body.first().is_some_and(begins_with_d_step),
        Kind::Unless(main, _) => begins_with_d_step(main),
        _ => false,
    }
}

fn ends_with_loop(stmt: &Stmt) -> bool {
    let last = |seq: &Seq| seq.last().is_some_and(ends_with_loop);
    match &stmt.kind {
        Kind::Do(_) | Kind::For(..) | Kind::Call(..) => true,
        Kind::Plain(text) => text.starts_with("select"),
        Kind::If(options) => options.iter().any(last),
        Kind::Atomic(body) | Kind::Block(body) | Kind::DStep(body) => last(body),
        Kind::Unless(main, escape) => ends_with_loop(main) || ends_with_loop(escape),
        _ => false,
    }
}
