//! Several nodes on one store: nobody loses by a node that died, or by notices that were lost.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod begun;
mod chaos;
mod law;
mod table;

use std::{sync::Arc, time::Duration};

use begun::{append, begin, copy, given, send_turn, until};
use chaos::ChaosStore;
use client::Socket;
use law::{Match, answer, state, time_left};
use protocol::{
    Action, ActionName, ClientMessage, Event, MatchStatus, Refusal, Seat, ServerMessage,
};
use rules::Random;
use serde_json::json;
use server::NoBus;
use store::{Appended, MatchFilter, MemoryStore, Presence, Store};
use table::{action, node, random_turn, turn};

/// Makes the player at `seat` one of a node that sent its last heartbeat `ago` milliseconds ago.
async fn connect_to_dead_node(store: &dyn Store, g: &str, seat: Seat, ago: u64) {
    let now = store.now().await.unwrap();
    store.beat("dead", now - ago).await.unwrap();
    store.set_presence(g, seat, "dead").await.unwrap();
}

/// The time since the node died comes back before the turn is decided, so that it is not late.
#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_from_a_dead_node_has_lost_nothing() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let server = node(store.clone(), Arc::new(NoBus)).await;
    // Without the eight seconds the time is up.
    let begun = begin(&server, &*store, 10_000, 8_000).await;
    connect_to_dead_node(&*store, &begun.g, Seat::First, 8_000).await;
    let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
    let mut socket = connect.await.unwrap();
    let known = state(&mut socket, &begun.g).await.unwrap();
    assert!(time_left(&known.clock.unwrap(), Seat::First) > 0);
    send_turn(&mut socket, &begun.g).await;
    assert!(answer(&mut socket, 1).await.unwrap().is_ok());
    let stored = store.load_match(&begun.g).await.unwrap().unwrap();
    let given = given(&stored);
    assert_eq!(given.len(), 1, "{given:?}");
    let (to, ms, cause) = &given[0];
    assert_eq!(*to, Seat::First);
    assert!((8_000..=15_000).contains(ms), "{ms}");
    assert!(cause.starts_with("node:dead:"), "{cause}");
    let left = store.presence(&[begun.g]).await.unwrap();
    assert!(
        left.iter().all(|presence| presence.node != "dead"),
        "{left:?}"
    );
}

/// Also without having joined, and once.
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_enough_to_come_back() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&server, &*store, 10_000, 8_000).await;
    connect_to_dead_node(&*store, &begun.g, Seat::First, 8_000).await;
    let mut watcher = Socket::connect(&server.socket, None).await.unwrap();
    let known = state(&mut watcher, &begun.g).await.unwrap();
    let mut record = catalog::find("takeover")
        .unwrap()
        .read_file(&known.record)
        .unwrap();
    while record.redo().is_some() {}
    let m = random_turn(&mut *record, &mut Random::new(1));
    let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
    let mut socket = connect.await.unwrap();
    let message = ClientMessage::Turn(turn(&begun.g, 1, known.at, &m));
    for _ in 0..2 {
        socket.send(&message).await.unwrap();
        assert_eq!(answer(&mut socket, 1).await.unwrap(), Ok(4));
    }
    let stored = store.load_match(&begun.g).await.unwrap().unwrap();
    assert_eq!(given(&stored).len(), 1);
}

/// A player comes back so fast that the node might still be alive: the time comes later, although
/// it is the other's turn by then.
#[tokio::test(flavor = "multi_thread")]
async fn who_moves_before_it_is_certain_gets_the_time_later() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&server, &*store, 10_000, 60_000).await;
    connect_to_dead_node(&*store, &begun.g, Seat::First, 500).await;
    let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
    let mut socket = connect.await.unwrap();
    send_turn(&mut socket, &begun.g).await;
    assert!(answer(&mut socket, 1).await.unwrap().is_ok());
    let time = |message| match message {
        ServerMessage::Ev {
            e: Event::Time { to, ms },
            ..
        } => Some((to, ms)),
        _ => None,
    };
    let (to, ms) = socket.expect(time).await.unwrap();
    assert_eq!(to, Seat::First);
    assert!((500..=15_000).contains(&ms), "{ms}");
}

