//! Bots and load on a server in this process.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use client::Api;
use protocol::{MatchInfo, MatchList, MatchResult, MatchStatus};
use serde_json::{Value, json};
use server::{Config, Hub, NoBus};
use store::{SqliteStore, Store};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinSet,
};

const PARLOUR: &str = env!("CARGO_BIN_EXE_parlour");

/// A server with a store in a file.
struct Server {
    address: String,
    _folder: tempfile::TempDir,
}

impl Server {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("parlour.db")).unwrap();
        let store: Arc<dyn Store> = Arc::new(store);
        let listening = server::listen(([127, 0, 0, 1], 0).into()).unwrap();
        let address = listening.address;
        let config = Config {
            url: address.into(),
            proxies: Vec::new(),
            files: &[],
        };
        let hub = Hub::new(config, store, Arc::new(NoBus)).await.unwrap();
        tokio::spawn(server::serve(hub, listening, None, std::future::pending()));
        Self {
            address: address.to_string(),
            _folder: folder,
        }
    }
}

/// Forwards connections, and cuts them all when it is told to.
struct Proxy {
    address: String,
    cut: watch::Sender<u32>,
}

impl Proxy {
    async fn start(to: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (cut, told) = watch::channel(0);
        tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((mut client, _)) = listener.accept().await {
                let (to, mut told) = (to.clone(), told.clone());
                told.mark_unchanged();
                connections.spawn(async move {
                    let mut server = TcpStream::connect(to).await.unwrap();
                    tokio::select! {
                        _ = copy_bidirectional(&mut client, &mut server) => {}
                        _ = told.changed() => {}
                    }
                });
            }
        });
        Self { address, cut }
    }

    fn cut(&self) {
        self.cut.send_modify(|n| *n += 1);
    }
}

/// Ends with the test.
struct Bot(Child);

impl Bot {
    fn start(address: &str, token: &str, game: &str) -> Self {
        let child = Command::new(PARLOUR)
            .args(["bot", "--server", &format!("http://{address}"), "--once"])
            .args(["--movetime", "5", game, "--", PARLOUR, "engine", game])
            .env("PARLOUR_TOKEN", token)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self(child)
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// Two engines play every game to its end, and nothing is lost when their connections are cut
/// and one of them is killed.
#[tokio::test(flavor = "multi_thread")]
async fn bots_play_every_game_with_the_connection_cut() {
    let server = Server::start().await;
    let proxy = Proxy::start(server.address.clone()).await;
    let api = Api::new(&server.address);
    for game in catalog::GAMES {
        let game = game.name();
        let (first, first_session) = api.new_guest().await.unwrap();
        let (second, second_session) = api.new_guest().await.unwrap();
        let options = match game {
            // The shortest match of the game with the longest ones.
            "simply-go" => json!({ "size": "9", "mode": "moves:40" }),
            _ => json!({}),
        };
        let terms = json!({ "game": game, "color": "first", "options": options });
        let challenge = first.challenge(&terms).await.unwrap();
        let g = second.accept(&challenge.challenge).await.unwrap().id;
        let mut bots = [&first_session, &second_session]
            .map(|session| Bot::start(&proxy.address, &session.token, game));
        let mut n_cuts = 0;
        let info = loop {
            let path = format!("/api/matches/{g}");
            let info: MatchInfo = api.get(&path).await.unwrap().parse().unwrap();
            if info.status != MatchStatus::Playing {
                break info;
            }
            // Cut when a few turns have been made; later one bot is killed and starts anew.
            if info.version >= 4 * (n_cuts + 1) && n_cuts < 2 {
                if n_cuts == 0 {
                    proxy.cut();
                } else {
                    bots[0] = Bot::start(&proxy.address, &first_session.token, game);
                }
                n_cuts += 1;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        assert_eq!(info.status, MatchStatus::Over, "{game}");
        assert_ne!(info.result, MatchResult::None, "{game}");
        assert!(n_cuts > 0, "{game}: it was over before the cut");
        for bot in &mut bots {
            let status = bot.0.wait().unwrap();
            assert!(status.success(), "{game}: {status}");
        }
        // It ended by the rules: nobody resigned, and no time was up.
        let record = api.get(&format!("/api/matches/{g}/record")).await.unwrap();
        let game = catalog::find(game).unwrap();
        let mut record = game.read_file(&record.body).unwrap();
        while record.redo().is_some() {}
        assert_eq!(record.position(), info.fen);
        assert!(record.legal_moves().is_empty() || record.ending().is_some());
        assert!(!record.to_string().contains("resign"), "{record}");
    }
}

/// Bots that look for an opponent find each other, and play by the clock.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn bots_find_each_other_in_a_pool() {
    let server = Server::start().await;
    let api = Api::new(&server.address);
    // Moves at once, so that the match is short.
    let engine = format!(
        "(printf 'setoption name Opponent value random\\n'; cat) | '{PARLOUR}' engine nonaga"
    );
    let mut bots = Vec::new();
    let mut guests = Vec::new();
    for _ in 0..2 {
        let (guest, session) = api.new_guest().await.unwrap();
        let child = Command::new(PARLOUR)
            .args(["bot", "--server", &format!("http://{}", server.address)])
            .args(["--once", "--pools", "nonaga/3+2", "nonaga", "--"])
            .args(["sh", "-c", &engine])
            .env("PARLOUR_TOKEN", &session.token)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        bots.push(Bot(child));
        guests.push(guest);
    }
    for mut bot in bots {
        let status = tokio::task::spawn_blocking(move || bot.0.wait().unwrap());
        assert!(status.await.unwrap().success());
    }
    let list: MatchList = guests[0]
        .get("/api/me/matches")
        .await
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(list.matches.len(), 1);
    assert_eq!(list.matches[0].status, MatchStatus::Over);
    assert!(list.matches[0].control.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_with_a_wrong_token_says_so() {
    let server = Server::start().await;
    let output = tokio::task::spawn_blocking(move || {
        Command::new(PARLOUR)
            .args(["bot", "--server", &format!("http://{}", server.address)])
            .args(["--token", "AAAAAAAAAAAAAAAAAAAAAA", "nonaga", "--"])
            .args([PARLOUR, "engine", "nonaga"])
            .output()
            .unwrap()
    });
    let output = output.await.unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("does not know the token"), "{text}");
}

/// A tenth of the load that the documents promise: nothing is lost, and everybody sees the
/// same. How long it takes is not tested.
#[tokio::test(flavor = "multi_thread")]
async fn under_load_nothing_is_lost() {
    let server = Server::start().await;
    let output = tokio::task::spawn_blocking(move || {
        Command::new(PARLOUR)
            .args(["load", "--server", &format!("http://{}", server.address)])
            .args(["--matches", "100", "--watchers", "300"])
            .args(["--turns-per-second", "50", "--seconds", "10", "--json"])
            .output()
            .unwrap()
    });
    let output = output.await.unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{text}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["sockets"], 500, "{report}");
    assert_eq!(report["ok"], report["stored"], "{report}");
    assert_eq!(report["broken"], 0, "{report}");
    for wrong in [
        "lost",
        "doubled",
        "wrong_views",
        "wrong_events",
        "unanswered",
    ] {
        assert_eq!(report[wrong], 0, "{report}");
    }
    assert!(report["ok"].as_u64() > Some(0), "{report}");
}
