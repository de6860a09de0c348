use std::{
    collections::HashSet,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use axum::extract::ws::Utf8Bytes;
use store::{Millis, Profile};
use tokio::sync::{Notify, mpsc};

use crate::request::Caller;

/// The length of a socket's queue; a socket that is slower gets whole states instead of events.
const LARGEST_QUEUE: usize = 64;

/// One socket, as the rest of the server sees it.
pub(crate) struct Connection {
    /// A unique number, which is never reused.
    pub(crate) number: u64,
    /// The player; `None` for a spectator without a session.
    pub(crate) player: Option<Profile>,
    /// Hash of the token of the player's session.
    pub(crate) token_hash: Option<String>,
    /// The [key](crate::limit::address_key) of the address; `None` if it has no limits.
    pub(crate) address: Option<String>,
    queue: mpsc::Sender<Utf8Bytes>,
    /// Messages held back until `hi` is sent, which comes first; `None` afterwards.
    early: Mutex<Option<Vec<Utf8Bytes>>>,
    /// The matches of which the socket has missed events.
    behind: Mutex<HashSet<String>>,
    /// The matches of the player that the socket was told to have begun, and when.
    begun: Mutex<Vec<(String, Millis)>>,
    /// Wakes the socket to check `behind`, or to close.
    pub(crate) wake: Notify,
    /// The round-trip time, in milliseconds.
    pub(crate) round_trip: AtomicU64,
    is_closing: AtomicBool,
    /// The last recorded use of the session.
    used: AtomicU64,
}

impl Connection {
    pub(crate) fn new(
        number: u64,
        caller: Caller,
        now: Millis,
    ) -> (Self, mpsc::Receiver<Utf8Bytes>) {
        let (queue, messages) = mpsc::channel(LARGEST_QUEUE);
        let connection = Self {
            number,
            player: caller.profile,
            token_hash: caller.token_hash,
            address: caller.address,
            queue,
            early: Mutex::new(Some(Vec::new())),
            behind: Mutex::default(),
            begun: Mutex::default(),
            wake: Notify::new(),
            round_trip: AtomicU64::new(0),
            is_closing: AtomicBool::new(false),
            used: AtomicU64::new(now),
        };
        (connection, messages)
    }

    /// Sends an event of the match `g`. If the queue is full, the socket gets the whole state later
    /// instead.
    pub(crate) fn tell(&self, g: &str, message: &Utf8Bytes) {
        let mut behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        // A socket that waits for a state must not see later events before it.
        if behind.contains(g) {
            return;
        }
        if let Err(mpsc::error::TrySendError::Full(_)) = self.queue.try_send(message.clone()) {
            behind.insert(g.to_owned());
            self.wake.notify_one();
        }
    }

    /// Sends a message that belongs to no match; drops it if the queue is full. Returns whether
    /// it was sent.
    pub(crate) fn mention(&self, message: &Utf8Bytes) -> bool {
        let mut early = self.early.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *early {
            Some(early) => {
                early.push(message.clone());
                true
            }
            None => self.queue.try_send(message.clone()).is_ok(),
        }
    }

    /// Records that the socket was told of a match that has begun.
    pub(crate) fn note_begun(&self, g: &str, now: Millis) {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.push((g.to_owned(), now));
    }

    /// Whether the socket was told of a match that has begun.
    pub(crate) fn knows_of(&self, g: &str) -> bool {
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.iter().any(|(known, _)| known == g)
    }

    /// Drops what was recorded before a time about matches that have begun.
    pub(crate) fn forget_begun(&self, before: Millis) {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.retain(|&(_, time)| time >= before);
    }

    /// Releases the messages that waited for `hi`.
    pub(crate) fn greeted(&self) {
        let mut early = self.early.lock().unwrap_or_else(PoisonError::into_inner);
        for message in early.take().into_iter().flatten() {
            self.queue.try_send(message).ok();
        }
    }

    /// Sends an answer if there is room in the queue. Returns whether there was.
    pub(crate) fn try_answer(&self, message: Utf8Bytes) -> bool {
        self.queue.try_send(message).is_ok()
    }

    /// Sends an answer, and waits for room in the queue.
    pub(crate) async fn answer(&self, message: Utf8Bytes) {
        // A socket that closed needs no answer.
        self.queue.send(message).await.ok();
    }

    /// The matches of which the socket has missed events.
    pub(crate) fn behind(&self) -> Vec<String> {
        let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        behind.iter().cloned().collect()
    }

    /// Notes that the socket gets the whole state of the match `g`, and then its events again.
    pub(crate) fn catches_up(&self, g: &str) {
        let mut behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        behind.remove(g);
    }

    /// Closes the socket.
    pub(crate) fn close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
        self.wake.notify_one();
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }

    /// Whether the last recorded use of the session is at least `every` ago. If so, it becomes
    /// `now`.
    pub(crate) fn is_use_due(&self, now: Millis, every: Millis) -> bool {
        let is_due = now >= self.used.load(Ordering::Relaxed) + every;
        if is_due {
            self.used.store(now, Ordering::Relaxed);
        }
        is_due
    }

    pub(crate) fn round_trip(&self) -> u64 {
        self.round_trip.load(Ordering::Relaxed)
    }
}
