use crate::{Millis, Profile};

/// What a session is used by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SessionKind {
    /// A browser, with a cookie.
    Browser,
    /// A program, with a bearer token.
    Program,
}

impl SessionKind {
    /// As the store has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Program => "program",
        }
    }

    #[cfg(feature = "databases")]
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Browser, Self::Program]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

/// Somebody who is signed in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// Who.
    pub profile: Profile,
    /// What it is used by.
    pub kind: SessionKind,
    /// Since when.
    pub created: Millis,
}
