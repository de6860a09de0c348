//! What the engine and the levels of Simply Go find in hand-made positions.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    fmt::Write,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
};

use bots::{Bots, Level, Opponent, Request, think};
use rules::{Game, Outcome, Player, Position, Random, Record};
use search::{Limits, NoStop, Report, Stop, TranspositionTable};
use simply_go::{Mode, Move, Setup, SimplyGo};

/// The position with the given rows, from the top, and the rest of its text.
#[track_caller]
fn drawn(rows: &str, rest: &str) -> SimplyGo {
    let mut text = String::new();
    for row in rows.split_whitespace() {
        if !text.is_empty() {
            text.push('/');
        }
        let mut n_empty = 0;
        for spot in row.chars() {
            if spot == '.' {
                n_empty += 1;
                continue;
            }
            if n_empty > 0 {
                write!(text, "{n_empty}").unwrap();
                n_empty = 0;
            }
            text.push(spot);
        }
        if n_empty > 0 {
            write!(text, "{n_empty}").unwrap();
        }
    }
    let text = format!("{text} {rest}");
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn request<'a>(nodes: u64, table: &'a TranspositionTable, stop: &'a dyn Stop) -> Request<'a> {
    Request {
        opponent: Opponent::Engine,
        limits: Limits::nodes(nodes),
        seed: 1,
        n_threads: 1,
        n_lines: 1,
        table,
        stop,
    }
}

fn searched(position: &SimplyGo, nodes: u64) -> Report<Move> {
    let table = TranspositionTable::new(1);
    SimplyGo::search(position, &[], &request(nodes, &table, &NoStop), &mut |_| {}).unwrap()
}

fn best(position: &SimplyGo) -> String {
    searched(position, 3_000).best().unwrap().to_string()
}

/// The largest capture that the player to move can make.
fn n_capturable(position: &SimplyGo) -> u16 {
    let turn = position.turn();
    let captured = |&m: &Move| position.after(m).n_captures(turn) - position.n_captures(turn);
    position
        .legal_moves()
        .iter()
        .map(captured)
        .max()
        .unwrap_or(0)
}

#[test]
fn it_takes_the_larger_capture() {
    let position = drawn(
        "
        .........
        .........
        ..bb.....
        .bww.....
        ..bb.....
        .........
        .........
        b........
        w........",
        "b 0:0 40 0 moves:200",
    );
    assert_eq!(best(&position), "E6");
}

#[test]
fn it_saves_stones_that_are_about_to_be_captured() {
    let position = drawn(
        "
        .........
        .........
        ..ww.....
        .wbb.....
        ..ww.....
        .........
        .........
        .........
        .........",
        "b 0:0 40 0 moves:200",
    );
    assert_eq!(best(&position), "E6");
}

#[test]
fn it_saves_stones_by_capturing_what_encloses_them() {
    // On A2 the stones would be shut in, but A3 falls at once.
    let position = drawn(
        "
        .........
        .........
        .........
        .........
        .........
        b........
        wb.......
        .w.......
        bw.......",
        "b 0:0 40 0 moves:200",
    );
    assert_eq!(best(&position), "A2");
}

#[test]
fn it_makes_two_threats_at_once() {
    let position = drawn(
        "
        .........
        .........
        .........
        .........
        .........
        .........
        .........
        ..bbb....
        ..w.w....",
        "b 0:0 40 0 moves:200",
    );
    assert_eq!(n_capturable(&position), 0);
    let after = position.after(best(&position).parse().unwrap());
    for reply in after.legal_moves() {
        assert!(
            n_capturable(&after.after(reply)) > 0,
            "{reply} answers both"
        );
    }
}

#[test]
fn it_leaves_its_own_last_exits_open() {
    let position = drawn(
        "
        .........
        .........
        .........
        .........
        .........
        .........
        wwww.....
        bbbbw....
        .b.bw....",
        "b 0:0 40 0 moves:200",
    );
    let m = best(&position);
    assert!(!["A1", "C1"].contains(&&*m), "{m} fills an exit");
}

#[test]
fn the_last_move_is_the_one_that_wins() {
    // A1 alone would not be enough; the two stones in the middle are.
    let rows = "
        .........
        .........
        ..ww.....
        .wbb.....
        ..ww.....
        .........
        .........
        w........
        b........";
    let position = drawn(rows, "w 1:0 39 0 moves:40");
    let win = position.after(best(&position).parse().unwrap());
    assert_eq!(win.outcome(), Some(Outcome::Win(Player::Second)));
    // With one move left to the opponent, the larger loss is prevented.
    let position = drawn(rows, "b 0:0 38 0 moves:40");
    let after = position.after(best(&position).parse().unwrap());
    assert_eq!(
        n_capturable(&after),
        1,
        "the corner falls rather than two stones"
    );
}

#[test]
fn a_fort_on_the_last_move_breaks_the_tie() {
    let rows = "
        .........
        .........
        ....w....
        ...w.w...
        .........
        .........
        .b.b.b...
        bbb.bb...
        b.b.bb...";
    let position = drawn(rows, "w 0:0 39 0 moves:40");
    assert_eq!(best(&position), "E5");
}

#[test]
fn a_target_within_reach_is_reached() {
    let rows = "
        .........
        .........
        .........
        .........
        .........
        .........
        .........
        b........
        w........";
    let position = drawn(rows, "b 4:4 40 0 target:5");
    assert_eq!(best(&position), "B1");
    // White saves the stone, since it loses otherwise.
    let position = drawn(rows, "w 4:3 41 0 target:5");
    assert_eq!(best(&position), "B1");
}

/// A position in the middle of a match of random moves.
fn middle(size: u8, n_moves: u32) -> SimplyGo {
    let setup = Setup {
        size,
        mode: Mode::Moves(200),
    };
    let mut position = SimplyGo::start(&setup).unwrap();
    let mut random = Random::new(9);
    for _ in 0..n_moves {
        let moves = position.legal_moves();
        position.play(*random.pick(&moves).unwrap()).unwrap();
    }
    position
}

#[test]
fn the_same_request_gives_the_same_answer() {
    for size in [9, 19] {
        let position = middle(size, 50);
        assert_eq!(searched(&position, 2_000), searched(&position, 2_000));
    }
}

#[test]
fn as_many_lines_as_asked_for() {
    let position = middle(19, 40);
    let table = TranspositionTable::new(1);
    for (n_lines, least, most) in [(1, 1, 1), (3, 3, 3), (usize::MAX, 16, 100)] {
        let request = Request {
            n_lines,
            limits: Limits::depth(1),
            ..request(0, &table, &NoStop)
        };
        let found = SimplyGo::search(&position, &[], &request, &mut |_| {}).unwrap();
        assert!(
            (least..=most).contains(&found.lines.len()),
            "{}",
            found.lines.len()
        );
        for line in &found.lines {
            assert!(position.is_legal(line.moves[0]));
        }
    }
}

/// Stops after the given number of polls.
struct Patience(AtomicU32);

impl Stop for Patience {
    fn is_set(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }
}

#[test]
fn it_stops_on_request() {
    for size in [9, 48] {
        let position = middle(size, 40);
        let table = TranspositionTable::new(1);
        let stopped = AtomicBool::new(true);
        let mut request = request(u64::MAX, &table, &stopped);
        let found = SimplyGo::search(&position, &[], &request, &mut |_| {}).unwrap();
        assert!(position.is_legal(found.best().unwrap()));
        assert!(found.nodes <= 1, "{}", found.nodes);

        let patience = Patience(AtomicU32::new(2_000));
        request.stop = &patience;
        let found = SimplyGo::search(&position, &[], &request, &mut |_| {}).unwrap();
        assert!(position.is_legal(found.best().unwrap()));
        // It is polled every few nodes.
        assert!((1..40_000).contains(&found.nodes), "{}", found.nodes);
    }
}

#[test]
fn several_threads_find_a_capture_too() {
    let position = drawn(
        "
        .........
        .........
        ..bb.....
        .bww.....
        ..bb.....
        .........
        .........
        .........
        .........",
        "b 0:0 40 0 moves:200",
    );
    let table = TranspositionTable::new(1);
    let request = Request {
        n_threads: 2,
        ..request(2_000, &table, &NoStop)
    };
    let found = SimplyGo::search(&position, &[], &request, &mut |_| {}).unwrap();
    assert_eq!(found.best().unwrap().to_string(), "E6");
}

#[test]
fn it_plays_on_every_board_and_in_both_modes() {
    for size in simply_go::SIZES {
        for mode in [Mode::Moves(100), Mode::Target(10)] {
            let mut position = SimplyGo::start(&Setup { size, mode }).unwrap();
            for _ in 0..6 {
                let m = searched(&position, 60).best().unwrap();
                position.play(m).unwrap();
            }
        }
    }
}

/// The move of a level in a match that begins with `position`.
fn level_move(position: &SimplyGo, level: u8, seed: u64) -> Move {
    let table = TranspositionTable::new(1);
    let request = Request {
        opponent: Opponent::Level(Level::new(level).unwrap()),
        limits: Limits::default(),
        seed,
        ..request(0, &table, &NoStop)
    };
    let record = Record::from_position(position.clone());
    think(&record, &request, &mut |_| {}).unwrap()
}

#[test]
fn levels_from_three_take_a_win_and_from_six_stop_one() {
    let rows = "
        .........
        .........
        .........
        .........
        .........
        .........
        .........
        b........
        w........";
    let win = drawn(rows, "b 4:0 40 0 target:5");
    let threat = drawn(rows, "w 4:0 41 0 target:5");
    for seed in 0..3 {
        for level in 3..=6 {
            assert_eq!(
                level_move(&win, level, seed).to_string(),
                "B1",
                "level {level}"
            );
        }
        let m = level_move(&threat, 6, seed);
        assert_eq!(n_capturable(&threat.after(m)), 0, "{m}");
    }
}
