//! What a worker may remember for the sake of stubborn sets.

/// How many words a worker may remember of each kind. What is chosen in a state does not depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Of what processes can do.
    pub profiles: usize,
    /// Of where sets of accesses meet.
    pub meetings: usize,
    /// Of choices.
    pub choices: usize,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory { profiles: 1 << 24, meetings: 1 << 22, choices: 1 << 21 }
    }
}
