//! A match as it is stored between visits.
//!
//! The text form is a title, nine lines of a name and a value in this order, and the
//! record as files have it:
//!
//! ```text
//! parlour match 1
//! begun: 1763280000000
//! changed: 1763280061000
//! revision: 3
//! seats: human level-3
//! seed: 7
//! ply: 2
//! tip: 2
//! result: none
//! first-result: none
//! parlour record 1
//! …
//! ```
//!
//! Three more lines come before the record where they are needed: `spent: 2500`, the
//! milliseconds spent since the last move, once clocks have started; `near: second` or
//! `near: mover`, if two people play and the first player is not the near one; and `review:`
//! with what is known of a review, in the form of [`study::Review::to_text`].

use std::{fmt, str::FromStr};

use catalog::{AnyMatch, CatalogError};
use rules::{ByPlayer, Outcome, Player, record::NodeId};

use crate::{Effect, Phase, PlayerKind, Sitting, seat::only_person};

/// The first line of a stored match.
pub(crate) const TITLE: &str = "parlour match 1";

/// Names of the lines after the title.
const FIELDS: [&str; 9] = [
    "begun",
    "changed",
    "revision",
    "seats",
    "seed",
    "ply",
    "tip",
    "result",
    "first-result",
];

/// Names of the lines that may be missing, in their order.
const SPENT: &str = "spent";
const NEAR: &str = "near";
const REVIEW: &str = "review";

/// The player at the near side of the board, where two people play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Near {
    /// This player, always.
    Always(Player),
    /// The player to move: the board is turned every time.
    Mover,
}

impl Default for Near {
    fn default() -> Self {
        Self::Always(Player::First)
    }
}

impl Near {
    fn name(self) -> String {
        match self {
            Self::Always(player) => player.to_string(),
            Self::Mover => "mover".to_owned(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "mover" => Some(Self::Mover),
            _ => text.parse().ok().map(Self::Always),
        }
    }
}

/// The part of a stored match that lists show. It can be read without the record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedHead {
    /// When it began, in milliseconds since 1970.
    pub begun: u64,
    /// When it changed last, likewise.
    pub changed: u64,
    /// Counts the changes. Whoever writes a change names the revision it builds on, so
    /// that nobody overwrites what they have not seen.
    pub revision: u64,
    /// Who plays which side.
    pub seats: ByPlayer<PlayerKind>,
    /// The seed of the random choices of bots.
    pub seed: u64,
    /// How many moves lead to where the match stands.
    pub ply: usize,
    /// As `ply`, with the moves that were taken back and can be made again.
    pub tip: usize,
    /// How the match stands.
    pub result: Option<Outcome>,
    /// How it ended for the first time. Moves that are taken back after the end do
    /// not change it.
    pub first_result: Option<Outcome>,
    /// The milliseconds spent since the last move, once clocks have started.
    pub spent: Option<u64>,
    /// The player at the near side of the board.
    pub near: Near,
    /// The state of a review, as text.
    pub review: Option<String>,
}

impl SavedHead {
    /// The person who plays, if there is only one.
    #[must_use]
    pub fn person(&self) -> Option<Player> {
        only_person(&self.seats)
    }
}

/// A match as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Saved {
    /// All but the record.
    pub head: SavedHead,
    game: String,
    record: String,
}

/// Error when reading a [`Saved`] match.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadSavedError {
    /// The first line is another.
    #[error("line 1: expected {TITLE}")]
    Title,
    /// A line is missing or has another name.
    #[error("line {line}: expected {name} and a value")]
    Name {
        /// The line, from 1.
        line: usize,
        /// The name that should be there.
        name: &'static str,
    },
    /// A value is invalid.
    #[error("line {line}: {name} can't be {value}")]
    Value {
        /// The line, from 1.
        line: usize,
        /// The name of the value.
        name: &'static str,
        /// The value.
        value: String,
    },
    /// The record does not begin as one does.
    #[error("the record: {0}")]
    Record(#[from] rules::record::ReadError),
}

