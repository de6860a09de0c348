//! Small games made of random numbers, for tests of search.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::{collections::HashMap, error::Error, fmt, str::FromStr};

use rules::{Outcome, Player, Position, mix};
use search::{Guide, Tuning, Value};

/// A position of a random game: a node in a graph of [`N_NODES`] nodes. The player
/// to move is random, so turns do not alternate; some paths to the same node are
/// longer than others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Toy {
    pub(crate) seed: u32,
    pub(crate) place: u32,
    /// Whether moves may lead back, so that games may never end.
    pub(crate) has_cycles: bool,
    /// Whether the turn was passed, so that the other player is to move.
    pub(crate) is_passed: bool,
}

const N_LAYERS: u32 = 9;
const WIDTH: u32 = 5;
pub(crate) const N_NODES: u32 = N_LAYERS * WIDTH;

/// The number of the node to go to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct To(pub(crate) u32);

impl Toy {
    pub(crate) fn new(seed: u32, has_cycles: bool) -> Self {
        Self {
            seed,
            place: 0,
            has_cycles,
            is_passed: false,
        }
    }

    fn random(&self, what: u64) -> u64 {
        mix(u64::from(self.seed) << 32 ^ u64::from(self.place) << 8 ^ what)
    }

    fn targets(&self) -> Vec<To> {
        let n = 1 + self.random(1) % 4;
        let mut targets: Vec<To> = (0..n)
            .map(|number| {
                let random = self.random(16 + number) as u32;
                if self.has_cycles {
                    return To(random % N_NODES);
                }
                let layer = self.place / WIDTH;
                // One layer on, or two.
                let next = (layer + 1 + random / 64 % 3 / 2).min(N_LAYERS - 1);
                To(next * WIDTH + random % WIDTH)
            })
            .filter(|to| to.0 != self.place)
            .collect();
        targets.sort_unstable_by_key(|to| to.0);
        targets.dedup();
        targets
    }
}

impl Position for Toy {
    type Move = To;

    fn turn(&self) -> Player {
        let is_first = (self.random(2).is_multiple_of(2)) != self.is_passed;
        if is_first {
            Player::First
        } else {
            Player::Second
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_last = !self.has_cycles && self.place / WIDTH == N_LAYERS - 1;
        let is_early = self.place > 0 && self.random(3).is_multiple_of(6);
        if !is_last && !is_early && !self.targets().is_empty() {
            return None;
        }
        Some(match self.random(4) % 5 {
            0 | 1 => Outcome::Win(Player::First),
            2 | 3 => Outcome::Win(Player::Second),
            _ => Outcome::Draw,
        })
    }

    fn legal_moves_into(&self, moves: &mut Vec<To>) {
        if self.outcome().is_none() {
            moves.extend(self.targets());
        }
    }

    fn play_unchecked(&mut self, m: To) {
        self.place = m.0;
        self.is_passed = false;
    }

    fn key(&self) -> u64 {
        self.random(5) ^ u64::from(self.has_cycles) << 1 ^ u64::from(self.is_passed)
    }
}

impl fmt::Display for Toy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, place, .. } = self;
        write!(f, "{seed} {place} {} {}", self.has_cycles, self.is_passed)
    }
}

impl fmt::Display for To {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The text is no position or move.
#[derive(Debug)]
pub(crate) struct ParseToyError;

impl fmt::Display for ParseToyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected numbers")
    }
}

impl Error for ParseToyError {}

impl FromStr for Toy {
    type Err = ParseToyError;

    fn from_str(text: &str) -> Result<Self, ParseToyError> {
        let read = || {
            let mut words = text.split(' ');
            Some(Self {
                seed: words.next()?.parse().ok()?,
                place: words.next()?.parse().ok()?,
                has_cycles: words.next()?.parse().ok()?,
                is_passed: words.next()?.parse().ok()?,
            })
        };
        read().ok_or(ParseToyError)
    }
}

impl FromStr for To {
    type Err = ParseToyError;

    fn from_str(text: &str) -> Result<Self, ParseToyError> {
        text.parse().map(Self).map_err(|_| ParseToyError)
    }
}

/// Random scores, with all pruning and reductions.
pub(crate) struct ToyGuide;

impl Guide<Toy> for ToyGuide {
    type Memo = ();

    const N_SLOTS: usize = N_NODES as usize;

    const TUNING: Tuning = Tuning {
        late_move_reduction: 256,
        futility_margin: Some(200),
        late_move_count: Some(1),
        null_move_reduction: 1,
        singular_margin: Some(2),
        least_table_depth: 2,
        poll: 7,
    };

    fn memo(&self, _: &Toy) {}

    fn evaluate(&self, position: &Toy, (): &()) -> Value {
        let score = (position.random(6) % 601) as i32 - 300;
        Value::from_score(match position.turn() {
            Player::First => score,
            Player::Second => -score,
        })
    }

    fn rank_into(&self, position: &Toy, (): &(), moves: &[To], _: i32, ranks: &mut Vec<i32>) {
        ranks.extend(
            moves
                .iter()
                .map(|m| (position.random(7 + u64::from(m.0)) % 900) as i32),
        );
    }

    fn slot(&self, _: &Toy, m: To) -> usize {
        m.0 as usize
    }

    fn null_move(&self, position: &Toy, (): &()) -> Option<(Toy, ())> {
        let mut passed = position.clone();
        passed.is_passed = !passed.is_passed;
        Some((passed, ()))
    }
}

/// The true value of a game without cycles, for the player to move, by brute force.
pub(crate) fn truth(position: &Toy, known: &mut HashMap<u32, Value>) -> Value {
    if let Some(&value) = known.get(&position.place) {
        return value;
    }
    let value = match position.outcome() {
        Some(Outcome::Draw) => Value::DRAW,
        Some(Outcome::Win(player)) if player == position.turn() => Value::win_in(0),
        Some(Outcome::Win(_)) => Value::loss_in(0),
        None => {
            let moves = position.legal_moves().into_iter();
            moves
                .map(|m| truth_of_move(position, m, known))
                .max()
                .unwrap()
        }
    };
    known.insert(position.place, value);
    value
}

/// The true value of a move, for the player who plays it.
pub(crate) fn truth_of_move(position: &Toy, m: To, known: &mut HashMap<u32, Value>) -> Value {
    use search::Verdict::{Loss, Win};
    let child = position.after(m);
    let value = match truth(&child, known).verdict() {
        Win(n) => Value::win_in(n + 1),
        Loss(n) => Value::loss_in(n + 1),
        _ => Value::DRAW,
    };
    if child.turn() == position.turn() {
        value
    } else {
        -value
    }
}
