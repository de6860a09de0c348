//! Monte Carlo tree search on random games.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod toy;

use std::{
    collections::HashMap,
    sync::atomic::{AtomicU32, Ordering},
};

use rules::{Outcome, Position};
use search::{Limits, MonteCarlo, NoStop, Report, Stop, Value};
use toy::{To, Toy, ToyGuide, truth, truth_of_move};

fn search(position: &Toy, seed: u64, nodes: u64) -> Option<Report<To>> {
    let search = MonteCarlo {
        playouts: &ToyGuide,
        seed,
        n_lines: 2,
        curiosity: 150,
    };
    search.search(position, Limits::nodes(nodes), &NoStop, &mut |_| {})
}

fn unfinished() -> impl Iterator<Item = Toy> {
    let toys = (0..).map(|seed| Toy::new(seed, false));
    toys.filter(|toy| toy.outcome().is_none())
}

#[test]
fn a_win_in_one_is_found() {
    let mut n_found = 0;
    for toy in unfinished().take(1_000) {
        let wins = |&m: &To| toy.after(m).outcome() == Some(Outcome::Win(toy.turn()));
        if !toy.legal_moves().iter().any(wins) {
            continue;
        }
        let found = search(&toy, 1, 300).unwrap();
        assert!(wins(&found.best().unwrap()), "{toy}");
        assert_eq!(found.value(), Some(Value::win_in(1)), "{toy}");
        n_found += 1;
    }
    assert!(n_found > 100, "{n_found}");
}

/// With enough playouts the choice is the best one, by its true value.
#[test]
fn the_choice_comes_to_be_the_best() {
    let mut n_right = 0;
    for toy in unfinished().take(200) {
        let mut known = HashMap::new();
        let sign = |number: i32| number.signum();
        let expected = truth(&toy, &mut known);
        let found = search(&toy, 7, 3_000).unwrap().best().unwrap();
        let value = truth_of_move(&toy, found, &mut known);
        n_right += u32::from(sign(value.number()) == sign(expected.number()));
    }
    assert!(n_right >= 196, "{n_right} of 200");
}

#[test]
fn the_same_seed_finds_the_same() {
    let mut n_different = 0;
    for toy in unfinished().take(100) {
        let found = search(&toy, 5, 200);
        assert_eq!(found, search(&toy, 5, 200), "{toy}");
        n_different += u32::from(found != search(&toy, 6, 200));
    }
    assert!(n_different > 20, "{n_different}");
}

#[test]
fn reports_add_up() {
    for toy in unfinished().take(300) {
        let found = search(&toy, 5, 100).unwrap();
        assert_eq!(found.nodes, 100);
        assert_eq!(found.effort.len(), toy.legal_moves().len());
        let effort: u32 = found.effort.iter().map(|&(_, share)| share).sum();
        assert!((980..=1_000).contains(&effort), "{effort}");
        for line in &found.lines {
            let mut position = toy.clone();
            for &m in &line.moves {
                position.play(m).unwrap();
            }
        }
    }
}

#[test]
fn a_finished_game_is_not_searched() {
    let over = (1..).map(|place| Toy {
        place,
        ..Toy::new(3, false)
    });
    let over = over
        .into_iter()
        .find(|toy: &Toy| toy.outcome().is_some())
        .unwrap();
    assert_eq!(search(&over, 1, 10), None);
}

/// Stops at the given number of questions.
struct StopAt(AtomicU32, u32);

impl Stop for StopAt {
    fn is_set(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) >= self.1
    }
}

#[test]
fn it_can_be_stopped_at_any_time() {
    for toy in unfinished().take(20) {
        for n in 0..100 {
            let search = MonteCarlo {
                playouts: &ToyGuide,
                seed: 1,
                n_lines: 1,
                curiosity: 150,
            };
            let stop = StopAt(AtomicU32::new(0), n);
            let found = search.search(&toy, Limits::default(), &stop, &mut |_| {});
            let found = found.unwrap();
            assert!(toy.is_legal(found.best().unwrap()));
            assert!(found.nodes <= u64::from(n) + 1);
        }
        // Even without any playout there is a move.
        assert!(search(&toy, 1, 0).unwrap().best().is_some());
    }
}