/// Error when opening a [`Saved`] match.
#[derive(Debug, thiserror::Error)]
pub enum OpenSavedError {
    /// The record is damaged, or of a game that there is not.
    #[error(transparent)]
    Record(#[from] CatalogError),
    /// The match stands where its record does not lead.
    #[error("the record has no move {0}")]
    NoSuchPly(usize),
}

impl Saved {
    /// The match as it stands. `now` is in milliseconds since 1970; `last` is how it
    /// was stored before, if it was.
    #[must_use]
    pub fn new(sitting: &Sitting, now: u64, last: Option<&SavedHead>) -> Self {
        let record = sitting.record();
        let result = match sitting.phase() {
            Phase::Over(ending) => Some(ending.outcome),
            _ => None,
        };
        let n_moves = |node: NodeId| record.line(node).len() - 1;
        Self {
            head: SavedHead {
                begun: last.map_or(now, |last| last.begun),
                changed: now,
                revision: last.map_or(1, |last| last.revision + 1),
                seats: *sitting.seats(),
                seed: sitting.seed(),
                ply: n_moves(sitting.live()),
                tip: n_moves(sitting.tip()),
                result,
                first_result: last.and_then(|last| last.first_result).or(result),
                spent: sitting.spent,
                near: last.map_or(Near::default(), |last| last.near),
                review: last.and_then(|last| last.review.clone()),
            },
            game: record.game().to_owned(),
            record: record.to_string(),
        }
    }

    /// The match of a record that comes from elsewhere, between people. It stands at the end of the
    /// main line, wherever the cursor is: somebody may look at another position of it.
    #[must_use]
    pub fn from_record(mut record: Box<dyn AnyMatch>, now: u64) -> Self {
        let line = std::iter::successors(Some(NodeId::ROOT), |&node| record.next(node));
        let end = line.last().unwrap_or(NodeId::ROOT);
        // The node is of this record.
        record.go_to(end).ok();
        let seats = ByPlayer::from_fn(|_| PlayerKind::Person);
        let (sitting, _) = Sitting::new(record, seats, 0);
        Self::new(&sitting, now, None)
    }

    /// The name of the game.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The same match with what somebody found out about it: a record with more variations
    /// and comments, and what is known of its review. It did not go on by that.
    #[must_use]
    pub fn studied(&self, record: &dyn AnyMatch, review: &str) -> Self {
        Self {
            head: SavedHead {
                revision: self.head.revision + 1,
                review: Some(review.to_owned()).filter(|review| !review.is_empty()),
                ..self.head.clone()
            },
            game: self.game.clone(),
            record: record.to_string(),
        }
    }

    /// The node at the end of the line that the match stands on, in its
    /// [record](Self::read_record).
    ///
    /// # Errors
    ///
    /// Returns [`OpenSavedError`] if the record has no such node.
    pub fn tip_node(&self, record: &dyn AnyMatch) -> Result<NodeId, OpenSavedError> {
        main_node(record, self.head.tip.max(self.head.ply))
    }

    /// The record in its text form.
    #[must_use]
    pub fn record(&self) -> &str {
        &self.record
    }

    /// The record, at the position where the match stands.
    ///
    /// # Errors
    ///
    /// Returns [`OpenSavedError`] if it can't be read.
    pub fn read_record(&self) -> Result<Box<dyn AnyMatch>, OpenSavedError> {
        let mut record = catalog::read_file(&self.record)?;
        let node = main_node(&*record, self.head.ply)?;
        // The node is of this record.
        record.go_to(node).ok();
        Ok(record)
    }

