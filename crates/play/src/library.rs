//! Many stored matches: reading them from files, and what they add up to.

use std::collections::BTreeMap;

use catalog::{AnyMatch, CatalogError, add_variations};
use rules::{
    Outcome,
    record::{Ending, NodeId},
};

use crate::{Bot, OpenSavedError, PlayerKind, ReadSavedError, Saved, SavedHead, saved::TITLE};

/// A week in milliseconds.
const WEEK: u64 = 7 * 24 * 60 * 60 * 1000;

/// Error when importing a match from a file.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A stored match is damaged.
    #[error(transparent)]
    Saved(#[from] ReadSavedError),
    /// The record of a stored match is damaged.
    #[error(transparent)]
    Open(#[from] OpenSavedError),
    /// A record is damaged.
    #[error(transparent)]
    Record(#[from] CatalogError),
}

/// Reads the matches in a file: a record, a link or its URL, or any number of stored matches one after the
/// other, as [`export`] writes them. A damaged one does not keep others from being read.
#[must_use]
pub fn import(text: &str, now: u64) -> Vec<Result<Saved, ImportError>> {
    let text = text.replace("\r\n", "\n");
    let mut starts: Vec<_> = text
        .match_indices(TITLE)
        .map(|(at, _)| at)
        .filter(|&at| at == 0 || text.as_bytes()[at - 1] == b'\n')
        .collect();
    if starts.first() != Some(&0) {
        return vec![import_record(&text, now)];
    }
    starts.push(text.len());
    let parts = starts.windows(2).map(|ends| &text[ends[0]..ends[1]]);
    parts.map(import_saved).collect()
}

fn import_saved(text: &str) -> Result<Saved, ImportError> {
    let saved: Saved = text.parse()?;
    saved.open()?;
    Ok(saved)
}

fn import_record(text: &str, now: u64) -> Result<Saved, ImportError> {
    // What is neither is reported as a damaged file.
    let record = catalog::read_shared(text).or_else(|_| catalog::read_file(text))?;
    Ok(Saved::from_record(record, now))
}

/// Whether `saved` is the match of `record`: the same moves from the same start to the same end. It may
/// have more variations, comments and other seats.
#[must_use]
pub fn contains(saved: &Saved, record: &dyn AnyMatch) -> bool {
    if saved.game() != record.game() {
        return false;
    }
    let Ok(stored) = saved.read_record() else {
        return false;
    };
    if stored.start() != record.start() || main_line(&*stored) != main_line(record) {
        return false;
    }
    let known = stored.to_string();
    let mut merged = stored;
    add_variations(record, &mut *merged);
    merged.to_string() == known
}

/// The moves of the match as it was played, and how it ended.
fn main_line(record: &dyn AnyMatch) -> (Vec<Option<String>>, Option<Ending>) {
    let nodes = std::iter::successors(Some(NodeId::ROOT), |&node| record.next(node));
    let nodes: Vec<_> = nodes.collect();
    let ending = nodes.last().and_then(|&last| record.ending_at(last));
    (
        nodes.into_iter().map(|node| record.move_to(node)).collect(),
        ending,
    )
}

/// One file with all these matches.
#[must_use]
pub fn export<'a>(matches: impl IntoIterator<Item = &'a Saved>) -> String {
    matches.into_iter().map(ToString::to_string).collect()
}

/// Results of a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// How many matches were won.
    pub won: u32,
    /// How many were drawn.
    pub drawn: u32,
    /// How many were lost.
    pub lost: u32,
}

