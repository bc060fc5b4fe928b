//! What a test says: a p-value, or why there is none.

/// Below it a p-value is significant (Chicano and Alba's level as well).
pub const LEVEL: f64 = 0.05;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tested {
    /// No outcome of so few runs gives a p-value below [`LEVEL`], or none that can be believed. With `need` runs in each
    /// sample there are such outcomes.
    TooFew {
        need: usize,
    },
    /// All values are equal: no difference can be seen.
    Alike,
    /// A value is infinite or not a number.
    NotFinite,
    P {
        statistic: f64,
        p: f64,
    },
}

impl Tested {
    pub fn p(self) -> Option<f64> {
        match self {
            Tested::P { p, .. } => Some(p),
            _ => None,
        }
    }

    pub fn significant(self) -> bool {
        self.p().is_some_and(|p| p < LEVEL)
    }
}

pub(super) fn finite(values: &[f64]) -> bool {
    values.iter().all(|value| value.is_finite())
}

pub(super) fn all_equal(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_p_value_below_the_level_is_significant() {
        assert!(Tested::P { statistic: 0.0, p: 0.0499 }.significant());
        assert!(!Tested::P { statistic: 0.0, p: 0.05 }.significant());
        for other in [Tested::TooFew { need: 4 }, Tested::Alike, Tested::NotFinite] {
            assert_eq!(other.p(), None);
            assert!(!other.significant());
        }
    }
}
