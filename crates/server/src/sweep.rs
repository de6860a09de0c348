//! Periodic tasks of a node: heartbeats, deadlines, pairing, nodes that died.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use protocol::{Pool, Seat};
use referee::Terms;
use serde_json::Map;
use store::{MakeMatch, Millis, Presence, SILENT_AFTER, ServerNode, StoreError};
use tokio::{
    sync::Semaphore,
    time::{MissedTickBehavior, interval},
};

use crate::{
    bus::Notice,
    hub::{Hub, STANDSTILL, SUSPICIOUS},
    metrics::count,
    outages::Outage,
    secret,
    terms::{complete_options, in_order, new_match},
};

/// The number of notices handled concurrently.
const MOST_HINTS: usize = 16;

/// Matches are not looked for after an outage if they have more than so many times its length left.
const LEFT_PER_LOST: u64 = 1_000;

/// Creates the matches of pools.
pub(crate) fn make_match(hub: &Arc<Hub>) -> MakeMatch {
    let hub = hub.clone();
    Arc::new(move |pool, waiting, arriving| {
        let pool: Pool = pool.parse().expect("only pools are sought");
        let game = catalog::find(&pool.game).expect("only pools of games are sought");
        let options = complete_options(game, &Map::new()).expect("defaults are valid");
        let terms = Terms {
            game: pool.game,
            options,
            control: Some(pool.speed.control()),
            // Solved games are not rated, and neither are players without accounts.
            is_rated: !game.is_solved(),
        };
        let seat = if secret::number().is_multiple_of(2) {
            Seat::First
        } else {
            Seat::Second
        };
        let players = in_order(seat, waiting.clone(), arriving.clone());
        new_match(terms, players, hub.now()).expect("the terms are valid")
    })
}

/// Runs a future in a task, so that a panic does not end the caller; `None` if it panicked.
async fn in_own_task<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> Option<T> {
    tokio::spawn(work).await.ok()
}

impl Hub {
    /// Counts an error of the store, and reports it to the operator.
    pub(crate) fn note_store_error(&self, error: &StoreError) {
        count(&self.metrics.store_errors);
        self.errors.report(error, self.now());
    }

    pub(crate) fn note_result<T>(&self, result: &Result<T, StoreError>) {
        if let Err(error) = result {
            self.note_store_error(error);
        }
    }

    /// Notifies both players of a match that it begins.
    pub(crate) async fn tell_pairing(&self, id: &str) {
        let head = self.store.match_head(id).await;
        self.note_result(&head);
        if let Ok(Some(head)) = head {
            self.tell_paired(&head.first, id, Seat::First).await;
            self.tell_paired(&head.second, id, Seat::Second).await;
        }
    }

    /// At the start, records the time since a node was last alive as an outage, so that clocks did
    /// not run meanwhile.
    pub(crate) async fn note_a_stop(self: &Arc<Self>) -> Result<(), StoreError> {
        let nodes = self.store.nodes().await?;
        let began = if self.store.is_shared() {
            self.end_of_service(&nodes).await?
        } else {
            // There is only one node at a time: those still recorded have died, perhaps before
            // they had compensated the outage before them.
            nodes.iter().map(|node| node.seen).min()
        };
        // It ends when this node serves. Matches compensate it when they are loaded, when their
        // clock expires, or in the sweep.
        if let Some(began) = began {
            self.outages.add(Outage { began, ended: None });
        }
        self.store.beat(&self.node, self.now()).await
    }

    /// When the last of other nodes was alive; `None` if one still is. Waits for a heartbeat of
    /// those that may be.
    async fn end_of_service(&self, known: &[ServerNode]) -> Result<Option<Millis>, StoreError> {
        const ROUND: u64 = 100;
        let Some(last) = known.iter().map(|node| node.seen).max() else {
            return Ok(None);
        };
        // A node that starts now as well has sent no heartbeat before it knows, and is not known
        // here.
        let is_alive = |node: &ServerNode| {
            let mut known = known.iter();
            known.any(|before| before.id == node.id && before.seen != node.seen)
        };
        // Not longer, whatever the clock of the one that wrote the last heartbeat was.
        for _ in 0..SUSPICIOUS / ROUND {
            if self.now() >= last + SUSPICIOUS {
                break;
            }
            if self.store.nodes().await?.iter().any(is_alive) {
                return Ok(None);
            }
            tokio::time::sleep(Duration::from_millis(ROUND)).await;
        }
        Ok(Some(last))
    }

