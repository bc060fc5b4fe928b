//! The bounds of mutated values, and which values were seen of each gene.

use super::genes::{Frame, Genome, Individual, Part, Range};
use crate::search::named::named;
use crate::system::state::{bytes, load};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{BTreeMap, BTreeSet};

named! {
    /// What a mutated value is projected to.
    pub enum Bounds {
        /// The range of its type.
        Type = "type",
        /// The range from the least to the greatest value that was seen of this gene: a counter is seldom declared more
        /// tightly than as a byte, and most values of a type never occur.
        Observed = "observed",
    }
}

/// The value with one bit of its distance from the lower bound flipped, within the bounds. If these are the whole range
/// of the width, that is a bit of the value.
pub(super) fn flipped(value: i32, Range { least, most }: Range, random: &mut Xoshiro256PlusPlus) -> i32 {
    if least >= most {
        return value;
    }
    let span = most as i64 - least as i64;
    let distance = value.clamp(least, most) as i64 - least as i64;
    let bit = random.random_range(0..i64::BITS - span.leading_zeros());
    (least as i64 + (distance ^ 1 << bit).min(span)) as i32
}

/// Another one of these sorted values: the one whose position differs from that of `value` in one bit, or the last one.
pub(super) fn neighbour(values: &BTreeSet<i32>, value: i32, random: &mut Xoshiro256PlusPlus) -> i32 {
    let position = values.range(..value).count() as i32;
    let other = flipped(position, Range { least: 0, most: values.len() as i32 - 1 }, random);
    values.iter().nth(other as usize).copied().unwrap_or(value)
}

/// The part that genes belong to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Whose {
    Shared,
    /// By pid and proctype.
    Process(usize, usize),
}

/// What was seen of each gene.
pub(super) struct Observed {
    /// By gene.
    pub ranges: BTreeMap<Whose, Vec<Range>>,
    /// By proctype: the control states of its processes.
    pub control: Vec<BTreeSet<i32>>,
    /// The states of the claim.
    pub claim: BTreeSet<i32>,
}

impl Observed {
    pub fn new<'i>(genome: &Genome, population: impl Iterator<Item = &'i Individual>) -> Observed {
        let control = vec![BTreeSet::new(); genome.processes.len()];
        let mut observed = Observed { ranges: BTreeMap::new(), control, claim: BTreeSet::new() };
        for Individual { words, frames, .. } in population {
            observed.note(&genome.shared, Whose::Shared, bytes(words), 0);
            for (pid, frame) in frames.iter().enumerate() {
                let part = &genome.processes[frame.proctype];
                observed.note(part, Whose::Process(pid, frame.proctype), bytes(words), frame.at);
                let state = load(bytes(words), frame.at + genome.pc.offset as usize, genome.pc.width);
                observed.control[frame.proctype].insert(state);
            }
            observed.claim.insert(genome.claim_state(words) as i32);
        }
        observed
    }

    /// How many genes have values outside the range that was seen of them.
    pub fn news(&self, genome: &Genome, Individual { words, frames, .. }: &Individual) -> usize {
        let beyond = |part: &Part, whose: Whose, base: usize| {
            let is_news = |&(number, at): &(usize, usize)| {
                let (value, range) = (load(bytes(words), at, part.genes[number].width), self.ranges[&whose][number]);
                value < range.least || value > range.most
            };
            part.sites(bytes(words), base).filter(is_news).count()
        };
        let of_process = |(pid, frame): (usize, &Frame)| {
            beyond(&genome.processes[frame.proctype], Whose::Process(pid, frame.proctype), frame.at)
        };
        beyond(&genome.shared, Whose::Shared, 0) + frames.iter().enumerate().map(of_process).sum::<usize>()
    }

    fn note(&mut self, part: &Part, whose: Whose, state: &[u8], base: usize) {
        let nothing = Range { least: i32::MAX, most: i32::MIN };
        let ranges = self.ranges.entry(whose).or_insert_with(|| vec![nothing; part.genes.len()]);
        for (number, at) in part.sites(state, base) {
            let (range, value) = (&mut ranges[number], load(state, at, part.genes[number].width));
            *range = Range { least: range.least.min(value), most: range.most.max(value) };
        }
    }
}
