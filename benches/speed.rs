//! Prints the speed of the rules: Ataxx beside other libraries, then all games. Two
//! rounds, to show how far the figures can be trusted.

#![allow(clippy::print_stdout, reason = "it prints a table")]

use std::{hint::black_box, time::Duration};

use board_game::{
    board::{Board as _, BoardMoves},
    games::ataxx::AtaxxBoard,
};
use internal_iterator::InternalIterator;
use measure::{best_rate, readable};
use nonaga::{Nonaga, Variant};
use rules::{Game, Player, Position, Random, perft};
use simply_go::{Mode, Move, SimplyGo};
use takeover::Takeover;

const DEPTH: u32 = 6;
const LEAST: Duration = Duration::from_millis(700);

fn main() {
    for round in 1..=2 {
        println!("round {round}");
        ataxx();
        playouts();
        nonaga_turns();
        for size in [19, 48] {
            placements(size);
        }
    }
}

fn report(what: &str, rate: f64) {
    println!("  {what:<58} {:>10}/s", readable(rate));
}

/// Perft of Ataxx. The other libraries count the last move in bulk; ours also the
/// last two.
fn ataxx() {
    const START: &str = "x5o/7/7/7/7/7/o5x x 0 1";
    const NODES: u64 = 141_865_520;
    let start: Takeover = START.parse().expect("the start of Ataxx");
    let two = best_rate(5, LEAST, || checked(perft(black_box(&start), DEPTH), NODES));
    let one = best_rate(5, LEAST, || {
        let mut moves = Vec::new();
        checked(perft_by_one(black_box(&start), DEPTH, &mut moves), NODES)
    });
    let theirs: ataxx::Position = START.parse().expect("the start of Ataxx");
    let ataxx = best_rate(5, LEAST, || {
        let nodes = ataxx::perft::<false, true>(black_box(theirs), DEPTH as u8);
        checked(nodes, NODES)
    });
    let start = AtaxxBoard::diagonal(7);
    let board_game = best_rate(3, LEAST, || {
        checked(board_game_perft(black_box(&start), DEPTH), NODES)
    });
    report("Ataxx perft 6, nodes: parlour, last two moves counted", two);
    report("Ataxx perft 6, nodes: parlour, last move counted", one);
    report("Ataxx perft 6, nodes: ataxx 0.2, last move counted", ataxx);
    report(
        "Ataxx perft 6, nodes: board-game 0.8, last move counted",
        board_game,
    );
    let faster = ataxx.max(board_game);
    println!(
        "  parlour to the faster of the others: {:.2}, with one move counted {:.2}",
        two / faster,
        one / faster
    );
}

fn checked(nodes: u64, expected: u64) -> u64 {
    assert_eq!(nodes, expected, "all count the same");
    nodes
}

fn perft_by_one<P: Position>(position: &P, depth: u32, moves: &mut Vec<P::Move>) -> u64 {
    if depth == 1 {
        return position.n_legal_moves() as u64;
    }
    let start = moves.len();
    position.legal_moves_into(moves);
    let mut nodes = 0;
    for index in start..moves.len() {
        nodes += perft_by_one(&position.after(moves[index]), depth - 1, moves);
    }
    moves.truncate(start);
    nodes
}

fn board_game_perft(board: &AtaxxBoard, depth: u32) -> u64 {
    let Ok(moves) = board.available_moves() else {
        return 0;
    };
    if depth == 1 {
        return moves.count() as u64;
    }
    let mut nodes = 0;
    moves.for_each(|m| {
        let after = board.clone_and_play(m).expect("the move is available");
        nodes += board_game_perft(&after, depth - 1);
    });
    nodes
}

fn playouts() {
    let games = [
        (
            "Lilypads",
            playout_rate::<lilypads::Lilypads>(&lilypads::Setup::default()),
        ),
        ("Nonaga", playout_rate::<Nonaga>(&nonaga::Setup::default())),
        (
            "Takeover",
            playout_rate::<Takeover>(&takeover::Setup::default()),
        ),
        (
            "Simply Go 19",
            playout_rate::<SimplyGo>(&simply_go::Setup::default()),
        ),
    ];
    for (name, rate) in games {
        report(&format!("random playouts: {name}"), rate);
    }
}

fn playout_rate<G: Game>(setup: &G::Setup) -> f64 {
    let start = G::start(setup).expect("the setup is right");
    let mut random = Random::new(1);
    let mut moves = Vec::new();
    best_rate(3, LEAST, || {
        const N_PLAYOUTS: u64 = 50;
        for _ in 0..N_PLAYOUTS {
            let mut position = start.clone();
            // A match of Nonaga may repeat for ever.
            for _ in 0..1000 {
                moves.clear();
                position.legal_moves_into(&mut moves);
                let Some(&m) = random.pick(&moves) else {
                    break;
                };
                position.play_unchecked(m);
            }
            black_box(&position);
        }
        N_PLAYOUTS
    })
}

/// Every slide with every shift after it, listed.
fn nonaga_turns() {
    for (name, variant) in [
        ("standard", Variant::Standard),
        ("published", Variant::Published),
    ] {
        let start = Nonaga::start(&nonaga::Setup { variant }).expect("Nonaga has a start");
        let mut slides = Vec::new();
        let mut shifts = Vec::new();
        let rate = best_rate(3, LEAST, || {
            let mut n_turns = 0;
            for _ in 0..100 {
                slides.clear();
                black_box(&start).legal_moves_into(&mut slides);
                for &slide in &slides {
                    shifts.clear();
                    start.after(slide).legal_moves_into(&mut shifts);
                    n_turns += black_box(&shifts).len() as u64;
                }
            }
            n_turns
        });
        report(&format!("Nonaga full turns generated: {name}"), rate);
    }
}

/// Stones on random points until the board is full, so that captures abound. The
/// match would be over long before.
fn placements(size: u8) {
    let mode = Mode::Moves(500);
    let start = SimplyGo::start(&simply_go::Setup { size, mode }).expect("Simply Go has a start");
    let mut random = Random::new(1);
    let mut n_captures = 0;
    let mut n_placements = 0;
    let rate = best_rate(3, LEAST, || {
        let mut points: Vec<_> = start.playable().iter().collect();
        shuffle(&mut points, &mut random);
        let mut position = start.clone();
        let mut n = 0;
        for point in points {
            let is_fort = |player| position.forts(player).contains(point);
            if !Player::BOTH.into_iter().any(is_fort) {
                position.play_unchecked(Move::Place(point));
                n += 1;
            }
        }
        let captures = Player::BOTH.map(|player| u64::from(position.n_captures(player)));
        n_placements += n;
        n_captures += captures.iter().sum::<u64>();
        n
    });
    let captured = 100.0 * n_captures as f64 / n_placements as f64;
    report(
        &format!("Simply Go {size} placements ({captured:.0} % of stones captured)"),
        rate,
    );
}

fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for n in (1..items.len()).rev() {
        items.swap(n, random.below(n as u32 + 1) as usize);
    }
}
