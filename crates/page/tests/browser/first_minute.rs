//! The first minute of a new player: open, choose, play, make three mistakes, lose or win, play
//! again.
//! Pictures of every step are for people to judge.

use rules::Random;
use serde_json::json;
use view::Click;

use super::{
    chromium::{DESK, Device, PHONE},
    matches::choose,
    table::{Hand, Table, clicks},
};

const LAPTOP: Device = Device {
    width: 1366,
    height: 657,
    ..DESK
};

struct Newcomer {
    table: Table,
    hand: Hand,
    /// The first part of the names of pictures.
    name: String,
    n_pictures: usize,
}

impl Newcomer {
    /// Takes a picture, and checks that everything is in sight.
    fn look(&mut self, step: &str) {
        self.n_pictures += 1;
        let name = format!("first-minute-{}-{}-{step}", self.name, self.n_pictures);
        self.table.browser.call("nextFrame", json!([]));
        self.table.browser.screenshot(&name);
        let overflow = self.table.browser.call("overflow", json!([]));
        assert!(overflow["width"].as_i64().unwrap() <= 0, "{name}");
        for part in [".pc", ".msg", ".res", ".offer", ".ct", ".top"] {
            let found = self.table.browser.call("overlapping", json!([part]));
            assert_eq!(found, json!([]), "{part} in {name}");
        }
        let parts = ".tb, .pc, .msg, .res, .offer, .ct, .hist, .mv .cur";
        let found = self.table.browser.call("cutOff", json!([parts]));
        assert_eq!(found, json!([]), "{name}");
    }

    fn press(&mut self, selector: &str) {
        self.table.browser.wait_for_element(selector);
        self.table.press(self.hand, selector);
    }

    /// The position on the board.
    fn playing(&mut self) -> Box<dyn catalog::AnyMatch> {
        let (game, fen) = (self.table.data("game"), self.table.data("fen"));
        catalog::find(&game).unwrap().start_from(&fen).unwrap()
    }

    /// Plays a turn that does not end the match, and waits for the answer.
    fn play_turn(&mut self, seed: u64) {
        let mut random = Random::new(seed);
        loop {
            let now = self.playing();
            let mut moves = now.legal_moves();
            moves.retain(|m| {
                let mut next = now.boxed_clone();
                m != "pass" && next.play(m).is_ok() && next.ending().is_none()
            });
            let m = random.pick(&moves).unwrap().clone();
            let mut next = now.boxed_clone();
            next.play(&m).unwrap();
            self.table.play(self.hand, &clicks(&*now, &m));
            self.table.rest();
            if next.turn() != now.turn() {
                break;
            }
        }
    }

    /// Three tries that are not legal: a place where nothing can be done, a piece that is led
    /// too far where pieces are selected, and a drag of what is not to be moved.
    fn make_mistakes(&mut self) {
        let now = self.playing();
        let table = now.table();
        let ids = self.table.browser.call("targets", json!([]));
        let ids: Vec<String> = serde_json::from_value(ids).unwrap();
        let (useful, useless): (Vec<_>, Vec<_>) = ids.iter().partition(|id| table.is_useful(id));
        let refused = useful.iter().find_map(|&from| {
            let mut table = now.table();
            (table.click(from) == Click::Picked).then_some(())?;
            let to = useless.iter().find(|to| !table.is_useful(to))?;
            Some([from.clone(), to.to_string()])
        });
        self.table.play(self.hand, &[useless[0].clone()]);
        self.see_why(1);
        match refused {
            Some(clicks) => self.table.play(self.hand, &clicks),
            None => self.table.play(self.hand, &[useless[1].clone()]),
        }
        self.see_why(2);
        // A finger that is slow looks for its place, and finds none either.
        let [to, from] = [0, 1].map(|n| self.table.middle(useless[n]));
        match self.hand {
            Hand::Finger => self.table.browser.touch(from, to),
            _ => self.table.browser.drag(from, to),
        }
        self.see_why(3);
    }

    /// It is said why something was refused, and nothing else has happened.
    fn see_why(&mut self, n: usize) {
        let (fen, reason) = (self.table.data("fen"), ".msg .refused");
        self.table.browser.wait_for_element(reason);
        assert_ne!(self.table.browser.text(reason), "");
        self.look(&format!("mistake-{n}"));
        assert_eq!(self.table.data("fen"), fen);
        // The next mistake must not be excused by this reason.
        self.table.browser.wait_for("hasNot", json!([reason]));
    }
}

