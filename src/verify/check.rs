//! The front door: from a text to answers.

use super::clock::Clock;
use super::confirm::{confirm, excuse};
use super::patience::{Others, Patience};
use super::properties::{Asked, Question};
use super::request::{Refusal, Request, Unwatched};
use super::run::Attempts;
use super::task::Task;
use crate::load::{self, Loaded};
use crate::machine::Instant;
use crate::program::Program;
use crate::reduce::Reductions;
use crate::search::Plan;
use crate::search::catalogue::{AUTO, Search};
use crate::search::swarm::MOST_THREADS;
use crate::search::{Config, Proviso, Report, Verdict};
use crate::source::Source;
use crate::syntax::preprocess::Options;
use crate::system::Cutoff;
use crate::trail::origin::{Origin, Violated};
use crate::trail::write::write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A model, what is asked about it, and how it is searched.
///
/// ```
/// use swarmgp::verify::Check;
///
/// let answers = Check::of("byte x; active proctype P() { x = 1; assert(x == 2) }").answers()?;
/// assert!(answers[0].is_violated());
/// # Ok::<(), swarmgp::verify::Refusal>(())
/// ```
#[derive(Clone)]
pub struct Check {
    source: Source,
    options: Options,
    asked: Option<Subject>,
    request: Request,
    search: &'static Search,
    parameters: Vec<String>,
    seed: u64,
    threads: usize,
    reduce: Reductions,
    proviso: Option<Proviso>,
    stop: Arc<AtomicBool>,
}

/// What is asked, unless it is everything.
#[derive(Clone)]
enum Subject {
    Property(String),
    Formula(String),
}

/// What is known about one property.
#[derive(Clone, Debug)]
pub struct Answer {
    /// By its name.
    pub property: String,
    /// A violation in it has been executed again, and is one.
    pub report: Report,
    /// The run of the violation in SPIN's format.
    pub trail: Option<String>,
    /// What the steps of the report's witness are steps of.
    pub model: Arc<Loaded<Program>>,
}

impl Answer {
    /// The verdict of the report: the property holds, is violated, or neither is known.
    pub fn verdict(&self) -> &Verdict {
        &self.report.verdict
    }

    /// The property holds.
    pub fn holds(&self) -> bool {
        matches!(self.report.verdict, Verdict::Holds)
    }

    /// The property is violated. The run has been executed again to confirm it.
    pub fn is_violated(&self) -> bool {
        matches!(self.report.verdict, Verdict::Violated(_))
    }
}

impl Check {
    /// Everything that the model of this text states.
    pub fn of(text: &str) -> Check {
        Check::source(Source::new("model", text))
    }

    /// Everything that the model in a file states.
    pub fn file(path: &Path) -> Result<Check, Refusal> {
        Ok(Check::source(load::read(path)?))
    }

    fn source(source: Source) -> Check {
        Check {
            source,
            options: Options::default(),
            asked: None,
            request: Request::default(),
            search: &AUTO,
            parameters: Vec::new(),
            seed: 1,
            threads: 1,
            reduce: Reductions::NONE,
            proviso: None,
            stop: Arc::default(),
        }
    }

    /// Sets a macro: `NAME=VALUE`.
    pub fn define(mut self, macro_: &str) -> Check {
        self.options.define(macro_);
        self
    }

    /// Only this property: safety, ltl:NAME, never, never:NAME, acceptance or progress.
    pub fn property(mut self, name: &str) -> Check {
        self.asked = Some(Subject::Property(name.into()));
        self
    }

    /// Only that every run satisfies this formula.
    pub fn formula(mut self, formula: &str) -> Check {
        self.asked = Some(Subject::Formula(formula.into()));
        self
    }

    /// How to search: a row of the catalogue, or one of your own. Without it: `auto`. Where everything is checked, properties that it cannot
    /// check are searched as usual.
    pub fn search(mut self, search: &'static Search) -> Check {
        self.search = search;
        self
    }

    /// Sets a parameter of the search: `NAME=VALUE`, as on the command line. Where several properties are checked, it is for those that the
    /// search checks.
    pub fn parameter(mut self, assignment: &str) -> Check {
        self.parameters.push(assignment.into());
        self
    }

    /// The seed of searches that depend on chance. Without it: 1.
    pub fn seed(mut self, seed: u64) -> Check {
        self.seed = seed;
        self
    }

