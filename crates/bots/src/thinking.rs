use rules::{Random, Record};
use search::{AlphaBeta, Limits, Report, Search, SearchStep, Slice, Stop, TranspositionTable};

use crate::{
    Bots, Level, Opponent, Request, Solving,
    level::{Habits, Judgment},
};

/// A bot at work on one move.
///
/// It is a value: nothing goes on between one [step](Self::step) and the next, and
/// however it is sliced, it comes to the same.
pub struct Thinking<G: Bots> {
    position: G,
    played: Vec<u64>,
    n_moves: usize,
    opponent: Opponent,
    limits: Limits,
    n_threads: usize,
    n_lines: usize,
    random: Random,
    state: State<G>,
}

/// What came of a [step](Thinking::step).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ThinkingStep<M> {
    /// There is more to do.
    Paused,
    /// This was found, and there is more to do.
    Report(Report<M>),
    /// The move it chose; `None` if there is none, or if it was stopped before it had
    /// an idea.
    Done(Option<M>),
}

enum State<G: Bots> {
    /// Nothing is done yet.
    New,
    /// The guide of the search finds out what it needs.
    Guide(Box<Ahead<G>>),
    Search(Box<Search<G, G::Guide>>, Box<Ahead<G>>),
    /// The game is being solved for a level, or for the perfect opponent.
    Solve(Box<dyn Solving<G>>, Option<Level>),
    /// The choice is made.
    Chosen(Option<G::Move>),
}

/// What a search is done with, and how a level chooses from what it finds.
struct Ahead<G: Bots> {
    guide: G::Guide,
    limits: Limits,
    n_lines: usize,
    judgment: Option<Judgment<G>>,
}

impl<G: Bots> Thinking<G> {
    /// Begins to think about the position at the cursor of `record`; the table and the
    /// stop of `request` are those of later steps.
    #[must_use]
    pub fn new(record: &Record<G>, request: &Request<'_>) -> Self {
        Self {
            position: record.position().clone(),
            played: record.repetition_keys(),
            n_moves: record.n_moves(),
            opponent: request.opponent,
            limits: request.limits,
            n_threads: request.n_threads,
            n_lines: request.n_lines,
            // Each move of a match draws its own luck.
            random: Random::new(rules::mix(request.seed) ^ record.n_moves() as u64),
            state: State::New,
        }
    }

    /// Goes on for a slice. `stop` ends the thinking, `slice` only this part of it.
    pub fn step(
        &mut self,
        table: &TranspositionTable,
        stop: &dyn Stop,
        slice: Slice<'_>,
    ) -> ThinkingStep<G::Move> {
        self.state = match std::mem::replace(&mut self.state, State::New) {
            State::New => self.begin(),
            State::Guide(mut ahead) => {
                if G::prepare_guide(&mut ahead.guide, &self.position, stop, &slice) {
                    self.begin_search(table, ahead)
                } else {
                    State::Guide(ahead)
                }
            }
            State::Search(mut search, ahead) => {
                match self
                    .alpha_beta(table, &ahead)
                    .step(&mut search, stop, slice)
                {
                    SearchStep::Paused => State::Search(search, ahead),
                    SearchStep::Report(report) => {
                        self.state = State::Search(search, ahead);
                        return ThinkingStep::Report(report);
                    }
                    SearchStep::Done(found) => State::Chosen(match &ahead.judgment {
                        Some(judgment) => judgment.choose(&self.position, &found, &mut self.random),
                        None => found.best(),
                    }),
                }
            }
            State::Solve(mut solving, level) => {
                solve(&mut *solving, stop, &slice);
                if solving.is_done() || stop.is_requested() {
                    let report = solving.report(&self.position);
                    let choice = solving.choose(&self.position, level, &mut self.random);
                    self.state = State::Chosen(self.or_classic(choice));
                    if let Some(report) = report {
                        return ThinkingStep::Report(report);
                    }
                    return ThinkingStep::Paused;
                }
                State::Solve(solving, level)
            }
            State::Chosen(choice) => State::Chosen(choice),
        };
        match self.state {
            State::Chosen(choice) => ThinkingStep::Done(choice),
            _ => ThinkingStep::Paused,
        }
    }

