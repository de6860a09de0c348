//! Two players and a server whose messages are late, doubled, reordered or lost with their
//! connection: every turn that the server acknowledged is in the match exactly once, nobody
//! gets stuck, and once the network is calm everybody sees the match of the server.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::{HashMap, VecDeque};

use catalog::{AnyGame, AnyMatch, GAMES};
use online::{Effect, Event, OnlineMatch, PendingTurn};
use play::{Phase, Sitting};
use protocol::{
    ActionName, ClientMessage, MatchResult, MatchStatus, Offer, OfferKind, PlayerInfo, Refusal,
    Refused, Seat, SeatInfo, Seats, ServerMessage, StateMessage,
};
use rules::{ByPlayer, Player, Random};

const G: &str = "k3";

/// How many sequences are tried for each game.
const N_SEQUENCES: u64 = 250;

/// How many steps are in each of them.
const N_STEPS: usize = 250;

/// The least that a server has to do.
struct Server {
    record: Box<dyn AnyMatch>,
    version: u64,
    at: u64,
    status: MatchStatus,
    offers: Vec<Offer>,
    /// The answers to requests, by seat and number.
    answers: HashMap<(Seat, u64), ServerMessage>,
    /// Every event.
    events: Vec<ServerMessage>,
    rematch: Option<String>,
    /// Who has made a turn, even if it was taken back.
    has_moved: ByPlayer<bool>,
}

impl Server {
    fn new(game: &dyn AnyGame) -> Self {
        Self {
            record: game.start(&[]).unwrap(),
            version: 0,
            at: 0,
            status: MatchStatus::Playing,
            offers: Vec::new(),
            answers: HashMap::new(),
            events: Vec::new(),
            rematch: None,
            has_moved: ByPlayer::from_fn(|_| false),
        }
    }

    fn result(&self) -> MatchResult {
        self.record.ending().map(|ending| ending.outcome).into()
    }

    fn state(&self, seat: Seat) -> ServerMessage {
        let person = |name: &str| SeatInfo {
            player: PlayerInfo {
                id: name.to_owned(),
                name: name.to_owned(),
                guest: true,
                bot: false,
                deleted: false,
            },
            rating: None,
            provisional: false,
            change: None,
        };
        ServerMessage::State(Box::new(StateMessage {
            g: G.to_owned(),
            v: self.version,
            at: self.at,
            game: self.record.game().to_owned(),
            options: Default::default(),
            record: self.record.to_string(),
            fen: self.record.position(),
            turn: self.record.turn().into(),
            result: self.result(),
            status: self.status,
            reason: None,
            control: None,
            clock: None,
            abort_at: None,
            rated: false,
            seats: Seats {
                first: person("Ada"),
                second: person("Ben"),
            },
            you: Some(seat),
            offers: self.offers.clone(),
            here: Seat::BOTH.to_vec(),
            claim: None,
            since: None,
            now: 0,
            rematch: self.rematch.clone(),
        }))
    }

    fn append(&mut self, e: protocol::Event) -> ServerMessage {
        self.version += 1;
        if e.kind() == protocol::EventKind::Position {
            self.at = self.version;
        }
        if self.record.ending().is_some() && self.status == MatchStatus::Playing {
            self.status = MatchStatus::Over;
        }
        let message = ServerMessage::Ev {
            g: G.to_owned(),
            v: self.version,
            at: self.at,
            e,
            fen: self.record.position(),
            turn: self.record.turn().into(),
            result: self.result(),
            status: self.status,
            clock: None,
            abort_at: None,
        };
        self.events.push(message.clone());
        message
    }

