//! Text of a model is text: it closes no element, starts no comment and runs no script.

use super::{Case, browser};

const NASTY: &str = "#define odd(x) (x < 9 && x > 3) /* </script><b> */
byte v;
chan c = [1] of { byte };
active proctype P()
{
    printf(\"</script><b>bold</b><!-- & ' \\\" ]]> <script>alert(1)</script>\\n\");
    c!(v < 3 && v > 1);
    v = (odd(v) -> 1 : 2);  /* </pre></script><b>& */
    assert(v < 1 && v > 2)
}
ltl odd_one { [] (v < 2 || v > 5) }
";

#[test]
fn nothing_of_a_model_becomes_markup() {
    let case = Case::with(NASTY, &["--property", "safety"]);
    let page = case.written("--html", &["--ltl", "[] (v < 2 && v >= 0)"]);
    assert_eq!(page.matches("</script").count(), 2);
    assert_eq!(page.matches("<script").count(), 2);
    let drawn = case.written("--svg", &[]);
    for text in [&page, &drawn] {
        assert!(!text.contains("<b>") && !text.contains("<!--"), "{text}");
        assert!(
            text.contains("assert(v &#60; 1 &#38;&#38; v &#62; 2)")
                || text.contains("assert(v &lt; 1 &amp;&amp; v &gt; 2)")
        );
    }
    let diagram = case.written("--mermaid", &[]);
    let without_codes = diagram.replace("#60;", "").replace("#38;", "").replace("#62;", "");
    assert!(!without_codes.contains(['<', '>', '&', '#', ';']), "{diagram}");
}

#[test]
fn the_browser_sees_the_text_as_it_is() {
    if !browser::installed() {
        println!("chromium is not installed: no page is opened");
        return;
    }
    let case = Case::with(NASTY, &["--property", "safety"]);
    let visit = browser::visit(
        &case.page(&["--ltl", "[] (v < 2 && v >= 0)"]),
        "document.getElementById('forward').click();
         report({ bold: document.querySelectorAll('b').length, scripts: document.scripts.length,
                  said: document.querySelector('.said').textContent,
                  line: document.querySelector('.listing').children[7].textContent });",
    );
    let seen = visit.reported();
    assert_eq!(visit.complaints, [""; 0]);
    // two of the page, one of the test
    assert_eq!((&seen["bold"], &seen["scripts"]), (&0.into(), &3.into()));
    assert_eq!(seen["said"], "</script><b>bold</b><!-- & ' \" ]]> <script>alert(1)</script>\n");
    assert_eq!(seen["line"], "    v = (odd(v) -> 1 : 2);  /* </pre></script><b>& */\n");
}
