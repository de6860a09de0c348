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
//! control. A match from another than the first position has a line `start:`
//! with the position's text in place of the choices.

use std::{fmt, str::FromStr};

use super::{
    Control, Problem, ReadError, Record, Start, TimeControl, check_game, check_rules,
    tree::{NodeId, Tree},
};
use crate::{Game, MatchSetup, Player, parse_decimal};

const TITLE: &str = "parlour record 1";

/// Moves are wrapped at this column.
const WIDTH: usize = 78;

/// Nobody studies variations nested deeper than this.
const DEEPEST_VARIATION: usize = 100;

/// The name of the game that the text of a record says it is of.
///
/// # Errors
///
/// Returns [`ReadError`] if the text does not begin as a record does.
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

/// Writes `words` in lines, after an empty one.
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
        let mut tasks = vec![Task::Write(Tree::<G>::ROOT)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Open => prefix = "(",
                Task::Write(id) => {
                    let node = &self.tree[id];
                    words.extend(node.m.map(|m| format!("{prefix}{m}")));
                    words.extend(node.time_left.map(|time| format!("{{{time}}}")));
                    words.extend(node.controls.iter().map(|control| format!("!{control}")));
                    prefix = "";
                    // The task pushed last is done first.
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

        record.to_end();
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

/// Reads the line `start`, or else the choices before the match.
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

/// The lines `name: value` before the moves.
struct Header<'a> {
    fields: Vec<Field<'a>>,
    n_taken: usize,
    /// The title and the empty line included.
    n_lines: usize,
}

#[derive(Clone, Copy)]
struct Field<'a> {
    line: usize,
    name: &'a str,
    value: &'a str,
}

impl Field<'_> {
    fn wrong(&self, problem: Problem) -> ReadError {
        at(self.line, problem)
    }
}

fn at(line: usize, problem: Problem) -> ReadError {
    ReadError::Line { line, problem }
}

impl<'a> Header<'a> {
    fn read(text: &'a str) -> Result<Self, ReadError> {
        let mut lines = text.lines().zip(1..);
        if lines.next().is_none_or(|(title, _)| title != TITLE) {
            return Err(at(1, Problem::Expected(TITLE)));
        }
        let mut fields = Vec::new();
        let mut n_lines = 1;
        for (text, line) in lines {
            n_lines = line;
            if text.is_empty() {
                break;
            }
            let field = text.split_once(": ");
            let (name, value) = field
                .ok_or_else(|| at(line, Problem::Expected("a line such as \"game: nonaga\"")))?;
            fields.push(Field { line, name, value });
        }
        Ok(Self {
            fields,
            n_taken: 0,
            n_lines,
        })
    }

    /// The next field, if it has this name.
    fn take(&mut self, name: &str) -> Option<Field<'a>> {
        let field = self.fields.get(self.n_taken)?;
        (field.name == name).then(|| {
            self.n_taken += 1;
            *field
        })
    }

    fn require(&mut self, name: &'static str) -> Result<Field<'a>, ReadError> {
        if let Some(field) = self.take(name) {
            return Ok(field);
        }
        let rest = &self.fields[self.n_taken..];
        match rest.first() {
            Some(field) if rest.iter().any(|field| field.name == name) => {
                Err(field.wrong(Problem::Misplaced(field.name.to_owned())))
            }
            _ => Err(at(self.next_line(), Problem::Missing(name))),
        }
    }

    /// Where the next field stands or would stand.
    fn next_line(&self) -> usize {
        let field = self.fields.get(self.n_taken);
        field.map_or(self.n_lines, |field| field.line)
    }

    fn finish(&self) -> Result<(), ReadError> {
        match self.fields.get(self.n_taken) {
            Some(field) => Err(field.wrong(Problem::Misplaced(field.name.to_owned()))),
            None => Ok(()),
        }
    }
}

