//! Which differences between searches are statistically significant.
//!
//! A search by chance against another one: Mann–Whitney; against a search that gives the same result each time: one-sample Wilcoxon;
//! more than two searches by chance together: Kruskal–Wallis. Two searches without chance need no test. Times and memory differ from run to
//! run even then: a single one of them is compared with nothing. The p-values of a metric are corrected together (Holm). How often
//! searches come to a verdict: equivalence of proportions. See [`super::stats`].

use super::job::Chance;
use super::metric::Metric;
use super::stats::{
    HitRate, LEVEL, Magnitude, Margin, Tested, a12, equivalent, holm, kruskal_wallis, mann_whitney,
    smallest_mann_whitney_p, smallest_wilcoxon_p, wilcoxon,
};
use super::study::{Case, Series};
use crate::report::figures::counted;
use std::borrow::Cow;

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
    /// No outcome of so few runs could have a smaller p-value.
    smallest: f64,
    /// How many p-values are corrected together.
    family: usize,
    /// Which of them has less, if that is the question.
    less: Option<Side>,
    /// The probability that the first has the larger value.
    pub effect: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    First,
    Second,
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

    /// Which runs count: those with the very value that they are compared with say nothing.
    fn kind_of_runs(self) -> &'static str {
        match self {
            Test::Wilcoxon => " that differ",
            Test::MannWhitney => " with a verdict",
            Test::Equivalence => "",
        }
    }
}

pub fn judge(case: &Case) -> Judgement {
    let metrics =
        case.metrics().into_iter().map(|metric| of_metric(case, metric)).filter(|judged| !judged.pairs.is_empty());
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
            smallest: equality_of_all_hits(first.records.len(), second.records.len()),
            family: 0,
            less: None,
            effect: None,
        }));
    }
    correct(&mut judgement.rates);
    judgement
}

/// The p-value of two samples that could not be more alike.
fn equality_of_all_hits(first: usize, second: usize) -> f64 {
    let rates = HitRate::new(first, first).zip(HitRate::new(second, second));
    rates.and_then(|(one, other)| equivalent(one, other, Margin::default()).p()).unwrap_or(1.0)
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
    let effect = a12(&one, &other);
    let side = |first_is_less: bool| if first_is_less { Side::First } else { Side::Second };
    let (test, tested, smallest, less) = match (first.is_by_chance(), second.is_by_chance()) {
        (true, true) => {
            let less = effect.map(|effect| side(effect < 0.5));
            (Test::MannWhitney, mann_whitney(&one, &other), smallest_mann_whitney_p(one.len(), other.len()), less)
        }
        (false, false) => return None,
        _ if metric.is_measured() => return None,
        (true, false) => {
            let (tested, smallest, is_less) = against_value(&one, other[0]);
            (Test::Wilcoxon, tested, smallest, Some(side(is_less)))
        }
        (false, true) => {
            let (tested, smallest, is_less) = against_value(&other, one[0]);
            (Test::Wilcoxon, tested, smallest, Some(side(!is_less)))
        }
    };
    let (first, second) = (first.search.clone(), second.search.clone());
    Some(Pair { first, second, test, tested, adjusted: None, smallest, family: 0, less, effect })
}

/// Wilcoxon's test; the smallest p-value for this number of differing values; and whether the sample has less, by the
/// same ranks.
fn against_value(sample: &[f64], value: f64) -> (Tested, f64, bool) {
    let tested = wilcoxon(sample, value);
    let differing = sample.iter().filter(|&&own| own != value).count();
    let half = (differing * (differing + 1)) as f64 / 4.0;
    let is_less = matches!(tested, Tested::P { statistic, .. } if statistic < half);
    (tested, smallest_wilcoxon_p(differing), is_less)
}

