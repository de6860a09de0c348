//! Players hear of their matches that have begun, although notices may be lost.

use std::sync::atomic::Ordering;

use axum::extract::ws::Utf8Bytes;
use protocol::{Seat, ServerMessage};
use store::{BegunMatch, MatchHead, Millis, StoreError};

use crate::{connection::Connection, hub::Hub};

/// How long after the time that a match was created it may appear in the store.
const LATE: Millis = 30_000;

/// Matches in `hi` that are older than this are not recorded: nobody will be told of them.
const NEW: Millis = 10 * 60 * 1000;

impl Hub {
    /// Records the matches that a socket was told of in `hi`.
    pub(crate) fn note_greeted(&self, connection: &Connection, playing: &[MatchHead]) {
        let now = self.now();
        for head in playing.iter().filter(|head| head.created + NEW > now) {
            connection.note_begun(&head.id, now);
        }
    }

    /// Notifies players of matches that began since the last sweep, if that was not done: the
    /// notice was lost, the node that sent it died, or the socket's queue was full.
    pub(crate) async fn tell_begun(&self) -> Result<(), StoreError> {
        let now = self.now();
        let since = self.looked_for_begun.load(Ordering::Relaxed);
        for begun in self.store.begun_after(since.saturating_sub(LATE)).await? {
            self.tell_players(&begun);
        }
        self.looked_for_begun.store(now, Ordering::Relaxed);
        for connection in self.connections() {
            connection.forget_begun(now.saturating_sub(2 * LATE));
        }
        Ok(())
    }

    fn tell_players(&self, begun: &BegunMatch) {
        let players = [&begun.first, &begun.second];
        for (seat, player) in Seat::BOTH.into_iter().zip(players) {
            // Whoever takes a challenge gets the match as the answer.
            if begun.taken_by.as_ref() == Some(player) {
                continue;
            }
            let mut sockets = self.sockets_of(player);
            sockets.retain(|connection| !connection.knows_of(&begun.id));
            let g = begun.id.clone();
            let message = Utf8Bytes::from(ServerMessage::Paired { g, seat }.to_json());
            for connection in sockets {
                if connection.mention(&message) {
                    connection.note_begun(&begun.id, self.now());
                }
            }
        }
    }
}
