//! What can be said on the command line.

use super::{duration, size};
use crate::lab::job::MOST_RUNS;
use crate::reduce::Reductions;
use crate::report::json::Schema;
use crate::search::Proviso;
use crate::search::catalogue::{self, Search};
use crate::search::guide::Heuristic;
use crate::search::swarm::MOST_THREADS;
use crate::syntax::preprocess::{Options, is_macro};
use crate::system::Savings;
use crate::verify::Question;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use clap::{ArgAction, ArgGroup, Args, Parser, Subcommand, ValueEnum, value_parser};
use std::path::PathBuf;
use std::time::Duration;

/// An explicit-state model checker for Promela and LTL.
#[derive(Debug, Parser)]
#[command(name = "swarmgp", version, arg_required_else_help = true)]
pub struct Cli {
    /// When to use colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: When,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}

impl When {
    /// What a command line says before it is known to be in order.
    pub fn of_words(words: impl Iterator<Item = String>) -> When {
        let words: Vec<String> = words.collect();
        let behind = words.windows(2).filter(|pair| pair[0] == "--color").map(|pair| pair[1].as_str());
        let joined = words.iter().filter_map(|word| word.strip_prefix("--color="));
        behind.chain(joined).find_map(|when| When::from_str(when, false).ok()).unwrap_or(When::Auto)
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Verify(Box<Verify>),
    Compare(Box<Compare>),
    Bench(Bench),
    Replay(Replay),
    Simulate(Simulate),
    Show(Show),
    Ltl(Ltl),
    Searches(Searches),
    Completions(Completions),
    Man(Man),
}

impl Command {
    /// The model, if the command is about one.
    pub fn model(&self) -> Option<&ModelArgs> {
        match self {
            Command::Verify(args) => Some(&args.model),
            Command::Compare(args) => Some(&args.model),
            Command::Replay(args) => Some(&args.model),
            Command::Simulate(args) => Some(&args.model),
            Command::Show(args) => Some(&args.model),
            Command::Bench(_) | Command::Ltl(_) | Command::Searches(_) | Command::Completions(_) | Command::Man(_) => {
                None
            }
        }
    }
}

/// The model and what the preprocessor should know.
#[derive(Clone, Debug, Args)]
pub struct ModelArgs {
    /// The Promela file, or - for the standard input
    pub model: PathBuf,
    /// Define a macro (without a value: 1)
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = definition)]
    defines: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", value_parser = definition)]
    undefines: Vec<String>,
    /// Look for included files here, too
    #[arg(short = 'I', value_name = "DIR")]
    include_dirs: Vec<PathBuf>,
    /// A send to a full channel does not block: its message is lost
    #[arg(long)]
    pub lossy: bool,
}

impl ModelArgs {
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        self.defines.iter().for_each(|define| options.define(define));
        options.undefines.clone_from(&self.undefines);
        options.include_dirs.clone_from(&self.include_dirs);
        options.lossy = self.lossy;
        options
    }

    /// What `-D` defines, each with its value if it has one.
    pub fn defined(&self) -> impl Iterator<Item = &str> {
        self.defines.iter().map(String::as_str)
    }

    /// The arguments that say the same.
    pub fn words(&self) -> Vec<String> {
        let options = [("-D", &self.defines), ("-U", &self.undefines)];
        let options =
            options.into_iter().flat_map(|(option, names)| names.iter().map(move |name| format!("{option}{name}")));
        let dirs = self.include_dirs.iter().map(|dir| format!("-I{}", dir.display()));
        let model = self.shown();
        // no option
        let model = if model.starts_with('-') { format!("./{model}") } else { model };
        let lossy = self.lossy.then(|| "--lossy".to_string());
        [model].into_iter().chain(options).chain(dirs).chain(lossy).collect()
    }

    /// The name under which results show the model.
    pub fn shown(&self) -> String {
        self.model.display().to_string()
    }

    /// SPIN's name for the trail of this model, in the current directory; with the name of the property if it is one of
    /// several, and with a number from the second error on.
    pub fn trail_file(&self, property: Option<&str>, number: usize) -> PathBuf {
        let name = self.model.file_name().filter(|&name| name != "-");
        let mut name = name.map_or_else(|| "stdin".into(), |name| name.to_os_string());
        if let Some(property) = property {
            name.push(format!(".{property}"));
        }
        if number > 1 {
            name.push(number.to_string());
        }
        name.push(".trail");
        name.into()
    }
}

