//! Labels: which one a goto means, and which jumps are not allowed.
//!
//! A label belongs to the scope in which its name was first mentioned, by a goto or by the label itself, as long as
//! that scope is still open. A goto finds (as spin: flow.c, `get_labspec`) the label of its own scope; else, among
//! those of enclosing scopes, the one defined first; else the one defined last anywhere in the body. A label is defined
//! when its statement has been read, so a label inside a block is defined before the one on the block.

use super::bodies::Body;
use super::report::{Report, unknown};
use super::scope::{ScopeId, Scopes};
use super::tree::{Label, LabelId, Sequence, Stmt, StmtKind};
use crate::source::Span;
use crate::syntax::spec::Ident;
use rustc_hash::FxHashMap;

/// The labels and gotos of one body, as far as it was read.
#[derive(Default)]
pub struct Labels {
    names: FxHashMap<String, Named>,
    defined: Vec<Definition>,
    gotos: Vec<Goto>,
}

/// What is known about one name.
#[derive(Default)]
struct Named {
    /// The scopes it belongs to.
    scopes: Vec<ScopeId>,
    /// Its definitions, by number.
    defined: Vec<usize>,
}

/// Where a label stands.
#[derive(Clone, Debug)]
pub struct Definition {
    name: String,
    span: Span,
    /// The scope the name belongs to, and the scope the label stands in.
    scope: ScopeId,
    block: ScopeId,
    region: Region,
    /// The goto it stands on.
    goto: Option<usize>,
    remote: bool,
}

/// Where a label or a goto stands, as far as d_steps are concerned. Jumps stay inside one region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    Outside,
    Inside(usize),
    /// On a d_step itself, which no goto may lead to.
    Border,
}

#[derive(Clone, Debug)]
struct Goto {
    name: String,
    span: Span,
    scope: ScopeId,
    region: Region,
}

impl Labels {
    /// The scope a label name belongs to, when it is mentioned here.
    pub fn mention(&mut self, name: &str, scopes: &Scopes) -> ScopeId {
        let here = scopes.current();
        let named = self.names.entry(name.to_string()).or_default();
        if let Some(scope) = named.scopes.iter().rev().find(|&&scope| scopes.encloses(scope, here)) {
            return *scope;
        }
        named.scopes.push(here);
        here
    }

    /// Whether a label of this name was mentioned in an open scope.
    pub fn knows(&self, name: &str, scopes: &Scopes) -> bool {
        let here = scopes.current();
        let named = self.names.get(name);
        named.is_some_and(|named| named.scopes.iter().any(|&scope| scopes.encloses(scope, here)))
    }

    /// A goto, numbered in the order of the text. The number takes the place of the label until [`link`].
    pub fn goto(&mut self, name: &Ident, scopes: &Scopes, region: Region) -> LabelId {
        let scope = self.mention(&name.name, scopes);
        self.gotos.push(Goto { name: name.name.clone(), span: name.at.0, scope, region });
        LabelId(self.gotos.len() - 1)
    }

    /// Defines a label on `stmt`, which has been read.
    pub fn define(
        &mut self,
        name: &Ident,
        (scope, block): (ScopeId, ScopeId),
        stmt: &Stmt,
        region: Region,
    ) -> Result<LabelId, String> {
        let named = self.names.entry(name.name.clone()).or_default();
        let earlier = |&number: &usize| &self.defined[number];
        if named.defined.iter().map(earlier).any(|d| d.scope == scope && clash(d, name, block)) {
            return Err(format!("label `{}` is defined twice", name.name));
        }
        named.defined.push(self.defined.len());
        let (span, goto) = (name.at.0, goto_of(stmt));
        self.defined.push(Definition { name: name.name.clone(), span, scope, block, region, goto, remote: false });
        Ok(LabelId(self.defined.len() - 1))
    }

    /// The label a remote reference names: the one defined first (as spin: flow.c, `find_lab`).
    pub fn refer(&mut self, name: &str) -> Option<LabelId> {
        let &first = self.names.get(name)?.defined.first()?;
        self.defined[first].remote = true;
        Some(LabelId(first))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.defined.iter().map(|d| d.name.as_str())
    }

