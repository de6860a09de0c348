//! What is said about a move is true, and never tells what to do next.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{collections::BTreeSet, ops::ControlFlow};

use catalog::AnyMatch;
use engine::Judge;
use lilypads::{Board, Lilypads};
use lilypads_solver::{ExactValue, Solution, solve};
use rules::{Position, Random, record::NodeId};
use study::{Assessment, Comment, Commentary, Remark};

/// Lets the judge say all that is needed for remarks on the last `n` moves.
fn fill(commentary: &mut Commentary, judge: &mut Judge, record: &dyn AnyMatch, n: usize) -> usize {
    let mut n_asked = 0;
    while let Some((node, inquiry)) = commentary.next(record, n) {
        let lines = judge.judge(&inquiry, record.legal_moves_at(node).len());
        let assessment = Assessment::of_lines(&lines, inquiry.is_exact()).unwrap();
        commentary.judge(node, assessment);
        n_asked += 1;
        assert!(n_asked <= n + 1, "every position is asked about once");
    }
    n_asked
}

fn kind(comment: &Comment) -> &'static str {
    match comment {
        Comment::Forced => "forced",
        Comment::OnlyWin { .. } => "only win",
        Comment::OnlyDraw => "only draw",
        Comment::Strong => "strong",
        Comment::LetsWin { .. } => "lets win",
        Comment::MissesWin => "misses win",
        Comment::Slip { .. } => "slip",
        Comment::Wins { .. } => "wins",
        Comment::Draws => "draws",
        Comment::Loses { .. } => "loses",
        Comment::Stands(_) => "stands",
    }
}

/// The better move that a remark names was legal before the move it is about, and is another;
/// it is none that is best now.
fn check_better(record: &dyn AnyMatch, remark: &Remark) -> Option<String> {
    let better = remark.better.as_ref()?;
    let before = record.ancestors(remark.node)[0];
    let mut instead = record.boxed_clone();
    instead.go_to(before).unwrap();
    let m = instead.table().read_move(better).unwrap();
    assert_ne!(Some(&m), record.move_to(remark.node).as_ref());
    Some(m)
}

/// What the table says about a move is what the remark says.
fn check_exact(solution: &Solution, record: &dyn AnyMatch, remark: &Remark) {
    let position_at = |node: NodeId| -> Lilypads {
        let mut record = record.boxed_clone();
        record.go_to(node).unwrap();
        record.position().parse().unwrap()
    };
    let before = position_at(record.ancestors(remark.node)[0]);
    let m = record.move_to(remark.node).unwrap().parse().unwrap();
    let moves = solution.moves(&before);
    let value_of = |wanted| moves.iter().find(|(m, _)| *m == wanted).unwrap().1;
    let made = value_of(m);
    let best = solution.value(&before).unwrap();
    let n_plies = match solution.value(&before.after(m)).unwrap() {
        ExactValue::Win(n) | ExactValue::Loss(n) => u32::from(n),
        ExactValue::Draw => 0,
    };
    let is_won = |value: ExactValue| matches!(value, ExactValue::Win(_));
    let is_lost = |value: ExactValue| matches!(value, ExactValue::Loss(_));
    let others: Vec<_> = moves.iter().filter(|(other, _)| *other != m).collect();
    let text = format!("{before} {m}: {:?}", remark.comment);
    assert_eq!(remark.depth, None, "{text}");
    match &remark.comment {
        Comment::Forced => assert!(others.is_empty(), "{text}"),
        Comment::OnlyWin { plies } => {
            assert!(
                is_won(made) && !others.iter().any(|o| is_won(o.1)),
                "{text}"
            );
            assert_eq!(*plies, n_plies);
        }
        Comment::OnlyDraw => {
            assert!(made == ExactValue::Draw, "{text}");
            assert!(others.iter().all(|o| is_lost(o.1)), "{text}");
        }
        Comment::LetsWin { plies, .. } => {
            assert!(is_lost(made) && !is_lost(best), "{text}");
            assert_eq!(*plies, n_plies);
        }
        Comment::MissesWin => {
            assert!(made == ExactValue::Draw && is_won(best), "{text}");
        }
        Comment::Slip { is_grave, .. } => {
            assert!(!is_grave && made < best, "{text}");
            assert!(is_won(made) || is_lost(best), "{text}");
        }
        Comment::Wins { plies } => {
            assert!(is_won(made), "{text}");
            assert_eq!(*plies, n_plies);
        }
        Comment::Draws => assert!(made == ExactValue::Draw && best == made, "{text}"),
        Comment::Loses { plies } => {
            assert!(is_lost(made) && is_lost(best), "{text}");
            assert_eq!(*plies, n_plies);
        }
        Comment::Strong | Comment::Stands(_) => panic!("{text}"),
    }
    if let Some(better) = check_better(record, remark) {
        assert_eq!(value_of(better.parse().unwrap()), best, "{text}");
    }
}

