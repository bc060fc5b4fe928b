//! A study as one page that needs nothing else: tables, charts, where it comes from.

mod view;

use super::judge::KEY;
use super::study::Study;
use askama::Template;
use view::View;

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'p> {
    view: View<'p>,
    style: &'static str,
    /// How to read the tests.
    key: &'static str,
}

pub fn render(study: &Study) -> Result<String, String> {
    let page = Page {
        view: View::of(study),
        key: KEY,
        style: concat!(include_str!("../../../templates/style.css"), include_str!("../../../templates/report.css")),
    };
    page.render().map_err(|error| format!("the page cannot be made: {error}"))
}
