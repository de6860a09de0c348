//! What is said to an engine, and what its lines mean.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use catalog::{AnyMatch, Editing};
use play::{Bot, Effect, EngineClient, Event, Heard, PlayerKind, Question, Sitting, Thought};
use rules::{ByPlayer, record::NodeId};
use study::{Effort, Inquiry, Opinion};

fn seats(bot: Bot) -> ByPlayer<PlayerKind> {
    ByPlayer {
        first: PlayerKind::Person,
        second: PlayerKind::Bot(bot),
    }
}

fn start(game: &str, choices: &[(&str, &str)]) -> Box<dyn AnyMatch> {
    catalog::find(game).unwrap().start(choices).unwrap()
}

/// The question that comes up after so many of the first legal moves.
fn question(n_moves: usize, bot: Bot) -> Question {
    let mut record = start("takeover", &[("board", "3")]);
    for _ in 1..n_moves {
        let m = record.legal_moves()[0].clone();
        record.play(&m).unwrap();
    }
    let mut seats = seats(bot);
    seats[record.turn()] = PlayerKind::Person;
    seats[!record.turn()] = PlayerKind::Bot(bot);
    let (mut sitting, _) = Sitting::new(record, seats, 7);
    let m = sitting.record().legal_moves()[0].clone();
    let effects = sitting.update(Event::Typed(m));
    match &effects[..] {
        [.., Effect::AskBot(question)] => question.clone(),
        other => panic!("a bot is asked, not {other:?}"),
    }
}

/// A client whose engine listens and thinks about `question`.
fn thinking(question: &Question) -> EngineClient {
    let mut client = EngineClient::new();
    assert_eq!(client.connected(), [""; 0]);
    assert!(!client.ask(question.clone()).is_empty());
    assert_eq!(client.hear("readyok").lines, ["go"]);
    client
}

/// What an engine is told about `question` after it has answered `last`.
fn setup_lines(question: &Question, last: Option<&Question>) -> Vec<String> {
    let mut client = last.map_or_else(EngineClient::new, thinking);
    match last {
        Some(_) => drop(client.hear("bestmove a1b2")),
        None => drop(client.connected()),
    }
    let mut lines = client.ask(question.clone());
    assert_eq!(lines.pop().unwrap(), "isready");
    lines
}

fn moved(question: &Question, m: &str) -> Option<Event> {
    let (at, m) = (question.at, m.to_owned());
    Some(Event::BotMoved { at, m })
}

fn failed(question: &Question) -> Option<Event> {
    Some(Event::BotFailed { at: question.at })
}

#[test]
fn an_engine_is_told_everything_that_its_answer_depends_on() {
    let question = question(2, Bot::Level(3));
    assert_eq!(
        setup_lines(&question, None),
        [
            "game takeover",
            "setoption name variant value standard",
            "setoption name board value 3",
            "setoption name Opponent value engine",
            "setoption name Level value 3",
            "setoption name MultiPV value 1",
            "setoption name Seed value 7",
            &format!("position startpos moves {}", question.moves.join(" ")),
            "prepare",
        ]
    );
    assert_eq!(question.moves.len(), 2);
}

#[test]
fn an_engine_forgets_with_the_match_and_not_before() {
    let (first, second) = (question(1, Bot::Classic), question(3, Bot::Classic));
    let other = Question {
        seed: 8,
        ..second.clone()
    };
    let has = |lines: &[String], line: &str| lines.iter().any(|known| known == line);
    let lines = setup_lines(&second, Some(&first));
    assert!(!has(&lines, "game takeover") && !has(&lines, "uginewgame"));
    let lines = setup_lines(&other, Some(&first));
    assert!(!has(&lines, "game takeover") && has(&lines, "uginewgame"));
}

#[test]
fn a_match_from_a_position_is_told_by_its_text() {
    let text = start("nonaga", &[]).position();
    let record = catalog::find("nonaga").unwrap().start_from(&text).unwrap();
    let all = ByPlayer::from_fn(|_| PlayerKind::Bot(Bot::Classic));
    let (_, effects) = Sitting::new(record, all, 0);
    let [.., Effect::AskBot(question)] = &effects[..] else {
        panic!("a bot begins");
    };
    let lines = setup_lines(question, None);
    assert!(lines.contains(&format!("position fen {text}")));
    assert_eq!(question.at, NodeId::ROOT);
}

