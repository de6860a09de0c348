//! A test for every numbered rule of `docs/rules/simply-go.md`.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use rules::{Game, MatchSetup, Outcome, Player, Position};
use simply_go::{Mode, Move, Point, SIZES, Setup, SimplyGo};

#[track_caller]
fn position(text: &str) -> SimplyGo {
    text.parse().unwrap()
}

fn start(size: u8, mode: Mode) -> SimplyGo {
    SimplyGo::start(&Setup { size, mode }).unwrap()
}

/// The position after the given moves on a board of 9.
#[track_caller]
fn after(moves: &str) -> SimplyGo {
    let mut position = start(9, Mode::Moves(100));
    play(&mut position, moves);
    position
}

#[track_caller]
fn play(position: &mut SimplyGo, moves: &str) {
    for m in moves.split_whitespace() {
        position.play(m.parse().unwrap()).unwrap();
    }
}

fn point(text: &str) -> Point {
    text.parse().unwrap()
}

fn captures(position: &SimplyGo) -> (u16, u16) {
    (
        position.n_captures(Player::First),
        position.n_captures(Player::Second),
    )
}

/// The points of the forts of `player`.
fn forts(position: &SimplyGo, player: Player) -> Vec<String> {
    let points = position.forts(player).iter();
    points.map(|point| point.to_string()).collect()
}

fn is_legal(position: &SimplyGo, m: &str) -> bool {
    position.is_legal(m.parse().unwrap())
}

#[test]
fn r1_boards_of_five_sizes() {
    assert_eq!(SIZES, [9, 13, 19, 25, 48]);
    for size in SIZES {
        let start = start(size, Mode::default());
        let n_points = usize::from(size) * usize::from(size);
        assert_eq!(start.n_legal_moves(), n_points + 1);
        assert_eq!(start.turn(), Player::First);
    }
    assert_eq!(Setup::default().size, 19);
    assert!(Setup::default().set("size", "11").is_err());
    let neighbors = |text, size| point(text).neighbors(size).count();
    assert_eq!(
        [
            neighbors("A1", 9),
            neighbors("A2", 9),
            neighbors("B2", 9),
            neighbors("I9", 9)
        ],
        [2, 3, 4, 2]
    );
    assert!(point("I5").is_on_rim(9) && !point("I5").is_on_rim(13));
}

#[test]
fn r2_a_stone_on_an_empty_point_or_a_pass() {
    let position = after("E5");
    assert!(!is_legal(&position, "E5"));
    assert!(is_legal(&position, "E6"));
    assert!(is_legal(&position, "pass"));
    assert!(!is_legal(&position, "K1"), "not on this board");
    // Surrounded by the enemy, and allowed: this one is taken, since it takes
    // nothing itself.
    let suicide = after("A2 I9 C1 H9 B2 A1 E5 B1 E6");
    assert_eq!(captures(&suicide), (2, 0));
}

#[test]
fn r3_no_stone_inside_a_fort() {
    let captured = after("A2 A1 B1");
    for m in ["A1", "pass"] {
        let mut position = captured.clone();
        assert_eq!(position.play(m.parse().unwrap()).is_ok(), m == "pass");
    }
    // Nor for its owner.
    let mut position = captured;
    play(&mut position, "E5");
    assert!(!is_legal(&position, "A1"));
}

#[test]
fn r4_stones_that_can_not_reach_the_rim_are_captured() {
    // Two stones take a lone corner stone, three one on the edge, four one in
    // the middle.
    assert_eq!(captures(&after("A2 A1 B1")), (1, 0));
    assert_eq!(captures(&after("C1 D1 D2 I9 E1")), (1, 0));
    assert_eq!(captures(&after("D5 E5 F5 I9 E4 I8 E6")), (1, 0));
    assert_eq!(captures(&after("D5 E5 F5 I9 E4 I8")), (0, 0));
    assert_eq!(
        after("A2 A1 B1").to_string(),
        "9/9/9/9/9/9/9/b8/Bb7 w 1:0 3 0 moves:100"
    );
}

#[test]
fn r4_walls_need_only_diagonal_contact() {
    // Two white stones and an empty point inside a diamond of black ones.
    let before = "9/4b4/3b1b3/2b1w1b2/3bw1b2/4bb3/9/9/8w";
    let mut position = position(&format!("{before} b 0:0 22 0 moves:100"));
    play(&mut position, "A9");
    assert_eq!(captures(&position), (2, 0));
    // With a gap at E8 they reach the rim.
    let open = before.replace("4b4/3b1b3", "9/3b1b3");
    let mut position = self::position(&format!("{open} b 0:0 22 0 moves:100"));
    play(&mut position, "A9");
    assert_eq!(captures(&position), (0, 0));
}

#[test]
fn r4_an_empty_point_of_the_rim_saves_an_area() {
    // A1 and B1 are walled off, but B1 is empty.
    let position = after("A2 I9 B2 H9 C1 A1 E5");
    assert_eq!(captures(&position), (0, 0));
    // C1 does not help by being on the rim: it has no empty one.
    assert_eq!(captures(&after("B1 C1 D1 I9 C2")), (1, 0));
}

