use std::{
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    time::Duration,
};

use search::{Stop, Value};

/// The time since some moment, always the same one.
///
/// The host hands it in: the clock of the standard library panics in browsers.
pub type Clock = fn() -> Duration;

/// Stops a search at a time, or when told to.
#[derive(Debug)]
pub struct MoveTimer {
    clock: Clock,
    start: Duration,
    budget: Option<Budget>,
    /// How much of the time is worth spending, as far as the search has come: in
    /// percent.
    worth: AtomicU32,
    is_stopped: AtomicBool,
}

/// How long a move may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Budget {
    /// No new depth is begun after this.
    soft: Duration,
    /// Everything ends after this.
    hard: Duration,
    /// Whether time that is not used now is of use later.
    is_saved: bool,
}

/// For the answer to get out.
const OVERHEAD: Duration = Duration::from_millis(2);

/// What is never used of a clock: the pipe, the referee and a busy machine take
/// their time as well.
const RESERVE: Duration = Duration::from_millis(10);

/// A move takes so long even if there is no time.
const LEAST: Duration = Duration::from_micros(200);

/// A match is thought to go on for so many moves.
const MOVES_TO_GO: u32 = 30;

impl Budget {
    /// For one move that takes no longer than this.
    pub(crate) fn for_move(time: Duration) -> Self {
        let hard = time.saturating_sub(OVERHEAD).max(LEAST);
        Self {
            // What is begun in the last part is hardly ever finished.
            soft: hard * 7 / 10,
            hard,
            is_saved: false,
        }
    }

    /// For one move of a player who has `left` for the rest of the match and gains
    /// `increment` with every move.
    pub(crate) fn for_clock(left: Duration, increment: Duration) -> Self {
        let usable = left.saturating_sub(RESERVE);
        let share = (usable / MOVES_TO_GO + increment * 3 / 4).min(usable / 2);
        let hard = (share * 3).min(usable / 2).max(LEAST);
        Self {
            soft: (share * 6 / 10).min(hard),
            hard,
            is_saved: true,
        }
    }
}

impl MoveTimer {
    fn new(clock: Clock, budget: Option<Budget>) -> Self {
        Self {
            clock,
            start: clock(),
            budget,
            worth: AtomicU32::new(100),
            is_stopped: AtomicBool::new(false),
        }
    }

    /// A search that ends when it is told to.
    #[must_use]
    pub fn endless(clock: Clock) -> Self {
        Self::new(clock, None)
    }

    /// A search of one move that takes no longer than this.
    #[must_use]
    pub fn for_move(clock: Clock, time: Duration) -> Self {
        Self::new(clock, Some(Budget::for_move(time)))
    }

    /// A search of one move by a player who has `left` for the rest of the match
    /// and gains `increment` with every move.
    #[must_use]
    pub fn for_clock(clock: Clock, left: Duration, increment: Duration) -> Self {
        Self::new(clock, Some(Budget::for_clock(left, increment)))
    }

    /// Ends the search now.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether it was told to end, whatever the time.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        (self.clock)().saturating_sub(self.start)
    }

    /// The search has come to this value, and the best move took so many
    /// thousandths of its effort.
    pub(crate) fn learn(&self, value: Value, effort: u32) {
        self.worth.store(worth(value, effort), Ordering::Relaxed);
    }

    fn is_over_at(&self, elapsed: Duration) -> bool {
        self.is_stopped() || self.budget.is_some_and(|budget| elapsed >= budget.hard)
    }

    fn allows_next_depth_at(&self, elapsed: Duration) -> bool {
        let worth = self.worth.load(Ordering::Relaxed);
        let has_time = self.budget.is_none_or(|budget| {
            let percent = if budget.is_saved { worth } else { 100 };
            elapsed < budget.soft * percent / 100
        });
        has_time && !self.is_over_at(elapsed)
    }
}

/// How much of the time a move is worth, in percent.
fn worth(value: Value, effort: u32) -> u32 {
    if value.is_decided() {
        // A faster win or a slower loss is all that could be found.
        10
    } else if effort >= 950 {
        // Nothing else comes into question.
        40
    } else {
        100
    }
}

