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
    pub fn is_significant(&self) -> bool {
        self.adjusted.is_some_and(|p| p < LEVEL)
    }

    /// In a few characters: `a < b`, or `a ~ b` where no difference was shown; `a = b` where equality was.
    pub fn says(&self) -> String {
        let (first, second) = (&self.first, &self.second);
        match (self.tested, self.test) {
            (Tested::TooFew { need }, _) => format!("{first} ? {second} (too few runs to tell: {need} are needed)"),
            (Tested::Alike, _) => format!("{first} = {second} (always)"),
            (Tested::NotFinite, _) => format!("{first} ? {second} (no numbers)"),
            (Tested::P { .. }, Test::Equivalence) if self.is_significant() => {
                format!("{first} = {second} ({})", self.p())
            }
            (Tested::P { .. }, _) if !self.is_significant() => format!("{first} ~ {second} ({})", self.p()),
            (Tested::P { .. }, _) => {
                let first_is_less = self.effect.is_some_and(|effect| effect < 0.5);
                let (less, more) = if first_is_less { (first, second) } else { (second, first) };
                format!("{less} < {more} ({}{})", self.p(), self.magnitude())
            }
        }
    }

    fn p(&self) -> String {
        match self.adjusted {
            Some(p) if p < 0.001 => "p < 0.001".into(),
            p => format!("p = {:.3}", p.unwrap_or(1.0)),
        }
    }

    /// A12 of two samples; where one of them is a single value, the test says it all.
    fn magnitude(&self) -> String {
        let Some(effect) = self.effect.filter(|_| self.test == Test::MannWhitney) else { return String::new() };
        format!(", A12 = {:.2}, {}", effect.max(1.0 - effect), magnitude_name(effect))
    }
}

pub fn magnitude_name(effect: f64) -> &'static str {
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
            let together = overall.iter().filter_map(|tested| match tested {
                Tested::P { statistic, p } if *p < 0.001 => Some(format!("all together H = {statistic:.2}, p < 0.001")),
                Tested::P { statistic, p } => Some(format!("all together H = {statistic:.2}, p = {p:.3}")),
                _ => None,
            });
            let parts: Vec<String> = together.chain(told(pairs)).collect();
            lines.push(format!("{}: {}", metric.title(), parts.join("; ")));
        }
        if !self.rates.is_empty() {
            lines.push(format!("how often there is a verdict: {}", told(&self.rates).join("; ")));
        }
        lines
    }
}

/// Every pair; those with too few runs together.
fn told(pairs: &[Pair]) -> Vec<String> {
    let needs = |pair: &Pair| match pair.tested {
        Tested::TooFew { need } => Some(need),
        _ => None,
    };
    let few: Vec<usize> = pairs.iter().filter_map(needs).collect();
    if few.len() < 2 {
        return pairs.iter().map(Pair::says).collect();
    }
    let others = pairs.iter().filter(|pair| needs(pair).is_none()).map(Pair::says);
    let need = few.iter().max().copied().unwrap_or_default();
    others.chain([format!("{} pairs: too few runs to tell, {need} are needed", few.len())]).collect()
}

/// How lines are to be read.
pub const KEY: &str = "a < b: a has less, a ~ b: no difference shown, a = b: shown to be equal; p is corrected (Holm), of Mann–Whitney's test, \
     of Wilcoxon's where one search does not depend on chance, of Westlake and Schuirmann's for verdicts (within 25 points)";
