use std::collections::{HashMap, HashSet};

use async_trait::async_trait;
use protocol::Seat;

use crate::{
    Append, Appended, BegunMatch, Challenge, Export, Login, MakeMatch, MatchFilter, MatchHead,
    MatchId, Millis, NewAccount, NewChallenge, NewMatch, Pairing, PlayerId, PlayerRating, Presence,
    Profile, Ranked, RatingChange, Registered, Seek, ServerNode, Session, SessionKind, Sought,
    StoreError, StoredEvent, StoredMatch, Take,
};

type Result<T> = std::result::Result<T, StoreError>;

/// The storage of online play.
///
/// Every method is one transaction: it is atomic, and durable once it returns. After
/// [`StoreError::Unavailable`] the effect is unknown; repeating the call is safe.
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
/// 7. A session that is used stays, and so does its player.
#[async_trait]
pub trait Store: Send + Sync {
    /// Whether several servers may use it at the same time.
    fn is_shared(&self) -> bool;

    /// The current time on the time line that all servers share: the database's clock, if there is
    /// one.
    async fn now(&self) -> Result<Millis>;

    // Matches.

    /// Creates a match, unless there is one with this id. Returns whether it did.
    async fn create_match(&self, new: NewMatch) -> Result<bool>;

    /// A match without its events.
    async fn match_head(&self, id: &str) -> Result<Option<MatchHead>>;

    /// A match with all its events.
    async fn load_match(&self, id: &str) -> Result<Option<StoredMatch>>;

    /// The events of a match after a version, in order.
    async fn events_after(&self, id: &str, version: u64) -> Result<Vec<StoredEvent>>;

    /// Appends an event to a match, changes ratings if it ends, and creates its rematch if that is
    /// agreed. A second rematch, or one whose id is taken, is [`StoreError::Broken`], and the event
    /// is not stored either.
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

    /// The newest matches that are being played. Those without a deadline, which nobody has to go
    /// on with, are included only if something happened in them after `active_after`.
    async fn live_matches(&self, active_after: Millis, limit: usize) -> Result<Vec<MatchHead>>;

    /// The matches created after a time that are being played, in any order.
    async fn begun_after(&self, created_after: Millis) -> Result<Vec<BegunMatch>>;

    // Players.

    /// Creates a guest, unless there is one with this id.
    async fn create_guest(&self, id: &str, name: &str, now: Millis) -> Result<()>;

    /// Creates an account, or converts a guest to one, who keeps the id.
    async fn make_account(&self, account: NewAccount) -> Result<Registered>;

    /// A player; also a deleted one.
    async fn player(&self, id: &str) -> Result<Option<Profile>>;

    /// These players, in any order; also deleted ones. Those that don't exist are absent.
    async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Profile>>;

    /// The account of a name, in upper or lower case.
    async fn player_by_name(&self, name: &str) -> Result<Option<Profile>>;

    /// The data to check the password of an account against, by its name in upper or lower case.
    /// Bots have none.
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

    /// Records a use of a session. Returns whether the session exists.
    async fn touch_session(&self, token_hash: &str, now: Millis) -> Result<bool>;

    /// Which of these tokens have a session.
    async fn live_sessions(&self, token_hashes: &[String]) -> Result<HashSet<String>>;

    /// Deletes the sessions of browsers that were last used before a time. Returns their number.
    async fn delete_old_sessions(&self, used_before: Millis) -> Result<u64>;

    // Guests who never played.

    /// Guests without a match or a challenge who were last seen before a time, the oldest first.
    async fn idle_guests(&self, seen_before: Millis, limit: usize) -> Result<Vec<PlayerId>>;

    /// Deletes one of the [`idle_guests`](Self::idle_guests), including the id. Returns whether the
    /// guest was still idle.
    async fn delete_idle_guest(&self, id: &str, seen_before: Millis) -> Result<bool>;

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

    /// Deletes challenges that expired before a time, taken or not. Returns their number.
    async fn delete_challenges(&self, expired_before: Millis) -> Result<u64>;

    // Seeks.

    /// Pairs a player with the waiting one whose rating is nearest, or makes them wait.
    ///
    /// The longer either has waited, the further their ratings may be apart. A second
    /// request replaces the pools of the first, and keeps its waiting time.
    async fn seek(&self, seek: Seek, make: MakeMatch) -> Result<Sought>;

    /// Ends the waiting of a player. Returns the match if they were paired meanwhile.
    async fn unseek(&self, player: &str) -> Result<Option<MatchId>>;

    /// Ends the waiting of a player who has left a server, unless they wait on another one by now.
    /// Returns the match if they were paired meanwhile.
    async fn unseek_on(&self, player: &str, node: &str) -> Result<Option<MatchId>>;

    /// Pairs players whose ratings may be further apart by now, and ends the waiting of
    /// those whose server is silent.
    async fn sweep_seeks(&self, now: Millis, make: MakeMatch) -> Result<Vec<Pairing>>;

    /// The usual wait in each of these pools, in milliseconds: the median of the longer waits of
    /// the last pairings, [`USUAL_OF`](crate::USUAL_OF) at most, that came after a time. Pools
    /// without one are absent.
    async fn usual_waits(&self, pools: &[String], after: Millis)
    -> Result<HashMap<String, Millis>>;

    /// Deletes what [`usual_waits`](Self::usual_waits) has from before a time. Returns the number of
    /// pairings.
    async fn delete_waits(&self, before: Millis) -> Result<u64>;

    /// Removes and returns the pairings of players who waited on a server.
    async fn take_pairings(&self, node: &str) -> Result<Vec<(PlayerId, MatchId)>>;

    // Servers, and who is connected to them.

    /// Records a heartbeat of a server.
    async fn beat(&self, node: &str, now: Millis) -> Result<()>;

    /// All servers, also the silent ones.
    async fn nodes(&self) -> Result<Vec<ServerNode>>;

    /// Removes a server that leaves, with its seeks and presences.
    async fn remove_node(&self, node: &str) -> Result<()>;

    /// Records that a server has a socket of a seat.
    async fn set_presence(&self, id: &str, seat: Seat, node: &str) -> Result<()>;

    /// Records that a server has no socket of a seat any more.
    async fn remove_presence(&self, id: &str, seat: Seat, node: &str) -> Result<()>;

    /// Who is connected to these matches, and where.
    async fn presence(&self, ids: &[MatchId]) -> Result<Vec<Presence>>;

    /// The presences of servers that are unknown or have been silent for
    /// [`SILENT_AFTER`](crate::SILENT_AFTER).
    async fn silent_presence(&self, now: Millis) -> Result<Vec<Presence>>;

    // Ratings.

    /// The best players of a game at a speed, without provisional ratings.
    async fn leaderboard(&self, game: &str, speed: &str, limit: usize) -> Result<Vec<Ranked>>;

    /// The number of players of a game at a speed with a higher rating that is not provisional.
    async fn n_better(&self, game: &str, speed: &str, rating: f64) -> Result<u64>;

    /// All ratings of a player, by game and speed.
    async fn ratings_of(&self, player: &str) -> Result<Vec<PlayerRating>>;

    /// The last changes of a player's ratings, the oldest of them first.
    async fn rating_changes_of(&self, player: &str, limit: usize) -> Result<Vec<RatingChange>>;
}
