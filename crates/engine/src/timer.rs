use std::{
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    time::Duration,
};

use catalog::AnyMatch;
use search::{Stop, Value};

use crate::AnyReport;

/// The time since some fixed moment.
///
/// The host passes it in: the clock of the standard library panics in browsers.
pub type Clock = fn() -> Duration;

/// Stops a search after a time, or on request.
#[derive(Debug)]
pub struct MoveTimer {
    clock: Clock,
    start: Duration,
    budget: Option<Budget>,
    /// The percentage of the time that is worth spending, by the results so far.
    worth: AtomicU32,
    is_stopped: AtomicBool,
}

/// The time for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Budget {
    /// No new depth starts after this.
    soft: Duration,
    /// The search is stopped after this.
    hard: Duration,
    /// Whether unused time is kept for later moves.
    is_saved: bool,
}

/// Time for sending the answer.
const OVERHEAD: Duration = Duration::from_millis(2);

/// The part of a clock that is never used: pipe, referee and a busy machine take
/// time as well, and long matches of Nonaga are played on the increment alone.
const RESERVE: Duration = Duration::from_millis(50);

/// The minimum time of a move.
const LEAST: Duration = Duration::from_micros(200);

/// The expected number of moves until the end of the match, as matches chose it; see
/// `docs/search.md`.
const MOVES_TO_GO: u32 = 20;

impl Budget {
    /// For one move in at most this time.
    pub(crate) fn for_move(time: Duration) -> Self {
        let hard = time.saturating_sub(OVERHEAD).max(LEAST);
        Self {
            // Even a depth that is not finished may find a better move.
            soft: hard,
            hard,
            is_saved: false,
        }
    }

    /// For one move of a player with `left` for the rest of the match and an
    /// `increment` for every move.
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

/// The number of moves in the turn that the next move belongs to: two on Nonaga, where the
/// same player moves before or after it.
fn n_moves_in_turn(playing: &dyn AnyMatch) -> u32 {
    let player = playing.turn();
    let before = playing.ancestors(playing.cursor());
    let has_begun = before
        .first()
        .is_some_and(|&id| playing.turn_at(id) == Some(player));
    let mut after = playing.boxed_clone();
    let first = after.legal_moves().into_iter().next();
    let is_played = first.is_some_and(|m| after.play(&m).is_ok());
    let goes_on = is_played && after.ending().is_none() && after.turn() == player;
    1 + u32::from(has_begun) + u32::from(goes_on)
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

    /// No time limit; it stops on request.
    #[must_use]
    pub fn endless(clock: Clock) -> Self {
        Self::new(clock, None)
    }

    /// For one move in at most this time.
    #[must_use]
    pub fn for_move(clock: Clock, time: Duration) -> Self {
        Self::new(clock, Some(Budget::for_move(time)))
    }

    /// For the next move of `playing`, whose player has `left` for the rest of the match and
    /// gains an `increment` with every turn.
    #[must_use]
    pub fn for_clock(
        clock: Clock,
        playing: &dyn AnyMatch,
        left: Duration,
        increment: Duration,
    ) -> Self {
        let increment = increment / n_moves_in_turn(playing);
        Self::new(clock, Some(Budget::for_clock(left, increment)))
    }

    /// Requests a stop.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was requested.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        (self.clock)().saturating_sub(self.start)
    }

    /// Updates the percentage of time that is worth spending: less for a nearly decided
    /// position.
    pub fn learn(&self, report: &AnyReport) {
        let Some((value, moves)) = report.lines.first() else {
            return;
        };
        let best = report.effort.iter().find(|(m, _)| Some(m) == moves.first());
        self.update(*value, best.map_or(0, |&(_, effort)| effort));
    }

