//! Nonaga obeys the laws of a position.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use nonaga::{Nonaga, Setup, Variant};
use rules::Game;
use testkit::{check_laws, check_record};

const VARIANTS: [Variant; 2] = [Variant::Standard, Variant::Published];

#[test]
fn laws_from_the_start() {
    for variant in VARIANTS {
        let start = Nonaga::start(&Setup { variant }).unwrap();
        for seed in 0..3 {
            check_laws(&start, seed, 400);
        }
    }
}

/// A board that is one line is the widest there is, and in each direction.
#[test]
fn laws_from_a_line_of_tiles() {
    for (q, r) in [(1, 0), (0, 1), (1, -1)] {
        let hex = |n: i32| format!("{},{}", n * q, n * r);
        let list = |numbers: &[i32]| {
            let hexes: Vec<_> = numbers.iter().map(|&n| hex(n)).collect();
            hexes.join(";")
        };
        let tiles: Vec<i32> = (0..19).collect();
        let standard = format!(
            "{} {} {} first slide",
            list(&tiles),
            list(&[0, 7, 12]),
            list(&[4, 9, 17])
        );
        for text in [format!("{standard} {}", hex(18)), standard] {
            check_laws(&text.parse::<Nonaga>().unwrap(), 1, 400);
        }
    }
}

#[test]
fn records_keep_what_happened() {
    for variant in VARIANTS {
        for seed in 0..20 {
            check_record::<Nonaga>(Setup { variant }, seed, 120);
        }
    }
}
