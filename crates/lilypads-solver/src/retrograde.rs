use std::{mem, ops::ControlFlow};

use rules::{ByPlayer, Player};

use crate::{
    Tablebase,
    line::{BitLine, LINE_BITS},
    matrix::{Matrix, next_mark},
    passages::Passages,
    pond::Pond,
    tablebase::FAR_FROM,
    transpose::insert_transposed,
};

/// Progress of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverProgress {
    /// All wins and losses in this many plies are known.
    pub plies: u16,
    /// The number of positions known to be won or lost.
    pub n_decided: usize,
    /// The number of positions.
    pub n_states: usize,
}

/// Error when a board is not solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsolved {
    /// The caller asked to stop.
    #[error("stopped before the board was solved")]
    Stopped,
    /// Some win takes more plies than fit. The longest one seen takes 232.
    #[error("a win takes more than {MOST_PLIES} plies")]
    TooDeep,
}

const MOST_PLIES: u16 = u16::MAX - 1;

/// Finds the value of every position of `pond`.
///
/// `watch` is called after every ply; it may ask to stop.
///
/// # Errors
///
/// Returns [`Unsolved`] if it was stopped or if distances do not fit.
pub fn solve_pond(
    pond: &Pond,
    watch: impl FnMut(SolverProgress) -> ControlFlow<()>,
) -> Result<Tablebase, Unsolved> {
    Retrograde::new(Passages::new(pond), FAR_FROM).solve(watch)
}

/// The result of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// There is more to do.
    Some,
    /// A ply is done, and there is more to do.
    Ply(SolverProgress),
    /// All is done.
    Last,
}

/// Retrograde analysis: works backwards from finished matches, one ply at a time, on
/// rows of bits.
///
/// A row belongs to an arrangement of one player and has a bit for each arrangement
/// of the other, so that a move of the first is the same operation on two rows for
/// thousands of positions at once. The two players need transposed matrices;
/// `transpose.rs` does that.
pub(crate) struct Retrograde {
    /// What to do next.
    stage: Stage,
    /// The current ply, and the player to move.
    plies: u16,
    mover: Player,
    /// The number of positions decided before this ply.
    n_decided_before: usize,
    passages: Passages,
    table: Tablebase,
    n_decided: usize,
    /// For each player to move, the positions not decided yet. A row is an
    /// arrangement of the mover.
    undecided: ByPlayer<Matrix>,
    /// The positions not won by the mover. A row is an arrangement of the opponent,
    /// whose moves lead there.
    open: ByPlayer<Matrix>,
    /// The same for positions after captures, each row of `open` with the bits
    /// shifted to where the captured piece was still there.
    open_captured: ByPlayer<Matrix>,
    /// The positions decided in the last ply, by the mover. A row is an arrangement
    /// of the opponent.
    news: ByPlayer<Matrix>,
    /// The positions decided in this ply. Both players read the news of the last
    /// ply, so these are kept apart.
    settled: ByPlayer<Matrix>,
    /// Scratch: the positions from which a move leads to the news. A row is an
    /// arrangement of the mover.
    reached: Matrix,
    spare: Matrix,
}

/// The stages of a ply, each about a millisecond.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Record the wins in one.
    WinsAtOnce,
    /// Report progress.
    Tell,
    /// Collect the predecessors of a column of the news.
    Reach(usize),
    /// Record what is new in a column of `reached`.
    Settle(usize),
    /// Transpose the result for the other player.
    Turn,
}

impl Retrograde {
    pub(crate) fn new(passages: Passages, far_from: u8) -> Self {
        let n_circles = passages.arrangements.n_circles();
        let table = Tablebase::new(&passages.arrangements, n_circles, far_from);
        let n = passages.arrangements.len();
        let beside = &passages.beside;
        let captured = open_captured(&passages);
        Self {
            stage: Stage::WinsAtOnce,
            plies: 1,
            mover: Player::First,
            n_decided_before: 0,
            settled: ByPlayer::default(),
            table,
            n_decided: 0,
            undecided: ByPlayer::from_fn(|_| beside.clone()),
            open: ByPlayer::from_fn(|_| beside.clone()),
            open_captured: ByPlayer {
                first: captured.clone(),
                second: captured,
            },
            news: ByPlayer::from_fn(|_| Matrix::new(n, n)),
            reached: Matrix::new(n, n),
            spare: Matrix::new(n, n),
            passages,
        }
    }

