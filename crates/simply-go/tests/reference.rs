//! The game agrees with a second implementation, move by move.

// The path is explicit, since this file has the same name.
mod plain;

use expect_test::expect_file;
use rules::{Game, Random};
use simply_go::{Mode, Setup, SimplyGo};
use testkit::{check_against, check_perft_against};

use crate::plain::PlainSimplyGo;

#[test]
fn nine_by_nine_agrees() {
    check_modes(9, &[moves(40), moves(100), target(5), target(10)], 40);
}

/// Enough moves to fill the board, so that captures, forts and R5 abound.
#[test]
fn full_boards_agree() {
    check_modes(9, &[moves(200), moves(500), target(25), target(50)], 80);
}

#[test]
fn thirteen_by_thirteen_agrees() {
    check_modes(13, &[moves(40), moves(200), target(5), target(50)], 8);
}

#[test]
fn nineteen_by_nineteen_agrees() {
    check_modes(19, &[moves(100), moves(500), target(25)], 2);
}

#[test]
fn twenty_five_by_twenty_five_agrees() {
    check_modes(25, &[moves(200), target(10)], 1);
}

#[test]
fn forty_eight_by_forty_eight_agrees() {
    check_modes(48, &[moves(100)], 2);
}

/// R5: areas that have lost their last exit by their owner's hand.
#[test]
fn areas_without_an_exit_agree() {
    // In the corner, on the edge, in the middle.
    check_text("bw7/w8/9/9/9/9/9/9/9 b 0:0 4 0 moves:100", 30);
    check_text("1bw6/bw7/w8/9/9/9/9/9/9 w 0:0 7 0 moves:100", 30);
    check_text("9/9/9/w8/bw7/bw7/bw7/w8/9 b 0:0 10 0 target:5", 30);
    check_text(
        "9/1www5/w1b1w4/w1b1w4/1www5/9/9/9/9 b 0:0 20 0 moves:40",
        30,
    );
    // Both sides at once: whoever places a stone takes the other's.
    check_text("bw5bw/w7b/9/9/9/9/9/9/9 b 0:0 8 0 moves:100", 30);
    check_text("bw5bw/w7b/9/9/9/9/9/9/9 w 0:0 9 1 target:5", 30);
    check_text(
        "bbbbbbbbb/b7b/b7b/b7b/b3w3b/b7b/b7b/b7b/bbbbbbbbb b 0:0 64 0 moves:100",
        30,
    );
}

/// R6: regions that are enclosed and no forts yet, and some that may not be.
#[test]
fn enclosed_regions_agree() {
    check_text("9/2b6/1b1b5/2b6/9/5w3/4w1w2/5w3/9 b 0:0 8 0 moves:100", 30);
    check_text("9/2b6/1b1b5/2b6/9/5w3/4w1w2/5w3/9 w 0:0 9 1 moves:100", 30);
    // Of two colors, on the rim.
    check_text("9/2b6/1b1w5/2b6/9/9/9/9/9 b 0:0 8 0 moves:100", 30);
    check_text("1b7/b8/9/9/9/9/9/6w2/5w1w1 b 0:0 8 0 moves:100", 30);
}

/// R7: forts that a capture swallows, and rim forts, which are exits.
#[test]
fn forts_agree() {
    let open = "9/2www4/1w1b1w3/1wbBbw3/1w1b1w3/2w1w4/9/9/9";
    check_text(&format!("{open} w 0:0 31 0 moves:100"), 30);
    check_text(&format!("{open} b 0:0 30 0 target:5"), 30);
    let closed = "9/2www4/1w1b1w3/1wbBbw3/1w1b1w3/2www4/9/9/9";
    check_text(&format!("{closed} w 0:0 31 0 moves:100"), 30);
    check_text(&format!("{closed} b 0:0 30 0 target:5"), 30);
    check_text("Bbw6/bw7/w8/9/9/9/9/9/9 w 1:0 11 0 moves:100", 30);
    check_text("WWbw5/bbw6/ww7/9/9/9/9/9/9 w 0:2 21 0 moves:100", 30);
}

/// R8 and R9: the last moves of a match, with equal captures too.
#[test]
fn ends_agree() {
    check_text("9/2b6/1b1b5/2b6/9/5w3/4w1w2/5w3/9 w 3:3 37 0 moves:40", 30);
    check_text("9/2b6/1bBb5/2b6/9/9/9/9/9 b 3:3 38 1 moves:40", 30);
    check_text("9/2b6/1bBb5/2b6/9/5w3/4wWw2/5w3/9 b 3:3 38 1 target:5", 30);
    check_text("9/2b6/1b1b5/2b6/9/5w3/4wWw2/5w3/9 w 3:3 37 1 target:5", 30);
    check_text("9/9/9/9/9/9/9/9/9 b 0:0 0 0 target:5", 30);
}

#[test]
fn random_small_boards_agree() {
    check_random(9, Forts::None, 500, 60);
    check_random(9, Forts::Whole, 500, 60);
}

