use catalog::{AnyMatch, Start};
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
    pub start: Start,
    /// The moves from there to the position.
    pub moves: Vec<String>,
    /// Who is asked.
    pub bot: Bot,
    /// What the bot's random choices come from.
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

    /// The lines of the protocol that set an engine up for it, if the last question to
    /// the same engine was `last`.
    ///
    /// An engine remembers positions from one question to the next, within a match.
    #[must_use]
    pub fn setup_lines(&self, last: Option<&Self>) -> Vec<String> {
        let option = |name: &str, value: &str| format!("setoption name {name} value {value}");
        let last = last.filter(|last| last.game == self.game);
        let mut lines = Vec::new();
        if last.is_none() {
            lines.push(format!("game {}", self.game));
        }
        let start = match &self.start {
            Start::Setup(choices) => {
                lines.extend(choices.iter().map(|(name, value)| option(name, value)));
                "startpos".to_owned()
            }
            Start::Position(text) => format!("fen {text}"),
        };
        let options = self.bot.options();
        lines.extend(options.iter().map(|(name, value)| option(name, value)));
        lines.push(option("Seed", &self.seed.to_string()));
        if last.is_some_and(|last| (&last.start, last.seed) != (&self.start, self.seed)) {
            lines.push("uginewgame".to_owned());
        }
        let moves = match &self.moves[..] {
            [] => String::new(),
            moves => format!(" moves {}", moves.join(" ")),
        };
        lines.push(format!("position {start}{moves}"));
        lines
    }
}
