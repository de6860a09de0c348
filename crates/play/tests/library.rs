//! Importing, exporting and adding up matches.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use play::{
    Bot, PlayerKind, Saved, SavedHead,
    library::{Statistics, Tally, contains, export, import, next_level},
};
use rules::{ByPlayer, Outcome, Player};

const LEVEL: PlayerKind = PlayerKind::Bot(Bot::Level(3));

const DAY: u64 = 24 * 60 * 60 * 1000;

fn saved(game: &str, seats: ByPlayer<PlayerKind>, changed: u64, result: Option<Outcome>) -> Saved {
    let record = catalog::find(game).unwrap().start(&[]).unwrap();
    let mut saved = Saved::from_record(record, changed);
    saved.head = SavedHead {
        seats,
        first_result: result,
        ..saved.head
    };
    saved
}

fn against_bot(game: &str, day: u64, result: Option<Outcome>) -> Saved {
    let seats = ByPlayer {
        first: PlayerKind::Person,
        second: LEVEL,
    };
    saved(game, seats, day * DAY, result)
}

fn statistics(matches: &[Saved]) -> Statistics {
    Statistics::new(matches.iter().map(|saved| (saved.game(), &saved.head)))
}

const WON: Option<Outcome> = Some(Outcome::Win(Player::First));
const LOST: Option<Outcome> = Some(Outcome::Win(Player::Second));
const DRAWN: Option<Outcome> = Some(Outcome::Draw);

#[test]
fn files_are_read_back_even_if_part_of_them_is_damaged() {
    let matches = [
        against_bot("nonaga", 1, WON),
        against_bot("takeover", 2, None),
        against_bot("lilypads", 3, LOST),
    ];
    let file = export(&matches);
    let read = |text: &str| -> Vec<_> { import(text, 0).into_iter().map(Result::ok).collect() };
    let all: Vec<_> = matches.iter().cloned().map(Some).collect();
    assert_eq!(read(&file), all);
    assert_eq!(
        read(&file.replace('\n', "\r\n")),
        all,
        "as other systems end lines"
    );
    let damaged = file.replace("game: takeover", "game: chess");
    assert_eq!(read(&damaged), [all[0].clone(), None, all[2].clone()]);
}

#[test]
fn a_record_alone_is_a_file_too() {
    let mut record = catalog::find("takeover").unwrap().start(&[]).unwrap();
    let m = record.legal_moves()[0].clone();
    record.play(&m).unwrap();
    let read = import(&record.to_string(), 77);
    let [Ok(saved)] = &read[..] else {
        panic!("{read:?}");
    };
    assert_eq!((saved.head.begun, saved.head.ply), (77, 1));
    let bad = import(&record.to_string().replace(&m, "zz"), 77);
    let [Err(error)] = &bad[..] else {
        panic!("{bad:?}");
    };
    assert!(error.to_string().contains("line"), "{error}");
    assert!(import("", 0)[0].is_err());
}

/// What the share dialog copies can be pasted.
#[test]
fn links_and_urls_are_read() {
    for game in catalog::GAMES {
        let mut record = game.start(game.presentation().miniature).unwrap();
        let m = record.legal_moves()[0].clone();
        record.play(&m).unwrap();
        let link = record.to_link();
        for text in [
            link.clone(),
            format!(" {link}\n"),
            format!("#/shared/{link}"),
            format!("https://parlour.example/#/shared/{link}"),
            format!("https://parlour.example/play/#/review/shared/{link}?speed=0&color=first"),
        ] {
            let read = import(&text, 77);
            let [Ok(saved)] = &read[..] else {
                panic!("{text}: {read:?}");
            };
            assert_eq!(saved.record(), record.to_string(), "{text}");
        }
        let damaged = format!("https://parlour.example/#/shared/{}", &link[1..]);
        assert!(import(&damaged, 77)[0].is_err());
    }
}

