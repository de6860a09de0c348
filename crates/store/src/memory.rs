use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use protocol::{MatchStatus, Seat};

use crate::{
    Append, Appended, BegunMatch, Challenge, ChallengeState, Export, ExportedMatch,
    ExportedSession, Login, MakeMatch, MatchFilter, MatchHead, MatchId, Millis, NewAccount,
    NewChallenge, NewMatch, Pairing, PlayerId, PlayerRating, PoolEntry, Presence, Profile,
    ProfileKind, Ranked, Rating, RatingChange, Registered, SILENT_AFTER, Seek, ServerId,
    ServerNode, Session, SessionKind, Sought, Store, StoreError, StoredEvent, StoredMatch, Take,
    USUAL_OF,
    clock::system_now,
    player::name_key,
    seek::{median, window},
};

type Result<T> = std::result::Result<T, StoreError>;

/// A store in memory: for tests, and as the reference model of the others.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
    is_shared: bool,
}

impl MemoryStore {
    /// An empty store for one server.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty store for several servers of one process.
    #[must_use]
    pub fn shared() -> Self {
        Self {
            is_shared: true,
            ..Self::default()
        }
    }

    /// A poisoned lock is ignored: no operation leaves the state half changed.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug, Default)]
struct State {
    matches: BTreeMap<MatchId, StoredMatch>,
    rematches: HashMap<MatchId, MatchId>,
    players: BTreeMap<PlayerId, Profile>,
    names: HashMap<String, PlayerId>,
    logins: HashMap<PlayerId, String>,
    recovery_codes: HashSet<(PlayerId, String)>,
    sessions: HashMap<String, StoredSession>,
    blocks: BTreeSet<(PlayerId, PlayerId)>,
    challenges: BTreeMap<String, StoredChallenge>,
    seeks: BTreeMap<PlayerId, Waiting>,
    /// The pool, the time and the longer wait of each pairing.
    waits: Vec<(String, Millis, Millis)>,
    nodes: BTreeMap<ServerId, Millis>,
    presence: BTreeSet<Presence>,
    ratings: BTreeMap<(PlayerId, String, String), Rating>,
}

#[derive(Debug)]
struct StoredSession {
    player: PlayerId,
    kind: SessionKind,
    created: Millis,
    seen: Millis,
}

#[derive(Debug)]
struct StoredChallenge {
    offer: NewChallenge,
    is_cancelled: bool,
    taken: Option<(PlayerId, MatchId)>,
}

impl StoredChallenge {
    fn at(&self, now: Millis) -> Challenge {
        let status = match &self.taken {
            Some((by, id)) => ChallengeState::Taken {
                by: by.clone(),
                id: id.clone(),
            },
            None if self.is_cancelled || self.offer.expires <= now => ChallengeState::Gone,
            None => ChallengeState::Open,
        };
        Challenge {
            offer: self.offer.clone(),
            status,
        }
    }
}

#[derive(Debug)]
struct Waiting {
    node: ServerId,
    since: Millis,
    pools: Vec<PoolEntry>,
    paired: Option<MatchId>,
}

impl State {
    /// Returns whether there was no match with this id.
    fn create_match(&mut self, new: NewMatch, rematch_of: Option<MatchId>) -> bool {
        if self.matches.contains_key(&new.id) {
            return false;
        }
        if let Some(of) = &rematch_of {
            self.rematches.insert(of.clone(), new.id.clone());
        }
        let head = MatchHead {
            id: new.id.clone(),
            game: new.game,
            rules: new.rules,
            options: new.options,
            clock: new.clock,
            rated: new.rated,
            first: new.first,
            second: new.second,
            rematch_of,
            rematch: None,
            created: new.created,
            ended: None,
            version: 0,
            head: new.head,
        };
        let stored = StoredMatch {
            head,
            events: Vec::new(),
            record: None,
            rating_changes: Vec::new(),
        };
        self.matches.insert(new.id, stored);
        true
    }

    fn create_new_match(&mut self, new: NewMatch) -> Result<()> {
        let id = new.id.clone();
        if self.create_match(new, None) {
            Ok(())
        } else {
            Err(StoreError::not_new(&id))
        }
    }

    fn head(&self, stored: &StoredMatch) -> MatchHead {
        MatchHead {
            rematch: self.rematches.get(&stored.head.id).cloned(),
            ..stored.head.clone()
        }
    }

