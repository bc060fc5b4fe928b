//! Executing statements.

use super::FaultKind;
use super::interpreter::{Interpreter, Scratch};
use crate::program::code::{Action, Print};

/// What one step may print, in bytes; the rest of a longer text is left out.
const MOST_PRINTED: usize = 1 << 20;

impl Interpreter<'_> {
    /// The effect of an executable action; the control state has been set already.
    pub(super) fn execute(&self, s: &mut Scratch, b: &mut [u8], action: &Action) {
        match action {
            Action::Nothing | Action::Else | Action::Guard(_) => {}
            Action::Evaluate(code) => {
                self.eval(s, b, code);
            }
            Action::Assign(slot, code) => {
                let value = self.eval(s, b, code);
                if s.ok() {
                    self.store_slot(s, b, slot, value);
                }
            }
            Action::Send(send) => self.send(s, b, send),
            Action::Receive(receive) => {
                if let Some(found) = self.message_for(s, b, receive) {
                    self.receive(s, b, receive, found);
                }
            }
            Action::Assert(code, text) => {
                let holds = self.eval(s, b, code) != 0;
                if !holds && s.ok() {
                    s.complain(FaultKind::Assertion(text.clone()));
                }
            }
            Action::Printf(print) => self.print(s, b, print),
            Action::SetOwnPriority(code) => {
                let value = self.eval(s, b, code);
                self.set_priority(s, b, s.frame, value);
            }
            Action::SetPriority(pair) => {
                let pid = self.eval(s, b, &pair.0);
                let value = self.eval(s, b, &pair.1);
                if let Some(frame) = self.frame_of(s, pid) {
                    self.set_priority(s, b, frame, value);
                }
            }
            Action::DStep(d) => self.d_step(s, b, d),
            Action::End => self.destroy(s, b),
        }
    }

    /// printf: always evaluated, formatted only if `printed` is set.
    fn print(&self, s: &mut Scratch, b: &mut [u8], print: &Print) {
        let values: Vec<i32> = print.args.iter().map(|(code, _)| self.eval(s, b, code)).collect();
        let Some(mut out) = s.printed.take() else { return };
        if out.len() >= MOST_PRINTED {
            s.printed = Some(out);
            return;
        }
        let mut args = values.iter().zip(&print.args);
        let mut chars = print.format.chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some(other) => out.push(other),
                    None => out.push('\\'),
                },
                '%' => match (chars.next(), args.next()) {
                    (Some('c'), Some((&v, _))) => out.push(v as u8 as char),
                    (Some('e'), Some((&v, (_, set)))) => out.push_str(&self.mtype_name(*set, v)),
                    (Some('o'), Some((&v, _))) => out.push_str(&format!("{v:o}")),
                    (Some('u'), Some((&v, _))) => out.push_str(&(v as u32).to_string()),
                    (Some('x'), Some((&v, _))) => out.push_str(&format!("{v:x}")),
                    (Some(_), Some((&v, _))) => out.push_str(&v.to_string()),
                    (Some(other), None) => out.extend(['%', other]),
                    (None, _) => out.push('%'),
                },
                c => out.push(c),
            }
        }
        if out.len() >= MOST_PRINTED {
            out.push_str("…\n");
        }
        s.printed = Some(out);
    }

    /// The name of a value of an mtype set; the number if no name has this value.
    fn mtype_name(&self, set: crate::model::MtypeId, value: i32) -> String {
        let names = self.program.model.mtypes.get(set.0).map(|set| &set.names);
        let name = usize::try_from(value - 1).ok().and_then(|i| names?.get(i).cloned());
        name.unwrap_or_else(|| value.to_string())
    }
}