/// What is to be checked.
#[derive(Clone, Debug, Args)]
pub struct PropertyArgs {
    /// What to check: safety, ltl:NAME, never or never:NAME, acceptance or progress
    #[arg(long, value_name = "P", conflicts_with_all = ["ltl", "never", "automaton"])]
    pub property: Option<String>,
    /// Check that every run satisfies this LTL formula; its atoms are macros, variables or other Promela expressions
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["never", "automaton"])]
    pub ltl: Option<String>,
    /// Check the never claim in this file
    #[arg(long, value_name = "FILE", conflicts_with = "automaton")]
    pub never: Option<PathBuf>,
    /// Check that the automaton in this file (HOA format) accepts no run; its propositions are Promela expressions
    #[arg(long, value_name = "FILE")]
    pub automaton: Option<PathBuf>,
    /// Count only runs in which no process that can always move stands still forever (for cycles)
    #[arg(long)]
    pub weak_fairness: bool,
}

impl PropertyArgs {
    pub fn question(&self) -> Question<'_> {
        match self {
            PropertyArgs { property: Some(name), .. } => Question::Property(name),
            PropertyArgs { ltl: Some(formula), .. } => Question::Formula(formula),
            PropertyArgs { never: Some(file), .. } => Question::Never(file),
            PropertyArgs { automaton: Some(file), .. } => Question::Automaton(file),
            _ => Question::Everything,
        }
    }
}