    fn append(&mut self, append: Append) -> Result<Appended> {
        let Some(stored) = self.matches.get(&append.id) else {
            return Ok(Appended::Stale);
        };
        let mut events = stored.events.iter();
        let repeated = events.find(|event| event.cause.is_some() && event.cause == append.cause);
        if let Some(event) = repeated {
            return Ok(Appended::Repeated {
                version: event.version,
            });
        }
        if append.version != stored.head.version + 1 {
            return Ok(Appended::Stale);
        }
        if let Some(rematch) = append.rematch {
            let id = rematch.id.clone();
            let is_first = !self.rematches.contains_key(&append.id);
            if !is_first || !self.create_match(rematch, Some(append.id.clone())) {
                return Err(StoreError::not_new(&id));
            }
        }
        let Some(stored) = self.matches.get_mut(&append.id) else {
            return Ok(Appended::Stale);
        };
        stored.events.push(StoredEvent {
            version: append.version,
            cause: append.cause,
            time: append.time,
            body: append.body,
        });
        stored.head.version = append.version;
        if stored.head.ended.is_none() && append.head.status != MatchStatus::Playing {
            stored.head.ended = Some(append.time);
        }
        stored.head.head = append.head;
        if append.record.is_some() {
            stored.record = append.record;
        }
        let rating_changes = append
            .rated_speed
            .map_or_else(Vec::new, |speed| self.rate(&append.id, &speed, append.time));
        Ok(Appended::Done { rating_changes })
    }

    fn rate(&mut self, id: &str, speed: &str, now: Millis) -> Vec<RatingChange> {
        let Some(stored) = self.matches.get_mut(id) else {
            return Vec::new();
        };
        let MatchHead { head, game, .. } = &stored.head;
        let players = Seat::BOTH.map(|seat| stored.head.player(seat).clone());
        let have_accounts = players.iter().all(|player| {
            let profile = self.players.get(player);
            profile.is_some_and(|profile| profile.kind.is_rated())
        });
        let are_two = players[0] != players[1];
        let is_rated = stored.head.rated && head.status == MatchStatus::Over && are_two;
        if !is_rated || !have_accounts || !stored.rating_changes.is_empty() {
            return Vec::new();
        }
        let keys = players.map(|player| (player, game.clone(), speed.to_owned()));
        let before = keys.each_ref().map(|key| self.ratings.get(key));
        let before = before.map(|rating| rating.copied().unwrap_or_default());
        let after = Rating::after_match(before, head.result, now);
        for ((key, before), after) in keys.into_iter().zip(before).zip(after) {
            stored.rating_changes.push(RatingChange {
                id: id.to_owned(),
                player: key.0.clone(),
                game: key.1.clone(),
                speed: key.2.clone(),
                before: before.rating,
                after: after.rating,
                deviation: after.deviation,
                time: now,
            });
            self.ratings.insert(key, after);
        }
        stored.rating_changes.clone()
    }

    /// All matches of a player, the newest first.
    fn matches_of(&self, player: &str) -> Vec<&StoredMatch> {
        let matches = self.matches.values();
        let mut matches: Vec<_> = matches
            .filter(|stored| stored.head.seat(player).is_some())
            .collect();
        matches.sort_by_key(|stored| newest_first(stored));
        matches
    }

    fn ratings_of(&self, player: &str) -> Vec<PlayerRating> {
        let ratings = self.ratings.iter().filter(|((id, ..), _)| id == player);
        let ratings = ratings.map(|((_, game, speed), rating)| PlayerRating {
            game: game.clone(),
            speed: speed.clone(),
            rating: *rating,
        });
        ratings.collect()
    }

    /// The changes of a player's ratings, the oldest first.
    fn rating_changes_of(&self, player: &str) -> Vec<RatingChange> {
        let changes = self.matches.values();
        let changes = changes.flat_map(|stored| &stored.rating_changes);
        let mut changes: Vec<_> = changes
            .filter(|change| change.player == player)
            .cloned()
            .collect();
        changes.sort_by(|a, b| (a.time, &a.id).cmp(&(b.time, &b.id)));
        changes
    }

    fn blocks_of(&self, player: &str) -> Vec<PlayerId> {
        let blocks = self.blocks.iter().filter(|(by, _)| by == player);
        blocks.map(|(_, other)| other.clone()).collect()
    }

    fn is_blocked(&self, one: &str, other: &str) -> bool {
        let blocks = |a: &str, b: &str| self.blocks.contains(&(a.to_owned(), b.to_owned()));
        blocks(one, other) || blocks(other, one)
    }

