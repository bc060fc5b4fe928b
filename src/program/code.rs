//! The compiled form of expressions and statements: what the interpreter runs.
//!
//! Everything is resolved to byte offsets in the state vector. Places relative to the running process say so by their
//! [`Base`]; a channel that never changes its identity is addressed without looking at the variable that names it.

use crate::model::MtypeId;

/// What an offset is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    Global,
    /// The frame of the running process.
    Frame,
}

/// How a scalar is stored and what storing does to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// One byte holding 0 or 1.
    Bit,
    U8,
    U16,
    I16,
    I32,
    /// `unsigned : n`, in as few whole bytes as it needs (1, 2 or 4).
    Bits(u8),
}

impl Width {
    pub fn bytes(self) -> u32 {
        match self {
            Width::Bit | Width::U8 => 1,
            Width::U16 | Width::I16 => 2,
            Width::I32 => 4,
            Width::Bits(n) if n <= 8 => 1,
            Width::Bits(n) if n <= 16 => 2,
            Width::Bits(_) => 4,
        }
    }

    /// Storing `value` leaves something else.
    #[inline(always)]
    pub fn cuts(self, value: i32) -> bool {
        match self {
            Width::U8 => value as u32 > u8::MAX as u32,
            Width::I32 => false,
            _ => self.truncate(value) != value,
        }
    }

    /// The value that is left of `value` after storing it.
    pub fn truncate(self, value: i32) -> i32 {
        match self {
            Width::Bit => value & 1,
            Width::U8 => value as u8 as i32,
            Width::U16 => value as u16 as i32,
            Width::I16 => value as i16 as i32,
            Width::I32 => value,
            Width::Bits(n) => value & ((1u32 << n) - 1) as i32,
        }
    }
}

/// A scalar at a fixed place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub base: Base,
    pub offset: u32,
    pub width: Width,
}

/// A scalar whose place depends on array indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indexed {
    pub cell: Cell,
    pub first: IndexStep,
    /// Further indices: arrays inside arrays of structs.
    pub more: Vec<IndexStep>,
}

/// Adds `index * stride`, after checking `0 <= index < count`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexStep {
    pub index: Code,
    pub count: u32,
    pub stride: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    Fixed(Cell),
    Indexed(Box<Indexed>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitXor,
    BitOr,
    ShiftLeft,
    ShiftRight,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// The values `from..=from + span`, or all others. One subtraction and one comparison decide any comparison of a byte
/// with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    from: i32,
    span: u32,
    outside: bool,
}

impl Range {
    /// The bytes `v` for which `v op constant` holds, if `op` is a comparison.
    pub fn of(op: Op, constant: i32) -> Option<Range> {
        let k = constant.clamp(-1, 256);
        let (from, to, outside) = match op {
            Op::Eq => (k, k, false),
            Op::Ne => (k, k, true),
            Op::Lt => (k, 256, true),
            Op::Le => (k + 1, 257, true),
            Op::Gt => (k + 1, 257, false),
            Op::Ge => (k, 256, false),
            _ => return None,
        };
        Some(Range { from, span: (to - from) as u32, outside })
    }

    /// All other values.
    pub fn opposite(self) -> Range {
        Range { outside: !self.outside, ..self }
    }

    #[inline(always)]
    pub fn holds(self, value: u8) -> bool {
        ((value as i32 - self.from) as u32 <= self.span) != self.outside
    }
}

/// A compiled expression. The first variants are the frequent ones, specialised because they are most of what guards
/// consist of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    Const(i32),
    GlobalByte(u32),
    LocalByte(u32),
    Cell(Cell),
    /// A comparison of a byte with a constant, as the range of values for which it holds.
    GlobalRange(u32, Range),
    LocalRange(u32, Range),
    /// `cell op constant`
    CellConst(Op, Cell, i32),
    Indexed(Box<Indexed>),
    Binary(Op, Box<(Code, Code)>),
    And(Box<(Code, Code)>),
    Or(Box<(Code, Code)>),
    Not(Box<Code>),
    Minus(Box<Code>),
    Complement(Box<Code>),
    Conditional(Box<(Code, Code, Code)>),
    Len(Box<Chan>),
    /// full, nfull, empty, nempty
    Full(Box<Chan>),
    NotFull(Box<Chan>),
    Empty(Box<Chan>),
    NotEmpty(Box<Chan>),
    Poll(Box<Poll>),
    Run(Box<Run>),
    Timeout,
    NonProgress,
    Pid,
    ProcessCount,
    Last,
    Priority,
    Enabled(Box<Code>),
    PcValue(Box<Code>),
    GetPriority(Box<Code>),
    RemoteLabel(Box<RemoteLabel>),
    RemoteVar(Box<RemoteVar>),
    /// Any value (an argument of a send in a trace).
    Any,
    /// An element of a constant channel array: `first + index`, bounds checked.
    ChannelElement(Box<IndexStep>, i32),
}

