//! Time that players lose when the node that they are connected to dies.

use std::{slice, sync::Arc, time::Duration};

use protocol::Seat;
use store::{Millis, Presence, SILENT_AFTER, ServerNode, StoreError};

use super::{Inner, Live, NODE};
use crate::hub::{Hub, SUSPICIOUS};

/// The most time that is given back when a node dies.
const MOST_TIME_BACK: Millis = SILENT_AFTER;

/// Another node that a player was connected to when they came here.
#[derive(Clone, Debug)]
pub(crate) struct FormerNode {
    seat: Seat,
    id: String,
    /// Its last heartbeat.
    seen: Millis,
    /// The time that the player has lost if it has died, in milliseconds.
    lost: Millis,
}

fn last_heartbeat(nodes: &[ServerNode], id: &str) -> Option<Millis> {
    let mut nodes = nodes.iter();
    nodes.find(|node| node.id == id).map(|node| node.seen)
}

impl Inner {
    /// The time that `seat` lost between two times, without what was given back after an outage.
    fn lost(&self, seat: Seat, from: Millis, until: Millis) -> Millis {
        // Only the player to move loses time, and only since the turn began.
        let since = self.state.losing_since();
        let Some(since) = since.filter(|_| seat == self.state.turn()) else {
            return 0;
        };
        let from = from.max(since).max(until.saturating_sub(MOST_TIME_BACK));
        let (began, ended) = self.made_up;
        let made_up = ended.min(until).saturating_sub(began.max(from));
        until.saturating_sub(from).saturating_sub(made_up)
    }
}

impl Live {
    /// Gives the player at `seat`, who is here now, the time back that they lost because their node
    /// died. Returns the nodes that may have died just now, for [`settle`](Self::settle).
    pub(super) async fn make_up_for_dead_nodes(
        &self,
        hub: &Hub,
        inner: &mut Inner,
        seat: Seat,
    ) -> Result<Vec<FormerNode>, StoreError> {
        let mut uncertain = Vec::new();
        for former in self.former_nodes(hub, inner, seat).await? {
            if hub.now() <= former.seen + SUSPICIOUS {
                uncertain.push(former);
            } else if let Err(error) = self.make_up_for(hub, inner, &former).await {
                hub.note_store_error(&error);
                uncertain.push(former);
            }
        }
        Ok(uncertain)
    }

    /// The other nodes that the player at `seat` is or was connected to.
    async fn former_nodes(
        &self,
        hub: &Hub,
        inner: &Inner,
        seat: Seat,
    ) -> Result<Vec<FormerNode>, StoreError> {
        if !hub.store.is_shared() {
            return Ok(Vec::new());
        }
        let mut presences = hub.store.presence(slice::from_ref(&self.id)).await?;
        presences.retain(|presence| presence.seat == seat && presence.node != hub.node);
        if presences.is_empty() {
            return Ok(Vec::new());
        }
        let nodes = hub.read_nodes().await?;
        let now = hub.now();
        let former = |Presence { seat, node: id, .. }| {
            // One that is not listed has left, and its players had time to move.
            let seen = last_heartbeat(&nodes, &id)?;
            Some(FormerNode {
                seat,
                id,
                seen,
                lost: inner.lost(seat, seen, now),
            })
        };
        Ok(presences.into_iter().filter_map(former).collect())
    }

    /// Gives back what a player lost by a node that died.
    async fn make_up_for(
        &self,
        hub: &Hub,
        inner: &mut Inner,
        FormerNode {
            seat,
            id,
            seen,
            lost,
        }: &FormerNode,
    ) -> Result<(), StoreError> {
        // All nodes read the same heartbeat of one that died, so that it is given once.
        let cause = format!("{NODE}{id}:{seen}:{seat}");
        self.give_back(hub, inner, *seat, *lost, &cause).await?;
        hub.store.remove_presence(&self.id, *seat, id).await
    }

    /// Waits until it is certain which of these nodes died, and gives back what the player lost by
    /// them before they came here, even if they have made their turn by now.
    pub(crate) async fn settle(self: Arc<Self>, hub: Arc<Hub>, mut uncertain: Vec<FormerNode>) {
        const ROUND: Duration = Duration::from_millis(500);
        const MOST_ROUNDS: usize = 40;
        for _ in 0..MOST_ROUNDS {
            tokio::time::sleep(ROUND).await;
            let Ok(nodes) = hub.read_nodes().await else {
                continue;
            };
            // One with a later heartbeat was alive when the player came here.
            uncertain.retain(|former| last_heartbeat(&nodes, &former.id) == Some(former.seen));
            let now = hub.now();
            let is_dead = |former: &mut FormerNode| now > former.seen + SUSPICIOUS;
            for former in uncertain.extract_if(.., is_dead).collect::<Vec<_>>() {
                let mut inner = self.inner.lock().await;
                let made_up = self.make_up_for(&hub, &mut inner, &former).await;
                hub.note_result(&made_up);
                if made_up.is_err() {
                    uncertain.push(former);
                }
            }
            if uncertain.is_empty() {
                return;
            }
        }
    }

    /// Handles a player who has not come back since their node died.
    pub(crate) async fn make_up_for_silence(
        &self,
        hub: &Hub,
        nodes: &[ServerNode],
        Presence { seat, node, .. }: Presence,
    ) -> Result<(), StoreError> {
        let mut inner = self.inner.lock().await;
        self.catch_up(hub, &mut inner).await?;
        let now = hub.now();
        self.make_up_for_outage(hub, &mut inner, now).await?;
        let presences = hub.store.presence(slice::from_ref(&self.id)).await?;
        let is_alive = |id: &str| {
            let seen = last_heartbeat(nodes, id);
            seen.is_some_and(|seen| now < seen + SILENT_AFTER)
        };
        // The node that they are connected to now has done it.
        let mut presences = presences.iter();
        let is_back = presences.any(|presence| presence.seat == seat && is_alive(&presence.node));
        match last_heartbeat(nodes, &node) {
            Some(seen) if !is_back => {
                let lost = inner.lost(seat, seen, now);
                let former = FormerNode {
                    seat,
                    id: node,
                    seen,
                    lost,
                };
                self.make_up_for(hub, &mut inner, &former).await?;
            }
            _ => hub.store.remove_presence(&self.id, seat, &node).await?,
        }
        self.look(hub, &mut inner).await
    }

    /// Whether the node of the player to move may have died before their time was up: it has sent
    /// no heartbeat since.
    pub(super) async fn may_have_lost_node(
        &self,
        hub: &Hub,
        inner: &Inner,
        now: Millis,
    ) -> Result<bool, StoreError> {
        // After this time a sweep has made up for it.
        const LONGEST: Millis = SILENT_AFTER + 5_000;
        let deadline = inner.state.deadline();
        let Some(deadline) = deadline.filter(|&deadline| now <= deadline + LONGEST) else {
            return Ok(false);
        };
        let former = self.former_nodes(hub, inner, inner.state.turn()).await?;
        Ok(former.iter().any(|former| former.seen < deadline))
    }
}