#[test]
fn a_question_waits_for_the_engine_and_is_answered() {
    let question = question(1, Bot::Classic);
    let mut client = EngineClient::new();
    assert_eq!(client.ask(question.clone()), [""; 0]);
    assert!(client.is_waiting());
    let lines = client.connected();
    assert_eq!(lines.last().unwrap(), "isready");
    assert_eq!(client.hear("readyok").lines, ["go"]);
    let thought = client.hear("info depth 3 score cp 5 nodes 1234 nps 1 time 2 pv a1");
    let (at, nodes) = (question.at, 1234);
    assert_eq!(thought.thought, Some(Thought { at, nodes }));
    let heard = client.hear("bestmove a1b2");
    assert_eq!(heard.event, moved(&question, "a1b2"));
    assert!(!client.is_waiting());
    // Said twice, it is heard once.
    assert_eq!(client.hear("bestmove a1b2").event, None);
}

#[test]
fn what_is_stopped_is_not_heard_of_again() {
    let (first, second) = (question(1, Bot::Classic), question(3, Bot::Classic));
    let mut client = thinking(&first);
    assert_eq!(client.stop(), ["stop"]);
    assert_eq!(client.stop(), [""; 0]);
    // The next question waits until the engine has stopped.
    assert_eq!(client.ask(second.clone()), [""; 0]);
    let heard = client.hear("bestmove late");
    assert_eq!(heard.event, None);
    assert_eq!(heard.lines.last().unwrap(), "isready");
    assert_eq!(client.hear("readyok").lines, ["go"]);
    assert_eq!(client.hear("bestmove m").event, moved(&second, "m"));
}

#[test]
fn the_same_question_asked_again_is_answered_by_its_own_search() {
    let question = question(1, Bot::Classic);
    let mut client = thinking(&question);
    assert_eq!(client.ask(question.clone()), ["stop"]);
    assert_eq!(client.hear("bestmove half").event, None);
    assert_eq!(client.hear("readyok").lines, ["go"]);
    assert_eq!(
        client.hear("bestmove whole").event,
        moved(&question, "whole")
    );
}

/// After an answer and an undo.
#[test]
fn a_question_that_was_answered_can_be_asked_again() {
    let question = question(1, Bot::Classic);
    let mut client = thinking(&question);
    let answered = client.hear("bestmove once").event;
    assert_eq!(answered, moved(&question, "once"));
    assert_eq!(client.ask(question.clone()).last().unwrap(), "isready");
    assert_eq!(client.hear("readyok").lines, ["go"]);
    let answered = client.hear("bestmove twice").event;
    assert_eq!(answered, moved(&question, "twice"));
}

#[test]
fn a_question_that_changes_while_it_is_set_up_is_set_up_anew() {
    let (first, second) = (question(1, Bot::Classic), question(3, Bot::Classic));
    let mut client = EngineClient::new();
    client.connected();
    client.ask(first);
    assert_eq!(client.ask(second.clone()), [""; 0]);
    let lines = client.hear("readyok").lines;
    let position = format!("position startpos moves {}", second.moves.join(" "));
    assert!(lines.contains(&position));
    assert_eq!(client.hear("readyok").lines, ["go"]);
}

#[test]
fn an_engine_that_does_not_understand_fails_once() {
    let question = question(1, Bot::Perfect);
    let mut client = EngineClient::new();
    client.connected();
    client.ask(question.clone());
    let error = "info error Opponent can't be perfect";
    assert_eq!(client.hear(error).event, failed(&question));
    assert_eq!(client.hear(error).event, None);
    // It still says that it is ready, and then it can be asked again.
    assert_eq!(client.hear("readyok").lines, [""; 0]);
    assert_eq!(client.ask(question.clone()).last().unwrap(), "isready");
    assert_eq!(client.hear("readyok").lines, ["go"]);
    assert_eq!(client.hear("info error over").event, failed(&question));
    assert!(!client.is_waiting());
}

#[test]
fn an_engine_that_died_fails_and_its_successor_is_asked() {
    let question = question(1, Bot::Classic);
    let mut client = thinking(&question);
    assert_eq!(client.disconnected().event, failed(&question));
    assert_eq!(client.disconnected().event, None);
    assert_eq!(client.hear("bestmove ghost").event, None);
    assert_eq!(client.ask(question.clone()), [""; 0]);
    assert_eq!(client.connected().last().unwrap(), "isready");
    assert_eq!(client.hear("readyok").lines, ["go"]);
    assert_eq!(client.hear("bestmove m").event, moved(&question, "m"));
}

