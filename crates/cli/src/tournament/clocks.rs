//! The clocks of a game, run by the referee.

use std::{fmt, str::FromStr, time::Duration};

use rules::{ByPlayer, Player, parse_decimal, record};

use crate::program::go_by_clocks;

/// How much a player may overstep: a pipe and a busy machine take time that the player
/// can't see.
pub(crate) const MARGIN: Duration = Duration::from_millis(50);

/// The longest time and increment, in milliseconds: a day.
const LONGEST: u64 = 24 * 60 * 60 * 1_000;

/// The time of each player for a whole game, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TimeControl {
    base: u64,
    /// The time gained with every turn.
    increment: u64,
}

impl TimeControl {
    /// As records have it.
    pub(crate) fn in_record(self) -> record::TimeControl {
        record::TimeControl::Match {
            base: self.base,
            increment: self.increment,
        }
    }
}

/// Written `2+0.02`, in seconds.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |milliseconds: u64| milliseconds as f64 / 1_000.0;
        write!(f, "{}+{}", seconds(self.base), seconds(self.increment))
    }
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
            let (base, increment) = (milliseconds(base)?, milliseconds(increment)?);
            (base > 0).then_some(Self { base, increment })
        };
        read().ok_or_else(|| {
            "expected seconds, and an increment if any, such as 60 or 2+0.02; at least 0.001 and \
             at most 86400"
                .to_owned()
        })
    }
}

/// Parses seconds with at most three decimals.
fn milliseconds(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let is_fraction =
        matches!(decimals.len(), 1..=3) && decimals.bytes().all(|b| b.is_ascii_digit());
    let thousandths: u64 = format!("{decimals:0<3}")
        .parse()
        .ok()
        .filter(|_| is_fraction)?;
    let seconds: u64 = parse_decimal(whole)?;
    let all = seconds.checked_mul(1_000)?.checked_add(thousandths)?;
    (all <= LONGEST).then_some(all)
}

/// Whole milliseconds.
pub(crate) fn in_ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The clocks of both players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clocks {
    left: ByPlayer<Duration>,
    increment: Duration,
}

impl Clocks {
    /// As they stand at the start of a game.
    pub(crate) fn new(control: TimeControl) -> Self {
        let base = Duration::from_millis(control.base);
        Self {
            left: ByPlayer::from_fn(|_| base),
            increment: Duration::from_millis(control.increment),
        }
    }

    /// What `player` has left.
    pub(crate) fn left(self, player: Player) -> Duration {
        self.left[player]
    }

    pub(crate) fn increment(self) -> Duration {
        self.increment
    }

    /// The command that asks a program for a move.
    pub(crate) fn to_go(self) -> String {
        // For some programs 0 is no clock.
        let left = |player| in_ms(self.left[player]).max(1);
        go_by_clocks(
            left(Player::First),
            left(Player::Second),
            in_ms(self.increment),
        )
    }

    /// Takes the time of a move from the clock of `player`; returns whether it was there,
    /// but for the [`MARGIN`].
    #[must_use]
    pub(crate) fn spend(&mut self, player: Player, time: Duration) -> bool {
        let left = &mut self.left[player];
        let is_in_time = time < left.saturating_add(MARGIN);
        *left = left.saturating_sub(time);
        is_in_time
    }

    /// Adds the increment for a turn of `player`.
    pub(crate) fn end_turn(&mut self, player: Player) {
        self.left[player] += self.increment;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rules::Player;

    use super::{Clocks, MARGIN, TimeControl};

    fn control(text: &str) -> TimeControl {
        text.parse().expect("a time control")
    }

    #[test]
    fn a_time_control_is_in_seconds() {
        for (text, base, increment, shown) in [
            ("2+0.02", 2_000, 20, "2+0.02"),
            ("60", 60_000, 0, "60+0"),
            ("0.5+0.005", 500, 5, "0.5+0.005"),
            ("1.50+1", 1_500, 1_000, "1.5+1"),
            ("0.001", 1, 0, "0.001+0"),
            ("86400+86400", 86_400_000, 86_400_000, "86400+86400"),
        ] {
            let control = control(text);
            assert_eq!(
                (control.base, control.increment),
                (base, increment),
                "{text}"
            );
            assert_eq!(control.to_string(), shown);
        }
    }

    #[test]
    fn anything_else_is_no_time_control() {
        for text in [
            "",
            "+",
            "+1",
            "2+",
            "0",
            "0+1",
            "-1",
            "2+-1",
            "2,5",
            "2 + 1",
            "40/60",
            "2+1+1",
            "1e3",
            "inf",
            "NaN",
            "0.0001",
            "2.",
            ".5",
            "2+.5",
            "01",
            "86400.001",
            "86401",
            "1:00",
            "99999999999999999999",
            "18446744073709551615",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_loses_what_a_move_took_and_gains_the_increment_with_the_turn() {
        let ms = Duration::from_millis;
        let mut clocks = Clocks::new(control("1+0.1"));
        assert!(clocks.spend(Player::First, ms(300)));
        assert_eq!(clocks.left(Player::First), ms(700));
        assert!(clocks.spend(Player::First, ms(300)));
        clocks.end_turn(Player::First);
        assert_eq!(clocks.left(Player::First), ms(500));
        assert_eq!(clocks.left(Player::Second), ms(1_000));
    }

    #[test]
    fn a_clock_runs_out_after_the_margin() {
        let ms = Duration::from_millis;
        let clocks = Clocks::new(control("1"));
        let (mut late, mut too_late) = (clocks, clocks);
        assert!(late.spend(Player::Second, ms(999) + MARGIN));
        assert_eq!(late.left(Player::Second), Duration::ZERO);
        assert!(!too_late.spend(Player::Second, ms(1_000) + MARGIN));
    }
}
