use crate::{Millis, Profile};

/// The kind of client that uses a session.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SessionKind {
    /// A browser, with a cookie.
    Browser,
    /// A program, with a bearer token.
    Program,
}

impl SessionKind {
    /// The name in the store.
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

/// A session of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// The player.
    pub profile: Profile,
    /// The kind of client.
    pub kind: SessionKind,
    /// The time of creation.
    pub created: Millis,
    /// The last recorded use.
    pub seen: Millis,
}