    fn challenges_of(&self, player: &str, now: Millis) -> Vec<Challenge> {
        let challenges = self.challenges.values();
        let mut challenges: Vec<_> = challenges
            .filter(|challenge| challenge.offer.challenger == player)
            .map(|challenge| challenge.at(now))
            .collect();
        challenges.sort_by_key(|challenge| Reverse(challenge.offer.created));
        challenges
    }

    /// The best opponent for a waiting player, and the pool.
    fn best(&self, player: &str, now: Millis) -> Option<(PlayerId, String)> {
        let me = self.seeks.get(player)?;
        let mut best: Option<(f64, Millis, &PlayerId, &String)> = None;
        for mine in &me.pools {
            for (other, waiting) in &self.seeks {
                let theirs = waiting.pools.iter().find(|entry| entry.pool == mine.pool);
                let Some(theirs) = theirs.filter(|_| other != player && waiting.paired.is_none())
                else {
                    continue;
                };
                let apart = (mine.rating - theirs.rating).abs();
                let waited = now.saturating_sub(me.since.min(waiting.since));
                if apart > window(waited) || self.is_blocked(player, other) {
                    continue;
                }
                if best.is_none_or(|best| (apart, waiting.since) < (best.0, best.1)) {
                    best = Some((apart, waiting.since, other, &mine.pool));
                }
            }
        }
        best.map(|(_, _, other, pool)| (other.clone(), pool.clone()))
    }

    fn pair(
        &mut self,
        one: &str,
        other: &str,
        pool: &str,
        now: Millis,
        make: &MakeMatch,
    ) -> Result<Pairing> {
        let seek = |player: &str| {
            let waiting = self.seeks.get(player);
            let waiting = waiting.ok_or_else(|| StoreError::Broken("nobody waits".to_owned()))?;
            Ok((waiting.since, player.to_owned(), waiting.node.clone()))
        };
        let (one, other) = (seek(one)?, seek(other)?);
        let (waiting, arriving) = if one.0 <= other.0 {
            (one, other)
        } else {
            (other, one)
        };
        let mut new = make(pool, &waiting.1, &arriving.1);
        let is_rated = |player: &PlayerId| {
            let profile = self.players.get(player);
            profile.is_some_and(|profile| profile.kind.is_rated())
        };
        new.rated &= is_rated(&waiting.1) && is_rated(&arriving.1);
        let id = new.id.clone();
        self.create_new_match(new)?;
        for (_, player, _) in [&waiting, &arriving] {
            if let Some(waiting) = self.seeks.get_mut(player) {
                waiting.paired = Some(id.clone());
            }
        }
        let waited = now.saturating_sub(waiting.0);
        self.waits.push((pool.to_owned(), now, waited));
        Ok(Pairing {
            id,
            pool: pool.to_owned(),
            waiting: (waiting.1, waiting.2),
            arriving: (arriving.1, arriving.2),
        })
    }

    fn delete_player(&mut self, id: &str) -> bool {
        let profile = self.players.get_mut(id);
        let Some(profile) = profile.filter(|profile| profile.kind != ProfileKind::Deleted) else {
            return false;
        };
        profile.kind = ProfileKind::Deleted;
        profile.name.clear();
        self.names.retain(|_, player| player != id);
        self.logins.remove(id);
        self.recovery_codes.retain(|(player, _)| player != id);
        self.sessions.retain(|_, session| session.player != id);
        self.blocks
            .retain(|(player, other)| player != id && other != id);
        self.challenges
            .retain(|_, challenge| challenge.offer.challenger != id);
        self.seeks.remove(id);
        self.ratings.retain(|(player, ..), _| player != id);
        for stored in self.matches.values_mut() {
            stored.rating_changes.retain(|change| change.player != id);
        }
        true
    }

    /// Whether a player is a guest who never played and was last seen before a time.
    fn is_idle(&self, player: &Profile, seen_before: Millis) -> bool {
        let id = &player.id;
        let mut sessions = self.sessions.values();
        let mut matches = self.matches.values();
        let mut challenges = self.challenges.values();
        player.kind == ProfileKind::Guest
            && player.created < seen_before
            && !sessions.any(|session| session.player == *id && session.seen >= seen_before)
            && !matches.any(|stored| stored.head.seat(id).is_some())
            && !challenges.any(|challenge| challenge.offer.challenger == *id)
    }

    fn is_silent(&self, node: &str, now: Millis) -> bool {
        let silent = now.saturating_sub(SILENT_AFTER);
        self.nodes.get(node).is_none_or(|&seen| seen <= silent)
    }
}

fn newest_first(stored: &StoredMatch) -> impl Ord + use<> {
    std::cmp::Reverse((stored.head.created, stored.head.id.clone()))
}

#[async_trait]
impl Store for MemoryStore {
    fn is_shared(&self) -> bool {
        self.is_shared
    }

