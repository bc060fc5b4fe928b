//! Claims: observers that accept the runs that violate a property.
//!
//! A claim has numbered states. It looks at every state of the run that a scheduler can see, before the system moves on
//! from it, and takes one of its own moves that the state allows; without such a move it drops the run.

use crate::model::ProctypeKind;
use crate::program::code::{Action, Code};
use crate::program::formula::{Atom, Formula};
use crate::program::routes::FAR;
use crate::program::{Automaton, Program};
use crate::source::Span;
use crate::system::observe::Moves;
use crate::system::{CLAIM_COMPLETED, Observer, Run};
use ltl::automaton::Buchi;
use ltl::formula::Formulas;
use ltl::scc::{Class, Classes};
use ltl::translate::{Options, translate};
use ltl::{Budget, Limit, stutter_game};
use std::sync::OnceLock;

/// A state of a claim.
pub type ClaimState = u32;

/// Conditions, and whether they are to be true.
pub type Conditions = Vec<(Code, bool)>;

/// A move of a claim that brings it nearer to acceptance.
#[derive(Clone, Debug)]
pub struct Way {
    /// What it waits for.
    pub conditions: Conditions,
    /// How many moves it needs afterwards, at least.
    pub moves_left: u32,
}

/// An observer with numbered states. It accepts the runs that violate a property.
pub struct Claim {
    kind: Kind,
    /// By state.
    accepting: Vec<bool>,
    components: Vec<u32>,
    classes: Vec<Class>,
    initial: ClaimState,
    /// Reaching an accepting state is enough: every continuation is accepted.
    terminal: bool,
    /// The labels of processes decide.
    labels: bool,
    /// Some run may be accepted.
    satisfiable: bool,
    /// Where it accepts, it looks at conditions.
    asks_for_more: bool,
    /// Whether it can follow a run whose states repeat more or less often ([`ltl::stutter_game`]); `None` if it is too much work to tell.
    follows_repetitions: OnceLock<Option<bool>>,
}

enum Kind {
    /// An automaton over conditions.
    Automaton { automaton: Buchi, atoms: Vec<Atom> },
    /// A never claim: its proctype, and the control states at its closing brace or with an end label.
    Never { proctype: u32, ends: Vec<bool> },
}

impl Claim {
    /// The claim that accepts the runs which violate the property of an ltl block; an error says why there is none.
    pub fn against(formula: &Formula) -> Result<Claim, String> {
        Claim::against_within(formula, Budget::default()).map_err(|limit| limit.to_string())
    }

    /// The same, but ends with an error when the budget is spent.
    pub fn against_within(formula: &Formula, budget: Budget) -> Result<Claim, Limit> {
        let mut formulas = Formulas::new();
        // the atoms first, so that the bits of a letter are the positions of the conditions
        formula.atoms.iter().for_each(|atom| _ = formulas.atom(&atom.text));
        let property = formulas.intern(&formula.expr);
        let violation = formulas.not(property);
        let next_free = formulas.traits(violation).next_free;
        let translation = translate(&mut formulas, violation, &Options { budget, ..Options::default() })?;
        let claim = Claim::of_automaton(translation.automaton, formula.atoms.clone());
        if next_free && translation.deterministic {
            // it has nothing to guess
            _ = claim.follows_repetitions.set(Some(true));
        }
        Ok(claim)
    }

    /// The claim that accepts the runs which, from some moment on, make no progress.
    pub fn no_progress() -> Claim {
        let mut formulas = Formulas::new();
        let np = formulas.atom("np_");
        let forever = formulas.always(np);
        let violation = formulas.eventually(forever);
        let translation = translate(&mut formulas, violation, &Options::default()).expect("a small formula");
        Claim::of_automaton(translation.automaton, vec![Atom { text: "np_".into(), code: Code::NonProgress }])
    }