    /// Gives time back in all matches, and removes the nodes that stopped.
    async fn make_up_for_a_stop(self: &Arc<Self>) -> Result<(), StoreError> {
        self.make_up(true).await?;
        let now = self.now();
        self.remove_nodes(|node| now > node.seen + SILENT_AFTER)
            .await
    }

    /// Gives time back after an outage, so that it is not forgotten when this process ends. Does
    /// nothing if that was done, or while the outage goes on.
    pub(crate) async fn make_up_for_outages(self: &Arc<Self>) -> Result<(), StoreError> {
        self.make_up(false).await
    }

    /// Gives time back in all matches that miss it, including those not in memory, if there was no
    /// other node: after a stop of all nodes, or if this is the only one. Otherwise others may have
    /// served the rest, and it is given to the players who are connected here.
    async fn make_up(self: &Arc<Self>, is_stop: bool) -> Result<(), StoreError> {
        let mut made_up = self.made_up.lock().await;
        self.notice_standstill();
        let outage = self.outages.last();
        let Some(Outage { began, .. }) = outage.filter(|outage| outage.ended.is_some()) else {
            return Ok(());
        };
        if !is_stop && *made_up == Some(began) {
            return Ok(());
        }
        let is_alone = !self.store.is_shared();
        if is_alone {
            // Should this process be killed before it is done, its successor takes this for a node
            // that died when the outage began.
            let id = format!("{}:{began}", self.node);
            self.store.beat(&id, began).await?;
        }
        let is_everywhere = is_stop || is_alone;
        let ids = if is_everywhere {
            // All matches with a running clock have a deadline. Where far more time is left than
            // was lost, as in most with days a turn, it can wait until something happens in the
            // match.
            let now = self.now();
            let lost = self.outages.time_since(made_up.unwrap_or(0), now);
            let horizon = now.saturating_add(lost.saturating_mul(LEFT_PER_LOST));
            self.store.due(horizon, usize::MAX >> 1).await?
        } else {
            self.lives().iter().map(|live| live.id.clone()).collect()
        };
        for id in ids {
            let is_in_memory = self.live_in_memory(&id).is_some();
            match self.make_up_in(&id, is_everywhere).await {
                // A match that can't be read does not keep others from their time.
                Err(error @ StoreError::Broken(_)) => self.note_store_error(&error),
                made_up => made_up?,
            }
            if !is_in_memory {
                self.forget(&id);
            }
        }
        if is_alone {
            self.remove_nodes(|_| true).await?;
        }
        *made_up = Some(began);
        Ok(())
    }

    async fn make_up_in(self: &Arc<Self>, id: &str, is_everywhere: bool) -> Result<(), StoreError> {
        match self.live(id).await? {
            Some(live) => live.check_outage(self, is_everywhere).await,
            None => Ok(()),
        }
    }

    /// Removes other nodes from the store.
    async fn remove_nodes(&self, is_old: impl Fn(&ServerNode) -> bool) -> Result<(), StoreError> {
        for node in self.store.nodes().await? {
            if node.id != self.node && is_old(&node) {
                self.store.remove_node(&node.id).await?;
            }
        }
        Ok(())
    }

