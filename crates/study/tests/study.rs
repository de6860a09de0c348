//! Whatever somebody does while they study a match, and however an engine answers, the
//! study asks for what it shows, loses nothing, and ends its review.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::hash::{DefaultHasher, Hash, Hasher};

use catalog::{AnyGame, AnyMatch, AnyStart, Editing, GAMES};
use rules::{Player, Random, record::NodeId};
use study::{
    Effect, Effort, EngineLine, Evaluation, Event, Inquiry, Opinion, PracticeFeedback, SetUp,
    SetUpEvent, Shown, Study, is_exact,
};
use view::{Look, Mark, Words};

/// The number of event sequences for each game.
const N_SEQUENCES: u64 = 120;

/// The number of events in each sequence.
const N_EVENTS: usize = 40;

fn replay(inquiry: &Inquiry) -> Box<dyn AnyMatch> {
    let game = catalog::find(inquiry.game).unwrap();
    let mut record = match &inquiry.start {
        AnyStart::Setup(choices) => {
            let choices: Vec<_> = choices.iter().map(|(name, v)| (*name, &**v)).collect();
            game.start(&choices).unwrap()
        }
        AnyStart::Position(text) => game.start_from(text).unwrap(),
    };
    for m in &inquiry.moves {
        record.explore(m).unwrap();
    }
    record
}

/// The reports of a deterministic engine.
fn answer(inquiry: &Inquiry) -> Vec<Opinion> {
    let record = replay(inquiry);
    let position = record.position();
    let value = |m: &String| {
        let mut hasher = DefaultHasher::new();
        (&position, m).hash(&mut hasher);
        hasher.finish()
    };
    let is_exact = is_exact(inquiry.game);
    let evaluation = |value: u64| match (is_exact, value % 3) {
        (true, 0) => Evaluation::Loss(4),
        (true, 1) => Evaluation::Draw,
        (true, _) => Evaluation::Win(5),
        (false, _) => Evaluation::Score {
            score: i32::try_from(value % 900).unwrap() - 450,
            depth: 6,
        },
    };
    let legal = record.legal_moves().into_iter();
    let mut judged: Vec<_> = legal.map(|m| (evaluation(value(&m)), m)).collect();
    judged.sort_by(|(a, m), (b, n)| b.partial_cmp(a).unwrap().then_with(|| m.cmp(n)));
    judged.truncate(inquiry.n_lines);
    let line = |(index, (evaluation, m)): (usize, (Evaluation, String))| {
        Opinion::Line(EngineLine {
            number: index + 1,
            depth: 6,
            nodes: 100,
            evaluation,
            moves: vec![m],
        })
    };
    let lines = judged.into_iter().enumerate().map(line);
    lines.chain([Opinion::Done]).collect()
}

/// A study, and the effects that its driver has seen.
struct Driven {
    study: Study,
    /// The inquiry that answers are owed to.
    open: Option<(u64, Inquiry)>,
    /// The reports on it that are still to come, last first.
    waiting: Vec<Opinion>,
    /// Every inquiry there ever was.
    all: Vec<(u64, Inquiry)>,
    /// The one that was answered last.
    answered: Option<Inquiry>,
}

impl Driven {
    fn new(study: Study) -> Self {
        Self {
            study,
            open: None,
            waiting: Vec::new(),
            all: Vec::new(),
            answered: None,
        }
    }

    fn update(&mut self, event: Event) {
        let is_end = |opinion: &Opinion| !matches!(opinion, Opinion::Line(_));
        if let Event::Opinion { number, opinion } = &event
            && self.open.as_ref().is_some_and(|(open, _)| open == number)
            && is_end(opinion)
        {
            self.answered = self.open.take().map(|(_, inquiry)| inquiry);
        }
        for effect in self.study.update(event) {
            match effect {
                Effect::Ask { number, inquiry } => {
                    self.waiting = answer(&inquiry);
                    self.waiting.reverse();
                    self.all.push((number, inquiry.clone()));
                    self.open = Some((number, inquiry));
                }
                Effect::Stop => self.open = None,
                Effect::Save => self.check_saved(),
                Effect::Refuse(_) | Effect::Misread(_) => {}
            }
        }
    }

