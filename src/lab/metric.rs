//! What is measured of a run.

use super::record::Record;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    Found,
    Length,
    States,
    Cpu,
    Wall,
    Memory,
}

impl Metric {
    pub const ALL: [Metric; 6] =
        [Metric::Found, Metric::Length, Metric::States, Metric::Cpu, Metric::Wall, Metric::Memory];

    /// In the head of a table.
    pub fn title(self) -> &'static str {
        match self {
            Metric::Found => "steps found",
            Metric::Length => "steps",
            Metric::States => "states",
            Metric::Cpu => "CPU s",
            Metric::Wall => "s",
            Metric::Memory => "MiB",
        }
    }

    /// In a file.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Found => "found",
            Metric::Length => "length",
            Metric::States => "states",
            Metric::Cpu => "cpu_s",
            Metric::Wall => "time_s",
            Metric::Memory => "peak_mib",
        }
    }

    pub fn meaning(self) -> &'static str {
        match self {
            Metric::Found => "Steps of the trail as the search found it",
            Metric::Length => "Steps of the trail after it was made shorter",
            Metric::States => "States that were stored or, by a walk, expanded",
            Metric::Cpu => "CPU time of the process, in seconds",
            Metric::Wall => "Time that the search took, in seconds",
            Metric::Memory => "Peak memory of the process, in MiB",
        }
    }

    /// It differs from run to run even where the search does the same.
    pub fn is_measured(self) -> bool {
        matches!(self, Metric::Cpu | Metric::Wall | Metric::Memory)
    }

    /// Of a run with a verdict; a run that proves something has no trail.
    pub fn of(self, record: &Record) -> Option<f64> {
        match self {
            Metric::Found => record.found.map(|steps| steps as f64),
            Metric::Length => record.length.map(|steps| steps as f64),
            Metric::States => Some(record.states as f64),
            Metric::Cpu => Some(record.cpu_s),
            Metric::Wall => Some(record.time_s),
            Metric::Memory => Some(record.peak_bytes as f64 / f64::from(1 << 20)),
        }
    }

    /// As a table shows it.
    pub fn shown(self, value: f64) -> String {
        match self {
            Metric::Cpu | Metric::Wall => three_digits(value),
            Metric::Memory => format!("{value:.1}"),
            _ => grouped_tenths(value),
        }
    }
}

/// A number with as many decimals as make three digits, at most three.
fn three_digits(value: f64) -> String {
    let decimals = match value {
        _ if value >= 100.0 => 0,
        _ if value >= 10.0 => 1,
        _ if value >= 1.0 => 2,
        _ => 3,
    };
    format!("{value:.decimals$}")
}

/// With one decimal, unless it is whole or large, and with commas.
fn grouped_tenths(value: f64) -> String {
    let tenths = (value * 10.0).round();
    if tenths % 10.0 == 0.0 || value >= 10_000.0 {
        return crate::report::figures::grouped(value.round() as u64);
    }
    format!("{}.{}", crate::report::figures::grouped((tenths / 10.0).trunc() as u64), (tenths % 10.0) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let shown = [0.0, 23.0, 23.25, 1234.56, 12_345.6, 1e6].map(|value| Metric::Length.shown(value));
        assert_eq!(shown, ["0", "23", "23.3", "1,234.6", "12,346", "1,000,000"]);
        let shown = [0.0004, 0.0123, 1.234, 12.34, 123.4].map(|value| Metric::Cpu.shown(value));
        assert_eq!(shown, ["0.000", "0.012", "1.23", "12.3", "123"]);
    }
}