    /// Starts the periodic tasks, which run until the node is shut down and dropped.
    pub(crate) fn start_sweeping(self: &Arc<Self>) {
        let every = |millis: u64| {
            let mut ticks = interval(Duration::from_millis(millis));
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            ticks
        };
        if self.outages.end(self.now()) {
            let hub = self.clone();
            tokio::spawn(async move {
                let mut ticks = every(1_000);
                loop {
                    ticks.tick().await;
                    let made_up = hub.make_up_for_a_stop().await;
                    hub.note_result(&made_up);
                    if made_up.is_ok() {
                        break;
                    }
                }
            });
        }
        let hub = self.clone();
        tokio::spawn(async move {
            let mut ticks = every(1_000);
            let mut last = hub.now();
            loop {
                ticks.tick().await;
                let hub = hub.clone();
                let beat = in_own_task(async move {
                    let last = hub.beat(last).await;
                    hub.tell_claim_times();
                    last
                });
                last = beat.await.unwrap_or(last);
            }
        });
        let hub = self.clone();
        tokio::spawn(async move {
            let mut ticks = every(1_000);
            loop {
                ticks.tick().await;
                let hub = hub.clone();
                in_own_task(async move {
                    let made_up = hub.make_up_for_outages().await;
                    hub.note_result(&made_up);
                })
                .await;
            }
        });
        let hub = self.clone();
        tokio::spawn(async move {
            let mut ticks = every(2_000);
            loop {
                ticks.tick().await;
                let hub = hub.clone();
                in_own_task(async move {
                    let compared = hub.compare_versions().await;
                    hub.note_result(&compared);
                    let compared = hub.compare_presence().await;
                    hub.note_result(&compared);
                    let paired = hub.sweep_seeks().await;
                    hub.note_result(&paired);
                    let told = hub.tell_begun().await;
                    hub.note_result(&told);
                    hub.forget_idle();
                })
                .await;
            }
        });
        let hub = self.clone();
        tokio::spawn(async move {
            let mut ticks = every(100);
            let mut n_ticks = 0_u32;
            loop {
                ticks.tick().await;
                n_ticks = n_ticks.wrapping_add(1);
                let hub = hub.clone();
                in_own_task(async move {
                    let ended = hub.end_due(n_ticks.is_multiple_of(50)).await;
                    hub.note_result(&ended);
                })
                .await;
            }
        });
        let hub = self.clone();
        tokio::spawn(async move {
            let mut ticks = every(5_000);
            loop {
                ticks.tick().await;
                let hub = hub.clone();
                in_own_task(async move {
                    let swept = hub.sweep_nodes().await;
                    hub.note_result(&swept);
                    let measured = hub.measure_time().await;
                    hub.note_result(&measured);
                })
                .await;
            }
        });
        let hub = self.clone();
        tokio::spawn(async move {
            const ROUNDS: u32 = 360;
            let mut ticks = every(10_000);
            let mut n_ticks = 0_u32;
            loop {
                ticks.tick().await;
                let is_sweep = n_ticks.is_multiple_of(ROUNDS);
                n_ticks = n_ticks.wrapping_add(1);
                let hub = hub.clone();
                in_own_task(async move {
                    let checked = hub.check_sessions().await;
                    hub.note_result(&checked);
                    let compared = hub.compare_players().await;
                    hub.note_result(&compared);
                    if is_sweep {
                        let swept = hub.sweep_sessions().await;
                        hub.note_result(&swept);
                        let swept = hub.sweep_waits().await;
                        hub.note_result(&swept);
                    }
                })
                .await;
            }
        });
        if self.store.is_shared() {
            let hub = self.clone();
            tokio::spawn(async move {
                let mut notices = hub.bus.subscribe().await;
                let limit = Arc::new(Semaphore::new(MOST_HINTS));
                while let Some(notice) = notices.recv().await {
                    // The semaphore is never closed.
                    let permit = limit.clone().acquire_owned().await.ok();
                    let hub = hub.clone();
                    // Concurrently, since they wait for the store most of the time.
                    tokio::spawn(async move {
                        let heard = hub.hear(notice).await;
                        hub.note_result(&heard);
                        drop(permit);
                    });
                }
            });
        }
    }

    /// Sends a heartbeat, and reads those of other nodes. Returns the time of the last successful
    /// one.
    async fn beat(&self, last: Millis) -> Millis {
        let now = self.now();
        self.note_beat_begins();
        let beat = self.store.beat(&self.node, now).await;
        self.note_beat_ends();
        self.note_result(&beat);
        let now = self.now();
        if beat.is_err() {
            self.outages.add(Outage {
                began: last,
                ended: None,
            });
            return last;
        }
        if !self.outages.end(now) && now > last + STANDSTILL {
            // The heartbeat was slow.
            self.outages.add(Outage {
                began: last,
                ended: Some(now),
            });
        }
        let nodes = self.read_nodes().await;
        self.note_result(&nodes);
        now
    }

    /// Tells players when they may claim their matches, if that has changed.
    fn tell_claim_times(self: &Arc<Self>) {
        if self.have_claims_moved() {
            let hub = self.clone();
            // The next heartbeat does not wait for it.
            tokio::spawn(async move {
                for live in hub.lives() {
                    live.tell_claim_times(&hub).await;
                }
            });
        }
    }

    /// Catches up with matches that other nodes have appended to.
    async fn compare_versions(&self) -> Result<(), StoreError> {
        let lives = self.lives();
        let ids: Vec<_> = lives.iter().map(|live| live.id.clone()).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let versions = self.store.versions(&ids).await?;
        for live in lives {
            if let Some(&version) = versions.get(&live.id) {
                // A match that can't be loaded does not stop the others.
                let refreshed = live.refresh(self, version).await;
                self.note_result(&refreshed);
            }
        }
        Ok(())
    }