    async fn now(&self) -> Result<Millis> {
        Ok(system_now())
    }

    async fn create_match(&self, new: NewMatch) -> Result<bool> {
        Ok(self.state().create_match(new, None))
    }

    async fn match_head(&self, id: &str) -> Result<Option<MatchHead>> {
        let state = self.state();
        Ok(state.matches.get(id).map(|stored| state.head(stored)))
    }

    async fn load_match(&self, id: &str) -> Result<Option<StoredMatch>> {
        let state = self.state();
        Ok(state.matches.get(id).map(|stored| StoredMatch {
            head: state.head(stored),
            ..stored.clone()
        }))
    }

    async fn events_after(&self, id: &str, version: u64) -> Result<Vec<StoredEvent>> {
        let state = self.state();
        let events = state.matches.get(id).into_iter();
        let events = events.flat_map(|stored| &stored.events);
        Ok(events
            .filter(|event| event.version > version)
            .cloned()
            .collect())
    }

    async fn append(&self, append: Append) -> Result<Appended> {
        self.state().append(append)
    }

    async fn versions(&self, ids: &[MatchId]) -> Result<HashMap<MatchId, u64>> {
        let state = self.state();
        let matches = ids.iter().filter_map(|id| state.matches.get(id));
        Ok(matches
            .map(|stored| (stored.head.id.clone(), stored.head.version))
            .collect())
    }

    async fn due(&self, now: Millis, limit: usize) -> Result<Vec<MatchId>> {
        let state = self.state();
        let playing = state.matches.values().map(|stored| &stored.head);
        let playing = playing.filter(|head| head.head.status == MatchStatus::Playing);
        let mut due: Vec<_> = playing
            .filter_map(|head| Some((head.head.deadline?, head.id.clone())))
            .filter(|(deadline, _)| *deadline <= now)
            .collect();
        due.sort();
        due.truncate(limit);
        Ok(due.into_iter().map(|(_, id)| id).collect())
    }

    async fn matches_of(
        &self,
        player: &str,
        filter: MatchFilter,
        before: Option<&str>,
        limit: usize,
    ) -> Result<Vec<MatchHead>> {
        let state = self.state();
        let is_listed = |stored: &&StoredMatch| match filter {
            MatchFilter::All => true,
            MatchFilter::Playing => stored.head.head.status == MatchStatus::Playing,
            MatchFilter::Ended => stored.head.head.status != MatchStatus::Playing,
        };
        let start = match before.map(|id| state.matches.get(id)) {
            Some(Some(stored)) => Some(newest_first(stored)),
            Some(None) => return Ok(Vec::new()),
            None => None,
        };
        let matches = state.matches_of(player).into_iter();
        Ok(matches
            .filter(|stored| {
                start
                    .as_ref()
                    .is_none_or(|start| newest_first(stored) > *start)
            })
            .filter(is_listed)
            .take(limit)
            .map(|stored| state.head(stored))
            .collect())
    }

    async fn live_matches(&self, active_after: Millis, limit: usize) -> Result<Vec<MatchHead>> {
        let is_active = |stored: &&StoredMatch| {
            let last = stored.events.last().map(|event| event.time);
            stored.head.head.deadline.is_some()
                || stored.head.created > active_after
                || last.is_some_and(|time| time > active_after)
        };
        let state = self.state();
        let matches = state.matches.values();
        let mut matches: Vec<_> = matches
            .filter(|stored| stored.head.head.status == MatchStatus::Playing)
            .filter(is_active)
            .collect();
        matches.sort_by_key(|stored| newest_first(stored));
        matches.truncate(limit);
        Ok(matches
            .into_iter()
            .map(|stored| state.head(stored))
            .collect())
    }

    async fn begun_after(&self, created_after: Millis) -> Result<Vec<BegunMatch>> {
        let state = self.state();
        let is_new = |head: &&MatchHead| {
            head.head.status == MatchStatus::Playing && head.created > created_after
        };
        let heads = state.matches.values().map(|stored| &stored.head);
        let begun = heads.filter(is_new).map(|head| {
            let mut taken = state.challenges.values().filter_map(|it| it.taken.as_ref());
            BegunMatch {
                id: head.id.clone(),
                first: head.first.clone(),
                second: head.second.clone(),
                taken_by: taken
                    .find(|(_, id)| *id == head.id)
                    .map(|(by, _)| by.clone()),
            }
        });
        Ok(begun.collect())
    }

