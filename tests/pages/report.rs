//! The report of a comparison, in a browser.

use crate::Case;
use crate::browser;
use serde_json::json;
use std::path::Path;

const LOOK: &str = "
const all = (what) => [...document.querySelectorAll(what)];
const shown = (element) => element.getBoundingClientRect().width > 0;
const first = document.querySelector('details');
first.querySelector('summary').click();
report({
  title: document.querySelector('h1').textContent,
  rows: all('section tbody th[scope=row]').map((cell) => cell.textContent),
  charts: all('svg.chart').length,
  unnamed: all('svg.chart').filter((chart) => !chart.getAttribute('aria-label')).length,
  boxes: all('svg.chart .box').length > 0 && all('svg.chart .box').every(shown),
  bars: all('svg.chart .bar').length,
  curves: all('svg.chart .line').filter((line) => line.getAttribute('points').length > 0).length,
  opened: first.open && first.querySelectorAll('tbody tr').length > 0,
  scrolled: all('.scroll').every((part) => part.tabIndex === 0),
  overflow: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  bold: all('td.best').every((cell) => Number(getComputedStyle(cell).fontWeight) >= 600),
  nan: document.querySelector('main').innerHTML.includes('NaN'),
});";

#[test]
fn a_report_can_be_read() {
    if !browser::installed() {
        eprintln!("no chromium: the report is not opened");
        return;
    }
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/phi.pml");
    let case = Case::new(model, &["-DN=3"]);
    let options = ["--property", "ltl:fed", "--search", "ndfs,aco-live,gega", "--runs", "8"];
    let run = case.run("compare", &[], &[&options[..], &["--trace-run", "--report", "r.html", "--quiet"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let visit = browser::visit(&case.dir.join("r.html"), LOOK);
    assert_eq!(visit.complaints, Vec::<String>::new());
    let seen = visit.reported();
    assert_eq!(seen["title"], "ndfs, aco-live, gega compared");
    assert_eq!(seen["rows"], json!(["ndfs", "aco-live", "gega"]));
    for (what, expected) in [("unnamed", 0), ("bars", 3)] {
        assert_eq!(seen[what], expected, "{what}");
    }
    assert!(seen["charts"].as_u64().is_some_and(|charts| charts >= 6), "{seen}");
    assert!(seen["curves"].as_u64().is_some_and(|curves| curves >= 3), "{seen}");
    for (what, expected) in
        [("boxes", true), ("opened", true), ("scrolled", true), ("overflow", false), ("bold", true), ("nan", false)]
    {
        assert_eq!(seen[what], expected, "{what}: {seen}");
    }
}
