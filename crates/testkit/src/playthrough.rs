use std::fmt::Write;

use rules::{Game, Random, Record};

/// One random match as text: every position, its number of moves, and the move
/// that was made. Compared with a file, it shows any change of the rules.
///
/// # Panics
///
/// Panics if the setup is not valid.
#[track_caller]
pub fn playthrough<G: Game>(setup: G::Setup, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut record = Record::<G>::new(setup).expect("the setup of a playthrough is right");
    let mut text = String::new();
    let mut write = |line: String| {
        writeln!(text, "{line}").expect("a string takes any text");
    };
    while record.ending().is_none() {
        let position = record.position();
        let moves = position.legal_moves();
        let m = *random
            .pick(&moves)
            .expect("a match goes on while there are moves");
        write(format!("{position}"));
        write(format!(
            "  {} of {} moves: {m}",
            position.turn(),
            moves.len()
        ));
        record.play(m).expect("the move was listed");
    }
    write(format!("{}", record.position()));
    if let Some(ending) = record.ending() {
        write(format!("  {ending}"));
    }
    text
}
