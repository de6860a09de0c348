//! Whole matches of two people, move by move.

use catalog::AnyMatch;
use rules::{Outcome, Random};
use serde_json::json;

use super::{
    chromium::{DESK, Device, PHONE},
    table::{Hand, Table, clicks, site},
};

/// Plays a whole match of two people by way of `hand`, and checks the page
/// against the rules after every move.
fn play_match(device: Device, hand: Hand, game: &str, choices: &[(&str, &str)], seed: u64) {
    let mut fragment = format!("#/{game}?opponent=human&speed=0");
    for (name, value) in choices {
        fragment += &format!("&{name}={value}");
    }
    let mut table = Table::open(device, &fragment);
    let mut playing = catalog::find(game).unwrap().start(choices).unwrap();
    let mut random = Random::new(seed);
    assert_eq!(table.data("game"), game);
    while playing.ending().is_none() {
        let m = choose(&*playing, &mut random);
        let clicks = clicks(&*playing, &m);
        assert_eq!(table.data("result"), "none");
        table.play(hand, &clicks);
        playing.play(&m).unwrap();
        table.rest();
        assert_eq!(
            table.data("fen"),
            playing.position(),
            "after {m} by {clicks:?}"
        );
        assert_eq!(table.data("turn"), playing.turn().to_string());
    }
    let outcome = playing.ending().unwrap().outcome.to_string();
    assert_eq!(table.data("result"), outcome);
    // After the end nothing changes any more.
    let fen = table.data("fen");
    let targets = table.browser.call("targets", json!([]));
    for id in targets.as_array().unwrap().iter().take(12) {
        table.play(Hand::Mirror, &[id.as_str().unwrap().to_owned()]);
    }
    assert_eq!(table.data("fen"), fen);
    assert_eq!(table.browser.complaints, [""; 0]);
    let is_ours = |address: &String| address.starts_with(site()) || address == "about:blank";
    assert!(
        table.browser.requests.iter().all(is_ours),
        "{:?}",
        table.browser.requests
    );
    table.browser.screenshot(&format!("end-{game}-{hand:?}"));
}

/// A move at random, but one that wins if there is one, so that matches end.
pub(crate) fn choose(playing: &dyn AnyMatch, random: &mut Random) -> String {
    let mut moves = playing.legal_moves();
    let wins = moves.iter().find(|m| {
        let mut next = playing.boxed_clone();
        next.play(m).is_ok() && next.ending().is_some()
    });
    if let Some(m) = wins.filter(|m| *m != "pass") {
        return m.clone();
    }
    if moves.len() > 1 {
        moves.retain(|m| m != "pass");
    }
    random.pick(&moves).unwrap().clone()
}

const SHORT_GO: &[(&str, &str)] = &[("size", "9"), ("mode", "moves:40")];

#[test]
fn whole_matches_by_mouse() {
    play_match(DESK, Hand::Mouse, "lilypads", &[("board", "42")], 1);
    play_match(DESK, Hand::Mouse, "nonaga", &[], 2);
    play_match(DESK, Hand::Drag, "takeover", &[("board", "7")], 3);
    play_match(DESK, Hand::Mouse, "simply-go", SHORT_GO, 4);
}

#[test]
fn whole_matches_by_touch_on_a_phone() {
    play_match(PHONE, Hand::Finger, "lilypads", &[("board", "7")], 5);
    play_match(
        PHONE,
        Hand::Finger,
        "nonaga",
        &[("variant", "published")],
        6,
    );
    play_match(PHONE, Hand::Finger, "takeover", &[("variant", "ataxx")], 7);
    play_match(PHONE, Hand::Finger, "simply-go", SHORT_GO, 8);
}

#[test]
fn whole_matches_by_keyboard_alone() {
    play_match(DESK, Hand::Keys, "lilypads", &[("board", "3")], 9);
    play_match(DESK, Hand::Keys, "nonaga", &[], 10);
    play_match(DESK, Hand::Keys, "takeover", &[("board", "9")], 11);
    play_match(DESK, Hand::Keys, "simply-go", SHORT_GO, 12);
}

/// The clicks of a short match of Nonaga that somebody wins, and who.
pub(crate) fn short_win() -> (Vec<Vec<String>>, Outcome) {
    // The shortest of some matches, since each move takes its time.
    let matches = (0..300).map(|seed| {
        let mut playing = catalog::find("nonaga").unwrap().start(&[]).unwrap();
        let mut random = Random::new(seed);
        let mut script = Vec::new();
        while playing.ending().is_none() {
            let m = choose(&*playing, &mut random);
            script.push(clicks(&*playing, &m));
            playing.play(&m).unwrap();
        }
        (script, playing.ending().unwrap().outcome)
    });
    let won = matches.filter(|(_, outcome)| *outcome != Outcome::Draw);
    won.min_by_key(|(script, _)| script.len()).unwrap()
}