/// Search all runs of a model for violations
///
/// Checks assertions, invalid end states, run-time errors and the trace, then every ltl block and never claim.
/// Exit code: 0 holds, 1 violated, 2 bad usage or bad model, 3 inconclusive, 4 internal error.
#[derive(Clone, Debug, Args)]
pub struct Verify {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub asked: PropertyArgs,
    /// Look for a shortest counterexample, counted in states that a scheduler sees; if time runs out, show the best one
    #[arg(long, conflicts_with = "reduce")]
    pub shortest: bool,
    /// How to search (without it: auto)
    ///
    /// auto is an exhaustive search (bfs, or indfs where cycles are looked for; pbfs and cndfs, on all cores, where there is much to
    /// search), and beside it ants and genes, and where it is breadth-first, a depth-first search. `swarmgp searches` lists
    /// them all with their parameters
    #[arg(long, value_name = "NAME", value_parser = searches())]
    pub search: Option<&'static Search>,
    /// Set a parameter of the search
    #[arg(long, value_name = "NAME=VALUE", requires = "search")]
    pub set: Vec<String>,
    /// The seed of a search that depends on chance (without it: 1); the same seed gives the same result, unless many threads share a table of states
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Repeat a search that depends on chance, with seeds derived from the first; as many runs at once as there are threads
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=MOST_RUNS))]
    pub runs: Option<u64>,
    /// How many threads search where many do, or share --runs (without it: one for each core); the walks of auto are beside them
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=MOST_THREADS as u64))]
    pub threads: Option<u64>,
    /// Expand no more states than this (searches that walk)
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub evaluations: Option<u64>,
    /// How a guided search estimates the way to a violation (without it: as the property suggests)
    #[arg(long, value_name = "NAME", value_parser = heuristics())]
    pub heuristic: Option<Heuristic>,
    /// Guide the search to states in which this is true
    #[arg(long, value_name = "EXPRESSION")]
    pub goal: Option<String>,
    /// How a search for a cycle estimates the way back: fsm or hamming (without it: fsm)
    #[arg(long, value_name = "NAME", value_parser = back_heuristics())]
    pub back_heuristic: Option<Heuristic>,
    /// Weight of the estimate in A*
    #[arg(long, value_name = "W")]
    pub weight: Option<f64>,
    /// Whether aco-live uses the classes of the claim's components: on or off
    #[arg(long, value_name = "SWITCH")]
    pub scc: Option<Switch>,
    /// Whether path-ga breeds from two parents: on or off
    #[arg(long, value_name = "SWITCH")]
    pub crossover: Option<Switch>,
    /// Look for so many different errors, and write a trail for each (searches by one thread that see each state once, and path-ga)
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), conflicts_with = "runs")]
    pub errors: Option<u64>,
    /// Use the memory operator of gega, with shorter paths and more generations
    #[arg(long)]
    pub memory_operator: bool,
    /// Whether a trail is made shorter before it is shown, unless the search finds shortest ones (without it: on)
    #[arg(long, value_name = "SWITCH")]
    pub shorten: Option<Switch>,
    /// Explore less: drop dead values (dead), merge steps that no other process notices (merge), explore only some orders of independent
    /// steps (order); --reduce=dead,merge for some of them, off for none
    #[arg(long, value_name = "LIST", num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    pub reduce: Option<Reductions>,
    /// Which states a reduced search explores completely all the same (see swarmgp searches)
    #[arg(long, value_name = "NAME", value_parser = provisos(), requires = "reduce")]
    pub proviso: Option<Proviso>,
    /// Go on after errors, count them and write a trail for each different one
    #[arg(long = "continue", conflicts_with_all = ["errors", "stop_after"])]
    pub keep_going: bool,
    /// Stop at the N-th error, be they different or not, as pan -cN does
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), conflicts_with = "errors")]
    pub stop_after: Option<u64>,
    /// Go no deeper than this many steps
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub max_depth: Option<u64>,
    /// It is an error if a run comes to the depth limit (bfs, dfs, ndfs, indfs, scc)
    #[arg(long, requires = "max_depth")]
    pub depth_is_error: bool,
    /// Store no more states than this
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub max_states: Option<u64>,
    /// Use no more memory than this, such as 512M or 4G (without it: 80% of what is available)
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub memory: Option<u64>,
    /// Take no longer than this, such as 90s, 5m or 1.5h, for all properties together, each of which has its share (with --runs: for
    /// each run); a number alone is seconds
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub time: Option<Duration>,
    /// A run may not end with messages in a channel
    #[arg(long, conflicts_with = "no_end_states")]
    pub check_channels_empty: bool,
    /// A value that does not fit where it is stored is a violation (without it: a warning)
    #[arg(long)]
    pub check_truncation: bool,
    /// Do not check assertions
    #[arg(long)]
    pub no_assertions: bool,
    /// Do not check for invalid end states
    #[arg(long)]
    pub no_end_states: bool,
    /// Where to write the trail of a violation (without it: MODEL.trail in the current directory)
    #[arg(long, value_name = "FILE", conflicts_with = "no_trail")]
    pub trail: Option<PathBuf>,
    /// Write no trail file
    #[arg(long)]
    pub no_trail: bool,
    /// Print one JSON object; SCHEMA 1 is its format before 2, for one more release
    #[arg(long, value_name = "SCHEMA", num_args = 0..=1, require_equals = true, default_missing_value = "2")]
    pub json: Option<JsonSchema>,
    /// Tell in the JSON object how much memory the whole process has used, where the system tells
    #[arg(long, requires = "json")]
    pub peak_memory: bool,
    /// List in the JSON object how fitness and pheromone develop (ants and genes)
    #[arg(long, requires = "json", conflicts_with = "runs")]
    pub trace_run: bool,
    /// List the steps of the trail in the JSON object
    #[arg(long, requires = "json")]
    pub trail_steps: bool,
    /// Show long trails whole
    #[arg(long, conflicts_with = "json")]
    pub full_trail: bool,
    /// List statements that were not reached even if the search is incomplete
    #[arg(long)]
    pub unreached: bool,
    /// Say which values each variable has had in the explored states
    #[arg(long)]
    pub ranges: bool,
    /// Say how often each statement was executed
    #[arg(long)]
    pub execution_counts: bool,
    /// How much work the interpreter saves: results are the same, times are not
    #[arg(long, hide = true, value_enum, default_value_t)]
    pub savings: SavingsArg,
    /// Print the verdict only, and no progress
    #[arg(long, conflicts_with_all = ["full_trail", "unreached", "ranges", "execution_counts"])]
    pub quiet: bool,
}

