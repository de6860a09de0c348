use rules::Random;
use simply_go::{Move, Point, SimplyGo};

use super::{Veto, View, choose, select};
use crate::simply_go::drawing::drawn;

const EMPTY: &str = "
    .........
    .........
    .........
    .........
    .........
    .........
    .........
    .........
    .........";

/// A black stone in the corner that one more white stone captures.
const CORNER: &str = "
    .........
    .........
    .........
    .........
    .........
    .........
    .........
    w........
    b........";

/// Black to move.
fn black(rows: &str) -> SimplyGo {
    drawn(rows, "b 0:0 40 0 moves:200")
}

fn point(text: &str) -> Point {
    text.parse().unwrap()
}

/// Checks the factor with the given number, from 1, of each point.
#[track_caller]
fn check_factor(rows: &str, number: usize, expected: &[(&str, f64)]) {
    let position = black(rows);
    let view = View::new(&position);
    for &(name, worth) in expected {
        let factors = view.factors(point(name));
        assert_eq!(
            factors[number - 1],
            worth,
            "factor {number} of {name}: {factors:?}"
        );
    }
}

#[track_caller]
fn check_veto(rows: &str, expected: &[(&str, Option<Veto>)]) {
    let position = black(rows);
    let view = View::new(&position);
    for &(name, veto) in expected {
        assert_eq!(view.veto(point(name)), veto, "{name}");
    }
}

/// Checks whether a stone on `name` is in a danger zone, and that its area has
/// `n_exits` then.
#[track_caller]
fn check_danger(rows: &str, name: &str, n_exits: u32, expected: bool) {
    let position = black(rows);
    let view = View::new(&position);
    let at = point(name);
    let area = view.own_areas.of(at).unwrap();
    assert_eq!(area.n_exits - u32::from(at.is_on_rim(9)), n_exits);
    assert_eq!(
        view.is_in_danger_zone(at, None),
        expected,
        "{} %",
        area.wall_percent()
    );
}

#[test]
fn strategic_position_is_best_in_the_middle() {
    check_factor(
        EMPTY,
        1,
        &[
            ("E5", 1.0),
            ("C5", 0.5),
            ("C4", 0.5),
            ("A5", 0.0),
            ("I9", 0.0),
        ],
    );
}

#[test]
fn liberties_are_five_for_each_empty_neighbor() {
    check_factor(EMPTY, 2, &[("E5", 20.0), ("A5", 15.0), ("A1", 10.0)]);
    check_factor(CORNER, 2, &[("B1", 10.0), ("A3", 10.0), ("B2", 15.0)]);
}

#[test]
fn connection_counts_own_stones_one_and_two_steps_away() {
    let rows = "
        .........
        .........
        .........
        .........
        ..b.b....
        ...w.....
        .........
        .........
        .........";
    check_factor(
        rows,
        3,
        &[
            ("D5", 20.0),
            ("E6", 10.0),
            ("F6", 2.0),
            ("D6", 4.0),
            ("H5", 0.0),
        ],
    );
}

#[test]
fn territory_control_is_the_share_of_own_stones_around() {
    let rows = "
        .........
        .........
        .........
        .........
        ....b....
        ...w.....
        .........
        .........
        .........";
    check_factor(
        rows,
        4,
        &[
            ("E6", 15.0),
            ("G6", 30.0),
            ("C3", 15.0),
            ("B3", 0.0),
            ("I9", 0.0),
        ],
    );
}

#[test]
fn capture_counts_stones_and_the_fort() {
    let corner = "
        .........
        .........
        .........
        .........
        .........
        .........
        .........
        b........
        w........";
    // 50 for the stone, 200 for the fort, 5 for its point.
    check_factor(corner, 5, &[("B1", 255.0), ("B2", 0.0)]);
    let eye = "
        .........
        .........
        .........
        ....b....
        ...b.b...
        .........
        .........
        .........
        .........";
    check_factor(eye, 5, &[("E4", 205.0), ("E5", 0.0)]);
}

#[test]
fn encirclement_progress_counts_exits_taken() {
    let lone = "
        .........
        .........
        .........
        .........
        ....w....
        .........
        .........
        .........
        .........";
    check_factor(lone, 6, &[("A5", 40.0), ("E6", 0.0)]);
    // All of 30 exits are lost, and so three or fewer are left.
    let corner = "
        .........
        .........
        .........
        .........
        .........
        .........
        .........
        b........
        w........";
    check_factor(corner, 6, &[("B1", 335.0)]);
}

/// White's stone on A3 shuts two points in, but three black ones capture it.
const SHUT_IN: &str = "
    .........
    .........
    .........
    .........
    .........
    b........
    wb.......
    .w.......
    bw.......";

#[test]
fn encirclement_block_rewards_a_way_out() {
    // 28 of 32 rim points are exits then.
    check_factor(SHUT_IN, 7, &[("A2", 30.0 + 5.0 * 28.0), ("E5", 0.0)]);
    // Without a stone on A4 nothing is captured.
    let hopeless = SHUT_IN.replacen('b', ".", 1);
    check_factor(&hopeless, 7, &[("A2", 0.0)]);
}

