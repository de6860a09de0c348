//! Reviews of matches, by every hand.

use rules::Player;
use serde_json::json;

use super::{
    chromium::{DESK, PHONE},
    study::{
        HANDS, move_between, open, play, played, positions, reload, reviewed, wait_for_fen,
        wait_for_review,
    },
    table::{Hand, Table, site},
};

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
    let cards = table.browser.call("texts", json!([".score strong"]));
    let points = table.browser.call("texts", json!([".tp"]));
    assert!(table.browser.count(".tp") > 0, "random moves are no good");
    // Moves are written as in the list.
    let line = playing.line(playing.cursor()).into_iter();
    let moves: Vec<_> = line.filter_map(|id| playing.notation(id)).collect();
    let titles = table.browser.call("texts", json!([".tp b"]));
    for title in titles.as_array().unwrap() {
        let (_, m) = title.as_str().unwrap().split_once(['.', '…']).unwrap();
        assert!(moves.iter().any(|other| other == m.trim()), "{title}");
    }
    table.browser.call("storedMatches", json!([]));
    reload(&mut table);
    // Nothing is left to be done.
    assert_eq!(table.browser.count(".prg"), 0);
    assert_eq!(table.browser.call("nJudged", json!([])), n_positions);
    assert_eq!(table.browser.call("texts", json!([".score strong"])), cards);
    assert_eq!(table.browser.call("texts", json!([".tp"])), points);
    // The library has the match, and it is one match.
    table.browser.call("goTo", json!(["#/library"]));
    table.browser.wait_for_element(".card a");
    assert_eq!(table.browser.count(".card a"), 1);
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// A match that was reviewed before is not stored twice, and nothing that was found is lost when the
/// review is left.
#[test]
fn a_shared_match_is_found_again() {
    let playing = played("takeover", &[("board", "7")], 40);
    let fragment = format!("#/review/shared/{}?speed=0", playing.to_link());
    let mut table = open(DESK, &fragment);
    table.browser.wait_for("hasJudged", json!([4]));
    let n = table.browser.call("nJudged", json!([])).as_u64().unwrap();
    // Another screen of the page.
    table.browser.call("goTo", json!(["#/library"]));
    table.browser.wait_for("hasCount", json!([".card a", 1]));
    table.browser.call("goTo", json!([fragment]));
    table
        .browser
        .wait_for_element(".study:not(.analysis) .graph");
    let again = table.browser.call("nJudged", json!([])).as_u64().unwrap();
    assert!(again >= n, "{again} of {n} positions are left");
    let address = table.browser.fragment();
    let address = address.as_str().unwrap().to_owned();
    assert!(address.starts_with("#/review/saved/"), "{address}");
    wait_for_review(&mut table, &*playing);
    let cards = table.browser.call("texts", json!([".score strong"]));
    table.browser.call("storedMatches", json!([]));
    // The link once more, in a page that is loaded anew.
    table.browser.open(&format!("{}{fragment}", site()));
    table
        .browser
        .wait_for_element(".study:not(.analysis) .graph");
    wait_for_review(&mut table, &*playing);
    assert_eq!(table.browser.call("texts", json!([".score strong"])), cards);
    let entries = table.browser.call("storedMatches", json!([]));
    assert_eq!(entries.as_array().unwrap().len(), 1);
    assert_eq!(table.browser.complaints, [""; 0]);
}

