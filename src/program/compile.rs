//! Expressions and statements of the model to [`Code`] and [`Action`].

use super::code::*;
use super::layout::{GlobalPlace, Layout, scalar_width, variable_width};
use super::render;
use crate::model::{
    BinaryOp, Expr, FieldStep, Model, MtypeId, Place, Probe, ProctypeId, RecvArg, Root, Scalar, StmtKind, Type,
    UnaryOp, Variable,
};

/// What compiling needs to know: the model, its layout, and the proctype the code belongs to.
pub struct Compiler<'c> {
    pub model: &'c Model,
    pub layout: &'c Layout,
    /// Control state of each label, by proctype.
    pub labels: &'c [Vec<u32>],
    pub proctype: Option<ProctypeId>,
}

impl Compiler<'_> {
    pub fn expr(&self, expr: &Expr) -> Code {
        match expr {
            Expr::Const(value) | Expr::Name(_, value) => Code::Const(*value),
            Expr::Load(place) => self.load(place),
            Expr::Any => Code::Any,
            Expr::Unary(op, inner) => unary(*op, self.expr(inner)),
            Expr::Binary(op, left, right) => binary(*op, self.expr(left), self.expr(right)),
            Expr::Conditional(c, a, b) => Code::Conditional(Box::new((self.expr(c), self.expr(a), self.expr(b)))),
            Expr::Len(chan) => Code::Len(Box::new(self.chan(chan))),
            Expr::Probe(probe, chan) => {
                let chan = Box::new(self.chan(chan));
                match probe {
                    Probe::Full => Code::Full(chan),
                    Probe::NotFull => Code::NotFull(chan),
                    Probe::Empty => Code::Empty(chan),
                    Probe::NotEmpty => Code::NotEmpty(chan),
                }
            }
            Expr::Poll { chan, random, args } => Code::Poll(Box::new(self.poll(chan, *random, args))),
            Expr::Run { proctype, args, priority } => Code::Run(Box::new(Run {
                proctype: proctype.0 as u32,
                args: args.iter().map(|a| self.expr(a)).collect(),
                priority: priority.unwrap_or(1).clamp(1, 255) as u8,
            })),
            Expr::Timeout => Code::Timeout,
            Expr::NonProgress => Code::NonProgress,
            Expr::Pid => Code::Pid,
            Expr::ProcessCount => Code::ProcessCount,
            Expr::Last => Code::Last,
            Expr::Priority => Code::Priority,
            Expr::Enabled(pid) => Code::Enabled(Box::new(self.expr(pid))),
            Expr::PcValue(pid) => Code::PcValue(Box::new(self.expr(pid))),
            Expr::GetPriority(pid) => Code::GetPriority(Box::new(self.expr(pid))),
            Expr::RemoteLabel { proctype, pid, label } => Code::RemoteLabel(Box::new(RemoteLabel {
                proctype: proctype.0 as u32,
                pid: pid.as_ref().map(|p| self.expr(p)),
                state: self.labels[proctype.0][label.0],
            })),
            Expr::RemoteVar { proctype, pid, place } => Code::RemoteVar(Box::new(RemoteVar {
                proctype: proctype.0 as u32,
                pid: pid.as_ref().map(|p| self.expr(p)),
                slot: self.slot_in(Some(*proctype), place),
            })),
        }
    }

    fn load(&self, place: &Place) -> Code {
        if let Some(first) = self.constant_channel(place) {
            return match &place.index {
                None => Code::Const(first as i32 + 1),
                Some(index) => Code::ChannelElement(Box::new(self.channel_index(place, index)), first as i32 + 1),
            };
        }
        match self.slot(place) {
            Slot::Fixed(cell) => load_cell(cell),
            Slot::Indexed(indexed) => Code::Indexed(indexed),
        }
    }

    pub fn slot(&self, place: &Place) -> Slot {
        self.slot_in(self.proctype, place)
    }

    /// The cell of a place whose locals belong to `proctype`. Constant indices are folded into the offset.
    fn slot_in(&self, proctype: Option<ProctypeId>, place: &Place) -> Slot {
        let (variable, base, mut offset) = self.root(proctype, place);
        let mut steps = Vec::new();
        let mut variable = variable;
        let mut index = place.index.as_deref();
        let mut path = place.path.iter();
        loop {
            if let Some(count) = variable.array {
                let index = index.map_or(Code::Const(0), |i| self.expr(i));
                add_index(index, count, self.layout.element_size(variable), &mut offset, &mut steps);
            }
            let (Some(FieldStep { field, index: next }), Type::Struct(id)) = (path.next(), variable.ty) else { break };
            offset += self.layout.structs[id.0].fields[*field];
            variable = &self.model.structs[id.0].fields[*field];
            index = next.as_ref();
        }
        let width = match variable.ty {
            Type::Scalar(_) => variable_width(variable),
            Type::Struct(_) => scalar_width(place.ty),
        };
        let cell = Cell { base, offset, width };
        let mut steps = steps.into_iter();
        match steps.next() {
            None => Slot::Fixed(cell),
            Some(first) => Slot::Indexed(Box::new(Indexed { cell, first, more: steps.collect() })),
        }
    }

    fn root(&self, proctype: Option<ProctypeId>, place: &Place) -> (&Variable, Base, u32) {
        match place.root {
            Root::Global(id) => {
                let offset = match self.layout.globals[id.0] {
                    GlobalPlace::At(offset) => offset,
                    GlobalPlace::Channel(_) => unreachable!("a constant channel is never addressed as a cell"),
                };
                (&self.model.globals[id.0], Base::Global, offset)
            }
            Root::Local(id) => {
                let proctype = proctype.expect("locals occur in proctypes").0;
                let offset = self.layout.frames[proctype].locals[id.0];
                (&self.model.proctypes[proctype].locals[id.0], Base::Frame, offset)
            }
        }
    }

    /// The number of the (first) channel, if the place is a global channel variable that never changes.
    fn constant_channel(&self, place: &Place) -> Option<u32> {
        let Root::Global(id) = place.root else { return None };
        match self.layout.globals[id.0] {
            GlobalPlace::Channel(first) => Some(first),
            GlobalPlace::At(_) => None,
        }
    }

    /// A receive of characters, if the variable holds no channel when it comes to that.
    fn is_stdin(&self, chan: &Place, args: &[RecvArg]) -> bool {
        let named = matches!(chan.root, Root::Global(id) if self.model.globals[id.0].name == "STDIN");
        named && chan.path.is_empty() && !args.iter().any(|arg| matches!(arg, RecvArg::Match(_)))
    }

    fn channel_index(&self, place: &Place, index: &Expr) -> IndexStep {
        let Root::Global(id) = place.root else { unreachable!("only globals are constant channels") };
        let count = self.model.globals[id.0].array.unwrap_or(1);
        IndexStep { index: self.expr(index), count, stride: 1 }
    }

    pub fn chan(&self, place: &Place) -> Chan {
        let Some(first) = self.constant_channel(place) else { return Chan::Named(self.load(place)) };
        match &place.index {
            None => Chan::Fixed(first),
            Some(index) => {
                let index = self.channel_index(place, index);
                match index.index {
                    Code::Const(i) if i >= 0 && (i as u32) < index.count => Chan::Fixed(first + i as u32),
                    _ => Chan::Element { first, index },
                }
            }
        }
    }

    fn poll(&self, chan: &Place, random: bool, args: &[RecvArg]) -> Poll {
        let args = args
            .iter()
            .map(|arg| match arg {
                RecvArg::Match(value) => Some(self.expr(value)),
                RecvArg::Store(_) | RecvArg::Ignore => None,
            })
            .collect();
        Poll { chan: self.chan(chan), random, args }
    }

    /// A basic statement.
    pub fn action(&self, stmt: &StmtKind) -> Action {
        match stmt {
            StmtKind::Declare(None) => Action::Nothing,
            StmtKind::Declare(Some((place, value))) | StmtKind::Assign(place, value) => {
                Action::Assign(self.slot(place), self.expr(value))
            }
            StmtKind::Send { chan, sorted, args } => Action::Send(Box::new(Send {
                chan: self.chan(chan),
                sorted: *sorted,
                args: args.iter().map(|a| self.expr(a)).collect(),
            })),
            StmtKind::Receive { chan, random, copy, args } => Action::Receive(Box::new(Receive {
                chan: self.chan(chan),
                random: *random,
                copy: *copy,
                stdin: !random && !copy && self.is_stdin(chan, args),
                args: args.iter().map(|a| self.take(a)).collect(),
            })),
            StmtKind::SetOwnPriority(value) => Action::SetOwnPriority(self.expr(value)),
            StmtKind::SetPriority(pid, value) => Action::SetPriority(Box::new((self.expr(pid), self.expr(value)))),
            StmtKind::Printf(format, args) => Action::Printf(Box::new(Print {
                format: format.as_str().into(),
                args: args.iter().map(|a| (self.expr(a), self.mtype_of(a))).collect(),
            })),
            StmtKind::Printm(value) => Action::Printf(Box::new(Print {
                format: "%e".into(),
                args: vec![(self.expr(value), self.mtype_of(value))],
            })),
            StmtKind::Assert(condition) => {
                let text = render::asserted(self.model, self.proctype, condition);
                Action::Assert(self.expr(condition), text.into())
            }
            StmtKind::Expr(Expr::Const(1)) => Action::Nothing,
            StmtKind::Expr(condition) => match self.expr(condition) {
                code if runs(&code) => Action::Evaluate(code),
                code => Action::Guard(code),
            },
            StmtKind::Else => Action::Else,
            other => unreachable!("{other:?} is no basic statement"),
        }
    }

    fn take(&self, arg: &RecvArg) -> Take {
        match arg {
            RecvArg::Store(place) => Take::Store(self.slot(place)),
            RecvArg::Ignore => Take::Ignore,
            RecvArg::Match(value) => Take::Match(self.expr(value)),
        }
    }

    /// The mtype set whose names `%e` shows for this value.
    fn mtype_of(&self, expr: &Expr) -> MtypeId {
        match expr {
            Expr::Name(set, _) => *set,
            Expr::Load(Place { ty: Scalar::Mtype(set), .. }) => *set,
            _ => MtypeId(0),
        }
    }
}

