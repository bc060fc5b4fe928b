//! How much memory a search may use if nobody says: most of what the machine, or the control group this runs in, has
//! left. So a search that is too large ends as "inconclusive" and not by the kernel's hand.

use crate::machine::address_space_left;
use std::fs;
use std::path::{Path, PathBuf};

/// 80% of the available memory, and half of the address space that is left if that is limited: the rest is for what is reserved and not
/// used. `None` where nobody tells.
pub fn default_limit() -> Option<u64> {
    let available = [machine(), group_v2(), group_v1()].into_iter().flatten().min().map(|bytes| bytes / 5 * 4);
    let space = address_space_left().map(|bytes| bytes / 2);
    [available, space].into_iter().flatten().min()
}

/// The most that this process has used so far; `None` where nobody tells.
pub fn peak() -> Option<u64> {
    peak_in(&fs::read_to_string("/proc/self/status").ok()?)
}

/// `VmHWM` of a status file, in bytes.
fn peak_in(status: &str) -> Option<u64> {
    kilobytes(status, "VmHWM:")
}

fn machine() -> Option<u64> {
    available_in(&fs::read_to_string("/proc/meminfo").ok()?)
}

/// `MemAvailable` of a meminfo file, in bytes.
fn available_in(meminfo: &str) -> Option<u64> {
    kilobytes(meminfo, "MemAvailable:")
}

/// A line of a file with a name and a number of kilobytes, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

/// What the tightest of the control groups around this process leaves.
fn group_v2() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let root = Path::new("/sys/fs/cgroup");
    let own = root.join(path);
    let around = own.ancestors().take_while(|group| group.starts_with(root));
    let left = |group: &Path| left(&group.join("memory.max"), &group.join("memory.current"));
    around.filter_map(left).min()
}

fn group_v1() -> Option<u64> {
    let group = PathBuf::from("/sys/fs/cgroup/memory");
    left(&group.join("memory.limit_in_bytes"), &group.join("memory.usage_in_bytes"))
}

fn left(limit: &Path, used: &Path) -> Option<u64> {
    let number = |path: &Path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    Some(number(limit)?.saturating_sub(number(used).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::{available_in, peak_in};

    #[test]
    fn meminfo() {
        let text = "MemTotal:       24571932 kB\nMemFree: 1 kB\nMemAvailable:   2048 kB\n";
        assert_eq!(available_in(text), Some(2 << 20));
        assert_eq!(available_in("MemTotal: 1 kB\n"), None);
        assert_eq!(peak_in("Name:\tswarmgp\nVmPeak:\t   9 kB\nVmHWM:\t    4 kB\n"), Some(4096));
        assert_eq!(available_in("MemAvailable: many kB\n"), None);
    }
}