    /// Handles a message, and returns the answers to who sent it and what all hear.
    fn hear(
        &mut self,
        seat: Seat,
        message: ClientMessage,
    ) -> (Vec<ServerMessage>, Option<ServerMessage>) {
        let (id, decided) = match &message {
            ClientMessage::Join { v, .. } => {
                let answer = match v {
                    Some(v) => self.events[usize::try_from(*v).unwrap()..].to_vec(),
                    None => vec![self.state(seat)],
                };
                return (answer, None);
            }
            ClientMessage::Turn(turn) => (turn.id, self.turn(seat, turn)),
            ClientMessage::Do(action) => (action.id, self.act(seat, action)),
            _ => return (Vec::new(), None),
        };
        if let Some(answer) = self.answers.get(&(seat, id)) {
            return (vec![answer.clone()], None);
        }
        match decided {
            Ok(e) => {
                let event = self.apply(e);
                let answer = ServerMessage::Ok {
                    id,
                    g: Some(G.to_owned()),
                    v: Some(self.version),
                };
                self.answers.insert((seat, id), answer.clone());
                (vec![answer], Some(event))
            }
            Err(why) => {
                let refused = Refused {
                    id: Some(id),
                    g: Some(G.to_owned()),
                    why,
                    v: Some(self.version),
                    message: None,
                };
                (vec![ServerMessage::No(refused)], None)
            }
        }
    }

    fn turn(&self, seat: Seat, turn: &protocol::TurnMessage) -> Result<protocol::Event, Refusal> {
        if self.status != MatchStatus::Playing {
            return Err(Refusal::Over);
        }
        if turn.at != self.at {
            return Err(Refusal::Stale);
        }
        if self.record.turn() != Player::from(seat) {
            return Err(Refusal::NotYourTurn);
        }
        let mut record = self.record.boxed_clone();
        for m in &turn.m {
            record.play(m).map_err(|_| Refusal::Illegal)?;
        }
        if record.turn() == Player::from(seat) && record.ending().is_none() {
            return Err(Refusal::Illegal);
        }
        Ok(protocol::Event::Turn {
            by: seat,
            m: turn.m.clone(),
            left: None,
            lag: 0,
        })
    }

    fn act(&self, seat: Seat, action: &protocol::Action) -> Result<protocol::Event, Refusal> {
        use protocol::Event;
        let is_playing = self.status == MatchStatus::Playing;
        let offer = |what| {
            let mut offers = self.offers.iter();
            match offers.any(|offer| offer.by == seat && offer.what == what) {
                true => Err(Refusal::NotNow),
                false => Ok(Event::Offer { by: seat, what }),
            }
        };
        let offered = || {
            let mut offers = self.offers.iter();
            let offer = offers.find(|it| Some(it.of) == action.of && it.by != seat);
            offer.ok_or(Refusal::Unknown)
        };
        match action.what {
            ActionName::Say => Ok(Event::Say {
                by: seat,
                phrase: action.phrase.unwrap(),
            }),
            ActionName::Rematch if !is_playing => offer(OfferKind::Rematch),
            ActionName::Accept => Ok(match offered()?.what {
                OfferKind::Rematch => Event::Rematch {
                    g: "next".to_owned(),
                },
                _ if !is_playing => return Err(Refusal::Over),
                OfferKind::Draw => Event::Draw,
                OfferKind::Takeback => Event::Takeback { by: !seat, n: 0 },
            }),
            ActionName::Decline => {
                let &Offer { what, of, .. } = offered()?;
                Ok(Event::Decline { by: seat, what, of })
            }
            _ if !is_playing => Err(Refusal::Over),
            ActionName::Resign => Ok(Event::Resign { by: seat }),
            ActionName::Draw => offer(OfferKind::Draw),
            ActionName::Takeback => {
                let mut record = self.record.boxed_clone();
                record.take_back(seat.into()).map_err(|_| Refusal::NotNow)?;
                offer(OfferKind::Takeback)
            }
            _ => Err(Refusal::NotNow),
        }
    }

    fn apply(&mut self, e: protocol::Event) -> ServerMessage {
        use protocol::Event;
        match &e {
            Event::Turn { by, m, .. } => {
                self.has_moved[(*by).into()] = true;
                for m in m {
                    self.record.play(m).unwrap();
                }
                self.offers.clear();
            }
            Event::Takeback { by, .. } => {
                self.record.take_back((*by).into()).unwrap();
                self.offers.clear();
            }
            Event::Resign { by } => self.record.resign((*by).into()).unwrap(),
            Event::Draw => self.record.agree_draw().unwrap(),
            Event::Offer { by, what } => self.offers.push(Offer {
                what: *what,
                by: *by,
                of: self.version + 1,
            }),
            Event::Decline { of, .. } => self.offers.retain(|offer| offer.of != *of),
            Event::Rematch { g } => self.rematch = Some(g.clone()),
            _ => {}
        }
        self.append(e)
    }
}

