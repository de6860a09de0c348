use std::{collections::HashMap, sync::Arc};

use super::{at_once, event, new_match, random};
use crate::{Append, Appended, Head, Store, StoreError, StoredEvent};

const MATCHES: u32 = 3;
const TASKS: u32 = 8;
const TRIES: u32 = 40;

/// The answers that a task got.
#[derive(Debug)]
struct Told {
    id: String,
    version: u64,
    cause: Option<String>,
    body: String,
    answer: Appended,
}

/// Laws 1 and 2: many writers with right and wrong versions, and causes that repeat.
pub(super) async fn check(store: &Arc<dyn Store>, seed: u64) {
    for i in 0..MATCHES {
        let new = new_match(&format!("log-{i}"), "a", "b");
        assert!(store.create_match(new.clone()).await.unwrap());
        assert!(!store.create_match(new).await.unwrap());
    }
    let nowhere = store.append(event("nowhere", 1, None, "")).await.unwrap();
    assert_eq!(nowhere, Appended::Stale);
    assert_eq!(store.events_after("nowhere", 0).await.unwrap(), []);
    let zero = store.append(event("log-0", 0, None, "")).await.unwrap();
    assert_eq!(zero, Appended::Stale);

    let told = at_once(store, TASKS, |store, task| {
        Box::pin(async move {
            let mut random = random(seed, task);
            let mut told = Vec::new();
            for n in 0..TRIES {
                let id = format!("log-{}", random.below(MATCHES));
                let versions = store.versions(std::slice::from_ref(&id)).await.unwrap();
                // Most of the time the version that was next a moment ago.
                let next = versions[&id] + 1;
                let version = match random.below(8) {
                    0 => next.saturating_sub(1),
                    1 => next + 1,
                    2 => next + 2,
                    _ => next,
                };
                let cause = match random.below(4) {
                    0 => None,
                    _ => Some(format!("first-{}", random.below(TASKS * TRIES / 4))),
                };
                let body = format!("{task} {n}");
                let mut append = event(&id, version, cause.as_deref(), &body);
                append.head = Head {
                    at: version,
                    state: body.clone(),
                    deadline: Some(version),
                    ..append.head
                };
                let answer = store.append(append).await.unwrap();
                if random.below(4) == 0 {
                    // A match is loaded as it was at one moment.
                    let stored = store.load_match(&id).await.unwrap().unwrap();
                    let last = stored.events.last().map_or(0, |event| event.version);
                    assert_eq!(stored.head.version, last);
                }
                told.push(Told {
                    id,
                    version,
                    cause,
                    body,
                    answer,
                });
            }
            told
        })
    })
    .await;
    let told: Vec<Told> = told.into_iter().flatten().collect();
    let mut n_done = 0;
    for i in 0..MATCHES {
        let id = format!("log-{i}");
        let told = told.iter().filter(|told| told.id == id);
        n_done += check_log(store, &id, told.collect()).await;
    }
    assert!(n_done > TASKS, "too few events to show anything: {n_done}");
}

/// Checks the answers about a match against its log. Returns the number of events.
async fn check_log(store: &Arc<dyn Store>, id: &str, told: Vec<&Told>) -> u32 {
    let stored = store.load_match(id).await.unwrap().unwrap();
    let versions: Vec<u64> = stored.events.iter().map(|event| event.version).collect();
    let expected: Vec<u64> = (1..=stored.head.version).collect();
    assert_eq!(versions, expected, "versions have no gaps");
    let log: HashMap<u64, &StoredEvent> = (1..).zip(&stored.events).collect();
    let mut n_done = 0;
    for told in &told {
        match told.answer {
            Appended::Done { .. } => {
                let event = log[&told.version];
                assert_eq!((&event.body, &event.cause), (&told.body, &told.cause));
                n_done += 1;
            }
            Appended::Repeated { version } => {
                assert!(told.cause.is_some());
                assert_eq!(log[&version].cause, told.cause);
            }
            Appended::Stale => {
                let is_stored = stored.events.iter().any(|event| event.body == told.body);
                assert!(!is_stored, "{told:?} is stored");
            }
        }
    }
    assert_eq!(
        n_done,
        stored.events.len(),
        "each event was acknowledged once"
    );
    let causes = stored
        .events
        .iter()
        .filter_map(|event| event.cause.as_ref());
    let causes: Vec<_> = causes.collect();
    let mut distinct = causes.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), causes.len(), "causes are unique");

    let last = stored.events.last().unwrap();
    assert_eq!(stored.head.head.state, last.body);
    assert_eq!(stored.head.head.at, last.version);
    assert_eq!(
        store.match_head(id).await.unwrap(),
        Some(stored.head.clone())
    );
    let half = stored.head.version / 2;
    let after = store.events_after(id, half).await.unwrap();
    assert_eq!(after, stored.events[usize::try_from(half).unwrap()..]);
    let n_events = u32::try_from(n_done).unwrap();

    // Whatever version a repeated cause is sent with, it gets its own back.
    let caused = stored.events.iter().find(|event| event.cause.is_some());
    let caused = caused.unwrap();
    for version in [
        0,
        1,
        caused.version,
        stored.head.version + 1,
        stored.head.version + 5,
    ] {
        let repeated = event(id, version, caused.cause.as_deref(), "repeated");
        let answer = store.append(repeated).await.unwrap();
        assert_eq!(
            answer,
            Appended::Repeated {
                version: caused.version
            }
        );
    }
    assert_eq!(store.load_match(id).await.unwrap(), Some(stored));
    n_events
}

