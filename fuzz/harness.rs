//! Properties of any input, for the fuzz targets and for a property test of the
//! engine.

use std::time::Duration;

use catalog::{AnyGame, GAMES};
use engine::Engine;
use lilypads::Lilypads;
use nonaga::Nonaga;
use rules::{Game, Record};
use search::Slice;
use simply_go::SimplyGo;
use takeover::Takeover;
use testkit::check_parser;

/// Positions and moves of all games are rejected or round-trip.
pub(crate) fn texts(text: &str) {
    check_game_texts::<Lilypads>(text);
    check_game_texts::<Nonaga>(text);
    check_game_texts::<Takeover>(text);
    check_game_texts::<SimplyGo>(text);
}

fn check_game_texts<G: Game>(text: &str) {
    check_parser::<G>(text);
    check_parser::<G::Move>(text);
    // Parsed positions obey the laws.
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

/// Record files and links are rejected or round-trip.
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

/// Every line of `text` is sent to an engine of each game, with slices of thinking in
/// between.
pub(crate) fn protocol(text: &str) {
    for game in GAMES {
        let mut session = Session::new(game);
        for line in text.lines() {
            session.check(line);
            session.step(line.len() % 4, 1 + line.len() as u64 % 9);
        }
        session.check("stop");
    }
}

/// An engine whose answers are checked.
pub(crate) struct Session {
    engine: Engine,
    /// The legal moves of the position that is being thought about.
    legal_moves: Option<Vec<String>>,
}

impl Session {
    pub(crate) fn new(game: &'static dyn AnyGame) -> Self {
        let engine = Engine::new(game, || Duration::ZERO).expect("every game has a first position");
        let mut session = Self {
            engine,
            legal_moves: None,
        };
        // A small table is cleared faster.
        session.check("setoption name Hash value 1");
        session
    }

    /// Sends a line and checks that an error is one line and changes nothing, that
    /// all answers are lines of the protocol, that an accepted `go` is answered
    /// once, with a legal move, and that the engine stays alive.
    pub(crate) fn check(&mut self, line: &str) -> Vec<String> {
        let before = format!("{:?}", self.engine);
        let answer = self.engine.answer(line);
        if answer.iter().any(|said| said.starts_with("info error")) {
            assert_eq!(answer.len(), 1, "{line:?} was answered {answer:?}");
            let after = format!("{:?}", self.engine);
            assert_eq!(before, after, "{line:?} changed something");
        }
        self.check_said(line, &answer);
        assert_eq!(self.engine.answer("isready"), ["readyok"]);
        let moves = self.ask("query moves");
        let is_over = self.ask("query gameover");
        assert!(
            moves != "-" || is_over == "true",
            "after {line:?} there is no move, but the game goes on"
        );
        if self.engine.is_thinking() && self.legal_moves.is_none() {
            let moves = moves.split(' ').map(str::to_owned);
            self.legal_moves = Some(moves.collect());
        }
        answer
    }

    /// Runs up to `n_slices` slices of about `nodes` nodes each.
    pub(crate) fn step(&mut self, n_slices: usize, nodes: u64) -> Vec<String> {
        let mut all = Vec::new();
        for _ in 0..n_slices {
            let said = self.engine.step(Slice::nodes(nodes));
            self.check_said("a step", &said);
            all.extend(said);
        }
        all
    }

    fn check_said(&mut self, cause: &str, said: &[String]) {
        for said in said {
            assert!(!said.contains('\n'), "{cause:?} was answered {said:?}");
            let word = said.split(' ').next().unwrap_or_default();
            let is_known = [
                "id", "option", "ugiok", "uaiok", "readyok", "info", "bestmove", "response",
                "puzzle",
            ]
            .contains(&word);
            assert!(is_known, "{cause:?} was answered {said:?}");
        }
        let best = said
            .iter()
            .filter_map(|said| said.strip_prefix("bestmove "));
        let best: Vec<&str> = best.collect();
        if self.engine.is_thinking() {
            assert!(best.is_empty(), "{cause:?} was answered {said:?}");
            return;
        }
        // The search has ended, and this is the answer.
        let expected = self.legal_moves.take();
        assert_eq!(
            best.len(),
            usize::from(expected.is_some()),
            "{said:?} after {cause:?}"
        );
        for (m, moves) in best.into_iter().zip(expected) {
            assert!(
                moves.iter().any(|legal| legal == m),
                "{m} is none of {moves:?}"
            );
            let last = said.last().map(String::as_str);
            assert_eq!(
                last.and_then(|last| last.strip_prefix("bestmove ")),
                Some(m)
            );
        }
    }

    /// The response to a question.
    fn ask(&mut self, question: &str) -> String {
        let answer = self.engine.answer(question);
        match &answer[..] {
            [answer] => answer.strip_prefix("response ").map(str::to_owned),
            _ => None,
        }
        .unwrap_or_else(|| panic!("{question} was answered {answer:?}"))
    }
}
