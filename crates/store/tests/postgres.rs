//! The laws, in a Postgres server that the test starts.

#![cfg(all(unix, feature = "services"))]

use std::sync::Arc;

use store::{
    MemoryStore, PostgresStore, Store, StoreError,
    laws::{check_agreement, check_store},
};
use testservers::Postgres;

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

#[tokio::test]
async fn a_wrong_url_is_an_error() {
    for url in ["nonsense", "postgres://127.0.0.1:1/nothing"] {
        let error = PostgresStore::connect(url).await.unwrap_err();
        assert!(error.to_string().starts_with("the store is"), "{error}");
    }
}
