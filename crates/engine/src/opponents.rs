use std::marker::PhantomData;

use bots::{
    Bots, Opponent, Preparation, Request, Thinking, ThinkingStep, WeightFile, needed_weights,
};
use catalog::AnyMatch;
use rules::Record;
use search::{Slice, Stop, TranspositionTable};

use crate::AnyReport;

/// The opponents behind every game, in the order of [`catalog::GAMES`].
pub static BOTS: [&dyn AnyBots; 4] = [
    &Listed::<lilypads::Lilypads>::NEW,
    &Listed::<nonaga::Nonaga>::NEW,
    &Listed::<takeover::Takeover>::NEW,
    &Listed::<simply_go::SimplyGo>::NEW,
];

/// The opponents of a game.
pub trait AnyBots: Sync {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// Starts to think about the position at the cursor of `playing`, like
    /// [`Thinking`]; `None` if it is a match of another game.
    fn begin(&self, playing: &dyn AnyMatch, request: &Request<'_>) -> Option<Box<dyn AnyThinking>>;

    /// As [`begin`](Self::begin), without the [weights](Self::weights).
    fn begin_small(
        &self,
        playing: &dyn AnyMatch,
        request: &Request<'_>,
    ) -> Option<Box<dyn AnyThinking>>;

    /// The file of weights that `opponent` needs in the position at the cursor of
    /// `playing`.
    fn weights(&self, playing: &dyn AnyMatch, opponent: Opponent) -> Option<&'static WeightFile>;

    /// Starts the work that `opponent` has to do before its first move in `playing`;
    /// `None` if there is none.
    fn prepare(
        &self,
        playing: &dyn AnyMatch,
        opponent: Opponent,
    ) -> Option<Box<dyn AnyPreparation>>;
}

/// A bot choosing one move, for any game.
pub trait AnyThinking {
    /// Runs one slice. `stop` ends the thinking, `slice` only this step.
    fn step(
        &mut self,
        table: &TranspositionTable,
        stop: &dyn Stop,
        slice: Slice<'_>,
    ) -> AnyThinkingStep;
}

/// The result of a [step](AnyThinking::step).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnyThinkingStep {
    /// The slice ended; there is more to do.
    Paused,
    /// A report; there is more to do.
    Report(AnyReport),
    /// The chosen move, if any.
    Done(Option<String>),
}

/// Work before a move, for any game.
pub trait AnyPreparation {
    /// Runs one slice, and returns whether all is done.
    fn step(&mut self, slice: Slice<'_>) -> bool;
}

/// The opponents of the game of `playing`.
///
/// # Panics
///
/// Panics if there are none; a test checks that every game has them.
#[must_use]
pub fn bots_of(playing: &dyn AnyMatch) -> &'static dyn AnyBots {
    let bots = BOTS.into_iter().find(|bots| bots.game() == playing.game());
    bots.expect("every game has opponents")
}

/// Chooses a move in the position at the cursor of `playing`, and calls `report` on
/// progress; `None` if the game is over there.
pub fn think(
    playing: &dyn AnyMatch,
    request: &Request<'_>,
    report: &mut dyn FnMut(&AnyReport),
) -> Option<String> {
    let mut thinking = bots_of(playing).begin(playing, request)?;
    loop {
        match thinking.step(request.table, request.stop, Slice::WHOLE) {
            AnyThinkingStep::Paused => {}
            AnyThinkingStep::Report(found) => report(&found),
            AnyThinkingStep::Done(choice) => return choice,
        }
    }
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

    fn begin(&self, playing: &dyn AnyMatch, request: &Request<'_>) -> Option<Box<dyn AnyThinking>> {
        let record = playing.as_any().downcast_ref::<Record<G>>()?;
        Some(Box::new(Thinking::new(record, request)))
    }

    fn begin_small(
        &self,
        playing: &dyn AnyMatch,
        request: &Request<'_>,
    ) -> Option<Box<dyn AnyThinking>> {
        let record = playing.as_any().downcast_ref::<Record<G>>()?;
        Some(Box::new(Thinking::new(record, request).without_weights()))
    }

    fn weights(&self, playing: &dyn AnyMatch, opponent: Opponent) -> Option<&'static WeightFile> {
        let record = playing.as_any().downcast_ref::<Record<G>>()?;
        needed_weights(record.position(), opponent)
    }

    fn prepare(
        &self,
        playing: &dyn AnyMatch,
        opponent: Opponent,
    ) -> Option<Box<dyn AnyPreparation>> {
        let record = playing.as_any().downcast_ref::<Record<G>>()?;
        Some(Box::new(Preparation::new(record, opponent)?))
    }
}

impl<G: Bots> AnyThinking for Thinking<G> {
    fn step(
        &mut self,
        table: &TranspositionTable,
        stop: &dyn Stop,
        slice: Slice<'_>,
    ) -> AnyThinkingStep {
        match Self::step(self, table, stop, slice) {
            ThinkingStep::Paused => AnyThinkingStep::Paused,
            ThinkingStep::Report(found) => AnyThinkingStep::Report((&found).into()),
            ThinkingStep::Done(m) => AnyThinkingStep::Done(m.map(|m| m.to_string())),
        }
    }
}

impl<G: Bots> AnyPreparation for Preparation<G> {
    fn step(&mut self, slice: Slice<'_>) -> bool {
        Self::step(self, slice)
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
