//! What is to be run: one search on one case, with one seed.

pub use crate::search::catalogue::Chance;
use crate::search::catalogue::{self, Search, Workers};
pub use crate::search::seed::derived;
use serde::{Deserialize, Serialize};

/// Runs of one search, and of all searches on all cases together.
pub const MOST_RUNS: u64 = 100_000;
pub const MOST_IN_ALL: u64 = 1_000_000;

/// Refuses more runs than anyone can wait for, before there is a list of them.
pub fn check_number<'c>(contenders: impl IntoIterator<Item = &'c Contender>) -> Result<(), String> {
    match contenders.into_iter().fold(0, |all: u64, one| all.saturating_add(one.planned())) {
        0..=MOST_IN_ALL => Ok(()),
        runs => Err(format!("these are {runs} runs in all, and there can be at most {MOST_IN_ALL}")),
    }
}

/// A run that is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    pub key: Key,
    /// What `swarmgp verify` is told; the whole run follows from it and the model.
    pub args: Vec<String>,
    /// A fingerprint of the model, with everything that is part of it; empty until the model is read.
    pub model: String,
}

impl Job {
    /// What `verify` is told besides, on which only times depend: individuals of a generation are not evaluated by several threads unless
    /// the search is told to do so.
    pub fn aside(&self) -> &'static [&'static str] {
        let name = self.args.iter().skip_while(|&word| word != "--search").nth(1);
        let search = name.and_then(|name| catalogue::find(name));
        let is_told = self.args.iter().any(|word| is_option(word, "--threads"));
        if search.is_some_and(|search| search.workers == Workers::Generation) && !is_told {
            &["--threads", "1"]
        } else {
            &[]
        }
    }

    /// The case and the search, which it has in common with other runs.
    pub fn row(&self) -> (&str, &str) {
        (&self.key.case, &self.key.search)
    }

    /// What tells it from other jobs, also those of other times.
    pub fn id(&self) -> (&Key, &[String], &str) {
        (&self.key, &self.args, &self.model)
    }
}

/// Which run of an experiment this is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// The model with its parameters and the property, as the experiment calls it.
    pub case: String,
    /// The search with its parameters, as the experiment calls it.
    pub search: String,
    /// From 1.
    pub run: u64,
    pub seed: Option<u64>,
}

/// A search in a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contender {
    /// As tables call it.
    pub name: String,
    /// As it was written, without a name.
    written: String,
    /// `--search` with its value, and options that are for this search alone.
    pub args: Vec<String>,
    pub search: &'static Search,
    /// Number of runs, if it depends on chance.
    pub runs: u64,
}

/// The runs of a search on a case that is described by `case_args`.
pub fn jobs(case: &str, case_args: &[String], contender: &Contender, seed: u64) -> Vec<Job> {
    (0..contender.planned()).map(|number| job(case, case_args, contender, seed, number)).collect()
}

fn job(case: &str, case_args: &[String], contender: &Contender, seed: u64, number: u64) -> Job {
    let seed = (contender.chance() == Chance::Seeded).then(|| derived(seed, number));
    let mut args = [case_args, &contender.args].concat();
    args.extend(seed.iter().flat_map(|seed| ["--seed".into(), seed.to_string()]));
    Job {
        key: Key { case: case.into(), search: contender.name.clone(), run: number + 1, seed },
        args,
        model: String::new(),
    }
}

/// One more run of the first seed, of a search that goes on round by round: how it comes along is written down, and it does not count.
pub fn traced(case: &str, case_args: &[String], contender: &Contender, seed: u64) -> Option<Job> {
    contender.search.has_rounds().then(|| {
        let mut job = job(case, case_args, contender, seed, 0);
        job.key.run = TRACED;
        job.args.push("--trace-run".into());
        job
    })
}

/// The number of a run that does not count.
pub const TRACED: u64 = 0;

