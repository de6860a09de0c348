//! The boards of Takeover.
//!
//! A board is fair if First's share of the points is near one half. Boards are
//! selected in two rounds, with fresh matches in each; a third round, which selects
//! nothing, measures those selected, so that its figures are not flattered by the
//! selection. The obstacles of Ataxx look the same to both players, so its boards are
//! measured, but not selected.

use std::collections::BTreeMap;

use rules::Game;
use takeover::{Setup, Takeover, Variant};

use crate::fair::{
    FairArgs,
    matches::{Job, play_all},
    tally::Tally,
};

/// Permitted distance of First's share from 50 %, in the first round and in the
/// second.
pub(crate) const SCREEN_TOLERANCE: u32 = 6;
pub(crate) const CONFIRM_TOLERANCE: u32 = 5;

/// The results on some boards.
pub(crate) type Round = BTreeMap<u64, Tally>;

/// The results of all rounds.
pub(crate) struct Boards {
    pub(crate) screened: Round,
    pub(crate) confirmed: Round,
    /// Of the boards that passed both rounds.
    pub(crate) checked: Round,
    /// Of Ataxx, on the boards of the same numbers.
    pub(crate) ataxx: Round,
    /// Of Ataxx without obstacles.
    pub(crate) bare: Round,
}

impl Boards {
    /// The numbers of the fair boards, a line each.
    pub(crate) fn list(&self) -> String {
        let numbers = self.checked.keys().map(|board| format!("{board}\n"));
        numbers.collect()
    }

    /// The same with the matches that First won, drawn and lost.
    pub(crate) fn figures(&self) -> String {
        let figures = self.checked.iter().map(|(board, tally)| {
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
        tell(format!(
            "{variant:?}, {name}: {} boards, {sum}",
            boards.len()
        ));
        results
    };
    let all: Vec<u64> = (0..args.boards).collect();
    let screened = play(Variant::Standard, "screening", &all, 0, args.screen);
    let left = passed(&screened, SCREEN_TOLERANCE);
    let confirmed = play(Variant::Standard, "confirming", &left, 1, args.confirm);
    let fair = passed(&confirmed, CONFIRM_TOLERANCE);
    let checked = play(Variant::Standard, "checking", &fair, 2, args.confirm);
    Boards {
        screened,
        confirmed,
        checked,
        ataxx: play(Variant::Ataxx, "the same boards", &fair, 0, args.screen),
        bare: play(Variant::Ataxx, "no obstacles", &[0], 1, 4 * args.confirm),
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
