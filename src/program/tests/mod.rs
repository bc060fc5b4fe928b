//! Programs: control states and numbers of statements as SPIN has them, where things lie, what statements touch.

mod footprints;
mod layouts;
mod numbers;

use super::Program;
use crate::load;
use crate::source::Source;
use crate::syntax::preprocess::Options;

fn program(text: &str) -> Program {
    let loaded = load::program(Source::new("m.pml", text), &Options::default());
    loaded.unwrap_or_else(|refused| panic!("{}", refused.sources.render(&refused.diagnostics[0]))).it
}
