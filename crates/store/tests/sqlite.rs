//! The laws, in an SQLite file.

use std::sync::Arc;

use store::{SqliteStore, laws::check_store};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_sqlite_store_obeys_the_laws() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("laws.sqlite")).unwrap();
    check_store(Arc::new(store), 0).await;
}