impl Stop for MoveTimer {
    fn is_set(&self) -> bool {
        self.is_over_at(self.elapsed())
    }

    fn is_requested(&self) -> bool {
        self.is_stopped()
    }

    fn allows_next_depth(&self) -> bool {
        self.allows_next_depth_at(self.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use search::Value;

    use super::{Budget, Clock, MoveTimer};

    const NO_CLOCK: Clock = || Duration::ZERO;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    /// However long a match takes, and however short the time, a player who
    /// always thinks as long as allowed never oversteps it.
    #[test]
    fn a_clock_never_runs_out() {
        for left in [1_000, 10_000, 60_000, 3_600_000] {
            for increment in [0, 1, 10, 1_000, 60_000] {
                // What a move takes beside thinking.
                let lag = Duration::from_micros(300);
                let mut left = ms(left);
                for n_moves in 0..500 {
                    let budget = Budget::for_clock(left, ms(increment));
                    assert!(budget.soft <= budget.hard);
                    let used = budget.hard + lag;
                    assert!(used < left, "{left:?} left after {n_moves} moves");
                    left = left - used + ms(increment);
                    if left < ms(20) {
                        // So long a match at such a speed is no match.
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn no_move_takes_more_than_half_of_what_is_left() {
        for left in [11, 20, 50, 100, 10_000] {
            for increment in [0, 5, 1_000, u64::MAX] {
                let budget = Budget::for_clock(ms(left), ms(increment));
                assert!(budget.hard <= ms(left) / 2, "{budget:?} of {left}");
            }
        }
    }

    #[test]
    fn any_time_is_some_time() {
        for left in [0, 1, 9, u64::MAX] {
            for budget in [
                Budget::for_move(ms(left)),
                Budget::for_clock(ms(left), ms(0)),
                Budget::for_clock(ms(left), ms(u64::MAX)),
            ] {
                assert!(budget.hard > Duration::ZERO);
            }
        }
        // The time for a move leaves room for the answer.
        assert_eq!(Budget::for_move(ms(100)).hard, ms(98));
    }

    #[test]
    fn more_time_is_used_where_there_is_more() {
        let soft = |left, increment| Budget::for_clock(ms(left), ms(increment)).soft;
        assert!(soft(20_000, 0) > soft(10_000, 0));
        assert!(soft(10_000, 100) > soft(10_000, 0));
    }

    /// The time is told to the timer, so no clock is read here.
    #[test]
    fn a_decided_game_takes_less_of_the_clock() {
        let timer = MoveTimer::for_clock(NO_CLOCK, ms(60_010), ms(0));
        let soft = ms(1_200);
        assert!(timer.allows_next_depth_at(soft - ms(1)));
        assert!(!timer.allows_next_depth_at(soft));
        assert!(!timer.is_over_at(soft));
        timer.learn(Value::win_in(9), 300);
        assert!(timer.allows_next_depth_at(soft / 20));
        assert!(!timer.allows_next_depth_at(soft / 5));
        timer.learn(Value::from_score(50), 990);
        assert!(!timer.allows_next_depth_at(soft / 2));
        timer.learn(Value::from_score(50), 500);
        assert!(timer.allows_next_depth_at(soft / 2));
        // Where time is not saved for later, all of it is used.
        let timer = MoveTimer::for_move(NO_CLOCK, ms(1_002));
        timer.learn(Value::win_in(9), 1_000);
        assert!(timer.allows_next_depth_at(ms(699)));
        assert!(!timer.allows_next_depth_at(ms(700)));
        assert!(timer.is_over_at(ms(1_000)));
    }

    #[test]
    fn what_is_endless_ends_when_told_to() {
        let timer = MoveTimer::endless(NO_CLOCK);
        assert!(timer.allows_next_depth_at(ms(u64::MAX)));
        timer.stop();
        assert!(timer.is_over_at(ms(0)));
        assert!(!timer.allows_next_depth_at(ms(0)));
    }
}
