//! The screens of online play as people and assistive programs find them: in both languages,
//! light and dark, on desks, small laptops and phones.

use rules::Random;
use serde_json::{Value, json};

use super::{
    chromium::{DESK, Device, PHONE},
    look::SIDEWAYS,
    matches::choose,
    online::{Server, Somebody, calm, make_link},
    settings::{choose as choose_setting, open_settings},
    table::{Hand, clicks},
};

const JAPANESE_PHONE: Device = Device {
    language: "ja",
    ..PHONE
};

/// The least that is left of a laptop's screen by its system and browser.
const JAPANESE_LAPTOP: Device = Device {
    width: 1366,
    height: 657,
    language: "ja",
    ..DESK
};

/// What has to be on the screen beside a board.
const SEEN: &str = ".app :is(.pc, .onp .oc, .onres, .ct .ib)";

const THEMES: [&str; 2] = ["light", "dark"];

/// Somebody whose screen is looked at wherever they go.
struct Visitor {
    one: Somebody,
    device: Device,
    has_axe: bool,
    faults: Vec<String>,
}

impl Visitor {
    fn new(server: &Server, device: Device, fragment: &str) -> Self {
        let hand = if device.is_touch {
            Hand::Finger
        } else {
            Hand::Mouse
        };
        let mut one = Somebody::at(server.address, device, hand, fragment);
        let axe = std::env::var_os("PARLOUR_AXE").filter(|_| cfg!(feature = "audit"));
        let axe = axe.map(|path| std::fs::read_to_string(path).unwrap());
        if let Some(axe) = &axe {
            one.browser().run(axe);
        }
        Self {
            one,
            device,
            has_axe: axe.is_some(),
            faults: Vec::new(),
        }
    }

    /// Looks at a screen in both themes, and leaves pictures of it.
    #[track_caller]
    fn look(&mut self, name: &str) {
        let Device {
            width, language, ..
        } = self.device;
        for scheme in THEMES {
            let device = Device {
                scheme,
                ..calm(self.device)
            };
            self.one.browser().set_device(device);
            self.one.browser().call("nextFrame", json!([]));
            let root = self.one.browser().call("root", json!([]));
            assert_eq!(root["theme"], scheme);
            assert_eq!(root["lang"], language[..2]);
            let place = format!("{name}-{width}-{}-{scheme}", &language[..2]);
            self.one.browser().screenshot(&format!("look-{place}"));
            self.check(&place);
        }
    }

    /// Notes what is wrong with a screen.
    fn check(&mut self, place: &str) {
        let nothing = json!([]);
        let mut found = Vec::new();
        let browser = self.one.browser();
        for question in ["cutTexts", "nameless", "repeatedIds", "smallTargets"] {
            let is_for_fingers = question == "smallTargets";
            if self.device.is_touch || !is_for_fingers {
                found.push((question, browser.call(question, json!([]))));
            }
        }
        if browser.count(".app .board") == 1 {
            let off_screen = browser.call("offScreen", json!([SEEN]));
            found.push(("offScreen", off_screen));
        }
        let overflow = browser.call("overflow", json!([]))["width"].take();
        if overflow.as_i64().unwrap() > 0 {
            found.push(("overflow", overflow));
        }
        if self.has_axe {
            let audit = browser.call("audit", json!([]));
            assert!(audit[0].as_u64().unwrap() > 10, "{place}: {audit}");
            found.push(("audit", audit[1].clone()));
        }
        found.retain(|(_, what)| *what != nothing);
        let found = found.into_iter();
        self.faults
            .extend(found.map(|(question, what)| format!("{place}: {question} {what}")));
    }

    fn go(&mut self, fragment: &str, landmark: &str) {
        self.one.browser().call("goTo", json!([fragment]));
        self.one.browser().wait_for_element(landmark);
    }

    #[track_caller]
    fn press(&mut self, selector: &str) {
        self.one.press(selector);
    }

    #[track_caller]
    fn wait_for(&mut self, selector: &str) {
        self.one.browser().wait_for_element(selector);
    }
}

