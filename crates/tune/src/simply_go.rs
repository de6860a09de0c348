//! Simply Go.

use bots::simply_go::{N_COUNTS, SimplyGoGuide, counts};
use rules::{Game, Random};
use search::NoStop;
use simply_go::{Setup, SimplyGo};

use crate::counted::Tunable;

impl Tunable<N_COUNTS> for SimplyGo {
    type Guide = SimplyGoGuide;

    // Ranks and margins of the search are in hundredths of a stone.
    const UNIT: Option<f32> = Some(100.0);

    fn beginning(random: &mut Random) -> Self {
        let sizes = [9, 13, 19];
        let setup = Setup {
            size: sizes[random.below(3) as usize],
            ..Setup::default()
        };
        Self::start(&setup).expect("these sizes are offered")
    }

    fn guide(&self) -> SimplyGoGuide {
        SimplyGoGuide::new(self, 1, &NoStop)
    }

    fn counts(&self) -> Option<(usize, [[i32; N_COUNTS]; 2])> {
        Some((0, counts(self)))
    }
}
