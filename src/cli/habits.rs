//! Options of spin, gcc and pan that are typed by habit: what to type here instead.
//!
//! One table, the one of docs/from-spin.md, whose cells these are word for word; a test compares them. It is asked only once the command line
//! was refused, and for macros such as `-DSAFETY`, which would be accepted without any effect.

use super::args::{Cli, ModelArgs};
use crate::file;
use clap::CommandFactory;
use std::path::Path;

/// Whose option it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    Spin,
    Gcc,
    Pan,
}

impl Tool {
    #[cfg(test)]
    pub const ALL: [Tool; 3] = [Tool::Spin, Tool::Gcc, Tool::Pan];

    /// Its heading in docs/from-spin.md.
    #[cfg(test)]
    pub fn heading(self) -> &'static str {
        match self {
            Tool::Spin => "## spin",
            Tool::Gcc => "## gcc -D… pan.c",
            Tool::Pan => "## ./pan",
        }
    }

    fn shown(self) -> &'static str {
        match self {
            Tool::Spin => "spin",
            Tool::Gcc => "gcc",
            Tool::Pan => "pan",
        }
    }
}

/// A row of the table.
pub struct Habit {
    pub tool: Tool,
    /// A capital N at the end stands for a value that follows at once.
    pub options: &'static [&'static str],
    /// What to type here.
    pub instead: &'static str,
}

const fn habit(tool: Tool, options: &'static [&'static str], instead: &'static str) -> Habit {
    Habit { tool, options, instead }
}

/// In the order of docs/from-spin.md.
pub const HABITS: &[Habit] = &[
    habit(Tool::Spin, &["-a"], "`swarmgp verify m.pml`"),
    habit(Tool::Spin, &["-search", "-run"], "`swarmgp verify m.pml`"),
    habit(Tool::Spin, &["-ltl"], "`swarmgp verify m.pml --property ltl:NAME`"),
    habit(Tool::Spin, &["-safety"], "`swarmgp verify m.pml --property safety`"),
    habit(Tool::Spin, &["-bfs"], "`swarmgp verify m.pml --search bfs`, part of the default"),
    habit(Tool::Spin, &["-f", "-F"], "`swarmgp ltl --never '[]p'`, `swarmgp ltl --file FILE --never`"),
    habit(Tool::Spin, &["-N"], "`--never FILE`"),
    habit(Tool::Spin, &["-t", "-tN", "-k", "-replay"], "`swarmgp replay m.pml [FILE]`"),
    habit(Tool::Spin, &["-p", "-nN"], "`swarmgp simulate m.pml`, `--seed SEED`"),
    habit(
        Tool::Spin,
        &["-l", "-g", "-r", "-s"],
        "not needed: `swarmgp simulate m.pml` and `swarmgp replay m.pml` show all of it",
    ),
    habit(Tool::Spin, &["-i"], "`swarmgp simulate m.pml --interactive`"),
    habit(Tool::Spin, &["-uN"], "`swarmgp simulate m.pml --steps N`"),
    habit(Tool::Spin, &["-jN"], "`--skip N` (simulate, replay)"),
    habit(Tool::Spin, &["-M", "-c"], "`swarmgp replay m.pml --svg FILE`, `--html FILE`, `--mermaid FILE`"),
    habit(Tool::Spin, &["-pp"], "`swarmgp show m.pml --stage source`, `--stage spec`"),
    habit(Tool::Spin, &["-oN"], "always: counts are those without these optimisations"),
    habit(Tool::Spin, &["-m"], "`--lossy` (verify, simulate, replay, compare, bench)"),
    habit(Tool::Spin, &["-b", "-B"], "`swarmgp simulate m.pml --quiet` shows only what the model prints"),
    habit(Tool::Spin, &["-v", "-w"], "not needed"),
    habit(Tool::Spin, &["-bfspar", "-dfspar"], "`--search pbfs`, `--search swarm`, part of the default"),
    habit(Tool::Spin, &["-bitstate", "-bit", "-collapse", "-hc"], "not there: the store is exact"),
    habit(Tool::Gcc, &["-ON"], "not needed: nothing is compiled"),
    habit(Tool::Gcc, &["-DSAFETY"], "`--property safety`"),
    habit(Tool::Gcc, &["-DBFS"], "`--search bfs`, part of the default"),
    habit(Tool::Gcc, &["-DNP"], "`--property progress`"),
    habit(Tool::Gcc, &["-DNOREDUCE"], "the default up to 500,000 states, and of named searches"),
    habit(Tool::Gcc, &["-DNOFAIR"], "without `--weak-fairness`"),
    habit(Tool::Gcc, &["-DMEMLIM=N"], "`--memory 512M`"),
    habit(
        Tool::Gcc,
        &["-DNCORE=N", "-DBFS_PAR"],
        "large models are searched on all cores; `--search pbfs`, `swarm`, or `cndfs` for cycles, `--threads 2`",
    ),
    habit(Tool::Gcc, &["-DREACH"], "`--shorten`, on by default; `--shortest`"),
    habit(Tool::Gcc, &["-DVECTORSZ=N", "-DNFAIR=N"], "not needed: there are no such limits"),
    habit(Tool::Gcc, &["-DVAR_RANGES"], "`--ranges`"),
    habit(
        Tool::Gcc,
        &["-DPEG"],
        "`--execution-counts` (the same sums; pan counts all jumps as one, and a rendezvous send also when no process receives it)",
    ),
    habit(Tool::Gcc, &["-DCOLLAPSE", "-DMA=N", "-DBITSTATE", "-DHC", "-DHCN"], "not there: the store is exact"),
    habit(Tool::Gcc, &["-DNOCLAIM"], "`--property safety`"),
    habit(
        Tool::Gcc,
        &["-DXUSAFE", "-DNOBOUNDCHECK", "-DNOSTUTTER"],
        "not there: `xr` and `xs` are not relied on, indices are checked, and a run that ends repeats its last state",
    ),
    habit(
        Tool::Gcc,
        &["-DNOCOMP", "-DNOVSZ", "-DNOFIX", "-DSC", "-DFULLSTACK", "-DCNTRSTACK", "-DSPACE", "-DMEMCNT=N"],
        "not needed: these change how pan stores states",
    ),
    habit(
        Tool::Gcc,
        &["-DPRINTF", "-DCHECK", "-DVERBOSE", "-DSDUMP", "-DSVDUMP", "-DDEBUG"],
        "not needed: `swarmgp replay m.pml` shows all steps and what they print",
    ),
    habit(
        Tool::Gcc,
        &["-DREVERSE", "-DT_REVERSE", "-DP_REVERSE", "-DT_RAND", "-DP_RAND", "-DRANDOMIZE", "-DPERMUTED"],
        "searches that depend on chance have `--seed N`; the order of the others is fixed",
    ),
    habit(Tool::Gcc, &["-DBCS"], "not there: the number of context switches has no bound"),
    habit(Tool::Pan, &["-a", "-N"], "`--property ltl:NAME` or `never:NAME`; all of them by default"),
    habit(Tool::Pan, &["-l"], "`--property progress`"),
    habit(Tool::Pan, &["-f"], "`--weak-fairness`"),
    habit(Tool::Pan, &["-c0"], "`--continue`"),
    habit(Tool::Pan, &["-cN"], "`--stop-after N`; `--errors N` stops after N different ones"),
    habit(
        Tool::Pan,
        &["-e"],
        "with `--continue`, `--stop-after` and `--errors`: a trail for each different error, `m.pml.trail`, `m.pml2.trail` (`spin -t2`) and so on",
    ),
    habit(Tool::Pan, &["-b"], "`--depth-is-error` with `--max-depth N`"),
    habit(Tool::Pan, &["-i", "-I"], "the default; `--shorten off`"),
    habit(Tool::Pan, &["-mN"], "`--max-depth N` (no limit without it)"),
    habit(Tool::Pan, &["-wN"], "not needed: the table of states grows"),
    habit(Tool::Pan, &["-QN"], "`--time 5m`"),
    habit(Tool::Pan, &["-A", "-E"], "`--no-assertions`, `--no-end-states`"),
    habit(Tool::Pan, &["-q"], "`--check-channels-empty`"),
    habit(
        Tool::Pan,
        &["-n"],
        "unreached statements are listed when a search was complete; `--unreached` lists them anyway",
    ),
    habit(Tool::Pan, &["-r", "-C"], "`swarmgp replay m.pml`"),
    habit(Tool::Pan, &["-d", "-D"], "`swarmgp show m.pml --stage program`, `--dot`"),
];

