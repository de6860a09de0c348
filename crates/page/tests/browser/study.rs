//! Reviews of matches and the analysis board, by hand.

use catalog::AnyMatch;
use rules::Random;
use serde_json::{Value, json};

use super::{
    chromium::{DESK, Device, PHONE},
    matches::choose,
    table::{Hand, Table, clicks, site},
};

const JAPANESE_PHONE: Device = Device {
    language: "ja",
    scheme: "dark",
    ..PHONE
};

/// A match of random moves that somebody then gives up.
fn played(game: &str, choices: &[(&str, &str)], n_moves: usize) -> Box<dyn AnyMatch> {
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
fn positions(playing: &dyn AnyMatch) -> Vec<String> {
    let mut at = playing.boxed_clone();
    let line = playing.line(playing.cursor()).into_iter();
    line.map(|node| {
        at.go_to(node).unwrap();
        at.position()
    })
    .collect()
}

fn open(device: Device, fragment: &str) -> Table {
    let mut table = Table::open(device, fragment);
    table.browser.wait_for_element(".study .mirror button");
    table
}

fn reload(table: &mut Table) {
    let fragment = table.browser.fragment();
    let fragment = fragment.as_str().unwrap();
    table.browser.open(&format!("{}{fragment}", site()));
    table.browser.wait_for_element(".study .mirror button");
}

/// A review of `playing`, once it is done.
fn reviewed(device: Device, playing: &dyn AnyMatch) -> Table {
    let fragment = format!("#/review/shared/{}?speed=0", playing.to_link());
    let mut table = open(device, &fragment);
    wait_for_review(&mut table, playing);
    table
}

fn wait_for_review(table: &mut Table, playing: &dyn AnyMatch) {
    let n = playing.line(playing.cursor()).len();
    table.browser.wait_for("hasJudged", json!([n]));
    table.browser.wait_for("hasNot", json!([".prg"]));
}

fn wait_for_fen(table: &mut Table, fen: &str) {
    table.browser.wait_for("hasData", json!(["fen", fen]));
    table.rest();
}

/// The move that leads from one position to another.
fn move_between(game: &str, from: &str, to: &str) -> String {
    let from = catalog::find(game).unwrap().start_from(from).unwrap();
    let leads = |m: &String| {
        let mut after = from.boxed_clone();
        after.play(m).unwrap();
        after.position() == to
    };
    from.legal_moves().into_iter().find(leads).unwrap()
}

fn play(table: &mut Table, hand: Hand, game: &str, from: &str, m: &str) {
    let from = catalog::find(game).unwrap().start_from(from).unwrap();
    table.play(hand, &clicks(&*from, m));
}

#[test]
fn a_review_stops_goes_on_and_is_kept_with_the_match() {
    let playing = played("takeover", &[("board", "7")], 40);
    let n_positions = playing.line(playing.cursor()).len() as u64;
    let fragment = format!("#/review/shared/{}?speed=0", playing.to_link());
    let mut table = open(DESK, &fragment);
    let n = table.browser.call("stopReviewAfter", json!([2]));
    table.browser.wait_for_element("#review-continue");
    assert!(n.as_u64().unwrap() < n_positions, "it was still going on");
    // It was stored, and is found again under its own address.
    let address = table.browser.fragment();
    let address = address.as_str().unwrap();
    assert!(address.starts_with("#/review/saved/"), "{address}");
    table.browser.click_on("#review-continue");
    let n = table.browser.call("stopReviewAfter", json!([6]));
    table.browser.wait_for_element("#review-continue");
    // What is stored is written a moment later.
    table.browser.call("storedMatches", json!([]));
    reload(&mut table);
    table
        .browser
        .wait_for("hasJudged", json!([n.as_u64().unwrap()]));
    wait_for_review(&mut table, &*playing);
    let cards = table.browser.call("texts", json!([".acc strong"]));
    let points = table.browser.call("texts", json!([".tp"]));
    assert!(table.browser.count(".tp") > 0, "random moves are no good");
    table.browser.call("storedMatches", json!([]));
    reload(&mut table);
    // Nothing is left to be done.
    assert_eq!(table.browser.count(".prg"), 0);
    assert_eq!(table.browser.call("nJudged", json!([])), n_positions);
    assert_eq!(table.browser.call("texts", json!([".acc strong"])), cards);
    assert_eq!(table.browser.call("texts", json!([".tp"])), points);
    // The library has the match, and it is one match.
    table.browser.call("goTo", json!(["#/library"]));
    table.browser.wait_for_element(".card a");
    assert_eq!(table.browser.count(".card a"), 1);
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn the_graph_leads_through_the_match_by_mouse_touch_and_keys() {
    let playing = played("takeover", &[("board", "7")], 20);
    let positions = positions(&*playing);
    let n_moves = positions.len() - 1;
    for device in [DESK, PHONE] {
        let mut table = reviewed(device, &*playing);
        let rect = table.browser.call("rect", json!([".graph svg"]));
        let [left, top, width, height] = [0, 1, 2, 3].map(|index| rect[index].as_f64().unwrap());
        let at = |ply: usize| {
            let share = ply as f64 / n_moves as f64;
            (left + width * share, top + height / 2.0)
        };
        let (x, y) = at(5);
        if device.is_touch {
            table.browser.tap(x, y);
        } else {
            table.browser.click(x, y);
        }
        wait_for_fen(&mut table, &positions[5]);
        if device.is_touch {
            table.browser.touch(at(5), at(12));
        } else {
            table.browser.drag(at(5), at(12));
        }
        wait_for_fen(&mut table, &positions[12]);
        table.browser.call("focus", json!([".graph"]));
        for (key, ply) in [
            ("ArrowLeft", 11),
            ("ArrowRight", 12),
            ("Home", 0),
            ("ArrowRight", 1),
            ("End", n_moves),
        ] {
            table.browser.press(key);
            wait_for_fen(&mut table, &positions[ply]);
            let slider = table.browser.call("slider", json!([".graph"]));
            assert_eq!(slider, json!([ply, n_moves]));
        }
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

#[test]
fn turning_points_and_better_lines_are_shown() {
    for game in ["takeover", "nonaga", "simply-go", "lilypads"] {
        let choices = match game {
            "lilypads" => &[("board", "42")][..],
            "simply-go" => &[("size", "9")],
            _ => &[],
        };
        let playing = played(game, choices, 24);
        let positions = positions(&*playing);
        let mut table = reviewed(DESK, &*playing);
        let n_points = table.browser.count(".tp");
        assert!((1..=3).contains(&n_points), "{game}: {n_points}");
        table.browser.click_on(".tp");
        table.browser.wait_for_element(".tp[aria-current]");
        let fen = table.data("fen");
        let ply = positions.iter().position(|other| *other == fen).unwrap();
        table.browser.wait_for_element(".note .line #better-0");
        table.browser.screenshot(&format!("review-{game}"));
        table.browser.click_on("#better-0");
        // The better move leaves the match, and the match is still there.
        table.browser.wait_for_element(".var .cur");
        let better = table.data("fen");
        assert_ne!(better, fen, "{game}");
        move_between(game, &positions[ply - 1], &better);
        table.browser.press("End");
        table.browser.press("ArrowLeft");
        wait_for_fen(&mut table, &positions[ply - 1]);
        assert_eq!(table.browser.complaints, [""; 0], "{game}");
    }
}

#[test]
fn mistakes_can_be_bettered() {
    for (device, hand) in [
        (DESK, Hand::Mouse),
        (DESK, Hand::Keys),
        (PHONE, Hand::Finger),
    ] {
        let game = "takeover";
        let playing = played(game, &[("board", "7")], 20);
        let positions = positions(&*playing);
        let mut table = reviewed(device, &*playing);
        let learn = match device.is_touch {
            true => "#phone-learn",
            false => "#learn",
        };
        table.browser.call("click", json!([learn]));
        table.browser.wait_for_element(".note.task");
        let task = table.data("fen");
        let ply = positions.iter().position(|other| *other == task).unwrap();
        // The move of the match is not good enough.
        let m = move_between(game, &task, &positions[ply + 1]);
        play(&mut table, hand, game, &task, &m);
        table.browser.wait_for_element("#task-again");
        table.browser.click_on("#task-again");
        wait_for_fen(&mut table, &task);
        // The answer is.
        table.browser.click_on("#task-show");
        table.browser.wait_for_element("#task-next");
        let shown = table.data("fen");
        assert_ne!(shown, positions[ply + 1]);
        table.browser.call("click", json!([learn]));
        wait_for_fen(&mut table, &task);
        let m = move_between(game, &task, &shown);
        play(&mut table, hand, game, &task, &m);
        table.browser.wait_for_element("#task-next");
        assert_eq!(table.data("fen"), shown);
        table.browser.screenshot(&format!("practice-{hand:?}"));
        // And so on to the end.
        while table.browser.count(".note.task") == 1 {
            table.browser.call("clickIfThere", json!(["#task-show"]));
            table.browser.wait_for_element("#task-next");
            table.browser.click_on("#task-next");
            table.browser.call("nextFrame", json!([]));
        }
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

#[test]
fn the_engine_of_the_analysis_board_stops_and_goes_on() {
    let mut table = open(DESK, "#/analysis/takeover?board=7&speed=0");
    table
        .browser
        .wait_for("hasCount", json!([".eng .lines li", 3]));
    table.browser.wait_for("hasDepth", json!([3]));
    let n_moves = catalog::find("takeover")
        .unwrap()
        .start(&[("board", "7")])
        .unwrap()
        .legal_moves()
        .len();
    // The board shows what all moves are worth.
    let all = json!([".eng .st", format!("all {n_moves} moves")]);
    table.browser.wait_for("includesText", all);
    table.browser.call("choose", json!(["#lines", "5"]));
    table
        .browser
        .wait_for("hasCount", json!([".eng .lines li", 5]));
    table.browser.screenshot("analysis-takeover");
    table.browser.press("e");
    table
        .browser
        .wait_for("hasCount", json!([".eng .lines li", 0]));
    assert_eq!(table.browser.count("#engine:checked"), 0);
    table.browser.click_on("#engine");
    table
        .browser
        .wait_for("hasCount", json!([".eng .lines li", 5]));
    for shown in ["best", "nothing", "all"] {
        table.browser.call("clickValue", json!(["shown", shown]));
        table
            .browser
            .wait_for("hasCount", json!([".eng .lines li", 5]));
    }
    // A line can be followed.
    let before = table.data("fen");
    table.browser.click_on("#line-0");
    table.browser.wait_for_element("#study-moves .cur");
    let after = table.data("fen");
    move_between("takeover", &before, &after);
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn all_moves_of_lilypads_are_exact() {
    for device in [DESK, JAPANESE_PHONE] {
        let mut table = open(device, "#/analysis/lilypads?board=42&speed=0");
        table.browser.wait_for_element(".under .evx");
        let n_moves = catalog::find("lilypads")
            .unwrap()
            .start(&[("board", "42")])
            .unwrap()
            .legal_moves()
            .len();
        let status = table.browser.text(".eng .st");
        assert!(status.contains(&n_moves.to_string()), "{status}");
        let values = table.browser.call("texts", json!([".eng .val"]));
        assert_eq!(values.as_array().unwrap().len(), 3.min(n_moves));
        table.browser.screenshot("analysis-lilypads");
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

#[test]
fn threats_are_shown_for_the_other_player() {
    for game in ["takeover", "nonaga", "lilypads", "simply-go"] {
        let mut table = open(DESK, &format!("#/analysis/{game}?speed=0"));
        let caption = table.browser.text(".cap");
        table.browser.press("t");
        table.browser.wait_for_element("#threat[aria-pressed=true]");
        assert_ne!(table.browser.text(".cap"), caption);
        // The engine comes back to the position itself.
        table.browser.wait_for_element(".eng .lines li");
        table.browser.screenshot(&format!("threat-{game}"));
        table.browser.click_on("#threat");
        table
            .browser
            .wait_for_element("#threat[aria-pressed=false]");
        assert_eq!(table.browser.text(".cap"), caption);
        assert_eq!(table.browser.complaints, [""; 0], "{game}");
    }
}

#[test]
fn variations_are_written_about_promoted_and_deleted() {
    let mut table = open(DESK, "#/analysis/takeover?board=7&speed=0");
    let start = table.data("fen");
    let now = catalog::find("takeover")
        .unwrap()
        .start_from(&start)
        .unwrap();
    let moves = now.legal_moves();
    let [main, other] = [&moves[0], &moves[1]];
    play(&mut table, Hand::Mouse, "takeover", &start, main);
    table.rest();
    let main_fen = table.data("fen");
    table
        .browser
        .call("write", json!(["#comment", "A <quiet> move"]));
    table.browser.wait_for_element(".cmt");
    assert_eq!(table.browser.text(".cmt"), "A <quiet> move");
    table.browser.press("Escape");
    table
        .browser
        .call("focus", json!([".mirror [tabindex='0']"]));
    table.browser.call("click", json!([".hist #back"]));
    wait_for_fen(&mut table, &start);
    play(&mut table, Hand::Keys, "takeover", &start, other);
    table.browser.wait_for_element(".var .cur");
    let other_fen = table.data("fen");
    // By keys: the variation becomes the line, and the line a variation.
    table.browser.call("focus", json!(["#promote"]));
    table.browser.press("Enter");
    table.browser.wait_for_element("li:not(.var) .cur");
    assert_eq!(table.browser.count(".var button"), 1);
    assert_eq!(table.data("fen"), other_fen);
    // All of it is in the address.
    reload(&mut table);
    assert_eq!(table.browser.count(".var button"), 1);
    assert_eq!(table.browser.text(".cmt"), "A <quiet> move");
    table.browser.call("click", json!([".var button"]));
    wait_for_fen(&mut table, &main_fen);
    table.browser.call("focus", json!(["#delete"]));
    table.browser.press("Enter");
    table.browser.wait_for("hasNot", json!([".var"]));
    wait_for_fen(&mut table, &start);
    assert_eq!(table.browser.count(".cmt"), 0);
    // What was just deleted does not come back.
    reload(&mut table);
    assert_eq!(table.browser.count("#study-moves button"), 1);
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// One change by hand in each game, and one that is refused.
#[test]
fn positions_are_set_up_by_hand() {
    let cases = [
        (DESK, Hand::Mouse, "takeover", "0", &["c4"][..], "3", "c3"),
        (DESK, Hand::Keys, "lilypads", "0", &["7"], "2", "12"),
        (PHONE, Hand::Finger, "simply-go", "1", &["E5"], "2", "A1"),
        (
            DESK,
            Hand::Drag,
            "nonaga",
            "0",
            &["2,-2", "1,-1"],
            "0",
            "9,9",
        ),
    ];
    for (device, hand, game, tool, places, bad_tool, bad_place) in cases {
        let board = match game {
            "simply-go" => "size=9",
            "nonaga" => "variant=published",
            _ => "board=42",
        };
        let mut table = open(device, &format!("#/analysis/{game}?{board}&speed=0"));
        let start = table.data("fen");
        let set_up = match device.is_touch {
            true => "#phone-set-up",
            false => "#set-up",
        };
        table.browser.click_on(set_up);
        table.browser.wait_for_element(".setup");
        table.browser.call("clickValue", json!(["tool", tool]));
        let places: Vec<_> = places.iter().map(|&place| place.to_owned()).collect();
        table.play(hand, &places);
        table.browser.call("nextFrame", json!([]));
        let changed = table.data("fen");
        assert_ne!(changed, start, "{game}");
        table.browser.call("clickValue", json!(["tool", bad_tool]));
        let has_bad_place = table
            .browser
            .count(&format!(".mirror [data-target='{bad_place}']"))
            == 1;
        if has_bad_place {
            table.play(Hand::Mirror, &[bad_place.to_owned()]);
            table
                .browser
                .wait_for("hasOtherText", json!([".setup .bad", ""]));
            assert_eq!(table.data("fen"), changed, "{game}");
        }
        table.browser.click_on("#set-up-undo");
        table.browser.wait_for("hasData", json!(["fen", start]));
        table.browser.call("clickValue", json!(["tool", tool]));
        table.play(hand, &places);
        table.browser.wait_for("hasData", json!(["fen", changed]));
        table.browser.call("clickValue", json!(["turn", "second"]));
        table.browser.wait_for("hasData", json!(["turn", "second"]));
        let wanted = table.data("fen");
        table.browser.screenshot(&format!("set-up-{game}"));
        table.browser.click_on("#set-up-done");
        table.browser.wait_for("hasNot", json!([".setup"]));
        wait_for_fen(&mut table, &wanted);
        let address = table.browser.fragment();
        let address = address.as_str().unwrap();
        assert!(address.starts_with("#/analysis/shared/"), "{address}");
        table.browser.wait_for_element(".eng .lines li");
        assert_eq!(table.browser.complaints, [""; 0], "{game}");
    }
}

#[test]
fn positions_are_set_up_as_text_and_played() {
    let mut table = open(DESK, "#/analysis/takeover?speed=0");
    let start = table.data("fen");
    table.browser.click_on("#set-up");
    table.browser.wait_for_element(".setup");
    table
        .browser
        .call("write", json!(["#position", "nonsense"]));
    table.browser.click_on("#set-up-done");
    table
        .browser
        .wait_for("hasOtherText", json!([".setup .bad", ""]));
    assert_eq!(table.data("fen"), start);
    let wanted = "xx4/xx4/6/2o3/4oo/4oo o 0 1";
    table.browser.call("write", json!(["#position", wanted]));
    table.browser.click_on("#set-up-done");
    wait_for_fen(&mut table, wanted);
    // It can be given up without a change.
    table.browser.click_on("#set-up");
    table.browser.wait_for_element(".setup");
    table.browser.call("clickValue", json!(["turn", "first"]));
    table.browser.click_on("#set-up-cancel");
    wait_for_fen(&mut table, wanted);
    // The engine goes on, whatever it had found before.
    let depth = table.browser.call("depth", json!([]));
    let deeper = depth.as_u64().unwrap() + 1;
    table.browser.wait_for("hasDepth", json!([deeper]));
    // It can be shared, and played.
    table.browser.click_on(".hist #share");
    table.browser.wait_for_element("#share-link");
    let link = table.browser.call("value", json!(["#share-link"]));
    assert!(link.as_str().unwrap().contains("#/"), "{link}");
    table.browser.press("Escape");
    table.browser.wait_for("hasNot", json!(["#share-link"]));
    table.browser.click_on("#play-here");
    table.browser.wait_for("hasNot", json!([".study"]));
    wait_for_fen(&mut table, wanted);
    assert_eq!(table.data("turn"), "second");
    assert_eq!(table.browser.complaints, [""; 0]);
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
        table.browser.wait_for_element(".eng .lines li");
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
            ".eng .lines li",
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
