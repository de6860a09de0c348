use crate::{Millis, PlayerId};

/// What kind of player somebody is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProfileKind {
    /// Somebody without an account.
    Guest,
    /// Somebody with an account.
    Account,
    /// A program with an account.
    Bot,
    /// Somebody who deleted their account; only their id is left.
    Deleted,
}

impl ProfileKind {
    /// As the store has it.
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

    /// Whether such players have ratings.
    #[must_use]
    pub const fn is_rated(self) -> bool {
        matches!(self, Self::Account | Self::Bot)
    }
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// Never changes, not even when a guest becomes an account.
    pub id: PlayerId,
    /// The name; empty if the player is deleted.
    pub name: String,
    /// What kind of player it is.
    pub kind: ProfileKind,
    /// When the player first came.
    pub created: Millis,
}

/// An account to create, or to make of a guest.
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
    /// Whether it is a program.
    pub is_bot: bool,
    /// The present.
    pub now: Millis,
}

/// Answer to [`make_account`](crate::Store::make_account).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Registered {
    /// The account is there.
    Done,
    /// Somebody else has the name, and nothing changed.
    NameTaken,
    /// The player has an account already or is deleted, and nothing changed.
    NotAGuest,
}

/// What somebody's password is checked against.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Login {
    /// Whose it is.
    pub profile: Profile,
    /// Hash of the password.
    pub password_hash: String,
}

/// Makes equal what differs in case only.
pub(crate) fn name_key(name: &str) -> String {
    name.to_lowercase()
}
