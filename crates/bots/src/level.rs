//! Steps of the ladder.
//!
//! A weak level is not a strong one that now and then throws a piece away. It
//! looks at few moves ahead, feels the worth of moves only roughly, and takes
//! what it feels is best. The same on every machine: nothing here knows the time.

use rules::{Outcome, Position, Random};
use search::{Limits, Report};

use crate::Bots;

/// What a level is like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Habits {
    /// How many moves ahead it looks at most.
    pub depth: u32,
    /// How many positions it looks at, at most.
    pub nodes: u64,
    /// Among how many of the moves it likes best it chooses.
    pub breadth: usize,
    /// How far its feeling for a move is off: up to so many hundredths, seldom
    /// more than half of it.
    pub blur: i32,
    /// Whether it never misses a move that wins at once.
    pub sees_wins: bool,
    /// Whether it never lets the opponent win with the next move, if that can
    /// be helped.
    pub sees_threats: bool,
}

/// How a level chooses from what a search finds.
pub(crate) struct Judgment<G: Bots> {
    habits: &'static Habits,
    moves: Vec<G::Move>,
    /// Whether it looks for a move that is safe, and there is one.
    any_is_safe: bool,
    blur: i32,
}

impl<G: Bots> Judgment<G> {
    /// For `position`, with these legal moves, after so many moves of a match.
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
            blur: habits.blur_at(n_moves),
        }
    }

    /// How far it searches, if no further than `limits`.
    pub(crate) fn limits(&self, limits: Limits) -> Limits {
        Limits {
            depth: Some(limits.depth.unwrap_or(u32::MAX).min(self.habits.depth)),
            nodes: Some(limits.nodes.unwrap_or(u64::MAX).min(self.habits.nodes)),
        }
    }

    /// How many lines it wants, where so many are asked for.
    pub(crate) fn n_lines(&self, n_lines: usize) -> usize {
        match self.habits.blur {
            0 if self.blur > 0 => n_lines.max(N_OPENING_LINES),
            0 => n_lines,
            _ => self.habits.breadth,
        }
    }

    /// Its choice in `position`, where a search found this.
    pub(crate) fn choose(
        &self,
        position: &G,
        found: &Report<G::Move>,
        random: &mut Random,
    ) -> Option<G::Move> {
        let is_safe = |m: &G::Move| !G::loses_at_once(position, *m);
        let felt = found.lines.iter().filter_map(|line| {
            let m = *line.moves.first()?;
            let feeling = line.value.number() + blurred(self.blur, random);
            (!self.any_is_safe || is_safe(&m)).then_some((feeling, m))
        });
        // The first of equals, which the search liked better.
        let best = felt.reduce(|best, other| if other.0 > best.0 { other } else { best });
        // A search that was cut short may have seen nothing that is safe.
        let safe = || {
            let others = found.effort.iter().map(|(m, _)| m).chain(&self.moves);
            others.copied().find(|m| self.any_is_safe && is_safe(m))
        };
        best.map(|(_, m)| m).or_else(safe).or(found.best())
    }
}

/// So many moves belong to the opening, in which nobody plays the same every time.
const N_OPENING_MOVES: usize = 8;
/// Among so many of the best moves the strong levels choose there, and this is how
/// far their feeling is off.
const N_OPENING_LINES: usize = 4;
const OPENING_BLUR: i32 = 20;

impl Habits {
    /// The habits of a level that looks so far and sees all.
    #[must_use]
    pub const fn seeing(depth: u32, nodes: u64) -> Self {
        Self {
            depth,
            nodes,
            breadth: 1,
            blur: 0,
            sees_wins: true,
            sees_threats: true,
        }
    }

    /// The same with a feeling that is off by up to `blur`, choosing among the
    /// `breadth` moves it likes best.
    #[must_use]
    pub const fn blurred(self, breadth: usize, blur: i32) -> Self {
        Self {
            breadth,
            blur,
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

    /// How far its feeling is off after so many moves of a match.
    fn blur_at(&self, n_moves: usize) -> i32 {
        if n_moves < N_OPENING_MOVES {
            self.blur.max(OPENING_BLUR)
        } else {
            self.blur
        }
    }
}

/// A number from `-most` to `most`, more often a small one.
fn blurred(most: i32, random: &mut Random) -> i32 {
    if most == 0 {
        return 0;
    }
    let mut any = || random.between(-most, most);
    (any() + any() + any()) / 3
}

/// Whether `player` can't keep the opponent from winning with the next move.
///
/// A turn may be several moves, so what is lost is lost whatever `player` still
/// does in it.
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
