//! Steps of the ladder.
//!
//! A weak level is not a strong one that now and then throws a piece away. It
//! looks at few moves ahead, feels the worth of moves only roughly, and takes
//! what it feels is best. The same on every machine: nothing here knows the time.

use rules::{Outcome, Position, Random, Record};
use search::{Limits, Report};

use crate::{Bots, Request};

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

/// The level's choice in the position at the cursor of `record`.
pub(crate) fn choose<G: Bots>(
    record: &Record<G>,
    habits: &Habits,
    request: &Request<'_>,
    random: &mut Random,
    report: &mut dyn FnMut(&Report<G::Move>),
) -> Option<G::Move> {
    let position = record.position();
    let moves = position.legal_moves();
    if habits.sees_wins
        && let Some(&win) = moves.iter().find(|&&m| G::wins_at_once(position, m))
    {
        return Some(win);
    }
    let is_safe = |m: &G::Move| !habits.sees_threats || !G::loses_at_once(position, *m);
    let any_is_safe = habits.sees_threats && moves.iter().any(is_safe);

    let limits = Limits {
        depth: Some(request.limits.depth.unwrap_or(u32::MAX).min(habits.depth)),
        nodes: Some(request.limits.nodes.unwrap_or(u64::MAX).min(habits.nodes)),
    };
    let blur = habits.blur_at(record.n_moves());
    let n_lines = match habits.blur {
        0 if blur > 0 => request.n_lines.max(N_OPENING_LINES),
        0 => request.n_lines,
        _ => habits.breadth,
    };
    let request = Request {
        limits,
        n_lines,
        ..*request
    };
    let found = G::search(position, &record.repetition_keys(), &request, report)?;
    let felt = found.lines.iter().filter_map(|line| {
        let m = *line.moves.first()?;
        let feeling = line.value.number() + blurred(blur, random);
        (!any_is_safe || is_safe(&m)).then_some((feeling, m))
    });
    // The first of equals, which the search liked better.
    let best = felt.reduce(|best, other| if other.0 > best.0 { other } else { best });
    // A search that was cut short may have seen nothing that is safe.
    let safe = || {
        let others = found.effort.iter().map(|(m, _)| m).chain(&moves);
        others.copied().find(|m| any_is_safe && is_safe(m))
    };
    best.map(|(_, m)| m).or_else(safe).or(found.best())
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
