//! Fair openings of games whose matches all begin in one position.
//!
//! An opening is the position after a few random moves. A search screens them: only those that it
//! judges even are played. Matches confirm some of these, and fresh ones check them again. An
//! opening is fair if First's share is near one half in the matches of both rounds together.

use std::{collections::BTreeMap, fmt::Write as _};

use bots::{Bots, Opponent, Request};
use nonaga::Nonaga;
use rules::{MatchSetup, Player, Random, mix};
use search::{Limits, NoStop, TranspositionTable, Value};
use simply_go::SimplyGo;

use crate::fair::{
    FairArgs, Tell,
    matches::{Job, play_all},
    tally::Tally,
};

/// Permitted distance of First's share from 50 % in the first round, and in both together. The
/// first is the larger one: the second has yet to show whether a distance was luck.
pub(crate) const CONFIRM_TOLERANCE: u32 = 8;
pub(crate) const TOLERANCE: u32 = 5;

/// The number of a round. Matches of two rounds differ.
const CONFIRMING: u64 = 1;
const CHECKING: u64 = 2;

/// A game whose matches all begin in one position.
pub(crate) trait Opened: Bots {
    /// The options of a match, each a name and a value.
    const OPTIONS: &'static [(&'static str, &'static str)];

    /// The number of random moves. First is to move after them.
    const N_MOVES: usize;

    /// Whether a position may be an opening, by the rules.
    fn may_open(&self) -> bool {
        true
    }
}

impl Opened for Nonaga {
    const OPTIONS: &'static [(&'static str, &'static str)] = &[("variant", "standard")];

    /// Two turns a side, each a slide and a shift.
    const N_MOVES: usize = 8;
}

impl Opened for SimplyGo {
    const OPTIONS: &'static [(&'static str, &'static str)] =
        &[("size", "9"), ("mode", "moves:100")];

    /// Two stones a side.
    const N_MOVES: usize = 4;

    /// All stones are on the board.
    fn may_open(&self) -> bool {
        Player::BOTH.map(|player| self.stones(player).len()) == [2, 2]
    }
}

/// The results of some openings, under their numbers.
pub(crate) type Round = BTreeMap<u64, Tally>;

/// The openings of a game, and what became of them.
pub(crate) struct Openings<G> {
    /// Those that a search judges even.
    pub(crate) even: BTreeMap<u64, G>,
    /// The number of those that were judged.
    pub(crate) n_judged: u64,
    /// The number of those in which it sees a forced win.
    pub(crate) n_decided: u64,
    pub(crate) confirmed: Round,
    pub(crate) checked: Round,
}

impl<G: Opened> Openings<G> {
    /// Finds so many even openings and plays both rounds.
    pub(crate) fn select(args: &FairArgs, n_even: usize, tell: Tell<'_>) -> Self {
        let mut openings = Self {
            even: BTreeMap::new(),
            n_judged: 0,
            n_decided: 0,
            confirmed: Round::new(),
            checked: Round::new(),
        };
        while openings.even.len() < n_even {
            openings.judge(args);
        }
        tell(format!(
            "{}: {n_even} of {} openings are even",
            G::NAME,
            openings.n_judged
        ));
        let all: Vec<u64> = openings.even.keys().copied().collect();
        openings.confirmed = openings.play(args, &all, CONFIRMING, tell);
        let is_near = |(_, tally): &(&u64, &Tally)| tally.is_within(CONFIRM_TOLERANCE);
        let near = openings.confirmed.iter().filter(is_near);
        let near: Vec<u64> = near.map(|(&number, _)| number).collect();
        openings.checked = openings.play(args, &near, CHECKING, tell);
        openings
    }

    /// Judges the next opening.
    fn judge(&mut self, args: &FairArgs) {
        let start = opening::<G>(self.n_judged);
        let value = judgment(&start, args.judge);
        let is_even = value.number().abs() <= args.margin;
        if value.is_decided() {
            self.n_decided += 1;
        } else if is_even && !self.even.values().any(|known| *known == start) {
            self.even.insert(self.n_judged, start);
        }
        self.n_judged += 1;
    }

