use std::io::{self, Write};

use catalog::{AnyGame, AnyMatch, CatalogError, OptionInfo};
use rules::{Player, Random, Values, parse_decimal};

use super::command::{Command, Limits, Query};

/// The variant that referees of Ataxx mean.
const ATAXX: (&str, &str) = ("variant", "ataxx");

/// Whether the engine wants to hear more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It waits for the next line.
    GoOn,
    /// It was told to quit.
    Quit,
}

/// A game at the other end of the Universal Game Interface.
///
/// A line that it does not understand, or that asks for something impossible,
/// is answered with `info error …` and changes nothing.
#[derive(Clone)]
pub struct Engine {
    game: &'static dyn AnyGame,
    /// The options that were set, by name.
    choices: Vec<(String, String)>,
    table: Box<dyn AnyMatch>,
    seed: u64,
    random: Random,
    /// The move that waits for `stop`.
    best_move: Option<String>,
}

impl Engine {
    /// An engine for `game`, with the first position of a match.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError`] if the game has none.
    pub fn new(game: &'static dyn AnyGame) -> Result<Self, CatalogError> {
        Ok(Self {
            game,
            choices: Vec::new(),
            table: game.start(&[])?,
            seed: 0,
            random: Random::new(0),
            best_move: None,
        })
    }

    /// Answers one line.
    ///
    /// # Errors
    ///
    /// Returns the error of `out`, if it has any.
    pub fn answer(&mut self, line: &str, out: &mut impl Write) -> io::Result<Flow> {
        if line.trim().is_empty() {
            return Ok(Flow::GoOn);
        }
        let answer = Command::read(line).and_then(|command| {
            let is_quit = command == Command::Quit;
            let lines = self.obey(command)?;
            Ok((is_quit, lines))
        });
        match answer {
            Ok((is_quit, lines)) => {
                for line in lines {
                    writeln!(out, "{line}")?;
                }
                Ok(if is_quit { Flow::Quit } else { Flow::GoOn })
            }
            Err(problem) => {
                writeln!(out, "info error {problem}")?;
                Ok(Flow::GoOn)
            }
        }
    }

    /// Does what the command says and returns the lines to answer with, or
    /// tells what is wrong.
    fn obey(&mut self, command: Command<'_>) -> Result<Vec<String>, String> {
        let is_change = matches!(
            command,
            Command::Uai
                | Command::NewGame
                | Command::NewAtaxxGame
                | Command::SetOption { .. }
                | Command::Position { .. }
                | Command::Go(_)
        );
        if is_change && self.best_move.is_some() {
            return Err("expected stop first: the engine is thinking".to_owned());
        }
        match command {
            Command::Ugi => Ok(self.introduce("ugiok")),
            Command::Uai => {
                let (name, value) = ATAXX;
                let set = self.set_choice(name, value);
                set.map_err(|_| format!("expected ugi: {} is no Ataxx", self.game.name()))?;
                Ok(self.introduce("uaiok"))
            }
            Command::IsReady => Ok(vec!["readyok".to_owned()]),
            Command::NewGame => self.new_game(),
            Command::NewAtaxxGame if self.choices.iter().any(|choice| is(choice, ATAXX)) => {
                self.new_game()
            }
            Command::NewAtaxxGame => Err("expected uai before uainewgame".to_owned()),
            Command::SetOption { name, value } => {
                self.set_option(name, value)?;
                Ok(Vec::new())
            }
            Command::Position { text, moves } => {
                let table = self.set_table(text.as_deref(), &moves);
                self.table = table.map_err(|e| e.to_string())?;
                Ok(Vec::new())
            }
            Command::Go(limits) => self.go(limits),
            Command::Stop => {
                let best_move = self.best_move.take();
                Ok(best_move.map(best_move_line).into_iter().collect())
            }
            Command::Query(query) => Ok(vec![format!("response {}", self.ask(query))]),
            Command::Quit => Ok(Vec::new()),
        }
    }

