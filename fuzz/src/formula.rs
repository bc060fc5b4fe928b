//! A text as a formula: printed in every notation and read again it is the same; a word that is to satisfy it does, and its
//! automaton accepts that word.

use ltl::budget::Budget;
use ltl::translate::{Options, satisfying_word, translate};
use ltl::{Formulas, parse};
use std::time::{Duration, Instant};

/// A formula is translated if it is not longer than this: automata grow exponentially.
const SHORT: usize = 60;

pub fn run(text: &str) {
    let parsed = match parse(text) {
        Ok(parsed) => parsed,
        Err(error) => {
            assert!(text.get(error.span.clone()).is_some(), "{error:?} is not in the text");
            return;
        }
    };
    let printed = parsed.expr.to_string();
    for shown in [&printed, &parsed.expr.explicit().to_string(), &parsed.expr.letters().to_string()] {
        let again = parse(shown).unwrap_or_else(|error| panic!("{shown} is refused: {error:?}"));
        // the notation that we print by default tells trees apart
        assert_eq!(again.expr.to_string(), printed, "{shown}");
    }
    if text.len() > SHORT {
        return;
    }
    let end = Instant::now() + Duration::from_millis(200);
    let budget = Budget::until(move |bytes| bytes > 1 << 28 || Instant::now() > end);
    let options = Options { budget, ..Options::default() };
    let mut formulas = Formulas::new();
    let f = formulas.intern(&parsed.expr);
    let Ok(translation) = translate(&mut formulas, f, &options) else { return };
    if let Ok(Some(word)) = satisfying_word(&mut formulas, f, &options) {
        assert!(word.satisfies(&formulas, f), "{word:?} does not satisfy {printed}");
        assert!(word.is_accepted(&translation.automaton.generalised()), "the automaton of {printed} refuses {word:?}");
    }
}
