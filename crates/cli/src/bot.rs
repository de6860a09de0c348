//! `parlour bot`: lets a UGI engine play on a server.
//!
//! A bot remembers nothing: on connecting it hears which of its matches are being played, and
//! joins them. The ids of its requests follow from versions, so that one that is repeated, also
//! after a restart, is carried out once.

mod actions;
mod seat;

use std::{
    collections::{BTreeSet, HashMap},
    io::Write,
    mem,
    time::Duration,
};

use anyhow::{bail, ensure};
use client::{Socket, SocketError};
use protocol::{
    Action, ClientMessage, Event, MatchResult, MatchStatus, Refusal, Seat, ServerMessage,
};
use rules::{Random, mix};
use tokio::{
    sync::mpsc,
    time::{Instant, MissedTickBehavior},
};

use self::{
    actions::PendingActions,
    seat::{Seated, ThinkingResult},
};
use crate::{
    args::BotArgs,
    program::{PATIENCE, Program},
    serve::runtime,
};

/// How often the server is asked whether it is there, and how long it may say nothing.
const PING_EVERY: Duration = Duration::from_secs(5);
const SILENT_FOR: Duration = Duration::from_secs(15);

/// How long a request waits that the server could not take.
const PAUSE: Duration = Duration::from_secs(1);

/// The bounds of the pause before a connection is tried again.
const SHORTEST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Connections that end sooner make the next wait longer, too.
const SHORT_CONNECTION: Duration = Duration::from_secs(2);

/// Plays until somebody stops it, or one match with `--once`.
pub(crate) fn run(args: &BotArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let foreign = args.pools.iter().find(|pool| pool.game != args.game);
    if let Some(pool) = foreign {
        bail!("{pool} is a pool of another game than {}", args.game);
    }
    ensure!(
        !args.token.is_empty(),
        "expected the token of a player, as the server gave it"
    );
    // Better now than in the middle of a match.
    drop(Program::start(args.command.clone(), PATIENCE)?);
    runtime()?.block_on(OnlineBot::new(args, out).run())
}

/// Asks for the whole state of a match, and its events.
fn join(g: &str) -> ClientMessage {
    ClientMessage::Join {
        g: g.to_owned(),
        v: None,
    }
}

struct OnlineBot<'a, W> {
    args: &'a BotArgs,
    out: &'a mut W,
    /// The matches that are being played, by their ids.
    seats: HashMap<String, Seated>,
    /// For tasks that think.
    sender: mpsc::UnboundedSender<ThinkingResult>,
    thoughts: mpsc::UnboundedReceiver<ThinkingResult>,
    n_seeks: u64,
    /// The matches that the server could not let the bot join yet.
    refused_joins: BTreeSet<String>,
    /// Whether an opponent was asked for, and none was found yet.
    is_seeking: bool,
    /// Whether the server could not take the last request for an opponent.
    is_seek_refused: bool,
    /// When joins, searches and turns are sent again that the server could not take.
    resend_at: Option<Instant>,
    pending: PendingActions,
    is_done: bool,
}

impl<'a, W: Write> OnlineBot<'a, W> {
    fn new(args: &'a BotArgs, out: &'a mut W) -> Self {
        let (sender, thoughts) = mpsc::unbounded_channel();
        Self {
            args,
            out,
            seats: HashMap::new(),
            sender,
            thoughts,
            n_seeks: 0,
            refused_joins: BTreeSet::new(),
            is_seeking: false,
            is_seek_refused: false,
            resend_at: None,
            pending: PendingActions::default(),
            is_done: false,
        }
    }

