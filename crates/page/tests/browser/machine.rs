//! Matches against the machine.

use rules::Random;
use serde_json::{Value, json};

use super::{
    chromium::{Chromium, DESK, Device, PHONE},
    matches::choose,
    steady::{open, play_turn},
    table::{Hand, Table, clicks, site},
};

#[test]
fn against_the_classic_opponent() {
    for (game, choices) in [
        ("lilypads", "&board=42"),
        ("nonaga", ""),
        ("takeover", "&board=7"),
        ("simply-go", "&size=9&mode=moves:40"),
    ] {
        let fragment = format!("#/{game}?opponent=classic&color=second&speed=0&seed=5{choices}");
        let mut table = Table::open(DESK, &fragment);
        // The machine begins, and then it is the person's turn.
        table.rest();
        assert_eq!(table.data("turn"), "second", "{game}");
        let fen = table.data("fen");
        let choices: Vec<(&str, &str)> = choices
            .split('&')
            .filter_map(|choice| choice.split_once('='))
            .collect();
        let mut playing = catalog::find(game).unwrap().start(&choices).unwrap();
        let moves = table.browser.call("texts", json!([".mv li button"]));
        for m in moves.as_array().unwrap() {
            let m = playing.table().read_move(m.as_str().unwrap()).unwrap();
            playing.play(&m).unwrap();
        }
        assert_eq!(playing.position(), fen);
        // A few rounds: every answer of the machine is legal, or the page
        // would not have played it.
        let mut random = Random::new(1);
        for _ in 0..4 {
            if table.data("result") != "none" {
                break;
            }
            let position = table.data("fen");
            let now = catalog::find(game).unwrap().start_from(&position).unwrap();
            let m = choose(&*now, &mut random);
            table.play(Hand::Mirror, &clicks(&*now, &m));
            table.rest();
            assert_ne!(table.data("fen"), position);
        }
        // Undo leads back to a decision of the person.
        table.browser.click_on("#undo");
        table.rest();
        if table.data("result") == "none" {
            assert_eq!(table.data("turn"), "second");
        }
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

/// Every opponent that the sheet offers answers, and the same seed gives the
/// same answer.
#[test]
fn levels_and_the_perfect_opponent_answer() {
    let mut browser = Chromium::start(DESK);
    for (game, opponents) in [
        ("lilypads", &["level-1", "level-10", "perfect"][..]),
        ("nonaga", &["level-1", "level-10"]),
        ("takeover", &["level-1", "level-10"]),
        ("simply-go", &["level-1", "level-10"]),
    ] {
        for opponent in opponents {
            let fragment = format!("#/{game}?opponent={opponent}&color=second&speed=0&seed=9");
            let mut answers = [(); 2].map(|()| {
                browser.open(&format!("{}{fragment}", site()));
                browser.wait_for("hasData", json!(["busy", "false"]));
                browser.call("data", json!(["fen"]))
            });
            let fen = answers[0].take();
            assert_eq!(fen, answers[1], "{game} {opponent}");
            let turn = browser.call("data", json!(["turn"]));
            assert_eq!(turn, "second", "{game} {opponent}");
        }
    }
    assert_eq!(browser.complaints, [""; 0]);
}

/// Undo while the machine thinks ends the thought, and the person moves again.
#[test]
fn a_thought_can_be_cut_short() {
    let mut table = Table::open(
        DESK,
        "#/takeover?opponent=level-10&color=first&speed=0&board=7",
    );
    table.rest();
    let start = table.data("fen");
    let playing = catalog::find("takeover")
        .unwrap()
        .start(&[("board", "7")])
        .unwrap();
    let m = choose(&*playing, &mut Random::new(2));
    for _ in 0..3 {
        let ids = json!([clicks(&*playing, &m)]);
        let found = table.browser.call("undoThought", ids);
        assert_eq!(found[0], "true");
        assert_eq!(found[1], start);
        assert_eq!(found[2], "false");
    }
    // The next thought is heard of again.
    table.play(Hand::Mirror, &clicks(&*playing, &m));
    table.rest();
    assert_eq!(table.data("turn"), "first");
    assert_ne!(table.data("fen"), start);
}

/// The machine moves 500 ms after the person on Lilypads, and takes 800 ms for a
/// move of Nonaga.
#[test]
fn the_machine_takes_its_time_as_the_sheets_say() {
    // From the person's last click to the next position: the motion, the pause.
    let cases = [
        ("lilypads?board=42", &["0", "3"][..], 320.0 + 500.0),
        ("nonaga?variant=standard", &["2,-2", "-1,1"], 800.0 + 800.0),
    ];
    for (game, clicks, least) in cases {
        let fragment = format!("#/{game}&opponent=classic&color=first&seed=4");
        let mut table = Table::open(DESK, &fragment);
        table.rest();
        let mut ids = clicks.to_vec();
        if game.starts_with("nonaga") {
            let slide: Vec<String> = clicks.iter().map(|&id| id.to_owned()).collect();
            table.play(Hand::Mirror, &slide);
            table.rest();
            ids = vec!["1,-2", "-3,1"];
        }
        let time = table.browser.call("timeOfAnswer", json!([ids]));
        let time = time.as_f64().unwrap();
        assert!(time >= least - 20.0, "{game}: {time} ms");
    }
}

/// It is the person's turn once nothing moves any more, and not before.
#[test]
fn your_turn_is_said_when_it_is_true() {
    let fragment = "#/takeover?opponent=classic&color=first&board=7&seed=3";
    let mut table = Table::open(DESK, fragment);
    table.rest();
    let heading = "Your turn";
    assert_eq!(table.browser.text(".msg h2"), heading);
    let ids = json!([["b5", "c4"], "first"]);
    let seen = table.browser.call("headingsUntilTurn", ids);
    let seen = seen.as_array().unwrap();
    let (last, before) = seen.split_last().unwrap();
    assert_eq!(last[2], heading);
    assert!(before.iter().all(|frame| frame[2] != heading), "{seen:?}");
    let is_answer = |frame: &&Value| frame[0] == "first" && frame[1] == "true";
    assert!(before.iter().any(|frame| is_answer(&frame)), "{seen:?}");
    // Neither the title nor the person's card is ahead of it.
    for frame in before.iter().filter(is_answer) {
        let title = frame[3].as_str().unwrap();
        assert!(!title.starts_with(heading), "{seen:?}");
        assert_eq!(frame[4], "", "{seen:?}");
    }
    table.browser.wait_for_element(".pc.you .chip");
    let title = table.browser.call("title", json!([]));
    assert!(title.as_str().unwrap().starts_with(heading), "{title}");
}

/// The sentence about the machine's move stays until the next move.
#[test]
fn what_the_machine_did_stays_in_sight() {
    let mut table = open(DESK, "takeover", &[("board", "7")], "&speed=0");
    play_turn(&mut table, 1);
    let tale = table.browser.text(".msg .tale");
    assert!(tale.starts_with("Yellow"), "{tale}");
    let fen = table.data("fen");
    let now = catalog::find("takeover").unwrap().start_from(&fen).unwrap();
    let m = choose(&*now, &mut Random::new(1));
    let clicks = clicks(&*now, &m);
    // A place that can't be played, and the piece that is to be moved.
    let obstacle = table.browser.call("targetNamed", json!(["obstacle"]));
    for id in [obstacle.as_str().unwrap(), &clicks[0]] {
        table.play(Hand::Mouse, &[id.to_owned()]);
        table.browser.call("nextFrame", json!([]));
        assert_eq!(table.browser.text(".msg .tale"), tale, "{id}");
    }
    table.play(Hand::Mouse, &clicks[1..]);
    table.rest();
    assert_ne!(table.browser.text(".msg .tale"), tale);
}

/// First matches are against a gentle level, and after two losses in a row the one below is
/// offered, and then remembered.
#[test]
fn two_losses_in_a_row_lead_to_a_gentler_level() {
    let mut table = Table::open(DESK, "");
    let link = json!([".tb[data-game=simply-go]"]);
    let address = |table: &mut Table| {
        let address = table.browser.call("linkFragment", link.clone());
        address.as_str().unwrap().to_owned()
    };
    table.browser.wait_for_element(".tb");
    assert!(address(&mut table).contains("opponent=level-2"));
    for seed in [1, 2] {
        // Levels are proposed by what is stored, and the page is left at once.
        let fragment = "#/simply-go?opponent=level-2&color=first&speed=0&size=9";
        table
            .browser
            .open(&format!("{}{fragment}&seed={seed}", site()));
        table.browser.wait_for_element(".mirror");
        table.rest();
        table.play(Hand::Mirror, &["E5".to_owned()]);
        table.rest();
        assert_eq!(table.browser.count("#step"), 0);
        table.browser.click_on("#resign");
        table.browser.click_on("#resign");
        table.browser.wait_for_element("#again");
        table
            .browser
            .wait_for("areResignationsStored", json!([seed]));
    }
    table.browser.wait_for_element("#step");
    table.browser.click_on("#step");
    table.browser.wait_for("hasNot", json!(["#step"]));
    table.rest();
    assert_eq!(table.data("result"), "none");
    table.browser.open(site());
    table.browser.wait_for_element(".tb");
    assert!(address(&mut table).contains("opponent=level-1"));
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// Upright phones: the offer of another level pushes no button off the screen, and off a short one
/// none that can't be scrolled to.
#[test]
fn everything_can_be_pressed_beside_the_offer_of_a_level() {
    for (game, choices, language) in [
        ("lilypads", "&board=42", "en-US"),
        ("nonaga", "", "ja-JP"),
        ("takeover", "&board=7", "ja-JP"),
        ("simply-go", "&size=9", "en-US"),
    ] {
        let device = Device { language, ..PHONE };
        let mut table = Table::open(device, "");
        for seed in [1, 2] {
            let options = format!("opponent=level-2&color=first&speed=0&seed={seed}{choices}");
            let browser = &mut table.browser;
            browser.open(&format!("{}#/{game}?{options}", site()));
            browser.wait_for_element(".mirror");
            table.rest();
            play_turn(&mut table, seed);
            let browser = &mut table.browser;
            browser.click_on("#resign");
            browser.click_on("#resign");
            browser.wait_for_element("#again");
            browser.wait_for("areResignationsStored", json!([seed]));
        }
        let browser = &mut table.browser;
        browser.wait_for_element("#step");
        let buttons = json!([".app :is(.res .btn, .ct .ib)"]);
        let all = json!([".app :is(.pc, .board, .res .btn, .mv, .ct .ib)"]);
        browser.call("nextFrame", json!([]));
        browser.screenshot(&format!("offered-level-{game}"));
        assert_eq!(browser.call("offScreen", all), json!([]), "{game}");
        let height = 664;
        browser.set_device(Device { height, ..device });
        browser.call("nextFrame", json!([]));
        browser.call("showMiddle", json!([".ct"]));
        browser.screenshot(&format!("offered-level-{game}-{height}"));
        assert_eq!(browser.call("offScreen", buttons), json!([]), "{game}");
    }
}
