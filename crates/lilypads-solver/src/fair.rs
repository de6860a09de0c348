//! Fair boards: neither player has an advantage.

use std::ops::ControlFlow;

use lilypads::{Board, Lilypads, Move};
use rules::{Game, Outcome, Player, Position, Random};

use crate::{ExactValue, Solution, SolverProgress, Unsolved, matches, pips, solve};

/// The number of matches between average players.
const N_MATCHES: u32 = 400;

/// The allowed difference of First's share of the points from one half, in percent.
/// The standard error is about two.
const TOLERANCE: u32 = 5;

/// Reproducible facts about a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The board's number.
    pub number: u64,
    /// The version of the rules that it holds for.
    pub rules_version: u32,
    /// The value for First if First begins, as it does in a match.
    pub first_begins: ExactValue,
    /// The value for Second if Second begins.
    pub second_begins: ExactValue,
    /// The plies of the longest win on the board.
    pub deepest: u16,
    /// [`Tablebase::hash`](crate::Tablebase::hash).
    pub hash: u64,
    /// The results of matches between average players.
    pub balance: Balance,
}

impl Certificate {
    /// The certificate of a solved board.
    #[must_use]
    pub fn new(solution: &Solution) -> Self {
        Self {
            number: solution.board().number(),
            rules_version: Lilypads::RULES_VERSION,
            first_begins: solution.start_value(Player::First),
            second_begins: solution.start_value(Player::Second),
            deepest: solution.tablebase().deepest(),
            hash: solution.tablebase().hash(),
            balance: Balance::of(solution.board()),
        }
    }

    /// Whether the board is a draw whoever begins, and nearly even between average
    /// players.
    #[must_use]
    pub fn is_fair(&self) -> bool {
        (self.first_begins, self.second_begins) == (ExactValue::Draw, ExactValue::Draw)
            && self.balance.is_even()
    }
}

/// Results of matches between two average players.
///
/// An average player wins at once if it can, prevents the opponent from doing so if
/// it can, and otherwise plays by the pips like the classic opponent. It needs no
/// solution, so unbalanced boards are found before they are solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Balance {
    /// Matches that First won.
    pub first: u32,
    /// Matches drawn.
    pub draws: u32,
    /// Matches that Second won.
    pub second: u32,
}

impl Balance {
    /// Plays the matches on `board`. The board's number is the seed.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        let start = Lilypads::new(board);
        let mut random = Random::new(board.number());
        let mut balance = Self::default();
        for _ in 0..N_MATCHES {
            let outcome = matches::play(&start, |position| {
                average_choice(board, position, &mut random)
            });
            match outcome {
                Outcome::Win(Player::First) => balance.first += 1,
                Outcome::Win(Player::Second) => balance.second += 1,
                Outcome::Draw => balance.draws += 1,
            }
        }
        balance
    }

    /// First's share of the points, in percent.
    #[must_use]
    pub fn first_share(&self) -> u32 {
        let n_matches = self.first + self.draws + self.second;
        50 * (2 * self.first + self.draws) / n_matches.max(1)
    }

    /// Whether neither player did much better.
    #[must_use]
    pub fn is_even(&self) -> bool {
        let n_matches = self.first + self.draws + self.second;
        // In half points, two for every match.
        let off = (2 * self.first + self.draws).abs_diff(n_matches);
        100 * off <= 2 * TOLERANCE * n_matches
    }
}

/// The move of an average player.
fn average_choice(board: &Board, position: &Lilypads, random: &mut Random) -> Option<Move> {
    let moves = position.legal_moves();
    if let Some(&win) = moves.iter().find(|&&m| pips::is_win(position, m)) {
        return Some(win);
    }
    let mut replies = Vec::new();
    let mut is_safe = |m: &Move| !pips::can_win_at_once(&position.after(*m), &mut replies);
    let safe: Vec<_> = moves.iter().copied().filter(|m| is_safe(m)).collect();
    let moves = if safe.is_empty() { moves } else { safe };
    pips::choose(board, position, &moves, pips::CLASSIC, random)
}

/// The first fair board from number `from` on, solved, with its certificate.
///
/// `watch` is called for every board that is solved.
///
/// # Errors
///
/// Returns [`Unsolved`] if it was stopped.
pub fn find(
    from: u64,
    mut watch: impl FnMut(u64, SolverProgress) -> ControlFlow<()>,
) -> Result<(Solution, Certificate), Unsolved> {
    let mut number = from;
    loop {
        let board = Board::new(number);
        if Balance::of(&board).is_even() {
            match solve(&board, |progress| watch(number, progress)) {
                Ok(solution) => {
                    let certificate = Certificate::new(&solution);
                    if certificate.is_fair() {
                        return Ok((solution, certificate));
                    }
                }
                Err(Unsolved::Stopped) => return Err(Unsolved::Stopped),
                // Such a board can't be certified; try the next.
                Err(Unsolved::TooDeep) => {}
            }
        }
        // Wraps around after the highest number.
        number = number.wrapping_add(1);
    }
}
