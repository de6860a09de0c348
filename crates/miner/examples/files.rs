//! Mines the puzzles of the first seeds and looks for them in the shipped files. It is made
//! for WebAssembly, where a program has neither arguments nor output: each call of `main`
//! takes the next seed of the next game, and its exit status reports whether the puzzle is
//! the one that native code finds. `cargo xtask puzzles --check` runs it.

use std::{
    process::ExitCode,
    sync::atomic::{AtomicUsize, Ordering},
};

use miner::Mining;

static NEXT: AtomicUsize = AtomicUsize::new(0);

fn main() -> ExitCode {
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    let game = catalog::GAMES[n % catalog::GAMES.len()].name();
    let seed = (n / catalog::GAMES.len()) as u64;
    let puzzle = Mining::new(game, seed).and_then(Mining::run);
    let is_shipped = puzzle.is_some_and(|puzzle| {
        let index = puzzles::all(game).find(puzzle.id());
        index.and_then(|index| puzzles::all(game).get(index)) == Some(puzzle)
    });
    match is_shipped {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