#[test]
fn r5_filling_the_own_last_exit_costs_the_area_later() {
    let mut position = after("A2 I9 B2 H9 C1 A1 E5 B1");
    assert_eq!(
        captures(&position),
        (0, 0),
        "white is not tested on its own move"
    );
    play(&mut position, "pass G9");
    assert_eq!(captures(&position), (0, 0), "a pass tests nothing");
    play(&mut position, "E6");
    assert_eq!(captures(&position), (2, 0), "any placement does");
    assert_eq!(forts(&position, Player::First), ["A1", "B1"]);
}

#[test]
fn r6_the_captured_area_becomes_a_fort() {
    // Its empty points as well: E5, F5 and F6 with a stone on E5 and one on F6.
    let before = "9/9/4bb3/3bww3/3bw1b2/4bb3/9/9/8w";
    let mut position = position(&format!("{before} b 0:0 22 0 moves:100"));
    play(&mut position, "G6");
    assert_eq!(captures(&position), (3, 0));
    assert_eq!(forts(&position, Player::First), ["E5", "F5", "E6", "F6"]);
}

#[test]
fn r6_an_empty_region_between_own_stones_becomes_a_fort() {
    // A single point.
    let eye = after("D5 A9 F5 I9 E4 I8 E6");
    assert_eq!(forts(&eye, Player::First), ["E5"]);
    assert_eq!(captures(&eye), (0, 0));
    // Not one that touches an enemy, nor one with a point of the rim.
    assert_eq!(forts(&after("A2 I9 B1"), Player::First), [""; 0]);
    let touching = after("D5 E4 F5 I9 D4 I8 F4 A9 E3 B9 E6");
    assert_eq!(captures(&touching), (1, 0));
    let enemy_wall = after("D5 E4 F5 I9 E6");
    assert_eq!(forts(&enemy_wall, Player::First), [""; 0]);
    // The last touch of the enemy may be just where the wall is closed.
    let closing = after("C5 F5 D4 I9 E4 I8 D6 A9 E6 B9 E5");
    assert_eq!(forts(&closing, Player::First), ["D5"]);
}

#[test]
fn r7_a_captured_rim_area_keeps_its_wall_alive() {
    // The fort at A1 is an empty point of the rim for ever.
    let mut position = after("A2 A1 B1");
    play(&mut position, "A3 E5 B2 E6 C1 E7 I9");
    assert_eq!(captures(&position), (1, 0));
}

#[test]
fn r7_a_swallowed_fort_passes_to_the_captor() {
    let mut position = after("C2 A3 C4 B2 B3 B4 D3 E3 H8 D2 H7 D4 H6 C1 G8");
    assert_eq!(forts(&position, Player::First), ["C3"]);
    play(&mut position, "C5");
    assert_eq!(captures(&position), (0, 4));
    assert_eq!(forts(&position, Player::First), [""; 0]);
    assert_eq!(
        forts(&position, Player::Second),
        ["C2", "B3", "C3", "D3", "C4"]
    );
}

const EMPTY: &str = "9/9/9/9/9/9/9/9/9";

#[test]
fn r8_after_the_agreed_moves_most_captures_win() {
    for (score, outcome) in [
        ("2:1", Outcome::Win(Player::First)),
        ("1:2", Outcome::Win(Player::Second)),
        ("1:1", Outcome::Draw),
    ] {
        let mut position = position(&format!("{EMPTY} b {score} 38 0 moves:40"));
        play(&mut position, "A1");
        assert_eq!(position.outcome(), None);
        play(&mut position, "pass");
        assert_eq!(position.outcome(), Some(outcome));
        assert_eq!(position.legal_moves(), []);
    }
}

#[test]
fn r8_who_captures_the_target_wins_at_once() {
    let mut position = position("9/9/9/9/9/9/9/b8/w8 b 9:3 30 0 target:10");
    play(&mut position, "B1");
    assert_eq!(position.outcome(), Some(Outcome::Win(Player::First)));
    assert_eq!(position.legal_moves(), []);
}

#[test]
fn r8_small_boards_offer_short_modes() {
    for size in SIZES {
        let offered = |mode| SimplyGo::start(&Setup { size, mode }).is_ok();
        for mode in [
            Mode::Moves(100),
            Mode::Moves(200),
            Mode::Moves(500),
            Mode::Target(10),
            Mode::Target(25),
            Mode::Target(50),
        ] {
            assert!(offered(mode));
        }
        assert_eq!(offered(Mode::Moves(40)), size <= 13);
        assert_eq!(offered(Mode::Target(5)), size <= 13);
        assert!(!offered(Mode::Moves(41)));
    }
    assert_eq!(Setup::default().mode, Mode::Moves(200));
}

#[test]
fn r9_two_passes_end_either_mode() {
    for mode in [Mode::Moves(200), Mode::Target(25)] {
        let mut position = start(19, mode);
        play(&mut position, "pass");
        assert_eq!(position.outcome(), None);
        play(&mut position, "pass");
        assert_eq!(position.outcome(), Some(Outcome::Draw));
        assert_eq!(position.legal_moves(), [] as [Move; 0]);
    }
    let mut captured = after("A2 A1 B1 pass pass");
    assert_eq!(captured.outcome(), Some(Outcome::Win(Player::First)));
    assert!(captured.play(Move::Pass).is_err());
}

#[test]
fn r9_equal_captures_are_decided_by_forts() {
    let eye = after("D5 A9 F5 I9 E4 I8 E6 pass pass");
    assert_eq!(captures(&eye), (0, 0));
    assert_eq!(eye.outcome(), Some(Outcome::Win(Player::First)));
}
