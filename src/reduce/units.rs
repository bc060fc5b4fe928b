//! The variables of a frame, or of the globals, as stretches of bytes that are accessed together.

use crate::program::code::{Action, Base, Cell, Code, Slot};
use std::ops::Range;

/// Variables, by number: in order, without overlaps.
#[derive(Clone, Debug, Default)]
pub struct Units {
    stretches: Vec<Range<u32>>,
    /// The variable is one scalar: storing it leaves nothing of what it was.
    scalar: Vec<bool>,
}

impl Units {
    /// Those that these accesses tell apart.
    pub fn new(mut accesses: Vec<Range<u32>>) -> Units {
        accesses.sort_unstable_by_key(|stretch| (stretch.start, stretch.end));
        accesses.dedup();
        let mut units = Units::default();
        for stretch in accesses {
            match units.stretches.last_mut().filter(|last| stretch.start < last.end) {
                Some(last) => {
                    last.end = last.end.max(stretch.end);
                    *units.scalar.last_mut().expect("one for each stretch") = false;
                }
                None => {
                    units.scalar.push(stretch.len() <= 4);
                    units.stretches.push(stretch);
                }
            }
        }
        units
    }

    pub fn len(&self) -> usize {
        self.stretches.len()
    }

    /// The variable to which this byte belongs.
    pub fn at(&self, offset: u32) -> Option<usize> {
        let next = self.stretches.partition_point(|stretch| stretch.start <= offset);
        next.checked_sub(1).filter(|&unit| self.stretches[unit].contains(&offset))
    }

    pub fn stretch(&self, unit: usize) -> Range<u32> {
        self.stretches[unit].clone()
    }

    pub fn is_scalar(&self, unit: usize) -> bool {
        self.scalar[unit]
    }
}

/// The bytes that a scalar takes.
fn of_cell(cell: &Cell) -> Range<u32> {
    cell.offset..cell.offset + cell.width.bytes()
}

/// The bytes that a slot may be.
pub fn of_slot(slot: &Slot) -> Range<u32> {
    slot.cell().offset..slot.cell().offset + slot.extent()
}

/// Shows the stretches relative to `base` that an expression reads itself; its parts are not looked at.
pub fn each_read(code: &Code, base: Base, mut see: impl FnMut(Range<u32>)) {
    match code {
        Code::GlobalByte(offset) | Code::GlobalRange(offset, _) if base == Base::Global => see(*offset..offset + 1),
        Code::LocalByte(offset) | Code::LocalRange(offset, _) if base == Base::Frame => see(*offset..offset + 1),
        Code::Cell(cell) | Code::CellConst(_, cell, _) if cell.base == base => see(of_cell(cell)),
        Code::Indexed(place) if place.cell.base == base => see(of_slot(&Slot::Indexed(place.clone()))),
        _ => {}
    }
}

/// Shows the stretches relative to `base` that an action reads or stores.
pub fn each_access(action: &Action, base: Base, see: &mut impl FnMut(Range<u32>)) {
    action.visit(&mut |code| each_read(code, base, &mut *see));
    let mut stores = |action: &Action| {
        super::access::each_store(action, |slot| {
            if slot.cell().base == base {
                see(of_slot(slot));
            }
        });
    };
    match action {
        Action::DStep(d) => d.actions().for_each(&mut stores),
        action => stores(action),
    }
}
