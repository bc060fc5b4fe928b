//! Interned token text.
//!
//! A [`Word`] stands for a text in a [`Words`] table, so that tokens are small, copyable and compared by number. The
//! keywords and operators of Promela have fixed numbers: `Word::SEMI` is `;` in every table.

use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The text of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Word(u32);

macro_rules! words {
    ($($name:ident $text:literal)*) => {
        // some words only the grammar knows
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, dead_code)]
        enum Fixed { $($name),* }

        #[allow(dead_code)]
        impl Word {
            $(pub const $name: Word = Word(Fixed::$name as u32);)*
        }

        const FIXED: &[&str] = &[$($text),*];
    };
}

words! {
    // The keywords of spinlex.c; `in` is one only inside `for (`. U, V, W, X and their long forms are words of `ltl`
    // blocks only. `skip`, `true` and `false` are constants.
    ACTIVE "active" ASSERT "assert" ATOMIC "atomic" BIT "bit" BOOL "bool" BREAK "break" BYTE "byte" C_CODE "c_code"
    C_DECL "c_decl" C_EXPR "c_expr" C_STATE "c_state" C_TRACK "c_track" D_PROCTYPE "D_proctype" DO "do" CHAN "chan"
    ELSE "else" EMPTY "empty" ENABLED "enabled" EVAL "eval" FI "fi" FOR "for" FULL "full" GET_PRIORITY "get_priority"
    GOTO "goto" HIDDEN "hidden" IF "if" INIT "init" INLINE "inline" INT "int" LEN "len" LOCAL "local" LTL "ltl"
    MTYPE "mtype" NEMPTY "nempty" NEVER "never" NFULL "nfull" NOTRACE "notrace" NP "np_" OD "od" OF "of"
    PC_VALUE "pc_value" PID "pid" PRINTF "printf" PRINTM "printm" PRIORITY "priority" PROCTYPE "proctype"
    PROVIDED "provided" RETURN "return" RUN "run" D_STEP "d_step" SELECT "select" SET_PRIORITY "set_priority"
    SHORT "short" TIMEOUT "timeout" TRACE "trace" SHOW "show" TYPEDEF "typedef" UNLESS "unless" UNSIGNED "unsigned"
    XR "xr" XS "xs"
    SKIP "skip" TRUE "true" FALSE "false"
    // Temporal operators.
    U "U" V "V" W "W" X "X" ALWAYS "always" EVENTUALLY "eventually" UNTIL "until" STRONG_UNTIL "stronguntil"
    WEAK_UNTIL "weakuntil" RELEASE "release" NEXT "next" IMPLIES "implies" EQUIVALENT "equivalent"
    // What `M` becomes where it is an operator: a text that no model can use as a name.
    STRONG_RELEASE "\\M"
    // The preprocessor.
    HASH "#" PASTE "##" DEFINED "defined" VA_ARGS "__VA_ARGS__" FILE "__FILE__" LINE "__LINE__"
    DEFINE "define" UNDEF "undef" INCLUDE "include" IFDEF "ifdef" IFNDEF "ifndef" ELIF "elif" ENDIF "endif"
    ERROR "error" WARNING "warning" PRAGMA "pragma" IDENT "ident" LINE_DIRECTIVE "line"
    // Operators and separators.
    SEMI ";" ARROW "->" SEP "::" COLON ":" REMOTE "@:" COMMA "," DOT "." DOTDOT ".." AT "@"
    PAREN "(" PAREN_END ")" BRACKET "[" BRACKET_END "]" BRACE "{" BRACE_END "}" BOX "[]" DIAMOND "<>"
    EQUIV "<->" ASSIGN "=" INCR "++" DECR "--" SEND "!" SORTED_SEND "!!" RECEIVE "?" RANDOM_RECEIVE "??"
    PLUS "+" MINUS "-" STAR "*" SLASH "/" PERCENT "%" AMP "&" CARET "^" BAR "|" TILDE "~" AND "&&" OR "||"
    EQ "==" NE "!=" LT "<" LE "<=" GT ">" GE ">=" SHL "<<" SHR ">>"
    ZERO "0" ONE "1"
}

impl Word {
    /// All reserved words and the constants that are words.
    pub fn keywords() -> impl Iterator<Item = &'static str> {
        FIXED[..=Word::FALSE.0 as usize].iter().copied()
    }

    /// A reserved word of Promela, not counting the constants `skip`, `true`, `false` and the words of `ltl` blocks.
    pub fn is_keyword(self) -> bool {
        self < Word::SKIP
    }

    /// A word that is an operator inside an `ltl` block.
    pub fn is_temporal(self) -> bool {
        (Word::U..=Word::STRONG_RELEASE).contains(&self)
    }

    /// A temporal operator that stands before its operand.
    pub fn is_temporal_prefix(self) -> bool {
        matches!(self, Word::X | Word::ALWAYS | Word::EVENTUALLY | Word::NEXT | Word::BOX | Word::DIAMOND)
    }

    /// The name of a type that is a keyword.
    pub fn is_type(self) -> bool {
        use Word as W;
        matches!(self, W::BIT | W::BOOL | W::BYTE | W::PID | W::SHORT | W::INT | W::UNSIGNED | W::CHAN | W::MTYPE)
    }

    /// An operator between two operands or, for `!`, `~` and `-`, before one.
    pub fn is_operator(self) -> bool {
        self == Word::ARROW
            || self == Word::EQUIV
            || self == Word::SEND
            || self == Word::SORTED_SEND
            || self == Word::BOX
            || self == Word::DIAMOND
            || (Word::PLUS..=Word::SHR).contains(&self)
    }
}

/// The table of texts.
#[derive(Debug)]
pub struct Words {
    texts: Vec<Rc<str>>,
    numbers: FxHashMap<Rc<str>, u32>,
}

impl Default for Words {
    fn default() -> Words {
        let mut words = Words { texts: Vec::new(), numbers: FxHashMap::default() };
        for text in FIXED {
            words.intern(text);
        }
        words
    }
}

impl Words {
    pub fn intern(&mut self, text: &str) -> Word {
        if let Some(&number) = self.numbers.get(text) {
            return Word(number);
        }
        let number = self.texts.len() as u32;
        let text: Rc<str> = text.into();
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        Word(number)
    }

    pub fn text(&self, word: Word) -> &str {
        &self.texts[word.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_words_have_their_numbers() {
        let mut words = Words::default();
        assert_eq!(words.texts.len(), FIXED.len(), "a text stands twice in the table");
        assert_eq!(words.intern(";"), Word::SEMI);
        assert_eq!(words.intern("xs"), Word::XS);
        assert_eq!(words.text(Word::REMOTE), "@:");
        let fresh = words.intern("fresh");
        assert_eq!(words.intern("fresh"), fresh);
        assert!(!fresh.is_keyword() && Word::XS.is_keyword() && !Word::TRUE.is_keyword());
    }
}
