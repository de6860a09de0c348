//! Whatever happens in whatever order, a match never gets stuck, its position is always
//! the one that its moves lead to, and what is stored of it brings it back.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::HashSet;

use catalog::{AnyGame, AnyMatch, AnyStart, GAMES};
use play::{Bot, Effect, Event, HintState, MoveRow, Phase, PlayerKind, Question, Saved, Sitting};
use rules::{
    ByPlayer, Outcome, Player, Random,
    record::{NodeId, Reason, TimeControl},
};
use study::{Clue, EngineLine, Evaluation, Inquiry, Opinion};
use view::{Look, Words};

/// How many sequences of events are tried for each game.
const N_SEQUENCES: u64 = 700;

/// How many events are in each of them.
const N_EVENTS: usize = 40;

/// A sitting, and what somebody who drives it has seen of its effects.
struct Driven {
    sitting: Sitting,
    /// The question that an answer is owed to.
    open: Option<Question>,
    /// Every question there ever was, for late answers.
    all: Vec<Question>,
    /// The inquiry that an answer is owed to. An engine has one question at a time.
    inquiry: Option<(NodeId, Inquiry)>,
    /// What was stored last.
    saved: Saved,
}

impl Driven {
    fn new(record: Box<dyn AnyMatch>, seats: ByPlayer<PlayerKind>) -> Self {
        let (sitting, effects) = Sitting::new(record, seats, 1);
        let mut driven = Self {
            saved: Saved::new(&sitting, 0, None),
            sitting,
            open: None,
            all: Vec::new(),
            inquiry: None,
        };
        driven.carry_out(effects);
        driven
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::AskBot(question) => {
                    self.all.push(question.clone());
                    self.open = Some(question);
                    assert_eq!(self.inquiry, None, "what nobody waits for is called off");
                }
                Effect::StopBot => self.open = None,
                Effect::Inquire { at, inquiry } => {
                    assert_eq!(self.open, None, "a bot is not kept from its answer");
                    self.inquiry = Some((at, inquiry));
                }
                Effect::StopInquiry => self.inquiry = None,
                Effect::Save => self.saved = Saved::new(&self.sitting, 0, None),
                Effect::PrepareBot(_) | Effect::Refuse(_) | Effect::LowTime(_) => {}
                Effect::Turn(_) => panic!("nobody is elsewhere"),
            }
        }
    }

    fn update(&mut self, event: Event) {
        // An answer settles its question, unless it is asked again.
        if let Event::BotMoved { at, .. } | Event::BotFailed { at } = event
            && self.open.as_ref().is_some_and(|open| open.at == at)
        {
            self.open = None;
        }
        if let Event::Opinion { at, opinion } = &event
            && opinion.is_end()
            && self.inquiry.as_ref().is_some_and(|(asked, _)| asked == at)
        {
            self.inquiry = None;
        }
        let before = self.sitting.clocks();
        let passed = match event {
            Event::TimePassed(milliseconds) => Some(milliseconds),
            _ => None,
        };
        let effects = self.sitting.update(event);
        self.carry_out(effects);
        if let (Some(passed), Some(mut clocks)) = (passed, before) {
            if let Some(player) = clocks.running {
                clocks.left[player] = clocks.left[player].saturating_sub(passed);
            }
            let after = self.sitting.clocks().unwrap();
            assert_eq!(after.left, clocks.left, "one clock runs");
            // As if the page were left.
            self.saved = Saved::new(&self.sitting, 0, None);
        }
    }

    /// The clock that runs is that of the player to move, and has time left.
    fn check_clocks(&self) {
        let sitting = &self.sitting;
        let record = sitting.record();
        let Some(clocks) = sitting.clocks() else {
            assert_eq!(record.time_control(), None);
            return;
        };
        if let Some(player) = clocks.running {
            assert_eq!(record.turn_at(sitting.live()), Some(player));
            assert!(matches!(sitting.phase(), Phase::Person(_) | Phase::Bot(_)));
            assert_ne!(sitting.live(), NodeId::ROOT);
            assert_ne!(clocks.left[player], 0);
        }
        if let Phase::Over(ending) = sitting.phase()
            && ending.reason == Reason::TimeOut
        {
            let Outcome::Win(winner) = ending.outcome else {
                panic!("somebody runs out of time and loses");
            };
            assert_eq!(clocks.left[!winner], 0);
            assert!(
                record
                    .to_string()
                    .contains(&format!("!timeout:{}", !winner))
            );
        }
    }

    /// A hint is about the position that is looked at, and can be played there.
    fn check_hint(&self) {
        let sitting = &self.sitting;
        let record = sitting.record();
        let is_asked = matches!(sitting.hint(), Some(HintState::Asked(_)));
        assert_eq!(
            self.inquiry.as_ref().map(|(at, _)| *at),
            is_asked.then(|| sitting.live()),
            "an answer is owed exactly if one is awaited"
        );
        if sitting.hint().is_some() {
            assert!(sitting.can_hint() && sitting.may_act());
        }
        if let Some(HintState::Known { hint, n_shown }) = sitting.hint() {
            assert!(record.legal_moves().contains(&hint.m));
            assert!(*n_shown <= hint.clues().len());
            assert!(record.has_hint_at(sitting.live()));
            let ways = sitting.table().ways().into_iter();
            let ways = ways.filter(|(m, _)| *m == hint.m);
            let targets: Vec<String> = ways.flat_map(|(_, way)| way).collect();
            for clue in hint.clues() {
                if let Clue::From(target) | Clue::Near(target) | Clue::To(target) = clue {
                    assert!(targets.contains(&target));
                }
            }
        }
    }

    /// Either a person may act, or an answer is owed, or the match is over.
    fn check(&self) {
        let sitting = &self.sitting;
        let record = sitting.record();
        let open = self.open.as_ref().map(|question| question.at);
        match sitting.phase() {
            Phase::Person(player) => {
                assert_eq!(sitting.seats()[player], PlayerKind::Person);
                assert_eq!(record.turn_at(sitting.live()), Some(player));
                if record.cursor() == sitting.live() {
                    assert!(sitting.may_act());
                }
                assert_eq!(open, None, "nobody else is asked");
            }
            Phase::Bot(player) => {
                assert_ne!(sitting.seats()[player], PlayerKind::Person);
                assert_eq!(open, Some(sitting.live()), "somebody is asked");
            }
            Phase::Stalled(_) | Phase::Over(_) => assert_eq!(open, None),
            Phase::Remote(_) => panic!("nobody is elsewhere"),
        }
        if sitting.may_act() {
            assert!(!record.legal_moves().is_empty());
        }
        self.check_clocks();
        self.check_hint();
        let live = record.line(sitting.live());
        assert_eq!(live.last(), Some(&sitting.live()));
    }

    /// What was stored is the match as it stands, and brings it back.
    fn check_saved(&self) {
        assert_eq!(self.saved, Saved::new(&self.sitting, 0, None));
        let read: Saved = self.saved.to_string().parse().unwrap();
        assert_eq!(read, self.saved);
        let (again, effects) = read.open().unwrap();
        assert_eq!(
            again.record().to_string(),
            self.sitting.record().to_string()
        );
        assert!(!again.is_looking_back());
        match (self.sitting.phase(), again.phase()) {
            // It is asked once more.
            (Phase::Stalled(before), Phase::Bot(after)) => assert_eq!(before, after),
            (before, after) => assert_eq!(before, after),
        }
        if let (Some(before), Some(after)) = (self.sitting.clocks(), again.clocks()) {
            assert_eq!(before.left, after.left);
            let is_stalled = matches!(self.sitting.phase(), Phase::Stalled(_));
            assert!(is_stalled || before.running == after.running);
        }
        let is_asked = |effect: &Effect| matches!(effect, Effect::AskBot(_));
        let is_thinking = matches!(again.phase(), Phase::Bot(_));
        assert_eq!(effects.iter().any(is_asked), is_thinking);
        let texts = |sitting: &Sitting| -> Vec<_> {
            let rows = sitting.move_list().into_iter();
            let moves = rows.flat_map(|row| row.moves().to_vec());
            moves.map(|m| (m.text, m.player, m.is_undone)).collect()
        };
        assert_eq!(texts(&again), texts(&self.sitting));
    }

    /// The list has every move once, and the way back and forward leads along it.
    fn check_move_list(&self) {
        let sitting = &self.sitting;
        let record = sitting.record();
        let rows = sitting.move_list();
        let moves: Vec<_> = rows.iter().flat_map(MoveRow::moves).collect();
        let nodes: HashSet<_> = moves.iter().map(|m| m.node).collect();
        assert_eq!(nodes.len(), moves.len(), "every move is there once");
        let mut waiting = vec![NodeId::ROOT];
        let mut n_nodes = 0;
        while let Some(node) = waiting.pop() {
            n_nodes += 1;
            waiting.extend(record.children(node));
        }
        assert_eq!(n_nodes, moves.len() + 1, "every move is there");
        let n_current = moves.iter().filter(|m| m.is_current).count();
        assert_eq!(n_current, usize::from(record.cursor() != NodeId::ROOT));
        let mut looking = Saved::new(sitting, 0, None).open().unwrap().0;
        let mut n_back = 0;
        while let Some(node) = looking.step_back() {
            looking.update(Event::GoTo(node));
            n_back += 1;
        }
        for _ in 0..n_back {
            let node = looking.step_forward().unwrap();
            looking.update(Event::GoTo(node));
        }
        assert!(
            !looking.is_looking_back(),
            "the way back leads forward again"
        );
    }

    /// The position is the one that its moves lead to, and so is that of the question.
    fn check_replay(&self, game: &dyn AnyGame) {
        let record = self.sitting.record();
        let line = record.line(record.cursor()).into_iter();
        let moves: Vec<_> = line.filter_map(|id| record.move_to(id)).collect();
        let position = replay(game, &record.start(), &moves).position();
        assert_eq!(position, record.position());
        if let Some(question) = &self.open {
            let asked = replay(game, &question.start, &question.moves);
            assert_eq!(Some(asked.turn()), record.turn_at(question.at));
            assert_eq!(asked.moves(), question.moves);
        }
    }
}

