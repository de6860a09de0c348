//! Evaluation and move ranking of Simply Go.

use rules::{Outcome, Player, Position};
use search::{Guide, Slice, Stop, Tuning, Value};
use simply_go::{Mode, Move, SimplyGo};

use crate::linear::Linear;

use super::{
    bits::{Bits, N_PARTS, N_SPOTS, Spot},
    exposure::{Board, Exposure, Part},
};

/// Evaluation and move ranking of Simply Go.
#[derive(Clone, Debug)]
pub struct SimplyGoGuide {
    /// The key of the root position.
    root: u64,
    /// The moves to search at the root, chosen with more care than elsewhere.
    root_moves: Vec<Move>,
    /// The unfinished part of that choice.
    scan: Option<Scan>,
    weights: CountWeights,
}

/// The weights of the features.
#[derive(Clone, Copy, Debug)]
pub struct CountWeights(&'static Linear<N_COUNTS>);

impl CountWeights {
    /// The weights in `bytes`, if they are of the right size.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let is_of_size = bytes.len() == 2 * Linear::<N_COUNTS>::n_numbers();
        is_of_size.then(|| Self(Box::leak(Box::new(Linear::read(bytes, 0)))))
    }
}

impl Default for CountWeights {
    fn default() -> Self {
        Self(&WEIGHTS)
    }
}

/// What is computed once for a position.
#[derive(Clone, Debug)]
pub struct Sight {
    board: Board,
    exposures: [Exposure; 2],
}

/// A captured stone, in hundredths.
const STONE: i32 = 100;

/// Rank of a capture: a base, and an amount for each stone up to a limit.
const CAPTURE: (i32, i32) = (400, 60);
/// Rank of a defense against a capture, likewise.
const DEFENSE: (i32, i32) = (300, 50);
const MOST_COUNTED: u32 = 20;
/// Rank of a stone that could be captured at once.
const BEHIND_CUT: i32 = -300;
/// Rank for each additional part that a stone divides the opponent's surrounding
/// points into, and for preventing the opponent from dividing the own ones.
const DIVISION: (i32, i32) = (45, 35);
/// Rank for points of the opponent's that two stones may cut off, and beside stones
/// there.
const AMONG_SHAKY: (i32, i32) = (40, 60);
/// Rank for own points of that kind.
const AMONG_OWN_SHAKY: (i32, i32) = (25, 40);
/// Rank beside an own stone on the rim, where an eye may form.
const ALONG_RIM: i32 = 25;
/// Rank for each neighboring stone of the opponent's, up to three, and own, up to
/// two.
const CONTACT: (i32, i32) = (12, 8);

/// The number of moves searched.
const MOST_MOVES: usize = 24;

/// The number of moves searched on a board without stones.
const MOST_MIDDLE_MOVES: usize = 9;

/// Null moves prove nothing with this many moves left or fewer.
const MOST_MOVES_OF_ENDING: u32 = 8;

/// The numbers of root moves chosen by rank, and by the positions they lead to.
const MOST_ROOT_MOVES: (usize, usize) = (16, 24);

/// The number of positions evaluated to choose root moves: all on a board of 19, and
/// on 48 few enough that it takes less time than the search.
const MOST_SCANNED_MOVES: usize = 400;

/// The number of other root moves searched if many lines are requested.
const MOST_OTHER_MOVES: usize = 40;

/// Evaluates the moves of the root one by one to choose those to search.
#[derive(Clone, Debug)]
struct Scan {
    n_lines: usize,
    /// The most promising last, in case time runs out.
    left: Vec<Spot>,
    /// The moves evaluated so far, with the value of the position they lead to.
    scored: Vec<(i32, Spot)>,
}

impl SimplyGoGuide {
    /// A guide for a search of the `n_lines` best lines of `position`. If there are
    /// many lines, some of the moves do not look good at all.
    #[must_use]
    pub fn new(position: &SimplyGo, n_lines: usize, stop: &dyn Stop) -> Self {
        Self::with_weights(CountWeights::default(), position, n_lines, stop)
    }