    async fn create_guest(&self, id: &str, name: &str, now: Millis) -> Result<()> {
        let profile = Profile {
            id: id.to_owned(),
            name: name.to_owned(),
            kind: ProfileKind::Guest,
            created: now,
        };
        self.state().players.entry(id.to_owned()).or_insert(profile);
        Ok(())
    }

    async fn make_account(&self, new: NewAccount) -> Result<Registered> {
        let state = &mut *self.state();
        let old = state.players.get(&new.id);
        if old.is_some_and(|old| old.kind != ProfileKind::Guest) {
            return Ok(Registered::NotAGuest);
        }
        let key = name_key(&new.name);
        if state.names.contains_key(&key) {
            return Ok(Registered::NameTaken);
        }
        let profile = Profile {
            id: new.id.clone(),
            name: new.name,
            kind: if new.is_bot {
                ProfileKind::Bot
            } else {
                ProfileKind::Account
            },
            created: old.map_or(new.now, |old| old.created),
        };
        state.names.insert(key, new.id.clone());
        state.players.insert(new.id.clone(), profile);
        let codes = new.recovery_hashes.into_iter();
        let codes = codes.map(|hash| (new.id.clone(), hash));
        state.recovery_codes.extend(codes);
        if let Some(hash) = new.password_hash {
            state.logins.insert(new.id, hash);
        }
        Ok(Registered::Done)
    }

    async fn player(&self, id: &str) -> Result<Option<Profile>> {
        Ok(self.state().players.get(id).cloned())
    }

    async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Profile>> {
        let state = self.state();
        let ids: BTreeSet<_> = ids.iter().collect();
        let found = ids.into_iter().filter_map(|id| state.players.get(id));
        Ok(found.cloned().collect())
    }

    async fn player_by_name(&self, name: &str) -> Result<Option<Profile>> {
        let state = self.state();
        let id = state.names.get(&name_key(name));
        Ok(id.and_then(|id| state.players.get(id)).cloned())
    }

    async fn login(&self, name: &str) -> Result<Option<Login>> {
        let profile = self.player_by_name(name).await?;
        let state = self.state();
        Ok(profile.and_then(|profile| {
            let password_hash = state.logins.get(&profile.id)?.clone();
            Some(Login {
                profile,
                password_hash,
            })
        }))
    }

    async fn set_password(&self, id: &str, password_hash: &str) -> Result<bool> {
        let state = &mut *self.state();
        let login = state.logins.get_mut(id);
        Ok(login.map(|hash| password_hash.clone_into(hash)).is_some())
    }

    async fn recover(&self, id: &str, recovery_hash: &str, password_hash: &str) -> Result<bool> {
        let state = &mut *self.state();
        let code = (id.to_owned(), recovery_hash.to_owned());
        let had_code = state.recovery_codes.remove(&code);
        if had_code && let Some(hash) = state.logins.get_mut(id) {
            password_hash.clone_into(hash);
        }
        Ok(had_code)
    }

    async fn delete_player(&self, id: &str) -> Result<bool> {
        Ok(self.state().delete_player(id))
    }

    async fn export_player(&self, id: &str, now: Millis) -> Result<Option<Export>> {
        let state = self.state();
        let profile = state.players.get(id);
        let Some(profile) = profile.filter(|profile| profile.kind != ProfileKind::Deleted) else {
            return Ok(None);
        };
        let sessions = state.sessions.values();
        let mut sessions: Vec<_> = sessions
            .filter(|session| session.player == id)
            .map(|session| ExportedSession {
                kind: session.kind,
                created: session.created,
                seen: session.seen,
            })
            .collect();
        sessions.sort_by_key(|session| (session.created, session.seen, session.kind.name()));
        let matches = state.matches_of(id).into_iter();
        let matches = matches.map(|stored| ExportedMatch {
            head: state.head(stored),
            record: stored.record.clone(),
            events: stored.events.clone(),
        });
        let codes = state.recovery_codes.iter();
        let n_codes = codes.filter(|(player, _)| player == id).count();
        let mut pools: Vec<String> = Vec::new();
        let seek = state.seeks.get(id).filter(|seek| seek.paired.is_none());
        for entry in seek.into_iter().flat_map(|seek| &seek.pools) {
            if !pools.contains(&entry.pool) {
                pools.push(entry.pool.clone());
            }
        }
        Ok(Some(Export {
            profile: profile.clone(),
            has_password: state.logins.contains_key(id),
            n_recovery_codes: u64::try_from(n_codes).unwrap_or(u64::MAX),
            pools,
            sessions,
            matches: matches.collect(),
            ratings: state.ratings_of(id),
            rating_changes: state.rating_changes_of(id),
            blocks: state.blocks_of(id),
            challenges: state.challenges_of(id, now),
        }))
    }

