//! The page's web worker, which hosts the engine.
//!
//! Every message is one line of the engine protocol, in either direction. The worker
//! posts `ready` when it is ready.

#[cfg(target_arch = "wasm32")]
mod download;
#[cfg(target_arch = "wasm32")]
mod host;

fn main() {
    #[cfg(target_arch = "wasm32")]
    host::run();
}
