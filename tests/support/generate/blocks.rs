//! Braces of all kinds: `{}`, `atomic`, `d_step`, `unless`, and calls of inlines.

use super::symbols::{Formal, Type};
use super::{Generator, Place, Region};
use crate::support::print::expression;
use crate::support::tree::{Expr, Kind, Seq, Stmt, head};

/// How an `atomic` or `d_step` begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// With a statement that is always executable.
    Prompt,
    Waiting,
}

impl Place {
    pub fn deeper(self) -> Place {
        Place { depth: self.depth.saturating_sub(1), ..self }
    }

    pub fn within(self, region: Region) -> Place {
        let region = if self.region == Region::DStep { Region::DStep } else { region };
        Place { region, ..self.deeper() }
    }
}

impl Generator<'_> {
    pub fn block(&mut self, place: Place) -> Stmt {
        self.note("block");
        let length = self.between(1, 3);
        Kind::Block(self.braced(length, place.deeper())).into()
    }

    /// An `atomic` or `d_step` as a statement of its own: if it may wait, a patient model lets it wait for ever.
    pub fn indivisible(&mut self, region: Region, place: Place) -> Stmt {
        let entry = self.entry();
        let stmt = match region {
            Region::DStep => self.d_step(entry, place),
            _ => self.atomic(entry, place),
        };
        if entry == Entry::Waiting && (self.temper.patient || self.chance(self.profile.alternative)) {
            self.note("label: end");
            return stmt.labelled(self.fresh_label("end"));
        }
        stmt
    }

    pub fn entry(&mut self) -> Entry {
        if self.chance(40) { Entry::Waiting } else { Entry::Prompt }
    }

    pub fn atomic(&mut self, entry: Entry, place: Place) -> Stmt {
        self.note(match place.region {
            Region::Plain => "atomic",
            Region::Atomic => "atomic: nested",
            Region::DStep => "atomic: in d_step",
        });
        let inner = place.within(Region::Atomic);
        let mut body = Seq::new();
        if entry == Entry::Waiting && inner.region != Region::DStep {
            body.push(self.waiting(inner));
        }
        let length = self.between(1, 3);
        body.extend(self.braced(length, inner));
        Kind::Atomic(body).into()
    }

    pub fn d_step(&mut self, entry: Entry, place: Place) -> Stmt {
        self.note("d_step");
        let landings_from = self.scope.landings.len();
        let inner = Place { breakable: false, landings_from, ..place.within(Region::DStep) };
        // SPIN refuses remote references in a d_step
        let remote = std::mem::replace(&mut self.temper.remote, false);
        let mut body = self.d_step_head(entry, inner);
        let length = self.between(1, 3);
        body.extend(self.braced(length, inner));
        self.temper.remote = remote;
        Kind::DStep(body).into()
    }

    fn d_step_head(&mut self, entry: Entry, inner: Place) -> Seq {
        if self.chance(self.profile.d_step_on_selection) {
            return self.selection(inner);
        }
        if self.chance(self.profile.d_step_on_print) {
            return vec![self.print()];
        }
        if entry == Entry::Prompt {
            return vec![self.assignment(inner)];
        }
        let channel_operation = match self.below(5) {
            0 => self.send(inner),
            1 | 2 => self.receive(inner),
            _ => None,
        };
        if channel_operation.is_some() {
            self.note("d_step: send or receive first");
        }
        vec![channel_operation.unwrap_or_else(|| self.guard())]
    }

    pub fn unless(&mut self, place: Place) -> Stmt {
        self.note("unless");
        let inner = place.deeper();
        let entry = if self.temper.patient { Entry::Prompt } else { self.entry() };
        let main: Stmt = match self.below(8) {
            0 => self.assignment(inner),
            1 if place.region == Region::Plain => {
                self.note("unless: atomic main");
                self.atomic(entry, inner)
            }
            2 => {
                self.note("unless: d_step main");
                self.d_step(entry, inner)
            }
            _ => {
                let length = self.between(1, 3);
                Kind::Block(self.braced(length, inner)).into()
            }
        };
        let escape = self.escape(inner);
        Kind::Unless(Box::new(main), Box::new(escape)).into()
    }

    /// The part after `unless` begins with something that waits; never with `else`, which pan would always take.
    fn escape(&mut self, inner: Place) -> Stmt {
        let first = self.waiting(inner);
        if self.chance(15) {
            return first;
        }
        let mut body = match self.chance(20) {
            true => {
                self.note("unless: selection as escape");
                let second = vec![self.waiting(inner), self.prompt(inner)];
                vec![Kind::If(vec![vec![first, self.prompt(inner)], second]).into()]
            }
            false => vec![first],
        };
        let length = self.below(3);
        match self.below(8) {
            0 if !head(&body).io && matches!(body[0].kind, Kind::Guard(_)) => {
                self.note("unless: d_step escape");
                let place = Place { breakable: false, landings_from: self.scope.landings.len(), ..inner };
                body.extend(self.braced(length, place.within(Region::DStep)));
                Kind::DStep(body).into()
            }
            1 => {
                self.note("unless: atomic escape");
                body.extend(self.braced(length, inner.within(Region::Atomic)));
                Kind::Atomic(body).into()
            }
            _ => {
                body.extend(self.braced(length, inner));
                Kind::Block(body).into()
            }
        }
    }

    pub fn call(&mut self, place: Place) -> Stmt {
        let quiet = place.region == Region::DStep;
        let inlines: Vec<_> = self.symbols.inlines.iter().filter(|inline| inline.quiet || !quiet).cloned().collect();
        let Some(inline) = self.pick_some(&inlines) else { return self.prompt(place) };
        let mut arguments = Vec::new();
        for formal in &inline.formals {
            match self.actual(*formal) {
                Some(argument) => arguments.push(argument),
                None => return self.prompt(place),
            }
        }
        self.note("inline");
        Kind::Call(inline.name, arguments).into()
    }

    fn actual(&mut self, formal: Formal) -> Option<Expr> {
        match formal {
            // the arguments are cut at their commas, and `->` is a separator there
            Formal::Value => Some(self.value(1)).filter(|value| !expression(value).contains([',', '?', ':'])),
            Formal::Channel(form) => self.channel_argument(form).map(Expr::atom),
            Formal::Variable => {
                let bytes = self.writable(|var| var.readable && var.ty == Type::Byte && var.is_scalar());
                let var = self.pick_some(&bytes)?;
                Some(self.place_of(&var, &[]))
            }
        }
    }
}
