//! Sends, receives, polls and the predicates of channels.

use super::symbols::{Channel, Field, Form, Origin, Type, Var};
use super::{Generator, Place, Region};
use crate::support::print::expression;
use crate::support::tree::{Expr, Kind, Stmt};

impl Generator<'_> {
    /// The text that names a channel; an element if it is an array.
    pub fn channel_name(&mut self, channel: &Channel) -> String {
        match channel.array {
            // an index that a receive could change would be undone wrongly
            Some(size) if self.scope.running && self.chance(30) => format!("{}[_pid % {size}]", channel.name),
            Some(size) => format!("{}[{}]", channel.name, self.below(size)),
            None => channel.name.clone(),
        }
    }

    pub fn any_channel(&mut self, accept: impl Fn(&Channel) -> bool) -> Option<String> {
        if !self.scope.running {
            return None; // no channel may be mentioned in an initialiser
        }
        let channel = self.pick_some(&self.channels(accept))?;
        Some(self.channel_name(&channel))
    }

    /// A channel to be stored or sent on: never one that dies with its process.
    fn lasting_channel(&mut self, form: Form) -> Option<String> {
        self.any_channel(|channel| channel.form == form && channel.origin != Origin::Local)
    }

    /// A channel to be handed to a new process.
    pub fn channel_argument(&mut self, form: Form) -> Option<String> {
        self.any_channel(|channel| channel.form == form)
    }

    pub fn send(&mut self, place: Place) -> Option<Stmt> {
        // a d_step may begin with a receive by rendezvous, but not with a send
        let buffered_only = place.region == Region::DStep;
        let channel = self.pick_some(&self.channels(|channel| !(buffered_only && channel.form.rendezvous)))?;
        self.send_to(&channel, place)
    }

    pub fn send_to(&mut self, channel: &Channel, place: Place) -> Option<Stmt> {
        let fields = self.symbols.signatures[channel.form.signature].clone();
        let sorted = !channel.form.rendezvous && self.chance(25);
        let single = fields.len() == 1;
        let mut values = Vec::new();
        for field in fields {
            values.push(self.message_field(field, single, place)?);
        }
        self.note(match (channel.form.rendezvous, sorted) {
            (true, _) => "send: rendezvous",
            (false, true) => "send: sorted",
            (false, false) => "send: buffered",
        });
        let name = self.channel_name(channel);
        Some(Kind::Send(format!("{name}{}", if sorted { "!!" } else { "!" }), values).into())
    }

    fn message_field(&mut self, field: Field, single: bool, place: Place) -> Option<Expr> {
        Some(match field {
            Field::Channel(form) => Expr::atom(self.lasting_channel(form)?),
            Field::Record(typedef) => Expr::atom(self.pick_some(&self.records(typedef))?),
            Field::Scalar(Type::Mtype(set)) => self.mtype_value(set),
            // pan keeps the only field of a channel as a byte when it is a bit
            Field::Scalar(Type::Bit | Type::Bool) if single => self.condition(1),
            Field::Scalar(_) if place.repeats => self.bounded(3),
            Field::Scalar(_) => self.value(1),
        })
    }

    pub fn receive(&mut self, place: Place) -> Option<Stmt> {
        let channel = self.pick_some(&self.channels(|_| true))?;
        self.receive_from(&channel, place)
    }

    fn receive_from(&mut self, channel: &Channel, place: Place) -> Option<Stmt> {
        let name = self.channel_name(channel);
        // as the first statement of a d_step `??` and `?<..>` make pan.m a file that gcc refuses
        let first = place.region == Region::DStep;
        let copies = !first && (!channel.form.rendezvous || self.chance(self.profile.poll_rendezvous));
        let (open, close, feature) = match self.below(10) {
            0 | 1 if !first => ("??", "", "receive: random"),
            2 if copies => ("?<", ">", "receive: copy"),
            3 if copies => ("??<", ">", "receive: random copy"),
            _ if channel.form.rendezvous => ("?", "", "receive: rendezvous"),
            _ => ("?", "", "receive: buffered"),
        };
        let arguments = self.receive_arguments(channel)?;
        self.note(feature);
        Some(Stmt::plain(format!("{name}{open}{}{close}", arguments.join(","))))
    }

    /// Variables first and tests last: pan undoes a receive with the new values of its variables, so that `eval(..)`
    /// must not mention any of them, and the channel itself must not be one of them.
    fn receive_arguments(&mut self, channel: &Channel) -> Option<Vec<String>> {
        let mut taken = vec![channel.name.clone()];
        let fields = self.symbols.signatures[channel.form.signature].clone();
        let mut arguments = vec![String::new(); fields.len()];
        for (argument, field) in arguments.iter_mut().zip(&fields) {
            *argument = match *field {
                Field::Channel(form) => self.channel_target(form, &mut taken),
                Field::Record(typedef) => self.pick_some(&self.records(typedef))?,
                Field::Scalar(ty) => self.scalar_target(ty, &mut taken).unwrap_or_default(),
            };
        }
        for (argument, field) in arguments.iter_mut().zip(&fields) {
            if let (true, Field::Scalar(ty)) = (argument.is_empty(), field) {
                *argument = self.field_test(*ty, &taken);
            }
        }
        Some(arguments)
    }

    fn channel_target(&mut self, form: Form, taken: &mut Vec<String>) -> String {
        let fits = |channel: &Channel| channel.form == form && channel.origin == Origin::Variable;
        let variables: Vec<_> = self.channels(fits).into_iter().filter(|c| !taken.contains(&c.name)).collect();
        match self.pick_some(&variables) {
            Some(variable) if self.chance(80) => {
                self.note("receive: into chan");
                taken.push(variable.name.clone());
                variable.name
            }
            _ => "_".to_string(),
        }
    }

    /// A variable that takes the field. No variable twice in one receive, and in an inline one variable at most since
    /// two formals may stand for the same one.
    fn scalar_target(&mut self, ty: Type, taken: &mut Vec<String>) -> Option<String> {
        let exhausted = self.scope.process.is_none() && taken.len() > 1;
        if exhausted || self.chance(35) {
            return None;
        }
        let narrowing = self.chance(self.profile.narrowing_receive);
        let bits = matches!(ty, Type::Bit | Type::Bool);
        let same_kind = |other: Type| ty == other || (ty.is_number() && other.is_number());
        let wide_enough = |other: Type| narrowing || other.holds(ty);
        let fits = |var: &Var| same_kind(var.ty) && wide_enough(var.ty) && (bits || !var.is_bit_array());
        // a hidden variable is not restored after a d_step, so that pan would undo the receive with a wrong value
        let targets = self.writable(|var| var.readable && fits(var));
        let free: Vec<_> = targets.into_iter().filter(|var| !taken.contains(&var.pieces[0].0)).collect();
        let var = self.pick_some(&free)?;
        taken.push(var.pieces[0].0.clone());
        Some(expression(&self.place_of(&var, taken)))
    }

    /// What stands for a field that is not stored: a constant, `eval(..)` or `_`.
    fn field_test(&mut self, ty: Type, taken: &[String]) -> String {
        match self.below(3) {
            0 => self.match_constant(ty),
            1 => self.match_eval(ty, taken),
            _ => {
                self.note("receive: _");
                "_".to_string()
            }
        }
    }

    fn match_constant(&mut self, ty: Type) -> String {
        self.note("receive: constant");
        match ty {
            Type::Mtype(set) => expression(&self.mtype_constant(set)),
            _ => self.below(3).to_string(),
        }
    }

    fn match_eval(&mut self, ty: Type, taken: &[String]) -> String {
        self.note("receive: eval");
        let value = match ty {
            Type::Mtype(set) => self.mtype_value(set),
            _ => self.value(1),
        };
        let text = expression(&value);
        let mentioned = |name: &String| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
        // a macro may mention anything, a formal may stand for anything
        let opaque = self.scope.process.is_none() || ["C".to_string(), "N".to_string()].iter().any(mentioned);
        if taken.iter().any(mentioned) || opaque { self.match_constant(ty) } else { format!("eval({text})") }
    }

    /// `(q?[..])` or `(q??[..])`: true when such a message could be received.
    pub fn poll(&mut self) -> Option<Expr> {
        if !self.scope.running {
            return None;
        }
        let fault = self.chance(self.profile.poll_rendezvous);
        let channels = self.channels(|channel| fault || !channel.form.rendezvous);
        let channel = self.pick_some(&channels)?;
        let mut arguments = Vec::new();
        for field in self.symbols.signatures[channel.form.signature].clone() {
            let Field::Scalar(ty) = field else { return None };
            arguments.push(self.poll_argument(ty));
        }
        let name = self.channel_name(&channel);
        let op = self.pick(&["?", "??"]);
        self.note("poll");
        Some(Expr::Paren(Box::new(Expr::atom(format!("{name}{op}[{}]", arguments.join(","))))))
    }

    fn poll_argument(&mut self, ty: Type) -> String {
        let same = self.readable(|var| var.is_scalar() && var.pieces.len() == 1 && var.ty == ty);
        match self.pick_some(&same) {
            Some(var) if self.chance(40) => match self.chance(50) {
                true => var.pieces[0].0.clone(),
                false => format!("eval({})", var.pieces[0].0),
            },
            _ => self.match_constant(ty),
        }
    }

    /// `full`, `empty`, … alone or joined with a condition; SPIN allows neither negation nor comparison.
    pub fn probe(&mut self) -> Option<Expr> {
        // spin's simulator takes a rendezvous channel for full, pan does not
        let rendezvous = self.chance(self.profile.probe_rendezvous);
        let channel = self.any_channel(|channel| rendezvous || !channel.form.rendezvous)?;
        let name = self.pick(&["full", "nfull", "empty", "nempty"]);
        self.note(match name {
            "full" => "full",
            "nfull" => "nfull",
            "empty" => "empty",
            _ => "nempty",
        });
        let probe = Expr::atom(format!("{name}({channel})"));
        if self.chance(60) {
            return Some(probe);
        }
        let op = self.pick(&["&&", "||"]);
        let condition = self.condition(0);
        Some(if self.chance(50) { Expr::binary(op, probe, condition) } else { Expr::binary(op, condition, probe) })
    }

    /// `q1 = q0`: a `chan` variable takes over another channel.
    pub fn assign_channel(&mut self) -> Option<Stmt> {
        let variable = self.pick_some(&self.channels(|channel| channel.origin == Origin::Variable))?;
        let value = self.lasting_channel(variable.form)?;
        self.note("assign: chan");
        Some(Kind::Assign(Expr::atom(variable.name), Expr::atom(value)).into())
    }
}
