//! Charts as SVG, to be part of a page: colours and letters are those of the page's style.
//!
//! The classes `s0` to `s7` are the colours of searches; a search has the same one in all charts of a page.

mod axis;
mod bars;
mod boxes;
mod cactus;
mod curves;

pub use bars::{Bar, bars};
pub use boxes::{Boxed, boxes};
pub use cactus::cactus;
pub use curves::{Curve, curves};

use axis::Scale;

/// Colours that there are.
pub const COLOURS: usize = 8;

/// Where charts begin to the right of their labels, and how wide they are in all.
const LEFT: f64 = 175.0;
const WIDTH: f64 = 540.0;
const RIGHT: f64 = 24.0;
const ROW: f64 = 34.0;
const TOP: f64 = 8.0;

/// A text where SVG wants one.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A picture with a name for those who do not see it.
fn picture(name: &str, height: f64, body: &str) -> String {
    let name = escaped(name);
    format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{name}\"><title>{name}</title>{body}</svg>"
    )
}

/// A row for each name between an axis and its marks; `draw` says what is in a row at some height.
fn rows<'n>(
    title: &str,
    axis: &str,
    scale: &Scale,
    names: impl Iterator<Item = &'n str>,
    draw: impl Fn(usize, f64) -> String,
) -> String {
    let body: Vec<String> = names
        .enumerate()
        .map(|(number, name)| {
            let y = TOP + ROW * (number as f64 + 0.5);
            label(name, y) + &draw(number, y)
        })
        .collect();
    let bottom = TOP + ROW * body.len() as f64;
    picture(title, bottom + 42.0, &(scale.along_the_bottom(TOP, bottom, axis) + &body.concat()))
}

/// The name of a row.
fn label(text: &str, y: f64) -> String {
    format!(
        "<text class=\"label\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}<title>{}</title></text>",
        LEFT - 10.0,
        y + 4.0,
        escaped(&shortened(text)),
        escaped(text)
    )
}

/// Letters for which there is room beside a chart: so many from the beginning of a name, and from its end.
const ENDS: (usize, usize) = (9, 8);

/// Both ends of a name that is too long: searches often differ in their last option only.
fn shortened(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let (head, tail) = ENDS;
    if letters.len() <= head + 1 + tail {
        return name.into();
    }
    letters[..head].iter().chain(&['…']).chain(&letters[letters.len() - tail..]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_ends() {
        assert_eq!(shortened("a name, 18 letters"), "a name, 18 letters");
        assert_eq!(shortened("gega --set length=140"), "gega --se…ngth=140");
        assert_eq!(shortened("ééééééééééé --shorten off"), "ééééééééé…rten off");
    }
}
