use crate::Evaluation;

/// Who is ahead, in words, where nothing is proven.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Standing {
    /// Far behind.
    FarBehind,
    /// Behind.
    Behind,
    /// Neither ahead nor behind.
    Even,
    /// Ahead.
    Ahead,
    /// Far ahead.
    FarAhead,
}

/// The least winning chance of a player who is ahead.
const AHEAD: f64 = 0.57;

/// The least winning chance of a player who is far ahead.
const FAR_AHEAD: f64 = 0.75;

impl Standing {
    /// The standing of a player for whom a position has this value.
    #[must_use]
    pub fn of(evaluation: Evaluation) -> Self {
        let chance = evaluation.chance();
        match chance {
            _ if chance >= FAR_AHEAD => Self::FarAhead,
            _ if chance >= AHEAD => Self::Ahead,
            _ if chance > 1.0 - AHEAD => Self::Even,
            _ if chance > 1.0 - FAR_AHEAD => Self::Behind,
            _ => Self::FarBehind,
        }
    }

    /// Its name in the keys of phrases.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::FarBehind => "far-behind",
            Self::Behind => "behind",
            Self::Even => "even",
            Self::Ahead => "ahead",
            Self::FarAhead => "far-ahead",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Standing;

    #[test]
    fn chances_are_put_into_words() {
        for (evaluation, name) in [
            ("s-900@5", "far-behind"),
            ("s-200@5", "behind"),
            ("s-60@5", "even"),
            ("s0@5", "even"),
            ("s60@5", "even"),
            ("s200@5", "ahead"),
            ("s900@5", "far-ahead"),
            ("d", "even"),
            ("w3", "far-ahead"),
        ] {
            let standing = Standing::of(evaluation.parse().unwrap());
            assert_eq!(standing.name(), name, "{evaluation}");
        }
    }
}
