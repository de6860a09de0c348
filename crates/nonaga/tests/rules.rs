//! A test for every numbered rule of `docs/rules/nonaga.md`.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;

use nonaga::{Hex, Move, Nonaga, Phase, Setup, Variant};
use rules::{Game, Outcome, Player, Position, Random, Record, record::Reason};

/// The tiles of a new match.
const HEXAGON: &str = "-2,0;-2,1;-2,2;-1,-1;-1,0;-1,1;-1,2;0,-2;0,-1;0,0;0,1;0,2;1,-2;1,-1;1,0;\
                       1,1;2,-2;2,-1;2,0";

/// Two hexagons of seven tiles, joined by the tiles 2,0 and 3,0, with three more
/// at the left end.
const DUMBBELL: &str = "-2,0;-2,1;-2,2;-1,0;-1,1;0,-1;0,0;0,1;1,-1;1,0;2,0;3,0;4,0;4,1;5,-1;5,0;\
                        5,1;6,-1;6,0";

#[track_caller]
fn position(text: &str) -> Nonaga {
    text.parse().unwrap()
}

fn start(variant: Variant) -> Nonaga {
    Nonaga::start(&Setup { variant }).unwrap()
}

fn moves(position: &Nonaga) -> BTreeSet<String> {
    let moves = position.legal_moves();
    moves.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    testkit::check_moves::<Nonaga>(text, expected);
}

/// Checks that exactly the tiles `expected` may be shifted in the position
/// `text`.
#[track_caller]
fn check_lifts(text: &str, expected: &str) {
    let lifted: BTreeSet<_> = lifted(&position(text)).collect();
    let expected = expected.split_whitespace().map(|hex| hex.parse().unwrap());
    assert_eq!(lifted, expected.collect::<BTreeSet<Hex>>());
}

fn lifted(position: &Nonaga) -> impl Iterator<Item = Hex> {
    let shifts = position.legal_moves().into_iter();
    shifts.filter_map(|m| match m {
        Move::Shift { from, .. } => Some(from),
        _ => None,
    })
}

/// Where the tile on `tile` may be put.
fn places(position: &Nonaga, tile: &str) -> BTreeSet<String> {
    let prefix = format!("#{tile}>");
    let moves = moves(position).into_iter();
    moves
        .filter_map(|m| Some(m.strip_prefix(&prefix)?.to_owned()))
        .collect()
}

#[track_caller]
fn play(position: &mut Nonaga, moves: &str) {
    for m in moves.split_whitespace() {
        position.play(m.parse().unwrap()).unwrap();
    }
}

#[test]
fn r1_six_directions() {
    let neighbors = Hex::new(3, -1).neighbors().map(|hex| hex.to_string());
    assert_eq!(neighbors, ["4,-1", "4,-2", "3,-2", "2,-1", "2,0", "3,0"]);
}

#[test]
fn r2_nineteen_tiles_and_three_pieces_each() {
    let pieces = "-2,0;0,2;2,-2 -2,2;0,-2;2,0 first slide";
    assert_eq!(
        start(Variant::Standard).to_string(),
        format!("{HEXAGON} {pieces}")
    );
    assert_eq!(
        start(Variant::Published).to_string(),
        format!("{HEXAGON} {pieces} -")
    );
}

#[test]
fn r3_a_piece_slides_as_far_as_it_goes() {
    // The three pieces alternate with the enemy's round the hexagon.
    check(
        &start(Variant::Standard).to_string(),
        "-2,0>1,0 -2,0>-1,-1 -2,0>-2,1 0,2>1,1 0,2>0,-1 0,2>-1,2 2,-2>1,-2 2,-2>-1,1 2,-2>2,-1",
    );
    // To the edge of the board, and before a piece of either side; a piece that
    // is stopped at once does not move.
    check(
        &format!("{HEXAGON} -2,0;-2,1;2,0 -2,2;-1,-1;1,0 first slide"),
        "-2,0>0,0 -2,1>1,1 -2,1>1,-2 2,0>2,-2 2,0>0,2",
    );
}

#[test]
fn r4_connected_pieces_win_at_once() {
    // A line, a V and a triangle.
    for (pieces, slide, connected) in [
        ("-2,0;0,0;1,0", "-2,0>-1,0", "-1,0;0,0;1,0"),
        ("-2,2;0,0;1,-1", "-2,2>-1,1", "-1,1;0,0;1,-1"),
        ("-2,1;0,0;1,-2", "1,-2>-1,0", "-2,1;-1,0;0,0"),
        ("-1,0;0,0;1,-2", "1,-2>0,-1", "-1,0;0,-1;0,0"),
    ] {
        let enemy = "-1,2;0,-2;2,0";
        let mut won = position(&format!("{HEXAGON} {pieces} {enemy} first slide"));
        play(&mut won, slide);
        assert_eq!(won.outcome(), Some(Outcome::Win(Player::First)), "{won}");
        assert_eq!(won.legal_moves(), []);
        assert_eq!(
            won.to_string(),
            format!("{HEXAGON} {connected} {enemy} first shift")
        );
    }
}

