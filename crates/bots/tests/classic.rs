//! Tests the classic opponents, sentence by sentence of the rule sheets.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod positions;

use std::collections::{BTreeMap, BTreeSet};

use bots::Bots;
use positions::{anywhere, near_the_end, setup};
use rules::{Player, Position, Random};

/// How often each move is chosen, over `n` seeds.
fn choices<G: Bots>(position: &G, n: u64) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for seed in 0..n {
        let m = G::classic(position, &mut Random::new(seed));
        assert!(position.is_legal(m));
        *counts.entry(m.to_string()).or_default() += 1;
    }
    counts
}

/// Checks that exactly the moves `expected` are chosen in `position`, over many
/// seeds.
#[track_caller]
fn check<G: Bots>(position: &str, expected: &str) {
    let Ok(position) = position.parse::<G>() else {
        panic!("{position} is no position");
    };
    let chosen: BTreeSet<String> = choices(&position, 300).into_keys().collect();
    let expected: BTreeSet<String> = expected.split(' ').map(str::to_owned).collect();
    assert_eq!(chosen, expected, "in {position}");
}

mod of_takeover {
    use takeover::Takeover;

    use super::*;

    #[test]
    fn it_takes_a_move_that_converts_most_pieces() {
        // b2 converts three, everything else fewer.
        check::<Takeover>("6/6/6/o5/2o3/xo4 x 0 9", "b2");
        // It converts with a jump if that converts more than a duplication.
        check::<Takeover>("6/6/3oo1/5o/1o4/x5 x 0 9", "a1c3");
    }

    #[test]
    fn if_none_converts_any_it_duplicates() {
        check::<Takeover>("x5/6/6/6/6/5o x 0 9", "a5 b5 b6");
    }

    #[test]
    fn if_it_cannot_duplicate_either_it_jumps() {
        check::<Takeover>("x-4/--4/6/6/6/5o x 0 9", "a6b4 a6c5");
    }

    #[test]
    fn ties_are_broken_at_random() {
        // A jump converts as many as a duplication.
        check::<Takeover>("6/6/6/6/2o3/x5 x 0 9", "b1 b2 a1b3 a1c1 a1c3");
    }

    /// In any position, against a count of pieces.
    #[test]
    fn no_other_move_converts_more() {
        for choices in [[("variant", "standard")], [("variant", "ataxx")]] {
            let samples = anywhere::<Takeover>(setup::<Takeover>(&choices), 60, 3);
            for (seed, sample) in (0..).zip(samples.take(1_000)) {
                let position = sample.position();
                let turn = position.turn();
                let count = |position: &Takeover, player| position.pieces(player).len();
                let n_enemies = count(position, !turn);
                let converted = |m| n_enemies - count(&position.after(m), !turn);
                let left = |m| count(&position.after(m), turn);
                let moves = position.legal_moves();
                let m = Takeover::classic(position, &mut Random::new(seed));
                let most = moves.iter().map(|&m| converted(m)).max().unwrap();
                assert_eq!(converted(m), most, "{m} in {position}");
                if most == 0 {
                    let most_left = moves.iter().map(|&m| left(m)).max().unwrap();
                    assert_eq!(left(m), most_left, "{m} in {position}");
                }
            }
        }
    }
}

mod of_nonaga {
    use nonaga::{Hex, Move, Nonaga, Phase};

    use super::*;

    fn samples(seed: u64) -> impl Iterator<Item = Nonaga> {
        ["standard", "published"]
            .into_iter()
            .flat_map(move |variant| {
                let setup = setup::<Nonaga>(&[("variant", variant)]);
                let middle = anywhere::<Nonaga>(setup, 40, seed).take(150);
                let end = near_the_end::<Nonaga>(setup, 4, seed).take(150);
                middle.chain(end).map(|sample| sample.position().clone())
            })
    }

    /// The same pieces and tiles with `player` to slide.
    fn with_slide_of(position: &Nonaga, player: Player) -> Nonaga {
        let text = position.to_string();
        let mut fields: Vec<&str> = text.split(' ').collect();
        fields[3] = match player {
            Player::First => "first",
            Player::Second => "second",
        };
        fields[4] = "slide";
        fields.join(" ").parse().unwrap()
    }

    fn has_winning_slide(position: &Nonaga, player: Player) -> bool {
        let position = with_slide_of(position, player);
        let mut moves = position.legal_moves().into_iter();
        moves.any(|m| position.after(m).outcome().is_some())
    }

