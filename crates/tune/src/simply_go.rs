//! Simply Go.

use bots::simply_go::{CountWeights, N_COUNTS, SimplyGoGuide, counts};
use rules::{Game, Random};
use search::NoStop;
use simply_go::{Setup, SimplyGo};

use crate::{counted::Counting, tunable::Tunable};

impl Tunable for SimplyGo {
    type Guide = SimplyGoGuide;
    type Weights = CountWeights;

    fn weights(bytes: &[u8]) -> Option<CountWeights> {
        CountWeights::read(bytes)
    }

    fn built_in() -> CountWeights {
        CountWeights::default()
    }

    fn beginning(random: &mut Random) -> Self {
        let sizes = [9, 13, 19];
        let setup = Setup {
            size: sizes[random.below(3) as usize],
            ..Setup::default()
        };
        Self::start(&setup).expect("these sizes are offered")
    }

    fn guide(&self, weights: &CountWeights) -> SimplyGoGuide {
        SimplyGoGuide::with_weights(*weights, self, 1, &NoStop)
    }
}

impl Counting<N_COUNTS> for SimplyGo {
    // Ranks and margins of the search are in hundredths of a stone.
    const UNIT: Option<f32> = Some(100.0);

    fn counts(&self) -> Option<(usize, [[i32; N_COUNTS]; 2])> {
        Some((0, counts(self)))
    }
}
