use lilypads::N_PIECES;
use rules::ByPlayer;

use crate::{
    arrangements::Arrangements,
    line::{BitLine, LINE_BITS},
    matrix::Matrix,
    pond::{Pond, bits},
};

/// The moves: which arrangement of a player becomes which, and under what condition
/// on the opponent's.
///
/// Conditions are rows of bits, one for each arrangement of the opponent. That a
/// destination must be empty needs none: the solver has no position in which two
/// pieces share a circle.
pub(crate) struct Passages {
    pub(crate) arrangements: Arrangements,
    /// For each arrangement, the opponent's arrangements that share no circle with
    /// it.
    pub(crate) beside: Matrix,
    /// Steps and leaps (R10, R12). They are reversible, under the same condition.
    pub(crate) goes: Lists<Go>,
    /// The conditions that `goes` refer to. The first is always true.
    pub(crate) conditions: Matrix,
    /// For each arrangement, the results of captures (R11): indices into
    /// [`captured`](Self::captured).
    pub(crate) captures: Lists<u16>,
    /// An arrangement and the circle of its last capture.
    pub(crate) captured: Vec<Captured>,
    /// The index of each arrangement's first entry in `captured`.
    pub(crate) captured_starts: Vec<u16>,
    /// For each circle and arrangement without it, the arrangement with it.
    pub(crate) with_piece: Vec<Vec<u16>>,
    /// Arrangements after entering (R9), and before.
    pub(crate) entered: ByPlayer<Lists<u16>>,
    pub(crate) before_entry: ByPlayer<Lists<u16>>,
    /// R14: the positions without a move, by the number of the mover's arrangement.
    pub(crate) stuck: ByPlayer<Vec<(usize, Vec<BitLine>)>>,
    /// The positions with a win in one.
    pub(crate) wins_at_once: ByPlayer<Matrix>,
}

/// A step or a leap to another arrangement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Go {
    pub(crate) to: u16,
    pub(crate) condition: u16,
}

/// The result of a capture.
#[derive(Clone, Debug)]
pub(crate) struct Captured {
    /// The circle of the captured piece.
    pub(crate) circle: usize,
    /// The arrangements before the capture.
    pub(crate) from: Vec<u16>,
}

