//! Files of weights, and play without them.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod positions;

use bots::{
    Bots, DamagedWeights, Level, Opponent, Thinking, ThinkingStep, needed_weights,
    takeover::TakeoverGuide,
};
use positions::{anywhere, engine_request, setup};
use rules::{Outcome, Player, Position, Random, Record};
use search::{Guide, NoStop, Slice, TranspositionTable, Value};
use takeover::{Takeover, Variant};

const VARIANTS: [(&str, &[u8]); 2] = [
    (
        "standard",
        include_bytes!("../src/takeover/takeover.weights"),
    ),
    ("ataxx", include_bytes!("../src/takeover/ataxx.weights")),
];

fn start(variant: &str) -> Record<Takeover> {
    Record::new(setup::<Takeover>(&[("variant", variant)])).unwrap()
}

#[test]
fn a_file_is_known_by_its_checksum() {
    for (variant, content) in VARIANTS {
        let file = Takeover::weights(start(variant).position()).unwrap();
        assert_eq!(file.size(), content.len());
        assert_eq!(file.load(content), Ok(()));
        let hash = content
            .iter()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        assert_eq!(
            file.file_name(),
            format!("{}-{hash:016x}.weights", file.name())
        );
        for place in [0, content.len() / 2, content.len() - 1] {
            let mut damaged = content.to_vec();
            damaged[place] ^= 0x80;
            assert_eq!(file.load(&damaged), Err(DamagedWeights), "byte {place}");
        }
        assert_eq!(file.load(&content[1..]), Err(DamagedWeights));
    }
}

#[test]
fn whoever_searches_needs_weights() {
    let record = start("standard");
    let position = record.position();
    let is_needed = |opponent| needed_weights(position, opponent).is_some();
    assert!(is_needed(Opponent::Engine));
    assert!(!is_needed(Opponent::Classic) && !is_needed(Opponent::Random));
    for level in Level::all() {
        let searches = Takeover::habits(position, level).is_some();
        assert_eq!(is_needed(Opponent::Level(level)), searches, "{level:?}");
    }
}

/// The small evaluation of the two players is the same but for its sign.
#[test]
fn pieces_are_counted_for_both() {
    for (variant, kind) in [("standard", Variant::Standard), ("ataxx", Variant::Ataxx)] {
        let guide = TakeoverGuide::small(kind);
        for sample in
            anywhere::<Takeover>(setup::<Takeover>(&[("variant", variant)]), 80, 5).take(200)
        {
            let position = sample.position();
            let [own, other] =
                [position.turn(), !position.turn()].map(|player| position.pieces(player).len());
            if own == other {
                continue;
            }
            let score = |position: &Takeover| guide.evaluate(position, &guide.memo(position));
            assert_eq!(score(position), -score(&position.passed()), "{position}");
            assert_eq!(score(position) > Value::DRAW, own > other, "{position}");
        }
    }
}

/// The move of an engine without weights.
fn small_move(record: &Record<Takeover>) -> takeover::Move {
    let table = TranspositionTable::new(1);
    let request = engine_request(&table, 2_000);
    let mut thinking = Thinking::new(record, &request).without_weights();
    loop {
        if let ThinkingStep::Done(m) = thinking.step(&table, &NoStop, Slice::WHOLE) {
            return m.unwrap();
        }
    }
}

#[test]
fn play_without_weights_is_sound() {
    for (variant, _) in VARIANTS {
        let mut n_won = 0;
        for seed in 0..10 {
            let me = Player::BOTH[seed as usize % 2];
            let mut random = Random::new(seed);
            let mut record = start(variant);
            while record.ending().is_none() {
                let position = record.position();
                let m = if position.turn() == me {
                    small_move(&record)
                } else {
                    Takeover::classic(position, &mut random)
                };
                record.play(m).unwrap();
            }
            let outcome = record.ending().unwrap().outcome;
            n_won += usize::from(outcome == Outcome::Win(me));
        }
        // The classic opponent takes what it can get and sees no reply.
        assert!(n_won >= 8, "{n_won} of 10 on {variant}");
    }
}
