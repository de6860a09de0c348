//! What a match record stores, and what it rejects.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

#[path = "record/text.rs"]
mod text;
mod walk;

use rules::{
    IllegalMove, Outcome, Player, Record,
    record::{
        Control, Ending, MatchOver, NoSuchNode, NodeId, PlayError, Reason, TakeBackError,
        TimeControl,
    },
};
use testkit::{check_laws, check_record};
use walk::{Setup, Step, Walk};

fn new() -> Record<Walk> {
    Record::new(Setup::default()).unwrap()
}

#[track_caller]
fn play(record: &mut Record<Walk>, moves: &str) {
    for m in moves.split_whitespace() {
        record.play(m.parse().unwrap()).unwrap();
    }
}

fn moves(record: &Record<Walk>) -> String {
    let moves = record.moves();
    let moves: Vec<_> = moves.iter().map(ToString::to_string).collect();
    moves.join(" ")
}

#[test]
fn the_game_of_these_tests_keeps_the_laws() {
    let start: Walk = "3/6 first 1".parse().unwrap();
    check_laws(&start, 1, 300);
}

#[test]
fn random_matches_survive_undo_files_and_links() {
    for seed in 0..300 {
        let length = 4 + (seed % 5) as u8;
        check_record::<Walk>(Setup { length }, seed, 60);
    }
}

#[test]
fn the_rules_end_a_match() {
    let ending = Ending {
        outcome: Outcome::Win(Player::First),
        reason: Reason::Rules,
    };
    let mut record = new();
    play(&mut record, "right right left stay right");
    assert_eq!(record.ending(), None);
    play(&mut record, "right");
    assert_eq!(record.ending(), Some(ending));
    assert_eq!(
        record.play(Step::Left),
        Err(PlayError::Over(MatchOver(ending)))
    );
    assert_eq!(record.explore(Step::Left), Err(IllegalMove(Step::Left)));
    assert_eq!(record.resign(Player::First), Err(MatchOver(ending)));
    assert_eq!(
        record.take_back(Player::First),
        Err(TakeBackError::Over(MatchOver(ending)))
    );
}

#[test]
fn the_third_occurrence_draws() {
    let mut record = new();
    // Back at the start, with the first player to move, after four moves.
    play(&mut record, "right left right left");
    assert_eq!(record.n_occurrences(), 2);
    play(&mut record, "right left right");
    assert_eq!(record.ending(), None);
    play(&mut record, "left");
    assert_eq!(record.n_occurrences(), 3);
    let ending = Ending {
        outcome: Outcome::Draw,
        reason: Reason::Repetition,
    };
    assert_eq!(record.ending(), Some(ending));
    assert_eq!(
        record.play(Step::Left),
        Err(PlayError::Over(MatchOver(ending)))
    );
    // Exploring goes on, but the match stays drawn.
    record.explore(Step::Left).unwrap();
    record.explore(Step::Left).unwrap();
    record.explore(Step::Left).unwrap();
    assert_eq!(record.ending(), Some(ending));
    // A variation in which it does not happen is not.
    record.undo();
    record.undo();
    record.undo();
    record.undo();
    play(&mut record, "right");
    assert_eq!(record.ending(), None);
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut record = new();
    let before = record.clone();
    assert_eq!(
        record.play(Step::Stay),
        Err(PlayError::Illegal(IllegalMove(Step::Stay)))
    );
    assert_eq!(record, before);
    assert_eq!(record.n_moves(), 0);
}

/// The moves recorded at the cursor: the main line's first, then the variations.
fn continuations(record: &Record<Walk>) -> Vec<Step> {
    let children = record.children(record.cursor()).into_iter();
    children.filter_map(|id| record.move_to(id)).collect()
}

#[test]
fn undo_and_redo() {
    let mut record = new();
    play(&mut record, "right stay left");
    assert_eq!(record.undo(), Some(Step::Left));
    assert_eq!(record.undo(), Some(Step::Stay));
    assert_eq!(moves(&record), "right");
    assert_eq!(record.redo(), Some(Step::Stay));
    assert_eq!(record.redo(), Some(Step::Left));
    assert_eq!(record.redo(), None);
    // Something else becomes the match, and the rest a variation.
    record.undo();
    play(&mut record, "right");
    assert_eq!(moves(&record), "right stay right");
    record.undo();
    assert_eq!(continuations(&record), [Step::Right, Step::Left]);
    // Redo goes back to where undo came from, even in a variation.
    record.explore(Step::Left).unwrap();
    record.undo();
    assert_eq!(record.redo(), Some(Step::Left));
    record.go_to_end();
    assert_eq!(moves(&record), "right stay right");
    record.go_to(NodeId::ROOT).unwrap();
    assert_eq!(record.undo(), None);
}

