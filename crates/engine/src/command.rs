use std::time::Duration;

use rules::{ByPlayer, parse_decimal};

use crate::mistake::Mistake;

/// A parsed line of the protocol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command<'a> {
    /// `ugi`: identify yourself.
    Ugi,
    /// `uai`: the same from referees of Ataxx.
    Uai,
    IsReady,
    /// `game NAME`: switch to another game.
    Game(&'a str),
    /// `uginewgame`: forget the last match.
    NewGame,
    /// `uainewgame`: the same from referees of Ataxx.
    NewAtaxxGame,
    SetOption {
        name: &'a str,
        value: &'a str,
    },
    Position {
        /// The text of a position, or `None` for the start.
        text: Option<String>,
        moves: Vec<&'a str>,
    },
    /// `prepare`: start the work that the next `go` will need.
    Prepare,
    Go(Bounds),
    /// `puzzle SEED`: find the puzzle of that seed.
    Puzzle(u64),
    Stop,
    Query(Query),
    Quit,
}

/// Limits of a `go`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bounds {
    /// Think until `stop`.
    pub(crate) is_endless: bool,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) move_time: Option<Duration>,
    /// The time left, and the increment.
    pub(crate) clock: ByPlayer<Option<Duration>>,
    pub(crate) increment: ByPlayer<Duration>,
}

/// A question about the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Query {
    IsFirstTurn,
    IsGameOver,
    Result,
    Text,
    Moves,
}

impl<'a> Command<'a> {
    /// Parses a line; the error says what was expected.
    pub(crate) fn read(line: &'a str) -> Result<Self, Mistake> {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default();
        let rest: Vec<&str> = words.collect();
        let alone = |command: Self| match rest.first() {
            None => Ok(command),
            Some(&found) => Err(Mistake::Trailing {
                command: name.to_owned(),
                found: found.to_owned(),
            }),
        };
        match name {
            "ugi" => alone(Self::Ugi),
            "uai" => alone(Self::Uai),
            "isready" => alone(Self::IsReady),
            "uginewgame" => alone(Self::NewGame),
            "uainewgame" => alone(Self::NewAtaxxGame),
            "game" => match *rest {
                [name] => Ok(Self::Game(name)),
                _ => Err(Mistake::Form("game NAME")),
            },
            "prepare" => alone(Self::Prepare),
            "puzzle" => match *rest {
                [seed] => parse_decimal(seed).map(Self::Puzzle).ok_or(Mistake::Form(
                    "puzzle SEED, a number from 0 to 18446744073709551615",
                )),
                _ => Err(Mistake::Form("puzzle SEED")),
            },
            "stop" => alone(Self::Stop),
            "quit" => alone(Self::Quit),
            "setoption" => read_option(&rest),
            "position" => read_position(&rest),
            "go" => read_bounds(&rest).map(Self::Go),
            "query" => read_query(&rest).map(Self::Query),
            _ => Err(Mistake::UnknownCommand),
        }
    }
}

/// `name NAME value VALUE`.
fn read_option<'a>(words: &[&'a str]) -> Result<Command<'a>, Mistake> {
    match *words {
        ["name", name, "value", value] => Ok(Command::SetOption { name, value }),
        _ => Err(Mistake::Form("setoption name NAME value VALUE")),
    }
}

/// `startpos` or `fen TEXT`, then perhaps `moves` and the moves.
fn read_position<'a>(words: &[&'a str]) -> Result<Command<'a>, Mistake> {
    let (start, moves) = match words.iter().position(|&word| word == "moves") {
        Some(index) => (&words[..index], words[index + 1..].to_vec()),
        None => (words, Vec::new()),
    };
    let text = match start {
        ["startpos"] => None,
        ["fen", text @ ..] if !text.is_empty() => Some(text.join(" ")),
        _ => return Err(Mistake::Form("position startpos or position fen TEXT")),
    };
    Ok(Command::Position { text, moves })
}

fn read_bounds(words: &[&str]) -> Result<Bounds, Mistake> {
    let mut bounds = Bounds::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        if word == "infinite" {
            bounds.is_endless = true;
            continue;
        }
        let number = words.next().copied().and_then(read_number);
        let number = number.ok_or_else(|| Mistake::Number {
            after: word.to_owned(),
        });
        let time = |number| Some(Duration::from_millis(number));
        match word {
            "depth" => bounds.depth = Some(number?.min(u64::from(u32::MAX)) as u32),
            "nodes" => bounds.nodes = Some(number?),
            "movetime" => bounds.move_time = time(number?),
            // Referees of Ataxx use black and white for first and second.
            "p1time" | "btime" => bounds.clock.first = time(number?),
            "p2time" | "wtime" => bounds.clock.second = time(number?),
            "p1inc" | "binc" => bounds.increment.first = Duration::from_millis(number?),
            "p2inc" | "winc" => bounds.increment.second = Duration::from_millis(number?),
            _ => {
                return Err(Mistake::Form(
                    "movetime, depth, nodes, p1time, p2time, p1inc or p2inc with a number, or \
                     infinite",
                ));
            }
        }
    }
    Ok(bounds)
}

/// A number; a clock may be negative if the referee is lenient.
fn read_number(text: &str) -> Option<u64> {
    match text.strip_prefix('-') {
        Some(digits) => parse_decimal::<u64>(digits).map(|_| 0),
        None => parse_decimal(text),
    }
}

fn read_query(words: &[&str]) -> Result<Query, Mistake> {
    match words {
        ["p1turn"] => Ok(Query::IsFirstTurn),
        ["gameover"] => Ok(Query::IsGameOver),
        ["result"] => Ok(Query::Result),
        ["fen"] => Ok(Query::Text),
        ["moves"] => Ok(Query::Moves),
        _ => Err(Mistake::Form(
            "query p1turn, gameover, result, fen or moves",
        )),
    }
}
