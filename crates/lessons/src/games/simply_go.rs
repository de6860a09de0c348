use rules::{Outcome, Player, Position};
use simply_go::{Move, SimplyGo};

use crate::{Figure, LessonVerdict, Step, Taught};

impl Taught for SimplyGo {
    const STEPS: &'static [Step<Self>] = &[
        Step {
            name: "take",
            start: "9/9/9/4b4/3bwb3/9/9/9/9 b 0:0 6 0 moves:40",
            solution: "E4",
            judge: captures,
        },
        Step {
            name: "edge",
            start: "9/9/9/8b/8w/8b/9/b8/w8 b 0:0 6 0 moves:40",
            solution: "B1",
            judge: captures,
        },
        Step {
            name: "ring",
            start: "9/9/4b4/3b1b3/2bww1b2/3b5/4b4/9/9 b 0:0 14 0 moves:40",
            solution: "F4",
            judge: captures,
        },
        Step {
            name: "exit",
            start: "9/9/9/9/9/9/bb7/wwb6/1wb6 b 0:0 8 0 moves:40",
            solution: "A1",
            judge: captures,
        },
        Step {
            name: "escape",
            start: "9/9/4w4/3w1w3/2wbb1w2/3w5/4w4/9/9 b 0:0 14 0 moves:40",
            solution: "F4",
            judge: |position, m| {
                let after = position.after(m);
                let n_lost = |reply| after.after(reply).n_captures(Player::Second);
                let is_lost = after
                    .legal_moves()
                    .into_iter()
                    .any(|reply| n_lost(reply) > 0);
                LessonVerdict::of(!is_lost)
            },
        },
        Step {
            name: "fort",
            start: "9/3b5/2b1b4/1b3b3/2b1b1w2/5w3/9/9/9 b 0:0 14 0 moves:40",
            solution: "D4",
            judge: |position, m| {
                let n_points = |position: &Self| position.forts(Player::First).len();
                LessonVerdict::of(n_points(&position.after(m)) > n_points(position))
            },
        },
        Step {
            name: "target",
            start: "9/9/9/7bw/7bw/1bb5b/bBBb5/bBBb5/1bb6 b 4:0 22 0 target:5",
            solution: "I7",
            judge: |position, m| LessonVerdict::of(wins(&position.after(m))),
        },
        Step {
            name: "pass",
            start: "9/2bbb4/1bBBBb3/2bbb4/6w2/5w1w1/4ww3/9/9 b 3:0 26 1 moves:40",
            solution: "pass",
            judge: |position, m| LessonVerdict::of(m == Move::Pass && wins(&position.after(m))),
        },
    ];

    const FIGURES: &'static [Figure] = &[
        Figure {
            rule: 2,
            start: "9/9/4b4/3b1b3/2bww1b2/3b5/4b4/9/9 b 0:0 14 0 moves:40",
            clicks: &["F4"],
        },
        Figure {
            rule: 3,
            start: "9/3b5/2b1b4/1b3b3/2b1b1w2/5w3/9/9/9 b 0:0 14 0 moves:40",
            clicks: &["D4"],
        },
        Figure {
            rule: 6,
            start: "9/9/9/8b/8w/8b/9/b8/w8 b 0:0 6 0 moves:40",
            clicks: &["B1"],
        },
    ];
}

/// Right if a stone of the opponent was captured.
fn captures(position: &SimplyGo, m: Move) -> LessonVerdict {
    let n_captures = |position: &SimplyGo| position.n_captures(Player::First);
    LessonVerdict::of(n_captures(&position.after(m)) > n_captures(position))
}

fn wins(after: &SimplyGo) -> bool {
    after.outcome() == Some(Outcome::Win(Player::First))
}