    /// A claim that leaves it to the acceptance labels of the processes.
    pub fn labels() -> Claim {
        let mut formulas = Formulas::new();
        let anything = translate(&mut formulas, ltl::formula::TRUE, &Options::default()).expect("a small formula");
        let mut claim = Claim::of_automaton(anything.automaton, Vec::new());
        claim.accepting = vec![false];
        claim.terminal = false;
        claim.labels = true;
        claim
    }

    /// A claim given as an automaton over conditions: the atom with bit n of a letter is the nth one.
    pub fn of_automaton(automaton: Buchi, atoms: Vec<Atom>) -> Claim {
        let classes = automaton.classes();
        Claim {
            accepting: automaton.states.iter().map(|place| place.accepting).collect(),
            initial: automaton.initial as ClaimState,
            terminal: classes.is_terminal(),
            labels: false,
            satisfiable: (0..automaton.states.len()).any(|state| classes.class(state) != Class::N),
            asks_for_more: !classes.is_terminal(),
            follows_repetitions: OnceLock::new(),
            components: per_state(&automaton, |state| classes.component(state) as u32),
            classes: per_state(&automaton, |state| classes.class(state)),
            kind: Kind::Automaton { automaton, atoms },
        }
    }

    /// The conditions that it looks at, if only some orders of independent steps need be explored; otherwise why all must be.
    pub fn conditions(&self) -> Result<Vec<Code>, &'static str> {
        let Kind::Automaton { atoms, automaton } = &self.kind else {
            return Err("a never claim may count how often a state repeats");
        };
        if self.labels {
            return Err("labels of processes decide which cycles are accepting");
        }
        match self.follows_repetitions.get_or_init(|| stutter_game::is_won(automaton)) {
            Some(true) => {}
            Some(false) => {
                return Err(
                    "the claim may count, or has to guess, how often a state repeats (without X in a formula it never does)",
                );
            }
            None => return Err("it takes too much work to tell whether the claim counts how often a state repeats"),
        }
        let conditions: Vec<Code> = atoms.iter().map(|atom| atom.code.clone()).collect();
        let mut elsewhere = false;
        conditions.iter().for_each(|code| code.visit(&mut |part| elsewhere |= looks_at_moves(part)));
        if elsewhere { Err("the formula looks at which processes can move, or moved last") } else { Ok(conditions) }
    }

    /// The never claims of the model, in the order of the text.
    pub fn nevers(program: &Program) -> Vec<u32> {
        let is_never = |&number: &u32| program.automaton(number).kind == ProctypeKind::Never;
        (0..program.automata.len() as u32).filter(is_never).collect()
    }

    /// A never claim of the model.
    pub fn never(program: &Program, proctype: u32) -> Claim {
        let automaton = program.automaton(proctype);
        // conditions are taken for possible: the classes are those of the control automaton
        let mut shape = Buchi { atoms: Vec::new(), initial: automaton.initial as usize, states: Vec::new() };
        for state in 0..automaton.marks.len() {
            let label = || ltl::automaton::Label(vec![ltl::automaton::Cube::TRUE]);
            let targets = automaton.leaving(state as u32).map(|number| program.transitions[number].to as usize);
            let moves = targets.map(|target| ltl::automaton::Move { label: label(), target }).collect();
            shape.states.push(ltl::automaton::Place { accepting: automaton.marks[state].accept, moves });
        }
        let classes: Classes = shape.classes();
        let ends = ends(automaton, program);
        let accepts = |state: usize| classes.class(state) != Class::N;
        let asks = |state: usize| automaton.leaving(state as u32).any(|number| is_condition(program, number));
        let reachable = reachable(&shape);
        Claim {
            accepting: automaton.marks.iter().map(|marks| marks.accept).collect(),
            components: per_state(&shape, |state| classes.component(state) as u32),
            classes: per_state(&shape, |state| classes.class(state)),
            initial: automaton.initial,
            terminal: false,
            labels: false,
            satisfiable: program.has_accept_labels()
                || automaton.range().any(|number| matches!(program.transitions[number].action, Action::Assert(..)))
                || reachable.iter().any(|&state| accepts(state) || ends[state]),
            asks_for_more: reachable.iter().any(|&state| accepts(state) && asks(state)),
            follows_repetitions: OnceLock::new(),
            kind: Kind::Never { proctype, ends },
        }
    }

    /// A statement of a never claim that does more than look at the state.
    pub fn meddling(program: &Program, proctype: u32) -> Option<Span> {
        let looks = |action: &Action| {
            use Action::*;
            matches!(action, Nothing | Else | Guard(_) | Assert(..) | Printf(_) | End)
        };
        let mut moves = program.automaton(proctype).range();
        let number = moves.find(|&number| !looks(&program.transitions[number].action))?;
        Some(program.infos[number].span)
    }

    /// The state in which the claim starts.
    pub fn initial(&self) -> ClaimState {
        self.initial
    }

    /// The number of states. They are numbered from 0.
    pub fn state_count(&self) -> usize {
        self.accepting.len()
    }

    /// The claim accepts in this state. Acceptance labels of processes are not looked at here.
    pub fn is_accepting(&self, state: ClaimState) -> bool {
        self.accepting[state as usize]
    }

    /// Which cycles in the component of this state are accepting: none, some or all.
    pub fn class(&self, state: ClaimState) -> Class {
        self.classes[state as usize]
    }

    /// The number of the strongly connected component that this state is in.
    pub fn component(&self, state: ClaimState) -> u32 {
        self.components[state as usize]
    }

    /// A run that reaches an accepting state is accepted, however it goes on.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// No component has both kinds of cycles.
    pub fn is_weak(&self) -> bool {
        self.classes.iter().all(|&class| class != Class::P)
    }

    /// Some run may be accepted, as far as the claim itself tells.
    pub fn is_satisfiable(&self) -> bool {
        self.satisfiable
    }

    /// Not every run that comes to an accepting state is accepted.
    pub fn asks_for_more(&self) -> bool {
        self.asks_for_more
    }

    /// The claim has seen enough in this state, and why: whatever follows, the run violates the property.
    pub fn is_decided(&self, state: ClaimState) -> Option<&'static str> {
        if self.is_completed(state) {
            Some(CLAIM_COMPLETED)
        } else if self.is_terminal() && self.is_accepting(state) {
            Some("a bad prefix: whatever follows, the property is violated")
        } else {
            None
        }
    }

    /// The claim has come to its end there.
    pub fn is_completed(&self, state: ClaimState) -> bool {
        match &self.kind {
            Kind::Automaton { .. } => false,
            Kind::Never { ends, .. } => ends[state as usize],
        }
    }

    /// It is a never claim of the model.
    pub fn is_never(&self) -> bool {
        self.proctype().is_some()
    }

    /// Which of the model's, if it is a never claim.
    pub fn proctype(&self) -> Option<u32> {
        match &self.kind {
            Kind::Never { proctype, .. } => Some(*proctype),
            Kind::Automaton { .. } => None,
        }
    }

    /// Acceptance labels of processes count, too: for never claims, as in pan, and where there is nothing else. A formula
    /// says all it means.
    pub fn heeds_labels(&self) -> bool {
        self.is_never() || self.labels
    }

    /// The conditions it looks at.
    pub fn atoms(&self) -> &[Atom] {
        match &self.kind {
            Kind::Automaton { atoms, .. } => atoms,
            Kind::Never { .. } => &[],
        }
    }

    /// By state: how many moves it is from a state that can be on an accepting cycle, or ends the claim; and the moves that
    /// bring it nearer.
    pub fn ways(&self, program: &Program) -> (Vec<u32>, Vec<Vec<Way>>) {
        let moves = self.labelled_moves(program);
        let count = self.state_count();
        let arrived = |state: usize| {
            self.accepting[state] && self.classes[state] != Class::N || self.is_completed(state as ClaimState)
        };
        let mut left: Vec<u32> = (0..count).map(|state| if arrived(state) { 0 } else { FAR }).collect();
        let mut nearer = true;
        while std::mem::take(&mut nearer) {
            for (from, _, to) in &moves {
                if left[*to] + 1 < left[*from] {
                    left[*from] = left[*to] + 1;
                    nearer = true;
                }
            }
        }
        let mut ways = vec![Vec::new(); count];
        for (from, conditions, to) in moves {
            if left[to] < left[from] {
                ways[from].push(Way { conditions, moves_left: left[to] });
            }
        }
        (left, ways)
    }

    /// Every move, with the conditions on it; one that has several alternatives is several moves.
    fn labelled_moves(&self, program: &Program) -> Vec<(usize, Conditions, usize)> {
        let mut moves = Vec::new();
        match &self.kind {
            Kind::Automaton { automaton, atoms } => {
                for (from, each) in automaton.moves() {
                    for cube in &each.label.0 {
                        let literal = |(number, atom): (usize, &Atom)| {
                            let (positive, negative) = (cube.positive >> number & 1, cube.negative >> number & 1);
                            (positive + negative == 1).then(|| (atom.code.clone(), positive == 1))
                        };
                        moves.push((from, atoms.iter().enumerate().filter_map(literal).collect(), each.target));
                    }
                }
            }
            Kind::Never { proctype, .. } => {
                for number in program.automaton(*proctype).range() {
                    let transition = &program.transitions[number];
                    let condition = match &transition.action {
                        Action::Guard(code) => vec![(code.clone(), true)],
                        _ => Vec::new(),
                    };
                    moves.push((transition.from as usize, condition, transition.to as usize));
                }
            }
        }
        moves
    }

    /// What the claim may do from `from` in a state.
    pub fn moves(&self, observer: &mut Observer, state: &mut [u64], run: Run, from: ClaimState, moves: &mut Moves) {
        moves.targets.clear();
        moves.faults.clear();
        moves.letter = None;
        match &self.kind {
            Kind::Automaton { automaton, atoms } => {
                match observer.truths(state, run, atoms.iter().map(|atom| &atom.code)) {
                    Err(fault) => moves.faults.push(fault),
                    Ok(letter) => {
                        moves.letter = Some(letter);
                        let own = automaton.states[from as usize].moves.iter();
                        moves
                            .targets
                            .extend(own.filter(|own| own.label.allows(letter)).map(|own| own.target as ClaimState));
                    }
                }
            }
            Kind::Never { proctype, .. } => observer.claim_moves(state, run, *proctype, from, moves),
        }
    }
}

