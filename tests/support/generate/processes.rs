//! Which processes there are, who creates them, and their bodies; inlines too, since they are bodies as well.

use super::repair::{Opening, repair};
use super::symbols::{Channel, Field, Form, Formal, InlineSign, Origin, Param, ProcSign, Scope, Type, Var};
use super::{Generator, Place, Region};
use crate::support::print::expression;
use crate::support::tree::{Decl, Expr, Inline, Kind, Model, Proc, Seq, Stmt};

/// More instances than this make the state space too large.
const INSTANCES: u32 = 5;

impl Generator<'_> {
    /// Process 0 is always active; a process that is not active is created by one with a lower index.
    pub fn plan_processes(&mut self) {
        let count = self.pick(&[2, 2, 3, 3, 3, 4]);
        let init = self.chance(self.profile.init).then(|| self.below(count) as usize);
        for index in 0..count as usize {
            let is_init = init == Some(index);
            let active = if is_init || index == 0 || self.chance(self.profile.active) { 1 } else { 0 };
            let twice = active == 1 && !is_init && self.chance(self.profile.instances);
            let parent = (active == 0).then(|| self.below(index as u32) as usize);
            let active = if twice { 2 } else { active };
            let instances = parent.map_or(active, |parent| self.symbols.procs[parent].instances);
            let params = if is_init { Vec::new() } else { self.plan_params(active) };
            let name = format!("P{index}");
            self.symbols.procs.push(ProcSign { name, active, params, instances, parent, is_init });
        }
    }

    /// The parameters of an active process are all zero, so none of them is a channel.
    fn plan_params(&mut self, active: u32) -> Vec<Param> {
        let count = if active > 0 { self.pick(&[0, 0, 0, 0, 0, 1]) } else { self.below(3) };
        let mut params = Vec::new();
        for _ in 0..count {
            let channel = self.pick_some(&self.symbols.channels.clone());
            params.push(match channel {
                Some(channel) if active == 0 && self.chance(40) => Param::Channel(channel.form),
                _ if active == 0 && self.chance(20) && !self.symbols.typedefs.is_empty() => Param::Record(0),
                _ => Param::Scalar(self.parameter_type()),
            });
        }
        params
    }

    fn parameter_type(&mut self) -> Type {
        match self.any_type() {
            Type::Unsigned(_) => Type::Byte,
            ty => ty,
        }
    }

    pub fn write_inlines(&mut self, model: &mut Model) {
        for i in 0..self.pick(&[0, 0, 1, 1, 2]) {
            let quiet = self.chance(40);
            self.scope = Scope { prefix: format!("i{i}_"), running: true, ..Scope::default() };
            let mut names = Vec::new();
            let mut formals = Vec::new();
            for j in 0..self.below(3) {
                let name = format!("arg{i}{j}");
                formals.push(self.declare_formal(&name));
                names.push(name);
            }
            self.budget = 4;
            let region = if quiet { Region::DStep } else { Region::Plain };
            let place = Place { depth: 1, region, repeats: true, breakable: false, landings_from: 0 };
            let length = self.between(1, 2);
            let body = self.braced(length, place);
            let body = repair(self.with_counters(body), Opening::Inner);
            let name = format!("f{i}");
            self.symbols.inlines.push(InlineSign { name: name.clone(), formals, quiet });
            model.inlines.push(Inline { name, formals: names, body });
        }
        self.scope = Scope::default();
    }

    fn declare_formal(&mut self, name: &str) -> Formal {
        let channel = self.pick_some(&self.symbols.channels.clone());
        match channel {
            Some(channel) if self.chance(30) => {
                let form = channel.form;
                self.note("inline: channel parameter");
                let (name, origin) = (name.to_string(), Origin::Local);
                self.scope.channels.push(Channel { name, array: None, form, capacity: 0, origin });
                Formal::Channel(form)
            }
            _ if self.chance(50) => {
                self.note("inline: variable parameter");
                self.scope.vars.push(Var::scalar(name, Type::Byte));
                Formal::Variable
            }
            _ => {
                self.note("inline: value parameter");
                self.scope.values.push(name.to_string());
                Formal::Value
            }
        }
    }

    /// The counters of an inline are declared in its body.
    fn with_counters(&mut self, body: Seq) -> Seq {
        let counters = std::mem::take(&mut self.scope.counters);
        counters.into_iter().map(|decl| Kind::Declare(decl).into()).chain(body).collect()
    }

    pub fn write_processes(&mut self, model: &mut Model) {
        let (least, most) = self.profile.statements;
        let instances: u32 = self.symbols.procs.iter().map(|p| p.instances).sum();
        let share = (self.between(least, most) / instances.max(2)).max(3);
        for index in 0..self.symbols.procs.len() {
            self.budget = share as i32;
            let process = self.process(index, share);
            model.procs.push(process);
        }
    }

    fn process(&mut self, index: usize, share: u32) -> Proc {
        let sign = self.symbols.procs[index].clone();
        self.scope = Scope { prefix: "l".into(), process: Some(index), ..Scope::default() };
        let params = sign.params.iter().map(|param| self.declare_param(*param)).collect();
        let mut locals = self.declare_locals();
        self.scope.running = true;
        let visible = self.scope.vars.len();
        let body = self.body(index, share);
        self.scope.vars.truncate(visible);
        locals.append(&mut self.scope.counters);
        let keyword = self.keyword(&sign);
        let priority = self.temper.priorities.then(|| self.between(1, 3)).filter(|_| !sign.is_init);
        if priority.is_some() {
            self.note("priority");
        }
        let provided = (!sign.is_init && self.chance(self.profile.provided)).then(|| self.provided());
        Proc { keyword, name: sign.name, params, priority, provided, locals, body }
    }

    fn keyword(&mut self, sign: &ProcSign) -> String {
        let (feature, keyword) = match sign.active {
            _ if sign.is_init => ("init", "init"),
            0 => ("proctype: run", "proctype"),
            1 => ("proctype: active", "active proctype"),
            _ => ("proctype: active [2]", "active [2] proctype"),
        };
        self.note(feature);
        keyword.to_string()
    }

    /// A condition over global variables and the process's own number.
    fn provided(&mut self) -> Expr {
        self.note("provided");
        let scope = std::mem::take(&mut self.scope);
        let condition =
            if self.chance(30) { Expr::binary("!=", Expr::atom("_pid"), Expr::atom(9)) } else { self.condition(1) };
        self.scope = scope;
        condition
    }

    fn declare_param(&mut self, param: Param) -> String {
        let name = self.fresh_name();
        match param {
            Param::Scalar(ty) => {
                self.note("parameter");
                self.scope.vars.push(Var::scalar(name.clone(), ty));
                format!("{} {name}", self.type_text(ty).0)
            }
            Param::Channel(form) => {
                self.note("parameter: channel");
                let channel = Channel { name: name.clone(), array: None, form, capacity: 0, origin: Origin::Local };
                self.scope.channels.push(channel);
                format!("chan {name}")
            }
            Param::Record(typedef) => {
                self.note("parameter: structure");
                self.declare_record(&name, typedef);
                format!("{} {name}", self.symbols.typedefs[typedef].name)
            }
        }
    }

    fn declare_locals(&mut self) -> Vec<Decl> {
        let mut locals = Vec::new();
        for _ in 0..self.between(0, 2) {
            let ty = self.any_type();
            self.note_type(ty);
            let (before, after) = self.type_text(ty);
            let init = self.chance(50).then(|| self.initial(ty));
            let name = self.fresh_name();
            self.scope.vars.push(Var::scalar(name.clone(), ty));
            locals.push(Decl { before, name, after, init });
        }
        if self.chance(10) {
            locals.push(self.local_array());
        }
        if self.chance(10) {
            locals.extend(self.local_record());
        }
        if self.chance(self.profile.local_channel) {
            locals.push(self.local_channel());
        }
        if self.chance(25) {
            locals.extend(self.channel_variable());
        }
        locals
    }

    fn declare_record(&mut self, name: &str, typedef: usize) {
        let vars = self.record_vars(typedef, &[(name.to_string(), None)]);
        self.scope.vars.extend(vars);
        self.scope.records.push((name.to_string(), typedef));
    }

    fn local_record(&mut self) -> Option<Decl> {
        let count = self.symbols.typedefs.len() as u32;
        let typedef = (count > 0).then(|| self.below(count) as usize)?;
        let name = self.fresh_name();
        self.note("typedef: local");
        self.declare_record(&name, typedef);
        Some(Decl { before: self.symbols.typedefs[typedef].name.clone(), name, after: String::new(), init: None })
    }

    fn local_array(&mut self) -> Decl {
        let name = self.fresh_name();
        let size = self.between(2, 3);
        self.note("array: local");
        self.scope.vars.push(Var { pieces: vec![(name.clone(), Some(size))], ..Var::scalar("", Type::Byte) });
        Decl { before: "byte".into(), name, after: format!("[{size}]"), init: self.chance(40).then(|| "1".into()) }
    }

    fn local_channel(&mut self) -> Decl {
        let like = self.symbols.channels.clone();
        let like = self.pick(&like);
        let name = self.fresh_name();
        let capacity = if like.form.rendezvous { 0 } else { self.between(1, 2) };
        self.note("channel: local");
        let init = Some(self.channel_text(capacity, like.form.signature));
        let channel = Channel { name: name.clone(), array: None, form: like.form, capacity, origin: Origin::Local };
        self.scope.channels.push(channel);
        Decl { before: "chan".into(), name, after: String::new(), init }
    }

    /// A `chan` variable that starts with a global channel, or rarely with none.
    fn channel_variable(&mut self) -> Option<Decl> {
        let globals = self.symbols.channels.clone();
        let sent = |form: Form| self.symbols.signatures.iter().any(|fields| fields.contains(&Field::Channel(form)));
        let carried: Vec<_> = globals.iter().filter(|channel| sent(channel.form)).cloned().collect();
        let like = self.pick_some(if carried.is_empty() { &globals } else { &carried })?;
        let unset = self.chance(self.profile.unset_channel);
        let value = self.channel_name(&like);
        let name = self.fresh_name();
        self.note(if unset { "channel: unset variable" } else { "channel: variable" });
        let channel =
            Channel { name: name.clone(), array: None, capacity: 0, form: like.form, origin: Origin::Variable };
        self.scope.channels.push(channel);
        let init = (!unset).then_some(value);
        Some(Decl { before: "chan".into(), name, after: String::new(), init })
    }

    /// The body proper: random statements, the creations that the plan asks for, and the label that others refer to.
    fn body(&mut self, index: usize, share: u32) -> Seq {
        let place = Place {
            depth: self.profile.depth,
            region: Region::Plain,
            repeats: false,
            breakable: false,
            landings_from: 0,
        };
        let children: Vec<_> =
            (0..self.symbols.procs.len()).filter(|&child| self.symbols.procs[child].parent == Some(index)).collect();
        let creation = (!children.is_empty()).then(|| self.below(2));
        let mut groups: Vec<Seq> = Vec::new();
        while self.budget > 0 && (groups.len() as u32) < share.min(6) {
            if creation == Some(groups.len() as u32) {
                groups.push(self.creation_of(&children, place));
            }
            groups.push(self.statement(place));
        }
        if index == 0 && self.temper.remote && self.symbols.procs[0].active == 1 && !self.symbols.procs[0].is_init {
            let remote = self.remote_target(place);
            groups.push(remote);
        }
        if groups.is_empty() {
            groups.push(vec![self.assignment(place)]);
        }
        repair(groups.into_iter().flatten().collect(), Opening::Body)
    }

    /// Process 0 outlives every other process, so that its label and variable can be referred to at any time.
    fn remote_target(&mut self, place: Place) -> Seq {
        let label = self.fresh_label("R");
        let variable = self.counter(Type::Byte);
        let value = self.bounded(3);
        let assign = Kind::Assign(Expr::atom(&variable), value).into();
        let seq = vec![assign, self.assignment(place).labelled(label.clone()), self.prompt(place)];
        self.symbols.remote = Some((format!("P0[0]@{label}"), format!("P0[0]:{variable}")));
        seq
    }

    /// The planned creation of some processes.
    fn creation_of(&mut self, children: &[usize], place: Place) -> Seq {
        let mut seq: Seq = children.iter().map(|&child| self.run(child)).collect();
        if children.len() == 1 && self.chance(20) && self.symbols.procs[children[0]].instances == 1 {
            return self.run_loop(children[0], place);
        }
        if self.chance(40) {
            self.note("run: in atomic");
            seq.push(self.prompt(place));
            seq = vec![Kind::Atomic(seq).into()];
        }
        seq
    }

    /// Creates a process again and again: twice, or as long as there are few processes.
    fn run_loop(&mut self, child: usize, place: Place) -> Seq {
        let run = self.run(child);
        self.symbols.procs[child].instances = 2;
        if self.chance(50) {
            self.note("run: in a counted loop");
            let counter = self.counter(Type::Byte);
            return vec![Kind::For(format!("{counter} : 0 .. 1"), vec![run]).into()];
        }
        self.note("run: while few processes");
        let limit = self.symbols.procs.iter().map(|sign| sign.active).sum::<u32>() + 1;
        let guard = Kind::Guard(Expr::binary("<=", Expr::atom("_nr_pr"), Expr::atom(limit))).into();
        let leave = vec![self.assignment(Place { repeats: true, ..place }), Stmt::plain("break")];
        vec![Kind::Do(vec![vec![guard, run], leave]).into()]
    }

    /// An additional creation, where the number of instances allows it.
    pub fn creation(&mut self, place: Place) -> Seq {
        let index = self.scope.process.expect("no creation in an inline");
        let own = self.symbols.procs[index].instances.max(1);
        let alive: u32 = self.symbols.procs.iter().map(|sign| sign.instances).sum();
        let later: Vec<_> = (index + 1..self.symbols.procs.len()).filter(|&j| self.may_run(j)).collect();
        let child = self.pick_some(&later);
        match child {
            Some(child) if !place.repeats && alive + own <= INSTANCES => {
                let run = self.run(child);
                self.symbols.procs[child].instances += own;
                vec![run]
            }
            _ => vec![self.prompt(place)],
        }
    }

    fn may_run(&self, index: usize) -> bool {
        let sign = &self.symbols.procs[index];
        !sign.is_init && (sign.active == 0 || sign.params.is_empty())
    }

    fn run(&mut self, child: usize) -> Stmt {
        let sign = self.symbols.procs[child].clone();
        let arguments: Vec<_> = sign.params.iter().map(|param| self.argument(*param)).collect();
        self.note("run");
        let mut callee = format!("run {}", sign.name);
        let pids = self.writable(|var| matches!(var.ty, Type::Pid | Type::Byte) && var.is_scalar());
        if let Some(var) = self.pick_some(&pids).filter(|_| self.chance(30)) {
            self.note("run: assigned");
            callee = format!("{} = {callee}", expression(&self.place_of(&var, &[])));
        }
        if self.temper.priorities && self.chance(50) {
            self.note("run: with priority");
            let list = arguments.iter().map(expression).collect::<Vec<_>>().join(", ");
            return Stmt::plain(format!("{callee}({list}) priority {}", self.between(1, 3)));
        }
        Kind::Call(callee, arguments).into()
    }

    fn argument(&mut self, param: Param) -> Expr {
        match param {
            // as spin: sched.c, only a constant may be handed to an mtype parameter
            Param::Scalar(Type::Mtype(set)) => self.mtype_constant(set),
            Param::Scalar(_) => self.value(1),
            Param::Channel(form) => self.global_or_local(form),
            Param::Record(typedef) => {
                let records = self.records(typedef);
                Expr::atom(self.pick(&records))
            }
        }
    }

    fn global_or_local(&mut self, form: Form) -> Expr {
        let channel = self.channel_argument(form).expect("a parameter has the form of some global channel");
        Expr::atom(channel)
    }
}
