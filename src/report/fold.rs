//! Steps that are shown as one: long atomic sequences, and what init does at the beginning.

use super::changes::Change;
use super::rows::{Row, Sight};

/// A line of a trail.
pub enum Line<'r> {
    Step(&'r Row),
    Folded(Folded<'r>),
}

/// Several steps in a row.
pub struct Folded<'r> {
    rows: &'r [Row],
}

/// Fewer steps than this are shown one by one.
const LEAST: usize = 6;

/// Every row a line.
pub fn unfolded(rows: &[Row]) -> Vec<Line<'_>> {
    rows.iter().map(Line::Step).collect()
}

/// With folds. What fails, what starts a cycle and where a claim sees something new remains in sight, and so does the last step.
pub fn folded(rows: &[Row]) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut start = 0;
    while start < rows.len() {
        let mut end = start + 1;
        let mut seen = rows[start].sight.as_ref();
        while end + 1 < rows.len() && joins(&rows[end - 1], &rows[end], seen) {
            seen = rows[end].sight.as_ref().or(seen);
            end += 1;
        }
        if end - start >= LEAST {
            lines.push(Line::Folded(Folded { rows: &rows[start..end] }));
        } else {
            lines.extend(rows[start..end].iter().map(Line::Step));
        }
        start = end;
    }
    lines
}

/// A row can be shown together with the one before it; `seen` is what the claim saw last.
fn joins(before: &Row, row: &Row, seen: Option<&Sight>) -> bool {
    let together = row.inside || is_init(before) && is_init(row);
    let news = row.sight.as_ref().is_some_and(|sight| seen != Some(sight));
    let remarkable = news || row.starts_cycle || !row.faults.is_empty() || !before.faults.is_empty();
    together && !remarkable && row.number == before.number + 1
}

fn is_init(row: &Row) -> bool {
    row.process == "init" || row.process == ":init:"
}

impl<'r> Folded<'r> {
    pub fn first(&self) -> &'r Row {
        &self.rows[0]
    }

    pub fn last(&self) -> &'r Row {
        &self.rows[self.rows.len() - 1]
    }

    /// `3–17`
    pub fn number(&self) -> String {
        format!("{}–{}", self.first().number, self.last().number)
    }

    /// Who moves: one process, or how many.
    pub fn process(&self) -> String {
        let mut pids: Vec<u32> = self.rows.iter().map(|row| row.pid).collect();
        pids.sort_unstable();
        pids.dedup();
        match pids.len() {
            1 => format!("{}({})", self.first().process, self.first().pid),
            many => format!("{many} processes"),
        }
    }

    /// The lines, from the first to the last in the file; `None` if there are several files.
    pub fn lines(&self) -> Option<(usize, usize)> {
        let one_file = self.rows.iter().all(|row| row.file == self.first().file);
        let lines = || self.rows.iter().map(|row| row.line);
        one_file.then(|| (lines().min().unwrap_or(0), lines().max().unwrap_or(0)))
    }

    pub fn text(&self) -> String {
        let atomic = self.rows[1..].iter().all(|row| row.inside);
        format!("{}{} steps", if atomic { "atomic: " } else { "" }, self.rows.len())
    }

    /// The last value of everything that changes.
    pub fn changes(&self) -> Vec<Change> {
        let mut net: Vec<Change> = Vec::new();
        for change in self.rows.iter().flat_map(|row| &row.changes) {
            match net.iter_mut().find(|known| same(known, change)) {
                Some(known) => *known = change.clone(),
                None => net.push(change.clone()),
            }
        }
        net
    }

    pub fn remarks(&self) -> Vec<String> {
        self.rows.iter().flat_map(|row| row.remarks()).collect()
    }

    pub fn printed(&self) -> String {
        self.rows.iter().map(|row| row.printed.as_str()).collect()
    }
}

fn same(one: &Change, other: &Change) -> bool {
    matches!((one, other), (Change::Value { name, .. }, Change::Value { name: again, .. }) if name == again)
}
