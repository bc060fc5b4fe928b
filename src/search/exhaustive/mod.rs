//! Searches that see every state, by one worker: a `frontier` (`bfs`) or a `stack` (`dfs`, `ndfs`, `scc`). `stack`, `nested`, `acceptance`,
//! `block`, `omission`, `doubt`, `shortcut` and `audit` serve searches by many workers, `frontier` directed searches, too.

pub mod acceptance;
pub mod audit;
pub mod bfs;
pub mod block;
pub mod dfs;
pub mod doubt;
pub mod frontier;
pub mod ndfs;
pub mod nested;
pub mod omission;
pub mod proviso;
pub mod scc;
pub mod shortcut;
pub mod stack;

#[cfg(test)]
mod tests;
