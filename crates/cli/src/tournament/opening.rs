//! Openings: random moves, after which a search of ours judges the position.

use anyhow::{Context, bail};
use bots::{Opponent, Request};
use catalog::AnyMatch;
use rules::Random;
use search::{Limits, NoStop, TranspositionTable, Value};

use crate::args::MatchArgs;

/// The nodes of the search that looks for a forced win.
const GLANCE: u64 = 3_000;

/// The number of openings that are tried for a pair of games.
const MOST_TRIES: u64 = 1_000;

/// Which positions may be openings.
///
/// The program that runs the match judges them, not the players: whoever they are, they
/// start from the same positions. With one thread and a fixed number of nodes the judgment
/// is the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Judge {
    nodes: u64,
    /// The highest score that counts as even, in hundredths. Without it, every position
    /// counts in which nobody can force a win.
    margin: Option<i32>,
}

/// An opening.
pub(super) struct Opening {
    pub(super) moves: Vec<String>,
    /// The number of openings that were tried, this one included.
    pub(super) n_tried: u64,
}

impl Judge {
    pub(super) fn new(args: &MatchArgs) -> Self {
        match args.balanced {
            Some(margin) => Self {
                nodes: args.judge_nodes,
                margin: Some(i32::from(margin)),
            },
            None => Self {
                nodes: GLANCE,
                margin: None,
            },
        }
    }

    /// Whether a game may begin in this position.
    fn accepts(self, playing: &dyn AnyMatch) -> bool {
        let Some(value) = self.value(playing) else {
            return true;
        };
        let is_even = |margin: i32| value.number().abs() <= margin;
        !value.is_decided() && self.margin.is_none_or(is_even)
    }

    /// What the engine thinks of a position.
    fn value(self, playing: &dyn AnyMatch) -> Option<Value> {
        let table = TranspositionTable::for_nodes(self.nodes);
        let request = Request {
            opponent: Opponent::Engine,
            limits: Limits::nodes(self.nodes),
            seed: 0,
            n_threads: 1,
            n_lines: 1,
            table: &table,
            stop: &NoStop,
        };
        let mut value = None;
        engine::think(playing, &request, &mut |thought| {
            value = thought.lines.first().map(|(value, _)| *value);
        });
        value
    }

    /// The first accepted position after `n_moves` random moves, none of which ends the
    /// game.
    pub(super) fn opening(
        self,
        n_moves: usize,
        random: &mut Random,
        start: impl Fn() -> anyhow::Result<Box<dyn AnyMatch>>,
    ) -> anyhow::Result<Opening> {
        for n_tried in 1..=MOST_TRIES {
            let mut playing = start()?;
            while playing.ending().is_none() && playing.moves().len() < n_moves {
                let moves = playing.legal_moves();
                let m = random
                    .pick(&moves)
                    .context("a game goes on while there are moves")?;
                playing.play(m)?;
            }
            if playing.ending().is_none() && self.accepts(&*playing) {
                return Ok(Opening {
                    moves: playing.moves(),
                    n_tried,
                });
            }
        }
        match self.margin {
            Some(margin) => bail!(
                "{n_moves} random moves lead to no position within {margin}; try a larger \
                 --balanced or another --opening"
            ),
            None => bail!("{n_moves} random moves decide every game; try a smaller --opening"),
        }
    }
}