fn rematch(id: &str, version: u64, cause: &str, of: &str) -> Append {
    Append {
        rematch: Some(new_match(id, "b", "a")),
        ..event(of, version, Some(cause), id)
    }
}

/// Law 4: of many servers one creates the rematch, and each rematch comes with its event.
pub(super) async fn check_rematch(store: &Arc<dyn Store>) {
    store
        .create_match(new_match("rematch", "a", "b"))
        .await
        .unwrap();
    let answers = at_once(store, 8, |store, i| {
        Box::pin(async move {
            let id = format!("rematch-{i}");
            loop {
                let version = store.match_head("rematch").await.unwrap().unwrap().version + 1;
                match store.append(rematch(&id, version, &id, "rematch")).await {
                    Ok(Appended::Stale) => {
                        // Nothing was created.
                        assert_eq!(store.match_head(&id).await.unwrap(), None);
                    }
                    answer => return (id, answer),
                }
            }
        })
    })
    .await;
    let mut agreed = answers.iter().filter(|(_, answer)| answer.is_ok());
    let (next, _) = agreed.next().unwrap();
    assert_eq!(agreed.next(), None);
    for (id, answer) in &answers {
        if id != next {
            assert!(matches!(answer, Err(StoreError::Broken(_))), "{answer:?}");
            assert_eq!(store.match_head(id).await.unwrap(), None);
        }
    }
    let stored = store.load_match("rematch").await.unwrap().unwrap();
    assert_eq!(stored.head.rematch.as_ref(), Some(next));
    assert_eq!(stored.events.len(), 1);
    assert_eq!(stored.events[0].body, *next);
    let head = store.match_head(next).await.unwrap().unwrap();
    assert_eq!(head.rematch_of.as_deref(), Some("rematch"));
    assert_eq!((head.version, &*head.first), (0, "b"));

    // A repeated one, a stale one and those of no match create nothing, either.
    let stale = rematch("rematch-again", 3, "cause", "rematch");
    assert_eq!(store.append(stale).await.unwrap(), Appended::Stale);
    let repeated = rematch("rematch-again", 2, next, "rematch");
    let answer = store.append(repeated).await.unwrap();
    assert_eq!(answer, Appended::Repeated { version: 1 });
    let nowhere = rematch("rematch-again", 1, "cause", "nowhere");
    assert_eq!(store.append(nowhere).await.unwrap(), Appended::Stale);
    assert_eq!(store.match_head("rematch-again").await.unwrap(), None);
    // The id of another match is none of a new one.
    for taken in ["rematch", next] {
        let answer = store.append(rematch(taken, 1, "cause", next)).await;
        assert!(matches!(answer, Err(StoreError::Broken(_))), "{answer:?}");
        assert_eq!(
            store.match_head(next).await.unwrap().as_ref(),
            Some(&head),
            "nothing changed"
        );
        assert_eq!(store.events_after(next, 0).await.unwrap(), []);
    }
    let later = rematch("rematch-later", 1, "cause", next);
    let done = Appended::Done {
        rating_changes: Vec::new(),
    };
    assert_eq!(store.append(later).await.unwrap(), done);
    let later = store.match_head("rematch-later").await.unwrap().unwrap();
    assert_eq!(later.rematch_of.as_ref(), Some(next));
}