/// See [`Savings`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SavingsArg {
    #[default]
    All,
    InPlace,
    None,
}

impl From<SavingsArg> for Savings {
    fn from(arg: SavingsArg) -> Savings {
        match arg {
            SavingsArg::All => Savings::All,
            SavingsArg::InPlace => Savings::InPlace,
            SavingsArg::None => Savings::None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum JsonSchema {
    #[value(name = "1")]
    One,
    #[value(name = "2")]
    Two,
}

impl From<JsonSchema> for Schema {
    fn from(schema: JsonSchema) -> Schema {
        match schema {
            JsonSchema::One => Schema::One,
            JsonSchema::Two => Schema::Two,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

impl Switch {
    pub fn name(self) -> &'static str {
        match self {
            Switch::On => "on",
            Switch::Off => "off",
        }
    }
}

/// Compare searches on a model
///
/// Each run is a process of its own, so that its CPU time and its memory can be measured. Searches that give the same result each time run
/// once. The table shows mean ± standard deviation (median) of the runs with a verdict.
///
/// Exit code: 0 done, 2 bad usage or bad model, 3 interrupted, 4 internal error (searches that contradict each other are one).
#[derive(Debug, Args)]
pub struct Compare {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub asked: PropertyArgs,
    /// The searches, with commas between them (without it: those that suit the property)
    ///
    /// Each may have options of its own, such as 'aco-live --scc off', and a name: 'fast=aco-live --set tries=50'
    #[arg(long, value_name = "NAMES")]
    pub search: Vec<String>,
    /// How often to run a search that depends on chance
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = value_parser!(u64).range(1..=MOST_RUNS))]
    pub runs: u64,
    /// The first seed; the others are derived from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// A run takes no longer than this, such as 90s, 5m or 1.5h; a number alone is seconds
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub time: Option<Duration>,
    /// A run uses no more memory than this, such as 512M
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub memory: Option<u64>,
    #[command(flatten)]
    pub measuring: Measuring,
    /// Do one more run of each search that has fitness or pheromone, and write down how they develop, for --report and --json
    #[arg(long)]
    pub trace_run: bool,
    #[command(flatten)]
    pub outputs: Outputs,
}

/// Run an experiment: models × parameters × searches × runs
///
/// Every run is written to the experiment's journal as soon as it is done. An experiment that was interrupted goes on where it stopped; one
/// that is complete is only shown. What an experiment may say is in docs/experiments.md.
///
/// Exit code: 0 done, 2 bad usage, bad experiment or bad model, 3 interrupted, 4 internal error.
#[derive(Debug, Args)]
pub struct Bench {
    /// The experiment, a TOML file
    pub experiment: PathBuf,
    /// Where the models are, for an experiment that says where to get them
    #[arg(long, value_name = "DIRECTORY")]
    pub models: Option<PathBuf>,
    /// Where the journal is (without it: as the experiment says)
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// Run nothing: show what is known
    #[arg(long)]
    pub no_run: bool,
    /// Do runs again that crashed
    #[arg(long, conflicts_with = "no_run")]
    pub retry: bool,
    /// Do one more run of each search that has fitness or pheromone, and write down how they develop, for --report and --json
    #[arg(long)]
    pub trace_run: bool,
    #[command(flatten)]
    pub measuring: Measuring,
    #[command(flatten)]
    pub outputs: Outputs,
}

#[derive(Debug, Args)]
pub struct Measuring {
    /// Runs at once; more than one disturb each other
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u64).range(1..=1024))]
    pub jobs: u64,
    /// Print no progress
    #[arg(long)]
    pub quiet: bool,
}

/// Where results go besides the terminal.
#[derive(Debug, Args)]
pub struct Outputs {
    /// Write a page with tables and charts
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Write every run as a line of comma-separated values (- for the standard output, instead of the tables)
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write everything as one JSON object (- for the standard output, instead of the tables)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the tables as Markdown (- for the standard output, instead of the tables)
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}