    fn pairs([a, b, c]: [Hex; 3]) -> [f64; 3] {
        [a.distance(b), b.distance(c), a.distance(c)].map(f64::from)
    }

    fn n_adjacent(pieces: [Hex; 3]) -> f64 {
        pairs(pieces)
            .iter()
            .filter(|&&distance| distance == 1.0)
            .count() as f64
    }

    fn distance_to_center(hex: Hex, hexes: &[Hex]) -> f64 {
        let n = hexes.len() as f64;
        let q = f64::from(hex.q) - hexes.iter().map(|hex| f64::from(hex.q)).sum::<f64>() / n;
        let r = f64::from(hex.r) - hexes.iter().map(|hex| f64::from(hex.r)).sum::<f64>() / n;
        (q.abs() + r.abs() + (q + r).abs()) / 2.0
    }

    /// The sheet's sum for a slide, term by term.
    fn slide_sum(position: &Nonaga, m: Move) -> f64 {
        let Move::Slide { to, .. } = m else {
            return 0.0;
        };
        let after = position.after(m);
        let own = after.pieces(position.turn());
        let enemy = after.pieces(!position.turn());
        let board: Vec<Hex> = after.tiles().iter().collect();
        let nearest = pairs(own).into_iter().fold(f64::MAX, f64::min);
        let to_center_of_mass: f64 = own
            .iter()
            .map(|&piece| distance_to_center(piece, &own))
            .sum();
        let win = if after.outcome().is_some() {
            10_000.0
        } else {
            0.0
        };
        win + 500.0 * n_adjacent(own)
            - 30.0 * nearest
            - 20.0 * to_center_of_mass
            - 200.0 * n_adjacent(enemy)
            - 5.0 * distance_to_center(to, &board)
    }

    /// The least number of slides that connect a player's pieces: 1, 2 or more.
    fn n_slides(position: &Nonaga, player: Player) -> u32 {
        if has_winning_slide(position, player) {
            return 1;
        }
        let to_slide = with_slide_of(position, player);
        let connects = |&m: &Move| has_winning_slide(&to_slide.after(m), player);
        let slides: Vec<Move> = to_slide.legal_moves();
        let is_slide = |m: &&Move| matches!(m, Move::Slide { .. });
        if slides.iter().filter(is_slide).any(connects) {
            2
        } else {
            3
        }
    }

    #[test]
    fn a_slide_has_the_best_sum() {
        let mut n_wins = 0;
        for (seed, position) in (0..).zip(samples(5)) {
            if position.phase() != Phase::Slide {
                continue;
            }
            let moves = position.legal_moves();
            let best = moves
                .iter()
                .map(|&m| slide_sum(&position, m))
                .fold(f64::MIN, f64::max);
            let m = Nonaga::classic(&position, &mut Random::new(seed));
            let sum = slide_sum(&position, m);
            assert!(sum > best - 1e-6, "{m} in {position}: {sum} of {best}");
            n_wins += u32::from(position.after(m).outcome().is_some());
        }
        assert!(n_wins > 20, "{n_wins}");
    }

    #[test]
    fn it_wins_if_it_can() {
        for (seed, position) in (0..).zip(samples(6)) {
            if position.phase() == Phase::Slide && has_winning_slide(&position, position.turn()) {
                let m = Nonaga::classic(&position, &mut Random::new(seed));
                assert!(position.after(m).outcome().is_some(), "{m} in {position}");
            }
        }
    }

    #[test]
    fn a_shift_takes_the_enemys_winning_slide_away() {
        let mut n_answers = 0;
        for (seed, position) in (0..).zip(samples(7)) {
            let enemy = !position.turn();
            if position.phase() != Phase::Shift || !has_winning_slide(&position, enemy) {
                continue;
            }
            let answers = |m: Move| !has_winning_slide(&position.after(m), enemy);
            let can_answer = position.legal_moves().into_iter().any(answers);
            let m = Nonaga::classic(&position, &mut Random::new(seed));
            assert_eq!(answers(m), can_answer, "{m} in {position}");
            n_answers += u32::from(can_answer);
        }
        assert!(n_answers > 20, "{n_answers}");
    }

