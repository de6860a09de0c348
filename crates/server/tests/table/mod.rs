//! A server in this process, and two players at a match on it.

#![allow(dead_code, reason = "each test program uses a part")]

use std::sync::Arc;

use catalog::AnyMatch;
use client::{Api, Socket};
use protocol::{
    Action, ActionName, ClientMessage, Event, MatchInfo, MatchStatus, Refusal, Seat, ServerMessage,
    TurnMessage,
};
use rules::Random;
use serde_json::{Value, json};
use server::{Bus, Config, Hub, NoBus};
use store::{MemoryStore, Store};

pub(crate) struct Server {
    pub(crate) api: Api,
    pub(crate) address: String,
    /// The address of the WebSocket.
    pub(crate) socket: String,
}

pub(crate) async fn server() -> Server {
    server_with(Arc::new(MemoryStore::new())).await
}

pub(crate) async fn server_with(store: Arc<dyn Store>) -> Server {
    node(store, Arc::new(NoBus)).await
}

/// One of several nodes.
pub(crate) async fn node(store: Arc<dyn Store>, bus: Arc<dyn Bus>) -> Server {
    let listening = server::listen(([127, 0, 0, 1], 0).into()).unwrap();
    let address = listening.address;
    let config = Config {
        url: address.into(),
        proxies: Vec::new(),
        files: &[],
    };
    let hub = Hub::new(config, store, bus).await.unwrap();
    tokio::spawn(server::serve(hub, listening, None, std::future::pending()));
    Server {
        api: Api::new(&address.to_string()),
        address: address.to_string(),
        socket: format!("ws://{address}/ws"),
    }
}

/// Two players who have joined a match.
pub(crate) struct Table {
    pub(crate) api: Api,
    pub(crate) g: String,
    /// The sockets, that of the player who moves first coming first.
    pub(crate) sockets: Vec<Socket>,
    pub(crate) tokens: [String; 2],
    pub(crate) random: Random,
    next_id: u64,
}

impl Table {
    /// One challenges, the other accepts, both join.
    pub(crate) async fn new(server: &Server, mut terms: Value) -> Self {
        terms["color"] = "first".into();
        // The same board every time: on some, a few random turns end the match.
        if terms["game"] == "takeover" && terms["options"].is_null() {
            terms["options"] = json!({ "board": "7" });
        }
        let (first, first_session) = server.api.new_guest().await.unwrap();
        let (second, second_session) = server.api.new_guest().await.unwrap();
        let mut sockets = Vec::new();
        for session in [&first_session, &second_session] {
            let socket = Socket::connect(&server.socket, Some(&session.token)).await;
            sockets.push(socket.unwrap());
        }
        let challenge = first.challenge(&terms).await.unwrap();
        let accepted = second.accept(&challenge.challenge).await.unwrap();
        assert_eq!(accepted.seat, Seat::Second);
        let paired = |message| match message {
            ServerMessage::Paired { g, seat } => Some((g, seat)),
            _ => None,
        };
        let paired = sockets[0].expect(paired).await.unwrap();
        assert_eq!(paired, (accepted.id.clone(), Seat::First));
        for socket in &mut sockets {
            let g = accepted.id.clone();
            socket
                .send(&ClientMessage::Join { g, v: None })
                .await
                .unwrap();
            let state = |message| matches!(message, ServerMessage::State(_)).then_some(());
            socket.expect(state).await.unwrap();
        }
        Self {
            api: server.api.clone(),
            g: accepted.id,
            sockets,
            tokens: [first_session.token, second_session.token],
            random: Random::new(3),
            next_id: 100,
        }
    }

    pub(crate) async fn info(&self) -> MatchInfo {
        let path = format!("/api/matches/{}", self.g);
        self.api.get(&path).await.unwrap().parse().unwrap()
    }

    pub(crate) async fn record_text(&self) -> String {
        let path = format!("/api/matches/{}/record", self.g);
        self.api.get(&path).await.unwrap().body
    }

    pub(crate) async fn record(&self) -> Box<dyn AnyMatch> {
        let info = self.info().await;
        let game = catalog::find(&info.game).unwrap();
        let mut record = game.read_file(&self.record_text().await).unwrap();
        while record.redo().is_some() {}
        record
    }

