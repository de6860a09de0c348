//! What a node does every second or so, whether or not anybody asks.

use std::{sync::Arc, time::Duration};

use protocol::{Pool, Seat};
use referee::Terms;
use serde_json::Map;
use store::{MakeMatch, Millis, Node, Presence, SILENT_AFTER, StoreError};
use tokio::{
    sync::Semaphore,
    time::{MissedTickBehavior, interval},
};

use crate::{
    bus::Hint,
    hub::{Hub, Outage, STANDSTILL},
    live::Lost,
    metrics::count,
    secret,
    terms::{complete_options, in_order, new_match},
};

/// Hints that are followed up at the same time.
const MOST_HINTS: usize = 16;

/// The most that is given back when a node dies.
const MOST_TIME_BACK: Millis = SILENT_AFTER;

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
            // What a page can solve is not rated. For players without accounts nothing is.
            is_rated: !game.is_solved(),
        };
        let seat = if secret::number().is_multiple_of(2) {
            Seat::First
        } else {
            Seat::Second
        };
        let players = in_order(seat, waiting.clone(), arriving.clone());
        new_match(terms, players, None, hub.now()).expect("the terms are valid")
    })
}

/// Does something of which a panic is not the end of all that comes after; `None` if it
/// panicked.
async fn in_own_task<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> Option<T> {
    tokio::spawn(work).await.ok()
}

impl Hub {
    /// Notes an error of the store.
    pub(crate) fn note_store_error(&self, _error: &StoreError) {
        count(&self.metrics.store_errors);
    }

    pub(crate) fn note_result<T>(&self, result: &Result<T, StoreError>) {
        if let Err(error) = result {
            self.note_store_error(error);
        }
    }

    /// Tells both players of a match that it begins.
    pub(crate) async fn tell_pairing(&self, id: &str) {
        let head = self.store.match_head(id).await;
        self.note_result(&head);
        if let Ok(Some(head)) = head {
            self.tell_paired(&head.first, id, Seat::First).await;
            self.tell_paired(&head.second, id, Seat::Second).await;
        }
    }

    /// After a full stop, running clocks have not run since a node was last alive.
    pub(crate) async fn note_a_stop(self: &Arc<Self>) -> Result<(), StoreError> {
        const ALIVE: Millis = 3_000;
        let now = self.now();
        let nodes = self.store.nodes().await?;
        self.store.beat(&self.node, now).await?;
        let seen = nodes.iter().map(|node| node.seen);
        let is_shared = self.bus.is_shared();
        // Where there is only ever one node, each that is still noted died, and perhaps before it
        // had made up for the one before it.
        let Some(seen) = (if is_shared { seen.max() } else { seen.min() }) else {
            return Ok(());
        };
        let gap = now.saturating_sub(seen);
        // One that was seen just now may be alive.
        if gap < ALIVE && is_shared {
            return Ok(());
        }
        // It ends when the node serves. Matches make up for it when somebody looks at them, or
        // their time is up, or the sweep comes by.
        self.set_outage(Outage {
            began: seen,
            ended: None,
        });
        Ok(())
    }

    /// Gives time back in all matches, also those that nobody looks at.
    async fn make_up_for_a_stop(self: &Arc<Self>) -> Result<(), StoreError> {
        // All matches with a clock have a deadline, now or later.
        for id in self.store.due(Millis::MAX >> 1, usize::MAX >> 1).await? {
            let live = self.live(&id).await;
            self.note_result(&live);
            if let Ok(Some(live)) = live {
                let made_up = live.check_outage(self).await;
                self.note_result(&made_up);
            }
        }
        let now = self.now();
        for node in self.store.nodes().await? {
            let is_old = !self.bus.is_shared() || now > node.seen + SILENT_AFTER;
            if node.id != self.node && is_old {
                self.store.remove_node(&node.id).await?;
            }
        }
        Ok(())
    }