#[test]
fn a_turn_is_taken_back_whole() {
    let mut record = new();
    assert_eq!(
        record.take_back(Player::First),
        Err(TakeBackError::NothingPlayed(Player::First))
    );
    play(&mut record, "right stay left left right");
    // In the middle of a turn, only the part played so far.
    assert_eq!(record.take_back(Player::First), Ok(1));
    assert_eq!(moves(&record), "right stay left left");
    // The opponent's turn is taken back together with one's own.
    assert_eq!(record.take_back(Player::First), Ok(4));
    assert_eq!(moves(&record), "");
    assert_eq!(record.controls(), [Control::TakeBack(Player::First)]);
    // The moves stay on record as a variation.
    assert_eq!(continuations(&record), [Step::Right]);
    assert_eq!(record.redo(), None);
}

#[test]
fn controls_end_a_match() {
    for (control, outcome, reason) in [
        (
            Control::Resign(Player::First),
            Outcome::Win(Player::Second),
            Reason::Resignation,
        ),
        (Control::AgreeDraw, Outcome::Draw, Reason::Agreement),
        (
            Control::TimeOut(Player::Second),
            Outcome::Win(Player::First),
            Reason::TimeOut,
        ),
    ] {
        let mut record = new();
        play(&mut record, "right stay left");
        record.undo();
        let ended = match control {
            Control::Resign(player) => record.resign(player),
            Control::AgreeDraw => record.agree_draw(),
            Control::TimeOut(player) => record.time_out(player),
            Control::TakeBack(_) | Control::Hint => unreachable!("it does not end a match"),
        };
        assert_eq!(ended, Ok(()));
        let ending = Ending { outcome, reason };
        assert_eq!(record.ending(), Some(ending));
        // The match ended here: what had been played on is a variation.
        record.go_to_end();
        assert_eq!(moves(&record), "right stay");
        assert_eq!(
            record.play(Step::Left),
            Err(PlayError::Over(MatchOver(ending)))
        );
        assert_eq!(record.explore(Step::Left), Ok(()));
        assert_eq!(record.ending(), Some(ending));
    }
}

#[test]
fn a_move_forgets_what_was_undone() {
    let mut record = new();
    play(&mut record, "right stay left");
    record.undo();
    record.undo();
    record.explore(Step::Right).unwrap();
    assert_eq!(record.redo(), None);
    assert_eq!(moves(&record), "right right");
}

#[test]
fn what_is_done_in_a_variation_makes_it_the_match() {
    // Each of these begins in a variation of "right stay left".
    type Act = fn(&mut Record<Walk>);
    let acts: [(Act, &str); 3] = [
        (
            |record| record.play(Step::Right).unwrap(),
            "right left right",
        ),
        (
            |record| record.resign(Player::Second).unwrap(),
            "right left",
        ),
        (
            |record| assert_eq!(record.take_back(Player::First), Ok(2)),
            "",
        ),
    ];
    for (act, expected) in acts {
        let mut record = new();
        play(&mut record, "right stay left");
        record.undo();
        record.undo();
        record.explore(Step::Left).unwrap();
        act(&mut record);
        assert_eq!(moves(&record), expected);
        record.go_to_end();
        assert_eq!(moves(&record), expected);
    }
}

#[test]
fn the_start_has_no_clock() {
    let mut record = new();
    record.set_time_left(5_000);
    assert_eq!(record.time_left(), None);
    assert_eq!(record, new());
}

#[test]
fn records_differ_by_anything_they_hold() {
    let changes: [fn(&mut Record<Walk>); 7] = [
        |record| record.set_player_name(Player::Second, "Bo"),
        |record| record.set_time_control(None),
        |record| record.set_time_left(1),
        |record| record.explore(Step::Left).unwrap(),
        |record| record.agree_draw().unwrap(),
        |record| record.play(Step::Left).unwrap(),
        |record| {
            record.undo();
            record.explore(Step::Right).unwrap();
        },
    ];
    let base = || {
        let mut record = new();
        record.set_time_control(Some(TimeControl::Match {
            base: 1_000,
            increment: 0,
        }));
        play(&mut record, "right stay left");
        record
    };
    for change in changes {
        let mut changed = base();
        change(&mut changed);
        assert_ne!(changed, base());
    }
    // The order of variations is part of it, the cursor is not.
    let tried = |first, second| {
        let mut record = base();
        for m in [first, second] {
            record.explore(m).unwrap();
            record.undo();
        }
        record
    };
    assert_ne!(
        tried(Step::Left, Step::Right),
        tried(Step::Right, Step::Left)
    );
    let mut moved = base();
    moved.undo();
    assert_eq!(moved, base());
}

/// The texts of the moves that lead to each node of a line.
fn moves_of(record: &Record<Walk>, line: &[NodeId]) -> String {
    let moves = line.iter().filter_map(|&id| record.move_to(id));
    let moves: Vec<_> = moves.map(|m| m.to_string()).collect();
    moves.join(" ")
}

