//! The cactus plot: how many cases a search has answered within how much time each.

use super::axis::Scale;
use super::{COLOURS, RIGHT, WIDTH, picture};

const LEFT: f64 = 60.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 270.0;

/// Each search has its colour and the times of the cases that it has answered.
pub fn cactus(title: &str, cases: usize, searches: &[(usize, Vec<f64>)]) -> String {
    let across = Scale::counting_to(cases, LEFT, WIDTH - RIGHT);
    let up = Scale::over(searches.iter().flat_map(|(_, times)| times.iter().copied()), BOTTOM, TOP);
    let mut body = across.along_the_bottom(TOP, BOTTOM, "cases answered");
    body.push_str(&up.along_the_side(LEFT, WIDTH - RIGHT));
    for (colour, times) in searches {
        let mut times = times.clone();
        times.sort_by(f64::total_cmp);
        let places = times.iter().zip(1..).map(|(&time, number)| (across.at(f64::from(number)), up.at(time)));
        let line: Vec<String> = places.clone().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let dots = places.map(|(x, y)| format!("<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"));
        body.push_str(&format!(
            "<g class=\"s{}\"><polyline class=\"line\" points=\"{}\"/>{}</g>",
            colour % COLOURS,
            line.join(" "),
            dots.collect::<String>()
        ));
    }
    picture(title, BOTTOM + 42.0, &body)
}
