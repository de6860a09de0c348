//! A match with somebody elsewhere: a server decides how it stands.
//!
//! What a person here plays is shown at once. Once it is a whole turn,
//! [`Effect::Turn`] asks for it to be sent; whatever the server says of the match comes back as
//! [`Event::Follow`](crate::Event::Follow), which confirms the turn or puts the board back.

use rules::{
    Outcome, Player,
    record::{Ending, NodeId, Reason},
};

use crate::{Clocks, Effect, PlayerKind, Sitting};

/// How a match stands, as a server says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RemoteState {
    /// All moves from the start.
    pub moves: Vec<String>,
    /// How the match ended, if it did by more than its moves.
    pub ending: Option<Ending>,
    /// Whether the match was called off.
    pub is_called_off: bool,
}

impl Sitting {
    /// Whether somebody elsewhere takes part, or both do.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        Player::BOTH
            .into_iter()
            .any(|player| self.seats[player] == PlayerKind::Remote)
    }

    /// Whether the match was called off: it ended without a result.
    #[must_use]
    pub fn is_called_off(&self) -> bool {
        self.is_called_off
    }

    /// The turn that the last move of a person completes, if it does. The clock of the person
    /// stops; whose clock runs is for the server to say.
    pub(crate) fn whole_turn(&mut self, before: NodeId) -> Option<Effect> {
        let player = self.turn_at(before);
        let is_over = self.record.ending_at(self.live).is_some();
        if !self.is_remote() || (self.turn_at(self.live) == player && !is_over) {
            return None;
        }
        let mut line = self.record.line(self.live);
        let moves_of = |node: &NodeId| self.turn_at(*node) == player;
        let n_moves = line
            .iter()
            .rev()
            .skip(1)
            .take_while(|it| moves_of(it))
            .count();
        let turn = line.split_off(line.len() - n_moves);
        let moves = turn.into_iter().filter_map(|id| self.record.move_to(id));
        let effect = Effect::Turn(moves.collect());
        self.hold_clocks();
        Some(effect)
    }

    /// The position before the last move of a turn that is not complete.
    pub(crate) fn turn_take_back_target(&self) -> Option<NodeId> {
        let before = self.record.ancestors(self.live).first().copied()?;
        // A slide that wins is a whole turn.
        let is_over = self.record.ending_at(self.live).is_some();
        let is_open = !is_over && !self.is_looking_back() && !self.is_called_off;
        let is_same_turn = self.turn_at(before) == self.turn_at(self.live);
        (is_open && is_same_turn && self.is_persons_turn(before)).then_some(before)
    }

    /// The match stands where the server says. Somebody who looks back is not disturbed.
    pub(crate) fn follow(&mut self, standing: &RemoteState) -> Vec<Effect> {
        if !self.is_remote() {
            return Vec::new();
        }
        self.is_called_off = standing.is_called_off;
        let looked_at = self.record.cursor();
        let (old_live, old_tip) = (self.live, self.tip);
        let was_over = self.record.ending_at(looked_at);
        // The node is of this record.
        self.record.go_to(NodeId::ROOT).ok();
        for m in &standing.moves {
            if self.record.play(m).is_err() {
                break;
            }
        }
        let mut live = self.record.cursor();
        if standing.ending.is_none() && self.is_turn_begun(live, old_live) {
            live = old_live;
        } else {
            let line = self.record.line(live);
            for old in [old_live, old_tip] {
                let old_line = self.record.line(old);
                if let Some(&gone) = old_line.iter().find(|node| !line.contains(node)) {
                    self.record.delete(gone);
                }
            }
            if let Some(ending) = standing.ending {
                self.end(ending);
            }
            self.tip = live;
        }
        self.record.go_to(live).ok();
        self.stand_at(live);
        let is_past = looked_at != old_live;
        if is_past {
            self.record.go_to(looked_at).ok();
        }
        let cursor = self.record.cursor();
        if cursor != looked_at || self.record.ending_at(cursor) != was_over {
            self.table = self.record.table();
        }
        Vec::new()
    }

    /// Whether a person has begun a turn at `node`, which led to `live` and is not complete.
    fn is_turn_begun(&self, node: NodeId, live: NodeId) -> bool {
        let line = self.record.line(live);
        let turn = line.iter().skip_while(|it| **it != node);
        let player = self.turn_at(node);
        let mut turn = turn.peekable();
        self.seats[player] == PlayerKind::Person
            && turn.peek().is_some()
            && turn.all(|it| self.turn_at(*it) == player)
            && self.record.ending_at(live).is_none()
    }

    /// Ends the match at the cursor.
    fn end(&mut self, ending: Ending) {
        if self.record.ending().is_some() {
            return;
        }
        let ended = match (ending.outcome, ending.reason) {
            (Outcome::Win(winner), Reason::TimeOut) => self.record.time_out(!winner),
            (Outcome::Win(winner), _) => self.record.resign(!winner),
            (Outcome::Draw, _) => self.record.agree_draw(),
        };
        // It was not over.
        ended.ok();
    }

    /// The clocks that a server reported, with the time that has passed since.
    pub(crate) fn reported_clocks(&self) -> Option<Clocks> {
        let mut clocks = self.reported?;
        if let Some(player) = clocks.running {
            let left = clocks.left[player];
            clocks.left[player] = left.saturating_sub(self.spent.unwrap_or(0));
        }
        Some(clocks)
    }

    pub(crate) fn set_clocks(&mut self, clocks: Option<Clocks>) -> Vec<Effect> {
        if self.is_remote() {
            self.reported = clocks;
            self.spent = Some(0);
        }
        Vec::new()
    }

    pub(crate) fn hold_clocks(&mut self) -> Vec<Effect> {
        let held = self.reported_clocks();
        self.set_clocks(held.map(|clocks| Clocks {
            running: None,
            ..clocks
        }))
    }
}