    /// The same with other weights.
    #[must_use]
    pub fn with_weights(
        weights: CountWeights,
        position: &SimplyGo,
        n_lines: usize,
        stop: &dyn Stop,
    ) -> Self {
        let mut guide = Self {
            weights,
            ..Self::begin(position, n_lines)
        };
        while !guide.step(position, stop, &Slice::WHOLE) {}
        guide
    }

    /// A guide that has to be [stepped](Self::step) until its root moves are chosen.
    #[must_use]
    pub fn begin(position: &SimplyGo, n_lines: usize) -> Self {
        let sight = Sight::new(position);
        let mut root_moves = Vec::new();
        sight.moves_into(position, MOST_ROOT_MOVES.0, &mut root_moves);
        let rank = |spot: Spot| (std::cmp::Reverse(sight.rank(position.turn(), spot)), spot);
        let mut left: Vec<Spot> = sight.near_stones(2).iter().collect();
        left.sort_by_cached_key(|&spot| rank(spot));
        left.truncate(MOST_SCANNED_MOVES);
        left.reverse();
        Self {
            root: position.key(),
            root_moves,
            scan: Some(Scan {
                n_lines,
                left,
                scored: Vec::new(),
            }),
            weights: CountWeights::default(),
        }
    }

    /// Evaluates moves of `position`, with which it was [begun](Self::begin), for
    /// one slice. Returns whether it is done; `stop` ends it early.
    pub fn step(&mut self, position: &SimplyGo, stop: &dyn Stop, slice: &Slice<'_>) -> bool {
        let Some(mut scan) = self.scan.take() else {
            return true;
        };
        let mut n_tried = 0;
        while let Some(spot) = scan.left.pop() {
            let m = Move::Place(spot.point());
            let after = position.after(m);
            match after.outcome() {
                Some(Outcome::Win(player)) if player == position.turn() => {
                    // Nothing is better, and no rank may suggest this point.
                    self.root_moves.retain(|&other| other != m);
                    self.root_moves.insert(0, m);
                    break;
                }
                Some(_) => {}
                None => {
                    let score = self.score(&after, &Sight::new(&after));
                    scan.scored.push((score, spot));
                }
            }
            if stop.is_set() {
                break;
            }
            n_tried += 1;
            if n_tried >= slice.nodes || (slice.is_over)() {
                self.scan = Some(scan);
                return false;
            }
        }
        self.choose_moves(scan);
        true
    }

    /// Adds the best of the evaluated moves.
    fn choose_moves(&mut self, mut scan: Scan) {
        let scored = &mut scan.scored;
        // Lower is better: it is the opponent's turn.
        scored.sort_unstable();
        let (good, others) = scored.split_at(scored.len().min(MOST_ROOT_MOVES.1));
        let n_others = scan.n_lines.saturating_sub(good.len());
        let n_others = n_others.min(MOST_OTHER_MOVES);
        let step = others.len().div_ceil(n_others.max(1)).max(1);
        let others = others.iter().step_by(step).take(n_others);
        for &(_, spot) in good.iter().chain(others) {
            let m = Move::Place(spot.point());
            if !self.root_moves.contains(&m) {
                self.root_moves.push(m);
            }
        }
    }

    /// The value in hundredths of a stone for the player to move.
    fn score(&self, position: &SimplyGo, sight: &Sight) -> i32 {
        let [own, other] = counts_of(position, sight);
        self.weights.0.score(&own, &other)
    }
}

/// The number of features of a player.
pub const N_COUNTS: usize = N_BASICS + N_AREAS + N_POINTS + N_WINDOWS;

/// Captures, risk, forts, shaky stones and hanging stones.
const N_BASICS: usize = 5;

/// Kinds of areas, by exits and eyes.
const N_AREAS: usize = 12;

/// Areas, points behind cuts, shaky points and stones on the rim.
const N_POINTS: usize = 4;