    /// Plays random turns, and checks that both players see the same.
    pub(crate) async fn play(&mut self, n_turns: usize) {
        for _ in 0..n_turns {
            let mut record = self.record().await;
            let info = self.info().await;
            let m = random_turn(&mut *record, &mut self.random);
            let mover = info.turn as usize;
            self.next_id += 1;
            let at = self.at().await;
            let message = ClientMessage::Turn(turn(&self.g, self.next_id, at, &m));
            self.sockets[mover].send(&message).await.unwrap();
            let mut seen = Vec::new();
            for socket in &mut self.sockets {
                let event = |message| match message {
                    ServerMessage::Ev {
                        v,
                        e: Event::Turn { m, .. },
                        fen,
                        ..
                    } => Some((v, m, fen)),
                    ServerMessage::No(refused) => panic!("{refused:?}"),
                    _ => None,
                };
                seen.push(socket.expect(event).await.unwrap());
            }
            assert_eq!(seen[0], seen[1]);
            assert_eq!(seen[0].1, m);
            assert_eq!(seen[0].2, record.position());
        }
    }

    async fn at(&mut self) -> u64 {
        let socket = &mut self.sockets[0];
        let g = self.g.clone();
        socket
            .send(&ClientMessage::Join { g, v: None })
            .await
            .unwrap();
        let state = |message| match message {
            ServerMessage::State(state) => Some(state.at),
            _ => None,
        };
        socket.expect(state).await.unwrap()
    }

    /// Plays to the end, or `most` turns. Returns the number of turns.
    pub(crate) async fn play_to_end(&mut self, most: usize) -> usize {
        // The limit of messages would refuse more.
        for n in 0..most.min(45) {
            if self.info().await.status != MatchStatus::Playing {
                return n;
            }
            self.play(1).await;
        }
        most.min(45)
    }

    /// Carries out an action that is not a turn.
    pub(crate) async fn act(
        &mut self,
        by: Seat,
        what: ActionName,
        of: Option<u64>,
    ) -> Result<u64, Refusal> {
        self.next_id += 1;
        let id = self.next_id;
        let action = Action {
            of,
            ..action(&self.g, id, what)
        };
        let socket = &mut self.sockets[by as usize];
        socket.send(&ClientMessage::Do(action)).await.unwrap();
        let answer = |message| match message {
            ServerMessage::Ok { id: found, v, .. } if found == id => Some(Ok(v.unwrap())),
            ServerMessage::No(refused) if refused.id == Some(id) => Some(Err(refused.why)),
            _ => None,
        };
        socket.expect(answer).await.unwrap()
    }

    pub(crate) async fn paired(&mut self, seat: Seat) -> (String, Seat) {
        let paired = |message| match message {
            ServerMessage::Paired { g, seat } => Some((g, seat)),
            _ => None,
        };
        self.sockets[seat as usize].expect(paired).await.unwrap()
    }
}

/// A random whole turn, which is played in `record` too.
pub(crate) fn random_turn(record: &mut dyn AnyMatch, random: &mut Random) -> Vec<String> {
    let player = record.turn();
    let mut m = Vec::new();
    while record.ending().is_none() && record.turn() == player {
        let next = random.pick(&record.legal_moves()).unwrap().clone();
        record.play(&next).unwrap();
        m.push(next);
    }
    m
}

/// The first legal turn.
pub(crate) fn legal_turn(record: &dyn AnyMatch) -> Vec<String> {
    let mut record = record.boxed_clone();
    let player = record.turn();
    let mut m = Vec::new();
    while record.ending().is_none() && record.turn() == player {
        m.push(record.legal_moves()[0].clone());
        record.play(&m[m.len() - 1]).unwrap();
    }
    m
}

pub(crate) fn turn(g: &str, id: u64, at: u64, m: &[String]) -> TurnMessage {
    TurnMessage {
        g: g.to_owned(),
        id,
        at,
        m: m.to_vec(),
        ms: 5,
    }
}

pub(crate) fn action(g: &str, id: u64, what: ActionName) -> Action {
    Action {
        g: g.to_owned(),
        id,
        what,
        of: None,
        phrase: None,
        result: None,
    }
}

/// The version of an offer by `seat`.
pub(crate) fn offer_by(seat: Seat) -> impl Fn(ServerMessage) -> Option<u64> {
    move |message| match message {
        ServerMessage::Ev {
            v,
            e: Event::Offer { by, .. },
            ..
        } if by == seat => Some(v),
        _ => None,
    }
}
