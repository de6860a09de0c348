use catalog::GAMES;
use clap::{Args as ClapArgs, Parser, Subcommand, builder::PossibleValuesParser, value_parser};
use rules::parse_decimal;

/// A deeper count would not end in this world.
const DEEPEST_PERFT: i64 = 100;

/// Reads the name of a game.
fn game_name() -> PossibleValuesParser {
    GAMES.map(|game| game.name()).into()
}

/// Reads the number of a board.
fn board_number(text: &str) -> Result<u64, String> {
    parse_decimal(text).ok_or_else(|| format!("expected a number from 0 to {}", u64::MAX))
}

/// Abstract strategy games, driven and measured in text.
#[derive(Parser, Debug)]
#[command(name = "parlour", version)]
pub(crate) struct Args {
    /// Without a command it is `web`.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Serve the page on this machine and open the browser
    #[command(after_help = "Example: parlour web --port 8000 --no-open")]
    Web(WebArgs),
    /// Speak the Universal Game Interface on standard input and output
    #[command(
        after_help = "Example: printf 'ugi\\nposition startpos\\nquery moves\\nquit\\n' | parlour engine nonaga"
    )]
    Engine(EngineArgs),
    /// Count the move sequences of a given length
    #[command(after_help = "Example: parlour perft takeover 6 --variant ataxx")]
    Perft(PerftArgs),
    /// Print a board as JSON
    #[command(after_help = "Example: parlour board lilypads 42")]
    Board(BoardArgs),
    /// Do a fixed amount of work; print its size and the speed
    #[command(after_help = "Example: parlour bench")]
    Bench,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct WebArgs {
    /// The port to serve on; 0 is any that is free
    #[arg(long, value_name = "N", default_value_t = Self::DEFAULT_PORT)]
    pub(crate) port: u16,
    /// Leave the browser alone
    #[arg(long)]
    pub(crate) no_open: bool,
}

impl WebArgs {
    const DEFAULT_PORT: u16 = 8430;
}

impl Default for WebArgs {
    fn default() -> Self {
        Self {
            port: Self::DEFAULT_PORT,
            no_open: false,
        }
    }
}

#[derive(ClapArgs, Debug)]
pub(crate) struct EngineArgs {
    /// Which game
    #[arg(value_parser = game_name())]
    pub(crate) game: String,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct PerftArgs {
    /// Which game
    #[arg(value_parser = game_name())]
    pub(crate) game: String,
    /// The number of moves, as in the text forms: a turn of Nonaga is two
    #[arg(value_parser = value_parser!(u32).range(0..=DEEPEST_PERFT))]
    pub(crate) depth: u32,
    /// The position to begin with, in its text form
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with_all = ["board", "size", "mode"])]
    pub(crate) position: Option<String>,
    #[command(flatten)]
    pub(crate) setup: SetupArgs,
    /// Print the count for every first move
    #[arg(long)]
    pub(crate) divide: bool,
}

/// The choices before a match.
#[derive(ClapArgs, Debug)]
pub(crate) struct SetupArgs {
    /// Nonaga: standard or published. Takeover: standard or ataxx
    #[arg(long, value_name = "V")]
    pub(crate) variant: Option<String>,
    /// The number of the board of Lilypads or Takeover
    #[arg(long, value_name = "N")]
    pub(crate) board: Option<String>,
    /// The size of the board of Simply Go: 9, 13, 19, 25 or 48
    #[arg(long, value_name = "N")]
    pub(crate) size: Option<String>,
    /// Where Simply Go ends: moves:200, target:25 or the like
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<String>,
}

impl SetupArgs {
    /// Those that were given, each with its name.
    pub(crate) fn choices(&self) -> Vec<(&str, &str)> {
        let options = [
            ("variant", &self.variant),
            ("board", &self.board),
            ("size", &self.size),
            ("mode", &self.mode),
        ];
        let given = options.into_iter();
        given
            .filter_map(|(name, value)| Some((name, value.as_deref()?)))
            .collect()
    }
}

#[derive(ClapArgs, Debug)]
pub(crate) struct BoardArgs {
    /// Which game; lilypads and takeover have numbered boards
    #[arg(value_parser = game_name())]
    pub(crate) game: String,
    /// The number of the board
    #[arg(value_parser = board_number)]
    pub(crate) number: u64,
}
