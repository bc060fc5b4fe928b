//! Variables to which the program assigns one value only: once they have it, they are as good as constants.

use super::access::{Shared, actions, each_store};
use super::disjoint::Disjoint;
use crate::program::Program;
use crate::program::code::{Action, Base, Code, Slot, Width};
use crate::system::state::load;
use std::collections::BTreeMap;
use std::ops::Range;

/// A variable, and the only value that is ever stored there after the start.
pub struct Final {
    pub variable: u32,
    offset: u32,
    width: Width,
    value: i32,
}

impl Final {
    pub fn is_reached(&self, state: &[u8]) -> bool {
        load(state, self.offset as usize, self.width) == self.value
    }
}

/// All such variables of a program.
pub fn finals(program: &Program, shared: &Shared) -> Vec<Final> {
    if shared.is_grouped() {
        return Vec::new();
    }
    let mut stored = BTreeMap::new();
    let mut blurred = Vec::new();
    for action in actions(program) {
        each_store(action, |slot| note(action, slot, &mut stored, &mut blurred));
    }
    let blurred = Disjoint::new(blurred);
    stored.retain(|&offset, _| !blurred.meets(&(offset..offset + 1)));
    let last = |(offset, stored): (u32, Stored)| match stored {
        Stored::Always(width, value) => Some(Final { variable: shared.variable(offset)?, offset, width, value }),
        Stored::Various => None,
    };
    stored.into_iter().filter_map(last).collect()
}

/// What the program stores in a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
    Always(Width, i32),
    Various,
}

/// Notes what an action stores; an element of an array that is not known blurs the whole of it.
fn note(action: &Action, slot: &Slot, stored: &mut BTreeMap<u32, Stored>, blurred: &mut Vec<Range<u32>>) {
    let cell = slot.cell();
    let new = match (slot, action) {
        _ if cell.base != Base::Global => return,
        (Slot::Indexed(_), _) => return blurred.push(cell.offset..cell.offset + slot.extent()),
        (_, Action::Assign(_, Code::Const(value))) => Stored::Always(cell.width, cell.width.truncate(*value)),
        _ => Stored::Various,
    };
    let known = stored.entry(cell.offset).or_insert(new);
    if *known != new {
        *known = Stored::Various;
    }
}
