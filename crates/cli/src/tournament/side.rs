use std::{fmt, str::FromStr, time::Duration};

use anyhow::Context;
use bots::{Opponent, Request};
use catalog::AnyMatch;
use engine::MoveTimer;
use rules::Player;
use search::{Limits, TranspositionTable};

use crate::{
    clock::TimeKind,
    program::{PATIENCE, Program},
};

use super::clocks::{Clocks, MARGIN};

/// The time limit for a search limited by nodes.
const LONGEST_THOUGHT: Duration = Duration::from_secs(600);

/// The player of a side: one of our bots, or any program that speaks UGI or UAI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Bot(Opponent),
    /// Its command line.
    Program(String),
}

impl FromStr for Side {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(command) = text.strip_prefix("cmd:") {
            let command = command.trim().trim_matches('"');
            if command.is_empty() {
                return Err("expected a command after cmd:".to_owned());
            }
            return Ok(Self::Program(command.to_owned()));
        }
        let bot = text.parse().map(Self::Bot);
        bot.map_err(|e| format!("{e}, or cmd:\"any UGI or UAI program\""))
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bot(opponent) => opponent.fmt(f),
            Self::Program(command) => write!(f, "cmd:\"{command}\""),
        }
    }
}

/// The time for a move.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Time {
    Unlimited,
    /// The default for each move; levels ignore it.
    Usual(Duration),
    /// For each move.
    Move(Duration),
    /// For the rest of the game.
    Clocks(Clocks),
}

/// The limits of a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    pub(crate) time: Time,
    pub(crate) nodes: Option<u64>,
    /// What counts as time.
    pub(crate) time_kind: TimeKind,
}

impl Allowance {
    /// The command that asks a program for a move.
    fn to_go(self) -> String {
        let mut go = match self.time {
            Time::Unlimited => "go".to_owned(),
            Time::Usual(time) | Time::Move(time) => format!("go movetime {}", time.as_millis()),
            Time::Clocks(clocks) => clocks.to_go(),
        };
        if let Some(nodes) = self.nodes {
            go += &format!(" nodes {nodes}");
        }
        go
    }

    /// How long a program of `player` is waited for.
    fn longest(self, player: Player) -> Duration {
        match self.time {
            Time::Unlimited => LONGEST_THOUGHT + PATIENCE,
            Time::Usual(time) | Time::Move(time) => time.saturating_add(PATIENCE),
            Time::Clocks(clocks) => clocks.left(player) + MARGIN,
        }
    }
}

/// A player during a tournament.
pub(crate) enum Contestant {
    Bot {
        opponent: Opponent,
        table: TranspositionTable,
    },
    Program {
        command: String,
        /// `None` before it is started, and after it failed.
        program: Option<Program>,
    },
}

/// The result of a player's turn.
pub(crate) struct Reply {
    /// The move, or why there is none: the program crashed, timed out or sent an invalid
    /// answer.
    pub(crate) choice: Result<String, String>,
    /// How long it took.
    pub(crate) time: Duration,
}

impl Contestant {
    pub(crate) fn new(side: &Side) -> Self {
        match side {
            Side::Bot(opponent) => Self::Bot {
                opponent: *opponent,
                table: TranspositionTable::new(32),
            },
            Side::Program(command) => Self::Program {
                command: command.clone(),
                program: None,
            },
        }
    }

    /// Starts a new game with the given options.
    pub(crate) fn new_game(
        &mut self,
        choices: &[(String, String)],
        time_kind: TimeKind,
    ) -> anyhow::Result<()> {
        match self {
            Self::Bot { table, .. } => {
                table.clear();
                Ok(())
            }
            Self::Program { command, program } => {
                // One that ended or fell silent since its last game is replaced.
                if let Some(running) = program
                    && running.new_game(choices).is_ok()
                {
                    return Ok(());
                }
                let words = command.split_whitespace().map(str::to_owned);
                let started = program.insert(Program::start(words, PATIENCE)?);
                started.set_time_kind(time_kind);
                started.new_game(choices)
            }
        }
    }

    /// The player's move.
    pub(crate) fn choose(
        &mut self,
        playing: &dyn AnyMatch,
        allowance: Allowance,
        seed: u64,
    ) -> anyhow::Result<Reply> {
        match self {
            Self::Bot { opponent, table } => {
                let clock = allowance.time_kind.thread_clock();
                let start = clock();
                let is_level = matches!(opponent, Opponent::Level(_) | Opponent::Perfect);
                let player = playing.turn();
                let timer = match allowance.time {
                    Time::Clocks(clocks) => MoveTimer::for_clock(
                        clock,
                        playing,
                        clocks.left(player),
                        clocks.increment(),
                    ),
                    Time::Move(time) => MoveTimer::for_move(clock, time),
                    Time::Usual(time) if !is_level => MoveTimer::for_move(clock, time),
                    Time::Usual(_) | Time::Unlimited => MoveTimer::endless(clock),
                };
                let request = Request {
                    opponent: *opponent,
                    limits: Limits {
                        depth: None,
                        nodes: allowance.nodes,
                    },
                    seed,
                    n_threads: 1,
                    n_lines: 1,
                    table,
                    stop: &timer,
                };
                let m = engine::think(playing, &request, &mut |report| timer.learn(report));
                let m =
                    m.with_context(|| format!("{opponent} has no move in {}", playing.position()))?;
                Ok(Reply {
                    choice: Ok(m),
                    time: clock() - start,
                })
            }
            Self::Program { command, program } => {
                let running = program
                    .as_mut()
                    .with_context(|| format!("{command} was not started"))?;
                let longest = allowance.longest(playing.turn());
                let start = running.time();
                let answer = running.choose(&playing.moves(), &allowance.to_go(), longest);
                let time = running.time().zip(start);
                let time = time.map(|(end, start)| end.saturating_sub(start));
                if answer.is_err() {
                    // The next game starts a new process.
                    *program = None;
                }
                Ok(Reply {
                    choice: answer.map_err(|e| format!("{e:#}")),
                    time: time.unwrap_or_default(),
                })
            }
        }
    }
}
