//! Text to [`spec::Spec`].

pub mod spec;
