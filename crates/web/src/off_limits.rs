//! What the engine does not judge while matches of one's own go on online.

use catalog::AnyMatch;
use rules::record::NodeId;

/// How long a list counts without news of the server while a clock runs, in milliseconds: a
/// day, which is more than any match with a clock takes.
const CLOCK_TIME: u64 = 24 * 60 * 60 * 1000;

/// The same without a running clock: longer than the longest time for a turn, two weeks.
const TURN_TIME: u64 = 15 * CLOCK_TIME;

/// The name of [`OffLimits::Everything`] where it is stored.
const ALL: &str = "all";

/// What the engine does not judge: no hints, no comments and no analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum OffLimits {
    /// The positions of one's matches, and whatever follows from them.
    Positions(Vec<String>),
    /// Everything, as long as a clock runs.
    Everything,
}

impl OffLimits {
    /// Nothing is off limits.
    pub(crate) const NONE: Self = Self::Positions(Vec::new());

    /// Whether a position at one of these nodes is off limits. With the line that leads to a
    /// position, these are the position and all that it follows from: the value of a position
    /// one move on is that of the move.
    pub(crate) fn forbids(&self, record: &dyn AnyMatch, nodes: &[NodeId]) -> bool {
        match self {
            Self::Everything => true,
            Self::Positions(positions) if positions.is_empty() => false,
            Self::Positions(positions) => {
                let mut record = record.boxed_clone();
                nodes.iter().any(|&node| {
                    record.go_to(node).is_ok() && positions.contains(&record.position())
                })
            }
        }
    }

    /// The text that is stored at `now`, in milliseconds since 1970: until when it counts, and
    /// the positions.
    pub(crate) fn to_text(&self, now: u64) -> String {
        match self {
            Self::Everything => format!("{}\n{ALL}", now + CLOCK_TIME),
            Self::Positions(positions) => {
                let positions = positions.join("\n");
                format!("{}\n{positions}", now + TURN_TIME)
            }
        }
    }

    /// Reads [`to_text`](Self::to_text); nothing is off limits if it is too old.
    pub(crate) fn read(text: &str, now: u64) -> Self {
        let (until, rest) = text.split_once('\n').unwrap_or_default();
        match rest {
            "" => Self::NONE,
            _ if until.parse().is_ok_and(|until: u64| until < now) => Self::NONE,
            ALL => Self::Everything,
            _ => Self::Positions(rest.lines().map(str::to_owned).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use catalog::AnyMatch;
    use rules::record::NodeId;

    use super::{CLOCK_TIME, OffLimits, TURN_TIME};

    /// A match of Takeover after `n` moves, the first legal ones.
    fn after(n: usize) -> Box<dyn AnyMatch> {
        let mut record = catalog::find("takeover")
            .and_then(|game| game.start(&[("board", "7")]))
            .expect("it is a game");
        for _ in 0..n {
            let m = record.legal_moves().swap_remove(0);
            record.play(&m).expect("it is legal");
        }
        record
    }

    fn line(record: &dyn AnyMatch) -> Vec<NodeId> {
        record.line(record.cursor())
    }

    #[test]
    fn what_follows_from_a_position_is_off_limits_with_it() {
        let off = OffLimits::Positions(vec![after(4).position()]);
        for n in 0..8 {
            let record = after(n);
            assert_eq!(off.forbids(&*record, &line(&*record)), n >= 4, "{n} moves");
        }
        // Another way is not, even if it is a variation of the same match.
        let mut other = after(4);
        let fourth = other.undo().expect("four moves were made");
        let m = other.legal_moves().into_iter().find(|m| *m != fourth);
        other
            .play(&m.expect("there are others"))
            .expect("it is legal");
        assert!(!off.forbids(&*other, &line(&*other)));
        // Where a line leads from is looked at, and the match stays where it is.
        let mut long = after(8);
        let whole = line(&*long);
        long.go_to(NodeId::ROOT).expect("it is there");
        assert!(off.forbids(&*long, &whole));
        assert!(!off.forbids(&*long, &whole[..3]));
        assert_eq!(long.cursor(), NodeId::ROOT);
    }

    #[test]
    fn nothing_or_everything_is_off_limits() {
        let record = after(2);
        let line = line(&*record);
        assert!(!OffLimits::NONE.forbids(&*record, &line));
        assert!(OffLimits::Everything.forbids(&*record, &line));
        assert!(OffLimits::Everything.forbids(&*record, &[]));
    }

    #[test]
    fn what_is_stored_counts_for_a_while() {
        let positions = vec![after(2).position(), after(3).position()];
        let now = 1_800_000_000_000;
        for (off, time) in [
            (OffLimits::Positions(positions), TURN_TIME),
            (OffLimits::Everything, CLOCK_TIME),
        ] {
            let text = off.to_text(now);
            for later in [0, 1000, time] {
                assert_eq!(OffLimits::read(&text, now + later), off);
            }
            assert_eq!(OffLimits::read(&text, now + time + 1), OffLimits::NONE);
        }
        let none = OffLimits::NONE.to_text(now);
        for text in ["", "x", "5", &none] {
            assert_eq!(OffLimits::read(text, now), OffLimits::NONE, "{text:?}");
        }
    }
}
