//! Beginners: models of people who are new to a game, and the levels that play like
//! them.
//!
//! A beginner looks at one move at a time. It overlooks wins and threats, is greedy,
//! and otherwise has tunnel vision: it is greedy among the few moves that it sees.

use std::fmt;

use rules::Random;

use crate::Bots;

/// How a beginner chooses a move, in percentages of the turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beginner {
    /// How often it sees that it can win at once.
    pub sees_wins: u32,
    /// How often it looks for threats to win at once, and answers them if it can.
    pub sees_threats: u32,
    /// How often it looks at all moves and takes what it can get ([`Bots::greed`]).
    pub is_greedy: u32,
    /// How many moves it sees otherwise, to take what it can get with one of them. They are
    /// neighbors in the list of legal moves, which goes through the board piece by piece or place
    /// by place. With 1 it plays any move.
    pub n_seen: usize,
    /// How it pulls itself together.
    pub rally: Option<Rally>,
}

/// What changes when a beginner notices that it falls behind.
///
/// A level that rallies is as easy as before for somebody who plays at random, but holds
/// out longer against a better player: the step to the next level is smaller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rally {
    /// How far it has to be behind ([`Bots::lead`]).
    pub margin: i32,
    /// How often it is greedy then.
    pub is_greedy: u32,
}

impl Beginner {
    /// A beginner that sees wins, looks for threats and is greedy in these percentages of
    /// its turns, and otherwise plays any move.
    #[must_use]
    pub const fn new(sees_wins: u32, sees_threats: u32, is_greedy: u32) -> Self {
        Self {
            sees_wins,
            sees_threats,
            is_greedy,
            n_seen: 1,
            rally: None,
        }
    }

    /// The same, but seeing `n_seen` moves when it is not greedy.
    #[must_use]
    pub const fn seeing(self, n_seen: usize) -> Self {
        Self { n_seen, ..self }
    }

    /// The same, but greedy in this percentage of its turns when it is behind by `margin` or
    /// more.
    #[must_use]
    pub const fn rallying(self, margin: i32, is_greedy: u32) -> Self {
        Self {
            rally: Some(Rally { margin, is_greedy }),
            ..self
        }
    }

    /// Chooses one of `moves`, the legal moves of `position`; `None` if there are none.
    pub fn choose<G: Bots>(
        &self,
        position: &G,
        moves: &[G::Move],
        random: &mut Random,
    ) -> Option<G::Move> {
        let is_greedy = match self.rally {
            Some(rally) if G::lead(position) <= -rally.margin => rally.is_greedy,
            _ => self.is_greedy,
        };
        let mut often = |percentage| random.below(100) < percentage;
        let [sees_wins, sees_threats, is_greedy] =
            [self.sees_wins, self.sees_threats, is_greedy].map(&mut often);
        if sees_wins && let Some(&win) = moves.iter().find(|&&m| G::wins_at_once(position, m)) {
            return Some(win);
        }
        let mut seen = moves.to_vec();
        if sees_threats {
            seen.retain(|&m| !G::loses_at_once(position, m));
            if seen.is_empty() {
                seen = moves.to_vec();
            }
        }
        if !is_greedy && !seen.is_empty() {
            let first = random.below(seen.len() as u32);
            seen.rotate_left(first as usize);
            seen.truncate(self.n_seen);
        }
        let greed: Vec<i32> = seen.iter().map(|&m| G::greed(position, m)).collect();
        let most = greed.iter().max()?;
        let best = seen.iter().zip(&greed).filter(|(_, greed)| *greed == most);
        let best: Vec<G::Move> = best.map(|(&m, _)| m).collect();
        random.pick(&best).copied()
    }
}

/// A model of somebody who is new to a game, which the lower levels are measured
/// against.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Model {
    /// Never saw the game: plays any legal move, and takes a win in one four times of
    /// five. Written `newcomer`.
    Newcomer,
    /// Knows the rules: takes what it can get, with a slip in one turn of three. Written
    /// `greedy`.
    Greedy,
    /// The same, but never misses a win in one or an answer to one. Written `careful`.
    Careful,
}

impl Model {
    /// All of them, the weakest first.
    pub const ALL: [Self; 3] = [Self::Newcomer, Self::Greedy, Self::Careful];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Newcomer => "newcomer",
            Self::Greedy => "greedy",
            Self::Careful => "careful",
        }
    }

    /// How it plays.
    pub(crate) const fn beginner(self) -> Beginner {
        match self {
            Self::Newcomer => Beginner::new(80, 0, 0),
            Self::Greedy => Beginner::new(67, 0, 67),
            Self::Careful => Beginner::new(100, 100, 67),
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
