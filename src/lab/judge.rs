//! Which differences between searches are no chance.
//!
//! A search by chance against another one: Mann–Whitney; against a search that gives the same result each time: one-sample Wilcoxon;
//! more than two searches by chance together: Kruskal–Wallis. Two searches without chance need no test. The p-values of a metric are
//! corrected together (Holm). How often searches come to a verdict: equivalence of proportions. See [`super::stats`].

use super::job::Chance;
use super::metric::Metric;
use super::stats::{
    HitRate, LEVEL, Magnitude, Margin, Tested, a12, equivalent, holm, kruskal_wallis, mann_whitney, wilcoxon,
};
use super::study::{Case, Series};
use crate::report::figures::counted;

/// Everything that was tested about a case.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    pub metrics: Vec<Judged>,
    /// Which searches come to a verdict equally often.
    pub rates: Vec<Pair>,
}

/// The tests of a metric.
#[derive(Clone, Debug)]
pub struct Judged {
    pub metric: Metric,
    /// Of all searches by chance, if there are more than two.
    pub overall: Option<Tested>,
    pub pairs: Vec<Pair>,
}

/// Two searches.
#[derive(Clone, Debug)]
pub struct Pair {
    pub first: String,
    pub second: String,
    pub test: Test,
    pub tested: Tested,
    /// The p-value after Holm's correction.
    pub adjusted: Option<f64>,
    /// The probability that the first has the larger value.
    pub effect: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    MannWhitney,
    Wilcoxon,
    Equivalence,
}

impl Test {
    pub fn name(self) -> &'static str {
        match self {
            Test::MannWhitney => "Mann–Whitney",
            Test::Wilcoxon => "Wilcoxon",
            Test::Equivalence => "Westlake–Schuirmann",
        }
    }

    /// Runs with the very value that they are compared with say nothing.
    fn kind_of_runs(self) -> &'static str {
        if self == Test::Wilcoxon { " that differ" } else { "" }
    }
}

pub fn judge(case: &Case) -> Judgement {
    let metrics =
        Metric::ALL.into_iter().map(|metric| of_metric(case, metric)).filter(|judged| !judged.pairs.is_empty());
    let mut judgement = Judgement { metrics: metrics.collect(), rates: Vec::new() };
    for (first, second) in pairs(&case.series) {
        let by_chance = first.is_by_chance() && second.is_by_chance();
        let rates = rate(first).zip(rate(second)).filter(|_| by_chance);
        judgement.rates.extend(rates.map(|(one, other)| Pair {
            first: first.search.clone(),
            second: second.search.clone(),
            test: Test::Equivalence,
            tested: equivalent(one, other, Margin::default()),
            adjusted: None,
            effect: None,
        }));
    }
    correct(&mut judgement.rates);
    judgement
}

pub fn rate(series: &Series) -> Option<HitRate> {
    HitRate::new(series.hits(), series.records.len())
}

fn of_metric(case: &Case, metric: Metric) -> Judged {
    let mut all: Vec<Pair> = pairs(&case.series).filter_map(|(first, second)| pair(first, second, metric)).collect();
    correct(&mut all);
    let by_chance = case.series.iter().filter(|series| series.is_by_chance()).map(|series| series.values(metric));
    let samples: Vec<Vec<f64>> = by_chance.filter(|values| !values.is_empty()).collect();
    Judged { metric, overall: (samples.len() > 2).then(|| kruskal_wallis(&samples)), pairs: all }
}

fn pairs(series: &[Series]) -> impl Iterator<Item = (&Series, &Series)> {
    series.iter().enumerate().flat_map(|(number, first)| series[number + 1..].iter().map(move |second| (first, second)))
}

fn pair(first: &Series, second: &Series, metric: Metric) -> Option<Pair> {
    let (one, other) = (first.values(metric), second.values(metric));
    if one.is_empty() || other.is_empty() {
        return None;
    }
    let (test, tested) = match (first.is_by_chance(), second.is_by_chance()) {
        (true, true) => (Test::MannWhitney, mann_whitney(&one, &other)),
        (true, false) => (Test::Wilcoxon, wilcoxon(&one, other[0])),
        (false, true) => (Test::Wilcoxon, wilcoxon(&other, one[0])),
        (false, false) => return None,
    };
    let (first, second) = (first.search.clone(), second.search.clone());
    Some(Pair { first, second, test, tested, adjusted: None, effect: a12(&one, &other) })
}

/// Holm's correction of all that have a p-value.
fn correct(pairs: &mut [Pair]) {
    let known: Vec<f64> = pairs.iter().filter_map(|pair| pair.tested.p()).collect();
    let mut adjusted = holm(&known).into_iter();
    for pair in pairs.iter_mut().filter(|pair| pair.tested.p().is_some()) {
        pair.adjusted = adjusted.next();
    }
}

impl Series {
    pub fn is_by_chance(&self) -> bool {
        self.chance != Chance::Never
    }
}