    /// Plays a round.
    fn play(&self, args: &FairArgs, numbers: &[u64], round: u64, tell: Tell<'_>) -> Round {
        let seed = args.seed.wrapping_mul(16).wrapping_add(round);
        let job = |number: &u64| Job::new(self.even[number].clone(), seed, *number, args.confirm);
        let jobs: Vec<_> = numbers.iter().map(job).collect();
        let tallies = play_all(&jobs, args.conditions());
        let results: Round = numbers.iter().copied().zip(tallies).collect();
        let sum = Tally::sum(results.values()).line();
        tell(format!("round {round}: {} openings, {sum}", results.len()));
        results
    }

    /// The fair openings, with the results of both rounds together.
    pub(crate) fn fair(&self) -> Round {
        let both = self.checked.iter().map(|(number, checked)| {
            let mut both = Tally::sum([&self.confirmed[number], checked]);
            // Not known for two rounds together.
            both.n_different = 0;
            (*number, both)
        });
        both.filter(|(_, tally)| tally.is_within(TOLERANCE))
            .collect()
    }

    /// The fair openings, a line each: the number, the matches that First won, drew and lost,
    /// and the position.
    pub(crate) fn list(&self) -> String {
        let mut list = String::new();
        for (number, tally) in self.fair() {
            let Tally {
                first,
                draws,
                second,
                ..
            } = tally;
            let start = &self.even[&number];
            writeln!(list, "{number} {first} {draws} {second} {start}")
                .expect("a string takes any text");
        }
        list
    }
}

/// The opening with this number, the same for ever.
fn opening<G: Opened>(number: u64) -> G {
    let mut setup = G::Setup::default();
    for (name, value) in G::OPTIONS {
        setup.set(name, value).expect("the options are the game's");
    }
    let start = G::start(&setup).expect("the options agree");
    let mut random = Random::new(mix(number));
    loop {
        let mut position = start.clone();
        for _ in 0..G::N_MOVES {
            if let Some(&m) = random.pick(&position.legal_moves()) {
                position.play_unchecked(m);
            }
        }
        let is_playable = position.outcome().is_none() && position.turn() == Player::First;
        if is_playable && position.may_open() {
            return position;
        }
    }
}

/// What a search of so many nodes thinks of an opening.
fn judgment<G: Bots>(start: &G, nodes: u64) -> Value {
    let table = TranspositionTable::for_nodes(nodes);
    let request = Request {
        opponent: Opponent::Engine,
        limits: Limits::nodes(nodes),
        seed: 0,
        n_threads: 1,
        n_lines: 1,
        table: &table,
        stop: &NoStop,
    };
    let found = G::search(start, &[], &request, &mut |_| {});
    let line = found.and_then(|found| found.lines.into_iter().next());
    line.expect("an opening is undecided, so it has moves")
        .value
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use nonaga::Nonaga;
    use rules::Player;
    use simply_go::SimplyGo;

    use super::{Opened, opening};

    /// Openings differ from each other, and each is the same in every run.
    fn check<G: Opened>(number: u64, expected: &str) {
        let openings: HashSet<G> = (0..100).map(opening::<G>).collect();
        assert!(openings.len() > 95, "{}: {}", G::NAME, openings.len());
        assert!(openings.iter().all(|start| start.outcome().is_none()));
        assert!(openings.iter().all(|start| start.turn() == Player::First));
        assert_eq!(opening::<G>(number).to_string(), expected);
    }

    #[test]
    fn openings_are_many_and_stay_the_same() {
        check::<Nonaga>(
            18,
            "-3,2;-2,0;-2,1;-2,2;-1,-2;-1,-1;-1,0;-1,1;-1,2;0,-1;0,0;0,1;1,-2;1,-1;1,0;1,1;2,-2;2,-1;2,0 -2,0;-1,2;1,-2 -2,2;1,-1;2,0 first slide",
        );
        check::<SimplyGo>(10, "9/6w2/9/9/5b1w1/9/9/9/5b3 b 0:0 4 0 moves:100");
    }
}
