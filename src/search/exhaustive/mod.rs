//! Searches that see every state, by one thread: a frontier (`bfs`) or a stack (`dfs`, `ndfs`, `scc`).

pub mod bfs;
pub mod block;
pub mod dfs;
pub mod ndfs;
pub mod reduced;
pub mod scc;
pub mod shortcut;
pub mod stack;