/// A turn that would be late is decided once it is certain whether the node died.
#[tokio::test(flavor = "multi_thread")]
async fn a_late_turn_waits_until_it_is_certain() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&server, &*store, 10_000, 9_000).await;
    connect_to_dead_node(&*store, &begun.g, Seat::First, 2_500).await;
    let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
    let mut socket = connect.await.unwrap();
    send_turn(&mut socket, &begun.g).await;
    assert!(answer(&mut socket, 1).await.unwrap().is_ok());
    let stored = store.load_match(&begun.g).await.unwrap().unwrap();
    assert_eq!(given(&stored).len(), 1);
}

/// Who changes the node, because they open another page, gets nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_lives_gives_nothing_back() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let one = node(store.clone(), Arc::new(NoBus)).await;
    let two = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&one, &*store, 10_000, 60_000).await;
    let mut sockets = Vec::new();
    for server in [&one, &two] {
        let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
        let mut socket = connect.await.unwrap();
        state(&mut socket, &begun.g).await.unwrap();
        sockets.push(socket);
    }
    let present = store
        .presence(std::slice::from_ref(&begun.g))
        .await
        .unwrap();
    assert_eq!(present.len(), 2, "{present:?}");
    send_turn(&mut sockets[1], &begun.g).await;
    assert!(answer(&mut sockets[1], 1).await.unwrap().is_ok());
    let stored = store.load_match(&begun.g).await.unwrap().unwrap();
    assert_eq!(given(&stored), []);
}

/// The store fails while time is given back: it is given back later.
#[tokio::test(flavor = "multi_thread")]
async fn no_error_of_the_store_costs_a_player_time() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let store = Arc::new(ChaosStore::new(memory.clone(), 1));
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let mut matches = Vec::new();
    for _ in 0..2 {
        matches.push(begin(&server, &*memory, 20_000, 60_000).await);
    }
    store.set_failure(Some("append"));
    for begun in &matches {
        connect_to_dead_node(&*memory, &begun.g, Seat::First, 16_000).await;
    }
    until(async || store.n_failures() > 0).await;
    store.set_failure(None);
    for begun in &matches {
        until(async || {
            let stored = memory.load_match(&begun.g).await.unwrap().unwrap();
            given(&stored).len() == 1
        })
        .await;
    }
    until(async || memory.silent_presence(u64::MAX).await.unwrap().is_empty()).await;
}

/// Players see until when a first turn is due, and that the match is aborted when it is not made.
#[tokio::test(flavor = "multi_thread")]
async fn a_match_without_a_first_turn_is_aborted() {
    let elsewhere: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let server = node(elsewhere.clone(), Arc::new(NoBus)).await;
    let clock = json!({ "base_ms": 60_000, "inc_ms": 0 });
    let terms = json!({ "game": "takeover", "options": { "board": "7" }, "clock": clock });
    let begun = Match::new(&server.api, terms).await;
    // The same match, but created 22 s ago.
    let mut stored = elsewhere.load_match(&begun.g).await.unwrap().unwrap();
    stored.head.created -= 22_000;
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    copy(&stored, &*store).await;
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let mut watcher = Socket::connect(&server.socket, None).await.unwrap();
    let known = state(&mut watcher, &begun.g).await.unwrap();
    assert_eq!(known.status, MatchStatus::Playing);
    assert_eq!(known.abort_at, Some(stored.head.created + 30_000));
    let ended = |message| match message {
        ServerMessage::Ev {
            e,
            status,
            abort_at,
            ..
        } => Some((e, status, abort_at)),
        _ => None,
    };
    let aborted = (Event::Abort { by: None }, MatchStatus::Aborted, None);
    assert_eq!(watcher.expect(ended).await.unwrap(), aborted);
    assert!(store.now().await.unwrap() > stored.head.created + 30_000);
    let known = state(&mut watcher, &begun.g).await.unwrap();
    assert_eq!((known.status, known.abort_at), (MatchStatus::Aborted, None));
}