    async fn create_session(
        &self,
        token_hash: &str,
        player: &str,
        kind: SessionKind,
        now: Millis,
    ) -> Result<()> {
        let session = StoredSession {
            player: player.to_owned(),
            kind,
            created: now,
            seen: now,
        };
        let sessions = &mut self.state().sessions;
        sessions.entry(token_hash.to_owned()).or_insert(session);
        Ok(())
    }

    async fn session(&self, token_hash: &str) -> Result<Option<Session>> {
        let state = self.state();
        Ok(state.sessions.get(token_hash).and_then(|session| {
            let profile = state.players.get(&session.player)?;
            (profile.kind != ProfileKind::Deleted).then(|| Session {
                profile: profile.clone(),
                kind: session.kind,
                created: session.created,
                seen: session.seen,
            })
        }))
    }

    async fn delete_session(&self, token_hash: &str) -> Result<()> {
        self.state().sessions.remove(token_hash);
        Ok(())
    }

    async fn delete_sessions(&self, player: &str, keep: Option<&str>) -> Result<()> {
        let sessions = &mut self.state().sessions;
        sessions.retain(|token, session| session.player != player || keep == Some(token));
        Ok(())
    }

    async fn touch_session(&self, token_hash: &str, now: Millis) -> Result<bool> {
        let state = &mut *self.state();
        let session = state.sessions.get_mut(token_hash);
        Ok(session.map(|session| session.seen = now).is_some())
    }

    async fn live_sessions(&self, token_hashes: &[String]) -> Result<HashSet<String>> {
        let state = self.state();
        let live = token_hashes.iter();
        Ok(live
            .filter(|hash| state.sessions.contains_key(*hash))
            .cloned()
            .collect())
    }

    async fn delete_old_sessions(&self, used_before: Millis) -> Result<u64> {
        let sessions = &mut self.state().sessions;
        let n = sessions.len();
        sessions.retain(|_, session| {
            session.kind != SessionKind::Browser || session.seen >= used_before
        });
        Ok((n - sessions.len()) as u64)
    }

    async fn idle_guests(&self, seen_before: Millis, limit: usize) -> Result<Vec<PlayerId>> {
        let state = self.state();
        let guests = state.players.values();
        let mut idle: Vec<_> = guests
            .filter(|guest| state.is_idle(guest, seen_before))
            .map(|guest| (guest.created, guest.id.clone()))
            .collect();
        idle.sort();
        idle.truncate(limit);
        Ok(idle.into_iter().map(|(_, id)| id).collect())
    }

    async fn delete_idle_guest(&self, id: &str, seen_before: Millis) -> Result<bool> {
        let state = &mut *self.state();
        let guest = state.players.get(id);
        let is_idle = guest.is_some_and(|guest| state.is_idle(guest, seen_before));
        if is_idle {
            state.delete_player(id);
            state.players.remove(id);
        }
        Ok(is_idle)
    }

    async fn block(&self, player: &str, other: &str) -> Result<()> {
        let block = (player.to_owned(), other.to_owned());
        self.state().blocks.insert(block);
        Ok(())
    }

    async fn unblock(&self, player: &str, other: &str) -> Result<()> {
        let block = (player.to_owned(), other.to_owned());
        self.state().blocks.remove(&block);
        Ok(())
    }

    async fn blocks(&self, player: &str) -> Result<Vec<PlayerId>> {
        Ok(self.state().blocks_of(player))
    }

    async fn is_blocked(&self, one: &str, other: &str) -> Result<bool> {
        Ok(self.state().is_blocked(one, other))
    }

    async fn create_challenge(&self, challenge: NewChallenge) -> Result<()> {
        let token = challenge.token_hash.clone();
        let stored = StoredChallenge {
            offer: challenge,
            is_cancelled: false,
            taken: None,
        };
        self.state().challenges.entry(token).or_insert(stored);
        Ok(())
    }

    async fn challenge(&self, token_hash: &str, now: Millis) -> Result<Option<Challenge>> {
        let state = self.state();
        let challenge = state.challenges.get(token_hash);
        Ok(challenge.map(|challenge| challenge.at(now)))
    }