/// A match that was stored is found again by its link, whatever was tried in it since.
#[test]
fn a_stored_match_is_found_by_its_record() {
    for game in catalog::GAMES {
        let mut record = game.start(game.presentation().miniature).unwrap();
        let moves = record.legal_moves();
        record.play(&moves[0]).unwrap();
        let reply = record.legal_moves()[0].clone();
        record.play(&reply).unwrap();
        let shared = catalog::read_link(&record.to_link()).unwrap();
        let saved = Saved::from_record(record.boxed_clone(), 1);
        assert!(contains(&saved, &*shared), "{}", game.name());
        record.undo();
        record.undo();
        record.explore(&moves[1]).unwrap();
        record.set_comment("Or so?");
        let studied = saved.studied(&*record, "");
        assert!(contains(&studied, &*shared), "{}", game.name());
        // It has what the other lacks, but not the other way round.
        assert!(!contains(&saved, &*record), "{}", game.name());
        let mut longer = shared.boxed_clone();
        longer.go_to(longer.find_node(2).unwrap()).unwrap();
        let next = longer.legal_moves()[0].clone();
        longer.play(&next).unwrap();
        assert!(!contains(&saved, &*longer), "{}", game.name());
        let mut resigned = shared;
        resigned.go_to(resigned.find_node(2).unwrap()).unwrap();
        resigned.resign(Player::First).unwrap();
        assert!(!contains(&saved, &*resigned), "{}", game.name());
    }
}

#[test]
fn results_add_up() {
    let two = ByPlayer::from_fn(|_| PlayerKind::Person);
    let second = ByPlayer {
        first: LEVEL,
        second: PlayerKind::Person,
    };
    let matches = [
        against_bot("nonaga", 20, WON),
        against_bot("nonaga", 5, LOST),
        against_bot("takeover", 6, WON),
        against_bot("takeover", 7, WON),
        against_bot("takeover", 8, DRAWN),
        against_bot("takeover", 9, None),
        saved("lilypads", two, 10 * DAY, WON),
        saved("lilypads", second, 19 * DAY, LOST),
    ];
    let statistics = statistics(&matches);
    let tally = |won, drawn, lost| Tally { won, drawn, lost };
    assert_eq!(statistics.all, tally(4, 1, 1));
    assert_eq!(statistics.all.score(), Some(750));
    assert_eq!(statistics.by_game["nonaga"], tally(1, 0, 1));
    assert_eq!(statistics.by_game["lilypads"], tally(1, 0, 0));
    assert_eq!(statistics.by_rival, [(LEVEL, tally(4, 1, 1))]);
    assert_eq!(statistics.streak, 2, "the last two by date");
    assert_eq!(statistics.longest_streak, 2);
    let weeks: Vec<_> = statistics.weeks.iter().map(|(_, week)| *week).collect();
    assert_eq!(weeks, [tally(1, 0, 1), tally(1, 1, 0), tally(2, 0, 0)]);
    assert_eq!(Tally::default().score(), None);
}

#[test]
fn two_wins_or_losses_in_a_row_lead_to_another_level() {
    let next = |results: &[(&str, Option<Outcome>)], level: u8| {
        let matches: Vec<Saved> = (1..)
            .zip(results)
            .map(|(day, &(game, result))| against_bot(game, day, result))
            .collect();
        let heads = matches.iter().map(|saved| (saved.game(), &saved.head));
        next_level(heads, "nonaga", level)
    };
    let (won, lost, drawn) = (("nonaga", WON), ("nonaga", LOST), ("nonaga", DRAWN));
    assert_eq!(next(&[won, won], 3), Some(4));
    assert_eq!(next(&[won, lost, lost], 3), Some(2));
    for others in [&[won][..], &[won, lost], &[won, drawn], &[won, won, drawn]] {
        assert_eq!(next(others, 3), None);
    }
    // Other games and matches that go on do not count, nor do other levels.
    assert_eq!(
        next(&[won, ("takeover", LOST), ("nonaga", None), won], 3),
        Some(4)
    );
    assert_eq!(next(&[won, won], 4), None);
    assert_eq!(next(&[], 3), None);
}

#[test]
fn there_is_no_level_beyond_the_last() {
    let row = |level: u8, result| {
        let seats = ByPlayer {
            first: PlayerKind::Person,
            second: PlayerKind::Bot(Bot::Level(level)),
        };
        let matches = [1, 2].map(|day| saved("nonaga", seats, day * DAY, result));
        let heads = matches.iter().map(|saved| (saved.game(), &saved.head));
        next_level(heads, "nonaga", level)
    };
    assert_eq!(row(Bot::TOP_LEVEL, WON), None);
    assert_eq!(row(Bot::TOP_LEVEL - 1, WON), Some(Bot::TOP_LEVEL));
    assert_eq!(row(1, LOST), None);
    assert_eq!(row(2, LOST), Some(1));
}