    fn begin(&mut self) -> State<G> {
        let moves = self.position.legal_moves();
        if moves.is_empty() {
            return State::Chosen(None);
        }
        match self.opponent {
            Opponent::Random => State::Chosen(self.random.pick(&moves).copied()),
            Opponent::Classic => State::Chosen(Some(self.classic())),
            Opponent::Engine => self.look_ahead(None),
            Opponent::Perfect => self.begin_to_solve(None),
            Opponent::Level(level) => match G::habits(level) {
                Some(habits) => self.begin_level(habits, moves),
                None => self.begin_to_solve(Some(level)),
            },
        }
    }

    fn begin_level(&mut self, habits: &'static Habits, moves: Vec<G::Move>) -> State<G> {
        let position = &self.position;
        if habits.sees_wins
            && let Some(&win) = moves.iter().find(|&&m| G::wins_at_once(position, m))
        {
            return State::Chosen(Some(win));
        }
        let judgment = Judgment::new(habits, position, moves, self.n_moves);
        self.look_ahead(Some(judgment))
    }

    fn look_ahead(&self, judgment: Option<Judgment<G>>) -> State<G> {
        let (limits, n_lines) = match &judgment {
            Some(judgment) => (judgment.limits(self.limits), judgment.n_lines(self.n_lines)),
            None => (self.limits, self.n_lines),
        };
        State::Guide(Box::new(Ahead {
            guide: G::guide(&self.position, n_lines),
            limits,
            n_lines,
            judgment,
        }))
    }

    fn begin_search(&self, table: &TranspositionTable, ahead: Box<Ahead<G>>) -> State<G> {
        let search = self.alpha_beta(table, &ahead);
        match search.begin(&self.position, &self.played, ahead.limits) {
            Some(search) => State::Search(Box::new(search), ahead),
            None => State::Chosen(None),
        }
    }

    fn alpha_beta<'a>(
        &self,
        table: &'a TranspositionTable,
        ahead: &'a Ahead<G>,
    ) -> AlphaBeta<'a, G::Guide> {
        AlphaBeta {
            n_threads: self.n_threads,
            n_lines: ahead.n_lines,
            ..AlphaBeta::new(&ahead.guide, table)
        }
    }

    fn begin_to_solve(&self, level: Option<Level>) -> State<G> {
        match G::solving(&self.position) {
            Some(solving) => State::Solve(solving, level),
            None => State::Chosen(None),
        }
    }

    /// A level that is stopped before the game is solved plays like the classic
    /// opponent; the perfect one is never less than perfect.
    fn or_classic(&mut self, choice: Option<G::Move>) -> Option<G::Move> {
        match self.opponent {
            Opponent::Level(_) => Some(choice.unwrap_or_else(|| self.classic())),
            _ => choice,
        }
    }

    fn classic(&mut self) -> G::Move {
        G::classic(&self.position, &mut self.random)
    }
}

/// Goes on with solving for a slice.
fn solve<G: Bots>(solving: &mut dyn Solving<G>, stop: &dyn Stop, slice: &Slice<'_>) {
    for _ in 0..slice.nodes.max(1) {
        if solving.is_done() || stop.is_requested() {
            return;
        }
        solving.step();
        if (slice.is_over)() {
            return;
        }
    }
}

/// The lengthy work that comes before `opponent` can choose a move in a match.
pub struct Preparation<G: Bots>(Box<dyn Solving<G>>);

impl<G: Bots> Preparation<G> {
    /// Begins it, for the position at the cursor of `record`; `None` if nothing takes
    /// long.
    #[must_use]
    pub fn new(record: &Record<G>, opponent: Opponent) -> Option<Self> {
        let is_solver = match opponent {
            Opponent::Level(level) => G::habits(level).is_none(),
            Opponent::Perfect => true,
            Opponent::Random | Opponent::Classic | Opponent::Engine => false,
        };
        let solving = is_solver.then(|| G::solving(record.position()));
        let solving = solving.flatten().filter(|solving| !solving.is_done());
        solving.map(Self)
    }

    /// Goes on for a slice, and returns whether all is done.
    pub fn step(&mut self, slice: Slice<'_>) -> bool {
        solve(&mut *self.0, &search::NoStop, &slice);
        self.0.is_done()
    }
}
