//! Global declarations: macros, mtype sets, typedefs, variables, channels.

use super::Generator;
use super::symbols::{Channel, Field, FieldType, Form, MtypeSet, Origin, Type, Typedef, Var};
use crate::support::print::expression;
use crate::support::tree::{Decl, Expr, Model};

impl Generator<'_> {
    pub fn declare_globals(&mut self, model: &mut Model) {
        self.declare_mtypes(model);
        self.declare_typedefs(model);
        self.scope.constants_only = true;
        for i in 0..self.between(2, 4) {
            let decl = self.global_variable(&format!("g{i}"));
            model.globals.push(decl);
        }
        self.scope.constants_only = false;
        self.declare_records(model);
        self.declare_hidden(model);
        self.declare_channels(model);
        self.declare_macros(model);
    }

    fn declare_mtypes(&mut self, model: &mut Model) {
        for i in 0..self.below(3) {
            let keyword = if i > 0 && self.chance(50) { format!("mtype:set{i}") } else { "mtype".to_string() };
            self.note(if keyword == "mtype" { "mtype" } else { "mtype: named set" });
            let names: Vec<_> = (0..self.between(2, 3)).map(|j| format!("m{i}{j}")).collect();
            model.prologue.push(format!("{keyword} = {{ {} }};", names.join(", ")));
            self.symbols.mtypes.push(MtypeSet { keyword, names });
        }
    }

    fn declare_typedefs(&mut self, model: &mut Model) {
        for i in 0..self.pick(&[0, 0, 1, 1, 2]) {
            let mut fields = Vec::new();
            for j in 0..self.between(1, 3) {
                // the first typedef has neither arrays nor unsigned fields, so that it can be a message and a parameter
                let ty = if i > 0 && self.chance(20) { Type::Unsigned(2) } else { self.field_type() };
                let array = (i > 0 && !matches!(ty, Type::Unsigned(_)) && self.chance(50)).then_some(2);
                fields.push((format!("f{i}{j}"), array, FieldType::Scalar(ty)));
            }
            if i > 0 && self.chance(60) {
                self.note("typedef: nested");
                fields.push((format!("f{i}n"), None, FieldType::Nested(0)));
            }
            let typedef = Typedef { name: format!("T{i}"), fields };
            model.prologue.push(self.typedef_text(&typedef));
            self.note("typedef");
            self.symbols.typedefs.push(typedef);
        }
    }

    fn field_type(&mut self) -> Type {
        self.pick(&[Type::Bit, Type::Bool, Type::Byte, Type::Short, Type::Int])
    }

    fn typedef_text(&self, typedef: &Typedef) -> String {
        let field = |(name, array, ty): &(String, Option<u32>, FieldType)| {
            let (before, after) = match *ty {
                FieldType::Scalar(ty) => self.type_text(ty),
                FieldType::Nested(index) => (self.symbols.typedefs[index].name.clone(), String::new()),
            };
            format!("{before} {name}{}{after}", array.map(|n| format!("[{n}]")).unwrap_or_default())
        };
        format!("typedef {} {{ {} }};", typedef.name, typedef.fields.iter().map(field).collect::<Vec<_>>().join("; "))
    }

    /// What stands before and after the name.
    pub fn type_text(&self, ty: Type) -> (String, String) {
        let before = match ty {
            Type::Bit => "bit",
            Type::Bool => "bool",
            Type::Byte => "byte",
            Type::Pid => "pid",
            Type::Short => "short",
            Type::Int => "int",
            Type::Unsigned(bits) => return ("unsigned".to_string(), format!(" : {bits}")),
            Type::Mtype(set) => &self.symbols.mtypes[set].keyword,
        };
        (before.to_string(), String::new())
    }

    pub fn any_type(&mut self) -> Type {
        let sets = self.symbols.mtypes.len() as u32;
        match self.below(16) {
            0 | 1 => Type::Bit,
            2 | 3 => Type::Bool,
            4..=8 => Type::Byte,
            9 => Type::Pid,
            10 => Type::Short,
            11 => Type::Int,
            12 => Type::Unsigned(self.between(1, 3)),
            _ if sets > 0 => Type::Mtype(self.below(sets) as usize),
            _ => Type::Byte,
        }
    }

    pub fn note_type(&mut self, ty: Type) {
        self.note(match ty {
            Type::Bit => "type: bit",
            Type::Bool => "type: bool",
            Type::Byte => "type: byte",
            Type::Pid => "type: pid",
            Type::Short => "type: short",
            Type::Int => "type: int",
            Type::Unsigned(_) => "type: unsigned",
            Type::Mtype(_) => "type: mtype",
        });
    }

    fn global_variable(&mut self, name: &str) -> Decl {
        let ty = self.any_type();
        self.note_type(ty);
        if self.chance(25) && !matches!(ty, Type::Unsigned(_)) {
            return self.global_array(name, ty);
        }
        let (before, after) = self.type_text(ty);
        let init = self.chance(50).then(|| self.initial(ty));
        let writable = !self.symbols.vars.is_empty() || !self.chance(25);
        self.symbols.vars.push(Var { writable, ..Var::scalar(name, ty) });
        Decl { before, name: name.to_string(), after, init }
    }

    fn global_array(&mut self, name: &str, ty: Type) -> Decl {
        let size = self.between(2, 4);
        self.note("array");
        let bits = matches!(ty, Type::Bit | Type::Bool);
        let init = match self.below(4) {
            0 if bits => Some("1".to_string()),
            0 => Some(self.initial(ty)),
            1 => {
                self.note("array: list of initial values");
                let count = self.between(1, size);
                let values: Vec<_> = (0..count).map(|_| self.element(ty)).collect();
                Some(format!("{{ {} }}", values.join(", ")))
            }
            _ => None,
        };
        let (before, _) = self.type_text(ty);
        self.symbols.vars.push(Var { pieces: vec![(name.to_string(), Some(size))], ..Var::scalar(name, ty) });
        Decl { before, name: name.to_string(), after: format!("[{size}]"), init }
    }

    fn element(&mut self, ty: Type) -> String {
        match ty {
            Type::Mtype(set) => expression(&self.mtype_constant(set)),
            Type::Bit | Type::Bool => self.below(2).to_string(),
            _ => self.below(4).to_string(),
        }
    }

    /// An initial value: mostly a small constant, sometimes an expression over what is declared already. SPIN counts a
    /// value that is out of range as an error.
    pub fn initial(&mut self, ty: Type) -> String {
        match ty {
            Type::Mtype(set) => expression(&self.mtype_constant(set)),
            ty if ty.is_signed() && self.chance(30) => expression(&self.value(1)),
            _ if self.chance(25) => {
                self.note("initialiser: expression");
                expression(&self.condition(1))
            }
            ty if ty.is_narrow() => self.below(2).to_string(),
            _ if self.chance(8) => self.pick(&["254", "255"]).to_string(),
            _ => self.below(4).to_string(),
        }
    }

    pub fn mtype_constant(&mut self, set: usize) -> Expr {
        let names = self.symbols.mtypes[set].names.clone();
        Expr::atom(self.pick(&names))
    }

    fn declare_records(&mut self, model: &mut Model) {
        for index in 0..self.symbols.typedefs.len() {
            let array = (index > 0 && self.chance(40)).then_some(2);
            let name = format!("s{index}");
            let vars = self.record_vars(index, &[(name.clone(), array)]);
            self.symbols.vars.extend(vars);
            if array.is_none() {
                self.symbols.records.push((name.clone(), index));
            }
            let after = array.map(|n| format!("[{n}]")).unwrap_or_default();
            model.globals.push(Decl { before: format!("T{index}"), name, after, init: None });
        }
    }

    /// The scalars inside a structure, as variables of their own.
    pub fn record_vars(&self, typedef: usize, path: &[(String, Option<u32>)]) -> Vec<Var> {
        let mut vars = Vec::new();
        for (name, array, ty) in &self.symbols.typedefs[typedef].fields {
            let pieces = [path, &[(format!(".{name}"), *array)]].concat();
            match *ty {
                FieldType::Scalar(ty) => vars.push(Var { pieces, ..Var::scalar("", ty) }),
                FieldType::Nested(inner) => vars.extend(self.record_vars(inner, &pieces)),
            }
        }
        vars
    }

    /// A hidden variable is written but never read: states that differ in it are one state, so a read would make the
    /// result depend on the order of the search.
    fn declare_hidden(&mut self, model: &mut Model) {
        if self.chance(self.profile.hidden) {
            self.note("hidden");
            let decl = Decl { before: "hidden byte".into(), name: "hid".into(), after: String::new(), init: None };
            model.globals.push(decl);
            self.symbols.vars.push(Var { readable: false, ..Var::scalar("hid", Type::Byte) });
        }
    }

    fn declare_channels(&mut self, model: &mut Model) {
        for i in 0..self.between(1, 3) {
            let rendezvous = self.temper.rendezvous && self.chance(self.profile.rendezvous);
            let reuse = !self.symbols.signatures.is_empty() && self.chance(30);
            let signature =
                if reuse { self.below(self.symbols.signatures.len() as u32) as usize } else { self.new_signature() };
            let array = self.chance(12).then_some(2);
            let capacity = if rendezvous { 0 } else { self.between(1, 2) };
            let name = format!("q{i}");
            self.note(if rendezvous { "channel: rendezvous" } else { "channel: buffered" });
            if array.is_some() {
                self.note("channel: array");
            }
            model.globals.push(Decl {
                before: "chan".into(),
                name: name.clone(),
                after: array.map(|n| format!("[{n}]")).unwrap_or_default(),
                init: Some(self.channel_text(capacity, signature)),
            });
            let form = Form { signature, rendezvous };
            self.symbols.channels.push(Channel { name, array, form, capacity, origin: Origin::Global });
        }
    }

    pub fn new_signature(&mut self) -> usize {
        let mut fields = Vec::new();
        for _ in 0..self.pick(&[1, 1, 2, 2, 3]) {
            let ty = match self.any_type() {
                Type::Unsigned(_) => Type::Byte,
                ty => ty,
            };
            fields.push(Field::Scalar(ty));
        }
        if self.chance(25) && !self.symbols.channels.is_empty() {
            let channel = self.pick(&self.symbols.channels.clone());
            self.note("message: channel");
            fields.push(Field::Channel(channel.form));
        } else if self.chance(25) && !self.symbols.typedefs.is_empty() {
            self.note("message: structure");
            fields = vec![Field::Record(0)];
        }
        self.symbols.signatures.push(fields);
        self.symbols.signatures.len() - 1
    }

    pub fn channel_text(&self, capacity: u32, signature: usize) -> String {
        let field = |field: &Field| match *field {
            Field::Scalar(ty) => self.type_text(ty).0,
            Field::Channel(_) => "chan".to_string(),
            Field::Record(index) => self.symbols.typedefs[index].name.clone(),
        };
        let fields: Vec<_> = self.symbols.signatures[signature].iter().map(field).collect();
        format!("[{capacity}] of {{ {} }}", fields.join(", "))
    }

    fn declare_macros(&mut self, model: &mut Model) {
        if self.chance(40) {
            let value = self.below(4);
            model.prologue.insert(0, format!("#define N {value}"));
            self.symbols.numbers.push("N".into());
            self.note("macro");
        }
        if self.chance(25) {
            model.prologue.insert(0, "#define INC(v) v = (v + 1) % 3".into());
            self.symbols.increment = Some("INC".into());
        }
        if self.chance(40) {
            let condition = expression(&self.condition(1));
            model.prologue.insert(0, format!("#define C ({condition})"));
            self.symbols.conditions.push("C".into());
            self.note("macro");
        }
    }
}
