//! The analysis board: lines get deeper and stay, and every legal move is painted.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

use catalog::{AnyMatch, GAMES};
use lilypads::{Board, Lilypads};
use lilypads_solver::{ExactValue, solve};
use rules::{Random, record::NodeId};
use study::{
    Effect, Effort, EngineLine, Evaluation, Event, Inquiry, Opinion, Shown, Study, short_text,
};
use view::Mark;

/// A study, and the inquiry that is open, with the depth that was reported last.
struct Analysis {
    study: Study,
    open: Option<(u64, Inquiry)>,
    depth: u32,
}

impl Analysis {
    fn new(record: Box<dyn AnyMatch>) -> Self {
        let end = record.cursor();
        Self {
            study: Study::new(record, end),
            open: None,
            depth: 0,
        }
    }

    fn update(&mut self, event: Event) {
        for effect in self.study.update(event) {
            match effect {
                Effect::Ask { number, inquiry } => {
                    self.open = Some((number, inquiry));
                    self.depth = 0;
                }
                Effect::Stop => self.open = None,
                Effect::Save | Effect::Refuse(_) | Effect::Misread(_) => {}
            }
        }
    }

    fn hear(&mut self, opinion: Opinion) {
        let (number, _) = *self.open.as_ref().unwrap();
        self.update(Event::Opinion { number, opinion });
    }

    /// The engine reports its next depth on the current position.
    fn deepen(&mut self) {
        self.depth += 1;
        let (_, inquiry) = self.open.clone().unwrap();
        let legal = self.study.record().legal_moves().into_iter();
        for (index, m) in legal.take(inquiry.n_lines).enumerate() {
            let evaluation = Evaluation::Score {
                score: 50 - index as i32,
                depth: self.depth,
            };
            self.hear(Opinion::Line(line(index, self.depth, evaluation, m)));
        }
    }

    /// What happens next, with an engine that works now and then.
    fn act(&mut self, random: &mut Random) {
        let is_threat = |inquiry: &Inquiry| matches!(inquiry.effort, Effort::Brief(_));
        match (&self.open, random.below(16)) {
            (_, 0) => self.update(Event::Engine(false)),
            (_, 1..=2) => self.update(Event::Engine(true)),
            (_, 3) => self.update(Event::Threat(true)),
            (_, 4) => self.update(Event::Threat(false)),
            (_, 5) => self.update(Event::Lines(1 + random.below(5) as usize)),
            (_, 6) => self.update(Event::Lines(Inquiry::ALL_LINES)),
            (_, 7) => {
                let record = self.study.record();
                let back = self.study.step_back().unwrap_or(NodeId::ROOT);
                let next = record.next(record.cursor());
                let event = match next {
                    Some(next) => Event::GoTo(next),
                    None if back == record.cursor() => {
                        Event::Typed(record.legal_moves()[0].clone())
                    }
                    None => Event::GoTo(back),
                };
                self.update(event);
            }
            (Some((_, inquiry)), _) if is_threat(inquiry) => {
                // It forgets nothing of the match.
                assert_eq!(inquiry.match_start, self.study.record().start());
                self.hear(Opinion::Done);
            }
            (Some(_), _) => self.deepen(),
            (None, _) => {}
        }
    }
}

fn line(index: usize, depth: u32, evaluation: Evaluation, m: String) -> EngineLine {
    EngineLine {
        number: index + 1,
        depth,
        nodes: 100,
        evaluation,
        moves: vec![m],
    }
}

/// Whatever stops the engine and lets it continue, as long as no more lines are asked for.
#[test]
fn the_depth_that_is_shown_never_falls() {
    for game in GAMES {
        let mut n_held = 0;
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let record = game.start(game.presentation().miniature).unwrap();
            let mut analysis = Analysis::new(record);
            let mut seen: BTreeMap<NodeId, (usize, u32)> = BTreeMap::new();
            for _ in 0..80 {
                analysis.act(&mut random);
                let study = &analysis.study;
                let depth = study.lines().first().map_or(0, |line| line.depth);
                let node = study.record().cursor();
                let (n_lines, before) = seen.get(&node).copied().unwrap_or_default();
                if study.n_lines() <= n_lines {
                    assert!(depth >= before, "{} {seed}: {depth}", game.name());
                }
                let is_live = |(_, inquiry): &(_, Inquiry)| inquiry.effort == Effort::Endless;
                let is_live = analysis.open.as_ref().is_some_and(is_live) && analysis.depth > 0;
                n_held += u32::from(is_live && depth > analysis.depth);
                let is_news = is_live && depth == analysis.depth;
                let n_lines = if is_news { study.n_lines() } else { n_lines };
                seen.insert(node, (n_lines, depth));
            }
        }
        assert!(n_held > 20, "{}: {n_held}", game.name());
    }
}

#[test]
fn lines_stay_when_the_engine_stops_and_give_way_to_a_proof() {
    let record = catalog::find("takeover").unwrap().start(&[]).unwrap();
    let mut analysis = Analysis::new(record);
    analysis.update(Event::Engine(true));
    for _ in 0..7 {
        analysis.deepen();
    }
    let shown = analysis.study.lines().to_vec();
    assert_eq!((shown.len(), shown[0].depth), (3, 7));
    analysis.update(Event::Engine(false));
    assert_eq!(analysis.study.lines(), shown);
    analysis.update(Event::Engine(true));
    analysis.deepen();
    assert_eq!(analysis.study.lines(), shown);
    // With a table that remembers, a proof may need less depth than before.
    let proof = line(0, 2, Evaluation::Win(3), shown[1].moves[0].clone());
    analysis.hear(Opinion::Line(proof.clone()));
    analysis.hear(Opinion::Done);
    assert_eq!(analysis.study.lines(), [proof]);
}

