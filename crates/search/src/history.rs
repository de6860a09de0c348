//! Move ordering statistics: history heuristic and killer moves.

use rules::Player;

/// The maximum length of a line.
pub(crate) const MOST_PLIES: usize = 240;

/// History heuristic: how often moves caused cutoffs, whatever the position.
#[derive(Clone, Debug)]
pub(crate) struct History {
    scores: [Vec<i16>; 2],
}

const MOST: i32 = 8_192;

impl History {
    pub(crate) fn new(n_slots: usize) -> Self {
        Self {
            scores: [vec![0; n_slots], vec![0; n_slots]],
        }
    }

    #[inline]
    pub(crate) fn score(&self, player: Player, slot: usize) -> i32 {
        i32::from(self.scores[player as usize][slot])
    }

    /// Moves the score towards its limit, more slowly the nearer it is (gravity).
    pub(crate) fn learn(&mut self, player: Player, slot: usize, bonus: i32) {
        let score = &mut self.scores[player as usize][slot];
        let old = i32::from(*score);
        *score = (old + bonus - old * bonus.abs() / MOST) as i16;
    }
}

/// Two killer moves for each ply: the latest to cause a beta cutoff there.
#[derive(Clone, Debug)]
pub(crate) struct Killers<M> {
    moves: Vec<[Option<M>; 2]>,
}

impl<M: Copy + Eq> Killers<M> {
    pub(crate) fn new() -> Self {
        Self {
            moves: vec![[None; 2]; MOST_PLIES + 1],
        }
    }

    #[inline]
    pub(crate) fn at(&self, ply: usize) -> [Option<M>; 2] {
        self.moves[ply]
    }

    pub(crate) fn add(&mut self, ply: usize, m: M) {
        let [first, second] = &mut self.moves[ply];
        if *first != Some(m) {
            *second = first.replace(m);
        }
    }
}
