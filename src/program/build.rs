//! Proctype to element graph.
//!
//! In: a resolved proctype. Out: its [`Graph`]. Invariant: elements are created in the order in which SPIN's parser
//! creates them (flow.c); the numbers, and through them state counts and trails, depend on nothing else.

use super::elements::{Basic, Element, ElementId, Graph, Node, Sequence, SequenceId, Target, keep_state};
use crate::model::{
    BinaryOp, Expr, LabelId, Model, Place, Proctype, ProctypeKind, RecvArg, Sequence as Steps, Stmt, StmtKind, any,
    expressions,
};
use crate::source::Span;

/// The graphs of all proctypes of a model.
pub fn all(model: &Model) -> Vec<Graph<'_>> {
    let mut next_id = 0;
    let mut graphs = Vec::new();
    for proctype in &model.proctypes {
        let graph = build(proctype, &mut graphs, &mut next_id);
        graphs.push(graph);
    }
    // those that only formulas refer to: SPIN reads them when it has read everything else
    for (proctype, graph) in model.proctypes.iter().zip(&mut graphs) {
        let remote = proctype.labels.iter().enumerate().filter(|(_, label)| label.remote);
        remote.for_each(|(number, _)| graph.keep_label(LabelId(number), &mut next_id));
    }
    graphs
}

/// Builds the graph of `proctype`; `next_id` counts the statements of the whole model, and `earlier` are the proctypes before this one.
fn build<'m>(proctype: &'m Proctype, earlier: &mut [Graph<'m>], next_id: &mut u32) -> Graph<'m> {
    let mut builder = Builder {
        earlier,
        elements: Vec::new(),
        sequences: Vec::new(),
        open: Vec::new(),
        labels: vec![None; proctype.labels.len()],
        special: proctype.labels.iter().map(|l| is_special(&l.name)).collect(),
        breaks: Vec::new(),
        loops: Vec::new(),
        next_id,
        prunes: proctype.kind != ProctypeKind::Never,
    };
    let body = builder.open();
    builder.steps(&proctype.body);
    builder.add(Pending::Node(Node::End, proctype.end_span));
    builder.close();
    let states = builder.elements.len() as u32 + 1;
    let Builder { elements, sequences, labels, breaks, .. } = builder;
    Graph { elements, sequences, labels, breaks, body, states }
}

/// Labels that mark states: they must not vanish with a goto.
fn is_special(name: &str) -> bool {
    ["accept", "end", "progress"].iter().any(|prefix| name.starts_with(prefix))
}

struct Builder<'m, 'n> {
    earlier: &'n mut [Graph<'m>],
    elements: Vec<Element<'m>>,
    sequences: Vec<Sequence>,
    /// The sequences under construction, innermost last.
    open: Vec<SequenceId>,
    labels: Vec<Option<ElementId>>,
    special: Vec<bool>,
    breaks: Vec<Option<ElementId>>,
    /// The loops around the current statement, innermost last.
    loops: Vec<usize>,
    next_id: &'n mut u32,
    /// Redundant skips are pruned, except in claims.
    prunes: bool,
}

