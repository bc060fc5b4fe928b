//! Scales: from values to places in a picture, and marks along the way.

use super::escaped;

/// Values as places, in proportion or by their logarithms.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    low: f64,
    high: f64,
    kind: Kind,
    from: f64,
    to: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Linear,
    Logarithmic,
    /// As linear, with marks at whole numbers.
    Counting,
}

/// Values this far apart are shown by their logarithms.
const FAR_APART: f64 = 50.0;

impl Scale {
    /// A scale for these values between two places; it begins at 0, or is logarithmic where values are far apart.
    pub fn over(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Scale {
        let finite = values.filter(|value| value.is_finite());
        let most = finite.clone().fold(0.0, f64::max);
        let least = finite.filter(|&value| value > 0.0).fold(f64::INFINITY, f64::min);
        if least.is_finite() && most / least > FAR_APART {
            return Scale { low: least.log10().floor(), high: most.log10().ceil(), kind: Kind::Logarithmic, from, to };
        }
        let high = if most > 0.0 { most * 1.05 } else { 1.0 };
        Scale { low: 0.0, high, kind: Kind::Linear, from, to }
    }

    /// A scale in proportion from the least to the most value, which may be negative.
    pub fn between(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Scale {
        let finite = values.filter(|value| value.is_finite());
        let (low, high) = (finite.clone().fold(f64::INFINITY, f64::min), finite.fold(f64::NEG_INFINITY, f64::max));
        let (low, high) = if low < high { (low, high) } else { (low - 1.0, low + 1.0) };
        if !low.is_finite() {
            return Scale { low: 0.0, high: 1.0, kind: Kind::Linear, from, to };
        }
        let room = (high - low) * 0.05;
        Scale { low: low - room, high: high + room, kind: Kind::Linear, from, to }
    }

    /// A scale for numbers of things from 0 to a number.
    pub fn counting_to(high: usize, from: f64, to: f64) -> Scale {
        Scale { low: 0.0, high: high as f64, kind: Kind::Counting, from, to }
    }

    /// A scale from 0 to a value.
    pub fn up_to(high: f64, from: f64, to: f64) -> Scale {
        Scale { low: 0.0, high, kind: Kind::Linear, from, to }
    }

    pub fn at(&self, value: f64) -> f64 {
        let position = match self.kind {
            Kind::Linear | Kind::Counting => value,
            // nothing is left of the scale's first power of ten
            Kind::Logarithmic => value.max(f64::MIN_POSITIVE).log10().max(self.low),
        };
        self.from + (position - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Round values along the scale, as text.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        if self.kind == Kind::Logarithmic {
            let powers = (self.low as i32)..=(self.high as i32);
            let stride = (powers.clone().count() / 8 + 1) as i32;
            let shown = powers.filter(|power| (power - self.low as i32) % stride == 0);
            return shown.map(|power| 10f64.powi(power)).map(|value| (value, shown_value(value))).collect();
        }
        let step = round_step((self.high - self.low) / 8.0);
        let step = if self.kind == Kind::Counting { step.max(1.0) } else { step };
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last).map(|number| number as f64 * step).map(|value| (value, shown_value(value))).collect()
    }

    /// Marks below a chart, with lines up to its top.
    pub fn along_the_bottom(&self, top: f64, bottom: f64, title: &str) -> String {
        let mut out = String::new();
        for (value, text) in self.ticks() {
            let x = self.at(value);
            out.push_str(&format!(
                "<line class=\"grid\" x1=\"{x:.1}\" y1=\"{top:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\"/>\
                 <text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
                bottom + 16.0
            ));
        }
        let middle = (self.from + self.to) / 2.0;
        out.push_str(&format!(
            "<text class=\"axis\" x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 34.0,
            escaped(title)
        ));
        out
    }

    /// Marks at the left of a chart, with lines to its right.
    pub fn along_the_side(&self, left: f64, right: f64) -> String {
        let tick = |(value, text): (f64, String)| {
            let y = self.at(value);
            format!(
                "<line class=\"grid\" x1=\"{left:.1}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                left - 8.0,
                y + 4.0
            )
        };
        self.ticks().into_iter().map(tick).collect()
    }
}

/// 1, 2 or 5 times a power of ten, not less than this.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= least * 0.999).unwrap_or(10.0);
    factor * power
}

fn shown_value(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if size >= 1e6 => format!("{}M", short(value / 1e6)),
        _ if size >= 1e4 => format!("{}k", short(value / 1e3)),
        _ => short(value),
    }
}

/// Without noise from binary fractions.
fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(scale: Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn round_marks() {
        assert_eq!(shown(Scale::over([3.0, 23.0].into_iter(), 0.0, 100.0)), ["0", "5", "10", "15", "20"]);
        assert_eq!(
            shown(Scale::over([0.001, 0.003].into_iter(), 0.0, 1.0)),
            ["0", "0.0005", "0.001", "0.0015", "0.002", "0.0025", "0.003"]
        );
        assert_eq!(shown(Scale::over([0.02, 90.0].into_iter(), 0.0, 1.0)), ["0.01", "0.1", "1", "10", "100"]);
        assert_eq!(shown(Scale::between([-40.0, 60.0].into_iter(), 0.0, 1.0)), ["-40", "-20", "0", "20", "40", "60"]);
        assert_eq!(
            shown(Scale::over([10.0, 5e6].into_iter(), 0.0, 1.0)),
            ["10", "100", "1000", "10k", "100k", "1M", "10M"]
        );
    }

    #[test]
    fn whole_numbers() {
        assert_eq!(shown(Scale::counting_to(2, 0.0, 1.0)), ["0", "1", "2"]);
        assert_eq!(shown(Scale::counting_to(11, 0.0, 1.0)), ["0", "2", "4", "6", "8", "10"]);
    }

    #[test]
    fn places() {
        let scale = Scale::up_to(50.0, 100.0, 200.0);
        assert_eq!([0.0, 25.0, 50.0].map(|value| scale.at(value)), [100.0, 150.0, 200.0]);
        let scale = Scale::over([1.0, 1000.0].into_iter(), 0.0, 300.0);
        let places = [1.0, 10.0, 100.0, 1000.0, 0.0].map(|value| scale.at(value).round());
        assert_eq!(places, [0.0, 100.0, 200.0, 300.0, 0.0]);
    }

    #[test]
    fn nothing_to_show() {
        for values in [vec![], vec![0.0], vec![f64::NAN], vec![7.0]] {
            for scale in
                [Scale::over(values.iter().copied(), 0.0, 9.0), Scale::between(values.iter().copied(), 0.0, 9.0)]
            {
                assert!(scale.at(1.0).is_finite() && !scale.ticks().is_empty(), "{values:?}");
            }
        }
    }
}
