//! Patterns of a position of Nonaga, which its evaluation sums up.
//!
//! The board drifts, so no input names a place: all of them are shapes of pieces in
//! relation to each other, and shapes that are turned or reflected are the same. The
//! mover and the opponent have the same inputs each:
//!
//! - the shape of the three pieces;
//! - the shape that each slide would leave them in;
//! - the shape of every pair of pieces with every piece of the other player;
//! - the ring of each piece: which of its six neighbors are no tile, a free tile, an own
//!   piece or the other's;
//! - the number of slides that win.

use std::{cmp::Reverse, collections::BTreeMap};

use nonaga::{Hex, Survey};
use rules::Player;

/// Pieces at most so far apart are told apart by where they are, others only by how near
/// they are.
const NEAR: i32 = 5;

/// The number of offsets up to that distance, and one for all others.
const N_OFFSETS: usize = 3 * NEAR as usize * (NEAR as usize + 1) + 1;

/// The offset of pieces that are farther apart.
const FAR: usize = N_OFFSETS - 1;

/// The number of distances that are told apart.
const N_DISTANCES: usize = NEAR as usize + 1;

/// The shapes of three pieces that are connected (R4) come first: triangle, line and
/// angle.
const N_CONNECTED: usize = 3;

/// The states of a neighbor.
const N_STATES: usize = 4;

/// Numbers of winning slides that are told apart: 0, 1, 2, and more.
const N_WIN_COUNTS: usize = 4;

/// The most inputs of a position at a time: for each player a shape, 18 slides, nine pairs
/// with a piece of the other player, three rings and a number of wins.
const MOST_INPUTS: usize = 2 * (1 + 18 + 9 + 3 + 1);

/// The patterns of positions, numbered.
#[derive(Clone, Debug)]
pub(crate) struct Patterns {
    /// The offset for each difference of numbers of cells, from the least one on.
    offsets: Vec<u8>,
    /// The offsets as distances; that of [`FAR`] is the next one after the others.
    distances: [u8; N_OFFSETS],
    /// The shape of three pieces, for the offsets of two of them from the third.
    triples: Vec<u16>,
    n_triples: usize,
    /// The shape of two pieces and another player's, for the offsets of the others from
    /// the first.
    pairs: Vec<u16>,
    n_pairs: usize,
    /// The ring for the states of six neighbors.
    rings: Vec<u16>,
    n_rings: usize,
    /// A state of 1 for every bit.
    spread: [u16; 64],
}

/// The inputs of a position that are on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inputs {
    numbers: [u16; MOST_INPUTS],
    n: usize,
    /// The number of winning slides of the mover and of the opponent.
    pub(crate) n_wins: [u32; 2],
}

impl Inputs {
    #[inline]
    fn push(&mut self, number: usize) {
        self.numbers[self.n] = number as u16;
        self.n += 1;
    }

    #[inline]
    pub(crate) fn numbers(&self) -> &[u16] {
        &self.numbers[..self.n]
    }
}

/// The largest difference of two numbers of cells.
const MOST_DIFFERENCE: i32 = Survey::WIDTH * Survey::WIDTH;

impl Patterns {
    pub(crate) fn new() -> Self {
        let hexes = near_hexes();
        let mut offsets = vec![FAR as u8; 2 * MOST_DIFFERENCE as usize + 1];
        let mut distances = [NEAR as u8 + 1; N_OFFSETS];
        for (offset, &hex) in hexes.iter().enumerate() {
            let difference = hex.q * Survey::WIDTH + hex.r;
            offsets[(difference + MOST_DIFFERENCE) as usize] = offset as u8;
            distances[offset] = length(hex) as u8;
        }
        let (triples, n_triples) = shapes(&hexes, N_DISTANCES, triple_form);
        let (pairs, n_pairs) = shapes(&hexes, N_DISTANCES * N_DISTANCES, pair_form);
        let (rings, n_rings) = rings();
        Self {
            offsets,
            distances,
            triples,
            n_triples,
            pairs,
            n_pairs,
            rings,
            n_rings,
            spread: std::array::from_fn(|bits| {
                let state = |n: usize| (bits as u16 >> n & 1) << (2 * n);
                (0..6).map(state).sum()
            }),
        }
    }