/// Holm's correction of all that have a p-value.
fn correct(pairs: &mut [Pair]) {
    let known: Vec<f64> = pairs.iter().filter_map(|pair| pair.tested.p()).collect();
    let mut adjusted = holm(&known).into_iter();
    for pair in pairs.iter_mut().filter(|pair| pair.tested.p().is_some()) {
        pair.adjusted = adjusted.next();
        pair.family = known.len();
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

    /// With so few runs and so many comparisons nothing could have been shown.
    fn is_hopeless(&self) -> bool {
        self.tested.p().is_some() && !self.is_significant() && self.smallest * self.family as f64 >= LEVEL
    }

    pub fn is_significant(&self) -> bool {
        self.adjusted.is_some_and(|p| p < LEVEL)
    }

    /// Two searches and what is between them: `<` has less, `=` is shown to be equal, `~` no difference was shown, `/` it was not shown
    /// that they are equal, `?` there is no telling.
    pub fn shown(&self) -> (&str, &'static str, &str) {
        let (first, second) = (self.first.as_str(), self.second.as_str());
        match (self.tested, self.test, self.less) {
            (Tested::TooFew { .. } | Tested::NotFinite, ..) => (first, "?", second),
            (Tested::Alike, ..) => (first, "=", second),
            _ if self.is_hopeless() => (first, "?", second),
            (Tested::P { .. }, Test::Equivalence, _) => (first, if self.is_significant() { "=" } else { "/" }, second),
            _ if !self.is_significant() => (first, "~", second),
            (.., Some(Side::Second)) => (second, "<", first),
            _ => (first, "<", second),
        }
    }

    /// The p-value, or why there is none.
    pub fn grounds(&self) -> String {
        match self.tested {
            Tested::TooFew { need } => format!("too few runs: {need}{} are needed", self.test.kind_of_runs()),
            Tested::Alike => "all are equal".into(),
            Tested::NotFinite => "no numbers".into(),
            Tested::P { .. } if self.is_hopeless() => format!("{}: too few runs for so many comparisons", self.p()),
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
            let together = overall.and_then(|tested| match tested {
                Tested::P { p, .. } => Some(format!("all together {} (Kruskal–Wallis)", shown_p(p))),
                Tested::TooFew { need } => {
                    Some(format!("all together: too few runs with a verdict, {need} are needed of each"))
                }
                Tested::Alike | Tested::NotFinite => None,
            });
            let parts: Vec<String> = together.into_iter().chain(told(pairs)).collect();
            lines.push(format!("{}: {}", metric.title(), parts.join("; ")));
        }
        if !self.rates.is_empty() {
            lines.push(format!("verdicts: {}", told(&self.rates).join("; ")));
        }
        lines
    }
}

/// The name of a search, so that it cannot be taken for more than one where names are listed or compared.
pub fn quoted(name: &str) -> Cow<'_, str> {
    let is_plain =
        !name.contains([',', ';', ':', '"', '<', '~', '(', ')']) && !name.contains(" = ") && !name.contains(" / ");
    if is_plain { Cow::Borrowed(name) } else { Cow::Owned(format!("{name:?}")) }
}

/// More pairs than this are only counted.
const MANY: usize = 6;

