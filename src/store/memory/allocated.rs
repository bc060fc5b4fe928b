//! Words on the heap, for targets that cannot map memory. All of a block takes memory at once.

use super::Block;

pub struct Allocated {
    /// In pairs: on some targets words alone are not aligned for atomic operations.
    pairs: Vec<u128>,
    len: usize,
}

impl Block for Allocated {
    const LAZY: bool = false;

    fn zeroed(len: usize) -> Option<Allocated> {
        let mut block = Allocated { pairs: Vec::new(), len: 0 };
        block.extend(len).then_some(block)
    }

    fn extend(&mut self, len: usize) -> bool {
        let pairs = len.div_ceil(2);
        if len < self.len || self.pairs.try_reserve_exact(pairs - self.pairs.len()).is_err() {
            return false;
        }
        self.pairs.resize(pairs, 0);
        self.len = len;
        true
    }

    fn words(&mut self) -> &mut [u64] {
        &mut bytemuck::cast_slice_mut(&mut self.pairs)[..self.len]
    }
}
