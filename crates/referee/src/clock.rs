use protocol::{ClockState, OnlineControl, Seat};

/// How long a match with clocks waits for a first turn, in milliseconds.
pub(crate) const FIRST_TURN: u64 = 30_000;

/// The most that a player's network is given, in milliseconds, and how much of it comes back
/// with every turn.
const LARGEST_QUOTA: u64 = 1_000;
const QUOTA_PER_TURN: u64 = 200;

/// How long a player has to be gone before the other can claim the match, in milliseconds;
/// `None` if that can't be claimed, because the player need not be here.
#[must_use]
pub fn claim_delay(control: Option<OnlineControl>) -> Option<u64> {
    const SHORTEST: u64 = 15_000;
    const LONGEST: u64 = 120_000;
    match control {
        None => Some(LONGEST),
        Some(OnlineControl::Match { base_ms, inc_ms }) => {
            Some(((base_ms + 40 * inc_ms) / 10).clamp(SHORTEST, LONGEST))
        }
        Some(OnlineControl::Days { .. }) => None,
    }
}

/// The clocks of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clock {
    control: OnlineControl,
    /// What the players had left when the turn began.
    left: [u64; 2],
    /// How much of the network's time is still given to them.
    quota: [u64; 2],
    turn_began: u64,
    n_turns: [u32; 2],
}

/// What a turn costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cost {
    /// What the player has left afterwards.
    pub(crate) left: u64,
    /// How much was not counted, because the network took it.
    pub(crate) lag: u64,
}

fn index(seat: Seat) -> usize {
    match seat {
        Seat::First => 0,
        Seat::Second => 1,
    }
}

impl Clock {
    pub(crate) fn new(control: OnlineControl, created: u64) -> Self {
        Self {
            control,
            left: [control.at_start(); 2],
            quota: [LARGEST_QUOTA; 2],
            turn_began: created,
            n_turns: [0; 2],
        }
    }

    /// Whether both have made a turn.
    pub(crate) fn have_both_moved(&self) -> bool {
        self.n_turns.iter().all(|&n| n > 0)
    }

    /// Whether the clock of the player to move is running: days count from the start, minutes
    /// once both have made a turn.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.control, OnlineControl::Days { .. }) || self.have_both_moved()
    }

    /// The latest time at which a turn of `seat` still counts.
    pub(crate) fn deadline(&self, seat: Seat) -> u64 {
        if !self.is_running() {
            return self.turn_began + FIRST_TURN;
        }
        self.turn_began + self.left[index(seat)] + self.quota[index(seat)]
    }

    /// What a turn of `seat` costs that arrives at `now`; `None` if it comes too late.
    pub(crate) fn cost(&self, seat: Seat, now: u64, ms: u64, round_trip: u64) -> Option<Cost> {
        let left = self.left[index(seat)];
        if !self.is_running() {
            return (now <= self.deadline(seat)).then_some(Cost { left, lag: 0 });
        }
        let elapsed = now.saturating_sub(self.turn_began);
        let lag = elapsed.saturating_sub(ms).min(round_trip);
        let lag = lag.min(self.quota[index(seat)]);
        let rest = left.checked_sub(elapsed - lag)?;
        let left = match self.control {
            OnlineControl::Match { inc_ms, .. } => rest + inc_ms,
            OnlineControl::Days { .. } => self.control.at_start(),
        };
        Some(Cost { left, lag })
    }

    /// A turn of `seat` was made at `now`.
    pub(crate) fn press(&mut self, seat: Seat, cost: Cost, now: u64) {
        let i = index(seat);
        self.left[i] = cost.left;
        let quota = self.quota[i].saturating_sub(cost.lag) + QUOTA_PER_TURN;
        self.quota[i] = quota.min(LARGEST_QUOTA);
        self.n_turns[i] += 1;
        self.turn_began = now;
    }

    /// The turn of `before` ended at `now` otherwise than by a move: the time until then is
    /// counted.
    pub(crate) fn stop(&mut self, before: Seat, now: u64) {
        if let OnlineControl::Match { .. } = self.control
            && self.is_running()
        {
            let elapsed = now.saturating_sub(self.turn_began);
            let left = &mut self.left[index(before)];
            *left = left.saturating_sub(elapsed);
        }
        self.turn_began = now;
    }

    /// Gives time to `seat`: on the clock, or for the first turn.
    pub(crate) fn give(&mut self, seat: Seat, ms: u64) {
        if self.is_running() {
            self.left[index(seat)] += ms;
        } else {
            self.turn_began += ms;
        }
    }

    /// When the turn began.
    pub(crate) fn turn_began(&self) -> u64 {
        self.turn_began
    }

    /// The clocks at `now`, when it is the turn of `turn`.
    pub(crate) fn state(&self, turn: Option<Seat>, now: u64) -> ClockState {
        let running = turn.filter(|_| self.is_running());
        let left = |seat| {
            let left = self.left[index(seat)];
            if running != Some(seat) {
                return left;
            }
            left.saturating_sub(now.saturating_sub(self.turn_began))
        };
        ClockState {
            first: left(Seat::First),
            second: left(Seat::Second),
            running,
        }
    }
}