/// What is stored is the whole match, whatever position or variation somebody looks at then.
#[test]
fn a_shared_match_is_stored_to_its_end() {
    let mut playing = played("takeover", &[("board", "7")], 12);
    playing.resign(Player::First).unwrap();
    let n_positions = playing.line(playing.cursor()).len();
    let link = playing.to_link();
    let positions = positions(&*playing);
    for at in ["review", "analysis"] {
        let fragment = format!("#/{at}/shared/{link}?ply=3&speed=0");
        let mut table = open(DESK, &fragment);
        wait_for_fen(&mut table, &positions[3]);
        if at == "analysis" {
            // A variation, which the review stores as well.
            let here = catalog::find("takeover").unwrap();
            let here = here.start_from(&positions[3]).unwrap();
            let next = move_between("takeover", &positions[3], &positions[4]);
            let tried = here.legal_moves().into_iter().find(|m| *m != next);
            play(
                &mut table,
                Hand::Mouse,
                "takeover",
                &positions[3],
                &tried.unwrap(),
            );
            table.browser.wait_for_element("#study-moves .var .cur");
            table.browser.click_on("#review");
            table
                .browser
                .wait_for_element(".study:not(.analysis) .graph");
        }
        wait_for_review(&mut table, &*playing);
        table.browser.wait_for("addressHas", json!(["/saved/"]));
        // What is stored is written a moment later.
        table.browser.call("storedMatches", json!([]));
        reload(&mut table);
        wait_for_review(&mut table, &*playing);
        let n_judged = table.browser.call("nJudged", json!([]));
        assert_eq!(n_judged, n_positions as u64, "{at}");
        let n_variations = u64::from(at == "analysis");
        assert_eq!(table.browser.count("#study-moves .var"), n_variations);
        table.browser.call("goTo", json!(["#/library"]));
        table.browser.wait_for_element(".card a");
        assert_eq!(table.browser.count(".card a"), 1);
        assert_eq!(table.browser.text(".card .chip"), "finished");
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

/// A reload comes back to the position that was looked at, of a review and of an analysis.
#[test]
fn a_reload_comes_back_to_the_position() {
    let playing = played("takeover", &[("board", "7")], 12);
    let positions = positions(&*playing);
    let mut table = reviewed(DESK, &*playing);
    for other in ["#analysis", "#review"] {
        table.press(Hand::Mouse, ".hist #first");
        wait_for_fen(&mut table, &positions[0]);
        for next in &positions[1..=3] {
            table.browser.press("ArrowRight");
            wait_for_fen(&mut table, next);
        }
        table.browser.wait_for("addressHas", json!(["?ply=3&"]));
        reload(&mut table);
        wait_for_fen(&mut table, &positions[3]);
        wait_for_review(&mut table, &*playing);
        // The end needs no number.
        table.browser.press("End");
        wait_for_fen(&mut table, positions.last().unwrap());
        table.browser.wait_for("addressLacks", json!(["ply="]));
        table.browser.click_on(other);
        table.browser.wait_for("hasNot", json!([other]));
    }
    // Whoever goes elsewhere at once is not brought back.
    table.press(Hand::Mouse, ".hist #first");
    wait_for_fen(&mut table, &positions[0]);
    let other = "#/analysis/nonaga?speed=0";
    table.browser.call("goTo", json!([other]));
    table.browser.wait_for("hasData", json!(["game", "nonaga"]));
    table.browser.call("sleep", json!([1500]));
    assert_eq!(table.browser.fragment(), other);
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn a_review_by_every_hand() {
    let playing = played("takeover", &[("board", "7")], 30);
    let positions = positions(&*playing);
    for (device, hand) in HANDS {
        let fragment = format!("#/review/shared/{}?speed=0", playing.to_link());
        let mut table = open(device, &fragment);
        table.browser.wait_for_element("#review-stop");
        table.press(hand, "#review-stop");
        table.browser.wait_for_element("#review-continue");
        table.press(hand, "#review-continue");
        wait_for_review(&mut table, &*playing);
        // From one turning point to the next: on phones with the thumb.
        table.press(hand, ".hist #first");
        wait_for_fen(&mut table, &positions[0]);
        let point = match hand {
            Hand::Finger => "#next-point",
            _ => ".tp",
        };
        table.press(hand, point);
        table.browser.wait_for_element("#better-0");
        let fen = table.data("fen");
        let ply = positions.iter().position(|other| *other == fen).unwrap();
        assert!(ply > 0);
        table.press(hand, "#better-0");
        table.browser.wait_for_element("#study-moves .var .cur");
        assert_ne!(table.data("fen"), fen);
        table.press(hand, ".hist #back");
        wait_for_fen(&mut table, &positions[ply - 1]);
        assert_eq!(table.browser.complaints, [""; 0]);
    }
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
    for (device, hand) in HANDS {
        let game = "takeover";
        let playing = played(game, &[("board", "7")], 20);
        let positions = positions(&*playing);
        let mut table = reviewed(device, &*playing);
        let learn = match device.is_touch {
            true => "#phone-learn",
            false => "#learn",
        };
        table.press(hand, learn);
        table.browser.wait_for_element(".note.task");
        let task = table.data("fen");
        let ply = positions.iter().position(|other| *other == task).unwrap();
        // The move of the match is not good enough.
        let m = move_between(game, &task, &positions[ply + 1]);
        play(&mut table, hand, game, &task, &m);
        table.browser.wait_for_element("#task-again");
        table.press(hand, "#task-again");
        wait_for_fen(&mut table, &task);
        // The answer is.
        table.press(hand, "#task-show");
        table.browser.wait_for_element("#task-next");
        let shown = table.data("fen");
        assert_ne!(shown, positions[ply + 1]);
        table.press(hand, learn);
        wait_for_fen(&mut table, &task);
        let m = move_between(game, &task, &shown);
        play(&mut table, hand, game, &task, &m);
        table.browser.wait_for_element("#task-next");
        assert_eq!(table.data("fen"), shown);
        table
            .browser
            .screenshot(&format!("practice-{}-{hand:?}", device.language));
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
fn a_match_from_elsewhere_is_reviewed() {
    let over = played("takeover", &[("board", "7")], 400);
    assert!(over.ending().is_some());
    let file = over.to_string();
    for (device, is_pasted) in [(DESK, true), (PHONE, false)] {
        let mut table = Table::open(device, "#/library");
        table.browser.wait_for_element(".library .empty");
        if is_pasted {
            table.browser.call("paste", json!([".library", file]));
        } else {
            table
                .browser
                .call("chooseFiles", json!(["#import", [file]]));
        }
        table.browser.wait_for("hasCount", json!([".card a", 1]));
        table.browser.click_on(".card a");
        table.browser.wait_for_element(".res #review");
        wait_for_fen(&mut table, &over.position());
        table.browser.click_on(".res #review");
        table
            .browser
            .wait_for_element(".study:not(.analysis) .graph");
        wait_for_review(&mut table, &*over);
        assert!(table.browser.count("#study-moves button") > 10);
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

#[test]
fn a_review_goes_on_in_a_hidden_tab() {
    let playing = played("takeover", &[("board", "7")], 40);
    let fragment = format!("#/review/shared/{}", playing.to_link());
    let mut table = open(DESK, &fragment);
    table.browser.wait_for("hasJudged", json!([2]));
    table.browser.call("setHidden", json!([true]));
    // The match is stored, and the address leads to it.
    let address = table.browser.fragment();
    let address = address.as_str().unwrap();
    assert!(address.starts_with("#/review/saved/"), "{address}");
    wait_for_review(&mut table, &*playing);
    table.browser.call("setHidden", json!([false]));
    table.browser.wait_for_element(".tp");
    table.browser.click_on(".tp");
    table.browser.wait_for_element(".tp[aria-current]");
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn reviews_are_left_and_found_again() {
    let playing = played("nonaga", &[("variant", "published")], 16);
    let mut table = reviewed(DESK, &*playing);
    let cards = table.browser.call("texts", json!([".score strong"]));
    table.browser.call("goTo", json!(["#/chess"]));
    table.browser.wait_for_element(".notice #back");
    table.browser.click_on(".notice #back");
    table
        .browser
        .wait_for_element(".study:not(.analysis) .graph");
    wait_for_review(&mut table, &*playing);
    assert_eq!(table.browser.call("texts", json!([".score strong"])), cards);
    assert_eq!(table.browser.complaints, [""; 0]);
}
