//! An order of the processes: who comes first, moves.
//!
//! Random priorities find what many equal chances do not (Burckhardt, Kothari, Musuvathi, Nagarakatte, A randomized
//! scheduler with probabilistic guarantees of finding bugs, ASPLOS 2010): a run in which few processes move comes back to
//! where it was, or to where it cannot go on, much sooner than one in which all of them do.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order(u64);

impl Order {
    pub fn drawn(random: &mut Xoshiro256PlusPlus) -> Order {
        Order(random.random())
    }

    /// The higher, the earlier; no two processes have the same rank.
    pub fn rank(self, pid: u32) -> u64 {
        // odd factors and shifts keep different numbers different
        let mixed = (self.0 ^ pid as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
    }
}