/// A player with a connection that may be cut.
struct Client {
    seat: Seat,
    remote: OnlineMatch,
    sitting: Option<Sitting>,
    is_connected: bool,
    to_server: VecDeque<ClientMessage>,
    from_server: VecDeque<ServerMessage>,
    kept: Option<String>,
    n_next: usize,
}

impl Client {
    fn new(seat: Seat) -> Self {
        Self {
            seat,
            remote: OnlineMatch::new(G.to_owned(), 100, None),
            sitting: None,
            is_connected: false,
            to_server: VecDeque::new(),
            from_server: VecDeque::new(),
            kept: None,
            n_next: 0,
        }
    }

    fn update(&mut self, event: Event, now: u64) {
        let effects = self.remote.update(event, now);
        self.run(effects, now);
    }

    fn run(&mut self, effects: Vec<Effect>, now: u64) {
        for effect in effects {
            match effect {
                Effect::Send(message) => {
                    // What was not written for the wire can't be read from it.
                    let text = message.to_json();
                    let message = ClientMessage::parse(&text).unwrap();
                    if self.is_connected {
                        self.to_server.push_back(message);
                    }
                }
                Effect::Open => self.sitting = self.remote.sit(),
                Effect::Sit(event) => self.play(event, now),
                Effect::Keep(kept) => self.kept = kept,
                Effect::Next(_) => self.n_next += 1,
                Effect::YourTurn | Effect::Ended => {}
            }
        }
    }

    fn play(&mut self, event: play::Event, now: u64) {
        let Some(sitting) = &mut self.sitting else {
            return;
        };
        for effect in sitting.update(event) {
            match effect {
                play::Effect::Turn(moves) => self.update(Event::Made(moves), now),
                play::Effect::Refuse(_) => {}
                other => panic!("a server's match needs no {other:?}"),
            }
        }
    }

    fn connect(&mut self, now: u64) {
        self.is_connected = true;
        self.update(Event::Connected, now);
    }

    fn cut(&mut self, random: &mut Random, now: u64) {
        self.is_connected = false;
        // What was on its way may arrive or not.
        self.to_server.truncate(random.below(2) as usize);
        self.from_server.clear();
        self.update(Event::Lost, now);
    }

    /// The page is closed and opened again.
    fn reload(&mut self, now: u64) {
        let kept = self
            .kept
            .as_deref()
            .map(|text| PendingTurn::from_text(text).unwrap());
        self.from_server.clear();
        // Its numbers come from chance, so they are others.
        let first_id = 1_000_000 * (now + 1);
        self.remote = OnlineMatch::new(G.to_owned(), first_id, kept);
        self.sitting = None;
        self.is_connected = false;
    }

    /// What is seen is what the events lead to, with the turn that waits.
    fn check(&self) {
        let Some(sitting) = &self.sitting else {
            return;
        };
        let record = sitting.record();
        let shown = self.remote.shown().moves;
        let line = |node| -> Vec<String> {
            let nodes = record.line(node).into_iter();
            nodes.filter_map(|node| record.move_to(node)).collect()
        };
        let live = line(sitting.live());
        assert_eq!(
            live[..shown.len()],
            shown[..],
            "what is seen is what is known"
        );
        if live.len() > shown.len() {
            // A turn that is not complete.
            assert_eq!(sitting.phase(), Phase::Person(self.seat.into()));
        }
        match sitting.phase() {
            Phase::Person(player) => {
                assert_eq!(player, self.seat.into());
                assert!(self.remote.pending().is_none(), "one turn at a time");
                assert!(sitting.is_looking_back() || sitting.may_act());
            }
            Phase::Over(_) => assert!(!sitting.may_act()),
            Phase::Remote(_) => {}
            other => panic!("{other:?}"),
        }
        assert_eq!(
            self.kept.is_some(),
            self.remote
                .pending()
                .is_some_and(|pending| !pending.is_stored),
            "what is not stored there is stored here"
        );
        if let Some(pending) = self.remote.pending() {
            let line = sitting.record().line(sitting.live());
            let own = line.get(pending.ply + 1..).unwrap_or_default();
            let texts = own
                .iter()
                .filter_map(|&node| sitting.record().notation(node));
            let expected: Vec<_> = texts.collect();
            if expected.len() == pending.moves.len() {
                let expected = expected.join(" ");
                assert_eq!(self.remote.pending_notation(), Some(expected));
            }
        }
    }
}

