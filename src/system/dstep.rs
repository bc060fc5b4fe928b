//! Running a d_step: a deterministic program, to its end, in one step.

use super::FaultKind;
use super::interpreter::{Interpreter, Scratch};
use crate::program::code::{Action, DGuard, DNode, DStep};

/// A d_step that runs longer than this does not end, as far as anyone can tell.
const LONGEST: u64 = 50_000_000;
/// From this length on it is worth a look whether it ends.
const LONG: u64 = 1 << 12;

impl Interpreter<'_> {
    pub(super) fn d_step_ready(&self, s: &mut Scratch, b: &mut [u8], d: &DStep) -> bool {
        match &d.guard {
            DGuard::Always => s.offer.is_none(),
            DGuard::First(Action::Else) => s.offer.is_none(),
            DGuard::First(action) => self.guard_holds(s, b, action),
            DGuard::Any(actions) => actions.iter().any(|action| self.guard_holds(s, b, action)),
        }
    }

    /// Only a receive can take part in a handshake that is under way.
    fn guard_holds(&self, s: &mut Scratch, b: &mut [u8], action: &Action) -> bool {
        let takes_part = matches!(action, Action::Receive(_));
        (takes_part || s.offer.is_none()) && self.executable(s, b, action)
    }

    pub(super) fn d_step(&self, s: &mut Scratch, b: &mut [u8], d: &DStep) {
        let mut at = d.start;
        // a state of a long run: where it is met again, the run goes on forever (Brent)
        let mut mark: Option<(u32, bool, Vec<u8>)> = None;
        for step in 0..LONGEST {
            if step >= LONG {
                let met = |(place, offered, bytes): &(u32, bool, Vec<u8>)| {
                    (*place, *offered) == (at, s.offer.is_some()) && bytes[..] == *b
                };
                if mark.as_ref().is_some_and(met) {
                    break;
                }
                if step.is_power_of_two() {
                    mark = Some((at, s.offer.is_some(), b.to_vec()));
                }
            }
            match &d.nodes[at as usize] {
                DNode::Exit => return,
                DNode::Step(Action::Assign(slot, code), next) => {
                    let value = self.eval(s, b, code);
                    self.store_slot(s, b, slot, value);
                    at = *next;
                }
                DNode::Step(action, next) => {
                    if !self.d_action(s, b, action) {
                        s.fail(FaultKind::DStepBlocks);
                    }
                    at = *next;
                }
                DNode::Select(options) => {
                    let chosen = options.iter().find(|(head, _)| match head {
                        Some(action) => self.d_action(s, b, action),
                        None => true,
                    });
                    match chosen {
                        Some((_, next)) => at = *next,
                        None => {
                            s.fail(FaultKind::DStepSelectionBlocks);
                        }
                    }
                }
            }
            // what is left undone then is not looked at
            if !s.ok() || s.spend(0) {
                return;
            }
        }
        s.fail(FaultKind::DStepEndless);
    }

    /// Executes an action if it is executable.
    fn d_action(&self, s: &mut Scratch, b: &mut [u8], action: &Action) -> bool {
        match action {
            Action::Guard(code) => return self.eval(s, b, code) != 0 || !s.ok(),
            Action::Assert(code, _) if self.eval(s, b, code) != 0 => return true,
            Action::Assign(..) | Action::Assert(..) | Action::Printf(_) => {
                self.execute(s, b, action);
                return true;
            }
            Action::Nothing | Action::Else => return true,
            _ => {}
        }
        if let Action::Send(send) = action
            && let Some(number) = self.send_target(s, b, send)
            && self.rendezvous(s, number)
        {
            s.fail(FaultKind::DStepRendezvous);
            return true;
        }
        let during_handshake = s.offer.is_some() && !matches!(action, Action::Receive(_));
        if !during_handshake && !self.executable(s, b, action) {
            return !s.ok();
        }
        self.execute(s, b, action);
        if matches!(action, Action::Receive(_)) {
            s.offer = None;
        }
        true
    }
}
