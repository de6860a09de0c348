use rules::{Outcome, Position, Random};

/// A second implementation of a game: slow, plain, and written from the rule sheet
/// alone, so that an error would have to be made twice.
pub trait Reference: Clone {
    /// Parses a valid position.
    fn read(text: &str) -> Self;

    /// The position's text form.
    fn text(&self) -> String;

    /// The legal moves as text, in any order; none once the game is over.
    fn moves(&self) -> Vec<String>;

    /// Plays a legal move.
    fn play(&mut self, m: &str);

    /// The result, or `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Counts the sequences of `depth` moves.
    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let count_after = |m: &String| {
            let mut next = self.clone();
            next.play(m);
            next.perft(depth - 1)
        };
        moves.iter().map(count_after).sum()
    }
}

/// Plays `n_matches` random matches from `start` on both implementations, each
/// of `n_moves` moves at most, and compares them move by move.
///
/// # Panics
///
/// Panics where they differ.
#[track_caller]
pub fn check_against<P: Position, R: Reference>(
    start: &P,
    seed: u64,
    n_matches: usize,
    n_moves: usize,
) {
    let mut random = Random::new(seed);
    for _ in 0..n_matches {
        let mut position = start.clone();
        let mut reference = R::read(&start.to_string());
        let mut line = String::new();
        for _ in 0..n_moves {
            let text = position.to_string();
            assert_eq!(text, reference.text(), "after{line}");
            assert_eq!(position.outcome(), reference.outcome(), "{text}");
            let moves = position.legal_moves();
            let mut texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
            let mut reference_texts = reference.moves();
            texts.sort_unstable();
            reference_texts.sort_unstable();
            assert_eq!(texts, reference_texts, "{text}");

            let Some(&m) = random.pick(&moves) else {
                break;
            };
            line = format!("{line} {m}");
            position.play_unchecked(m);
            reference.play(&m.to_string());
        }
    }
}
