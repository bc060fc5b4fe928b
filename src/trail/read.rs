//! Trail files, ours and pan's, to the steps they list.
//!
//! ```text
//! -2:T:-2     a claim is active: it is process 0, the pids of all others are one too high
//! -4:-4:-4    pan merged statements: a line may stand for a chain of them
//! -1:-1:-1    the next step is the first of the cycle
//! D:P:N       step D: process P executes statement N; anything behind a third colon is for others
//! # …         a remark: see [`super::origin`]
//! ```

use super::origin::COMMENT;
use crate::source::{Diagnostic, FileId, Sources, Span};

/// What a trail file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// The steps, without those of a claim.
    pub lines: Vec<Line>,
    /// The index of the first line of the cycle.
    pub cycle: Option<usize>,
    /// A line may stand for a chain of merged statements.
    pub merged: bool,
}

/// One step of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Who moves; not counted with a claim.
    pub pid: u32,
    /// The statement's number.
    pub id: u32,
    /// Where this stands in the trail file.
    pub span: Span,
}

/// Reads the trail in `file`.
pub fn read(sources: &Sources, file: FileId) -> Result<Trail, Diagnostic> {
    let mut reader = Reader { trail: Trail::default(), claim: false };
    let mut start = 0;
    for line in sources.file(file).text.split('\n') {
        let shown = line.trim_end();
        reader.line(shown, Span::new(file, start, start + shown.len()))?;
        start += line.len() + 1;
    }
    Ok(reader.trail)
}

struct Reader {
    trail: Trail,
    /// Process 0 is a claim.
    claim: bool,
}

impl Reader {
    fn line(&mut self, text: &str, span: Span) -> Result<(), Diagnostic> {
        if text.trim().is_empty() || text.starts_with(COMMENT) {
            return Ok(());
        }
        let Some([depth, pid, id]) = numbers(text) else {
            let message = "this is not a line of a trail";
            return Err(Diagnostic::error(span, message).help("a line is three numbers, such as 12:0:7"));
        };
        match depth {
            0.. => self.step(pid, id, span)?,
            -1 => self.trail.cycle = Some(self.trail.lines.len()),
            -2 => self.claim = true,
            -4 => self.trail.merged = true,
            -8..=-5 => {
                let message = "the trail of a search with permuted processes or transitions cannot be replayed";
                return Err(Diagnostic::error(span, message));
            }
            _ => return Err(Diagnostic::error(span, "no trail has a line with this step number")),
        }
        Ok(())
    }

    fn step(&mut self, pid: i64, id: i64, span: Span) -> Result<(), Diagnostic> {
        if self.claim && pid == 0 {
            return Ok(());
        }
        let pid = u32::try_from(pid - self.claim as i64);
        let (Ok(pid), Ok(id)) = (pid, u32::try_from(id)) else {
            return Err(Diagnostic::error(span, "processes and statements have no such numbers"));
        };
        self.trail.lines.push(Line { pid, id, span });
        Ok(())
    }
}

/// The first three of the numbers between colons.
fn numbers(text: &str) -> Option<[i64; 3]> {
    let mut parts = text.split(':').map(|part| part.trim().parse().ok());
    Some([parts.next()??, parts.next()??, parts.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn check(text: &str) -> Result<Trail, String> {
        let mut sources = Sources::default();
        let file = sources.add(Source::new("t.trail", text));
        read(&sources, file).map_err(|diagnostic| sources.render(&diagnostic))
    }

    fn steps(trail: &Trail) -> Vec<(u32, u32)> {
        trail.lines.iter().map(|line| (line.pid, line.id)).collect()
    }

    #[test]
    fn plain_steps() {
        let trail = check("1:0:7\n2:1:12\n\n3:0:8\n").unwrap();
        assert_eq!(steps(&trail), [(0, 7), (1, 12), (0, 8)]);
        assert_eq!((trail.cycle, trail.merged), (None, false));
    }

    #[test]
    fn no_line_end_at_the_end_and_windows_line_ends() {
        assert_eq!(steps(&check("1:0:7\r\n2:1:12").unwrap()), [(0, 7), (1, 12)]);
        assert_eq!(steps(&check("").unwrap()), []);
    }

    #[test]
    fn a_claim_shifts_pids_and_its_own_steps_are_left_out() {
        let trail = check("-2:3:-2\n-4:-4:-4\n1:0:9\n2:1:3\n3:0:9\n4:2:5\n").unwrap();
        assert_eq!(steps(&trail), [(0, 3), (1, 5)]);
        assert!(trail.merged);
    }

    #[test]
    fn the_cycle_starts_behind_its_mark() {
        let trail = check("1:0:0\n-1:-1:-1\n2:0:1\n").unwrap();
        assert_eq!(trail.cycle, Some(1));
    }

    #[test]
    fn more_than_three_fields() {
        assert_eq!(steps(&check("1:2:3:4\n").unwrap()), [(2, 3)]);
    }

    #[test]
    fn garbage_is_named_with_its_line() {
        for bad in ["1:2", "1:0:x", "hello", "1 2 3", ":::", "99999999999999999999:0:0", "1:-1:0", "1:0:-3", "-9:0:0"] {
            let message = check(&format!("1:0:0\n{bad}\n")).unwrap_err();
            assert!(message.contains("t.trail:2:1") && message.contains(bad), "{message}");
        }
        assert!(check("-5:1:1\n").unwrap_err().contains("permuted"));
    }
}
