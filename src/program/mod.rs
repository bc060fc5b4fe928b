//! [`Model`] to [`Program`]: control automata over SPIN's own control states, and the layout of a state.
//!
//! A program is plain data, shared by all threads. Control states, the order of transitions and statement numbers are
//! SPIN's, so that state counts and trails are equal to SPIN's by construction.

pub mod automaton;
mod build;
pub mod code;
pub mod compile;
mod dstep;
pub mod elements;
pub mod footprint;
pub mod formula;
mod init;
pub mod layout;
pub mod named;
pub mod routes;
mod takers;
#[cfg(test)]
mod tests;
#[cfg(feature = "cli")]
pub mod print;
pub mod render;
pub mod written;

use crate::model::{Model, ProctypeId, ProctypeKind, RefusedFormula, Type};
use crate::source::{Diagnostic, Sources, Span};
use automaton::Edges;
use code::{Action, Base, Cell, Code, Slot, Take};
use compile::Compiler;
use elements::{ElementId, Graph, Node};
pub use init::InitStep;
use layout::Layout;
pub use takers::Takers;

/// A model as control automata and a layout of states: all that is needed to execute it.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it was made of: names, types, texts.
    pub model: Model,
    /// Where everything is in a state.
    pub layout: Layout,
    /// One for each proctype of the model, in its order.
    pub automata: Vec<Automaton>,
    /// Of all automata, by control state.
    pub transitions: Vec<Transition>,
    /// What to know about each transition when showing it.
    pub infos: Vec<TransitionInfo>,
    /// How variables get their first values.
    pub init: Vec<InitStep>,
    /// The processes that run from the start, in pid order.
    pub started: Vec<(u32, u8)>,
    /// The trace or notrace automaton.
    pub trace: Option<u32>,
    /// Some condition depends on `timeout`.
    pub uses_timeout: bool,
    /// The ltl blocks.
    pub formulas: Vec<formula::Formula>,
    /// A send to a full channel does not block: its message is lost.
    pub lossy: bool,
}

/// The control automaton of one proctype.
#[derive(Clone, Debug)]
pub struct Automaton {
    pub name: String,
    pub kind: ProctypeKind,
    /// The transitions of control state `s` are `first[s]..first[s + 1]`.
    pub first: Vec<u32>,
    pub initial: u32,
    /// The transitions by which a process can take part in a handshake that another one starts.
    pub takers: Takers,
    /// By control state.
    pub marks: Vec<Marks>,
    /// The scalar locals that are never written: see [`footprint::settled`].
    pub settled: Vec<Cell>,
    /// Where the arguments of `run` go.
    pub params: Vec<Cell>,
    pub init: Vec<InitStep>,
    /// What becomes 0 in the frame of a new process nevertheless: see [`Transition::resets`].
    pub resets: Box<[footprint::Stretch]>,
    pub provided: Option<Code>,
    /// By control state: what stands there.
    pub states: Vec<StateInfo>,
}

/// What labels say about a control state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    pub accept: bool,
    pub end: bool,
    pub progress: bool,
}

#[derive(Clone, Debug)]
pub struct Transition {
    pub from: u32,
    /// 0: the process is gone.
    pub to: u32,
    /// The process keeps exclusive control afterwards.
    pub atomic: bool,
    /// The escape this belongs to, 0 for none: see [`automaton::Edge::escape`].
    pub escape: u32,
    /// It is a receive from a rendezvous channel for certain: it happens when another process sends.
    pub waits: bool,
    /// It may create a process.
    pub creates: bool,
    /// In an atomic sequence it may be executed on the only copy of the state: if it fails, it changes nothing.
    pub plain: bool,
    /// What becomes 0 in the frame of the process with this step, because no statement reads it any more. Empty unless the program was
    /// made smaller for the sake of reduction.
    pub resets: Box<[footprint::Stretch]>,
    pub action: Action,
}