    async fn take_challenge(
        &self,
        token_hash: &str,
        player: &str,
        now: Millis,
        new: NewMatch,
    ) -> Result<Take> {
        let state = &mut *self.state();
        let Some(challenge) = state.challenges.get(token_hash) else {
            return Ok(Take::Unknown);
        };
        let (id, is_new) = match challenge.at(now).status {
            ChallengeState::Gone => return Ok(Take::Gone),
            ChallengeState::Open if challenge.offer.challenger == player => return Ok(Take::Own),
            ChallengeState::Open => {
                let id = new.id.clone();
                state.create_new_match(new)?;
                let taken = Some((player.to_owned(), id.clone()));
                if let Some(challenge) = state.challenges.get_mut(token_hash) {
                    challenge.taken = taken;
                }
                (id, true)
            }
            ChallengeState::Taken { by, .. } if by != player => return Ok(Take::Taken),
            ChallengeState::Taken { id, .. } => (id, false),
        };
        let seat = state
            .matches
            .get(&id)
            .and_then(|stored| stored.head.seat(player));
        let seat = seat.ok_or_else(|| StoreError::Broken(format!("no seat in match {id}")))?;
        Ok(Take::Seated { id, seat, is_new })
    }

    async fn cancel_challenge(&self, token_hash: &str, player: &str) -> Result<bool> {
        let state = &mut *self.state();
        let challenge = state.challenges.get_mut(token_hash);
        let open = challenge.filter(|challenge| {
            let is_open = challenge.taken.is_none() && !challenge.is_cancelled;
            is_open && challenge.offer.challenger == player
        });
        Ok(open
            .map(|challenge| challenge.is_cancelled = true)
            .is_some())
    }

    async fn challenges_of(&self, player: &str, now: Millis) -> Result<Vec<Challenge>> {
        let mut challenges = self.state().challenges_of(player, now);
        challenges.retain(|challenge| challenge.status == ChallengeState::Open);
        Ok(challenges)
    }

    async fn delete_challenges(&self, expired_before: Millis) -> Result<u64> {
        let challenges = &mut self.state().challenges;
        let n = challenges.len();
        challenges.retain(|_, challenge| challenge.offer.expires >= expired_before);
        Ok((n - challenges.len()) as u64)
    }

    async fn seek(&self, seek: Seek, make: MakeMatch) -> Result<Sought> {
        let state = &mut *self.state();
        let player = seek.player;
        let old = state.seeks.remove(&player);
        if let Some(id) = old.as_ref().and_then(|old| old.paired.clone()) {
            return Ok(Sought::AlreadyPaired(id));
        }
        let waiting = Waiting {
            node: seek.node,
            since: old.as_ref().map_or(seek.now, |old| old.since),
            pools: seek.pools,
            paired: None,
        };
        state.seeks.insert(player.clone(), waiting);
        let Some((other, pool)) = state.best(&player, seek.now) else {
            return Ok(Sought::Waiting);
        };
        let pairing = state.pair(&other, &player, &pool, seek.now, &make);
        state.seeks.remove(&player);
        if pairing.is_err() {
            // Restore the earlier seek.
            state.seeks.extend(old.map(|old| (player, old)));
        }
        pairing.map(Sought::Paired)
    }

    async fn unseek(&self, player: &str) -> Result<Option<MatchId>> {
        let old = self.state().seeks.remove(player);
        Ok(old.and_then(|old| old.paired))
    }

    async fn unseek_on(&self, player: &str, node: &str) -> Result<Option<MatchId>> {
        let seeks = &mut self.state().seeks;
        let is_on = seeks
            .get(player)
            .is_some_and(|waiting| waiting.node == node);
        let old = if is_on { seeks.remove(player) } else { None };
        Ok(old.and_then(|old| old.paired))
    }

    async fn sweep_seeks(&self, now: Millis, make: MakeMatch) -> Result<Vec<Pairing>> {
        let state = &mut *self.state();
        let seeks = std::mem::take(&mut state.seeks).into_iter();
        state.seeks = seeks
            .filter(|(_, waiting)| !state.is_silent(&waiting.node, now))
            .collect();
        let waiting = state.seeks.iter();
        let mut waiting: Vec<_> = waiting
            .map(|(player, waiting)| (waiting.since, player.clone()))
            .collect();
        waiting.sort();
        let mut pairings = Vec::new();
        for (_, player) in waiting {
            let seek = state.seeks.get(&player);
            if seek.is_none_or(|seek| seek.paired.is_some()) {
                continue;
            }
            if let Some((other, pool)) = state.best(&player, now) {
                pairings.push(state.pair(&other, &player, &pool, now, &make)?);
            }
        }
        Ok(pairings)
    }