/// Patterns of 2 × 2 points.
const N_WINDOWS: usize = 9;

/// The features, for the player to move and for the opponent.
#[must_use]
pub fn counts(position: &SimplyGo) -> [[i32; N_COUNTS]; 2] {
    counts_of(position, &Sight::new(position))
}

fn counts_of(position: &SimplyGo, sight: &Sight) -> [[i32; N_COUNTS]; 2] {
    let turn = position.turn();
    let board = &sight.board;
    let size = board.size;
    [turn, !turn].map(|player| {
        let exposure = &sight.exposures[player as usize];
        let own = &board.stones[player as usize];
        let other = &board.stones[!player as usize];
        let n_shaky = exposure.shaky.zip(own, size, |a, b| a & b).len() as i32;
        let risk: i32 = exposure.parts.iter().map(risk).sum();
        // Only the player to move gains from hanging stones.
        let hanging = if player == turn {
            sight.exchange(turn, n_moves_left(position))
        } else {
            0
        };
        let mut counts = [0; N_COUNTS];
        let (basics, rest) = counts.split_at_mut(N_BASICS);
        let (areas, rest) = rest.split_at_mut(N_AREAS);
        let (points, patterns) = rest.split_at_mut(N_POINTS);
        basics.copy_from_slice(&[
            i32::from(position.n_captures(player)),
            // In tenths of a stone.
            risk / 10,
            position.forts(player).len() as i32,
            n_shaky,
            hanging / 10,
        ]);
        for part in &exposure.parts {
            areas[area_kind(part)] += part.n_stones as i32;
        }
        points.copy_from_slice(&[
            exposure.parts.len() as i32,
            exposure.behind.len() as i32,
            exposure.shaky.len() as i32 - n_shaky,
            board.rim.zip(own, size, |rim, own| rim & own).len() as i32,
        ]);
        patterns.copy_from_slice(&windows(board, own, other));
        counts
    })
}

/// The kind of an area, by how many stones close its exits and by its eyes; the last one
/// is safe.
fn area_kind(part: &Part) -> usize {
    match (part.n_exits, part.n_eyes) {
        (None, _) | (_, 2..) => 11,
        (Some(0..=3), 1) => 8,
        (Some(4..=8), 1) => 9,
        (Some(_), 1) => 10,
        (Some(0..=1), 0) => 0,
        (Some(n @ 2..=4), 0) => n as usize - 1,
        (Some(5..=6), 0) => 4,
        (Some(7..=9), 0) => 5,
        (Some(10..=14), 0) => 6,
        (Some(_), 0) => 7,
    }
}

/// How often each pattern of 2 × 2 points occurs: two own stones side by side, with
/// nothing, one stone of the other player or two beside them; the same for diagonal ones;
/// three own stones, with nothing or a stone of the other player; four.
fn windows(board: &Board, own: &Bits, other: &Bits) -> [i32; N_WINDOWS] {
    let mut counts = [0; N_WINDOWS];
    for row in 1..usize::from(board.size) {
        // The corners of all windows of two rows, on the bits of their left columns.
        let inside = board.all.rows[row] & board.all.rows[row] >> 1;
        let corners = |bits: &Bits| {
            let [low, high] = [bits.rows[row], bits.rows[row + 1]];
            [low, low >> 1, high, high >> 1].map(|corner| corner & inside)
        };
        let own = corners(own);
        if own == [0; 4] {
            continue;
        }
        let other = corners(other);
        let empty: [u64; 4] = std::array::from_fn(|n| inside & !own[n] & !other[n]);
        let mut count = |index: usize, windows: u64| {
            counts[index] += windows.count_ones() as i32;
        };
        let mut count_pair = |start: usize, [a, b, c, d]: [usize; 4]| {
            let both = own[a] & own[b];
            if both != 0 {
                count(start, both & empty[c] & empty[d]);
                count(
                    start + 1,
                    both & (empty[c] & other[d] | other[c] & empty[d]),
                );
                count(start + 2, both & other[c] & other[d]);
            }
        };
        for corners in [[0, 1, 2, 3], [2, 3, 0, 1], [0, 2, 1, 3], [1, 3, 0, 2]] {
            count_pair(0, corners);
        }
        for corners in [[0, 3, 1, 2], [1, 2, 0, 3]] {
            count_pair(3, corners);
        }
        for last in 0..4 {
            let three = own[(last + 1) % 4] & own[(last + 2) % 4] & own[(last + 3) % 4];
            count(6, three & empty[last]);
            count(7, three & other[last]);
        }
        count(8, own[0] & own[1] & own[2] & own[3]);
    }
    counts
}

