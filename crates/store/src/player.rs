use crate::{Millis, PlayerId};

/// The kind of a player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProfileKind {
    /// A player without an account.
    Guest,
    /// A person with an account.
    Account,
    /// A program with an account.
    Bot,
    /// A player who deleted their account; only the id is left.
    Deleted,
}

impl ProfileKind {
    /// The name in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Guest => "guest",
            Self::Account => "account",
            Self::Bot => "bot",
            Self::Deleted => "deleted",
        }
    }

    #[cfg(feature = "databases")]
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Guest, Self::Account, Self::Bot, Self::Deleted]
            .into_iter()
            .find(|kind| kind.name() == name)
    }

    /// Whether players of this kind have ratings.
    #[must_use]
    pub const fn is_rated(self) -> bool {
        matches!(self, Self::Account | Self::Bot)
    }
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// The id, which stays the same when a guest becomes an account.
    pub id: PlayerId,
    /// The name; empty if the player is deleted.
    pub name: String,
    /// The kind of player.
    pub kind: ProfileKind,
    /// The time of the first visit.
    pub created: Millis,
}

/// An account to create, or to convert a guest to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewAccount {
    /// The guest that becomes an account, or a new id.
    pub id: PlayerId,
    /// The name. No two accounts have names that differ in case only.
    pub name: String,
    /// Hash of the password; none for bots, which have only tokens.
    pub password_hash: Option<String>,
    /// Hashes of the recovery codes.
    pub recovery_hashes: Vec<String>,
    /// Whether the account is for a program.
    pub is_bot: bool,
    /// The current time.
    pub now: Millis,
}

/// Answer to [`make_account`](crate::Store::make_account).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Registered {
    /// The account was created.
    Done,
    /// Somebody else has the name, and nothing changed.
    NameTaken,
    /// The player has an account already or is deleted, and nothing changed.
    NotAGuest,
}

/// The data to check a password against.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Login {
    /// The player.
    pub profile: Profile,
    /// Hash of the password.
    pub password_hash: String,
}

/// The key of a name: names that differ in case only have the same.
pub(crate) fn name_key(name: &str) -> String {
    name.to_lowercase()
}
