//! Two people in two browsers play each other over a server.

use std::{
    io::{Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use catalog::AnyMatch;
use rules::{Player, Random};
use serde_json::json;
use tokio::{runtime::Runtime, sync::oneshot};

use super::{
    chromium::{Chromium, DESK, Device, PHONE},
    code::{Code, qr_code},
    matches::choose,
    table::{Hand, Table, clicks},
};

/// A server of online play in this process. It can be killed, and started again at the same
/// address with what it had stored.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    store: Arc<store::MemoryStore>,
    runtime: Option<Runtime>,
    /// Makes it leave as it does when it is stopped.
    leave: Option<oneshot::Sender<()>>,
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::with_store(Arc::default())
    }

    /// Another node for the same matches.
    fn start_beside(other: &Self) -> Self {
        Self::with_store(Arc::clone(&other.store))
    }

    fn with_store(store: Arc<store::MemoryStore>) -> Self {
        let mut server = Self {
            address: ([127, 0, 0, 1], 0).into(),
            store,
            runtime: None,
            leave: None,
        };
        server.restart();
        server
    }

    /// Tells everybody to connect elsewhere, and ends.
    fn leave(&mut self) {
        let leave = self.leave.take().unwrap();
        leave.send(()).unwrap();
    }

    /// Ends it as a power failure would: nobody is told.
    pub(crate) fn kill(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }

    pub(crate) fn restart(&mut self) {
        self.kill();
        // The port may be in use for a moment longer.
        let listening = loop {
            match server::listen(self.address) {
                Ok(listening) => break listening,
                Err(_) => thread::yield_now(),
            }
        };
        self.address = listening.address;
        let config = server::Config {
            url: format!("http://{}", self.address).parse().unwrap(),
            proxies: Vec::new(),
            files: page::files(),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let store = self.store.clone();
        let (leave, told) = oneshot::channel();
        self.leave = Some(leave);
        runtime.spawn(async move {
            let hub = server::Hub::new(config, store, Arc::new(server::NoBus)).await;
            let end = async move {
                // Nobody tells one that is killed.
                if told.await.is_err() {
                    std::future::pending().await
                }
            };
            server::serve(hub.unwrap(), listening, None, end).await
        });
        self.runtime = Some(runtime);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The address of a server that these tests share.
fn server() -> SocketAddr {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(Server::start).address
}

/// A network between one browser and the server, which can be cut.
pub(crate) struct Network {
    address: SocketAddr,
    /// Where it leads to.
    to: Arc<Mutex<SocketAddr>>,
    is_cut: Arc<AtomicBool>,
    is_swallowing: Arc<AtomicBool>,
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

impl Network {
    fn new(to: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let network = Self {
            address: listener.local_addr().unwrap(),
            to: Arc::new(Mutex::new(to)),
            is_cut: Arc::default(),
            is_swallowing: Arc::default(),
            streams: Arc::default(),
        };
        let to = Arc::clone(&network.to);
        let (cut, all) = (Arc::clone(&network.is_cut), Arc::clone(&network.streams));
        let swallow = Arc::clone(&network.is_swallowing);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(near) = stream else { break };
                // A network that is cut accepts nothing; the nearest to that is to hang up.
                if cut.load(Ordering::SeqCst) {
                    continue;
                }
                let to = *to.lock().unwrap();
                let Ok(far) = TcpStream::connect(to) else {
                    continue;
                };
                for stream in [&near, &far] {
                    stream.set_nodelay(true).unwrap();
                    all.lock().unwrap().push(stream.try_clone().unwrap());
                }
                for (from, to) in [(&near, &far), (&far, &near)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let swallow = Arc::clone(&swallow);
                    thread::spawn(move || copy(from, to, &swallow));
                }
            }
        });
        network
    }

    pub(crate) fn site(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Hangs up, and accepts nothing.
    pub(crate) fn cut(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
        self.hang_up();
    }

    /// Loses everything from now on, and tells nobody: sockets stay open.
    pub(crate) fn swallow(&self) {
        self.is_swallowing.store(true, Ordering::SeqCst);
    }

    pub(crate) fn heal(&self) {
        if self.is_swallowing.swap(false, Ordering::SeqCst) {
            // What was lost is lost with its connection.
            self.hang_up();
        }
        self.is_cut.store(false, Ordering::SeqCst);
    }

    /// Leads new connections to another server.
    fn lead_to(&self, server: SocketAddr) {
        *self.to.lock().unwrap() = server;
    }

    fn hang_up(&self) {
        for stream in self.streams.lock().unwrap().drain(..) {
            // It may be closed already.
            stream.shutdown(Shutdown::Both).ok();
        }
    }
}

fn copy(mut from: TcpStream, mut to: TcpStream, swallow: &AtomicBool) {
    let mut bytes = [0; 16 * 1024];
    while let Ok(n) = from.read(&mut bytes) {
        if n > 0 && swallow.load(Ordering::SeqCst) {
            continue;
        }
        if n == 0 || to.write_all(&bytes[..n]).is_err() {
            break;
        }
    }
    to.shutdown(Shutdown::Both).ok();
    from.shutdown(Shutdown::Both).ok();
}

/// Without animations, which other tests are about.
pub(crate) fn calm(device: Device) -> Device {
    Device {
        is_calm: true,
        ..device
    }
}

/// Somebody in a browser with a network of their own.
pub(crate) struct Somebody {
    pub(crate) table: Table,
    pub(crate) network: Network,
    pub(crate) hand: Hand,
}

impl Somebody {
    pub(crate) fn new(device: Device, hand: Hand, fragment: &str) -> Self {
        Self::at(server(), device, hand, fragment)
    }

    /// Somebody who plays on this server.
    pub(crate) fn at(server: SocketAddr, device: Device, hand: Hand, fragment: &str) -> Self {
        let network = Network::new(server);
        let mut browser = Chromium::start(calm(device));
        browser.open(&format!("{}{fragment}", network.site()));
        Self {
            table: Table { browser },
            network,
            hand,
        }
    }

    pub(crate) fn browser(&mut self) -> &mut Chromium {
        &mut self.table.browser
    }

    /// Clicks on something once it is there and can be pressed.
    #[track_caller]
    pub(crate) fn press(&mut self, selector: &str) {
        // In one step: what is there now may be another element in a moment.
        self.browser().wait_for("press", json!([selector]));
    }

    /// Resigns, or calls the match off.
    #[track_caller]
    pub(crate) fn resign(&mut self) {
        self.browser().wait_for_element("#resign:not(:disabled)");
        self.browser().call("resign", json!([]));
    }

    /// The color at the near side of the board.
    pub(crate) fn color(&mut self) -> Player {
        match self.browser().count(".pc.you.p1") {
            0 => Player::Second,
            _ => Player::First,
        }
    }

    #[track_caller]
    pub(crate) fn wait_for_position(&mut self, fen: &str) {
        self.browser().wait_for("hasData", json!(["fen", fen]));
    }

    /// Checks that everything is on the screen: the board, the cards and the controls.
    #[track_caller]
    pub(crate) fn check_room(&mut self) {
        let hidden = self.browser().call(
            "offScreen",
            json!([".app :is(.pc, .onp .oc, .onres, .ct .ib)"]),
        );
        assert_eq!(hidden, json!([]));
    }

    #[track_caller]
    pub(crate) fn wait_for_connection(&mut self, state: &str) {
        self.browser().wait_for("hasData", json!(["online", state]));
    }
}

impl Drop for Somebody {
    /// Reports what somebody saw when a test failed.
    #[expect(clippy::print_stderr, reason = "it is for whoever reads why")]
    fn drop(&mut self) {
        if thread::panicking() {
            let scene = AssertUnwindSafe(|| self.table.browser.call("scene", json!([])));
            if let Ok(scene) = catch_unwind(scene) {
                eprintln!("{scene}");
            }
        }
    }
}

/// Two people who sit down to a match by way of a link.
pub(crate) fn sit_down(game: &str, options: &[&str]) -> [Somebody; 2] {
    sit_down_at(server(), game, options)
}

/// Makes a link at `#/play`. Returns the address that it leads to.
pub(crate) fn make_link(host: &mut Somebody) -> String {
    host.press("#challenge");
    host.browser().wait_for_element("#invite-link");
    let token = host.browser().call("inviteToken", json!([]));
    format!("#/join/{}", token.as_str().unwrap())
}

/// As [`sit_down`], on this server.
pub(crate) fn sit_down_at(server: SocketAddr, game: &str, options: &[&str]) -> [Somebody; 2] {
    let mut host = Somebody::at(server, DESK, Hand::Mouse, "#/play");
    host.press(&format!(".friend input[name=game][value={game}]"));
    for option in options {
        host.press(option);
    }
    let link = make_link(&mut host);
    host.browser().screenshot(&format!("online-waiting-{game}"));
    let mut guest = Somebody::at(server, PHONE, Hand::Finger, &link);
    guest.browser().wait_for_element("#take-seat");
    guest.browser().screenshot(&format!("online-join-{game}"));
    guest.press("#take-seat");
    for one in [&mut host, &mut guest] {
        one.wait_for_connection("connected");
    }
    [host, guest]
}

/// Who is to move, of two people.
pub(crate) fn mover(two: &mut [Somebody; 2], turn: Player) -> usize {
    usize::from(two[0].color() != turn)
}

/// Plays a whole match; both see the same after every turn, and the network of one of them is
/// cut after `n_before_cut` moves.
fn play_on(two: &mut [Somebody; 2], game: &str, seed: u64, n_before_cut: usize) {
    let start = two[0].table.data("fen");
    let mut playing = catalog::find(game).unwrap().start_from(&start).unwrap();
    let mut random = Random::new(seed);
    let mut n_moves = 0;
    let mut cut: Option<usize> = None;
    while playing.ending().is_none() && two[0].table.data("result") == "none" {
        let turn = playing.turn();
        let index = mover(two, turn);
        let m = choose(&*playing, &mut random);
        let steps = clicks(&*playing, &m);
        if n_moves == n_before_cut {
            two[index].network.cut();
            two[index].wait_for_connection("reconnecting");
            cut = Some(index);
        }
        let hand = two[index].hand;
        two[index].table.play(hand, &steps);
        playing.play(&m).unwrap();
        n_moves += 1;
        // One's own move shows at once, with a network or without.
        two[index].wait_for_position(&playing.position());
        if playing.turn() == turn && playing.ending().is_none() {
            continue;
        }
        if let Some(index) = cut.take() {
            two[index]
                .browser()
                .screenshot(&format!("online-cut-{game}"));
            assert_eq!(two[index].browser().count(".oc.net"), 1);
            two[index].check_room();
            two[index].network.heal();
            two[index].wait_for_connection("connected");
        }
        two[1 - index].wait_for_position(&playing.position());
    }
    let result = two[0].table.data("result");
    assert_ne!(result, "none");
    let ending = playing.ending().map(|ending| ending.outcome.to_string());
    if let Some(ending) = ending {
        assert_eq!(result, ending);
    }
    two[1]
        .browser()
        .wait_for("hasData", json!(["result", result]));
}

/// From link to rematch.
fn play_a_match(game: &str, options: &[&str], seed: u64) {
    let mut two = sit_down(game, options);
    two[0].browser().screenshot(&format!("online-begin-{game}"));
    play_on(&mut two, game, seed, 5);
    for (one, name) in two.iter_mut().zip(["desk", "phone"]) {
        one.browser().wait_for_element("#rematch");
        one.browser()
            .screenshot(&format!("online-end-{game}-{name}"));
        one.check_room();
    }
    let colors = [two[0].color(), two[1].color()];
    let first = two[0].browser().fragment();
    for one in &mut two {
        one.press("#rematch");
    }
    for one in &mut two {
        one.browser().wait_for("isElsewhere", json!([first]));
        one.browser().wait_for("hasData", json!(["result", "none"]));
    }
    assert_eq!(two[0].browser().fragment(), two[1].browser().fragment());
    assert_eq!([two[1].color(), two[0].color()], colors, "colors swap");
    for one in &mut two {
        let complaints = std::mem::take(&mut one.browser().complaints);
        // Browsers complain of networks that are cut.
        let others = complaints.iter().filter(|text| {
            let expected = ["WebSocket", "ERR_", "/api/me", "fetching the script"];
            !expected.iter().any(|part| text.contains(part))
        });
        assert_eq!(others.collect::<Vec<_>>(), [""; 0]);
    }
}

#[test]
fn lilypads_from_link_to_rematch() {
    play_a_match("lilypads", &[], 1);
}

#[test]
fn nonaga_from_link_to_rematch() {
    play_a_match("nonaga", &[], 2);
}

#[test]
fn takeover_from_link_to_rematch() {
    play_a_match("takeover", &[], 3);
}

#[test]
fn simply_go_from_link_to_rematch() {
    let options = [
        ".friend input[name=size][value='9']",
        ".friend input[value='moves:40']",
    ];
    play_a_match("simply-go", &options, 4);
}

/// Both have made a turn, so that the clocks run. Returns the match.
fn begin(two: &mut [Somebody; 2]) -> Box<dyn AnyMatch> {
    let fen = two[0].table.data("fen");
    let game = two[0].table.data("game");
    let mut playing = catalog::find(&game).unwrap().start_from(&fen).unwrap();
    for _ in 0..2 {
        make_turn(two, &mut *playing);
    }
    playing
}

/// Makes a turn of one move that both see.
fn make_turn(two: &mut [Somebody; 2], playing: &mut dyn AnyMatch) {
    let m = playing.legal_moves()[0].clone();
    let by = mover(two, playing.turn());
    two[by].table.play(Hand::Mirror, &clicks(playing, &m));
    playing.play(&m).unwrap();
    for one in two {
        one.wait_for_position(&playing.position());
    }
}

#[test]
fn a_network_that_swallows_everything_is_noticed() {
    let mut two = sit_down("takeover", &[]);
    let mut playing = begin(&mut two);
    let mover = mover(&mut two, playing.turn());
    // Whoever waits looks at the other's clock, which runs.
    let waits = &mut two[1 - mover];
    let clock = format!("[data-clock={}]", playing.turn());
    let running = format!("{clock}.run");
    waits.browser().wait_for_element(&running);
    waits.network.swallow();
    // No socket is closed; the page hears nothing for 3 s.
    waits.wait_for_connection("reconnecting");
    waits.browser().wait_for("hasNot", json!([running]));
    waits.browser().wait_for_element(".oc.net");
    let left = waits.browser().text(&clock);
    waits.browser().call("sleep", json!([2_500]));
    assert_eq!(waits.browser().text(&clock), left, "the clock stands still");
    assert_eq!(waits.browser().count(&running), 0);
    waits.browser().screenshot("online-swallowed");
    waits.network.heal();
    waits.wait_for_connection("connected");
    waits.browser().wait_for_element(&running);
    waits.browser().wait_for("hasNot", json!([".oc.net"]));
    make_turn(&mut two, &mut *playing);
}

#[test]
fn a_server_that_leaves_is_left_without_a_word() {
    let mut first = Server::start();
    let second = Server::start_beside(&first);
    let mut two = sit_down_at(first.address, "takeover", &[]);
    let mut playing = begin(&mut two);
    for one in &mut two {
        one.network.lead_to(second.address);
        one.browser().call("noteConnection", json!([]));
    }
    let sockets = |one: &mut Somebody| one.browser().call("nSockets", json!([]));
    let before = two.each_mut().map(sockets);
    first.leave();
    for (one, before) in two.iter_mut().zip(before) {
        one.browser().wait_for("hasMoreSockets", json!([before]));
    }
    // The first one is gone; the match goes on at the second.
    for _ in 0..3 {
        make_turn(&mut two, &mut *playing);
    }
    first.kill();
    make_turn(&mut two, &mut *playing);
    for one in &mut two {
        let noted = one.browser().call("notedConnections", json!([]));
        assert_eq!(noted, json!(["connected"]));
    }
}

#[test]
fn the_first_turn_is_due() {
    let mut two = sit_down("takeover", &[]);
    let fen = two[0].table.data("fen");
    let mut playing = catalog::find("takeover").unwrap().start_from(&fen).unwrap();
    let first = mover(&mut two, playing.turn());
    let begins = |text: &str| json!([".due", text]);
    let own = begins("Make your first move within ");
    two[first].browser().wait_for("textBegins", own.clone());
    two[1 - first].browser().wait_for_element(".due");
    for (index, one) in two.iter_mut().enumerate() {
        one.browser().screenshot(&format!("online-due-{index}"));
        one.check_room();
    }
    make_turn(&mut two, &mut *playing);
    two[1 - first].browser().wait_for("textBegins", own);
    make_turn(&mut two, &mut *playing);
    for one in &mut two {
        one.browser().wait_for("hasNot", json!([".due"]));
    }
}

#[test]
fn the_code_of_an_invitation_is_its_link() {
    let mut host = Somebody::new(DESK, Hand::Mouse, "#/play");
    make_link(&mut host);
    host.browser().wait_for_element(".wait .qr path");
    let link = host.browser().call("value", json!(["#invite-link"]));
    let (path, shown) = qr_code(host.browser(), ".wait .qr");
    let code = Code::of_path(&path);
    assert_eq!(code.text(), link.as_str().unwrap());
    // Readers may rely on four empty modules around it.
    let size = code.size + 8;
    assert_eq!(shown, format!("-4 -4 {size} {size}"));
}

#[test]
fn a_link_works_once_and_others_watch() {
    let mut two = sit_down("takeover", &[]);
    let address = two[0].browser().fragment();
    let address = address.as_str().unwrap();
    let mut watcher = Somebody::new(DESK, Hand::Mouse, address);
    watcher.wait_for_connection("connected");
    let fen = two[0].table.data("fen");
    watcher.wait_for_position(&fen);
    assert_eq!(watcher.browser().count("#resign"), 0, "no seat");
    let playing = catalog::find("takeover").unwrap().start_from(&fen).unwrap();
    let m = playing.legal_moves()[0].clone();
    let steps = clicks(&*playing, &m);
    watcher.table.play(Hand::Mouse, &steps);
    let index = mover(&mut two, playing.turn());
    two[index].table.play(Hand::Mirror, &steps);
    let mut next: Box<dyn AnyMatch> = playing.boxed_clone();
    next.play(&m).unwrap();
    for one in [&mut two[0], &mut watcher] {
        one.wait_for_position(&next.position());
    }
}

#[test]
fn offers_phrases_and_resignation() {
    let mut two = sit_down("takeover", &[]);
    let start = two[0].table.data("fen");
    let mut playing = catalog::find("takeover")
        .unwrap()
        .start_from(&start)
        .unwrap();
    let mut random = Random::new(9);
    for _ in 0..2 {
        let m = choose(&*playing, &mut random);
        let steps = clicks(&*playing, &m);
        let index = mover(&mut two, playing.turn());
        two[index].table.play(Hand::Mirror, &steps);
        playing.play(&m).unwrap();
        for one in &mut two {
            one.wait_for_position(&playing.position());
        }
    }
    // The one who moved last asks to take back.
    let index = mover(&mut two, !playing.turn());
    two[index].press("#undo");
    two[1 - index].browser().wait_for_element("#offer-accept");
    two[1 - index].browser().screenshot("online-offer");
    two[1 - index].check_room();
    two[1 - index].press("#offer-accept");
    playing.take_back(!playing.turn()).unwrap();
    for one in &mut two {
        one.wait_for_position(&playing.position());
    }
    two[0].press(".quick [data-do='say 3']");
    two[1].browser().wait_for_element(".said:not(.own)");
    two[1].browser().screenshot("online-said");
    two[0].press("#draw");
    two[1].press("#offer-decline");
    two[0].browser().wait_for("hasNot", json!([".oc"]));
    two[1].press("#resign");
    assert_eq!(
        two[1].table.data("result"),
        "none",
        "one press is not enough"
    );
    two[1].resign();
    for one in &mut two {
        one.browser().wait_for_element("#rematch");
        assert_ne!(one.table.data("result"), "none");
    }
}

#[test]
fn two_who_look_for_an_opponent_find_each_other() {
    let mut two = [(DESK, Hand::Mouse), (PHONE, Hand::Finger)]
        .map(|(device, hand)| Somebody::new(device, hand, "#/play"));
    for one in &mut two {
        one.press("#pool-simply-go");
        one.press("#seek-rapid");
    }
    for one in &mut two {
        one.wait_for_connection("connected");
        assert_eq!(one.table.data("game"), "simply-go");
    }
    assert_ne!(two[0].color(), two[1].color());
    // Nobody has moved yet, so either may end it without a result.
    two[0].resign();
    for one in &mut two {
        one.browser().wait_for_element(".onres");
        assert_eq!(one.table.data("result"), "none");
    }
}

/// A search that the server can't take at once is sent again; one that it refuses is over.
#[test]
fn a_refused_search_is_sent_again_or_ends() {
    let server = Server::start();
    let devices = [(DESK, Hand::Mouse), (PHONE, Hand::Finger)];
    let mut two =
        devices.map(|(device, hand)| Somebody::at(server.address, device, hand, "#/play"));
    for (one, refusal) in two.iter_mut().zip([json!(null), json!("unavailable")]) {
        one.browser().call("refuseSearches", json!([[refusal]]));
        one.press("#pool-nonaga");
        one.press("#seek-blitz");
    }
    for one in &mut two {
        one.wait_for_connection("connected");
        assert_eq!(one.table.data("game"), "nonaga");
    }
    let mut third = Somebody::at(server.address, DESK, Hand::Mouse, "#/play");
    let refusals = json!([["not-your-seat"]]);
    third.browser().call("refuseSearches", refusals);
    third.press("#pool-nonaga");
    third.press("#seek-daily");
    third.browser().wait_for_element(".lobby [role=alert]");
    assert_eq!(third.browser().count(".pool.on"), 0);
    third.press("#seek-daily");
    third.browser().wait_for_element(".pool.on");
}

#[test]
fn a_new_user_gets_an_account_and_leaves_again() {
    let mut one = Somebody::new(PHONE, Hand::Finger, "#/");
    one.press("#friend");
    one.press("#create");
    one.browser().wait_for_element("#acc-name");
    one.browser().screenshot("online-account");
    one.browser()
        .call("fill", json!(["#acc-name", "QuietHeron"]));
    one.browser()
        .call("fill", json!(["#acc-password", "far too long to guess"]));
    // Enter sends what was filled in, as in every form.
    one.browser().call("focus", json!(["#acc-password"]));
    one.browser().press("Enter");
    one.browser().wait_for_element(".codes");
    one.browser().screenshot("online-codes");
    one.press("#codes-done");
    one.press("#profile");
    one.browser().wait_for_element(".rcs");
    one.browser().screenshot("online-profile");
    assert_eq!(one.browser().text(".who h1"), "QuietHeron");
    one.browser().call("goTo", json!(["#/play"]));
    one.press("#account");
    one.press("#do-sign-out");
    one.browser().wait_for("hasNot", json!(["#profile"]));
    one.press("#sign-in");
    one.browser().wait_for_element("#acc-name");
    one.browser()
        .call("fill", json!(["#acc-name", "QuietHeron"]));
    one.browser()
        .call("fill", json!(["#acc-password", "not this one"]));
    one.press("#acc-go");
    one.browser().wait_for("isShown", json!([".acc .bad"]));
}

#[test]
fn a_guest_may_take_their_data_and_go() {
    let mut one = Somebody::new(PHONE, Hand::Finger, "#/play");
    make_link(&mut one);
    one.press("#account");
    one.browser().wait_for_element("#do-delete");
    one.browser().screenshot("online-guest-data");
    for path in ["export", "matches.ndjson"] {
        let link = format!(".acc a[href='/api/me/{path}'][download]");
        assert_eq!(one.browser().count(&link), 1);
    }
    assert_eq!(one.browser().count("#do-sign-out, #do-password"), 0);
    one.press("#acc-close");
    // Whoever signs in now leaves the guest behind, and is told.
    one.press("#sign-in");
    one.browser().wait_for(
        "textBegins",
        json!([".acc .note", "Your matches as a guest stay"]),
    );
    one.browser().screenshot("online-guest-signs-in");
    one.press("#acc-close");
    one.press("#account");
    one.press("#do-delete");
    one.browser()
        .wait_for("textBegins", json!(["#do-delete", "Press again"]));
    one.press("#do-delete");
    one.browser().wait_for("hasNot", json!(["#account"]));
    // Nobody is left who could leave something behind.
    one.press("#sign-in");
    one.browser().wait_for_element("#acc-name");
    assert_eq!(one.browser().count(".acc .note"), 0);
}

#[test]
fn a_password_can_be_changed() {
    let mut one = Somebody::new(DESK, Hand::Mouse, "#/play");
    let fill = |one: &mut Somebody, selector: &str, text: &str| {
        one.browser().wait_for_element(selector);
        one.browser().call("fill", json!([selector, text]));
    };
    one.press("#create");
    fill(&mut one, "#acc-name", "LoudHeron");
    fill(&mut one, "#acc-password", "the first of them");
    one.press("#acc-go");
    one.press("#codes-done");
    one.press("#account");
    one.browser().screenshot("online-own-account");
    for (old, complaint) in [("not this one", true), ("the first of them", false)] {
        if !complaint {
            one.press("#acc-close");
            one.press("#account");
            one.press("#do-delete");
            one.browser()
                .wait_for("textBegins", json!(["#do-delete", "Press again"]));
        }
        one.press("#do-password");
        fill(&mut one, "#acc-old", old);
        fill(&mut one, "#acc-password", "the second of them");
        one.press("#acc-go");
        if complaint {
            one.browser().wait_for("isShown", json!([".acc .bad"]));
            one.browser().screenshot("online-password");
        } else {
            one.browser().wait_for_element("#do-sign-out");
            let delete = one.browser().text("#do-delete");
            assert!(!delete.starts_with("Press again"), "{delete}");
        }
    }
    one.press("#do-sign-out");
    one.press("#sign-in");
    fill(&mut one, "#acc-name", "LoudHeron");
    fill(&mut one, "#acc-password", "the second of them");
    one.press("#acc-go");
    one.browser().wait_for_element("#profile");
}
