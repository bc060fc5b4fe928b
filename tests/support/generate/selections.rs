//! `if` and `do` with options of every kind.

use super::{Generator, Place, Region};
use crate::support::tree::{Kind, Seq, Stmt, head};

impl Generator<'_> {
    pub fn selection(&mut self, place: Place) -> Seq {
        self.note("if");
        let inner = place.deeper();
        let count = self.between(1, 3);
        let options: Vec<Seq> = (0..count).map(|_| self.option(inner)).collect();
        let mut options = self.compatible(options);
        let label = self.close_selection(&mut options, place);
        vec![Stmt { label, kind: Kind::If(options) }]
    }

    /// An endless or leavable loop.
    pub fn repetition(&mut self, place: Place) -> Seq {
        self.note("do");
        let inner = Place { repeats: true, breakable: true, ..place.deeper() };
        let count = self.between(1, 3);
        let mut options: Vec<Seq> = (0..count).map(|_| self.option(inner)).collect();
        if self.chance(70) {
            let leave = self.leaving_option(inner);
            options.push(leave);
        }
        let mut options = self.compatible(options);
        self.forbid_idle_options(&mut options, inner);
        let label = self.close_repetition(&mut options, inner);
        vec![Stmt { label, kind: Kind::Do(options) }]
    }

    fn leaving_option(&mut self, inner: Place) -> Seq {
        self.note("break");
        match self.below(3) {
            0 => vec![Stmt::plain("break")],
            1 => vec![self.guard(), Stmt::plain("break")],
            _ => vec![self.prompt(inner), Stmt::plain("break")],
        }
    }

    fn option(&mut self, inner: Place) -> Seq {
        let visible = self.scope.vars.len();
        let mut option = self.option_head(inner);
        let ends = matches!(&option.last(), Some(Stmt { kind: Kind::Plain(text), .. }) if text.starts_with("goto"));
        let length = if ends { 0 } else { self.pick(&[0, 1, 1, 2]) };
        option.extend(self.sequence(length, inner));
        if inner.breakable && self.chance(8) {
            self.note("break");
            option.push(Stmt::plain("break"));
        }
        self.scope.vars.truncate(visible);
        option
    }

    fn option_head(&mut self, inner: Place) -> Seq {
        if inner.region == Region::DStep {
            return vec![self.plain_guard()];
        }
        let choices = [(50, 0), (12, 1), (22, 2), (5, 3), (4, 4), (4, 5), (3, 6), (2, 7), (2, 8)];
        let nested = inner.depth > 0 && self.budget > 0;
        match self.weighted(&choices) {
            1 => vec![self.prompt(inner)],
            2 => vec![self.waiting(inner)],
            3 if nested => self.nested_head(inner),
            4 if nested => {
                let entry = self.entry();
                vec![self.atomic(entry, inner)]
            }
            5 if nested => {
                let entry = self.entry();
                vec![self.d_step(entry, inner)]
            }
            6 => self.goto(inner),
            7 if nested => vec![self.block(inner)],
            8 => vec![self.declaration()],
            _ => vec![self.guard()],
        }
    }

    /// A selection at the very beginning of an option: SPIN merges its options with those outside.
    fn nested_head(&mut self, inner: Place) -> Seq {
        self.note("option: begins with if");
        let mut seq = self.selection(inner);
        seq[0].label = None;
        seq
    }

    /// At most one `else` may be merged into a control state, and no `unless` may be a guard.
    fn compatible(&mut self, options: Vec<Seq>) -> Vec<Seq> {
        let mut elses = 0;
        let mut out = Vec::new();
        for mut option in options {
            let first = head(&option);
            if first.escape || elses + first.elses > 1 {
                option.insert(0, self.guard());
            } else {
                elses += first.elses;
            }
            out.push(option);
        }
        out
    }

    /// pan refuses a loop whose only content is `skip`.
    fn forbid_idle_options(&mut self, options: &mut [Seq], inner: Place) {
        let idle = |stmt: &Stmt| match &stmt.kind {
            Kind::Plain(text) => matches!(text.as_str(), "skip" | "true" | "(1)") || text.starts_with("print"),
            _ => false,
        };
        for option in options {
            if option.iter().all(idle) {
                option.push(self.assignment(inner));
            }
        }
    }

    /// Adds the option that keeps a selection from blocking, or returns a label that makes blocking legal.
    fn close_selection(&mut self, options: &mut Vec<Seq>, place: Place) -> Option<String> {
        let inner = place.deeper();
        let guard = self.closing_guard(options, place)?;
        if guard == "end" {
            return Some(self.fresh_label("end"));
        }
        let mut option = vec![Stmt::plain(guard)];
        let length = self.below(2);
        option.extend(self.sequence(length, inner));
        let at = self.below(options.len() as u32 + 1) as usize;
        options.insert(at, option);
        None
    }

    fn close_repetition(&mut self, options: &mut Vec<Seq>, inner: Place) -> Option<String> {
        let guard = self.closing_guard(options, inner)?;
        if guard == "end" {
            return Some(self.fresh_label("end"));
        }
        let mut option = vec![Stmt::plain(guard)];
        if self.chance(40) {
            option.push(self.assignment(inner));
        }
        option.push(Stmt::plain("break"));
        options.push(option);
        None
    }

    /// `else`, `timeout` or `end`; nothing when the selection may block.
    fn closing_guard(&mut self, options: &[Seq], place: Place) -> Option<&'static str> {
        let in_d_step = place.region == Region::DStep;
        let wanted = self.temper.patient || in_d_step || self.chance(self.profile.alternative);
        let joint: Vec<_> = options.iter().map(|option| head(option)).collect();
        let elses: usize = joint.iter().map(|head| head.elses).sum();
        if !wanted || elses > 0 {
            return None;
        }
        let io = joint.iter().any(|head| head.io);
        let else_allowed = !io || self.chance(self.profile.else_with_io);
        let guard = match self.below(6) {
            _ if in_d_step => "else",
            0 => "end",
            1 => "timeout",
            _ if else_allowed => "else",
            _ => self.pick(&["timeout", "end"]),
        };
        self.note(if guard == "end" { "label: end" } else { guard });
        Some(guard)
    }
}
