//! A store and a bus that fail, wait, repeat and reorder.

#![allow(dead_code, reason = "each test program uses a part")]

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use protocol::Seat;
use rules::Random;
use server::{Bus, Notice};
use store::{
    Append, Appended, BegunMatch, Challenge, Export, Login, MakeMatch, MatchFilter, MatchHead,
    MatchId, Millis, NewAccount, NewChallenge, NewMatch, Pairing, PlayerId, PlayerRating, Presence,
    Profile, Ranked, RatingChange, Registered, Seek, ServerNode, Session, SessionKind, Sought,
    Store, StoreError, StoredEvent, StoredMatch, Take,
};
use tokio::sync::{broadcast, mpsc};

type Result<T> = std::result::Result<T, StoreError>;

/// A store that stalls, and fails before or after it carried out an operation.
pub(crate) struct ChaosStore {
    inner: Arc<dyn Store>,
    random: Mutex<Random>,
    /// One operation in this many fails; 0 means none.
    one_in: Mutex<u32>,
    /// The operation that panics.
    panics: Mutex<Option<&'static str>>,
    /// The operation that stalls.
    stalls: Mutex<Option<&'static str>>,
    /// The operation that fails, and how often it did.
    fails: Mutex<Option<&'static str>>,
    n_failures: AtomicUsize,
    /// How often each operation was begun.
    n_calls: Mutex<HashMap<String, usize>>,
}

impl ChaosStore {
    pub(crate) fn new(inner: Arc<dyn Store>, seed: u64) -> Self {
        Self {
            inner,
            random: Mutex::new(Random::new(seed)),
            one_in: Mutex::new(0),
            panics: Mutex::new(None),
            stalls: Mutex::new(None),
            fails: Mutex::new(None),
            n_failures: AtomicUsize::new(0),
            n_calls: Mutex::default(),
        }
    }

    /// Makes one operation in `one_in` fail; 0 means none.
    pub(crate) fn set_chaos(&self, one_in: u32) {
        *self.one_in.lock().unwrap() = one_in;
    }

    /// Makes an operation panic, as a bug would.
    pub(crate) fn set_panic(&self, name: Option<&'static str>) {
        *self.panics.lock().unwrap() = name;
    }

    /// Makes an operation stall until this is called again.
    pub(crate) fn set_stall(&self, name: Option<&'static str>) {
        *self.stalls.lock().unwrap() = name;
    }

    /// Makes an operation fail until this is called again.
    pub(crate) fn set_failure(&self, name: Option<&'static str>) {
        *self.fails.lock().unwrap() = name;
    }

    /// How often the operation of [`set_failure`](Self::set_failure) has failed.
    pub(crate) fn n_failures(&self) -> usize {
        self.n_failures.load(Ordering::SeqCst)
    }

    /// How often an operation was begun.
    pub(crate) fn n_calls(&self, name: &str) -> usize {
        self.n_calls.lock().unwrap().get(name).copied().unwrap_or(0)
    }

    fn dice(&self) -> Option<u32> {
        let one_in = *self.one_in.lock().unwrap();
        (one_in > 0).then(|| self.random.lock().unwrap().below(2 * one_in))
    }

