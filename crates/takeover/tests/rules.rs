//! A test for every numbered rule of `docs/rules/takeover.md`.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;

use rules::{Game, Outcome, Player, Position, Record, record::Reason};
use takeover::{Setup, Square, SquareSet, Takeover, Variant};

#[track_caller]
fn position(text: &str) -> Takeover {
    text.parse().unwrap()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    testkit::check_moves::<Takeover>(text, expected);
}

#[track_caller]
fn check_after(text: &str, moves: &str, expected: &str) {
    testkit::check_after::<Takeover>(text, moves, expected);
}

#[track_caller]
fn check_outcome(text: &str, expected: Option<Outcome>) {
    let position = position(text);
    assert_eq!(position.outcome(), expected);
    assert_eq!(position.legal_moves().is_empty(), expected.is_some());
}

const FIRST_WINS: Option<Outcome> = Some(Outcome::Win(Player::First));
const SECOND_WINS: Option<Outcome> = Some(Outcome::Win(Player::Second));
const DRAW: Option<Outcome> = Some(Outcome::Draw);

fn standard(board: u64) -> Takeover {
    let variant = Variant::Standard;
    Takeover::start(&Setup { variant, board }).unwrap()
}

#[test]
fn r1_four_pieces_each_in_opposite_corners() {
    let start = standard(0);
    let squares = |player| {
        let squares = start.pieces(player).iter();
        squares.map(|square| square.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(squares(Player::First), ["a5", "b5", "a6", "b6"]);
    assert_eq!(squares(Player::Second), ["e1", "f1", "e2", "f2"]);
    assert_eq!(start.turn(), Player::First);
}

#[test]
fn r2_five_obstacles_by_number() {
    let mut drawn = BTreeSet::new();
    let mut ever = SquareSet::EMPTY;
    for board in 0..1000 {
        let start = standard(board);
        let pieces = start.pieces(Player::First) | start.pieces(Player::Second);
        assert_eq!(start.obstacles().len(), 5);
        assert!((start.obstacles() & pieces).is_empty());
        assert_eq!(standard(board), start);
        assert!(!cuts_off_a_square(&start), "board {board}");
        drawn.insert(start.obstacles().0);
        ever |= start.obstacles();
    }
    assert!(drawn.len() > 980, "boards differ");
    assert_eq!(ever.len(), 28, "every empty square comes up");
}

/// Whether a lone piece could not reach every free square.
fn cuts_off_a_square(start: &Takeover) -> bool {
    let open = start.empty() | start.pieces(Player::First) | start.pieces(Player::Second);
    let mut reached = SquareSet::from(Square::new(0, 5));
    loop {
        let steps = reached.grown();
        let jumps = reached.iter().map(|from| start.jumps(from));
        let next = (jumps.fold(steps, |all, jumps| all | jumps) | reached) & open;
        if next == reached {
            return reached != open;
        }
        reached = next;
    }
}

#[test]
fn r3_a_duplicate_appears_beside_a_piece() {
    check_after("6/6/2x3/6/6/5o x 3 1", "d5", "6/3x2/2x3/6/6/5o o 0 1");
    let text = "6/6/2x3/6/6/5o x 3 1";
    let duplicates = position(text).legal_moves();
    let duplicates = duplicates.iter().map(ToString::to_string);
    let duplicates: Vec<_> = duplicates.filter(|m| m.len() == 2).collect();
    assert_eq!(duplicates, ["b3", "c3", "d3", "b4", "d4", "b5", "c5", "d5"]);
}

#[test]
fn r4_a_jump_goes_over_anything_but_an_obstacle() {
    check_after("6/6/6/6/6/x4o x 0 1", "a1c1", "6/6/6/6/6/2x2o o 1 1");
    check_after("6/6/6/6/6/xx3o x 0 1", "a1c1", "6/6/6/6/6/1xx2o o 1 1");
    check_after("6/6/6/6/o5/x4o x 0 1", "a1a3", "6/6/6/x5/x5/5o o 1 1");
    check_after("5o/6/6/o5/o5/x5 x 0 1", "a1c3", "5o/6/6/o1x3/o5/6 o 1 1");
    // Neither straight up over a2 nor aslant over b2.
    check("6/6/6/6/--4/x4o x 0 1", "b1 a1c1 a1b3 a1c2");
}

#[test]
fn r5_nothing_between_matters_to_a_knight() {
    check("6/6/6/2-3/1--3/x-3o x 0 1", "a2 a1a3 a1b3");
    check_after("6/6/6/6/6/x4o x 0 1", "a1b3", "6/6/6/1x4/6/5o o 1 1");
}

#[test]
fn r6_nothing_lands_on_a_piece_or_an_obstacle() {
    check("6/6/6/o-o3/xo-3/x-o2o x 0 1", "a2a4 a2b4");
}

#[test]
fn r7_enemies_around_the_destination_turn() {
    // The one beside the origin, at f1, does not.
    check_after(
        "5o/6/1ooo2/1o1o2/1ooox1/5o x 0 5",
        "e2c3",
        "5o/6/1xxx2/1xxx2/1xxx2/5o o 1 5",
    );
    check_after("6/6/6/6/6/x1o3 x 4 5", "b1", "6/6/6/6/6/xxx3 o 0 5");
}

#[test]
fn r8_on_a_full_board_most_pieces_win() {
    // This comes before R9, by which x would lose.
    check_outcome(
        "xxxxxx/xxxxxx/xxxx--/ooo---/oooooo/oooooo x 0 40",
        FIRST_WINS,
    );
    check_outcome(
        "xxxxxx/xxxxxx/xxx---/oooo--/oooooo/oooooo o 0 40",
        SECOND_WINS,
    );
    // Only without the five obstacles can it be a tie.
    check_outcome("xxxxxx/xxxxxx/xxxxxx/oooooo/oooooo/oooooo x 0 40", DRAW);
}

#[test]
fn r9_who_can_not_move_loses_whatever_the_count() {
    check_outcome(
        "xxxxxx/xxxxxx/xxxxxx/xxxooo/xxxooo/xxxoo1 x 0 40",
        SECOND_WINS,
    );
    check_outcome("xxxxxx/xxxxxx/xxxxxx/xxxooo/xxxooo/xxxoo1 o 0 40", None);
    check_outcome("6/6/6/6/6/5o x 0 9", SECOND_WINS);
}

#[test]
fn r10_a_third_occurrence_draws_whatever_the_counters() {
    let mut record = Record::from_position(position("xx4/xx4/6/6/4oo/4oo x 0 1"));
    let shuffle = ["a5a3", "f2f4", "a3a5", "f4f2"];
    for m in shuffle.into_iter().cycle().take(7) {
        record.play(m.parse().unwrap()).unwrap();
        assert_eq!(record.ending(), None);
    }
    record.play("f4f2".parse().unwrap()).unwrap();
    let ending = record.ending().unwrap();
    assert_eq!(
        (ending.outcome, ending.reason),
        (Outcome::Draw, Reason::Repetition)
    );
}

#[test]
fn r10_the_player_to_move_is_part_of_a_position() {
    // The piece of x goes round a triangle while that of o goes there and back.
    let mut record = Record::from_position(position("5o/6/6/6/6/x5 x 0 1"));
    let round = ["a1c1", "f6f4", "c1b3", "f4f6", "b3a1"];
    for m in round {
        record.play(m.parse().unwrap()).unwrap();
    }
    assert_eq!(record.position().to_string(), "5o/6/6/6/6/x5 o 5 3");
    assert_eq!(record.n_occurrences(), 1);
}

#[test]
fn r10_a_hundred_moves_without_a_duplication_draw() {
    let near = "xx4/xx4/6/6/4oo/4oo x 99 60";
    check_outcome(near, None);
    check_after(near, "c4", "xx4/xx4/2x3/6/4oo/4oo o 0 60");
    check_after(near, "a5a3", "xx4/1x4/6/x5/4oo/4oo o 100 60");
    check_outcome("xx4/1x4/6/x5/4oo/4oo o 100 60", DRAW);
    // The hundredth move may still win.
    check_after("6/6/6/6/6/x1o3 x 99 60", "a1c2", "6/6/6/6/2x3/2x3 o 100 60");
    check_outcome("6/6/6/6/2x3/2x3 o 100 60", FIRST_WINS);
}

#[test]
fn r11_ataxx_begins_with_two_pieces_each() {
    let variant = Variant::Ataxx;
    let start = Takeover::start(&Setup { variant, board: 0 }).unwrap();
    assert_eq!(start.to_string(), "x5o/7/7/7/7/7/o5x x 0 1");
}

#[test]
fn r11_numbered_boards_of_ataxx_look_the_same_from_all_sides() {
    let mirror = |square: Square| {
        let (file, rank) = (square.file(), square.rank());
        [Square::new(6 - file, rank), Square::new(file, 6 - rank)]
    };
    for board in 1..200 {
        let variant = Variant::Ataxx;
        let start = Takeover::start(&Setup { variant, board }).unwrap();
        assert!(!start.obstacles().is_empty());
        for square in start.obstacles().iter().flat_map(mirror) {
            assert!(start.obstacles().contains(square), "{start}");
        }
    }
}

#[test]
fn r11_obstacles_never_block_a_jump() {
    check("7/7/7/7/7/--5/x-4o x 0 1", "a1a3 a1c1 a1c3 a1b3 a1c2");
}

#[test]
fn r11_who_can_not_move_passes_while_the_other_can() {
    let text = "7/7/7/7/---4/---4/x--3o x 0 1";
    check(text, "0000");
    check_after(text, "0000", "7/7/7/7/---4/---4/x--3o o 1 1");
    assert!(!position("7/7/7/7/7/7/x5o x 0 1").is_legal("0000".parse().unwrap()));
}

#[test]
fn r11_most_pieces_win_when_it_ends() {
    // Neither can move.
    check_outcome(
        "x------/-------/-------/-------/-------/-------/------o x 0 1",
        DRAW,
    );
    check_outcome(
        "xx-----/-------/-------/-------/-------/-------/------o o 0 1",
        FIRST_WINS,
    );
    // A side has no piece.
    check_outcome("7/7/7/7/7/7/x6 o 0 1", FIRST_WINS);
    check_outcome("7/7/7/7/7/7/o6 o 0 1", SECOND_WINS);
    // The board is full.
    check_outcome(
        "xxxxxxx/xxxxxxx/xxxxxxx/xxxxooo/ooooooo/ooooooo/ooooooo x 0 40",
        FIRST_WINS,
    );
}

#[test]
fn r11_a_hundred_plies_without_a_duplication_draw() {
    check_outcome("x5o/7/7/7/7/7/o5x x 99 60", None);
    check_outcome("x5o/7/7/7/7/7/o5x x 100 60", DRAW);
}
