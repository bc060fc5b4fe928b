//! What a model looks like after resolving.

use super::{model, read, resolve};
use crate::model::{
    BinaryOp, Expr, Init, LabelId, LocalId, Model, MtypeId, Place, ProctypeId, RecvArg, Root, Scalar, Stmt, StmtKind,
    Type,
};
use crate::source::{Source, Sources};
use crate::syntax::spec::{self, Unit};

fn names(model: &Model, set: usize) -> Vec<&str> {
    model.mtypes[set].names.iter().map(String::as_str).collect()
}

fn body(model: &Model, proctype: usize) -> &[Stmt] {
    &model.proctypes[proctype].body
}

fn locals(model: &Model, proctype: usize) -> Vec<&str> {
    model.proctypes[proctype].locals.iter().map(|local| local.name.as_str()).collect()
}

/// A place as text, indices as `[_]`.
fn spelled(model: &Model, proctype: usize, place: &Place) -> String {
    let variable = match place.root {
        Root::Global(id) => &model.globals[id.0],
        Root::Local(id) => &model.proctypes[proctype].locals[id.0],
    };
    let index = |i: Option<&Expr>| match i {
        None => String::new(),
        Some(Expr::Const(value)) => format!("[{value}]"),
        Some(_) => "[_]".into(),
    };
    let mut text = variable.name.clone() + &index(place.index.as_deref());
    let mut ty = variable.ty;
    for step in &place.path {
        let Type::Struct(id) = ty else { panic!("{text} has fields") };
        let field = &model.structs[id.0].fields[step.field];
        text += &format!(".{}{}", field.name, index(step.index.as_ref()));
        ty = field.ty;
    }
    assert_eq!(ty, Type::Scalar(place.ty), "{text}");
    text
}

#[test]
fn mtype_sets_are_numbered_from_the_end() {
    let model = model("mtype = { a, b, c } mtype:s = { x, y } mtype = { d, e } byte v; init { v = a; v = d }");
    assert_eq!(names(&model, 0), ["c", "b", "a", "e", "d"]);
    assert_eq!(names(&model, 1), ["y", "x"]);
    assert!(matches!(&body(&model, 0)[0].kind, StmtKind::Assign(_, Expr::Name(MtypeId(0), 3))));
    assert!(matches!(&body(&model, 0)[1].kind, StmtKind::Assign(_, Expr::Name(MtypeId(0), 5))));
}

#[test]
fn declarations_are_initial_values_or_statements() {
    let model = model(
        "typedef T { byte f = 7 } chan g = [1] of { byte };
         active proctype P(byte p) {
             byte a = p; xr g; byte b[2] = 3; chan c = [2] of { byte };
             skip;
             byte d = 4, e; T t; byte h[2] = 5;
             { byte d1; skip };
             if :: byte k = 6; skip fi
         }",
    );
    assert_eq!(locals(&model, 0), ["p", "a", "b", "c", "d", "e", "t", "h", "d1", "k"]);
    assert_eq!(model.proctypes[0].params, 1);
    let inits = |i: usize| &model.proctypes[0].locals[i].init;
    assert!(matches!(inits(1), Init::Expr(Expr::Load(Place { root: Root::Local(LocalId(0)), .. }))));
    assert!(matches!(inits(2), Init::Expr(Expr::Const(3))));
    assert!(matches!(inits(3), Init::Channel(channel) if channel.capacity == 2));
    assert!((4..10).all(|i| matches!(inits(i), Init::Default)));
    let declared = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Declare(Some((place, Expr::Const(value)))) => format!("{} = {value}", spelled(&model, 0, place)),
        StmtKind::Declare(None) => "struct".into(),
        _ => "other".into(),
    };
    let found: Vec<String> = body(&model, 0).iter().map(declared).collect();
    assert_eq!(found, ["other", "d = 4", "e = 0", "struct", "h[0] = 5", "other", "other"]);
}

#[test]
fn structs_are_flattened_where_they_are_passed() {
    let model = model(
        "typedef T { byte a; short b[2] } typedef S { bit x; T t } S s[3];
         chan c = [1] of { S, byte };
         proctype P(bit x; byte a; short b, d) { skip }
         init { c!s[1],9; c?s[2],_; run P(s[0]) }",
    );
    let Init::Channel(channel) = &model.globals[1].init else { panic!() };
    let (short, byte) = (Scalar::Short, Scalar::Byte);
    assert_eq!(channel.fields, [Scalar::Bit, byte, short, short, byte]);
    let StmtKind::Send { args, .. } = &body(&model, 1)[0].kind else { panic!() };
    let Expr::Load(third) = &args[2] else { panic!() };
    assert_eq!(spelled(&model, 1, third), "s[1].t.b[0]");
    let StmtKind::Receive { args, .. } = &body(&model, 1)[1].kind else { panic!() };
    assert!(matches!(&args[3], RecvArg::Store(place) if spelled(&model, 1, place) == "s[2].t.b[1]"));
    assert!(matches!(args[4], RecvArg::Ignore));
    let StmtKind::Expr(Expr::Run { proctype: ProctypeId(0), args, .. }) = &body(&model, 1)[2].kind else { panic!() };
    assert_eq!(args.len(), 4);
}