fn replay(game: &dyn AnyGame, start: &AnyStart, moves: &[String]) -> Box<dyn AnyMatch> {
    let mut record = match start {
        AnyStart::Setup(choices) => {
            let choices: Vec<_> = choices.iter().map(|(name, v)| (*name, &**v)).collect();
            game.start(&choices).unwrap()
        }
        AnyStart::Position(text) => game.start_from(text).unwrap(),
    };
    for m in moves {
        record.play(m).unwrap();
    }
    record
}

fn pick(random: &mut Random, items: &[String]) -> String {
    random
        .pick(items)
        .cloned()
        .unwrap_or_else(|| "none".to_owned())
}

fn any_node(sitting: &Sitting, random: &mut Random) -> NodeId {
    let record = sitting.record();
    let mut node = NodeId::ROOT;
    for _ in 0..random.below(30) {
        let children = record.children(node);
        match random.pick(&children) {
            Some(&child) => node = child,
            None => break,
        }
    }
    node
}

/// Something that a person, a bot or a broken worker might do.
fn any_event(driven: &Driven, targets: &[String], strange: NodeId, random: &mut Random) -> Event {
    let sitting = &driven.sitting;
    let legal = sitting.record().legal_moves();
    if driven.inquiry.is_some() && random.below(2) == 0 {
        return opinion(driven, strange, random);
    }
    match random.below(36) {
        0..=4 => Event::Activate(pick(random, targets)),
        5 => Event::Drop(pick(random, targets)),
        6..=8 => Event::Typed(pick(random, &legal)),
        9 => Event::Activate("pass".to_owned()),
        10 => Event::Typed("rubbish é".to_owned()),
        11 => Event::Clear,
        12 => Event::TakeBack,
        13 => Event::Redo,
        14 => Event::GoTo(any_node(sitting, random)),
        15 => Event::GoTo(sitting.live()),
        16 => Event::GoTo(strange),
        17 if random.below(6) == 0 => Event::Resign,
        18 => Event::Retry,
        // Late and doubled answers, to any question there ever was.
        19 => match random.pick(&driven.all) {
            Some(question) => Event::BotMoved {
                at: question.at,
                m: pick(random, &legal),
            },
            None => Event::BotFailed { at: strange },
        },
        20 => match random.pick(&driven.all) {
            Some(question) => Event::BotFailed { at: question.at },
            None => Event::Clear,
        },
        21..=22 => Event::TimePassed(u64::from(random.below(6_000))),
        23 => Event::ClockRanOut(match random.below(8) {
            0 => Player::First,
            1 => Player::Second,
            // Mostly the wrong one.
            _ => !sitting.record().turn_at(sitting.live()).unwrap(),
        }),
        24..=26 => Event::Hint,
        27..=30 => opinion(driven, strange, random),
        31 => Event::Studied(studied(sitting, random)),
        32 => Event::Studied("rubbish é".to_owned()),
        _ => answer(driven, random),
    }
}

