//! The perfect player and the levels.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::ops::ControlFlow;

use lilypads::{Board, Lilypads};
use lilypads_solver::{
    ExactValue, Solution, choose_at_level,
    levels::{HIGHEST_LEVEL, Handicap, LOWEST_LEVEL},
    matches, perfect, solve,
};
use rules::{Outcome, Player, Position, Random};

fn solved(number: u64) -> Solution {
    solve(&Board::new(number), |_| ControlFlow::Continue(())).unwrap()
}

/// A position of a random match that still goes on.
fn random_position(solution: &Solution, random: &mut Random) -> Lilypads {
    let mut position = Lilypads::new(solution.board());
    for _ in 0..random.below(40) {
        let m = *random.pick(&position.legal_moves()).unwrap();
        if position.after(m).outcome().is_none() {
            position.play_unchecked(m);
        }
    }
    position
}

/// A thousand matches against every level, from random positions that are not lost.
#[test]
fn perfect_never_loses_what_is_not_lost() {
    let solutions = [0, 1, 4, 45].map(solved);
    for level in LOWEST_LEVEL..=HIGHEST_LEVEL {
        let mut random = Random::new(u64::from(level));
        let mut n_matches = 0;
        let mut n_wins = 0;
        while n_matches < 1000 {
            let solution = &solutions[n_matches % solutions.len()];
            let start = random_position(solution, &mut random);
            let player = start.turn();
            let value = solution.value(&start).unwrap();
            if matches!(value, ExactValue::Loss(_)) {
                continue;
            }
            n_matches += 1;
            let mut n_plies: u32 = 0;
            let outcome = matches::play(&start, |position| {
                n_plies += 1;
                if position.turn() == player {
                    perfect::choose(solution, position, &mut random)
                } else {
                    choose_at_level(solution, position, level, &mut random)
                }
            });
            assert_ne!(
                outcome,
                Outcome::Win(!player),
                "{start} against level {level}"
            );
            if let ExactValue::Win(plies) = value {
                assert_eq!(
                    outcome,
                    Outcome::Win(player),
                    "{start} against level {level}"
                );
                assert!(n_plies <= plies.into(), "{start} against level {level}");
            }
            n_wins += usize::from(outcome == Outcome::Win(player));
        }
        assert!(n_wins > 300, "{n_wins} against level {level}");
    }
}

#[test]
fn perfect_gives_nothing_away_and_sets_traps() {
    let solution = solved(0);
    let mut random = Random::new(1);
    let mut n_drawn = 0;
    for _ in 0..2000 {
        let position = random_position(&solution, &mut random);
        let value = solution.value(&position).unwrap();
        let m = perfect::choose(&solution, &position, &mut random).unwrap();
        let moves = solution.moves(&position);
        assert!(moves.contains(&(m, value)), "{position} {m}");
        if value == ExactValue::Draw {
            let losing = |m| {
                let replies = solution.moves(&position.after(m));
                let n = replies
                    .iter()
                    .filter(|(_, v)| matches!(v, ExactValue::Loss(_)));
                n.count() as f64 / replies.len() as f64
            };
            let draws = moves.iter().filter(|(_, v)| *v == ExactValue::Draw);
            let best = draws.map(|&(m, _)| losing(m)).fold(0.0, f64::max);
            assert!(losing(m) >= best - 0.11, "{position} {m}");
            n_drawn += 1;
        }
    }
    assert!(n_drawn > 100, "{n_drawn}");
}

#[test]
fn seeds_vary_the_perfect_player() {
    let solution = solved(0);
    let start = Lilypads::new(solution.board());
    let play = |seed| {
        let mut random = Random::new(seed);
        let mut moves = Vec::new();
        matches::play(&start, |position| {
            let m = perfect::choose(&solution, position, &mut random)?;
            moves.push(m);
            (moves.len() < 30).then_some(m)
        });
        moves
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}

#[test]
fn a_higher_level_has_a_larger_horizon_and_fewer_lapses() {
    let all: Vec<_> = (LOWEST_LEVEL..=HIGHEST_LEVEL)
        .map(|level| Handicap::of_level(level).unwrap())
        .collect();
    for pair in all.windows(2) {
        let [lower, upper] = [pair[0], pair[1]];
        assert!(lower.horizon <= upper.horizon);
        assert!(lower.lapse_percent >= upper.lapse_percent);
        assert!(lower.lapse_horizon <= upper.lapse_horizon);
        assert!(lower.temperature >= upper.temperature);
        assert_ne!(lower, upper);
    }
    assert_eq!(Handicap::of_level(0), None);
    assert_eq!(Handicap::of_level(LOWEST_LEVEL - 1), None);
    assert_eq!(Handicap::of_level(HIGHEST_LEVEL + 1), None);
}

#[test]
fn no_level_misses_a_win_nor_from_level_6_on_allows_one() {
    let solution = solved(1);
    let mut random = Random::new(1);
    let mut n_wins = 0;
    let mut n_threats = 0;
    for _ in 0..3000 {
        let position = random_position(&solution, &mut random);
        let moves = solution.moves(&position);
        let level = LOWEST_LEVEL + random.below(6) as u8;
        let m = choose_at_level(&solution, &position, level, &mut random).unwrap();
        let &(_, value) = moves.iter().find(|(other, _)| *other == m).unwrap();
        let best = moves.iter().map(|&(_, value)| value).max().unwrap();
        if best == ExactValue::Win(1) {
            n_wins += 1;
            assert_eq!(value, best, "{position} level {level}");
        }
        if level >= 6 && best > ExactValue::Loss(2) {
            let is_threat = moves.iter().any(|&(_, value)| value == ExactValue::Loss(2));
            n_threats += usize::from(is_threat);
            assert_ne!(value, ExactValue::Loss(2), "{position} level {level}");
        }
    }
    assert!(n_wins > 100 && n_threats > 100, "{n_wins} {n_threats}");
}

/// At least 60 of a hundred points; the example `ladder` plays more matches.
#[test]
fn every_level_beats_the_one_below() {
    let solutions = [0, 5, 9, 10, 13].map(solved);
    for level in LOWEST_LEVEL + 1..=HIGHEST_LEVEL {
        let mut points = 0;
        let mut n_matches = 0;
        for solution in &solutions {
            for seed in 0..40 {
                let upper = Player::BOTH[(seed % 2) as usize];
                let mut random = Random::new(seed);
                let start = Lilypads::new(solution.board());
                let outcome = matches::play(&start, |position| {
                    let level = level - u8::from(position.turn() != upper);
                    choose_at_level(solution, position, level, &mut random)
                });
                points += match outcome {
                    Outcome::Win(winner) if winner == upper => 2,
                    Outcome::Draw => 1,
                    Outcome::Win(_) => 0,
                };
                n_matches += 1;
            }
        }
        assert!(
            100 * points >= 60 * 2 * n_matches,
            "level {level}: {points} of {n_matches}"
        );
    }
}
