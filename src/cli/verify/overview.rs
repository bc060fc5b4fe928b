//! All properties at a glance, after several were checked.

use crate::report::figures::{cut, grouped, seconds};
use crate::report::paint;
use crate::search::{Report, Verdict};
use crate::verify::Task;
use std::time::Duration;

/// A line: property, verdict, search, states, time.
pub struct Entry {
    property: String,
    verdict: &'static str,
    search: String,
    states: String,
    time: String,
}

impl Entry {
    pub fn of(task: &Task, report: &Report, time: Duration) -> Entry {
        Entry {
            property: task.property.clone(),
            verdict: match report.verdict {
                Verdict::Holds => "holds",
                Verdict::Violated(_) => "violated",
                Verdict::Inconclusive(_) => "inconclusive",
            },
            search: report.search_name(),
            states: grouped(report.evaluations.unwrap_or(report.counts.stored)),
            time: seconds(time),
        }
    }

    /// A property that is in error: nothing was searched.
    pub fn refused(property: &str) -> Entry {
        let nothing = || "-".to_string();
        Entry { property: property.into(), verdict: "refused", search: nothing(), states: nothing(), time: nothing() }
    }
}

/// Aligned; a name that is too long for the room is cut.
pub fn text(entries: &[Entry], room: Option<usize>) -> String {
    let titles = Entry {
        property: "property".into(),
        verdict: "verdict",
        search: "search".into(),
        states: "states".into(),
        time: "time".into(),
    };
    let all = || std::iter::once(&titles).chain(entries);
    let widest = |of: &dyn Fn(&Entry) -> &str| all().map(|entry| of(entry).chars().count()).max().unwrap_or(0);
    let (verdict, search) = (widest(&|entry| entry.verdict), widest(&|entry| &entry.search));
    let (states, time) = (widest(&|entry| &entry.states), widest(&|entry| &entry.time));
    let others = verdict + search + states + time + 8;
    let property =
        widest(&|entry| &entry.property).min(room.map_or(usize::MAX, |room| room.saturating_sub(others).max(12)));
    let line = |entry: &Entry| {
        let judged = paint::verdict(&format!("{:verdict$}", entry.verdict));
        let name = cut(&entry.property, property);
        format!(
            "{name:property$}  {judged}  {:search$}  {:>states$}  {:>time$}\n",
            entry.search, entry.states, entry.time
        )
    };
    all().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(property: &str, states: &str) -> Entry {
        let (search, time) = ("bfs".into(), "0.001 s".into());
        Entry { property: property.into(), verdict: "inconclusive", search, states: states.into(), time }
    }

    #[test]
    fn columns_are_aligned_and_fit() {
        let entries = [entry("safety", "1,234"), entry(&"ltl:long".repeat(10), "5")];
        let plain = |room| anstream::adapter::strip_str(&paint::escapes(&text(&entries, room))).to_string();
        let widths: Vec<usize> = plain(Some(60)).lines().map(|line| line.chars().count()).collect();
        assert_eq!(widths, [60, 60, 60]);
        assert!(plain(None).contains(&"ltl:long".repeat(10)));
    }
}