    /// Stays connected.
    async fn run(mut self) -> anyhow::Result<()> {
        let url = self.args.server.socket();
        // Bots that lose the same server must not come back in step.
        let mut random = Random::new(mix(std::process::id().into()));
        let mut n_failures = 0_u32;
        // The only server takes sockets while it leaves, and tells each.
        let mut n_short = 0_u32;
        loop {
            match Socket::connect(&url, Some(&self.args.token)).await {
                Ok(socket) => {
                    n_failures = 0;
                    let began = Instant::now();
                    self.serve(socket).await?;
                    let is_short = began.elapsed() < SHORT_CONNECTION;
                    n_short = if is_short { n_short + 1 } else { 0 };
                }
                Err(SocketError::Refused(401)) => bail!("{url} does not know the token"),
                Err(error @ (SocketError::Address(_) | SocketError::Refused(403 | 404))) => {
                    bail!("can't connect to {url}: {error}")
                }
                Err(error) => {
                    // Once, however long it takes.
                    if n_failures == 0 {
                        crate::complain(&format!("can't connect to {url}: {error}; trying again"));
                    }
                    n_failures += 1;
                }
            }
            if self.is_done {
                return Ok(());
            }
            let longest =
                (SHORTEST_WAIT * 2_u32.pow(n_failures.max(n_short).min(8))).min(LONGEST_WAIT);
            let longest = u32::try_from(longest.as_millis()).unwrap_or(u32::MAX);
            let wait = Duration::from_millis(random.below(longest).into());
            tokio::time::sleep(wait).await;
        }
    }

    /// Plays over one connection until it breaks, or the bot is done.
    async fn serve(&mut self, mut socket: Socket) -> anyhow::Result<()> {
        let mut ticks = tokio::time::interval(PING_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        loop {
            let resend_at = self.next_resend();
            let resend = async {
                match resend_at {
                    Some(time) => tokio::time::sleep_until(time).await,
                    None => std::future::pending().await,
                }
            };
            let answers = tokio::select! {
                message = socket.next() => match message {
                    Ok(ServerMessage::Over {}) | Err(_) => return Ok(()),
                    Ok(message) => {
                        heard = Instant::now();
                        self.hear(message)?
                    }
                },
                Some(thought) = self.thoughts.recv() => self.take(thought)?,
                () = resend => self.resend(Instant::now()),
                _ = ticks.tick() => {
                    if heard.elapsed() > SILENT_FOR {
                        return Ok(());
                    }
                    vec![ClientMessage::Ping { n: 0 }]
                }
            };
            for answer in answers {
                if socket.send(&answer).await.is_err() {
                    return Ok(());
                }
            }
            if self.is_done {
                socket.close().await;
                return Ok(());
            }
        }
    }

    fn say(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.out, "{line}")?;
        Ok(self.out.flush()?)
    }

    /// Looks for an opponent, if nobody is there and that was not done.
    fn seek(&mut self) -> Option<ClientMessage> {
        if self.args.pools.is_empty() || !self.seats.is_empty() || self.is_seeking {
            return None;
        }
        self.n_seeks += 1;
        self.is_seeking = true;
        self.is_seek_refused = false;
        Some(ClientMessage::Seek {
            id: self.n_seeks,
            pools: self.args.pools.iter().map(ToString::to_string).collect(),
        })
    }

    /// When something is sent again.
    fn next_resend(&self) -> Option<Instant> {
        [self.resend_at, self.pending.next()]
            .into_iter()
            .flatten()
            .min()
    }

    /// The requests that the server could not take, and actions that it has not acknowledged, once
    /// more.
    fn resend(&mut self, now: Instant) -> Vec<ClientMessage> {
        let mut requests = self.pending.resend(now);
        if self.resend_at.is_some_and(|time| time <= now) {
            self.resend_at = None;
            requests.extend(self.resend_refused());
        }
        requests
    }

    fn resend_refused(&mut self) -> Vec<ClientMessage> {
        let joins = mem::take(&mut self.refused_joins);
        let turns = self.seats.values().filter_map(Seated::resend);
        let mut requests: Vec<_> = joins.iter().map(|g| join(g)).chain(turns).collect();
        if self.is_seek_refused {
            self.is_seeking = false;
            requests.extend(self.seek());
        }
        requests
    }

