//! Online matches as people play them: with shaky fingers, in several tabs, with pages that are
//! hidden, left and loaded again.

use catalog::AnyMatch;
use rules::Random;
use serde_json::json;

use super::{
    chromium::{DESK, PHONE},
    matches::choose,
    online::{Server, Somebody, calm, make_link, mover, sit_down, sit_down_at},
    table::{Hand, clicks},
};

/// The match that two people play, as the first of them sees it.
fn playing(two: &mut [Somebody; 2]) -> Box<dyn AnyMatch> {
    let (game, fen) = (two[0].table.data("game"), two[0].table.data("fen"));
    catalog::find(&game).unwrap().start_from(&fen).unwrap()
}

/// A move of whoever is to move. Returns who that is, and the places to click.
fn choose_move(
    two: &mut [Somebody; 2],
    playing: &mut dyn AnyMatch,
    random: &mut Random,
) -> (usize, Vec<String>) {
    let index = mover(two, playing.turn());
    let m = choose(playing, random);
    let steps = clicks(playing, &m);
    playing.play(&m).unwrap();
    (index, steps)
}

#[track_caller]
fn both_see(two: &mut [Somebody; 2], playing: &dyn AnyMatch) {
    for one in two {
        one.wait_for_position(&playing.position());
    }
}

/// Makes moves until the person at the phone, or the other one, is to move.
fn play_until_turn_of(
    two: &mut [Somebody; 2],
    playing: &mut dyn AnyMatch,
    random: &mut Random,
    index: usize,
) {
    while mover(two, playing.turn()) != index {
        play_turn(two, playing, random);
    }
}

/// Makes a whole turn, which is what the other one sees.
fn play_turn(two: &mut [Somebody; 2], playing: &mut dyn AnyMatch, random: &mut Random) {
    let turn = playing.turn();
    while playing.turn() == turn && playing.ending().is_none() {
        let (by, steps) = choose_move(two, playing, random);
        two[by].table.play(Hand::Mirror, &steps);
        two[by].wait_for_position(&playing.position());
    }
    both_see(two, playing);
}

/// Without a clock a match waits for its first turns as long as a busy machine needs.
const NO_CLOCK: &str = ".friend input[name=online-clock][value='0']";

const AT_THE_DESK: usize = 0;
const WITH_THE_PHONE: usize = 1;

#[test]
fn a_finger_may_wobble_by_10_px_online() {
    let mut two = sit_down("nonaga", &[]);
    let (mut playing, mut random) = (playing(&mut two), Random::new(1));
    play_until_turn_of(&mut two, &mut *playing, &mut random, WITH_THE_PHONE);
    for _ in 0..2 {
        let (index, steps) = choose_move(&mut two, &mut *playing, &mut random);
        assert_eq!(index, WITH_THE_PHONE, "a turn has two moves");
        for id in steps {
            let phone = &mut two[WITH_THE_PHONE].table;
            let (x, y) = phone.middle(&id);
            phone.browser.touch((x - 5.0, y), (x + 5.0, y));
            phone.rest();
        }
    }
    both_see(&mut two, &*playing);
}

#[test]
fn a_double_click_does_everything_once() {
    let mut two = sit_down("takeover", &[]);
    let (mut playing, mut random) = (playing(&mut two), Random::new(2));
    for _ in 0..4 {
        let (index, steps) = choose_move(&mut two, &mut *playing, &mut random);
        if index == AT_THE_DESK {
            for id in steps {
                two[index].browser().call("doubleClickBoard", json!([id]));
            }
        } else {
            two[index].table.play(Hand::Finger, &steps);
        }
        both_see(&mut two, &*playing);
    }
    let asks = mover(&mut two, !playing.turn());
    two[asks].press("#undo");
    two[1 - asks].browser().wait_for_element("#offer-accept");
    two[1 - asks]
        .browser()
        .call("clickTwice", json!(["#offer-accept"]));
    playing.take_back(!playing.turn()).unwrap();
    both_see(&mut two, &*playing);
    for one in &mut two {
        one.browser().wait_for("hasNot", json!([".onp .oc"]));
    }
    // Nobody resigns by one double click.
    let browser = two[AT_THE_DESK].browser();
    browser.call("doubleClick", json!(["#resign"]));
    browser.wait_for_element("#resign.sure");
    assert_eq!(browser.count(".onres"), 0);
    two[AT_THE_DESK].resign();
    two[WITH_THE_PHONE].browser().wait_for_element(".onres");
}

