//! Studies beside online play: nobody analyzes what they play, and everything fits afterwards.

use serde_json::json;

use super::online::sit_down;

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
