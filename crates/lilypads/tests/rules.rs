//! A test for every numbered rule of `docs/rules/lilypads.md`.
//!
//! The positions are on board 42, whose starts are 0 and 29. What matters of its
//! edges: 0 is joined to 1, 2, 3; 1 to 0, 2, 5; 5 to 1, 2, 10, 12, 14; 14 to 5,
//! 12, 17, 23; 17 to 12, 13, 14, 21, 23; 23 to 14, 17, 21; 26 to 20, 21, 25, 28;
//! 27 to 19, 22, 28, 29; 28 to 19, 25, 26, 27, 29; 29 to 27, 28.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;

use lilypads::{BOARD_SIZE, Board, Circle, Lilypads, N_CIRCLES, Setup};
use rules::{Game, Outcome, Player, Position, Record, record::Reason};

#[track_caller]
fn position(text: &str) -> Lilypads {
    text.parse().unwrap()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    testkit::check_moves::<Lilypads>(text, expected);
}

#[track_caller]
fn check_after(text: &str, m: &str, expected: &str) -> Lilypads {
    testkit::check_after(text, m, expected)
}

fn boards() -> impl Iterator<Item = Board> {
    (0..300).map(Board::new)
}

fn circle(number: u8) -> Circle {
    Circle::new(number).unwrap()
}

#[test]
fn r1_thirty_circles_inside_the_square() {
    for board in boards() {
        assert_eq!(Circle::all().count(), 30);
        for disc in Circle::all().map(|circle| board.disc(circle)) {
            for n in [disc.center.x, disc.center.y] {
                assert!(n - disc.radius >= 0 && n + disc.radius <= BOARD_SIZE);
            }
        }
    }
}

#[test]
fn r2_radii_gaps_and_spread() {
    let mut radii = BTreeSet::new();
    for board in boards() {
        let discs: Vec<_> = Circle::all().map(|circle| board.disc(circle)).collect();
        for (index, a) in discs.iter().enumerate() {
            assert!((20..=200).contains(&a.radius));
            radii.insert(a.radius);
            for b in &discs[..index] {
                let least = i64::from(a.radius + b.radius + 5);
                assert!(a.center.squared_distance(b.center) >= least * least);
            }
        }
        for (right, low) in [(false, false), (false, true), (true, false), (true, true)] {
            let is_there = |n: i32, beyond: bool| if beyond { n > 400 } else { n < 400 };
            let inside = discs
                .iter()
                .filter(|disc| is_there(disc.center.x, right) && is_there(disc.center.y, low));
            assert!(inside.count() >= 3);
        }
    }
    assert!(radii.len() > 120, "radii vary: {radii:?}");
}

#[test]
fn r3_a_number_gives_one_board() {
    for number in [0, 1, 42, u64::MAX] {
        assert_eq!(Board::new(number), Board::new(number));
    }
    let distinct: BTreeSet<String> = boards()
        .map(|board| {
            let mut discs = Circle::all().map(|circle| board.disc(circle));
            format!("{:?}", discs.next())
        })
        .collect();
    assert!(distinct.len() > 290, "boards differ");
}

#[test]
fn r4_edges_are_short_and_shorter_ones_come_first() {
    // `geometry` tests crossing and passing over; here is what follows for a
    // whole board: no edge is too long, and the two nearest circles are joined.
    for board in boards() {
        let length = |a: Circle, b: Circle| {
            let (a, b) = (board.disc(a).center, board.disc(b).center);
            a.squared_distance(b)
        };
        assert!(board.edges().all(|(a, b)| length(a, b) <= 300 * 300));
        let pairs = Circle::all().flat_map(|a| Circle::all().map(move |b| (a, b)));
        let (a, b) = pairs
            .filter(|(a, b)| a < b)
            .min_by_key(|&(a, b)| (length(a, b), a, b))
            .unwrap();
        assert!(board.graph().neighbors(a).contains(b));
    }
}

#[test]
fn r5_connected_with_starts_far_apart() {
    for board in boards() {
        let graph = board.graph();
        let steps = graph.steps_from(graph.start(Player::First));
        assert!(steps.iter().all(|&steps| steps < N_CIRCLES as u8));
        assert!(steps[graph.start(Player::Second).index()] >= 5);
        for player in Player::BOTH {
            assert!(graph.neighbors(graph.start(player)).len() >= 2);
        }
    }
}

#[test]
fn r6_numbered_from_the_upper_left_corner() {
    for board in boards() {
        let order: Vec<_> = Circle::all()
            .map(|circle| {
                let center = board.disc(circle).center;
                let (x, y) = (i64::from(center.x), i64::from(center.y));
                (x * x + y * y, x, y)
            })
            .collect();
        assert!(order.is_sorted());
        assert_eq!(board.graph().start(Player::First), circle(0));
        let to_corner = |circle: &Circle| {
            let center = board.disc(*circle).center;
            let (x, y) = (i64::from(800 - center.x), i64::from(800 - center.y));
            x * x + y * y
        };
        let nearest = Circle::all().min_by_key(to_corner);
        assert_eq!(Some(board.graph().start(Player::Second)), nearest);
    }
}