#[test]
fn a_hidden_tab_hears_what_happens() {
    let mut two = sit_down("takeover", &[]);
    let (mut playing, mut random) = (playing(&mut two), Random::new(3));
    play_until_turn_of(&mut two, &mut *playing, &mut random, AT_THE_DESK);
    let address = two[WITH_THE_PHONE].browser().fragment();
    two[WITH_THE_PHONE]
        .browser()
        .call("setHidden", json!([true]));
    let (by, steps) = choose_move(&mut two, &mut *playing, &mut random);
    two[by].table.play(Hand::Mirror, &steps);
    both_see(&mut two, &*playing);
    let title = two[WITH_THE_PHONE].browser().call("title", json!([]));
    assert!(title.as_str().unwrap().starts_with("Your turn"), "{title}");
    // On another screen the title counts the matches that wait.
    two[WITH_THE_PHONE].browser().call("goTo", json!(["#/"]));
    two[WITH_THE_PHONE]
        .browser()
        .call("setHidden", json!([false]));
    two[WITH_THE_PHONE]
        .browser()
        .wait_for("titleBegins", json!(["(1) "]));
    // Home takes it up where it was left.
    let row = ".resume a[href^='#/match/']";
    two[WITH_THE_PHONE].browser().wait_for_element(row);
    two[WITH_THE_PHONE].browser().screenshot("online-continue");
    let overflow = two[WITH_THE_PHONE].browser().call("overflow", json!([]));
    assert!(overflow["width"].as_i64().unwrap() <= 0, "{overflow}");
    assert_eq!(two[WITH_THE_PHONE].browser().count(".resume .turn"), 1);
    two[WITH_THE_PHONE].press(row);
    two[WITH_THE_PHONE].wait_for_position(&playing.position());
    assert_eq!(two[WITH_THE_PHONE].browser().fragment(), address);
    let (by, steps) = choose_move(&mut two, &mut *playing, &mut random);
    assert_eq!(by, WITH_THE_PHONE);
    two[by].table.play(Hand::Finger, &steps);
    both_see(&mut two, &*playing);
}

#[test]
fn a_bad_link_in_the_middle_of_a_match_leads_back() {
    let mut two = sit_down("takeover", &[]);
    let (mut playing, mut random) = (playing(&mut two), Random::new(4));
    for bad in [
        "#/match/nothing",
        "#/join/nothing",
        "#/nonsense",
        "#/player/nobody-at-all",
    ] {
        // Who is to move is seen on the board.
        let (index, steps) = choose_move(&mut two, &mut *playing, &mut random);
        two[AT_THE_DESK].browser().call("goTo", json!([bad]));
        two[AT_THE_DESK]
            .browser()
            .wait_for("hasNot", json!([".mirror"]));
        let back = |two: &mut [Somebody; 2]| {
            two[AT_THE_DESK].browser().call("goBack", json!([]));
        };
        if index == AT_THE_DESK {
            back(&mut two);
            two[AT_THE_DESK].wait_for_connection("connected");
            two[index].table.play(Hand::Mouse, &steps);
        } else {
            // A card about the one who left may come in between, and move the board.
            two[index].table.play(Hand::Mirror, &steps);
            two[index].wait_for_position(&playing.position());
            back(&mut two);
        }
        both_see(&mut two, &*playing);
    }
}

