use rules::parse_decimal;

/// A line of the protocol, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command<'a> {
    /// `ugi`: say who you are.
    Ugi,
    /// `uai`: the same for referees of Ataxx.
    Uai,
    IsReady,
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
    Go(Limits),
    Stop,
    Query(Query),
    Quit,
}

/// What ends thinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Limits {
    /// Think until `stop`.
    pub(super) infinite: bool,
}

/// A question about the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Query {
    IsFirstTurn,
    IsGameOver,
    Result,
    Text,
    Moves,
}

impl<'a> Command<'a> {
    /// Understands a line, or tells what was expected.
    pub(super) fn read(line: &'a str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default();
        let rest: Vec<&str> = words.collect();
        let alone = |command: Self| match rest.first() {
            None => Ok(command),
            Some(word) => Err(format!("expected nothing after {name}, found {word}")),
        };
        match name {
            "ugi" => alone(Self::Ugi),
            "uai" => alone(Self::Uai),
            "isready" => alone(Self::IsReady),
            "uginewgame" => alone(Self::NewGame),
            "uainewgame" => alone(Self::NewAtaxxGame),
            "stop" => alone(Self::Stop),
            "quit" => alone(Self::Quit),
            "setoption" => read_option(&rest),
            "position" => read_position(&rest),
            "go" => read_limits(&rest).map(Self::Go),
            "query" => read_query(&rest).map(Self::Query),
            _ => Err(
                "expected ugi, isready, uginewgame, setoption, position, go, stop, query or quit"
                    .to_owned(),
            ),
        }
    }
}

/// `name NAME value VALUE`.
fn read_option<'a>(words: &[&'a str]) -> Result<Command<'a>, String> {
    match *words {
        ["name", name, "value", value] => Ok(Command::SetOption { name, value }),
        _ => Err("expected setoption name NAME value VALUE".to_owned()),
    }
}

/// `startpos` or `fen TEXT`, then perhaps `moves` and the moves.
fn read_position<'a>(words: &[&'a str]) -> Result<Command<'a>, String> {
    let (start, moves) = match words.iter().position(|&word| word == "moves") {
        Some(index) => (&words[..index], words[index + 1..].to_vec()),
        None => (words, Vec::new()),
    };
    let text = match start {
        ["startpos"] => None,
        ["fen", text @ ..] if !text.is_empty() => Some(text.join(" ")),
        _ => return Err("expected position startpos or position fen TEXT".to_owned()),
    };
    Ok(Command::Position { text, moves })
}

fn read_limits(words: &[&str]) -> Result<Limits, String> {
    const EXPECTED: &str = "expected movetime, depth, nodes, p1time, p2time, p1inc or p2inc with \
                            a number, or infinite";
    let mut limits = Limits::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        match word {
            "infinite" => limits.infinite = true,
            // Referees of Ataxx say black and white for first and second.
            "movetime" | "depth" | "nodes" | "p1time" | "p2time" | "p1inc" | "p2inc" | "btime"
            | "wtime" | "binc" | "winc" => {
                // A clock may be below zero when the referee is generous.
                let number = words
                    .next()
                    .map(|number| number.strip_prefix('-').unwrap_or(number));
                let number = number.and_then(parse_decimal::<u64>);
                number.ok_or_else(|| format!("expected a number after {word}"))?;
            }
            _ => return Err(EXPECTED.to_owned()),
        }
    }
    Ok(limits)
}

fn read_query(words: &[&str]) -> Result<Query, String> {
    match words {
        ["p1turn"] => Ok(Query::IsFirstTurn),
        ["gameover"] => Ok(Query::IsGameOver),
        ["result"] => Ok(Query::Result),
        ["fen"] => Ok(Query::Text),
        ["moves"] => Ok(Query::Moves),
        _ => Err("expected query p1turn, gameover, result, fen or moves".to_owned()),
    }
}