#[test]
fn a_match_against_a_bot_is_prepared_when_it_opens() {
    let record = start("lilypads", &[("board", "4")]);
    let (_, effects) = Sitting::new(record, seats(Bot::Perfect), 0);
    let [Effect::PrepareBot(question)] = &effects[..] else {
        panic!("a bot is prepared, not {effects:?}");
    };
    let mut client = EngineClient::new();
    assert_eq!(client.prepare(question.clone()), [""; 0]);
    let lines = client.connected();
    assert!(lines.contains(&"setoption name board value 4".to_owned()));
    assert_eq!(lines.last().unwrap(), "prepare");
    assert!(!client.is_waiting(), "nothing is owed");

    let alone = ByPlayer::from_fn(|_| PlayerKind::Person);
    let (_, effects) = Sitting::new(start("lilypads", &[]), alone, 0);
    assert_eq!(effects, []);
}

/// Every match fetches what it needs, also if that failed in the one before; within a match
/// it is not tried again.
#[test]
fn an_engine_prepares_for_every_other_match() {
    let (first, second) = (question(1, Bot::Level(8)), question(3, Bot::Level(8)));
    let other = Question {
        seed: 8,
        ..second.clone()
    };
    let prepares = |lines: &[String]| lines.iter().any(|line| line == "prepare");
    assert!(prepares(&setup_lines(&first, None)));
    assert!(!prepares(&setup_lines(&second, Some(&first))));
    assert!(prepares(&setup_lines(&other, Some(&first))));
    // So does whoever asks about a match without a bot.
    let mut client = EngineClient::new();
    client.connected();
    assert!(prepares(&client.inquire(inquiry(Effort::Nodes(500)))));
    client.hear("readyok");
    client.hear("bestmove a1");
    assert!(!prepares(&client.inquire(inquiry(Effort::Nodes(500)))));
}

#[test]
fn a_lack_of_weights_is_heard_at_any_time() {
    let question = question(1, Bot::Level(8));
    let mut idle = EngineClient::new();
    idle.connected();
    for mut client in [thinking(&question), idle] {
        for line in [
            "info string weights takeover missing",
            "info string weights takeover damaged",
        ] {
            let expected = Heard {
                lacks_weights: true,
                ..Heard::default()
            };
            assert_eq!(client.hear(line), expected, "{line}");
        }
        // Those that are on their way are no news.
        let progress = "info string weights takeover 4096 of 821536";
        assert_eq!(client.hear(progress), Heard::default());
    }
}

/// An inquiry about the start of a match.
fn inquiry(effort: Effort) -> Inquiry {
    let record = start("takeover", &[("board", "3")]);
    Inquiry::new(&*record, NodeId::ROOT, 3, effort)
}

/// Other matches may have their weights, so every answer says for itself.
#[test]
fn an_answer_without_weights_is_marked() {
    let line = "info string without weights takeover";
    let mut client = EngineClient::new();
    client.connected();
    client.inquire(inquiry(Effort::Nodes(500)));
    assert_eq!(client.hear(line), Heard::default(), "nothing is asked yet");
    client.hear("readyok");
    let expected = Heard {
        opinion: Some(Opinion::Weightless),
        ..Heard::default()
    };
    assert_eq!(client.hear(line), expected);
    // A match is not told of it before every move.
    let mut client = thinking(&question(1, Bot::Level(8)));
    assert_eq!(client.hear(line), Heard::default());
}

const LINE: &str = "info depth 3 multipv 2 score cp 5 nodes 1234 nps 1 time 2 pv a1";

#[test]
fn an_inquiry_is_answered_line_by_line() {
    let mut client = EngineClient::new();
    client.connected();
    let lines = client.inquire(inquiry(Effort::Nodes(500)));
    let has = |line: &str| lines.iter().any(|known| known == line);
    assert!(has("setoption name MultiPV value 3") && has("setoption name Opponent value engine"));
    // Nothing that it knows from before may change the answer.
    assert!(has("uginewgame") && has("isready"));
    assert_eq!(client.hear("readyok").lines, ["go nodes 500"]);
    assert!(client.is_waiting());
    let Some(Opinion::Line(line)) = client.hear(LINE).opinion else {
        panic!("a line is heard");
    };
    assert_eq!((line.number, line.moves), (2, vec!["a1".to_owned()]));
    let heard = client.hear("bestmove a1");
    assert_eq!((heard.opinion, heard.event), (Some(Opinion::Done), None));
    assert!(!client.is_waiting());
}

