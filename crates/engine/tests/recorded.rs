//! Searches are the same on every machine. `examples/searches.rs` repeats them in WebAssembly,
//! and a browser test in the page's worker.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod searches;

use expect_test::expect_file;
use rules::Random;
use searches::{BAR, answer};

/// A game with its options, and the nodes of a search.
struct Section {
    title: &'static str,
    game: &'static str,
    choices: &'static [(&'static str, &'static str)],
    nodes: u32,
}

const fn section(
    title: &'static str,
    game: &'static str,
    choices: &'static [(&'static str, &'static str)],
    nodes: u32,
) -> Section {
    Section {
        title,
        game,
        choices,
        nodes,
    }
}

const SECTIONS: [Section; 7] = [
    section("Lilypads", "lilypads", &[("board", "42")], 100_000),
    section("Nonaga", "nonaga", &[], 60_000),
    section(
        "Nonaga, published",
        "nonaga",
        &[("variant", "published")],
        60_000,
    ),
    section("Takeover", "takeover", &[("board", "7")], 200_000),
    section("Ataxx", "takeover", &[("variant", "ataxx")], 200_000),
    section("Simply Go, 9 × 9", "simply-go", &[("size", "9")], 10_000),
    section("Simply Go, 19 × 19", "simply-go", &[], 4_000),
];

/// After how many random moves positions are searched.
const N_MOVES: [usize; 4] = [0, 6, 12, 20];

/// Random moves after which the match goes on.
fn opening(game: &str, choices: &[(&str, &str)], n_moves: usize) -> Vec<String> {
    let mut random = Random::new(n_moves as u64);
    loop {
        let mut playing = catalog::find(game).unwrap().start(choices).unwrap();
        while playing.ending().is_none() && playing.moves().len() < n_moves {
            let m = random.pick(&playing.legal_moves()).unwrap().clone();
            playing.play(&m).unwrap();
        }
        if playing.ending().is_none() {
            return playing.moves();
        }
    }
}

#[test]
fn searches_find_what_is_recorded() {
    let mut text = String::new();
    for section in SECTIONS {
        let Section {
            title,
            game,
            choices,
            nodes,
        } = section;
        for n_moves in N_MOVES {
            let mut lines = vec![format!("game {game}")];
            let options = choices.iter();
            lines.extend(
                options.map(|(name, value)| format!("setoption name {name} value {value}")),
            );
            let moves = opening(game, choices, n_moves).join(" ");
            let position = format!("position startpos moves {moves}");
            lines.push(position.trim_end_matches(" moves ").to_owned());
            lines.push(format!("go nodes {nodes}"));
            let answer = answer(lines.iter().map(String::as_str));
            text += &[&[title.to_owned()], &lines[..], &[answer]]
                .concat()
                .join(BAR);
            text += "\n";
        }
    }
    expect_file!["searches.txt"].assert_eq(&text);
}
