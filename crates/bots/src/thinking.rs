use rules::{Random, Record};
use search::{AlphaBeta, Limits, Report, Search, SearchStep, Slice, Stop, TranspositionTable};

use crate::{
    Beginner, Bots, Level, Opponent, Request, Solving,
    level::{Habits, Judgment},
};

/// A bot choosing one move.
///
/// It is a plain value: nothing runs between one [step](Self::step) and the next,
/// and the choice does not depend on the slices.
pub struct Thinking<G: Bots> {
    position: G,
    played: Vec<u64>,
    n_moves: usize,
    opponent: Opponent,
    limits: Limits,
    n_threads: usize,
    n_lines: usize,
    /// Whether the guide does without its file of weights.
    is_small: bool,
    random: Random,
    state: State<G>,
}

/// The result of a [step](Thinking::step).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ThinkingStep<M> {
    /// The slice ended; there is more to do.
    Paused,
    /// A report; there is more to do.
    Report(Report<M>),
    /// The chosen move; `None` if there is none, or if it was stopped too early.
    Done(Option<M>),
}

enum State<G: Bots> {
    /// Not started.
    New,
    /// The guide prepares for the search.
    Guide(Box<Ahead<G>>),
    Search(Box<Search<G, G::Guide>>, Box<Ahead<G>>),
    /// Solving, for a level or for the perfect opponent.
    Solve(Box<dyn Solving<G>>, Option<Level>),
    /// Done.
    Chosen(Option<G::Move>),
}

/// A search, and how a level chooses from its result.
struct Ahead<G: Bots> {
    guide: G::Guide,
    limits: Limits,
    n_lines: usize,
    judgment: Option<Judgment<G>>,
}

impl<G: Bots> Thinking<G> {
    /// Starts to choose a move in the position at the cursor of `record`; later
    /// steps are given the table and the stop condition of `request`.
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
            is_small: false,
            // Every move of a match has its own random numbers.
            random: Random::new(rules::mix(request.seed) ^ record.n_moves() as u64),
            state: State::New,
        }
    }

    /// Starts to choose a move like a level with the given settings, whatever the opponent of
    /// `request` is, to calibrate levels.
    #[must_use]
    pub fn with_habits(record: &Record<G>, request: &Request<'_>, habits: &'static Habits) -> Self {
        let mut thinking = Self::new(record, request);
        let moves = thinking.position.legal_moves();
        if !moves.is_empty() {
            thinking.state = thinking.begin_level(habits, moves);
        }
        thinking
    }

    /// Does without the file of weights from the start, even if it is there.
    #[must_use]
    pub fn without_weights(mut self) -> Self {
        self.is_small = true;
        self
    }

    /// Runs one slice. `stop` ends the thinking, `slice` only this step.
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
                    let report = solving.report(&self.position, &self.played, self.n_lines);
                    let choice =
                        solving.choose(&self.position, &self.played, level, &mut self.random);
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
            Opponent::Model(model) => self.begin_beginner(&model.beginner(), &moves),
            Opponent::Level(level) => {
                let position = &self.position;
                match (G::beginner(position, level), G::habits(position, level)) {
                    (Some(beginner), _) => self.begin_beginner(beginner, &moves),
                    (None, Some(habits)) => self.begin_level(habits, moves),
                    (None, None) => self.begin_to_solve(Some(level)),
                }
            }
        }
    }

    fn begin_beginner(&mut self, beginner: &Beginner, moves: &[G::Move]) -> State<G> {
        State::Chosen(beginner.choose(&self.position, moves, &mut self.random))
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
        let guide = if self.is_small {
            G::small_guide(&self.position, n_lines)
        } else {
            G::guide(&self.position, n_lines)
        };
        State::Guide(Box::new(Ahead {
            guide,
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

    /// A level that is stopped before the game is solved falls back to the classic
    /// opponent; the perfect one never does.
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

/// Solves for one slice.
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

/// Work that `opponent` has to do before its first move in a match.
pub struct Preparation<G: Bots>(Box<dyn Solving<G>>);

impl<G: Bots> Preparation<G> {
    /// Starts it for the position at the cursor of `record`; `None` if there is
    /// none.
    #[must_use]
    pub fn new(record: &Record<G>, opponent: Opponent) -> Option<Self> {
        let is_solver = match opponent {
            Opponent::Level(level) => {
                let position = record.position();
                G::beginner(position, level).is_none() && G::habits(position, level).is_none()
            }
            Opponent::Perfect => true,
            Opponent::Random | Opponent::Classic | Opponent::Model(_) | Opponent::Engine => false,
        };
        let solving = is_solver.then(|| G::solving(record.position()));
        let solving = solving.flatten().filter(|solving| !solving.is_done());
        solving.map(Self)
    }

    /// Runs one slice, and returns whether all is done.
    pub fn step(&mut self, slice: Slice<'_>) -> bool {
        solve(&mut *self.0, &search::NoStop, &slice);
        self.0.is_done()
    }
}
