#![no_main]
#![allow(dead_code, reason = "each target uses a part of the harness")]

#[path = "../harness.rs"]
mod harness;

libfuzzer_sys::fuzz_target!(|text: &str| harness::protocol(text));
