//! Lessons, taken by hand.

use lessons::{AnyLesson, LESSONS, LessonVerdict};
use rules::Random;
use serde_json::{Value, json};

use super::{
    chromium::{DESK, Device, PHONE},
    table::{Hand, Table, clicks, site},
};

const LESSON: &str = ".lesson";

/// Opens an address of lessons, which are a part of the page that is fetched when needed.
fn open(device: Device, fragment: &str) -> Table {
    let mut table = Table::open(device, fragment);
    wait(&mut table);
    table
}

fn reopen(table: &mut Table, fragment: &str) {
    table.browser.open(&format!("{}{fragment}", site()));
    wait(table);
}

fn wait(table: &mut Table) {
    table
        .browser
        .wait_for_element(".lessons .lc, .lesson .go button");
}

fn wait_for_answer(table: &mut Table, answer: &str) {
    let answer = json!([LESSON, "data-answer", answer]);
    table.browser.wait_for("hasAttribute", answer);
}

fn wait_for_step(table: &mut Table, step: usize) {
    let step = json!([LESSON, "data-step", (step + 1).to_string()]);
    table.browser.wait_for("hasAttribute", step);
}

/// Plays the move `m` of a step, with a real press of the pass button.
fn play(table: &mut Table, hand: Hand, lesson: &dyn AnyLesson, step: usize, m: &str) {
    let clicks = clicks(&*lesson.start(step).unwrap(), m);
    if clicks == ["pass"] {
        table.press(hand, ".go [data-target=pass]");
    } else {
        table.play(hand, &clicks);
    }
}

/// The position after the solution of a step.
fn solved(lesson: &dyn AnyLesson, step: usize) -> String {
    let mut record = lesson.start(step).unwrap();
    record.play(lesson.solution(step).unwrap()).unwrap();
    record.position()
}

