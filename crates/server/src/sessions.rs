//! Sessions: their use, their end, and their sockets.

use std::collections::BTreeSet;

use store::{Millis, Profile, StoreError};

use crate::hub::Hub;

const DAY: Millis = 24 * 60 * 60 * 1000;

/// A browser session ends after this time without use.
pub(crate) const SESSION: Millis = 365 * DAY;

/// A guest who never played is deleted after this time without a visit.
const IDLE_GUEST: Millis = 30 * DAY;

/// The interval at which the use of a session is recorded in the store.
const NOTED_EVERY: Millis = DAY;

/// The largest number of guests deleted in one sweep.
const MOST_GUESTS: usize = 1_000;

impl Hub {
    /// The player of a session, and whether it is the first use in a day; `None` if there is no
    /// such session.
    pub(crate) async fn use_session(
        &self,
        token_hash: &str,
    ) -> Result<Option<(Profile, bool)>, StoreError> {
        let Some(session) = self.store.session(token_hash).await? else {
            return Ok(None);
        };
        let now = self.now();
        if now < session.seen + NOTED_EVERY {
            return Ok(Some((session.profile, false)));
        }
        let noted = self.store.touch_session(token_hash, now).await;
        self.note_result(&noted);
        // The session may have been deleted just now. After a store error the use is recorded
        // later.
        Ok((noted != Ok(false)).then_some((session.profile, true)))
    }

    /// Closes sockets whose session has ended. This finds what lost notices announced.
    pub(crate) async fn check_sessions(&self) -> Result<(), StoreError> {
        let connections = self.connections();
        let hashes = connections.iter();
        let hashes: Vec<_> = hashes
            .filter_map(|connection| connection.token_hash.clone())
            .collect();
        let live = self.store.live_sessions(&hashes).await?;
        let now = self.now();
        let mut gone = BTreeSet::new();
        for connection in connections {
            let Some(hash) = &connection.token_hash else {
                continue;
            };
            if !live.contains(hash) {
                connection.close();
                gone.extend(connection.player.as_ref().map(|player| player.id.clone()));
            } else if connection.is_use_due(now, NOTED_EVERY) {
                let noted = self.store.touch_session(hash, now).await;
                self.note_result(&noted);
            }
        }
        for player in gone {
            self.look_at_player(&player).await?;
        }
        Ok(())
    }

    /// Deletes unused sessions, and guests who never played.
    pub(crate) async fn sweep_sessions(&self) -> Result<(), StoreError> {
        let now = self.now();
        let store = &self.store;
        store
            .delete_old_sessions(now.saturating_sub(SESSION))
            .await?;
        let before = now.saturating_sub(IDLE_GUEST);
        for guest in store.idle_guests(before, MOST_GUESTS).await? {
            store.delete_idle_guest(&guest, before).await?;
        }
        Ok(())
    }
}