/// Something that the player does.
fn act(client: &mut Client, random: &mut Random, now: u64) {
    let Some(sitting) = &client.sitting else {
        return;
    };
    let legal = sitting.record().legal_moves();
    let targets = sitting.record().line(sitting.live());
    let mut theirs = client.remote.offers().iter();
    let theirs = theirs.rfind(|offer| offer.by != client.seat);
    let of = theirs.map_or(3, |offer| offer.of);
    let answer = |what| Event::Do {
        what,
        of: Some(of),
        phrase: None,
        result: None,
    };
    let event = match random.below(30) {
        0..=14 => {
            let m = random.pick(&legal).cloned().unwrap_or_default();
            return client.play(play::Event::Typed(m), now);
        }
        15 => return client.play(play::Event::TakeBack, now),
        16 => {
            let node = *random.pick(&targets).unwrap();
            return client.play(play::Event::GoTo(node), now);
        }
        17..=19 => {
            let live = sitting.live();
            return client.play(play::Event::GoTo(live), now);
        }
        20 => Event::plain(ActionName::Draw),
        21..=22 => Event::plain(ActionName::Takeback),
        23..=25 if theirs.is_some_and(|offer| offer.what == OfferKind::Draw) => {
            answer(ActionName::Decline)
        }
        23..=25 => answer(ActionName::Accept),
        26 => answer(ActionName::Decline),
        27 if random.below(30) == 0 => Event::plain(ActionName::Resign),
        28 => Event::plain(ActionName::Rematch),
        _ => Event::Do {
            what: ActionName::Say,
            of: None,
            phrase: Some(3),
            result: None,
        },
    };
    client.update(event, now);
}

fn deliver_to_server(server: &mut Server, clients: &mut [Client; 2], index: usize) {
    let Some(message) = clients[index].to_server.pop_front() else {
        return;
    };
    let seat = clients[index].seat;
    let (answers, event) = server.hear(seat, message);
    for client in clients.iter_mut() {
        if client.seat == seat && client.is_connected {
            client.from_server.extend(answers.iter().cloned());
        }
        if client.is_connected {
            client.from_server.extend(event.clone());
        }
    }
}

fn deliver_to_client(client: &mut Client, random: &mut Random, now: u64) {
    let n = client.from_server.len();
    if n == 0 {
        return;
    }
    // Mostly in order; at times late or twice.
    let at = match random.below(6) {
        0 => random.below(u32::try_from(n).unwrap()) as usize,
        _ => 0,
    };
    let message = match random.below(6) {
        0 => client.from_server[at].clone(),
        _ => client.from_server.remove(at).unwrap(),
    };
    let message = ServerMessage::parse(&message.to_json()).unwrap();
    client.update(Event::Heard(message), now);
}

fn step(server: &mut Server, clients: &mut [Client; 2], random: &mut Random, now: u64) {
    let index = random.below(2) as usize;
    match random.below(40) {
        0..=9 => act(&mut clients[index], random, now),
        10..=21 => deliver_to_server(server, clients, index),
        22..=35 => deliver_to_client(&mut clients[index], random, now),
        36 if clients[index].is_connected => clients[index].cut(random, now),
        37 if random.below(4) == 0 => clients[index].reload(now),
        36..=38 if !clients[index].is_connected => clients[index].connect(now),
        _ => clients[index].update(Event::Tick, now),
    }
}

/// The network is calm: everything arrives, once and in order.
fn calm_down(server: &mut Server, clients: &mut [Client; 2], now: u64) {
    for client in clients.iter_mut() {
        client.from_server.clear();
        client.to_server.clear();
        client.update(Event::Lost, now);
        client.connect(now);
    }
    for round in 0..50 {
        for index in 0..2 {
            while !clients[index].to_server.is_empty() {
                deliver_to_server(server, clients, index);
            }
            while let Some(message) = clients[index].from_server.pop_front() {
                clients[index].update(Event::Heard(message), now + round);
            }
            clients[index].update(Event::Tick, now + 6_000 * round);
        }
    }
}

