use std::{
    collections::HashSet,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use axum::extract::ws::Utf8Bytes;
use store::Profile;
use tokio::sync::{Notify, mpsc};

use crate::request::Caller;

/// How many messages wait for a socket before it gets whole states instead.
const LARGEST_QUEUE: usize = 64;

/// One socket, as the rest of the server sees it.
pub(crate) struct Connection {
    /// Never used again.
    pub(crate) number: u64,
    /// Whose it is; nobody's if they only watch.
    pub(crate) player: Option<Profile>,
    /// Hash of the token of the player's session.
    pub(crate) token_hash: Option<String>,
    /// What the address counts as; `None` for this machine itself.
    pub(crate) address: Option<String>,
    queue: mpsc::Sender<Utf8Bytes>,
    /// The matches that the socket has missed events of.
    behind: Mutex<HashSet<String>>,
    /// Wakes the socket to look at `behind`, or to close.
    pub(crate) wake: Notify,
    /// How long a message there and back takes, in milliseconds.
    pub(crate) round_trip: AtomicU64,
    is_closing: AtomicBool,
}

impl Connection {
    pub(crate) fn new(number: u64, caller: Caller) -> (Self, mpsc::Receiver<Utf8Bytes>) {
        let (queue, messages) = mpsc::channel(LARGEST_QUEUE);
        let connection = Self {
            number,
            player: caller.profile,
            token_hash: caller.token_hash,
            address: caller.address,
            queue,
            behind: Mutex::default(),
            wake: Notify::new(),
            round_trip: AtomicU64::new(0),
            is_closing: AtomicBool::new(false),
        };
        (connection, messages)
    }

    /// Sends what happened in the match `g`. If the socket is too slow, it gets the whole state
    /// later instead.
    pub(crate) fn tell(&self, g: &str, message: &Utf8Bytes) {
        let mut behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        // One that waits for a state would see a gap.
        if behind.contains(g) {
            return;
        }
        if let Err(mpsc::error::TrySendError::Full(_)) = self.queue.try_send(message.clone()) {
            behind.insert(g.to_owned());
            self.wake.notify_one();
        }
    }

    /// Sends something that is about no match, unless the socket is too slow.
    pub(crate) fn mention(&self, message: &Utf8Bytes) {
        self.queue.try_send(message.clone()).ok();
    }

    /// Sends an answer if there is room for it. Returns whether there was.
    pub(crate) fn try_answer(&self, message: Utf8Bytes) -> bool {
        self.queue.try_send(message).is_ok()
    }

    /// Sends an answer, and waits until there is room for it.
    pub(crate) async fn answer(&self, message: Utf8Bytes) {
        // A socket that closed needs no answer.
        self.queue.send(message).await.ok();
    }

    /// The matches that the socket has missed events of.
    pub(crate) fn behind(&self) -> Vec<String> {
        let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        behind.iter().cloned().collect()
    }

    /// The socket gets the whole state of the match `g`, and events after it.
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

    pub(crate) fn round_trip(&self) -> u64 {
        self.round_trip.load(Ordering::Relaxed)
    }
}
