//! The text form for files.
//!
//! ```text
//! parlour record 1
//! game: lilypads
//! rules: 1
//! board: 42
//! first: Ada
//! clock: 300000+5000
//! result: none
//!
//! @3 {299100} @27 {298000} !takeback:second (3-5 27-25) 3-8
//! ```
//!
//! Parentheses hold what else was tried from the position where they stand,
//! braces the milliseconds left to the player who just moved, and `!` a
//! control. Double quotes hold a comment, in which `\"` and `\\` stand for a quote and a
//! backslash. The clock is that of the whole match with the increment of a turn, or that
//! of a turn, `30000/turn`. A match from another than the first position has a line
//! `start:` with the position's text in place of the choices.

mod header;
mod moves;

use std::{fmt, str::FromStr};

use self::{
    header::{Header, at},
    moves::{MoveReader, split_words},
};
use super::{
    Problem, ReadError, Record, Start, TimeControl, check_game, check_rules, tree::NodeId,
};
use crate::{Game, MatchSetup, Player};

const TITLE: &str = "parlour record 1";

/// Moves are wrapped at this column.
const WIDTH: usize = 78;

/// The name of the game of a record's text.
///
/// # Errors
///
/// Returns [`ReadError`] if the text does not begin like a record.
pub fn game_of_file(text: &str) -> Result<&str, ReadError> {
    Ok(Header::read(text)?.require("game")?.value)
}

impl<G: Game> fmt::Display for Record<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        writeln!(f, "game: {}", G::NAME)?;
        writeln!(f, "rules: {}", G::RULES_VERSION)?;
        match &self.start {
            Start::Setup(setup) => {
                for (name, value) in setup.chosen() {
                    writeln!(f, "{name}: {value}")?;
                }
            }
            Start::Position(position) => writeln!(f, "start: {position}")?,
        }
        for player in Player::BOTH {
            let name = self.player_name(player);
            if !name.is_empty() {
                writeln!(f, "{player}: {name}")?;
            }
        }
        if let Some(time_control) = self.time_control {
            writeln!(f, "clock: {time_control}")?;
        }
        writeln!(f, "result: {}", self.main_result())?;
        write_wrapped(f, &self.words())
    }
}

/// Writes `words` wrapped into lines, after an empty line.
fn write_wrapped(f: &mut fmt::Formatter<'_>, words: &[String]) -> fmt::Result {
    let mut column = 0;
    for word in words {
        if column == 0 || column + 1 + word.len() > WIDTH {
            writeln!(f)?;
            column = 0;
        } else {
            f.write_str(" ")?;
            column += 1;
        }
        f.write_str(word)?;
        column += word.len();
    }
    if words.is_empty() {
        Ok(())
    } else {
        writeln!(f)
    }
}

impl<G: Game> Record<G> {
    /// The result of the main line: an ending or `none`.
    fn main_result(&self) -> String {
        self.ending_on_line(self.tree.main_line_end())
            .map_or_else(|| "none".to_owned(), |ending| ending.to_string())
    }

    /// The moves section, word by word.
    fn words(&self) -> Vec<String> {
        enum Task {
            Open,
            Write(NodeId),
            Close,
        }
        let mut words: Vec<String> = Vec::new();
        let mut prefix = "";
        let mut tasks = vec![Task::Write(NodeId::ROOT)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Open => prefix = "(",
                Task::Write(id) => {
                    let node = &self.tree[id];
                    words.extend(node.m.map(|m| format!("{prefix}{m}")));
                    words.extend(node.time_left.map(|time| format!("{{{time}}}")));
                    if !node.comment.is_empty() {
                        let escaped = node.comment.replace('\\', "\\\\").replace('"', "\\\"");
                        words.push(format!("\"{escaped}\""));
                    }
                    words.extend(node.controls.iter().map(|control| format!("!{control}")));
                    prefix = "";
                    // A stack: the task pushed last is done first.
                    tasks.extend(node.main.map(Task::Write));
                    for &variation in node.variations.iter().rev() {
                        tasks.extend([Task::Close, Task::Write(variation), Task::Open]);
                    }
                }
                Task::Close => {
                    if let Some(word) = words.last_mut() {
                        word.push(')');
                    }
                }
            }
        }
        words
    }
}

impl<G: Game> FromStr for Record<G> {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        let mut header = Header::read(text)?;
        let game = header.require("game")?;
        check_game::<G>(game.value).map_err(|problem| game.wrong(problem))?;
        let rules = header.require("rules")?;
        check_rules::<G>(rules.value).map_err(|problem| rules.wrong(problem))?;
        let mut record = read_start(&mut header)?;
        for player in Player::BOTH {
            if let Some(field) = header.take(&player.to_string()) {
                record.set_player_name(player, field.value);
                if record.player_name(player) != field.value || field.value.is_empty() {
                    return Err(field.wrong(Problem::Expected("a name with single spaces")));
                }
            }
        }
        if let Some(field) = header.take("clock") {
            let time_control: Result<TimeControl, _> = field.value.parse();
            record.time_control = Some(time_control.map_err(|e| field.wrong(e.into()))?);
        }
        let result = header.require("result")?;
        header.finish()?;

        let mut moves = MoveReader::new(&mut record);
        let mut last_line = header.n_lines;
        for (index, line) in text.lines().enumerate().skip(header.n_lines) {
            last_line = index + 1;
            for word in split_words(line) {
                moves.read(word).map_err(|problem| at(last_line, problem))?;
            }
        }
        moves.finish().map_err(|problem| at(last_line, problem))?;

        record.go_to_end();
        let actual = record.main_result();
        if result.value != actual {
            return Err(result.wrong(Problem::OtherResult {
                stated: result.value.to_owned(),
                actual,
            }));
        }
        Ok(record)
    }
}

/// Reads the line `start`, or else the options of the match.
fn read_start<G: Game>(header: &mut Header<'_>) -> Result<Record<G>, ReadError> {
    if let Some(field) = header.take("start") {
        let position = field.value.parse::<G>();
        let position = position.map_err(|e| field.wrong(Problem::Position(e.to_string())))?;
        return Ok(Record::from_position(position));
    }
    let mut setup = G::Setup::default();
    let mut line = header.next_line();
    for option in G::Setup::options() {
        if let Some(field) = header.take(option.name) {
            let set = setup.set(option.name, field.value);
            set.map_err(|e| field.wrong(e.into()))?;
            line = field.line;
        }
    }
    Record::new(setup).map_err(|e| at(line, e.into()))
}