/// Whoever missed some events sees the clocks that those had who were there: a take-back and a
/// resignation cost the time until then, although something was said since.
#[tokio::test(flavor = "multi_thread")]
async fn missed_events_have_their_own_clocks() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let server = node(store.clone(), Arc::new(NoBus)).await;
    // Both have a minute left after turns that were made 50 s ago.
    let begun = begin(&server, &*store, 50_000, 60_000).await;
    let began = store.now().await.unwrap() - 50_000;
    // Who is there all along hears of them from the store, all at once.
    let mut present = Socket::connect(&server.socket, None).await.unwrap();
    let join = ClientMessage::Join {
        g: begun.g.clone(),
        v: None,
    };
    present.send(&join).await.unwrap();
    let state = |message| matches!(message, ServerMessage::State(_)).then_some(());
    present.expect(state).await.unwrap();
    let events = [
        (
            10_000,
            Event::Takeback {
                by: Seat::Second,
                n: 1,
            },
        ),
        (15_000, Event::Resign { by: Seat::Second }),
        (
            20_000,
            Event::Say {
                by: Seat::First,
                phrase: 3,
            },
        ),
    ];
    for (version, (after, event)) in (3..).zip(&events) {
        let append = append(&begun.g, version, began + after, event);
        let appended = store.append(append).await.unwrap();
        assert!(matches!(appended, Appended::Done { .. }), "{appended:?}");
    }
    let mut watcher = Socket::connect(&server.socket, None).await.unwrap();
    let join = ClientMessage::Join {
        g: begun.g.clone(),
        v: Some(2),
    };
    watcher.send(&join).await.unwrap();
    let clocks = |message| match message {
        ServerMessage::Ev { v, clock, .. } => Some((v, clock.unwrap())),
        ServerMessage::State(state) => panic!("{state:?}"),
        _ => None,
    };
    let mut seen = Vec::new();
    for socket in [&mut watcher, &mut present] {
        for _ in &events {
            let (v, clock) = socket.expect(clocks).await.unwrap();
            let left = Seat::BOTH.map(|seat| time_left(&clock, seat));
            seen.push((v, left, clock.running));
        }
    }
    // The first player was to move, and loses ten seconds; then the second player five.
    let expected = [
        (3, [50_000, 60_000], Some(Seat::Second)),
        (4, [50_000, 55_000], None),
        (5, [50_000, 55_000], None),
    ];
    for ((v, left, running), (expected_v, expected_left, expected_running)) in
        seen.into_iter().zip([expected, expected].concat())
    {
        assert_eq!((v, running), (expected_v, expected_running));
        // The time of the store was read twice.
        for (left, expected) in left.into_iter().zip(expected_left) {
            assert!(left.abs_diff(expected) < 2_000, "{v}: {left}");
        }
    }
}

/// Who looks for an opponent and connects to another node goes on looking there: the node that they
/// left, which may notice late, does not end it.
#[tokio::test(flavor = "multi_thread")]
async fn who_changes_the_node_goes_on_looking() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let one = node(store.clone(), Arc::new(NoBus)).await;
    let two = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&one, &*store, 0, 60_000).await;
    let mut sockets = Vec::new();
    for (server, token) in [(&one, 0), (&two, 0), (&two, 1)] {
        let connect = Socket::connect(&server.socket, Some(&begun.tokens[token]));
        sockets.push(connect.await.unwrap());
    }
    let seek = ClientMessage::Seek {
        id: 1,
        pools: vec!["takeover/3+2".to_owned()],
    };
    let sought = |message| match message {
        ServerMessage::Ok { id: 1, .. } => Some(()),
        _ => None,
    };
    state(&mut sockets[0], &begun.g).await.unwrap();
    for socket in &mut sockets[..2] {
        socket.send(&seek).await.unwrap();
        socket.expect(sought).await.unwrap();
    }
    // A socket leaves its matches last.
    let ids = [begun.g.clone()];
    sockets.remove(0).close().await;
    until(async || store.presence(&ids).await.unwrap().is_empty()).await;
    sockets[1].send(&seek).await.unwrap();
    let paired = |message| match message {
        ServerMessage::Paired { g, .. } if g != begun.g => Some(g),
        _ => None,
    };
    let g = sockets[0].expect(paired).await.unwrap();
    assert_eq!(sockets[1].expect(paired).await.unwrap(), g);
}

