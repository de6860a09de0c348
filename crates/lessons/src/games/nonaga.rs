use nonaga::Nonaga;
use rules::{Outcome, Player, Position};

use crate::{Figure, LessonVerdict, Step, Taught};

/// The tiles of the first position.
macro_rules! tiles {
    ($rest:literal) => {
        concat!(
            "-2,0;-2,1;-2,2;-1,-1;-1,0;-1,1;-1,2;0,-2;0,-1;0,0;0,1;0,2;1,-2;1,-1;1,0;1,1;2,-2;2,-1;2,0 ",
            $rest
        )
    };
}

impl Taught for Nonaga {
    const STEPS: &'static [Step<Self>] = &[
        Step {
            name: "slide",
            start: tiles!("-2,0;0,2;2,-2 -2,2;0,-2;2,0 first slide"),
            solution: "-2,0>1,0",
            judge: |_, _| LessonVerdict::RIGHT,
        },
        Step {
            name: "pair",
            start: tiles!("-2,0;0,0;2,-2 -2,2;0,-2;1,1 first slide"),
            solution: "2,-2>1,-1",
            judge: |position, m| LessonVerdict::of(n_pairs(&position.after(m)) > 0),
        },
        Step {
            name: "three",
            start: tiles!("-2,2;0,0;1,-1 -2,0;0,-2;2,0 first slide"),
            solution: "-2,2>-1,1",
            judge: |position, m| LessonVerdict::of(wins(&position.after(m))),
        },
        Step {
            name: "bend",
            start: tiles!("-1,1;0,2;1,0 -2,0;0,-1;2,-2 first slide"),
            solution: "0,2>0,0",
            judge: |position, m| LessonVerdict::of(wins(&position.after(m))),
        },
        Step {
            name: "shift",
            start: tiles!("-2,0;-1,1;0,2 -2,2;0,-2;2,0 first shift"),
            solution: "#1,-2>-3,1",
            judge: |_, _| LessonVerdict::RIGHT,
        },
        Step {
            name: "block",
            start: tiles!("-2,0;0,-2;2,0 -2,2;0,0;1,-1 first shift"),
            solution: "#-1,1>-3,1",
            judge: |position, m| LessonVerdict::of(!can_win(&position.after(m), Player::Second)),
        },
        Step {
            name: "ready",
            start: tiles!("-1,2;0,0;1,-1 -2,0;0,1;2,-2 first shift"),
            solution: "#-1,0>-3,1",
            judge: |position, m| LessonVerdict::of(can_win(&position.after(m), Player::First)),
        },
    ];

    const FIGURES: &'static [Figure] = &[
        Figure {
            rule: 1,
            start: tiles!("-2,0;0,2;2,-2 -2,2;0,-2;2,0 first slide"),
            clicks: &["-2,0"],
        },
        Figure {
            rule: 2,
            start: tiles!("-2,2;0,0;1,-1 -2,0;0,-2;2,0 first slide"),
            clicks: &["-2,2", "-1,1"],
        },
        Figure {
            rule: 3,
            start: tiles!("-2,0;-1,1;0,2 -2,2;0,-2;2,0 first shift"),
            clicks: &["1,-2"],
        },
    ];
}

/// How many pairs of the mover's pieces touch after a slide.
fn n_pairs(after: &Nonaga) -> usize {
    let [a, b, c] = after.pieces(Player::First);
    let pairs = [(a, b), (a, c), (b, c)];
    pairs.iter().filter(|(a, b)| a.distance(*b) == 1).count()
}

fn wins(after: &Nonaga) -> bool {
    after.outcome() == Some(Outcome::Win(Player::First))
}

/// Whether `player` wins with the next slide, if it is theirs.
fn can_win(position: &Nonaga, player: Player) -> bool {
    position.slide_counts(player).n_wins > 0
}
