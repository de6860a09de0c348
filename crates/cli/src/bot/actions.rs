use std::time::Duration;

use protocol::{Action, ClientMessage, Event, EventKind, MatchStatus, StateMessage};
use tokio::time::Instant;

/// The pauses before an action is sent again: the first, after which they double, and the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// How often an action is sent over one connection.
const MOST_TRIES: u32 = 8;

/// An action that was sent, and that the server has not acknowledged.
struct Pending {
    action: Action,
    n_tries: u32,
    /// When it is sent again.
    due: Instant,
}

/// Resignations and answers to offers, which are sent until the server has carried them out, or
/// they are pointless. Their ids make that safe.
#[derive(Default)]
pub(super) struct PendingActions(Vec<Pending>);

impl PendingActions {
    /// Takes over an action that is to be sent now. Returns its message, unless it has been sent.
    pub(super) fn send(&mut self, action: Action, now: Instant) -> Option<ClientMessage> {
        if self.0.iter().any(|pending| pending.action == action) {
            return None;
        }
        self.0.push(Pending {
            action: action.clone(),
            n_tries: 1,
            due: now + FIRST_PAUSE,
        });
        Some(ClientMessage::Do(action))
    }

    /// When the next action is sent again.
    pub(super) fn next(&self) -> Option<Instant> {
        self.0.iter().map(|pending| pending.due).min()
    }

    /// The actions that are sent again now. Those that were sent often enough are dropped.
    pub(super) fn resend(&mut self, now: Instant) -> Vec<ClientMessage> {
        let is_hopeless = |pending: &Pending| pending.due <= now && pending.n_tries >= MOST_TRIES;
        self.0.retain(|pending| !is_hopeless(pending));
        let due = self.0.iter_mut().filter(|pending| pending.due <= now);
        let again = due.map(|pending| {
            let pause = FIRST_PAUSE * 2_u32.pow(pending.n_tries);
            pending.due = now + pause.min(LONGEST_PAUSE);
            pending.n_tries += 1;
            ClientMessage::Do(pending.action.clone())
        });
        again.collect()
    }

    /// Sends all of them again at once, because the connection is new.
    pub(super) fn restart(&mut self, now: Instant) {
        for pending in &mut self.0 {
            (pending.n_tries, pending.due) = (0, now);
        }
    }

    /// The matches with such actions; one may come more than once.
    pub(super) fn matches(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|pending| &pending.action.g)
    }

    /// Drops the action of this id: it was carried out, or can't be.
    pub(super) fn drop_action(&mut self, g: &str, id: u64) {
        self.0
            .retain(|pending| (&*pending.action.g, pending.action.id) != (g, id));
    }

    /// Drops what an event has made pointless.
    pub(super) fn hear(&mut self, g: &str, event: &Event, status: MatchStatus) {
        let is_over = status != MatchStatus::Playing;
        let is_pointless = |action: &Action| match event {
            Event::Decline { of, .. } => action.of == Some(*of),
            Event::Rematch { .. } => true,
            _ => match event.kind() {
                // Offers end with the turn.
                EventKind::Position => is_over || action.of.is_some(),
                EventKind::Ending => true,
                EventKind::Other => false,
            },
        };
        self.0
            .retain(|Pending { action, .. }| action.g != g || !is_pointless(action));
    }

    /// Drops what is pointless in this state.
    pub(super) fn compare(&mut self, state: &StateMessage) {
        let is_possible = |action: &Action| match action.of {
            Some(of) => state.offers.iter().any(|offer| offer.of == of),
            None => state.status == MatchStatus::Playing,
        };
        self.0
            .retain(|Pending { action, .. }| action.g != state.g || is_possible(action));
    }
}