    fn solve(
        mut self,
        mut watch: impl FnMut(SolverProgress) -> ControlFlow<()>,
    ) -> Result<Tablebase, Unsolved> {
        loop {
            match self.step()? {
                Part::Some => {}
                Part::Ply(progress) => {
                    if watch(progress).is_break() {
                        return Err(Unsolved::Stopped);
                    }
                }
                Part::Last => return Ok(self.table),
            }
        }
    }

    /// The finished tablebase.
    pub(crate) fn into_tablebase(self) -> Tablebase {
        self.table
    }

    /// Runs the next stage.
    pub(crate) fn step(&mut self) -> Result<Part, Unsolved> {
        let n_columns = self.reached.n_columns();
        let is_win = self.plies % 2 == 1;
        let mover = self.mover;
        self.stage = match self.stage {
            Stage::WinsAtOnce => {
                self.settle_wins_at_once();
                Stage::Tell
            }
            Stage::Tell => {
                let progress = SolverProgress {
                    plies: self.plies,
                    n_decided: self.n_decided,
                    n_states: self.table.n_states(),
                };
                if self.plies == MOST_PLIES {
                    return Err(Unsolved::TooDeep);
                }
                self.plies += 1;
                self.n_decided_before = self.n_decided;
                self.stage = Stage::Reach(0);
                return Ok(Part::Ply(progress));
            }
            Stage::Reach(column) if column < n_columns => {
                self.reach(mover, column, !is_win);
                Stage::Reach(column + 1)
            }
            Stage::Reach(_) => Stage::Settle(0),
            Stage::Settle(column) if column < n_columns => {
                if !is_win {
                    self.drop_with_way_out(mover, column);
                }
                self.settle_column(mover, column, self.plies);
                Stage::Settle(column + 1)
            }
            Stage::Settle(_) => Stage::Turn,
            Stage::Turn => {
                let mut fresh = mem::take(&mut self.spare);
                insert_transposed(&self.reached, &mut fresh);
                clear(&mut self.reached);
                self.settled[mover] = fresh;
                // The opponent's news have been used and cleared.
                self.spare = mem::take(&mut self.news[!mover]);
                self.mover = !mover;
                if mover == Player::First {
                    Stage::Reach(0)
                } else {
                    self.news = mem::take(&mut self.settled);
                    // A win or loss in one more ply needs one in this many.
                    if self.n_decided == self.n_decided_before {
                        let deepest = if self.n_decided == 0 {
                            0
                        } else {
                            self.plies - 1
                        };
                        self.table.finish(deepest);
                        return Ok(Part::Last);
                    }
                    Stage::Tell
                }
            }
        };
        Ok(Part::Some)
    }

    fn settle_wins_at_once(&mut self) {
        for mover in Player::BOTH {
            self.reached = mem::take(&mut self.passages.wins_at_once[mover]);
            for column in 0..self.reached.n_columns() {
                self.settle_column(mover, column, 1);
            }
            insert_transposed(&self.reached, &mut self.news[mover]);
            clear(&mut self.reached);
        }
    }

    /// Collects in `reached` the positions from which a move of `mover` leads to a
    /// column of the opponent's news, and clears those. If they are wins, they are
    /// no longer open.
    fn reach(&mut self, mover: Player, column: usize, are_wins: bool) {
        let passages = &self.passages;
        let news = &mut self.news[!mover];
        let open = &mut self.open[!mover];
        let open_captured = &mut self.open_captured[!mover];
        let conditions = passages.conditions.column(column);
        let mut next = 0;
        while let Some(row) = next_mark(news.marks(column), next) {
            next = row + 1;
            let (lines, marks) = news.marked_column_mut(column);
            marks[row] = 0;
            let bits = mem::take(&mut lines[row]);
            if are_wins {
                open.line_mut(row, column).remove(&bits);
            }
            let (reached, marks) = self.reached.marked_column_mut(column);
            if let Some(word) = bits.only_word() {
                let bits = bits.0[word];
                for go in passages.goes.of(row) {
                    let met = bits & conditions[usize::from(go.condition)].0[word];
                    if met != 0 {
                        reached[usize::from(go.to)].0[word] |= met;
                        marks[usize::from(go.to)] = 1;
                    }
                }
            } else {
                for go in passages.goes.of(row) {
                    let met = bits.both(&conditions[usize::from(go.condition)]);
                    reached[usize::from(go.to)].insert(&met);
                    marks[usize::from(go.to)] = 1;
                }
            }
            for &from in passages.before_entry[mover].of(row) {
                reached[usize::from(from)].insert(&bits);
                marks[usize::from(from)] = 1;
            }
            if let Some(stuck) = stuck_line(passages, mover, row, column) {
                reached[row].insert(&bits.both(stuck));
                marks[row] = 1;
            }
            if column == 0 {
                let open = are_wins.then_some(&mut *open_captured);
                reach_by_capture(passages, row, &bits, &mut self.reached, open);
            }
        }
    }

