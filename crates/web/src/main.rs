//! The Parlour page: four games in the browser.
//!
//! It holds no search: the engine is a program of its own, in a web worker. Everything
//! but the reading of addresses and the following of pointers needs a browser, so on
//! other targets there is next to nothing here.

#![cfg_attr(
    target_arch = "wasm32",
    allow(unreachable_pub, reason = "components are written out as public items")
)]

#[cfg(target_arch = "wasm32")]
mod app;
#[cfg(target_arch = "wasm32")]
mod audio;
#[cfg(target_arch = "wasm32")]
mod board;
#[cfg(target_arch = "wasm32")]
mod camera;
#[cfg_attr(
    not(any(test, target_arch = "wasm32")),
    expect(dead_code, reason = "only the browser and tests have settings")
)]
mod choices;
#[cfg(target_arch = "wasm32")]
mod clock;
#[cfg_attr(
    not(any(test, target_arch = "wasm32")),
    expect(dead_code, reason = "only the browser and tests have clocks")
)]
mod clock_face;
#[cfg(target_arch = "wasm32")]
mod comments;
#[cfg(target_arch = "wasm32")]
mod confetti;
#[cfg(target_arch = "wasm32")]
mod controls;
#[cfg(target_arch = "wasm32")]
mod device;
#[cfg(target_arch = "wasm32")]
mod dialog;
#[cfg(target_arch = "wasm32")]
mod driver;
#[cfg(target_arch = "wasm32")]
mod easel;
#[cfg(target_arch = "wasm32")]
mod engine;
#[cfg(target_arch = "wasm32")]
mod files;
#[cfg_attr(
    not(any(test, target_arch = "wasm32")),
    expect(dead_code, reason = "only the browser and tests have pointers")
)]
mod gesture;
#[cfg(target_arch = "wasm32")]
mod help;
#[cfg(target_arch = "wasm32")]
mod hint;
#[cfg(target_arch = "wasm32")]
mod history;
#[cfg(target_arch = "wasm32")]
mod home;
#[cfg(target_arch = "wasm32")]
mod hosted_board;
#[cfg(target_arch = "wasm32")]
mod html;
#[cfg(target_arch = "wasm32")]
mod icons;
#[cfg(target_arch = "wasm32")]
mod keys;
#[cfg(target_arch = "wasm32")]
mod lazy;
#[cfg(target_arch = "wasm32")]
mod learn;
#[cfg_attr(
    not(any(test, target_arch = "wasm32")),
    expect(dead_code, reason = "only the browser and tests read addresses")
)]
mod learn_route;
#[cfg(target_arch = "wasm32")]
mod library;
#[cfg(target_arch = "wasm32")]
mod match_board;
#[cfg(target_arch = "wasm32")]
mod miniature;
#[cfg(target_arch = "wasm32")]
mod mirror;
#[cfg(target_arch = "wasm32")]
mod moves;
#[cfg(target_arch = "wasm32")]
mod nav;
#[cfg(target_arch = "wasm32")]
mod news;
#[cfg_attr(
    not(any(test, target_arch = "wasm32")),
    expect(dead_code, reason = "only the browser and tests have an engine")
)]
mod off_limits;
#[cfg(target_arch = "wasm32")]
mod online;
mod online_route;
#[cfg(target_arch = "wasm32")]
mod online_state;
#[cfg(target_arch = "wasm32")]
mod painter;
#[cfg(target_arch = "wasm32")]
mod panel;
#[cfg(target_arch = "wasm32")]
mod preferences;
#[cfg(target_arch = "wasm32")]
mod puzzle;
#[cfg_attr(
    not(target_arch = "wasm32"),
    allow(dead_code, reason = "only the browser makes all of these addresses")
)]
mod puzzle_route;
#[cfg(target_arch = "wasm32")]
mod replay;
#[cfg(target_arch = "wasm32")]
mod result;
#[cfg(target_arch = "wasm32")]
mod resume;
#[cfg(target_arch = "wasm32")]
mod room;
#[cfg(target_arch = "wasm32")]
mod rooms;
#[cfg_attr(
    not(any(test, target_arch = "wasm32")),
    expect(dead_code, reason = "only the browser and tests read addresses")
)]
mod route;
#[cfg(target_arch = "wasm32")]
mod segment;
#[cfg(target_arch = "wasm32")]
mod session;
#[cfg(target_arch = "wasm32")]
mod settings;
#[cfg(target_arch = "wasm32")]
mod share;
#[cfg(target_arch = "wasm32")]
mod sheet;
#[cfg(target_arch = "wasm32")]
mod shelf;
#[cfg_attr(
    not(any(test, target_arch = "wasm32")),
    expect(dead_code, reason = "only the browser and tests make sounds")
)]
mod sound;
#[cfg(target_arch = "wasm32")]
mod statistics;
#[cfg(target_arch = "wasm32")]
mod study;
#[cfg_attr(
    not(target_arch = "wasm32"),
    allow(dead_code, reason = "only the browser makes all of these addresses")
)]
mod study_route;
#[cfg(target_arch = "wasm32")]
mod timer;
#[cfg(target_arch = "wasm32")]
mod updates;
#[cfg(target_arch = "wasm32")]
mod wheel;

#[cfg(target_arch = "wasm32")]
fn main() {
    console_error_panic_hook::set_once();
    app::open();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
