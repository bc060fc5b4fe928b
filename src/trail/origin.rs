//! What a trail file says about itself: the property that its run violates, and a fingerprint of the model.
//!
//! ```text
//! # swarmgp property ltl:NAME        as --property names it
//! # swarmgp formula [](p -> <>q)     instead, for a formula of the command line
//! # swarmgp claim FILE               instead, for a never claim or an automaton in a file
//! # swarmgp options --lossy          without which the run would be none, or no violation; only if there are any
//! # swarmgp model 1f2e3d4c5b6a7988
//! ```
//!
//! These lines stand behind the last step. There SPIN and pan never see them: both read `%d:%d:%d` for as long as that succeeds (as spin:
//! guided.c, match_trail), so that a line of another form ends a trail for them; at the beginning it would end it before the first step.

use std::fmt;

/// What a line of this kind begins with.
pub const COMMENT: char = '#';
const MARK: &str = "# swarmgp";

/// What a trail file says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// What its run violates.
    pub violated: Violated,
    /// The options of verify that make the run a violation, as the command line names them.
    pub options: Vec<String>,
    /// See [`crate::load::fingerprint`].
    pub model: u64,
}

/// What the run of a trail violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violated {
    /// As `--property` names it.
    Property(String),
    /// A formula of the command line.
    Formula(String),
    /// A claim that is not part of the model: the file it is in.
    Claim(String),
}

impl Violated {
    /// The name, the formula, or the file.
    pub fn text(&self) -> &str {
        match self {
            Violated::Property(text) | Violated::Formula(text) | Violated::Claim(text) => text,
        }
    }
}

impl Origin {
    /// What the text of a trail file says; nothing in a trail of pan's.
    pub fn read(trail: &str) -> Option<Origin> {
        let marked = || trail.lines().rev().map_while(|line| line.strip_prefix(MARK)).map(str::trim_start);
        let value = |key: &str| marked().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')).map(str::trim);
        let property = || value("property").map(|name| Violated::Property(name.into()));
        let formula = || value("formula").map(|text| Violated::Formula(text.into()));
        let claim = || value("claim").map(|file| Violated::Claim(file.into()));
        let model = u64::from_str_radix(value("model")?, 16).ok()?;
        let options = value("options").into_iter().flat_map(str::split_whitespace).map(String::from).collect();
        Some(Origin { options, violated: property().or_else(formula).or_else(claim)?, model })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (key, text) = match &self.violated {
            Violated::Property(name) => ("property", name),
            Violated::Formula(text) => ("formula", text),
            Violated::Claim(file) => ("claim", file),
        };
        // on one line; within a line spaces stay, for they may be part of a file's name
        let text = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        writeln!(f, "{MARK} {key} {text}")?;
        if !self.options.is_empty() {
            writeln!(f, "{MARK} options {}", self.options.join(" "))?;
        }
        writeln!(f, "{MARK} model {:016x}", self.model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let property = Violated::Property("ltl:live0".into());
        for violated in [property, Violated::Formula("[](p -> <>q)".into()), Violated::Claim("a.hoa".into())] {
            for options in [vec![], vec!["--lossy".into(), "--check-truncation".into()]] {
                let origin = Origin { violated: violated.clone(), options, model: 0x1f };
                assert_eq!(Origin::read(&format!("1:0:0\n-1:-1:-1\n{origin}")), Some(origin));
            }
        }
    }

    #[test]
    fn a_formula_of_several_lines_becomes_one() {
        let origin = Origin { violated: Violated::Formula("[] p\n  && <>q".into()), options: Vec::new(), model: 7 };
        let read = Origin::read(&origin.to_string()).expect("an origin");
        assert_eq!(read.violated, Violated::Formula("[] p && <>q".into()));
    }

    #[test]
    fn names_of_files_keep_their_spaces() {
        let origin = Origin { violated: Violated::Claim("my  claims/a\tb.hoa".into()), options: Vec::new(), model: 7 };
        assert_eq!(Origin::read(&origin.to_string()), Some(origin));
        let read = Origin::read("# swarmgp property  p \t\n# swarmgp model 7\n").expect("an origin");
        assert_eq!(Origin::read(&read.to_string()), Some(read));
    }

    #[test]
    fn trails_of_others_say_nothing() {
        for text in ["", "1:0:0\n", "-4:-4:-4\n1:0:0\n", "# swarmgp model 12\n", "# swarmgp property p\n"] {
            assert_eq!(Origin::read(text), None, "{text}");
        }
    }
}
