//! Reviews by the engine, held to the table and to themselves.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::ops::ControlFlow;

use catalog::AnyMatch;
use engine::{Judge, main_end};
use lilypads::{Board, Lilypads, Move};
use lilypads_solver::{ExactValue, Solution, solve};
use rules::{Position, Random};
use study::{Evaluation, JudgedMove, MoveClass, REVIEW_NODES, Review, accuracy};

/// A match of random moves, at most so many.
fn random_match(
    game: &str,
    choices: &[(&str, &str)],
    seed: u64,
    n_moves: usize,
) -> Box<dyn AnyMatch> {
    let mut record = catalog::find(game).unwrap().start(choices).unwrap();
    let mut random = Random::new(seed);
    for _ in 0..n_moves {
        let moves = record.legal_moves();
        if record.ending().is_some() || moves.is_empty() {
            break;
        }
        record.play(random.pick(&moves).unwrap()).unwrap();
    }
    record
}

fn review(record: &dyn AnyMatch, n_nodes: u64) -> Review {
    let mut review = Review::new(record, main_end(record), n_nodes);
    let mut judge = Judge::new(record.game()).unwrap();
    while judge.review_next(&mut review, record) {}
    assert!(review.is_done());
    review
}

fn expected(value: ExactValue) -> Evaluation {
    match value {
        ExactValue::Win(plies) => Evaluation::Win(u32::from(plies)),
        ExactValue::Draw => Evaluation::Draw,
        ExactValue::Loss(plies) => Evaluation::Loss(u32::from(plies)),
    }
}

/// The better the larger: won soon, won late, drawn, lost late, lost soon.
fn rank(value: ExactValue) -> i32 {
    match value {
        ExactValue::Win(plies) => 1_000 - i32::from(plies),
        ExactValue::Draw => 0,
        ExactValue::Loss(plies) => i32::from(plies) - 1_000,
    }
}

/// What a position is worth and its best moves, in a match with these positions before it: by the
/// table, but a move that leads to a position for the third time draws (R16).
fn in_match(
    solution: &Solution,
    position: &Lilypads,
    before: &[Lilypads],
) -> (ExactValue, Vec<Move>) {
    let repeats = |m: &Move| {
        let next = position.after(*m);
        let is_same = |&earlier: &&Lilypads| earlier.to_string() == next.to_string();
        next.outcome().is_none() && before.iter().chain([position]).filter(is_same).count() >= 2
    };
    let moves = position.legal_moves();
    if !moves.iter().any(repeats) {
        let value = solution.value(position).unwrap();
        return (value, solution.best_moves(position));
    }
    let value = |m: &Move| match solution.value(&position.after(*m)).unwrap() {
        _ if repeats(m) => ExactValue::Draw,
        ExactValue::Win(plies) => ExactValue::Loss(plies + 1),
        ExactValue::Draw => ExactValue::Draw,
        ExactValue::Loss(plies) => ExactValue::Win(plies + 1),
    };
    let best = moves.iter().map(value).max_by_key(|&it| rank(it)).unwrap();
    let is_best = |m: &Move| value(m) == best;
    (best, moves.iter().copied().filter(is_best).collect())
}

/// What the table says about one move, without any code of a review. Returns whether a repetition
/// made a difference.
fn check_move(
    solution: &Solution,
    position: &Lilypads,
    earlier: &[Lilypads],
    m: &JudgedMove,
) -> bool {
    let played = m.text.parse().unwrap();
    let (before, best) = in_match(solution, position, earlier);
    let next = position.after(played);
    let now: Vec<_> = earlier.iter().chain([position]).cloned().collect();
    let ends = now.iter().filter(|it| it.to_string() == next.to_string());
    let after = if next.outcome().is_some() {
        solution.value(&next).unwrap()
    } else if ends.count() >= 2 {
        ExactValue::Draw
    } else {
        in_match(solution, &next, &now).0
    };
    assert_eq!(m.before, expected(before));
    assert_eq!(m.after, -expected(after));
    let mut texts: Vec<_> = best.iter().map(ToString::to_string).collect();
    let mut found = m.best.clone();
    texts.sort();
    found.sort();
    assert_eq!(found, texts);
    let result = |value: ExactValue| match value {
        ExactValue::Win(_) => 2,
        ExactValue::Draw => 1,
        ExactValue::Loss(_) => 0,
    };
    let class = match (result(before), 2 - result(after)) {
        _ if position.legal_moves().len() == 1 => MoveClass::Forced,
        _ if best.contains(&played) => MoveClass::Best,
        (2, 1) => MoveClass::Mistake,
        (a, b) if b < a => MoveClass::Blunder,
        _ => {
            let lost = before.plies().abs_diff(after.plies() + 1);
            if lost > 4 {
                MoveClass::Inaccuracy
            } else {
                MoveClass::Good
            }
        }
    };
    assert_eq!(m.class, class, "{position} {}", m.text);
    best != solution.best_moves(position)
}

