//! A store over SQL, written once for SQLite and Postgres.
//!
//! Each operation is an async function over a [`Tx`]. With SQLite its futures are ready at
//! once.

mod challenges;
mod matches;
mod nodes;
mod players;
mod ratings;
pub(crate) mod schema;
mod seeks;
pub(crate) mod tx;

use std::{
    collections::{HashMap, HashSet},
    pin::Pin,
};

use async_trait::async_trait;
use protocol::Seat;

use crate::{
    Append, Appended, BegunMatch, Challenge, Export, Login, MakeMatch, MatchFilter, MatchHead,
    MatchId, Millis, NewAccount, NewChallenge, NewMatch, Pairing, PlayerId, PlayerRating, Presence,
    Profile, Ranked, RatingChange, Registered, Seek, ServerNode, Session, SessionKind, Sought,
    Store, StoreError, StoredEvent, StoredMatch, Take, sql::tx::Tx,
};

pub(crate) type Result<T> = std::result::Result<T, StoreError>;

/// A running operation.
pub(crate) type Running<'t, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 't>>;

/// An operation, which may be run again after a conflict.
pub(crate) type Operation<T> =
    Box<dyn for<'t> Fn(&'t mut (dyn Tx + 't)) -> Running<'t, T> + Send + Sync>;

/// The kind of transaction that an operation needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// A single query.
    Query,
    /// Several queries on one snapshot.
    Snapshot,
    /// Reads and writes, committed together.
    Write,
}

/// A database that runs operations, each in a transaction of its own.
#[async_trait]
pub(crate) trait Database: Send + Sync {
    /// Whether several servers may use it at the same time.
    const IS_SHARED: bool;

    /// The time of the clock that all servers share.
    async fn now(&self) -> Result<Millis>;

    /// Runs an operation, and returns once its writes are on disk.
    async fn run<T: Send + 'static>(&self, access: Access, operation: Operation<T>) -> Result<T>;
}

/// Runs an operation. The arguments are owned by it and cloned for each run, since it may
/// outlive the call and may be repeated.
macro_rules! run {
    ($database:ident, $access:ident, [$($argument:ident),*],
        $module:ident::$operation:ident($($given:expr),*)) => {{
        $(let $argument = $argument.to_owned();)*
        let operation = boxed(move |tx| {
            $(let $argument = $argument.clone();)*
            Box::pin(async move { $module::$operation(tx, $($given),*).await })
        });
        $database.run(Access::$access, operation).await
    }};
}

