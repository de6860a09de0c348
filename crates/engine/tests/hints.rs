//! A hint never names an illegal move, nor a worse one when a better is proven, and what it
//! says about other moves is true.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{collections::BTreeSet, ops::ControlFlow};

use catalog::{AnyGame, AnyMatch};
use engine::Judge;
use lilypads::{Board, Lilypads};
use lilypads_solver::{ExactValue, solve};
use nonaga::Nonaga;
use puzzles::Goal;
use rules::{Game, Outcome, Player, Position, Random};
use simply_go::SimplyGo;
use study::{Clue, Effort, EngineLine, Feat, Hint, HintReason, Inquiry};
use takeover::Takeover;
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

fn kind(reason: HintReason) -> &'static str {
    match reason {
        HintReason::WinsNow => "wins now",
        HintReason::Forced => "forced",
        HintReason::Wins { is_only: true, .. } => "only win",
        HintReason::Wins { .. } => "wins",
        HintReason::HoldsOut { .. } => "holds out",
        HintReason::Blocks { is_only: true } => "only block",
        HintReason::Blocks { .. } => "blocks",
        HintReason::Draws { is_only: true } => "only draw",
        HintReason::Draws { .. } => "draws",
        HintReason::Best { feat, .. } => match feat {
            Some(Feat::TakesMost(_)) => "takes most",
            Some(Feat::Saves(_)) => "saves",
            Some(Feat::Encloses(_)) => "encloses",
            Some(Feat::LeavesLeast(_)) => "leaves least",
            Some(Feat::Joins) => "joins",
            None => "best",
        },
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
        assert_eq!(hint.reason, HintReason::WinsNow, "{position}");
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

/// How many pieces a move takes, as the list of moves has it: `c3 +2`, `D4 ×3`.
fn n_taken(record: &dyn AnyMatch, m: &str) -> u32 {
    let next = after(record, m);
    let notation = next.notation(next.cursor()).unwrap();
    let count = notation.split_once(" +").or(notation.split_once(" ×"));
    count.map_or(0, |(_, n)| n.parse().unwrap())
}

/// The most pieces that one move of the opponent takes after `m`, by trying them all.
fn most_lost(record: &dyn AnyMatch, m: &str) -> u32 {
    let next = after(record, m);
    let replies = next.legal_moves().into_iter();
    replies
        .map(|reply| n_taken(&*next, &reply))
        .max()
        .unwrap_or(0)
}

/// What `m` does, besides taking most.
fn other_feat(record: &dyn AnyMatch, m: &str) -> Option<Feat> {
    let next = after(record, m).position();
    let player = record.turn();
    match record.game() {
        "simply-go" => {
            let [before, after] = [record.position(), next].map(|text| {
                let position: SimplyGo = text.parse().unwrap();
                position.forts(player).len()
            });
            let n = if m == "pass" {
                0
            } else {
                most_lost(record, "pass")
            };
            if n > 0 && most_lost(record, m) == 0 {
                Some(Feat::Saves(n))
            } else {
                (after > before).then(|| Feat::Encloses(after - before))
            }
        }
        "takeover" => {
            let own = most_lost(record, m);
            let moves = record.legal_moves().into_iter();
            let others: Vec<_> = moves.filter(|other| other != m).collect();
            let others: Vec<_> = others.iter().map(|m| most_lost(record, m)).collect();
            let n_worse = others.iter().filter(|&&other| other > own).count();
            let is_least = others.iter().all(|&other| other >= own);
            (is_least && 2 * n_worse >= others.len()).then_some(Feat::LeavesLeast(own))
        }
        _ => {
            let [before, after] = [record.position(), next].map(|text| {
                let position: Nonaga = text.parse().unwrap();
                let pieces = position.pieces(player);
                let touches = |a: &nonaga::Hex| pieces.iter().any(|b| a.neighbors().contains(b));
                pieces.iter().any(touches)
            });
            (after && !before).then_some(Feat::Joins)
        }
    }
}

/// What a reason says about other moves, by trying them all.
fn check_claims(record: &dyn AnyMatch, hint: &Hint) {
    let player = record.turn();
    let loses = |m: &String| loses_at_once(&*after(record, m), player);
    match hint.reason {
        HintReason::Blocks { is_only } => {
            assert!(!loses(&hint.m), "{}: {}", record.position(), hint.m);
            let moves = record.legal_moves();
            let n_losing = moves.iter().filter(|m| loses(m)).count();
            assert!(2 * n_losing >= moves.len() - 1, "{}", record.position());
            assert_eq!(is_only, n_losing + 1 == moves.len());
        }
        HintReason::Forced => assert_eq!(record.legal_moves().len(), 1),
        HintReason::Best { feat, .. } => {
            let moves = record.legal_moves();
            let counts = moves.iter().map(|m| n_taken(record, m));
            let n = n_taken(record, &hint.m);
            let is_most = n > 0 && counts.max() == Some(n);
            let takes_most = is_most.then_some(Feat::TakesMost(n));
            let feat_by_rules = takes_most.or_else(|| other_feat(record, &hint.m));
            assert_eq!(feat, feat_by_rules, "{}: {}", record.position(), hint.m);
        }
        _ => {}
    }
}

/// What plain minimax proves about a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Proven {
    Loss,
    /// A draw, or nothing.
    Open,
    Win,
}