/// What to say about a command line that was refused, a line for each option of SPIN's in it.
pub fn hints(words: &[String]) -> Vec<String> {
    // verify is what pan does; whoever names no command thinks of spin
    let tools = match words.iter().any(|word| word == "verify") {
        true => [Tool::Pan, Tool::Spin, Tool::Gcc],
        false => [Tool::Spin, Tool::Pan, Tool::Gcc],
    };
    // who replays with spin asks for the steps with -p, and for what happens in them
    let replays = words.iter().any(|word| word == "-t");
    let shows = |word: &str| matches!(word, "-p" | "-l" | "-g" | "-r" | "-s");
    let asked = words.iter().filter(|word| !replays || !shows(word));
    let hints: Vec<String> = asked.filter_map(|word| tools.iter().find_map(|&tool| hint(tool, word))).collect();
    if hints.is_empty() { without_command(words).into_iter().collect() } else { hints }
}

/// What to say where there is a model, or a macro for one, and no command: `spin m.pml` simulates.
fn without_command(words: &[String]) -> Option<String> {
    let commands: Vec<String> = Cli::command().get_subcommands().map(|command| command.get_name().into()).collect();
    if words.iter().any(|word| commands.contains(word)) {
        return None;
    }
    let is_model = |word: &&String| [".pml", ".prom", ".promela", ".spin"].iter().any(|end| word.ends_with(end));
    let is_macro = |word: &&String| ["-D", "-U", "-I"].iter().any(|option| word.starts_with(option));
    let model = words.iter().filter(|word| !word.starts_with('-')).find(is_model);
    let macros: String = words.iter().filter(is_macro).map(|word| format!(" {word}")).collect();
    if model.is_none() && macros.is_empty() {
        return None;
    }
    let model = model.map_or("m.pml", String::as_str);
    Some(format!(
        "a command comes first: `swarmgp verify {model}{macros}` checks the model, `swarmgp simulate {model}{macros}` runs it \
         (docs/from-spin.md)"
    ))
}

