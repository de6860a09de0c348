//! Counts moves without listing them, which is most of a perft.

use rules::Position;

use crate::{Move, SquareSet, Takeover, position::QUIET_MOVES_THAT_DRAW};

impl Takeover {
    /// The number of legal moves.
    pub(crate) fn count_moves(&self) -> usize {
        if self.is_cut_off() {
            return 0;
        }
        let empty = self.empty();
        let n_jumps = |from| (self.jumps(from) & empty).len();
        let n_moves =
            (self.mover.grown() & empty).len() + self.mover.iter().map(n_jumps).sum::<u32>();
        if n_moves == 0 {
            usize::from(self.may_pass(empty))
        } else {
            n_moves as usize
        }
    }

    /// The number of sequences of two moves.
    ///
    /// The opponent's replies depend little on the move. Jumps are symmetric, so the
    /// opponent's jumps after a move are those before it, minus those of the
    /// converted pieces, minus those to the square that was taken, plus those to the
    /// square that was left.
    pub(crate) fn count_replies(&self) -> u64 {
        if self.is_cut_off() {
            return 0;
        }
        let empty = self.empty();
        let near_mover = self.mover.grown();
        let counts_jumps = self.n_quiet_moves + 1 < QUIET_MOVES_THAT_DRAW;
        let n_jumps_from = |from| (self.jumps(from) & empty).len();
        let n_jumps: u32 = self.other.iter().map(n_jumps_from).sum();
        let mut has_moved = false;
        let mut n_replies = 0;
        for to in empty {
            let origins = self.jumps(to) & self.mover;
            let may_duplicate = near_mover.contains(to);
            has_moved |= may_duplicate || !origins.is_empty();
            if !may_duplicate && (origins.is_empty() || !counts_jumps) {
                continue;
            }

            let turned = SquareSet::neighbors(to) & self.other;
            let other = self.other ^ turned;
            let still_empty = empty ^ to.into();
            let near_other = other.grown();
            let lost_jumps = turned.iter().map(n_jumps_from).sum::<u32>();
            let n_moves = n_jumps - lost_jumps - (self.jumps(to) & other).len()
                + (near_other & still_empty).len();
            if may_duplicate {
                n_replies += self.count_or_pass(n_moves, Move::Duplicate { to });
            }
            if counts_jumps {
                for from in origins {
                    let n_back = (self.jumps(from) & other).len();
                    let n_moves = n_moves + n_back + u32::from(near_other.contains(from));
                    n_replies += self.count_or_pass(n_moves, Move::Jump { from, to });
                }
            }
        }
        if !has_moved && self.may_pass(empty) {
            return self.after(Move::Pass).count_moves() as u64;
        }
        n_replies
    }

    /// Returns `n_moves`, the number of moves after `m`, unless it is 0: then there
    /// may be a pass.
    #[inline]
    fn count_or_pass(&self, n_moves: u32, m: Move) -> u64 {
        if n_moves == 0 {
            self.after(m).count_moves() as u64
        } else {
            u64::from(n_moves)
        }
    }
}
