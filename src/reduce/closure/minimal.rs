//! Sets that cannot be made smaller, for tests: how much larger are ours?
//!
//! The deletion algorithm of A. Valmari (Stubborn sets for reduced state space generation, 1991), on the same dependencies as the closure:
//!
//! ```text
//! T := all transitions
//! for each executable t of T:
//!     take t away, and whatever needs what was taken away: executable transitions need all that disturbs them, other ones all that
//!     may make one of their false guards true
//!     put everything back if nothing executable is left, or nothing invisible though something is
//! ```
//! Once for each process, whose transitions are tried last. It takes much longer than the closure.

use super::{Closures, Visibility, contains, is_empty};
use crate::reduce::scene::Scene;
use crate::system::Observer;

/// States with more transitions are not looked at.
const MOST: usize = 200;

/// What a transition needs, one of several alternatives; without one it is only in the set of all transitions.
type Needed = Vec<Vec<usize>>;

/// A set that cannot be made smaller.
pub struct Minimal {
    /// Its transitions, by pid and number.
    pub members: Vec<(u32, u32)>,
    /// How many successors it keeps.
    pub kept: u32,
    /// How many there are.
    pub all: u32,
}

impl Closures {
    /// The smallest set that deletion finds in a state whose moves were noted, `all` of them; `None` if it is too large for that.
    pub fn minimal(
        &mut self,
        scene: &mut Scene,
        visibility: Visibility,
        all: u32,
        state: &[u64],
        observer: &mut Observer,
    ) -> Option<Minimal> {
        if self.items.len() > MOST {
            return None;
        }
        let items = 0..self.items.len() as u32;
        let needed: Vec<Needed> = items.clone().map(|item| self.needed(scene, item, state, observer)).collect();
        let sets = (0..scene.places.len() as u32).map(|pid| self.delete(visibility, pid, &needed));
        let set = sets.min_by_key(|set| self.weight(set))?;
        let members = items.filter(|&item| set[item as usize]);
        let members = members.map(|item| {
            let pid = self.items[item as usize].pid;
            (pid, scene.transition(pid, item))
        });
        Some(Minimal { members: members.collect(), kept: self.weight(&set), all })
    }

    fn needed(&mut self, scene: &mut Scene, item: u32, state: &[u64], observer: &mut Observer) -> Needed {
        if contains(&self.executable, item) {
            self.find_disturbers(scene, item);
            return vec![elements(&self.disturbers[item as usize * self.words..][..self.words])];
        }
        let pid = self.items[item as usize].pid;
        if let Some(first) = self.precedent(scene, item) {
            return if scene.at(pid, item).takes { Vec::new() } else { vec![vec![first as usize]] };
        }
        let guards = scene.at(pid, item).guards.len();
        let fails: Vec<_> = (0..guards).map(|guard| scene.fails(pid, item, guard, state, observer)).collect();
        let some_fail = fails.contains(&Some(true));
        let reasons = (0..guards).filter(|&guard| fails[guard].unwrap_or(!some_fail));
        let helpers = |guard| {
            let mut helpers = vec![0; self.words];
            scene.add_helpers(pid, item, guard, &mut helpers).then(|| elements(&helpers))
        };
        reasons.filter_map(helpers).collect()
    }

    fn delete(&self, visibility: Visibility, last: u32, needed: &[Needed]) -> Vec<bool> {
        let whole = vec![true; self.items.len()];
        let mut set = whole.clone();
        let is_enough = |set: &[bool]| self.weight(set) > 0 && self.suffices(set, visibility);
        shrink(&mut set, needed);
        if !is_enough(&set) {
            return whole;
        }
        let (mut own, others): (Vec<usize>, Vec<usize>) =
            elements(&self.executable).into_iter().partition(|&item| self.items[item].pid == last);
        for item in others.into_iter().chain(own.drain(..)) {
            let mut smaller = set.clone();
            smaller[item] = false;
            shrink(&mut smaller, needed);
            if is_enough(&smaller) {
                set = smaller;
            }
        }
        set
    }

    fn weight(&self, set: &[bool]) -> u32 {
        self.items.iter().zip(set).filter(|(_, is_in)| **is_in).map(|(item, _)| item.begun).sum()
    }

    /// Something invisible is in the set, if it must be.
    fn suffices(&self, set: &[bool], visibility: Visibility) -> bool {
        let is_free = visibility == Visibility::DoesNotMatter || is_empty(&self.invisible);
        is_free || elements(&self.invisible).into_iter().any(|item| set[item])
    }
}

/// Takes away what needs something that is not there, again and again.
fn shrink(set: &mut [bool], needed: &[Needed]) {
    let mut changed = true;
    while changed {
        changed = false;
        for item in 0..set.len() {
            if set[item] && !needed[item].iter().any(|all| all.iter().all(|&one| set[one])) {
                set[item] = false;
                changed = true;
            }
        }
    }
}

fn elements(set: &[u64]) -> Vec<usize> {
    (0..64 * set.len()).filter(|&item| contains(set, item as u32)).collect()
}
