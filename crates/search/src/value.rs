use std::{fmt, ops::Neg};

/// The value of a position for the player to move.
///
/// Larger is better. A value is a score in hundredths of whatever the game's
/// evaluation counts, or a proven win or loss with its distance in moves. Faster
/// wins are larger, and so are slower losses.
///
/// ```
/// use search::Value;
///
/// assert!(Value::win_in(3) > Value::win_in(5));
/// assert!(Value::loss_in(6) > Value::loss_in(4));
/// assert!(Value::win_in(5) > Value::from_score(1_000_000));
/// assert_eq!(-Value::win_in(3), Value::loss_in(3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i16);

/// What a [`Value`] means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The player to move wins in this many moves of both players.
    Win(u32),
    /// The player to move loses in this many moves of both players.
    Loss(u32),
    /// Best play leads to a draw.
    Draw,
    /// Nothing is proven; positive is good for the player to move.
    Score(i32),
}

impl Value {
    /// Less than any position's value.
    pub(crate) const LEAST: Self = Self(-32_001);
    /// More than any position's value.
    pub(crate) const MOST: Self = Self(32_001);
    /// The value of a draw. Evaluations never return it.
    pub const DRAW: Self = Self(0);

    const WIN: i16 = 32_000;
    /// The largest distance of a win or loss.
    const LONGEST: i16 = 2_000;
    const BEST_SCORE: i16 = Self::WIN - Self::LONGEST - 1;

    /// The player to move wins in `n` moves.
    #[must_use]
    pub const fn win_in(n: u32) -> Self {
        Self(Self::WIN - Self::limited(n))
    }

    /// The player to move loses in `n` moves.
    #[must_use]
    pub const fn loss_in(n: u32) -> Self {
        Self(Self::limited(n) - Self::WIN)
    }

    const fn limited(n: u32) -> i16 {
        if n < Self::LONGEST as u32 {
            n as i16
        } else {
            Self::LONGEST
        }
    }

    /// A score in hundredths, limited to what is no win or loss; 0 becomes 1, to
    /// distinguish it from a draw.
    #[inline]
    #[must_use]
    pub const fn from_score(score: i32) -> Self {
        let best = Self::BEST_SCORE as i32;
        if score > best {
            Self(Self::BEST_SCORE)
        } else if score < -best {
            Self(-Self::BEST_SCORE)
        } else if score == 0 {
            Self(1)
        } else {
            Self(score as i16)
        }
    }

    /// What the value means.
    #[must_use]
    pub const fn verdict(self) -> Verdict {
        if self.is_win() {
            Verdict::Win((Self::WIN - self.0) as u32)
        } else if self.is_loss() {
            Verdict::Loss((Self::WIN + self.0) as u32)
        } else if self.0 == 0 {
            Verdict::Draw
        } else {
            Verdict::Score(self.0 as i32)
        }
    }

    /// Whether a win is proven.
    #[inline]
    #[must_use]
    pub const fn is_win(self) -> bool {
        self.0 > Self::BEST_SCORE
    }

    /// Whether a loss is proven.
    #[inline]
    #[must_use]
    pub const fn is_loss(self) -> bool {
        self.0 < -Self::BEST_SCORE
    }

    /// Whether a win or a loss is proven.
    #[inline]
    #[must_use]
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// The same value seen `n` moves earlier: wins and losses are that much further
    /// away.
    #[inline]
    pub(crate) const fn before(self, n: u16) -> Self {
        if self.is_win() {
            Self(self.0 - n as i16)
        } else if self.is_loss() {
            Self(self.0 + n as i16)
        } else {
            self
        }
    }

    /// The inverse of [`before`](Self::before).
    #[inline]
    pub(crate) const fn after(self, n: u16) -> Self {
        if self.is_win() {
            Self(self.0 + n as i16)
        } else if self.is_loss() {
            Self(self.0 - n as i16)
        } else {
            self
        }
    }

    /// The value plus `by`, as a bound of a window.
    #[inline]
    pub(crate) const fn shifted(self, by: i32) -> Self {
        let sum = self.0 as i32 + by;
        if sum > Self::MOST.0 as i32 {
            Self::MOST
        } else if sum < Self::LEAST.0 as i32 {
            Self::LEAST
        } else {
            Self(sum as i16)
        }
    }

    /// The value as a number, with wins and losses as very large ones.
    #[inline]
    #[must_use]
    pub const fn number(self) -> i32 {
        self.0 as i32
    }

    #[inline]
    pub(crate) const fn to_bits(self) -> u16 {
        self.0 as u16
    }

    #[inline]
    pub(crate) const fn from_bits(bits: u16) -> Self {
        Self(bits as i16)
    }
}

impl Neg for Value {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Written `win 5`, `loss 4`, `draw` or `cp 31`, as in the engine protocol.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.verdict() {
            Verdict::Win(n) => write!(f, "win {n}"),
            Verdict::Loss(n) => write!(f, "loss {n}"),
            Verdict::Draw => f.write_str("draw"),
            Verdict::Score(score) => write!(f, "cp {score}"),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({self})")
    }
}
