//! What reviews and the analysis board have in common, and the way to them.

use catalog::AnyMatch;
use rules::Random;
use serde_json::{Value, json};

use super::{
    chromium::{DESK, Device, PHONE},
    matches::choose,
    table::{Hand, Table, clicks, site},
};

pub(crate) const JAPANESE_PHONE: Device = Device {
    language: "ja",
    scheme: "dark",
    ..PHONE
};

pub(crate) const JAPANESE_DESK: Device = Device {
    language: "ja",
    ..DESK
};

/// A device for every hand, in both languages.
pub(crate) const HANDS: [(Device, Hand); 5] = [
    (DESK, Hand::Mouse),
    (PHONE, Hand::Finger),
    (DESK, Hand::Keys),
    (JAPANESE_PHONE, Hand::Finger),
    (JAPANESE_DESK, Hand::Keys),
];

/// A match of random moves that somebody then gives up.
pub(crate) fn played(game: &str, choices: &[(&str, &str)], n_moves: usize) -> Box<dyn AnyMatch> {
    let mut playing = catalog::find(game).unwrap().start(choices).unwrap();
    let mut random = Random::new(3);
    for _ in 0..n_moves {
        if playing.ending().is_some() {
            break;
        }
        let moves = playing.legal_moves();
        let m = random.pick(&moves).unwrap();
        playing.play(m).unwrap();
    }
    playing
}

/// The positions of a match, the start included.
pub(crate) fn positions(playing: &dyn AnyMatch) -> Vec<String> {
    let mut at = playing.boxed_clone();
    let line = playing.line(playing.cursor()).into_iter();
    line.map(|node| {
        at.go_to(node).unwrap();
        at.position()
    })
    .collect()
}

pub(crate) fn open(device: Device, fragment: &str) -> Table {
    let mut table = Table::open(device, fragment);
    wait_for_study(&mut table);
    table
}

/// Waits for a study with all of its parts: what is below the board comes last.
fn wait_for_study(table: &mut Table) {
    table.browser.wait_for_element(".study .mirror button");
    table
        .browser
        .wait_for_element(".study .middle > :is(.graph, .under)");
}

pub(crate) fn reload(table: &mut Table) {
    let fragment = table.browser.fragment();
    let fragment = fragment.as_str().unwrap();
    table.browser.open(&format!("{}{fragment}", site()));
    wait_for_study(table);
}

/// A review of `playing`, once it is done.
pub(crate) fn reviewed(device: Device, playing: &dyn AnyMatch) -> Table {
    let fragment = format!("#/review/shared/{}?speed=0", playing.to_link());
    let mut table = open(device, &fragment);
    wait_for_review(&mut table, playing);
    table
}

pub(crate) fn wait_for_review(table: &mut Table, playing: &dyn AnyMatch) {
    let n = playing.line(playing.cursor()).len();
    table.browser.wait_for("hasJudged", json!([n]));
    table.browser.wait_for("hasNot", json!([".prg"]));
}

pub(crate) fn wait_for_fen(table: &mut Table, fen: &str) {
    table.browser.wait_for("hasData", json!(["fen", fen]));
    table.rest();
}

/// The move that leads from one position to another.
pub(crate) fn move_between(game: &str, from: &str, to: &str) -> String {
    let from = catalog::find(game).unwrap().start_from(from).unwrap();
    let leads = |m: &String| {
        let mut after = from.boxed_clone();
        after.play(m).unwrap();
        after.position() == to
    };
    from.legal_moves().into_iter().find(leads).unwrap()
}

pub(crate) fn play(table: &mut Table, hand: Hand, game: &str, from: &str, m: &str) {
    let from = catalog::find(game).unwrap().start_from(from).unwrap();
    table.play(hand, &clicks(&*from, m));
}