#[test]
fn the_page_may_be_loaded_again_at_any_moment() {
    // While somebody is waited for.
    let mut host = Somebody::new(DESK, Hand::Mouse, "#/play");
    host.press(".friend input[name=game][value=nonaga]");
    host.press("#challenge");
    host.browser().wait_for_element("#invite-link");
    let token = host.browser().call("inviteToken", json!([]));
    let lobby = format!("{}#/play", host.network.site());
    host.browser().open(&lobby);
    host.browser().wait_for_element("#invite-link");
    assert_eq!(host.browser().call("inviteToken", json!([])), token);
    let link = format!("#/join/{}", token.as_str().unwrap());
    let mut guest = Somebody::new(PHONE, Hand::Finger, &link);
    // While the invitation is read.
    let again = format!("{}{link}", guest.network.site());
    guest.browser().wait_for_element("#take-seat");
    guest.browser().open(&again);
    guest.press("#take-seat");
    for one in [&mut host, &mut guest] {
        one.wait_for_connection("connected");
    }
    let mut two = [host, guest];
    let (mut playing, mut random) = (playing(&mut two), Random::new(5));
    let reload = |one: &mut Somebody| {
        let address = one.browser().fragment();
        let address = format!("{}{}", one.network.site(), address.as_str().unwrap());
        one.browser().open(&address);
        one.wait_for_connection("connected");
    };
    // In the middle of a turn: only whole turns are sent.
    let start = playing.position();
    let (index, steps) = choose_move(&mut two, &mut *playing, &mut random);
    two[index].table.play(Hand::Mirror, &steps);
    two[index].wait_for_position(&playing.position());
    reload(&mut two[index]);
    playing.undo();
    assert_eq!(playing.position(), start);
    both_see(&mut two, &*playing);
    // After a turn that has not reached the server.
    for _ in 0..2 {
        two[index].network.cut();
        two[index].wait_for_connection("reconnecting");
        for _ in 0..2 {
            let (by, steps) = choose_move(&mut two, &mut *playing, &mut random);
            assert_eq!(by, index);
            two[index].table.play(Hand::Mirror, &steps);
            two[index].wait_for_position(&playing.position());
        }
        let address = two[index].browser().fragment();
        let address = format!("{}{}", two[index].network.site(), address.as_str().unwrap());
        two[index]
            .browser()
            .send("Page.navigate", json!({"url": "about:blank"}));
        two[index].network.heal();
        two[index].browser().open(&address);
        both_see(&mut two, &*playing);
        // While the other one thinks, and then is answered.
        reload(&mut two[index]);
        play_until_turn_of(&mut two, &mut *playing, &mut random, index);
        reload(&mut two[1 - index]);
        both_see(&mut two, &*playing);
    }
    // After the end.
    two[0].resign();
    for one in &mut two {
        one.browser().wait_for_element("#rematch");
        let result = one.table.data("result");
        assert_ne!(result, "none");
        reload(one);
        one.browser().wait_for_element("#rematch");
        assert_eq!(one.table.data("result"), result);
    }
}

#[test]
fn one_player_may_have_two_tabs() {
    // Nothing ends this match early.
    let mut two = sit_down("lilypads", &[]);
    let (mut playing, mut random) = (playing(&mut two), Random::new(6));
    let address = two[AT_THE_DESK].browser().fragment();
    let address = format!(
        "{}{}",
        two[AT_THE_DESK].network.site(),
        address.as_str().unwrap()
    );
    let mut other = two[AT_THE_DESK].browser().open_tab(calm(DESK));
    two[AT_THE_DESK].browser().open(&address);
    two[AT_THE_DESK].wait_for_connection("connected");
    for _ in 0..6 {
        let (index, steps) = choose_move(&mut two, &mut *playing, &mut random);
        let hand = two[index].hand;
        two[index].table.play(hand, &steps);
        both_see(&mut two, &*playing);
        // The other tab has seen it too, and makes the next move.
        other = two[AT_THE_DESK].browser().switch_to(other);
        both_see(&mut two, &*playing);
    }
    // One of them is left, and the player is still here.
    two[AT_THE_DESK].browser().call("goTo", json!(["#/"]));
    two[AT_THE_DESK].browser().switch_to(other);
    let (index, steps) = choose_move(&mut two, &mut *playing, &mut random);
    two[index].table.play(Hand::Mirror, &steps);
    both_see(&mut two, &*playing);
    assert_eq!(two[WITH_THE_PHONE].browser().count(".onseat .net.bad"), 0);
    two[WITH_THE_PHONE].resign();
    two[AT_THE_DESK].browser().wait_for_element("#rematch");
}

#[test]
fn a_server_that_dies_and_comes_back_costs_nothing() {
    let mut server = Server::start();
    let mut two = sit_down_at(server.address, "nonaga", &[NO_CLOCK]);
    let (mut playing, mut random) = (playing(&mut two), Random::new(8));
    for _ in 0..2 {
        play_turn(&mut two, &mut *playing, &mut random);
        server.kill();
        for one in &mut two {
            one.browser().wait_for("isCutOff", json!([]));
        }
        // Whoever is to move goes on, and the turn is kept.
        let (index, steps) = choose_move(&mut two, &mut *playing, &mut random);
        two[index].table.play(Hand::Mirror, &steps);
        let (_, steps) = choose_move(&mut two, &mut *playing, &mut random);
        two[index].table.play(Hand::Mirror, &steps);
        two[index].wait_for_position(&playing.position());
        two[index].browser().wait_for_element(".onp .net");
        two[index]
            .browser()
            .screenshot(&format!("online-kept-{index}"));
        two[index].check_room();
        server.restart();
        for one in &mut two {
            one.wait_for_connection("connected");
        }
        both_see(&mut two, &*playing);
    }
}