#[test]
fn r4_one_pair_is_not_enough_and_the_mover_alone_is_tested() {
    let mut one_pair = position(&format!(
        "{HEXAGON} -2,0;0,0;2,-1 -1,2;0,-2;2,0 first slide"
    ));
    play(&mut one_pair, "-2,0>-1,0");
    assert_eq!(one_pair.outcome(), None);

    let mut enemy = position(&format!("{HEXAGON} -2,0;0,0;2,-1 -1,2;0,2;1,1 first slide"));
    play(&mut enemy, "-2,0>-1,0");
    assert_eq!(enemy.outcome(), None);
}

#[test]
fn r5_a_tile_without_a_piece_that_leaves_the_others_connected() {
    // All tiles of the hexagon, the interior ones as well, but not those with a
    // piece on them.
    check_lifts(
        &format!("{HEXAGON} -2,1;0,2;2,-2 -2,2;0,-2;2,0 first shift"),
        "-2,0 -1,-1 -1,0 -1,1 -1,2 0,-1 0,0 0,1 1,-2 1,-1 1,0 1,1 2,-1",
    );
    // None of the four tiles that hold the dumbbell together.
    check_lifts(
        &format!("{DUMBBELL} -2,0;0,0;5,0 -2,2;0,1;6,0 first shift"),
        "-2,1 -1,0 -1,1 0,-1 1,-1 4,1 5,-1 5,1 6,-1",
    );
}

#[test]
fn r5_a_place_that_touches_two_of_the_others() {
    let shift = position(&format!(
        "{HEXAGON} -2,1;0,2;2,-2 -2,2;0,-2;2,0 first shift"
    ));
    // The twelve places between two tiles of the rim. Those beyond a corner
    // touch one tile only.
    let around = [
        "-3,1", "-3,2", "-2,-1", "-2,3", "-1,-2", "-1,3", "1,-3", "1,2", "2,-3", "2,1", "3,-2",
        "3,-1",
    ];
    let all = BTreeSet::from(around.map(str::to_owned));
    assert_eq!(places(&shift, "0,0"), all);
    // Without the tile itself, the places beside it touch one tile less.
    let without = |gone: [&str; 2]| {
        let mut places = all.clone();
        for place in gone {
            assert!(places.remove(place));
        }
        places
    };
    assert_eq!(places(&shift, "-1,2"), without(["-2,3", "-1,3"]));
    assert_eq!(places(&shift, "-2,0"), without(["-3,1", "-2,-1"]));
}

#[test]
fn r5_a_hole_counts_and_the_old_place_does_not() {
    let mut hole = position(&format!(
        "{HEXAGON} -2,1;0,2;2,-2 -2,2;0,-2;2,0 first shift"
    ));
    play(&mut hole, "#0,0>3,-2 2,0>2,-1");
    assert!(places(&hole, "-2,0").contains("0,0"));
    assert!(places(&hole, "3,-2").contains("0,0"));
    assert!(!places(&hole, "3,-2").contains("3,-2"));
    // The tiles round the hole are connected both ways round it.
    assert!(hole.tiles().may_lift(Hex::new(1, 0)));
}

#[test]
fn r5_the_board_may_drift_anywhere() {
    for variant in [Variant::Standard, Variant::Published] {
        for (q, r) in [(1, 0), (-1, 0), (0, 1), (1, -1), (-1, 1), (-1, -1)] {
            drift(start(variant), |hex| q * hex.q + r * hex.r);
        }
    }
}

/// Shifts tiles as far along as it goes, and checks the positions on the way.
fn drift(mut position: Nonaga, along: impl Fn(Hex) -> i32) {
    let mut random = Random::new(9);
    for _ in 0..1500 {
        let moves = position.legal_moves();
        // Wins would end the drift, so they are skipped.
        let goes_on = |m: &&Move| position.after(**m).outcome().is_none();
        let going: Vec<_> = moves.iter().filter(goes_on).collect();
        let m = match position.phase() {
            Phase::Slide => **random.pick(&going).unwrap(),
            Phase::Shift => **going
                .iter()
                .max_by_key(|m| match m {
                    Move::Shift { from, to } => along(*to) - along(*from),
                    _ => 0,
                })
                .unwrap(),
        };
        position.play_unchecked(m);
        let read: Nonaga = position.to_string().parse().unwrap();
        assert_eq!(read, position);
        assert_eq!(read.key(), position.key());
        assert_eq!(read.legal_moves(), position.legal_moves());
    }
    let farthest = position.tiles().iter().map(&along).max();
    assert!(farthest > Some(30), "{position}");
}

