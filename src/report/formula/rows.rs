//! Text in two columns: what it is about, and what there is to say.

const WIDTH: usize = 12;

/// One row for each line; only the first says what it is about.
pub fn row(about: &str, lines: &[String]) -> String {
    let about = |at: usize| if at == 0 { about } else { "" };
    let row = |(at, line): (usize, &String)| format!("{:WIDTH$}{line}", about(at)).trim_end().to_string() + "\n";
    lines.iter().enumerate().map(row).collect()
}
