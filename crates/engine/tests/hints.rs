//! A hint never names an illegal move, nor a worse one when a better is proven, and what it
//! says about other moves is true.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{collections::BTreeSet, ops::ControlFlow};

use catalog::{AnyGame, AnyMatch};
use engine::Judge;
use lilypads::{Board, Lilypads};
use lilypads_solver::{ExactValue, solve};
use rules::{Outcome, Player, Random};
use study::{Clue, Effort, EngineLine, Hint, Inquiry, Reason};
use view::{Look, Mark, Words};

/// A match that goes on after so many random moves.
fn random_match(
    game: &dyn AnyGame,
    options: &[(&str, &str)],
    n_moves: u32,
    random: &mut Random,
) -> Box<dyn AnyMatch> {
    let mut record = game.start(options).unwrap();
    for _ in 0..n_moves {
        let m = random.pick(&record.legal_moves()).unwrap().clone();
        record.play(&m).unwrap();
        if record.ending().is_some() {
            record.undo();
        }
    }
    record
}

/// The position after `m`.
fn after(record: &dyn AnyMatch, m: &str) -> Box<dyn AnyMatch> {
    let mut next = record.boxed_clone();
    next.explore(m).unwrap();
    next
}

/// Whether the match is over here and `player` has won.
fn is_won(record: &dyn AnyMatch, player: Player) -> bool {
    let ending = record.ending();
    ending.is_some_and(|ending| ending.outcome == Outcome::Win(player))
}

/// Whether `player` wins before the turn passes, by trying all moves.
fn wins_in_turn(record: &dyn AnyMatch, player: Player) -> bool {
    record.turn() == player
        && record.legal_moves().iter().any(|m| {
            let next = after(record, m);
            is_won(&*next, player)
        })
}

/// Whether the opponent wins with the next move, whatever `player` does until then.
fn loses_at_once(record: &dyn AnyMatch, player: Player) -> bool {
    if record.ending().is_some() || record.turn() != player {
        return is_won(record, !player) || wins_in_turn(record, !player);
    }
    let moves = record.legal_moves();
    moves
        .iter()
        .all(|m| loses_at_once(&*after(record, m), player))
}

fn kind(reason: Reason) -> &'static str {
    match reason {
        Reason::WinsNow => "wins now",
        Reason::Forced => "forced",
        Reason::Wins { is_only: true, .. } => "only win",
        Reason::Wins { .. } => "wins",
        Reason::HoldsOut { .. } => "holds out",
        Reason::Blocks { is_only: true } => "only block",
        Reason::Blocks { .. } => "blocks",
        Reason::Draws { is_only: true } => "only draw",
        Reason::Draws { .. } => "draws",
        Reason::Best { .. } => "best",
    }
}

/// What holds for every hint in every game.
fn check_hint(record: &dyn AnyMatch, lines: &[EngineLine], hint: &Hint) {
    let position = record.position();
    let legal = record.legal_moves();
    assert!(legal.contains(&hint.m), "{position}: {}", hint.m);
    let value = |m: &str| {
        let line = lines.iter().find(|line| line.moves[0] == m);
        line.map(|line| line.evaluation)
    };
    let advised = value(&hint.m).unwrap();
    for m in &legal {
        if let Some(value) = value(m)
            && value.is_proven()
        {
            assert!(value <= advised, "{position}: {m} is better");
        }
    }
    let player = record.turn();
    let winning = legal
        .iter()
        .filter(|m| is_won(&*after(record, m), player))
        .count();
    if winning > 0 {
        assert_eq!(hint.reason, Reason::WinsNow, "{position}");
        assert!(is_won(&*after(record, &hint.m), player), "{position}");
    }
    // The steps lead from a target of the board to another.
    let words = Words::new(&[]);
    let scene = record.table().scene(&Look::new(&words));
    let clues = hint.clues();
    assert_eq!(clues.last(), Some(&Clue::Why(hint.reason)));
    for clue in &clues {
        if let Clue::From(id) | Clue::Near(id) | Clue::To(id) = clue {
            assert!(scene.target(id).is_some(), "{position}: {id}");
        }
    }
    for n in 0..=clues.len() {
        let marks = hint.marks(n);
        assert_eq!(marks.is_empty(), n == 0 || clues[0] == Clue::Pass);
        let n_before = scene.nodes.len();
        let n_after = scene.clone().marked(&marks).nodes.len();
        assert_eq!(n_after - n_before, usize::from(!marks.is_empty()));
        if n == 1 {
            let tells_all = marks.iter().any(|mark| matches!(mark, Mark::Arrow { .. }));
            assert!(!tells_all, "the first step leaves something to find");
        }
    }
}

/// What a reason says about other moves, by trying them all.
fn check_claims(record: &dyn AnyMatch, hint: &Hint) {
    let player = record.turn();
    let loses = |m: &String| loses_at_once(&*after(record, m), player);
    match hint.reason {
        Reason::Blocks { is_only } => {
            assert!(!loses(&hint.m), "{}: {}", record.position(), hint.m);
            let moves = record.legal_moves();
            let n_losing = moves.iter().filter(|m| loses(m)).count();
            assert!(2 * n_losing >= moves.len() - 1, "{}", record.position());
            assert_eq!(is_only, n_losing + 1 == moves.len());
        }
        Reason::Forced => assert_eq!(record.legal_moves().len(), 1),
        _ => {}
    }
}

