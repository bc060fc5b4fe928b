//! When to stop.
//!
//! Automata can be exponentially larger than formulas, and more stages than one can take long. All of them work with the
//! same table of diagrams ([`Bdds`](crate::bdd::Bdds)), which asks the budget now and then, tells it how many bytes the
//! work takes, and from the first "yes" on does nothing any more: what is under way then comes to its end at once, and
//! the result is an error.

use std::fmt;
use std::sync::Arc;

/// May end a translation at any time; the default never does.
#[derive(Clone, Default)]
pub struct Budget(Option<Arc<Question>>);

type Question = dyn Fn(usize) -> bool + Send + Sync;

impl Budget {
    /// Asks `is_spent`, which gets a number of bytes, some thousand times a second.
    pub fn until(is_spent: impl Fn(usize) -> bool + Send + Sync + 'static) -> Budget {
        Budget(Some(Arc::new(is_spent)))
    }

    /// The work, which takes this many bytes, is to end.
    pub fn is_spent(&self, bytes: usize) -> bool {
        self.0.as_ref().is_some_and(|is_spent| is_spent(bytes))
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Budget(limited)" } else { "Budget(unlimited)" })
    }
}