    /// The record with its comments survives its text form.
    fn check_saved(&self) {
        let text = self.study.record().to_string();
        assert_eq!(catalog::read_file(&text).unwrap().to_string(), text);
    }

    /// The inquiry that should be open, by the visible state of the study.
    fn wanted(&self) -> Option<(String, Effort)> {
        let study = &self.study;
        let record = study.record();
        let endless = (record.position(), Effort::Endless);
        if study.has_failed() {
            return None;
        }
        if let Some(practice) = study.practice() {
            let is_judging = practice.answer() == Some(&PracticeFeedback::Judging);
            return is_judging.then(|| (record.position(), Effort::Nodes(0)));
        }
        if study.shows_threat()
            && study.threat().is_none()
            && let Some(passed) = record.passed()
        {
            return Some((passed.position(), Effort::Brief(0)));
        }
        if study.is_engine_on() && !record.legal_moves().is_empty() {
            return Some(endless);
        }
        let next = study.review().next(record).filter(|_| study.is_reviewing());
        next.map(|(_, inquiry)| (replay(&inquiry).position(), Effort::Nodes(0)))
    }

    fn check(&self) {
        let study = &self.study;
        // The number of nodes is not compared.
        let asked = |inquiry: &Inquiry| {
            let effort = match inquiry.effort {
                Effort::Nodes(_) => Effort::Nodes(0),
                Effort::Brief(_) => Effort::Brief(0),
                Effort::Endless => Effort::Endless,
            };
            (replay(inquiry).position(), effort)
        };
        let open = self.open.as_ref().map(|(_, inquiry)| asked(inquiry));
        let wanted = self.wanted();
        let is_answered = || {
            let answered = self.answered.as_ref().map(asked);
            wanted == answered
                && wanted
                    .as_ref()
                    .is_some_and(|(_, effort)| *effort == Effort::Endless)
        };
        if open.is_none() {
            assert!(wanted.is_none() || is_answered(), "nobody is asked");
        } else {
            assert_eq!(open, wanted, "the wrong thing is asked");
        }
        let record = study.record();
        let line = record.line(record.cursor());
        assert_eq!(line.last(), Some(&record.cursor()));
        for shown in [Shown::All, Shown::Best, Shown::Nothing] {
            std::hint::black_box(study.marks(shown));
        }
        std::hint::black_box(study.better_marks());
        let nodes = study.review().nodes();
        assert!(nodes.iter().all(|&node| record.turn_at(node).is_some()));
        if study.may_act() {
            assert!(!record.legal_moves().is_empty());
        }
    }

    /// Lets the review run to its end, with an engine that answers.
    fn finish_review(&mut self) {
        for event in [
            Event::EndPractice,
            Event::Threat(false),
            Event::Engine(false),
            Event::Review(true),
        ] {
            self.update(event);
        }
        assert_eq!(self.study.practice(), None);
        for _ in 0..self.study.review().nodes().len() {
            let Some((number, inquiry)) = self.open.clone() else {
                break;
            };
            for opinion in answer(&inquiry) {
                self.update(Event::Opinion { number, opinion });
            }
        }
        assert!(self.study.review().is_done());
        assert_eq!(self.open, None);
    }
}

fn any_node(record: &dyn AnyMatch, random: &mut Random) -> NodeId {
    let mut node = NodeId::ROOT;
    for _ in 0..random.below(20) {
        match random.pick(&record.children(node)) {
            Some(&child) => node = child,
            None => break,
        }
    }
    node
}

