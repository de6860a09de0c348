//! The meaning of goals in each game.

use std::marker::PhantomData;

use catalog::AnyMatch;
use lilypads::Lilypads;
use nonaga::{Nonaga, Phase, Variant};
use rules::{Outcome, Player, Position, Record};
use simply_go::{PointSet, SimplyGo};
use takeover::Takeover;
use view::Picture;

use crate::Goal;

/// A game with puzzles.
pub trait Puzzling: Picture {
    /// The [names](Goal::name) of its goals.
    const GOALS: &'static [&'static str];

    /// Whether `self`, which was reached from `start`, fulfills `goal` for the player to
    /// move at `start`.
    ///
    /// Goals that [have to hold](Goal::has_to_hold) ask for this after every reply, all
    /// others after a turn of the solver.
    fn fulfills(&self, start: &Self, goal: Goal) -> bool;

    /// Whether what is left of this turn can still win. A game whose turns are single
    /// moves has nothing to say.
    fn may_still_win(&self) -> bool {
        true
    }

    /// The last part of the key of a sentence about the rules, if they are not the usual ones.
    fn rules_name(&self) -> Option<&'static str> {
        None
    }

    /// The last part of the key of the phrase that names the [focus](Self::focus).
    fn focus_name(_m: Self::Move) -> &'static str {
        "piece"
    }

    /// The targets to look at before the move `m`, the next of a solution that ends in
    /// `end`: the pieces that may make it, or what it is about.
    fn focus(&self, m: Self::Move, end: &Self, goal: Goal) -> Vec<Self::Spot> {
        let _ = (end, goal);
        let ways = self.ways(m).into_iter();
        let mut starts: Vec<Self::Spot> = Vec::new();
        for spot in ways.filter_map(|way| way.first().copied()) {
            if !starts.contains(&spot) {
                starts.push(spot);
            }
        }
        starts
    }
}

fn is_won_by<P: Position>(position: &P, player: Player) -> bool {
    position.outcome() == Some(Outcome::Win(player))
}

impl Puzzling for Lilypads {
    const GOALS: &'static [&'static str] = &["win", "draw"];

    /// That a draw is kept is known from the tablebase only; here it is enough not to
    /// have lost.
    fn fulfills(&self, start: &Self, goal: Goal) -> bool {
        match goal {
            Goal::Win { .. } => is_won_by(self, start.turn()),
            _ => !is_won_by(self, !start.turn()),
        }
    }

    fn focus_name(m: lilypads::Move) -> &'static str {
        match m {
            lilypads::Move::Enter { .. } => "hand",
            _ => "piece",
        }
    }
}

impl Puzzling for Nonaga {
    const GOALS: &'static [&'static str] = &["win"];

    fn fulfills(&self, start: &Self, _: Goal) -> bool {
        is_won_by(self, start.turn())
    }

    fn rules_name(&self) -> Option<&'static str> {
        (self.variant() == Variant::Published).then_some("published")
    }

    /// R4: a shift never wins.
    fn may_still_win(&self) -> bool {
        self.phase() == Phase::Slide
    }

    fn focus_name(m: nonaga::Move) -> &'static str {
        match m {
            nonaga::Move::Shift { .. } => "tile",
            _ => "piece",
        }
    }
}

impl Puzzling for Takeover {
    const GOALS: &'static [&'static str] = &["win", "lead"];

    fn fulfills(&self, start: &Self, goal: Goal) -> bool {
        let solver = start.turn();
        match (goal, self.outcome()) {
            (Goal::Lead { pieces }, None) => {
                let n_pieces = |player| self.pieces(player).len();
                n_pieces(solver) >= n_pieces(!solver) + u32::from(pieces)
            }
            (_, outcome) => outcome == Some(Outcome::Win(solver)),
        }
    }
}

impl Puzzling for SimplyGo {
    const GOALS: &'static [&'static str] = &["capture", "save", "fort"];

    fn fulfills(&self, start: &Self, goal: Goal) -> bool {
        let solver = start.turn();
        let n_captured = |player| {
            self.n_captures(player)
                .saturating_sub(start.n_captures(player))
        };
        match goal {
            Goal::Capture { stones, .. } => n_captured(solver) >= stones.into(),
            Goal::Fort { points, .. } => {
                let n_points = |position: &Self| position.forts(solver).len();
                n_points(self) >= n_points(start) + u32::from(points)
            }
            _ => n_captured(!solver) == 0,
        }
    }

    fn focus_name(_: simply_go::Move) -> &'static str {
        "stones"
    }

    /// The stones that are captured, saved, or built around.
    fn focus(&self, _: Self::Move, end: &Self, goal: Goal) -> Vec<Self::Spot> {
        let solver = self.turn();
        let own = *self.stones(solver);
        let theirs = *self.stones(!solver);
        let stones = match goal {
            Goal::Capture { .. } => theirs - *end.stones(!solver),
            Goal::Save => own & endangered(self),
            _ => own & (*end.forts(solver) - *self.forts(solver)).grown(),
        };
        stones.iter().collect()
    }
}

