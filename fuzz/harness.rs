//! What any input whatever is put to, in fuzz targets and in a property test of
//! the engine alike.

use std::time::Duration;

use catalog::{AnyGame, GAMES};
use engine::{Engine, Flow, Job};
use lilypads::Lilypads;
use nonaga::Nonaga;
use rules::{Game, Record};
use simply_go::SimplyGo;
use takeover::Takeover;
use testkit::check_parser;

/// Positions and moves of all games are refused or can be written back.
pub(crate) fn texts(text: &str) {
    check_game_texts::<Lilypads>(text);
    check_game_texts::<Nonaga>(text);
    check_game_texts::<Takeover>(text);
    check_game_texts::<SimplyGo>(text);
}

fn check_game_texts<G: Game>(text: &str) {
    check_parser::<G>(text);
    check_parser::<G::Move>(text);
    // What is read obeys the laws.
    if let Ok(position) = text.parse::<G>() {
        let moves = position.legal_moves();
        assert_eq!(position.outcome().is_none(), !moves.is_empty(), "{text:?}");
        for m in moves.first().into_iter().chain(moves.last()) {
            let after = position.after(*m);
            let read = after.to_string().parse::<G>();
            assert!(read.is_ok_and(|read| read == after), "{m} in {text:?}");
        }
    }
}

/// Record files and links are refused or can be written back.
pub(crate) fn records(text: &str) {
    if let Ok(table) = catalog::read_file(text) {
        let again = catalog::read_file(&table.to_string()).map(|table| table.to_string());
        assert_eq!(again.as_ref(), Ok(&table.to_string()), "{text:?}");
    }
    if let Ok(table) = catalog::read_link(text) {
        let again = catalog::read_link(&table.to_link()).map(|table| table.to_string());
        assert_eq!(again, Ok(table.to_string()), "{text:?}");
    }
    check_parser::<Record<Lilypads>>(text);
    check_parser::<Record<Nonaga>>(text);
}

/// Every line of `text` is sent to an engine of each game.
pub(crate) fn protocol(text: &str) {
    for game in GAMES {
        let mut session = Session::new(game);
        for line in text.lines() {
            session.check(line);
        }
    }
}

/// An engine that is watched.
pub(crate) struct Session {
    engine: Engine,
    /// What decides the engine's answers.
    state: String,
    /// What it was told to think about until it is stopped.
    job: Option<Job>,
}

/// Searches are cut short after so many positions.
const MOST_NODES: u64 = 20;

impl Session {
    pub(crate) fn new(game: &'static dyn AnyGame) -> Self {
        let engine = Engine::new(game, || Duration::ZERO).expect("every game has a first position");
        let mut session = Self {
            engine,
            state: String::new(),
            job: None,
        };
        // A small table is sooner forgotten.
        session.ask("setoption name Hash value 1");
        session.state = format!("{:?}", session.engine);
        session
    }

    /// Sends a line and checks that an error changes nothing, that all answers
    /// are lines of the protocol, that `go` is answered by one legal move, and
    /// that the engine stays alive.
    pub(crate) fn check(&mut self, line: &str) -> String {
        let (mut answer, flow) = self.ask(line);
        match flow {
            Flow::GoOn => {}
            // What has no end waits for `stop`.
            Flow::Think(job) if line.contains("infinite") => self.job = Some(job),
            Flow::Think(job) => answer += &self.think(job),
            Flow::Stop | Flow::Quit => {
                if let Some(job) = self.job.take() {
                    answer += &self.think(job);
                }
            }
        }
        for answer in answer.lines() {
            let word = answer.split(' ').next().unwrap_or_default();
            let is_known = [
                "id", "option", "ugiok", "uaiok", "readyok", "info", "bestmove", "response",
            ]
            .contains(&word);
            assert!(is_known, "{line:?} was answered {answer:?}");
        }
        let state = format!("{:?}", self.engine);
        if answer.starts_with("info error") {
            assert_eq!(
                answer.lines().count(),
                1,
                "{line:?} was answered {answer:?}"
            );
            assert_eq!(state, self.state, "{line:?} changed something");
        }
        self.state = state;
        assert_eq!(self.ask("isready").0, "readyok\n");
        let moves = self.ask("query moves").0;
        let is_over = self.ask("query gameover").0;
        assert!(
            moves != "response -\n" || is_over == "response true\n",
            "after {line:?} there is no move, but the game goes on"
        );
        answer
    }

    /// What the job says, which ends with a legal move.
    fn think(&mut self, job: Job) -> String {
        let moves = self.ask("query moves").0;
        let mut said = String::new();
        job.run_at_most(MOST_NODES, &mut |line| {
            said += line;
            said.push('\n');
            Ok(())
        })
        .expect("a text takes any answer");
        self.engine.stopped();
        let best = said
            .lines()
            .last()
            .and_then(|last| last.strip_prefix("bestmove "));
        let is_legal = |m| moves.split_whitespace().skip(1).any(|legal| legal == m);
        assert!(best.is_some_and(is_legal), "{said:?} has none of {moves:?}");
        assert_eq!(said.matches("bestmove").count(), 1, "{said:?}");
        said
    }

    /// The answer to a line.
    fn ask(&mut self, line: &str) -> (String, Flow) {
        let mut out = Vec::new();
        let flow = self
            .engine
            .answer(line, &mut out)
            .expect("a list of bytes takes any answer");
        (String::from_utf8(out).expect("answers are text"), flow)
    }
}
