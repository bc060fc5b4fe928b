//! Enums whose values have names.

/// Declares an enum, the list of all its values, and their names.
macro_rules! named {
    ($(#[$about:meta])* pub enum $Type:ident { $($(#[$doc:meta])* $Value:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $Type {
            $($(#[$doc])* #[doc = concat!("Its name is `", $name, "`.")] $Value,)+
        }

        impl $Type {
            /// All values, in the order in which they are listed.
            pub const ALL: [$Type; [$($name),+].len()] = [$($Type::$Value),+];

            /// The name, as it is written on the command line and in reports.
            pub fn name(self) -> &'static str {
                match self {
                    $($Type::$Value => $name,)+
                }
            }
        }
    };
}

pub(crate) use named;