/// A report of an engine that is late, repeats itself or has failed; of one that lies as well if
/// `lies`.
fn any_opinion(driven: &mut Driven, lies: bool, random: &mut Random) -> Event {
    let current = driven.open.as_ref().map(|(number, _)| *number);
    match random.below(8) {
        0 => {
            // Another inquiry of long ago.
            let Some((number, inquiry)) = random.pick(&driven.all).cloned() else {
                return Event::Clear;
            };
            let opinions = answer(&inquiry);
            let opinion = random.pick(&opinions).unwrap().clone();
            let number = if Some(number) == current { 0 } else { number };
            Event::Opinion { number, opinion }
        }
        1 if random.below(4) == 0 => Event::Opinion {
            number: current.unwrap_or(0),
            opinion: Opinion::Failed,
        },
        2 if lies => Event::Opinion {
            number: current.unwrap_or(0),
            opinion: Opinion::Line(EngineLine {
                number: random.below(3) as usize,
                depth: 1,
                nodes: 0,
                evaluation: Evaluation::Draw,
                moves: vec!["nonsense".to_owned(), "0000".to_owned()],
            }),
        },
        3 if lies => Event::Opinion {
            number: current.unwrap_or(0),
            opinion: Opinion::Done,
        },
        _ => match (current, driven.waiting.pop()) {
            (Some(number), Some(opinion)) => Event::Opinion { number, opinion },
            _ => Event::Clear,
        },
    }
}

/// Something that a person or an engine might do.
fn any_event(driven: &mut Driven, targets: &[String], lies: bool, random: &mut Random) -> Event {
    let record = driven.study.record();
    let legal = record.legal_moves();
    let node = any_node(record, random);
    let yes = random.below(3) > 0;
    let target = random.pick(targets).unwrap().clone();
    match random.below(34) {
        0..=3 => Event::Activate(target),
        4 => Event::Activate("pass".to_owned()),
        5..=7 => Event::Typed(random.pick(&legal).cloned().unwrap_or_default()),
        8 => Event::Typed("rubbish é".to_owned()),
        9 => Event::Clear,
        10..=12 => Event::GoTo(node),
        13 => Event::Follow {
            from: node,
            moves: record
                .legal_moves_at(node)
                .into_iter()
                .rev()
                .take(2)
                .collect(),
            n_shown: 1,
        },
        14..=15 => Event::Review(yes),
        16..=17 => Event::Engine(yes),
        18 => Event::Lines(random.below(7) as usize),
        19 => Event::Comment("a [strange] {comment} ; é".to_owned()),
        20 => Event::Draw(yes),
        21..=22 => Event::Threat(yes),
        23 => Event::Promote,
        24 if yes => Event::Delete,
        24 => Event::Restore,
        25 => {
            let nodes = driven.study.review().nodes();
            Event::Practice(
                nodes
                    .iter()
                    .copied()
                    .take(random.below(5) as usize)
                    .collect(),
            )
        }
        26 => Event::NextTask,
        27 => Event::TryAgain,
        28 => Event::ShowAnswer,
        29 if yes => Event::EndPractice,
        _ => any_opinion(driven, lies, random),
    }
}

/// A match of a few moves, and where it ends.
fn any_match(game: &dyn AnyGame, random: &mut Random) -> (Box<dyn AnyMatch>, NodeId) {
    let mut record = game.start(game.presentation().miniature).unwrap();
    for _ in 0..random.below(24) {
        if let Some(m) = random.pick(&record.legal_moves()) {
            // It may be over by repetition.
            record.play(m).ok();
        }
    }
    let end = record.cursor();
    (record, end)
}

fn targets(record: &dyn AnyMatch) -> Vec<String> {
    let words = Words::with(view::Language::English, "");
    let targets = record.table().scene(&Look::new(&words)).targets;
    targets.into_iter().map(|target| target.id).collect()
}