#[test]
fn r7_pips_are_steps_to_the_opponents_start() {
    let board = Board::new(42);
    // 4, 6, 19, 27, 29 and 21, 13, 10, 2, 0.
    assert_eq!(board.pips(Player::First, circle(4)), 4);
    assert_eq!(board.pips(Player::Second, circle(21)), 4);
    assert_eq!(board.pips(Player::First, circle(29)), 0);
    assert_eq!(
        board.pips(Player::First, circle(0)),
        board.pips(Player::Second, circle(29))
    );
}

#[test]
fn r8_three_pieces_each_in_the_holding() {
    let start = Lilypads::start(&Setup { board: 42 }).unwrap();
    assert_eq!(start.to_string(), "#42 - - first");
    for player in Player::BOTH {
        assert_eq!(start.n_held(player), 3);
    }
}

#[test]
fn r9_enter_on_an_empty_neighbor_of_the_own_start() {
    check("#42 - - first", "@1 @2 @3");
    check("#42 - - second", "@27 @28");
    check_after("#42 - - first", "@2", "#42 2 - second");
    // Never a capture, and not without a held piece.
    check("#42 - 2 first", "@1 @3");
    check(
        "#42 14,17,23 - first",
        "14-5 14-12 14-13 14-21 17-5 17-12 17-13 17-21 23-5 23-12 23-13 23-21",
    );
}

#[test]
fn r10_step_to_an_empty_neighbor() {
    check("#42 1 - first", "@2 @3 1-2 1-5");
    check_after("#42 1 - first", "1-5", "#42 5 - second");
}

#[test]
fn r11_capture_by_stepping() {
    check("#42 14 23 first", "@1 @2 @3 14-5 14-12 14-17 14-21 14-23");
    let after = check_after("#42 14 23 first", "14-23", "#42 23 - second");
    assert_eq!(after.n_held(Player::Second), 3);
}

#[test]
fn r12_leap_over_one_piece_of_either_side() {
    // 1 leaps over 5 to 10, 12 and 14, and 5 over 1 to 2; neither back to itself.
    check(
        "#42 1,5 - first",
        "@2 @3 1-2 1-10 1-12 1-14 5-2 5-10 5-12 5-14",
    );
    // 5 leaps over the enemy on 14 to 17 and 23. 1 does not leap onto it.
    check(
        "#42 1,5 14 first",
        "@2 @3 1-2 1-10 1-12 5-2 5-10 5-12 5-14 5-17 5-23",
    );
    // What is leapt over stays.
    check_after("#42 1,5 14 first", "5-23", "#42 1,23 14 second");
}

#[test]
fn r13_nothing_goes_to_its_own_start_or_onto_its_own_side() {
    check(
        "#42 - 26,27,28 second",
        "26-19 26-20 26-21 26-25 27-19 27-22 27-25 28-19 28-20 28-21 28-22 28-25",
    );
    for m in ["1-0", "1-2"] {
        let mut position = position("#42 1,2 - first");
        assert!(position.play(m.parse().unwrap()).is_err());
    }
}

#[test]
fn r14_who_has_no_move_passes() {
    check("#42 - 1,2,3 first", "pass");
    check_after("#42 - 1,2,3 first", "pass", "#42 - 1,2,3 second");
    assert!(!position("#42 - - first").is_legal("pass".parse().unwrap()));
}

#[test]
fn r15_who_reaches_the_opponents_start_wins() {
    for (text, m, expected) in [
        ("#42 28 - first", "28-29", "#42 29 - second"),
        ("#42 26 28 first", "26-29", "#42 29 28 second"),
    ] {
        let won = check_after(text, m, expected);
        assert_eq!(won.outcome(), Some(Outcome::Win(Player::First)));
        assert_eq!(won.legal_moves(), []);
    }
    let won = check_after("#42 - 1 second", "1-0", "#42 - 0 first");
    assert_eq!(won.outcome(), Some(Outcome::Win(Player::Second)));
}

#[test]
fn r16_a_third_occurrence_draws() {
    let mut record = Record::<Lilypads>::new(Setup { board: 42 }).unwrap();
    let there_and_back = ["1-5", "27-22", "5-1", "22-27"];
    let moves = ["@1", "@27"]
        .into_iter()
        .chain(there_and_back)
        .chain(there_and_back);
    for m in moves {
        assert_eq!(record.ending(), None);
        record.play(m.parse().unwrap()).unwrap();
    }
    let ending = record.ending().unwrap();
    assert_eq!(
        (ending.outcome, ending.reason),
        (Outcome::Draw, Reason::Repetition)
    );
    // The position itself goes on.
    assert_eq!(record.position().outcome(), None);
}

#[test]
fn r17_the_score() {
    let board = Board::new(42);
    let score = |text: &str, player| position(text).score(&board, player);
    assert_eq!(score("#42 - - first", Player::First), 30);
    // One held; 4 and 3 pips.
    assert_eq!(score("#42 4,9 21 second", Player::First), 17);
    // Two held; 4 pips.
    assert_eq!(score("#42 4,9 21 second", Player::Second), 24);
    assert_eq!(score("#42 29 - second", Player::First), -80);
    let reached = position("#42 29 - second");
    assert_eq!(reached.pips(&board, Player::First), 20);
}