/// The labels the gotos of the first proctype lead to, in the order of the text.
fn gotos(model: &Model) -> Vec<usize> {
    fn collect(steps: &[Stmt], out: &mut Vec<usize>) {
        for step in steps {
            match &step.kind {
                StmtKind::Goto(LabelId(id)) => out.push(*id),
                StmtKind::Label(_, inner) => collect(std::slice::from_ref(inner), out),
                StmtKind::Block(steps) | StmtKind::Atomic(steps) => collect(steps, out),
                StmtKind::If(options) => options.iter().for_each(|option| collect(option, out)),
                _ => {}
            }
        }
    }
    let mut out = Vec::new();
    collect(body(model, 0), &mut out);
    out
}

#[test]
fn gotos_find_the_label_spin_finds() {
    // In its own block.
    assert_eq!(gotos(&model("init { { skip; L: skip; goto L }; { skip; L: skip; goto L }; skip }")), [0, 1]);
    // Elsewhere: the one defined last.
    assert_eq!(gotos(&model("init { { skip; L: skip }; { skip; L: skip }; goto L }")), [1]);
    // Enclosing before elsewhere.
    assert_eq!(gotos(&model("init { { goto L; skip }; L: skip; { skip; M: skip } }")), [0]);
    assert_eq!(gotos(&model("init { { skip; L: skip }; L: skip; { goto L; skip } }")), [1]);
    // A label on a block is defined after the labels in it.
    assert_eq!(gotos(&model("init { L: { skip; M: skip }; goto L; goto M }")), [1, 0]);
}

#[test]
fn loops_are_reduced_to_what_the_tree_has() {
    let model = model(
        "typedef T { byte a; byte b } chan c[2] = [3] of { T }; chan d = [300] of { T }; byte a[5], i; T t;
         init { for (i in a) { skip } for (t in c[1]) { for (t in d) { skip } } for (t in c[0]) { skip } }",
    );
    assert_eq!(locals(&model, 0), ["_for_1", "_for_2"]);
    assert!(matches!(
        &body(&model, 0)[0].kind,
        StmtKind::ForRange { lo: Expr::Const(0), hi: Expr::Const(4), var, .. } if spelled(&model, 0, var) == "i"
    ));
    let parts = |stmt: &Stmt| match &stmt.kind {
        StmtKind::ForChannel { counter, chan, message, .. } => {
            let all = [counter, chan].into_iter().chain(message);
            all.map(|place| spelled(&model, 0, place)).collect::<Vec<_>>().join(" ")
        }
        _ => panic!(),
    };
    assert_eq!(parts(&body(&model, 0)[1]), "_for_1 c[1] t.a t.b");
    assert_eq!(parts(&body(&model, 0)[2]), "_for_1 c[0] t.a t.b");
    let StmtKind::ForChannel { body: inner, .. } = &body(&model, 0)[1].kind else { panic!() };
    assert_eq!(parts(&inner[0]), "_for_2 d t.a t.b");
    assert_eq!(model.proctypes[0].locals[1].ty, Type::Scalar(Scalar::Short));
}

#[test]
fn counting_is_an_assignment() {
    let model = model("byte x; init { x++; x--; _priority++; _ = x }");
    let by_one = |i: usize| match &body(&model, 0)[i].kind {
        StmtKind::Assign(_, Expr::Binary(op, _, one)) if matches!(**one, Expr::Const(1)) => *op,
        _ => panic!(),
    };
    assert_eq!((by_one(0), by_one(1)), (BinaryOp::Add, BinaryOp::Sub));
    assert!(matches!(&body(&model, 0)[2].kind, StmtKind::SetOwnPriority(_)));
    let StmtKind::Assign(blank, _) = &body(&model, 0)[3].kind else { panic!() };
    assert_eq!(spelled(&model, 0, blank), "_");
    assert!(model.globals[1].hidden);
}

#[test]
fn processes_start_in_the_order_of_the_text() {
    let model = model(
        "never { skip } proctype Q() { skip } active [2] proctype P() priority 3 { L: skip }
         init { run Q() } active [0] proctype R() { skip } ltl { <> P@L } ltl p { _last == 0 } ltl { np_ }",
    );
    let started: Vec<_> = model.started.iter().map(|s| (s.proctype.0, s.count, s.priority)).collect();
    assert_eq!(started, [(2, 2, 3), (3, 1, 1)]);
    let names: Vec<&str> = model.proctypes.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["never_0", "Q", "P", "init", "R"]);
    let formulas: Vec<&str> = model.formulas.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(formulas, ["ltl_0", "p", "ltl_1"]);
    assert!(model.proctypes[2].labels[0].remote);
    let uses = model.uses;
    assert!(uses.last && uses.priority && uses.non_progress && !uses.enabled);
}

/// A sum of twenty thousand terms, built by hand: the parser's own limit is not what is tested.
#[test]
fn long_sums_need_little_stack() {
    let work = || {
        let mut sources = Sources::default();
        let mut spec = read(&mut sources, Source::new("model.pml", "int x; init { x = x }"));
        let Unit::Init(init) = &mut spec.units[1] else { panic!() };
        let spec::StmtKind::Assign(_, value) = &mut init.body.steps[0].kind else { panic!() };
        let term = value.clone();
        for _ in 0..20_000 {
            let left = std::mem::replace(value, term.clone());
            let kind = spec::ExprKind::Binary(BinaryOp::Add, Box::new(left), Box::new(term.clone()));
            *value = spec::Expr { kind, at: term.at };
        }
        let (model, found) = resolve(&spec);
        assert!(model.is_some() && found.is_empty());
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(work).expect("a thread starts");
    thread.join().expect("nothing overflows");
}