#[derive(Clone, Debug)]
pub struct TransitionInfo {
    pub proctype: u32,
    /// SPIN's statement number, as in trail files.
    pub id: u32,
    /// The control state whose statement this is; differs from `from` for options and escapes.
    pub own_state: u32,
    pub span: Span,
    /// As SPIN prints it.
    pub text: String,
}

/// A control state as an entry of the list of unreached statements.
#[derive(Clone, Debug, Default)]
pub struct StateInfo {
    pub span: Option<Span>,
    pub text: String,
    /// Not worth a line of its own: ends of selections, gotos, insides of d_steps.
    pub minor: bool,
}

impl Program {
    /// The control automaton of a proctype.
    pub fn automaton(&self, proctype: u32) -> &Automaton {
        &self.automata[proctype as usize]
    }

    /// The numbers of the transitions that leave a control state.
    pub fn leaving(&self, proctype: u32, state: u32) -> std::ops::Range<usize> {
        self.automaton(proctype).leaving(state)
    }

    /// Some process has an acceptance label.
    pub fn has_accept_labels(&self) -> bool {
        let processes = self.automata.iter().filter(|automaton| automaton.kind != ProctypeKind::Never);
        processes.flat_map(|automaton| &automaton.marks).any(|marks| marks.accept)
    }
}

impl Automaton {
    /// The numbers of all its transitions.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first[0] as usize..self.first[self.first.len() - 1] as usize
    }

    /// The numbers of the transitions that leave a control state.
    #[inline]
    pub fn leaving(&self, state: u32) -> std::ops::Range<usize> {
        self.first[state as usize] as usize..self.first[state as usize + 1] as usize
    }
}