/// The solver's stones that some stone of the opponent would capture.
fn endangered(position: &SimplyGo) -> PointSet {
    let solver = position.turn();
    let own = *position.stones(solver);
    let passed = position.after(simply_go::Move::Pass);
    let mut lost = PointSet::EMPTY;
    for m in passed.legal_moves() {
        lost |= own - *passed.after(m).stones(solver);
    }
    lost
}

/// [`Puzzling`] for a game that is known at run time only.
pub(crate) trait AnyPuzzling: Sync {
    fn game(&self) -> &'static str;

    fn goals(&self) -> &'static [&'static str];

    /// The last part of the key of a sentence about the rules of a position, if they are not
    /// the usual ones.
    fn rules_name(&self, position: &str) -> Option<&'static str>;

    /// Whether the position at the cursor fulfills a goal set at the start; `false` for
    /// a match of another game.
    fn fulfills(&self, playing: &dyn AnyMatch, goal: Goal) -> bool;

    /// The targets to look at before the first move of `rest`, in the position at the
    /// cursor.
    fn focus(&self, playing: &dyn AnyMatch, rest: &[String], goal: Goal) -> Vec<String>;

    /// The last part of the key of the phrase that names the focus of the move `m`.
    fn focus_name(&self, m: &str) -> &'static str;

    /// The target where the move `m` ends, in the position at the cursor.
    fn place(&self, playing: &dyn AnyMatch, m: &str) -> Option<String>;
}

/// The games with puzzles, in the order of [`catalog::GAMES`].
static PUZZLING: [&dyn AnyPuzzling; 4] = [
    &Listed::<Lilypads>::NEW,
    &Listed::<Nonaga>::NEW,
    &Listed::<Takeover>::NEW,
    &Listed::<SimplyGo>::NEW,
];

/// The game called `game`.
pub(crate) fn find(game: &str) -> Option<&'static dyn AnyPuzzling> {
    PUZZLING.into_iter().find(|listed| listed.game() == game)
}

/// The entry of the game `G`.
struct Listed<G>(PhantomData<fn() -> G>);

impl<G: Puzzling> Listed<G> {
    const NEW: Self = Self(PhantomData);
}

fn record<G: Puzzling>(playing: &dyn AnyMatch) -> Option<&Record<G>> {
    playing.as_any().downcast_ref()
}

impl<G: Puzzling> AnyPuzzling for Listed<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn goals(&self) -> &'static [&'static str] {
        G::GOALS
    }

    fn rules_name(&self, position: &str) -> Option<&'static str> {
        let position: G = position.parse().ok()?;
        position.rules_name()
    }

    fn fulfills(&self, playing: &dyn AnyMatch, goal: Goal) -> bool {
        record::<G>(playing).is_some_and(|record| {
            let line = record.line(record.cursor());
            let start = line.first().and_then(|&start| record.position_at(start));
            start.is_some_and(|start| record.position().fulfills(start, goal))
        })
    }

    fn focus(&self, playing: &dyn AnyMatch, rest: &[String], goal: Goal) -> Vec<String> {
        let spots = || {
            let position = record::<G>(playing)?.position();
            let moves: Option<Vec<G::Move>> = rest.iter().map(|m| m.parse().ok()).collect();
            let moves = moves?;
            let mut end = position.clone();
            for &m in &moves {
                end.play(m).ok()?;
            }
            Some(position.focus(*moves.first()?, &end, goal))
        };
        let spots = spots().unwrap_or_default();
        spots.iter().map(ToString::to_string).collect()
    }

    fn focus_name(&self, m: &str) -> &'static str {
        m.parse().map_or("piece", G::focus_name)
    }

    fn place(&self, playing: &dyn AnyMatch, m: &str) -> Option<String> {
        let position = record::<G>(playing)?.position();
        let m = m.parse().ok().filter(|&m| position.is_legal(m))?;
        let way = position.ways(m).into_iter().next()?;
        way.last().map(ToString::to_string)
    }
}