    /// Workers of parallel searches, 1 to 56. Without it: one.
    pub fn threads(mut self, threads: usize) -> Check {
        self.threads = threads.clamp(1, MOST_THREADS);
        self
    }

    /// What counts, and the limits.
    pub fn request(mut self, request: Request) -> Check {
        self.request = request;
        self
    }

    /// What is reduced. Without it: nothing, but `auto` goes on with a reduced search where there are more than half a million states.
    pub fn reduce(mut self, reduce: Reductions) -> Check {
        self.reduce = reduce;
        self
    }

    /// Which states a reduced search explores completely all the same, if not the usual ones.
    pub fn proviso(mut self, proviso: Proviso) -> Check {
        self.proviso = Some(proviso);
        self
    }

    /// A flag that ends all searches when it is set.
    pub fn stop(mut self, stop: Arc<AtomicBool>) -> Check {
        self.stop = stop;
        self
    }

    /// Checks the properties one after the other.
    pub fn answers(&self) -> Result<Vec<Answer>, Refusal> {
        load::on_deep_stack(|| self.check()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    fn check(&self) -> Result<Vec<Answer>, Refusal> {
        let question = match &self.asked {
            None => Question::Everything,
            Some(Subject::Property(name)) => Question::Property(name),
            Some(Subject::Formula(formula)) => Question::Formula(formula),
        };
        let started = Instant::now();
        let (source, automaton) = question.added_to(self.source.clone())?;
        let loaded = Arc::new(load::program(source, &self.options)?);
        let others = if self.asked.is_some() { Others::Nothing } else { Others::Properties };
        let patience = Patience::new(self.request.limits, others, (started, &self.stop));
        let Asked { tasks, refused } = question.tasks(&loaded, automaton, &patience)?;
        if let Some(refused) = refused.into_iter().next() {
            return Err(refused.refusal(&loaded.sources));
        }
        let left = (0..tasks.len()).rev();
        let clock = |left: usize| Clock::for_next(self.request.limits.time, started, left + 1, &self.stop);
        tasks.iter().zip(left).map(|(task, left)| self.answer(&loaded, task, clock(left))).collect()
    }

    fn answer(&self, loaded: &Arc<Loaded<Program>>, task: &Task, clock: Clock) -> Result<Answer, Refusal> {
        let search = match self.search {
            search if task.kind.allows(search) => search,
            // one of all properties that the search cannot check is searched as usual
            _ if self.asked.is_none() => task.kind.exhaustive(),
            search => return Err(Refusal::Unfit(format!("{} cannot check {}", search.name, task.property))),
        };
        let (reduce, proviso) = (self.reduce, self.proviso);
        let config = Config { threads: self.threads, reduce, proviso, ..Config::of(search) };
        let mut plan = Plan { config, seed: self.seed, ..Plan::usual(search, task.kind.aim(&loaded.it)) };
        if search == self.search {
            let set = search.set(&mut plan.knobs, &self.parameters);
            set.map_err(|why| Refusal::Unfit(format!("{}: {why}", search.name)))?;
        }
        let attempts = Attempts { request: &self.request, program: &loaded.it, task, plan: &plan };
        let mut runs = attempts.search(clock, &Unwatched)?;
        let mut report = runs.swap_remove(0).report;
        let trail = self.confirmed(loaded, task, clock, &mut report)?;
        Ok(Answer { property: task.property.clone(), report, trail, model: loaded.clone() })
    }

    /// Executes what was found again; takes back what is no run, and gives the trail of what is one.
    fn confirmed(
        &self,
        loaded: &Loaded<Program>,
        task: &Task,
        clock: Clock,
        report: &mut Report,
    ) -> Result<Option<String>, Refusal> {
        report.keep_first();
        let Verdict::Violated(finding) = &report.verdict else { return Ok(None) };
        let cutoff = Cutoff::new(vec![self.stop.clone()], clock.started, clock.time, None).with_grace();
        match confirm(&self.request, &loaded.it, &task.kind, finding, &cutoff, &mut |_, _| {}) {
            Ok(replayed) => {
                let violated = match &self.asked {
                    Some(Subject::Formula(formula)) => Violated::Formula(formula.clone()),
                    _ => Violated::Property(task.property.clone()),
                };
                let origin = Origin { violated, options: Vec::new(), model: loaded.sources.fingerprint() };
                Ok(Some(write(&loaded.it, &finding.witness, replayed.failed, &origin)))
            }
            Err(unconfirmed) => match excuse(&loaded.it, &cutoff) {
                Some(reason) => {
                    report.retract(reason);
                    report.name_shares_of(self.request.limits.time);
                    Ok(None)
                }
                None => Err(Refusal::Broken(unconfirmed.message(&loaded.it, &loaded.sources, finding))),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use crate::search::catalogue::{BEAM, BFS, PATH_GA, PBFS, SCC};

    const MODEL: &str =
        "byte x; active proctype P() { do :: x = 1 - x od } ltl up { []<>(x == 1) } ltl one { [](x == 1) }";

    #[test]
    fn everything_that_a_model_states_is_checked() {
        let answers = Check::of(MODEL).answers().expect("a model");
        let all: Vec<(&str, bool)> = answers.iter().map(|answer| (&*answer.property, answer.holds())).collect();
        assert_eq!(all, [("safety", true), ("ltl:up", true), ("ltl:one", false)]);
        assert!(answers[2].trail.as_ref().is_some_and(|trail| !trail.is_empty()));
    }

    #[test]
    fn a_search_that_cannot_check_a_property_is_not_used_for_it() {
        let answers = Check::of(MODEL).search(&SCC).answers().expect("a model");
        let names: Vec<&str> = answers.iter().map(|answer| answer.report.search.name).collect();
        assert_eq!(names, [BFS.name, "scc", "scc"]);
    }

    #[test]
    fn parameters_are_set_by_name() {
        let model = "byte x; active proctype P() { end: do :: x < 5 -> x++ :: x < 5 -> x = x + 2 od }";
        let check = Check::of(model).property("safety").search(&BEAM);
        assert!(check.answers().expect("a model")[0].holds());
        let narrow = check.clone().parameter("width=1").answers().expect("a model");
        assert!(!narrow[0].holds(), "a level has two states");
        let ga = Check::of(model).property("safety").search(&PATH_GA).parameter("population=1000000");
        let many = ga.clone().answers();
        assert!(matches!(many, Err(Refusal::Unfit(why)) if why.contains("population × depth")));
        let request = Request { limits: Limits { evaluations: Some(10), ..Limits::default() }, ..Request::default() };
        assert!(ga.parameter("depth=10").request(request).answers().is_ok(), "together they are not too much");
        let wrong = check.parameter("width=0").answers();
        assert!(matches!(wrong, Err(Refusal::Unfit(why)) if why.starts_with("beam: width is a whole number")));
    }

    #[test]
    fn nothing_else_is_done_than_what_was_asked_for() {
        let alone = Check::of(MODEL).property("safety").search(&SCC).answers();
        assert!(matches!(alone, Err(Refusal::Unfit(why)) if why == "scc cannot check safety"));
        let hidden = Check::of("hidden byte h; byte x; active proctype P() { h = 1; x = h }");
        let many = hidden.property("safety").search(&PBFS).threads(1000).answers();
        assert!(matches!(many, Err(Refusal::Unfit(why)) if why.contains("hidden variables")));
        let answers = Check::of(MODEL).property("safety").search(&PBFS).threads(1000).answers().expect("a model");
        assert_eq!(answers[0].report.threads, Some(MOST_THREADS));
    }

    #[test]
    fn errors_are_told() {
        assert!(matches!(Check::of("proctyp P() {}").answers(), Err(Refusal::Refused(_))));
        assert!(matches!(Check::of(MODEL).property("ltl:no").answers(), Err(Refusal::Unfit(_))));
        assert!(matches!(Check::of(MODEL).formula("[] (x == ").answers(), Err(Refusal::Refused(_))));
    }

    #[test]
    fn limits_give_a_reason() {
        let limits = crate::search::Limits { max_states: Some(1), ..Default::default() };
        let request = Request { limits, ..Request::default() };
        let answers = Check::of(MODEL).property("ltl:up").request(request).search(&SCC).answers().expect("a model");
        assert!(matches!(answers[0].verdict(), Verdict::Inconclusive(_)), "{:?}", answers[0].verdict());
    }
}