impl Tally {
    /// How many matches were played to the end.
    #[must_use]
    pub fn n_played(self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// The points made, a draw being half a point, in thousandths of those possible.
    #[must_use]
    pub fn score(self) -> Option<u32> {
        let points = 1000 * self.won + 500 * self.drawn;
        points.checked_div(self.n_played())
    }

    fn add(&mut self, points: Points) {
        match points {
            Points::Won => self.won += 1,
            Points::Drawn => self.drawn += 1,
            Points::Lost => self.lost += 1,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    Won,
    Drawn,
    Lost,
}

/// How the person of a match did, if there is one person and the match came to an end.
fn points(head: &SavedHead) -> Option<Points> {
    let person = head.person()?;
    Some(match head.first_result? {
        Outcome::Draw => Points::Drawn,
        Outcome::Win(winner) if winner == person => Points::Won,
        Outcome::Win(_) => Points::Lost,
    })
}

/// Statistics of the matches of a person against bots. Matches between two people, and
/// those that go on, do not count; moves taken back after the end change nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// All matches.
    pub all: Tally,
    /// By the name of the game.
    pub by_game: BTreeMap<String, Tally>,
    /// By opponent, the most played first.
    pub by_rival: Vec<(PlayerKind, Tally)>,
    /// How many matches in a row were won last.
    pub streak: u32,
    /// The longest row of won matches.
    pub longest_streak: u32,
    /// The weeks from the first match to the last, without gaps: when each began, in
    /// milliseconds since 1970, and its matches.
    pub weeks: Vec<(u64, Tally)>,
}

impl Statistics {
    /// Adds up matches, each with the name of its game.
    #[must_use]
    pub fn new<'a>(matches: impl IntoIterator<Item = (&'a str, &'a SavedHead)>) -> Self {
        let mut counted: Vec<_> = matches
            .into_iter()
            .filter_map(|(game, head)| Some((game, head, points(head)?)))
            .collect();
        counted.sort_by_key(|(_, head, _)| head.changed);
        let mut statistics = Self::default();
        let (mut rivals, mut weeks) = (
            Vec::<(PlayerKind, Tally)>::new(),
            BTreeMap::<_, Tally>::new(),
        );
        for (game, head, points) in counted {
            statistics.all.add(points);
            let of_game = statistics.by_game.entry(game.to_owned()).or_default();
            of_game.add(points);
            if let Some(person) = head.person() {
                let rival = head.seats[!person];
                match rivals.iter_mut().find(|(seat, _)| *seat == rival) {
                    Some((_, tally)) => tally.add(points),
                    None => {
                        let mut tally = Tally::default();
                        tally.add(points);
                        rivals.push((rival, tally));
                    }
                }
            }
            weeks.entry(head.changed / WEEK).or_default().add(points);
            statistics.streak = match points {
                Points::Won => statistics.streak + 1,
                Points::Drawn | Points::Lost => 0,
            };
            statistics.longest_streak = statistics.longest_streak.max(statistics.streak);
        }
        rivals.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.n_played()));
        statistics.by_rival = rivals;
        let ends = weeks.keys().next().zip(weeks.keys().next_back());
        if let Some((&first, &last)) = ends {
            // A clock that was wrong once must not make a list without end.
            let first = first.max(last.saturating_sub(MOST_WEEKS - 1));
            let tally = |week| weeks.get(&week).copied().unwrap_or_default();
            statistics.weeks = (first..=last).map(|w| (w * WEEK, tally(w))).collect();
        }
        statistics
    }
}

/// The level to offer to a person who has just played `game` against `level`: the next one
/// after two wins in a row against it, the one below after two losses; `None` if neither, or
/// if there is no such level.
#[must_use]
pub fn next_level<'a>(
    matches: impl IntoIterator<Item = (&'a str, &'a SavedHead)>,
    game: &str,
    level: u8,
) -> Option<u8> {
    let mut last: Vec<_> = matches
        .into_iter()
        .filter(|(name, _)| *name == game)
        .filter_map(|(_, head)| Some((head, head.seats[!head.person()?], points(head)?)))
        .collect();
    last.sort_by_key(|(head, ..)| std::cmp::Reverse(head.changed));
    let row = last.get(..2)?;
    let is_all = |wanted: Points| {
        row.iter().all(|(_, rival, points)| {
            *rival == PlayerKind::Bot(Bot::Level(level)) && *points == wanted
        })
    };
    if is_all(Points::Won) {
        return Some(level + 1).filter(|&level| level <= Bot::TOP_LEVEL);
    }
    is_all(Points::Lost)
        .then(|| level - 1)
        .filter(|&level| level > 0)
}

/// The chart goes back this many weeks at most.
const MOST_WEEKS: u64 = 520;