/// Run a trail step by step, and show it as text, as a page or as a chart
///
/// Files for --html, --svg, --mermaid and --itf are written beside the usual text. One of them may be -, the standard
/// output; the text goes to the standard error then. In a page or chart of a long run, local steps that follow each
/// other without a message share a row.
///
/// Exit code: 0 if it does not violate the property, 1 if it does, 2 if a step is not executable or a file cannot be written, 3 if the run stops
/// too early to tell.
#[derive(Clone, Debug, Args)]
pub struct Replay {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The trail file (without it: what verify has written for the property, in the current directory or beside the model)
    pub trail: Option<PathBuf>,
    /// A run may not end with messages in a channel
    #[arg(long)]
    pub check_channels_empty: bool,
    /// A value that does not fit where it is stored is a violation
    #[arg(long)]
    pub check_truncation: bool,
    /// Print one JSON object; SCHEMA 1 is its format before 2, for one more release
    #[arg(long, value_name = "SCHEMA", num_args = 0..=1, require_equals = true, default_missing_value = "2")]
    pub json: Option<JsonSchema>,
    /// Show long trails whole
    #[arg(long, conflicts_with = "json")]
    pub full_trail: bool,
    /// Do not show the first N steps
    #[arg(long, value_name = "N", conflicts_with = "json", default_value_t = 0, hide_default_value = true)]
    pub skip: usize,
    /// Write a page that shows the run step by step: a chart, the variables, the source, the claim's automaton
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write a message sequence chart as an SVG picture
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write a sequence diagram for Mermaid
    #[arg(long, value_name = "FILE")]
    pub mermaid: Option<PathBuf>,
    /// Write the states in the Informal Trace Format of Apalache (JSON)
    #[arg(long, value_name = "FILE")]
    pub itf: Option<PathBuf>,
    /// Tell whether the run violates this property: safety, ltl:NAME, never or never:NAME, acceptance or progress; a page shows its automaton
    ///
    /// Without any: the property that the trail was written for. A trail of pan does not say; a page shows the only ltl block or never
    /// claim of the model then, if the run violates it
    #[arg(long, value_name = "P", conflicts_with_all = ["ltl", "never"])]
    pub property: Option<String>,
    /// Tell whether the run violates this LTL formula
    #[arg(long, value_name = "FORMULA", conflicts_with = "never")]
    pub ltl: Option<String>,
    /// Tell whether the never claim in this file accepts the run
    #[arg(long, value_name = "FILE")]
    pub never: Option<PathBuf>,
}

/// Run a model at random, or as you choose
///
/// Exit code: 0 if it ends without a violation, 1 with one.
#[derive(Debug, Args)]
pub struct Simulate {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The seed of the random choices: the same seed gives the same run
    #[arg(long, value_name = "N", conflicts_with = "interactive")]
    pub seed: Option<u64>,
    /// Stop after this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub steps: u64,
    /// Of the first N steps, show only what the model prints
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub skip: usize,
    /// Choose the steps yourself
    #[arg(long)]
    pub interactive: bool,
    /// Show only what the model prints
    #[arg(long, conflicts_with = "interactive")]
    pub quiet: bool,
}

/// Print a model as one of the stages sees it
#[derive(Debug, Args)]
pub struct Show {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Which stage
    #[arg(long)]
    pub stage: Stage,
    /// Print automata for Graphviz (stage program only)
    #[arg(long)]
    pub dot: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// The text after preprocessing and inlining
    Source,
    /// The syntax tree
    Spec,
    /// Variables, proctypes and properties with their types
    Model,
    /// The control automata
    Program,
}

