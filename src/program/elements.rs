//! SPIN's element graph of one proctype: every statement is an element with SPIN's two numbers (`local`, the control
//! state; `id`, the number used in trail files), linked in SPIN's order, with escapes attached and atomic sequences
//! marked. The module `build` makes it.

use crate::model::{Expr, LabelId, StmtKind};
use crate::source::Span;
use std::ops::Deref;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElementId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequenceId(pub(super) u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Label(LabelId),
    /// The break target of the loop with this number.
    Break(usize),
}

/// A basic statement: one of the model, or one that stands for part of a loop.
#[derive(Clone, Debug)]
pub enum Basic<'m> {
    Written(&'m StmtKind),
    Made(Box<StmtKind>),
}

impl Basic<'_> {
    pub(super) fn made(kind: StmtKind) -> Self {
        Basic::Made(Box::new(kind))
    }
}

impl Deref for Basic<'_> {
    type Target = StmtKind;

    fn deref(&self) -> &StmtKind {
        match self {
            Basic::Written(kind) => kind,
            Basic::Made(kind) => kind,
        }
    }
}

#[derive(Clone, Debug)]
pub enum Node<'m> {
    /// A basic statement.
    Basic(Basic<'m>),
    Goto(Target),
    /// `.`: the end of a selection or of an unless.
    Dot,
    BreakTarget,
    If,
    Do,
    Unless,
    Atomic(SequenceId),
    DStep(SequenceId),
    Block(SequenceId),
    /// `-end-`
    End,
}

#[derive(Clone, Debug)]
pub struct Element<'m> {
    pub node: Node<'m>,
    /// The control state.
    pub local: u32,
    /// The statement number in trail files.
    pub id: u32,
    pub next: Option<ElementId>,
    /// The options of a selection; main part and escape of an unless.
    pub subs: Vec<SequenceId>,
    /// Escapes that may interrupt here, outermost first.
    pub escapes: Vec<SequenceId>,
    /// Inside an atomic sequence and not its last step.
    pub atomic: bool,
    /// The last step of an atomic sequence.
    pub last_atomic: bool,
    /// Inside a d_step.
    pub in_dstep: bool,
    /// A redundant skip that was taken out of its sequence.
    pub pruned: bool,
    pub labels: Vec<LabelId>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Sequence {
    pub first: Option<ElementId>,
    pub last: Option<ElementId>,
    /// The last element the sequence had when it was closed; `last` may since have become the end of a selection.
    pub extent: Option<ElementId>,
}

#[derive(Clone, Debug)]
pub struct Graph<'m> {
    pub(super) elements: Vec<Element<'m>>,
    pub(super) sequences: Vec<Sequence>,
    pub(super) labels: Vec<Option<ElementId>>,
    pub(super) breaks: Vec<Option<ElementId>>,
    pub body: SequenceId,
    /// One more than the largest control state.
    pub states: u32,
}

impl<'m> Graph<'m> {
    pub fn element(&self, id: ElementId) -> &Element<'m> {
        &self.elements[id.0 as usize]
    }

    pub fn element_mut(&mut self, id: ElementId) -> &mut Element<'m> {
        &mut self.elements[id.0 as usize]
    }

    pub fn elements(&self) -> impl Iterator<Item = (ElementId, &Element<'m>)> {
        self.elements.iter().enumerate().map(|(i, e)| (ElementId(i as u32), e))
    }

    pub fn sequence(&self, id: SequenceId) -> Sequence {
        self.sequences[id.0 as usize]
    }

    /// The first element of a sequence. (No sequence is empty: the model has been checked.)
    pub fn first(&self, id: SequenceId) -> ElementId {
        self.sequence(id).first.expect("a sequence has at least one statement")
    }

    pub fn label(&self, label: LabelId) -> Option<ElementId> {
        self.labels[label.0]
    }

    /// Where a goto leads. (Labels are resolved and loops closed, so that the target exists.)
    pub fn destination(&self, target: Target) -> ElementId {
        match target {
            Target::Label(label) => self.labels[label.0].expect("a goto leads to a label of its proctype"),
            Target::Break(number) => self.breaks[number].expect("a break lies inside its loop"),
        }
    }

    /// A label that is referred to must stay; see [`keep_state`].
    pub(super) fn keep_label(&mut self, label: LabelId, next_id: &mut u32) {
        let at = self.label(label);
        if at.and_then(|at| keep_state(&mut self.elements, at, next_id)).is_some() {
            self.states += 1;
        }
    }
}

/// A remotely referenced label on a goto becomes a skip in front of it: the state must exist (as spin: flow.c, fix_dest). The goto takes the
/// next numbers: a reference in a later proctype moves the numbers of what comes behind it. `None` if there is no goto.
pub(super) fn keep_state(elements: &mut Vec<Element>, at: ElementId, next_id: &mut u32) -> Option<ElementId> {
    let labelled = &elements[at.0 as usize];
    if !matches!(labelled.node, Node::Goto(_)) {
        return None;
    }
    let goto = Element {
        local: elements.len() as u32 + 1,
        id: *next_id,
        subs: Vec::new(),
        escapes: Vec::new(),
        labels: Vec::new(),
        pruned: false,
        ..labelled.clone()
    };
    *next_id += 1;
    let copy = ElementId(goto.local - 1);
    elements.push(goto);
    let skip = &mut elements[at.0 as usize];
    skip.node = Node::Basic(Basic::made(StmtKind::Expr(Expr::Const(1))));
    skip.next = Some(copy);
    Some(copy)
}