/// The weights of the features; a captured stone is 100.
static WEIGHTS: Linear<N_COUNTS> = Linear::read(include_bytes!("counts.weights"), 0);

/// What the stones of an area are worth less because all of its exits may be closed.
fn risk(part: &Part) -> i32 {
    match part.n_exits {
        Some(n) if part.n_eyes < 2 => {
            part.n_stones as i32 * 2 * STONE / (n + 2 + 4 * part.n_eyes) as i32
        }
        _ => 0,
    }
}

/// The maximum number of moves left.
fn n_moves_left(position: &SimplyGo) -> u32 {
    match position.mode() {
        Mode::Moves(limit) => u32::from(limit.saturating_sub(position.n_moves())),
        Mode::Target(_) => u32::MAX,
    }
}

impl Sight {
    fn new(position: &SimplyGo) -> Self {
        let board = Board::new(position);
        let exposures = Player::BOTH.map(|player| Exposure::new(&board, player));
        Self { board, exposures }
    }

    /// What `turn` gains if both players alternately capture or save as much as
    /// possible.
    fn exchange(&self, turn: Player, n_moves_left: u32) -> i32 {
        let mut sum = 0;
        // Stones that can be captured, and the player who would.
        let mut stakes: Vec<(i32, Player)> = Vec::new();
        for victim in Player::BOTH {
            let sign = if victim == turn { -1 } else { 1 };
            let exposure = &self.exposures[victim as usize];
            let is_in_time = n_moves_left >= if victim == turn { 2 } else { 1 };
            if is_in_time {
                sum += sign * STONE * exposure.n_lost as i32;
            }
            for cut in &exposure.cuts {
                if n_moves_left >= 3 {
                    sum += sign * STONE * 7 / 8 * cut.n_twice as i32;
                    let rest = (cut.n_stones - cut.n_twice) as i32 * STONE
                        + STONE / 8 * cut.n_twice as i32;
                    stakes.push((rest, !victim));
                } else {
                    stakes.push((STONE * cut.n_stones as i32, !victim));
                }
            }
        }
        stakes.sort_by_key(|&(stake, _)| std::cmp::Reverse(stake));
        let mut mover = turn;
        let n_turns = n_moves_left.min(stakes.len() as u32) as usize;
        for &(stake, taker) in &stakes[..n_turns] {
            if taker == mover {
                sum += if mover == turn { stake } else { -stake };
            }
            mover = !mover;
        }
        sum
    }

