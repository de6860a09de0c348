use rules::{ByPlayer, Player, mix};

use crate::{
    Value,
    arrangements::{Arrangements, n_arrangements, rank_beside},
};

/// One byte for every position of a pond in which the match goes on: the plies to
/// the end with best play, odd if the player to move wins, even if it loses, 0 for
/// a draw.
///
/// First's positions come before Second's, and among one player's the order is
/// that of the mover's arrangement, then of the other's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    n_circles: usize,
    /// Where the positions with each arrangement of the mover begin.
    row_starts: Vec<u32>,
    plies: Vec<u8>,
}

impl Table {
    /// A table of draws.
    pub(crate) fn new(arrangements: &Arrangements, n_circles: usize) -> Self {
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
        }
    }

    /// The positions of `turn` with the arrangement `row`, in the order of the
    /// other's arrangements, and whatever follows them.
    #[inline]
    pub(crate) fn row_mut(&mut self, turn: Player, row: usize) -> &mut [u8] {
        let start = self.half(turn) + self.row_starts[row] as usize;
        &mut self.plies[start..]
    }

    #[inline]
    fn half(&self, turn: Player) -> usize {
        match turn {
            Player::First => 0,
            Player::Second => self.plies.len() / 2,
        }
    }

    /// The value for `turn`, who is to move, where the players' pieces stand on
    /// these circles of the pond.
    ///
    /// # Panics
    ///
    /// May panic if both stand on a circle, if there is no such circle, or if a
    /// player has more than three pieces.
    #[inline]
    #[must_use]
    pub fn value(&self, pieces: ByPlayer<u32>, turn: Player) -> Value {
        let (own, other) = (pieces[turn], pieces[!turn]);
        let row = self.row_starts[rank_beside(own, 0, self.n_circles)] as usize;
        let index = self.half(turn) + row + rank_beside(other, own, self.n_circles);
        Value::from_byte(self.plies[index])
    }

    /// How many positions there are.
    #[must_use]
    pub fn n_states(&self) -> usize {
        self.plies.len()
    }

    /// The plies of the longest win or loss, 0 if every position is drawn.
    #[must_use]
    pub fn deepest(&self) -> u8 {
        self.plies.iter().copied().max().unwrap_or_default()
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

    /// A number that two tables share only if they are the same, the same on every
    /// platform.
    #[must_use]
    pub fn hash(&self) -> u64 {
        // Four chains that do not wait for each other.
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
