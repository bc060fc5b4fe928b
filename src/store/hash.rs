//! A 64-bit hash of a state in the manner of wyhash: fold 128-bit products, two words at a time.

const K0: u64 = 0xa076_1d64_78bd_642f;
const K1: u64 = 0xe703_7ed1_a0b4_28db;
const K2: u64 = 0x8ebc_6af0_9c88_c6e3;

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

/// The hash of a state, of which `hidden` words behind the first do not count.
#[inline]
pub fn hash(state: &[u64], hidden: usize) -> u64 {
    let mut h = fold(state[0] ^ K0, K2);
    let mut pairs = state[1 + hidden..].chunks_exact(2);
    for pair in &mut pairs {
        h = fold(pair[0] ^ K0 ^ h, pair[1] ^ K1);
    }
    if let [last] = pairs.remainder() {
        h = fold(last ^ K0 ^ h, K2);
    }
    fold(h ^ K1, K2)
}
