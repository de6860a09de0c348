//! The boards of Takeover.
//!
//! A board is fair if First's share of the points is near one half. Boards are
//! selected in two rounds, with fresh matches in each. Later rounds are played on those
//! selected, and all of their matches together decide which [stay](Selected::fair). The
//! obstacles of Ataxx look the same to both players, so its boards are measured, but not
//! selected.

use std::collections::BTreeMap;

use anyhow::Context;
use rules::Game;
use takeover::{FairBoard, Setup, Takeover, Variant};

use crate::fair::{
    FairArgs, Tell,
    matches::{Job, play_all},
    tally::Tally,
};

/// The number of the first round after the selection, and that of later ones. Matches of
/// two rounds differ, if the seed does not.
const CHECKING: u64 = 2;
const LATER: u64 = 3;

/// Permitted distance of First's share from 50 %, in the first round and in the
/// second.
pub(crate) const SCREEN_TOLERANCE: u32 = 6;
pub(crate) const CONFIRM_TOLERANCE: u32 = FairBoard::TOLERANCE;

/// The results on some boards.
pub(crate) type Round = BTreeMap<u64, Tally>;

/// The results of the rounds that select boards.
pub(crate) struct Boards {
    pub(crate) screened: Round,
    pub(crate) confirmed: Round,
    /// Of Ataxx, on the selected boards.
    pub(crate) ataxx: Round,
    /// Of Ataxx without obstacles.
    pub(crate) bare: Round,
}

impl Boards {
    /// The boards that passed both rounds.
    pub(crate) fn selected(&self) -> Vec<u64> {
        passed(&self.confirmed, CONFIRM_TOLERANCE)
    }
}

/// The boards that were selected, with the results of all matches since then.
pub(crate) struct Selected(pub(crate) Round);

impl Selected {
    /// Reads what [`figures`](Self::figures) wrote.
    pub(crate) fn read(text: &str) -> anyhow::Result<Self> {
        let board = |line: &str| {
            let mut numbers = line.split(' ').map(str::parse);
            let mut next = || numbers.next()?.ok();
            let number = next()?;
            let mut next = || u32::try_from(next()?).ok();
            let tally = Tally {
                first: next()?,
                draws: next()?,
                second: next()?,
                n_different: 0,
            };
            Some((number, tally))
        };
        let read = |line| board(line).with_context(|| format!("expected four numbers: {line}"));
        text.lines()
            .map(read)
            .collect::<anyhow::Result<_>>()
            .map(Self)
    }

    /// The boards with the matches that First won, drew and lost, a line each.
    pub(crate) fn figures(&self) -> String {
        let figures = self.0.iter().map(|(board, tally)| {
            let Tally {
                first,
                draws,
                second,
                ..
            } = tally;
            format!("{board} {first} {draws} {second}\n")
        });
        figures.collect()
    }

    /// Those on which First's share is near one half in all matches together.
    pub(crate) fn fair(&self) -> Round {
        let even = |(_, tally): &(&u64, &Tally)| tally.is_within(FairBoard::TOLERANCE);
        let fair = self.0.iter().filter(even);
        fair.map(|(&board, tally)| (board, tally.clone())).collect()
    }

    /// The numbers of the fair boards, a line each.
    pub(crate) fn list(&self) -> String {
        let numbers = self.fair().into_keys();
        numbers.map(|board| format!("{board}\n")).collect()
    }

    /// Adds the results of a round.
    pub(crate) fn add(&mut self, round: &Round) {
        for (&board, tally) in round {
            let known = self.0.entry(board).or_default();
            *known = Tally::sum([&*known, tally]);
            // Not known for several rounds together.
            known.n_different = 0;
        }
    }
}

fn passed(round: &Round, tolerance: u32) -> Vec<u64> {
    let even = round.iter().filter(|(_, tally)| tally.is_within(tolerance));
    even.map(|(&board, _)| board).collect()
}

/// Selects boards, and measures those of Ataxx.
pub(crate) fn select(args: &FairArgs, tell: Tell<'_>) -> Boards {
    let play = |variant: Variant, name: &str, boards: &[u64], round: u64, n_matches: u32| {
        let results = play_round(args, variant, boards, round, n_matches);
        tell_round(tell, &format!("{variant:?}, {name}"), &results);
        results
    };
    let all: Vec<u64> = (0..args.boards).collect();
    let screened = play(Variant::Standard, "screening", &all, 0, args.screen);
    let left = passed(&screened, SCREEN_TOLERANCE);
    let confirmed = play(Variant::Standard, "confirming", &left, 1, args.confirm);
    let selected = passed(&confirmed, CONFIRM_TOLERANCE);
    Boards {
        screened,
        confirmed,
        ataxx: play(Variant::Ataxx, "the same boards", &selected, 0, args.screen),
        bare: play(Variant::Ataxx, "no obstacles", &[0], 1, 4 * args.confirm),
    }
}

/// Plays a round on selected boards: the first if `args` have the boards selected, otherwise a
/// later one.
pub(crate) fn check(args: &FairArgs, boards: &[u64], tell: Tell<'_>) -> Round {
    let (round, n_matches) = match args.again {
        None => (CHECKING, args.confirm),
        Some(n_matches) => (LATER, n_matches),
    };
    let results = play_round(args, Variant::Standard, boards, round, n_matches);
    tell_round(tell, "Standard, checking", &results);
    results
}

fn tell_round(tell: Tell<'_>, name: &str, results: &Round) {
    let sum = Tally::sum(results.values()).line();
    tell(format!("{name}: {} boards, {sum}", results.len()));
}

/// Plays `n_matches` on every board. Boards with the same obstacles have the same
/// results.
fn play_round(
    args: &FairArgs,
    variant: Variant,
    boards: &[u64],
    round: u64,
    n_matches: u32,
) -> Round {
    let mut starts: Vec<Takeover> = Vec::new();
    let mut jobs = Vec::new();
    let mut of_board = Vec::new();
    for &board in boards {
        let start = Takeover::start(&Setup { variant, board }).expect("every number is a board");
        let known = starts.iter().position(|known| *known == start);
        of_board.push(known.unwrap_or(starts.len()));
        if known.is_none() {
            let number = 2 * board + variant as u64;
            let seed = args.seed.wrapping_mul(16).wrapping_add(round);
            jobs.push(Job::new(start.clone(), seed, number, n_matches));
            starts.push(start);
        }
    }
    let tallies = play_all(&jobs, args.conditions());
    let tally = |(&board, index): (&u64, usize)| (board, tallies[index].clone());
    boards.iter().zip(of_board).map(tally).collect()
}
