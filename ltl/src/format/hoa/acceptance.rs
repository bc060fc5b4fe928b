//! Which acceptance conditions we have marks for: conjunctions of `Inf(n)`.
//!
//! Sets that the condition does not speak of are dropped and the others numbered anew, in order.

use super::super::condition::Condition;
use super::super::reading::Mistake;
use super::lexeme::Number;
use super::syntax::{Set, Written};
use crate::automaton::{MAX_MARKS, Marks};

const SUPPORTED: &str = "a conjunction of `Inf(n)`, `t` or `f` is (Büchi and generalised Büchi acceptance)";

pub struct Acceptance {
    /// How many sets there are in the text.
    declared: usize,
    /// The declared sets that count, in order. Their position here is the mark.
    used: Vec<usize>,
    never: bool,
}

impl Acceptance {
    pub fn of<'a>(declared: Number<'a>, formula: &Written<'a, Set<'a>>) -> Result<Acceptance, Mistake<'a>> {
        if declared.value > MAX_MARKS as usize {
            let message = format!("more than {MAX_MARKS} acceptance sets are not supported");
            return Err(Mistake::new(declared.at, message));
        }
        let mut acceptance = Acceptance { declared: declared.value, used: Vec::new(), never: false };
        acceptance.require(&formula.condition, formula.at)?;
        acceptance.used.sort_unstable();
        acceptance.used.dedup();
        Ok(acceptance)
    }

    /// How many marks a run must see. To accept nothing is to wait for a mark that no edge has.
    pub fn sets(&self) -> u32 {
        if self.never { 1 } else { self.used.len() as u32 }
    }

    /// The mark of a set, if it counts.
    pub fn mark<'a>(&self, set: Number<'a>) -> Result<Marks, Mistake<'a>> {
        self.check(set)?;
        let position = self.used.iter().position(|&used| used == set.value);
        Ok(position.filter(|_| !self.never).map_or(Marks::NONE, |mark| Marks::one(mark as u32)))
    }

    fn require<'a>(&mut self, condition: &Condition<Set<'a>>, at: &'a str) -> Result<(), Mistake<'a>> {
        match condition {
            Condition::Constant(value) => self.never |= !value,
            Condition::And(parts) => parts.iter().try_for_each(|part| self.require(part, at))?,
            Condition::Leaf(set) if set.name == "Inf" && !set.negated => {
                self.check(set.number)?;
                self.used.push(set.number.value);
            }
            Condition::Leaf(set) => return Err(unsupported(set.at)),
            Condition::Or(_) | Condition::Not(_) => return Err(unsupported(at)),
        }
        Ok(())
    }

    fn check<'a>(&self, set: Number<'a>) -> Result<(), Mistake<'a>> {
        match set.value < self.declared {
            true => Ok(()),
            false => {
                let message =
                    format!("there is no acceptance set {}: `Acceptance:` announces {}", set.value, self.declared);
                Err(Mistake::new(set.at, message))
            }
        }
    }
}

fn unsupported(at: &str) -> Mistake<'_> {
    Mistake::new(at, "this acceptance condition is not supported").help(SUPPORTED)
}
