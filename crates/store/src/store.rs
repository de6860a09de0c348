use std::collections::HashMap;

use async_trait::async_trait;
use protocol::Seat;

use crate::{
    Append, Appended, Challenge, Created, Export, Login, MakeMatch, MatchFilter, MatchHead,
    MatchId, Millis, NewAccount, NewChallenge, NewMatch, Node, Pairing, PlayerId, PlayerRating,
    Presence, Profile, Ranked, Registered, Seek, Session, SessionKind, Sought, StoreError,
    StoredEvent, StoredMatch, Take,
};

type Result<T> = std::result::Result<T, StoreError>;

/// The storage of online play.
///
/// Every method is one transaction: it happens whole or not at all, and what it reports as
/// done is on disk. After [`StoreError::Unavailable`] the effect is unknown; repeating the
/// call is safe, and works as soon as the store is back.
///
/// # Laws
///
/// [`check_store`](crate::laws::check_store) holds every store to these, also when many
/// tasks call it at once:
///
/// 1. The versions of a match are 1, 2, 3, … without gaps, and each is appended once.
/// 2. A cause is in a match once; a repeated one returns the version it is stored under.
/// 3. A match and its ratings change together, and each result is rated once.
/// 4. A match has one rematch, a challenge one taker, a name one account.
/// 5. Nobody is paired twice, with themselves, or with somebody who blocks them.
/// 6. Of a deleted player only the id is left.
#[async_trait]
pub trait Store: Send + Sync {
    /// The time on the time line that all servers share: the database's clock, if there is
    /// one.
    async fn now(&self) -> Result<Millis>;

    // Matches.

    /// Creates a match.
    async fn create_match(&self, new: NewMatch) -> Result<Created>;

    /// A match without its events.
    async fn match_head(&self, id: &str) -> Result<Option<MatchHead>>;

    /// A match with all its events.
    async fn load_match(&self, id: &str) -> Result<Option<StoredMatch>>;

    /// The events of a match after a version, in order.
    async fn events_after(&self, id: &str, version: u64) -> Result<Vec<StoredEvent>>;

    /// Appends an event to a match, and changes ratings if it ends.
    async fn append(&self, append: Append) -> Result<Appended>;

    /// The versions of matches; those that don't exist are absent.
    async fn versions(&self, ids: &[MatchId]) -> Result<HashMap<MatchId, u64>>;

    /// Matches that are being played and whose deadline is not after `now`, the earliest
    /// first.
    async fn due(&self, now: Millis, limit: usize) -> Result<Vec<MatchId>>;

    /// The matches of a player, the newest first; those after the match `before`, if it is
    /// given.
    async fn matches_of(
        &self,
        player: &str,
        filter: MatchFilter,
        before: Option<&str>,
        limit: usize,
    ) -> Result<Vec<MatchHead>>;

    /// The newest matches that are being played.
    async fn live_matches(&self, limit: usize) -> Result<Vec<MatchHead>>;

    // Players.

    /// Creates a guest. A guest of the same id is left alone.
    async fn create_guest(&self, id: &str, name: &str, now: Millis) -> Result<()>;

    /// Makes an account of a guest, who keeps the id, or of nobody.
    async fn make_account(&self, account: NewAccount) -> Result<Registered>;

    /// A player; also a deleted one.
    async fn player(&self, id: &str) -> Result<Option<Profile>>;

    /// The account of a name, in upper or lower case.
    async fn player_by_name(&self, name: &str) -> Result<Option<Profile>>;

    /// What the password of the account of a name is checked against, in upper or lower
    /// case. Bots have none.
    async fn login(&self, name: &str) -> Result<Option<Login>>;

    /// Changes the password of an account. Returns whether it has one.
    async fn set_password(&self, id: &str, password_hash: &str) -> Result<bool>;

    /// Uses up a recovery code and changes the password. Returns whether the player had the
    /// code.
    async fn recover(&self, id: &str, recovery_hash: &str, password_hash: &str) -> Result<bool>;

    /// Deletes a player: the name, sessions, passwords, blocks, challenges, seeks, ratings.
    /// Matches stay, and [`player`](Self::player) returns a profile without a name. Returns
    /// whether the player was there.
    async fn delete_player(&self, id: &str) -> Result<bool>;

