//! `parlour bot`: lets a UGI engine play on a server.
//!
//! A bot remembers nothing: on connecting it hears which of its matches are being played, and
//! joins them. The ids of its requests follow from versions, so that one that is repeated, also
//! after a restart, is carried out once.

mod seat;

use std::{
    collections::{BTreeSet, HashMap},
    io::Write,
    mem,
    time::Duration,
};

use anyhow::{bail, ensure};
use client::{Socket, SocketError};
use protocol::{ClientMessage, Event, MatchResult, MatchStatus, Refusal, ServerMessage};
use rules::{Random, mix};
use tokio::{
    sync::mpsc,
    time::{Instant, MissedTickBehavior},
};

use self::seat::{Seated, ThinkingResult};
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
    /// Whether the server could not take the last request for an opponent.
    is_seek_refused: bool,
    /// When requests are sent again that the server could not take.
    resend_at: Option<Instant>,
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
            is_seek_refused: false,
            resend_at: None,
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
            let resend_at = self.resend_at;
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
                () = resend => {
                    self.resend_at = None;
                    self.resend()
                }
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

    /// Looks for an opponent, if nobody is there.
    fn seek(&mut self) -> Option<ClientMessage> {
        if self.args.pools.is_empty() || !self.seats.is_empty() {
            return None;
        }
        self.n_seeks += 1;
        self.is_seek_refused = false;
        Some(ClientMessage::Seek {
            id: self.n_seeks,
            pools: self.args.pools.iter().map(ToString::to_string).collect(),
        })
    }

    /// The requests that the server could not take, once more.
    fn resend(&mut self) -> Vec<ClientMessage> {
        let joins = mem::take(&mut self.refused_joins);
        let turns = self.seats.values().filter_map(Seated::resend);
        let mut requests: Vec<_> = joins.iter().map(|g| join(g)).chain(turns).collect();
        if self.is_seek_refused {
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
                self.is_seek_refused = false;
                // Those that ended meanwhile are joined as well, to hear how.
                let others = self.seats.keys().filter(|g| !live.contains(g));
                let mut answers: Vec<_> = live.iter().chain(others).map(|g| join(g)).collect();
                if live.is_empty() {
                    answers.extend(self.seek());
                }
                answers
            }
            ServerMessage::Paired { g, .. } => {
                self.is_seek_refused = false;
                vec![join(&g)]
            }
            ServerMessage::State(state) => {
                if state.you.is_none() || state.game != self.args.game {
                    return Ok(vec![ClientMessage::Leave { g: state.g }]);
                }
                let g = state.g.clone();
                let (status, result) = (state.status, state.result);
                if let Some(seated) = self.seats.get_mut(&g) {
                    seated.update(&state)?;
                } else if status == MatchStatus::Playing {
                    let seated = Seated::new(&state, self.args)?;
                    self.say(&format!("{g}: {}", seated.description()))?;
                    self.seats.insert(g.clone(), seated);
                }
                let mut answers = self.answer_offers(&g, &state.offers);
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
                let Some(seated) = self.seats.get_mut(&g) else {
                    // After the end there may still be an offer of a rematch.
                    return Ok(self.hear_after_the_end(g, v, &e));
                };
                if !seated.apply(v, at, &e, clock) {
                    return Ok(vec![join(&g)]);
                }
                let mut answers = Vec::new();
                if let Event::Offer { by, what } = e {
                    let offer = protocol::Offer { by, what, of: v };
                    answers.extend(self.answer_offers(&g, &[offer]));
                }
                answers.extend(self.go_on(&g, status, result)?);
                answers
            }
            ServerMessage::Ok { id, g: Some(g), .. } => {
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
                            (Some(id), None) => self.is_seek_refused |= id == self.n_seeks,
                            _ => {}
                        }
                    }
                    _ => {
                        let g = refused.g.unwrap_or_default();
                        if let (Some(seated), Some(id)) = (self.seats.get_mut(&g), refused.id)
                            && seated.drop_turn(id)
                        {
                            if refused.why == Refusal::Illegal {
                                let resign = seated.resign();
                                let reason = refused.message.unwrap_or_default();
                                self.say(&format!("{g}: resigns, because of {reason}"))?;
                                return Ok(vec![resign]);
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

    fn answer_offers(&self, g: &str, offers: &[protocol::Offer]) -> Vec<ClientMessage> {
        let Some(seated) = self.seats.get(g) else {
            return Vec::new();
        };
        let offers = offers.iter().filter(|offer| offer.by != seated.seat);
        let answers = offers.filter_map(|offer| seat::answer(g, *offer, self.args.once));
        answers.collect()
    }

    fn hear_after_the_end(&self, g: String, v: u64, event: &Event) -> Vec<ClientMessage> {
        match *event {
            // Nobody accepts the own offer, and a bot makes none.
            Event::Offer { by, what } => {
                let offer = protocol::Offer { by, what, of: v };
                let answer = seat::answer(&g, offer, self.args.once);
                answer.into_iter().collect()
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
                Ok(vec![resign])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::{ClientMessage, Refusal, Refused, Seat, ServerMessage};

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
        assert_eq!(bot.resend(), joins);
        assert_eq!(bot.resend(), []);
        // A match that does not exist is not joined again, and neither is a turn a match.
        for refused in [
            no(None, Some("k3"), Refusal::Unknown),
            no(Some(7), Some("k3"), Refusal::Unavailable),
        ] {
            bot.hear(refused).expect("it is heard");
            assert_eq!(bot.resend(), []);
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
        assert_eq!(bot.resend(), [seek(2)]);
        assert_eq!(bot.resend(), []);
        // It was carried out, although the server could not say so.
        let refused = no(Some(2), None, Refusal::Unavailable);
        bot.hear(refused).expect("it is heard");
        let paired = ServerMessage::Paired {
            g: "k3".to_owned(),
            seat: Seat::First,
        };
        bot.hear(paired).expect("it is heard");
        assert_eq!(bot.resend(), []);
    }
}
