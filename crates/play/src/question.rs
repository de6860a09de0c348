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

    /// The lines of the protocol that set an engine up for it, whatever it was asked
    /// before.
    #[must_use]
    pub fn setup_lines(&self) -> Vec<String> {
        let option = |name: &str, value: &str| format!("setoption name {name} value {value}");
        let mut lines = vec![format!("game {}", self.game)];
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
        let moves: String = self.moves.iter().map(|m| format!(" {m}")).collect();
        let moves = if moves.is_empty() {
            moves
        } else {
            format!(" moves{moves}")
        };
        lines.push(format!("position {start}{moves}"));
        lines
    }
}