/// Translate LTL formulas to Büchi automata, or compare two formulas
///
/// Operators, tightest first: ! X [] <> · U W V M · && · || · -> · <-> (the words and letters of SPIN and of other
/// tools are known, too; --show tells how a formula is read). Atoms are names, or any text in double quotes.
///
/// Exit code: 0 done, or equivalent; 1 not equivalent; 2 bad usage or bad formula; 3 beyond a limit; 4 internal error.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("input").required(true)), group(ArgGroup::new("output")))]
pub struct Ltl {
    /// The formula, such as '[](p -> <>q)' or 'G(p -> F q)'
    #[arg(group = "input")]
    pub formula: Option<String>,
    /// Take a formula from each line of this file, or of the standard input for -
    ///
    /// Empty lines and lines that begin with # are skipped. A bad line does not end the work.
    #[arg(long, value_name = "FILE", group = "input")]
    pub file: Option<PathBuf>,
    /// Tell whether two formulas are equivalent; if not, show a word that satisfies just one
    #[arg(long, value_names = ["F", "G"], num_args = 2, action = ArgAction::Set, group = "input")]
    #[arg(conflicts_with_all = ["negate", "never", "hoa", "dot", "show"])]
    pub check_equivalent: Option<Vec<String>>,
    /// Translate the negation, as a never claim needs it
    #[arg(long)]
    pub negate: bool,
    /// Print the automaton as a never claim of Promela
    #[arg(long, group = "output")]
    pub never: bool,
    /// Print the automaton in the Hanoi Omega-Automata format
    #[arg(long, group = "output")]
    pub hoa: bool,
    /// Print the automaton for Graphviz
    #[arg(long, group = "output")]
    pub dot: bool,
    /// Print one JSON object; with --file, one in a line for each formula
    #[arg(long, group = "output")]
    pub json: bool,
    /// Show how the formula is read: parentheses, precedence, atoms, and what SPIN makes of it
    #[arg(long, group = "output")]
    pub show: bool,
}

/// List every search: what it finds and proves, its parameters and their defaults, and where it comes from
#[derive(Debug, Args)]
pub struct Searches {
    /// Print one JSON array
    #[arg(long)]
    pub json: bool,
}

/// Print completions for a shell
///
/// For bash: swarmgp completions bash > ~/.local/share/bash-completion/completions/swarmgp
#[derive(Debug, Args)]
pub struct Completions {
    pub shell: clap_complete::Shell,
}

/// Write manual pages, one for each command
#[derive(Debug, Args)]
pub struct Man {
    /// Where to write them: swarmgp.1, swarmgp-verify.1, …
    pub directory: PathBuf,
}

/// What `-D` and `-U` are given.
fn definition(text: &str) -> Result<String, String> {
    let (name, _) = text.split_once('=').unwrap_or((text, ""));
    if is_macro(name) { Ok(text.into()) } else { Err(format!("`{name}` cannot be the name of a macro")) }
}

fn searches() -> impl clap::builder::TypedValueParser<Value = &'static Search> {
    let names = catalogue::ALL.map(|search| search.name);
    PossibleValuesParser::new(names).try_map(|name| catalogue::find(&name).ok_or("unknown search"))
}

fn provisos() -> impl clap::builder::TypedValueParser<Value = Proviso> {
    let find = |name: String| Proviso::ALL.into_iter().find(|proviso| proviso.name() == name).ok_or("unknown proviso");
    PossibleValuesParser::new(Proviso::ALL.map(Proviso::name)).try_map(find)
}

fn heuristics() -> impl clap::builder::TypedValueParser<Value = Heuristic> {
    named_heuristics(|heuristic| !heuristic.needs_target())
}

fn back_heuristics() -> impl clap::builder::TypedValueParser<Value = Heuristic> {
    named_heuristics(Heuristic::needs_target)
}

fn named_heuristics(wanted: fn(Heuristic) -> bool) -> impl clap::builder::TypedValueParser<Value = Heuristic> {
    let known: Vec<Heuristic> = Heuristic::ALL.into_iter().filter(|&heuristic| wanted(heuristic)).collect();
    let names: Vec<&'static str> = known.iter().map(|heuristic| heuristic.name()).collect();
    let find = move |name: String| known.iter().copied().find(|heuristic| heuristic.name() == name);
    PossibleValuesParser::new(names).try_map(move |name| find(name).ok_or("unknown heuristic"))
}