/// Checks that nothing was wrong wherever they were.
#[track_caller]
fn leave<const N: usize>(visitors: [Visitor; N]) {
    let faults = visitors.iter().flat_map(|it| &it.faults);
    let faults: Vec<_> = faults.collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Makes a turn of whoever's it is.
fn play_turn(host: &mut Visitor, guest: &mut Visitor, random: &mut Random) {
    let fen = host.one.table.data("fen");
    let playing = catalog::find("takeover").unwrap();
    let mut playing = playing.start_from(&fen).unwrap();
    let m = choose(&*playing, random);
    let steps = clicks(&*playing, &m);
    let by = if host.one.color() == playing.turn() {
        &mut *host
    } else {
        &mut *guest
    };
    by.one.table.play(Hand::Mirror, &steps);
    playing.play(&m).unwrap();
    for one in [host, guest] {
        one.one.wait_for_position(&playing.position());
    }
}

/// Goes through all screens of online play, of which those who see them have these devices.
fn walk(host: Device, guest: Device) {
    let server = Server::start();
    let mut host = Visitor::new(&server, host, "#/play");
    host.wait_for("#sign-in");
    host.look("play-empty");
    host.press("#sign-in");
    host.wait_for("#acc-name");
    host.look("sign-in");
    host.press("#do-recover");
    host.wait_for("#acc-code");
    host.look("recover");
    host.press("#acc-close");
    host.press("#create");
    host.wait_for("#acc-name");
    host.look("create");
    for (field, text) in [
        ("#acc-name", "QuietHeron"),
        ("#acc-password", "longer than that"),
    ] {
        host.one.browser().call("fill", json!([field, text]));
    }
    host.press("#acc-go");
    host.wait_for(".codes");
    host.look("codes");
    host.press("#codes-done");
    host.press("#account");
    host.wait_for("#do-sign-out");
    host.look("account");
    host.press("#acc-close");
    host.press(".friend input[name=game][value=takeover]");
    let link = make_link(&mut host.one);
    host.look("waiting");

    let mut guest = Visitor::new(&server, guest, &link);
    guest.wait_for("#take-seat");
    guest.look("join");
    guest.press("#take-seat");
    for one in [&mut host, &mut guest] {
        one.one.wait_for_connection("connected");
    }
    let mut random = Random::new(5);
    for _ in 0..2 {
        play_turn(&mut host, &mut guest, &mut random);
    }
    for one in [&mut host, &mut guest] {
        one.look("match");
    }
    let address = host.one.browser().fragment();
    let address = address.as_str().unwrap();
    let mut watcher = Visitor::new(&server, DESK, address);
    watcher.one.wait_for_connection("connected");
    watcher.go("#/play", ".watch li");
    watcher.look("play-watch");

    guest.press("#draw");
    host.wait_for("#offer-accept");
    for one in [&mut host, &mut guest] {
        one.look("offer");
    }
    host.press("#offer-decline");
    guest.one.browser().wait_for("hasNot", json!([".oc"]));
    for one in [&mut host, &mut guest] {
        one.press("#say");
        one.wait_for("#say-menu:popover-open");
        one.look("phrases");
        one.press("#say-menu [data-do='say 3']");
        one.wait_for(".said.own");
    }
    host.wait_for(".said:not(.own)");
    host.look("said");
    // Somebody whose network is gone, and the other who waits for them.
    guest.one.network.cut();
    guest.one.wait_for_connection("reconnecting");
    guest.look("cut");
    host.wait_for(".away #wait");
    host.look("away");
    guest.one.network.heal();
    guest.one.wait_for_connection("connected");
    host.one.browser().wait_for("hasNot", json!([".away"]));
    host.go("#/play", ".mine li");
    host.look("play-match");
    host.go(address, "#resign");
    host.one.wait_for_connection("connected");
    guest.one.resign();
    for one in [&mut host, &mut guest] {
        one.wait_for("#rematch");
        one.look("result");
    }
    for one in [&mut host, &mut guest] {
        one.go("#/games", "main .ml li");
        one.look("games");
        one.go("#/player/QuietHeron", ".rcs");
        one.look("player");
        one.go("#/join/none", ".join h1");
        one.look("join-gone");
        one.go("#/match/none", "main a");
        one.look("match-gone");
    }
    leave([host, guest, watcher]);
}

#[test]
fn online_screens_at_a_desk_and_on_a_japanese_phone() {
    walk(DESK, JAPANESE_PHONE);
}

#[test]
fn online_screens_on_a_japanese_laptop_and_on_a_phone() {
    walk(JAPANESE_LAPTOP, PHONE);
}

/// The outline of a match is seen while the server has not sent it yet.
#[test]
fn a_match_that_is_awaited_has_an_outline() {
    const BOARD: &str = ".opening .middle .ghost";
    let server = Server::start();
    for device in [DESK, PHONE] {
        let mut one = Visitor::new(&server, device, "#/");
        one.one.browser().call("hearNothing", json!([]));
        one.go("#/match/none", BOARD);
        one.look("opening");
        let browser = one.one.browser();
        let mut style = |selector: &str, property: &str| {
            let style = browser.call("style", json!([selector, property]));
            style.as_str().unwrap().to_owned()
        };
        for selector in [".opening h1", BOARD, ".opening .side .ghost"] {
            assert_eq!(style(selector, "visibility"), "visible", "{selector}");
        }
        let side: f64 = style(BOARD, "width")
            .trim_end_matches("px")
            .parse()
            .unwrap();
        assert!(side > 300.0, "{side} px");
        leave([one]);
    }
}

/// Taps on something that is on the screen.
#[track_caller]
fn tap(one: &mut Visitor, selector: &str) {
    one.wait_for(&format!("{selector}:not(:disabled)"));
    one.one.browser().call("showMiddle", json!([selector]));
    one.one.table.press(Hand::Finger, selector);
}

/// Two people with Japanese phones, from link to resignation, with their fingers alone.
#[test]
fn two_japanese_phones_from_link_to_resignation() {
    let server = Server::start();
    let mut host = Visitor::new(&server, JAPANESE_PHONE, "#/play");
    host.look("ja-lobby");
    tap(&mut host, "#make-link");
    host.wait_for("#challenge");
    host.look("ja-form");
    tap(
        &mut host,
        ".friend label:has(input[name=game][value=takeover])",
    );
    host.look("ja-form-takeover");
    tap(&mut host, "#challenge");
    host.wait_for("#invite-link");
    host.look("ja-waiting");
    assert_eq!(host.one.browser().text(".wait h3"), "友だちを待っています");
    let token = host.one.browser().call("inviteToken", json!([]));
    let link = format!("#/join/{}", token.as_str().unwrap());
    let mut guest = Visitor::new(&server, JAPANESE_PHONE, &link);
    guest.wait_for("#take-seat");
    guest.look("ja-join");
    tap(&mut guest, "#take-seat");
    let mut two = [host, guest];
    for one in &mut two {
        one.one.wait_for_connection("connected");
        one.look("ja-match");
    }
    // Both make a turn.
    let mut random = Random::new(11);
    let fen = two[0].one.table.data("fen");
    let playing = catalog::find("takeover").unwrap();
    let mut playing = playing.start_from(&fen).unwrap();
    for _ in 0..2 {
        let by = usize::from(two[0].one.color() != playing.turn());
        let m = choose(&*playing, &mut random);
        let steps = clicks(&*playing, &m);
        playing.play(&m).unwrap();
        two[by].one.table.play(Hand::Finger, &steps);
        for one in &mut two {
            one.one.wait_for_position(&playing.position());
            one.look("ja-turn");
        }
    }
    // One press asks, in words, the second one resigns.
    let host = &mut two[0];
    tap(host, "#resign");
    host.wait_for("#resign.sure .tip");
    host.one.browser().screenshot("look-ja-sure");
    let tip = host
        .one
        .browser()
        .call("offScreen", json!(["#resign .tip"]));
    assert_eq!(tip, json!([]));
    host.one.resign();
    for one in &mut two {
        one.wait_for("#rematch");
        one.look("ja-result");
        let said = one.one.browser().text(".onres h2");
        assert!(said.ends_with("勝ちです"), "{said}");
    }
    leave(two);
}

/// A pool says how long one usually waits in it, once anybody was paired there.
#[test]
fn a_pool_says_the_usual_wait() {
    let server = Server::start();
    let mut two = [DESK, JAPANESE_PHONE].map(|device| Visitor::new(&server, device, "#/play"));
    let [one, other] = &mut two;
    one.press("#pool-nonaga");
    assert_eq!(one.one.browser().text("#seek-rapid span"), "rapid");
    one.press("#seek-rapid");
    one.wait_for("#meanwhile");
    let note = one.one.browser().text(".find .note");
    assert!(note.contains("Nobody was paired here"), "{note}");
    one.look("seek-none");
    other.press("#pool-nonaga");
    other.press("#seek-rapid");
    for one in &mut two {
        one.one.wait_for_connection("connected");
    }
    two[0].one.resign();
    // They were slow or fast, but hardly slower than a minute.
    for (one, known) in two.iter_mut().zip(["wait ", "待ち "]) {
        one.wait_for(".onres");
        one.go("#/play", "#pool-nonaga");
        one.press("#pool-nonaga");
        one.one
            .browser()
            .wait_for("textBegins", json!(["#seek-rapid span", known]));
        one.look("seek-known");
        // While one waits, the note says it.
        one.press("#seek-rapid");
        one.wait_for("#meanwhile");
        let note = one.one.browser().text(".find .note");
        assert!(
            note.contains("Usual wait: ") || note.contains("ふだんの待ち時間は"),
            "{note}"
        );
        one.look("seek-usual");
        one.press("#seek-rapid");
        one.one.browser().wait_for("hasNot", json!(["#meanwhile"]));
    }
    leave(two);
}

/// Checks that no notch and no home bar covers anything.
#[track_caller]
fn assert_uncovered(one: &mut Visitor, insets: &Value, name: &str) {
    let width = one.device.width;
    let browser = one.one.browser();
    browser.call("nextFrame", json!([]));
    browser.screenshot(&format!("insets-{name}-{width}"));
    let covered = browser.call("belowInsets", json!([insets]));
    assert_eq!(covered, json!([]), "{name} on {width} px");
}

/// Online play on phones with a notch, a home bar and rounded corners, upright and on their
/// side.
#[test]
fn nothing_lies_below_a_notch_or_a_home_bar() {
    let insets = [
        json!({"top": 59, "right": 0, "bottom": 34, "left": 0}),
        json!({"top": 0, "right": 47, "bottom": 21, "left": 47}),
    ];
    let server = Server::start();
    let mut two = [PHONE, SIDEWAYS].map(|device| Visitor::new(&server, device, "#/play"));
    for (one, insets) in two.iter_mut().zip(&insets) {
        let insets_override = json!({"insets": insets});
        let browser = one.one.browser();
        browser.send("Emulation.setSafeAreaInsetsOverride", insets_override);
        one.wait_for("#sign-in");
        assert_uncovered(one, insets, "play");
        one.press("#sign-in");
        one.wait_for("#acc-name");
        assert_uncovered(one, insets, "sign-in");
        one.press("#acc-close");
    }
    let link = make_link(&mut two[0].one);
    assert_uncovered(&mut two[0], &insets[0], "waiting");
    two[1].go(&link, "#take-seat");
    assert_uncovered(&mut two[1], &insets[1], "join");
    two[1].press("#take-seat");
    for (one, insets) in two.iter_mut().zip(&insets) {
        one.one.wait_for_connection("connected");
        assert_uncovered(one, insets, "match");
        for (button, menu) in [
            ("#say", "#say-menu:popover-open"),
            (".top [popovertarget]", ".top .menu:popover-open"),
        ] {
            one.press(button);
            one.wait_for(menu);
            assert_uncovered(one, insets, &menu[1..4]);
            // Nothing of it is out of sight at the top either.
            let off_screen = one.one.browser().call("offScreen", json!([menu]));
            assert_eq!(off_screen, json!([]));
            one.one.browser().press("Escape");
            one.one.browser().wait_for("hasNot", json!([menu]));
        }
    }
    two[1].one.resign();
    for (one, insets) in two.iter_mut().zip(&insets) {
        one.wait_for("#rematch");
        assert_uncovered(one, insets, "result");
    }
}

/// With strong contrast there are no shadows, but the outline of what is chosen stays.
#[test]
fn what_is_chosen_has_an_outline_in_every_theme() {
    let server = Server::start();
    let mut one = Visitor::new(&server, DESK, "#/play");
    one.wait_for("#settings");
    for theme in ["light", "dark", "contrast"] {
        open_settings(&mut one.one.table);
        choose_setting(&mut one.one.table, "theme", theme);
        one.one.browser().press("Escape");
        one.one.browser().wait_for("hasNot", json!([".set"]));
        one.wait_for(".find .sgb.on");
        let outline = json!([".find .sgb.on", "boxShadow"]);
        let outline = one.one.browser().call("style", outline);
        let is_all_around = outline.as_str().unwrap().contains("0px 0px 0px 1px");
        assert!(is_all_around, "{theme}: {outline}");
        one.one.browser().screenshot(&format!("play-{theme}"));
    }
}