    /// How promising a stone of `mover` on `spot` looks.
    fn rank(&self, mover: Player, spot: Spot) -> i32 {
        let own_exposure = &self.exposures[mover as usize];
        let other_exposure = &self.exposures[!mover as usize];
        let own = &self.board.stones[mover as usize];
        let other = &self.board.stones[!mover as usize];
        let open = |stones: usize| self.board.all.around(spot) & !stones;
        let around_own = own.around(spot);
        let around_other = other.around(spot);
        let is_near_shaky =
            |exposure: &Exposure, stones: usize| exposure.shaky.around(spot) & stones != 0;
        let mut rank = 0;
        if let Some(cut) = other_exposure.cut_at(spot) {
            rank += CAPTURE.0 + CAPTURE.1 * cut.n_stones.min(MOST_COUNTED) as i32;
        }
        if let Some(cut) = own_exposure.cut_at(spot) {
            rank += DEFENSE.0 + DEFENSE.1 * cut.n_stones.min(MOST_COUNTED) as i32;
        }
        if own_exposure.behind.contains(spot) {
            rank += BEHIND_CUT;
        }
        // A wall between two parts of the opponent's area, or preventing one.
        let n_cut = i32::from(N_PARTS[open(around_own)]) - 1;
        let n_kept = i32::from(N_PARTS[open(around_other)]) - 1;
        rank += DIVISION.0 * n_cut.max(0) + DIVISION.1 * n_kept.max(0);
        if other_exposure.shaky.contains(spot) {
            rank += AMONG_SHAKY.0;
            if is_near_shaky(other_exposure, around_other) {
                rank += AMONG_SHAKY.1;
            }
        }
        if own_exposure.shaky.contains(spot) {
            rank += AMONG_OWN_SHAKY.0;
            if is_near_shaky(own_exposure, around_own) {
                rank += AMONG_OWN_SHAKY.1;
            }
        }
        if self.board.rim.around(spot) & around_own != 0 {
            rank += ALONG_RIM;
        }
        rank += CONTACT.0 * around_other.count_ones().min(3) as i32;
        rank += CONTACT.1 * around_own.count_ones().min(2) as i32;
        rank
    }

    /// The number of empty points on the rim.
    fn n_exits(&self) -> u32 {
        let [first, second] = &self.board.stones;
        let size = self.board.size;
        let stones = first.zip(second, size, |a, b| a | b);
        self.board
            .rim
            .zip(&stones, size, |rim, stones| rim & !stones)
            .len()
    }

    /// The playable points at most `n_steps` king's steps away from stones.
    fn near_stones(&self, n_steps: u32) -> Bits {
        let size = self.board.size;
        let [first, second] = &self.board.stones;
        let stones = first.zip(second, size, |a, b| a | b);
        let near = (0..n_steps).fold(stones, |near, _| near.spread(size));
        near.zip(&self.board.playable, size, |near, playable| near & playable)
    }

    /// Appends the moves to search, most promising first.
    fn moves_into(&self, position: &SimplyGo, most: usize, moves: &mut Vec<Move>) {
        let mover = position.turn();
        let mut ranked: Vec<(i32, Spot)> = Vec::new();
        for spot in self.near_stones(1).iter() {
            ranked.push((self.rank(mover, spot), spot));
        }
        if ranked.is_empty() {
            // Nothing is near: the middle of what is left.
            let middle = i32::from(position.size()) / 2;
            let off = |spot: Spot| {
                let point = spot.point();
                let off = |n: u8| (i32::from(n) - middle).abs();
                off(point.column()).max(off(point.row()))
            };
            let mut spots: Vec<Spot> = self.board.playable.iter().collect();
            spots.sort_by_key(|&spot| (off(spot), spot));
            spots.truncate(MOST_MIDDLE_MOVES);
            ranked.extend(spots.into_iter().map(|spot| (-off(spot), spot)));
        }
        if ranked.len() > most {
            ranked
                .select_nth_unstable_by_key(most, |&(rank, spot)| (std::cmp::Reverse(rank), spot));
            ranked.truncate(most);
        }
        ranked.sort_unstable_by_key(|&(rank, spot)| (std::cmp::Reverse(rank), spot));
        moves.extend(ranked.iter().map(|&(_, spot)| Move::Place(spot.point())));

        let counts = |player| (position.n_captures(player), position.forts(player).len());
        let is_ahead = counts(mover) > counts(!mover);
        let ends_well = is_ahead && position.n_passes() > 0;
        if ends_well || moves.is_empty() || n_moves_left(position) <= 3 || self.n_exits() <= 6 {
            moves.push(Move::Pass);
        }
    }
}

impl Guide<SimplyGo> for SimplyGoGuide {
    type Memo = Sight;

