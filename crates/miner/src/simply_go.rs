//! Simply Go on 9 × 9: stones to capture and to save, and forts to make.

use bots::level::Habits;
use puzzles::Goal;
use rules::{Game, Position, Random};
use simply_go::{Mode, Move, Setup, SimplyGo};

use crate::mined::{Aim, Found, Mined, aim};

/// How many more stones or points than at once are tried for two turns.
const MORE: u8 = 3;

/// Positions with more legal moves than this are harder: every fourth puzzle has fewer.
const MANY_MOVES: usize = 56;

impl Mined for SimplyGo {
    const AIMS: &'static [(Aim, u32)] = &[
        (aim("capture", 1), 2),
        (aim("fort", 1), 1),
        (aim("save", 1), 3),
        (aim("capture", 2), 4),
        (aim("fort", 2), 2),
    ];
    const LONGEST_MATCH: usize = 70;
    const LEAST_MOVES: usize = 12;
    const PLAYERS: &'static [Habits] = &[
        Habits::seeing(2, 20_000).blurred(16, 430).careless(),
        Habits::seeing(2, 20_000).blurred(10, 200),
    ];

    fn first(_: &mut Random) -> Self {
        let setup = Setup {
            size: 9,
            mode: Mode::Moves(100),
        };
        Self::start(&setup).expect("9 × 9 offers 100 moves")
    }

    fn goals(&self, aim: Aim) -> Vec<Goal> {
        match (aim.goal, aim.turns) {
            ("save", _) => {
                let is_in_danger = most_captured(&self.after(Move::Pass)) >= 2;
                is_in_danger.then_some(Goal::Save).into_iter().collect()
            }
            ("capture", 1) => {
                let stones = most_captured(self);
                let goal = Goal::Capture { stones, turns: 1 };
                (stones > 0).then_some(goal).into_iter().collect()
            }
            ("capture", turns) => {
                let at_once = most_captured(self);
                let more = (1..=MORE).map(|more| at_once + more);
                more.map(|stones| Goal::Capture { stones, turns }).collect()
            }
            (_, 1) => {
                let points = most_enclosed(self);
                let goal = Goal::Fort { points, turns: 1 };
                (points > 0).then_some(goal).into_iter().collect()
            }
            (_, turns) => {
                let at_once = most_enclosed(self);
                let more = (1..=MORE).map(|more| at_once + more);
                more.map(|points| Goal::Fort { points, turns }).collect()
            }
        }
    }

    fn grade(found: &Found<'_, Self>) -> Option<u8> {
        let is_tempting = u8::from(found.temptation >= 4);
        // In two turns the classic opponent is seldom right.
        let is_hard = u8::from(found.temptation >= 4 && found.start.n_legal_moves() > MANY_MOVES);
        let is_large = u8::from(found.goal.amount() > 2);
        match found.goal {
            Goal::Capture { turns: 1, .. } => Some(1),
            Goal::Fort { turns: 1, .. } => Some(1 + is_tempting),
            // Stones that capture what surrounds them are saved by greed.
            Goal::Save if captures(found) => Some(1),
            Goal::Save => Some(2 + is_tempting),
            Goal::Capture { .. } => Some(3 + is_hard + is_large),
            // A capture makes a fort as well, but is another puzzle.
            _ => (!captures(found)).then_some(4 + is_hard),
        }
    }
}

/// The most stones that a move captures.
fn most_captured(position: &SimplyGo) -> u8 {
    let turn = position.turn();
    let before = position.n_captures(turn);
    let moves = position.legal_moves().into_iter();
    let counts = moves.map(|m| position.after(m).n_captures(turn) - before);
    counts.max().map_or(0, |most| most.min(50) as u8)
}

/// The most points that a move makes forts of.
fn most_enclosed(position: &SimplyGo) -> u8 {
    let turn = position.turn();
    let before = position.forts(turn).len();
    let moves = position.legal_moves().into_iter();
    let counts = moves.map(|m| position.after(m).forts(turn).len().saturating_sub(before));
    counts.max().map_or(0, |most| most.min(50) as u8)
}

/// Whether the solver captures something on the way.
fn captures(found: &Found<'_, SimplyGo>) -> bool {
    let mut position = found.start.clone();
    for &m in found.solution {
        position.play_unchecked(m);
    }
    let solver = found.start.turn();
    position.n_captures(solver) > found.start.n_captures(solver)
}
