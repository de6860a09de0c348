//! Nonaga.

use bots::nonaga::NonagaGuide;
use nonaga::{Nonaga, Setup, Variant};
use rules::{Game, Random};

use crate::tunable::Tunable;

impl Tunable for Nonaga {
    type Guide = NonagaGuide;
    type Weights = NonagaGuide;

    fn weights(bytes: &[u8]) -> Option<NonagaGuide> {
        NonagaGuide::with_weights(bytes)
    }

    fn built_in() -> NonagaGuide {
        NonagaGuide::default()
    }

    fn beginning(random: &mut Random) -> Self {
        let variants = [Variant::Standard, Variant::Published];
        let variant = variants[random.below(2) as usize];
        Self::start(&Setup { variant }).expect("Nonaga has a start")
    }

    fn guide(&self, weights: &NonagaGuide) -> NonagaGuide {
        *weights
    }
}
