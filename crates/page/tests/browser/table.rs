//! A match on the page, played by hand.

use std::{
    collections::{BTreeSet, VecDeque},
    net::{Ipv4Addr, TcpListener},
    sync::OnceLock,
    thread,
};

use axum::{Router, body::Body, http::Request, routing::any};
use catalog::AnyMatch;
use serde_json::json;
use view::{Direction, Look, Scene};

use super::chromium::{Chromium, Device};

/// The address of a server that all tests share.
pub(crate) fn site() -> &'static str {
    static SITE: OnceLock<String> = OnceLock::new();
    SITE.get_or_init(|| {
        let files = page::files();
        assert!(!files.is_empty(), "cargo xtask browser builds the page");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let answer = move |request: Request<Body>| async move { page::answer(files, &request) };
        let app = Router::new().fallback(any(answer));
        thread::spawn(move || {
            let mut builder = tokio::runtime::Builder::new_current_thread();
            let runtime = builder.enable_all().build().unwrap();
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                axum::serve(listener, app).await
            })
        });
        address
    })
}

/// A page with a match.
pub(crate) struct Table {
    pub(crate) browser: Chromium,
}

impl Table {
    pub(crate) fn open(device: Device, fragment: &str) -> Self {
        let mut browser = Chromium::start(device);
        browser.open(&format!("{}{fragment}", site()));
        Self { browser }
    }

    pub(crate) fn data(&mut self, name: &str) -> String {
        let data = self.browser.call("data", json!([name]));
        data.as_str().unwrap().to_owned()
    }

    /// Waits until nothing moves and nobody thinks.
    #[track_caller]
    pub(crate) fn rest(&mut self) {
        self.browser.wait_for("hasData", json!(["busy", "false"]));
    }

    /// The middle of a target on the screen.
    pub(crate) fn middle(&mut self, id: &str) -> (f64, f64) {
        let middle = self.browser.call("middle", json!([id]));
        (middle[0].as_f64().unwrap(), middle[1].as_f64().unwrap())
    }

    pub(crate) fn press_pass(&mut self) {
        self.browser.click_on("button[data-target=pass]");
    }

    /// Plays one move by way of `hand`.
    pub(crate) fn play(&mut self, hand: Hand, clicks: &[String]) {
        if let (Hand::Drag, [from, to]) = (hand, clicks) {
            let (from, to) = (self.middle(from), self.middle(to));
            self.browser.drag(from, to);
            return;
        }
        for id in clicks {
            if id == "pass" {
                self.press_pass();
                continue;
            }
            match hand {
                Hand::Mouse | Hand::Drag => {
                    let (x, y) = self.middle(id);
                    self.browser.click(x, y);
                }
                Hand::Finger => {
                    let (x, y) = self.middle(id);
                    self.browser.tap(x, y);
                }
                Hand::Keys => self.walk_to(id),
                Hand::Mirror => {
                    self.browser.call("clickTarget", json!([id]));
                }
            }
        }
    }

    /// Presses what a selector finds by way of `hand`.
    pub(crate) fn press(&mut self, hand: Hand, selector: &str) {
        if hand == Hand::Keys {
            self.browser.call("focus", json!([selector]));
            self.browser.press("Enter");
            return;
        }
        let middle = self.browser.call("middleOf", json!([selector]));
        let [x, y] = [0, 1].map(|n| middle[n].as_f64().unwrap());
        match hand {
            Hand::Finger => self.browser.tap(x, y),
            _ => self.browser.click(x, y),
        }
    }

    /// Touches a target with a finger that slips by 10 px while it does.
    pub(crate) fn wobble(&mut self, id: &str) {
        let (x, y) = self.middle(id);
        self.browser.touch((x - 5.0, y), (x + 5.0, y));
    }

    /// Goes to a target with the arrow keys alone, and presses Enter.
    pub(crate) fn walk_to(&mut self, id: &str) {
        if self.browser.call("isFocusInside", json!([".mirror"])) != true {
            let stop = ".mirror [tabindex='0']";
            self.browser.call("focus", json!([stop]));
        }
        let (game, fen) = (self.data("game"), self.data("fen"));
        let playing = catalog::find(&game).unwrap().start_from(&fen).unwrap();
        let scene = playing.table().scene(&Look::new(&view_words()));
        let here = self.browser.call("focused", json!([]))["target"].take();
        for (key, next) in way(&scene, here.as_str().unwrap(), id) {
            self.browser.press(key);
            self.browser.wait_for("isFocusOnTarget", json!([next]));
        }
        self.browser.press("Enter");
    }
}

/// The shortest way from target to target: keys, and where each leads.
fn way(scene: &Scene, from: &str, to: &str) -> Vec<(&'static str, String)> {
    let keys = [
        (Direction::Left, "ArrowLeft"),
        (Direction::Right, "ArrowRight"),
        (Direction::Up, "ArrowUp"),
        (Direction::Down, "ArrowDown"),
    ];
    let mut ways = VecDeque::from([(from.to_owned(), Vec::new())]);
    let mut seen = BTreeSet::from([from.to_owned()]);
    while let Some((here, way)) = ways.pop_front() {
        if here == to {
            return way;
        }
        for (direction, key) in keys {
            if let Some(next) = scene.beside(&here, direction)
                && seen.insert(next.id.clone())
            {
                let mut way = way.clone();
                way.push((key, next.id.clone()));
                ways.push_back((next.id.clone(), way));
            }
        }
    }
    panic!("no way leads from {from} to {to}");
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Hand {
    Mouse,
    Drag,
    Finger,
    Keys,
    Mirror,
}

/// The targets to activate for the move `m` of the match `playing`.
pub(crate) fn clicks(playing: &dyn AnyMatch, m: &str) -> Vec<String> {
    let words = view_words();
    let table = playing.table();
    let scene = table.scene(&Look::new(&words));
    if table.pass().as_deref() == Some(m) {
        return vec!["pass".to_owned()];
    }
    let ids = scene.targets.iter().map(|target| target.id.clone());
    for first in ids {
        let mut picked = playing.table();
        match picked.click(&first) {
            view::Click::Move(found) if found == m => return vec![first],
            view::Click::Picked => {
                for second in scene
                    .targets
                    .iter()
                    .filter(|target| picked.leads_on(&target.id))
                {
                    let mut played = playing.table();
                    played.click(&first);
                    if played.click(&second.id) == view::Click::Move(m.to_owned()) {
                        return vec![first, second.id.clone()];
                    }
                }
            }
            _ => {}
        }
    }
    panic!("{m} can't be clicked");
}

fn view_words() -> view::Words {
    view::Words::of(view::Language::English)
}