#[test]
fn urgent_defense_has_three_parts() {
    check_factor(SHUT_IN, 8, &[("A2", 50.0 + 100.0 + 80.0), ("E5", 0.0)]);
    let hopeless = SHUT_IN.replacen('b', ".", 1);
    check_factor(&hopeless, 8, &[("A2", 50.0 + 80.0)]);
    // B2 touches no wall.
    check_factor(POCKET, 8, &[("B2", 50.0), ("B3", 130.0)]);
}

#[test]
fn capture_blocking_is_where_the_opponent_would_capture() {
    check_factor(CORNER, 9, &[("B1", 180.0), ("B2", 0.0), ("A3", 0.0)]);
}

#[test]
fn the_score_is_the_weighted_sum() {
    let position = black(EMPTY);
    // In the middle of an empty board: 1 × 1 and 2 × 20.
    assert_eq!(View::new(&position).score(point("E5")), 41.0);
    let position = black(CORNER);
    let view = View::new(&position);
    // 2 × 10 liberties, 3 × 10 connection, 5 × 15 territory, and blocking.
    let progress = view.factors(point("B1"))[5];
    let expected = 20.0 + 30.0 + 75.0 + 15.0 * progress + 100.0 * 180.0;
    assert_eq!(view.score(point("B1")), expected);
}

#[test]
fn veto_1_is_a_fort_of_either_side() {
    let rows = "
        .........
        .........
        .........
        .b.....w.
        bBb...wWw
        .b.....w.
        .........
        .........
        .........";
    let fort = Some(Veto::Fort);
    check_veto(rows, &[("B5", fort), ("H5", fort), ("E5", None)]);
}

#[test]
fn veto_2_is_one_move_from_encirclement() {
    let veto = Some(Veto::OneMoveFromEncirclement);
    // Elsewhere the corner stays open to capture; a stone on B1 saves it.
    check_veto(CORNER, &[("E5", veto), ("B2", veto), ("B1", None)]);
}

/// The area in the corner has two exits and a wall share of one half.
const POCKET: &str = "
    .........
    .........
    .........
    .........
    .........
    www......
    ...w.....
    b..w.....
    bb.w.....";

/// The area on the edge has two exits and a wall share of 80 %.
const CHANNEL: &str = "
    .........
    .........
    .........
    .........
    .........
    ...ww....
    ..w..w...
    ..w..w...
    ..w..w...";

#[test]
fn veto_3_by_the_table() {
    // No exit is left.
    let dead_end = CHANNEL.replace("..w..w", "..ww.w");
    check_danger(&dead_end, "E1", 0, true);
    // One or two, and 60 % or more.
    check_danger(CHANNEL, "D3", 2, true);
    check_danger(CHANNEL, "D1", 1, true);
    check_danger(POCKET, "B2", 2, false);
    // Three or four, and as many gaps: D1 and F1 touch a wall, and E1 does if
    // there is a stone on E2.
    let wide = "
        .........
        .........
        .........
        .........
        .........
        ...www...
        ..w...w..
        ..w...w..
        ..w...w..";
    check_danger(wide, "E3", 3, false);
    let divided = "
        .........
        .........
        .........
        .........
        .........
        ...www...
        ..w...w..
        ..w.w.w..
        ..w...w..";
    check_danger(divided, "D3", 3, true);
    // Five or more.
    check_danger(EMPTY, "E5", 32, false);
}

#[test]
fn veto_3_is_told() {
    let veto = Some(Veto::DangerZone);
    check_veto(CHANNEL, &[("D3", veto), ("G5", None)]);
}

#[test]
fn those_within_two_of_the_best_are_chosen_from() {
    let scored = [(10.0, point("A1")), (8.0, point("B1")), (7.9, point("C1"))];
    let mut seen: Vec<Point> = (0..100)
        .map(|seed| select(&scored, &mut Random::new(seed)))
        .collect();
    seen.sort();
    seen.dedup();
    assert_eq!(seen, [point("A1"), point("B1")]);
}

/// White on E6 or on E7 captures the stone on E5, so every move is vetoed.
const DOOMED: &str = "
    .........
    .........
    ...w.w...
    ...w.w...
    ...wbw...
    ....w....
    .........
    .........
    .........";

#[test]
fn with_all_vetoed_it_passes_only_when_ahead() {
    let position = black(DOOMED);
    let view = View::new(&position);
    assert!(
        position
            .playable()
            .iter()
            .all(|point| view.veto(point).is_some())
    );

    let choice = |rest| choose(&drawn(DOOMED, rest), &mut Random::new(1));
    assert_eq!(choice("b 1:0 20 0 moves:200"), Move::Pass);
    assert_eq!(choice("b 0:0 20 0 moves:200"), Move::Place(point("E6")));
    assert_eq!(choice("b 0:1 20 0 moves:200"), Move::Place(point("E6")));
}

#[test]
fn it_passes_where_nothing_is_legal() {
    let full = EMPTY.replace('.', "W");
    let position = drawn(&full, "b 0:5 20 0 moves:200");
    assert_eq!(choose(&position, &mut Random::new(1)), Move::Pass);
}