    pub fn into_model(self) -> Vec<Label> {
        self.defined.into_iter().map(|d| Label { name: d.name, span: d.span, remote: d.remote }).collect()
    }

    fn find(&self, goto: &Goto, scopes: &Scopes) -> Option<LabelId> {
        let defined = &self.names.get(&goto.name)?.defined;
        let scope = |number: &usize| self.defined[*number].scope;
        let same = defined.iter().rev().find(|number| scope(number) == goto.scope);
        let enclosing = || defined.iter().find(|number| scopes.encloses(scope(number), goto.scope));
        same.or_else(enclosing).or(defined.last()).map(|&number| LabelId(number))
    }
}

/// Labels of one name and scope clash, unless they stand in different inlines, or one of them in none.
fn clash(earlier: &Definition, name: &Ident, block: ScopeId) -> bool {
    let (a, b) = (earlier.span, name.at.0);
    earlier.block == block || (a.via.is_none() && b.via.is_none()) || (a.file, a.start) == (b.file, b.start)
}

fn goto_of(stmt: &Stmt) -> Option<usize> {
    match &stmt.kind {
        StmtKind::Goto(number) => Some(number.0),
        StmtKind::Label(_, inner) => goto_of(inner),
        _ => None,
    }
}

/// The label each goto of a finished body leads to. Jumps across the border of a d_step and gotos that only lead to
/// each other are errors.
pub fn targets(body: &Body, report: &mut Report) -> Vec<LabelId> {
    let labels = &body.labels;
    let found: Vec<Option<LabelId>> = labels.gotos.iter().map(|goto| labels.find(goto, &body.scopes)).collect();
    let kept = kept(labels);
    for (number, (goto, target)) in labels.gotos.iter().zip(&found).enumerate() {
        let Some(target) = target else {
            report.add(unknown(goto.span, "undefined label", &goto.name, labels.names()));
            continue;
        };
        match goto.region {
            from if from == labels.defined[target.0].region => {}
            Region::Outside => report.error(goto.span, "a jump into a d_step"),
            _ => report.error(goto.span, "a jump out of a d_step"),
        }
        if is_endless(labels, &found, &kept, number) {
            report.error(goto.span, format!("`goto {}` leads back to itself", goto.name));
        }
    }
    found.into_iter().map(|target| target.unwrap_or(LabelId(0))).collect()
}

/// Whether following gotos from this one never leads to a statement.
fn is_endless(labels: &Labels, found: &[Option<LabelId>], kept: &[bool], start: usize) -> bool {
    let mut at = start;
    for _ in 0..=found.len() {
        let goto = found[at].and_then(|label| labels.defined[label.0].goto);
        match goto {
            Some(next) if !kept[next] => at = next,
            _ => return false,
        }
    }
    true
}

/// Gotos with a label that marks a state: such a label keeps a skip for itself in front of the goto.
fn kept(labels: &Labels) -> Vec<bool> {
    let mut kept = vec![false; labels.gotos.len()];
    for definition in &labels.defined {
        let marks = ["end", "accept", "progress"].iter().any(|prefix| definition.name.starts_with(prefix));
        if let Some(goto) = definition.goto {
            kept[goto] |= marks || definition.remote;
        }
    }
    kept
}

/// Puts the labels into the gotos.
pub fn link(steps: &mut Sequence, targets: &[LabelId]) {
    steps.iter_mut().for_each(|stmt| link_stmt(stmt, targets));
}

fn link_stmt(stmt: &mut Stmt, targets: &[LabelId]) {
    match &mut stmt.kind {
        StmtKind::Goto(number) => *number = targets[number.0],
        StmtKind::Label(_, inner) => link_stmt(inner, targets),
        StmtKind::Unless(main, escape) => {
            link_stmt(main, targets);
            link_stmt(escape, targets);
        }
        StmtKind::If(options) | StmtKind::Do(options) => options.iter_mut().for_each(|option| link(option, targets)),
        StmtKind::ForRange { body, .. } | StmtKind::ForChannel { body, .. } => link(body, targets),
        StmtKind::Atomic(steps) | StmtKind::DStep(steps) | StmtKind::Block(steps) => link(steps, targets),
        _ => {}
    }
}