/// Lowers a model. Fails only for control flow that leads nowhere and for states that would be too large.
pub fn lower(mut model: Model, sources: &Sources) -> Result<Program, Vec<Diagnostic>> {
    let mut graphs = build::all(&model);
    let mut edges = Vec::new();
    let mut problems = Vec::new();
    for graph in &mut graphs {
        match automaton::edges(graph) {
            Ok(found) => edges.push(found),
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let written = written::written_globals(&model);
    let max_state = graphs.iter().map(|g| g.states).max().unwrap_or(0);
    let layout = layout::lay_out(&model, &written, max_state);
    check_size(&layout)?;
    let labels: Vec<Vec<u32>> =
        model.proctypes.iter().zip(&graphs).map(|(p, g)| label_states(p.labels.len(), g)).collect();
    let mut lowering = Lowering {
        model: &model,
        layout: &layout,
        labels: &labels,
        sources,
        transitions: Vec::new(),
        infos: Vec::new(),
    };
    let mut automata = Vec::new();
    for (index, (graph, edges)) in graphs.iter_mut().zip(edges).enumerate() {
        automata.push(lowering.automaton(ProctypeId(index), graph, edges));
    }
    check_automata(&model, &automata, &lowering)?;
    let Lowering { transitions, infos, .. } = lowering;
    let compiler = Compiler { model: &model, layout: &layout, labels: &labels, proctype: None };
    let init = init::globals(&compiler);
    let formulas: Vec<_> = model.formulas.iter().map(|block| formula::compile(&compiler, block)).collect();
    let (formulas, refused) = within_atoms(formulas);
    let started = model
        .started
        .iter()
        .flat_map(|s| std::iter::repeat_n((s.proctype.0 as u32, s.priority.clamp(1, 255) as u8), s.count))
        .collect();
    let trace = model.proctypes.iter().position(layout::is_trace).map(|p| p as u32);
    let uses_timeout = uses_timeout(&transitions, &automata);
    drop(graphs);
    model.refused.extend(refused);
    Ok(Program {
        model,
        layout,
        automata,
        transitions,
        infos,
        init,
        started,
        trace,
        uses_timeout,
        formulas,
        lossy: false,
    })
}

/// More than this many bytes of state is not a model, it is an accident.
const LARGEST_STATE: u64 = 64 << 20;

fn check_size(layout: &Layout) -> Result<(), Vec<Diagnostic>> {
    let frames: u64 = layout.frames.iter().map(|f| f.size as u64).sum();
    if layout.frames_at as u64 + frames > LARGEST_STATE {
        let message = format!("a state of this model needs more than {} MiB", LARGEST_STATE >> 20);
        return Err(vec![Diagnostic::general(message)]);
    }
    Ok(())
}

/// The formulas that are left, and those with too many atoms: automata know them by the bits of a word.
fn within_atoms(formulas: Vec<formula::Formula>) -> (Vec<formula::Formula>, Vec<RefusedFormula>) {
    let most = ltl::automaton::MAX_ATOMS;
    let (fine, others): (Vec<_>, Vec<_>) = formulas.into_iter().partition(|formula| formula.atoms.len() <= most);
    let refused = others.into_iter().map(|formula| {
        let message = format!("this formula has {} different conditions, more than {most}", formula.atoms.len());
        RefusedFormula { name: formula.name, diagnostics: vec![Diagnostic::error(formula.span, message)] }
    });
    (fine, refused.collect())
}

fn label_states(count: usize, graph: &Graph) -> Vec<u32> {
    let state = |label| graph.label(label).map_or(0, |e| graph.element(e).local);
    (0..count).map(|i| state(crate::model::LabelId(i))).collect()
}

/// What pan refuses when it starts: a selection that inherits two elses, an unconditional self-loop.
fn check_automata(model: &Model, automata: &[Automaton], lowering: &Lowering) -> Result<(), Vec<Diagnostic>> {
    let mut problems = Vec::new();
    for (index, automaton) in automata.iter().enumerate() {
        if model.proctypes[index].kind == ProctypeKind::Never {
            continue;
        }
        for state in 1..automaton.first.len() - 1 {
            let range = automaton.first[state] as usize..automaton.first[state + 1] as usize;
            let mut elses = range.clone().filter(|&t| matches!(lowering.transitions[t].action, Action::Else));
            if let Some(second) = elses.nth(1) {
                let message = "two `else` guard the same choice: nested selections that start an option are one choice";
                problems.push(Diagnostic::error(lowering.infos[second].span, message));
            }
            for t in range {
                if lowering.transitions[t].to == state as u32 && lowering.infos[t].text == "(1)" {
                    let message = "this is an endless loop that does nothing (an unconditional self-loop)";
                    problems.push(Diagnostic::error(lowering.infos[t].span, message));
                }
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

struct Lowering<'l> {
    model: &'l Model,
    layout: &'l Layout,
    labels: &'l [Vec<u32>],
    sources: &'l Sources,
    transitions: Vec<Transition>,
    infos: Vec<TransitionInfo>,
}

impl Lowering<'_> {
    fn automaton(&mut self, id: ProctypeId, graph: &mut Graph, edges: Edges) -> Automaton {
        let compiler = Compiler { model: self.model, layout: self.layout, labels: self.labels, proctype: Some(id) };
        let proctype = &self.model.proctypes[id.0];
        let mut first = Vec::with_capacity(edges.states.len() + 1);
        for (state, list) in edges.states.iter().enumerate() {
            first.push(self.transitions.len() as u32);
            for edge in list {
                let action = action(&compiler, graph, edge.element);
                self.transitions.push(Transition {
                    from: state as u32,
                    to: edge.to,
                    atomic: edge.atomic,
                    escape: edge.escape,
                    waits: takers::waits(&action, self.layout),
                    creates: creates(&action),
                    plain: edge.escape == 0 && !creates(&action) && fails_early(&action),
                    resets: Box::default(),
                    action,
                });
                self.infos.push(self.info(id, graph, edge.element));
            }
        }
        first.push(self.transitions.len() as u32);
        let takers = Takers::new(&first, &self.transitions, self.layout);
        Automaton {
            takers,
            settled: footprint::settled(self.locals(id), &self.transitions[first[0] as usize..]),
            name: proctype.name.clone(),
            kind: proctype.kind,
            first,
            initial: edges.initial,
            marks: self.marks(id, graph, &edges),
            params: init::params(&compiler),
            init: init::locals(&compiler),
            resets: Box::default(),
            provided: proctype.provided.as_ref().map(|e| compiler.expr(e)),
            states: self.states(id, graph),
        }
    }

    /// The cells of the scalar locals.
    fn locals(&self, id: ProctypeId) -> impl Iterator<Item = Cell> {
        let locals = self.model.proctypes[id.0].locals.iter().zip(&self.layout.frames[id.0].locals);
        let scalars = locals.filter(|(local, _)| matches!(local.ty, Type::Scalar(_)) && local.array.is_none());
        scalars.map(|(local, &offset)| Cell { base: Base::Frame, offset, width: layout::variable_width(local) })
    }

    fn info(&self, id: ProctypeId, graph: &Graph, element: ElementId) -> TransitionInfo {
        let e = graph.element(element);
        let text = self.text(id, graph, element);
        TransitionInfo { proctype: id.0 as u32, id: e.id, own_state: e.local, span: e.span, text }
    }

    fn text(&self, id: ProctypeId, graph: &Graph, element: ElementId) -> String {
        let e = graph.element(element);
        render::node(self.model, id, &e.node, self.sources.place(e.span).line)
    }

    fn marks(&self, id: ProctypeId, graph: &Graph, edges: &Edges) -> Vec<Marks> {
        let names = &self.model.proctypes[id.0].labels;
        let mut marks = vec![Marks::default(); graph.states as usize];
        for (_, element) in graph.elements() {
            let state = &mut marks[element.local as usize];
            state.end |= matches!(element.node, Node::End);
            for label in &element.labels {
                let name = &names[label.0].name;
                state.end |= name.starts_with("end");
                state.accept |= name.starts_with("accept");
                state.progress |= name.starts_with("progress");
            }
        }
        for &(heir, from) in &edges.inherited {
            let labels = marks[from as usize];
            if heir != 0 {
                let state = &mut marks[heir as usize];
                state.end |= labels.end;
                state.accept |= labels.accept;
                state.progress |= labels.progress;
            }
        }
        marks
    }

    fn states(&self, id: ProctypeId, graph: &Graph) -> Vec<StateInfo> {
        let mut states = vec![StateInfo::default(); graph.states as usize];
        for (element_id, element) in graph.elements() {
            let minor = element.in_dstep
                || element.pruned
                || matches!(element.node, Node::Dot | Node::BreakTarget | Node::Goto(_) | Node::Unless);
            let text = self.text(id, graph, element_id);
            states[element.local as usize] = StateInfo { span: Some(element.span), text, minor };
        }
        states
    }
}

fn action(compiler: &Compiler, graph: &mut Graph, element: ElementId) -> Action {
    match &graph.element(element).node {
        Node::Basic(stmt) => compiler.action(stmt),
        Node::Goto(_) | Node::Dot | Node::BreakTarget => Action::Nothing,
        &Node::DStep(inner) => Action::DStep(Box::new(dstep::compile(compiler, graph, inner))),
        Node::End => Action::End,
        other => unreachable!("{other:?} has no transition of its own"),
    }
}

fn creates(action: &Action) -> bool {
    action.runs() > 0
}

fn mentions(action: &Action, what: impl Fn(&Code) -> bool) -> bool {
    let mut found = false;
    action.visit(&mut |code| found |= what(code));
    found
}

/// A statement that can only go wrong before it has changed anything.
fn fails_early(action: &Action) -> bool {
    match action {
        Action::Nothing | Action::Else | Action::Guard(_) | Action::Assign(..) | Action::Assert(..) => true,
        Action::Send(_) => true,
        Action::Receive(receive) => !receive.args.iter().any(|arg| matches!(arg, Take::Store(Slot::Indexed(_)))),
        _ => false,
    }
}

fn uses_timeout(transitions: &[Transition], automata: &[Automaton]) -> bool {
    let is_timeout = |code: &Code| matches!(code, Code::Timeout);
    let mut provided = false;
    for code in automata.iter().filter_map(|a| a.provided.as_ref()) {
        code.visit(&mut |part| provided |= is_timeout(part));
    }
    provided || transitions.iter().any(|t| mentions(&t.action, is_timeout))
}