    async fn chance(&self, name: &str) -> Result<()> {
        *self
            .n_calls
            .lock()
            .unwrap()
            .entry(name.to_owned())
            .or_default() += 1;
        let panics = *self.panics.lock().unwrap();
        assert!(panics != Some(name), "{name} panics, as it was told to");
        while *self.stalls.lock().unwrap() == Some(name) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        if *self.fails.lock().unwrap() == Some(name) {
            self.n_failures.fetch_add(1, Ordering::SeqCst);
            return Err(StoreError::Unavailable(format!("{name} fails")));
        }
        match self.dice() {
            Some(0) => Err(StoreError::Unavailable(format!("{name} was not begun"))),
            Some(1) => {
                tokio::time::sleep(Duration::from_millis(20)).await;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Fails after the operation was carried out.
    async fn chance_after(&self, name: &str) -> Result<()> {
        match self.dice() {
            Some(0) => Err(StoreError::Unavailable(format!(
                "{name} may have been done"
            ))),
            _ => Ok(()),
        }
    }
}

#[async_trait]
impl Store for ChaosStore {
    fn is_shared(&self) -> bool {
        self.inner.is_shared()
    }

    async fn now(&self) -> Result<Millis> {
        self.chance("now").await?;
        let result = self.inner.now().await;
        self.chance_after("now").await?;
        result
    }

    async fn create_match(&self, new: NewMatch) -> Result<bool> {
        self.chance("create_match").await?;
        let result = self.inner.create_match(new).await;
        self.chance_after("create_match").await?;
        result
    }

    async fn match_head(&self, id: &str) -> Result<Option<MatchHead>> {
        self.chance("match_head").await?;
        let result = self.inner.match_head(id).await;
        self.chance_after("match_head").await?;
        result
    }

    async fn load_match(&self, id: &str) -> Result<Option<StoredMatch>> {
        self.chance("load_match").await?;
        let result = self.inner.load_match(id).await;
        self.chance_after("load_match").await?;
        result
    }

    async fn events_after(&self, id: &str, version: u64) -> Result<Vec<StoredEvent>> {
        self.chance("events_after").await?;
        let result = self.inner.events_after(id, version).await;
        self.chance_after("events_after").await?;
        result
    }

    async fn append(&self, append: Append) -> Result<Appended> {
        self.chance("append").await?;
        let result = self.inner.append(append).await;
        self.chance_after("append").await?;
        result
    }

    async fn versions(&self, ids: &[MatchId]) -> Result<HashMap<MatchId, u64>> {
        self.chance("versions").await?;
        let result = self.inner.versions(ids).await;
        self.chance_after("versions").await?;
        result
    }

    async fn due(&self, now: Millis, limit: usize) -> Result<Vec<MatchId>> {
        self.chance("due").await?;
        let result = self.inner.due(now, limit).await;
        self.chance_after("due").await?;
        result
    }

    async fn matches_of(
        &self,
        player: &str,
        filter: MatchFilter,
        before: Option<&str>,
        limit: usize,
    ) -> Result<Vec<MatchHead>> {
        self.chance("matches_of").await?;
        let result = self.inner.matches_of(player, filter, before, limit).await;
        self.chance_after("matches_of").await?;
        result
    }

    async fn live_matches(&self, active_after: Millis, limit: usize) -> Result<Vec<MatchHead>> {
        self.chance("live_matches").await?;
        let result = self.inner.live_matches(active_after, limit).await;
        self.chance_after("live_matches").await?;
        result
    }

    async fn begun_after(&self, created_after: Millis) -> Result<Vec<BegunMatch>> {
        self.chance("begun_after").await?;
        let result = self.inner.begun_after(created_after).await;
        self.chance_after("begun_after").await?;
        result
    }

    async fn create_guest(&self, id: &str, name: &str, now: Millis) -> Result<()> {
        self.chance("create_guest").await?;
        let result = self.inner.create_guest(id, name, now).await;
        self.chance_after("create_guest").await?;
        result
    }

    async fn make_account(&self, account: NewAccount) -> Result<Registered> {
        self.chance("make_account").await?;
        let result = self.inner.make_account(account).await;
        self.chance_after("make_account").await?;
        result
    }

    async fn player(&self, id: &str) -> Result<Option<Profile>> {
        self.chance("player").await?;
        let result = self.inner.player(id).await;
        self.chance_after("player").await?;
        result
    }

    async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Profile>> {
        self.chance("players").await?;
        let result = self.inner.players(ids).await;
        self.chance_after("players").await?;
        result
    }

    async fn player_by_name(&self, name: &str) -> Result<Option<Profile>> {
        self.chance("player_by_name").await?;
        let result = self.inner.player_by_name(name).await;
        self.chance_after("player_by_name").await?;
        result
    }

    async fn login(&self, name: &str) -> Result<Option<Login>> {
        self.chance("login").await?;
        let result = self.inner.login(name).await;
        self.chance_after("login").await?;
        result
    }

    async fn set_password(&self, id: &str, password_hash: &str) -> Result<bool> {
        self.chance("set_password").await?;
        let result = self.inner.set_password(id, password_hash).await;
        self.chance_after("set_password").await?;
        result
    }

    async fn recover(&self, id: &str, recovery_hash: &str, password_hash: &str) -> Result<bool> {
        self.chance("recover").await?;
        let result = self.inner.recover(id, recovery_hash, password_hash).await;
        self.chance_after("recover").await?;
        result
    }

    async fn delete_player(&self, id: &str) -> Result<bool> {
        self.chance("delete_player").await?;
        let result = self.inner.delete_player(id).await;
        self.chance_after("delete_player").await?;
        result
    }

    async fn export_player(&self, id: &str, now: Millis) -> Result<Option<Export>> {
        self.chance("export_player").await?;
        let result = self.inner.export_player(id, now).await;
        self.chance_after("export_player").await?;
        result
    }

    async fn create_session(
        &self,
        token_hash: &str,
        player: &str,
        kind: SessionKind,
        now: Millis,
    ) -> Result<()> {
        self.chance("create_session").await?;
        let result = self
            .inner
            .create_session(token_hash, player, kind, now)
            .await;
        self.chance_after("create_session").await?;
        result
    }

    async fn session(&self, token_hash: &str) -> Result<Option<Session>> {
        self.chance("session").await?;
        let result = self.inner.session(token_hash).await;
        self.chance_after("session").await?;
        result
    }

    async fn delete_session(&self, token_hash: &str) -> Result<()> {
        self.chance("delete_session").await?;
        let result = self.inner.delete_session(token_hash).await;
        self.chance_after("delete_session").await?;
        result
    }

    async fn delete_sessions(&self, player: &str, keep: Option<&str>) -> Result<()> {
        self.chance("delete_sessions").await?;
        let result = self.inner.delete_sessions(player, keep).await;
        self.chance_after("delete_sessions").await?;
        result
    }

    async fn touch_session(&self, token_hash: &str, now: Millis) -> Result<bool> {
        self.chance("touch_session").await?;
        let result = self.inner.touch_session(token_hash, now).await;
        self.chance_after("touch_session").await?;
        result
    }

    async fn live_sessions(&self, token_hashes: &[String]) -> Result<HashSet<String>> {
        self.chance("live_sessions").await?;
        let result = self.inner.live_sessions(token_hashes).await;
        self.chance_after("live_sessions").await?;
        result
    }

    async fn delete_old_sessions(&self, used_before: Millis) -> Result<u64> {
        self.chance("delete_old_sessions").await?;
        let result = self.inner.delete_old_sessions(used_before).await;
        self.chance_after("delete_old_sessions").await?;
        result
    }

    async fn idle_guests(&self, seen_before: Millis, limit: usize) -> Result<Vec<PlayerId>> {
        self.chance("idle_guests").await?;
        let result = self.inner.idle_guests(seen_before, limit).await;
        self.chance_after("idle_guests").await?;
        result
    }

    async fn delete_idle_guest(&self, id: &str, seen_before: Millis) -> Result<bool> {
        self.chance("delete_idle_guest").await?;
        let result = self.inner.delete_idle_guest(id, seen_before).await;
        self.chance_after("delete_idle_guest").await?;
        result
    }

    async fn block(&self, player: &str, other: &str) -> Result<()> {
        self.chance("block").await?;
        let result = self.inner.block(player, other).await;
        self.chance_after("block").await?;
        result
    }

    async fn unblock(&self, player: &str, other: &str) -> Result<()> {
        self.chance("unblock").await?;
        let result = self.inner.unblock(player, other).await;
        self.chance_after("unblock").await?;
        result
    }

    async fn blocks(&self, player: &str) -> Result<Vec<PlayerId>> {
        self.chance("blocks").await?;
        let result = self.inner.blocks(player).await;
        self.chance_after("blocks").await?;
        result
    }

    async fn is_blocked(&self, one: &str, other: &str) -> Result<bool> {
        self.chance("is_blocked").await?;
        let result = self.inner.is_blocked(one, other).await;
        self.chance_after("is_blocked").await?;
        result
    }

    async fn create_challenge(&self, challenge: NewChallenge) -> Result<()> {
        self.chance("create_challenge").await?;
        let result = self.inner.create_challenge(challenge).await;
        self.chance_after("create_challenge").await?;
        result
    }

    async fn challenge(&self, token_hash: &str, now: Millis) -> Result<Option<Challenge>> {
        self.chance("challenge").await?;
        let result = self.inner.challenge(token_hash, now).await;
        self.chance_after("challenge").await?;
        result
    }

    async fn take_challenge(
        &self,
        token_hash: &str,
        player: &str,
        now: Millis,
        new: NewMatch,
    ) -> Result<Take> {
        self.chance("take_challenge").await?;
        let result = self
            .inner
            .take_challenge(token_hash, player, now, new)
            .await;
        self.chance_after("take_challenge").await?;
        result
    }

    async fn cancel_challenge(&self, token_hash: &str, player: &str) -> Result<bool> {
        self.chance("cancel_challenge").await?;
        let result = self.inner.cancel_challenge(token_hash, player).await;
        self.chance_after("cancel_challenge").await?;
        result
    }

    async fn challenges_of(&self, player: &str, now: Millis) -> Result<Vec<Challenge>> {
        self.chance("challenges_of").await?;
        let result = self.inner.challenges_of(player, now).await;
        self.chance_after("challenges_of").await?;
        result
    }

    async fn delete_challenges(&self, expired_before: Millis) -> Result<u64> {
        self.chance("delete_challenges").await?;
        let result = self.inner.delete_challenges(expired_before).await;
        self.chance_after("delete_challenges").await?;
        result
    }

    async fn seek(&self, seek: Seek, make: MakeMatch) -> Result<Sought> {
        self.chance("seek").await?;
        let result = self.inner.seek(seek, make).await;
        self.chance_after("seek").await?;
        result
    }

    async fn unseek(&self, player: &str) -> Result<Option<MatchId>> {
        self.chance("unseek").await?;
        let result = self.inner.unseek(player).await;
        self.chance_after("unseek").await?;
        result
    }

    async fn unseek_on(&self, player: &str, node: &str) -> Result<Option<MatchId>> {
        self.chance("unseek_on").await?;
        let result = self.inner.unseek_on(player, node).await;
        self.chance_after("unseek_on").await?;
        result
    }

    async fn sweep_seeks(&self, now: Millis, make: MakeMatch) -> Result<Vec<Pairing>> {
        self.chance("sweep_seeks").await?;
        let result = self.inner.sweep_seeks(now, make).await;
        self.chance_after("sweep_seeks").await?;
        result
    }

    async fn usual_waits(
        &self,
        pools: &[String],
        after: Millis,
    ) -> Result<HashMap<String, Millis>> {
        self.chance("usual_waits").await?;
        let result = self.inner.usual_waits(pools, after).await;
        self.chance_after("usual_waits").await?;
        result
    }

    async fn delete_waits(&self, before: Millis) -> Result<u64> {
        self.chance("delete_waits").await?;
        let result = self.inner.delete_waits(before).await;
        self.chance_after("delete_waits").await?;
        result
    }

    async fn take_pairings(&self, node: &str) -> Result<Vec<(PlayerId, MatchId)>> {
        self.chance("take_pairings").await?;
        let result = self.inner.take_pairings(node).await;
        self.chance_after("take_pairings").await?;
        result
    }

    async fn beat(&self, node: &str, now: Millis) -> Result<()> {
        self.chance("beat").await?;
        let result = self.inner.beat(node, now).await;
        self.chance_after("beat").await?;
        result
    }

    async fn nodes(&self) -> Result<Vec<ServerNode>> {
        self.chance("nodes").await?;
        let result = self.inner.nodes().await;
        self.chance_after("nodes").await?;
        result
    }

    async fn remove_node(&self, node: &str) -> Result<()> {
        self.chance("remove_node").await?;
        let result = self.inner.remove_node(node).await;
        self.chance_after("remove_node").await?;
        result
    }

    async fn set_presence(&self, id: &str, seat: Seat, node: &str) -> Result<()> {
        self.chance("set_presence").await?;
        let result = self.inner.set_presence(id, seat, node).await;
        self.chance_after("set_presence").await?;
        result
    }

    async fn remove_presence(&self, id: &str, seat: Seat, node: &str) -> Result<()> {
        self.chance("remove_presence").await?;
        let result = self.inner.remove_presence(id, seat, node).await;
        self.chance_after("remove_presence").await?;
        result
    }

    async fn presence(&self, ids: &[MatchId]) -> Result<Vec<Presence>> {
        self.chance("presence").await?;
        let result = self.inner.presence(ids).await;
        self.chance_after("presence").await?;
        result
    }

    async fn silent_presence(&self, now: Millis) -> Result<Vec<Presence>> {
        self.chance("silent_presence").await?;
        let result = self.inner.silent_presence(now).await;
        self.chance_after("silent_presence").await?;
        result
    }

    async fn leaderboard(&self, game: &str, speed: &str, limit: usize) -> Result<Vec<Ranked>> {
        self.chance("leaderboard").await?;
        let result = self.inner.leaderboard(game, speed, limit).await;
        self.chance_after("leaderboard").await?;
        result
    }

    async fn n_better(&self, game: &str, speed: &str, rating: f64) -> Result<u64> {
        self.chance("n_better").await?;
        let result = self.inner.n_better(game, speed, rating).await;
        self.chance_after("n_better").await?;
        result
    }

    async fn rating_changes_of(&self, player: &str, limit: usize) -> Result<Vec<RatingChange>> {
        self.chance("rating_changes_of").await?;
        let result = self.inner.rating_changes_of(player, limit).await;
        self.chance_after("rating_changes_of").await?;
        result
    }

    async fn ratings_of(&self, player: &str) -> Result<Vec<PlayerRating>> {
        self.chance("ratings_of").await?;
        let result = self.inner.ratings_of(player).await;
        self.chance_after("ratings_of").await?;
        result
    }
}

/// A bus between nodes of one process that loses a third of all notices, and repeats and delays the
/// rest.
pub(crate) struct ChaosBus {
    sender: broadcast::Sender<Notice>,
    random: Arc<Mutex<Random>>,
}

impl ChaosBus {
    pub(crate) fn new(seed: u64) -> Arc<Self> {
        Arc::new(Self {
            sender: broadcast::channel(4096).0,
            random: Arc::new(Mutex::new(Random::new(seed))),
        })
    }
}

#[async_trait]
impl Bus for ChaosBus {
    async fn publish(&self, notice: Notice) {
        // Nobody may be listening.
        self.sender.send(notice).ok();
    }

    async fn subscribe(&self) -> mpsc::Receiver<Notice> {
        let mut notices = self.sender.subscribe();
        let (send, receive) = mpsc::channel(4096);
        let random = self.random.clone();
        tokio::spawn(async move {
            while let Ok(notice) = notices.recv().await {
                let (fate, delay) = {
                    let mut random = random.lock().unwrap();
                    (random.below(6), u64::from(random.below(40)))
                };
                let n_times = match fate {
                    0 | 1 => 0,
                    2 => 2,
                    _ => 1,
                };
                for _ in 0..n_times {
                    let (send, notice) = (send.clone(), notice.clone());
                    tokio::spawn(async move {
                        tokio::time::sleep(Duration::from_millis(delay)).await;
                        send.send(notice).await.ok();
                    });
                }
            }
        });
        receive
    }
}