    /// Everything stored about a player; none if they are deleted.
    async fn export_player(&self, id: &str, now: Millis) -> Result<Option<Export>>;

    // Sessions.

    /// Creates a session.
    async fn create_session(
        &self,
        token_hash: &str,
        player: &str,
        kind: SessionKind,
        now: Millis,
    ) -> Result<()>;

    /// The session of a token.
    async fn session(&self, token_hash: &str) -> Result<Option<Session>>;

    /// Deletes the session of a token.
    async fn delete_session(&self, token_hash: &str) -> Result<()>;

    /// Deletes all sessions of a player, except that of the token `keep`.
    async fn delete_sessions(&self, player: &str, keep: Option<&str>) -> Result<()>;

    // Blocks.

    /// Makes `player` block `other`.
    async fn block(&self, player: &str, other: &str) -> Result<()>;

    /// Undoes [`block`](Self::block).
    async fn unblock(&self, player: &str, other: &str) -> Result<()>;

    /// Whom a player blocks.
    async fn blocks(&self, player: &str) -> Result<Vec<PlayerId>>;

    /// Whether one of two players blocks the other.
    async fn is_blocked(&self, one: &str, other: &str) -> Result<bool>;

    // Challenges.

    /// Creates a challenge.
    async fn create_challenge(&self, challenge: NewChallenge) -> Result<()>;

    /// The challenge of a token.
    async fn challenge(&self, token_hash: &str, now: Millis) -> Result<Option<Challenge>>;

    /// Takes a challenge, and creates its match.
    async fn take_challenge(
        &self,
        token_hash: &str,
        player: &str,
        now: Millis,
        new: NewMatch,
    ) -> Result<Take>;

    /// Cancels an open challenge of `player`. Returns whether there was one.
    async fn cancel_challenge(&self, token_hash: &str, player: &str) -> Result<bool>;

    /// The open challenges of a player, the newest first.
    async fn challenges_of(&self, player: &str, now: Millis) -> Result<Vec<Challenge>>;

    /// Deletes challenges that expired before a time, taken or not. Returns how many.
    async fn delete_challenges(&self, expired_before: Millis) -> Result<u64>;

    // Seeks.

    /// Pairs a player with the waiting one whose rating is nearest, or makes them wait.
    ///
    /// The longer either has waited, the further their ratings may be apart. A second
    /// request replaces the pools of the first, and keeps its waiting time.
    async fn seek(&self, seek: Seek, make: MakeMatch) -> Result<Sought>;

    /// Ends the waiting of a player. Returns the match if they were paired meanwhile.
    async fn unseek(&self, player: &str) -> Result<Option<MatchId>>;

    /// Pairs players whose ratings may be further apart by now, and ends the waiting of
    /// those whose server is silent.
    async fn sweep_seeks(&self, now: Millis, make: MakeMatch) -> Result<Vec<Pairing>>;

    /// Returns and forgets who was paired while waiting on a server.
    async fn take_pairings(&self, node: &str) -> Result<Vec<(PlayerId, MatchId)>>;

    // Servers, and who is connected to them.

    /// Notes that a server is alive.
    async fn beat(&self, node: &str, now: Millis) -> Result<()>;

    /// All servers, also the silent ones.
    async fn nodes(&self) -> Result<Vec<Node>>;

    /// Removes a server that leaves, with its seeks and presences.
    async fn remove_node(&self, node: &str) -> Result<()>;

    /// Notes that a server has a socket of a seat.
    async fn set_presence(&self, id: &str, seat: Seat, node: &str) -> Result<()>;

    /// Notes that a server has no socket of a seat any more.
    async fn remove_presence(&self, id: &str, seat: Seat, node: &str) -> Result<()>;

    /// Who is connected to a match, and where.
    async fn presence(&self, id: &str) -> Result<Vec<Presence>>;

    /// Removes and returns the presences of servers that are unknown or have been silent for
    /// [`SILENT_AFTER`](crate::SILENT_AFTER).
    async fn remove_silent(&self, now: Millis) -> Result<Vec<Presence>>;

    // Ratings.

    /// The best players of a game at a speed, without provisional ratings.
    async fn leaderboard(&self, game: &str, speed: &str, limit: usize) -> Result<Vec<Ranked>>;

    /// All ratings of a player, by game and speed.
    async fn ratings_of(&self, player: &str) -> Result<Vec<PlayerRating>>;
}
