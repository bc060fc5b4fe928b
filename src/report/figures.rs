//! Numbers as people read them.

use std::time::Duration;

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `one thing`, `2 things`.
pub fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(number))
}

/// Bytes in the unit that fits.
pub fn bytes(number: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut value = number as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{number} bytes") } else { format!("{value:.1} {}", units[unit]) }
}

/// A time in seconds: `1.234 s`, with one decimal place from ten seconds on.
pub fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 10.0 { format!("{seconds:.3} s") } else { format!("{seconds:.1} s") }
}

/// How many a second; `None` for a time too short to say.
pub fn rate(number: u64, time: Duration) -> Option<u64> {
    let seconds = time.as_secs_f64();
    (seconds >= 0.01).then(|| (number as f64 / seconds) as u64)
}

/// A text cut to at most `width` characters.
pub fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.to_string(),
        Some(_) => text.chars().take(width - 1).chain(std::iter::once('…')).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands() {
        let shown: Vec<String> = [0, 12, 999, 1000, 1_234_567].map(grouped).into();
        assert_eq!(shown, ["0", "12", "999", "1,000", "1,234,567"]);
        assert_eq!((counted(1, "step"), counted(2000, "step")), ("1 step".into(), "2,000 steps".into()));
    }

    #[test]
    fn sizes() {
        let shown: Vec<String> = [12, 2048, 3 << 20, 5 << 40].map(bytes).into();
        assert_eq!(shown, ["12 bytes", "2.0 KiB", "3.0 MiB", "5.0 TiB"]);
    }

    #[test]
    fn cutting_counts_characters() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöüß", 3), "äö…");
    }
}
