//! A resolved model, readable: types, variables with initial values, proctypes, properties.

use crate::model::{
    ChannelType, Init, Model, MtypeId, Proctype, ProctypeId, ProctypeKind, Scalar, Start, Type, Variable,
};
use crate::program::render;
use std::fmt::Write;

/// The declarations of the model as text. Of a proctype: its head, its variables and its labels.
pub fn text(model: &Model) -> String {
    let mut out = String::new();
    for set in model.mtypes.iter().filter(|set| !set.names.is_empty()) {
        let name = set.name.as_ref().map_or(String::new(), |name| format!(":{name}"));
        let values = set.names.iter().enumerate().map(|(i, name)| format!("{name} = {}", i + 1));
        let _ = writeln!(out, "mtype{name} {{ {} }}", values.collect::<Vec<_>>().join(", "));
    }
    for definition in &model.structs {
        let fields = definition.fields.iter().map(|field| variable(model, None, field));
        let _ = writeln!(out, "typedef {} {{ {} }}", definition.name, fields.collect::<Vec<_>>().join("; "));
    }
    for global in &model.globals {
        let _ = writeln!(out, "{}", variable(model, None, global));
    }
    for (i, proctype) in model.proctypes.iter().enumerate() {
        write_proctype(model, ProctypeId(i), proctype, &mut out);
    }
    for formula in &model.formulas {
        let _ = writeln!(out, "ltl {} {{ {} }}", formula.name, render::expr(model, None, &formula.formula));
    }
    out
}

fn write_proctype(model: &Model, id: ProctypeId, proctype: &Proctype, out: &mut String) {
    let shown = |variables: &[Variable]| variables.iter().map(|v| variable(model, Some(id), v)).collect::<Vec<_>>();
    let (params, locals) = proctype.locals.split_at(proctype.params);
    let head = match proctype.kind {
        ProctypeKind::Process => format!("proctype {}({})", proctype.name, shown(params).join("; ")),
        ProctypeKind::Init => "init".into(),
        ProctypeKind::Never => format!("never {}", proctype.name),
        ProctypeKind::Trace => "trace".into(),
        ProctypeKind::NoTrace => "notrace".into(),
    };
    let starts: Vec<&Start> = model.started.iter().filter(|start| start.proctype == id).collect();
    let _ = write!(out, "{head}");
    for start in starts.iter().filter(|_| proctype.kind == ProctypeKind::Process) {
        let _ = write!(out, " active [{}]", start.count);
    }
    for start in starts.iter().filter(|start| start.priority != 1) {
        let _ = write!(out, " priority {}", start.priority);
    }
    if let Some(condition) = &proctype.provided {
        let _ = write!(out, " provided ({})", render::expr(model, Some(id), condition));
    }
    out.push('\n');
    for local in shown(locals) {
        let _ = writeln!(out, "    {local}");
    }
    for label in &proctype.labels {
        let remote = if label.remote { " (referred to from outside)" } else { "" };
        let _ = writeln!(out, "    {}:{remote}", label.name);
    }
}

fn variable(model: &Model, proctype: Option<ProctypeId>, variable: &Variable) -> String {
    let mut out = String::from(if variable.hidden { "hidden " } else { "" });
    let (ty, width) = match variable.ty {
        Type::Scalar(Scalar::Unsigned(bits)) => ("unsigned".into(), format!(" : {bits}")),
        Type::Scalar(kind) => (scalar(model, kind), String::new()),
        Type::Struct(id) => (model.structs[id.0].name.clone(), String::new()),
    };
    let _ = write!(out, "{ty} {}{width}", variable.name);
    if let Some(size) = variable.array {
        let _ = write!(out, "[{size}]");
    }
    match &variable.init {
        Init::Default => {}
        Init::Expr(value) => drop(write!(out, " = {}", render::expr(model, proctype, value))),
        Init::List(values) => {
            let values: Vec<String> = values.iter().map(|value| render::expr(model, proctype, value)).collect();
            let _ = write!(out, " = {{ {} }}", values.join(", "));
        }
        Init::Channel(channel) => drop(write!(out, " = {}", channel_type(model, channel))),
    }
    out
}

fn channel_type(model: &Model, channel: &ChannelType) -> String {
    let fields: Vec<String> = channel.fields.iter().map(|&field| scalar(model, field)).collect();
    format!("[{}] of {{ {} }}", channel.capacity, fields.join(", "))
}

fn scalar(model: &Model, scalar: Scalar) -> String {
    match scalar {
        Scalar::Bit => "bit".into(),
        Scalar::Byte => "byte".into(),
        Scalar::Short => "short".into(),
        Scalar::Int => "int".into(),
        Scalar::Unsigned(bits) => format!("unsigned:{bits}"),
        Scalar::Mtype(MtypeId(set)) => match model.mtypes.get(set).and_then(|set| set.name.as_ref()) {
            Some(name) => format!("mtype:{name}"),
            None => "mtype".into(),
        },
        Scalar::Chan => "chan".into(),
    }
}