/// Whether evaluating this creates a process.
fn runs(code: &Code) -> bool {
    let mut found = false;
    code.visit(&mut |part| found |= matches!(part, Code::Run(_)));
    found
}

fn add_index(index: Code, count: u32, stride: u32, offset: &mut u32, steps: &mut Vec<IndexStep>) {
    match index {
        Code::Const(i) if i >= 0 && (i as u32) < count => *offset += i as u32 * stride,
        index => steps.push(IndexStep { index, count, stride }),
    }
}

fn load_cell(cell: Cell) -> Code {
    match (cell.base, cell.width) {
        (Base::Global, Width::Bit | Width::U8) => Code::GlobalByte(cell.offset),
        (Base::Frame, Width::Bit | Width::U8) => Code::LocalByte(cell.offset),
        _ => Code::Cell(cell),
    }
}

fn as_cell(code: &Code) -> Option<Cell> {
    match *code {
        Code::GlobalByte(offset) => Some(Cell { base: Base::Global, offset, width: Width::U8 }),
        Code::LocalByte(offset) => Some(Cell { base: Base::Frame, offset, width: Width::U8 }),
        Code::Cell(cell) => Some(cell),
        _ => None,
    }
}

/// `cell op constant`
fn cell_const(op: Op, cell: Cell, constant: i32) -> Code {
    match (Range::of(op, constant), cell.base, cell.width) {
        (Some(range), Base::Global, Width::Bit | Width::U8) => Code::GlobalRange(cell.offset, range),
        (Some(range), Base::Frame, Width::Bit | Width::U8) => Code::LocalRange(cell.offset, range),
        _ => Code::CellConst(op, cell, constant),
    }
}

