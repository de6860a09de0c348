use crate::Picture;

/// The result of a click.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Click<M> {
    /// It completed a move.
    Move(M),
    /// It selected something, or extended the selection.
    Picked,
    /// It cleared the selection.
    Cleared,
    /// Ignored: no move starts there, and nothing was selected.
    Nothing,
}

/// The legal moves that are consistent with the clicks so far.
///
/// This is all a front end knows of the rules: the position's list, narrowed click
/// by click.
#[derive(Clone, Debug)]
pub struct Choice<G: Picture> {
    /// Every sequence of clicks for every legal move.
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

    /// No moves, as when it is not the viewer's turn.
    #[must_use]
    pub fn none() -> Self {
        Self {
            ways: Vec::new(),
            picked: Vec::new(),
        }
    }

    /// The clicks so far.
    #[must_use]
    pub fn picked(&self) -> &[G::Spot] {
        &self.picked
    }

    /// The spots that continue the clicks so far, and the moves they lead to.
    pub fn open(&self) -> impl Iterator<Item = (G::Spot, G::Move)> {
        let n_picked = self.picked.len();
        let ways = self
            .ways
            .iter()
            .filter(|(way, _)| way.starts_with(&self.picked));
        ways.filter_map(move |(way, m)| Some((*way.get(n_picked)?, *m)))
    }

    /// Every sequence of clicks for every legal move.
    #[must_use]
    pub fn ways(&self) -> &[(Vec<G::Spot>, G::Move)] {
        &self.ways
    }

    /// Whether some move begins with `spot`.
    fn begins(&self, spot: G::Spot) -> bool {
        self.ways.iter().any(|(way, _)| way.first() == Some(&spot))
    }

    /// Whether `spot` continues the selection.
    #[must_use]
    pub fn leads_on(&self, spot: G::Spot) -> bool {
        !self.picked.is_empty() && self.open().any(|(open, _)| open == spot)
    }

    /// Whether a click on `spot` would only select it: it does not continue the
    /// selection, and is no move by itself.
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

    /// Clears the selection. Returns whether there was one.
    pub fn clear(&mut self) -> bool {
        let had_any = !self.picked.is_empty();
        self.picked.clear();
        had_any
    }

    /// Continues the selection with `spot`, selects it instead, or clears the
    /// selection.
    pub fn click(&mut self, spot: G::Spot) -> Click<G::Move> {
        // A click on the selected spot clears the selection.
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