/// Splits at spaces and around parentheses.
fn split_words(line: &str) -> impl Iterator<Item = &str> {
    let parentheses = |c| matches!(c, '(' | ')');
    line.split(' ')
        .flat_map(move |word| word.split_inclusive(parentheses))
        .flat_map(move |word| match word.strip_suffix(parentheses) {
            Some(before) => [before, &word[before.len()..]],
            None => [word, ""],
        })
        .filter(|word| !word.is_empty())
}

/// Reads the moves section word by word.
struct MoveReader<'r, G: Game> {
    record: &'r mut Record<G>,
    current: NodeId,
    /// Where the open variations began.
    opened: Vec<NodeId>,
    last: Last,
}

/// What was read last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// The start of the match, a move, or what belongs to it.
    Move,
    Opening,
    Closing,
}

impl<'r, G: Game> MoveReader<'r, G> {
    fn new(record: &'r mut Record<G>) -> Self {
        Self {
            record,
            current: Tree::<G>::ROOT,
            opened: Vec::new(),
            last: Last::Move,
        }
    }

    fn read(&mut self, word: &str) -> Result<(), Problem> {
        match word.as_bytes()[0] {
            b'(' => self.open(),
            b')' => self.close(),
            b'{' => self.time_left(word),
            b'!' => self.control(word),
            _ => self.play(word),
        }
    }

    fn open(&mut self) -> Result<(), Problem> {
        if self.last == Last::Opening {
            return Err(Problem::Expected("a move"));
        }
        if self.opened.len() == DEEPEST_VARIATION {
            return Err(Problem::TooDeep(DEEPEST_VARIATION));
        }
        self.opened.push(self.current);
        self.last = Last::Opening;
        Ok(())
    }

    fn close(&mut self) -> Result<(), Problem> {
        if self.last == Last::Opening {
            return Err(Problem::Expected("a move"));
        }
        self.current = self.opened.pop().ok_or(Problem::Unbalanced)?;
        self.last = Last::Closing;
        Ok(())
    }

    fn time_left(&mut self, word: &str) -> Result<(), Problem> {
        let node = &mut self.record.tree[self.current];
        let is_next = self.last == Last::Move
            && node.m.is_some()
            && node.time_left.is_none()
            && node.controls.is_empty();
        if !is_next {
            return Err(Problem::Misplaced(word.to_owned()));
        }
        let digits = word
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        let time_left = digits.and_then(parse_decimal);
        node.time_left = Some(time_left.ok_or(Problem::Expected("milliseconds such as {5000}"))?);
        Ok(())
    }

    fn control(&mut self, word: &str) -> Result<(), Problem> {
        if self.last != Last::Move {
            return Err(Problem::Misplaced(word.to_owned()));
        }
        let control: Control = word[1..].parse()?;
        if let Some(ending) = self.record.ending_on_line(self.current) {
            return Err(Problem::Over(ending));
        }
        self.record.tree[self.current].controls.push(control);
        Ok(())
    }

    fn play(&mut self, word: &str) -> Result<(), Problem> {
        let m = word.parse::<G::Move>().map_err(|e| Problem::Move {
            text: word.to_owned(),
            reason: e.to_string(),
        })?;
        let is_main_line = self.opened.is_empty();
        if is_main_line && let Some(ending) = self.record.tree[self.current].ending() {
            return Err(Problem::Over(ending));
        }
        let tree = &mut self.record.tree;
        if tree.find_child(self.current, m).is_some() {
            return Err(Problem::Twice(word.to_owned()));
        }
        let id = tree
            .add(self.current, m)
            .map_err(|_| Problem::IllegalMove(word.to_owned()))?;
        if self.last != Last::Opening {
            tree.promote(id);
        }
        self.current = id;
        self.last = Last::Move;
        Ok(())
    }

    fn finish(&self) -> Result<(), Problem> {
        if self.opened.is_empty() {
            Ok(())
        } else {
            Err(Problem::Unbalanced)
        }
    }
}