fn unary(op: UnaryOp, inner: Code) -> Code {
    match (op, inner) {
        (UnaryOp::Not, Code::Const(v)) => Code::Const((v == 0) as i32),
        (UnaryOp::Minus, Code::Const(v)) => Code::Const(v.wrapping_neg()),
        (UnaryOp::Complement, Code::Const(v)) => Code::Const(!v),
        (UnaryOp::Not, inner) => match (as_cell(&inner), inner) {
            (Some(cell), _) => cell_const(Op::Eq, cell, 0),
            (None, Code::GlobalRange(offset, range)) => Code::GlobalRange(offset, range.opposite()),
            (None, Code::LocalRange(offset, range)) => Code::LocalRange(offset, range.opposite()),
            (None, inner) => Code::Not(Box::new(inner)),
        },
        (UnaryOp::Minus, inner) => Code::Minus(Box::new(inner)),
        (UnaryOp::Complement, inner) => Code::Complement(Box::new(inner)),
        (UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next, _) => {
            unreachable!("temporal operators occur in ltl only")
        }
    }
}

/// 1 if the expression is true, 0 if it is not.
fn truth(code: Code) -> Code {
    match code {
        Code::And(_) | Code::Or(_) | Code::Not(_) | Code::GlobalRange(..) | Code::LocalRange(..) => code,
        Code::Const(value) => Code::Const((value != 0) as i32),
        code => unary(UnaryOp::Not, unary(UnaryOp::Not, code)),
    }
}

