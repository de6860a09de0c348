use lilypads::{Lilypads, Move};
use rules::{Outcome, Player, Position};

use crate::{Figure, LessonVerdict, Step, Taught};

// Board 4401 has no small circles, so that fingers find them.
impl Taught for Lilypads {
    const STEPS: &'static [Step<Self>] = &[
        Step {
            name: "enter",
            start: "#4401 - - first",
            solution: "@3",
            judge: |_, _| LessonVerdict::RIGHT,
        },
        Step {
            name: "step",
            start: "#4401 3 - first",
            solution: "3-9",
            judge: |position, m| {
                let board = position.board();
                match m {
                    Move::Go { from, to } => {
                        let pips = |circle| board.pips(Player::First, circle);
                        LessonVerdict::of(pips(to) < pips(from))
                    }
                    _ => LessonVerdict::Wrong("enter"),
                }
            },
        },
        Step {
            name: "leap",
            start: "#4401 3,9 - first",
            solution: "3-16",
            judge: |position, m| match m {
                Move::Go { .. } => LessonVerdict::of(is_leap(position, m)),
                _ => LessonVerdict::Wrong("enter"),
            },
        },
        Step {
            name: "over",
            start: "#4401 9 16 first",
            solution: "9-25",
            judge: |position, m| {
                if captures(position, m) {
                    LessonVerdict::Wrong("capture")
                } else {
                    LessonVerdict::of(is_leap(position, m))
                }
            },
        },
        Step {
            name: "capture",
            start: "#4401 12 11,19 first",
            solution: "12-11",
            judge: |position, m| {
                if is_leap(position, m) {
                    LessonVerdict::Wrong("leap")
                } else {
                    LessonVerdict::of(captures(position, m))
                }
            },
        },
        Step {
            name: "guard",
            start: "#4401 3,20 6 first",
            solution: "3-6",
            judge: |position, m| LessonVerdict::of(!position.after(m).can_win(Player::Second)),
        },
        Step {
            name: "win",
            start: "#4401 12,26 3 first",
            solution: "26-29",
            judge: |position, m| LessonVerdict::of(wins(position, m)),
        },
        Step {
            name: "cross",
            start: "#4401 9,19 26 first",
            solution: "19-29",
            judge: |position, m| {
                if captures(position, m) {
                    LessonVerdict::Wrong("capture")
                } else {
                    LessonVerdict::of(wins(position, m))
                }
            },
        },
    ];

    const FIGURES: &'static [Figure] = &[
        Figure {
            rule: 1,
            start: "#4401 - - first",
            clicks: &["0"],
        },
        Figure {
            rule: 2,
            start: "#4401 12 11,19 first",
            clicks: &["12", "11"],
        },
        Figure {
            rule: 3,
            start: "#4401 9 16 first",
            clicks: &["9", "25"],
        },
        Figure {
            rule: 4,
            start: "#4401 9,19 26 first",
            clicks: &["19", "29"],
        },
    ];
}

/// R15.
fn wins(position: &Lilypads, m: Move) -> bool {
    position.after(m).outcome() == Some(Outcome::Win(Player::First))
}

/// R12: a move to a circle that no line leads to.
fn is_leap(position: &Lilypads, m: Move) -> bool {
    match m {
        Move::Go { from, to } => !position.graph().neighbors(from).contains(to),
        _ => false,
    }
}

/// R11.
fn captures(position: &Lilypads, m: Move) -> bool {
    let theirs = |position: &Lilypads| position.pieces(Player::Second).len();
    theirs(&position.after(m)) < theirs(position)
}
