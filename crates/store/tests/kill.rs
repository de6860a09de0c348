//! A process that is killed while it appends loses nothing that was acknowledged.

#![cfg(feature = "databases")]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
};

use protocol::{MatchResult, MatchStatus};
use rules::Random;
use store::{Append, Appended, Head, NewMatch, SqliteStore, Store};

/// The environment variable with the folder of the store of the process to be killed.
const FOLDER: &str = "PARLOUR_STORE_KILLED_IN";
const TEST: &str = "a_killed_process_loses_nothing_that_was_acknowledged";
const MATCHES: u32 = 4;
const ROUNDS: u64 = 6;

fn head() -> Head {
    Head {
        at: 0,
        state: String::new(),
        deadline: None,
        status: MatchStatus::Playing,
        result: MatchResult::None,
    }
}

fn new_match(id: String) -> NewMatch {
    NewMatch {
        id,
        game: "a game".to_owned(),
        rules: 1,
        options: "{}".to_owned(),
        clock: "null".to_owned(),
        rated: false,
        first: "a".to_owned(),
        second: "b".to_owned(),
        head: head(),
        created: 1,
    }
}

/// Appends to all matches, and prints what was acknowledged.
async fn append_until_killed(folder: &Path) {
    let store = Arc::new(SqliteStore::open(&folder.join("store")).unwrap());
    let tasks = (0..MATCHES).map(|i| {
        let store = Arc::clone(&store);
        tokio::spawn(append_for_ever(store, format!("m{i}")))
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
}

async fn append_for_ever(store: Arc<SqliteStore>, id: String) {
    store.create_match(new_match(id.clone())).await.unwrap();
    let version = store.match_head(&id).await.unwrap().unwrap().version;
    for version in version + 1.. {
        let append = Append {
            id: id.clone(),
            version,
            cause: Some(format!("cause {version}")),
            time: version,
            body: format!("event {version}"),
            head: head(),
            record: None,
            rated_speed: None,
            rematch: None,
        };
        let done = store.append(append).await.unwrap();
        assert!(matches!(done, Appended::Done { .. }), "{done:?}");
        let mut out = std::io::stdout().lock();
        writeln!(out, "{id} {version}").unwrap();
        out.flush().unwrap();
    }
}

/// Starts this test in a process of its own, lets it append `n_events`, kills it, and returns the
/// last acknowledged version of every match.
fn run_and_kill(folder: &Path, n_events: u32) -> Vec<(String, u64)> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", TEST, "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut acknowledged = Vec::new();
    let mut note = |line: &str| {
        let (id, version) = line.split_once(' ').unwrap_or_default();
        if let Ok(version) = version.parse() {
            acknowledged.push((id.to_owned(), version));
        }
    };
    for line in lines.by_ref().take(n_events as usize) {
        note(&line.unwrap());
    }
    // SIGKILL: nothing of the process runs after it.
    child.kill().unwrap();
    child.wait().unwrap();
    // Earlier output counts too, except for an incomplete line.
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    let whole = rest.len().saturating_sub(1);
    rest[..whole].iter().for_each(|line| note(line));
    acknowledged
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_process_loses_nothing_that_was_acknowledged() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return append_until_killed(Path::new(&folder)).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(1);
    let mut n_events = 0;
    for _ in 0..ROUNDS {
        let n_lines = 20 + random.below(200);
        let acknowledged = run_and_kill(folder.path(), n_lines);
        assert!(acknowledged.len() >= 10, "{acknowledged:?}");
        let store = SqliteStore::open(&folder.path().join("store")).unwrap();
        for (id, version) in acknowledged {
            let events = store.events_after(&id, version - 1).await.unwrap();
            let event = events.first().expect("it is stored");
            assert_eq!(event.version, version);
            assert_eq!(event.body, format!("event {version}"));
        }
        for i in 0..MATCHES {
            let id = format!("m{i}");
            let stored = store.load_match(&id).await.unwrap().unwrap();
            let versions: Vec<u64> = stored.events.iter().map(|event| event.version).collect();
            assert_eq!(versions, Vec::from_iter(1..=stored.head.version));
            n_events += versions.len();
        }
    }
    assert!(n_events > 100, "{n_events}");
}
