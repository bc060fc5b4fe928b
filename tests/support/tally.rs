//! What a run over many seeds has covered.

use super::compare::{Facts, Skip};
use super::tree::Model;
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Default)]
pub struct Tally {
    seeds: u64,
    verdicts: BTreeMap<&'static str, u64>,
    verdict_only: u64,
    skipped: BTreeMap<&'static str, Vec<(u64, String)>>,
    stored: Vec<u64>,
    unreached: (u64, u64),
    features: BTreeMap<&'static str, u64>,
}

impl Tally {
    pub fn compared(&mut self, facts: &Facts, model: &Model) {
        self.seeds += 1;
        *self.verdicts.entry(facts.verdict).or_default() += 1;
        self.verdict_only += u64::from(facts.verdict_only);
        self.stored.push(facts.stored);
        self.unreached.0 += facts.unreached.0;
        self.unreached.1 += facts.unreached.1;
        for feature in &model.features {
            *self.features.entry(feature).or_default() += 1;
        }
    }

    pub fn skipped(&mut self, seed: u64, skip: Skip) {
        self.seeds += 1;
        self.skipped.entry(skip.reason).or_default().push((seed, skip.detail));
    }

    pub fn differs(&mut self) {
        self.seeds += 1;
    }

    pub fn refused(&self) -> usize {
        self.skipped.get("refused by spin").map_or(0, Vec::len)
    }

    pub fn seeds(&self) -> u64 {
        self.seeds
    }

    pub fn report(&mut self) -> String {
        let mut out = String::new();
        let compared: u64 = self.verdicts.values().sum();
        let _ = writeln!(out, "{} seeds, {compared} compared ({} by verdict only)", self.seeds, self.verdict_only);
        for (verdict, count) in &self.verdicts {
            let _ = writeln!(out, "  {verdict}: {count}");
        }
        for (reason, seeds) in &self.skipped {
            let _ = writeln!(out, "skipped, {reason}: {}", seeds.len());
            for (seed, detail) in seeds.iter().filter(|(_, detail)| !detail.is_empty()).take(20) {
                let _ = writeln!(out, "  seed {seed}: {detail}");
            }
        }
        self.stored.sort_unstable();
        if !self.stored.is_empty() {
            let at = |percent: usize| self.stored[(self.stored.len() - 1) * percent / 100];
            let _ = writeln!(out, "stored states: 10% {}, median {}, 90% {}, most {}", at(10), at(50), at(90), at(100));
        }
        let (unreached, all) = self.unreached;
        let _ = writeln!(out, "control states reached: {}%", 100 * (all - unreached) / all.max(1));
        let mut features: Vec<_> = self.features.iter().map(|(feature, count)| (*count, *feature)).collect();
        features.sort_unstable();
        let _ = writeln!(out, "models that contain:");
        for (count, feature) in features {
            let _ = writeln!(out, "  {count:5} {feature}");
        }
        out
    }
}