    /// The number of inputs of a player.
    fn n_of_player(&self) -> usize {
        2 * self.n_triples + self.n_pairs + self.n_rings + N_WIN_COUNTS
    }

    /// The number of all inputs.
    pub(crate) fn n_inputs(&self) -> usize {
        2 * self.n_of_player()
    }

    #[inline]
    fn offset(&self, from: u16, to: u16) -> usize {
        let difference = i32::from(to) - i32::from(from) + MOST_DIFFERENCE;
        usize::from(self.offsets[difference as usize])
    }

    /// The shape of three pieces.
    #[inline]
    fn triple(&self, [a, b, c]: [u16; 3]) -> usize {
        let (ab, ac) = (self.offset(a, b), self.offset(a, c));
        if ab != FAR && ac != FAR {
            return usize::from(self.triples[ab * N_OFFSETS + ac]);
        }
        let nearest = self.nearest([ab, ac, self.offset(b, c)]);
        self.n_triples - nearest
    }

    /// The shape of two pieces, the second being `b`, and the other player's `c`, with their
    /// offsets from the first.
    #[inline]
    fn pair(&self, [b, c]: [u16; 2], ab: usize, ac: usize) -> usize {
        if ab != FAR && ac != FAR {
            return usize::from(self.pairs[ab * N_OFFSETS + ac]);
        }
        let nearest = self.nearest([ac, self.offset(b, c)]);
        self.n_pairs - far_pair(usize::from(self.distances[ab]), nearest)
    }

    #[inline]
    fn nearest<const N: usize>(&self, offsets: [usize; N]) -> usize {
        let distances = offsets.map(|offset| usize::from(self.distances[offset]));
        distances.into_iter().min().unwrap_or(0)
    }

    /// The inputs of a position of which `survey` shows the pieces and slides.
    #[inline]
    pub(crate) fn inputs(&self, survey: &Survey, turn: Player) -> Inputs {
        let mut inputs = Inputs {
            numbers: [0; MOST_INPUTS],
            n: 0,
            n_wins: [0; 2],
        };
        for (view, player) in [turn, !turn].into_iter().enumerate() {
            let start = view * self.n_of_player();
            let own = survey.pieces[player];
            let other = survey.pieces[!player];
            inputs.push(start + self.triple(own));

            let start = start + self.n_triples;
            let mut n_wins = 0;
            // Which neighbors are free.
            let mut free = [0; 3];
            for (index, ends) in survey.ends[player].iter().enumerate() {
                let from = own[index];
                let [beside, beyond] = [own[(index + 1) % 3], own[(index + 2) % 3]];
                for (direction, &to) in ends.iter().enumerate() {
                    if to == from {
                        continue;
                    }
                    free[index] |= 1 << direction;
                    let shape = self.triple([to, beside, beyond]);
                    n_wins += u32::from(shape < N_CONNECTED);
                    inputs.push(start + shape);
                }
            }
            inputs.n_wins[view] = n_wins;

            let start = start + self.n_triples;
            let mut rings = free.map(|free: usize| self.spread[free]);
            for index in 0..3 {
                let (a, b) = (own[index], own[(index + 1) % 3]);
                let ab = self.offset(a, b);
                for c in other {
                    let ac = self.offset(a, c);
                    // The first six offsets are the directions.
                    if ac < 6 {
                        rings[index] |= 3 << (2 * ac);
                    }
                    inputs.push(start + self.pair([b, c], ab, ac));
                }
                if ab < 6 {
                    rings[index] |= 2 << (2 * ab);
                    rings[(index + 1) % 3] |= 2 << (2 * ((ab + 3) % 6));
                }
            }

            let start = start + self.n_pairs;
            for ring in rings {
                inputs.push(start + usize::from(self.rings[usize::from(ring)]));
            }

            let start = start + self.n_rings;
            inputs.push(start + (n_wins as usize).min(N_WIN_COUNTS - 1));
        }
        inputs
    }
}

