//! What the rule sheets say about the look, as far as it needs a browser.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    chromium::{Chromium, DESK, Device, PHONE},
    matches::{choose, short_win},
    table::{Hand, Table, clicks, site},
};

/// A phone on its side.
pub(crate) const SIDEWAYS: Device = Device {
    width: 844,
    height: 390,
    ..PHONE
};

const SMALL_PHONE: Device = Device {
    width: 375,
    height: 667,
    ..PHONE
};

fn ids(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn color(table: &mut Table, selector: &str) -> Value {
    table.browser.call("style", json!([selector, "color"]))
}

const BLUE: &str = "rgb(27, 86, 180)";
const RED: &str = "rgb(179, 26, 43)";

#[test]
fn lilypads_shows_holdings_whose_turn_it_is_and_who_wins() {
    let mut table = Table::open(DESK, "#/lilypads?board=42&opponent=human&speed=0");
    let held = |table: &mut Table| table.browser.call("piecesHeld", json!([]));
    // The far player's card comes first.
    assert_eq!(held(&mut table), json!([3, 3]));
    assert_eq!(color(&mut table, ".pc.on b"), BLUE);
    table.play(Hand::Mirror, &ids(&["0", "3"]));
    table.rest();
    assert_eq!(held(&mut table), json!([3, 2]));
    assert_eq!(color(&mut table, ".pc.on b"), RED);
    for _ in 0..2 {
        table.browser.click_on("#resign");
    }
    table.browser.wait_for_element(".res h2");
    assert_eq!(table.browser.text(".res h2"), "Blue wins");
    assert_eq!(color(&mut table, ".res h2"), BLUE);
}

/// Everything refers to circles by their numbers, so that they are shown on small screens too.
#[test]
fn lilypads_shows_its_numbers_on_every_screen() {
    let laptop = Device {
        width: 1366,
        height: 657,
        ..DESK
    };
    for device in [DESK, laptop, PHONE, SMALL_PHONE] {
        let mut table = Table::open(device, "");
        let fragment = json!(["#/lilypads?board=42&opponent=human&speed=0"]);
        let texts = table.browser.call("textsOnBoard", fragment);
        let texts = texts.as_array().unwrap();
        for circle in 1..=28 {
            let is_drawn = texts.contains(&json!(circle.to_string()));
            assert!(is_drawn, "{circle} at {} px: {texts:?}", device.height);
        }
    }
}

/// Its list names places by coordinates, which a key shows, and a setting on phones; both are
/// kept.
#[test]
fn nonaga_shows_its_coordinates_on_demand() {
    let fragment = json!(["#/nonaga?opponent=human&speed=0"]);
    for (device, has_keys) in [(DESK, true), (PHONE, false)] {
        let mut table = Table::open(device, "");
        let texts = table.browser.call("textsOnBoard", fragment.clone());
        assert_eq!(texts, json!([]));
        if has_keys {
            table.browser.press("c");
        } else {
            table.browser.click_on("#settings");
            table.browser.wait_for_element(".set");
            table.browser.click_on("input[name=coordinates]");
        }
        table.browser.open(site());
        let texts = table.browser.call("textsOnBoard", fragment.clone());
        let texts = texts.as_array().unwrap();
        assert!(texts.contains(&json!("2,−2")), "{texts:?}");
        assert_eq!(texts.len(), 19);
    }
}

#[test]
fn takeover_shows_the_counts_of_both_sides() {
    let mut table = Table::open(DESK, "#/takeover?board=7&opponent=human&speed=0");
    let counts = |table: &mut Table| table.browser.call("texts", json!([".pc .ct-n b"]));
    assert_eq!(counts(&mut table), json!(["4", "4"]));
    table.play(Hand::Mirror, &ids(&["b5", "c4"]));
    table.rest();
    assert_eq!(counts(&mut table), json!(["4", "5"]));
}

#[test]
fn simply_go_shows_captures_what_is_left_and_why_a_point_is_refused() {
    let fragment = "#/simply-go?size=9&mode=moves:40&opponent=human&speed=0";
    let mut table = Table::open(DESK, fragment);
    assert_eq!(table.browser.text(".facts dd"), "40");
    for id in ["A2", "A1", "B1"] {
        table.play(Hand::Mirror, &ids(&[id]));
        table.rest();
    }
    let captures = table.browser.call("texts", json!([".pc .sp + .ct-n b"]));
    assert_eq!(captures, json!(["0", "1"]));
    assert_eq!(table.browser.text(".facts dd"), "37");
    table.play(Hand::Mirror, &ids(&["A1"]));
    let notice = "That point is inside a fort. Nobody can play there.";
    assert_eq!(table.browser.text(".msg .refused"), notice);
    // It stays for a short time.
    table.browser.wait_for("hasNot", json!([".msg .refused"]));
    table.press_pass();
    table.rest();
    assert!(table.data("fen").contains(" b 1:0 4 1 "));
    table.browser.click_on("#undo");
    table.rest();
    assert!(table.data("fen").contains(" w 1:0 3 0 "));
}

/// Goes from home to `fragment`, and returns what was seen of the drawing of lots.
fn watch_lots(device: Device, fragment: &str) -> Value {
    let mut table = Table::open(device, "");
    table.browser.call("watchLots", json!([fragment]))
}

#[test]
fn nonaga_draws_the_color_by_lot_for_1200_ms() {
    // With this seed it is the person who begins.
    let fragment = "#/nonaga?opponent=classic&seed=1";
    let seen = watch_lots(DESK, fragment);
    assert_eq!(seen["n"], 2, "{seen}");
    assert_eq!(seen["names"], json!(["lot-a", "lot-b"]));
    assert_eq!(seen["times"], json!(["1.2s", "1.2s"]));
    assert_eq!(seen["busy"], "true");
    assert_eq!(seen["seats"], json!(["…", "…"]), "nobody knows yet");
    assert!(seen["time"].as_f64().unwrap() >= 1180.0, "{seen}");
    let calm = Device {
        is_calm: true,
        ..DESK
    };
    assert_eq!(watch_lots(calm, fragment), Value::Null);
    let chosen = "#/nonaga?opponent=classic&color=first";
    assert_eq!(watch_lots(DESK, chosen), Value::Null);
}

/// At the end of the shuffle the person's color is large, and the other one is gone.
#[test]
fn the_color_drawn_is_shown() {
    let mut drawn = BTreeSet::new();
    for seed in 1..=4 {
        let mut table = Table::open(DESK, "");
        let fragment = format!("#/nonaga?opponent=classic&seed={seed}");
        let lots = table.browser.call("endOfLots", json!([fragment]));
        for (lot, player) in lots.as_array().unwrap().iter().zip(["first", "second"]) {
            let [scale, opacity] = ["scale", "opacity"].map(|name| lot[name].as_f64().unwrap());
            if lot["isMine"] == true {
                assert!(scale > 1.2 && opacity == 1.0, "{lots}");
                // The person is to move once the machine has moved, if it begins.
                table.rest();
                table.browser.wait_for("hasData", json!(["turn", player]));
                drawn.insert(player);
            } else {
                assert!(scale < 1.0 && opacity == 0.0, "{lots}");
            }
        }
    }
    assert_eq!(drawn.len(), 2, "{drawn:?}");
}

/// The color in the middle of a target on the canvas.
fn pixel(table: &mut Table, id: &str) -> Value {
    table.browser.call("pixel", json!([id]))
}

#[test]
fn nonaga_a_win_fades_the_rest_and_confetti_falls_unless_motion_is_unwanted() {
    let (mut moves, _) = short_win();
    let last = moves.pop().unwrap();
    for is_calm in [false, true] {
        let mut table = Table::open(Device { is_calm, ..DESK }, "#/nonaga?opponent=human");
        for clicks in &moves {
            table.play(Hand::Mirror, clicks);
            table.rest();
        }
        // A piece of the one who is about to lose.
        let fen = table.data("fen");
        let turn = if table.data("turn") == "first" { 2 } else { 1 };
        let loser = fen.split(' ').nth(turn).unwrap();
        let loser = loser.split(';').next().unwrap().to_owned();
        let before = pixel(&mut table, &loser);
        table.play(Hand::Mirror, &last);
        table.rest();
        assert_ne!(table.data("result"), "none");
        table.browser.call("nextFrame", json!([]));
        if is_calm {
            // Nothing falls over it that could look the same.
            assert_ne!(pixel(&mut table, &loser), before, "it fades");
            let is_still = table.browser.call("isPictureStill", json!([600]));
            assert_eq!(is_still, true, "nothing falls");
        } else {
            table.browser.call("keepPicture", json!([]));
            table.browser.wait_for("isPictureAnother", json!([]));
            table.browser.screenshot("nonaga-confetti");
            // In the end all is quiet.
            table.browser.wait_for("isPictureStill", json!([300]));
        }
    }
}

/// Confetti is for people.
#[test]
fn nothing_falls_when_the_machine_wins() {
    let mut table = Table::open(DESK, "#/nonaga?opponent=classic&color=first");
    table.rest();
    for _ in 0..2 {
        table.browser.click_on("#resign");
    }
    table.browser.wait_for_element(".res");
    table.rest();
    table.browser.call("nextFrame", json!([]));
    let is_still = table.browser.call("isPictureStill", json!([600]));
    assert_eq!(is_still, true);
}

/// Everybody finds the turns of either player in the list, on phones too.
#[test]
fn moves_in_the_list_have_the_color_of_their_player() {
    for device in [DESK, PHONE] {
        let mut table = Table::open(device, "#/nonaga?opponent=human&speed=0");
        for clicks in [["2,-2", "-1,1"], ["1,-2", "-3,1"], ["0,-2", "0,1"]] {
            table.play(Hand::Mirror, &ids(&clicks));
            table.rest();
        }
        let players = |player: &str| format!(".mv li button.{player}");
        assert_eq!(table.browser.count(&players("p1")), 2);
        assert_eq!(table.browser.count(&players("p2")), 1);
        let mut bar = |player: &str| {
            let style = |table: &mut Table, name: &str| {
                table.browser.call("style", json!([players(player), name]))
            };
            assert_eq!(style(&mut table, "borderLeftWidth"), "3px");
            style(&mut table, "borderLeftColor")
        };
        assert_ne!(bar("p1"), bar("p2"));
    }
}

/// Names, colors, counts and clocks of the cards are side by side.
#[test]
fn cards_fit_narrow_phones() {
    for (width, language) in [(360, "en"), (360, "ja"), (390, "en"), (390, "ja")] {
        let device = Device {
            width,
            language,
            ..PHONE
        };
        let mut table = Table::open(device, "");
        for (game, rest) in [
            ("takeover", ""),
            ("takeover", "&clock=3%2B2"),
            ("lilypads", ""),
            ("nonaga", ""),
            ("simply-go", ""),
        ] {
            let fragment = format!("#/{game}?opponent=classic&color=first&speed=0{rest}");
            table.browser.call("goTo", json!([fragment]));
            table.browser.wait_for("hasData", json!(["game", game]));
            table.rest();
            for fault in ["overlapping", "stickingOut"] {
                let found = table.browser.call(fault, json!([".pc"]));
                assert_eq!(found, json!([]), "{game}{rest} {language} {width}");
            }
        }
    }
}

/// Phones with a notch, a home bar and rounded corners, upright and on their side, and a small
/// one without.
#[test]
fn nothing_lies_below_a_notch_or_a_home_bar() {
    let upright = json!({"top": 47, "right": 0, "bottom": 34, "left": 0});
    let on_its_side = json!({"top": 0, "right": 47, "bottom": 21, "left": 47});
    let island = json!({"top": 59, "right": 0, "bottom": 34, "left": 0});
    let none = json!({"top": 0, "right": 0, "bottom": 0, "left": 0});
    for (device, insets) in [
        (PHONE, upright),
        (SIDEWAYS, on_its_side),
        (PHONE, island),
        (SMALL_PHONE, none),
    ] {
        let mut browser = Chromium::start(device);
        let override_insets = json!({"insets": insets});
        browser.send("Emulation.setSafeAreaInsetsOverride", override_insets);
        for (fragment, part) in [
            ("", ".tb"),
            ("#/library", ".library"),
            ("#/learn", "main"),
            ("#/puzzles", "main"),
            ("#/learn/takeover/2?speed=0", ".mirror"),
            ("#/puzzles/takeover/daily?speed=0", ".mirror"),
            ("#/analysis/takeover?board=7&speed=0", ".mirror"),
            ("#/takeover?opponent=human&speed=0", ".mirror"),
            (
                "#/simply-go?opponent=classic&color=second&speed=0",
                ".mirror",
            ),
        ] {
            browser.open(&format!("{}{fragment}", site()));
            browser.wait_for_element(part);
            browser.call("nextFrame", json!([]));
            let covered = browser.call("belowInsets", json!([insets]));
            assert_eq!(covered, json!([]), "{fragment} on {} px", device.width);
        }
        // The menu of a match, and a dialog over it.
        browser.click_on(".top [popovertarget]");
        browser.wait_for_element(".menu:popover-open");
        let covered = browser.call("belowInsets", json!([insets]));
        assert_eq!(covered, json!([]), "the menu on {} px", device.width);
        browser.click_on(".menu .btn");
        browser.wait_for_element(".sheet");
        browser.call("sleep", json!([400]));
        let covered = browser.call("belowInsets", json!([insets]));
        assert_eq!(covered, json!([]), "the sheet on {} px", device.width);
    }
}

#[test]
fn with_forced_colors_pieces_differ_and_controls_have_outlines() {
    let cases = [
        (
            "lilypads?board=42",
            &[&["0", "3"][..], &["29", "27"]][..],
            "3",
            "27",
        ),
        ("nonaga?variant=standard", &[], "2,-2", "2,0"),
        ("takeover?board=7", &[], "a6", "f1"),
        ("simply-go?size=9", &[&["E5"], &["C3"]], "E5", "C3"),
    ];
    for scheme in ["light", "dark"] {
        let forced = Device {
            has_forced_colors: true,
            scheme,
            ..DESK
        };
        for (game, moves, a, b) in cases {
            let mut table = Table::open(forced, &format!("#/{game}&opponent=human&speed=0"));
            for clicks in moves {
                table.play(Hand::Mirror, &ids(clicks));
                table.rest();
            }
            table.browser.call("nextFrame", json!([]));
            let found = table.browser.call("difference", json!([a, b]));
            let [color, light, mark] = [0, 1, 2].map(|n| found[n].as_f64().unwrap());
            assert!(color > 60.0, "{game}: {found}");
            // Whoever sees no colors sees lightness or marks.
            assert!(light > 60.0 || mark > 0.05, "{game}: {found}");
            assert_outlined(&mut table, game);
            table.browser.click_on("#new");
            table.browser.wait_for_element(".sheet");
            assert_outlined(&mut table, "the sheet");
        }
        let mut table = Table::open(forced, "");
        assert_outlined(&mut table, "home");
        table.browser.screenshot(&format!("forced-{scheme}"));
    }
}

/// What can be used shows a line around it or words, and parts that lie on the page
/// have an edge.
#[track_caller]
fn assert_outlined(table: &mut Table, place: &str) {
    for function in ["withoutOutline", "unreadable"] {
        let found = table.browser.call(function, json!([]));
        assert_eq!(found, Value::Array(Vec::new()), "{function} on {place}");
    }
}

#[test]
fn clicks_out_of_turn_change_nothing() {
    for (game, choices) in [
        ("lilypads", &[("board", "42")][..]),
        ("nonaga", &[]),
        ("takeover", &[("board", "7")]),
        ("simply-go", &[("size", "9")]),
    ] {
        let mut fragment = format!("#/{game}?opponent=level-10&color=first&speed=0&seed=3");
        for (name, value) in choices {
            fragment += &format!("&{name}={value}");
        }
        let mut table = Table::open(DESK, &fragment);
        table.rest();
        // The whole turn of the person.
        let mut playing = catalog::find(game).unwrap().start(choices).unwrap();
        let mut random = rules::Random::new(1);
        let mut clicked = Vec::new();
        while playing.turn() == rules::Player::First {
            let m = choose(&*playing, &mut random);
            clicked.extend(clicks(&*playing, &m));
            playing.play(&m).unwrap();
        }
        // All within one task, so that no answer of the worker can come between:
        // every place by its button and by the pointer, and the pass.
        let found = table.browser.call("clickEverythingAfter", json!([clicked]));
        assert_eq!(found[0][0], "true", "{game}: the machine thinks");
        assert_eq!(found[0][1], playing.position(), "{game}");
        assert_eq!(found[0][3], "second", "{game}");
        assert_eq!(found[0], found[1], "{game}");
        table.rest();
        assert_eq!(table.data("turn"), "first", "{game}");
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

/// Whatever way leads to a match of a game with fair boards, it begins on one of them.
#[test]
fn matches_begin_on_fair_boards() {
    begins_on_fair_boards("lilypads");
    begins_on_fair_boards("takeover");
}

fn begins_on_fair_boards(game: &str) {
    let fair = catalog::find(game).unwrap().fair_boards();
    let is_fair = |address: &Value| {
        let address = address.as_str().unwrap();
        let (_, number) = address.split_once("board=").unwrap_or_default();
        let number = number.split('&').next().unwrap_or_default();
        assert!(
            number.parse().is_ok_and(|number| fair.contains(&number)),
            "{address}"
        );
    };
    let mut table = Table::open(DESK, "");
    for _ in 0..3 {
        table.browser.open(site());
        let link = json!([format!(".tb[data-game={game}]")]);
        is_fair(&table.browser.call("linkFragment", link));
        // From the home screen.
        table.browser.click_on(&format!(".tb[data-game={game}]"));
        table.browser.wait_for_element(".mirror");
        is_fair(&table.browser.fragment());
        // From another game, by the list and by the sheet.
        table
            .browser
            .open(&format!("{}#/nonaga?opponent=human&speed=0", site()));
        let link = json!([format!(".nav a[href*={game}]")]);
        is_fair(&table.browser.call("linkFragment", link));
        table.browser.click_on("#new");
        table.browser.wait_for_element(".sheet");
        table
            .browser
            .click_on(&format!(".sheet input[value={game}]"));
        table.browser.wait_for_element("#option-board");
        table.browser.click_on("#start");
        table.browser.wait_for("hasData", json!(["game", game]));
        is_fair(&table.browser.fragment());
        // And when another board is asked for, instead of one that is not fair or is
        // none at all.
        table.browser.click_on("#new");
        table.browser.wait_for_element(".sheet");
        let unfair = (1..).find(|number| !fair.contains(number)).unwrap();
        let unfair = unfair.to_string();
        for typed in [&unfair, "007", "abc", "-1", ""] {
            let shown = table.browser.call("typeNumber", json!([typed]));
            assert_eq!(shown, unfair.as_str());
        }
        table.browser.click_on(".fld .btn");
        table.browser.click_on("#start");
        table.browser.wait_for("hasNot", json!([".sheet"]));
        is_fair(&table.browser.fragment());
    }
}