impl Contender {
    /// From the text of an option: the name of a search, then options that are for it alone, such as `aco-live --scc off`; before it
    /// may stand what tables are to call it: `plain=aco-live --scc off`.
    pub fn parse(text: &str, runs: u64) -> Result<Contender, String> {
        let mut words = shlex::split(text).ok_or_else(|| format!("`{text}`: a quotation mark is missing"))?;
        let named = words.first().and_then(|first| first.split_once('='));
        let named = named.map(|(name, search)| (name.to_string(), search.to_string()));
        if let Some((_, search)) = &named {
            words[0].clone_from(search);
        }
        let Some((name, options)) = words.split_first() else { return Err("the name of a search is missing".into()) };
        let search = catalogue::find(name).ok_or_else(|| {
            let names = catalogue::ALL.map(|search| search.name);
            let nearest = names.into_iter().min_by_key(|known| strsim::levenshtein(known, name));
            let hint = nearest.filter(|known| strsim::levenshtein(known, name) <= 2);
            let hint = hint.map_or_else(|| "see swarmgp searches".into(), |known| format!("did you mean {known}?"));
            format!("there is no search `{name}`: {hint}")
        })?;
        if let Some(option) = options.iter().find(|option| OF_ALL.iter().any(|name| is_option(option, name))) {
            return Err(format!("`{text}`: {option} is not for a single search"));
        }
        let args = ["--search".into(), name.clone()].into_iter().chain(options.iter().cloned()).collect();
        let mut contender = Contender { name: words.join(" "), written: words.join(" "), args, search, runs };
        match named {
            Some((name, _)) => contender.rename(&name).map(|()| contender),
            None => Ok(contender),
        }
    }

    /// Gives it a name for tables. A name of its own is not changed, and that of another search would mislead.
    pub fn rename(&mut self, name: &str) -> Result<(), String> {
        if name.trim().is_empty() {
            return Err(format!("the name of `{}` is empty", self.written));
        }
        if self.name != self.written {
            return Err(format!("`{}` has two names: {} and {name}", self.written, self.name));
        }
        let other = catalogue::find(name).filter(|&other| other != self.search);
        if other.is_some() {
            return Err(format!("`{}` cannot be called {name}, which is another search", self.written));
        }
        self.name = name.into();
        Ok(())
    }

    /// How many threads it is told to use.
    pub fn threads(&self) -> Option<u64> {
        let value = |words: &[String]| match words {
            [option, value] if option == "--threads" => value.parse().ok(),
            [.., last] => last.strip_prefix("--threads=")?.parse().ok(),
            [] => None,
        };
        self.args.windows(2).find_map(value)
    }

    pub fn chance(&self) -> Chance {
        self.search.chance
    }

    /// How often it is run.
    pub fn planned(&self) -> u64 {
        if self.chance() == Chance::Never { 1 } else { self.runs }
    }
}

/// Options of `verify` that are those of a whole comparison: what is asked, and how a run is measured.
const OF_ALL: [&str; 20] = [
    "--lossy",
    "-D",
    "-U",
    "-I",
    "--property",
    "--ltl",
    "--never",
    "--automaton",
    "--weak-fairness",
    "--check-channels-empty",
    "--no-assertions",
    "--no-end-states",
    "--seed",
    "--runs",
    "--json",
    "--trail",
    "--no-trail",
    "--peak-memory",
    "--trace-run",
    "--search",
];

/// `--name` or `--name=value`; `-N` or `-Nvalue`.
fn is_option(text: &str, name: &str) -> bool {
    let is_short = !name.starts_with("--");
    text.strip_prefix(name).is_some_and(|rest| is_short || rest.is_empty() || rest.starts_with('='))
}