#[test]
fn r5_the_plane_ends_where_numbers_do() {
    // The hexagon a thousand million cells away.
    let moved = |text: &str| -> String {
        let hexes = text.split(';').map(|hex| hex.parse::<Hex>().unwrap());
        let far = hexes.map(|hex| (hex + Hex::new(1_000_000_000 - 2, 0)).to_string());
        far.collect::<Vec<_>>().join(";")
    };
    let far = format!(
        "{} {} {} first shift",
        moved(HEXAGON),
        moved("-2,1;0,2;2,-2"),
        moved("-2,2;0,-2;2,0")
    );
    let near = format!("{HEXAGON} -2,1;0,2;2,-2 -2,2;0,-2;2,0 first shift");
    let (far, near) = (position(&far), position(&near));
    assert!(far.legal_moves().len() < near.legal_moves().len());
    assert_eq!(far.n_legal_moves(), far.legal_moves().len());
    for m in far.legal_moves() {
        assert_eq!(m.to_string().parse(), Ok(m));
        let after = far.after(m);
        assert_eq!(after.to_string().parse(), Ok(after));
    }
}

#[test]
fn r6_who_can_not_slide_goes_on_to_the_shift() {
    // All six pieces stand side by side at the end of a line of tiles.
    let mut stuck = position(&format!("{} 0,0;2,0;4,0 1,0;3,0;5,0 first slide", line()));
    assert_eq!(moves(&stuck), BTreeSet::from(["pass".to_owned()]));
    play(&mut stuck, "pass");
    assert_eq!((stuck.turn(), stuck.phase()), (Player::First, Phase::Shift));
    assert!(!moves(&stuck).contains("pass"));
    assert!(lifted(&stuck).all(|tile| tile == Hex::new(18, 0)));
}

#[test]
fn r6_who_can_not_shift_ends_the_turn() {
    // A line of tiles with pieces on both ends.
    let mut stuck = position(&format!("{} 0,0;7,0;12,0 4,0;9,0;18,0 first shift", line()));
    assert_eq!(moves(&stuck), BTreeSet::from(["pass".to_owned()]));
    play(&mut stuck, "pass");
    assert_eq!(
        (stuck.turn(), stuck.phase()),
        (Player::Second, Phase::Slide)
    );
}

fn line() -> String {
    let tiles: Vec<_> = (0..19).map(|q| format!("{q},0")).collect();
    tiles.join(";")
}

#[test]
fn r6_neither_can_be_skipped_while_it_is_possible() {
    let mut position = start(Variant::Standard);
    assert!(!moves(&position).contains("pass"));
    play(&mut position, "-2,0>-2,1");
    assert!(!moves(&position).contains("pass"));
}

#[test]
fn r7_a_third_occurrence_draws() {
    let there_and_back = "-2,0>-2,1 #-1,2>-3,1 2,0>2,-1 #1,-2>3,-2 \
                          -2,1>-2,0 #-3,1>-1,2 2,-1>2,0 #3,-2>1,-2";
    // The barred tile of `published` is not part of R7's "same position".
    for variant in [Variant::Standard, Variant::Published] {
        let mut record = Record::<Nonaga>::new(Setup { variant }).unwrap();
        for _ in 0..2 {
            for m in there_and_back.split_whitespace() {
                assert_eq!(record.ending(), None);
                record.play(m.parse().unwrap()).unwrap();
            }
        }
        let ending = record.ending().unwrap();
        assert_eq!(
            (ending.outcome, ending.reason),
            (Outcome::Draw, Reason::Repetition)
        );
    }
}

#[test]
fn r7_player_and_phase_are_part_of_a_position() {
    let board = format!("{HEXAGON} -2,1;0,2;2,-2 -2,2;0,-2;2,0");
    let keys: BTreeSet<_> = ["first slide", "first shift", "second slide", "second shift"]
        .iter()
        .map(|end| position(&format!("{board} {end}")).repetition_key())
        .collect();
    assert_eq!(keys.len(), 4);
}

#[test]
fn r8_published_only_tiles_that_can_be_drawn_out() {
    // None of the interior, whose neighbors are all tiles.
    check_lifts(
        &format!("{HEXAGON} -2,1;0,2;2,-2 -2,2;0,-2;2,0 first shift -"),
        "-2,0 -1,-1 -1,2 1,-2 1,1 2,-1",
    );
    // With a hole at 0,0 the tiles round it have one free side there, which is
    // not enough.
    let tiles = HEXAGON.replace("0,-1;0,0;0,1", "0,-1;0,1") + ";3,-2";
    check_lifts(
        &format!("{tiles} -2,1;0,2;2,-2 -2,2;0,-2;2,0 first shift -"),
        "-2,0 -1,-1 -1,2 1,-2 1,1 3,-2",
    );
}

#[test]
fn r9_published_not_the_tile_the_opponent_shifted() {
    let mut position = start(Variant::Published);
    play(&mut position, "-2,0>-2,1 #-1,2>-3,1");
    assert_eq!(position.barred(), Some(Hex::new(-3, 1)));
    play(&mut position, "2,0>2,-1");
    assert!(lifted(&position).all(|tile| tile != Hex::new(-3, 1)));
    play(&mut position, "#1,-2>3,-2");
    assert_eq!(position.barred(), Some(Hex::new(3, -2)));
    // The first player's own tile is free again.
    play(&mut position, "-2,1>-2,0");
    assert!(lifted(&position).any(|tile| tile == Hex::new(-3, 1)));
}
