//! Sequences of statements, and the choice of the next statement.

use super::{Generator, Place, Region};
use crate::support::tree::{Kind, Seq, Stmt};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Prompt,
    Waiting,
    Run,
    Selection,
    Repetition,
    Counted,
    For,
    Select,
    Atomic,
    DStep,
    Block,
    Unless,
    Call,
    Declare,
    Jump,
    JumpInside,
    Back,
}

impl Generator<'_> {
    /// `length` statements, some of which are groups of statements. What is declared inside is forgotten at the end.
    pub fn sequence(&mut self, length: u32, place: Place) -> Seq {
        let visible = self.scope.vars.len();
        let mut seq = Seq::new();
        for _ in 0..length {
            let group = self.statement(place);
            seq.extend(group);
        }
        self.scope.vars.truncate(visible);
        seq
    }

    /// The body of a block; its names may be used again by a later block. Not so within a selection, whose options share
    /// one scope and are not generated in the order in which they are printed.
    pub fn braced(&mut self, length: u32, place: Place) -> Seq {
        let first = self.scope.next_name;
        let seq = self.sequence(length, place);
        if place.depth + 1 == self.profile.depth && self.chance(60) {
            self.scope.next_name = first;
        }
        seq
    }

    pub fn statement(&mut self, place: Place) -> Seq {
        self.budget -= 1;
        let choice = self.choose(place);
        match choice {
            Choice::Prompt => vec![self.labelled_prompt(place)],
            Choice::Waiting => self.waiting_statement(place),
            Choice::Run => self.creation(place),
            Choice::Selection => self.selection(place),
            Choice::Repetition => self.repetition(place),
            Choice::Counted => self.counted(place),
            Choice::For => self.for_loop(place),
            Choice::Select => self.select(place),
            Choice::Atomic => vec![self.indivisible(Region::Atomic, place)],
            Choice::DStep => vec![self.indivisible(Region::DStep, place)],
            Choice::Block => vec![self.block(place)],
            Choice::Unless => vec![self.unless(place)],
            Choice::Call => vec![self.call(place)],
            Choice::Declare => vec![self.declaration()],
            Choice::Jump => self.jump(place),
            Choice::JumpInside => self.jump_inside(place),
            Choice::Back => self.back(place),
        }
    }

    fn choose(&mut self, place: Place) -> Choice {
        let weights = &self.profile.weights;
        let prompt = weights.assign + weights.step + weights.print + weights.assert + weights.skip;
        let waiting = weights.guard + weights.timeout + weights.send + weights.receive;
        let mut choices = vec![
            (prompt, Choice::Prompt),
            (waiting, Choice::Waiting),
            (weights.select, Choice::Select),
            (weights.call, Choice::Call),
            (weights.declare, Choice::Declare),
        ];
        if place.depth > 0 && self.budget > 0 {
            choices.extend([
                (weights.selection, Choice::Selection),
                (weights.counted, Choice::Counted),
                (weights.for_loop, Choice::For),
                (weights.block, Choice::Block),
                (weights.atomic, Choice::Atomic),
                (weights.jump, Choice::Jump),
                (weights.jump_inside, Choice::JumpInside),
            ]);
        }
        if place.depth > 0 && self.budget > 0 && place.region != Region::DStep {
            choices.extend([(weights.unless, Choice::Unless), (weights.d_step, Choice::DStep)]);
        }
        if place.depth > 0 && self.budget > 0 && place.region == Region::Plain {
            choices.extend([(weights.repetition, Choice::Repetition), (weights.back, Choice::Back)]);
        }
        if place.region != Region::DStep && self.scope.process.is_some() {
            choices.push((weights.run, Choice::Run));
        }
        self.weighted(&choices)
    }

    fn labelled_prompt(&mut self, place: Place) -> Stmt {
        let stmt = self.prompt(place);
        if !self.chance(5) {
            return stmt;
        }
        let stem = self.pick(&["end", "progress", "accept", "X"]);
        self.note("label: any");
        stmt.labelled(self.fresh_label(stem))
    }

    fn waiting_statement(&mut self, place: Place) -> Seq {
        if place.region == Region::DStep && !self.chance(self.profile.blocking_d_step) {
            return self.guarded_in_d_step(place);
        }
        let stmt = self.waiting(place);
        self.with_alternative(stmt, place)
    }

    /// Inside a `d_step` nothing may block, so a waiting statement always has an `else`.
    fn guarded_in_d_step(&mut self, place: Place) -> Seq {
        self.note("d_step: selection");
        let stmt = self.plain_guard();
        let first = vec![stmt, self.prompt(place)];
        let second = vec![Stmt::plain("else"), self.prompt(place)];
        vec![Kind::If(vec![first, second]).into()]
    }
}
