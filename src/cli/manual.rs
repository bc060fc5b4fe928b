//! `swarmgp completions` and `swarmgp man`: what shells and manuals know of the command line, from its own description.

use super::args::{Cli, Completions, Man};
use super::{Done, Exit, Failure, output};
use clap::CommandFactory;

pub fn completions(args: &Completions) -> Done {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "swarmgp", &mut text);
    output::print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Fine)
}

pub fn man(args: &Man) -> Done {
    let directory = &args.directory;
    let cannot = |error: std::io::Error| {
        Failure::Usage(format!("cannot write to {}: {}", directory.display(), crate::file::why(&error)))
    };
    std::fs::create_dir_all(directory).map_err(cannot)?;
    // help has its own help
    clap_mangen::generate_to(Cli::command().disable_help_subcommand(true), directory).map_err(cannot)?;
    Ok(Exit::Fine)
}