#[test]
fn reviews_of_lilypads_agree_with_the_table() {
    const N_BOARDS: u64 = 8;
    const N_MATCHES: u64 = 200;
    let mut n_different = 0;
    for number in 0..N_BOARDS {
        let board = Board::new(number);
        let solution = solve(&board, |_| ControlFlow::Continue(())).unwrap();
        for seed in 0..N_MATCHES / N_BOARDS {
            let board = number.to_string();
            let record = random_match("lilypads", &[("board", &board)], seed, 60);
            let moves = review(&*record, REVIEW_NODES).moves(&*record);
            assert_eq!(moves.len(), record.moves().len());
            let mut earlier = Vec::new();
            let mut position = Lilypads::new(solution.board());
            for m in &moves {
                let is_different = check_move(&solution, &position, &earlier, m);
                n_different += u32::from(is_different);
                let next = position.after(m.text.parse().unwrap());
                earlier.push(std::mem::replace(&mut position, next));
            }
            let kept = moves.iter().filter(|m| m.kept_value()).count();
            let counted = accuracy(&moves, true);
            let n_kept = [counted.first, counted.second].into_iter().flatten();
            assert_eq!(n_kept.map(|one| one.n_kept).sum::<usize>(), kept);
        }
    }
    assert!(n_different > 0, "repetitions matter in some of them");
}

#[test]
fn a_second_review_is_the_same_and_so_is_one_that_was_interrupted() {
    for game in catalog::GAMES {
        let choices: &[_] = match game.name() {
            "simply-go" => &[("size", "9")],
            _ => &[],
        };
        let record = random_match(game.name(), choices, 3, 14);
        let whole = review(&*record, 300);
        assert_eq!(review(&*record, 300), whole);
        let mut half = Review::new(&*record, main_end(&*record), 300);
        let mut judge = Judge::new(game.name()).unwrap();
        for _ in 0..5 {
            judge.review_next(&mut half, &*record);
        }
        let mut resumed = Review::new(&*record, main_end(&*record), 300);
        resumed.recall(&*record, &half.to_text());
        assert_eq!(resumed, half);
        let mut judge = Judge::new(game.name()).unwrap();
        while judge.review_next(&mut resumed, &*record) {}
        assert_eq!(resumed, whole);
        let mut read = Review::new(&*record, main_end(&*record), 300);
        read.recall(&*record, &whole.to_text());
        assert_eq!(read, whole);
    }
}

#[test]
fn damaged_reviews_lose_what_is_damaged_and_nothing_else() {
    let record = random_match("takeover", &[], 5, 12);
    let whole = review(&*record, 200);
    let text = whole.to_text();
    let mut random = Random::new(1);
    for _ in 0..500 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len() as u32) as usize;
            bytes[at] = b" -/;@abcswld0123456789"[random.below(22) as usize];
        }
        let text = String::from_utf8(bytes).unwrap();
        let mut read = Review::new(&*record, main_end(&*record), 200);
        read.recall(&*record, &text);
        for (index, &node) in read.nodes().iter().enumerate() {
            if let Some(assessment) = read.assessment(index) {
                let legal = record.legal_moves_at(node);
                assert!(assessment.best.iter().all(|m| legal.contains(m)));
            }
        }
        // Whatever was read can be shown.
        assert!(read.moves(&*record).len() < read.nodes().len());
    }
}
