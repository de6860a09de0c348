use std::{error::Error, fmt, hash::Hash, str::FromStr};

use crate::Player;

/// A position in a two-player game of perfect information without chance.
///
/// A position holds everything that decides what may happen next and nothing
/// else: no history, no clock, no colors. Draws by repetition are a matter of
/// the match record, so that a solver may treat equal positions as one.
///
/// # Laws
///
/// `testkit::check_laws` holds every game to these:
///
/// 1. The game goes on exactly when there is a legal move. A player who has to
///    sit out has one legal move, a pass.
/// 2. No two legal moves lead to the same position, and equal positions list
///    their moves in the same order.
/// 3. [`play`](Self::play) accepts the listed moves and no others; when it
///    refuses, the position is unchanged.
/// 4. Equal positions have equal [keys](Self::key).
/// 5. Positions and moves survive a round trip through their text form.
pub trait Position:
    Clone + Eq + Hash + fmt::Debug + fmt::Display + FromStr<Err: Error> + Send + Sync + 'static
{
    /// One decision by one player.
    ///
    /// Its text form can be read without the position, so that records,
    /// protocols and tests need no context.
    type Move: Copy + Eq + Hash + fmt::Debug + fmt::Display + FromStr<Err: Error> + Send + Sync;

    /// The player to move.
    ///
    /// This may be the same player twice running: a turn of Nonaga is two
    /// moves. Once the game is over it is the player who would have moved.
    fn turn(&self) -> Player;

    /// The result, or `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends the legal moves to `moves`; none once the game is over.
    fn legal_moves_into(&self, moves: &mut Vec<Self::Move>);

    /// Plays a move from this position's own list, without checking it.
    ///
    /// # Panics
    ///
    /// May panic, or leave an invalid position, if `m` is not legal. Use
    /// [`play`](Self::play) for moves from outside.
    fn play_unchecked(&mut self, m: Self::Move);

    /// A 64-bit key for transposition tables.
    ///
    /// Unlike [`Hash`], it is the same in every process and on every platform. It
    /// may ignore counters that hardly ever matter, so that more positions share
    /// table entries.
    fn key(&self) -> u64;

    // The methods below follow from those above. Override one only for speed,
    // with a benchmark that shows the gain, or where a rule sheet asks for it.

    /// The key by which a match record recognizes a repeated position.
    ///
    /// It differs from [`key`](Self::key) where the rule sheet ignores a part of the
    /// position when it defines "the same position". `None` if the game has no draw
    /// by repetition.
    fn repetition_key(&self) -> Option<u64> {
        Some(self.key())
    }

    /// The legal moves as a fresh list.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves_into(&mut moves);
        moves
    }

    /// How many legal moves there are.
    fn n_legal_moves(&self) -> usize {
        self.legal_moves().len()
    }

    /// The number of sequences of two legal moves.
    ///
    /// Where the replies to different moves are almost the same, a game can count
    /// them much faster than one by one.
    fn n_legal_pairs(&self) -> u64 {
        let n_after = |m| self.after(m).n_legal_moves() as u64;
        self.legal_moves().into_iter().map(n_after).sum()
    }

    /// Whether `m` may be played here.
    fn is_legal(&self, m: Self::Move) -> bool {
        self.legal_moves().contains(&m)
    }

    /// Plays `m` if it is legal.
    ///
    /// # Errors
    ///
    /// Returns [`IllegalMove`], with the position unchanged, if it is not.
    fn play(&mut self, m: Self::Move) -> Result<(), IllegalMove<Self::Move>> {
        if !self.is_legal(m) {
            return Err(IllegalMove(m));
        }
        self.play_unchecked(m);
        Ok(())
    }

    /// The position after the legal move `m`.
    #[must_use]
    fn after(&self, m: Self::Move) -> Self {
        let mut next = self.clone();
        next.play_unchecked(m);
        next
    }
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The given player won.
    Win(Player),
    /// Neither player won.
    Draw,
}

/// Written `p1win`, `p2win` or `draw`, as engines and match records do.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win(Player::First) => "p1win",
            Self::Win(Player::Second) => "p2win",
            Self::Draw => "draw",
        })
    }
}

/// Error for a move that is not legal in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove<M>(pub M);

impl<M: fmt::Display> fmt::Display for IllegalMove<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal move {}", self.0)
    }
}

impl<M: fmt::Debug + fmt::Display> Error for IllegalMove<M> {}