    /// Updates the percentage of time from the current value and the best move's
    /// share of the nodes, in thousandths.
    fn update(&self, value: Value, effort: u32) {
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

/// The percentage of the time that a move is worth.
fn worth(value: Value, effort: u32) -> u32 {
    if value.is_decided() {
        // Only a faster win or a slower loss could still be found.
        10
    } else if effort >= 950 {
        // No other move is in question.
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

    use catalog::AnyMatch;
    use search::Value;

    use super::{Budget, Clock, MoveTimer, n_moves_in_turn};

    const NO_CLOCK: Clock = || Duration::ZERO;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn start(game: &str) -> Box<dyn AnyMatch> {
        let game = catalog::find(game).expect("a game");
        game.start(&[]).expect("options are optional")
    }

    /// A turn of Nonaga is a slide and a shift, of other games one move.
    #[test]
    fn moves_of_a_turn_share_its_increment() {
        for (game, n_moves) in [
            ("lilypads", 1),
            ("nonaga", 2),
            ("takeover", 1),
            ("simply-go", 1),
        ] {
            let mut playing = start(game);
            for _ in 0..6 {
                assert_eq!(n_moves_in_turn(&*playing), n_moves, "{game}");
                let m = playing.legal_moves().swap_remove(0);
                playing.play(&m).expect("a legal move");
            }
            let timer = MoveTimer::for_clock(NO_CLOCK, &*playing, ms(1_000), ms(100));
            let budget = Budget::for_clock(ms(1_000), ms(100) / n_moves);
            assert_eq!(timer.budget, Some(budget), "{game}");
        }
    }

    /// A player who always uses all of the allowed time never runs out of it,
    /// however long the match and however short the time.
    #[test]
    fn a_clock_never_runs_out() {
        for left in [1_000, 10_000, 60_000, 3_600_000] {
            for increment in [0, 1, 10, 1_000, 60_000] {
                // Time of a move besides thinking.
                let lag = Duration::from_micros(300);
                let mut left = ms(left);
                for n_moves in 0..500 {
                    let budget = Budget::for_clock(left, ms(increment));
                    assert!(budget.soft <= budget.hard);
                    let used = budget.hard + lag;
                    assert!(used < left, "{left:?} left after {n_moves} moves");
                    left = left - used + ms(increment);
                    if left < ms(20) {
                        // At that speed the match is out of scope.
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
        // The time for a move leaves room for sending the answer.
        assert_eq!(Budget::for_move(ms(100)).hard, ms(98));
    }

    #[test]
    fn more_time_is_used_where_there_is_more() {
        let soft = |left, increment| Budget::for_clock(ms(left), ms(increment)).soft;
        assert!(soft(20_000, 0) > soft(10_000, 0));
        assert!(soft(10_000, 100) > soft(10_000, 0));
    }

    /// The times are passed in, so no clock is read here.
    #[test]
    fn a_decided_game_takes_less_of_the_clock() {
        let timer = MoveTimer::for_clock(NO_CLOCK, &*start("takeover"), ms(60_050), ms(0));
        let soft = ms(1_800);
        assert!(timer.allows_next_depth_at(soft - ms(1)));
        assert!(!timer.allows_next_depth_at(soft));
        assert!(!timer.is_over_at(soft));
        timer.update(Value::win_in(9), 300);
        assert!(timer.allows_next_depth_at(soft / 20));
        assert!(!timer.allows_next_depth_at(soft / 5));
        timer.update(Value::from_score(50), 990);
        assert!(!timer.allows_next_depth_at(soft / 2));
        timer.update(Value::from_score(50), 500);
        assert!(timer.allows_next_depth_at(soft / 2));
        // Without a clock to save for, all of the time is used.
        let timer = MoveTimer::for_move(NO_CLOCK, ms(1_002));
        timer.update(Value::win_in(9), 1_000);
        assert!(timer.allows_next_depth_at(ms(999)));
        assert!(!timer.allows_next_depth_at(ms(1_000)));
        assert!(timer.is_over_at(ms(1_000)));
    }

    #[test]
    fn an_endless_timer_stops_on_request() {
        let timer = MoveTimer::endless(NO_CLOCK);
        assert!(timer.allows_next_depth_at(ms(u64::MAX)));
        timer.stop();
        assert!(timer.is_over_at(ms(0)));
        assert!(!timer.allows_next_depth_at(ms(0)));
    }
}
