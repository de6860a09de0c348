//! The laws, in an SQLite file.

#![cfg(feature = "databases")]

use std::sync::Arc;

use store::{
    MemoryStore, SqliteStore,
    laws::{check_agreement, check_store},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_sqlite_store_obeys_the_laws() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("laws.sqlite")).unwrap();
    check_store(Arc::new(store), 0).await;
}

#[tokio::test]
async fn it_answers_as_the_memory_store_does() {
    for seed in 0..2 {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("store")).unwrap();
        check_agreement(&MemoryStore::new(), &store, seed, 1000).await;
    }
}
