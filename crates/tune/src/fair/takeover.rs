//! The boards of Takeover, and those of Ataxx with the same numbers.
//!
//! A board is fair if First's share of the points is near one half. Boards are
//! selected in two rounds, with fresh matches in each; a third round, which selects
//! nothing, measures those selected, so that its figures are not flattered by the
//! selection.

use std::{collections::BTreeMap, fmt::Write as _};

use rules::Game;
use takeover::{Setup, Takeover, Variant};

use crate::fair::{
    FairArgs,
    matches::{Job, play_all},
    tally::Tally,
};

/// Permitted distance of First's share from 50 %, in the first round and in the
/// second.
pub(crate) const SCREEN_TOLERANCE: u32 = 10;
pub(crate) const CONFIRM_TOLERANCE: u32 = 5;

/// The results of a variant on some boards.
pub(crate) type Round = BTreeMap<u64, Tally>;

/// The results of all rounds.
pub(crate) struct Rounds {
    pub(crate) screened: Round,
    pub(crate) confirmed: Round,
    /// Of the boards that passed both rounds with Takeover; for Ataxx, with both games.
    pub(crate) checked: Round,
}

impl Rounds {
    /// The boards that passed both rounds.
    pub(crate) fn passed(&self) -> Vec<u64> {
        passed(&self.confirmed, CONFIRM_TOLERANCE)
    }
}

pub(crate) struct Boards {
    pub(crate) standard: Rounds,
    pub(crate) ataxx: Rounds,
    /// Ataxx without obstacles.
    pub(crate) bare: Tally,
}

impl Boards {
    /// The boards that are fair in both games, with the results of either's last
    /// round.
    pub(crate) fn fair(&self) -> impl Iterator<Item = (u64, [&Tally; 2])> {
        let ataxx = self.ataxx.checked.iter();
        ataxx.filter_map(|(&board, ataxx)| {
            Some((board, [self.standard.checked.get(&board)?, ataxx]))
        })
    }

    /// The text of the list: a line for each board, with its number and the matches that
    /// First won, drawn and lost in Takeover and in Ataxx.
    pub(crate) fn list(&self) -> String {
        let mut text = String::new();
        for (board, tallies) in self.fair() {
            write!(text, "{board}").expect("a string takes any text");
            for tally in tallies {
                let Tally {
                    first,
                    draws,
                    second,
                    ..
                } = tally;
                write!(text, " {first} {draws} {second}").expect("a string takes any text");
            }
            text.push('\n');
        }
        text
    }
}

fn passed(round: &Round, tolerance: u32) -> Vec<u64> {
    let even = round.iter().filter(|(_, tally)| tally.is_within(tolerance));
    even.map(|(&board, _)| board).collect()
}

/// Plays all rounds.
pub(crate) fn measure(args: &FairArgs, tell: &(dyn Fn(String) + Sync)) -> Boards {
    let play = |variant: Variant, name: &str, boards: &[u64], round: u64, n_matches: u32| {
        let results = play_round(args, variant, boards, round, n_matches);
        let sum = Tally::sum(results.values()).line();
        tell(format!("{variant:?}, {name}: {} boards, {sum}", boards.len()));
        results
    };
    let select = |variant: Variant, boards: &[u64]| {
        let screened = play(variant, "screening", boards, 0, args.screen);
        let left = passed(&screened, SCREEN_TOLERANCE);
        let confirmed = play(variant, "confirming", &left, 1, args.confirm);
        Rounds {
            screened,
            confirmed,
            checked: Round::new(),
        }
    };
    let all: Vec<u64> = (0..args.boards).collect();
    let mut standard = select(Variant::Standard, &all);
    let mut ataxx = select(Variant::Ataxx, &standard.passed());
    let check = |variant, boards: &[u64]| play(variant, "checking", boards, 2, args.confirm);
    standard.checked = check(Variant::Standard, &standard.passed());
    ataxx.checked = check(Variant::Ataxx, &ataxx.passed());
    let bare = play(Variant::Ataxx, "no obstacles", &[0], 3, 4 * args.confirm);
    Boards {
        standard,
        ataxx,
        bare: Tally::sum(bare.values()),
    }
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
