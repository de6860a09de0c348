//! The shipped puzzles, and the text forms of all that is stored.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::{BTreeSet, HashSet};

use catalog::GAMES;
use puzzles::{
    AttemptTally, Day, FairOpening, FairStart, Goal, Progress, Puzzle, PuzzleId, PuzzleRating,
    SeedSearch, Streak, TOP_GRADE, all, daily, daily_start,
};
use rules::{Player, Random};
use testkit::{check_parser, mutations};

#[test]
fn every_game_has_puzzles_of_all_grades() {
    for game in GAMES {
        let collection = all(game.name());
        assert!(collection.len() >= 300, "{}", game.name());
        let puzzles: Vec<Puzzle> = collection.iter().collect();
        assert_eq!(puzzles.len(), collection.len(), "every line can be read");
        let grades: BTreeSet<u8> = puzzles.iter().map(Puzzle::grade).collect();
        assert!(grades.into_iter().eq(1..=TOP_GRADE), "{}", game.name());
        let order = |puzzle: &Puzzle| (puzzle.grade(), puzzle.goal(), puzzle.line());
        assert!(puzzles.is_sorted_by_key(order), "{}", game.name());
        for (index, puzzle) in puzzles.iter().enumerate() {
            assert_eq!(collection.grade(index), Some(puzzle.grade()));
            assert_eq!(collection.id(index), Some(puzzle.id()));
            assert_eq!(
                collection.find(puzzle.id()),
                Some(index),
                "ids are different"
            );
            assert_eq!(puzzle.solution().len(), puzzle.plies());
        }
        assert_eq!(collection.get(puzzles.len()), None);
    }
    assert!(all("chess").is_empty());
}

/// They are a part of what the page loads.
#[test]
fn the_files_are_small() {
    let n_bytes = |game: &str| -> usize { all(game).iter().map(|p| p.line().len() + 1).sum() };
    let total: usize = GAMES.iter().map(|game| n_bytes(game.name())).sum();
    assert!(total < 220_000, "{total}");
}

#[test]
fn texts_round_trip_and_rubbish_is_refused() {
    for game in GAMES {
        let puzzles: Vec<Puzzle> = all(game.name()).iter().step_by(40).collect();
        for (seed, puzzle) in (0..).zip(&puzzles) {
            assert_eq!(puzzle.to_string().parse().as_ref(), Ok(puzzle));
            assert_eq!(Puzzle::from_json(&puzzle.to_json()).as_ref(), Ok(puzzle));
            for text in mutations(&puzzle.to_string(), seed, 60) {
                check_parser::<Puzzle>(&text);
            }
            for text in mutations(&puzzle.to_json(), seed, 60) {
                if let Ok(read) = Puzzle::from_json(&text) {
                    assert_eq!(read.to_json(), text);
                }
            }
        }
    }
}

#[test]
fn small_texts_round_trip_and_rubbish_is_refused() {
    for (seed, text) in (0..).zip([
        "win:3",
        "draw",
        "lead:4",
        "capture:3:2",
        "save",
        "fort:2:1",
        "1486 37",
        "20772 7",
        "-",
        "0000002a 0a1b2c3d",
        "",
    ]) {
        for text in std::iter::once(text.to_owned()).chain(mutations(text, seed, 300)) {
            check_parser::<Goal>(&text);
            check_parser::<PuzzleRating>(&text);
            check_parser::<Streak>(&text);
            check_parser::<Progress>(&text);
            check_parser::<PuzzleId>(&text);
        }
    }
    for text in [
        "win:0",
        "win:101",
        "win:3:1",
        "capture:3",
        "draw:1",
        "Win:3",
        "",
    ] {
        assert!(text.parse::<Goal>().is_err(), "{text}");
    }
    for text in ["99 1", "3001 1", "1200", "1200 -1", "01200 1"] {
        assert!(text.parse::<PuzzleRating>().is_err(), "{text}");
    }
    for text in [
        "0a1b2c3d 0000002a",
        "0000002a 0000002a",
        "0000002A",
        "2a",
        " ",
    ] {
        assert!(text.parse::<Progress>().is_err(), "{text}");
    }
}