/// Somebody who opens the page at `fragment` for the first time.
fn newcomer(device: Device, fragment: &str, name: &str) -> Newcomer {
    let (kind, hand) = match device.is_touch {
        true => ("phone", Hand::Finger),
        false => ("laptop", Hand::Mouse),
    };
    Newcomer {
        table: Table::open(device, fragment),
        hand,
        name: format!("{kind}-{name}-{}-{}", device.language, device.scheme),
        n_pictures: 0,
    }
}

fn play_first_minute(device: Device, game: &str, language: &'static str, scheme: &'static str) {
    let device = Device {
        language,
        scheme,
        ..device
    };
    let mut newcomer = newcomer(device, "", game);
    newcomer.table.browser.wait_for_element("#daily-puzzle");
    newcomer.look("home");
    // A phone shows a part of 19 × 19, which other tests are about.
    let is_large = device.is_touch && game == "simply-go";
    let browser = &mut newcomer.table.browser;
    if is_large {
        let fragment = format!("#/{game}?opponent=level-2&color=first&size=9");
        browser.call("goTo", json!([fragment]));
    } else {
        // It may be further down.
        browser.click_on(&format!(".tb[data-game={game}]"));
    }
    browser.wait_for_element(".mirror");
    newcomer.table.rest();
    newcomer.look("match");
    newcomer.press("#offer-no");
    newcomer
        .table
        .browser
        .wait_for("hasNot", json!([".side .offer"]));
    newcomer.play_turn(1);
    newcomer.look("answered");
    newcomer.make_mistakes();
    // Both presses within the time that there is for the second, however busy the machine.
    for _ in 0..2 {
        newcomer.press("#resign");
    }
    newcomer.table.browser.wait_for_element(".res");
    newcomer.look("lost");
    newcomer.press("#again");
    newcomer.table.browser.wait_for("hasNot", json!([".res"]));
    newcomer.table.rest();
    assert_eq!(newcomer.table.data("result"), "none");
    newcomer.look("again");
    assert_eq!(newcomer.table.browser.complaints, [""; 0]);
}

/// Two people play until the first player wins.
fn win(device: Device, language: &'static str, scheme: &'static str) {
    let device = Device {
        language,
        scheme,
        ..device
    };
    let fragment = "#/nonaga?opponent=human&speed=0";
    let mut newcomer = newcomer(device, fragment, "win");
    newcomer.press("#offer-no");
    let mut random = Random::new(2);
    loop {
        newcomer.table.rest();
        if newcomer.table.data("result") != "none" {
            break;
        }
        let now = newcomer.playing();
        let m = choose(&*now, &mut random);
        newcomer.table.play(newcomer.hand, &clicks(&*now, &m));
    }
    assert_eq!(newcomer.table.data("result"), "p1win");
    newcomer.table.browser.wait_for_element(".res");
    newcomer.look("won");
    newcomer.press("#again");
    newcomer.table.browser.wait_for("hasNot", json!([".res"]));
    assert_eq!(newcomer.table.browser.complaints, [""; 0]);
}

#[test]
fn on_a_phone() {
    play_first_minute(PHONE, "lilypads", "en", "light");
    play_first_minute(PHONE, "nonaga", "ja", "dark");
    play_first_minute(PHONE, "takeover", "en", "dark");
    play_first_minute(PHONE, "simply-go", "ja", "light");
    win(PHONE, "ja", "light");
}

/// The machine begins: its first turn is in the list, beside the offer of a lesson.
fn see_the_first_turn(device: Device, game: &str) {
    let fragment = format!("#/{game}?opponent=level-2&color=second");
    let mut newcomer = newcomer(device, &fragment, game);
    newcomer.table.browser.wait_for_element("#offer-no");
    newcomer.table.rest();
    newcomer.look("second");
}

#[test]
fn on_a_small_laptop() {
    for game in catalog::GAMES {
        see_the_first_turn(LAPTOP, game.name());
    }
    play_first_minute(LAPTOP, "lilypads", "ja", "dark");
    play_first_minute(LAPTOP, "nonaga", "en", "light");
    play_first_minute(LAPTOP, "takeover", "ja", "light");
    play_first_minute(LAPTOP, "simply-go", "en", "dark");
    win(LAPTOP, "en", "dark");
}