#[test]
fn nodes_are_found_again() {
    let mut record = new();
    play(&mut record, "right right left");
    let end = record.cursor();
    assert_eq!(moves_of(&record, &record.line(end)), "right right left");
    assert_eq!(record.line(end)[0], NodeId::ROOT);
    assert_eq!(record.ancestors(end).last(), Some(NodeId::ROOT));
    assert_eq!(record.parent(NodeId::ROOT), None);

    // Undo and the same move again lead to the same node, another move to another.
    record.undo();
    play(&mut record, "left");
    assert_eq!(record.cursor(), end);
    record.undo();
    let fork = record.cursor();
    play(&mut record, "right");
    let variation = record.cursor();
    assert_ne!(variation, end);
    assert_eq!(record.children(fork), [variation, end]);
    assert_eq!(record.next(fork), Some(variation));
    assert_eq!(record.next(end), None);
}

#[test]
fn the_cursor_goes_anywhere_and_nothing_else_changes() {
    let mut record = new();
    play(&mut record, "right right left");
    let end = record.cursor();
    record.undo();
    play(&mut record, "right");
    let before = record.clone();
    for id in before.line(end).into_iter().chain([before.cursor()]) {
        record.go_to(id).unwrap();
        assert_eq!(record.cursor(), id);
        assert_eq!(record.line(id), before.line(id));
        assert_eq!(record.position_at(id), Some(record.position()));
        assert_eq!(record.ending_at(id), record.ending());
        assert_eq!(record, before);
    }
    // Redo follows the line that the cursor is on.
    record.go_to(NodeId::ROOT).unwrap();
    while record.redo().is_some() {}
    assert_eq!(record.cursor(), before.cursor());
}

#[test]
fn nodes_of_other_records_are_refused() {
    let mut record = new();
    play(&mut record, "right");
    let mut longer = new();
    play(&mut longer, "right right left");
    let stranger = longer.cursor();
    assert_eq!(record.go_to(stranger), Err(NoSuchNode(stranger)));
    assert_eq!(moves(&record), "right");
    assert_eq!(record.line(stranger), []);
    assert_eq!(record.children(stranger), []);
    assert_eq!(record.ending_at(stranger), None);
}

#[test]
fn a_variation_is_promoted_wherever_the_cursor_is() {
    let mut record = new();
    play(&mut record, "right stay left");
    let end = record.cursor();
    record.go_to(NodeId::ROOT).unwrap();
    record.explore(Step::Left).unwrap();
    record.explore(Step::Right).unwrap();
    let variation = record.cursor();
    record.go_to(end).unwrap();
    record.promote(variation).unwrap();
    assert_eq!(record.cursor(), end);
    assert_eq!(moves(&record), "right stay left");
    record.go_to_end();
    assert_eq!(record.cursor(), variation);
    let [left, right] = record.children(NodeId::ROOT)[..] else {
        panic!("there are two moves at the start");
    };
    assert_eq!(record.move_to(left), Some(Step::Left));
    assert_eq!(record.move_to(right), Some(Step::Right));
}

#[test]
fn deleting_a_node_deletes_what_follows_and_nothing_else() {
    let mut record = new();
    play(&mut record, "right stay left");
    let line = record.line(record.cursor());
    record.go_to(line[1]).unwrap();
    record.explore(Step::Right).unwrap();
    let variation = record.cursor();
    record.go_to(line[3]).unwrap();

    assert!(record.delete(line[2]));
    assert_eq!(record.cursor(), line[1], "the cursor was on a deleted node");
    assert_eq!(record.children(line[1]), [variation]);
    assert_eq!(record.next(line[1]), None, "the match ends there");
    assert_eq!(record.redo(), None);
    for id in [line[2], line[3]] {
        assert_eq!(record.go_to(id), Err(NoSuchNode(id)));
        assert_eq!(record.promote(id), Err(NoSuchNode(id)));
        assert_eq!(record.move_to(id), None);
        assert!(!record.delete(id), "it is gone already");
    }
    // The same move again is another node.
    play(&mut record, "stay");
    assert!(!line.contains(&record.cursor()));
    assert_eq!(record.n_occurrences(), 1);
    assert!(!record.delete(NodeId::ROOT), "the start stays");
    assert_eq!(moves(&record), "right stay");
}

#[test]
fn a_deleted_repetition_does_not_count() {
    let mut record = new();
    play(&mut record, "right left right left");
    assert_eq!(record.n_occurrences(), 2);
    let second = record.line(record.cursor())[1];
    assert!(record.delete(second));
    play(&mut record, "right left right left");
    assert_eq!(record.n_occurrences(), 2);
    assert_eq!(record.ending(), None);
}

#[test]
fn a_take_back_is_forgotten_with_the_move_that_was_taken_back() {
    let mut record = new();
    play(&mut record, "right");
    record.take_back(Player::First).unwrap();
    let taken_back = record.children(NodeId::ROOT)[0];
    assert_eq!(record.controls(), [Control::TakeBack(Player::First)]);
    record.note_hint();
    assert!(record.delete(taken_back));
    assert_eq!(record.controls(), [Control::Hint]);
    assert_eq!(record.to_string().parse(), Ok(record));
}
