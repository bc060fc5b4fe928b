//! What one step prints.
//!
//! The interpreter prints while it enumerates the steps of a state, so that the texts of alternatives run together. To
//! tell them apart the steps are enumerated once more, on a copy of the program in which every printf says which
//! transition it belongs to.

use crate::program::Program;
use crate::program::code::{Action, DNode};
use crate::system::{Batch, Cutoff, Interpreter, Step, System};

pub struct Printer<'p> {
    program: &'p Program,
    /// Made when the first printing step comes along.
    marked: Option<Box<Program>>,
    cutoff: Cutoff,
}

/// Around the number of the transition, in front of the text.
const MARK: char = '\u{1}';
const MARK_END: char = '\u{2}';

impl<'p> Printer<'p> {
    pub fn new(program: &'p Program, cutoff: Cutoff) -> Printer<'p> {
        Printer { program, marked: None, cutoff }
    }

    /// What `step` prints when it is taken in `state`.
    pub fn text(&mut self, state: &[u64], step: Step) -> String {
        let halves = [Some(step.transition), step.receiver.map(|r| r.transition)];
        let prints = |&t: &u32| prints(&self.program.transitions[t as usize].action);
        let Some(transition) = halves.into_iter().flatten().find(prints) else { return String::new() };
        let marked = self.marked.get_or_insert_with(|| Box::new(marked(self.program)));
        let system = Interpreter::new(marked).within(self.cutoff.clone());
        let mut scratch = system.scratch();
        scratch.printed = Some(String::new());
        let mut batch = Batch::default();
        system.moves(state, Some(step.pid), &mut scratch, &mut batch);
        let printed = scratch.printed.unwrap_or_default();
        let mark = format!("{transition}{MARK_END}");
        let texts: Vec<&str> = printed.split(MARK).filter_map(|text| text.strip_prefix(&mark)).collect();
        share(&batch, step, transition, &texts).concat()
    }
}

/// The texts of `step` among those of all steps that take `transition`: several receivers may be ready to.
fn share<'t>(batch: &Batch, step: Step, transition: u32, texts: &'t [&'t str]) -> &'t [&'t str] {
    let takes = |s: &Step| s.transition == transition || s.receiver.is_some_and(|r| r.transition == transition);
    let mut steps: Vec<Step> = batch.entries.iter().map(|entry| entry.step).filter(takes).collect();
    steps.dedup();
    let each = texts.len() / steps.len().max(1);
    let at = each * steps.iter().position(|&s| s == step).unwrap_or(0);
    &texts[at..at + each]
}

fn prints(action: &Action) -> bool {
    match action {
        Action::Printf(_) => true,
        Action::DStep(d) => d.nodes.iter().any(|node| match node {
            DNode::Step(action, _) => prints(action),
            DNode::Select(options) => options.iter().filter_map(|(head, _)| head.as_ref()).any(prints),
            DNode::Exit => false,
        }),
        _ => false,
    }
}

fn marked(program: &Program) -> Program {
    let mut program = program.clone();
    for (t, transition) in program.transitions.iter_mut().enumerate() {
        mark(&mut transition.action, t);
    }
    program
}

fn mark(action: &mut Action, t: usize) {
    match action {
        Action::Printf(print) => print.format = format!("{MARK}{t}{MARK_END}{}", print.format).into(),
        Action::DStep(d) => {
            for node in &mut d.nodes {
                match node {
                    DNode::Step(action, _) => mark(action, t),
                    DNode::Select(options) => {
                        options.iter_mut().filter_map(|(head, _)| head.as_mut()).for_each(|action| mark(action, t));
                    }
                    DNode::Exit => {}
                }
            }
        }
        _ => {}
    }
}