fn binary(op: BinaryOp, left: Code, right: Code) -> Code {
    let op = match op {
        BinaryOp::And => {
            return match (left, right) {
                (Code::Const(0), _) => Code::Const(0),
                (Code::Const(_), right) => truth(right),
                (left, right) => Code::And(Box::new((left, right))),
            };
        }
        BinaryOp::Or => {
            return match (left, right) {
                (Code::Const(0), right) => truth(right),
                (Code::Const(_), _) => Code::Const(1),
                (left, right) => Code::Or(Box::new((left, right))),
            };
        }
        BinaryOp::Add => Op::Add,
        BinaryOp::Sub => Op::Sub,
        BinaryOp::Mul => Op::Mul,
        BinaryOp::Div => Op::Div,
        BinaryOp::Rem => Op::Rem,
        BinaryOp::BitAnd => Op::BitAnd,
        BinaryOp::BitXor => Op::BitXor,
        BinaryOp::BitOr => Op::BitOr,
        BinaryOp::ShiftLeft => Op::ShiftLeft,
        BinaryOp::ShiftRight => Op::ShiftRight,
        BinaryOp::Lt => Op::Lt,
        BinaryOp::Le => Op::Le,
        BinaryOp::Gt => Op::Gt,
        BinaryOp::Ge => Op::Ge,
        BinaryOp::Eq => Op::Eq,
        BinaryOp::Ne => Op::Ne,
        BinaryOp::Implies
        | BinaryOp::Equivalent
        | BinaryOp::Until
        | BinaryOp::Release
        | BinaryOp::WeakUntil
        | BinaryOp::StrongRelease => {
            unreachable!("temporal operators occur in ltl only")
        }
    };
    match (as_cell(&left), &left, &right) {
        (Some(cell), _, Code::Const(value)) => cell_const(op, cell, *value),
        (_, Code::Const(a), Code::Const(b)) => match apply(op, *a, *b) {
            Some(value) => Code::Const(value),
            None => Code::Binary(op, Box::new((left, right))),
        },
        _ => Code::Binary(op, Box::new((left, right))),
    }
}

/// The value of `a op b` in 32-bit arithmetic; `None` for a division by zero.
#[inline]
pub fn apply(op: Op, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::Div if b == 0 => return None,
        Op::Rem if b == 0 => return None,
        Op::Div => a.wrapping_div(b),
        Op::Rem => a.wrapping_rem(b),
        Op::BitAnd => a & b,
        Op::BitXor => a ^ b,
        Op::BitOr => a | b,
        Op::ShiftLeft => a.wrapping_shl(b as u32),
        Op::ShiftRight => a.wrapping_shr(b as u32),
        Op::Lt => (a < b) as i32,
        Op::Le => (a <= b) as i32,
        Op::Gt => (a > b) as i32,
        Op::Ge => (a >= b) as i32,
        Op::Eq => (a == b) as i32,
        Op::Ne => (a != b) as i32,
    })
}