    /// The replies to a message.
    fn hear(&mut self, message: ServerMessage) -> anyhow::Result<Vec<ClientMessage>> {
        Ok(match message {
            ServerMessage::Hi { live, .. } => {
                // Of another connection.
                self.refused_joins.clear();
                self.is_seeking = false;
                self.is_seek_refused = false;
                self.pending.restart(Instant::now());
                // Those that ended meanwhile are joined as well, to hear how, and those with an
                // answer that may be lost, to hear of the offer.
                let others = self.seats.keys().chain(self.pending.matches());
                let others: BTreeSet<_> = others.filter(|g| !live.contains(g)).collect();
                let mut answers: Vec<_> = live.iter().chain(others).map(|g| join(g)).collect();
                if live.is_empty() {
                    answers.extend(self.seek());
                }
                answers
            }
            ServerMessage::Paired { g, .. } => {
                self.is_seeking = false;
                self.is_seek_refused = false;
                vec![join(&g)]
            }
            ServerMessage::State(state) => {
                let Some(seat) = state.you.filter(|_| state.game == self.args.game) else {
                    return Ok(vec![ClientMessage::Leave { g: state.g }]);
                };
                self.pending.compare(&state);
                let g = state.g.clone();
                let (status, result) = (state.status, state.result);
                if let Some(seated) = self.seats.get_mut(&g) {
                    seated.update(&state)?;
                } else if status == MatchStatus::Playing {
                    let seated = Seated::new(&state, self.args)?;
                    self.say(&format!("{g}: {}", seated.description()))?;
                    self.seats.insert(g.clone(), seated);
                    // A match that came otherwise may have ended the search.
                    self.is_seeking = false;
                }
                let mut answers = self.answer_offers(&g, seat, &state.offers);
                answers.extend(self.go_on(&g, status, result)?);
                answers
            }
            ServerMessage::Ev {
                g,
                v,
                at,
                e,
                result,
                status,
                clock,
                ..
            } => {
                self.pending.hear(&g, &e, status);
                let Some(seated) = self.seats.get_mut(&g) else {
                    // After the end there may still be an offer of a rematch.
                    return Ok(self.hear_after_the_end(g, v, &e));
                };
                if !seated.apply(v, at, &e, clock) {
                    return Ok(vec![join(&g)]);
                }
                let seat = seated.seat;
                let mut answers = Vec::new();
                if let Event::Offer { by, what } = e {
                    let offer = protocol::Offer { by, what, of: v };
                    answers.extend(self.answer_offers(&g, seat, &[offer]));
                }
                answers.extend(self.go_on(&g, status, result)?);
                answers
            }
            ServerMessage::Ok { id, g: Some(g), .. } => {
                self.pending.drop_action(&g, id);
                if let Some(seated) = self.seats.get_mut(&g) {
                    seated.acknowledge(id);
                }
                Vec::new()
            }
            ServerMessage::No(refused) => {
                match refused.why {
                    Refusal::Unavailable | Refusal::SlowDown => {
                        self.resend_at = Some(Instant::now() + PAUSE);
                        match (refused.id, refused.g) {
                            // Turns and actions have numbers.
                            (None, Some(g)) => {
                                self.refused_joins.insert(g);
                            }
                            (Some(id), None) if id == self.n_seeks => {
                                self.is_seek_refused = self.is_seeking;
                            }
                            _ => {}
                        }
                    }
                    _ => {
                        let g = refused.g.unwrap_or_default();
                        if let Some(id) = refused.id {
                            self.pending.drop_action(&g, id);
                        }
                        if let (Some(seated), Some(id)) = (self.seats.get_mut(&g), refused.id)
                            && seated.drop_turn(id)
                        {
                            if refused.why == Refusal::Illegal {
                                let resign = seated.resign();
                                let reason = refused.message.unwrap_or_default();
                                self.say(&format!("{g}: resigns, because of {reason}"))?;
                                return Ok(self.send(resign));
                            }
                            return Ok(vec![join(&g)]);
                        }
                    }
                }
                Vec::new()
            }
            _ => Vec::new(),
        })
    }

    /// Sends an action until it is acknowledged.
    fn send(&mut self, action: Action) -> Vec<ClientMessage> {
        let message = self.pending.send(action, Instant::now());
        message.into_iter().collect()
    }

    fn answer_offers(
        &mut self,
        g: &str,
        seat: Seat,
        offers: &[protocol::Offer],
    ) -> Vec<ClientMessage> {
        let offers = offers.iter().filter(|offer| offer.by != seat);
        let answers = offers.filter_map(|offer| seat::answer(g, *offer, self.args.once));
        let answers: Vec<_> = answers.collect();
        answers
            .into_iter()
            .flat_map(|answer| self.send(answer))
            .collect()
    }

