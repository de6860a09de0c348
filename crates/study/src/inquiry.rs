use catalog::{AnyMatch, Start};
use rules::record::NodeId;

/// A position that an engine is to judge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inquiry {
    /// The name of the game.
    pub game: &'static str,
    /// How the match began.
    pub start: Start,
    /// The moves from there to the position.
    pub moves: Vec<String>,
    /// How many moves are to be judged, the best ones.
    pub n_lines: usize,
    /// How long the engine thinks.
    pub effort: Effort,
}

/// How long an engine thinks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effort {
    /// For so many positions, remembering nothing, so that the answer is always the same.
    Nodes(u64),
    /// Until it is stopped.
    Endless,
}

impl Inquiry {
    /// As many lines as there are moves.
    pub const ALL_LINES: usize = 4096;

    /// An inquiry about the position at `node` of `record`.
    #[must_use]
    pub fn new(record: &dyn AnyMatch, node: NodeId, n_lines: usize, effort: Effort) -> Self {
        let line = record.line(node).into_iter();
        Self {
            game: record.game(),
            start: record.start(),
            moves: line.filter_map(|id| record.move_to(id)).collect(),
            n_lines,
            effort,
        }
    }

    /// Whether the game is solved, so that every answer is proven.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        is_exact(self.game)
    }

    /// The options of the engine for it.
    #[must_use]
    pub fn options(&self) -> Vec<(&'static str, String)> {
        let opponent = if self.is_exact() { "perfect" } else { "engine" };
        vec![
            ("Opponent", opponent.to_owned()),
            ("Level", "0".to_owned()),
            ("MultiPV", self.n_lines.to_string()),
        ]
    }

    /// The line of the protocol that asks it.
    #[must_use]
    pub fn go_line(&self) -> String {
        match self.effort {
            Effort::Nodes(nodes) => format!("go nodes {nodes}"),
            Effort::Endless => "go infinite".to_owned(),
        }
    }
}

/// Whether the game called `name` is solved, so that every answer is proven.
#[must_use]
pub fn is_exact(name: &str) -> bool {
    catalog::find(name).is_ok_and(|game| game.is_solved())
}

/// The lines of the protocol that set an engine up for a position. `is_known` if it has
/// been set up for the same game before.
#[must_use]
pub fn setup_lines(
    game: &str,
    start: &Start,
    moves: &[String],
    options: &[(&str, String)],
    is_known: bool,
    forgets: bool,
) -> Vec<String> {
    let option = |name: &str, value: &str| format!("setoption name {name} value {value}");
    let mut lines = Vec::new();
    if !is_known {
        lines.push(format!("game {game}"));
    }
    let start = match start {
        Start::Setup(choices) => {
            lines.extend(choices.iter().map(|(name, value)| option(name, value)));
            "startpos".to_owned()
        }
        Start::Position(text) => format!("fen {text}"),
    };
    lines.extend(options.iter().map(|(name, value)| option(name, value)));
    if forgets {
        lines.push("uginewgame".to_owned());
    }
    let moves = match moves {
        [] => String::new(),
        moves => format!(" moves {}", moves.join(" ")),
    };
    lines.push(format!("position {start}{moves}"));
    lines
}