/// The values that the board shows, by target.
fn painted(study: &Study) -> BTreeMap<String, String> {
    let marks = study.marks(Shown::All).into_iter();
    let values = marks.filter_map(|mark| match mark {
        Mark::Value { at, text, .. } => Some((at, text)),
        _ => None,
    });
    let values: Vec<_> = values.collect();
    let n = values.len();
    let values: BTreeMap<_, _> = values.into_iter().collect();
    assert_eq!(values.len(), n, "one value for each target");
    values
}

/// Reports `values` of all moves, and checks that the board shows them: the best one at every
/// target, and those of a piece once it is chosen.
fn check_painted(record: Box<dyn AnyMatch>, values: &BTreeMap<String, Evaluation>) {
    let position = record.position();
    let mut analysis = Analysis::new(record);
    analysis.update(Event::Engine(true));
    analysis.update(Event::Lines(Inquiry::ALL_LINES));
    let legal = analysis.study.record().legal_moves();
    assert_eq!(legal.len(), values.len(), "{position}");
    let mut sorted: Vec<_> = values.iter().collect();
    sorted.sort_by(|(_, a), (_, b)| b.partial_cmp(a).unwrap());
    for (index, (m, value)) in sorted.into_iter().enumerate() {
        let depth = 4;
        analysis.hear(Opinion::Line(line(index, depth, *value, m.clone())));
    }
    let ways = analysis.study.table().ways();
    let best = |begins: &dyn Fn(&[String]) -> bool| {
        let mut best: BTreeMap<String, Evaluation> = BTreeMap::new();
        for (m, way) in &ways {
            // A pass ends nowhere.
            if let Some((at, _)) = way.split_last().filter(|(_, from)| begins(from)) {
                let best = best.entry(at.clone()).or_insert(values[m]);
                if values[m] > *best {
                    *best = values[m];
                }
            }
        }
        let texts = best.into_iter().map(|(at, value)| (at, short_text(value)));
        texts.collect::<BTreeMap<_, _>>()
    };
    let all = best(&|_| true);
    assert_eq!(painted(&analysis.study), all, "{position}");
    for m in &legal {
        let way = analysis.study.table().way(m).unwrap_or_default();
        assert!(
            way.last().is_none_or(|at| all.contains_key(at)),
            "{position}: {m}"
        );
    }
    let pieces = ways.iter().filter(|(_, way)| way.len() > 1);
    let pieces: BTreeSet<_> = pieces.map(|(_, way)| way[0].clone()).collect();
    for piece in pieces {
        analysis.update(Event::Clear);
        analysis.update(Event::Activate(piece.clone()));
        if analysis.study.table().picked() == [piece.clone()] {
            let own = best(&|from| from.first() == Some(&piece));
            assert_eq!(painted(&analysis.study), own, "{position}: {piece}");
        }
    }
}

#[test]
fn every_legal_move_is_painted() {
    for game in GAMES {
        for seed in 0..20 {
            let mut random = Random::new(seed);
            let mut record = game.start(game.presentation().miniature).unwrap();
            for _ in 0..random.below(30) {
                if let Some(m) = random.pick(&record.legal_moves()) {
                    record.explore(m).ok();
                }
            }
            let mut value = |m: String| {
                let score = random.below(900) as i32 - 450;
                (m, Evaluation::Score { score, depth: 4 })
            };
            let values: BTreeMap<_, _> = record.legal_moves().into_iter().map(&mut value).collect();
            if !values.is_empty() {
                check_painted(record, &values);
            }
        }
    }
}

#[test]
fn the_values_painted_on_lilypads_are_those_of_the_table() {
    let game = catalog::find("lilypads").unwrap();
    for number in [3, 42] {
        let solution = solve(&Board::new(number), |_| ControlFlow::Continue(())).unwrap();
        for seed in 0..40 {
            let mut random = Random::new(seed);
            let number = number.to_string();
            let mut record = game.start(&[("board", &number)]).unwrap();
            for _ in 0..random.below(40) {
                if let Some(m) = random.pick(&record.legal_moves()) {
                    record.explore(m).unwrap();
                }
            }
            let position: Lilypads = record.position().parse().unwrap();
            let value = |value| match value {
                ExactValue::Win(plies) => Evaluation::Win(plies.into()),
                ExactValue::Draw => Evaluation::Draw,
                ExactValue::Loss(plies) => Evaluation::Loss(plies.into()),
            };
            let moves = solution.moves(&position).into_iter();
            let values: BTreeMap<_, _> = moves.map(|(m, v)| (m.to_string(), value(v))).collect();
            if !values.is_empty() {
                check_painted(record, &values);
            }
        }
    }
}

/// Several pieces could make the same duplicate: it grows out of the one that was chosen.
#[test]
fn a_study_knows_which_piece_was_chosen() {
    let start = "xx4/xx4/6/6/4oo/4oo x 0 1";
    for origin in ["b6", "b5"] {
        let record = catalog::find("takeover").unwrap().start_from(start);
        let mut study = Study::new(record.unwrap(), NodeId::ROOT);
        for target in [origin, "c5"] {
            study.update(Event::Activate(target.to_owned()));
        }
        assert_eq!(study.record().moves(), ["c5"]);
        assert_eq!(study.origin(), Some(origin));
        // Nobody chose a piece for a move that was typed.
        study.update(Event::Typed("d2".to_owned()));
        assert_eq!(study.record().moves().len(), 2);
        assert_eq!(study.origin(), None);
    }
}
