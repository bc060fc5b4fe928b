//! From the tree of a text to an automaton: numbers are checked, aliases replaced, labels become cubes.
//!
//! Headers may come in any order, so they are gathered first. An alias is turned into cubes when it is defined, in
//! both senses: aliases of aliases would otherwise double the work at every step.

use super::super::cubes::{self, MAX_CUBES, Sense, TooMany};
use super::super::reading::Mistake;
use super::acceptance::Acceptance;
use super::lexeme::{Number, unescaped};
use super::syntax::{Document, EdgeItem, Header, HeaderKind, Leaf, StateItem, Written};
use crate::automaton::{Automaton, Cube, Edge, Label, MAX_ATOMS, Marks, State};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A text of twenty bytes can announce any number of states.
const MAX_STATES: usize = 1 << 20;

type Result<'a, T> = std::result::Result<T, Mistake<'a>>;

pub fn resolve<'a>(document: &Document<'a>) -> Result<'a, Automaton> {
    let context = Context::of(document)?;
    let mut states = vec![None; context.states];
    for item in &document.states {
        let state = context.state(item.number)?;
        let edges = context.edges(item)?;
        if states[state].replace(edges).is_some() {
            return Err(Mistake::new(item.number.at, format!("state {state} is defined twice")));
        }
    }
    let mut states: Vec<Vec<Edge>> = states.into_iter().map(Option::unwrap_or_default).collect();
    let initial = initial(document, &context, &mut states)?;
    Ok(Automaton { atoms: context.atoms, sets: context.acceptance.sets(), initial, states })
}

/// The only initial state, or a new one that can do what all of them can.
fn initial<'a>(document: &Document<'a>, context: &Context<'a>, states: &mut Vec<Vec<Edge>>) -> Result<'a, State> {
    let starts = document.headers.iter().filter_map(Header::start).map(|start| context.state(start));
    let mut starts = starts.collect::<Result<Vec<State>>>()?;
    starts.sort_unstable();
    starts.dedup();
    if let [only] = starts[..] {
        return Ok(only);
    }
    let edges = starts.iter().flat_map(|&start| states[start].clone()).collect();
    states.push(edges);
    Ok(states.len() - 1)
}

/// What the headers say.
struct Context<'a> {
    states: usize,
    atoms: Vec<String>,
    acceptance: Acceptance,
    aliases: HashMap<&'a str, Alias>,
}

/// The cubes of an alias and of its negation. Either may be too long, which matters only if it is used.
struct Alias {
    plain: std::result::Result<Label, TooMany>,
    negated: std::result::Result<Label, TooMany>,
}

impl<'a> Context<'a> {
    fn of(document: &Document<'a>) -> Result<'a, Context<'a>> {
        check_names(&document.headers)?;
        let kinds = || document.headers.iter().map(|header| &header.kind);
        let acceptance = kinds().find_map(|kind| match kind {
            HeaderKind::Acceptance(count, formula) => Some(Acceptance::of(*count, formula)),
            _ => None,
        });
        let missing = || Err(Mistake::new(document.body, "there is no `Acceptance:` before the body"));
        let atoms = kinds().find_map(|kind| match kind {
            HeaderKind::Atoms(count, names) => Some(atoms(*count, names)),
            _ => None,
        });
        let mut context = Context {
            states: count_states(document)?,
            atoms: atoms.unwrap_or(Ok(Vec::new()))?,
            acceptance: acceptance.unwrap_or_else(missing)?,
            aliases: HashMap::new(),
        };
        for kind in kinds() {
            if let HeaderKind::Alias(name, value) = kind {
                context.define(name, value)?;
            }
        }
        Ok(context)
    }

