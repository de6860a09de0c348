//! Lets the bundler split the program: it has to know which code refers to which.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CARGO_CFG_TARGET_ARCH");
    let is_for_browser = std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32");
    if is_for_browser && cfg!(feature = "split") {
        println!("cargo::rustc-link-arg-bins=--emit-relocs");
    }
}
