use crate::Evaluation;

/// The class of a move, by what it gave away.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MoveClass {
    /// The only legal move.
    Forced,
    /// One of the best moves.
    Best,
    /// Gave away next to nothing.
    Good,
    /// Gave away a little.
    Inaccuracy,
    /// Gave away much, or a win.
    Mistake,
    /// Gave away very much, or the match.
    Blunder,
}

/// A move that loses more plies than this on the way to the same result is inaccurate.
const MOST_PLIES_LOST: u32 = 4;

/// The least drops in winning chance of an inaccuracy, a mistake and a blunder.
const LEAST_DROPS: [(f64, MoveClass); 3] = [
    (0.15, MoveClass::Blunder),
    (0.10, MoveClass::Mistake),
    (0.05, MoveClass::Inaccuracy),
];

impl MoveClass {
    /// Its name in output for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Forced => "forced",
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// The class of a move that was neither forced nor the best. `before` and `after` are the
    /// evaluations of the positions before and after it, for the player who moved.
    ///
    /// Between proven results only the results count, and the plies on the way to the same
    /// one.
    #[must_use]
    pub fn of(before: Evaluation, after: Evaluation) -> Self {
        match (before.result(), after.result()) {
            (Some(1), Some(0)) | (Some(2), Some(0)) => Self::Blunder,
            (Some(2), Some(1)) => Self::Mistake,
            (Some(_), Some(_)) => {
                let lost = plies_lost(before, after);
                if lost > MOST_PLIES_LOST {
                    Self::Inaccuracy
                } else {
                    Self::Good
                }
            }
            _ => {
                let drop = before.chance() - after.chance();
                let class = LEAST_DROPS.into_iter().find(|&(least, _)| drop >= least);
                class.map_or(Self::Good, |(_, class)| class)
            }
        }
    }

    /// Whether a move of this class is worth a second look.
    #[must_use]
    pub fn is_slip(self) -> bool {
        self >= Self::Inaccuracy
    }
}

/// The number of plies by which a win comes later or a loss earlier than necessary.
pub(crate) fn plies_lost(before: Evaluation, after: Evaluation) -> u32 {
    match (before, after.one_ply_earlier()) {
        (Evaluation::Win(best), Evaluation::Win(played)) => played.saturating_sub(best),
        (Evaluation::Loss(best), Evaluation::Loss(played)) => best.saturating_sub(played),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::MoveClass;

    #[test]
    fn moves_are_classed_by_what_they_give_away() {
        for (before, after, name) in [
            ("w5", "w4", "good"),
            ("w5", "w8", "good"),
            ("w5", "w10", "inaccuracy"),
            ("w5", "d", "mistake"),
            ("w5", "l8", "blunder"),
            ("d", "l8", "blunder"),
            ("l8", "l3", "good"),
            ("l12", "l3", "inaccuracy"),
            ("s100@9", "s90@9", "good"),
            ("s0@9", "s-100@9", "inaccuracy"),
            ("s0@9", "s-200@9", "mistake"),
            ("s0@9", "s-300@9", "blunder"),
            // At high scores a drop costs little winning chance.
            ("s5000@9", "s4000@9", "good"),
            ("s100@9", "l3", "blunder"),
            ("w3", "s100@9", "blunder"),
            ("w3", "s5000@9", "good"),
            ("s-100@9", "s200@9", "good"),
        ] {
            let class = MoveClass::of(before.parse().unwrap(), after.parse().unwrap());
            assert_eq!(class.name(), name, "{before} to {after}");
        }
    }
}
