//! Two bits for each state of a store, beside its notes.

use super::StateId;

/// A number from 0 to 3 for each state; 0 at first.
#[derive(Clone, Debug, Default)]
pub struct Marks(Vec<u8>);

/// States whose marks share a byte.
const PER_BYTE: usize = 4;

impl Marks {
    /// The mark of a state.
    #[inline]
    pub fn get(&self, state: StateId) -> u8 {
        let (byte, shift) = place(state);
        self.0.get(byte).map_or(0, |marks| marks >> shift & 3)
    }

    /// Marks a state.
    #[inline]
    pub fn set(&mut self, state: StateId, mark: u8) {
        let (byte, shift) = place(state);
        if byte >= self.0.len() {
            self.0.resize((byte + 1).next_power_of_two(), 0);
        }
        self.0[byte] = self.0[byte] & !(3 << shift) | (mark & 3) << shift;
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.0.capacity() as u64
    }
}

fn place(state: StateId) -> (usize, usize) {
    (state.place() / PER_BYTE, state.place() % PER_BYTE * 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_keep_their_marks() {
        let mut marks = Marks::default();
        for number in 0..100 {
            marks.set(StateId::unpack(number), (number % 4) as u8);
        }
        marks.set(StateId::unpack(50), 1);
        let expected = |number: u32| if number == 50 { 1 } else { (number % 4) as u8 };
        assert!((0..100).all(|number| marks.get(StateId::unpack(number)) == expected(number)));
        assert_eq!(marks.get(StateId::unpack(1 << 20)), 0);
    }
}