/// How a statement finds its channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chan {
    /// A global channel that is always the same: its number (from 0).
    Fixed(u32),
    /// An element of a global array of channels that are always the same: number of the first.
    Element { first: u32, index: IndexStep },
    /// Whatever channel the expression names at run time.
    Named(Code),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poll {
    pub chan: Chan,
    pub random: bool,
    pub args: Vec<Option<Code>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub proctype: u32,
    pub args: Vec<Code>,
    pub priority: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteLabel {
    pub proctype: u32,
    pub pid: Option<Code>,
    /// The label's control state.
    pub state: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteVar {
    pub proctype: u32,
    pub pid: Option<Code>,
    pub slot: Slot,
}

#[derive(Clone, Debug)]
pub struct Send {
    pub chan: Chan,
    pub sorted: bool,
    pub args: Vec<Code>,
}

#[derive(Clone, Debug)]
pub struct Receive {
    pub chan: Chan,
    /// `??`
    pub random: bool,
    /// `?<…>`: the message stays.
    pub copy: bool,
    /// The channel is the variable `STDIN`, which a simulation may read characters from.
    pub stdin: bool,
    pub args: Vec<Take>,
}

/// What a receive does with one field.
#[derive(Clone, Debug)]
pub enum Take {
    Match(Code),
    Store(Slot),
    Ignore,
}

/// One statement.
#[derive(Clone, Debug)]
pub enum Action {
    /// skip, goto, break, the end of a selection: a step without effect.
    Nothing,
    Else,
    /// A condition without side effects.
    Guard(Code),
    /// A `run` as a statement: evaluated for its effect.
    Evaluate(Code),
    Assign(Slot, Code),
    Send(Box<Send>),
    Receive(Box<Receive>),
    /// The text is the assertion as SPIN prints it.
    Assert(Code, Box<str>),
    Printf(Box<Print>),
    SetOwnPriority(Code),
    SetPriority(Box<(Code, Code)>),
    DStep(Box<DStep>),
    /// `-end-`: the process dies, if it is the youngest.
    End,
}

#[derive(Clone, Debug)]
pub struct Print {
    pub format: Box<str>,
    /// Each argument with the mtype set its type belongs to, for %e.
    pub args: Vec<(Code, MtypeId)>,
}

/// A d_step: a deterministic program that runs as one step.
#[derive(Clone, Debug)]
pub struct DStep {
    pub guard: DGuard,
    pub nodes: Vec<DNode>,
    /// Where it starts, an index into `nodes`.
    pub start: u32,
}

impl DStep {
    /// Every action it consists of, those of its guard included.
    pub fn actions(&self) -> impl Iterator<Item = &Action> {
        let guard: &[Action] = match &self.guard {
            DGuard::Always => &[],
            DGuard::First(action) => std::slice::from_ref(action),
            DGuard::Any(actions) => actions,
        };
        guard.iter().chain(self.nodes.iter().flat_map(DNode::actions))
    }
}

impl DStep {
    /// Every action it consists of, those of its guard included, to be changed.
    pub fn actions_mut(&mut self) -> impl Iterator<Item = &mut Action> {
        let guard: &mut [Action] = match &mut self.guard {
            DGuard::Always => &mut [],
            DGuard::First(action) => std::slice::from_mut(action),
            DGuard::Any(actions) => actions,
        };
        guard.iter_mut().chain(self.nodes.iter_mut().flat_map(DNode::actions_mut))
    }
}

/// When a d_step may start.
#[derive(Clone, Debug)]
pub enum DGuard {
    Always,
    /// Its first statement is executable.
    First(Action),
    /// It starts with a selection: one of these is executable (an else counts as executable).
    Any(Vec<Action>),
}

#[derive(Clone, Debug)]
pub enum DNode {
    /// Run the action, which must not block, and go on.
    Step(Action, u32),
    /// The first option whose first action is executable is taken: (action, where it goes on). An option whose head is
    /// no plain statement is entered unconditionally: (None, where).
    Select(Vec<(Option<Action>, u32)>),
    Exit,
}

impl DNode {
    fn actions_mut(&mut self) -> impl Iterator<Item = &mut Action> {
        let (step, options): (Option<&mut Action>, &mut [(Option<Action>, u32)]) = match self {
            DNode::Exit => (None, &mut []),
            DNode::Step(action, _) => (Some(action), &mut []),
            DNode::Select(options) => (None, options),
        };
        step.into_iter().chain(options.iter_mut().filter_map(|(head, _)| head.as_mut()))
    }

    fn actions(&self) -> impl Iterator<Item = &Action> {
        let (step, options): (Option<&Action>, &[(Option<Action>, u32)]) = match self {
            DNode::Exit => (None, &[]),
            DNode::Step(action, _) => (Some(action), &[]),
            DNode::Select(options) => (None, options),
        };
        step.into_iter().chain(options.iter().filter_map(|(head, _)| head.as_ref()))
    }
}

impl Slot {
    /// The scalar, or the first one that may be meant.
    pub fn cell(&self) -> Cell {
        match self {
            Slot::Fixed(cell) => *cell,
            Slot::Indexed(place) => place.cell,
        }
    }

    /// Bytes from there to the end of the last scalar that may be meant.
    pub fn extent(&self) -> u32 {
        let steps = match self {
            Slot::Fixed(_) => 0,
            Slot::Indexed(place) => {
                let steps = std::iter::once(&place.first).chain(&place.more);
                steps.map(|step| step.count.saturating_sub(1) * step.stride).sum()
            }
        };
        steps + self.cell().width.bytes()
    }

    fn visit(&self, see: &mut dyn FnMut(&Code)) {
        if let Slot::Indexed(place) = self {
            place.visit(see);
        }
    }
}

impl Indexed {
    /// All its indices.
    pub fn steps(&self) -> impl Iterator<Item = &IndexStep> {
        std::iter::once(&self.first).chain(&self.more)
    }

    fn visit(&self, see: &mut dyn FnMut(&Code)) {
        self.steps().for_each(|step| step.index.visit(see));
    }
}

impl Chan {
    fn visit(&self, see: &mut dyn FnMut(&Code)) {
        match self {
            Chan::Fixed(_) => {}
            Chan::Element { index, .. } => index.index.visit(see),
            Chan::Named(code) => code.visit(see),
        }
    }
}

impl Action {
    /// The processes that it creates at most.
    pub fn runs(&self) -> usize {
        let mut runs = 0;
        self.visit(&mut |code| runs += matches!(code, Code::Run(_)) as usize);
        runs
    }

    /// Shows every expression in this action, parts of expressions included.
    pub fn visit(&self, see: &mut dyn FnMut(&Code)) {
        match self {
            Action::Nothing | Action::Else | Action::End => {}
            Action::Guard(code) | Action::Evaluate(code) | Action::Assert(code, _) | Action::SetOwnPriority(code) => {
                code.visit(see)
            }
            Action::Assign(slot, code) => {
                slot.visit(see);
                code.visit(see);
            }
            Action::Send(send) => {
                send.chan.visit(see);
                send.args.iter().for_each(|arg| arg.visit(see));
            }
            Action::Receive(receive) => {
                receive.chan.visit(see);
                receive.args.iter().for_each(|arg| match arg {
                    Take::Match(code) => code.visit(see),
                    Take::Store(slot) => slot.visit(see),
                    Take::Ignore => {}
                });
            }
            Action::Printf(print) => print.args.iter().for_each(|(code, _)| code.visit(see)),
            Action::SetPriority(pair) => {
                pair.0.visit(see);
                pair.1.visit(see);
            }
            Action::DStep(d) => d.actions().for_each(|action| action.visit(see)),
        }
    }
}

impl Code {
    /// Shows this expression and all its parts.
    pub fn visit(&self, see: &mut dyn FnMut(&Code)) {
        see(self);
        match self {
            Code::Indexed(place) => place.visit(see),
            Code::Binary(_, pair) | Code::And(pair) | Code::Or(pair) => {
                pair.0.visit(see);
                pair.1.visit(see);
            }
            Code::Conditional(three) => {
                three.0.visit(see);
                three.1.visit(see);
                three.2.visit(see);
            }
            Code::Not(inner)
            | Code::Minus(inner)
            | Code::Complement(inner)
            | Code::Enabled(inner)
            | Code::PcValue(inner)
            | Code::GetPriority(inner) => inner.visit(see),
            Code::Len(chan) | Code::Full(chan) | Code::NotFull(chan) | Code::Empty(chan) | Code::NotEmpty(chan) => {
                chan.visit(see);
            }
            Code::Poll(poll) => {
                poll.chan.visit(see);
                poll.args.iter().flatten().for_each(|arg| arg.visit(see));
            }
            Code::Run(run) => run.args.iter().for_each(|arg| arg.visit(see)),
            Code::RemoteLabel(remote) => remote.pid.iter().for_each(|pid| pid.visit(see)),
            Code::RemoteVar(remote) => {
                remote.pid.iter().for_each(|pid| pid.visit(see));
                remote.slot.visit(see);
            }
            Code::ChannelElement(step, _) => step.index.visit(see),
            Code::Const(_)
            | Code::GlobalByte(_)
            | Code::LocalByte(_)
            | Code::Cell(_)
            | Code::GlobalRange(..)
            | Code::LocalRange(..)
            | Code::CellConst(..)
            | Code::Timeout
            | Code::NonProgress
            | Code::Pid
            | Code::ProcessCount
            | Code::Last
            | Code::Priority
            | Code::Any => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::compile::apply;
    use super::*;

    #[test]
    fn a_range_decides_as_the_comparison_does() {
        for op in [Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge] {
            for constant in [i32::MIN, -7, -1, 0, 1, 2, 127, 254, 255, 256, 257, 300, i32::MAX] {
                let range = Range::of(op, constant).expect("a comparison");
                for value in 0..=255u8 {
                    let expected = apply(op, value as i32, constant) == Some(1);
                    assert_eq!(range.holds(value), expected, "{value} {op:?} {constant}");
                }
            }
        }
        assert_eq!(Range::of(Op::Add, 1), None);
    }
}