#[test]
fn an_endless_inquiry_owes_nothing_until_it_is_stopped() {
    let mut client = EngineClient::new();
    client.connected();
    client.inquire(inquiry(Effort::Endless));
    assert_eq!(client.hear("readyok").lines, ["go infinite"]);
    assert!(!client.is_waiting());
    let question = question(1, Bot::Classic);
    assert_eq!(client.ask(question.clone()), ["stop"]);
    assert!(client.is_waiting());
    // What it still says about the old position concerns nobody.
    assert_eq!(client.hear(LINE).opinion, None);
    let lines = client.hear("bestmove a1").lines;
    assert!(lines.contains(&"setoption name MultiPV value 1".to_owned()));
    client.hear("readyok");
    assert_eq!(client.hear("bestmove b1").event, moved(&question, "b1"));
}

/// The position of a threat is of the same match, although no moves lead to it.
#[test]
fn an_engine_remembers_a_position_while_it_looks_for_the_threat() {
    let mut client = EngineClient::new();
    client.connected();
    client.inquire(inquiry(Effort::Endless));
    assert_eq!(client.hear("readyok").lines, ["go infinite"]);
    let record = start("takeover", &[("board", "3")]);
    let passed = record.passed().unwrap();
    let threat = Inquiry {
        match_start: record.start(),
        ..Inquiry::new(&*passed, NodeId::ROOT, 1, Effort::Brief(700))
    };
    assert_eq!(client.inquire(threat), ["stop"]);
    let forgets = |lines: &[String]| lines.iter().any(|line| line == "uginewgame");
    let lines = client.hear("bestmove a1").lines;
    let position = format!("position fen {}", passed.position());
    assert!(lines.contains(&position) && !forgets(&lines), "{lines:?}");
    assert_eq!(client.hear("readyok").lines, ["go nodes 700"]);
    client.hear("bestmove a1");
    let lines = client.inquire(inquiry(Effort::Endless));
    assert!(!forgets(&lines), "{lines:?}");
    // Another match is another matter.
    client.hear("readyok");
    assert_eq!(client.stop(), ["stop"]);
    client.hear("bestmove a1");
    let other = Inquiry::new(&*passed, NodeId::ROOT, 1, Effort::Brief(700));
    assert!(forgets(&client.inquire(other)));
}

#[test]
fn an_inquiry_survives_one_engine_and_not_two() {
    let mut client = EngineClient::new();
    client.connected();
    client.inquire(inquiry(Effort::Nodes(500)));
    client.hear("readyok");
    assert_eq!(client.disconnected(), play::Heard::default());
    assert!(client.is_waiting());
    assert_eq!(client.connected().last().unwrap(), "isready");
    client.hear("readyok");
    assert_eq!(client.disconnected().opinion, Some(Opinion::Failed));
    assert!(!client.is_waiting());
    client.connected();
    client.inquire(inquiry(Effort::Nodes(500)));
    assert_eq!(client.hear("info error no").opinion, Some(Opinion::Failed));
}

#[test]
fn a_puzzle_is_looked_for_until_it_is_found_or_no_longer_wanted() {
    let mut client = EngineClient::new();
    client.connected();
    assert_eq!(client.mine("takeover", 42), ["game takeover", "isready"]);
    assert_eq!(client.hear("readyok").lines, ["puzzle 42"]);
    assert!(client.is_waiting());
    assert_eq!(client.hear("puzzle {}").puzzle.as_deref(), Some("{}"));
    assert!(!client.is_waiting());
    // Stopping it has no answer, so that the next question can be asked at once.
    client.mine("takeover", 43);
    client.hear("readyok");
    let question = question(1, Bot::Classic);
    let lines = client.ask(question.clone());
    assert_eq!(lines.first().unwrap(), "stop");
    assert_eq!(lines.last().unwrap(), "isready");
    assert_eq!(client.hear("puzzle {}").puzzle, None);
    client.hear("readyok");
    assert_eq!(client.hear("bestmove b1").event, moved(&question, "b1"));
    // An engine that dies finds nothing.
    client.mine("takeover", 44);
    client.hear("readyok");
    assert_eq!(client.disconnected().puzzle.as_deref(), Some("none"));
}
