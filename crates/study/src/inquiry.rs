use catalog::{AnyMatch, AnyStart};
use rules::record::NodeId;

/// A request to an engine to evaluate a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inquiry {
    /// The name of the game.
    pub game: &'static str,
    /// How the match began.
    pub start: AnyStart,
    /// The moves from there to the position.
    pub moves: Vec<String>,
    /// How the match began that the position belongs to. It is `start`, except for positions
    /// that no moves lead to. An engine keeps its transposition table within a match.
    pub match_start: AnyStart,
    /// The number of best moves to evaluate (`MultiPV`).
    pub n_lines: usize,
    /// The effort of the search.
    pub effort: Effort,
}

/// The effort of a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effort {
    /// A number of nodes, with an empty transposition table, so that the answer is reproducible.
    Nodes(u64),
    /// A number of nodes, with the transposition table as it is.
    Brief(u64),
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
            match_start: record.start(),
            n_lines,
            effort,
        }
    }

    /// Whether the game is solved, so that every answer is proven.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        is_exact(self.game)
    }

    /// The engine options for it.
    #[must_use]
    pub fn options(&self) -> Vec<(&'static str, String)> {
        let opponent = if self.is_exact() { "perfect" } else { "engine" };
        vec![
            ("Opponent", opponent.to_owned()),
            ("Level", "0".to_owned()),
            ("MultiPV", self.n_lines.to_string()),
        ]
    }

    /// The `go` command of the protocol for it.
    #[must_use]
    pub fn go_line(&self) -> String {
        match self.effort {
            Effort::Nodes(nodes) | Effort::Brief(nodes) => format!("go nodes {nodes}"),
            Effort::Endless => "go infinite".to_owned(),
        }
    }
}

/// Whether the game called `name` is solved, so that every answer is proven.
#[must_use]
pub fn is_exact(name: &str) -> bool {
    catalog::find(name).is_ok_and(|game| game.is_solved())
}

/// The lines of the protocol that set up an engine for a position. `is_known` is whether it was
/// set up for the same game before.
#[must_use]
pub fn setup_lines(
    game: &str,
    start: &AnyStart,
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
        AnyStart::Setup(choices) => {
            lines.extend(choices.iter().map(|(name, value)| option(name, value)));
            "startpos".to_owned()
        }
        AnyStart::Position(text) => format!("fen {text}"),
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
