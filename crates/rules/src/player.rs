use std::{
    fmt,
    ops::{Index, IndexMut, Not},
    str::FromStr,
};

/// One of the two players. `First` makes the first move of a match.
///
/// `!player` is the opponent.
///
/// ```
/// use rules::Player;
///
/// assert_eq!(!Player::First, Player::Second);
/// assert_eq!(Player::Second.to_string(), "second");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// The player who begins, written `first`.
    First,
    /// The other one, written `second`.
    Second,
}

impl Player {
    /// Both players, the first one first.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];
}

impl Not for Player {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}

/// Error when parsing a [`Player`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected first or second")]
pub struct ParsePlayerError;

impl FromStr for Player {
    type Err = ParsePlayerError;

    fn from_str(text: &str) -> Result<Self, ParsePlayerError> {
        match text {
            "first" => Ok(Self::First),
            "second" => Ok(Self::Second),
            _ => Err(ParsePlayerError),
        }
    }
}

/// One `T` for each player, indexed by [`Player`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByPlayer<T> {
    /// What belongs to the first player.
    pub first: T,
    /// What belongs to the second player.
    pub second: T,
}

impl<T> ByPlayer<T> {
    /// A value for each player, made by `f`.
    pub fn from_fn(mut f: impl FnMut(Player) -> T) -> Self {
        Self {
            first: f(Player::First),
            second: f(Player::Second),
        }
    }
}

impl<T> Index<Player> for ByPlayer<T> {
    type Output = T;

    #[inline]
    fn index(&self, player: Player) -> &T {
        match player {
            Player::First => &self.first,
            Player::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Player> for ByPlayer<T> {
    #[inline]
    fn index_mut(&mut self, player: Player) -> &mut T {
        match player {
            Player::First => &mut self.first,
            Player::Second => &mut self.second,
        }
    }
}
