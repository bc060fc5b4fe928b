//! Searches that see every state, by one worker: a frontier (`bfs`) or a stack (`dfs`, `ndfs`, `scc`). `stack`, `nested`, `block` and `shortcut`
//! serve searches by many, too.

pub mod bfs;
pub mod block;
pub mod dfs;
pub mod ndfs;
pub mod nested;
pub mod reduced;
pub mod scc;
pub mod shortcut;
pub mod stack;

#[cfg(test)]
mod tests;
