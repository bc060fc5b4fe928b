//! Values that develop: one line for each.

use super::axis::Scale;
use super::{COLOURS, RIGHT, WIDTH, picture};

const LEFT: f64 = 60.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 210.0;

/// Points from left to right.
#[derive(Clone, Debug)]
pub struct Curve {
    pub colour: usize,
    pub points: Vec<(f64, f64)>,
}

pub fn curves(title: &str, axis: &str, curves: &[Curve]) -> String {
    let points = || curves.iter().flat_map(|curve| curve.points.iter().copied());
    let across = Scale::between(points().map(|(x, _)| x), LEFT, WIDTH - RIGHT);
    let up = Scale::between(points().map(|(_, y)| y), BOTTOM, TOP);
    let mut body = across.along_the_bottom(TOP, BOTTOM, axis);
    body.push_str(&up.along_the_side(LEFT, WIDTH - RIGHT));
    for curve in curves {
        let line = curve.points.iter().map(|&(x, y)| format!("{:.1},{:.1}", across.at(x), up.at(y)));
        body.push_str(&format!(
            "<g class=\"s{}\"><polyline class=\"line\" points=\"{}\"/></g>",
            curve.colour % COLOURS,
            line.collect::<Vec<_>>().join(" ")
        ));
    }
    picture(title, BOTTOM + 42.0, &body)
}
