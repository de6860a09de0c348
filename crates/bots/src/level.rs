//! Levels: weakened play.
//!
//! A weak level is not a strong one that sometimes throws a piece away. It searches
//! few moves ahead, adds noise to the score of every move, and plays the best by
//! that. Deterministic: nothing here depends on time.

use rules::{Outcome, Position, Random};
use search::{Limits, Report};

use crate::Bots;

/// Settings of a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Habits {
    /// Maximum depth in moves.
    pub depth: u32,
    /// Maximum number of nodes.
    pub nodes: u64,
    /// The number of best moves it chooses from.
    pub breadth: usize,
    /// Maximum noise added to the score of a move, in hundredths; seldom more than
    /// half of it.
    pub noise: i32,
    /// Whether it never misses a win in one.
    pub sees_wins: bool,
    /// Whether it never allows the opponent a win in one if it can avoid that.
    pub sees_threats: bool,
}

/// Chooses a level's move from the result of a search.
pub(crate) struct Judgment<G: Bots> {
    habits: &'static Habits,
    moves: Vec<G::Move>,
    /// Whether it looks for safe moves, and there is one.
    any_is_safe: bool,
    noise: i32,
}

impl<G: Bots> Judgment<G> {
    /// For `position`, with these legal moves, after `n_moves` moves of a match.
    pub(crate) fn new(
        habits: &'static Habits,
        position: &G,
        moves: Vec<G::Move>,
        n_moves: usize,
    ) -> Self {
        let any_is_safe =
            habits.sees_threats && moves.iter().any(|&m| !G::loses_at_once(position, m));
        Self {
            habits,
            moves,
            any_is_safe,
            noise: habits.noise_at(n_moves),
        }
    }

    /// The limits of its search, at most `limits`.
    pub(crate) fn limits(&self, limits: Limits) -> Limits {
        Limits {
            depth: Some(limits.depth.unwrap_or(u32::MAX).min(self.habits.depth)),
            nodes: Some(limits.nodes.unwrap_or(u64::MAX).min(self.habits.nodes)),
        }
    }

    /// The number of lines it needs, at least if `n_lines` are requested.
    pub(crate) fn n_lines(&self, n_lines: usize) -> usize {
        match self.habits.noise {
            0 if self.noise > 0 => n_lines.max(N_OPENING_LINES),
            0 => n_lines,
            _ => self.habits.breadth,
        }
    }

    /// Its move in `position`, given the result of the search.
    pub(crate) fn choose(
        &self,
        position: &G,
        found: &Report<G::Move>,
        random: &mut Random,
    ) -> Option<G::Move> {
        let is_safe = |m: &G::Move| !G::loses_at_once(position, *m);
        let scored = found.lines.iter().filter_map(|line| {
            let m = *line.moves.first()?;
            let score = line.value.number() + random_noise(self.noise, random);
            (!self.any_is_safe || is_safe(&m)).then_some((score, m))
        });
        // The first of equals, which the search prefers.
        let best = scored.reduce(|best, other| if other.0 > best.0 { other } else { best });
        // An interrupted search may have found no safe move.
        let safe = || {
            let others = found.effort.iter().map(|(m, _)| m).chain(&self.moves);
            others.copied().find(|m| self.any_is_safe && is_safe(m))
        };
        best.map(|(_, m)| m).or_else(safe).or(found.best())
    }
}

/// The number of moves in the opening, where all levels vary their play.
const N_OPENING_MOVES: usize = 8;
/// The number of best moves that the strong levels choose from in the opening, and
/// the noise there.
const N_OPENING_LINES: usize = 4;
const OPENING_NOISE: i32 = 20;

impl Habits {
    /// A level with these limits and no weaknesses.
    #[must_use]
    pub const fn seeing(depth: u32, nodes: u64) -> Self {
        Self {
            depth,
            nodes,
            breadth: 1,
            noise: 0,
            sees_wins: true,
            sees_threats: true,
        }
    }

    /// The same with noise of up to `noise`, choosing from the best `breadth` moves.
    #[must_use]
    pub const fn blurred(self, breadth: usize, noise: i32) -> Self {
        Self {
            breadth,
            noise,
            ..self
        }
    }

    /// The same without an eye for threats.
    #[must_use]
    pub const fn careless(self) -> Self {
        Self {
            sees_threats: false,
            ..self
        }
    }

    /// The same without an eye for wins and threats.
    #[must_use]
    pub const fn blind(self) -> Self {
        Self {
            sees_wins: false,
            ..self.careless()
        }
    }

    /// The noise after `n_moves` moves of a match.
    fn noise_at(&self, n_moves: usize) -> i32 {
        if n_moves < N_OPENING_MOVES {
            self.noise.max(OPENING_NOISE)
        } else {
            self.noise
        }
    }
}

/// A random number from `-most` to `most`, more often a small one.
fn random_noise(most: i32, random: &mut Random) -> i32 {
    if most == 0 {
        return 0;
    }
    let mut any = || random.between(-most, most);
    (any() + any() + any()) / 3
}

/// Whether `player` can't stop the opponent from winning with the next move.
///
/// A turn may be several moves, so this considers everything that `player` can still
/// do in it.
pub(crate) fn is_lost_at_once<P: Position>(position: &P, player: rules::Player) -> bool {
    if position.outcome().is_some() {
        return position.outcome() == Some(Outcome::Win(!player));
    }
    let moves = position.legal_moves();
    if position.turn() == player {
        moves
            .iter()
            .all(|&m| is_lost_at_once(&position.after(m), player))
    } else {
        moves
            .iter()
            .any(|&m| position.after(m).outcome() == Some(Outcome::Win(!player)))
    }
}