    /// The match, and its first effects.
    ///
    /// # Errors
    ///
    /// Returns [`OpenSavedError`] if the record can't be read.
    pub fn open(&self) -> Result<(Sitting, Vec<Effect>), OpenSavedError> {
        let record = self.read_record()?;
        let tip = self.tip_node(&*record)?;
        let SavedHead {
            seats, seed, spent, ..
        } = self.head;
        let (mut sitting, effects) = Sitting::with_tip(record, seats, seed, tip);
        sitting.spent = spent;
        Ok((sitting, effects))
    }
}

/// The node after `ply` moves of the main line.
fn main_node(record: &dyn AnyMatch, ply: usize) -> Result<NodeId, OpenSavedError> {
    let mut line = std::iter::successors(Some(NodeId::ROOT), |&node| record.next(node));
    line.nth(ply).ok_or(OpenSavedError::NoSuchPly(ply))
}

fn result_text(result: Option<Outcome>) -> String {
    result.map_or_else(|| "none".to_owned(), |outcome| outcome.to_string())
}

fn read_result(text: &str) -> Option<Option<Outcome>> {
    let [first, second] = Player::BOTH.map(Outcome::Win);
    let results = [None, Some(first), Some(second), Some(Outcome::Draw)];
    results
        .into_iter()
        .find(|&result| result_text(result) == text)
}

fn read_seats(text: &str) -> Option<ByPlayer<PlayerKind>> {
    let (first, second) = text.split_once(' ')?;
    Some(ByPlayer {
        first: PlayerKind::from_name(first)?,
        second: PlayerKind::from_name(second)?,
    })
}

impl fmt::Display for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SavedHead {
            begun,
            changed,
            revision,
            seats,
            seed,
            ply,
            tip,
            result,
            first_result,
            spent,
            near,
            review,
        } = &self.head;
        let values = [
            begun.to_string(),
            changed.to_string(),
            revision.to_string(),
            format!("{} {}", seats.first.name(), seats.second.name()),
            seed.to_string(),
            ply.to_string(),
            tip.to_string(),
            result_text(*result),
            result_text(*first_result),
        ];
        writeln!(f, "{TITLE}")?;
        for (name, value) in FIELDS.iter().zip(values) {
            writeln!(f, "{name}: {value}")?;
        }
        if let Some(spent) = spent {
            writeln!(f, "{SPENT}: {spent}")?;
        }
        if *near != Near::default() {
            writeln!(f, "{NEAR}: {}", near.name())?;
        }
        if let Some(review) = review {
            writeln!(f, "{REVIEW}: {review}")?;
        }
        f.write_str(&self.record)
    }
}

impl FromStr for Saved {
    type Err = ReadSavedError;

    /// Reads the head. Whether the record is sound shows when it is opened.
    fn from_str(text: &str) -> Result<Self, ReadSavedError> {
        let mut fields = Fields::new(text)?;
        let number = |text: &str| rules::parse_decimal(text);
        let head = SavedHead {
            begun: fields.next(number)?,
            changed: fields.next(number)?,
            revision: fields.next(number)?,
            seats: fields.next(read_seats)?,
            seed: fields.next(number)?,
            ply: fields.next(|text| usize::try_from(number(text)?).ok())?,
            tip: fields.next(|text| usize::try_from(number(text)?).ok())?,
            result: fields.next(read_result)?,
            first_result: fields.next(read_result)?,
            spent: fields.next_if(SPENT, number)?,
            near: fields.next_if(NEAR, Near::read)?.unwrap_or_default(),
            review: fields.next_if(REVIEW, |text| Some(text.to_owned()))?,
        };
        Ok(Self {
            head,
            game: rules::record::game_of_file(fields.rest)?.to_owned(),
            record: fields.rest.to_owned(),
        })
    }
}

/// The lines before the record, one by one.
struct Fields<'a> {
    n_read: usize,
    rest: &'a str,
}

impl<'a> Fields<'a> {
    fn new(text: &'a str) -> Result<Self, ReadSavedError> {
        let (title, rest) = text.split_once('\n').ok_or(ReadSavedError::Title)?;
        let fields = Self { n_read: 0, rest };
        (title == TITLE)
            .then_some(fields)
            .ok_or(ReadSavedError::Title)
    }

    fn next<T>(&mut self, read: impl FnOnce(&str) -> Option<T>) -> Result<T, ReadSavedError> {
        self.read(FIELDS[self.n_read], read)
    }

    /// The line called `name`, if it comes next.
    fn next_if<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, ReadSavedError> {
        let is_next = self.rest.split(':').next() == Some(name);
        is_next.then(|| self.read(name, read)).transpose()
    }

    fn read<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ReadSavedError> {
        self.n_read += 1;
        let line = self.n_read + 1;
        let (field, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        let value = field
            .strip_prefix(name)
            .and_then(|field| field.strip_prefix(": "))
            .ok_or(ReadSavedError::Name { line, name })?;
        self.rest = rest;
        read(value).ok_or_else(|| ReadSavedError::Value {
            line,
            name,
            value: value.to_owned(),
        })
    }
}
