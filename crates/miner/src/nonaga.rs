//! Nonaga: wins in one turn and in two.

use bots::level::Habits;
use nonaga::{Hex, Move, Nonaga, Phase, Setup, Variant};
use puzzles::Goal;
use rules::{Game, Position, Random};

use crate::mined::{Aim, Found, Mined, aim};

const VARIANTS: [Variant; 2] = [Variant::Standard, Variant::Published];

impl Mined for Nonaga {
    const AIMS: &'static [(Aim, u32)] = &[(aim("win", 1), 2), (aim("win", 2), 3)];
    const LONGEST_MATCH: usize = 120;
    const LEAST_MOVES: usize = 6;
    const PLAYERS: &'static [Habits] = &[
        Habits::seeing(1, 1_000).blurred(16, 500).blind(),
        Habits::seeing(1, 1_000).blurred(8, 100).careless(),
        Habits::seeing(2, 2_000).blurred(8, 100).careless(),
    ];

    /// Both rule sets come up equally often.
    fn first(random: &mut Random) -> Self {
        let variant = *random.pick(&VARIANTS).expect("there are two");
        Self::start(&Setup { variant }).expect("there is only one option")
    }

    fn is_turn_start(&self) -> bool {
        self.phase() == Phase::Slide
    }

    fn goals(&self, aim: Aim) -> Vec<Goal> {
        let n_wins = self.slide_counts(self.turn()).n_wins;
        // A win in two is none if there is one in one.
        let is_possible = match aim.turns {
            1 => n_wins == 1,
            _ => n_wins == 0,
        };
        let goal = Goal::Win { turns: aim.turns };
        is_possible.then_some(goal).into_iter().collect()
    }

    /// A short slide is easy to see, and a pair that touches points to the win. So does
    /// the classic opponent, if its slide is the right one.
    fn grade(found: &Found<'_, Self>) -> Option<u8> {
        let [a, b, c] = found.start.pieces(found.start.turn());
        let has_pair = [(a, b), (b, c), (a, c)]
            .into_iter()
            .any(|(a, b)| distance(a, b) == 1);
        let is_long = match found.solution.first() {
            Some(&Move::Slide { from, to }) => distance(from, to) > 1,
            _ => return None,
        };
        Some(match found.goal.turns() {
            1 => 1 + u8::from(is_long || !has_pair),
            _ => 3 + u8::from(!has_pair) + u8::from(found.temptation > 0),
        })
    }
}

/// The number of steps from one cell to another.
fn distance(a: Hex, b: Hex) -> i32 {
    let (q, r) = (a.q - b.q, a.r - b.r);
    q.abs().max(r.abs()).max((q + r).abs())
}