    /// Does what has to be done every so often, until the node leaves and is dropped.
    pub(crate) fn start_sweeping(self: &Arc<Self>) {
        let every = |millis: u64| {
            let mut ticks = interval(Duration::from_millis(millis));
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            ticks
        };
        if let Some(stop) = self.outage() {
            let ended = Some(self.now());
            self.set_outage(Outage { ended, ..stop });
            let hub = self.clone();
            tokio::spawn(async move {
                let made_up = hub.make_up_for_a_stop().await;
                hub.note_result(&made_up);
            });
        }
        let hub = self.clone();
        tokio::spawn(async move {
            let mut ticks = every(1_000);
            let mut last = hub.now();
            loop {
                ticks.tick().await;
                let hub = hub.clone();
                let beat = in_own_task(async move { hub.beat(last).await }).await;
                last = beat.unwrap_or(last);
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
                    let paired = hub.sweep_seeks().await;
                    hub.note_result(&paired);
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
        if self.bus.is_shared() {
            let hub = self.clone();
            tokio::spawn(async move {
                let mut hints = hub.bus.subscribe().await;
                let limit = Arc::new(Semaphore::new(MOST_HINTS));
                while let Some(hint) = hints.recv().await {
                    // It is never closed.
                    let permit = limit.clone().acquire_owned().await.ok();
                    let hub = hub.clone();
                    // One after the other they would wait for the store most of the time.
                    tokio::spawn(async move {
                        let heard = hub.hear(hint).await;
                        hub.note_result(&heard);
                        drop(permit);
                    });
                }
            });
        }
    }

    /// Notes that this node is alive, and looks who else is. Returns when it last did.
    async fn beat(&self, last: Millis) -> Millis {
        let now = self.now();
        let beat = self.store.beat(&self.node, now).await;
        self.note_result(&beat);
        let now = self.now();
        if beat.is_err() {
            if self.outage().is_none_or(|outage| outage.ended.is_some()) {
                self.set_outage(Outage {
                    began: last,
                    ended: None,
                });
            }
            return last;
        }
        match self.outage() {
            Some(outage) if outage.ended.is_none() => self.set_outage(Outage {
                ended: Some(now),
                ..outage
            }),
            // It was slow.
            _ if now > last + STANDSTILL => self.set_outage(Outage {
                began: last,
                ended: Some(now),
            }),
            _ => {}
        }
        if let Ok(nodes) = self.store.nodes().await {
            self.set_nodes(nodes);
        }
        now
    }

    /// Finds the matches that other nodes have added to.
    async fn compare_versions(&self) -> Result<(), StoreError> {
        let lives = self.lives();
        let ids: Vec<_> = lives.iter().map(|live| live.id.clone()).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let versions = self.store.versions(&ids).await?;
        for live in lives {
            if let Some(&version) = versions.get(&live.id) {
                // One match that can't be read is no reason to leave the others alone.
                let refreshed = live.refresh(self, version).await;
                self.note_result(&refreshed);
            }
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

    /// Ends the matches whose time is up: those in memory, and now and then all.
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

    /// Gives the players of nodes that died their time back.
    async fn sweep_nodes(self: &Arc<Self>) -> Result<(), StoreError> {
        let nodes = self.store.nodes().await?;
        let now = self.now();
        for Presence { id, seat, node } in self.store.remove_silent(now).await? {
            let seen = nodes
                .iter()
                .find(|known| known.id == node)
                .map(|known| known.seen);
            let seen = seen.unwrap_or(0).max(now.saturating_sub(MOST_TIME_BACK));
            if let Some(live) = self.live(&id).await? {
                let cause = format!("node:{node}:{seat}");
                let lost = Lost {
                    to: Some(seat),
                    from: seen,
                    until: now,
                };
                live.give_time(self, lost, &cause).await?;
                live.look_who_is_here(self).await?;
            }
        }
        const FORGOTTEN: Millis = 120_000;
        for Node { id, seen } in nodes {
            if now > seen + FORGOTTEN {
                self.store.remove_node(&id).await?;
            }
        }
        const DAY: Millis = 24 * 60 * 60 * 1000;
        self.store
            .delete_challenges(now.saturating_sub(7 * DAY))
            .await?;
        Ok(())
    }

    async fn hear(&self, hint: Hint) -> Result<(), StoreError> {
        match hint {
            Hint::Match { id, version } => match self.live_in_memory(&id) {
                Some(live) => live.refresh(self, version).await,
                None => Ok(()),
            },
            Hint::Presence { id } => match self.live_in_memory(&id) {
                Some(live) => live.look_who_is_here(self).await,
                None => Ok(()),
            },
            Hint::Paired { player, id, seat } => {
                self.tell_paired_here(&player, &id, seat);
                Ok(())
            }
            Hint::Player { player } => self.look_at_player(&player).await,
        }
    }
}