/// What to say about a macro that is for gcc: the model does not know it.
pub fn about_macros(model: &ModelArgs) -> Option<String> {
    let hints: Vec<String> = model
        .defined()
        .filter(|define| !may_use(&model.model, name_of(define)))
        .filter_map(|define| hint(Tool::Gcc, &format!("-D{define}")))
        .collect();
    (!hints.is_empty()).then(|| hints.join("\n"))
}

fn hint(tool: Tool, word: &str) -> Option<String> {
    let habit =
        HABITS.iter().find(|habit| habit.tool == tool && habit.options.iter().any(|option| is(option, word)))?;
    Some(format!("{word} is an option of {}; here: {} (docs/from-spin.md)", tool.shown(), habit.instead))
}

/// A word is this option; with a value if it takes one.
fn is(option: &str, word: &str) -> bool {
    match option.strip_suffix('N').filter(|stem| stem.len() > 1) {
        Some(stem) => word.strip_prefix(stem).is_some_and(|value| value.starts_with(|c: char| c.is_ascii_digit())),
        None => option == word || option.starts_with("-D") && word.strip_prefix(option) == Some("=1"),
    }
}

fn name_of(define: &str) -> &str {
    define.split('=').next().unwrap_or(define)
}

/// The model, or a file that it includes, may have a use for a macro.
fn may_use(model: &Path, name: &str) -> bool {
    let Ok(bytes) = file::read(model, file::MOST_TEXT) else { return true };
    let text = String::from_utf8_lossy(&bytes);
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == name || word == "include")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../docs/from-spin.md");

    /// The two cells of every row below a heading.
    fn rows(tool: Tool) -> Vec<(&'static str, &'static str)> {
        let lines = PAGE.lines().skip_while(|line| *line != tool.heading()).skip(1);
        let rows = lines.take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| `"));
        rows.filter_map(|row| row.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ")).collect()
    }

    /// The options of a tool in a cell; gcc is told macros and how to optimise.
    fn options(tool: Tool, cell: &str) -> Vec<&str> {
        let starts: &[&str] = if tool == Tool::Gcc { &["-D", "-O"] } else { &["-"] };
        let quoted = cell.split('`').skip(1).step_by(2);
        let words = quoted.flat_map(|code| code.split([' ', ';']));
        words.filter(|word| starts.iter().any(|start| word.starts_with(start))).collect()
    }

    /// An option without its value.
    fn stem(option: &str) -> &str {
        option.strip_suffix('N').filter(|stem| stem.len() > 1).unwrap_or(option).trim_end_matches('=')
    }

    #[test]
    fn every_habit_is_a_row_of_the_page() {
        for habit in HABITS {
            for option in habit.options {
                let shows = |cell: &str| options(habit.tool, cell).iter().any(|shown| shown.starts_with(stem(option)));
                let found = rows(habit.tool).iter().any(|(cell, instead)| *instead == habit.instead && shows(cell));
                assert!(found, "{option} → {} is not on the page", habit.instead);
            }
        }
    }

    #[test]
    fn every_option_of_the_page_is_a_habit() {
        // these are options here, too
        let same = ["-DN=3", "-U", "-I"];
        for tool in Tool::ALL {
            let habits = || HABITS.iter().filter(|habit| habit.tool == tool).flat_map(|habit| habit.options);
            for (cell, instead) in rows(tool) {
                for option in options(tool, cell).iter().filter(|option| !same.contains(option)) {
                    let value = |own: &str| option.strip_prefix(stem(own)).map(|value| value.trim_start_matches('='));
                    let is_value =
                        |text: &str| text.is_empty() || text == "N" || text.chars().all(|c| c.is_ascii_digit());
                    assert!(habits().any(|own| value(own).is_some_and(is_value)), "{option} ({instead}) gets no hint");
                }
            }
        }
    }

    #[test]
    fn values_may_follow() {
        assert!(is("-mN", "-m10000") && !is("-mN", "-m") && !is("-mN", "-model"));
        assert!(is("-DMEMLIM=N", "-DMEMLIM=512") && is("-DSAFETY", "-DSAFETY=1") && !is("-DSAFETY", "-DSAFETY=2"));
        assert!(is("-N", "-N") && is("-c0", "-c0") && !is("-c", "-c0"));
    }

    #[test]
    fn the_same_letter_means_what_the_command_suggests() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        assert!(hints(&words("verify m.pml -i"))[0].contains("option of pan; here: the default"));
        assert!(hints(&words("-i m.pml"))[0].contains("option of spin; here: `swarmgp simulate"));
        assert!(hints(&words("verify m.pml --nonsense")).is_empty());
    }
}
