//! The laws, in a Postgres server that the test starts.

#![cfg(all(unix, feature = "services"))]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::sync::Arc;

use protocol::{MatchResult, MatchStatus};
use store::{
    Append, Appended, Head, MemoryStore, NewAccount, NewMatch, PostgresStore, Store, StoreError,
    laws::{check_agreement, check_store},
};
use testservers::Postgres;
use tokio_postgres::NoTls;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_postgres_store_obeys_the_laws() {
    let server = Postgres::start().unwrap();
    let store = PostgresStore::connect(&server.url()).await.unwrap();
    check_store(Arc::new(store), 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_answers_as_the_memory_store_does() {
    let server = Postgres::start().unwrap();
    let store = PostgresStore::connect(&server.url()).await.unwrap();
    check_agreement(&MemoryStore::new(), &store, 7, 1000).await;
}

/// Many servers of a new version start at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn tables_are_created_once() {
    let server = Postgres::start().unwrap();
    let starts = (0..8).map(|_| {
        let url = server.url();
        tokio::spawn(async move { PostgresStore::connect(&url).await })
    });
    for start in starts.collect::<Vec<_>>() {
        let store = start.await.unwrap().unwrap();
        store.beat("node", 1).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_store_works_again_after_the_database_crashed() {
    let mut server = Postgres::start().unwrap();
    let store = PostgresStore::connect(&server.url()).await.unwrap();
    store.create_guest("a", "Guest", 1).await.unwrap();
    server.kill();
    for _ in 0..3 {
        let error = store.create_guest("b", "Guest", 2).await.unwrap_err();
        assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
        let error = store.player("a").await.unwrap_err();
        assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
    }
    server.restart().unwrap();
    store.create_guest("b", "Guest", 3).await.unwrap();
    for id in ["a", "b"] {
        assert!(store.player(id).await.unwrap().is_some(), "{id}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_speaks_tls_and_verifies_who_answers() {
    let server = Postgres::start_with_tls().unwrap();
    let port = server.port();
    let authority = server.authority().display().to_string();
    let url = |host: &str, more: &str| format!("postgres://postgres@{host}:{port}/postgres?{more}");
    let verified = format!("sslmode=verify-full&sslrootcert={authority}");
    let store = PostgresStore::connect(&url("localhost", &verified)).await;
    let store = store.unwrap();
    store.beat("node", 1).await.unwrap();
    let (client, connection) = tokio_postgres::connect(&server.url(), NoTls).await.unwrap();
    tokio::spawn(connection);
    let select = "SELECT 1 FROM pg_stat_ssl s JOIN pg_stat_activity a ON a.pid = s.pid
        WHERE s.ssl AND a.application_name = 'parlour'";
    assert!(!client.query(select, &[]).await.unwrap().is_empty());

    for (wrong, why) in [
        (url("127.0.0.1", &verified), "another name"),
        (url("localhost", "sslmode=require"), "another authority"),
        (
            url("localhost", "sslmode=verify-full&sslrootcert=/nothing"),
            "no file",
        ),
    ] {
        assert!(PostgresStore::connect(&wrong).await.is_err(), "{why}");
    }
    let plain = Postgres::start().unwrap();
    let wrong = format!(
        "postgres://postgres@localhost:{}/postgres?{verified}",
        plain.port()
    );
    assert!(PostgresStore::connect(&wrong).await.is_err(), "no TLS");
}

#[tokio::test]
async fn a_wrong_url_is_an_error() {
    for url in ["nonsense", "postgres://127.0.0.1:1/nothing"] {
        let error = PostgresStore::connect(url).await.unwrap_err();
        assert!(error.to_string().starts_with("the store is"), "{error}");
    }
}

/// Somebody else's transaction and ours wait for each other; Postgres ends ours.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transaction_that_loses_is_repeated() {
    let server = Postgres::start().unwrap();
    let store = PostgresStore::connect(&server.url()).await.unwrap();
    let (mut other, connection) = tokio_postgres::connect(&server.url(), NoTls).await.unwrap();
    tokio::spawn(connection);
    // Ours looks for deadlocks first.
    other
        .batch_execute("SET deadlock_timeout = '5s'")
        .await
        .unwrap();
    for id in ["p1", "p2"] {
        store.make_account(account(id)).await.unwrap();
    }
    let lock = "SELECT kind FROM players WHERE id = $1 FOR UPDATE";
    let mut n = 0;
    loop {
        n += 1;
        let id = format!("deadlock-{n}");
        store.create_match(rated_match(&id)).await.unwrap();
        let theirs = other.transaction().await.unwrap();
        theirs.query(lock, &[&"p2"]).await.unwrap();
        let ours = tokio::spawn({
            let store = store.clone();
            async move { store.append(ending(&id)).await }
        });
        // Ours has p1 and waits for p2.
        let waiting = "SELECT 1 FROM pg_locks WHERE NOT granted";
        while theirs.query(waiting, &[]).await.unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
        let has_won = theirs.query(lock, &[&"p1"]).await.is_ok();
        theirs.rollback().await.unwrap();
        let Appended::Done { rating_changes } = ours.await.unwrap().unwrap() else {
            panic!("the event is appended");
        };
        assert_eq!(rating_changes.len(), 2);
        if has_won {
            break;
        }
    }
    let ratings = store.ratings_of("p1").await.unwrap();
    assert_eq!(ratings[0].rating.n_matches, n, "each is rated once");
}

fn account(id: &str) -> NewAccount {
    NewAccount {
        id: id.to_owned(),
        name: id.to_owned(),
        password_hash: None,
        recovery_hashes: Vec::new(),
        is_bot: false,
        now: 1,
    }
}

fn head(status: MatchStatus, result: MatchResult) -> Head {
    Head {
        at: 0,
        state: String::new(),
        deadline: None,
        status,
        result,
    }
}

fn rated_match(id: &str) -> NewMatch {
    NewMatch {
        id: id.to_owned(),
        game: "a game".to_owned(),
        rules: 1,
        options: "{}".to_owned(),
        clock: "null".to_owned(),
        rated: true,
        first: "p1".to_owned(),
        second: "p2".to_owned(),
        head: head(MatchStatus::Playing, MatchResult::None),
        created: 1,
    }
}

fn ending(id: &str) -> Append {
    Append {
        id: id.to_owned(),
        version: 1,
        cause: None,
        time: 1,
        body: "over".to_owned(),
        head: head(MatchStatus::Over, MatchResult::First),
        record: None,
        rated_speed: Some("blitz".to_owned()),
        rematch: None,
    }
}
