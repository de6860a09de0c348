//! The clocks of a match.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use play::{Bot, Clocks, Effect, Event, Phase, PlayerKind, Saved, Sitting};
use rules::{
    ByPlayer, Outcome, Player,
    record::{Ending, NodeId, Reason, TimeControl},
};

const FIVE_PLUS_THREE: TimeControl = TimeControl::Match {
    base: 5_000,
    increment: 3_000,
};

const LONG: TimeControl = TimeControl::Match {
    base: 60_000,
    increment: 0,
};

const TWO_PEOPLE: ByPlayer<PlayerKind> = ByPlayer {
    first: PlayerKind::Person,
    second: PlayerKind::Person,
};

fn sit(game: &str, seats: ByPlayer<PlayerKind>, time_control: TimeControl) -> Sitting {
    let mut record = catalog::find(game).unwrap().start(&[]).unwrap();
    record.set_time_control(Some(time_control));
    Sitting::new(record, seats, 1).0
}

/// Somebody thinks for so long, and then plays the first legal move.
fn think(sitting: &mut Sitting, milliseconds: u64) {
    sitting.update(Event::TimePassed(milliseconds));
    let m = sitting.record().legal_moves()[0].clone();
    let effects = sitting.update(Event::Typed(m));
    assert_eq!(effects.first(), Some(&Effect::Save));
}

/// What the clocks show, and which one runs.
#[track_caller]
fn check(sitting: &Sitting, first: u64, second: u64, running: Option<Player>) {
    let left = ByPlayer { first, second };
    assert_eq!(sitting.clocks(), Some(Clocks { left, running }));
}

fn out_of_time(loser: Player) -> Phase {
    Phase::Over(Ending {
        outcome: Outcome::Win(!loser),
        reason: Reason::TimeOut,
    })
}

#[test]
fn a_match_without_clocks_has_none() {
    let record = catalog::find("takeover").unwrap().start(&[]).unwrap();
    let (mut sitting, _) = Sitting::new(record, TWO_PEOPLE, 1);
    think(&mut sitting, u64::MAX);
    assert_eq!(sitting.update(Event::ClockRanOut(Player::Second)), []);
    assert_eq!(sitting.clocks(), None);
    assert_eq!(sitting.phase(), Phase::Person(Player::Second));
    let saved = Saved::new(&sitting, 0, None);
    assert!(!saved.to_string().contains("spent"));
}

#[test]
fn clocks_start_with_the_first_move_and_every_turn_gains() {
    let mut sitting = sit("takeover", TWO_PEOPLE, FIVE_PLUS_THREE);
    check(&sitting, 5_000, 5_000, None);
    think(&mut sitting, 1_000_000);
    check(&sitting, 8_000, 5_000, Some(Player::Second));
    think(&mut sitting, 1_200);
    check(&sitting, 8_000, 6_800, Some(Player::First));
    sitting.update(Event::TimePassed(500));
    sitting.update(Event::TimePassed(700));
    check(&sitting, 6_800, 6_800, Some(Player::First));
}

#[test]
fn a_turn_of_two_moves_gains_once() {
    let mut sitting = sit("nonaga", TWO_PEOPLE, FIVE_PLUS_THREE);
    think(&mut sitting, 0);
    check(&sitting, 5_000, 5_000, Some(Player::First));
    think(&mut sitting, 400);
    check(&sitting, 7_600, 5_000, Some(Player::Second));
}

#[test]
fn time_for_a_turn_is_shared_by_its_moves_and_comes_anew() {
    let mut sitting = sit("nonaga", TWO_PEOPLE, TimeControl::Turn(3_000));
    think(&mut sitting, 0);
    think(&mut sitting, 2_000);
    check(&sitting, 3_000, 3_000, Some(Player::Second));
    think(&mut sitting, 2_500);
    check(&sitting, 3_000, 500, Some(Player::Second));
    think(&mut sitting, 499);
    check(&sitting, 3_000, 3_000, Some(Player::First));
    sitting.update(Event::TimePassed(3_000));
    assert_eq!(sitting.phase(), out_of_time(Player::First));
    check(&sitting, 0, 3_000, None);
}