    fn define(&mut self, name: &'a str, value: &Written<'a, Leaf<'a>>) -> Result<'a, ()> {
        let alias = Alias { plain: self.cubes(value, Sense::Plain)?, negated: self.cubes(value, Sense::Negated)? };
        match self.aliases.insert(name, alias) {
            None => Ok(()),
            Some(_) => Err(Mistake::new(name, format!("the alias `@{name}` is defined twice"))),
        }
    }

    fn state(&self, number: Number<'a>) -> Result<'a, State> {
        match number.value < self.states {
            true => Ok(number.value),
            false => {
                let message = format!("there is no state {}: `States:` announces {}", number.value, self.states);
                Err(Mistake::new(number.at, message))
            }
        }
    }

    fn marks(&self, numbers: &[Number<'a>]) -> Result<'a, Marks> {
        numbers.iter().try_fold(Marks::NONE, |marks, &number| Ok(marks.with(self.acceptance.mark(number)?)))
    }

    fn label(&self, written: &Written<'a, Leaf<'a>>) -> Result<'a, Label> {
        let too_many = |_| Mistake::new(written.at, format!("this label needs more than {MAX_CUBES} cubes"));
        self.cubes(written, Sense::Plain)?.map_err(too_many)
    }

    /// The outer result is for names that do not exist.
    fn cubes(&self, written: &Written<'a, Leaf<'a>>, sense: Sense) -> Result<'a, std::result::Result<Label, TooMany>> {
        match cubes::label(&written.condition, sense, &mut |leaf, sense| self.leaf(leaf, sense)) {
            Ok(label) => Ok(Ok(label)),
            Err(Trouble::TooMany) => Ok(Err(TooMany)),
            Err(Trouble::Mistake(mistake)) => Err(mistake),
        }
    }

    fn leaf(&self, leaf: &Leaf<'a>, sense: Sense) -> std::result::Result<Label, Trouble<'a>> {
        match leaf {
            Leaf::Atom(number) if number.value < self.atoms.len() => Ok(cubes::literal(number.value, sense)),
            Leaf::Atom(number) => {
                let message = format!("there is no atom {}: `AP:` announces {}", number.value, self.atoms.len());
                Err(Trouble::Mistake(Mistake::new(number.at, message)))
            }
            Leaf::Alias(name) => match (self.aliases.get(name), sense) {
                (Some(alias), Sense::Plain) => Ok(alias.plain.clone()?),
                (Some(alias), Sense::Negated) => Ok(alias.negated.clone()?),
                (None, _) => {
                    Err(Trouble::Mistake(Mistake::new(name, format!("the alias `@{name}` is not defined before"))))
                }
            },
        }
    }

    fn edges(&self, item: &StateItem<'a>) -> Result<'a, Vec<Edge>> {
        let marks = self.marks(&item.marks)?;
        let mut edges = match (&item.label, item.edges.iter().any(|edge| edge.label.is_some())) {
            (Some(label), _) => self.with_state_label(item, &self.label(label)?)?,
            (None, true) => self.with_own_labels(item)?,
            (None, false) => self.with_implicit_labels(item)?,
        };
        edges.retain(|edge| !edge.label.0.is_empty());
        edges.iter_mut().for_each(|edge| edge.marks = edge.marks.with(marks));
        Ok(edges)
    }

    fn edge(&self, item: &EdgeItem<'a>, label: Label) -> Result<'a, Edge> {
        Ok(Edge { label, target: self.state(item.target)?, marks: self.marks(&item.marks)? })
    }

    fn with_state_label(&self, item: &StateItem<'a>, label: &Label) -> Result<'a, Vec<Edge>> {
        let edge = |edge: &EdgeItem<'a>| match &edge.label {
            Some(own) => Err(Mistake::new(own.at, "this edge leaves a state that has a label already")),
            None => self.edge(edge, label.clone()),
        };
        item.edges.iter().map(edge).collect()
    }

    fn with_own_labels(&self, item: &StateItem<'a>) -> Result<'a, Vec<Edge>> {
        let edge = |edge: &EdgeItem<'a>| match &edge.label {
            Some(own) => self.edge(edge, self.label(own)?),
            None => Err(Mistake::new(edge.target.at, "this edge has no label, but others of the state do")),
        };
        item.edges.iter().map(edge).collect()
    }

    /// Without labels, the position of an edge is its letter. Edges that differ in nothing else become one.
    fn with_implicit_labels(&self, item: &StateItem<'a>) -> Result<'a, Vec<Edge>> {
        self.check_implicit(item)?;
        let mut letters: BTreeMap<(State, Marks), Vec<Cube>> = BTreeMap::new();
        let all = (1u64 << self.atoms.len().min(63)) - 1;
        for (letter, edge) in (0u64..).zip(&item.edges) {
            let key = (self.state(edge.target)?, self.marks(&edge.marks)?);
            letters.entry(key).or_default().push(Cube { positive: letter, negative: !letter & all });
        }
        let edge =
            |((target, marks), cubes)| Edge { label: cubes::merged(Label(cubes), self.atoms.len()), target, marks };
        Ok(letters.into_iter().map(edge).collect())
    }

    fn check_implicit(&self, item: &StateItem<'a>) -> Result<'a, ()> {
        let atoms = self.atoms.len();
        let count = item.edges.len();
        match count == 0 || 1usize.checked_shl(atoms as u32) == Some(count) {
            true => Ok(()),
            false => {
                let message =
                    format!("without labels, a state needs an edge for each letter of {atoms} atoms, not {count}");
                Err(Mistake::new(item.number.at, message))
            }
        }
    }
}

enum Trouble<'a> {
    TooMany,
    Mistake(Mistake<'a>),
}

impl From<TooMany> for Trouble<'_> {
    fn from(_: TooMany) -> Self {
        Trouble::TooMany
    }
}

/// A header with a capital letter changes what an automaton means, so it must be known; most may come only once.
fn check_names<'a>(headers: &[Header<'a>]) -> Result<'a, ()> {
    let mut seen = HashSet::new();
    for Header { name, kind } in headers {
        let unknown = matches!(kind, HeaderKind::Other) && name.starts_with(|c: char| c.is_ascii_uppercase());
        let once = matches!(kind, HeaderKind::States(_) | HeaderKind::Atoms(..) | HeaderKind::Acceptance(..));
        if unknown {
            return Err(Mistake::new(name, format!("the header `{name}:` is not supported")));
        }
        if once && !seen.insert(name) {
            return Err(Mistake::new(name, format!("there are two headers `{name}:`")));
        }
    }
    Ok(())
}

fn atoms<'a>(count: Number<'a>, names: &[&'a str]) -> Result<'a, Vec<String>> {
    if count.value != names.len() {
        let message = format!("`AP:` announces {} atoms, but names {}", count.value, names.len());
        return Err(Mistake::new(count.at, message));
    }
    if count.value > MAX_ATOMS {
        return Err(Mistake::new(count.at, format!("more than {MAX_ATOMS} atoms are not supported")));
    }
    let mut atoms = Vec::new();
    for name in names {
        let atom = unescaped(name);
        if atoms.contains(&atom) {
            return Err(Mistake::new(name, format!("the atom `{atom}` is named twice")));
        }
        atoms.push(atom);
    }
    Ok(atoms)
}

/// The header is optional: without it there are as many as are mentioned.
fn count_states<'a>(document: &Document<'a>) -> Result<'a, usize> {
    let announced = document.headers.iter().find_map(|header| match header.kind {
        HeaderKind::States(number) => Some((number, number.value)),
        _ => None,
    });
    let starts = document.headers.iter().filter_map(Header::start);
    let in_body = document.states.iter().flat_map(|item| {
        let targets = item.edges.iter().map(|edge| edge.target);
        targets.chain([item.number])
    });
    let mentioned =
        || starts.chain(in_body).max_by_key(|number| number.value).map(|it| (it, it.value.saturating_add(1)));
    match announced.or_else(mentioned) {
        None => Ok(0),
        Some((_, count)) if count <= MAX_STATES => Ok(count),
        Some((number, _)) => Err(Mistake::new(number.at, format!("more than {MAX_STATES} states are not supported"))),
    }
}

impl<'a> Header<'a> {
    fn start(&self) -> Option<Number<'a>> {
        match self.kind {
            HeaderKind::Start(state) => Some(state),
            _ => None,
        }
    }
}
