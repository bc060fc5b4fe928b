//! The least and the greatest value of every variable over the states of a search.
//!
//! They are read off the stored states when the search is over, so that a search costs the same with them and without.
//! All elements of an array count as one variable. What a variable holds inside an atomic sequence or a d_step is in no
//! stored state, and does not count.

use crate::model::{Scalar, Type};
use crate::program::code::Width;
use crate::program::layout::variable_width;
use crate::program::{Program, named};
use crate::store::Own;
use crate::system::state::{bytes, load, process_count};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    /// The number of states.
    pub states: u64,
    /// Globals, lengths of channels, and locals by proctype; those of proctypes without a process are left out.
    pub variables: Vec<Range>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// For locals.
    pub proctype: Option<String>,
    /// As it is written, without the indices of arrays.
    pub name: String,
    pub scalar: Scalar,
    pub least: i32,
    pub greatest: i32,
}

impl Ranges {
    pub fn of(program: &Program, store: &impl Own) -> Ranges {
        let mut survey = Survey::new(program);
        let mut buffer = Vec::new();
        store.ids().for_each(|id| survey.see(bytes(store.recall(id, &mut buffer))));
        let met = survey.ranges.into_iter().filter(|range| range.least <= range.greatest);
        Ranges { states: store.len(), variables: met.collect() }
    }
}

/// A scalar that is looked at: where it is, and which range it belongs to.
struct Place {
    offset: u32,
    width: Width,
    range: usize,
}

struct Survey<'p> {
    program: &'p Program,
    globals: Vec<Place>,
    /// By proctype.
    locals: Vec<Vec<Place>>,
    ranges: Vec<Range>,
}

impl<'p> Survey<'p> {
    fn new(program: &'p Program) -> Survey<'p> {
        let mut survey = Survey { program, globals: Vec::new(), locals: Vec::new(), ranges: Vec::new() };
        survey.globals = survey.places(None, named::globals(program));
        survey.add_channels();
        for (proctype, automaton) in program.automata.iter().enumerate() {
            let places = survey.places(Some(&automaton.name), named::locals(program, proctype as u32));
            survey.locals.push(places);
        }
        survey
    }

    fn places<'v>(
        &mut self,
        proctype: Option<&str>,
        variables: impl Iterator<Item = (&'v crate::model::Variable, u32)>,
    ) -> Vec<Place> {
        let mut places = Vec::new();
        for (variable, offset) in variables {
            let first = self.ranges.len();
            named::scalars(self.program, variable, &variable.name, offset, &mut |cell| {
                // the number of a channel says nothing
                let Type::Scalar(scalar) = cell.variable.ty else { return };
                if scalar != Scalar::Chan {
                    let range = self.range(first, proctype, without_indices(cell.name), scalar);
                    places.push(Place { offset: cell.offset, width: variable_width(cell.variable), range });
                }
            });
        }
        places
    }

    /// The number of messages in each buffered channel that belongs to no process.
    fn add_channels(&mut self) {
        let first = self.ranges.len();
        for (number, channel) in self.program.layout.channels.iter().enumerate() {
            let layout = &self.program.layout.channel_layouts[channel.layout as usize];
            if let (false, Some(name)) = (layout.rendezvous(), named::channel(self.program, number as u32)) {
                let range = self.range(first, None, format!("len({})", without_indices(&name)), Scalar::Int);
                self.globals.push(Place { offset: channel.offset, width: layout.len, range });
            }
        }
    }

    /// The range with this name, among those from `first` on.
    fn range(&mut self, first: usize, proctype: Option<&str>, name: String, scalar: Scalar) -> usize {
        let known = self.ranges[first..].iter().position(|range| range.name == name);
        known.map(|position| first + position).unwrap_or_else(|| {
            let proctype = proctype.map(str::to_string);
            self.ranges.push(Range { proctype, name, scalar, least: i32::MAX, greatest: i32::MIN });
            self.ranges.len() - 1
        })
    }

    fn see(&mut self, state: &[u8]) {
        let Survey { program, globals, locals, ranges } = self;
        let layout = &program.layout;
        let mut look = |places: &[Place], base: u32| {
            for place in places {
                let value = load(state, (base + place.offset) as usize, place.width);
                let range = &mut ranges[place.range];
                range.least = range.least.min(value);
                range.greatest = range.greatest.max(value);
            }
        };
        look(globals, 0);
        let mut frame = layout.frames_at;
        for _ in 0..process_count(state) {
            let proctype = load(state, frame as usize, layout.type_width) as usize;
            look(&locals[proctype], frame);
            frame += layout.frames[proctype].size;
        }
    }
}

/// `a[3].b` is one of `a[].b`.
fn without_indices(name: &str) -> String {
    let mut inside = false;
    let kept = name.chars().filter(|&c| {
        inside = (inside || c == '[') && c != ']';
        !inside || c == '['
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn elements_of_an_array_have_one_name() {
        assert_eq!(super::without_indices("a[12].b[0].c"), "a[].b[].c");
        assert_eq!(super::without_indices("x"), "x");
    }
}
