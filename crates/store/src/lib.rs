//! The storage of online play.
//!
//! A match is a log of events, and the store decides who may append to it: any number of
//! servers try to append *version + 1*, one of them succeeds, the others reread and decide
//! again. Events are opaque texts; the store names no game and knows no rules.
//!
//! [`Store`] is the interface. [`MemoryStore`] forgets everything, `SqliteStore` is one
//! file for one server, and `PostgresStore` is shared by many servers. [`laws`] holds all
//! of them to the same behavior.
//!
//! ```
//! use protocol::{MatchResult, MatchStatus};
//! use store::{Append, Appended, Created, Head, MemoryStore, NewMatch, Store, StoreError};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), StoreError> {
//! let store = MemoryStore::new();
//! let head = Head {
//!     at: 0,
//!     state: "first".to_owned(),
//!     deadline: None,
//!     status: MatchStatus::Playing,
//!     result: MatchResult::None,
//! };
//! let new = NewMatch {
//!     id: "8e4d".to_owned(),
//!     game: "takeover".to_owned(),
//!     rules: 1,
//!     options: "{}".to_owned(),
//!     clock: "null".to_owned(),
//!     rated: false,
//!     first: "ada".to_owned(),
//!     second: "grace".to_owned(),
//!     rematch_of: None,
//!     head: head.clone(),
//!     created: store.now().await?,
//! };
//! assert_eq!(store.create_match(new).await?, Created::New);
//!
//! let resign = Append {
//!     id: "8e4d".to_owned(),
//!     version: 1,
//!     cause: Some("first 7".to_owned()),
//!     time: store.now().await?,
//!     body: r#"{"k":"resign","by":"first"}"#.to_owned(),
//!     head: Head { status: MatchStatus::Over, result: MatchResult::Second, ..head },
//!     record: Some("…".to_owned()),
//!     rated_speed: None,
//! };
//! let done = Appended::Done { rating_changes: Vec::new() };
//! assert_eq!(store.append(resign.clone()).await?, done);
//! // The answer was lost, and the client asks again.
//! assert_eq!(store.append(resign).await?, Appended::Repeated { version: 1 });
//! # Ok(())
//! # }
//! ```

mod challenge;
mod clock;
mod error;
mod export;
mod game_match;
pub mod laws;
mod memory;
mod node;
mod player;
#[cfg(feature = "databases")]
mod postgres;
mod rating;
mod seek;
mod session;
#[cfg(feature = "databases")]
mod sql;
#[cfg(feature = "databases")]
mod sqlite;
mod store;

pub use crate::{
    challenge::{Challenge, ChallengeStatus, NewChallenge, Take},
    error::StoreError,
    export::{Export, ExportedMatch},
    game_match::{
        Append, Appended, Created, Head, MatchFilter, MatchHead, NewMatch, StoredEvent, StoredMatch,
    },
    memory::MemoryStore,
    node::{Node, Presence, SILENT_AFTER},
    player::{Login, NewAccount, Profile, ProfileKind, Registered},
    rating::{PlayerRating, Ranked, Rating, RatingChange},
    seek::{MakeMatch, Pairing, PoolEntry, Seek, Sought},
    session::{Session, SessionKind},
    store::Store,
};

#[cfg(feature = "databases")]
pub use crate::{postgres::PostgresStore, sqlite::SqliteStore};

/// Names a match; unguessable, made by the server.
pub type MatchId = String;
/// Names a player; never changes.
pub type PlayerId = String;
/// Names a server process.
pub type NodeId = String;
/// Milliseconds since 1970 on the [store's time line](Store::now).
pub type Millis = u64;