#[test]
fn undo_and_redo_bring_back_the_time_of_the_position() {
    let mut sitting = sit("takeover", TWO_PEOPLE, LONG);
    think(&mut sitting, 0);
    think(&mut sitting, 1_000);
    think(&mut sitting, 2_000);
    sitting.update(Event::TimePassed(5_000));
    check(&sitting, 58_000, 54_000, Some(Player::Second));
    sitting.update(Event::TakeBack);
    check(&sitting, 60_000, 59_000, Some(Player::First));
    sitting.update(Event::TimePassed(7_000));
    sitting.update(Event::Redo);
    check(&sitting, 58_000, 59_000, Some(Player::Second));
    for _ in 0..3 {
        sitting.update(Event::TakeBack);
    }
    check(&sitting, 60_000, 60_000, None);
}

#[test]
fn a_move_from_an_earlier_position_has_the_time_of_that_position() {
    let mut sitting = sit("takeover", TWO_PEOPLE, LONG);
    think(&mut sitting, 0);
    let early = sitting.live();
    think(&mut sitting, 1_000);
    think(&mut sitting, 2_000);
    sitting.update(Event::TimePassed(4_000));
    sitting.update(Event::GoTo(early));
    let m = sitting.record().legal_moves()[1].clone();
    sitting.update(Event::Typed(m));
    check(&sitting, 60_000, 60_000, Some(Player::First));
}

#[test]
fn looking_back_does_not_stop_the_clock() {
    let mut sitting = sit("takeover", TWO_PEOPLE, LONG);
    think(&mut sitting, 0);
    think(&mut sitting, 0);
    let live = sitting.live();
    sitting.update(Event::GoTo(NodeId::ROOT));
    sitting.update(Event::TimePassed(59_999));
    assert!(sitting.is_looking_back());
    check(&sitting, 1, 60_000, Some(Player::First));
    let effects = sitting.update(Event::TimePassed(1));
    assert_eq!(effects, [Effect::Save]);
    assert_eq!(sitting.phase(), out_of_time(Player::First));
    assert_eq!(sitting.record().cursor(), live, "the end is shown");
}

#[test]
fn whoever_runs_out_loses_for_good_and_the_record_says_so() {
    let mut sitting = sit("takeover", TWO_PEOPLE, LONG);
    assert_eq!(sitting.update(Event::ClockRanOut(Player::First)), []);
    think(&mut sitting, 0);
    assert_eq!(sitting.update(Event::ClockRanOut(Player::First)), []);
    let effects = sitting.update(Event::ClockRanOut(Player::Second));
    assert_eq!(effects, [Effect::Save]);
    assert_eq!(sitting.phase(), out_of_time(Player::Second));
    check(&sitting, 60_000, 0, None);
    assert!(!sitting.can_take_back() && !sitting.may_act());
    assert_eq!(sitting.update(Event::ClockRanOut(Player::Second)), []);
    let text = sitting.record().to_string();
    assert!(
        text.contains("clock: 60000+0\nresult: p1win time\n"),
        "{text}"
    );
    assert!(text.contains("!timeout:second"), "{text}");
    let record = catalog::read_file(&text).unwrap();
    let (again, _) = Sitting::new(record, TWO_PEOPLE, 1);
    check(&again, 60_000, 0, None);
}

#[test]
fn short_time_is_announced_once() {
    let mut sitting = sit("takeover", TWO_PEOPLE, LONG);
    think(&mut sitting, 0);
    assert_eq!(sitting.update(Event::TimePassed(49_999)), []);
    let effects = sitting.update(Event::TimePassed(1));
    assert_eq!(effects, [Effect::LowTime(Player::Second)]);
    assert!(sitting.clocks().unwrap().is_low(Player::Second));
    assert_eq!(sitting.update(Event::TimePassed(1)), []);
    think(&mut sitting, 0);
    think(&mut sitting, 0);
    assert_eq!(sitting.update(Event::TimePassed(1)), []);

    // Time that comes anew with every turn gets short in every turn.
    let mut sitting = sit("takeover", TWO_PEOPLE, TimeControl::Turn(15_000));
    think(&mut sitting, 0);
    for player in [Player::Second, Player::First, Player::Second] {
        let effects = sitting.update(Event::TimePassed(6_000));
        assert_eq!(effects, [Effect::LowTime(player)]);
        think(&mut sitting, 0);
    }
}