/// Tells the compiler that a closure takes a transaction of any lifetime.
fn boxed<T>(
    operation: impl for<'t> Fn(&'t mut (dyn Tx + 't)) -> Running<'t, T> + Send + Sync + 'static,
) -> Operation<T> {
    Box::new(operation)
}

#[async_trait]
impl<D: Database> Store for D {
    fn is_shared(&self) -> bool {
        D::IS_SHARED
    }

    async fn now(&self) -> Result<Millis> {
        Database::now(self).await
    }

    async fn create_match(&self, new: NewMatch) -> Result<bool> {
        run!(self, Write, [new], matches::create_match(&new, None))
    }

    async fn match_head(&self, id: &str) -> Result<Option<MatchHead>> {
        run!(self, Query, [id], matches::match_head(&id))
    }

    async fn load_match(&self, id: &str) -> Result<Option<StoredMatch>> {
        run!(self, Snapshot, [id], matches::load_match(&id))
    }

    async fn events_after(&self, id: &str, version: u64) -> Result<Vec<StoredEvent>> {
        run!(
            self,
            Query,
            [id, version],
            matches::events_after(&id, version)
        )
    }

    async fn append(&self, append: Append) -> Result<Appended> {
        run!(self, Write, [append], matches::append(&append))
    }

    async fn versions(&self, ids: &[MatchId]) -> Result<HashMap<MatchId, u64>> {
        run!(self, Query, [ids], matches::versions(&ids))
    }

    async fn due(&self, now: Millis, limit: usize) -> Result<Vec<MatchId>> {
        run!(self, Query, [now, limit], matches::due(now, limit))
    }

    async fn matches_of(
        &self,
        player: &str,
        filter: MatchFilter,
        before: Option<&str>,
        limit: usize,
    ) -> Result<Vec<MatchHead>> {
        let before = before.map(str::to_owned);
        run!(
            self,
            Snapshot,
            [player, filter, before, limit],
            matches::matches_of(&player, filter, before.as_ref(), limit)
        )
    }

    async fn live_matches(&self, active_after: Millis, limit: usize) -> Result<Vec<MatchHead>> {
        run!(
            self,
            Query,
            [active_after, limit],
            matches::live_matches(active_after, limit)
        )
    }

    async fn begun_after(&self, created_after: Millis) -> Result<Vec<BegunMatch>> {
        run!(
            self,
            Query,
            [created_after],
            matches::begun_after(created_after)
        )
    }

    async fn create_guest(&self, id: &str, name: &str, now: Millis) -> Result<()> {
        run!(
            self,
            Write,
            [id, name, now],
            players::create_guest(&id, &name, now)
        )
    }

    async fn make_account(&self, account: NewAccount) -> Result<Registered> {
        run!(self, Write, [account], players::make_account(&account))
    }

    async fn player(&self, id: &str) -> Result<Option<Profile>> {
        run!(self, Query, [id], players::player(&id))
    }

    async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Profile>> {
        run!(self, Query, [ids], players::players(&ids))
    }

    async fn player_by_name(&self, name: &str) -> Result<Option<Profile>> {
        run!(self, Query, [name], players::player_by_name(&name))
    }

    async fn login(&self, name: &str) -> Result<Option<Login>> {
        run!(self, Query, [name], players::login(&name))
    }

    async fn set_password(&self, id: &str, password_hash: &str) -> Result<bool> {
        run!(
            self,
            Write,
            [id, password_hash],
            players::set_password(&id, &password_hash)
        )
    }

    async fn recover(&self, id: &str, recovery_hash: &str, password_hash: &str) -> Result<bool> {
        run!(
            self,
            Write,
            [id, recovery_hash, password_hash],
            players::recover(&id, &recovery_hash, &password_hash)
        )
    }

    async fn delete_player(&self, id: &str) -> Result<bool> {
        run!(self, Write, [id], players::delete_player(&id))
    }

    async fn export_player(&self, id: &str, now: Millis) -> Result<Option<Export>> {
        run!(self, Snapshot, [id, now], players::export_player(&id, now))
    }

    async fn create_session(
        &self,
        token_hash: &str,
        player: &str,
        kind: SessionKind,
        now: Millis,
    ) -> Result<()> {
        run!(
            self,
            Write,
            [token_hash, player, kind, now],
            players::create_session(&token_hash, &player, kind, now)
        )
    }

    async fn session(&self, token_hash: &str) -> Result<Option<Session>> {
        run!(self, Query, [token_hash], players::session(&token_hash))
    }

    async fn delete_session(&self, token_hash: &str) -> Result<()> {
        run!(
            self,
            Write,
            [token_hash],
            players::delete_session(&token_hash)
        )
    }

    async fn delete_sessions(&self, player: &str, keep: Option<&str>) -> Result<()> {
        let keep = keep.map(str::to_owned);
        run!(
            self,
            Write,
            [player, keep],
            players::delete_sessions(&player, keep.as_ref())
        )
    }

    async fn touch_session(&self, token_hash: &str, now: Millis) -> Result<bool> {
        run!(
            self,
            Write,
            [token_hash, now],
            players::touch_session(&token_hash, now)
        )
    }

    async fn live_sessions(&self, token_hashes: &[String]) -> Result<HashSet<String>> {
        run!(
            self,
            Query,
            [token_hashes],
            players::live_sessions(&token_hashes)
        )
    }

    async fn delete_old_sessions(&self, used_before: Millis) -> Result<u64> {
        run!(
            self,
            Write,
            [used_before],
            players::delete_old_sessions(used_before)
        )
    }

    async fn idle_guests(&self, seen_before: Millis, limit: usize) -> Result<Vec<PlayerId>> {
        run!(
            self,
            Query,
            [seen_before, limit],
            players::idle_guests(seen_before, limit)
        )
    }

    async fn delete_idle_guest(&self, id: &str, seen_before: Millis) -> Result<bool> {
        run!(
            self,
            Write,
            [id, seen_before],
            players::delete_idle_guest(&id, seen_before)
        )
    }

    async fn block(&self, player: &str, other: &str) -> Result<()> {
        run!(
            self,
            Write,
            [player, other],
            players::block(&player, &other)
        )
    }

    async fn unblock(&self, player: &str, other: &str) -> Result<()> {
        run!(
            self,
            Write,
            [player, other],
            players::unblock(&player, &other)
        )
    }

    async fn blocks(&self, player: &str) -> Result<Vec<PlayerId>> {
        run!(self, Query, [player], players::blocks(&player))
    }

    async fn is_blocked(&self, one: &str, other: &str) -> Result<bool> {
        run!(self, Query, [one, other], players::is_blocked(&one, &other))
    }

    async fn create_challenge(&self, challenge: NewChallenge) -> Result<()> {
        run!(
            self,
            Write,
            [challenge],
            challenges::create_challenge(&challenge)
        )
    }

    async fn challenge(&self, token_hash: &str, now: Millis) -> Result<Option<Challenge>> {
        run!(
            self,
            Query,
            [token_hash, now],
            challenges::challenge(&token_hash, now)
        )
    }

    async fn take_challenge(
        &self,
        token_hash: &str,
        player: &str,
        now: Millis,
        new: NewMatch,
    ) -> Result<Take> {
        run!(
            self,
            Write,
            [token_hash, player, now, new],
            challenges::take_challenge(&token_hash, &player, now, &new)
        )
    }

    async fn cancel_challenge(&self, token_hash: &str, player: &str) -> Result<bool> {
        run!(
            self,
            Write,
            [token_hash, player],
            challenges::cancel_challenge(&token_hash, &player)
        )
    }

    async fn challenges_of(&self, player: &str, now: Millis) -> Result<Vec<Challenge>> {
        run!(
            self,
            Query,
            [player, now],
            challenges::challenges_of(&player, now)
        )
    }

    async fn delete_challenges(&self, expired_before: Millis) -> Result<u64> {
        run!(
            self,
            Write,
            [expired_before],
            challenges::delete_challenges(expired_before)
        )
    }

    async fn seek(&self, seek: Seek, make: MakeMatch) -> Result<Sought> {
        run!(self, Write, [seek, make], seeks::seek(&seek, &make))
    }

    async fn unseek(&self, player: &str) -> Result<Option<MatchId>> {
        run!(self, Write, [player], seeks::unseek(&player))
    }

    async fn unseek_on(&self, player: &str, node: &str) -> Result<Option<MatchId>> {
        run!(
            self,
            Write,
            [player, node],
            seeks::unseek_on(&player, &node)
        )
    }

    async fn sweep_seeks(&self, now: Millis, make: MakeMatch) -> Result<Vec<Pairing>> {
        run!(self, Write, [now, make], seeks::sweep_seeks(now, &make))
    }

    async fn usual_waits(
        &self,
        pools: &[String],
        after: Millis,
    ) -> Result<HashMap<String, Millis>> {
        run!(
            self,
            Snapshot,
            [pools, after],
            seeks::usual_waits(&pools, after)
        )
    }

    async fn delete_waits(&self, before: Millis) -> Result<u64> {
        run!(self, Write, [before], seeks::delete_waits(before))
    }

    async fn take_pairings(&self, node: &str) -> Result<Vec<(PlayerId, MatchId)>> {
        run!(self, Write, [node], seeks::take_pairings(&node))
    }

    async fn beat(&self, node: &str, now: Millis) -> Result<()> {
        run!(self, Write, [node, now], nodes::beat(&node, now))
    }

    async fn nodes(&self) -> Result<Vec<ServerNode>> {
        run!(self, Query, [], nodes::nodes())
    }

    async fn remove_node(&self, node: &str) -> Result<()> {
        run!(self, Write, [node], nodes::remove_node(&node))
    }

    async fn set_presence(&self, id: &str, seat: Seat, node: &str) -> Result<()> {
        run!(
            self,
            Write,
            [id, seat, node],
            nodes::set_presence(&id, seat, &node)
        )
    }

    async fn remove_presence(&self, id: &str, seat: Seat, node: &str) -> Result<()> {
        run!(
            self,
            Write,
            [id, seat, node],
            nodes::remove_presence(&id, seat, &node)
        )
    }

    async fn presence(&self, ids: &[MatchId]) -> Result<Vec<Presence>> {
        run!(self, Query, [ids], nodes::presence(&ids))
    }

    async fn silent_presence(&self, now: Millis) -> Result<Vec<Presence>> {
        run!(self, Query, [now], nodes::silent_presence(now))
    }

    async fn leaderboard(&self, game: &str, speed: &str, limit: usize) -> Result<Vec<Ranked>> {
        run!(
            self,
            Query,
            [game, speed, limit],
            ratings::leaderboard(&game, &speed, limit)
        )
    }

    async fn n_better(&self, game: &str, speed: &str, rating: f64) -> Result<u64> {
        run!(
            self,
            Query,
            [game, speed, rating],
            ratings::n_better(&game, &speed, rating)
        )
    }

    async fn ratings_of(&self, player: &str) -> Result<Vec<PlayerRating>> {
        run!(self, Query, [player], ratings::ratings_of(&player))
    }

    async fn rating_changes_of(&self, player: &str, limit: usize) -> Result<Vec<RatingChange>> {
        run!(
            self,
            Query,
            [player, limit],
            ratings::last_changes_of(&player, limit)
        )
    }
}
