//! Times such as `90s`, `5m` or `1.5h`; a bare number is one of seconds.

use std::time::Duration;

pub fn parse(text: &str) -> Result<Duration, String> {
    let time = match text.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => humantime::parse_duration(text).ok(),
    };
    let time = time.ok_or("a time is a number of seconds, or has a unit: 500ms, 90s, 5m, 1.5h")?;
    if time.is_zero() { Err("a time limit is more than nothing".into()) } else { Ok(time) }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn units() {
        let times = ["90", "0.5", "1e2", "500ms", "90s", "5m", "1h", "1.5h", "2 days", "1h 30m"];
        let seconds = times.map(|text| parse(text).unwrap().as_secs_f64());
        assert_eq!(seconds, [90.0, 0.5, 100.0, 0.5, 90.0, 300.0, 3600.0, 5400.0, 172_800.0, 5400.0]);
    }

    #[test]
    fn nonsense() {
        for text in ["", "m", "-1", "-5m", "0", "0s", "NaN", "inf", "1e300", "5x", "1.5", "..5h"] {
            assert_eq!(parse(text).is_ok(), text == "1.5", "{text}");
        }
    }
}
