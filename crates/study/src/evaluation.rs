use std::{cmp::Ordering, fmt, str::FromStr};

use rules::parse_decimal;

/// The score at which the chance to win is about 85 %.
const SURE_SCORE: f64 = 800.0;

/// The value of a position for one of the players.
///
/// Written `w5`, `d`, `l4` or `s-31@12`.
///
/// ```
/// use study::Evaluation;
///
/// let slow: Evaluation = "w5".parse()?;
/// assert!(slow > "w7".parse()? && slow > "s9000@20".parse()?);
/// assert_eq!((-slow).to_string(), "l5");
/// assert_eq!(slow.chance(), 1.0);
/// # Ok::<(), study::ParseEvaluationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Evaluation {
    /// A proven win in this many plies.
    Win(u32),
    /// A proven draw.
    Draw,
    /// A proven loss in this many plies.
    Loss(u32),
    /// A score of a search: nothing is proven.
    Score {
        /// In hundredths of the unit of the game's evaluation.
        score: i32,
        /// The search depth.
        depth: u32,
    },
}

impl Evaluation {
    /// Whether it is proven.
    #[must_use]
    pub fn is_proven(self) -> bool {
        !matches!(self, Self::Score { .. })
    }

    /// The chance to win, from 0 to 1; a draw counts half.
    ///
    /// It is the same on all machines: it calls no function whose result depends on the platform.
    #[must_use]
    pub fn chance(self) -> f64 {
        match self {
            Self::Win(_) => 1.0,
            Self::Draw => 0.5,
            Self::Loss(_) => 0.0,
            Self::Score { score, .. } => {
                let sureness = f64::from(score) / SURE_SCORE;
                0.5 + 0.5 * sureness / (1.0 + sureness * sureness).sqrt()
            }
        }
    }

    /// The proven result: 2 for a win, 1 for a draw, 0 for a loss.
    pub(crate) fn result(self) -> Option<u8> {
        match self {
            Self::Win(_) => Some(2),
            Self::Draw => Some(1),
            Self::Loss(_) => Some(0),
            Self::Score { .. } => None,
        }
    }

    /// Whether the result is worse than that of `proven`, or not proven.
    pub(crate) fn is_worse_result(self, proven: Self) -> bool {
        self.result() < proven.result()
    }

    /// The same result, seen from one ply earlier.
    #[must_use]
    pub fn one_ply_earlier(self) -> Self {
        match self {
            Self::Win(plies) => Self::Win(plies + 1),
            Self::Loss(plies) => Self::Loss(plies + 1),
            other => other,
        }
    }

    /// The sort key; larger is better: wins, then scores and draws, then losses.
    fn order(self) -> (i8, i64) {
        match self {
            Self::Win(plies) => (1, -i64::from(plies)),
            Self::Draw => (0, 0),
            Self::Score { score, .. } => (0, i64::from(score)),
            Self::Loss(plies) => (-1, i64::from(plies)),
        }
    }
}

impl std::ops::Neg for Evaluation {
    type Output = Self;

    /// The value for the other player.
    fn neg(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(plies),
            Self::Score { score, depth } => Self::Score {
                score: -score,
                depth,
            },
        }
    }
}

impl PartialOrd for Evaluation {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.order().cmp(&other.order()))
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(plies) => write!(f, "w{plies}"),
            Self::Draw => f.write_str("d"),
            Self::Loss(plies) => write!(f, "l{plies}"),
            Self::Score { score, depth } => write!(f, "s{score}@{depth}"),
        }
    }
}

/// Error when parsing an [`Evaluation`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected an evaluation such as w5, d, l4 or s-31@12")]
pub struct ParseEvaluationError;

impl FromStr for Evaluation {
    type Err = ParseEvaluationError;

    fn from_str(text: &str) -> Result<Self, ParseEvaluationError> {
        let read = || {
            if text == "d" {
                return Some(Self::Draw);
            }
            if let Some(plies) = text.strip_prefix('w') {
                return parse_decimal(plies).map(Self::Win);
            }
            if let Some(plies) = text.strip_prefix('l') {
                return parse_decimal(plies).map(Self::Loss);
            }
            let (score, depth) = text.strip_prefix('s')?.split_once('@')?;
            Some(Self::Score {
                score: read_score(score)?,
                depth: parse_decimal(depth)?,
            })
        };
        read().ok_or(ParseEvaluationError)
    }
}

/// A number with or without a minus sign.
pub(crate) fn read_score(text: &str) -> Option<i32> {
    match text.strip_prefix('-') {
        Some(digits) => parse_decimal::<u32>(digits)
            .and_then(|number| i32::try_from(number).ok())
            .map(|number| -number),
        None => parse_decimal::<u32>(text).and_then(|number| i32::try_from(number).ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::Evaluation;

    #[test]
    fn texts_round_trip() {
        for text in ["w0", "w12", "d", "l3", "s0@1", "s-31@12", "s29999@64"] {
            let evaluation: Evaluation = text.parse().unwrap();
            assert_eq!(evaluation.to_string(), text);
            assert_eq!(-(-evaluation), evaluation);
            let chances = evaluation.chance() + (-evaluation).chance();
            assert!((chances - 1.0).abs() < 1e-9);
        }
        for text in [
            "", "w", "w-1", "d1", "s1", "s@1", "s--1@2", "s1@", "x3", "s1@2 ",
        ] {
            assert!(text.parse::<Evaluation>().is_err(), "{text}");
        }
    }

    #[test]
    fn better_is_larger() {
        let order = ["l1", "l4", "s-500@3", "d", "s31@12", "s9000@2", "w7", "w1"];
        let order = order.map(|text| text.parse::<Evaluation>().unwrap());
        assert!(order.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(
            order
                .windows(2)
                .all(|pair| pair[0].chance() <= pair[1].chance())
        );
    }
}