    async fn usual_waits(
        &self,
        pools: &[String],
        after: Millis,
    ) -> Result<HashMap<String, Millis>> {
        let state = self.state();
        let usual = pools.iter().filter_map(|pool| {
            let waits = state.waits.iter();
            let waits = waits.filter(|(of, time, _)| of == pool && *time > after);
            let mut waits: Vec<_> = waits.map(|(_, time, waited)| (*time, *waited)).collect();
            waits.sort_unstable_by_key(|(time, waited)| (Reverse(*time), *waited));
            let last = waits.into_iter().take(USUAL_OF);
            let median = median(last.map(|(_, waited)| waited).collect())?;
            Some((pool.clone(), median))
        });
        Ok(usual.collect())
    }

    async fn delete_waits(&self, before: Millis) -> Result<u64> {
        let waits = &mut self.state().waits;
        let n = waits.len();
        waits.retain(|(_, time, _)| *time >= before);
        Ok((n - waits.len()) as u64)
    }

    async fn take_pairings(&self, node: &str) -> Result<Vec<(PlayerId, MatchId)>> {
        let mut taken = Vec::new();
        self.state().seeks.retain(|player, waiting| {
            let paired = waiting.paired.clone().filter(|_| waiting.node == node);
            let is_kept = paired.is_none();
            taken.extend(paired.map(|id| (player.clone(), id)));
            is_kept
        });
        Ok(taken)
    }

    async fn beat(&self, node: &str, now: Millis) -> Result<()> {
        self.state().nodes.insert(node.to_owned(), now);
        Ok(())
    }

    async fn nodes(&self) -> Result<Vec<ServerNode>> {
        let state = self.state();
        let nodes = state.nodes.iter().map(|(id, seen)| ServerNode {
            id: id.clone(),
            seen: *seen,
        });
        Ok(nodes.collect())
    }

    async fn remove_node(&self, node: &str) -> Result<()> {
        let state = &mut *self.state();
        state.nodes.remove(node);
        state.presence.retain(|presence| presence.node != node);
        state.seeks.retain(|_, waiting| waiting.node != node);
        Ok(())
    }

    async fn set_presence(&self, id: &str, seat: Seat, node: &str) -> Result<()> {
        self.state().presence.insert(Presence {
            id: id.to_owned(),
            seat,
            node: node.to_owned(),
        });
        Ok(())
    }

    async fn remove_presence(&self, id: &str, seat: Seat, node: &str) -> Result<()> {
        self.state().presence.remove(&Presence {
            id: id.to_owned(),
            seat,
            node: node.to_owned(),
        });
        Ok(())
    }

    async fn presence(&self, ids: &[MatchId]) -> Result<Vec<Presence>> {
        let state = self.state();
        let presence = state.presence.iter();
        let presence = presence.filter(|presence| ids.contains(&presence.id));
        Ok(presence.cloned().collect())
    }

    async fn silent_presence(&self, now: Millis) -> Result<Vec<Presence>> {
        let state = self.state();
        let presence = state.presence.iter();
        let silent = presence.filter(|presence| state.is_silent(&presence.node, now));
        Ok(silent.cloned().collect())
    }

    async fn leaderboard(&self, game: &str, speed: &str, limit: usize) -> Result<Vec<Ranked>> {
        let state = self.state();
        let ratings = state.ratings.iter();
        let ratings = ratings.filter(|((_, g, s), _)| g == game && s == speed);
        let mut ranked: Vec<_> = ratings
            .filter(|(_, rating)| !rating.is_provisional())
            .filter_map(|((player, ..), rating)| {
                Some(Ranked {
                    profile: state.players.get(player)?.clone(),
                    rating: *rating,
                })
            })
            .collect();
        ranked.sort_by(|a, b| b.rating.rating.total_cmp(&a.rating.rating));
        ranked.truncate(limit);
        Ok(ranked)
    }

    async fn n_better(&self, game: &str, speed: &str, rating: f64) -> Result<u64> {
        let state = self.state();
        let ratings = state.ratings.iter();
        let better = ratings.filter(|((_, g, s), it)| {
            g == game && s == speed && !it.is_provisional() && it.rating > rating
        });
        Ok(u64::try_from(better.count()).unwrap_or(u64::MAX))
    }

    async fn ratings_of(&self, player: &str) -> Result<Vec<PlayerRating>> {
        Ok(self.state().ratings_of(player))
    }

    async fn rating_changes_of(&self, player: &str, limit: usize) -> Result<Vec<RatingChange>> {
        let mut changes = self.state().rating_changes_of(player);
        changes.drain(..changes.len().saturating_sub(limit));
        Ok(changes)
    }
}
