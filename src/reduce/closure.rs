//! Closures: what must be in a stubborn set if this is, for one state. Sets of items are bits.

mod minimal;

use super::scene::Scene;
use crate::system::{Batch, Entry, Observer, Step};
pub use minimal::Minimal;

/// One worker's sets.
#[derive(Default)]
pub struct Closures {
    /// By item: its process, and the successors that begin with it.
    items: Vec<Item>,
    /// Senders and receivers of possible handshakes, as items.
    pairs: Vec<(u32, u32)>,
    /// The item with which each successor begins; [`NO_ITEM`] if none does.
    begins: Vec<u32>,
    /// How many words a set has.
    words: usize,
    /// What can be executed, if only as the receiver in a handshake.
    executable: Vec<u64>,
    /// What can be executed in processes with whose moves a set has begun: what contains that is no smaller.
    tried: Vec<u64>,
    /// What can begin a successor and is invisible.
    invisible: Vec<u64>,
    /// The set under construction, and what of it has been looked at.
    chosen: Vec<u64>,
    done: Vec<u64>,
    /// The smallest set so far.
    smallest: Vec<u64>,
    /// By executable item: what may disturb it; zeros until it is known.
    disturbers: Vec<u64>,
    /// What helps to make a guard true, and the cheapest of these sets.
    helpers: Vec<u64>,
    cheapest: Vec<u64>,
}

const NO_ITEM: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Item {
    pid: u32,
    begun: u32,
}

impl Closures {
    /// Notes which items are executable. `None` if the state is one that must not be reduced; otherwise the number of successors.
    pub fn note_moves(&mut self, scene: &Scene, batch: &Batch, entries: &[Entry]) -> Option<u32> {
        self.items.clear();
        for (pid, place) in scene.places.iter().enumerate() {
            self.items.resize(place.items().end as usize, Item { pid: pid as u32, begun: 0 });
        }
        self.words = self.items.len().div_ceil(64);
        let Closures { executable, tried, invisible, disturbers, words, .. } = self;
        for set in [executable, tried, invisible] {
            set.clear();
            set.resize(*words, 0);
        }
        disturbers.clear();
        disturbers.resize(self.items.len() * *words, 0);
        self.pairs.clear();
        self.begins.clear();
        let mut total = 0;
        for entry in entries {
            let Some(step) = batch.steps(entry).next().filter(|&step| step != Step::STUTTER) else {
                self.begins.push(NO_ITEM);
                continue;
            };
            total += 1;
            let item = scene.item(step.pid, step.transition);
            self.begins.push(item);
            self.items[item as usize].begun += 1;
            insert(&mut self.executable, item);
            let begun = scene.at(step.pid, item);
            if begun.timeout {
                return None;
            }
            if !begun.visible {
                insert(&mut self.invisible, item);
            }
            if let Some(receiver) = step.receiver {
                let taker = scene.item(receiver.pid, receiver.transition);
                insert(&mut self.executable, taker);
                self.pairs.push((item, taker));
            }
        }
        for &(sender, taker) in &self.pairs {
            // a handshake is a move of both
            if scene.at(self.items[taker as usize].pid, taker).visible {
                remove(&mut self.invisible, sender);
            }
        }
        Some(total)
    }

    /// The closure that begins with the moves of a process that was not tried yet; its number of successors, if they are fewer than
    /// `best` and something invisible is in it where it must be. It is the smallest set then.
    ///
    /// What can be executed is looked at first, and a closure that comes to a process that was tried before is given up: it contains
    /// what that one has led to.
    pub fn close(
        &mut self,
        scene: &mut Scene,
        pid: usize,
        best: u32,
        needs: Visibility,
        state: &[u64],
        observer: &mut Observer,
    ) -> Option<u32> {
        let start = scene.places[pid].items().find(|&item| contains(&self.executable, item))?;
        for set in [&mut self.chosen, &mut self.done] {
            set.clear();
            set.resize(self.words, 0);
        }
        insert(&mut self.chosen, start);
        let weight = self.fill(scene, best, state, observer);
        scene.places[pid]
            .items()
            .filter(|&item| contains(&self.executable, item))
            .for_each(|item| insert(&mut self.tried, item));
        let weight = weight?;
        if needs == Visibility::Matters && !is_empty(&self.invisible) && !meet(&self.invisible, &self.chosen) {
            return None;
        }
        std::mem::swap(&mut self.smallest, &mut self.chosen);
        Some(weight)
    }

    /// Adds to the set until it is closed; its number of successors, if they are fewer than `best`.
    fn fill(&mut self, scene: &mut Scene, best: u32, state: &[u64], observer: &mut Observer) -> Option<u32> {
        let mut weight = 0;
        loop {
            while let Some(item) = self.next_executable() {
                insert(&mut self.done, item);
                weight += self.items[item as usize].begun;
                if weight >= best || contains(&self.tried, item) {
                    return None;
                }
                self.add_disturbers(scene, item);
            }
            let Some(item) = self.next_blocked() else { return Some(weight) };
            insert(&mut self.done, item);
            self.add_enablers(scene, item, state, observer)?;
        }
    }

    /// What of the set is executable and was not looked at, the last one first.
    fn next_executable(&self) -> Option<u32> {
        last((0..self.words).map(|word| self.chosen[word] & self.executable[word] & !self.done[word]))
    }