fn check_game(game: &'static dyn AnyGame) {
    for seed in 0..N_SEQUENCES {
        let mut random = Random::new(seed);
        let (record, end) = any_match(game, &mut random);
        let targets = targets(&*record);
        let (is_free, lies) = (random.below(2) == 0, random.below(3) == 0);
        let played = record.line(end);
        let mut study = Study::new(record, end);
        study.set_free(is_free);
        let mut driven = Driven::new(study);
        let mut events = Vec::new();
        for _ in 0..N_EVENTS {
            let event = any_event(&mut driven, &targets, lies, &mut random);
            events.push(event.clone());
            let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                driven.update(event);
                driven.check();
                if !is_free {
                    assert_eq!(driven.study.review().nodes(), played, "the match stays");
                }
            }));
            assert!(checked.is_ok(), "{} {seed}: {events:#?}", game.name());
        }
        // Somebody who practices gets to the end of it.
        let n_tasks = driven.study.practice().map_or(0, study::Practice::n_tasks);
        for _ in 0..n_tasks {
            driven.update(Event::NextTask);
        }
        assert_eq!(driven.study.practice(), None);
        driven.finish_review();
        if lies {
            continue;
        }
        let record = driven.study.record().boxed_clone();
        let &end = driven.study.review().nodes().last().unwrap();
        let mut undisturbed = Driven::new(Study::new(record, end));
        undisturbed.finish_review();
        let texts = [&driven, &undisturbed].map(|driven| driven.study.review().to_text());
        assert_eq!(texts[0], texts[1], "{} {seed}: {events:#?}", game.name());
    }
}

#[test]
fn a_study_of_lilypads_asks_for_what_it_shows() {
    check_game(GAMES[0]);
}

#[test]
fn a_study_of_nonaga_asks_for_what_it_shows() {
    check_game(GAMES[1]);
}

#[test]
fn a_study_of_takeover_asks_for_what_it_shows() {
    check_game(GAMES[2]);
}

#[test]
fn a_study_of_simply_go_asks_for_what_it_shows() {
    check_game(GAMES[3]);
}

#[test]
fn comments_and_arrows_are_read_back() {
    for game in GAMES {
        let mut random = Random::new(5);
        let (record, end) = any_match(game, &mut random);
        let targets = targets(&*record);
        let mut study = Study::new(record, end);
        study.update(Event::Comment(
            "White’s [plan]; {really}\nnew line".to_owned(),
        ));
        let said = study.comment().to_owned();
        study.update(Event::Draw(true));
        for target in [&targets[0], &targets[1], &targets[2], &targets[2]] {
            study.update(Event::Activate(target.clone()));
        }
        assert_eq!(study.comment(), said, "arrows are no part of what is said");
        let marks = study.marks(Shown::Nothing);
        let arrow = Mark::Arrow {
            from: targets[0].clone(),
            to: targets[1].clone(),
            is_quiet: false,
        };
        assert_eq!(marks, [arrow, Mark::Ring(targets[2].clone())]);
        let mut read = catalog::read_file(&study.record().to_string()).unwrap();
        read.go_to(read.find_node(end.index()).unwrap()).unwrap();
        let again = Study::new(read, end);
        assert_eq!(again.comment(), said);
        assert_eq!(again.marks(Shown::Nothing), marks);
        // The same once more removes them.
        for target in [&targets[0], &targets[1], &targets[2], &targets[2]] {
            study.update(Event::Activate(target.clone()));
        }
        assert_eq!(study.marks(Shown::Nothing), []);
    }
}