/// The match as another tab stored it, with a variation somewhere.
fn studied(sitting: &Sitting, random: &mut Random) -> String {
    let mut record = sitting.record().boxed_clone();
    record.go_to(any_node(sitting, random)).unwrap();
    if let Some(m) = random.pick(&record.legal_moves()) {
        record.explore(m).unwrap();
        record.set_comment("A try");
    }
    record.to_string()
}

/// What an engine says about an inquiry: mostly something about the one that is open, at
/// times nonsense, and at times something about another position.
fn opinion(driven: &Driven, strange: NodeId, random: &mut Random) -> Event {
    let sitting = &driven.sitting;
    let at = match (random.below(4), &driven.inquiry) {
        (0, _) if random.below(3) == 0 => any_node(sitting, random),
        (1, None) => strange,
        (_, Some((at, _))) => *at,
        (_, None) => sitting.live(),
    };
    let opinion = match random.below(10) {
        0 => Opinion::Failed,
        1..=3 => Opinion::Done,
        _ => {
            let m = match random.below(5) {
                0 => "0000".to_owned(),
                _ => pick(random, &sitting.record().legal_moves_at(at)),
            };
            let evaluation = match random.below(4) {
                0 => Evaluation::Win(random.below(9)),
                1 => Evaluation::Loss(random.below(9)),
                2 => Evaluation::Draw,
                _ => Evaluation::Score {
                    score: 30,
                    depth: 5,
                },
            };
            Opinion::Line(EngineLine {
                number: 1 + random.below(4) as usize / 3,
                depth: 5,
                nodes: 100,
                evaluation,
                moves: vec![m],
            })
        }
    };
    Event::Opinion { at, opinion }
}