    fn next_blocked(&self) -> Option<u32> {
        last((0..self.words).map(|word| self.chosen[word] & !self.executable[word] & !self.done[word]))
    }

    /// Adds what might notice that an executable item is put off, or prevent it.
    #[inline]
    fn add_disturbers(&mut self, scene: &mut Scene, item: u32) {
        let row = item as usize * self.words..(item as usize + 1) * self.words;
        // the item itself is always among them
        if !contains(&self.disturbers[row.clone()], item) {
            self.find_disturbers(scene, item);
        }
        self.chosen.iter_mut().zip(&self.disturbers[row]).for_each(|(chosen, more)| *chosen |= more);
    }

    fn find_disturbers(&mut self, scene: &mut Scene, item: u32) {
        let row = &mut self.disturbers[item as usize * self.words..][..self.words];
        let pid = self.items[item as usize].pid;
        scene.places[pid as usize].items().for_each(|sibling| insert(row, sibling));
        for &(sender, taker) in self.pairs.iter().filter(|&&(sender, taker)| sender == item || taker == item) {
            insert(row, sender);
            insert(row, taker);
        }
        let minds = scene.at(pid, item).minds;
        for other in (0..scene.places.len()).filter(|&other| other != pid as usize) {
            scene.add_meeting(minds, other, row);
        }
    }

    /// Adds what might make an item executable that is not; `None` if that may be anything.
    fn add_enablers(&mut self, scene: &mut Scene, item: u32, state: &[u64], observer: &mut Observer) -> Option<()> {
        let pid = self.items[item as usize].pid;
        if let Some(first) = self.precedent(scene, item) {
            // an escape that can be executed does not keep a process from taking what another one offers
            let is_certain = !scene.at(pid, item).takes;
            return is_certain.then(|| insert(&mut self.chosen, first));
        }
        let mut least = None;
        let guards = scene.at(pid, item).guards.len();
        // one without a test must be the reason if there is no other one
        let some_fail = (0..guards).any(|guard| scene.fails(pid, item, guard, state, observer) == Some(true));
        for guard in 0..guards {
            if !scene.fails(pid, item, guard, state, observer).unwrap_or(!some_fail) {
                continue;
            }
            self.helpers.clear();
            self.helpers.resize(self.words, 0);
            if !scene.add_helpers(pid, item, guard, &mut self.helpers) {
                continue;
            }
            // how many executable items must be added
            let Closures { helpers, executable, chosen, .. } = self;
            let added =
                helpers.iter().zip(executable).zip(chosen).map(|((helps, can), chosen)| helps & *can & !*chosen);
            let cost: u32 = added.map(u64::count_ones).sum();
            if least.is_none_or(|least| cost < least) {
                least = Some(cost);
                std::mem::swap(&mut self.helpers, &mut self.cheapest);
            }
        }
        least?;
        self.chosen.iter_mut().zip(&self.cheapest).for_each(|(chosen, more)| *chosen |= more);
        Some(())
    }

    /// An executable item of the same process in favour of which this one is not tried.
    fn precedent(&self, scene: &Scene, item: u32) -> Option<u32> {
        let pid = self.items[item as usize].pid;
        let this = scene.at(pid, item);
        let mut others = scene.places[pid as usize].items().filter(|&other| other != item);
        others.find(|&other| {
            contains(&self.executable, other) && {
                let other = scene.at(pid, other);
                this.is_else || other.escape > 0 && other.escape != this.escape
            }
        })
    }

    /// Process by process, whether something can be executed there and no set has begun with it.
    pub fn is_untried(&self, scene: &Scene, pid: usize) -> bool {
        let mut items = scene.places[pid].items();
        items.any(|item| contains(&self.executable, item) && !contains(&self.tried, item))
    }

    /// The items of the smallest set, by pid and transition.
    pub fn smallest<'c>(&'c self, scene: &'c Scene) -> impl Iterator<Item = (u32, u32)> + 'c {
        let items = self.items.iter().zip(0..).filter(|&(_, item)| contains(&self.smallest, item));
        items.map(|(&Item { pid, .. }, item)| (pid, scene.transition(pid, item)))
    }

    /// Writes which successors the smallest set contains, as bits.
    pub fn keep(&self, kept: &mut Vec<u64>) {
        kept.resize(self.begins.len().div_ceil(64), 0);
        for (successor, &item) in self.begins.iter().enumerate() {
            if item == NO_ITEM || contains(&self.smallest, item) {
                insert(kept, successor as u32);
            }
        }
    }
}

/// Whether a set must contain something invisible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// It must, if anything invisible can be executed at all.
    Matters,
    /// A claim looks at nothing.
    DoesNotMatter,
}

fn insert(set: &mut [u64], item: u32) {
    set[item as usize / 64] |= 1 << (item % 64);
}

fn remove(set: &mut [u64], item: u32) {
    set[item as usize / 64] &= !(1 << (item % 64));
}

fn contains(set: &[u64], item: u32) -> bool {
    set[item as usize / 64] >> (item % 64) & 1 != 0
}

fn is_empty(set: &[u64]) -> bool {
    set.iter().all(|&word| word == 0)
}

fn meet(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}

/// The last element of a set.
fn last(words: impl DoubleEndedIterator<Item = u64> + ExactSizeIterator) -> Option<u32> {
    let (number, word) = words.enumerate().rev().find(|&(_, word)| word != 0)?;
    Some(number as u32 * 64 + 63 - word.leading_zeros())
}
