use crate::Picture;

/// What a click did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Click<M> {
    /// It completed a move.
    Move(M),
    /// It took something up, or went on with what was.
    Picked,
    /// It put back what was taken up.
    Cleared,
    /// Nothing begins there, and nothing was taken up.
    Nothing,
}

/// The legal moves still in reach after the clicks so far.
///
/// This is all the knowledge of rules that a front end has: the list that the
/// position gave, narrowed click by click.
#[derive(Clone, Debug)]
pub struct Choice<G: Picture> {
    /// Every way to click every legal move.
    ways: Vec<(Vec<G::Spot>, G::Move)>,
    picked: Vec<G::Spot>,
}

impl<G: Picture> Choice<G> {
    /// All legal moves of `position`.
    #[must_use]
    pub fn new(position: &G) -> Self {
        let moves = position.legal_moves().into_iter();
        let ways = moves.flat_map(|m| {
            let ways = position.ways(m).into_iter();
            ways.map(move |way| (way, m))
        });
        Self {
            ways: ways.collect(),
            picked: Vec::new(),
        }
    }

    /// No move at all, as when it is not one's turn.
    #[must_use]
    pub fn none() -> Self {
        Self {
            ways: Vec::new(),
            picked: Vec::new(),
        }
    }

    /// What was clicked so far.
    #[must_use]
    pub fn picked(&self) -> &[G::Spot] {
        &self.picked
    }

    /// The spots that go on with what was clicked so far, and the moves that
    /// they lead to.
    pub fn open(&self) -> impl Iterator<Item = (G::Spot, G::Move)> {
        let n_picked = self.picked.len();
        let ways = self
            .ways
            .iter()
            .filter(|(way, _)| way.starts_with(&self.picked));
        ways.filter_map(move |(way, m)| Some((*way.get(n_picked)?, *m)))
    }

    /// Whether some move begins with `spot`.
    fn begins(&self, spot: G::Spot) -> bool {
        self.ways.iter().any(|(way, _)| way.first() == Some(&spot))
    }

    /// Whether `spot` goes on with what is taken up.
    #[must_use]
    pub fn leads_on(&self, spot: G::Spot) -> bool {
        !self.picked.is_empty() && self.open().any(|(open, _)| open == spot)
    }

    /// Whether a click on `spot` would take it up and do nothing else: it does
    /// not go on with what is taken up, and is no move by itself.
    #[must_use]
    pub fn takes_up(&self, spot: G::Spot) -> bool {
        let is_move = self.ways.iter().any(|(way, _)| *way == [spot]);
        let is_taken_up = self.picked.last() == Some(&spot);
        self.begins(spot) && !is_move && !is_taken_up && !self.leads_on(spot)
    }

    /// Whether a click on `spot` selects something or makes a move.
    pub(crate) fn is_useful(&self, spot: G::Spot) -> bool {
        self.begins(spot) || self.leads_on(spot)
    }

    /// Puts back what was taken up. Returns whether there was anything.
    pub fn clear(&mut self) -> bool {
        let had_any = !self.picked.is_empty();
        self.picked.clear();
        had_any
    }

    /// Goes on with `spot`, or takes it up instead, or puts everything back.
    pub fn click(&mut self, spot: G::Spot) -> Click<G::Move> {
        // A click on what is taken up puts it back.
        if self.picked.last() == Some(&spot) {
            self.clear();
            return Click::Cleared;
        }
        if self.open().any(|(open, _)| open == spot) {
            self.picked.push(spot);
        } else {
            let had_any = self.clear();
            if !self.begins(spot) {
                return if had_any {
                    Click::Cleared
                } else {
                    Click::Nothing
                };
            }
            self.picked.push(spot);
        }
        let complete = self.ways.iter().find(|(way, _)| *way == self.picked);
        let Some(&(_, m)) = complete else {
            return Click::Picked;
        };
        self.clear();
        Click::Move(m)
    }
}