fn any_time_control(random: &mut Random) -> Option<TimeControl> {
    match random.below(4) {
        0 => Some(TimeControl::Match {
            base: 20_000,
            increment: 1_000,
        }),
        1 => Some(TimeControl::Turn(15_000)),
        _ => None,
    }
}

/// What the bot answers: mostly a legal move, at times nonsense or nothing.
fn answer(driven: &Driven, random: &mut Random) -> Event {
    let Some(question) = &driven.open else {
        return Event::Clear;
    };
    let at = question.at;
    let game = catalog::find(question.game).unwrap();
    let moves = replay(game, &question.start, &question.moves).legal_moves();
    match random.below(8) {
        0 => Event::BotFailed { at },
        1 => Event::BotMoved {
            at,
            m: "0000".to_owned(),
        },
        _ => Event::BotMoved {
            at,
            m: pick(random, &moves),
        },
    }
}

fn seats(random: &mut Random) -> ByPlayer<PlayerKind> {
    let seat = |n| match n {
        0 => PlayerKind::Person,
        1 => PlayerKind::Bot(Bot::Classic),
        _ => PlayerKind::Bot(Bot::Level(1)),
    };
    match random.below(4) {
        0 => ByPlayer::from_fn(|_| PlayerKind::Person),
        1 => ByPlayer::from_fn(|_| PlayerKind::Bot(Bot::Level(2))),
        n => {
            let (bot, person) = (seat(n - 1), PlayerKind::Person);
            let mut seats = ByPlayer::from_fn(|_| person);
            seats[*random.pick(&Player::BOTH).unwrap()] = bot;
            seats
        }
    }
}

