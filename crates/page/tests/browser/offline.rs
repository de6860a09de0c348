//! The page without a network, in a new version, and installed.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
};

use axum::{Router, body::Body, http::Request, routing::any};
use page::{File, files};
use rules::Random;
use serde_json::json;
use tokio::sync::oneshot;
use view::{Language, Words};

use super::{
    chromium::{Chromium, DESK, Device, PHONE},
    matches::choose,
    puzzles::{puzzle, solve_open, wait_for_phase},
    study::{played, wait_for_review},
    table::{Hand, Table, clicks},
};

/// A server that can be stopped, and that can be given another version of the page.
pub(crate) struct Stand {
    address: SocketAddr,
    files: Arc<Mutex<Vec<File>>>,
    /// The paths that were asked for.
    paths: Arc<Mutex<Vec<String>>>,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Stand {
    pub(crate) fn open(files: Vec<File>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let files = Arc::new(Mutex::new(files));
        let paths = Arc::new(Mutex::new(Vec::new()));
        let answer = {
            let (files, paths) = (Arc::clone(&files), Arc::clone(&paths));
            move |request: Request<Body>| async move {
                paths.lock().unwrap().push(request.uri().path().to_owned());
                page::answer(&files.lock().unwrap(), &request)
            }
        };
        let app = Router::new().fallback(any(answer));
        let (stop, stopped) = oneshot::channel();
        let thread = thread::spawn(move || {
            let mut builder = tokio::runtime::Builder::new_current_thread();
            let runtime = builder.enable_all().build().unwrap();
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                tokio::spawn(async move { axum::serve(listener, app).await });
                stopped.await.ok();
            });
        });
        Self {
            address,
            files,
            paths,
            stop,
            thread,
        }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// The files of weights that were asked for so far, by name.
    pub(crate) fn weights_asked_for(&self) -> Vec<String> {
        let paths = self.paths.lock().unwrap();
        let names = paths.iter().filter(|path| path.ends_with(".weights"));
        let names = names.filter_map(|path| path.trim_start_matches('/').split('-').next());
        names.map(str::to_owned).collect()
    }

    /// From now on there is another version.
    pub(crate) fn serve(&self, files: Vec<File>) {
        *self.files.lock().unwrap() = files;
    }

    /// Ends the server with all its connections.
    pub(crate) fn close(self) {
        self.stop.send(()).unwrap();
        self.thread.join().unwrap();
        assert!(TcpStream::connect(self.address).is_err());
    }
}

/// The built page as a version of its own.
fn build(name: &str) -> Vec<File> {
    let mut files = files().to_vec();
    change(&mut files, "index.html", |text| {
        text.replace("<html ", &format!("<html data-build=\"{name}\" "))
    });
    change(&mut files, "sw.js", |text| {
        text.replace("const VERSION = \"", &format!("const VERSION = \"{name}"))
    });
    files
}

/// The built page without a service worker, which would fetch everything.
pub(crate) fn without_service_worker() -> Vec<File> {
    let mut files = files().to_vec();
    change(&mut files, "index.html", |text| {
        text.replace("content=\"sw.js\"", "content=\"\"")
    });
    files
}

/// Changes the text of a file.
fn change(files: &mut [File], name: &str, f: impl FnOnce(&str) -> String) {
    let file = files.iter_mut().find(|file| file.name == name).unwrap();
    let old = std::str::from_utf8(&file.whole).unwrap();
    let new = f(old);
    assert_ne!(new, old, "{name}");
    file.whole = new.into_bytes().into();
    file.small = None;
}

/// Visits the page, and waits until all of it is kept.
pub(crate) fn visit(device: Device, stand: &Stand) -> Table {
    let mut browser = Chromium::start(device);
    browser.open(&stand.address());
    browser.wait_for("isKept", json!([]));
    Table { browser }
}