/// What `n` more moves prove for `player`, by trying them all.
fn minimax<P: Position>(position: &P, player: Player, n: u32) -> Proven {
    match position.outcome() {
        Some(Outcome::Win(winner)) if winner == player => return Proven::Win,
        Some(Outcome::Win(_)) => return Proven::Loss,
        Some(Outcome::Draw) => return Proven::Open,
        None if n == 0 => return Proven::Open,
        None => {}
    }
    let moves = position.legal_moves().into_iter();
    let mut values = moves.map(|m| minimax(&position.after(m), player, n - 1));
    let is_own = position.turn() == player;
    let top = if is_own { Proven::Win } else { Proven::Loss };
    let mut best = if is_own { Proven::Loss } else { Proven::Win };
    // Nothing is better than the top.
    while best != top
        && let Some(value) = values.next()
    {
        best = if is_own {
            best.max(value)
        } else {
            best.min(value)
        };
    }
    best
}

/// No other move is proven better by minimax over all moves, three deep where there are not
/// too many. Returns what it proves about the recommended move.
fn check_minimax<G: Game>(record: &dyn AnyMatch, hint: &Hint) -> Proven {
    let position: G = record.position().parse().unwrap();
    let moves = position.legal_moves();
    let n = match moves.len() {
        0..=60 => 2,
        61..=200 => 1,
        _ => 0,
    };
    let value = |m: G::Move| minimax(&position.after(m), position.turn(), n);
    let advised = value(hint.m.parse().unwrap());
    for m in moves {
        assert!(
            value(m) <= advised,
            "{position}: {m} is better than {hint:?}"
        );
    }
    advised
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

/// Hints in random positions; the kinds of reasons that came up.
fn check_game<G: Game>(options: &[(&str, &str)], n_positions: u64) -> BTreeSet<&'static str> {
    let game = catalog::find(G::NAME).unwrap();
    let mut judge = Judge::new(G::NAME).unwrap();
    let mut kinds = BTreeSet::new();
    for seed in 0..n_positions {
        let mut random = Random::new(seed);
        let n_moves = random.below(50);
        let record = random_match(game, options, n_moves, &mut random);
        let (lines, hint) = hint_with(&*record, &mut judge, 4_000);
        check_hint(&*record, &lines, &hint);
        check_claims(&*record, &hint);
        let proven = check_minimax::<G>(&*record, &hint);
        // Minimax finds no proof that contradicts the reason.
        match hint.reason {
            HintReason::WinsNow | HintReason::Wins { .. } => assert_ne!(proven, Proven::Loss),
            HintReason::HoldsOut { .. } => assert_ne!(proven, Proven::Win),
            _ => {}
        }
        kinds.insert(kind(hint.reason));
    }
    kinds
}

#[test]
fn hints_in_nonaga_are_legal_and_true() {
    for variant in ["standard", "published"] {
        let kinds = check_game::<Nonaga>(&[("variant", variant)], 120);
        for kind in ["wins now", "best", "only block", "joins"] {
            assert!(kinds.contains(kind), "{variant}: {kinds:?}");
        }
    }
}

#[test]
fn hints_in_takeover_are_legal_and_true() {
    let kinds = check_game::<Takeover>(&[("board", "7")], 120);
    for kind in ["wins now", "wins", "best", "takes most", "leaves least"] {
        assert!(kinds.contains(kind), "{kinds:?}");
    }
}

