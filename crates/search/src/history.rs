//! Move ordering statistics: history heuristic, continuation history and killer moves.

use rules::Player;

/// The maximum length of a line.
pub(crate) const MOST_PLIES: usize = 240;

/// What a search learned about moves, for the search after it.
#[derive(Clone, Debug)]
pub(crate) struct MoveStatistics {
    pub(crate) history: History,
    pub(crate) continuations: Continuations,
}

impl MoveStatistics {
    pub(crate) fn new(n_slots: usize, n_places: usize) -> Self {
        Self {
            history: History::new(n_slots),
            continuations: Continuations::new(n_places),
        }
    }

    /// Whether they are for a game with so many slots and places.
    pub(crate) fn fit(&self, n_slots: usize, n_places: usize) -> bool {
        self.history.scores[0].len() == n_slots && self.continuations.n_places == n_places
    }

    /// Halves all scores: what is learned next counts more.
    pub(crate) fn fade(&mut self) {
        let histories = self.history.scores.iter_mut();
        for scores in histories.chain(&mut self.continuations.scores) {
            for score in scores {
                *score /= 2;
            }
        }
    }
}

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
        adjust(&mut self.scores[player as usize][slot], bonus);
    }
}

/// Continuation history: which places were good replies to a move to another place.
#[derive(Clone, Debug)]
pub(crate) struct Continuations {
    n_places: usize,
    scores: [Vec<i16>; 2],
}

impl Continuations {
    pub(crate) fn new(n_places: usize) -> Self {
        // One more place before is for no move at all.
        let scores = vec![0; (n_places + 1) * n_places];
        Self {
            n_places,
            scores: [scores.clone(), scores],
        }
    }

    /// The place of no move.
    pub(crate) fn nowhere(&self) -> usize {
        self.n_places
    }

    #[inline]
    pub(crate) fn score(&self, player: Player, before: usize, place: usize) -> i32 {
        i32::from(self.scores[player as usize][before * self.n_places + place])
    }

    pub(crate) fn learn(&mut self, player: Player, before: usize, place: usize, bonus: i32) {
        let index = before * self.n_places + place;
        adjust(&mut self.scores[player as usize][index], bonus);
    }
}

fn adjust(score: &mut i16, bonus: i32) {
    let old = i32::from(*score);
    *score = (old + bonus - old * bonus.abs() / MOST) as i16;
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
