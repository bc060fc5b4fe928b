//! d_step sequences: a small deterministic program out of the elements of the sequence.
//!
//! Follows spin's dstep.c: a selection takes its first executable option in order; a statement that is not a guard must
//! not block; control leaves the d_step at the first element that is not inside it.

use super::code::{Action, DGuard, DNode, DStep};
use super::compile::Compiler;
use super::elements::{ElementId, Graph, Node, SequenceId};
use crate::model::StmtKind;
use std::collections::HashMap;

pub fn compile(compiler: &Compiler, graph: &mut Graph, inner: SequenceId) -> DStep {
    tie_blocks(graph, inner);
    let first = graph.first(inner);
    let mut walk = Walk { compiler, graph, nodes: vec![DNode::Exit], at: HashMap::new(), todo: Vec::new() };
    let start = walk.node(first);
    while let Some((element, index)) = walk.todo.pop() {
        walk.nodes[index as usize] = walk.build(element);
    }
    let guard = walk.guard(first);
    let start = match (&guard, &walk.nodes[start as usize]) {
        // a condition that has let it start need not be looked at again
        (DGuard::First(Action::Guard(_)), &DNode::Step(Action::Guard(_), next)) => next,
        _ => start,
    };
    DStep { guard, nodes: walk.nodes, start }
}

/// The end of a nested block leads to what follows the block.
fn tie_blocks(graph: &mut Graph, sequence: SequenceId) {
    let mut todo = vec![sequence];
    while let Some(id) = todo.pop() {
        let sequence = graph.sequence(id);
        let mut at = sequence.first;
        while let Some(element) = at {
            let (next, subs) = (graph.element(element).next, graph.element(element).subs.clone());
            if let Node::Block(inner) = graph.element(element).node {
                let last = graph.sequence(inner).last.expect("a block has a statement");
                graph.element_mut(last).next = next;
                todo.push(inner);
            }
            todo.extend(subs);
            if at == sequence.extent {
                break;
            }
            at = next;
        }
    }
}

const EXIT: u32 = 0;

struct Walk<'w, 'm> {
    compiler: &'w Compiler<'w>,
    graph: &'w Graph<'m>,
    nodes: Vec<DNode>,
    at: HashMap<ElementId, u32>,
    todo: Vec<(ElementId, u32)>,
}

impl Walk<'_, '_> {
    /// The node that control reaches at `element`, made if necessary.
    fn node(&mut self, element: ElementId) -> u32 {
        let Some(element) = self.skip(element) else { return EXIT };
        if let Some(&index) = self.at.get(&element) {
            return index;
        }
        let index = self.nodes.len() as u32;
        self.nodes.push(DNode::Exit);
        self.at.insert(element, index);
        self.todo.push((element, index));
        index
    }

    /// Follows what has no effect; `None` when control has left the d_step.
    fn skip(&self, element: ElementId) -> Option<ElementId> {
        let mut at = element;
        for _ in 0..=self.graph.states {
            let e = self.graph.element(at);
            if !e.in_dstep {
                return None;
            }
            at = match e.node {
                Node::Goto(target) => self.graph.destination(target),
                Node::Dot | Node::BreakTarget => e.next?,
                Node::Block(inner) => self.graph.first(inner),
                Node::Unless => self.graph.first(e.subs[0]),
                _ => return Some(at),
            };
        }
        None
    }

    fn build(&mut self, element: ElementId) -> DNode {
        let e = self.graph.element(element);
        match &e.node {
            Node::If | Node::Do => {
                let options = e.subs.clone();
                DNode::Select(options.into_iter().map(|option| self.option(option)).collect())
            }
            Node::Basic(stmt) => {
                let action = self.compiler.action(stmt);
                let next = e.next;
                DNode::Step(action, self.after(next))
            }
            _ => DNode::Exit,
        }
    }

    fn after(&mut self, next: Option<ElementId>) -> u32 {
        next.map_or(EXIT, |next| self.node(next))
    }

    fn option(&mut self, option: SequenceId) -> (Option<Action>, u32) {
        let first = self.graph.first(option);
        match &self.graph.element(first).node {
            Node::Basic(stmt) => {
                let action = self.compiler.action(stmt);
                (Some(action), self.after(self.graph.element(first).next))
            }
            _ => (None, self.node(first)),
        }
    }

    fn guard(&self, first: ElementId) -> DGuard {
        let element = self.graph.element(first);
        match &element.node {
            Node::Basic(stmt) if is_condition(stmt) => DGuard::First(self.compiler.action(stmt)),
            Node::If => self.any(first),
            Node::Dot => match element.next {
                Some(next) if matches!(self.graph.element(next).node, Node::Do) => self.any(next),
                _ => DGuard::Always,
            },
            Node::Block(inner) => self.guard(self.graph.first(*inner)),
            _ => DGuard::Always,
        }
    }

    fn any(&self, selection: ElementId) -> DGuard {
        let mut guards = Vec::new();
        self.collect(selection, &mut guards);
        if guards.is_empty() { DGuard::Always } else { DGuard::Any(guards) }
    }

    /// As spin: dstep.c, CollectGuards: options that start with an assignment do not count.
    fn collect(&self, selection: ElementId, guards: &mut Vec<Action>) {
        for &option in &self.graph.element(selection).subs {
            let mut first = self.graph.first(option);
            while let (Node::Dot, Some(next)) = (&self.graph.element(first).node, self.graph.element(first).next) {
                first = next;
            }
            match &self.graph.element(first).node {
                Node::Basic(stmt) if is_condition(stmt) => guards.push(self.compiler.action(stmt)),
                Node::If => self.collect(first, guards),
                Node::Block(inner) => self.collect(self.graph.first(*inner), guards),
                _ => {}
            }
        }
    }
}

/// Statements that can block, and else.
fn is_condition(stmt: &StmtKind) -> bool {
    use StmtKind::{Else, Expr, Receive, Send};
    matches!(stmt, Expr(_) | Send { .. } | Receive { .. } | Else)
}
