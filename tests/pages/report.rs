//! The report of a comparison, in a browser.

use crate::Case;
use crate::browser;
use serde_json::json;
use std::collections::BTreeSet;
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

const COLUMNS: &str = "
const all = (what) => [...document.querySelectorAll(what)];
report({
  tables: all('section .scroll').length,
  hidden: all('section > .scroll').filter((part) => part.scrollWidth > part.clientWidth).length,
  titles: all('figcaption').map((title) => title.textContent),
  cut: all('svg.chart .label').filter((name) => name.getBBox().x < 0).length,
  names: all('svg.chart').map((chart) => [...chart.querySelectorAll('.label')].map((name) => name.firstChild.data)),
});";

#[test]
fn all_columns_show_and_equal_charts_are_one() {
    if !browser::installed() {
        eprintln!("no chromium: the report is not opened");
        return;
    }
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/phi.pml");
    let case = Case::new(model, &["-DN=3"]);
    let searches = "ndfs --shorten off,aco-live --shorten off,cndfs --threads 2 --shorten off,\
                    gega --shorten off --set length=140,gega --shorten off --set length=150";
    let options = ["--property", "ltl:fed", "--search", searches, "--runs", "4", "--report", "r.html", "--quiet"];
    let run = case.run("compare", &[], &options);
    assert_eq!(run.code, 0, "{}", run.err);
    let seen = browser::visit_at(&case.dir.join("r.html"), COLUMNS, 1300).reported();
    assert!(seen["tables"].as_u64().is_some_and(|tables| tables > 0), "{seen}");
    assert_eq!(seen["hidden"], 0, "{seen}");
    let both = "Steps of the trail as the search found it; Steps of the trail after it was made shorter";
    let titles = seen["titles"].as_array().expect("titles");
    assert_eq!(titles.iter().filter(|title| title.as_str().is_some_and(|it| it.starts_with("Steps"))).count(), 1);
    assert!(titles.iter().any(|title| title == both), "{seen}");
    assert_eq!(seen["cut"], 0, "{seen}");
    for names in seen["names"].as_array().expect("charts") {
        let distinct: BTreeSet<_> = names.as_array().expect("names").iter().map(ToString::to_string).collect();
        assert_eq!(distinct.len(), 5, "{names}");
    }
}

/// What is printed has the rules for print; a sheet of paper is about 720 pixels wide.
const PRINTED: &str = "
const all = (what) => [...document.querySelectorAll(what)];
const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
const print = rules.filter((rule) => rule.media && rule.media.mediaText === 'print').flatMap((rule) => [...rule.cssRules]);
const style = document.createElement('style');
style.textContent = print.map((rule) => rule.cssText).join(' ');
document.head.append(style);
const bottom = (part) => part.getBoundingClientRect().bottom;
const width = document.documentElement.clientWidth;
report({
  rules: print.length > 0,
  closed: all('details:not([open])').length > 0,
  folded: all('details').filter((part) => bottom(part.lastElementChild) > bottom(part) + 1).length,
  beyond: all('table, pre, figure, svg').filter((part) => part.getBoundingClientRect().right > width + 1).length,
  cut: all('main *').filter((part) => getComputedStyle(part).overflowX !== 'visible' && part.scrollWidth > part.clientWidth + 1)
    .map((part) => part.tagName + '.' + part.className),
});";

#[test]
fn a_report_prints_whole() {
    if !browser::installed() {
        eprintln!("no chromium: the report is not opened");
        return;
    }
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/phi.pml");
    let case = Case::new(model, &["-DN=3"]);
    let searches = "ndfs,aco-live,gega --set length=140,cndfs --threads 2";
    let options = ["--property", "ltl:fed", "--search", searches, "--runs", "4", "--trace-run", "--report", "r.html"];
    assert_eq!(case.run("compare", &[], &[&options[..], &["--quiet"]].concat()).code, 0);
    let seen = browser::visit_at(&case.dir.join("r.html"), PRINTED, 720).reported();
    assert_eq!(seen, json!({ "rules": true, "closed": true, "folded": 0, "beyond": 0, "cut": [] }));
}