/// All offsets up to [`NEAR`] but (0, 0), the six directions first.
fn near_hexes() -> Vec<Hex> {
    let all = (-NEAR..=NEAR).flat_map(|q| (-NEAR..=NEAR).map(move |r| Hex::new(q, r)));
    let others = all.filter(|&hex| (2..=NEAR).contains(&length(hex)));
    Hex::DIRECTIONS.into_iter().chain(others).collect()
}

fn length(hex: Hex) -> i32 {
    hex.distance(Hex::new(0, 0)) as i32
}

/// The twelve symmetries: turns, and turns of the reflection.
fn symmetric(hex: Hex, symmetry: usize) -> Hex {
    let reflected = if symmetry < 6 {
        hex
    } else {
        Hex::new(hex.r, hex.q)
    };
    (0..symmetry % 6).fold(reflected, |hex, _| Hex::new(-hex.r, hex.q + hex.r))
}

/// What shapes are numbered by. Equal ones are the same shape. Those with pieces that are
/// far apart come last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Form {
    /// Those with more touching pairs come first.
    Near {
        n_touching: Reverse<usize>,
        offsets: [Hex; 2],
    },
    /// By its number from the end.
    Far(usize),
}

/// The form of own pieces at (0, 0), `b` and `c`.
fn triple_form(b: Hex, c: Hex) -> Form {
    let lengths = [b, c, b - c].map(length);
    if lengths.iter().any(|&length| length > NEAR) {
        let nearest = lengths.into_iter().min().unwrap_or(0);
        return Form::Far(nearest as usize);
    }
    let origin = Hex::new(0, 0);
    let seen_from = [[b, c], [origin - b, c - b], [origin - c, b - c]];
    let orders = seen_from.into_iter().flat_map(|[b, c]| [[b, c], [c, b]]);
    Form::Near {
        n_touching: Reverse(lengths.iter().filter(|&&length| length == 1).count()),
        offsets: least(orders),
    }
}

/// The form of own pieces at (0, 0) and `b`, and another player's at `c`.
fn pair_form(b: Hex, c: Hex) -> Form {
    let lengths = [b, c, b - c].map(length);
    if lengths.iter().any(|&length| length > NEAR) {
        let nearest = lengths[1].min(lengths[2]) as usize;
        let apart = lengths[0].min(NEAR + 1) as usize;
        return Form::Far(far_pair(apart, nearest));
    }
    let origin = Hex::new(0, 0);
    Form::Near {
        n_touching: Reverse(0),
        offsets: least([[b, c], [origin - b, c - b]].into_iter()),
    }
}

/// The number, from 1 on, of the shape of two pieces that are `apart` from each other, with
/// the other player's so far from the `nearest` of them.
fn far_pair(apart: usize, nearest: usize) -> usize {
    (apart - 1) * N_DISTANCES + nearest
}

/// The least of all that `orders` look like when turned and reflected.
fn least(orders: impl Iterator<Item = [Hex; 2]>) -> [Hex; 2] {
    let turned = orders.flat_map(|offsets| {
        (0..12).map(move |symmetry| offsets.map(|hex| symmetric(hex, symmetry)))
    });
    turned.min().unwrap_or([Hex::new(0, 0); 2])
}

/// The number of the shape for all pairs of offsets, and how many there are. The `n_far`
/// forms of pieces that are far apart are numbered from the end.
fn shapes(hexes: &[Hex], n_far: usize, form: impl Fn(Hex, Hex) -> Form) -> (Vec<u16>, usize) {
    let all = || {
        let offsets = || hexes.iter().enumerate();
        offsets().flat_map(move |b| offsets().map(move |c| (b, c)))
    };
    let forms: Vec<Form> = all().map(|((_, &b), (_, &c))| form(b, c)).collect();
    let near = forms
        .iter()
        .filter(|form| matches!(form, Form::Near { .. }));
    let mut numbers: BTreeMap<Form, usize> = near.map(|&form| (form, 0)).collect();
    for (number, (_, shape)) in numbers.iter_mut().enumerate() {
        *shape = number;
    }
    let n_shapes = numbers.len() + n_far;
    let mut shapes = vec![0; N_OFFSETS * N_OFFSETS];
    for (((ab, _), (ac, _)), form) in all().zip(&forms) {
        let number = match form {
            Form::Far(number) => n_shapes - number,
            Form::Near { .. } => numbers[form],
        };
        shapes[ab * N_OFFSETS + ac] = number as u16;
    }
    (shapes, n_shapes)
}