/// What was shown, search by search, and about which pairs nothing was.
fn told(pairs: &[Pair]) -> Vec<String> {
    let mut shown: Vec<(&str, &str, Vec<Cow<str>>)> = Vec::new();
    let mut most: f64 = 0.0;
    for pair in pairs.iter().filter(|pair| pair.is_significant()) {
        let (one, sign, other) = pair.shown();
        let other = quoted(other);
        match shown.iter_mut().find(|(known, same, _)| (*known, *same) == (one, sign)) {
            Some((_, _, others)) => others.push(other),
            None => shown.push((one, sign, vec![other])),
        }
        most = most.max(pair.adjusted.unwrap_or(0.0));
    }
    let mut parts: Vec<String> =
        shown.iter().map(|(one, sign, others)| format!("{} {sign} {}", quoted(one), others.join(", "))).collect();
    if let Some(last) = parts.last_mut() {
        last.push_str(&format!(" ({})", shown_p(most).replace('=', "≤")));
    }
    let open: Vec<&Pair> = pairs.iter().filter(|pair| matches!(pair.shown().1, "~" | "/")).collect();
    match open.len() {
        0..=MANY => parts.extend(open.iter().map(|pair| {
            let (one, sign, other) = pair.shown();
            format!("{} {sign} {} ({})", quoted(one), quoted(other), pair.p())
        })),
        number => parts.push(format!("nothing was shown about {number} pairs")),
    }
    let alike: Vec<&Pair> = pairs.iter().filter(|pair| pair.tested == Tested::Alike).collect();
    match alike.len() {
        0..=MANY => {
            parts.extend(alike.iter().map(|pair| format!("{} = {}, always", quoted(&pair.first), quoted(&pair.second))))
        }
        number => parts.push(format!("always the same in {number} pairs")),
    }
    let hopeless = pairs.iter().filter(|pair| pair.is_hopeless()).count();
    if hopeless > 0 {
        let pairs = counted(hopeless as u64, "pair");
        parts.push(format!("too few runs for so many comparisons to tell about {pairs}"));
    }
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
pub const KEY: &str = "a < b: a has less; a ~ b: no difference was shown; a = b: they are equal; a / b: it was not shown that they are equal. \
     p-values are corrected (Holm) and those of Mann–Whitney's test, of Wilcoxon's where one search does not depend on chance, of \
     Westlake and Schuirmann's for verdicts (= within 25 points)";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::job::{Contender, Job, Key};
    use crate::lab::record::{Outcome, Record, Used};
    use crate::lab::study::Published;

    /// One run for each number of states; with 0 states it has no verdict.
    fn series(search: &str, states: &[u64]) -> Series {
        let contender = Contender::parse(search, states.len() as u64).unwrap();
        let record = |(&states, run): (&u64, u64)| {
            let key = Key { case: "c".into(), search: search.into(), run, seed: None };
            let job = Job { key, args: Vec::new(), model: String::new() };
            let outcome = if states > 0 { Outcome::Violated } else { Outcome::Inconclusive };
            Record { outcome, states, ..Record::crashed(&job, String::new(), Used::default()) }
        };
        Series::of(&contender, Published::default(), states.iter().zip(1..).map(record))
    }

    fn lines(all: Vec<Series>) -> Vec<String> {
        judge(&Case { name: "c".into(), group: None, series: all }).lines()
    }

    fn line(all: Vec<Series>, title: &str) -> String {
        lines(all).into_iter().find(|line| line.starts_with(title)).unwrap_or_default()
    }

    #[test]
    fn names_cannot_be_taken_for_two() {
        let (few, many): (Vec<u64>, Vec<u64>) = ((1..=12).collect(), (101..=112).collect());
        let called = |name: &str, states: &[u64]| Series { search: name.into(), ..series("aco", states) };
        let all = vec![called("a, b", &few), called("c", &many), called("aco --set ants=3", &many)];
        assert!(line(all, "states").contains("\"a, b\" < c, aco --set ants=3 (p"));
    }

    #[test]
    fn who_has_less() {
        let few: Vec<u64> = (1..=12).collect();
        let many: Vec<u64> = (101..=112).collect();
        let both = line(vec![series("gega", &many), series("aco", &few)], "states");
        assert_eq!(both, "states: aco < gega (p < 0.001)");
        let single = line(vec![series("bfs", &[50]), series("aco", &few)], "states");
        assert_eq!(single, "states: aco < bfs (p < 0.001)");
        // most runs have a little more, but those with less have far less: so say the ranks, and they are tested
        let skewed: Vec<u64> = (1001..=1016).chain((0..14).map(|number| 830 - 10 * number)).collect();
        let single = line(vec![series("bfs", &[1000]), series("aco", &skewed)], "states");
        assert!(single.starts_with("states: aco < bfs (p ≤ 0.0"), "{single}");
    }

    #[test]
    fn what_differs_anyway_is_not_compared_with_a_single_run() {
        let runs: Vec<u64> = (1..=12).collect();
        let all = lines(vec![series("bfs", &[50]), series("aco", &runs)]);
        assert!(all.iter().all(|line| !line.starts_with("CPU") && !line.starts_with("MiB")), "{all:?}");
    }

    #[test]
    fn how_often() {
        let (always, never): (Vec<u64>, Vec<u64>) = ((1..=20).collect(), vec![0; 20]);
        assert_eq!(
            line(vec![series("aco", &always), series("gega", &never)], "verdicts"),
            "verdicts: aco / gega (p = 1.000)"
        );
        let equal = line(vec![series("aco", &always), series("gega", &always)], "verdicts");
        assert_eq!(equal, "verdicts: aco = gega (p < 0.001)");
    }

    #[test]
    fn too_few() {
        let all = lines(vec![series("aco", &[1, 2, 3]), series("gega", &[4, 5, 6]), series("path-ga", &[7, 8, 9])]);
        assert!(all[0].contains("all together: too few runs with a verdict, 5 are needed of each"), "{all:?}");
        assert!(all[0].contains("too few runs to tell about 3 pairs: at least 4 with a verdict are needed"), "{all:?}");
        assert!(all.iter().all(|line| !line.contains("p = ") && !line.contains('~')), "{all:?}");
        // six runs could show a difference of one pair, but not of so many
        let six = |first: u64| (first..first + 6).collect::<Vec<u64>>();
        let many = ["aco", "gega", "path-ga", "random-walk"].into_iter().zip([10, 20, 30, 40]);
        let all: Vec<Series> =
            many.map(|(name, first)| series(name, &six(first))).chain([series("bfs", &[1])]).collect();
        let states = line(all, "states");
        assert!(states.contains("too few runs for so many comparisons to tell about 4 pairs"), "{states}");
    }
}