    fn hear_after_the_end(&mut self, g: String, v: u64, event: &Event) -> Vec<ClientMessage> {
        match *event {
            // Nobody accepts the own offer, and a bot makes none.
            Event::Offer { by, what } => {
                let offer = protocol::Offer { by, what, of: v };
                let answer = seat::answer(&g, offer, self.args.once);
                answer.map_or_else(Vec::new, |answer| self.send(answer))
            }
            Event::Rematch { .. } => vec![ClientMessage::Leave { g }],
            _ => Vec::new(),
        }
    }

    /// Thinks if it is the bot's turn, sends again what was not acknowledged, and notes an end.
    fn go_on(
        &mut self,
        g: &str,
        status: MatchStatus,
        result: MatchResult,
    ) -> anyhow::Result<Vec<ClientMessage>> {
        if status != MatchStatus::Playing {
            if let Some(seated) = self.seats.remove(g) {
                seated.leave();
                let result = match status {
                    MatchStatus::Aborted => "aborted",
                    _ => result.name(),
                };
                self.say(&format!("{g}: over, {result}"))?;
                self.is_done |= self.args.once;
            }
            return Ok(self.seek().into_iter().collect());
        }
        let Some(seated) = self.seats.get_mut(g) else {
            return Ok(Vec::new());
        };
        if let Some(message) = seated.resend() {
            return Ok(vec![message]);
        }
        seated.think(&self.sender);
        Ok(Vec::new())
    }