#[test]
fn variations_are_promoted_and_deleted_but_not_the_match() {
    for game in GAMES {
        let mut record = game.start(game.presentation().miniature).unwrap();
        let first = record.legal_moves()[0].clone();
        record.play(&first).unwrap();
        let end = record.cursor();
        let other = |study: &mut Study| {
            let moves = study.record().legal_moves();
            let m = moves.into_iter().find(|m| *m != first).unwrap();
            study.update(Event::GoTo(NodeId::ROOT));
            study.update(Event::Typed(m));
        };
        let mut study = Study::new(record.boxed_clone(), end);
        assert!(!study.can_delete() && !study.can_promote(), "it was played");
        study.update(Event::GoTo(NodeId::ROOT));
        other(&mut study);
        assert!(study.can_delete() && !study.can_promote());
        study.update(Event::Promote);
        assert_eq!(study.record().next(NodeId::ROOT), Some(end));
        let text = study.record().to_string();
        study.update(Event::Delete);
        assert_eq!(study.record().children(NodeId::ROOT), [end]);
        assert_eq!(study.record().cursor(), NodeId::ROOT);
        study.update(Event::Restore);
        assert_eq!(study.record().to_string(), text);
        assert!(!study.can_restore());
        study.update(Event::Delete);
        assert_eq!(study.record().cursor(), NodeId::ROOT);
        // Once something else has changed, it is gone.
        study.update(Event::Comment("Never mind.".to_owned()));
        assert!(!study.can_restore());

        let mut free = Study::new(record, end);
        free.set_free(true);
        free.update(Event::GoTo(NodeId::ROOT));
        other(&mut free);
        let promoted = free.record().cursor();
        assert!(free.can_promote());
        free.update(Event::Promote);
        assert_eq!(free.record().next(NodeId::ROOT), Some(promoted));
        assert_eq!(free.review().nodes(), [NodeId::ROOT, promoted]);
        let m = free.record().legal_moves()[0].clone();
        free.update(Event::Typed(m));
        assert_eq!(free.review().nodes().len(), 3, "a free line grows");
        free.update(Event::GoTo(promoted));
        free.update(Event::Delete);
        assert_eq!(free.review().nodes(), [NodeId::ROOT]);
    }
}

/// A match goes on in one place while it is studied in another.
#[test]
fn a_study_follows_the_match_and_keeps_what_was_tried() {
    for game in GAMES {
        let mut record = game.start(game.presentation().miniature).unwrap();
        let moves = record.legal_moves();
        record.play(&moves[0]).unwrap();
        let end = record.cursor();
        let mut driven = Driven::new(Study::new(record.boxed_clone(), end));
        driven.finish_review();
        let known = driven.study.review().assessment(0).cloned();
        // Here: another first move, with a comment.
        driven.update(Event::GoTo(NodeId::ROOT));
        driven.update(Event::Typed(moves[1].clone()));
        driven.update(Event::Comment("Instead?".to_owned()));
        driven.update(Event::Engine(true));
        let looked_at = driven.study.record().position();
        // There: the next move.
        let next = record.legal_moves()[0].clone();
        record.play(&next).unwrap();
        let live = record.cursor();
        let text = record.to_string();
        let effects = driven.study.follow(record, live);
        assert!(matches!(effects[..], [Effect::Ask { .. }]), "{effects:?}");
        let study = &driven.study;
        assert_eq!(study.record().position(), looked_at);
        assert_eq!(study.comment(), "Instead?");
        assert_eq!(study.record().children(NodeId::ROOT).len(), 2);
        assert_eq!(study.review().nodes().len(), 3);
        assert_eq!(study.review().assessment(0).cloned(), known);
        assert_eq!(
            study.record().next(NodeId::ROOT),
            Some(end),
            "it was played"
        );
        // A study without changes of its own has the same text.
        let read = catalog::read_file(&text).unwrap();
        let mut plain = Study::new(read.boxed_clone(), live);
        assert_eq!(plain.follow(read, live), []);
        assert_eq!(plain.record().to_string(), text);
    }
}

