//! The variables of a frame, or of the globals, as stretches of bytes that are accessed together.

use super::access::stretch_of;
use crate::program::code::{Action, Base, Cell, Code, Slot};
use std::ops::Range;

/// Variables, by number: in order, without overlaps.
#[derive(Clone, Debug, Default)]
pub struct Units {
    stretches: Vec<Range<u32>>,
    /// The variable is one scalar: storing it leaves nothing of what it was.
    scalar: Vec<bool>,
}

/// Bytes that are read or stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    pub stretch: Range<u32>,
    /// It is one scalar; otherwise it is some element of an array that takes these bytes.
    pub is_scalar: bool,
}

impl Units {
    /// Those that these accesses tell apart.
    pub fn new(mut accesses: Vec<Access>) -> Units {
        accesses.sort_unstable_by_key(|access| (access.stretch.start, access.stretch.end, access.is_scalar));
        accesses.dedup();
        let mut units = Units::default();
        for Access { stretch, is_scalar } in accesses {
            match units.stretches.last_mut().filter(|last| stretch.start < last.end) {
                Some(last) => {
                    last.end = last.end.max(stretch.end);
                    *units.scalar.last_mut().expect("one for each stretch") = false;
                }
                None => {
                    units.scalar.push(is_scalar);
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

/// A scalar at this place.
fn scalar(offset: u32, len: u32) -> Access {
    Access { stretch: offset..offset + len, is_scalar: true }
}

fn of_cell(cell: &Cell) -> Access {
    scalar(cell.offset, cell.width.bytes())
}

/// The bytes that a slot may be.
pub fn of_slot(slot: &Slot) -> Access {
    Access { stretch: stretch_of(slot), is_scalar: matches!(slot, Slot::Fixed(_)) }
}

/// Shows what an expression reads itself relative to `base`; its parts are not looked at.
pub fn each_read(code: &Code, base: Base, mut see: impl FnMut(Access)) {
    match code {
        Code::GlobalByte(offset) | Code::GlobalRange(offset, _) if base == Base::Global => see(scalar(*offset, 1)),
        Code::LocalByte(offset) | Code::LocalRange(offset, _) if base == Base::Frame => see(scalar(*offset, 1)),
        Code::Cell(cell) | Code::CellConst(_, cell, _) if cell.base == base => see(of_cell(cell)),
        Code::Indexed(place) if place.cell.base == base => see(of_slot(&Slot::Indexed(place.clone()))),
        _ => {}
    }
}

/// Shows what an action reads or stores relative to `base`.
pub fn each_access(action: &Action, base: Base, see: &mut impl FnMut(Access)) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_array_is_no_scalar() {
        let array = Access { stretch: 4..7, is_scalar: false };
        let units = Units::new(vec![scalar(0, 4), array.clone(), array, scalar(5, 1), scalar(7, 2)]);
        assert_eq!(units.len(), 3);
        assert_eq!((0..3).map(|unit| units.is_scalar(unit)).collect::<Vec<_>>(), [true, false, true]);
        assert_eq!((units.at(3), units.at(6), units.at(9)), (Some(0), Some(1), None));
    }
}
