use std::time::{Duration, Instant};

use anyhow::Context;
use catalog::{AnyGame, AnyMatch};
use protocol::{
    Action, ActionName, ClientMessage, ClockState, Event, Offer, OfferKind, OnlineControl, Seat,
    StateMessage, TurnMessage,
};
use tokio::sync::mpsc;

use crate::{
    args::BotArgs,
    program::{PATIENCE, Program, go_by_clocks},
};

/// Kept in reserve of every turn with a clock, for the way to the server.
const RESERVE: u64 = 50;

/// Requests of a seat that belong to the same version differ in this.
#[derive(Clone, Copy)]
enum RequestKind {
    Turn,
    Answer,
    Resign,
}

/// An id that nothing else of the seat has: a version can be answered once.
fn id(version: u64, kind: RequestKind) -> u64 {
    version * 3 + kind as u64
}

fn action(g: &str, version: u64, kind: RequestKind, what: ActionName, of: Option<u64>) -> Action {
    Action {
        g: g.to_owned(),
        id: id(version, kind),
        what,
        of,
        phrase: None,
        result: None,
    }
}

/// What the bot answers to an offer: it plays on, and it plays again.
pub(super) fn answer(g: &str, offer: Offer, is_last: bool) -> Option<Action> {
    let what = match offer.what {
        OfferKind::Draw | OfferKind::Takeback => ActionName::Decline,
        OfferKind::Rematch if is_last => return None,
        OfferKind::Rematch => ActionName::Accept,
    };
    Some(action(
        g,
        offer.of,
        RequestKind::Answer,
        what,
        Some(offer.of),
    ))
}

/// The bot's seat in a match that is being played.
pub(super) struct Seated {
    g: String,
    pub(super) seat: Seat,
    opponent: String,
    game: &'static dyn AnyGame,
    record: Box<dyn AnyMatch>,
    v: u64,
    /// The version of the last event that changed the position.
    at: u64,
    control: Option<OnlineControl>,
    clock: Option<ClockState>,
    /// When the clock was heard of.
    heard: Instant,
    movetime: u64,
    command: Vec<String>,
    /// The options of the match.
    choices: Vec<(String, String)>,
    engine: SeatEngine,
    /// The turn that the server has not acknowledged.
    sent: Option<TurnMessage>,
    /// Whether the engine failed: then the match is given up.
    has_failed: bool,
}

enum SeatEngine {
    /// Not thinking. It is started when it is needed.
    Idle(Option<Program>),
    /// In another task.
    Thinking,
}

/// The result of thinking.
pub(super) struct ThinkingResult {
    pub(super) g: String,
    at: u64,
    program: Option<Program>,
    moves: anyhow::Result<Vec<String>>,
    ms: u64,
}

/// Ends a program, which may take a moment, elsewhere.
fn end(program: Program) {
    tokio::task::spawn_blocking(|| drop(program));
}

impl ThinkingResult {
    /// The match is over.
    pub(super) fn leave(self) {
        self.program.into_iter().for_each(end);
    }
}

fn read_record(game: &dyn AnyGame, text: &str) -> anyhow::Result<Box<dyn AnyMatch>> {
    let mut record = game.read_file(text)?;
    while record.redo().is_some() {}
    Ok(record)
}

