//! What those see who only look at the page from outside: search engines, whoever
//! shows a link, and assistive technology that goes from part to part.

use page::files;
use serde_json::{Value, json};

use super::{
    chromium::{DESK, Device},
    table::Table,
};

#[test]
fn the_page_says_what_it_is() {
    let mut table = Table::open(DESK, "");
    let meta = table.browser.call("meta", json!([]));
    let has_text = |name: &str| meta[name].as_str().is_some_and(|text| text.len() > 6);
    for name in ["description", "og:title", "og:description", "og:image:alt"] {
        assert!(has_text(name), "{name}: {meta}");
    }
    assert_eq!(meta["og:type"], "website");
    assert_eq!(meta["og:locale"], "en");
    assert_eq!(meta["og:locale:alternate"], "ja");
    // A page that anybody may serve has no address of its own.
    assert_eq!(meta["og:url"], Value::Null);
    assert_eq!(
        table.browser.call("title", json!([])),
        "Parlour",
        "before anything is chosen"
    );
    let data = table.browser.text("script[type='application/ld+json']");
    let data: Value = serde_json::from_str(&data).unwrap();
    assert_eq!(data["@context"], "https://schema.org");
    assert_eq!(data["@type"], "WebApplication");
    let games = data["hasPart"].as_array().unwrap().iter();
    let games: Vec<&Value> = games.map(|game| &game["name"]).collect();
    assert_eq!(games, ["Lilypads", "Nonaga", "Takeover", "Simply Go"]);
    // The picture is there, and is what it is said to be.
    let image = meta["og:image"].as_str().unwrap();
    let fetched = table.browser.call("fetchPicture", json!([image]));
    let width_and_height = [&meta["og:image:width"], &meta["og:image:height"]];
    assert_eq!(fetched[0], 200);
    assert_eq!(fetched[1], "image/png");
    assert_eq!([&fetched[2], &fetched[3]], width_and_height);
    assert_eq!(width_and_height, ["1200", "630"]);
}

/// The page knows its worker's script and does not load it before it needs it.
#[test]
fn the_worker_is_named_and_not_preloaded() {
    let mut table = Table::open(DESK, "");
    let named = table.browser.call("meta", json!([]))["parlour-worker"].take();
    let script = files().iter().find(|file| {
        let (stem, extension) = file.name.split_once('.').unwrap();
        stem.starts_with("worker-") && extension == "js"
    });
    assert_eq!(named, *script.expect("the worker has a script").name);
    let linked = "[href*=worker-], [src*=worker-]";
    assert_eq!(table.browser.count(linked), 0);
}

/// Nobody waits for the picture of links.
#[test]
fn the_first_load_has_no_picture() {
    let mut table = Table::open(DESK, "#/nonaga?opponent=human");
    table.rest();
    let card = files().iter().find(|file| file.name.starts_with("card-"));
    let card = &*card.expect("the page has a card").name;
    let requests = &table.browser.requests;
    assert!(!requests.iter().any(|address| address.ends_with(card)));
}

#[test]
fn language_landmarks_and_the_way_past_them() {
    for (language, tag) in [("en-US", "en"), ("ja", "ja")] {
        let device = Device { language, ..DESK };
        let mut table = Table::open(device, "#/takeover?board=7&opponent=human&speed=0");
        let root = table.browser.call("root", json!([]));
        assert_eq!(root["lang"], tag);
        for landmark in ["main", "nav", "aside"] {
            assert_eq!(table.browser.count(landmark), 1, "{landmark}");
        }
        let named = json!(["nav", "aria-label"]);
        assert_ne!(table.browser.call("attribute", named), Value::Null);
        // The first thing that a Tab finds leads to the board.
        table.browser.press("Tab");
        let focused = table.browser.call("focused", json!([]));
        assert_eq!(focused["className"], "skip");
        table.browser.wait_for("isFocusOnScreen", json!([]));
        table.browser.press("Enter");
        // On a place, from which the arrow keys go on.
        let place = json!([".mirror [data-target]"]);
        table.browser.wait_for("isFocusInside", place);
        let hash = table.browser.fragment();
        assert!(hash.as_str().unwrap().starts_with("#/takeover?"), "{hash}");
        // The title names the game.
        let title = table.browser.call("title", json!([]));
        let name = if tag == "en" {
            "Takeover"
        } else {
            "テイクオーバー"
        };
        assert!(title.as_str().unwrap().contains(name), "{title}");
    }
}

/// On the home screen the first Tab finds a link past the settings, to the games.
#[test]
fn the_home_screen_has_a_skip_link() {
    let mut table = Table::open(DESK, "");
    table.browser.press("Tab");
    let focused = table.browser.call("focused", json!([]));
    assert_eq!(focused["className"], "skip");
    table.browser.wait_for("isFocusOnScreen", json!([]));
    table.browser.press("Enter");
    table.browser.wait_for("isFocusInside", json!(["main a"]));
    assert_eq!(table.browser.fragment(), "");
}
