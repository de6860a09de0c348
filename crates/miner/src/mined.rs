use bots::{Bots, Opponent, Request, Thinking, ThinkingStep, WeightFile, level::Habits};
use puzzles::{Goal, Puzzle, Puzzling};
use rules::{ByPlayer, Random, Record, mix};
use search::{Limits, NoStop, Slice, TranspositionTable};

use crate::{
    AnyMining, MiningStep,
    candidate::{Candidate, CandidateStep},
};

/// The nodes that a level may search for a move: most of the time goes into these
/// matches.
const MOST_NODES: u64 = 600;

/// How often the classic opponent is asked for its move in a puzzle.
const N_CLASSIC: u64 = 8;

/// A game whose puzzles are found by searching positions of matches.
pub(crate) trait Mined: Bots + Puzzling {
    /// What a seed may look for, and how often it does.
    const AIMS: &'static [(Aim, u32)];

    /// The number of matches after which a seed is given up.
    const MOST_MATCHES: u32 = 2_000;

    /// The number of moves after which a match is given up.
    const LONGEST_MATCH: usize;

    /// The least number of legal moves in a puzzle.
    const LEAST_MOVES: usize;

    /// How those play whose matches are examined, the weakest first: mistakes have to
    /// happen, but positions should look like a match.
    ///
    /// They resemble levels but are none of them: the files have to be the same whatever
    /// becomes of the levels.
    const PLAYERS: &'static [Habits];

    /// Whether a turn begins here.
    fn is_turn_start(&self) -> bool {
        true
    }

    /// The first position of a match.
    fn first(random: &mut Random) -> Self;

    /// The goals that are worth a proof in this position, for somebody who looks for
    /// `aim`. The first one that makes a puzzle is taken.
    fn goals(&self, aim: Aim) -> Vec<Goal>;

    /// The grade of a puzzle, or `None` if it is too dull.
    fn grade(found: &Found<'_, Self>) -> Option<u8>;
}

/// What to look for: a kind of goal, and the solver's turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Aim {
    pub(crate) goal: &'static str,
    pub(crate) turns: u8,
}

pub(crate) const fn aim(goal: &'static str, turns: u8) -> Aim {
    Aim { goal, turns }
}

/// A position with one solution.
pub(crate) struct Found<'a, G: Puzzling> {
    pub(crate) start: &'a G,
    pub(crate) goal: Goal,
    pub(crate) solution: &'a [G::Move],
    /// How often the classic opponent goes wrong in eight tries.
    pub(crate) temptation: usize,
}

/// Looks for the puzzle of a seed.
///
/// Matches are played between weak and medium players, so that mistakes are made, and
/// every position is examined.
pub(crate) struct MatchMining<G: Mined> {
    seed: u64,
    aim: Aim,
    n_matches: u32,
    table: TranspositionTable,
    state: State<G>,
}

enum State<G: Mined> {
    /// The next match begins.
    Begin,
    /// The next move is chosen.
    Think(Box<Playing<G>>, Box<Thinking<G>>),
    /// The position is examined for these goals, the last one first.
    Examine(Box<Playing<G>>, Vec<Goal>, Option<Box<Candidate<G>>>),
}

/// A match between two players.
struct Playing<G: Mined> {
    record: Record<G>,
    seed: u64,
    players: ByPlayer<&'static Habits>,
}

impl<G: Mined> Playing<G> {
    /// A match that begins with a few random moves.
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut record = Record::from_position(G::first(&mut random));
        let mut player = || random.pick(G::PLAYERS).expect("somebody plays");
        let players = ByPlayer {
            first: player(),
            second: player(),
        };
        for _ in 0..random.between(2, 6) {
            let moves = record.position().legal_moves();
            let m = random.pick(&moves).copied();
            if m.is_none_or(|m| record.play(m).is_err()) {
                break;
            }
        }
        Self {
            record,
            seed,
            players,
        }
    }

    fn think(&self, table: &TranspositionTable) -> Thinking<G> {
        let turn = self.record.position().turn();
        let request = Request {
            opponent: Opponent::Engine,
            limits: Limits::nodes(MOST_NODES),
            seed: self.seed,
            n_threads: 1,
            n_lines: 1,
            table,
            stop: &NoStop,
        };
        Thinking::with_habits(&self.record, &request, self.players[turn])
    }
}

