//! Seeds from seeds.

use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

/// What SplitMix64 adds to its state for each number.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The seed of a run: the first one has the seed that was given, the others the numbers that SplitMix64 makes of it.
pub fn derived(seed: u64, number: u64) -> u64 {
    match number.checked_sub(1) {
        None => seed,
        Some(before) => SplitMix64::seed_from_u64(seed.wrapping_add(before.wrapping_mul(GAMMA))).next_u64(),
    }
}

#[cfg(test)]
mod tests {
    use super::derived;

    /// Results that were published with a seed must be found again.
    #[test]
    fn seeds_stay_what_they_are() {
        let seeds: Vec<u64> = (0..3).map(|number| derived(1, number)).collect();
        assert_eq!(seeds, [1, 0x910a_2dec_8902_5cc1, 0xbeeb_8da1_658e_ec67]);
    }
}