fn check_sequence(game: &dyn AnyGame, seed: u64) {
    let mut random = Random::new(seed);
    let mut server = Server::new(game);
    let mut clients = Seat::BOTH.map(Client::new);
    let mut now = 0;
    for _ in 0..N_STEPS {
        now += u64::from(random.below(400));
        step(&mut server, &mut clients, &mut random, now);
        for client in &clients {
            client.check();
        }
    }
    calm_down(&mut server, &mut clients, now + 10_000);
    for client in &clients {
        client.check();
        let (remote, sitting) = (&client.remote, client.sitting.as_ref().unwrap());
        assert_eq!(remote.version(), Some(server.version));
        assert_eq!(remote.record().unwrap().moves(), server.record.moves());
        assert_eq!(remote.offers(), server.offers);
        assert_eq!(remote.status(), Some(server.status));
        assert!(remote.pending().is_none(), "nothing waits for ever");
        let has_begun = server.has_moved == ByPlayer::from_fn(|_| true);
        let can_abort = !has_begun && server.status == MatchStatus::Playing;
        assert_eq!(remote.can_abort(), can_abort);
        let is_turn = server.record.turn() == client.seat.into();
        match sitting.phase() {
            Phase::Over(ending) => assert_eq!(Some(ending), server.record.ending()),
            Phase::Person(_) => assert!(is_turn),
            _ => assert!(!is_turn),
        }
    }
    // Every request that was acknowledged is in the log, once.
    let versions: Vec<_> = server
        .answers
        .values()
        .map(|answer| match answer {
            ServerMessage::Ok { v, .. } => v.unwrap(),
            other => panic!("{other:?}"),
        })
        .collect();
    let distinct: std::collections::HashSet<_> = versions.iter().collect();
    assert_eq!(distinct.len(), server.events.len());
}

#[test]
fn never_stuck_and_always_the_match_of_the_server() {
    for game in GAMES {
        for seed in 0..N_SEQUENCES {
            check_sequence(game, seed);
        }
    }
}

#[test]
fn a_watcher_sees_the_match_and_moves_nothing() {
    let game = catalog::find("takeover").unwrap();
    let server = Server::new(game);
    let mut remote = OnlineMatch::new(G.to_owned(), 1, None);
    remote.update(Event::Connected, 0);
    let ServerMessage::State(mut state) = server.state(Seat::First) else {
        unreachable!("it is a state");
    };
    state.you = None;
    let effects = remote.update(Event::Heard(ServerMessage::State(state)), 0);
    assert_eq!(effects, [Effect::Open]);
    let mut sitting = remote.sit().unwrap();
    assert_eq!(sitting.phase(), Phase::Remote(Player::First));
    assert!(!sitting.may_act() && !sitting.can_resign() && !sitting.can_hint());
    let m = sitting.record().legal_moves()[0].clone();
    assert_eq!(sitting.update(play::Event::Typed(m)), []);
    assert_eq!(remote.update(Event::plain(ActionName::Resign), 0), []);
    let seats = *sitting.seats();
    assert_eq!(seats, ByPlayer::from_fn(|_| play::PlayerKind::Remote));
}

/// A server that is busy refuses to tell about a match; it is asked again.
#[test]
fn a_match_that_is_not_told_about_is_asked_for_again() {
    let mut page = OnlineMatch::new("k3".to_owned(), 1, None);
    let join = Effect::Send(ClientMessage::Join {
        g: "k3".to_owned(),
        v: None,
    });
    assert!(page.update(Event::Connected, 1_000).contains(&join));
    let no = ServerMessage::No(Refused {
        id: None,
        g: Some("k3".to_owned()),
        why: Refusal::Unavailable,
        v: None,
        message: None,
    });
    assert_eq!(page.update(Event::Heard(no), 1_100), []);
    assert_eq!(page.update(Event::Tick, 2_000), []);
    assert_eq!(page.update(Event::Tick, 6_000), [join]);
    assert_eq!(page.update(Event::Tick, 7_000), []);
}