/// The other player is connected to another node, and no notice says so: they are seen to be here,
/// and nobody can claim the match.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_can_claim_against_who_is_on_another_node() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let one = node(store.clone(), Arc::new(NoBus)).await;
    let two = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&one, &*store, 0, 60_000).await;
    let connect = Socket::connect(&one.socket, Some(&begun.tokens[0]));
    let mut first = connect.await.unwrap();
    let known = state(&mut first, &begun.g).await.unwrap();
    assert_eq!(known.here, []);
    let connect = Socket::connect(&two.socket, Some(&begun.tokens[1]));
    let mut second = connect.await.unwrap();
    let known = state(&mut second, &begun.g).await.unwrap();
    assert!(known.here.contains(&Seat::First), "{:?}", known.here);
    let here = |message| match message {
        ServerMessage::Here {
            seat: Seat::Second,
            is: true,
            claim,
            ..
        } => Some(claim),
        _ => None,
    };
    assert_eq!(first.expect(here).await.unwrap(), None);
    // Longer than a player has to be gone.
    for id in 1..=35 {
        let claim = ClientMessage::Do(action(&begun.g, id, ActionName::Claim));
        first.send(&claim).await.unwrap();
        let answer = answer(&mut first, id).await.unwrap();
        assert_eq!(answer, Err(protocol::Refusal::NotNow), "{id}");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// A claim is decided by what the store has, not by what was last heard: here the sweep that would
/// notice the other player does not run.
#[tokio::test(flavor = "multi_thread")]
async fn a_claim_asks_the_store_who_is_here() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let store = Arc::new(ChaosStore::new(memory.clone(), 1));
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&server, &*memory, 0, 60_000).await;
    let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
    let mut first = connect.await.unwrap();
    state(&mut first, &begun.g).await.unwrap();
    // `versions` comes before the comparison of presences.
    store.set_stall(Some("versions"));
    let now = memory.now().await.unwrap();
    memory.beat("other", now + 60_000).await.unwrap();
    memory
        .set_presence(&begun.g, Seat::Second, "other")
        .await
        .unwrap();
    for id in 1..=35 {
        let claim = ClientMessage::Do(action(&begun.g, id, ActionName::Claim));
        first.send(&claim).await.unwrap();
        let answer = answer(&mut first, id).await.unwrap();
        assert_eq!(answer, Err(protocol::Refusal::NotNow), "{id}");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// Other nodes remove what a node has stored that was silent for a while. It stores it again.
#[tokio::test(flavor = "multi_thread")]
async fn who_is_here_is_stored_again() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&server, &*store, 0, 60_000).await;
    let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
    let mut socket = connect.await.unwrap();
    state(&mut socket, &begun.g).await.unwrap();
    let ids = [begun.g.clone()];
    let present = store.presence(&ids).await.unwrap();
    assert_eq!(present.len(), 1, "{present:?}");
    let Presence { id, seat, node } = present[0].clone();
    assert_eq!(seat, Seat::First);
    store.remove_presence(&id, seat, &node).await.unwrap();
    until(async || store.presence(&ids).await.unwrap() == present).await;
    // And what is wrong is removed.
    let stale = store.set_presence(&id, Seat::Second, &node).await;
    stale.unwrap();
    until(async || store.presence(&ids).await.unwrap() == present).await;
    socket.close().await;
    until(async || store.presence(&ids).await.unwrap().is_empty()).await;
}

/// Players hear from when on a match can be claimed, which is later if a node died.
#[tokio::test(flavor = "multi_thread")]
async fn the_countdown_of_a_claim_knows_of_dead_nodes() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let server = node(store.clone(), Arc::new(NoBus)).await;
    let begun = begin(&server, &*store, 0, 60_000).await;
    let connect = Socket::connect(&server.socket, Some(&begun.tokens[0]));
    let mut first = connect.await.unwrap();
    let known = state(&mut first, &begun.g).await.unwrap();
    let claim = known.claim.unwrap();
    assert_eq!(Some(claim - 15_000), known.since);
    let seen = store.now().await.unwrap() - 10_000;
    store.beat("dead", seen).await.unwrap();
    let gone = |message| match message {
        ServerMessage::Here {
            seat: Seat::Second,
            is: false,
            claim,
            ..
        } => Some(claim),
        _ => None,
    };
    let later = Some(seen + 75_000);
    assert_eq!(first.expect(gone).await.unwrap(), later);
    let known = state(&mut first, &begun.g).await.unwrap();
    assert_eq!(known.claim, later);
}

