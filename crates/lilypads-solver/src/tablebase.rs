use rules::{ByPlayer, Player, mix};

use crate::{
    ExactValue,
    arrangements::{Arrangements, n_arrangements, rank_beside},
};

/// One byte for every unfinished position of a pond: the plies to the end with best
/// play, odd if the player to move wins, even if it loses, 0 for a draw. On rare
/// boards some distances do not fit into a byte; these are in a short list.
///
/// First's positions come before Second's; within one player's, the order is that of
/// the mover's arrangement, then of the opponent's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tablebase {
    n_circles: usize,
    /// The index of the first position with each arrangement of the mover.
    row_starts: Vec<u32>,
    plies: Vec<u8>,
    /// The positions whose distance exceeds a byte, in order, with their plies.
    far: Vec<(u32, u16)>,
    /// The smallest distance in that list: odd, like that of a win.
    far_from: u8,
    deepest: u16,
}

/// The usual `far_from`; tests use smaller ones.
pub(crate) const FAR_FROM: u8 = 253;

impl Tablebase {
    /// A tablebase of draws.
    pub(crate) fn new(arrangements: &Arrangements, n_circles: usize, far_from: u8) -> Self {
        let mut n_states = 0;
        let mut row_starts = Vec::with_capacity(arrangements.len());
        for set in arrangements.sets() {
            row_starts.push(n_states as u32);
            n_states += n_arrangements(n_circles - set.count_ones() as usize);
        }
        Self {
            n_circles,
            row_starts,
            plies: vec![0; 2 * n_states],
            far: Vec::new(),
            far_from,
            deepest: 0,
        }
    }

    /// The index of the first position of `turn` with the arrangement `row`. They
    /// are in the order of the opponent's arrangements.
    #[inline]
    pub(crate) fn row_start(&self, turn: Player, row: usize) -> usize {
        self.half(turn) + self.row_starts[row] as usize
    }

    /// Records a distance.
    #[inline]
    pub(crate) fn set(&mut self, index: usize, plies: u16) {
        if plies < u16::from(self.far_from) {
            self.plies[index] = plies as u8;
        } else {
            // One byte for wins and the next for losses.
            self.plies[index] = self.far_from + u8::from(plies.is_multiple_of(2));
            self.far.push((index as u32, plies));
        }
    }

    /// Must be called after the last distance.
    pub(crate) fn finish(&mut self, deepest: u16) {
        self.far.sort_unstable();
        self.deepest = deepest;
    }

    #[inline]
    fn half(&self, turn: Player) -> usize {
        match turn {
            Player::First => 0,
            Player::Second => self.plies.len() / 2,
        }
    }

    /// The value for `turn`, who is to move, with the players' pieces on these
    /// circles of the pond.
    ///
    /// # Panics
    ///
    /// May panic if both have a piece on the same circle, if there is no such
    /// circle, or if a player has more than three pieces.
    #[inline]
    #[must_use]
    pub fn value(&self, pieces: ByPlayer<u32>, turn: Player) -> ExactValue {
        let (own, other) = (pieces[turn], pieces[!turn]);
        let row = self.row_starts[rank_beside(own, 0, self.n_circles)] as usize;
        let index = self.half(turn) + row + rank_beside(other, own, self.n_circles);
        let plies = self.plies[index];
        ExactValue::from_plies(if plies < self.far_from {
            plies.into()
        } else {
            self.far_plies(index)
        })
    }

    #[cold]
    fn far_plies(&self, index: usize) -> u16 {
        let found = self
            .far
            .binary_search_by_key(&(index as u32), |&(index, _)| index);
        found.map_or(u16::from(self.plies[index]), |at| self.far[at].1)
    }

    /// The number of positions.
    #[must_use]
    pub fn n_states(&self) -> usize {
        self.plies.len()
    }

    /// The plies of the longest win or loss, 0 if every position is drawn.
    #[must_use]
    pub fn deepest(&self) -> u16 {
        self.deepest
    }

    /// How many positions the player to move wins, draws and loses.
    #[must_use]
    pub fn count(&self) -> Counts {
        let mut n_by_plies = [0_u64; 256];
        for &plies in &self.plies {
            n_by_plies[usize::from(plies)] += 1;
        }
        Counts {
            wins: n_by_plies.iter().skip(1).step_by(2).sum(),
            draws: n_by_plies[0],
            losses: n_by_plies.iter().skip(2).step_by(2).sum(),
        }
    }

    /// A hash that is the same on every platform.
    #[must_use]
    pub fn hash(&self) -> u64 {
        // Four independent chains, for instruction-level parallelism.
        let mut chains = [1, 2, 3, 4].map(|chain| mix(self.plies.len() as u64 ^ chain << 60));
        let (blocks, rest) = self.plies.as_chunks::<32>();
        for block in blocks {
            for (chain, word) in chains.iter_mut().zip(block.as_chunks::<8>().0) {
                *chain = (*chain ^ u64::from_le_bytes(*word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                *chain ^= *chain >> 32;
            }
        }
        let bytes = rest.iter().map(|&byte| u64::from(byte));
        chains
            .into_iter()
            .chain(bytes)
            .fold(0, |hash, next| mix(hash ^ next))
    }
}

/// How many positions have each value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// The player to move wins.
    pub wins: u64,
    /// Neither can force a win.
    pub draws: u64,
    /// The player to move loses.
    pub losses: u64,
}