/// With everybody willing, the match goes on to its end or for many moves.
fn check_goes_on(driven: &mut Driven, random: &mut Random) {
    driven.update(Event::GoTo(driven.sitting.live()));
    for _ in 0..30 {
        let legal = driven.sitting.record().legal_moves();
        let n_before = driven.sitting.record().moves().len();
        match driven.sitting.phase() {
            Phase::Over(_) => return,
            Phase::Person(_) => driven.update(Event::Typed(pick(random, &legal))),
            Phase::Bot(_) => {
                let at = driven.open.as_ref().unwrap().at;
                let m = pick(random, &legal);
                driven.update(Event::BotMoved { at, m });
            }
            Phase::Stalled(_) => {
                driven.update(Event::Retry);
                assert!(matches!(driven.sitting.phase(), Phase::Bot(_)));
                continue;
            }
            Phase::Remote(_) => panic!("nobody is elsewhere"),
        }
        driven.check();
        assert_eq!(driven.sitting.record().moves().len(), n_before + 1);
    }
}

fn check_game(game: &'static dyn AnyGame) {
    let words = Words::with(view::Language::English, "");
    let strange = {
        let mut long = game.start(&[]).unwrap();
        for _ in 0..20 {
            if let Some(m) = long.legal_moves().last() {
                long.play(m).ok();
            }
        }
        long.cursor()
    };
    let start = game.start(game.presentation().miniature).unwrap();
    let targets = start.table().scene(&Look::new(&words)).targets;
    let targets: Vec<_> = targets.into_iter().map(|target| target.id).collect();
    let mut n_hints = 0;
    for seed in 0..N_SEQUENCES {
        let mut random = Random::new(seed);
        let mut start = start.clone();
        start.set_time_control(any_time_control(&mut random));
        let mut driven = Driven::new(start, seats(&mut random));
        let mut events = Vec::new();
        for n in 0..N_EVENTS {
            let event = any_event(&driven, &targets, strange, &mut random);
            events.push(event.clone());
            let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                driven.update(event);
                driven.check();
                if n % 8 == 7 {
                    driven.check_replay(game);
                }
                if n % 8 == 3 {
                    driven.check_saved();
                    driven.check_move_list();
                }
            }));
            assert!(checked.is_ok(), "{} {seed}: {events:#?}", game.name());
            n_hints += usize::from(driven.sitting.shown_hint().is_some());
        }
        check_goes_on(&mut driven, &mut random);
        driven.check_replay(game);
    }
    assert!(n_hints > 50, "{n_hints}");
}

#[test]
fn a_match_of_lilypads_is_never_stuck() {
    check_game(GAMES[0]);
}

#[test]
fn a_match_of_nonaga_is_never_stuck() {
    check_game(GAMES[1]);
}

#[test]
fn a_match_of_takeover_is_never_stuck() {
    check_game(GAMES[2]);
}

#[test]
fn a_match_of_simply_go_is_never_stuck() {
    check_game(GAMES[3]);
}
