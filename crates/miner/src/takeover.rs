//! Takeover: the end of a match, and leads that hold.

use bots::level::Habits;
use puzzles::Goal;
use rules::{Game, Position, Random};
use takeover::{Setup, Takeover};

use crate::mined::{Aim, Found, Mined, aim};

impl Mined for Takeover {
    const AIMS: &'static [(Aim, u32)] = &[
        (aim("win", 1), 1),
        (aim("lead", 1), 3),
        (aim("win", 2), 2),
        (aim("win", 3), 2),
    ];
    const LONGEST_MATCH: usize = 120;
    const LEAST_MOVES: usize = 4;
    const PLAYERS: &'static [Habits] = &[
        Habits::seeing(1, 500).blurred(64, 450).blind(),
        Habits::seeing(2, 1_000).blurred(32, 220).careless(),
        Habits::seeing(2, 2_000).blurred(16, 110).careless(),
        Habits::seeing(3, 5_000).blurred(8, 50),
    ];

    fn first(random: &mut Random) -> Self {
        let setup = Setup {
            board: u64::from(random.below(100_000)),
            ..Setup::default()
        };
        Self::start(&setup).expect("no two options conflict")
    }

    fn goals(&self, aim: Aim) -> Vec<Goal> {
        let goal = match aim.goal {
            "lead" => best_lead(self),
            // A board with more empty squares is seldom full in time.
            _ if self.empty().len() <= 2 * u32::from(aim.turns) + 1 => {
                Some(Goal::Win { turns: aim.turns })
            }
            _ => None,
        };
        goal.into_iter().collect()
    }

    /// The classic opponent is greedy. If it is right, the puzzle is easy, or too dull for
    /// so many turns; what it never finds is hard.
    fn grade(found: &Found<'_, Self>) -> Option<u8> {
        match (found.goal, found.temptation) {
            (Goal::Lead { .. }, 0..=2) | (Goal::Win { turns: 1 }, _) => Some(1),
            (Goal::Lead { .. }, 3..=7) => Some(2),
            (Goal::Lead { .. }, _) => Some(3),
            (Goal::Win { turns: 2 }, 0) => Some(1),
            (Goal::Win { turns: 2 }, 1..=5) => Some(2),
            (Goal::Win { turns: 2 }, _) => Some(3),
            (_, 0) => None,
            (_, 1..=7) => Some(4),
            _ => Some(5),
        }
    }
}

/// The largest lead that some move keeps whatever the reply, if it is one.
fn best_lead(position: &Takeover) -> Option<Goal> {
    let solver = position.turn();
    let lead = |position: &Takeover| {
        let n_pieces = |player| i64::from(position.pieces(player).len());
        n_pieces(solver) - n_pieces(!solver)
    };
    let kept = |m| {
        let next = position.after(m);
        let replies = next.legal_moves().into_iter();
        replies.map(|m| lead(&next.after(m))).min()
    };
    let moves = position.legal_moves().into_iter();
    let best = moves.filter_map(kept).max()?;
    let pieces = u8::try_from(best).ok().filter(|&pieces| pieces > 0)?;
    Some(Goal::Lead { pieces })
}
