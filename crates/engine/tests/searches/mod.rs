//! Searches whose results are recorded in `tests/searches.txt`, so that they can be repeated
//! elsewhere.
//!
//! A line of the file has the name of a game, lines of the protocol and the answer, separated by
//! bars.

mod summary;

use std::time::Duration;

use engine::Engine;
use search::Slice;
use summary::summary;

/// The separator.
pub(crate) const BAR: &str = " | ";

/// Says `lines` to a new engine. Returns what its last report and its move are, without times.
pub(crate) fn answer<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let mut engine = Engine::new(catalog::GAMES[0], || Duration::ZERO).expect("a game has a start");
    let mut said: Vec<String> = lines
        .into_iter()
        .flat_map(|line| engine.answer(line))
        .collect();
    while engine.has_work() {
        said.extend(engine.step(Slice::WHOLE));
    }
    summary(&said)
}
