//! Compares the search with minimax and with brute force, in all four games.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

#[path = "../../search/tests/plain/mod.rs"]
mod plain;
mod positions;

use bots::{Bots, lilypads::LilypadsGuide, nonaga::NonagaGuide, takeover::TakeoverGuide};
use lilypads::Lilypads;
use nonaga::Nonaga;
use plain::{Plain, can_win_within, check_verdict};
use positions::{Sample, anywhere, engine_request, near_the_end, setup};
use rules::{Game, Player, Position};
use search::{AlphaBeta, Guide, Limits, NoStop, TranspositionTable, Tuning, Value};
use simply_go::{Move, SimplyGo};
use takeover::Takeover;

/// Checks that exact search agrees with plain minimax, with one line and with
/// several. The positions before count as played twice.
fn check_exact<G: Game, U: Guide<G>>(
    samples: impl Iterator<Item = Sample<G>>,
    guide: impl Fn(&G) -> U,
    depth: u32,
    n: usize,
) {
    let mut n_cycles = 0;
    for sample in samples.take(n) {
        let position = sample.position();
        let guide = guide(position);
        let keys = sample.record.repetition_keys();
        let played: Vec<u64> = keys.iter().flat_map(|&key| [key, key]).collect();
        let mut plain = Plain::new(&guide, &played);
        let expected = plain.root(position, depth);
        if plain.has_cycle {
            n_cycles += 1;
            continue;
        }
        let mut values: Vec<Value> = expected.iter().map(|&(_, value)| value).collect();
        values.sort_by_key(|&value| std::cmp::Reverse(value));
        for n_lines in [1, 3] {
            let table = TranspositionTable::for_nodes(1 << 12);
            let search = AlphaBeta {
                is_exact: true,
                n_lines,
                ..AlphaBeta::new(&guide, &table)
            };
            let limits = Limits::depth(depth);
            let found = search.search(position, &played, limits, &NoStop, &mut |_| {});
            let found = found.unwrap();
            let lines: Vec<_> = found.lines.iter().map(|line| line.value).collect();
            assert_eq!(lines, values[..lines.len()], "depth {depth} of {position}");
            let best = expected.iter().find(|(m, _)| Some(*m) == found.best());
            assert_eq!(best.unwrap().1, values[0], "depth {depth} of {position}");
        }
    }
    // Some results may depend on the path to a repeated position.
    assert!(n_cycles * 4 < n, "{n_cycles} of {n}");
}

/// Checks that exact search finds wins and losses within `depth` moves, at their
/// distance, and no others.
fn check_distances<G: Game, U: Guide<G>>(
    samples: impl Iterator<Item = Sample<G>>,
    guide: impl Fn(&G) -> U,
    depth: u32,
    n: usize,
    n_decided: u32,
) {
    let mut decided = 0;
    for sample in samples.take(n) {
        let position = sample.position();
        let guide = guide(position);
        let table = TranspositionTable::for_nodes(1 << 12);
        let search = AlphaBeta {
            is_exact: true,
            ..AlphaBeta::new(&guide, &table)
        };
        let found = search.search(position, &[], Limits::depth(depth), &NoStop, &mut |_| {});
        let value = found.unwrap().value().unwrap();
        let turn = position.turn();
        let within = |player: Player| (0..=depth).find(|&n| can_win_within(position, player, n));
        if let Some(n) = within(turn) {
            assert_eq!(value, Value::win_in(n), "{position}");
        } else if let Some(n) = within(!turn) {
            assert_eq!(value, Value::loss_in(n), "{position}");
        }
        decided += u32::from(check_verdict(position, value, true, depth + 2));
    }
    assert!(decided >= n_decided, "only {decided} of {n} are decided");
}

/// Checks that wins and losses reported by the evaluation alone are proven.
fn check_proofs<G: Game, U: Guide<G>>(
    samples: impl Iterator<Item = Sample<G>>,
    guide: impl Fn(&G) -> U,
    n: usize,
    n_decided: u32,
) {
    let mut decided = 0;
    for sample in samples.take(n) {
        let position = sample.position();
        let guide = guide(position);
        let value = guide.evaluate(position, &guide.memo(position));
        decided += u32::from(check_verdict(position, value, true, 4));
    }
    assert!(decided >= n_decided, "only {decided} of {n} are decided");
}