fn hint_with(record: &dyn AnyMatch, judge: &mut Judge, n_nodes: u64) -> (Vec<EngineLine>, Hint) {
    let inquiry = Inquiry {
        effort: Effort::Nodes(n_nodes),
        ..Hint::inquiry(record, record.cursor())
    };
    let lines = judge.judge(&inquiry, record.legal_moves().len());
    let hint = Hint::new(record, record.cursor(), &lines);
    let hint = hint.unwrap_or_else(|| panic!("{}: {lines:?} {inquiry:?}", record.position()));
    (lines, hint)
}

/// Hints in random positions, after each of these numbers of moves; the kinds of reasons
/// that came up.
fn check_game(name: &str, options: &[(&str, &str)], n_positions: u64) -> BTreeSet<&'static str> {
    let game = catalog::find(name).unwrap();
    let mut judge = Judge::new(name).unwrap();
    let mut kinds = BTreeSet::new();
    for seed in 0..n_positions {
        let mut random = Random::new(seed);
        let n_moves = random.below(50);
        let record = random_match(game, options, n_moves, &mut random);
        let (lines, hint) = hint_with(&*record, &mut judge, 4_000);
        check_hint(&*record, &lines, &hint);
        check_claims(&*record, &hint);
        kinds.insert(kind(hint.reason));
    }
    kinds
}

#[test]
fn hints_in_nonaga_are_legal_and_true() {
    let kinds = check_game("nonaga", &[], 120);
    for kind in ["wins now", "best", "only block"] {
        assert!(kinds.contains(kind), "{kinds:?}");
    }
}

#[test]
fn hints_in_takeover_are_legal_and_true() {
    let kinds = check_game("takeover", &[("board", "7")], 120);
    for kind in ["wins now", "wins", "best"] {
        assert!(kinds.contains(kind), "{kinds:?}");
    }
}

#[test]
fn hints_in_simply_go_are_legal_and_true() {
    let kinds = check_game("simply-go", &[("size", "9")], 60);
    assert!(kinds.contains("best"), "{kinds:?}");
}

#[test]
fn hints_in_lilypads_agree_with_the_table() {
    let game = catalog::find("lilypads").unwrap();
    let mut kinds = BTreeSet::new();
    for number in [0, 4] {
        let solution = solve(&Board::new(number), |_| ControlFlow::Continue(())).unwrap();
        let mut judge = Judge::new("lilypads").unwrap();
        let number = number.to_string();
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let n_moves = random.below(40);
            let record = random_match(game, &[("board", &number)], n_moves, &mut random);
            let (lines, hint) = hint_with(&*record, &mut judge, 1);
            check_hint(&*record, &lines, &hint);
            check_claims(&*record, &hint);
            kinds.insert(kind(hint.reason));
            let position: Lilypads = record.position().parse().unwrap();
            let moves = solution.moves(&position);
            let best = moves.iter().map(|&(_, value)| value).max().unwrap();
            let advised = moves.iter().find(|(m, _)| m.to_string() == hint.m);
            assert_eq!(advised.unwrap().1, best, "{position}");
            let n_with = |is_as_good: fn(ExactValue) -> bool| {
                moves
                    .iter()
                    .filter(|&&(_, value)| is_as_good(value))
                    .count()
            };
            let n_wins = n_with(|value| matches!(value, ExactValue::Win(_)));
            let n_kept = n_with(|value| !matches!(value, ExactValue::Loss(_)));
            match (hint.reason, best) {
                (Reason::WinsNow, ExactValue::Win(1)) => {}
                (Reason::Forced, _) => assert_eq!(moves.len(), 1),
                (Reason::Wins { plies, is_only }, ExactValue::Win(exact)) => {
                    assert_eq!((plies, is_only), (u32::from(exact), n_wins == 1));
                }
                (Reason::HoldsOut { plies }, ExactValue::Loss(exact)) => {
                    assert_eq!(plies, u32::from(exact));
                }
                (Reason::Draws { is_only }, ExactValue::Draw) => assert_eq!(is_only, n_kept == 1),
                (Reason::Blocks { .. }, ExactValue::Draw) => {}
                (reason, _) => panic!("{position}: {reason:?}, but it is worth {best:?}"),
            }
        }
    }
    for kind in [
        "wins now",
        "only win",
        "wins",
        "holds out",
        "draws",
        "only draw",
    ] {
        assert!(kinds.contains(kind), "{kinds:?}");
    }
}

#[test]
fn lines_that_make_no_sense_lead_to_no_hint() {
    let record = catalog::find("takeover").unwrap().start(&[]).unwrap();
    let legal = record.legal_moves();
    let line = |m: &str, evaluation: &str| EngineLine {
        number: 1,
        depth: 3,
        nodes: 9,
        evaluation: evaluation.parse().unwrap(),
        moves: vec![m.to_owned()],
    };
    let hint = |lines: &[EngineLine]| Hint::new(&*record, record.cursor(), lines);
    assert_eq!(hint(&[]), None);
    assert_eq!(hint(&[line("0000", "w1")]), None);
    let worse = [
        line("0000", "w1"),
        line(&legal[0], "l4"),
        line(&legal[1], "s3@5"),
    ];
    let hint = hint(&worse).unwrap();
    assert_eq!(hint.m, legal[1], "a better one that comes later");
    assert!(matches!(hint.reason, Reason::Best { depth: 5, .. }));
}
