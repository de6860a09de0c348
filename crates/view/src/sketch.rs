use rules::{Outcome, Player, record::Ending};

use crate::{Picture, Words};

/// Display settings of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// The language of the labels.
    pub words: &'a Words,
    /// Whether text is large, for small screens.
    pub is_large: bool,
    /// Whether the screen is so small that a large board is shown in part.
    pub is_tiny: bool,
    /// Whether the board is rotated by 180°.
    pub is_flipped: bool,
    /// The target under the pointer.
    pub hover: Option<&'a str>,
    /// The target that the last move started from, where several would do.
    pub origin: Option<&'a str>,
    /// Whether places show their coordinates.
    pub has_coordinates: bool,
    /// Whether legal destinations of the selection are not marked.
    pub hides_destinations: bool,
    /// Whether it is a decoration: no text and no frame.
    pub is_bare: bool,
    /// Whether input is not accepted, as when it is not the viewer's turn.
    pub is_locked: bool,
    /// Whether the last move is being animated: input is not accepted, and the
    /// ending is not shown yet.
    pub is_moving: bool,
}

impl<'a> Look<'a> {
    /// The default settings.
    #[must_use]
    pub fn new(words: &'a Words) -> Self {
        Self {
            words,
            is_large: false,
            is_tiny: false,
            is_flipped: false,
            hover: None,
            origin: None,
            has_coordinates: false,
            hides_destinations: false,
            is_bare: false,
            is_locked: false,
            is_moving: false,
        }
    }
}

/// The input of a game's drawing.
#[derive(Debug)]
pub struct Sketch<'a, G: Picture> {
    /// The position.
    pub position: &'a G,
    /// The position before, and the move that led here.
    pub last: Option<(&'a G, G::Move)>,
    /// In games with several moves a turn, the previous move of the same turn, and
    /// the position before it.
    pub earlier: Option<(&'a G, G::Move)>,
    /// The clicks so far.
    pub picked: &'a [G::Spot],
    /// The spots that can be clicked next, and the moves they lead to.
    pub open: Vec<(G::Spot, G::Move)>,
    /// The spot under the pointer.
    pub hover: Option<G::Spot>,
    /// The spot that the last move started from, where several would do.
    pub origin: Option<G::Spot>,
    /// How the match ended.
    pub ending: Option<Ending>,
    /// Display settings.
    pub look: Look<'a>,
}

impl<G: Picture> Sketch<'_, G> {
    /// The selected spot.
    pub(crate) fn selected(&self) -> Option<G::Spot> {
        self.picked.last().copied()
    }

    /// The move that a click on `spot` makes, if something is selected.
    pub(crate) fn destination(&self, spot: G::Spot) -> Option<G::Move> {
        self.selected()?;
        let mut open = self.open.iter();
        open.find(|&&(open, _)| open == spot).map(|&(_, m)| m)
    }

    /// The spot under the pointer, and the move that a click there makes.
    pub(crate) fn hovered_destination(&self) -> Option<(G::Spot, G::Move)> {
        let hover = self.hover?;
        Some((hover, self.destination(hover)?))
    }

    /// Whether the move `m` wins at once.
    pub(crate) fn wins(&self, m: G::Move) -> bool {
        self.position.after(m).outcome() == Some(Outcome::Win(self.position.turn()))
    }

    /// Whether `spot` can be clicked next.
    pub(crate) fn is_open(&self, spot: G::Spot) -> bool {
        self.open.iter().any(|&(open, _)| open == spot)
    }

    /// The winner of the match.
    pub(crate) fn winner(&self) -> Option<Player> {
        match self.ending?.outcome {
            Outcome::Win(winner) => Some(winner),
            Outcome::Draw => None,
        }
    }

    /// The key of the phrase for the state of a place: selected, or what a click on
    /// it would do.
    pub(crate) fn place_state(
        &self,
        spot: G::Spot,
        name: impl Fn(G::Move) -> &'static str,
    ) -> String {
        let words = self.look.words;
        if self.selected() == Some(spot) {
            return words.say("place.selected", &[]);
        }
        match self.destination(spot) {
            Some(m) if self.wins(m) => words.say(name(m), &[]) + &words.say("place.win", &[]),
            Some(m) => words.say(name(m), &[]),
            None => String::new(),
        }
    }

    /// The number of spots that can be clicked next.
    pub(crate) fn n_open(&self) -> usize {
        let spots = self.open.iter().enumerate();
        spots
            .filter(|&(index, (spot, _))| !self.open[..index].iter().any(|(seen, _)| seen == spot))
            .count()
    }
}