#[test]
fn remarks_on_lilypads_agree_with_the_table() {
    let solution = solve(&Board::new(4), |_| ControlFlow::Continue(())).unwrap();
    let mut judge = Judge::new("lilypads").unwrap();
    let mut kinds = BTreeSet::new();
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let game = catalog::find("lilypads").unwrap();
        let mut record = game.start(&[("board", "4")]).unwrap();
        let mut commentary = Commentary::new(&*record, record.cursor());
        assert_eq!(commentary.next(&*record, 2), None, "no move was made");
        while record.ending().is_none() && record.moves().len() < 60 {
            let m = random.pick(&record.legal_moves()).unwrap().clone();
            record.play(&m).unwrap();
            commentary.follow(&*record, record.cursor());
            let n_asked = fill(&mut commentary, &mut judge, &*record, 1);
            assert!(n_asked <= 2);
            let position: Lilypads = record.position().parse().unwrap();
            let best = solution.best_moves(&position);
            for remark in commentary.remarks(&*record, 2) {
                check_exact(&solution, &*record, &remark);
                if let Some(better) = check_better(&*record, &remark) {
                    let is_best = best.iter().any(|m| m.to_string() == better);
                    assert!(!is_best, "{better} would be a hint");
                }
                kinds.insert(kind(&remark.comment));
            }
            // Somebody takes a move back, and what is known stays known.
            if random.below(8) == 0 && record.ending().is_none() {
                record.undo();
                commentary.follow(&*record, record.cursor());
                assert_eq!(fill(&mut commentary, &mut judge, &*record, 1), 0);
            }
        }
    }
    for kind in [
        "only win",
        "only draw",
        "lets win",
        "misses win",
        "wins",
        "draws",
        "loses",
    ] {
        assert!(kinds.contains(kind), "{kinds:?}");
    }
}

#[test]
fn remarks_elsewhere_say_how_deep_they_looked() {
    for (name, options) in [
        ("nonaga", [("variant", "standard")]),
        ("takeover", [("board", "7")]),
        ("simply-go", [("size", "9")]),
    ] {
        let mut judge = Judge::new(name).unwrap();
        let mut random = Random::new(5);
        let mut record = catalog::find(name).unwrap().start(&options).unwrap();
        let mut commentary = Commentary::new(&*record, record.cursor());
        let mut kinds = BTreeSet::new();
        for _ in 0..12 {
            let m = random.pick(&record.legal_moves()).unwrap().clone();
            record.play(&m).unwrap();
            if record.ending().is_some() {
                record.undo();
                continue;
            }
            commentary.follow(&*record, record.cursor());
            fill(&mut commentary, &mut judge, &*record, 1);
            let remarks = commentary.remarks(&*record, 1);
            assert_eq!(remarks.len(), 1, "{name}");
            let remark = &remarks[0];
            assert_eq!(remark.node, record.cursor());
            assert_eq!(
                Some(remark.player),
                record.turn_at(record.ancestors(remark.node)[0])
            );
            check_better(&*record, remark);
            if let Comment::Stands(_) | Comment::Strong | Comment::Slip { .. } = remark.comment {
                assert!(remark.depth.is_some_and(|depth| depth > 0), "{remark:?}");
            }
            kinds.insert(kind(&remark.comment));
        }
        assert!(kinds.contains("slip"), "{name}: {kinds:?}");
    }
}
