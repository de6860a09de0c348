//! Settings that are a choice of one among a few. Nothing here needs a browser.

/// Declares an enum whose values have names in storage and in the keys of phrases.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub(crate) enum $name {
            $($(#[$value_doc])* $value,)*
        }

        impl $name {
            /// All values.
            pub(crate) const ALL: &[Self] = &[$(Self::$value,)*];

            /// Its name.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)*
                }
            }
        }
    };
}

choice! {
    /// How moves are animated.
    Animation {
        /// Not at all.
        Off = "off",
        /// In half the time.
        Fast = "fast",
        /// As the rule sheets have it.
        #[default]
        Normal = "normal",
    }
}

choice! {
    /// When a move has to be confirmed.
    Confirm {
        /// Never.
        #[default]
        Never = "never",
        /// When it was made with a finger.
        Touch = "touch",
        /// Always.
        Always = "always",
    }
}

choice! {
    /// How much screen readers announce.
    Announce {
        /// Nothing.
        Off = "off",
        /// Moves, as the list has them.
        Brief = "brief",
        /// Moves in a sentence, and what can be done.
        #[default]
        Full = "full",
    }
}

#[cfg(target_arch = "wasm32")]
impl Animation {
    /// The share of the usual time that an animation takes; `None` if there is none.
    pub(crate) fn share(self) -> Option<f64> {
        match self {
            Self::Off => None,
            Self::Fast => Some(0.5),
            Self::Normal => Some(1.0),
        }
    }
}

/// The value called `name`.
pub(crate) fn named<T: Copy>(all: &[T], name: fn(T) -> &'static str, wanted: &str) -> Option<T> {
    all.iter().copied().find(|&value| name(value) == wanted)
}

#[cfg(test)]
mod tests {
    use super::{Animation, Announce, Confirm, named};

    #[test]
    fn names_lead_back() {
        for &value in Animation::ALL {
            assert_eq!(
                named(Animation::ALL, Animation::name, value.name()),
                Some(value)
            );
        }
        for &value in Confirm::ALL {
            assert_eq!(
                named(Confirm::ALL, Confirm::name, value.name()),
                Some(value)
            );
        }
        for &value in Announce::ALL {
            assert_eq!(
                named(Announce::ALL, Announce::name, value.name()),
                Some(value)
            );
        }
        // What an old version, a new one or somebody else stored.
        for rubbish in ["", "Off", "fast ", "🐸"] {
            assert_eq!(named(Animation::ALL, Animation::name, rubbish), None);
        }
    }
}