impl Pair {
    /// If there were too few.
    fn needed_runs(&self) -> Option<usize> {
        match self.tested {
            Tested::TooFew { need } => Some(need),
            _ => None,
        }
    }

    pub fn is_significant(&self) -> bool {
        self.adjusted.is_some_and(|p| p < LEVEL)
    }

    /// Two searches and what is between them: `<` has less, `=` is shown to be equal, `~` nothing was shown, `?` there is no telling.
    pub fn shown(&self) -> (&str, &'static str, &str) {
        let (first, second) = (self.first.as_str(), self.second.as_str());
        match (self.tested, self.test) {
            (Tested::TooFew { .. } | Tested::NotFinite, _) => (first, "?", second),
            (Tested::Alike, _) => (first, "=", second),
            (Tested::P { .. }, _) if !self.is_significant() => (first, "~", second),
            (Tested::P { .. }, Test::Equivalence) => (first, "=", second),
            (Tested::P { .. }, _) if self.effect.is_some_and(|effect| effect < 0.5) => (first, "<", second),
            (Tested::P { .. }, _) => (second, "<", first),
        }
    }

    /// The p-value, or why there is none.
    pub fn grounds(&self) -> String {
        match self.tested {
            Tested::TooFew { need } => format!("too few runs: {need}{} are needed", self.test.kind_of_runs()),
            Tested::Alike => "all are equal".into(),
            Tested::NotFinite => "no numbers".into(),
            Tested::P { .. } => self.p(),
        }
    }

    fn p(&self) -> String {
        shown_p(self.adjusted.unwrap_or(1.0))
    }

    /// A12 and what it means, for two samples; where one of them is a single value, the test says it all.
    pub fn magnitude(&self) -> String {
        let Some(effect) = self.effect.filter(|_| self.test == Test::MannWhitney) else { return String::new() };
        format!("{:.2}, {}", effect.max(1.0 - effect), magnitude_name(effect))
    }
}

fn magnitude_name(effect: f64) -> &'static str {
    match Magnitude::of(effect) {
        Magnitude::Negligible => "negligible",
        Magnitude::Small => "small",
        Magnitude::Medium => "medium",
        Magnitude::Large => "large",
    }
}

impl Judgement {
    /// One line for each metric.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for Judged { metric, overall, pairs } in &self.metrics {
            let together = overall.and_then(Tested::p).map(|p| format!("all together {} (Kruskal–Wallis)", shown_p(p)));
            let parts: Vec<String> = together.into_iter().chain(told(pairs)).collect();
            lines.push(format!("{}: {}", metric.title(), parts.join("; ")));
        }
        if !self.rates.is_empty() {
            lines.push(format!("verdicts: {}", told(&self.rates).join("; ")));
        }
        lines
    }
}

/// What was shown, search by search, and about how many pairs nothing was.
fn told(pairs: &[Pair]) -> Vec<String> {
    let mut shown: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    let mut most: f64 = 0.0;
    for pair in pairs.iter().filter(|pair| pair.is_significant()) {
        let (one, sign, other) = pair.shown();
        match shown.iter_mut().find(|(known, same, _)| (*known, *same) == (one, sign)) {
            Some((_, _, others)) => others.push(other),
            None => shown.push((one, sign, vec![other])),
        }
        most = most.max(pair.adjusted.unwrap_or(0.0));
    }
    let mut parts: Vec<String> =
        shown.iter().map(|(one, sign, others)| format!("{one} {sign} {}", others.join(", "))).collect();
    if let Some(last) = parts.last_mut() {
        last.push_str(&format!(" ({})", shown_p(most).replace('=', "≤")));
    }
    let open = pairs.iter().filter(|pair| pair.tested.p().is_some() && !pair.is_significant());
    parts.extend(open.map(|pair| format!("{} ~ {} ({})", pair.first, pair.second, pair.p())));
    let alike = pairs.iter().filter(|pair| pair.tested == Tested::Alike);
    parts.extend(alike.map(|pair| format!("{} = {}, always", pair.first, pair.second)));
    for test in [Test::MannWhitney, Test::Wilcoxon, Test::Equivalence] {
        let few: Vec<usize> = pairs.iter().filter(|pair| pair.test == test).filter_map(Pair::needed_runs).collect();
        if let Some(need) = few.iter().max() {
            let pairs = counted(few.len() as u64, "pair");
            parts
                .push(format!("too few runs to tell about {pairs}: at least {need}{} are needed", test.kind_of_runs()));
        }
    }
    parts
}

fn shown_p(p: f64) -> String {
    if p < 0.001 { "p < 0.001".into() } else { format!("p = {p:.3}") }
}

/// How lines are to be read.
pub const KEY: &str = "a < b: a has less; a ~ b: no difference was shown; a = b: they are equal. p-values are corrected (Holm) and those of \
     Mann–Whitney's test, of Wilcoxon's where one search does not depend on chance, of Westlake and Schuirmann's for verdicts \
     (= within 25 points)";