/// Checks that wins and losses reported by the engine are proven, in spite of
/// pruning.
fn check_claims<G: Bots>(
    samples: impl Iterator<Item = Sample<G>>,
    most: u32,
    n: usize,
    n_decided: u32,
) {
    let mut decided = 0;
    for sample in samples.take(n) {
        let position = sample.position();
        let table = TranspositionTable::for_nodes(2_000);
        let request = engine_request(&table, 2_000);
        let found = G::search(position, &[], &request, &mut |_| {}).unwrap();
        let value = found.value().unwrap();
        decided += u32::from(check_verdict(position, value, false, most));
    }
    assert!(decided >= n_decided, "only {decided} of {n} are decided");
}

const STANDARD: [(&str, &str); 1] = [("variant", "standard")];
const ATAXX: [(&str, &str); 1] = [("variant", "ataxx")];
const PUBLISHED: [(&str, &str); 1] = [("variant", "published")];

mod takeover_games {
    use super::*;

    fn guide(position: &Takeover) -> TakeoverGuide {
        TakeoverGuide::new(position.variant())
    }

    fn boards(number: u64) -> takeover::Setup {
        setup::<Takeover>(&[("variant", "standard"), ("board", &number.to_string())])
    }

    /// Those with few moves: minimax takes the fourth power of their number.
    fn narrow(
        samples: impl Iterator<Item = Sample<Takeover>>,
        most: usize,
    ) -> impl Iterator<Item = Sample<Takeover>> {
        samples.filter(move |sample| sample.position().legal_moves().len() <= most)
    }

    #[test]
    fn exact_search_is_minimax() {
        for number in 0..4 {
            check_exact(anywhere(boards(number), 60, number), guide, 2, 300);
            let few = narrow(near_the_end(boards(number), 5, number), 8);
            check_exact(few, guide, 4, 150);
            check_exact(near_the_end(boards(number), 5, number + 4), guide, 3, 60);
        }
        check_exact(anywhere(boards(4), 30, 1), guide, 3, 6);
        let ataxx = setup::<Takeover>(&ATAXX);
        check_exact(anywhere(ataxx, 100, 1), guide, 2, 100);
        check_exact(narrow(near_the_end(ataxx, 5, 2), 16), guide, 3, 200);
        check_exact(near_the_end(ataxx, 5, 3), guide, 2, 200);
    }

    #[test]
    fn distances_are_exact() {
        for choices in [STANDARD, ATAXX] {
            let setup = setup::<Takeover>(&choices);
            check_distances(near_the_end(setup, 5, 5), guide, 4, 700, 300);
        }
    }

    #[test]
    fn reported_wins_and_losses_are_proven() {
        for choices in [STANDARD, ATAXX] {
            let setup = setup::<Takeover>(&choices);
            check_claims(near_the_end::<Takeover>(setup, 6, 6), 6, 500, 200);
        }
    }
}

mod nonaga_games {
    use super::*;

    fn guide(_: &Nonaga) -> NonagaGuide {
        NonagaGuide::default()
    }

    /// Without the positions before: a threat may be answered by a third repetition,
    /// which the guide ignores.
    fn fresh(
        samples: impl Iterator<Item = Sample<Nonaga>>,
    ) -> impl Iterator<Item = Sample<Nonaga>> {
        samples.map(|sample| Sample {
            record: rules::Record::from_position(sample.position().clone()),
        })
    }

    #[test]
    fn exact_search_is_minimax() {
        for choices in [STANDARD, PUBLISHED] {
            let setup = setup::<Nonaga>(&choices);
            check_exact(fresh(anywhere(setup, 40, 3)), guide, 1, 1_000);
            check_exact(fresh(anywhere(setup, 40, 3)), guide, 2, 250);
            let to_slide =
                |sample: &Sample<Nonaga>| sample.position().phase() == nonaga::Phase::Slide;
            check_exact(fresh(anywhere(setup, 30, 4)).filter(to_slide), guide, 3, 10);
        }
    }