/// A better line is shown up to the reply: the whole turn, and what comes back.
#[test]
fn better_lines_are_arrows() {
    for game in GAMES {
        let mut record = game.start(game.presentation().miniature).unwrap();
        let player = record.turn();
        let moves = record.legal_moves();
        let (made, better) = (&moves[0], &moves[1]);
        let mut playing = record.boxed_clone();
        let mut line = Vec::new();
        let mut next = better.clone();
        while line.len() < 6 {
            playing.explore(&next).unwrap();
            line.push(next);
            next = playing.legal_moves()[0].clone();
        }
        record.play(made).unwrap();
        let end = record.cursor();
        let (n_own, after) = if record.turn() == player {
            (2, "s-500@9")
        } else {
            (1, "s500@9")
        };
        let reply = &record.legal_moves()[0];
        let line = line.join(" ");
        let mut study = Study::new(record, end);
        let text = study.review().to_text();
        let head = text.split(';').next().unwrap();
        let review = format!("{head};s500@9//{better}/{line};{after}//{reply}/{reply}");
        study.recall(&review);
        let m = study.current_move().unwrap();
        assert!(m.class.is_slip(), "{m:?}");
        let marks = study.better_marks();
        let is_quiet = |mark: &&Mark| matches!(mark, Mark::Arrow { is_quiet: true, .. });
        let n_quiet = marks.iter().filter(is_quiet).count();
        assert_eq!(marks.len() - n_quiet, n_own, "{}: {marks:?}", game.name());
        // A ring does not say whose move it is.
        let has_rings = marks.iter().any(|mark| matches!(mark, Mark::Ring(_)));
        assert_eq!(n_quiet, if has_rings { 0 } else { n_own }, "{marks:?}");
        study.update(Event::GoTo(NodeId::ROOT));
        assert_eq!(study.better_marks(), []);
    }
}

/// The threat is a whole turn of the player who is not to move.
#[test]
fn threats_are_turns_of_the_other_player() {
    for game in GAMES {
        let record = game.start(game.presentation().miniature).unwrap();
        let mut driven = Driven::new(Study::new(record, NodeId::ROOT));
        driven.update(Event::Threat(true));
        while let (Some((number, _)), Some(opinion)) = (driven.open.clone(), driven.waiting.pop()) {
            driven.update(Event::Opinion { number, opinion });
        }
        let threat = driven.study.threat().unwrap();
        let mut passed = driven.study.record().passed().unwrap();
        assert_eq!(passed.turn(), !driven.study.record().turn());
        assert!(!threat.is_empty());
        for m in threat {
            passed.explore(m).unwrap();
        }
        let n_arrows = driven.study.marks(Shown::Nothing).len();
        assert!(n_arrows <= threat.len());
        driven.update(Event::Threat(false));
        assert_eq!(driven.study.marks(Shown::Nothing), []);
    }
}

#[test]
fn whatever_is_set_up_is_a_position_or_refused() {
    for game in GAMES {
        let (mut n_refused, mut n_done) = (0, 0);
        for seed in 0..20 {
            let mut random = Random::new(seed);
            let (record, _) = any_match(game, &mut random);
            let before = record.position();
            let mut set_up = SetUp::new(&*record);
            for _ in 0..30 {
                let targets = targets(set_up.record());
                let position = set_up.record().position();
                let event = match random.below(12) {
                    0..=2 => SetUpEvent::Choose(*random.pick(set_up.tools()).unwrap()),
                    3 => SetUpEvent::Turn(*random.pick(&Player::BOTH).unwrap()),
                    4 => SetUpEvent::Undo,
                    5 => SetUpEvent::Clear,
                    6 => SetUpEvent::Click("nowhere é".to_owned()),
                    _ => SetUpEvent::Click(random.pick(&targets).unwrap().clone()),
                };
                set_up.update(event);
                let start = set_up.start().unwrap();
                assert_eq!(start.position(), set_up.record().position());
                let link = start.to_link();
                assert_eq!(
                    catalog::read_link(&link).unwrap().position(),
                    start.position()
                );
                if set_up.refusal().is_some() {
                    n_refused += 1;
                    assert_eq!(set_up.record().position(), position);
                }
                n_done += usize::from(set_up.record().position() != position);
            }
            while set_up.can_undo() {
                set_up.update(SetUpEvent::Undo);
            }
            assert_eq!(set_up.record().position(), before);
        }
        assert!(n_refused > 20 && n_done > 20, "{}", game.name());
    }
}