    /// The engine has chosen, or failed.
    fn take(&mut self, thought: ThinkingResult) -> anyhow::Result<Vec<ClientMessage>> {
        let g = thought.g.clone();
        let Some(seated) = self.seats.get_mut(&g) else {
            thought.leave();
            return Ok(Vec::new());
        };
        match seated.take(thought, &self.sender) {
            Ok(message) => Ok(message.into_iter().collect()),
            Err(problem) => {
                let resign = seated.resign();
                self.say(&format!("{g}: resigns, because {problem:#}"))?;
                Ok(self.send(resign))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::{
        ActionName, ClientMessage, Event, MatchResult, MatchStatus, Offer, OfferKind, Refusal,
        Refused, Seat, ServerMessage,
    };
    use serde_json::json;

    use super::OnlineBot;
    use crate::args::BotArgs;

    fn args() -> BotArgs {
        BotArgs {
            server: "http://127.0.0.1:1".parse().expect("it is a URL"),
            token: "token".to_owned(),
            pools: vec!["nonaga/3+2".parse().expect("it is a pool")],
            once: false,
            movetime: 5,
            game: "nonaga".to_owned(),
            command: vec!["engine".to_owned()],
        }
    }

    fn no(id: Option<u64>, g: Option<&str>, why: Refusal) -> ServerMessage {
        ServerMessage::No(Refused {
            id,
            g: g.map(str::to_owned),
            why,
            v: None,
            message: None,
        })
    }

    fn hi(live: &[&str]) -> ServerMessage {
        ServerMessage::Hi {
            you: None,
            now: 0,
            live: live.iter().map(|g| (*g).to_owned()).collect(),
        }
    }

    #[test]
    fn a_join_that_the_server_could_not_take_is_sent_again() {
        let (args, mut out) = (args(), Vec::new());
        let mut bot = OnlineBot::new(&args, &mut out);
        let joins = ["k3", "k4"].map(|g| ClientMessage::Join {
            g: g.to_owned(),
            v: None,
        });
        assert_eq!(bot.hear(hi(&["k3", "k4"])).expect("it is heard"), joins);
        for (g, why) in [("k4", Refusal::Unavailable), ("k3", Refusal::SlowDown)] {
            let answers = bot.hear(no(None, Some(g), why));
            assert_eq!(answers.expect("it is heard"), []);
        }
        assert!(bot.resend_at.is_some());
        assert_eq!(later(&mut bot), joins);
        assert_eq!(later(&mut bot), []);
        // A match that does not exist is not joined again, and neither is a turn a match.
        for refused in [
            no(None, Some("k3"), Refusal::Unknown),
            no(Some(7), Some("k3"), Refusal::Unavailable),
        ] {
            bot.hear(refused).expect("it is heard");
            assert_eq!(later(&mut bot), []);
        }
    }

    #[test]
    fn a_search_that_the_server_could_not_take_is_sent_again() {
        let (args, mut out) = (args(), Vec::new());
        let mut bot = OnlineBot::new(&args, &mut out);
        let seek = |id| ClientMessage::Seek {
            id,
            pools: vec!["nonaga/3+2".to_owned()],
        };
        assert_eq!(bot.hear(hi(&[])).expect("it is heard"), [seek(1)]);
        let refused = no(Some(1), None, Refusal::Unavailable);
        bot.hear(refused).expect("it is heard");
        assert!(bot.resend_at.is_some());
        assert_eq!(later(&mut bot), [seek(2)]);
        assert_eq!(later(&mut bot), []);
        // It was carried out, although the server could not say so.
        let refused = no(Some(2), None, Refusal::Unavailable);
        bot.hear(refused).expect("it is heard");
        let paired = ServerMessage::Paired {
            g: "k3".to_owned(),
            seat: Seat::First,
        };
        bot.hear(paired).expect("it is heard");
        assert_eq!(later(&mut bot), []);
    }

    const G: &str = "k3";

    type Bot<'a> = OnlineBot<'a, Vec<u8>>;

    /// What the bot sends again a while later.
    fn later(bot: &mut Bot<'_>) -> Vec<ClientMessage> {
        while let Some(time) = bot.next_resend() {
            let sent = bot.resend(time);
            if !sent.is_empty() {
                return sent;
            }
        }
        Vec::new()
    }

    fn hear(bot: &mut Bot<'_>, message: ServerMessage) -> Vec<ClientMessage> {
        bot.hear(message).expect("it is heard")
    }

    /// The state of a match in which the bot is the first player, to move if it goes on.
    fn state(status: MatchStatus, offers: &[Offer]) -> ServerMessage {
        let game = catalog::find("nonaga").expect("it is a game");
        let record = game.start(&[]).expect("the options have defaults");
        let player = |id: &str| json!({ "id": id, "name": id });
        let state = json!({
            "t": "state", "g": G, "v": 4, "at": 4, "game": "nonaga", "options": {},
            "record": record.to_string(), "fen": "", "turn": "first", "result": "none",
            "status": status, "control": null, "clock": null, "rated": false, "you": "first",
            "seats": { "first": player("bot"), "second": player("other") }, "offers": offers,
        });
        ServerMessage::parse(&state.to_string()).expect("it is a state")
    }

    fn event(v: u64, e: Event, status: MatchStatus) -> ServerMessage {
        ServerMessage::Ev {
            g: G.to_owned(),
            v,
            at: 4,
            e,
            fen: String::new(),
            turn: Seat::First,
            result: MatchResult::None,
            status,
            clock: None,
            abort_at: None,
        }
    }

    fn offer(of: u64, what: OfferKind) -> Offer {
        let by = Seat::Second;
        Offer { what, by, of }
    }

    fn offered(Offer { what, by, of }: Offer, status: MatchStatus) -> ServerMessage {
        event(of, Event::Offer { by, what }, status)
    }

    /// The only message, which is an action, and its number.
    fn only(messages: Vec<ClientMessage>, what: ActionName) -> (ClientMessage, u64) {
        match &messages[..] {
            [message @ ClientMessage::Do(action)] => {
                assert_eq!(action.what, what);
                (message.clone(), action.id)
            }
            _ => panic!("{messages:?}"),
        }
    }

    /// Lets the engine, which can't be started, fail. Returns the resignation.
    async fn fail(bot: &mut Bot<'_>) -> (ClientMessage, u64) {
        assert_eq!(hear(bot, state(MatchStatus::Playing, &[])), []);
        let thought = bot.thoughts.recv().await.expect("the bot has a sender");
        only(bot.take(thought).expect("it is taken"), ActionName::Resign)
    }

    #[tokio::test]
    async fn a_resignation_is_sent_until_it_is_carried_out() {
        let (args, mut out) = (args(), Vec::new());
        let mut bot = OnlineBot::new(&args, &mut out);
        let (resign, id) = fail(&mut bot).await;
        for why in [Refusal::Unavailable, Refusal::SlowDown] {
            assert_eq!(hear(&mut bot, no(Some(id), Some(G), why)), []);
            assert_eq!(later(&mut bot), std::slice::from_ref(&resign));
        }
        // The answer is lost with the connection.
        assert_eq!(hear(&mut bot, hi(&[G])).len(), 1);
        assert_eq!(later(&mut bot), [resign]);
        let ok = ServerMessage::Ok {
            id,
            g: Some(G.to_owned()),
            v: Some(5),
        };
        assert_eq!(hear(&mut bot, ok), []);
        assert_eq!(later(&mut bot), []);
    }

    #[tokio::test]
    async fn a_resignation_is_not_sent_for_ever() {
        let (args, mut out) = (args(), Vec::new());
        let mut bot = OnlineBot::new(&args, &mut out);
        fail(&mut bot).await;
        let n_sent = (0..1_000).map(|_| later(&mut bot).len()).sum::<usize>();
        assert!((3..20).contains(&n_sent), "{n_sent}");

        let mut bot = OnlineBot::new(&args, &mut out);
        fail(&mut bot).await;
        let by = Seat::Second;
        let over = event(5, Event::Resign { by }, MatchStatus::Over);
        // A new opponent is looked for.
        assert_eq!(hear(&mut bot, over).len(), 1);
        assert_eq!(later(&mut bot), []);

        let mut bot = OnlineBot::new(&args, &mut out);
        let (_, id) = fail(&mut bot).await;
        hear(&mut bot, no(Some(id), Some(G), Refusal::Over));
        assert_eq!(later(&mut bot), []);
    }

    #[tokio::test]
    async fn an_offer_is_answered_until_that_is_carried_out_or_it_is_gone() {
        let (args, mut out) = (args(), Vec::new());
        for (n, end) in [
            Event::Decline {
                by: Seat::Second,
                what: OfferKind::Draw,
                of: 5,
            },
            Event::Takeback {
                by: Seat::Second,
                n: 1,
            },
            Event::Time {
                to: Seat::First,
                ms: 1,
            },
        ]
        .into_iter()
        .enumerate()
        {
            let mut bot = OnlineBot::new(&args, &mut out);
            hear(&mut bot, state(MatchStatus::Playing, &[]));
            let draw = offered(offer(5, OfferKind::Draw), MatchStatus::Playing);
            let (decline, id) = only(hear(&mut bot, draw), ActionName::Decline);
            hear(&mut bot, no(Some(id), Some(G), Refusal::Unavailable));
            assert_eq!(later(&mut bot), std::slice::from_ref(&decline));
            hear(&mut bot, event(6, end, MatchStatus::Playing));
            let is_gone = n < 2;
            assert_eq!(later(&mut bot).is_empty(), is_gone, "{n}");
        }
    }

    #[test]
    fn a_rematch_is_accepted_until_it_begins() {
        let (args, mut out) = (args(), Vec::new());
        let over = MatchStatus::Over;
        let rematch = offer(5, OfferKind::Rematch);
        for n in 0..4 {
            let mut bot = OnlineBot::new(&args, &mut out);
            let offered = hear(&mut bot, offered(rematch, over));
            let (accept, id) = only(offered, ActionName::Accept);
            hear(&mut bot, no(Some(id), Some(G), Refusal::Unavailable));
            assert_eq!(later(&mut bot), std::slice::from_ref(&accept));
            let is_gone = match n {
                0 => {
                    let g = "k4".to_owned();
                    hear(&mut bot, event(6, Event::Rematch { g }, over));
                    true
                }
                1 => {
                    let by = Seat::First;
                    hear(&mut bot, event(6, Event::Say { by, phrase: 1 }, over));
                    false
                }
                // Another connection: the match is joined again, to hear of the offer.
                _ => {
                    let joined = hear(&mut bot, hi(&[]));
                    assert_eq!(joined.len(), 2, "{joined:?}");
                    let offers = if n == 2 { vec![] } else { vec![rematch] };
                    // An opponent is already looked for.
                    assert_eq!(hear(&mut bot, state(over, &offers)), []);
                    n == 2
                }
            };
            assert_eq!(later(&mut bot).is_empty(), is_gone, "{n}");
        }
    }
}