#[test]
fn a_match_leads_to_its_analysis_and_its_review() {
    let mut table = Table::open(DESK, "#/takeover?opponent=human&board=7&speed=0");
    table.rest();
    let now = catalog::find("takeover").unwrap();
    let mut now = now.start(&[("board", "7")]).unwrap();
    let mut random = Random::new(1);
    for _ in 0..4 {
        let m = choose(&*now, &mut random);
        table.play(Hand::Mirror, &clicks(&*now, &m));
        now.play(&m).unwrap();
        wait_for_fen(&mut table, &now.position());
    }
    table.browser.click_on("#study");
    table
        .browser
        .wait_for_element(".study.analysis .mirror button");
    wait_for_fen(&mut table, &now.position());
    // What was played can't be deleted.
    assert_eq!(table.browser.count("#delete"), 0);
    // Back to the match, which has not changed.
    table.browser.call("historyBack", json!([]));
    table.browser.wait_for_element("#resign");
    wait_for_fen(&mut table, &now.position());
    table.browser.click_on("#resign");
    table.browser.click_on("#resign");
    table.browser.wait_for_element(".res #review");
    table.browser.click_on(".res #review");
    table
        .browser
        .wait_for_element(".study:not(.analysis) .graph");
    wait_for_review(&mut table, &*now);
    // A shared match that is over offers the same.
    let over = played("takeover", &[], 400);
    assert!(over.ending().is_some());
    let shared = format!("#/shared/{}?speed=0", over.to_link());
    table.browser.call("goTo", json!([shared]));
    table.browser.wait_for_element(".res #review");
    let review = table.browser.call("linkFragment", json!([".res #review"]));
    assert!(
        review.as_str().unwrap().starts_with("#/review/"),
        "{review}"
    );
    // And the menu of a phone leads to the analysis of any match.
    let mut phone = Table::open(PHONE, "#/nonaga?opponent=human&speed=0");
    phone.rest();
    phone.browser.click_on(".top button");
    phone.browser.wait_for_element(".menu:popover-open");
    phone.browser.click_on("#menu-study");
    phone
        .browser
        .wait_for_element(".study.analysis .mirror button");
    assert_eq!(phone.data("game"), "nonaga");
}

/// Nothing is out of reach, in both languages.
#[test]
fn studies_fit_on_the_screen() {
    // The list is longer than the screen.
    let playing = played("takeover", &[("board", "7")], 30);
    let link = playing.to_link();
    let low = Device {
        width: 1366,
        height: 657,
        ..DESK
    };
    let japanese = Device {
        language: "ja",
        ..low
    };
    for device in [DESK, low, japanese, PHONE, JAPANESE_PHONE] {
        let mut table = open(device, &format!("#/analysis/shared/{link}?speed=0"));
        let check = |table: &mut Table, what: &str| {
            let overflow = table.browser.call("overflow", json!([]));
            for side in ["height", "width"] {
                let fits = overflow[side].as_i64().unwrap() <= 0;
                assert!(fits, "{what} {device:?}: {overflow}");
            }
            let nothing = Value::Array(Vec::new());
            assert_eq!(
                table.browser.call("repeatedIds", json!([])),
                nothing,
                "{what}"
            );
            assert_eq!(table.browser.call("nameless", json!([])), nothing, "{what}");
        };
        table.browser.wait_for_element(".eng .lines li button");
        check(&mut table, "analysis");
        table.browser.call("click", json!(["#set-up"]));
        table.browser.wait_for_element(".setup");
        check(&mut table, "setting up");
        let done = table.browser.call("rect", json!(["#set-up-done"]));
        let bottom = done[1].as_f64().unwrap() + done[3].as_f64().unwrap();
        assert!(bottom <= f64::from(device.height), "{device:?}: {done}");
        let fragment = format!("#/review/shared/{link}?speed=0");
        table.browser.call("goTo", json!([fragment]));
        table.browser.wait_for_element(".graph");
        wait_for_review(&mut table, &*playing);
        check(&mut table, "review");
    }
}

/// Nothing that axe-core finds fault with.
#[cfg(feature = "audit")]
#[test]
fn an_audit_of_studies_finds_nothing() {
    let path = std::env::var_os("PARLOUR_AXE").expect("cargo xtask browser names the script");
    let axe = std::fs::read_to_string(path).unwrap();
    let playing = played("takeover", &[("board", "7")], 12);
    let exact = played("lilypads", &[("board", "42")], 12);
    let [link, exact_link] = [&playing, &exact].map(|playing| playing.to_link());
    let cases = [
        (
            DESK,
            format!("#/analysis/shared/{link}"),
            "",
            ".eng .lines li button",
        ),
        (
            DESK,
            format!("#/analysis/shared/{link}"),
            "#set-up",
            ".setup",
        ),
        (
            JAPANESE_PHONE,
            format!("#/analysis/shared/{exact_link}"),
            "#threat",
            ".evx",
        ),
        (DESK, format!("#/review/shared/{link}"), "", ".tp"),
        (
            JAPANESE_PHONE,
            format!("#/review/shared/{exact_link}"),
            "",
            "#learn",
        ),
    ];
    for (device, fragment, click, there) in cases {
        let mut table = open(device, &format!("{fragment}?speed=0"));
        table.browser.run(&axe);
        if !click.is_empty() {
            table.browser.call("click", json!([click]));
        }
        table.browser.wait_for_element(there);
        if fragment.contains("review") {
            let playing = if fragment.contains(&link) {
                &playing
            } else {
                &exact
            };
            wait_for_review(&mut table, &**playing);
        }
        let found = table.browser.call("audit", json!([]));
        assert!(found[0].as_u64().unwrap() > 10, "{fragment}: {found}");
        assert_eq!(found[1], Value::Array(Vec::new()), "{fragment} {click}");
    }
}
