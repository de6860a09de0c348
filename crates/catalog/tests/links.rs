//! Links are short.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use catalog::GAMES;
use rules::Random;

#[test]
fn sixty_moves_fit_two_hundred_characters() {
    for game in GAMES {
        for seed in 0..20 {
            let mut random = Random::new(seed);
            let mut playing = game.start(&[]).unwrap();
            for _ in 0..60 {
                let moves = playing.legal_moves();
                if playing.ending().is_some() {
                    break;
                }
                playing.play(random.pick(&moves).unwrap()).unwrap();
            }
            let link = playing.to_link();
            assert!(link.len() < 200, "{}: {}", game.name(), link.len());
            let again = catalog::read_link(&link).unwrap();
            assert_eq!(again.moves(), playing.moves());
        }
    }
}
