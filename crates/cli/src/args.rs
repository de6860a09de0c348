use std::{
    net::{IpAddr, SocketAddr},
    ops::RangeInclusive,
    path::PathBuf,
    str::FromStr,
};

use catalog::GAMES;
use clap::{Args as ClapArgs, Parser, Subcommand, builder::PossibleValuesParser, value_parser};
use protocol::Pool;
use rules::parse_decimal;
use server::PublicUrl;

use crate::{
    clock::TimeKind,
    setup_args::SetupArgs,
    tournament::{Side, TimeControl},
};

/// Deeper counts would never finish.
const DEEPEST_PERFT: i64 = 100;

/// Longer wins make no puzzles.
const LONGEST_WIN: u16 = 100;

/// More puzzles than a board has.
const MOST_PUZZLES: i64 = 100_000;

/// Parses the name of a game.
fn game_name() -> PossibleValuesParser {
    GAMES.map(|game| game.name()).into()
}

/// Parses the number of a board.
fn board_number(text: &str) -> Result<u64, String> {
    parse_decimal(text).ok_or_else(|| format!("expected a number from 0 to {}", u64::MAX))
}

/// Parses a range of moves.
fn win_in(text: &str) -> Result<RangeInclusive<u16>, String> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let range = parse_decimal(low).zip(parse_decimal(high));
    range
        .filter(|(low, high)| (1..=*high).contains(low) && *high <= LONGEST_WIN)
        .map(|(low, high)| low..=high)
        .ok_or_else(|| format!("expected a number from 1 to {LONGEST_WIN} or a range such as 2..8"))
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
    /// Serve the page and online play to the world
    #[command(
        after_help = "Example: parlour serve --listen 127.0.0.1:8430 --store sqlite:parlour.db --public-url https://play.example.org"
    )]
    Serve(ServeArgs),
    /// Let a UGI engine play on a server
    #[command(
        after_help = "Example: parlour bot --token TOKEN takeover -- parlour engine takeover"
    )]
    Bot(BotArgs),
    /// Put a server under load; print how long turns take to the other player
    #[command(
        after_help = "Example: parlour load --server http://127.0.0.1:8430 --matches 1000 --watchers 3000 --turns-per-second 500"
    )]
    Load(LoadArgs),
    /// Speak the Universal Game Interface on standard input and output
    #[command(
        after_help = "Example: printf 'ugi\\nposition startpos\\nquery moves\\nquit\\n' | parlour engine nonaga"
    )]
    Engine(EngineArgs),
    /// Count the move sequences of a given length
    #[command(after_help = "Example: parlour perft takeover 6 --variant ataxx")]
    Perft(PerftArgs),
    /// Print a board as JSON, or find a fair one or a fair opening
    #[command(
        after_help = "Example: parlour board lilypads 42\nExample: parlour board lilypads --fair --from 42"
    )]
    Board(BoardArgs),
    /// Play many games between two players; print who is stronger
    #[command(
        after_help = "Example: parlour match takeover level:4 classic --games 100 --json\nExample: parlour match nonaga engine classic --movetime 50 --clock cpu --concurrency 8\nExample: parlour match takeover engine level:9 --time-control 2+0.02\nExample: parlour match takeover engine cmd:./engine --games 400 --balanced 50"
    )]
    Match(MatchArgs),
    /// Solve a board of Lilypads
    #[command(
        after_help = "Example: parlour solve 42\nExample: parlour solve 42 --position '#42 4,9 21 second' --json"
    )]
    Solve(SolveArgs),
    /// Find puzzles: positions with exactly one good move
    #[command(
        after_help = "Example: parlour puzzles nonaga --count 5 --seed 7 --json\nExample: parlour puzzles lilypads --board 42 --win-in 2..4"
    )]
    Puzzles(PuzzlesArgs),
    /// Judge every move of a match
    #[command(
        after_help = "Example: parlour match takeover level:2 level:3 --games 2 --save games && parlour analyze games/00001-1.txt"
    )]
    Analyze(AnalyzeArgs),
    /// Do a fixed amount of work; print its size and the speed
    #[command(after_help = "Example: parlour bench")]
    Bench,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct WebArgs {
    /// The port to serve on; 0 picks a free one
    #[arg(long, value_name = "N", default_value_t = Self::DEFAULT_PORT)]
    pub(crate) port: u16,
    /// Do not open the browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Where online matches are kept; by default, the user's data directory
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

impl WebArgs {
    const DEFAULT_PORT: u16 = 8430;
}

impl Default for WebArgs {
    fn default() -> Self {
        Self {
            port: Self::DEFAULT_PORT,
            no_open: false,
            data: None,
        }
    }
}

#[derive(ClapArgs, Debug)]
pub(crate) struct ServeArgs {
    /// The address to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8430")]
    pub(crate) listen: SocketAddr,
    /// Where everything is stored: sqlite:PATH, or postgres://… for several nodes
    #[arg(long, value_name = "STORE")]
    pub(crate) store: StoreAddress,
    /// How several nodes reach each other: nats://…
    #[arg(long, value_name = "URL")]
    pub(crate) bus: Option<String>,
    /// The address that people use; by default, the one listened on
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<PublicUrl>,
    /// Serve figures for Prometheus on this address
    #[arg(long, value_name = "ADDR:PORT")]
    pub(crate) metrics: Option<SocketAddr>,
    /// The address of a reverse proxy whose X-Forwarded-For is believed; may be repeated
    #[arg(long, value_name = "ADDR")]
    pub(crate) proxy: Vec<IpAddr>,
}

/// Where a server stores everything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum StoreAddress {
    /// In one file.
    Sqlite(PathBuf),
    /// In a database of this address.
    Postgres(String),
}

