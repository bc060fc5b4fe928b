//! Linear temporal logic.