    #[test]
    fn distances_are_exact() {
        for choices in [STANDARD, PUBLISHED] {
            let setup = setup::<Nonaga>(&choices);
            check_distances(near_the_end(setup, 4, 5), guide, 2, 400, 100);
            check_distances(near_the_end(setup, 4, 6), guide, 3, 12, 3);
        }
    }

    #[test]
    fn what_the_evaluation_proves_is_true() {
        for choices in [STANDARD, PUBLISHED] {
            let setup = setup::<Nonaga>(&choices);
            check_proofs(anywhere(setup, 40, 7), guide, 2_000, 100);
            check_proofs(near_the_end(setup, 4, 8), guide, 2_000, 500);
        }
    }

    #[test]
    fn reported_wins_and_losses_are_proven() {
        for choices in [STANDARD, PUBLISHED] {
            let setup = setup::<Nonaga>(&choices);
            check_claims(near_the_end::<Nonaga>(setup, 5, 9), 3, 400, 100);
        }
    }
}

mod lilypads_games {
    use super::*;

    fn guide(position: &Lilypads) -> LilypadsGuide {
        LilypadsGuide::new(position.number())
    }

    fn boards(number: u64) -> lilypads::Setup {
        setup::<Lilypads>(&[("board", &number.to_string())])
    }

    #[test]
    fn exact_search_is_minimax() {
        for number in 0..4 {
            check_exact(anywhere(boards(number), 60, number), guide, 2, 300);
            check_exact(anywhere(boards(number), 60, number), guide, 3, 200);
            check_exact(anywhere(boards(number), 60, number), guide, 4, 15);
        }
    }

    #[test]
    fn distances_are_exact() {
        for number in 0..3 {
            check_distances(near_the_end(boards(number), 4, number), guide, 3, 400, 150);
        }
    }

    #[test]
    fn what_the_evaluation_proves_is_true() {
        for number in 0..10 {
            check_proofs(anywhere(boards(number), 80, number), guide, 300, 10);
            check_proofs(near_the_end(boards(number), 4, number), guide, 200, 40);
        }
    }

    #[test]
    fn reported_wins_and_losses_are_proven() {
        for number in 0..4 {
            check_claims(
                near_the_end::<Lilypads>(boards(number), 5, number),
                5,
                200,
                60,
            );
        }
    }
}

mod simply_go_games {
    use super::*;

    /// Counts captures, with a tie-break that tells positions apart.
    struct Captures;

    impl Guide<SimplyGo> for Captures {
        type Memo = ();

        const N_SLOTS: usize = 48 * 48 + 1;
        const TUNING: Tuning = Tuning::EXACT;

        fn memo(&self, _: &SimplyGo) {}

        fn evaluate(&self, position: &SimplyGo, (): &()) -> Value {
            let captures = |player| i32::from(position.n_captures(player));
            let turn = position.turn();
            let noise = (position.key() % 41) as i32 - 20;
            Value::from_score(100 * (captures(turn) - captures(!turn)) + noise)
        }

        fn rank_into(&self, _: &SimplyGo, (): &(), moves: &[Move], _: i32, ranks: &mut Vec<i32>) {
            ranks.extend(moves.iter().map(|_| 0));
        }

        fn slot(&self, position: &SimplyGo, m: Move) -> usize {
            let place = position.legal_moves().iter().position(|&other| other == m);
            place.unwrap_or(0)
        }
    }

    fn guide(_: &SimplyGo) -> Captures {
        Captures
    }

    fn game(mode: &str) -> simply_go::Setup {
        setup::<SimplyGo>(&[("size", "9"), ("mode", mode)])
    }

    #[test]
    fn exact_search_is_minimax() {
        check_exact(near_the_end(game("moves:40"), 6, 1), guide, 2, 250);
        check_exact(near_the_end(game("target:5"), 6, 2), guide, 2, 250);
        check_exact(anywhere(game("target:5"), 60, 3), guide, 1, 1_000);
        check_exact(near_the_end(game("moves:40"), 3, 4), guide, 3, 3);
    }

    #[test]
    fn distances_are_exact() {
        check_distances(near_the_end(game("moves:40"), 2, 5), guide, 2, 150, 30);
        check_distances(near_the_end(game("target:5"), 2, 6), guide, 2, 150, 30);
    }
}