    const N_SLOTS: usize = N_SPOTS;

    const TUNING: Tuning = Tuning {
        late_move_reduction: 128,
        futility_margin: Some(150),
        late_move_count: Some(6),
        null_move_reduction: 2,
        singular_margin: None,
        least_table_depth: 1,
        poll: 16,
    };

    fn memo(&self, position: &SimplyGo) -> Sight {
        Sight::new(position)
    }

    fn evaluate(&self, position: &SimplyGo, memo: &Sight) -> Value {
        Value::from_score(self.score(position, memo))
    }

    fn moves_into(&self, position: &SimplyGo, memo: &Sight, moves: &mut Vec<Move>) {
        if position.key() == self.root {
            moves.extend(&self.root_moves);
        } else {
            memo.moves_into(position, MOST_MOVES, moves);
        }
    }

    fn rank_into(
        &self,
        position: &SimplyGo,
        memo: &Sight,
        moves: &[Move],
        _: i32,
        ranks: &mut Vec<i32>,
    ) {
        let mover = position.turn();
        ranks.extend(moves.iter().map(|&m| match m {
            Move::Place(point) => memo.rank(mover, Spot::new(point)),
            Move::Pass => -1_000,
        }));
    }

    /// A pass is a legal move, and hardly ever the best one. The second in a row
    /// ends the match.
    fn null_move(&self, position: &SimplyGo, memo: &Sight) -> Option<(SimplyGo, Sight)> {
        let is_quiet = position.n_passes() == 0 && n_moves_left(position) > MOST_MOVES_OF_ENDING;
        is_quiet.then(|| (position.after(Move::Pass), memo.clone()))
    }

    fn slot(&self, _: &SimplyGo, m: Move) -> usize {
        match m {
            Move::Place(point) => Spot::new(point).index(),
            Move::Pass => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::{Game, Player, Position, Random};
    use simply_go::{Mode, Point, Setup, SimplyGo};

    use super::{N_WINDOWS, Sight, windows};

    /// The same as [`windows`], window by window.
    fn plain_windows(position: &SimplyGo, player: Player) -> [i32; N_WINDOWS] {
        let mut counts = [0; N_WINDOWS];
        let last = position.size() - 1;
        for (column, row) in (0..last).flat_map(|column| (0..last).map(move |row| (column, row))) {
            // In a circle.
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(right, up)| {
                let point = Point::new(column + right, row + up);
                if position.stones(player).contains(point) {
                    'o'
                } else if position.stones(!player).contains(point) {
                    'x'
                } else {
                    '.'
                }
            });
            let all: String = corners.iter().collect();
            let n = |stone| all.matches(stone).count();
            let twice = format!("{all}{all}");
            let first = match (n('o'), twice.contains("oo")) {
                (2, true) => 0,
                (2, false) => 3,
                (3, _) => 6,
                (4, _) => 8,
                _ => continue,
            };
            counts[first + n('x')] += 1;
        }
        counts
    }

    #[test]
    fn windows_are_counted_a_row_at_a_time() {
        let setup = Setup {
            size: 9,
            mode: Mode::Moves(100),
        };
        let mut total = [0; N_WINDOWS];
        for seed in 0..20 {
            let mut random = Random::new(seed);
            let mut position = SimplyGo::start(&setup).unwrap();
            while position.outcome().is_none() {
                let sight = Sight::new(&position);
                for player in Player::BOTH {
                    let [own, other] =
                        [player, !player].map(|player| &sight.board.stones[player as usize]);
                    let counts = windows(&sight.board, own, other);
                    assert_eq!(counts, plain_windows(&position, player), "{position}");
                    for (total, count) in total.iter_mut().zip(counts) {
                        *total += count;
                    }
                }
                let moves = position.legal_moves();
                position.play(*random.pick(&moves).unwrap()).unwrap();
            }
        }
        assert!(total.iter().all(|&count| count > 100), "{total:?}");
    }
}
