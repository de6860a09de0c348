//! Nonaga.

use bots::nonaga::{N_COUNTS, NonagaGuide, counts};
use nonaga::{Nonaga, Setup, Variant};
use rules::{Game, Position, Random};
use search::Guide;

use crate::counted::Tunable;

impl Tunable<N_COUNTS> for Nonaga {
    type Guide = NonagaGuide;

    // A slide comes next, or a shift.
    const N_KINDS: usize = 2;

    fn beginning(random: &mut Random) -> Self {
        let variants = [Variant::Standard, Variant::Published];
        let variant = variants[random.below(2) as usize];
        Self::start(&Setup { variant }).expect("Nonaga has a start")
    }

    fn guide(&self) -> NonagaGuide {
        NonagaGuide
    }

    fn counts(&self) -> Option<(usize, [[i32; N_COUNTS]; 2])> {
        if NonagaGuide.evaluate(self, &()).is_decided() {
            return None;
        }
        let of = |player| counts(self, player, self.slide_counts(player));
        Some((self.phase() as usize, [of(self.turn()), of(!self.turn())]))
    }
}