/// Sends an action about the offer `of`, and returns the answer.
async fn ask(
    socket: &mut Socket,
    g: &str,
    id: u64,
    what: ActionName,
    of: Option<u64>,
) -> Result<u64, Refusal> {
    let action = Action {
        of,
        ..action(g, id, what)
    };
    socket.send(&ClientMessage::Do(action)).await.unwrap();
    answer(socket, id).await.unwrap()
}

/// The offer of a rematch is withdrawn on one node while it is accepted on another: then there is
/// no next match. One that is agreed is in the lists of both players, whatever the node.
#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_that_was_withdrawn_is_no_match() {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::shared());
    let store = Arc::new(ChaosStore::new(memory.clone(), 1));
    let one = node(store.clone(), Arc::new(NoBus)).await;
    let two = node(memory.clone(), Arc::new(NoBus)).await;
    let terms = json!({ "game": "takeover", "options": { "board": "7" } });
    let begun = Match::new(&one.api, terms).await;
    let head = memory.match_head(&begun.g).await.unwrap().unwrap();
    let playing = async || {
        let mut lists = Vec::new();
        for player in [&head.first, &head.second] {
            let list = memory.matches_of(player, MatchFilter::Playing, None, 10);
            let ids = list.await.unwrap().into_iter().map(|head| head.id);
            lists.push(ids.collect::<Vec<_>>());
        }
        assert_eq!(lists[0], lists[1]);
        lists.swap_remove(0)
    };
    let connect = Socket::connect(&one.socket, Some(&begun.tokens[0]));
    let mut first = connect.await.unwrap();
    let connect = Socket::connect(&two.socket, Some(&begun.tokens[1]));
    let mut second = connect.await.unwrap();
    let mut g = begun.g.clone();
    let (resign, rematch) = (ActionName::Resign, ActionName::Rematch);
    ask(&mut second, &g, 1, resign, None).await.unwrap();
    let of = ask(&mut second, &g, 2, rematch, None).await.unwrap();
    // The node of the first player knows of the offer, and not that it is withdrawn.
    let known = state(&mut first, &g).await.unwrap();
    assert_eq!(known.offers.len(), 1, "{:?}", known.offers);
    let n_appends = store.n_calls("append");
    store.set_stall(Some("append"));
    let accept = Action {
        of: Some(of),
        ..action(&g, 1, ActionName::Accept)
    };
    first.send(&ClientMessage::Do(accept)).await.unwrap();
    until(async || store.n_calls("append") > n_appends).await;
    let withdrawn = ask(&mut second, &g, 3, ActionName::Decline, Some(of)).await;
    withdrawn.unwrap();
    store.set_stall(None);
    let refused = answer(&mut first, 1).await.unwrap();
    assert_eq!(refused, Err(Refusal::Over));
    assert_eq!(playing().await, Vec::<String>::new());

    let paired = |message| match message {
        ServerMessage::Paired { g, .. } => Some(g),
        _ => None,
    };
    // Accepted on the one node, and then on the other.
    let (mut offering, mut accepting) = (second, first);
    for id in 10..12 {
        let of = ask(&mut offering, &g, id, rematch, None).await.unwrap();
        state(&mut accepting, &g).await.unwrap();
        let accepted = ask(&mut accepting, &g, id, ActionName::Accept, Some(of)).await;
        accepted.unwrap();
        let next = accepting.expect(paired).await.unwrap();
        assert_eq!(playing().await, std::slice::from_ref(&next));
        let child = memory.match_head(&next).await.unwrap().unwrap();
        assert_eq!(child.rematch_of.as_deref(), Some(&*g));
        let parent = memory.match_head(&g).await.unwrap().unwrap();
        assert_eq!(parent.rematch.as_ref(), Some(&next));
        (g, offering, accepting) = (next, accepting, offering);
        ask(&mut offering, &g, 1, resign, None).await.unwrap();
    }
}
