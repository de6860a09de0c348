#![no_main]

#[path = "../online.rs"]
mod online;

libfuzzer_sys::fuzz_target!(|text: &str| online::messages(text));
