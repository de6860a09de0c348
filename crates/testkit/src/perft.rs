use std::fmt::Write;

use expect_test::ExpectFile;
use rules::{Position, perft};

use crate::Reference;

/// Checks the node counts of a `.perft` file.
///
/// A line `position …` sets a position; the lines `perft DEPTH NODES` after it count
/// its move sequences; `#` starts a comment, and should say who counted. With
/// `UPDATE_EXPECT=1` in the environment the file is rewritten.
///
/// # Panics
///
/// Panics if a count is wrong or the file can't be read.
#[track_caller]
pub fn check_perft<P: Position>(file: &ExpectFile) {
    let text = file.data();
    let mut counted = String::new();
    let mut n_counts = 0;
    let mut position = None;
    for line in text.lines() {
        let line = match Line::read(line) {
            Line::Position(text) => {
                position = text.parse::<P>().ok();
                assert!(position.is_some(), "no position: {line}");
                line.to_owned()
            }
            Line::Perft { depth, .. } => {
                let position = position.as_ref().expect("a position before its counts");
                n_counts += 1;
                format!("perft {depth} {}", perft(position, depth))
            }
            Line::Other => line.to_owned(),
        };
        writeln!(counted, "{line}").expect("a string takes any text");
    }
    assert!(n_counts > 0, "nothing to count in {}", file.path.display());
    file.assert_eq(&counted);
}

/// Larger counts take the second implementation too long for everyday tests.
const EVERYDAY_NODES: u64 = 200_000;

/// Checks with a second implementation the counts of a `.perft` file: those up
/// to 200,000, or up to `PERFT_NODES` if that is set in the environment.
///
/// # Panics
///
/// Panics if a count differs, or if there is none to check.
#[track_caller]
pub fn check_perft_against<R: Reference>(file: &ExpectFile) {
    let asked = std::env::var("PERFT_NODES").ok();
    let asked = asked.map(|nodes| nodes.parse().expect("PERFT_NODES is a number"));
    let most_nodes = asked.unwrap_or(EVERYDAY_NODES);
    let text = file.data();
    let mut reference = None;
    let mut n_checked = 0;
    for line in text.lines() {
        match Line::read(line) {
            Line::Position(text) => reference = Some((text, R::read(text))),
            Line::Perft { depth, nodes } if nodes <= most_nodes => {
                let (text, reference) = reference.as_ref().expect("a position before its counts");
                assert_eq!(reference.perft(depth), nodes, "depth {depth} of {text}");
                n_checked += 1;
            }
            Line::Perft { .. } | Line::Other => {}
        }
    }
    assert!(n_checked > 0, "nothing to check in {}", file.path.display());
}

enum Line<'a> {
    Position(&'a str),
    Perft { depth: u32, nodes: u64 },
    Other,
}

impl<'a> Line<'a> {
    #[track_caller]
    fn read(line: &'a str) -> Self {
        if let Some(text) = line.strip_prefix("position ") {
            return Self::Position(text);
        }
        let Some(numbers) = line.strip_prefix("perft ") else {
            return Self::Other;
        };
        let mut numbers = numbers.split(' ').map(str::parse);
        match (numbers.next(), numbers.next()) {
            (Some(Ok(depth)), Some(Ok(nodes))) => Self::Perft {
                depth: u32::try_from(depth).expect("a small depth"),
                nodes,
            },
            _ => panic!("no counts: {line}"),
        }
    }
}