/// The parts between commas; commas in quotation marks do not count.
pub fn listed(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut quoted = None;
    for c in text.chars() {
        match (c, quoted) {
            (',', None) => {
                parts.push(String::new());
                continue;
            }
            ('\'' | '"', None) => quoted = Some(c),
            (_, Some(mark)) if mark == c => quoted = None,
            _ => {}
        }
        parts.last_mut().into_iter().for_each(|part| part.push(c));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contenders() {
        let parse = |text| Contender::parse(text, 5);
        let ants = parse("aco-live --scc off --set 'ants=3'").unwrap();
        assert_eq!(ants.args, ["--search", "aco-live", "--scc", "off", "--set", "ants=3"]);
        assert_eq!((ants.name.as_str(), ants.chance()), ("aco-live --scc off --set ants=3", Chance::Seeded));
        assert_eq!(parse("ndfs").unwrap().chance(), Chance::Never);
        assert_eq!(parse("swarm --threads 2").unwrap().chance(), Chance::Unseeded);
        let threads = |text| parse(text).unwrap().threads();
        assert_eq!(["swarm", "swarm --threads 2", "rdkp --threads=8"].map(threads), [None, Some(2), Some(8)]);
        let why = |text| parse(text).unwrap_err();
        assert_eq!(why(""), "the name of a search is missing");
        assert_eq!(why("ndsf"), "there is no search `ndsf`: did you mean ndfs?");
        assert_eq!(why("simulated-annealing"), "there is no search `simulated-annealing`: see swarmgp searches");
        assert_eq!(why("gega --seed=3"), "`gega --seed=3`: --seed=3 is not for a single search");
        assert!(why("ndfs --weak-fairness").contains("--weak-fairness is not for a single search"));
        assert!(why("ndfs -DN=3").contains("-DN=3 is not for a single search"));
        assert_eq!(why("gega 'a"), "`gega 'a`: a quotation mark is missing");
        let fast = parse("fast=aco-live --set tries=50").unwrap();
        assert_eq!(
            (fast.name.as_str(), &fast.args[1..]),
            ("fast", &["aco-live", "--set", "tries=50"].map(String::from)[..])
        );
        assert_eq!(parse("\"my ants\"=aco").unwrap().name, "my ants");
        assert_eq!(why("bfs=dfs"), "`dfs` cannot be called bfs, which is another search");
        assert_eq!(why("=dfs"), "the name of `dfs` is empty");
    }

    #[test]
    fn commas_in_quotation_marks() {
        assert_eq!(listed("a,b --c 'd,e',\"f,'g\""), ["a", "b --c 'd,e'", "\"f,'g\""]);
        assert_eq!(listed(""), [""]);
    }

    #[test]
    fn one_run_is_traced_and_does_not_count() {
        let job = |text| traced("m", &[], &Contender::parse(text, 3).unwrap(), 7);
        let ants = job("aco").unwrap();
        assert_eq!((ants.key.run, ants.key.seed, ants.args[4].as_str()), (TRACED, Some(7), "--trace-run"));
        assert!(job("bfs").is_none() && job("random-walk").is_none());
    }

    #[test]
    fn each_run_has_its_seed() {
        let case = ["m.pml".to_string()];
        let all = jobs("m", &case, &Contender::parse("gega", 3).unwrap(), 7);
        let seeds: Vec<Option<u64>> = all.iter().map(|job| job.key.seed).collect();
        assert_eq!(seeds, [Some(7), Some(derived(7, 1)), Some(derived(7, 2))]);
        assert_eq!(all[0].args, ["m.pml", "--search", "gega", "--seed", "7"]);
        assert_eq!(all[0].aside(), ["--threads", "1"]);
        let own = jobs("m", &case, &Contender::parse("gega --threads 2", 1).unwrap(), 7);
        assert!(own[0].aside().is_empty());
        assert!(jobs("m", &case, &Contender::parse("aco", 1).unwrap(), 7)[0].aside().is_empty());
        assert_eq!(jobs("m", &case, &Contender::parse("bfs", 3).unwrap(), 7).len(), 1);
        assert_eq!(jobs("m", &case, &Contender::parse("cndfs", 3).unwrap(), 7).len(), 3);
    }
}
