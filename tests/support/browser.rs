//! Opens a page in a headless Chromium, lets a script play with it, and says what the page looks like then.
//!
//! The script is appended to a copy of the page. What it hands to `report` comes back as JSON; whatever the browser
//! writes to its console is a complaint.

use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const BROWSER: &str = "chromium";
const PATIENCE: Duration = Duration::from_secs(90);

/// How a page came out.
pub struct Visit {
    /// The document, after all scripts.
    pub dom: String,
    pub complaints: Vec<String>,
}

pub fn installed() -> bool {
    let found = Command::new(BROWSER).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

/// Opens the page and runs the script on it.
pub fn visit(page: &Path, script: &str) -> Visit {
    visit_at(page, script, 800)
}

/// The same in a window that is so wide.
pub fn visit_at(page: &Path, script: &str, width: u32) -> Visit {
    let text = fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let end = text.rfind("</body>").expect("a page with a body");
    let report = "const report = (value) => { const pre = document.createElement('pre'); pre.id = 'reported'; \
                  pre.textContent = JSON.stringify(value); document.body.append(pre); };";
    let place = Place::new();
    let copy = place.dir.join("page.html");
    let played = format!("{}<script>{report}\n{script}\n</script>{}", &text[..end], &text[end..]);
    fs::write(&copy, played).expect("the temporary directory is writable");
    let (out, err) = (place.dir.join("out"), place.dir.join("err"));
    let file = |path: &PathBuf| File::create(path).expect("the temporary directory is writable");
    let child = Command::new(BROWSER)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--disable-dev-shm-usage", "--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom"])
        .arg(format!("--window-size={width},600"))
        .arg(format!("--user-data-dir={}", place.dir.join("profile").display()))
        .arg(format!("file://{}", copy.display()))
        .stdin(Stdio::null())
        .stdout(file(&out))
        .stderr(file(&err))
        .spawn()
        .expect("the browser starts");
    wait(child);
    let read = |path: &PathBuf| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
    let complaints = read(&err).lines().filter(|line| line.contains("CONSOLE")).map(str::to_string).collect();
    Visit { dom: read(&out), complaints }
}

fn wait(mut child: Child) {
    let deadline = Instant::now() + PATIENCE;
    while child.try_wait().expect("a child can be waited for").is_none() {
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            panic!("the browser does not come to an end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl Visit {
    /// What the script reported.
    pub fn reported(&self) -> Value {
        let start = "<pre id=\"reported\">";
        let text = self.dom.rfind(start).map(|at| &self.dom[at + start.len()..]);
        let text = text.and_then(|text| text.split("</pre>").next());
        let text = text.unwrap_or_else(|| panic!("nothing is reported; {:?}\n{}", self.complaints, self.dom));
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u{a0}").replace("&amp;", "&");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }
}

/// A directory of its own, gone when the visit is over.
struct Place {
    dir: PathBuf,
}

impl Place {
    fn new() -> Place {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("swarmgp-browser-{}-{number}", std::process::id()));
        fs::create_dir_all(&dir).expect("a temporary directory can be made");
        Place { dir }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}
