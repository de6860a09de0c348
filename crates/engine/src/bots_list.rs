use std::marker::PhantomData;

use bots::{Bots, Request};
use catalog::AnyMatch;
use rules::Record;

use crate::Thought;

/// The opponents behind every game, in the order of [`catalog::GAMES`].
pub static BOTS: [&dyn AnyBots; 4] = [
    &Listed::<lilypads::Lilypads>::NEW,
    &Listed::<nonaga::Nonaga>::NEW,
    &Listed::<takeover::Takeover>::NEW,
    &Listed::<simply_go::SimplyGo>::NEW,
];

/// The opponents behind a game.
pub trait AnyBots: Sync {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// Chooses a move in the position at the cursor of `playing`; `None` if the
    /// game is over there, or if `playing` is a match of another game.
    fn think(
        &self,
        playing: &dyn AnyMatch,
        request: &Request<'_>,
        report: &mut dyn FnMut(&Thought),
    ) -> Option<String>;
}

/// Lets a bot choose a move in the position at the cursor of `playing`, and calls
/// `report` as it goes; `None` if the game is over there.
pub fn think(
    playing: &dyn AnyMatch,
    request: &Request<'_>,
    report: &mut dyn FnMut(&Thought),
) -> Option<String> {
    let bots = BOTS.iter().find(|bots| bots.game() == playing.game())?;
    bots.think(playing, request, report)
}

/// The entry of the game `G`.
struct Listed<G>(PhantomData<fn() -> G>);

impl<G: Bots> Listed<G> {
    const NEW: Self = Self(PhantomData);
}

impl<G: Bots> AnyBots for Listed<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn think(
        &self,
        playing: &dyn AnyMatch,
        request: &Request<'_>,
        report: &mut dyn FnMut(&Thought),
    ) -> Option<String> {
        let record = playing.as_any().downcast_ref::<Record<G>>()?;
        let found = bots::think(record, request, &mut |found| report(&found.into()));
        found.map(|m| m.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::BOTS;

    #[test]
    fn every_game_has_its_opponents() {
        let games = catalog::GAMES.map(|game| game.name());
        assert_eq!(BOTS.map(|bots| bots.game()), games);
    }
}