#[test]
fn a_link_says_what_became_of_it() {
    let mut host = Somebody::new(DESK, Hand::Mouse, "#/play");
    let link = make_link(&mut host);
    // One's own.
    host.browser().call("goTo", json!([link]));
    host.browser().wait_for_element(".join .note");
    host.browser().screenshot("online-join-own");
    assert_eq!(host.browser().count("#take-seat"), 0);
    host.browser().call("goTo", json!(["#/play"]));
    host.browser().wait_for_element("#invite-link");
    let mut guest = Somebody::new(PHONE, Hand::Finger, &link);
    guest.press("#take-seat");
    for one in [&mut host, &mut guest] {
        one.wait_for_connection("connected");
    }
    // Both who play find their match, and nobody is told that somebody was faster.
    for one in [&mut host, &mut guest] {
        let address = one.browser().fragment();
        one.browser().call("goTo", json!([link]));
        one.browser().wait_for_element(".join #watch");
        assert_eq!(one.browser().text(".join h1"), "Your match");
        one.browser().screenshot("online-join-again");
        one.press("#watch");
        one.wait_for_connection("connected");
        assert_eq!(one.browser().fragment(), address);
    }
    // Withdrawn, too old, or never there.
    guest.browser().call("goTo", json!(["#/join/none"]));
    guest
        .browser()
        .wait_for("hasText", json!([".join h1", "This link is closed"]));
    guest.browser().screenshot("online-join-gone");
}

#[test]
fn nobody_is_taken_away_from_a_match() {
    let mut two = sit_down("takeover", &[NO_CLOCK]);
    let first = two[AT_THE_DESK].browser().fragment();
    two[AT_THE_DESK].browser().call("goTo", json!(["#/play"]));
    let link = make_link(&mut two[AT_THE_DESK]);
    two[AT_THE_DESK].browser().call("goTo", json!([first]));
    two[AT_THE_DESK].wait_for_connection("connected");
    let mut third = Somebody::new(PHONE, Hand::Finger, &link);
    third.press("#take-seat");
    third.wait_for_connection("connected");
    let second = third.browser().fragment();
    let host = &mut two[AT_THE_DESK];
    host.browser().wait_for_element("#begun");
    host.browser().screenshot("online-begun");
    assert_eq!(host.browser().fragment(), first);
    host.check_room();
    host.press("#begun");
    host.browser().wait_for("isAt", json!([second]));
    host.wait_for_connection("connected");
}

#[test]
fn a_second_tab_does_not_stop_the_search() {
    let mut two = [(DESK, Hand::Mouse), (PHONE, Hand::Finger)]
        .map(|(device, hand)| Somebody::new(device, hand, "#/play"));
    two[0].press("#pool-nonaga");
    two[0].press("#seek-blitz");
    two[0].browser().wait_for_element("#meanwhile");
    // It connects to watch a match that is not there.
    let elsewhere = format!("{}#/match/none", two[0].network.site());
    let first = two[0].browser().open_tab(calm(DESK));
    two[0].browser().open(&elsewhere);
    two[0]
        .browser()
        .wait_for("hasText", json!(["main", "This match doesn’t exist."]));
    two[1].press("#pool-nonaga");
    two[1].press("#seek-blitz");
    two[1].wait_for_connection("connected");
    two[0].browser().switch_to(first);
    two[0].wait_for_connection("connected");
    assert_eq!(two[0].browser().fragment(), two[1].browser().fragment());
}

#[test]
fn an_opponent_who_leaves_is_away_until_they_come_back() {
    let mut two = sit_down("takeover", &[]);
    // A match that nobody begins ends by itself.
    let (mut playing, mut random) = (playing(&mut two), Random::new(7));
    for _ in 0..2 {
        play_turn(&mut two, &mut *playing, &mut random);
    }
    for index in [AT_THE_DESK, WITH_THE_PHONE] {
        two[1 - index].network.cut();
        two[index].browser().wait_for_element(".away #wait");
        assert_eq!(
            two[index].browser().count(".away .btn:disabled"),
            2,
            "too early"
        );
        two[index]
            .browser()
            .screenshot(&format!("online-away-{index}"));
        two[index].check_room();
        two[index].press("#wait");
        two[index].browser().wait_for_element(".away #choose");
        two[index].press("#choose");
        two[index].browser().wait_for_element(".away #wait");
        two[1 - index].network.heal();
        two[1 - index].wait_for_connection("connected");
        two[index].browser().wait_for("hasNot", json!([".away"]));
    }
}

#[test]
fn two_presses_at_once_make_one_guest() {
    let mut one = Somebody::new(DESK, Hand::Mouse, "#/play");
    let pools = ["#seek-blitz", "#seek-rapid"];
    one.browser().wait_for_element(pools[0]);
    one.browser().call("pressEach", json!([pools]));
    for pool in pools {
        let line = format!("{pool} span");
        one.browser()
            .wait_for("hasText", json!([line, "searching…"]));
    }
    let requests = one.browser().requests.iter();
    let guests = requests.filter(|address| address.ends_with("/api/guests"));
    assert_eq!(guests.count(), 1);
}