/// The expression looks at more than variables, channels and control states.
fn looks_at_moves(code: &Code) -> bool {
    use Code::{Enabled, GetPriority, Last, NonProgress, PcValue, Priority, Timeout};
    matches!(code, Last | NonProgress | Timeout | Enabled(_) | PcValue(_) | Priority | GetPriority(_))
}

fn per_state<T>(automaton: &Buchi, of: impl Fn(usize) -> T) -> Vec<T> {
    (0..automaton.states.len()).map(of).collect()
}

/// The states of an automaton that its moves lead to.
fn reachable(automaton: &Buchi) -> Vec<usize> {
    let mut found = vec![automaton.initial];
    let mut seen = vec![false; automaton.states.len()];
    seen[automaton.initial] = true;
    let mut next = 0;
    while let Some(&state) = found.get(next) {
        next += 1;
        for target in automaton.states[state].moves.iter().map(|each| each.target) {
            if !std::mem::replace(&mut seen[target], true) {
                found.push(target);
            }
        }
    }
    found
}

/// A transition depends on the state of the system.
fn is_condition(program: &Program, number: usize) -> bool {
    match &program.transitions[number].action {
        Action::Guard(code) => !matches!(code, Code::Const(_)),
        Action::Else => true,
        _ => false,
    }
}

/// The control states at the end of the body, and those with an end label (as spin: pan.c, `stopstate` of the claim).
fn ends(automaton: &Automaton, program: &Program) -> Vec<bool> {
    let is_end = |number: usize| matches!(program.transitions[number].action, Action::End);
    let ends = |state: usize| automaton.marks[state].end || automaton.leaving(state as u32).any(is_end);
    (0..automaton.marks.len()).map(ends).collect()
}