impl Seated {
    pub(super) fn new(state: &StateMessage, args: &BotArgs) -> anyhow::Result<Self> {
        let game = catalog::find(&state.game)?;
        let seat = state.you.context("only players have a seat")?;
        let value = |value: &serde_json::Value| match value {
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let options = state.options.iter();
        Ok(Self {
            g: state.g.clone(),
            seat,
            opponent: state.seats.get(!seat).player.name.clone(),
            game,
            record: read_record(game, &state.record)?,
            v: state.v,
            at: state.at,
            control: state.control,
            clock: state.clock,
            heard: Instant::now(),
            movetime: args.movetime,
            command: args.command.clone(),
            choices: options
                .map(|(name, text)| (name.clone(), value(text)))
                .collect(),
            engine: SeatEngine::Idle(None),
            sent: None,
            has_failed: false,
        })
    }

    pub(super) fn description(&self) -> String {
        format!("playing {} against {}", self.seat, self.opponent)
    }

    /// Takes over a whole state.
    pub(super) fn update(&mut self, state: &StateMessage) -> anyhow::Result<()> {
        self.record = read_record(self.game, &state.record)?;
        (self.v, self.at) = (state.v, state.at);
        self.clock = state.clock;
        self.heard = Instant::now();
        self.drop_old();
        Ok(())
    }

    /// Takes over an event. Returns whether the whole state is not needed.
    pub(super) fn apply(
        &mut self,
        v: u64,
        at: u64,
        event: &Event,
        clock: Option<ClockState>,
    ) -> bool {
        if v <= self.v {
            return true;
        }
        let is_next = v == self.v + 1;
        let is_played = match event {
            Event::Turn { m, .. } => m.iter().all(|m| self.record.play(m).is_ok()),
            Event::Takeback { .. } => false,
            _ => true,
        };
        if !is_next || !is_played {
            return false;
        }
        (self.v, self.at, self.clock) = (v, at, clock);
        self.heard = Instant::now();
        self.drop_old();
        true
    }

    /// Drops a turn for a position that is no more.
    fn drop_old(&mut self) {
        let at = self.at;
        drop(self.sent.take_if(|turn| turn.at != at));
    }

    pub(super) fn acknowledge(&mut self, id: u64) {
        self.drop_turn(id);
    }

    /// Drops the turn of this id. Returns whether there was one.
    pub(super) fn drop_turn(&mut self, id: u64) -> bool {
        self.sent.take_if(|turn| turn.id == id).is_some()
    }

    /// The turn that was not acknowledged, once more: with its own id, for the same position.
    pub(super) fn resend(&self) -> Option<ClientMessage> {
        self.sent.clone().map(ClientMessage::Turn)
    }

    /// Begins to think, if it is the bot's turn and it is not thinking yet.
    pub(super) fn think(&mut self, sender: &mpsc::UnboundedSender<ThinkingResult>) {
        let is_turn = self.record.ending().is_none() && Seat::from(self.record.turn()) == self.seat;
        if !is_turn || self.has_failed || self.sent.is_some() {
            return;
        }
        let SeatEngine::Idle(program) = &mut self.engine else {
            return;
        };
        let program = program.take();
        let (command, choices) = (self.command.clone(), self.choices.clone());
        self.engine = SeatEngine::Thinking;
        let limits = Limits {
            seat: self.seat,
            // Days are for people.
            clock: self.clock.filter(|_| {
                let is_live = |control| matches!(control, OnlineControl::Match { .. });
                self.control.is_some_and(is_live)
            }),
            increment: match self.control {
                Some(OnlineControl::Match { inc_ms, .. }) => inc_ms,
                _ => 0,
            },
            heard: self.heard,
            movetime: self.movetime,
        };
        let mut record = self.record.boxed_clone();
        let (g, at) = (self.g.clone(), self.at);
        let sender = sender.clone();
        tokio::task::spawn_blocking(move || {
            let began = Instant::now();
            let mut program = program;
            let start = || {
                let mut program = Program::start(command, PATIENCE)?;
                program.new_game(&choices)?;
                anyhow::Ok(program)
            };
            let moves = match program.take().map_or_else(start, Ok) {
                Ok(running) => choose_turn(program.insert(running), &mut *record, &limits),
                Err(error) => Err(error),
            };
            let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            let thought = ThinkingResult {
                g,
                at,
                program,
                moves,
                ms,
            };
            // The bot may be gone.
            sender.send(thought).ok();
        });
    }

    /// Takes over what the engine chose, and sends it if the position is still the same.
    pub(super) fn take(
        &mut self,
        thought: ThinkingResult,
        sender: &mpsc::UnboundedSender<ThinkingResult>,
    ) -> anyhow::Result<Option<ClientMessage>> {
        self.engine = SeatEngine::Idle(thought.program);
        if thought.at != self.at {
            self.think(sender);
            return Ok(None);
        }
        let turn = TurnMessage {
            g: self.g.clone(),
            id: id(self.at, RequestKind::Turn),
            at: self.at,
            m: thought.moves?,
            ms: thought.ms,
        };
        self.sent = Some(turn);
        Ok(self.resend())
    }

    pub(super) fn resign(&mut self) -> Action {
        self.has_failed = true;
        action(
            &self.g,
            self.at,
            RequestKind::Resign,
            ActionName::Resign,
            None,
        )
    }

    /// The match is over.
    pub(super) fn leave(self) {
        if let SeatEngine::Idle(Some(program)) = self.engine {
            end(program);
        }
    }
}

/// How long the engine may think.
struct Limits {
    seat: Seat,
    clock: Option<ClockState>,
    increment: u64,
    heard: Instant,
    movetime: u64,
}

impl Limits {
    /// The command that asks for a move, and the longest that the answer may take.
    fn to_go(&self) -> (String, Duration) {
        let Some(mut clock) = self.clock else {
            let time = self.movetime;
            return (format!("go movetime {time}"), Duration::from_millis(time));
        };
        let own = match self.seat {
            Seat::First => &mut clock.first,
            Seat::Second => &mut clock.second,
        };
        let elapsed = u64::try_from(self.heard.elapsed().as_millis()).unwrap_or(u64::MAX);
        *own = own.saturating_sub(elapsed).saturating_sub(RESERVE).max(1);
        let longest = Duration::from_millis(*own);
        let ClockState { first, second, .. } = clock;
        (go_by_clocks(first, second, self.increment), longest)
    }
}

/// A whole turn, which may be several moves.
fn choose_turn(
    program: &mut Program,
    record: &mut dyn AnyMatch,
    limits: &Limits,
) -> anyhow::Result<Vec<String>> {
    let player = record.turn();
    let mut turn = Vec::new();
    while record.ending().is_none() && record.turn() == player {
        let (go, longest) = limits.to_go();
        let m = program.choose(&record.moves(), &go, longest.saturating_add(PATIENCE))?;
        record.play(&m)?;
        turn.push(m);
    }
    Ok(turn)
}