impl FromStr for StoreAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("sqlite:").filter(|path| !path.is_empty()) {
            return Ok(Self::Sqlite(path.into()));
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        Err("expected sqlite:PATH or postgres://USER@HOST/DATABASE".to_owned())
    }
}

/// The address of a server, such as `http://127.0.0.1:8430`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ServerUrl {
    /// Host, and port if it is given.
    pub(crate) host: String,
    /// Whether it speaks TLS.
    pub(crate) is_secure: bool,
}

impl ServerUrl {
    /// The address of the WebSocket.
    pub(crate) fn socket(&self) -> String {
        let scheme = if self.is_secure { "wss" } else { "ws" };
        format!("{scheme}://{}/ws", self.host)
    }
}

impl FromStr for ServerUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.strip_suffix('/').unwrap_or(text);
        let (scheme, host) = text.split_once("://").unwrap_or_default();
        let is_host = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
        if !matches!(scheme, "http" | "https") || host.is_empty() || !host.chars().all(is_host) {
            return Err("expected an address such as http://127.0.0.1:8430".to_owned());
        }
        Ok(Self {
            host: host.to_owned(),
            is_secure: scheme == "https",
        })
    }
}

#[derive(ClapArgs, Debug)]
pub(crate) struct LoadArgs {
    /// The server; several share the sockets, so that players of a match are on different ones
    #[arg(long, value_name = "URL", required = true)]
    pub(crate) server: Vec<ServerUrl>,
    /// The number of matches that are played at the same time, each with two sockets
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u32).range(1..=20_000))]
    pub(crate) matches: u32,
    /// The number of sockets that watch, spread over the matches
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = value_parser!(u32).range(0..=60_000))]
    pub(crate) watchers: u32,
    /// The number of turns a second, in all matches together
    #[arg(long, value_name = "X", default_value_t = 50, value_parser = value_parser!(u32).range(1..=20_000))]
    pub(crate) turns_per_second: u32,
    /// How long to play
    #[arg(long, value_name = "S", default_value_t = 30, value_parser = value_parser!(u32).range(1..=86_400))]
    pub(crate) seconds: u32,
    /// The game; all games in turn by default
    #[arg(long, value_parser = game_name())]
    pub(crate) game: Option<String>,
    /// The seed of the random turns
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Print one line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct BotArgs {
    /// The server
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8430")]
    pub(crate) server: ServerUrl,
    /// The token of the player, as the server gave it
    #[arg(
        long,
        value_name = "TOKEN",
        env = "PARLOUR_TOKEN",
        hide_env_values = true
    )]
    pub(crate) token: String,
    /// Look for opponents in these pools, again after every match, such as takeover/3+2
    #[arg(long, value_name = "POOL", value_delimiter = ',')]
    pub(crate) pools: Vec<Pool>,
    /// Stop after one match
    #[arg(long)]
    pub(crate) once: bool,
    /// Milliseconds per move in matches without a clock, or with days a turn
    #[arg(long, value_name = "MS", default_value_t = 2_000, value_parser = value_parser!(u64).range(1..=600_000))]
    pub(crate) movetime: u64,
    /// The game; matches of other games are left alone
    #[arg(value_parser = game_name())]
    pub(crate) game: String,
    /// The engine and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct EngineArgs {
    /// The game
    #[arg(value_parser = game_name())]
    pub(crate) game: String,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct PerftArgs {
    /// The game
    #[arg(value_parser = game_name())]
    pub(crate) game: String,
    /// The number of moves, as in the text forms: a turn of Nonaga is two
    #[arg(value_parser = value_parser!(u32).range(0..=DEEPEST_PERFT))]
    pub(crate) depth: u32,
    /// The position to begin with, in its text form
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    #[command(flatten)]
    pub(crate) setup: SetupArgs,
    /// Print the count for every first move
    #[arg(long)]
    pub(crate) divide: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct MatchArgs {
    /// The game
    #[arg(value_parser = game_name())]
    pub(crate) game: String,
    /// classic, random, level:1 to level:10, engine, perfect (Lilypads), cmd:"any UGI program" (or UAI,
    /// with --variant ataxx), or a model of a beginner: newcomer, greedy, careful
    pub(crate) a: Side,
    /// The same for the other side
    pub(crate) b: Side,
    /// The number of games, in pairs with the same opening and sides exchanged; an
    /// odd one is left over
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u64).range(1..))]
    pub(crate) games: u64,
    #[command(flatten)]
    pub(crate) setup: SetupArgs,
    /// Milliseconds per move; 100 by default
    #[arg(long, value_name = "MS")]
    pub(crate) movetime: Option<u64>,
    /// Nodes per move
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
    /// A clock for each player instead of a limit per move: seconds for the game, and those that
    /// every turn adds, such as 60 or 2+0.02. A player who oversteps it by 50 ms loses
    #[arg(long, value_name = "SECONDS[+INCREMENT]", conflicts_with_all = ["movetime", "nodes"])]
    pub(crate) time_control: Option<TimeControl>,
    /// What counts as time: on a busy machine, cpu is fairer (Linux; programs that measure their
    /// own time need the option Clock)
    #[arg(long, value_enum, default_value_t = TimeKind::Wall)]
    pub(crate) clock: TimeKind,
    /// The seed of openings and random choices
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The number of random moves at the start of a game
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) opening: usize,
    /// Keep only openings whose score is at most so many hundredths, for either side, by a
    /// search of our engine, whoever plays; by default, all that nobody can force a win in
    #[arg(long, value_name = "SCORE")]
    pub(crate) balanced: Option<u16>,
    /// Nodes of the search that judges an opening
    #[arg(long, value_name = "N", default_value_t = 50_000, requires = "balanced", value_parser = value_parser!(u64).range(1..))]
    pub(crate) judge_nodes: u64,
    /// The number of games played at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u64).range(1..=256))]
    pub(crate) concurrency: u64,
    /// Stop when a sequential probability ratio test decides between two Elo
    /// differences
    #[arg(long, value_name = "ELO0,ELO1", value_parser = elo_pair, allow_hyphen_values = true)]
    pub(crate) sprt: Option<(f64, f64)>,
    /// Save every game as a record in this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) save: Option<PathBuf>,
    /// Print one line of JSON at the end
    #[arg(long)]
    pub(crate) json: bool,
}

