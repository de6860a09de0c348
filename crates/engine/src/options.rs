use std::{fmt, sync::Arc};

use bots::{Level, Opponent};
use catalog::AnyGame;
use rules::parse_decimal;
use search::TranspositionTable;

use crate::{Clock, mistake::Mistake};

/// The options that all games have.
#[derive(Clone)]
pub(crate) struct Options {
    opponent: Opponent,
    /// The strength of the opponent `engine`; 0 is full strength.
    level: u8,
    pub(crate) seed: u64,
    pub(crate) n_threads: usize,
    pub(crate) n_lines: usize,
    /// The clock of the processor, if the host has one.
    pub(crate) cpu_clock: Option<Clock>,
    /// Whether thinking is measured by it.
    is_cpu_time: bool,
    /// Allocated on first use.
    table: Option<Arc<TranspositionTable>>,
}

const MOST_THREADS: usize = 256;
const MOST_HASH: usize = 65_536;
const HASH: usize = 16;
/// More than the moves of any position.
const MOST_LINES: usize = 4096;

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("opponent", &self.opponent)
            .field("level", &self.level)
            .field("seed", &self.seed)
            .field("n_threads", &self.n_threads)
            .field("n_lines", &self.n_lines)
            .field("is_cpu_time", &self.is_cpu_time)
            .field("hash", &self.table.as_ref().map(|table| table.mebibytes()))
            .finish()
    }
}

impl Options {
    /// The names of the options.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let clock = self.cpu_clock.map(|_| "Clock");
        ["Opponent", "Level", "Seed", "Threads", "Hash", "MultiPV"]
            .into_iter()
            .chain(clock)
    }

    pub(crate) fn new() -> Self {
        Self {
            opponent: Opponent::Engine,
            level: 0,
            seed: 0,
            n_threads: 1,
            n_lines: 1,
            cpu_clock: None,
            is_cpu_time: false,
            table: None,
        }
    }

    /// The `option` lines.
    pub(crate) fn describe(&self, game: &dyn AnyGame) -> Vec<String> {
        let spin = |name, default: usize, least: usize, most: u64| {
            format!("option name {name} type spin default {default} min {least} max {most}")
        };
        let opponents = opponents(game).map(|opponent| format!(" var {opponent}"));
        let mut lines = vec![
            format!(
                "option name Opponent type combo default {}{}",
                Opponent::Engine,
                opponents.collect::<String>()
            ),
            spin("Level", 0, 0, u64::from(Level::TOP)),
            spin("Seed", 0, 0, u64::MAX),
            spin("Threads", 1, 1, MOST_THREADS as u64),
            spin("Hash", HASH, 1, MOST_HASH as u64),
            spin("MultiPV", 1, 1, MOST_LINES as u64),
        ];
        if self.cpu_clock.is_some() {
            let clock = "option name Clock type combo default wall var wall var cpu";
            lines.push(clock.to_owned());
        }
        lines
    }

    /// The clock to measure thinking by: `wall`, or that of the processor.
    pub(crate) fn clock(&self, wall: Clock) -> Clock {
        self.cpu_clock.filter(|_| self.is_cpu_time).unwrap_or(wall)
    }

    pub(crate) fn opponent(&self) -> Opponent {
        match (self.opponent, Level::new(self.level)) {
            (Opponent::Engine, Some(level)) => Opponent::Level(level),
            (opponent, _) => opponent,
        }
    }

    /// Resets all options to their defaults, but keeps the table.
    pub(crate) fn reset(&mut self) {
        *self = Self {
            cpu_clock: self.cpu_clock,
            table: self.table.take(),
            ..Self::new()
        };
        self.forget();
    }

    /// The transposition table.
    pub(crate) fn table(&mut self) -> Arc<TranspositionTable> {
        let table = self
            .table
            .get_or_insert_with(|| Arc::new(TranspositionTable::new(HASH)));
        Arc::clone(table)
    }

    /// Clears the transposition table.
    pub(crate) fn forget(&self) {
        if let Some(table) = &self.table {
            table.clear();
        }
    }

    /// Sets the option called `name`, in lower case; `None` if there is no such
    /// option.
    pub(crate) fn set(
        &mut self,
        game: &dyn AnyGame,
        name: &str,
        value: &str,
    ) -> Option<Result<(), Mistake>> {
        Some(match name {
            "opponent" => {
                let found = opponents(game).find(|opponent| opponent.to_string() == value);
                found
                    .map(|opponent| self.opponent = opponent)
                    .ok_or(Mistake::Value {
                        name: "Opponent",
                        expected: if game.is_solved() {
                            "engine, classic, random or perfect"
                        } else {
                            "engine, classic or random"
                        },
                    })
            }
            "level" => number(value, 0..=usize::from(Level::TOP), "Level", "0 to 10")
                .map(|level| self.level = level as u8),
            "seed" => match parse_decimal(value) {
                Some(seed) => {
                    self.seed = seed;
                    Ok(())
                }
                None => Err(Mistake::Value {
                    name: "Seed",
                    expected: "a number from 0 up",
                }),
            },
            "threads" => number(value, 1..=MOST_THREADS, "Threads", "1 to 256")
                .map(|threads| self.n_threads = threads),
            "hash" => number(value, 1..=MOST_HASH, "Hash", "1 to 65536 MiB").and_then(|size| {
                // The old table is dropped only once the new one exists.
                let table = has_room(size)
                    .then(|| TranspositionTable::try_new(size))
                    .flatten();
                self.table = Some(Arc::new(table.ok_or(Mistake::NoRoom)?));
                Ok(())
            }),
            "multipv" => number(value, 1..=MOST_LINES, "MultiPV", "1 to 4096")
                .map(|lines| self.n_lines = lines),
            "clock" if self.cpu_clock.is_some() => match value {
                "wall" | "cpu" => {
                    self.is_cpu_time = value == "cpu";
                    Ok(())
                }
                _ => Err(Mistake::Value {
                    name: "Clock",
                    expected: "wall or cpu",
                }),
            },
            _ => return None,
        })
    }
}

/// The values of the option `Opponent`. Levels have an option of their own.
fn opponents(game: &dyn AnyGame) -> impl Iterator<Item = Opponent> + use<> {
    let perfect = game.is_solved().then_some(Opponent::Perfect);
    [Opponent::Engine, Opponent::Classic, Opponent::Random]
        .into_iter()
        .chain(perfect)
}

/// Whether the machine has this much memory available, as far as it reports it: with
/// overcommit, an engine that takes too much is killed.
fn has_room(mebibytes: usize) -> bool {
    let Ok(text) = std::fs::read_to_string("/proc/meminfo") else {
        return true;
    };
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    kibibytes.is_none_or(|kibibytes| mebibytes <= kibibytes / 1024)
}

fn number(
    text: &str,
    range: std::ops::RangeInclusive<usize>,
    name: &'static str,
    expected: &'static str,
) -> Result<usize, Mistake> {
    parse_decimal(text)
        .filter(|number| range.contains(number))
        .ok_or(Mistake::Value { name, expected })
}