    /// Keeps in `reached` only undecided positions all of whose moves lose.
    fn drop_with_way_out(&mut self, mover: Player, column: usize) {
        let passages = &self.passages;
        let undecided = self.undecided[mover].column(column);
        let open = self.open[!mover].column(column);
        let open_captured = self.open_captured[!mover].column(column);
        let conditions = passages.conditions.column(column);
        let (reached, marks) = self.reached.marked_column_mut(column);
        let mut next = 0;
        while let Some(row) = next_mark(marks, next) {
            next = row + 1;
            let line = &mut reached[row];
            line.retain(&undecided[row]);
            let goes = passages.goes.of(row).iter();
            let goes = goes.map(|go| (usize::from(go.to), usize::from(go.condition)));
            let entered = passages.entered[mover].of(row).iter();
            let entered = entered.map(|&to| usize::from(to));
            let captures = passages.captures.of(row).iter();
            let captures = captures.map(|&to| usize::from(to));
            if let Some(word) = line.only_word() {
                let mut rest = line.0[word];
                let ways_out = goes
                    .map(|(to, condition)| open[to].0[word] & conditions[condition].0[word])
                    .chain(entered.map(|to| open[to].0[word]))
                    .chain(captures.map(|to| open_captured[to].0[word]));
                for way_out in ways_out {
                    rest &= !way_out;
                    if rest == 0 {
                        break;
                    }
                }
                line.0[word] = rest;
            } else if !line.is_empty() {
                let mut rest = *line;
                drop_all(&mut rest, goes, |rest, (to, condition)| {
                    rest.remove(&open[to].both(&conditions[condition]));
                });
                drop_all(&mut rest, entered, |rest, to| rest.remove(&open[to]));
                drop_all(&mut rest, captures, |rest, to| {
                    rest.remove(&open_captured[to])
                });
                *line = rest;
            }
            if let Some(stuck) = stuck_line(passages, mover, row, column) {
                let way_out = open[row].both(stuck);
                line.remove(&way_out);
            }
            if line.is_empty() {
                marks[row] = 0;
            }
        }
    }

    /// Records what is new in a column of `reached`, and keeps only that.
    fn settle_column(&mut self, mover: Player, column: usize, plies: u16) {
        let undecided = self.undecided[mover].column_mut(column);
        let beside = &self.passages.beside;
        let (reached, marks) = self.reached.marked_column_mut(column);
        let mut next = 0;
        while let Some(row) = next_mark(marks, next) {
            next = row + 1;
            let line = &mut reached[row];
            line.retain(&undecided[row]);
            if line.is_empty() {
                marks[row] = 0;
                continue;
            }
            undecided[row].remove(line);
            let before: u32 = (0..column)
                .map(|column| n_bits(beside.line(row, column)))
                .sum();
            let mut index = self.table.row_start(mover, row) + before as usize;
            for (&word, &beside) in line.0.iter().zip(&beside.line(row, column).0) {
                self.n_decided += word.count_ones() as usize;
                let mut rest = word;
                while rest != 0 {
                    let below = (rest & rest.wrapping_neg()) - 1;
                    let n_before = (beside & below).count_ones() as usize;
                    self.table.set(index + n_before, plies);
                    rest &= rest - 1;
                }
                index += beside.count_ones() as usize;
            }
        }
    }
}

/// Applies `drop` for each item until nothing is left of `line`.
#[inline]
fn drop_all<T>(line: &mut BitLine, items: impl Iterator<Item = T>, drop: impl Fn(&mut BitLine, T)) {
    for item in items {
        if line.is_empty() {
            return;
        }
        drop(line, item);
    }
}

fn n_bits(line: &BitLine) -> u32 {
    line.0.iter().map(|word| word.count_ones()).sum()
}

