//! What every level guarantees.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod positions;

use bots::{Beginner, Bots, Level, Opponent, Request, think};
use lilypads::Lilypads;
use nonaga::Nonaga;
use positions::{Sample, anywhere, engine_request, is_lost_at_once, near_the_end, setup};
use rules::{Outcome, Random, Record};
use search::TranspositionTable;
use simply_go::SimplyGo;
use takeover::Takeover;

/// The choice of a level that searches at most `nodes` nodes.
fn choose<G: Bots>(record: &Record<G>, number: u8, nodes: u64, seed: u64) -> G::Move {
    let table = TranspositionTable::for_nodes(0);
    let request = Request {
        opponent: Opponent::Level(Level::new(number).unwrap()),
        seed,
        ..engine_request(&table, nodes)
    };
    think(record, &request, &mut |_| {}).unwrap()
}

/// Levels from 3 on never miss a win in one; those from 6 on always answer a threat
/// to win in one if they can. However few nodes they have.
fn check<G: Bots>(samples: impl Iterator<Item = Sample<G>>, n: usize, least: [u32; 2]) {
    let (mut n_wins, mut n_threats) = (0, 0);
    for (seed, sample) in (0..).zip(samples.take(n)) {
        let position = sample.position();
        let turn = position.turn();
        let moves = position.legal_moves();
        let wins = |&m: &G::Move| position.after(m).outcome() == Some(Outcome::Win(turn));
        let number = 1 + (seed % u64::from(Level::TOP)) as u8;
        // From nothing at all to enough for every move.
        let nodes = [0, 1, 50, 500][seed as usize / usize::from(Level::TOP) % 4];
        let m = choose(&sample.record, number, nodes, seed);
        assert!(moves.contains(&m), "level {number} plays {m} in {position}");
        if moves.iter().any(wins) {
            if number >= 3 {
                assert!(wins(&m), "level {number} plays {m} in {position}");
                n_wins += 1;
            }
        } else if number >= 6 {
            let loses = |m: &G::Move| is_lost_at_once(&position.after(*m), turn);
            if moves.iter().any(loses) && !moves.iter().all(loses) {
                assert!(!loses(&m), "level {number} plays {m} in {position}");
                n_threats += 1;
            }
        }
    }
    assert!(n_wins >= least[0], "{n_wins} wins");
    assert!(n_threats >= least[1], "{n_threats} threats");
}

#[test]
fn levels_of_takeover_see_wins_and_threats() {
    let standard = setup::<Takeover>(&[]);
    check::<Takeover>(near_the_end(standard, 3, 1), 2_000, [300, 100]);
    check::<Takeover>(anywhere(standard, 60, 1), 500, [0, 0]);
    let ataxx = setup::<Takeover>(&[("variant", "ataxx")]);
    check::<Takeover>(near_the_end(ataxx, 3, 1), 1_000, [150, 30]);
}

#[test]
fn levels_of_nonaga_see_wins_and_threats() {
    for variant in ["standard", "published"] {
        let setup = setup::<Nonaga>(&[("variant", variant)]);
        check::<Nonaga>(near_the_end(setup, 4, 1), 600, [100, 30]);
        check::<Nonaga>(anywhere(setup, 40, 1), 200, [1, 10]);
    }
}

#[test]
fn levels_of_lilypads_see_wins_and_threats() {
    for number in 0..5_u64 {
        let board = setup::<Lilypads>(&[("board", &number.to_string())]);
        check::<Lilypads>(near_the_end(board, 3, number), 500, [80, 30]);
        check::<Lilypads>(anywhere(board, 80, number), 400, [0, 0]);
    }
}

/// The same seed gives the same move, whatever was searched before.
fn check_repeats<G: Bots>(samples: impl Iterator<Item = Sample<G>>) {
    for (seed, sample) in (0..).zip(samples.take(6)) {
        for number in 1..=Level::TOP {
            let first = choose(&sample.record, number, 300, seed);
            let second = choose(&sample.record, number, 300, seed);
            assert_eq!(first, second, "level {number} in {}", sample.position());
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_move() {
    check_repeats::<Takeover>(anywhere(setup::<Takeover>(&[]), 40, 2));
    check_repeats::<Takeover>(anywhere(setup::<Takeover>(&[("variant", "ataxx")]), 40, 2));
    check_repeats::<Nonaga>(anywhere(setup::<Nonaga>(&[]), 40, 2));
    check_repeats::<Nonaga>(anywhere(
        setup::<Nonaga>(&[("variant", "published")]),
        40,
        2,
    ));
    check_repeats::<Lilypads>(anywhere(setup::<Lilypads>(&[]), 40, 2));
}

/// A beginner that is not greedy takes the best of three neighbors in the list of moves, and often
/// misses the best of all.
fn check_tunnel_vision<G: Bots>(samples: impl Iterator<Item = Sample<G>>) {
    const N_SEEN: usize = 3;
    let beginner = Beginner::new(0, 0, 0).seeing(N_SEEN);
    let mut n_missed = 0;
    for (seed, sample) in (0..).zip(samples.take(100)) {
        let position = sample.position();
        let moves = position.legal_moves();
        let greed = |m: &G::Move| G::greed(position, *m);
        let m = beginner
            .choose(position, &moves, &mut Random::new(seed))
            .unwrap();
        let around = moves.iter().cycle().take(moves.len() + N_SEEN - 1);
        let around: Vec<G::Move> = around.copied().collect();
        let is_best_of =
            |seen: &[G::Move]| seen.contains(&m) && seen.iter().map(greed).max() == Some(greed(&m));
        assert!(around.windows(N_SEEN).any(is_best_of), "{m} in {position}");
        n_missed += u32::from(moves.iter().any(|other| greed(other) > greed(&m)));
    }
    assert!(n_missed > 10, "{n_missed} missed");
}

#[test]
fn tunnel_vision_takes_the_best_of_a_few_neighboring_moves() {
    check_tunnel_vision::<Takeover>(anywhere(setup::<Takeover>(&[]), 40, 4));
    check_tunnel_vision::<Nonaga>(anywhere(setup::<Nonaga>(&[]), 40, 4));
    check_tunnel_vision::<Lilypads>(anywhere(setup::<Lilypads>(&[]), 40, 4));
    check_tunnel_vision::<SimplyGo>(anywhere(setup::<SimplyGo>(&[]), 40, 4));
}

/// The results of two threads may differ, but the move is legal.
#[test]
fn threads_choose_legal_moves() {
    fn check<G: Bots>() {
        for sample in anywhere::<G>(G::Setup::default(), 40, 3).take(10) {
            let table = TranspositionTable::for_nodes(0);
            let request = Request {
                n_threads: 2,
                ..engine_request(&table, 2_000)
            };
            let m = think(&sample.record, &request, &mut |_| {}).unwrap();
            assert!(sample.position().is_legal(m));
        }
    }
    check::<Takeover>();
    check::<Nonaga>();
    check::<Lilypads>();
}