impl<G: Mined> MatchMining<G> {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let total: u32 = G::AIMS.iter().map(|(_, weight)| weight).sum();
        let mut drawn = random.below(total);
        let aim = G::AIMS.iter().find(|(_, weight)| {
            let is_here = drawn < *weight;
            drawn = drawn.saturating_sub(*weight);
            is_here
        });
        Self {
            seed,
            aim: aim.map_or(G::AIMS[0].0, |(aim, _)| *aim),
            n_matches: 0,
            table: TranspositionTable::new(1),
            state: State::Begin,
        }
    }

    /// The match stands at a new position.
    fn arrive(&self, playing: Box<Playing<G>>) -> State<G> {
        let position = playing.record.position();
        if playing.record.ending().is_some() || playing.record.n_moves() > G::LONGEST_MATCH {
            return State::Begin;
        }
        let is_rich = position.n_legal_moves() >= G::LEAST_MOVES;
        if position.is_turn_start() && is_rich {
            let mut goals = position.goals(self.aim);
            goals.reverse();
            State::Examine(playing, goals, None)
        } else {
            self.go_on(playing)
        }
    }

    fn go_on(&self, playing: Box<Playing<G>>) -> State<G> {
        let thinking = Box::new(playing.think(&self.table));
        State::Think(playing, thinking)
    }

    /// Does a small part of the work.
    fn step_once(&mut self, slice: Slice<'_>) -> MiningStep {
        self.state = match std::mem::replace(&mut self.state, State::Begin) {
            State::Begin if self.n_matches == G::MOST_MATCHES => return MiningStep::Exhausted,
            State::Begin => {
                self.n_matches += 1;
                let seed = mix(mix(self.seed).wrapping_add(self.n_matches.into()));
                self.arrive(Box::new(Playing::new(seed)))
            }
            State::Think(mut playing, mut thinking) => {
                match thinking.step(&self.table, &NoStop, slice) {
                    ThinkingStep::Done(m) => match m.map(|m| playing.record.play(m)) {
                        Some(Ok(())) => self.arrive(playing),
                        _ => State::Begin,
                    },
                    _ => State::Think(playing, thinking),
                }
            }
            State::Examine(playing, mut goals, None) => match goals.pop() {
                Some(goal) => {
                    let candidate = Candidate::new(playing.record.position(), goal);
                    State::Examine(playing, goals, Some(Box::new(candidate)))
                }
                None => self.go_on(playing),
            },
            State::Examine(playing, goals, Some(mut candidate)) => match candidate.step() {
                CandidateStep::Working => State::Examine(playing, goals, Some(candidate)),
                CandidateStep::No => State::Examine(playing, goals, None),
                CandidateStep::Yes(solution) => {
                    let start = playing.record.position();
                    match make_puzzle(start, candidate.goal(), &solution) {
                        Some(puzzle) => return MiningStep::Found(puzzle),
                        None => State::Examine(playing, goals, None),
                    }
                }
            },
        };
        MiningStep::Working
    }
}

impl<G: Mined> AnyMining for MatchMining<G> {
    fn weights(&self) -> Option<&'static WeightFile> {
        // All matches of a game are of one variant.
        G::weights(&G::first(&mut Random::new(self.seed)))
    }

    fn step(&mut self, slice: Slice<'_>) -> MiningStep {
        // A candidate's move takes about as long as so many nodes of a search.
        const NODES: u64 = 1_000;
        let mut left = slice.nodes.max(1);
        while left > 0 {
            let part = Slice {
                nodes: left.min(NODES),
                ..slice
            };
            let step = self.step_once(part);
            if !matches!(step, MiningStep::Working) {
                return step;
            }
            left = left.saturating_sub(NODES);
            if (slice.is_over)() {
                break;
            }
        }
        MiningStep::Working
    }
}

/// The puzzle, if it is worth solving.
fn make_puzzle<G: Mined>(start: &G, goal: Goal, solution: &[G::Move]) -> Option<Puzzle> {
    let key = *solution.first()?;
    let is_wrong = |seed: &u64| G::classic(start, &mut Random::new(*seed)) != key;
    let found = Found {
        start,
        goal,
        solution,
        temptation: (0..N_CLASSIC).filter(is_wrong).count(),
    };
    let grade = G::grade(&found)?;
    let solution = solution.iter().map(ToString::to_string).collect();
    Puzzle::new(G::NAME, &start.to_string(), goal, solution, grade).ok()
}