/// Parses two numbers, the smaller first.
fn elo_pair(text: &str) -> Result<(f64, f64), String> {
    let read = || {
        let (elo0, elo1) = text.split_once(',')?;
        let pair: (f64, f64) = (elo0.trim().parse().ok()?, elo1.trim().parse().ok()?);
        (pair.0 < pair.1 && pair.0.is_finite() && pair.1.is_finite()).then_some(pair)
    };
    read().ok_or_else(|| "expected two numbers, the smaller first, such as 0,5".to_owned())
}

#[derive(ClapArgs, Debug)]
pub(crate) struct BoardArgs {
    /// The game; not all have numbered boards
    #[arg(value_parser = game_name())]
    pub(crate) game: String,
    /// The number of the board
    #[arg(value_parser = board_number, required_unless_present = "fair", conflicts_with = "fair")]
    pub(crate) number: Option<u64>,
    /// Find a fair board and print its certificate. Lilypads: a draw whoever begins, and
    /// nearly even between average players; Takeover: nearly even in many matches of the
    /// engine against itself, which were played before; other games: likewise, a position
    /// after a few moves
    #[arg(long)]
    pub(crate) fair: bool,
    /// The first number to try
    #[arg(long, value_name = "N", value_parser = board_number, conflicts_with = "number")]
    pub(crate) from: Option<u64>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct SolveArgs {
    /// The number of the board
    #[arg(value_parser = board_number)]
    pub(crate) number: u64,
    /// The position to evaluate, in its text form; the first one by default
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,
    /// Also verify every position of the board against its moves
    #[arg(long)]
    pub(crate) check: bool,
    /// Print one line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct AnalyzeArgs {
    /// A file with the record of a match, or its link; - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Nodes per position; Lilypads is exact whatever it is
    #[arg(long, value_name = "N", default_value_t = study::REVIEW_NODES, value_parser = value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,
    /// Print one line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct PuzzlesArgs {
    /// The game
    #[arg(value_parser = game_name())]
    pub(crate) game: String,
    /// Lilypads: the number of the board; otherwise it follows from the seed
    #[arg(long, value_name = "N", value_parser = board_number)]
    pub(crate) board: Option<u64>,
    /// Lilypads: the number of moves to the win, such as 3 or 2..8
    #[arg(long, value_name = "MOVES", value_parser = win_in)]
    pub(crate) win_in: Option<RangeInclusive<u16>>,
    /// Lilypads: puzzles with a single drawing move instead of wins
    #[arg(long, conflicts_with = "win_in")]
    pub(crate) draw: bool,
    /// The number of puzzles
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = value_parser!(u32).range(1..=MOST_PUZZLES))]
    pub(crate) count: u32,
    /// The seed of the first puzzle; the others have the seeds after it
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = board_number)]
    pub(crate) seed: u64,
    /// Print a line of JSON for each puzzle
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::{Args, Command};

    /// The server of `parlour bot` with these options.
    fn server_of_bot(options: &[&str]) -> String {
        let words = ["parlour", "bot", "--token", "T"];
        let words = [&words, options, &["takeover", "--", "engine", "--fast"]].concat();
        match Args::parse_from(words).command {
            Some(Command::Bot(bot)) => bot.server.socket(),
            command => panic!("{command:?}"),
        }
    }

    #[test]
    fn a_bot_plays_on_this_machine_by_default() {
        assert_eq!(server_of_bot(&[]), "ws://127.0.0.1:8430/ws");
        let elsewhere = ["--server", "https://play.example.org"];
        assert_eq!(server_of_bot(&elsewhere), "wss://play.example.org/ws");
    }
}
