//! SPIN's own examples, where they are installed.

use super::{read, resolve, show};
use crate::source::{Severity, Source, Sources};
use std::path::{Path, PathBuf};

/// Every example of SPIN's distribution resolves without errors.
#[test]
fn the_examples_of_spin_have_no_errors() {
    let mut files = Vec::new();
    collect(Path::new("/usr/share/doc/spin/examples/Examples"), &mut files);
    for path in files {
        let bytes = std::fs::read(&path).expect("an example can be read");
        let mut sources = Sources::default();
        let name = path.display().to_string();
        let spec = read(&mut sources, Source::new(name.clone(), String::from_utf8_lossy(&bytes)));
        let (_, found) = resolve(&spec);
        let errors = found.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        let errors: Vec<String> = errors.map(|diagnostic| show(&sources, diagnostic)).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    }
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            out.push(path);
        }
    }
}