/// Takes a whole lesson, step by step.
fn take(device: Device, hand: Hand, lesson: &dyn AnyLesson) {
    let game = lesson.game();
    let mut table = open(device, &format!("#/learn/{game}?speed=0"));
    let names = lesson.steps();
    for (step, name) in names.iter().enumerate() {
        wait_for_step(&mut table, step);
        assert_eq!(table.data("fen"), lesson.start(step).unwrap().position());
        wait_for_answer(&mut table, "none");
        play(
            &mut table,
            hand,
            lesson,
            step,
            lesson.solution(step).unwrap(),
        );
        wait_for_answer(&mut table, "right");
        assert_eq!(table.data("fen"), solved(lesson, step), "{game} {name}");
        table
            .browser
            .screenshot(&format!("lesson-{game}-{name}-{hand:?}"));
        match hand {
            // Next is Enter.
            Hand::Keys => table.browser.press("Enter"),
            _ => table.press(hand, "#next"),
        }
    }
    table.browser.wait_for_element(".lesson .end");
    let kept = table
        .browser
        .call("stored", json!([format!("parlour.lesson.{game}")]));
    assert_eq!(kept, names.join(" "));
    table
        .browser
        .screenshot(&format!("lesson-{game}-end-{hand:?}"));
    // A match against a gentle level comes next, and the other lessons are offered.
    assert_eq!(table.browser.count(".end li a[href^='#/learn/']"), 3);
    table.browser.wait_for_element("#play");
    let next = table.browser.call("linkFragment", json!(["#play"]));
    let begin = format!("#/{game}?opponent=level-1");
    assert!(next.as_str().unwrap().starts_with(&begin), "{next}");
    table.press(hand, "#play");
    table.browser.wait_for("hasData", json!(["game", game]));
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn lessons_by_mouse() {
    for lesson in LESSONS {
        take(DESK, Hand::Mouse, lesson);
    }
}

#[test]
fn lessons_by_touch_on_a_phone() {
    for lesson in LESSONS {
        take(PHONE, Hand::Finger, lesson);
    }
}

#[test]
fn lessons_by_keyboard_alone() {
    for lesson in LESSONS {
        take(DESK, Hand::Keys, lesson);
    }
}

/// A move that is legal and wrong.
fn wrong_move(lesson: &dyn AnyLesson, step: usize) -> Option<String> {
    let moves = lesson.start(step).unwrap().legal_moves().into_iter();
    let mut wrong =
        moves.filter(|m| matches!(lesson.judge(step, m), Some(LessonVerdict::Wrong(_))));
    wrong.find(|m| m != "pass")
}

#[test]
fn wrong_tries_are_answered_and_taken_back() {
    for lesson in LESSONS {
        let step = 1;
        let game = lesson.game();
        // With animations, as people see it.
        let mut table = open(DESK, &format!("#/learn/{game}/{}", step + 1));
        let start = lesson.start(step).unwrap().position();
        table.rest();
        assert_eq!(table.data("fen"), start);
        let wrong = wrong_move(lesson, step).unwrap();
        play(&mut table, Hand::Mirror, lesson, step, &wrong);
        wait_for_answer(&mut table, "wrong");
        let why = table.browser.text(".ans p");
        assert!(why.len() > 10, "{why}");
        table.browser.wait_for("hasData", json!(["fen", start]));
        table.rest();
        // The answer stays, nothing is counted, and there is no way on.
        assert_eq!(table.browser.text(".ans p"), why);
        table.browser.click_on("#next");
        wait_for_step(&mut table, step);
        let kept = table
            .browser
            .call("stored", json!([format!("parlour.lesson.{game}")]));
        assert_eq!(kept, Value::Null);
        // The next try is right.
        play(
            &mut table,
            Hand::Mirror,
            lesson,
            step,
            lesson.solution(step).unwrap(),
        );
        wait_for_answer(&mut table, "right");
    }
}

#[test]
fn clicks_that_can_do_nothing_are_answered_and_keep_the_selection() {
    let mut table = open(DESK, "#/learn/nonaga/1");
    let start = table.data("fen");
    table.play(Hand::Mouse, &["-2,0".to_owned(), "-1,0".to_owned()]);
    wait_for_answer(&mut table, "refused");
    let why = table.browser.text(".ans p");
    assert!(why.contains("slides as far as it can"), "{why}");
    assert_eq!(table.data("fen"), start);
    // The piece is still taken up.
    table.play(Hand::Mouse, &["1,0".to_owned()]);
    wait_for_answer(&mut table, "right");
}

#[test]
fn show_me_plays_it_and_again_sets_it_up_once_more() {
    let lesson = LESSONS[2];
    let mut table = open(DESK, "#/learn/takeover/4?speed=0");
    let start = table.data("fen");
    table.browser.click_on("#show");
    wait_for_answer(&mut table, "shown");
    assert_eq!(table.data("fen"), solved(lesson, 3));
    table.browser.click_on("#show");
    wait_for_answer(&mut table, "none");
    assert_eq!(table.data("fen"), start);
}

#[test]
fn progress_survives_a_reload() {
    let lesson = LESSONS[1];
    let mut table = open(DESK, "#/learn/nonaga?speed=0");
    for step in 0..2 {
        table.browser.click_on("#show");
        wait_for_answer(&mut table, "shown");
        table.browser.click_on("#next");
        wait_for_step(&mut table, step + 1);
    }
    let fragment = table.browser.fragment();
    assert_eq!(fragment, "#/learn/nonaga/3?speed=0");
    for fragment in ["#/learn/nonaga/3?speed=0", "#/learn/nonaga"] {
        reopen(&mut table, fragment);
        wait_for_step(&mut table, 2);
        assert_eq!(table.data("fen"), lesson.start(2).unwrap().position());
        assert_eq!(table.browser.count(".nav li i.dn"), 2);
    }
    // The choice of lessons knows as well.
    reopen(&mut table, "#/learn");
    let action = table.browser.text(".lc[data-game=nonaga] .pri");
    assert_eq!(action, "Continue");
    assert_eq!(table.browser.count(".lc .prog .dn"), 2);
    // What makes no sense is ignored.
    let nonsense = json!(["parlour.lesson.nonaga", "\u{0}slide,pair \u{fffd} three"]);
    table.browser.call("keep", nonsense);
    reopen(&mut table, "#/learn/nonaga");
    wait_for_step(&mut table, 0);
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn any_step_can_be_chosen() {
    let mut table = open(DESK, "#/learn/simply-go?speed=0");
    table.browser.click_on(".nav li:nth-child(6) button");
    wait_for_step(&mut table, 5);
    assert_eq!(table.browser.fragment(), "#/learn/simply-go/6?speed=0");
    table.browser.click_on("#back");
    wait_for_step(&mut table, 4);
    // Back leaves the lesson, and does not go through its steps.
    table.browser.call("goTo", json!(["#/learn"]));
    table.browser.wait_for_element(".lessons");
}

#[test]
fn mutated_addresses_never_break_the_page() {
    let mut table = open(DESK, "#/learn");
    let mut random = Random::new(11);
    let parts = [
        "learn",
        "nonaga",
        "lilypads",
        "0",
        "1",
        "7",
        "9",
        "99999999999999999999",
        "-1",
        "/",
        "//",
        "?",
        "speed=0",
        "&",
        "%",
        "%00",
        "é",
        "囲",
        "#",
        "..",
        " ",
        "'",
        "\\",
        "LEARN",
    ];
    for _ in 0..120 {
        let n_parts = 1 + random.below(6);
        let tail: String = (0..n_parts)
            .map(|_| *random.pick(&parts).unwrap())
            .collect();
        table
            .browser
            .call("goTo", json!([format!("#/learn/{tail}")]));
        table.browser.call("nextFrame", json!([]));
        assert_eq!(table.browser.count("main"), 1, "{tail}");
    }
    table.browser.call("goTo", json!(["#/learn/nonaga/1"]));
    table.browser.wait_for("hasData", json!(["game", "nonaga"]));
    wait_for_step(&mut table, 0);
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn the_lesson_is_offered_once_and_never_forced() {
    let address = "#/nonaga?opponent=human&speed=0";
    let mut table = Table::open(DESK, address);
    assert_eq!(table.browser.count(".offer"), 1);
    table.browser.screenshot("lesson-offer");
    table.browser.click_on("#offer-no");
    table.browser.wait_for("hasNot", json!([".offer"]));
    table.browser.open(&format!("{}{address}", site()));
    assert_eq!(table.browser.count(".offer"), 0);
    // An opponent who begins does not answer for a new player.
    let second = "#/simply-go?opponent=level-1&color=second&speed=0&size=9";
    table.browser.open(&format!("{}{second}", site()));
    table.browser.wait_for("hasData", json!(["turn", "second"]));
    table.rest();
    assert_eq!(table.browser.count(".offer"), 1);
    // A move is an answer, too.
    let other = "#/takeover?opponent=human&speed=0&board=3";
    table.browser.open(&format!("{}{other}", site()));
    assert_eq!(table.browser.count(".offer"), 1);
    table.play(Hand::Mirror, &["b5".to_owned(), "c4".to_owned()]);
    table.browser.wait_for("hasNot", json!([".offer"]));
    table.browser.open(&format!("{}{other}", site()));
    assert_eq!(table.browser.count(".offer"), 0);
    let third = "#/lilypads?opponent=human&speed=0";
    table.browser.open(&format!("{}{third}", site()));
    table.browser.click_on("#offer-yes");
    wait_for_step(&mut table, 0);
    assert_eq!(table.data("game"), "lilypads");
}

/// Nothing scrolls during a lesson, and on phones the sentence is above the board.
#[test]
fn lessons_fit_the_screen() {
    let japanese = Device {
        language: "ja",
        ..PHONE
    };
    let laptop = Device {
        height: 657,
        width: 1366,
        ..DESK
    };
    for (device, is_phone) in [
        (DESK, false),
        (laptop, false),
        (PHONE, true),
        (japanese, true),
    ] {
        for lesson in LESSONS {
            let game = lesson.game();
            let mut table = open(device, &format!("#/learn/{game}/2?speed=0"));
            play(
                &mut table,
                Hand::Mirror,
                lesson,
                1,
                &wrong_move(lesson, 1).unwrap(),
            );
            wait_for_answer(&mut table, "wrong");
            let overflow = table.browser.call("overflow", json!([]));
            for side in ["height", "width"] {
                assert!(overflow[side].as_i64().unwrap() <= 0, "{game}: {overflow}");
            }
            let is_above = table.browser.call("isAboveBoard", json!([".ask"]));
            assert_eq!(is_above, is_phone, "{game}");
            for part in ["#show", "#next", ".ans p"] {
                assert_eq!(table.browser.call("isShown", json!([part])), true);
            }
        }
    }
}

/// The rules are one press away from a lesson, and the lesson from the rules.
#[test]
fn lessons_and_rules_lead_to_each_other() {
    let mut table = open(DESK, "#/learn/takeover");
    table.browser.click_on("#help");
    table.browser.wait_for_element("dialog[open] .fig svg");
    table.browser.press("Escape");
    table.browser.wait_for("hasNot", json!([".help"]));
    table.browser.call("goTo", json!(["#/learn"]));
    table.browser.wait_for_element(".lessons");
    table.browser.click_on(".lc[data-game=nonaga] button");
    table.browser.wait_for_element("dialog[open] .fig svg");
    assert_eq!(table.browser.text("#help-title"), "Nonaga");
    table.browser.click_on("#lesson");
    table.browser.wait_for("hasData", json!(["game", "nonaga"]));
    assert_eq!(table.browser.count(".help"), 0);
}

#[test]
fn a_finger_may_wobble_on_the_board_of_a_lesson() {
    let lesson = LESSONS[2];
    let mut table = open(PHONE, &format!("#/learn/{}/1?speed=0", lesson.game()));
    let start = lesson.start(0).unwrap();
    for id in clicks(&*start, lesson.solution(0).unwrap()) {
        table.wobble(&id);
    }
    wait_for_answer(&mut table, "right");
    assert_eq!(table.data("fen"), solved(lesson, 0));
    assert_eq!(table.browser.complaints, [""; 0]);
}
