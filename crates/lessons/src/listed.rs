use std::marker::PhantomData;

use catalog::AnyMatch;
use rules::Record;
use view::{Click, Look, Scene};

use crate::{Figure, LessonVerdict, Step, Taught};

/// The lesson of a game that is known at run time only.
pub trait AnyLesson: Sync {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// The names of the steps.
    fn steps(&self) -> Vec<&'static str>;

    /// The position that a step begins with; `None` if there is no such step.
    fn start(&self, step: usize) -> Option<Box<dyn AnyMatch>>;

    /// The move that does what a step asks for.
    fn solution(&self, step: usize) -> Option<&'static str>;

    /// The judgment of the move `m` in the position of a step; `None` if there
    /// is no such step or the move is not legal there.
    fn judge(&self, step: usize, m: &str) -> Option<LessonVerdict>;

    /// The pictures of the rule sheet.
    fn figures(&self) -> &'static [Figure];

    /// The scene of a picture of this game's rule sheet; `None` if the position or
    /// a click is not legal, which a test rules out.
    fn scene(&self, figure: &Figure, look: &Look<'_>) -> Option<Scene>;
}

/// The entry of the game `G`.
pub(crate) struct Listed<G>(PhantomData<fn() -> G>);

impl<G: Taught> Listed<G> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

fn step<G: Taught>(index: usize) -> Option<(&'static Step<G>, G)> {
    let step = G::STEPS.get(index)?;
    Some((step, step.start.parse().ok()?))
}

impl<G: Taught> AnyLesson for Listed<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn steps(&self) -> Vec<&'static str> {
        G::STEPS.iter().map(|step| step.name).collect()
    }

    fn start(&self, index: usize) -> Option<Box<dyn AnyMatch>> {
        let (_, position) = step::<G>(index)?;
        Some(Box::new(Record::from_position(position)))
    }

    fn solution(&self, index: usize) -> Option<&'static str> {
        Some(G::STEPS.get(index)?.solution)
    }

    fn judge(&self, index: usize, m: &str) -> Option<LessonVerdict> {
        let (step, position) = step::<G>(index)?;
        let m = m.parse().ok().filter(|&m| position.is_legal(m))?;
        Some((step.judge)(&position, m))
    }

    fn figures(&self) -> &'static [Figure] {
        G::FIGURES
    }

    fn scene(&self, figure: &Figure, look: &Look<'_>) -> Option<Scene> {
        let position: G = figure.start.parse().ok()?;
        let mut record = Record::from_position(position);
        let mut table = AnyMatch::table(&record);
        for spot in figure.clicks {
            match table.click(spot) {
                Click::Picked => {}
                Click::Move(m) => {
                    AnyMatch::play(&mut record, &m).ok()?;
                    table = AnyMatch::table(&record);
                }
                Click::Cleared | Click::Nothing => return None,
            }
        }
        Some(table.scene(look))
    }
}
