//! Compares what the search of Lilypads claims with the solved board.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod positions;

use std::ops::ControlFlow;

use bots::Bots;
use lilypads::{Board, Lilypads};
use lilypads_solver::{ExactValue, solve};
use positions::{Sample, anywhere, engine_request, setup};
use search::{TranspositionTable, Verdict};

#[test]
fn wins_and_losses_that_search_proves_are_those_of_the_table() {
    let number = 42;
    let solution = solve(&Board::new(number), |_| ControlFlow::Continue(())).unwrap();
    let board = number.to_string();
    let samples = anywhere::<Lilypads>(setup::<Lilypads>(&[("board", &board)]), 60, 7);
    let mut n_proven = 0;
    for Sample { record } in samples.take(400) {
        let position = record.position();
        let table = TranspositionTable::for_nodes(5_000);
        let request = engine_request(&table, 5_000);
        // Without the positions before: the tablebase knows nothing of repetition.
        let found = Lilypads::search(position, &[], &request, &mut |_| {}).unwrap();
        let truth = solution.value(position).unwrap();
        match found.value().unwrap().verdict() {
            // It may miss a faster win, but never claims one that is not there.
            Verdict::Win(plies) => {
                assert!(
                    matches!(truth, ExactValue::Win(n) if u32::from(n) <= plies),
                    "{position}"
                );
            }
            Verdict::Loss(plies) => {
                assert!(
                    matches!(truth, ExactValue::Loss(n) if u32::from(n) <= plies),
                    "{position}"
                );
            }
            Verdict::Draw | Verdict::Score(_) => continue,
        }
        n_proven += 1;
    }
    assert!(n_proven > 100, "only {n_proven} of 400 were proven");
}
