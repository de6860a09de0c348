use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    sync::Arc,
};

use protocol::{MatchResult, MatchStatus, Seat};
use rules::Random;

use super::{NOW, head, new_match};
use crate::{
    Append, Head, MakeMatch, MatchFilter, Millis, NewAccount, NewChallenge, NewMatch, PoolEntry,
    Seek, SessionKind, Store, laws::challenges::new_challenge,
};

/// Checks that two empty stores answer the same to `n_steps` random requests, one after the
/// other.
///
/// # Panics
///
/// Panics at the first answer that differs.
pub async fn check_agreement(model: &dyn Store, other: &dyn Store, seed: u64, n_steps: u64) {
    let mut random = Random::new(seed);
    for n in 0..n_steps {
        let choices = random.any();
        let expected = step(model, choices, n).await;
        let actual = step(other, choices, n).await;
        assert_eq!(actual, expected, "step {n} of seed {seed}");
    }
}

/// Few ids of each kind, so that requests interact.
struct Choices {
    random: Random,
    n: u64,
}

impl Choices {
    fn number(&mut self, below: u32) -> u32 {
        self.random.below(below)
    }

    fn flag(&mut self) -> bool {
        self.number(2) == 0
    }

    fn named(&mut self, name: &str, n: u32) -> String {
        format!("{name}{}", self.number(n))
    }

    fn player(&mut self) -> String {
        self.named("p", 6)
    }

    fn match_id(&mut self) -> String {
        self.named("m", 6)
    }

    fn node(&mut self) -> String {
        self.named("n", 3)
    }

    fn token(&mut self) -> String {
        self.named("t", 8)
    }

    fn seat(&mut self) -> Seat {
        if self.flag() {
            Seat::First
        } else {
            Seat::Second
        }
    }

    /// The time of the step; each takes a few seconds.
    fn now(&self) -> Millis {
        NOW + 1500 * self.n
    }

    fn head(&mut self) -> Head {
        let (status, result) = match self.number(8) {
            0 => (MatchStatus::Over, MatchResult::First),
            1 => (MatchStatus::Over, MatchResult::Draw),
            2 => (MatchStatus::Aborted, MatchResult::None),
            _ => (MatchStatus::Playing, MatchResult::None),
        };
        Head {
            at: u64::from(self.number(9)),
            state: self.named("state", 9),
            deadline: self.flag().then(|| self.now() + 5000),
            ..head(status, result)
        }
    }

    fn new_match(&mut self, id: &str) -> NewMatch {
        let mut new = new_match(id, &self.player(), &self.player());
        new.rated = self.flag();
        new.head = self.head();
        new.created = self.now();
        new
    }

    fn append(&mut self, id: String, next: u64) -> Append {
        let version =
            (next + u64::from(self.number(5) / 4)).saturating_sub(u64::from(self.number(5) / 4));
        let head = self.head();
        let rematch = (self.number(4) == 0).then(|| {
            let new_id = format!("rematch-{}", self.n);
            let id = if self.flag() { new_id } else { self.match_id() };
            self.new_match(&id)
        });
        Append {
            id,
            version,
            cause: self.flag().then(|| self.named("cause", 40)),
            time: self.now(),
            body: format!("body {}", self.n),
            record: (head.status == MatchStatus::Over).then(|| "record".to_owned()),
            rated_speed: self.flag().then(|| self.named("speed", 2)),
            rematch,
            head,
        }
    }

    fn account(&mut self) -> NewAccount {
        NewAccount {
            id: self.player(),
            name: ["Ada", "ada", "Grace", "GRACE", "Emmy", "Hedy", "Mary"][self.number(7) as usize]
                .to_owned(),
            password_hash: self.flag().then(|| "hash".to_owned()),
            recovery_hashes: vec![self.named("code", 3), self.named("code", 3)],
            is_bot: self.number(4) == 0,
            now: self.now(),
        }
    }

    fn challenge(&mut self) -> NewChallenge {
        NewChallenge {
            created: self.now(),
            expires: self.now() + u64::from(self.number(60_000)),
            rated: self.flag(),
            ..new_challenge(&self.token(), &self.player())
        }
    }

    fn seek(&mut self) -> Seek {
        let pools = (0..self.number(3)).map(|_| PoolEntry {
            pool: self.named("pool", 2),
            rating: f64::from(1000 + 100 * self.number(10)),
        });
        let mut pools: Vec<_> = pools.collect();
        pools.dedup_by(|a, b| a.pool == b.pool);
        Seek {
            player: self.player(),
            node: self.node(),
            pools,
            now: self.now(),
        }
    }

