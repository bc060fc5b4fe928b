//! Which names can be seen from where.
//!
//! SPIN reads the text once: a global, a typedef or an mtype name exists from its declaration on, a proctype (for `run`)
//! everywhere. Inside a body every `{` opens a scope, the options of `if` and `do` do not; a name may not be declared
//! again while an enclosing scope, or an earlier global, has it (as spin: sym.c, `lookup` and `setptype`).

use super::tree::{GlobalId, LocalId, MtypeId, ProctypeId, StructId};
use crate::source::Span;
use rustc_hash::FxHashMap;

/// What a name of the global name space stands for.
#[derive(Clone, Copy, Debug)]
pub enum Global {
    Variable(GlobalId),
    /// An mtype name and its value.
    Constant(MtypeId, i32),
    Proctype(ProctypeId),
    Struct(StructId),
}

impl Global {
    pub fn noun(self) -> &'static str {
        match self {
            Global::Variable(_) => "a variable",
            Global::Constant(..) => "an mtype name",
            Global::Proctype(_) => "a proctype",
            Global::Struct(_) => "a typedef",
        }
    }
}

/// Names the language itself gives a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predefined {
    /// `_`
    Blank,
    /// `_pid`
    Pid,
    /// `_nr_pr`
    ProcessCount,
    /// `_last`
    Last,
    /// `_priority`
    Priority,
}

pub fn predefined(name: &str) -> Option<Predefined> {
    Some(match name {
        "_" => Predefined::Blank,
        "_pid" => Predefined::Pid,
        "_nr_pr" => Predefined::ProcessCount,
        "_last" => Predefined::Last,
        "_priority" => Predefined::Priority,
        _ => return None,
    })
}

/// The global names.
#[derive(Default)]
pub struct Names {
    /// Declared so far.
    globals: FxHashMap<String, Global>,
    /// Every proctype of the file, for `run`.
    pub proctypes: FxHashMap<String, ProctypeId>,
    /// Never claims and ltl blocks, which share their names with nothing else.
    pub claims: FxHashMap<String, Span>,
    /// Every global declared anywhere in the file, to explain a use that comes too early.
    pub eventually: FxHashMap<String, Span>,
}

impl Names {
    pub fn get(&self, name: &str) -> Option<Global> {
        self.globals.get(name).copied()
    }

    /// Fails with what already has this name.
    pub fn declare(&mut self, name: &str, meaning: Global) -> Result<(), Global> {
        match self.globals.get(name) {
            Some(&earlier) => Err(earlier),
            None => {
                self.globals.insert(name.to_string(), meaning);
                Ok(())
            }
        }
    }

    /// Variables and mtype names, for suggestions.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        let is_value = |g: &Global| matches!(g, Global::Variable(_) | Global::Constant(..));
        self.globals.iter().filter(move |(_, g)| is_value(g)).map(|(name, _)| name.as_str())
    }

    pub fn structs(&self) -> impl Iterator<Item = &str> {
        self.globals.iter().filter(|(_, g)| matches!(g, Global::Struct(_))).map(|(name, _)| name.as_str())
    }
}

/// A scope of one body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScopeId(pub usize);

/// The scopes of one body: parameters are in the outermost.
pub struct Scopes {
    parents: Vec<Option<ScopeId>>,
    open: Vec<Scope>,
}

struct Scope {
    id: ScopeId,
    names: FxHashMap<String, LocalId>,
    /// The hidden counter of `for (m in c)`: SPIN has one for all such loops that start in a scope (flow.c, `for_index`).
    counter: Option<LocalId>,
}

impl Scopes {
    pub fn new() -> Scopes {
        let mut scopes = Scopes { parents: Vec::new(), open: Vec::new() };
        scopes.enter();
        scopes
    }

    pub fn enter(&mut self) {
        let id = ScopeId(self.parents.len());
        self.parents.push(self.open.last().map(|scope| scope.id));
        self.open.push(Scope { id, names: FxHashMap::default(), counter: None });
    }

    pub fn leave(&mut self) {
        self.open.pop();
    }

    fn innermost(&mut self) -> &mut Scope {
        self.open.last_mut().expect("the scope of the parameters stays open")
    }

    pub fn current(&self) -> ScopeId {
        self.open.last().map_or(ScopeId(0), |scope| scope.id)
    }

    pub fn get(&self, name: &str) -> Option<LocalId> {
        self.open.iter().rev().find_map(|scope| scope.names.get(name)).copied()
    }

    pub fn declare(&mut self, name: &str, local: LocalId) {
        self.innermost().names.insert(name.to_string(), local);
    }

    pub fn counter(&mut self) -> &mut Option<LocalId> {
        &mut self.innermost().counter
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.open.iter().flat_map(|scope| scope.names.keys()).map(String::as_str)
    }

    /// Whether `outer` is `inner` or encloses it.
    pub fn encloses(&self, outer: ScopeId, inner: ScopeId) -> bool {
        std::iter::successors(Some(inner), |scope| self.parents[scope.0]).any(|scope| scope == outer)
    }
}
