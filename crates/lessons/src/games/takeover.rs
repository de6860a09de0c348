use rules::{Outcome, Player, Position};
use takeover::{Move, Square, Takeover};

use crate::{Figure, LessonVerdict, Step, Taught};

impl Taught for Takeover {
    const STEPS: &'static [Step<Self>] = &[
        Step {
            name: "duplicate",
            start: "xx4/xx2-1/3-2/1-3-/2-1oo/4oo x 0 1",
            solution: "c4",
            judge: |_, m| match m {
                Move::Duplicate { .. } => LessonVerdict::RIGHT,
                _ => LessonVerdict::WRONG,
            },
        },
        Step {
            name: "jump",
            start: "xx4/xx2-1/3-2/1-3-/2-1oo/4oo x 0 1",
            solution: "b6d6",
            judge: |_, m| match m {
                Move::Jump { from, to } if is_knights(from, to) => LessonVerdict::Right("knight"),
                Move::Jump { .. } => LessonVerdict::RIGHT,
                _ => LessonVerdict::WRONG,
            },
        },
        Step {
            name: "knight",
            start: "6/1-2-1/2x3/3-2/1-2-o/5o x 0 9",
            solution: "c4e3",
            judge: |_, m| match m {
                Move::Jump { from, to } if is_knights(from, to) => LessonVerdict::RIGHT,
                Move::Jump { .. } => LessonVerdict::Wrong("straight"),
                _ => LessonVerdict::WRONG,
            },
        },
        Step {
            name: "turn",
            start: "xx1o1-/x2o2/1-1o2/2-3/-3-1/5o x 0 5",
            solution: "c5",
            judge: |position, m| match n_turned(position, m) {
                3.. => LessonVerdict::RIGHT,
                0 => LessonVerdict::WRONG,
                _ => LessonVerdict::Wrong("few"),
            },
        },
        Step {
            name: "wall",
            start: "6/4-1/2-3/1x-1o1/2-3/5- x 0 12",
            solution: "b3d4",
            judge: |position, m| LessonVerdict::of(n_turned(position, m) > 0),
        },
        Step {
            name: "grow",
            start: "3-2/4-1/x4-/2o3/4-1/-4o x 0 8",
            solution: "b4",
            judge: |position, m| match (m, n_turned(position, m)) {
                (Move::Duplicate { .. }, 1..) => LessonVerdict::RIGHT,
                (_, 1..) => LessonVerdict::Wrong("jump"),
                _ => LessonVerdict::WRONG,
            },
        },
        Step {
            name: "full",
            start: "xxxxoo/xxox-o/xo1-oo/x-oox-/xo-xoo/xxoooo x 3 20",
            solution: "c4",
            judge: |position, m| {
                let after = position.after(m);
                LessonVerdict::of(after.empty().is_empty() && wins(&after))
            },
        },
        Step {
            name: "blocked",
            start: "oo-x2/oo-x2/oox3/oox-2/oo-x2/oox-2 x 0 24",
            solution: "d4",
            judge: |position, m| LessonVerdict::of(wins(&position.after(m))),
        },
    ];

    const FIGURES: &'static [Figure] = &[
        Figure {
            rule: 1,
            start: "xx4/xx2-1/3-2/1-3-/2-1oo/4oo x 0 1",
            clicks: &["b5"],
        },
        Figure {
            rule: 2,
            start: "xx1o1-/x2o2/1-1o2/2-3/-3-1/5o x 0 5",
            clicks: &["b6", "c5"],
        },
        Figure {
            rule: 3,
            start: "6/4-1/2-3/1x-1o1/2-3/5- x 0 12",
            clicks: &["b3"],
        },
        Figure {
            rule: 4,
            start: "oo-x2/oo-x2/oox3/oox-2/oo-x2/oox-2 x 0 24",
            clicks: &["d5", "d4"],
        },
    ];
}

/// R5: two squares one way and one aside.
fn is_knights(from: Square, to: Square) -> bool {
    let files = from.file().abs_diff(to.file());
    let ranks = from.rank().abs_diff(to.rank());
    files != ranks && files > 0 && ranks > 0
}

/// R7: how many pieces a move turns.
fn n_turned(position: &Takeover, m: Move) -> u32 {
    let n_theirs = |position: &Takeover| position.pieces(Player::Second).len();
    n_theirs(position) - n_theirs(&position.after(m))
}

fn wins(after: &Takeover) -> bool {
    after.outcome() == Some(Outcome::Win(Player::First))
}