/// A list for each arrangement.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    fn new(lists: impl Iterator<Item = Vec<T>>) -> Self {
        let mut starts = vec![0];
        let mut items = Vec::new();
        for list in lists {
            items.extend(list);
            starts.push(items.len() as u32);
        }
        Self { starts, items }
    }

    #[inline]
    pub(crate) fn of(&self, number: usize) -> &[T] {
        &self.items[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

impl Passages {
    pub(crate) fn new(pond: &Pond) -> Self {
        let arrangements = Arrangements::new(pond.n_circles());
        let standing = standing_on(&arrangements, pond.n_circles());
        let beside = beside(&arrangements, &standing);
        let (goes, conditions) = goes(pond, &arrangements, &standing);
        let n_columns = beside.n_columns();

        let mut captured = Vec::new();
        let mut captured_starts = Vec::new();
        for &set in arrangements.sets() {
            captured_starts.push(captured.len() as u16);
            captured.extend(bits(set).map(|circle| {
                let rest = set & !(1 << circle);
                let from = bits(pond.neighbors(circle) & !set);
                Captured {
                    circle,
                    from: from
                        .map(|from| arrangements.number(rest | 1 << from) as u16)
                        .collect(),
                }
            }));
        }
        let captures = arrangements.sets().iter().map(|&set| {
            let moves = bits(set).flat_map(|from| {
                let rest = set & !(1 << from);
                bits(pond.neighbors(from) & !set).map(move |to| (rest, to))
            });
            let number_after = |(rest, to): (u32, usize)| {
                let n_lower = (rest & ((1 << to) - 1)).count_ones();
                captured_starts[arrangements.number(rest | 1 << to)] + n_lower as u16
            };
            moves.map(number_after).collect()
        });
        let captures = Lists::new(captures);

        let n_with_held = arrangements.n_with_held();
        let with_piece = (0..pond.n_circles()).map(|circle| {
            let held = arrangements.sets()[..n_with_held].iter();
            held.map(|set| arrangements.number(set | 1 << circle) as u16)
                .collect()
        });
        let with_piece = with_piece.collect();

        let number = |set| arrangements.number(set) as u16;
        let entered = ByPlayer::from_fn(|player| {
            Lists::new(arrangements.sets().iter().map(|&set| {
                let has_held = (set.count_ones() as usize) < N_PIECES;
                let free = if has_held {
                    pond.near_start(player) & !set
                } else {
                    0
                };
                bits(free).map(|to| number(set | 1 << to)).collect()
            }))
        });
        let before_entry = ByPlayer::from_fn(|player| {
            Lists::new(arrangements.sets().iter().map(|&set| {
                bits(pond.near_start(player) & set)
                    .map(|to| number(set & !(1 << to)))
                    .collect()
            }))
        });
        let stuck = ByPlayer::from_fn(|player| {
            let sets = arrangements.sets().iter().enumerate();
            let rows = sets.filter(|&(_, &set)| has_no_go(pond, set));
            rows.map(|(row, &set)| {
                let has_held = (set.count_ones() as usize) < N_PIECES;
                let free = if has_held {
                    pond.near_start(player) & !set
                } else {
                    0
                };
                let lines = (0..n_columns).map(|column| {
                    let mut line = *beside.line(row, column);
                    for circle in bits(free) {
                        line.retain(standing.line(circle, column));
                    }
                    line
                });
                (row, lines.collect())
            })
            .collect()
        });
        let wins_at_once = ByPlayer::from_fn(|player| {
            wins_at_once(
                pond,
                &arrangements,
                &standing,
                &beside,
                pond.near_start(!player),
            )
        });
        Self {
            beside,
            goes,
            conditions,
            captures,
            captured,
            captured_starts,
            with_piece,
            entered,
            before_entry,
            stuck,
            wins_at_once,
            arrangements,
        }
    }
}

/// For each circle, the arrangements with a piece on it.
fn standing_on(arrangements: &Arrangements, n_circles: usize) -> Matrix {
    let mut standing = Matrix::new(n_circles, arrangements.len());
    for (number, &set) in arrangements.sets().iter().enumerate() {
        for circle in bits(set) {
            standing.line_mut(circle, number / LINE_BITS).set(number);
        }
    }
    standing
}

/// For each arrangement, those that share no circle with it.
fn beside(arrangements: &Arrangements, standing: &Matrix) -> Matrix {
    let mut beside = Matrix::new(arrangements.len(), arrangements.len());
    for column in 0..beside.n_columns() {
        let mut all = BitLine::EMPTY;
        for number in column * LINE_BITS..arrangements.len().min((column + 1) * LINE_BITS) {
            all.set(number);
        }
        for (row, &set) in arrangements.sets().iter().enumerate() {
            let mut line = all;
            for circle in bits(set) {
                line.remove(standing.line(circle, column));
            }
            *beside.line_mut(row, column) = line;
        }
    }
    beside
}

/// R10, R12: steps and leaps, and the conditions they need.
fn goes(pond: &Pond, arrangements: &Arrangements, standing: &Matrix) -> (Lists<Go>, Matrix) {
    let n_circles = pond.n_circles();
    // Leaps from `a` to `b` over a piece of the opponent share a condition.
    let mut condition_of = vec![0_u16; n_circles * n_circles];
    let mut middles = vec![0];
    for a in 0..n_circles {
        for b in 0..n_circles {
            let between = pond.neighbors(a) & pond.neighbors(b);
            if a != b && pond.neighbors(a) >> b & 1 == 0 && between != 0 {
                condition_of[a * n_circles + b] = middles.len() as u16;
                middles.push(between);
            }
        }
    }
    let mut conditions = Matrix::new(middles.len(), arrangements.len());
    for column in 0..conditions.n_columns() {
        *conditions.line_mut(0, column) = BitLine([u64::MAX; 8]);
        for (condition, &between) in middles.iter().enumerate() {
            for circle in bits(between) {
                let line = *standing.line(circle, column);
                conditions.line_mut(condition, column).insert(&line);
            }
        }
    }
    let list = |&set: &u32| {
        let mut list = Vec::new();
        for from in bits(set) {
            let rest = set & !(1 << from);
            let mut targets = pond.neighbors(from);
            for over in bits(pond.neighbors(from) & rest) {
                targets |= pond.neighbors(over);
            }
            // Unconditional moves come first.
            let mut leaps = 0;
            for over in bits(pond.neighbors(from)) {
                leaps |= pond.neighbors(over);
            }
            let leaps = leaps & !targets & !set;
            let to = |to: usize| arrangements.number(rest | 1 << to) as u16;
            list.extend(bits(targets & !set).map(|circle| Go {
                to: to(circle),
                condition: 0,
            }));
            list.extend(bits(leaps).map(|circle| Go {
                to: to(circle),
                condition: condition_of[from * n_circles + circle],
            }));
        }
        list.sort_by_key(|go| go.condition > 0);
        list
    };
    let goes = Lists::new(arrangements.sets().iter().map(list));
    (goes, conditions)
}

/// Whether no piece of an arrangement can step or capture. Then none can leap
/// either: it could only leap over own pieces, which have no other neighbors.
fn has_no_go(pond: &Pond, set: u32) -> bool {
    bits(set).all(|circle| pond.neighbors(circle) & !set == 0)
}

/// R15: the positions in which a piece can step or leap to the opponent's start.
fn wins_at_once(
    pond: &Pond,
    arrangements: &Arrangements,
    standing: &Matrix,
    beside: &Matrix,
    near_goal: u32,
) -> Matrix {
    let mut wins = Matrix::new(arrangements.len(), arrangements.len());
    for (row, &set) in arrangements.sets().iter().enumerate() {
        let springboards =
            bits(set).fold(0, |all, circle| all | pond.neighbors(circle)) & near_goal;
        for column in 0..beside.n_columns() {
            let beside = beside.line(row, column);
            if set & near_goal != 0 {
                wins.insert(row, column, beside);
            } else if springboards != 0 {
                let mut line = BitLine::EMPTY;
                for circle in bits(springboards) {
                    line.insert(standing.line(circle, column));
                }
                line.retain(beside);
                wins.insert(row, column, &line);
            }
        }
    }
    wins
}