#[test]
fn what_is_wrong_with_a_puzzle_is_said() {
    for (text, expected) in [
        (
            "takeover",
            "expected a puzzle: game, grade, goal, position, = and the solution",
        ),
        ("chess 1 win:1 x = y", "there is no game \"chess\""),
        (
            "takeover 6 win:1 xx4/xx4/6/6/4oo/4oo x 0 1 = c5",
            "expected a grade from 1 to 5",
        ),
        (
            "takeover 1 save xx4/xx4/6/6/4oo/4oo x 0 1 = c5",
            "takeover has no goal save; expected win or lead",
        ),
        (
            "takeover 1 win:1 xx4/xx4/6/6/4oo/4oo x 0 1 = c5",
            "the solution does not lead to win:1",
        ),
        (
            "takeover 1 win:2 xx4/xx4/6/6/4oo/4oo x 0 1 = c5",
            "expected a solution of 2 turns by first, found 1",
        ),
        (
            "takeover 1 lead:1 xx4/xx4/6/6/4oo/4oo x 0 1 = c5 d3",
            "expected a solution of 1 turns by first, found 1",
        ),
        (
            "takeover 1 win:1 xx4/xx4/6/6/4oo/4oo x 0 1 = a1",
            "illegal move a1",
        ),
    ] {
        let error = text.parse::<Puzzle>().unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

#[test]
fn every_puzzle_is_daily_once_before_one_comes_again() {
    for game in GAMES {
        let len = all(game.name()).len();
        let days = (0..len as u32).map(|n| Day(Day::FIRST.0 + n));
        let chosen: HashSet<_> = days.map(|day| daily(game.name(), day).unwrap()).collect();
        assert_eq!(chosen.len(), len);
    }
    assert_eq!(daily("chess", Day(1)), None);
    // Neighbors are of different grades more often than not.
    let grades = |n| {
        all("takeover")
            .grade(daily("takeover", Day(n)).unwrap())
            .unwrap()
    };
    let n_same = (20_454..20_554)
        .filter(|&n| grades(n) == grades(n + 1))
        .count();
    assert!(n_same < 40, "{n_same}");
}

#[test]
fn every_day_has_a_fair_start_of_every_game() {
    for game in GAMES {
        let name = game.name();
        let fair = game.fair_boards();
        let mut starts = HashSet::new();
        for n in 0..100 {
            let day = Day(Day::FIRST.0 + n);
            let start = daily_start(name, day).unwrap();
            assert_eq!(daily_start(name, day), Some(start), "the day decides it");
            match start {
                FairStart::Board(board) => assert!(fair.contains(&board), "{name}"),
                FairStart::Opening(opening) => {
                    assert!(fair.is_empty(), "{name}");
                    assert!(FairOpening::all(name).contains(&opening), "{name}");
                }
            }
            let record = start.start(name).unwrap();
            assert_eq!(record.game(), name);
            starts.insert(record.position());
        }
        assert!(starts.len() >= 25, "{name}: {}", starts.len());
    }
    assert_eq!(daily_start("chess", Day(1)), None);
}

/// What is listed can be played, and was even when it was measured.
#[test]
fn fair_openings_are_undecided_and_even() {
    for (game, options) in [
        ("nonaga", [("variant", "standard")].as_slice()),
        ("simply-go", &[("size", "9"), ("mode", "moves:100")]),
    ] {
        let openings = FairOpening::all(game);
        assert!(openings.len() >= 25, "{game}: {}", openings.len());
        assert!(openings.is_sorted_by(|a, b| a.number < b.number), "{game}");
        let positions: HashSet<_> = openings.iter().map(|opening| opening.position).collect();
        assert_eq!(positions.len(), openings.len(), "{game}");
        let fresh = catalog::find(game).unwrap().start(options).unwrap();
        for opening in &openings {
            let FairOpening {
                number,
                first,
                draws,
                second,
                ..
            } = *opening;
            let record = FairStart::Opening(*opening).start(game).unwrap();
            assert_eq!(record.position(), opening.position);
            assert_eq!(record.ending(), None, "{game} {number}");
            assert_eq!(record.turn(), Player::First, "{game} {number}");
            assert_ne!(record.position(), fresh.position());
            for (name, value) in options {
                let given = record.option(name);
                assert_eq!(given.as_deref(), Some(*value), "{game} {number}");
            }
            let n_matches = first + draws + second;
            assert!(n_matches >= 100, "{game} {number}: {n_matches} matches");
            let off = (2 * first + draws).abs_diff(n_matches);
            assert!(
                100 * off <= 2 * FairOpening::TOLERANCE * n_matches,
                "{game} {number}"
            );
        }
    }
    assert_eq!(FairOpening::all("takeover"), []);
}

/// Somebody who solves what their strength allows ends up rated like it.
#[test]
fn a_rating_follows_the_player() {
    for strength in [1, 3, 5] {
        let mut random = Random::new(strength);
        let mut rating = PuzzleRating::default();
        for _ in 0..300 {
            let grade = random.between(1, 5) as u8;
            let solves =
                u64::from(grade) < strength || u64::from(grade) == strength && random.below(2) == 0;
            let wrong_tries = if solves { 0 } else { 2 };
            rating = rating.after(
                grade,
                AttemptTally {
                    wrong_tries,
                    ..AttemptTally::default()
                },
            );
        }
        let expected = i32::from(PuzzleRating::of_grade(strength as u8));
        let off = i32::from(rating.points()) - expected;
        assert!(
            off.abs() < 300,
            "strength {strength} is rated {}",
            rating.points()
        );
        assert!(!rating.is_provisional());
        assert_eq!(rating.n_puzzles(), 300);
    }
}

#[test]
fn failures_and_hints_cost() {
    for n_puzzles in [0, 5, 1000] {
        for points in [100, 800, 1200, 2000, 3000] {
            let rating: PuzzleRating = format!("{points} {n_puzzles}").parse().unwrap();
            for grade in 1..=TOP_GRADE {
                let after = |hints, wrong_tries, is_revealed| {
                    let tally = AttemptTally {
                        hints,
                        wrong_tries,
                        is_revealed,
                    };
                    i32::from(rating.after(grade, tally).points())
                };
                assert!(after(0, 0, false) >= points, "a success is never punished");
                assert!(after(0, 0, true) <= points, "a failure is never rewarded");
                for hints in 0..3 {
                    assert!(after(hints + 1, 0, false) <= after(hints, 0, false));
                }
                for wrong in 0..3 {
                    assert!(after(0, wrong + 1, false) <= after(0, wrong, false));
                }
                assert_eq!(after(0, 2, false), after(0, 0, true));
                assert_eq!(after(3, u32::MAX, true), after(3, 2, false));
            }
        }
    }
}

#[test]
fn streaks_grow_by_days_in_a_row() {
    let mut random = Random::new(1);
    for _ in 0..300 {
        let mut streak = Streak::default();
        let mut solved: BTreeSet<u32> = BTreeSet::new();
        let mut today = 100;
        for _ in 0..20 {
            today += random.below(3);
            if random.below(4) > 0 {
                streak = streak.solved(Day(today));
                solved.insert(today);
            }
            // A clock that was set back changes nothing.
            assert_eq!(
                streak.solved(Day(today - 50)),
                if solved.is_empty() {
                    Streak::default().solved(Day(today - 50))
                } else {
                    streak
                }
            );
            let end = if solved.contains(&today) {
                today
            } else {
                today - 1
            };
            let expected = (0..=end)
                .rev()
                .take_while(|day| solved.contains(day))
                .count();
            assert_eq!(streak.days(Day(today)) as usize, expected);
            assert_eq!(streak.has(Day(today)), solved.contains(&today));
            assert_eq!(streak.to_string().parse(), Ok(streak));
        }
    }
}

#[test]
fn the_next_puzzle_is_unsolved_and_about_as_hard_as_the_player_is_good() {
    let collection = all("takeover");
    let mut progress = Progress::default();
    let mut rating = PuzzleRating::default();
    let mut seen = HashSet::new();
    for seed in 0.. {
        let Some(index) = rating.next(&collection, &progress, seed) else {
            break;
        };
        assert!(seen.insert(index), "it was solved before");
        if seed == 0 {
            assert_eq!(collection.grade(index), Some(2));
        }
        assert!(progress.insert(collection.id(index).unwrap()));
        rating = rating.after(collection.grade(index).unwrap(), AttemptTally::default());
    }
    assert_eq!(seen.len(), collection.len());
    assert_eq!(progress.len(), collection.len());
    assert_eq!(progress.to_string().parse().as_ref(), Ok(&progress));
    // Another seed chooses another one of the same grade.
    let fresh = Progress::default();
    let chosen: HashSet<_> = (0..20)
        .map(|seed| rating.next(&collection, &fresh, seed))
        .collect();
    assert!(chosen.len() > 5);
}

/// A rating of so many points.
fn rated(points: u16) -> PuzzleRating {
    format!("{points} 20").parse().unwrap()
}

#[test]
fn the_nearest_grade_follows_the_rating() {
    let grades = [
        (100, 1),
        (1000, 1),
        (1120, 1),
        (1260, 2),
        (1500, 3),
        (2000, 5),
        (3000, 5),
    ];
    for (points, grade) in grades {
        assert_eq!(rated(points).nearest_grade(), grade, "{points}");
    }
    for grade in 1..=TOP_GRADE {
        assert_eq!(rated(PuzzleRating::of_grade(grade)).nearest_grade(), grade);
    }
}

/// Seeds have puzzles of any grade. Among a few of them, the one nearest to the rating is
/// taken, and a search ends with the first that fits.
#[test]
fn new_puzzles_are_about_as_hard_as_the_rating() {
    for game in GAMES {
        let collection = all(game.name());
        let of_grade = |grade: u8, n: usize| collection.get(usize::from(grade - 1) * 80 + n);
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let rating = rated(900 + random.below(1200) as u16);
            let mut search = SeedSearch::new(rating, Progress::default(), seed);
            let mut offered = Vec::new();
            while let Some(next) = search.next_seed() {
                assert_eq!(next, seed + offered.len() as u64);
                let grade = 1 + random.below(5) as u8;
                let puzzle = of_grade(grade, offered.len()).filter(|_| random.below(5) > 0);
                offered.push(puzzle.clone());
                search.hear(puzzle);
                let found = search.found().map(|(_, puzzle)| puzzle.grade());
                let fits = found == Some(rating.nearest_grade());
                assert_eq!(search.next_seed().is_none(), fits || offered.len() == 8);
            }
            let distance = |puzzle: &Puzzle| {
                let points = PuzzleRating::of_grade(puzzle.grade());
                points.abs_diff(rating.points())
            };
            let least = offered.iter().flatten().map(distance).min();
            let found = search.found();
            assert_eq!(found.map(|(_, puzzle)| distance(puzzle)), least);
            if let Some((at, puzzle)) = found {
                assert_eq!(offered[(at - seed) as usize].as_ref(), Some(puzzle));
            }
        }
    }
}

#[test]
fn a_search_skips_what_is_solved_but_an_address_does_not() {
    let collection = all("nonaga");
    let known = collection.get(0).unwrap();
    let mut progress = Progress::default();
    progress.insert(known.id());
    let mut search = SeedSearch::new(rated(1000), progress, u64::MAX);
    search.hear(Some(known.clone()));
    assert_eq!((search.found(), search.next_seed()), (None, Some(0)));
    search.hear(collection.get(1));
    assert_eq!(
        search.found(),
        collection.get(1).as_ref().map(|puzzle| (0, puzzle))
    );
    // Nothing is found if nobody mines.
    let mut search = SeedSearch::new(rated(1000), Progress::default(), 0);
    while search.next_seed().is_some() {
        search.hear(None);
    }
    assert_eq!(search.found(), None);
    let mut search = SeedSearch::only(7);
    assert_eq!(search.next_seed(), Some(7));
    let hard = collection.get(399);
    search.hear(hard.clone());
    assert_eq!(search.next_seed(), None);
    assert_eq!(search.found(), hard.as_ref().map(|puzzle| (7, puzzle)));
}