    fn make(&self) -> MakeMatch {
        let (n, now) = (self.n, self.now());
        Arc::new(move |pool, waiting, arriving| NewMatch {
            created: now,
            ..new_match(
                &format!("{pool}-{waiting}-{arriving}-{n}"),
                waiting,
                arriving,
            )
        })
    }
}

fn text(answer: &impl Debug) -> String {
    format!("{answer:?}")
}

/// Makes a random request, and returns the answer as text.
async fn step(store: &dyn Store, choices: u64, n: u64) -> String {
    let random = Random::new(choices);
    let mut c = Choices { random, n };
    match c.number(13) {
        0..4 => step_match(store, &mut c).await,
        4..6 => step_player(store, &mut c).await,
        6 => step_session(store, &mut c).await,
        7 => step_challenge(store, &mut c).await,
        8..10 => step_seek(store, &mut c).await,
        10 => step_node(store, &mut c).await,
        _ => step_list(store, &mut c).await,
    }
}

async fn step_match(store: &dyn Store, c: &mut Choices) -> String {
    let id = c.match_id();
    match c.number(4) {
        0 => {
            let new = c.new_match(&id);
            text(&store.create_match(new).await.unwrap())
        }
        1 if c.flag() => {
            let begun = store.begun_after(c.now().saturating_sub(60_000)).await;
            text(&BTreeSet::from_iter(begun.unwrap()))
        }
        1 => text(&store.load_match(&id).await.unwrap()),
        _ => {
            let head = store.match_head(&id).await.unwrap();
            let next = head.as_ref().map_or(1, |head| head.version + 1);
            let append = c.append(id, next);
            // A rematch may be one too many.
            text(&(head, store.append(append).await))
        }
    }
}

async fn step_player(store: &dyn Store, c: &mut Choices) -> String {
    let (player, other) = (c.player(), c.player());
    match c.number(9) {
        0 => text(&store.create_guest(&player, "Guest", c.now()).await.unwrap()),
        1 | 2 => text(&store.make_account(c.account()).await.unwrap()),
        3 => {
            let name = c.account().name;
            let mut found = store.players(&[player, other]).await.unwrap();
            found.sort_by(|a, b| a.id.cmp(&b.id));
            let profile = (found, store.player_by_name(&name).await.unwrap());
            text(&(profile, store.login(&name).await.unwrap()))
        }
        4 => text(&store.set_password(&player, "new").await.unwrap()),
        5 => {
            let code = c.named("code", 3);
            text(&store.recover(&player, &code, "recovered").await.unwrap())
        }
        6 => text(&store.block(&player, &other).await.unwrap()),
        7 => text(&store.unblock(&player, &other).await.unwrap()),
        _ if c.number(4) == 0 => text(&store.delete_player(&player).await.unwrap()),
        _ => text(&store.export_player(&player, c.now()).await.unwrap()),
    }
}

async fn step_session(store: &dyn Store, c: &mut Choices) -> String {
    let (token, player) = (c.token(), c.player());
    match c.number(9) {
        0 | 1 => {
            let kind = match c.number(3) {
                0 => SessionKind::Program,
                _ => SessionKind::Browser,
            };
            text(
                &store
                    .create_session(&token, &player, kind, c.now())
                    .await
                    .unwrap(),
            )
        }
        2 => text(&store.session(&token).await.unwrap()),
        3 => text(&store.delete_session(&token).await.unwrap()),
        4 => text(&store.touch_session(&token, c.now()).await.unwrap()),
        5 => {
            let tokens: Vec<String> = (0..c.number(6)).map(|_| c.token()).collect();
            let live = store.live_sessions(&tokens).await.unwrap();
            text(&BTreeSet::from_iter(live))
        }
        6 => {
            let before = c.now().saturating_sub(300_000);
            text(&store.delete_old_sessions(before).await.unwrap())
        }
        7 => {
            let before = c.now().saturating_sub(60_000);
            let idle = store.idle_guests(before, c.number(4) as usize).await;
            let deleted = store.delete_idle_guest(&player, before).await.unwrap();
            text(&(idle.unwrap(), deleted))
        }
        _ => {
            let keep = c.flag().then_some(token.as_str());
            text(&store.delete_sessions(&player, keep).await.unwrap())
        }
    }
}

