//! A match as the page drives it, with a real engine at the other end: late,
//! stopped, sometimes crashed, and at times without its weights.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{collections::VecDeque, time::Duration};

use catalog::GAMES;
use engine::{Engine, Fetch};
use play::{Bot, Effect, EngineClient, Event, Heard, HintState, Phase, PlayerKind, Sitting};
use rules::{ByPlayer, Random, record::NodeId};
use search::Slice;

/// The weights of Takeover.
const WEIGHTS: &[u8] = include_bytes!("../../bots/src/takeover/takeover.weights");

/// A sitting, its client, and an engine behind two queues of lines.
struct Match {
    sitting: Sitting,
    client: EngineClient,
    engine: Engine,
    /// The files that it asked for.
    fetches: Vec<Fetch>,
    /// What the last inquiry is about.
    inquired: NodeId,
    to_engine: VecDeque<String>,
    from_engine: VecDeque<String>,
}

fn new_engine() -> Engine {
    let engine = Engine::new(GAMES[0], || Duration::ZERO).unwrap();
    engine.with_fetched_weights()
}

impl Match {
    fn new(game: &str, bot: Bot, seed: u64) -> Self {
        let game = catalog::find(game).unwrap();
        let record = game.start(game.presentation().miniature).unwrap();
        let seats = ByPlayer {
            first: PlayerKind::Person,
            second: PlayerKind::Bot(bot),
        };
        let (sitting, effects) = Sitting::new(record, seats, seed);
        let mut playing = Self {
            sitting,
            client: EngineClient::new(),
            engine: new_engine(),
            fetches: Vec::new(),
            inquired: NodeId::ROOT,
            to_engine: VecDeque::new(),
            from_engine: VecDeque::new(),
        };
        let lines = playing.client.connected();
        playing.to_engine.extend(lines);
        playing.carry_out(effects);
        playing
    }

    fn dispatch(&mut self, event: Event) {
        let effects = self.sitting.update(event);
        self.carry_out(effects);
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            let lines = match effect {
                Effect::AskBot(question) => self.client.ask(question),
                Effect::StopBot | Effect::StopInquiry => self.client.stop(),
                Effect::Inquire { at, inquiry } => {
                    self.inquired = at;
                    self.client.inquire(inquiry)
                }
                Effect::PrepareBot(question) => self.client.prepare(question),
                Effect::Save | Effect::LowTime(_) | Effect::Turn(_) => Vec::new(),
                Effect::Refuse(refusal) => panic!("{refusal:?}"),
            };
            self.to_engine.extend(lines);
        }
    }

    /// One line in either direction, or a slice of thinking.
    fn tick(&mut self, random: &mut Random) {
        match random.below(4) {
            0 => {
                if let Some(line) = self.to_engine.pop_front() {
                    self.from_engine.extend(self.engine.answer(&line));
                }
            }
            1 => {
                if let Some(line) = self.from_engine.pop_front() {
                    assert!(!line.contains("error"), "{line}");
                    let heard = self.client.hear(&line);
                    self.take_in(heard);
                }
            }
            2 => {
                let slice = Slice::nodes(1 + u64::from(random.below(400)));
                self.from_engine.extend(self.engine.step(slice));
            }
            _ => self.fetch(random),
        }
    }

    /// Files of weights arrive late, or not at all.
    fn fetch(&mut self, random: &mut Random) {
        self.fetches.extend(self.engine.next_fetch());
        if random.below(20) == 0
            && let Some(Fetch { file, .. }) = self.fetches.pop()
        {
            let content = (random.below(2) == 0).then_some(WEIGHTS);
            self.from_engine.extend(self.engine.supply(file, content));
        }
    }

    fn take_in(&mut self, heard: Heard) {
        self.to_engine.extend(heard.lines);
        if let Some(event) = heard.event {
            self.dispatch(event);
        }
        if let Some(opinion) = heard.opinion {
            let at = self.inquired;
            self.dispatch(Event::Opinion { at, opinion });
        }
    }

    /// The engine crashes, and another one takes its place.
    fn die(&mut self) {
        self.to_engine.clear();
        self.from_engine.clear();
        self.fetches.clear();
        self.engine = new_engine();
        let heard = self.client.disconnected();
        self.take_in(heard);
        let lines = self.client.connected();
        self.to_engine.extend(lines);
    }

    /// Waits until the engine has answered.
    fn wait(&mut self, random: &mut Random) {
        for _ in 0..1_000_000 {
            let is_asked = matches!(self.sitting.hint(), Some(HintState::Asked(_)));
            if !matches!(self.sitting.phase(), Phase::Bot(_)) && !is_asked {
                return;
            }
            self.tick(random);
        }
        panic!("{:?}", self.client);
    }
}

fn check(game: &str, bot: Bot, n_matches: u64) {
    let mut n_hints = 0;
    for seed in 0..n_matches {
        let mut random = Random::new(seed);
        let mut playing = Match::new(game, bot, seed);
        for _ in 0..25 {
            match random.below(9) {
                8 => playing.dispatch(Event::Hint),
                0 => playing.dispatch(Event::TakeBack),
                1 => playing.dispatch(Event::Redo),
                2 if random.below(4) == 0 => playing.die(),
                3 => playing.dispatch(Event::GoTo(playing.sitting.live())),
                4 => {
                    let line = playing.sitting.record().line(playing.sitting.live());
                    let node = *random.pick(&line).unwrap();
                    playing.dispatch(Event::GoTo(node));
                }
                _ if playing.sitting.may_act() => {
                    let moves = playing.sitting.record().legal_moves();
                    let m = random.pick(&moves).unwrap().clone();
                    playing.dispatch(Event::Typed(m));
                }
                _ => {}
            }
            // Sometimes nobody waits for the answer.
            if random.below(3) > 0 {
                playing.wait(&mut random);
            } else {
                for _ in 0..random.below(20) {
                    playing.tick(&mut random);
                }
            }
            assert!(!matches!(playing.sitting.phase(), Phase::Stalled(_)));
            if let Some(HintState::Known { hint, .. }) = playing.sitting.hint() {
                assert!(playing.sitting.record().legal_moves().contains(&hint.m));
                n_hints += 1;
            }
        }
        playing.wait(&mut random);
    }
    assert_ne!(n_hints, 0);
}

#[test]
fn the_page_and_the_engine_understand_each_other() {
    for game in GAMES {
        check(game.name(), Bot::Classic, 25);
    }
}

/// The page offers as many levels as there are, and the solver of Lilypads has the last ones.
#[test]
fn everybody_counts_the_same_levels() {
    assert_eq!(Bot::TOP_LEVEL, bots::Level::TOP);
    assert_eq!(lilypads_solver::levels::HIGHEST_LEVEL, bots::Level::TOP);
}

#[test]
fn levels_answer_in_slices() {
    for game in ["nonaga", "takeover", "simply-go"] {
        check(game, Bot::Level(2), 8);
    }
}

#[test]
fn weights_that_come_late_or_never_stall_nobody() {
    check("takeover", Bot::Level(5), 8);
}

#[test]
fn a_solved_board_is_prepared_and_survives_stops() {
    check("lilypads", Bot::Perfect, 2);
}
