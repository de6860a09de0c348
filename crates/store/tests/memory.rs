//! The laws, in memory.

use std::sync::Arc;

use store::{MemoryStore, laws::check_store};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_memory_store_obeys_the_laws() {
    for seed in 0..4 {
        check_store(Arc::new(MemoryStore::new()), seed).await;
    }
}