    /// Finds players who came or went on other nodes, and corrects what the store has about those
    /// of this one.
    async fn compare_presence(&self) -> Result<(), StoreError> {
        let lives = self.lives();
        if !self.store.is_shared() || lives.is_empty() {
            return Ok(());
        }
        let ids: Vec<_> = lives.iter().map(|live| live.id.clone()).collect();
        let mut presences: HashMap<_, Vec<_>> = HashMap::new();
        for presence in self.store.presence(&ids).await? {
            let of_match: &mut Vec<_> = presences.entry(presence.id.clone()).or_default();
            of_match.push(presence);
        }
        for live in lives {
            let of_match = presences.remove(&live.id).unwrap_or_default();
            let compared = live.compare_presence(self, &of_match).await;
            self.note_result(&compared);
        }
        Ok(())
    }

    /// Finds players of matches in memory who were renamed or deleted.
    async fn compare_players(&self) -> Result<(), StoreError> {
        let lives = self.lives();
        let ids = lives.iter().flat_map(|live| &live.players);
        let ids: Vec<_> = ids.collect::<BTreeSet<_>>().into_iter().cloned().collect();
        if ids.is_empty() {
            return Ok(());
        }
        let profiles = self.store.players(&ids).await?.into_iter();
        let profiles: HashMap<_, _> = profiles
            .map(|profile| (profile.id.clone(), profile))
            .collect();
        for live in lives {
            let compared = live.compare_players(self, &profiles).await;
            self.note_result(&compared);
        }
        Ok(())
    }

    async fn sweep_seeks(self: &Arc<Self>) -> Result<(), StoreError> {
        let make = make_match(self);
        for pairing in self.store.sweep_seeks(self.now(), make).await? {
            self.tell_pairing(&pairing.id).await;
        }
        for (_, id) in self.store.take_pairings(&self.node).await? {
            self.tell_pairing(&id).await;
        }
        Ok(())
    }

    /// Ends the matches whose clock has expired: those in memory, or `all`.
    async fn end_due(self: &Arc<Self>, all: bool) -> Result<(), StoreError> {
        const MOST: usize = 1_000;
        self.notice_standstill();
        let now = self.now();
        for live in self.lives() {
            if live.is_due(now) {
                let checked = live.check_time(self).await;
                self.note_result(&checked);
            }
        }
        if all {
            for id in self.store.due(now, MOST).await? {
                let live = self.live(&id).await;
                self.note_result(&live);
                if let Ok(Some(live)) = live {
                    let checked = live.check_time(self).await;
                    self.note_result(&checked);
                }
            }
        }
        Ok(())
    }

    /// Gives time back to the players of nodes that died.
    async fn sweep_nodes(self: &Arc<Self>) -> Result<(), StoreError> {
        let nodes = self.store.nodes().await?;
        let now = self.now();
        for presence in self.store.silent_presence(now).await? {
            // What can't be done now is done in the next sweep.
            let made_up = self.make_up_for_silence(&nodes, presence).await;
            self.note_result(&made_up);
        }
        const FORGOTTEN: Millis = 120_000;
        // The only server needs those that died until it has given the time since back.
        if self.store.is_shared() {
            self.remove_nodes(|node| now > node.seen + FORGOTTEN)
                .await?;
        }
        const DAY: Millis = 24 * 60 * 60 * 1000;
        self.store
            .delete_challenges(now.saturating_sub(7 * DAY))
            .await?;
        Ok(())
    }

    async fn make_up_for_silence(
        self: &Arc<Self>,
        nodes: &[ServerNode],
        presence: Presence,
    ) -> Result<(), StoreError> {
        let Presence { id, seat, node } = &presence;
        match self.live(id).await? {
            Some(live) => live.make_up_for_silence(self, nodes, presence).await,
            None => self.store.remove_presence(id, *seat, node).await,
        }
    }

    async fn hear(&self, notice: Notice) -> Result<(), StoreError> {
        match notice {
            Notice::Match { id, version } => match self.live_in_memory(&id) {
                Some(live) => live.refresh(self, version).await,
                None => Ok(()),
            },
            Notice::Presence { id } => match self.live_in_memory(&id) {
                Some(live) => live.look_who_is_here(self).await,
                None => Ok(()),
            },
            Notice::Paired { player, id, seat } => {
                self.tell_paired_here(&player, &id, seat);
                Ok(())
            }
            Notice::Player { player } => self.look_at_player(&player).await,
        }
    }
}