/// A statement whose parts have their elements but which has none itself yet.
enum Pending<'m> {
    Node(Node<'m>, Span),
    If(Vec<SequenceId>, Span),
    Do(Vec<SequenceId>, usize, Span),
    Unless(SequenceId, SequenceId, Span),
    Label(LabelId, Box<Pending<'m>>),
}

impl<'m> Builder<'m, '_> {
    fn open(&mut self) -> SequenceId {
        self.sequences.push(Sequence::default());
        let id = SequenceId(self.sequences.len() as u32 - 1);
        self.open.push(id);
        id
    }

    fn close(&mut self) {
        let id = self.open.pop().expect("open and close come in pairs");
        let sequence = &mut self.sequences[id.0 as usize];
        sequence.extent = sequence.last;
    }

    fn steps(&mut self, steps: &'m [Stmt]) {
        for step in steps {
            let pending = self.prepare(step);
            self.add(pending);
        }
    }

    fn nested(&mut self, steps: &'m [Stmt]) -> SequenceId {
        let id = self.open();
        self.steps(steps);
        self.close();
        id
    }

    /// Creates the elements of a statement's parts.
    fn prepare(&mut self, stmt: &'m Stmt) -> Pending<'m> {
        let span = stmt.span;
        expressions(&stmt.kind).into_iter().for_each(|expr| self.keep_labels(expr));
        match &stmt.kind {
            StmtKind::Label(label, inner) => Pending::Label(*label, Box::new(self.prepare(inner))),
            StmtKind::Unless(main, escape) => {
                let main = self.prepare(main);
                let escape = self.prepare(escape);
                self.unless(main, escape, span)
            }
            StmtKind::If(options) => {
                let options = options.iter().map(|o| self.option(o)).collect();
                Pending::If(options, span)
            }
            StmtKind::Do(options) => {
                let number = self.enter_loop();
                let options = options.iter().map(|o| self.option(o)).collect();
                self.loops.pop();
                Pending::Do(options, number, span)
            }
            StmtKind::ForRange { var, lo, hi, body } => {
                let below = binary(BinaryOp::Le, Expr::Load(var.clone()), hi.clone());
                self.counting_loop(var, lo.clone(), below, Vec::new(), body, span)
            }
            StmtKind::ForChannel { counter, chan, message, body } => {
                let below = binary(BinaryOp::Lt, Expr::Load(counter.clone()), Expr::Len(chan.clone()));
                let rotate = rotate(chan, message);
                self.counting_loop(counter, Expr::Const(0), below, rotate, body, span)
            }
            StmtKind::Select { var, lo, hi } => self.select(var, lo, hi, span),
            StmtKind::Break => {
                let number = *self.loops.last().expect("break lies inside a loop");
                Pending::Node(Node::Goto(Target::Break(number)), span)
            }
            StmtKind::Goto(label) => Pending::Node(Node::Goto(Target::Label(*label)), span),
            StmtKind::Atomic(steps) => {
                let sequence = self.nested(steps);
                self.make_atomic(sequence, Inside::Atomic);
                Pending::Node(Node::Atomic(sequence), span)
            }
            StmtKind::DStep(steps) => {
                let sequence = self.nested(steps);
                self.make_atomic(sequence, Inside::DStep);
                Pending::Node(Node::DStep(sequence), span)
            }
            StmtKind::Block(steps) => Pending::Node(Node::Block(self.nested(steps)), span),
            basic => Pending::Node(Node::Basic(Basic::Written(basic)), span),
        }
    }

    fn enter_loop(&mut self) -> usize {
        self.breaks.push(None);
        self.loops.push(self.breaks.len() - 1);
        self.breaks.len() - 1
    }

    fn option(&mut self, steps: &'m Steps) -> SequenceId {
        let id = self.nested(steps);
        if self.prunes {
            self.prune_skips(id);
        }
        id
    }

    /// `var = from; do :: below -> before; body; var++ :: else -> break od`
    fn counting_loop(
        &mut self,
        var: &Place,
        from: Expr,
        below: Expr,
        before: Vec<StmtKind>,
        body: &'m Steps,
        span: Span,
    ) -> Pending<'m> {
        let number = self.enter_loop();
        self.add_basic(StmtKind::Assign(var.clone(), from), span);
        let rounds = self.open();
        self.add_basic(StmtKind::Expr(below), span);
        for step in before {
            self.add_basic(step, span);
        }
        self.steps(body);
        self.add_basic(increment(var), span);
        self.close();
        let exit = self.open();
        self.add_basic(StmtKind::Else, span);
        self.add(Pending::Node(Node::Goto(Target::Break(number)), span));
        self.close();
        self.loops.pop();
        Pending::Do(vec![exit, rounds], number, span)
    }

    /// `var = lo; do :: break :: var < hi -> var++ od`
    fn select(&mut self, var: &Place, lo: &Expr, hi: &Expr, span: Span) -> Pending<'m> {
        self.add_basic(StmtKind::Assign(var.clone(), lo.clone()), span);
        let rounds = self.open();
        self.add_basic(StmtKind::Expr(binary(BinaryOp::Lt, Expr::Load(var.clone()), hi.clone())), span);
        let number = self.enter_loop();
        self.add_basic(increment(var), span);
        self.close();
        let exit = self.open();
        self.add(Pending::Node(Node::Goto(Target::Break(number)), span));
        self.close();
        self.loops.pop();
        Pending::Do(vec![exit, rounds], number, span)
    }

    fn add_basic(&mut self, kind: StmtKind, span: Span) {
        self.add(Pending::Node(Node::Basic(Basic::made(kind)), span));
    }

    /// As spin: flow.c, do_unless. A label in front of the main block is lifted onto a block around the whole.
    fn unless(&mut self, main: Pending<'m>, escape: Pending<'m>, span: Span) -> Pending<'m> {
        let escape = match escape {
            Pending::Node(Node::Block(sequence), _) => sequence,
            single => self.single(single),
        };
        match main {
            Pending::Node(Node::Block(sequence), _) => Pending::Unless(sequence, escape, span),
            Pending::Label(label, inner) => match *inner {
                Pending::Node(Node::Block(s), at) => self.lift(label, Node::Block, s, escape, at),
                Pending::Node(Node::Atomic(s), at) => self.lift(label, Node::Atomic, s, escape, at),
                Pending::Node(Node::DStep(s), at) => self.lift(label, Node::DStep, s, escape, at),
                inner => {
                    let main = self.single(Pending::Label(label, Box::new(inner)));
                    Pending::Unless(main, escape, span)
                }
            },
            single => {
                let main = self.single(single);
                Pending::Unless(main, escape, span)
            }
        }
    }

    fn lift(
        &mut self,
        label: LabelId,
        wrap: fn(SequenceId) -> Node<'m>,
        main: SequenceId,
        escape: SequenceId,
        span: Span,
    ) -> Pending<'m> {
        let around = self.single(Pending::Unless(main, escape, span));
        Pending::Label(label, Box::new(Pending::Node(wrap(around), span)))
    }

    fn single(&mut self, pending: Pending<'m>) -> SequenceId {
        let id = self.open();
        self.add(pending);
        self.close();
        id
    }

    /// Creates the element of a prepared statement and appends it to the innermost open sequence.
    fn add(&mut self, pending: Pending<'m>) {
        let mut labels = Vec::new();
        let mut innermost = pending;
        while let Pending::Label(label, inner) = innermost {
            labels.push(label);
            innermost = *inner;
        }
        let id = match innermost {
            Pending::If(options, span) => self.selection(options, None, span),
            Pending::Do(options, number, span) => self.selection(options, Some(number), span),
            Pending::Unless(main, escape, span) => self.escape(main, escape, span),
            Pending::Node(node, span) => {
                let id = self.new_element(node, span);
                self.set_labels(id, &labels);
                let current = self.current();
                return self.append(id, current);
            }
            Pending::Label(..) => unreachable!("labels were peeled off"),
        };
        self.set_labels(id, &labels);
    }

    fn current(&self) -> SequenceId {
        *self.open.last().expect("some sequence is open")
    }

    fn set_labels(&mut self, id: ElementId, labels: &[LabelId]) {
        for &label in labels.iter().rev() {
            self.labels[label.0] = Some(id);
            self.elements[id.0 as usize].labels.push(label);
        }
    }

    fn new_element(&mut self, node: Node<'m>, span: Span) -> ElementId {
        let local = self.elements.len() as u32 + 1;
        let id = *self.next_id;
        *self.next_id += 1;
        self.elements.push(Element {
            node,
            local,
            id,
            next: None,
            subs: Vec::new(),
            escapes: Vec::new(),
            atomic: false,
            last_atomic: false,
            in_dstep: false,
            pruned: false,
            labels: Vec::new(),
            span,
        });
        ElementId(local - 1)
    }

    fn append(&mut self, id: ElementId, to: SequenceId) {
        let element = &self.elements[id.0 as usize];
        let marks_state = element.labels.iter().any(|l| self.special[l.0]);
        if matches!(element.node, Node::Goto(_)) && marks_state {
            let span = element.span;
            let skip = self.new_element(Node::Basic(Basic::made(StmtKind::Expr(Expr::Const(1)))), span);
            let label = self.elements[id.0 as usize].labels.pop().expect("it has a special label");
            self.labels[label.0] = Some(skip);
            self.elements[skip.0 as usize].labels.push(label);
            self.append(skip, to);
        }
        let sequence = &mut self.sequences[to.0 as usize];
        match sequence.last {
            None => sequence.first = Some(id),
            Some(last) => self.elements[last.0 as usize].next = Some(id),
        }
        self.sequences[to.0 as usize].last = Some(id);
    }

    /// As spin: flow.c, if_seq. An else option moves to the end of the list.
    fn selection(&mut self, mut options: Vec<SequenceId>, looping: Option<usize>, span: Span) -> ElementId {
        let node = if looping.is_some() { Node::Do } else { Node::If };
        let select = self.new_element(node, span);
        let dot = self.new_element(Node::Dot, span);
        if let Some(at) = options.iter().position(|&o| self.starts_with_else(o)) {
            let otherwise = options.remove(at);
            options.push(otherwise);
        }
        for &option in &options {
            self.append(dot, option);
        }
        self.elements[select.0 as usize].subs = options;
        let current = self.current();
        match looping {
            None => {
                self.append(select, current);
                self.append(dot, current);
            }
            Some(number) => {
                self.append(dot, current);
                let exit = self.new_element(Node::BreakTarget, span);
                self.breaks[number] = Some(exit);
                self.append(select, current);
                self.append(exit, current);
            }
        }
        select
    }

    fn starts_with_else(&self, sequence: SequenceId) -> bool {
        let first = self.sequences[sequence.0 as usize].first;
        first.is_some_and(
            |e| matches!(&self.elements[e.0 as usize].node, Node::Basic(s) if matches!(**s, StmtKind::Else)),
        )
    }

    /// As spin: flow.c, unless_seq.
    fn escape(&mut self, main: SequenceId, escape: SequenceId, span: Span) -> ElementId {
        let unless = self.new_element(Node::Unless, span);
        let dot = self.new_element(Node::Dot, span);
        self.elements[unless.0 as usize].subs = vec![main, escape];
        self.append(dot, main);
        self.append(dot, escape);
        self.attach_escape(main, escape);
        let current = self.current();
        self.append(unless, current);
        self.append(dot, current);
        unless
    }

    fn attach_escape(&mut self, to: SequenceId, escape: SequenceId) {
        let Sequence { first, extent, .. } = self.sequences[to.0 as usize];
        let mut at = first;
        while let Some(id) = at {
            self.escape_element(id, escape);
            if at == extent {
                break;
            }
            at = self.elements[id.0 as usize].next;
        }
    }

    /// An outer escape also covers the inner escapes of a state.
    fn escape_element(&mut self, id: ElementId, escape: SequenceId) {
        let element = &self.elements[id.0 as usize];
        if element.escapes.contains(&escape) {
            return;
        }
        for inner in element.escapes.clone() {
            self.attach_escape(inner, escape);
        }
        let element = &mut self.elements[id.0 as usize];
        element.escapes.insert(0, escape);
        match element.node {
            Node::Unless => {
                let main = element.subs[0];
                self.attach_escape(main, escape);
            }
            Node::If | Node::Do => {
                for option in element.subs.clone() {
                    self.attach_escape(option, escape);
                }
            }
            Node::DStep(inner) => {
                if let Some(guard) = self.sequences[inner.0 as usize].first {
                    self.escape_element(guard, escape);
                }
            }
            Node::Atomic(inner) | Node::Block(inner) => self.attach_escape(inner, escape),
            _ => {}
        }
    }

    /// As spin: flow.c, check_sequence: of consecutive unlabelled skips in an option only the first stays.
    fn prune_skips(&mut self, id: SequenceId) {
        let Sequence { first, last, .. } = self.sequences[id.0 as usize];
        let (mut at, mut before, mut skips) = (first, None::<ElementId>, 0);
        while let Some(id) = at {
            let element = &self.elements[id.0 as usize];
            let next = element.next;
            let kind = skip_kind(&element.node);
            let mut pruned = false;
            if kind == SkipKind::No || !element.labels.is_empty() {
                skips = 0;
            } else {
                skips += 1;
                pruned = skips > 1 && kind == SkipKind::Skip && at != first && at != last;
            }
            if let (true, Some(before)) = (pruned, before) {
                self.elements[id.0 as usize].pruned = true;
                self.elements[before.0 as usize].next = next;
            } else {
                before = at;
            }
            at = next;
        }
    }

    /// As spin: flow.c, make_atomic.
    fn make_atomic(&mut self, id: SequenceId, inside: Inside) {
        self.walk_atomic(id, inside);
        let last = self.sequences[id.0 as usize].last.expect("an atomic sequence has a statement");
        match self.elements[last.0 as usize].node {
            Node::Block(inner) | Node::Atomic(inner) => self.make_atomic(inner, inside),
            Node::Unless => {
                let main = self.elements[last.0 as usize].subs[0];
                self.make_atomic(main, inside);
            }
            _ => {
                let element = &mut self.elements[last.0 as usize];
                element.atomic = false;
                element.last_atomic = true;
            }
        }
    }

    fn walk_atomic(&mut self, id: SequenceId, inside: Inside) {
        let Sequence { first, last, .. } = self.sequences[id.0 as usize];
        let mut at = first;
        while let Some(id) = at {
            let element = &mut self.elements[id.0 as usize];
            element.atomic = true;
            element.in_dstep |= inside == Inside::DStep;
            let inner = match element.node {
                Node::Atomic(inner) | Node::Block(inner) => Some(inner),
                Node::DStep(inner) if inside == Inside::DStep => Some(inner),
                _ => None,
            };
            if let Some(inner) = inner {
                element.node = Node::Block(inner);
            }
            let subs = element.subs.clone();
            let next = element.next;
            if let Some(inner) = inner {
                self.walk_atomic(inner, inside);
            }
            for sub in subs {
                self.walk_atomic(sub, inside);
            }
            if at == last {
                break;
            }
            at = next;
        }
    }

    /// The labels that an expression refers to must stay, from here on.
    fn keep_labels(&mut self, expr: &Expr) {
        any(expr, |part| {
            if let &Expr::RemoteLabel { proctype, label, .. } = part {
                match self.earlier.get_mut(proctype.0) {
                    Some(graph) => graph.keep_label(label, self.next_id),
                    None => self.keep_own_label(label),
                }
            }
            false
        });
    }

    fn keep_own_label(&mut self, label: LabelId) {
        let Some(at) = self.labels[label.0] else { return };
        let Some(goto) = keep_state(&mut self.elements, at, self.next_id) else { return };
        for sequence in &mut self.sequences {
            // what follows, follows the goto
            if sequence.last == Some(at) {
                sequence.last = Some(goto);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Atomic,
    DStep,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SkipKind {
    No,
    /// Counts as a skip but is kept.
    Print,
    Skip,
}

fn skip_kind(node: &Node) -> SkipKind {
    let Node::Basic(stmt) = node else { return SkipKind::No };
    match &**stmt {
        StmtKind::Printf(..) | StmtKind::Printm(_) => SkipKind::Print,
        StmtKind::Expr(Expr::Const(1) | Expr::Name(_, 1)) => SkipKind::Skip,
        _ => SkipKind::No,
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right))
}

fn increment(var: &Place) -> StmtKind {
    StmtKind::Assign(var.clone(), binary(BinaryOp::Add, Expr::Load(var.clone()), Expr::Const(1)))
}

/// `chan?message; chan!message`
fn rotate(chan: &Place, message: &[Place]) -> Vec<StmtKind> {
    let store = message.iter().cloned().map(RecvArg::Store).collect();
    let load = message.iter().cloned().map(Expr::Load).collect();
    vec![
        StmtKind::Receive { chan: chan.clone(), random: false, copy: false, args: store },
        StmtKind::Send { chan: chan.clone(), sorted: false, args: load },
    ]
}
