//! The clocks of a match. Nobody reads the time here: it comes in as
//! [`Event::TimePassed`](crate::Event::TimePassed).

use catalog::AnyMatch;
use rules::{
    ByPlayer, Outcome, Player,
    record::{NodeId, Reason, TimeControl},
};

use crate::{Effect, Phase, Sitting};

/// The clocks of a match where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    /// The milliseconds left to each player.
    pub left: ByPlayer<u64>,
    /// The player whose clock is running.
    pub running: Option<Player>,
}

impl Clocks {
    /// Time is short from this many milliseconds on.
    pub const LOW: u64 = 10_000;

    /// Whether the time of `player` is short.
    #[must_use]
    pub fn is_low(&self, player: Player) -> bool {
        self.left[player] <= Self::LOW
    }
}

/// The time that `player` has when the match comes to `node`.
fn time_at(record: &dyn AnyMatch, time_control: TimeControl, node: NodeId, player: Player) -> u64 {
    let line = record.line(node);
    let mut steps = line.windows(2).rev();
    let is_by_player = |step: &&[NodeId]| record.turn_at(step[0]) == Some(player);
    match time_control {
        TimeControl::Match { base, .. } => steps
            .filter(is_by_player)
            .find_map(|step| record.time_left_at(step[1]))
            .unwrap_or(base),
        // A turn may be several moves, which share the time.
        TimeControl::Turn(time) => steps
            .next()
            .filter(|step| is_by_player(step) && record.turn_at(node) == Some(player))
            .and_then(|step| record.time_left_at(step[1]))
            .unwrap_or(time),
    }
}

impl Sitting {
    /// The clocks where the match stands, if it is played with clocks. They start with
    /// the first move, run while somebody looks back, and stand still while a bot can't
    /// be reached.
    #[must_use]
    pub fn clocks(&self) -> Option<Clocks> {
        if self.is_remote() {
            return self.reported_clocks();
        }
        let time_control = self.record.time_control()?;
        let phase = self.phase();
        let turn = self.turn_at(self.live);
        let mut left =
            ByPlayer::from_fn(|player| time_at(&*self.record, time_control, self.live, player));
        left[turn] = left[turn].saturating_sub(self.spent.unwrap_or(0));
        if let Phase::Over(ending) = phase
            && let (Reason::TimeOut, Outcome::Win(winner)) = (ending.reason, ending.outcome)
        {
            left[!winner] = 0;
        }
        let is_waiting = matches!(phase, Phase::Person(_) | Phase::Bot(_));
        let is_running = self.spent.is_some() && self.live != NodeId::ROOT && is_waiting;
        Some(Clocks {
            left,
            running: is_running.then_some(turn),
        })
    }

    /// The move from `before` to the cursor was made just now: writes down the time
    /// left, and starts the next clock.
    pub(crate) fn press_clock(&mut self, before: NodeId) {
        let Some(time_control) = self.record.time_control().filter(|_| !self.is_remote()) else {
            return;
        };
        let player = self.turn_at(before);
        // Whoever plays from an earlier position gets the time of that position.
        let spent = self.spent.filter(|_| before == self.live).unwrap_or(0);
        let mut left = time_at(&*self.record, time_control, before, player).saturating_sub(spent);
        if let TimeControl::Match { increment, .. } = time_control
            && self.record.turn() != player
        {
            left = left.saturating_add(increment);
        }
        self.record.set_time_left(left);
        self.spent = Some(0);
    }

    pub(crate) fn pass_time(&mut self, milliseconds: u64) -> Vec<Effect> {
        let Some((left, player)) = self.running_clock() else {
            return Vec::new();
        };
        // Only a server ends a match with somebody elsewhere.
        let milliseconds = match self.is_remote() {
            true => milliseconds.min(left),
            false => milliseconds,
        };
        if milliseconds >= left && !self.is_remote() {
            return self.clock_ran_out(player);
        }
        self.spent = self.spent.map(|spent| spent.saturating_add(milliseconds));
        let is_low = left - milliseconds <= Clocks::LOW;
        if is_low && left > Clocks::LOW && !self.was_low(player) {
            return vec![Effect::LowTime(player)];
        }
        Vec::new()
    }

    /// Ends the match, if the clock of `player` is running.
    pub(crate) fn clock_ran_out(&mut self, player: Player) -> Vec<Effect> {
        let running = self.running_clock().filter(|_| !self.is_remote());
        let Some((left, _)) = running.filter(|(_, turn)| *turn == player) else {
            return Vec::new();
        };
        // The end of the match is worth leaving an earlier position for.
        self.look_at(self.live);
        if self.record.time_out(player).is_err() {
            return Vec::new();
        }
        self.spent = self.spent.map(|spent| spent.saturating_add(left));
        self.tip = self.live;
        self.table = self.record.table();
        self.go_on()
    }

    fn running_clock(&self) -> Option<(u64, Player)> {
        let clocks = self.clocks()?;
        let player = clocks.running?;
        Some((clocks.left[player], player))
    }

    /// Whether the time of `player` was short at the end of an earlier turn, where that
    /// matters.
    fn was_low(&self, player: Player) -> bool {
        let Some(TimeControl::Match { .. }) = self.record.time_control() else {
            return false;
        };
        let line = self.record.line(self.live);
        let mut steps = line.windows(2);
        steps.any(|step| {
            let left = self.record.time_left_at(step[1]);
            self.turn_at(step[0]) == player && left.is_some_and(|left| left <= Clocks::LOW)
        })
    }
}