#[test]
fn hints_in_ataxx_are_legal_and_true() {
    let kinds = check_game::<Takeover>(&[("variant", "ataxx")], 80);
    for kind in ["best", "takes most"] {
        assert!(kinds.contains(kind), "{kinds:?}");
    }
}

#[test]
fn hints_in_simply_go_are_legal_and_true() {
    for (size, n_positions) in [("9", 60), ("13", 24), ("25", 4)] {
        let kinds = check_game::<SimplyGo>(&[("size", size)], n_positions);
        assert!(kinds.contains("best"), "{size}: {kinds:?}");
        if size == "9" {
            for kind in ["takes most", "encloses"] {
                assert!(kinds.contains(kind), "{kinds:?}");
            }
        }
    }
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
                (HintReason::WinsNow, ExactValue::Win(1)) => {}
                (HintReason::Forced, _) => assert_eq!(moves.len(), 1),
                (HintReason::Wins { plies, is_only }, ExactValue::Win(exact)) => {
                    assert_eq!((plies, is_only), (u32::from(exact), n_wins == 1));
                }
                (HintReason::HoldsOut { plies }, ExactValue::Loss(exact)) => {
                    assert_eq!(plies, u32::from(exact));
                }
                (HintReason::Draws { is_only }, ExactValue::Draw) => {
                    assert_eq!(is_only, n_kept == 1)
                }
                (HintReason::Blocks { .. }, ExactValue::Draw) => {}
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

/// In the position of a shipped puzzle, plain minimax over all moves has proved that one move
/// wins soonest. A hint names it.
fn check_proven(game: &str, every: usize) {
    let mut judge = Judge::new(game).unwrap();
    let wins = puzzles::all(game);
    let wins = wins.iter();
    let wins = wins.filter(|puzzle| matches!(puzzle.goal(), Goal::Win { .. }));
    // Puzzles of one board come together.
    let mut wins: Vec<_> = wins.step_by(every).collect();
    wins.sort_by_cached_key(|puzzle| puzzle.position().to_owned());
    assert!(wins.len() > 20, "{game}: {}", wins.len());
    for puzzle in wins {
        let record = catalog::find(game).unwrap();
        let record = record.start_from(puzzle.position()).unwrap();
        let inquiry = Hint::inquiry(&*record, record.cursor());
        let lines = judge.judge(&inquiry, record.legal_moves().len());
        let hint = Hint::new(&*record, record.cursor(), &lines).unwrap();
        assert_eq!(hint.m, puzzle.solution()[0], "{puzzle}: {hint:?}");
        assert!(hint.reason.depth().is_none(), "{puzzle}: {hint:?}");
    }
}

#[test]
fn hints_name_the_win_of_nonaga_that_is_proven() {
    check_proven("nonaga", 4);
}

#[test]
fn hints_name_the_win_of_takeover_that_is_proven() {
    check_proven("takeover", 4);
}

#[test]
fn hints_name_the_win_of_lilypads_that_is_proven() {
    check_proven("lilypads", 8);
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
    assert!(matches!(hint.reason, HintReason::Best { depth: 5, .. }));
}

/// Black's stone in the corner falls to one more stone of White, unless it gets out.
#[test]
fn stones_that_a_move_saves_are_counted() {
    let game = catalog::find("simply-go").unwrap();
    let mut record = game.start(&[("size", "9")]).unwrap();
    for m in ["A1", "A2", "E5", "I9"] {
        record.play(m).unwrap();
    }
    let line = |m: &str| EngineLine {
        number: 1,
        depth: 3,
        nodes: 9,
        evaluation: "s3@3".parse().unwrap(),
        moves: vec![m.to_owned()],
    };
    let hint = |m: &str| Hint::new(&*record, record.cursor(), &[line(m)]).unwrap();
    let feat = |hint: &Hint| match hint.reason {
        HintReason::Best { feat, .. } => feat,
        _ => None,
    };
    let saving = hint("B1");
    assert_eq!(feat(&saving), Some(Feat::Saves(1)));
    check_claims(&*record, &saving);
    for other in ["F6", "pass"] {
        let other = hint(other);
        assert_eq!(feat(&other), None);
        check_claims(&*record, &other);
    }
}
