//! Which globals something may assign to.

use crate::model::{Model, Place, RecvArg, Root, Sequence, Stmt, StmtKind};

pub fn written_globals(model: &Model) -> Vec<bool> {
    let mut written = vec![false; model.globals.len()];
    for proctype in &model.proctypes {
        sequence(&proctype.body, &mut written);
    }
    written
}

fn sequence(steps: &Sequence, written: &mut [bool]) {
    steps.iter().for_each(|stmt| statement(stmt, written));
}

fn statement(stmt: &Stmt, written: &mut [bool]) {
    let mut mark = |place: &Place| {
        if let Root::Global(id) = place.root {
            written[id.0] = true;
        }
    };
    match &stmt.kind {
        StmtKind::Assign(place, _) | StmtKind::Declare(Some((place, _))) | StmtKind::Select { var: place, .. } => {
            mark(place)
        }
        StmtKind::Receive { args, .. } => args.iter().for_each(|arg| {
            if let RecvArg::Store(place) = arg {
                mark(place);
            }
        }),
        StmtKind::ForRange { var, body, .. } => {
            mark(var);
            sequence(body, written);
        }
        StmtKind::ForChannel { counter, message, body, .. } => {
            mark(counter);
            message.iter().for_each(mark);
            sequence(body, written);
        }
        StmtKind::Label(_, inner) => statement(inner, written),
        StmtKind::Unless(main, escape) => {
            statement(main, written);
            statement(escape, written);
        }
        StmtKind::If(options) | StmtKind::Do(options) => options.iter().for_each(|o| sequence(o, written)),
        StmtKind::Atomic(steps) | StmtKind::DStep(steps) | StmtKind::Block(steps) => sequence(steps, written),
        StmtKind::Declare(None)
        | StmtKind::Send { .. }
        | StmtKind::Break
        | StmtKind::Goto(_)
        | StmtKind::SetOwnPriority(_)
        | StmtKind::SetPriority(..)
        | StmtKind::Printf(..)
        | StmtKind::Printm(_)
        | StmtKind::Assert(_)
        | StmtKind::Expr(_)
        | StmtKind::Else => {}
    }
}