    #[test]
    fn a_shift_opens_no_winning_slide() {
        let mut n_checked = 0;
        for (seed, position) in (0..).zip(samples(8)) {
            let enemy = !position.turn();
            if position.phase() != Phase::Shift || has_winning_slide(&position, enemy) {
                continue;
            }
            let opens = |m: Move| has_winning_slide(&position.after(m), enemy);
            let moves = position.legal_moves();
            if moves.iter().any(|&m| opens(m)) && !moves.iter().all(|&m| opens(m)) {
                let m = Nonaga::classic(&position, &mut Random::new(seed));
                assert!(!opens(m), "{m} in {position}");
                n_checked += 1;
            }
        }
        assert!(n_checked > 20, "{n_checked}");
    }

    #[test]
    fn then_it_drives_the_enemy_apart_and_its_own_together() {
        let mut n_better = 0;
        let to_shift = |position: &Nonaga| position.phase() == Phase::Shift;
        for (seed, position) in (0..).zip(samples(9).filter(to_shift).step_by(12)) {
            let turn = position.turn();
            let worth = |m: Move| {
                let after = position.after(m);
                let is_open = has_winning_slide(&after, !turn);
                let gain = i64::from(n_slides(&after, !turn)) - i64::from(n_slides(&after, turn));
                (!is_open, gain)
            };
            let moves = position.legal_moves();
            let worths: Vec<_> = moves.iter().map(|&m| worth(m)).collect();
            let best = worths.iter().max().unwrap();
            let m = Nonaga::classic(&position, &mut Random::new(seed));
            assert_eq!(&worth(m), best, "{m} in {position}");
            n_better += u32::from(worths.iter().any(|other| other < best));
        }
        assert!(n_better >= 10, "{n_better}");
    }

    #[test]
    fn noise_chooses_among_the_best_shifts() {
        let start = setup::<Nonaga>(&[]);
        let samples = anywhere::<Nonaga>(start, 12, 4);
        let position = samples.map(|sample| sample.position().clone());
        let position = position
            .into_iter()
            .find(|position| position.phase() == Phase::Shift);
        assert!(choices(&position.unwrap(), 60).len() > 3);
    }
}

mod of_lilypads {
    use lilypads::{Board, Lilypads, Move};

    use super::*;

    /// R17, from the numbers of the sheet.
    fn score(position: &Lilypads, board: &Board, player: Player) -> i64 {
        let goal = board.graph().start(!player);
        let on_board = position.pieces(player).iter().map(|circle| {
            if circle == goal {
                -100
            } else {
                i64::from(board.pips(player, circle))
            }
        });
        let on_board: i64 = on_board.sum();
        10 * (3 - position.pieces(player).len() as i64) + on_board
    }

    /// The chance of each move by the sheet.
    fn chances(position: &Lilypads) -> BTreeMap<String, f64> {
        let board = position.board();
        let turn = position.turn();
        let moves = position.legal_moves();
        let value = |&m: &Move| {
            let after = position.after(m);
            score(&after, &board, turn) - score(&after, &board, !turn)
        };
        let best = moves.iter().map(value).min().unwrap();
        let share = |m: &Move| 1.0 / ((value(m) - best + 1) as f64).powi(2);
        let total: f64 = moves.iter().map(share).sum();
        moves
            .iter()
            .map(|m| (m.to_string(), share(m) / total))
            .collect()
    }

    fn check_chances(position: &Lilypads) {
        const N: u64 = 1_000;
        let found = choices(position, N);
        for (m, chance) in chances(position) {
            let n = found.get(&m).copied().unwrap_or(0) as f64;
            let expected = chance * N as f64;
            // Five standard deviations, and a little for rare moves.
            let spread = 5.0 * (expected * (1.0 - chance)).sqrt() + 3.0;
            assert!(
                (n - expected).abs() < spread,
                "{m}: {n} of {expected} in {position}"
            );
        }
    }

    #[test]
    fn moves_are_drawn_by_how_much_worse_than_the_best_they_are() {
        for number in 0..3_u64 {
            let board = setup::<Lilypads>(&[("board", &number.to_string())]);
            for sample in anywhere::<Lilypads>(board, 40, number).take(2) {
                check_chances(sample.position());
            }
            for sample in near_the_end::<Lilypads>(board, 2, number).take(2) {
                check_chances(sample.position());
            }
        }
    }

    #[test]
    fn entering_counts_once_whatever_is_held() {
        // The chances depend on the positions alone, with three pieces held or one.
        for text in ["#42 - 20 first", "#42 9,12 20 first"] {
            check_chances(&text.parse().unwrap());
        }
    }
}