/// Plays a match against a level to its end.
pub(crate) fn play_out(table: &mut Table, seed: u64) {
    let mut random = Random::new(seed);
    table.rest();
    while table.data("result") == "none" {
        let (game, fen) = (table.data("game"), table.data("fen"));
        let playing = catalog::find(&game).unwrap().start_from(&fen).unwrap();
        let m = choose(&*playing, &mut random);
        table.play(Hand::Mirror, &clicks(&*playing, &m));
        table.rest();
        assert_ne!(table.data("fen"), fen, "{m}");
    }
}

#[test]
fn after_one_visit_everything_works_without_a_server() {
    let stand = Stand::open(files().to_vec());
    let address = stand.address();
    let mut table = visit(DESK, &stand);
    stand.close();
    let fragment = "#/takeover?opponent=level-2&color=first&speed=0&board=7&seed=3";
    table.browser.open(&format!("{address}{fragment}"));
    play_out(&mut table, 1);
    table.browser.screenshot("offline");
    // A reload begins where the address says, and its worker answers again, also one that has to
    // fetch its weights.
    for game in ["lilypads", "nonaga", "takeover", "simply-go"] {
        let fragment = format!("#/{game}?opponent=level-7&color=second&speed=0&seed=3");
        table.browser.open(&format!("{address}{fragment}"));
        table.rest();
        assert_eq!(table.data("turn"), "second", "{game}");
        assert_eq!(table.browser.count(".notice"), 0, "{game}");
    }
    // So does what is fetched when it is needed.
    table.browser.press("?");
    table.browser.wait_for_element("dialog .keys");
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn puzzles_and_reviews_work_without_a_server() {
    let stand = Stand::open(files().to_vec());
    let address = stand.address();
    let mut table = visit(DESK, &stand);
    stand.close();
    for game in catalog::GAMES {
        let puzzle = puzzle(game.name(), 1);
        let fragment = format!("#/puzzles/{}/{}?speed=0", game.name(), puzzle.id());
        table.browser.open(&format!("{address}{fragment}"));
        wait_for_phase(&mut table, "solver");
        solve_open(&mut table, Hand::Mirror, &puzzle);
        // A new one is mined, with the weights of those who play its match.
        let fragment = format!("#/puzzles/{}/new-7?speed=0", game.name());
        table.browser.open(&format!("{address}{fragment}"));
        wait_for_phase(&mut table, "solver");
        assert_ne!(table.data("fen"), puzzle.position());
    }
    table.browser.screenshot("offline-puzzle");
    for (game, options) in [("lilypads", ("board", "42")), ("takeover", ("board", "7"))] {
        let playing = played(game, &[options], 12);
        let fragment = format!("#/review/shared/{}?speed=0", playing.to_link());
        table.browser.open(&format!("{address}{fragment}"));
        wait_for_review(&mut table, &*playing);
    }
    table.browser.screenshot("offline-review");
    assert_eq!(table.browser.complaints, [""; 0]);
}

#[test]
fn a_new_version_is_offered_and_taken() {
    for (device, place) in [(DESK, ".nav"), (PHONE, ".menu"), (PHONE, ".home")] {
        let stand = Stand::open(build("older"));
        let mut table = visit(device, &stand);
        stand.serve(build("newer"));
        let fragment = match place {
            ".home" => "",
            _ => "#/takeover?opponent=human&speed=0",
        };
        // The version that is kept opens at once; the other one is fetched meanwhile.
        table
            .browser
            .open(&format!("{}{fragment}", stand.address()));
        table.browser.wait_for("hasBuild", json!(["older"]));
        let button = format!("{place} .update button");
        table.browser.wait_for_element(&button);
        assert_eq!(table.browser.call("nCaches", json!([])), 2);
        // A match in progress goes on in the new version.
        let mut fen = None;
        if place != ".home" {
            table.rest();
            table.play(Hand::Mirror, &["b5".to_owned(), "c5".to_owned()]);
            table.rest();
            table.browser.wait_for("isStored", json!([]));
            fen = Some(table.data("fen"));
        }
        if place == ".menu" {
            table.browser.click_on(".news");
            table.browser.wait_for_element(".menu:popover-open");
        }
        table.browser.screenshot(&format!("update{place}"));
        table.browser.click_on(&button);
        table.browser.wait_for("hasBuild", json!(["newer"]));
        assert_eq!(table.browser.count(".update"), 0);
        assert_eq!(table.browser.call("nCaches", json!([])), 1);
        if let Some(fen) = fen {
            table.browser.wait_for("hasData", json!(["fen", fen]));
            assert_eq!(table.data("turn"), "second");
        }
        // It is the new one that is kept.
        let address = stand.address();
        stand.close();
        table.browser.open(&address);
        table.browser.wait_for("hasBuild", json!(["newer"]));
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

/// Where `parlour web` was open before, `cargo xtask play` shows what is being worked on.
#[test]
fn development_is_not_spoiled_by_what_was_kept() {
    let stand = Stand::open(build("kept"));
    let mut table = visit(DESK, &stand);
    let mut files = build("changed");
    change(&mut files, "index.html", |text| {
        text.replace("content=\"sw.js\"", "content=\"\"")
    });
    change(&mut files, "sw.js", |_| {
        include_str!("../../../../xtask/serve/src/leave.js").to_owned()
    });
    stand.serve(files);
    table.browser.open(&stand.address());
    table.browser.wait_for("hasBuild", json!(["changed"]));
    assert_eq!(table.browser.call("nRegistrations", json!([])), 0);
    assert_eq!(table.browser.call("nCaches", json!([])), 0);
    stand.close();
}

#[test]
fn the_page_can_be_installed_in_both_languages() {
    for language in Language::ALL {
        let device = Device {
            language: language.tag(),
            ..DESK
        };
        let mut table = Table::open(device, "");
        let found = table.browser.send("Page.getAppManifest", json!({}));
        assert_eq!(found["errors"], json!([]), "{found}");
        let found = table
            .browser
            .send("Page.getInstallabilityErrors", json!({}));
        assert_eq!(found["installabilityErrors"], json!([]), "{found}");
        let manifest = table.browser.call("manifest", json!([]));
        assert_eq!(manifest["lang"], language.tag());
        let words = Words::of(language);
        for (game, shortcut) in catalog::GAMES
            .iter()
            .zip(manifest["shortcuts"].as_array().unwrap())
        {
            let name = game.name();
            assert_eq!(shortcut["name"], words.say(&format!("{name}.name"), &[]));
            assert_eq!(shortcut["url"], format!("./?play={name}"));
        }
        for icon in manifest["icons"].as_array().unwrap() {
            if icon["type"] == "image/png" {
                let fetched = table.browser.call("fetchPicture", json!([icon["src"]]));
                let [width, height] = [&fetched[2], &fetched[3]].map(|n| n.as_str().unwrap());
                assert_eq!(icon["sizes"], format!("{width}x{height}"));
            }
        }
    }
}

#[test]
fn a_shortcut_begins_a_match() {
    let mut table = Table::open(DESK, "?play=nonaga");
    assert_eq!(table.data("game"), "nonaga");
    let fragment = table.browser.fragment();
    assert!(
        fragment
            .as_str()
            .unwrap()
            .starts_with("#/nonaga?opponent=level-2")
    );
    // Unknown ones show the four games.
    table
        .browser
        .open(&format!("{}?play=chess", super::table::site()));
    assert_eq!(table.browser.count(".tb"), 4);
}

/// Pictures of icons are made once, by `cargo xtask icons`; they must not lag behind the drawings.
#[test]
fn icons_look_like_their_drawings() {
    let find = |start: &str, end: &str| {
        let is_it = |file: &&File| file.name.starts_with(start) && file.name.ends_with(end);
        files().iter().find(is_it).unwrap().name.clone()
    };
    let mut table = Table::open(DESK, "");
    let app = find("app-", ".svg");
    for picture in [find("app-192-", ".png"), find("app-512-", ".png")] {
        let difference = table
            .browser
            .call("pictureDifference", json!([picture, app]));
        assert!(
            difference.as_f64().unwrap() < 0.002,
            "{picture}: {difference}"
        );
    }
}