async fn step_challenge(store: &dyn Store, c: &mut Choices) -> String {
    let (token, player, now) = (c.token(), c.player(), c.now());
    match c.number(7) {
        0 | 1 => text(&store.create_challenge(c.challenge()).await.unwrap()),
        2 => text(&store.challenge(&token, now).await.unwrap()),
        3 | 4 => {
            let new = new_match(&format!("taken-{}", c.n), "p0", &player);
            text(
                &store
                    .take_challenge(&token, &player, now, new)
                    .await
                    .unwrap(),
            )
        }
        5 => text(&store.cancel_challenge(&token, &player).await.unwrap()),
        _ => {
            let open = store.challenges_of(&player, now).await.unwrap();
            let n_deleted = store.delete_challenges(now - 30_000).await.unwrap();
            text(&(open, n_deleted))
        }
    }
}

async fn step_seek(store: &dyn Store, c: &mut Choices) -> String {
    let make = c.make();
    match c.number(8) {
        0 if c.number(2) == 0 => text(&store.unseek(&c.player()).await.unwrap()),
        0 => text(&store.unseek_on(&c.player(), &c.node()).await.unwrap()),
        1 => text(&store.sweep_seeks(c.now(), make).await.unwrap()),
        2 => {
            let mut pairings = store.take_pairings(&c.node()).await.unwrap();
            pairings.sort();
            text(&pairings)
        }
        3 => {
            let pools = ["pool0", "pool1"].map(str::to_owned);
            let after = c.now().saturating_sub(60_000);
            let usual = store.usual_waits(&pools, after).await.unwrap();
            let n_deleted = match c.number(4) {
                0 => store.delete_waits(c.now() - 30_000).await.unwrap(),
                _ => 0,
            };
            text(&(BTreeMap::from_iter(usual), n_deleted))
        }
        _ => text(&store.seek(c.seek(), make).await.unwrap()),
    }
}

async fn step_node(store: &dyn Store, c: &mut Choices) -> String {
    let (id, seat, node) = (c.match_id(), c.seat(), c.node());
    match c.number(9) {
        0..3 => text(&store.beat(&node, c.now()).await.unwrap()),
        3 | 4 => text(&store.set_presence(&id, seat, &node).await.unwrap()),
        5 => text(&store.remove_presence(&id, seat, &node).await.unwrap()),
        6 if c.number(4) == 0 => text(&store.remove_node(&node).await.unwrap()),
        7 => {
            let mut silent = store.silent_presence(c.now()).await.unwrap();
            silent.sort();
            text(&silent)
        }
        _ => {
            let nodes = store.nodes().await.unwrap();
            text(&(nodes, store.presence(&[id]).await.unwrap()))
        }
    }
}

async fn step_list(store: &dyn Store, c: &mut Choices) -> String {
    let player = c.player();
    match c.number(7) {
        0 => {
            let filters = [MatchFilter::All, MatchFilter::Playing, MatchFilter::Ended];
            let filter = filters[c.number(3) as usize];
            let before = c.flag().then(|| c.match_id());
            let limit = c.number(6) as usize;
            let listed = store
                .matches_of(&player, filter, before.as_deref(), limit)
                .await;
            text(&listed.unwrap())
        }
        1 => {
            let listed = store.live_matches(c.now(), c.number(20) as usize).await;
            text(&listed.unwrap())
        }
        2 => text(&store.due(c.now(), c.number(20) as usize).await.unwrap()),
        3 => {
            let ids: Vec<String> = (0..c.number(6)).map(|_| c.match_id()).collect();
            let versions = store.versions(&ids).await.unwrap();
            text(&BTreeMap::from_iter(versions))
        }
        4 => {
            let speed = c.named("speed", 2);
            let best = store.leaderboard("a game", &speed, 5).await.unwrap();
            let n_better = store.n_better("a game", &speed, 1500.0).await.unwrap();
            text(&(best, n_better))
        }
        5 => {
            let changes = store.rating_changes_of(&player, c.number(5) as usize).await;
            let ratings = store.ratings_of(&player).await.unwrap();
            text(&(ratings, changes.unwrap()))
        }
        _ => {
            let id = c.match_id();
            let version = u64::from(c.number(9));
            let events = store.events_after(&id, version).await.unwrap();
            let is_blocked = store.is_blocked(&player, "p1").await.unwrap();
            text(&(events, is_blocked, store.player(&player).await.unwrap()))
        }
    }
}
