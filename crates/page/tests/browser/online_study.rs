//! Studies beside online play: nobody analyzes what they play, and everything fits afterwards.

use catalog::AnyMatch;
use serde_json::json;

use super::{
    online::{mover, sit_down},
    table::{Hand, clicks},
};

#[test]
fn the_engine_is_off_while_somebody_plays() {
    let mut two = sit_down("takeover", &[]);
    let playing = two[0].browser().fragment();
    for one in &mut two {
        one.browser()
            .call("goTo", json!(["#/analysis/takeover?board=7&speed=0"]));
        one.browser().wait_for_element(".study .under");
        one.browser().wait_for_element("#engine:disabled");
        let said = one.browser().text(".eng .st");
        assert_eq!(said, "Off while you play online.");
        assert_eq!(one.browser().count(".eng .lines li button"), 0);
        for key in ["e", "t"] {
            one.browser().press(key);
            one.browser().call("nextFrame", json!([]));
        }
        assert_eq!(one.browser().count("#engine:checked"), 0);
        assert_eq!(one.browser().count("#threat[aria-pressed=true]"), 0);
        one.browser().screenshot("analysis-off");
    }
    // Once the match is over, the engine is there again, and so is the review.
    two[0].browser().call("goTo", json!([playing]));
    two[0].wait_for_connection("connected");
    two[0].resign();
    two[0].browser().wait_for_element("#rematch");
    two[0]
        .browser()
        .call("goTo", json!(["#/analysis/takeover?board=7&speed=0"]));
    two[0].browser().wait_for_element("#engine:checked");
    two[0].browser().wait_for_element(".eng .lines li button");
    // Style sheets of online play are there by now; the cards of a review keep their width.
    let review = super::study::played("takeover", &[("board", "7")], 12);
    let review = format!("#/review/shared/{}?speed=0", review.to_link());
    two[0].browser().call("goTo", json!([review]));
    two[0].browser().wait_for_element(".score");
    two[0].browser().screenshot("review-after-online");
    let overflow = two[0].browser().call("overflow", json!([]));
    assert!(overflow["width"].as_i64().unwrap() <= 0, "{overflow}");
    let card = two[0].browser().call("rect", json!([".score"]));
    let side = two[0].browser().call("rect", json!([".side"]));
    assert!(
        card[2].as_f64().unwrap() < side[2].as_f64().unwrap() / 2.0,
        "{card} {side}"
    );
    for one in &mut two {
        assert_eq!(one.browser().complaints, [""; 0]);
    }
}

/// Three days a turn: a clock, but none that runs while somebody thinks about other matches.
const DAYS: &str = ".friend input[name=online-clock][value='5']";

#[test]
fn what_follows_from_a_slow_match_is_off_limits_too() {
    let mut two = sit_down("takeover", &[DAYS]);
    let fen = two[0].table.data("fen");
    let mut playing = catalog::find("takeover").unwrap().start_from(&fen).unwrap();
    // The first turn, so that the position is one of this match alone.
    let m = playing.legal_moves()[0].clone();
    let by = mover(&mut two, playing.turn());
    two[by].table.play(Hand::Mirror, &clicks(&*playing, &m));
    playing.play(&m).unwrap();
    for one in &mut two {
        one.wait_for_position(&playing.position());
    }
    let browser = two[0].browser();
    let analysis = |playing: &dyn AnyMatch| {
        let link = playing.to_link();
        json!([format!("#/analysis/shared/{link}?speed=0")])
    };
    // The lists come when the match is left.
    browser.call("goTo", analysis(&*playing));
    browser.wait_for_element("#engine:disabled");
    // One move on.
    let m = playing.legal_moves()[0].clone();
    playing.play(&m).unwrap();
    browser.call("goTo", analysis(&*playing));
    browser.wait_for_element("#engine:disabled");
    // Nor are there hints.
    let link = format!("#/shared/{}?speed=0", playing.to_link());
    browser.call("goTo", json!([link]));
    browser.wait_for_element("#hint:disabled");
    browser.press("h");
    browser.call("nextFrame", json!([]));
    assert_eq!(browser.count(".hint"), 0);
    // Other matches are free.
    browser.call("goTo", json!(["#/nonaga?opponent=human&speed=0"]));
    browser.wait_for_element("#hint:not(:disabled)");
    // The page is loaded again, and the server does not answer.
    let address = format!("{}{link}", two[0].network.site());
    two[0].browser().send("Network.enable", json!({}));
    let blocked = json!({"urls": ["*/api/*"]});
    two[0].browser().send("Network.setBlockedURLs", blocked);
    two[0].browser().open(&address);
    two[0].browser().wait_for_element("#hint:disabled");
}
