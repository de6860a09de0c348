//! What any input whatever is put to, in fuzz targets and in a property test of
//! the command line alike.

use catalog::{AnyGame, GAMES};
use cli::Engine;
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
    /// What the engine says of its position, and would do in a new match.
    state: String,
}

impl Session {
    pub(crate) fn new(game: &'static dyn AnyGame) -> Self {
        let engine = Engine::new(game).expect("every game has a first position");
        let state = state(&engine);
        Self { engine, state }
    }

    /// Sends a line and checks that an error changes nothing, that all answers
    /// are lines of the protocol, and that the engine stays alive.
    pub(crate) fn check(&mut self, line: &str) -> String {
        let answer = ask(&mut self.engine, line);
        for answer in answer.lines() {
            let word = answer.split(' ').next().unwrap_or_default();
            let is_known = [
                "id", "option", "ugiok", "uaiok", "readyok", "info", "bestmove", "response",
            ]
            .contains(&word);
            assert!(is_known, "{line:?} was answered {answer:?}");
        }
        let state = state(&self.engine);
        if answer.starts_with("info error") {
            assert_eq!(
                answer.lines().count(),
                1,
                "{line:?} was answered {answer:?}"
            );
            assert_eq!(state, self.state, "{line:?} changed the position");
        }
        self.state = state;
        assert_eq!(ask(&mut self.engine, "isready"), "readyok\n");
        answer
    }
}

/// What a copy of the engine answers to this shows its options and its seed as
/// well.
fn state(engine: &Engine) -> String {
    let lines = "query fen\nquery moves\nquery result\nstop\ngo\nposition startpos\nquery fen";
    ask(&mut engine.clone(), lines)
}

/// The answers to the given lines.
fn ask(engine: &mut Engine, lines: &str) -> String {
    let mut out = Vec::new();
    for line in lines.split('\n') {
        engine
            .answer(line, &mut out)
            .expect("a list of bytes takes any answer");
    }
    String::from_utf8(out).expect("answers are text")
}
