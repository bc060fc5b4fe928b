//! `swarmgp show`

use super::args::{Show, Stage};
use super::{Done, Exit, Failure, output, say_all, say_refused};
use crate::load::{self, Loaded};
use crate::program::print as program;
use crate::report;
use crate::syntax::print as spec;

pub fn show(args: &Show) -> Done {
    if args.dot && args.stage != Stage::Program {
        return Err(Failure::Usage("--dot draws automata, which only --stage program has".into()));
    }
    if args.model.lossy {
        return Err(Failure::Usage("--lossy is about runs, and no stage shows one".into()));
    }
    let options = args.model.options();
    let source = load::read(&args.model.model)?;
    let text = match args.stage {
        Stage::Source => rendered(load::flat(source, &options)?, |flat| flat.it.text.clone()),
        Stage::Spec => rendered(load::spec(source, &options)?, |spec| spec::print(&spec.it)),
        Stage::Model => rendered(load::model(source, &options)?, |model| {
            say_refused(&model.sources, &model.it);
            report::model::text(&model.it)
        }),
        Stage::Program if args.dot => rendered(load::program(source, &options)?, |p| program::dot(&p.it)),
        Stage::Program => rendered(load::program(source, &options)?, |p| {
            say_refused(&p.sources, &p.it.model);
            program::text(&p.it, &p.sources)
        }),
    };
    output::print(&text)?;
    Ok(Exit::Fine)
}

fn rendered<T>(loaded: Loaded<T>, text: impl Fn(&Loaded<T>) -> String) -> String {
    say_all(&loaded.sources, &loaded.warnings);
    text(&loaded)
}
