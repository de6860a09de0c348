use std::{collections::BTreeSet, sync::Arc};

use protocol::Seat;

use super::NOW;
use crate::{Presence, SILENT_AFTER, Store};

fn presence(seat: Seat, node: &str) -> Presence {
    Presence {
        id: "present".to_owned(),
        seat,
        node: node.to_owned(),
    }
}

async fn present_in(store: &Arc<dyn Store>, id: &str) -> Vec<Presence> {
    store.presence(&[id.to_owned()]).await.unwrap()
}

pub(super) async fn check(store: &Arc<dyn Store>) {
    for node in store.nodes().await.unwrap() {
        store.remove_node(&node.id).await.unwrap();
    }
    assert_eq!(store.nodes().await.unwrap(), []);
    store.beat("n1", NOW).await.unwrap();
    store.beat("n1", NOW + 2000).await.unwrap();
    store.beat("n2", NOW + 1000).await.unwrap();
    let nodes = store.nodes().await.unwrap();
    let nodes: Vec<_> = nodes
        .iter()
        .map(|node| (node.id.as_str(), node.seen))
        .collect();
    assert_eq!(nodes, [("n1", NOW + 2000), ("n2", NOW + 1000)]);

    let places = [
        (Seat::First, "n1"),
        (Seat::First, "n2"),
        (Seat::Second, "n2"),
    ];
    for (seat, node) in places {
        store.set_presence("present", seat, node).await.unwrap();
        store.set_presence("present", seat, node).await.unwrap();
    }
    let asked = ["present", "elsewhere"].map(str::to_owned);
    let present = store.presence(&asked).await.unwrap();
    let expected = places.map(|(seat, node)| presence(seat, node));
    assert_eq!(present, expected);
    assert_eq!(present_in(store, "elsewhere").await, []);
    store
        .remove_presence("present", Seat::Second, "n1")
        .await
        .unwrap();
    assert_eq!(present_in(store, "present").await.len(), 3);

    let now = NOW + 1000 + SILENT_AFTER;
    assert_eq!(store.silent_presence(now - 1).await.unwrap(), []);
    let expected = [presence(Seat::First, "n2"), presence(Seat::Second, "n2")];
    // They stay until they are removed, so that nothing is lost with whoever asked.
    for _ in 0..2 {
        let silent = store.silent_presence(now).await.unwrap();
        assert_eq!(BTreeSet::from_iter(silent), expected.clone().into());
    }
    for (seat, node) in places {
        store.remove_presence("present", seat, node).await.unwrap();
    }
    assert_eq!(present_in(store, "present").await, []);

    store
        .set_presence("present", Seat::First, "unknown")
        .await
        .unwrap();
    store
        .set_presence("present", Seat::First, "n1")
        .await
        .unwrap();
    let silent = store.silent_presence(NOW + 2000).await.unwrap();
    assert_eq!(silent, [presence(Seat::First, "unknown")]);
    store.remove_node("unknown").await.unwrap();
    store.remove_node("n1").await.unwrap();
    assert_eq!(present_in(store, "present").await, []);

    // The store's clock is close to the system clock.
    let now = store.now().await.unwrap();
    assert!(now > 1_700_000_000_000, "{now}");
    assert!(store.now().await.unwrap() >= now);
}
