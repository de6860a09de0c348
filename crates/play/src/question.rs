use catalog::{AnyMatch, AnyStart};
use rules::record::NodeId;

use crate::Bot;

/// A position that a bot is asked about, with everything that its answer depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The node of the record that the answer belongs to.
    pub at: NodeId,
    /// The name of the game.
    pub game: &'static str,
    /// How the match began.
    pub start: AnyStart,
    /// The moves from there to the position.
    pub moves: Vec<String>,
    /// The bot to ask.
    pub bot: Bot,
    /// The seed of the bot's random choices.
    pub seed: u64,
}

impl Question {
    /// The question about the position at `at`.
    pub(crate) fn new(record: &dyn AnyMatch, at: NodeId, bot: Bot, seed: u64) -> Self {
        let line = record.line(at).into_iter();
        Self {
            at,
            game: record.game(),
            start: record.start(),
            moves: line.filter_map(|id| record.move_to(id)).collect(),
            bot,
            seed,
        }
    }

    /// The options of the engine for it.
    pub(crate) fn options(&self) -> Vec<(&'static str, String)> {
        let mut options = self.bot.options().to_vec();
        options.push(("MultiPV", "1".to_owned()));
        options.push(("Seed", self.seed.to_string()));
        options
    }
}
