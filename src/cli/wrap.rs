//! Lines that keep to a width.

/// A line broken between words so that it keeps to `width`, if there is one; what follows the first line is indented.
pub fn wrapped(line: &str, indent: usize, width: Option<usize>) -> String {
    let Some(width) = width.filter(|&width| width > indent + NARROWEST) else { return line.into() };
    let start = line.len() - line.trim_start().len();
    let (mut out, mut column) = (line[..start].to_string(), start);
    for word in line[start..].split_inclusive(' ') {
        let letters = word.trim_end().chars().count();
        if column + letters > width && column > indent {
            out.truncate(out.trim_end().len());
            out.push_str(&format!("\n{:indent$}", ""));
            column = indent;
        }
        out.push_str(word);
        column += word.chars().count();
    }
    out
}

/// All lines of a text, as [`wrapped`].
pub fn all_wrapped(text: &str, indent: usize, width: Option<usize>) -> String {
    text.split_inclusive('\n').map(|line| wrapped(line, indent, width)).collect()
}

/// With less room than this for words, lines are left to the terminal.
const NARROWEST: usize = 20;

#[cfg(test)]
mod tests {
    use super::{all_wrapped, wrapped};

    #[test]
    fn lines_keep_to_the_width() {
        let line = "    name = 12 a meaning that has more words than fit into a line";
        assert_eq!(wrapped(line, 8, None), line);
        assert_eq!(wrapped(line, 8, Some(20)), line);
        let narrow = wrapped(line, 8, Some(36));
        assert!(narrow.lines().all(|line| line.chars().count() <= 36), "{narrow}");
        assert_eq!(narrow.replace("\n       ", ""), line);
        assert_eq!(all_wrapped("short\n\na line that is longer\n", 2, Some(23)), "short\n\na line that is longer\n");
        assert_eq!(
            all_wrapped("short\nand a line that is longer\n", 2, Some(23)),
            "short\nand a line that is\n  longer\n"
        );
    }
}
