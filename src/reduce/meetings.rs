//! Behind which moves something in a set of accesses may be done: found out once for a set and a profile, and kept as bits.
//!
//! Accesses to variables that have their final value do not count; which ones have depends on the state, so that there are answers for
//! each such set ([`Meetings::ignore`]).

use super::access::Set;
use rustc_hash::FxHashMap;

/// A set that is asked about, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetId(u32);

/// One worker's answers.
pub struct Meetings {
    sets: Vec<Set>,
    numbers: FxHashMap<Set, SetId>,
    /// Accesses that do not count now, and the number of this set among those that did not count at some time.
    ignored: Set,
    version: usize,
    versions: FxHashMap<Set, usize>,
    /// By version, set and profile: where the bits begin in `bits`, from [`FIRST`] on; [`UNKNOWN`], or [`NONE`] if none is set.
    rows: Vec<Vec<Vec<u32>>>,
    bits: Vec<u64>,
    /// Words of rows and bits, and how many there may be: beyond them all answers are forgotten before the next state.
    size: usize,
    most: usize,
}

const UNKNOWN: u32 = 0;
const NONE: u32 = 1;
const FIRST: u32 = 2;
/// Words of the header of a row.
const HEADER: usize = 3;

impl Meetings {
    /// No answers; `none` is the empty set.
    pub fn new(none: Set, most: usize) -> Meetings {
        let versions = FxHashMap::from_iter([(none.clone(), 0)]);
        let (sets, numbers, rows, bits) = (Vec::new(), FxHashMap::default(), vec![Vec::new()], Vec::new());
        Meetings { sets, numbers, ignored: none, version: 0, versions, rows, bits, size: 0, most }
    }

    /// The number of a set.
    pub fn number(&mut self, set: Set) -> SetId {
        let next = SetId(self.sets.len() as u32);
        *self.numbers.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            next
        })
    }

    /// The accesses in this set do not count until others are named.
    pub fn ignore(&mut self, set: &Set) {
        if self.size > self.most {
            self.forget();
        }
        if *set == self.ignored {
            return;
        }
        self.ignored.clone_from(set);
        let next = self.rows.len();
        self.version = *self.versions.entry(set.clone()).or_insert(next);
        if self.version == next {
            self.rows.push(Vec::new());
            self.size += HEADER + set.words();
        }
    }

    fn forget(&mut self) {
        self.size = 0;
        self.bits.clear();
        self.rows.truncate(1);
        self.rows[0].clear();
        self.versions.clear();
        self.versions.insert(self.ignored.clone(), 0);
        self.version = 0;
    }

    /// Behind which of the moves from number `first` on, 64 at most, something in the set may be done. `futures` says what is done
    /// behind the moves of the profile with this number.
    #[inline]
    pub fn ask(&mut self, set: SetId, profile: usize, futures: &[Set], first: usize) -> u64 {
        let row = self.rows[self.version].get(set.0 as usize).and_then(|rows| rows.get(profile));
        let row = match row {
            Some(&UNKNOWN) | None => self.answer(set, profile, futures),
            Some(&row) => row,
        };
        if row == NONE {
            return 0;
        }
        let at = (row - FIRST) as usize + first / 64;
        let low = self.bits[at] >> (first % 64);
        // each row ends with a word that is not used
        let high = self.bits[at + 1].checked_shl(64 - first as u32 % 64).unwrap_or(0);
        low | high
    }

    #[cold]
    fn answer(&mut self, set: SetId, profile: usize, futures: &[Set]) -> u32 {
        let Meetings { sets, ignored, rows, bits, version, size, .. } = self;
        let asked = &sets[set.0 as usize];
        let start = bits.len();
        bits.resize(start + futures.len().div_ceil(64) + 1, 0);
        for (number, future) in futures.iter().enumerate() {
            if asked.meets_beside(future, ignored) {
                bits[start + number / 64] |= 1 << (number % 64);
            }
        }
        let row = if bits[start..].iter().all(|&word| word == 0) {
            bits.truncate(start);
            NONE
        } else {
            start as u32 + FIRST
        };
        *size += bits.len() - start;
        let of_set = {
            let rows = &mut rows[*version];
            *size += HEADER * sets.len().saturating_sub(rows.len());
            rows.resize_with(rows.len().max(sets.len()), Vec::new);
            &mut rows[set.0 as usize]
        };
        *size += (profile + 1).saturating_sub(of_set.len());
        of_set.resize(of_set.len().max(profile + 1), UNKNOWN);
        of_set[profile] = row;
        row
    }
}