#[test]
fn the_clock_of_a_bot_runs_while_it_can_be_reached() {
    let seats = ByPlayer {
        second: PlayerKind::Bot(Bot::Level(1)),
        ..TWO_PEOPLE
    };
    let mut sitting = sit("takeover", seats, LONG);
    think(&mut sitting, 0);
    sitting.update(Event::TimePassed(1_000));
    check(&sitting, 60_000, 59_000, Some(Player::Second));
    let at = sitting.live();
    for _ in 0..3 {
        sitting.update(Event::BotFailed { at });
    }
    assert_eq!(sitting.phase(), Phase::Stalled(Player::Second));
    sitting.update(Event::TimePassed(u64::MAX));
    check(&sitting, 60_000, 59_000, None);
    sitting.update(Event::Retry);
    let effects = sitting.update(Event::TimePassed(60_000));
    assert_eq!(effects, [Effect::Save, Effect::StopBot]);
    assert_eq!(sitting.phase(), out_of_time(Player::Second));
    let m = sitting.record().legal_moves()[0].clone();
    assert_eq!(sitting.update(Event::BotMoved { at, m }), []);
}

#[test]
fn a_stored_match_goes_on_with_its_time() {
    let mut sitting = sit("takeover", TWO_PEOPLE, LONG);
    think(&mut sitting, 0);
    sitting.update(Event::TimePassed(2_500));
    let text = Saved::new(&sitting, 9, None).to_string();
    assert!(text.contains("\nspent: 2500\nparlour record"), "{text}");
    let (again, _) = text.parse::<Saved>().unwrap().open().unwrap();
    check(&again, 60_000, 57_500, Some(Player::Second));
    let strange = text.replace("spent: 2500", "spent: 2s");
    let error = strange.parse::<Saved>().unwrap_err();
    assert_eq!(error.to_string(), "line 11: spent can't be 2s");
    // More than there was.
    let late = text.replace("spent: 2500", "spent: 18446744073709551615");
    let (mut late, _) = late.parse::<Saved>().unwrap().open().unwrap();
    check(&late, 60_000, 0, Some(Player::Second));
    late.update(Event::TimePassed(0));
    assert_eq!(late.phase(), out_of_time(Player::Second));
}

#[test]
fn the_clocks_of_a_record_from_elsewhere_wait_for_a_move() {
    let mut sitting = sit("takeover", TWO_PEOPLE, LONG);
    think(&mut sitting, 0);
    think(&mut sitting, 1_000);
    let record = catalog::read_link(&sitting.record().to_link()).unwrap();
    let (mut again, _) = Sitting::new(record.clone(), TWO_PEOPLE, 1);
    check(&again, 60_000, 59_000, None);
    think(&mut again, 1_000_000);
    check(&again, 60_000, 59_000, Some(Player::Second));
    let (imported, _) = Saved::from_record(record, 1).open().unwrap();
    check(&imported, 60_000, 59_000, None);
}

#[test]
fn times_without_end_do_no_harm() {
    let most = TimeControl::Match {
        base: u64::MAX,
        increment: u64::MAX,
    };
    let mut sitting = sit("takeover", TWO_PEOPLE, most);
    think(&mut sitting, 0);
    think(&mut sitting, 1);
    check(&sitting, u64::MAX, u64::MAX, Some(Player::First));
    let none = TimeControl::Turn(0);
    let mut sitting = sit("takeover", TWO_PEOPLE, none);
    think(&mut sitting, 0);
    sitting.update(Event::TimePassed(0));
    assert_eq!(sitting.phase(), out_of_time(Player::Second));
}

#[test]
fn clocks_of_a_server_that_is_lost_stand_still() {
    let record = catalog::find("takeover").unwrap().start(&[]).unwrap();
    let seats = ByPlayer {
        first: PlayerKind::Person,
        second: PlayerKind::Remote,
    };
    let (mut sitting, _) = Sitting::new(record, seats, 1);
    let clocks = Clocks {
        left: ByPlayer {
            first: 60_000,
            second: 50_000,
        },
        running: Some(Player::Second),
    };
    sitting.update(Event::Clocks(Some(clocks)));
    sitting.update(Event::TimePassed(1_000));
    check(&sitting, 60_000, 49_000, Some(Player::Second));
    sitting.update(Event::HoldClocks);
    check(&sitting, 60_000, 49_000, None);
    sitting.update(Event::TimePassed(20_000));
    check(&sitting, 60_000, 49_000, None);
    // The server is there again.
    let left = ByPlayer {
        first: 60_000,
        second: 30_000,
    };
    sitting.update(Event::Clocks(Some(Clocks { left, ..clocks })));
    sitting.update(Event::TimePassed(500));
    check(&sitting, 60_000, 29_500, Some(Player::Second));
    // Where there are none, none appear.
    sitting.update(Event::Clocks(None));
    sitting.update(Event::HoldClocks);
    assert_eq!(sitting.clocks(), None);
}