#[test]
fn keys_are_enough_and_moves_are_announced() {
    let mut two = sit_down("takeover", &[NO_CLOCK]);
    let (mut playing, mut random) = (playing(&mut two), Random::new(9));
    let announcement = ".side > p[aria-live=assertive]:last-child";
    for _ in 0..4 {
        let before = two[AT_THE_DESK].browser().text(announcement);
        let (index, steps) = choose_move(&mut two, &mut *playing, &mut random);
        two[index].table.play(Hand::Keys, &steps);
        both_see(&mut two, &*playing);
        let said = two.each_mut().map(|one| one.browser().text(announcement));
        assert_eq!(said[0], said[1]);
        assert_ne!(said[0], before);
        assert!(said[0].contains(steps.last().unwrap()), "{said:?}");
    }
    let resign = "#resign";
    two[AT_THE_DESK].table.press(Hand::Keys, resign);
    two[AT_THE_DESK].browser().press("Enter");
    for one in &mut two {
        one.browser().wait_for_element("#rematch");
    }
}

#[test]
fn a_player_can_be_muted_and_blocked() {
    let mut two = sit_down("takeover", &[NO_CLOCK]);
    let (mut playing, mut random) = (playing(&mut two), Random::new(10));
    let said = ".said:not(.own)";
    two[AT_THE_DESK].press("#say");
    two[AT_THE_DESK].press("#say-menu [data-do=mute]");
    two[WITH_THE_PHONE].press("#say");
    two[WITH_THE_PHONE].press("#say-menu [data-do='say 3']");
    two[WITH_THE_PHONE].browser().wait_for_element(".said.own");
    // What comes later has come, and the phrase has not.
    play_turn(&mut two, &mut *playing, &mut random);
    let host = &mut two[AT_THE_DESK];
    assert_eq!(host.browser().count(said), 0);
    host.press("#say-menu [data-do=mute]");
    host.browser().wait_for_element(said);
    host.press("#say-menu [data-do=block]");
    host.browser()
        .wait_for_element("#say-menu [data-do=block][aria-pressed=true]");
    // The page that is loaded again knows both.
    host.press("#say-menu [data-do=mute]");
    let address = host.browser().fragment();
    let address = format!("{}{}", host.network.site(), address.as_str().unwrap());
    host.browser().open(&address);
    host.wait_for_connection("connected");
    for what in ["mute", "block"] {
        let pressed = format!("#say-menu [data-do={what}][aria-pressed=true]");
        host.browser().wait_for_element(&pressed);
    }
    // Names change, and guests share them.
    let kept = host.browser().call("kept", json!(["parlour.muted"]));
    let rival = host.browser().text(".pc:not(.you) .nm b");
    assert!(!kept.as_str().unwrap().contains(rival.trim()), "{kept}");
    host.resign();
    host.browser().wait_for_element(".onres");
    host.browser().call("goTo", json!(["#/play"]));
    let link = make_link(host);
    let guest = &mut two[WITH_THE_PHONE];
    guest.browser().call("goTo", json!([link]));
    guest.press("#take-seat");
    let refused = json!([".join h1", "You can’t take this seat"]);
    guest.browser().wait_for("hasText", refused);
}

#[test]
fn who_looks_elsewhere_is_notified() {
    let mut two = sit_down("takeover", &[NO_CLOCK]);
    let (mut playing, mut random) = (playing(&mut two), Random::new(11));
    play_until_turn_of(&mut two, &mut *playing, &mut random, AT_THE_DESK);
    let rival = two[WITH_THE_PHONE].browser().text(".pc:not(.you) .nm b");
    for is_wanted in [false, true] {
        let phone = two[WITH_THE_PHONE].browser();
        phone.call("catchNotifications", json!([]));
        phone.call("setHidden", json!([true]));
        if is_wanted {
            phone.call("keep", json!(["parlour.notify", "on"]));
        }
        play_turn(&mut two, &mut *playing, &mut random);
        let phone = two[WITH_THE_PHONE].browser();
        if is_wanted {
            phone.wait_for("hasNotification", json!([]));
        }
        let shown = phone.call("notifications", json!([]));
        let expected = match is_wanted {
            true => json!([["Your turn", rival.trim()]]),
            false => json!([]),
        };
        assert_eq!(shown, expected);
        phone.call("setHidden", json!([false]));
        play_until_turn_of(&mut two, &mut *playing, &mut random, AT_THE_DESK);
    }
}