    fn new_game(&mut self) -> Result<Vec<String>, String> {
        self.table = self.start_table().map_err(|e| e.to_string())?;
        self.random = Random::new(self.seed);
        Ok(Vec::new())
    }

    fn introduce(&self, end: &str) -> Vec<String> {
        let mut lines = vec![
            format!(
                "id name Parlour {} {}",
                self.game.name(),
                env!("CARGO_PKG_VERSION")
            ),
            "id author the Parlour authors".to_owned(),
        ];
        lines.extend(self.game.options().iter().map(describe_option));
        lines.push(format!(
            "option name Seed type spin default 0 min 0 max {}",
            u64::MAX
        ));
        lines.push(end.to_owned());
        lines
    }

    /// Names of options are the same in upper and lower case.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let name = name.to_ascii_lowercase();
        if name == "seed" {
            let seed = parse_decimal(value);
            self.seed = seed.ok_or_else(|| format!("expected a number, found {value}"))?;
            self.random = Random::new(self.seed);
            return Ok(());
        }
        self.set_choice(&name, value).map_err(|e| e.to_string())
    }

    /// Sets a choice before the match and begins a new one, unless another
    /// choice has to follow first.
    fn set_choice(&mut self, name: &str, value: &str) -> Result<(), CatalogError> {
        self.game.check_option(name, value)?;
        self.choices.retain(|(other, _)| other != name);
        self.choices.push((name.to_owned(), value.to_owned()));
        if let Ok(table) = self.start_table() {
            self.table = table;
        }
        Ok(())
    }

    fn start_table(&self) -> Result<Box<dyn AnyMatch>, CatalogError> {
        let choices = self.choices.iter();
        let choices: Vec<_> = choices.map(|(name, value)| (&**name, &**value)).collect();
        self.game.start(&choices)
    }

    /// The table with the given position and moves. A referee may go on after a
    /// draw by repetition, so the moves only have to be legal.
    fn set_table(
        &self,
        text: Option<&str>,
        moves: &[&str],
    ) -> Result<Box<dyn AnyMatch>, CatalogError> {
        let mut table = match text {
            Some(text) => self.game.start_from(text)?,
            None => self.start_table()?,
        };
        for m in moves {
            table.explore(m)?;
        }
        Ok(table)
    }

    /// Until there is a search, any legal move is as good as another.
    fn go(&mut self, limits: Limits) -> Result<Vec<String>, String> {
        let moves = self.table.legal_moves();
        let m = self.random.pick(&moves).cloned();
        let m = m.ok_or("expected a position with a legal move: the game is over")?;
        if limits.infinite {
            self.best_move = Some(m);
            return Ok(Vec::new());
        }
        Ok(vec![best_move_line(m)])
    }

    fn ask(&self, query: Query) -> String {
        match query {
            Query::IsFirstTurn => (self.table.turn() == Player::First).to_string(),
            Query::IsGameOver => self.table.ending().is_some().to_string(),
            Query::Result => match self.table.ending() {
                Some(ending) => ending.outcome.to_string(),
                None => "none".to_owned(),
            },
            Query::Text => self.table.position(),
            Query::Moves => {
                let moves = self.table.legal_moves();
                if moves.is_empty() {
                    "-".to_owned()
                } else {
                    moves.join(" ")
                }
            }
        }
    }
}

fn is((name, value): &(String, String), choice: (&str, &str)) -> bool {
    (name.as_str(), value.as_str()) == choice
}

fn best_move_line(m: String) -> String {
    format!("bestmove {m}")
}

/// `option name Variant type combo default standard var standard var ataxx`.
fn describe_option(option: &OptionInfo) -> String {
    let (first, rest) = option.name.split_at(1);
    let name = first.to_ascii_uppercase() + rest;
    let default = &option.default;
    match option.values {
        Values::Words(words) => {
            let words: String = words.iter().map(|word| format!(" var {word}")).collect();
            format!("option name {name} type combo default {default}{words}")
        }
        Values::Number => format!(
            "option name {name} type spin default {default} min 0 max {}",
            u64::MAX
        ),
    }
}