/// The number of the ring for all states of six neighbors, and how many there are.
fn rings() -> (Vec<u16>, usize) {
    let form = |ring: usize| {
        let state = |direction: usize| ring >> (2 * direction) & (N_STATES - 1);
        let turned = |symmetry: usize| {
            (0..6).fold(0, |turned, n| {
                let from = if symmetry < 6 { n } else { 5 - n };
                turned | state((from + symmetry) % 6) << (2 * n)
            })
        };
        (0..12).map(turned).min().unwrap_or(ring)
    };
    let forms: Vec<usize> = (0..N_STATES.pow(6)).map(form).collect();
    let mut numbers: BTreeMap<usize, usize> = forms.iter().map(|&form| (form, 0)).collect();
    for (number, (_, ring)) in numbers.iter_mut().enumerate() {
        *ring = number;
    }
    let rings = forms.iter().map(|form| numbers[form] as u16).collect();
    (rings, numbers.len())
}

#[cfg(test)]
mod tests {
    use nonaga::{Hex, Nonaga, Setup};
    use rules::{ByPlayer, Game, Position, Random};

    use super::{Patterns, symmetric};

    /// Positions of random matches.
    fn positions() -> impl Iterator<Item = Nonaga> {
        (0..60).flat_map(|seed| {
            let mut random = Random::new(seed);
            let mut position = Nonaga::start(&Setup::default()).unwrap();
            let mut all = Vec::new();
            while position.outcome().is_none() && all.len() < 80 {
                all.push(position.clone());
                let moves = position.legal_moves();
                position.play(*random.pick(&moves).unwrap()).unwrap();
            }
            all
        })
    }

    fn inputs(patterns: &Patterns, position: &Nonaga) -> Vec<u16> {
        let inputs = patterns.inputs(&position.survey(), position.turn());
        let mut numbers = inputs.numbers().to_vec();
        numbers.sort_unstable();
        numbers
    }

    #[test]
    fn boards_that_are_turned_reflected_or_moved_have_the_same_inputs() {
        let patterns = Patterns::new();
        let mut n_positions = 0;
        for position in positions() {
            n_positions += 1;
            let expected = inputs(&patterns, &position);
            for symmetry in 0..12 {
                let place = |hex| symmetric(hex, symmetry) + Hex::new(30, -7);
                let tiles: Vec<Hex> = position.tiles().iter().map(place).collect();
                let pieces = ByPlayer::from_fn(|player| position.pieces(player).map(place));
                let turned = position.rearranged(&tiles, pieces).unwrap();
                assert_eq!(
                    inputs(&patterns, &turned),
                    expected,
                    "{position} {symmetry}"
                );
            }
        }
        assert!(n_positions > 1_000);
    }

    #[test]
    fn winning_slides_are_counted() {
        let patterns = Patterns::new();
        let mut n_wins = 0;
        for position in positions() {
            let turn = position.turn();
            let inputs = patterns.inputs(&position.survey(), turn);
            let expected = [turn, !turn].map(|player| position.slide_counts(player).n_wins);
            assert_eq!(inputs.n_wins, expected, "{position}");
            n_wins += expected[0] + expected[1];
        }
        assert!(n_wins > 100);
    }

    #[test]
    fn patterns_are_many_but_not_too_many() {
        let patterns = Patterns::new();
        assert!(patterns.n_inputs() <= usize::from(u16::MAX));
        // Rings: necklaces of six beads in four colors that may be turned over.
        assert_eq!(patterns.n_rings, 430);
    }
}