#[test]
fn random_large_boards_agree() {
    for size in [13, 19, 25] {
        check_random(size, Forts::None, 8, 12);
        check_random(size, Forts::Whole, 8, 12);
    }
}

/// Regions of which only a part is a fort. No match leads to one, since forts
/// are whole regions and end at stones whose capture swallows them; but a text
/// may.
#[test]
fn parts_of_forts_agree() {
    check_text("9/2bb5/1bB1b4/2bb5/9/9/9/9/9 b 0:0 22 0 moves:100", 60);
    check_text("9/2bb5/1bW1b4/2bb5/9/9/9/9/9 w 0:0 23 0 moves:100", 60);
    check_random(9, Forts::Anywhere, 300, 60);
}

/// Which empty points of a random position are inside forts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forts {
    None,
    /// All points of a region, or none of them.
    Whole,
    Anywhere,
}

#[track_caller]
fn check_random(size: usize, forts: Forts, n_starts: u64, n_moves: usize) {
    let mut random = Random::new(7);
    for seed in 0..n_starts {
        let text = random_text(size, forts, &mut random);
        check(&read(&text), seed, 1, n_moves);
    }
}

/// A position with stones anywhere: areas without an exit and enclosed regions
/// are common.
fn random_text(size: usize, forts: Forts, random: &mut Random) -> String {
    let (black, white) = (8 + random.below(64), 8 + random.below(64));
    let empty = 8 + random.below(64);
    let fort = match forts {
        Forts::None => 0,
        Forts::Whole => 1,
        Forts::Anywhere => 1 + random.below(12),
    };
    let weights = [
        ('b', black),
        ('w', white),
        ('1', empty),
        ('B', fort),
        ('W', fort),
    ];
    let letters: Vec<char> = weights
        .iter()
        .flat_map(|&(letter, weight)| (0..weight).map(move |_| letter))
        .collect();
    let pick = |_| *random.pick(&letters).expect("there are letters");
    let mut points: Vec<char> = (0..size * size).map(pick).collect();
    if forts == Forts::Whole {
        spread_forts(&mut points, size);
    }
    let rows: Vec<String> = points.chunks(size).map(join_ones).collect();

    let count = |letter| points.iter().filter(|&&p| p == letter).count() as u32;
    let (by_black, by_white) = (random.below(4), random.below(4));
    // Two turns more than there must have been leave room for passes.
    let n_turns = 2 + (count('b') + by_white).max(count('w') + by_black);
    let side = random.below(2);
    let n_moves = 2 * n_turns + side;
    let mode = if n_moves < 480 && random.below(2) == 0 {
        "moves:500"
    } else {
        "target:50"
    };
    format!(
        "{} {} {by_black}:{by_white} {n_moves} {} {mode}",
        rows.join("/"),
        ["b", "w"][side as usize],
        random.below(2),
    )
}

/// Makes every region that holds a point of a fort a fort.
fn spread_forts(points: &mut [char], size: usize) {
    let mut is_spreading = true;
    while is_spreading {
        is_spreading = false;
        for point in 0..points.len() {
            let right = (point % size + 1 < size).then_some(point + 1);
            let below = (point + size < points.len()).then_some(point + size);
            for neighbor in [right, below].into_iter().flatten() {
                let (a, b) = (points[point], points[neighbor]);
                if a != b && "1BW".contains(a) && "1BW".contains(b) {
                    // Letters come after digits, and W after B.
                    points[point] = a.max(b);
                    points[neighbor] = a.max(b);
                    is_spreading = true;
                }
            }
        }
    }
}

/// Writes each run of empty points, `1` each, as its length.
fn join_ones(row: &[char]) -> String {
    let write = |run: &[char]| match run[0] {
        '1' => run.len().to_string(),
        _ => run.iter().collect(),
    };
    row.chunk_by(|a, b| a == b).map(write).collect()
}

fn moves(n: u16) -> Mode {
    Mode::Moves(n)
}

fn target(n: u16) -> Mode {
    Mode::Target(n)
}

#[track_caller]
fn check_modes(size: u8, modes: &[Mode], n_matches: usize) {
    for (seed, &mode) in (1..).zip(modes) {
        let start = SimplyGo::start(&Setup { size, mode }).expect("a size and a mode of R8");
        check(&start, seed, n_matches, 501);
    }
}

#[track_caller]
fn check_text(text: &str, n_matches: usize) {
    check(&read(text), 1, n_matches, 501);
}

#[track_caller]
fn read(text: &str) -> SimplyGo {
    match text.parse() {
        Ok(start) => start,
        Err(e) => panic!("{text}: {e}"),
    }
}

#[track_caller]
fn check(start: &SimplyGo, seed: u64, n_matches: usize, n_moves: usize) {
    check_against::<SimplyGo, PlainSimplyGo>(start, seed, n_matches, n_moves);
}

#[test]
fn node_counts_agree() {
    check_perft_against::<PlainSimplyGo>(&expect_file!["simply-go.perft"]);
}
