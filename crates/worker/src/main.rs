//! The web worker of the page: hosts the engine.

fn main() {}