fn clear(matrix: &mut Matrix) {
    for column in 0..matrix.n_columns() {
        let (lines, marks) = matrix.marked_column_mut(column);
        let mut next = 0;
        while let Some(row) = next_mark(marks, next) {
            next = row + 1;
            marks[row] = 0;
            lines[row] = BitLine::EMPTY;
        }
    }
}

/// R14: the positions of a line in which the mover has to pass.
#[inline]
fn stuck_line(passages: &Passages, mover: Player, row: usize, column: usize) -> Option<&BitLine> {
    let mut rows = passages.stuck[mover].iter();
    let (_, lines) = rows.find(|(stuck, _)| *stuck == row)?;
    lines.get(column)
}

/// The positions after captures before anything is decided: the captured piece was
/// where the mover's now is, and no others overlap.
fn open_captured(passages: &Passages) -> Matrix {
    let arrangements = &passages.arrangements;
    let mut open = Matrix::new(passages.captured.len(), arrangements.len());
    for (row, &set) in arrangements.sets().iter().enumerate() {
        let start = usize::from(passages.captured_starts[row]);
        for (index, circle) in crate::pond::bits(set).enumerate() {
            let rest = arrangements.number(set & !(1 << circle));
            for column in 0..open.n_columns() {
                // Arrangements that overlap with the whole but not with the rest
                // have a piece on the circle.
                let mut line = *passages.beside.line(rest, column);
                line.remove(passages.beside.line(row, column));
                *open.line_mut(start + index, column) = line;
            }
        }
    }
    open
}

/// Collects the positions from which a capture leads to `bits` of `row`. They are
/// in the first column, where all arrangements with a held piece are.
fn reach_by_capture(
    passages: &Passages,
    row: usize,
    bits: &BitLine,
    reached: &mut Matrix,
    mut open: Option<&mut Matrix>,
) {
    let n_with_held = passages.arrangements.n_with_held();
    let start = usize::from(passages.captured_starts[row]);
    let mut held: Vec<usize> = Vec::new();
    for (index, &word) in bits.0.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            let number = index * 64 + rest.trailing_zeros() as usize;
            if number < n_with_held {
                held.push(number);
            }
            rest &= rest - 1;
        }
    }
    if held.is_empty() {
        return;
    }
    let n_pieces = passages.arrangements.sets()[row].count_ones() as usize;
    let ends = start..start + n_pieces;
    for number in ends {
        let captured = &passages.captured[number];
        let with_piece = &passages.with_piece[captured.circle];
        let mut lines = [BitLine::EMPTY; MOST_COLUMNS];
        for &held in &held {
            let before = usize::from(with_piece[held]);
            lines[before / LINE_BITS].set(before);
        }
        for (column, line) in lines.iter().enumerate().take(reached.n_columns()) {
            if line.is_empty() {
                continue;
            }
            if let Some(open) = &mut open {
                open.line_mut(number, column).remove(line);
            }
            for &from in &captured.from {
                reached.insert(usize::from(from), column, line);
            }
        }
    }
}

/// 3,683 arrangements on 28 circles.
const MOST_COLUMNS: usize = 8;

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use rules::{ByPlayer, Player};

    use super::{Retrograde, solve_pond};
    use crate::{Pond, arrangements::Arrangements, passages::Passages};

    /// No small pond has distances that exceed a byte, so this test lowers the
    /// limit.
    #[test]
    fn long_distances_are_exact() {
        // A strip of triangles.
        let n_circles = 11;
        let strip: u32 = (1 << n_circles) - 1;
        let neighbors = (0..n_circles).map(|n| (0b11011 << n >> 2) & strip);
        let near_start = ByPlayer {
            first: 0b11,
            second: 0b11 << (n_circles - 2),
        };
        let pond = Pond::new(neighbors.collect(), near_start).expect("a strip is a pond");
        let table = solve_pond(&pond, |_| ControlFlow::Continue(())).expect("it is small");
        let short = Retrograde::new(Passages::new(&pond), 5).solve(|_| ControlFlow::Continue(()));
        let short = short.expect("it is small");
        assert!(table.deepest() > 10);
        assert_eq!(short.deepest(), table.deepest());
        assert_eq!(short.count(), table.count());
        let arrangements = Arrangements::new(n_circles);
        for &first in arrangements.sets() {
            let others = arrangements.sets().iter();
            for &second in others.filter(|&second| first & second == 0) {
                for turn in Player::BOTH {
                    let pieces = ByPlayer { first, second };
                    assert_eq!(short.value(pieces, turn), table.value(pieces, turn));
                }
            }
        }
    }
}
