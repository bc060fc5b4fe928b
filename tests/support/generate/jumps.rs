//! `goto`: forward, backward, out of and into blocks.

use super::symbols::Landing;
use super::{Generator, Place, Region};
use crate::support::tree::{Kind, Seq, Stmt};

impl Generator<'_> {
    /// A forward jump over one or two statements; these may jump to the same label from deeper inside.
    pub fn jump(&mut self, place: Place) -> Seq {
        let reachable = self.scope.landings.len() > place.landings_from;
        if reachable && (place.region == Region::Atomic || self.chance(60)) {
            return self.conditional_goto(place);
        }
        let label = self.fresh_label("L");
        self.note("goto: forward");
        self.scope.landings.push(Landing { label: label.clone() });
        let mut seq = if self.chance(70) { self.conditional_goto(place.deeper()) } else { Seq::new() };
        let length = self.between(1, 2);
        seq.extend(self.sequence(length, place.deeper()));
        self.scope.landings.retain(|landing| landing.label != label);
        seq.push(self.prompt(place).labelled(label));
        seq
    }

    fn conditional_goto(&mut self, place: Place) -> Seq {
        let leave = self.goto(place);
        let condition = self.plain_guard();
        let option: Seq = std::iter::once(condition).chain(leave).collect();
        self.note("if");
        vec![Kind::If(vec![option, vec![Stmt::plain("else")]]).into()]
    }

    /// `goto L` for some label in reach, or a harmless statement.
    pub fn goto(&mut self, place: Place) -> Seq {
        let reachable = self.scope.landings[place.landings_from.min(self.scope.landings.len())..].to_vec();
        let Some(landing) = self.pick_some(&reachable) else { return vec![self.guard()] };
        self.note(match place.region {
            Region::Plain => "goto",
            Region::Atomic => "goto: in atomic",
            Region::DStep => "goto: in d_step",
        });
        let goto = Stmt::plain(format!("goto {}", landing.label));
        if place.region == Region::DStep || !self.chance(8) {
            return vec![goto];
        }
        self.note("goto: labelled");
        vec![self.prompt(place), goto.labelled(self.fresh_label("end"))]
    }

    /// A jump into the middle of a block.
    pub fn jump_inside(&mut self, place: Place) -> Seq {
        let label = self.fresh_label("L");
        let leave = vec![self.plain_guard(), Stmt::plain(format!("goto {label}"))];
        let stay = vec![Stmt::plain("else")];
        let mut seq: Seq = vec![Kind::If(vec![leave, stay]).into()];
        let region = if self.chance(60) { Region::Atomic } else { place.region };
        let inner = place.within(region);
        let mut body = self.sequence(1, inner);
        body.push(self.prompt(inner).labelled(label));
        body.extend(self.sequence(1, inner));
        let atomic = inner.region == Region::Atomic;
        self.note(if atomic { "goto: into atomic" } else { "goto: into block" });
        seq.push(if atomic { Kind::Atomic(body).into() } else { Kind::Block(body).into() });
        seq
    }

    /// `L: ..; if :: condition -> goto L :: else fi`: an endless loop without `do`.
    pub fn back(&mut self, place: Place) -> Seq {
        self.note("goto: backward");
        let label = self.fresh_label("L");
        let inner = Place { repeats: true, ..place.deeper() };
        let mut seq = vec![self.prompt(inner).labelled(label.clone())];
        self.scope.landings.push(Landing { label: label.clone() });
        let length = self.between(1, 2);
        seq.extend(self.sequence(length, inner));
        self.scope.landings.retain(|landing| landing.label != label);
        let leave = vec![self.plain_guard(), Stmt::plain(format!("goto {label}"))];
        seq.push(Kind::If(vec![leave, vec![Stmt::plain("else")]]).into());
        seq
    }
}
