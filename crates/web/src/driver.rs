//! Drives the match: hands events to it and carries out the effects.
//!
//! This is the one place where effects are run. The engine, the timers and the board
//! only hand in events.

use leptos::prelude::*;
use play::{Clocks, Event, Phase, PlayerKind, RefusedInput, Saved, SavedHead, Sitting};
use rules::{
    Outcome, Player,
    record::{Ending, NodeId},
};
use study::{Inquiry, Opinion};

use crate::{
    clock_face::until_change,
    device::{date, keep_in_tab, kept_in_tab, new_id, now},
    engine::{EngineLink, EngineReport},
    news::{new_signal, tell},
    route::saved_address,
    session::MatchSession,
    shelf::{News, Shelf},
    timer::Timer,
};

/// How long colors are drawn, in milliseconds.
const LOTS_TIME: f64 = 1200.0;

/// How long it is shown why input was refused, in milliseconds.
pub(crate) const REFUSAL_TIME: f64 = 4000.0;

/// Where the time spent since the last move is noted for a reload.
const SPENT: &str = "spent";

/// After so many positions the progress bar is half way.
const MANY_NODES: u64 = 100_000;

/// The match and what goes on around it. It is cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Driver {
    session: RwSignal<Option<MatchSession>, LocalStorage>,
    /// The fragment of the page's address when the match was opened.
    opened_at: StoredValue<String>,
    /// Whether the board is showing how a move happens. The board sets it.
    pub(crate) is_moving: RwSignal<bool>,
    /// Whether colors are being drawn.
    is_drawing: RwSignal<bool>,
    /// Why the last input was refused.
    pub(crate) refusal: RwSignal<Option<RefusedInput>>,
    /// How far the machine has thought, from 0 to 1000.
    pub(crate) progress: RwSignal<u32>,
    /// The clocks as they stand, in a match with clocks.
    pub(crate) clocks: RwSignal<Option<Clocks>>,
    /// The person whose time just got short, until the turn passes.
    pub(crate) low_time: RwSignal<Option<Player>>,
    /// How the connection to the server is, for those who play online.
    pub(crate) connection: RwSignal<&'static str>,
    /// Called with the turns that are to be sent to the server.
    pub(crate) on_turn: StoredValue<Option<Callback<Vec<String>>>>,
    /// Where matches are kept.
    pub(crate) shelf: Shelf,
    /// Whether the page says that weights could not be fetched, until somebody has read it.
    pub(crate) lacks_weights: RwSignal<bool>,
    engine: StoredValue<Option<EngineLink>, LocalStorage>,
    /// Who hears what the engine says about an inquiry.
    on_opinion: StoredValue<Option<Listener>>,
    /// Who hears of the puzzle that was asked for.
    on_puzzle: StoredValue<Option<Callback<String>>>,
    /// How many inquiries there were.
    n_inquiries: StoredValue<u32>,
    /// An answer that waits until the board is at rest.
    answer: StoredValue<Option<Event>>,
    /// When the machine was asked, or the board came to rest after that.
    waiting_since: StoredValue<f64>,
    /// Up to when time was handed to the match.
    counted: StoredValue<f64>,
    tick: Timer,
    pause: Timer,
    lots: Timer,
    refusal_end: Timer,
}

/// Who hears what the engine says about an inquiry.
#[derive(Clone, Copy)]
enum Listener {
    /// The match, about the position at this node.
    Match(NodeId),
    /// Somebody else.
    Other(Callback<Opinion>),
}

/// The stage of a match as people see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// Colors are being drawn.
    Lots,
    /// A move is seen to happen.
    Moving,
    /// The machine thinks.
    Thinking,
    /// The machine can't be reached.
    Stalled,
    /// A person is to move.
    Waiting,
    /// Somebody elsewhere is to move.
    Remote,
    /// The match is over.
    Over(Ending),
}

/// The fragment of the page's address.
fn fragment() -> String {
    window().location().hash().unwrap_or_default()
}

impl Driver {
    /// Nothing is played yet.
    pub(crate) fn new() -> Self {
        let driver = Self {
            session: RwSignal::new_local(None),
            opened_at: StoredValue::new(String::new()),
            is_moving: new_signal(false),
            is_drawing: new_signal(false),
            refusal: new_signal(None),
            progress: new_signal(0),
            clocks: new_signal(None),
            low_time: new_signal(None),
            connection: new_signal("reconnecting"),
            on_turn: StoredValue::new(None),
            shelf: Shelf::new(),
            lacks_weights: new_signal(false),
            engine: StoredValue::new_local(None),
            on_opinion: StoredValue::new(None),
            on_puzzle: StoredValue::new(None),
            n_inquiries: StoredValue::new(0),
            answer: StoredValue::new(None),
            waiting_since: StoredValue::new(0.0),
            counted: StoredValue::new(0.0),
            tick: Timer::new(),
            pause: Timer::new(),
            lots: Timer::new(),
            refusal_end: Timer::new(),
        };
        let engine = EngineLink::new(move |report| driver.hear(report));
        driver.engine.set_value(Some(engine));
        driver
            .shelf
            .listen(Callback::new(move |news| driver.follow(&news)));
        // What was held back goes on as soon as nothing moves any more, and at once when
        // nobody looks.
        Effect::new(move |_| {
            if !driver.is_moving.get() && !driver.is_drawing.get() {
                driver.waiting_since.set_value(now());
                driver.apply_answer();
            }
        });
        let on_hide = window_event_listener_untyped("visibilitychange", move |_| {
            if document().hidden() {
                driver.end_lots();
                driver.apply_answer();
                driver.save_time();
            }
            driver.tick();
        });
        let on_leave = window_event_listener_untyped("pagehide", move |_| driver.note_time());
        on_cleanup(move || {
            on_hide.remove();
            on_leave.remove();
        });
        driver
    }

    /// Fetches the engine. The page can be used before that.
    pub(crate) fn start_engine(self) {
        self.with_engine(EngineLink::start);
    }

    /// Returns `f` of the match, or the default without one; subscribes to the match.
    pub(crate) fn with<T: Default>(self, f: impl FnOnce(&MatchSession) -> T) -> T {
        self.session.track();
        self.with_untracked(f)
    }

    /// As [`with`](Self::with), without a subscription.
    pub(crate) fn with_untracked<T: Default>(self, f: impl FnOnce(&MatchSession) -> T) -> T {
        let (mut f, mut result) = (Some(f), T::default());
        self.visit(&mut |session| {
            if let Some(f) = f.take() {
                result = f(session);
            }
        });
        result
    }

    /// Shows the match to `see`, if there is one. What is generic is compiled for every call, so
    /// the signal is read here, once for all.
    #[inline(never)]
    fn visit(self, see: &mut dyn FnMut(&MatchSession)) {
        self.session.with_untracked(|session| {
            if let Some(session) = session {
                see(session);
            }
        });
    }

    /// Whether there is a match.
    pub(crate) fn is_open(self) -> bool {
        self.session.with(Option::is_some)
    }

    /// Begins a match in place of any other. `is_calm` if nothing is to be seen moving.
    pub(crate) fn open(self, session: MatchSession, effects: Vec<play::Effect>, is_calm: bool) {
        self.forget();
        let is_still = is_calm || session.wish.is_fast || document().hidden();
        let has_lots = session.has_lots && !is_still;
        self.opened_at.set_value(fragment());
        self.session.update_untracked(|kept| *kept = Some(session));
        tell(&self.session);
        self.counted.set_value(now());
        self.show_clocks();
        if has_lots {
            self.is_drawing.set(true);
            self.lots.start(LOTS_TIME, move || self.end_lots());
        }
        self.run(effects);
    }

    /// Notes what a match that is played online is stored under.
    pub(crate) fn set_id(self, id: &str) {
        self.session.update_untracked(|session| {
            if let Some(session) = session {
                session.id = Some(id.to_owned());
            }
        });
        tell(&self.session);
    }

    /// Forgets the parts of the last match that followed what has not changed since: where moves
    /// are not animated, nothing moves.
    pub(crate) fn forget_followers(self) {
        tell(&self.is_moving);
        tell(&self.is_drawing);
        tell(&self.refusal);
        tell(&self.progress);
    }

    /// Ends the match without a trace.
    pub(crate) fn close(self) {
        self.forget();
        if self.session.with_untracked(Option::is_some) {
            self.session.set(None);
            self.show_clocks();
        }
    }

    fn forget(self) {
        self.save_time();
        self.run(vec![play::Effect::StopBot]);
        self.end_lots();
        self.set_refusal(None);
        // For the next match the engine tries to get them again, and says so if it can't.
        if self.lacks_weights.get_untracked() {
            self.lacks_weights.set(false);
        }
        if self.is_moving.get_untracked() {
            self.is_moving.set(false);
        }
    }

    fn end_lots(self) {
        self.lots.stop();
        if self.is_drawing.get_untracked() {
            self.is_drawing.set(false);
        }
    }

    /// Hands an event to the match and carries out its effects.
    pub(crate) fn dispatch(self, event: Event) {
        self.count_time();
        let mut effects = Vec::new();
        let mut is_step = false;
        self.session.update_untracked(|session| {
            if let Some(session) = session {
                let (before, _) = session.places();
                effects = session.sitting.update(event);
                is_step = session.places().1 == Some(before) && !session.wish.is_fast;
            }
        });
        // The board shows the step, and says when it is done.
        if is_step && !document().hidden() {
            self.is_moving.set(true);
        }
        self.set_refusal(None);
        tell(&self.session);
        self.show_clocks();
        self.run(effects);
    }

    /// Hands the time that has passed to the match, which may end by it. How often this
    /// is called makes no difference, so browsers may delay timers of hidden pages.
    fn count_time(self) {
        if self.clocks.with_untracked(Option::is_none) {
            return;
        }
        let passed = (now() - self.counted.get_value()).max(0.0).floor();
        self.counted.update_value(|counted| *counted += passed);
        let mut effects = Vec::new();
        self.session.update_untracked(|session| {
            if let Some(session) = session {
                effects = session.sitting.update(Event::TimePassed(passed as u64));
            }
        });
        if effects.contains(&play::Effect::Save) {
            tell(&self.session);
        }
        self.run(effects);
    }

    /// Shows the clocks, now and as long as one of them runs.
    fn show_clocks(self) {
        let clocks = self.with_untracked(|session| session.sitting.clocks());
        if self.clocks.get_untracked() != clocks {
            self.clocks.update_untracked(|kept| *kept = clocks);
            tell(&self.clocks);
        }
        let running = clocks.and_then(|clocks| Some((clocks.running?, clocks)));
        let low_time = self.low_time.get_untracked();
        if low_time.is_some() && low_time != running.map(|(player, _)| player) {
            self.low_time.set(None);
        }
        match running {
            Some((player, clocks)) => {
                let wait = until_change(clocks.left[player]);
                self.tick.start(wait as f64, move || self.tick());
            }
            None => self.tick.stop(),
        }
    }

    /// The time of `player` got short, which is of no interest to a machine.
    fn set_low_time(self, player: Player) {
        let seat = self.with_untracked(|session| Some(session.sitting.seats()[player]));
        if seat == Some(PlayerKind::Person) {
            self.low_time.set(Some(player));
        }
    }

    fn tick(self) {
        self.count_time();
        self.show_clocks();
    }

    /// Stores the time that was spent since the last move, as the page may not come back.
    fn save_time(self) {
        self.count_time();
        let is_running = |session: &MatchSession| {
            let clocks = session.sitting.clocks();
            clocks.is_some_and(|clocks| clocks.running.is_some())
        };
        if self.with_untracked(is_running) {
            self.save();
            self.note_time();
        }
    }

    /// Notes the time that was spent since the last move where that can be done at once: the
    /// database has no time to write while the page is being left.
    fn note_time(self) {
        self.count_time();
        let note = self.with_untracked(|session| {
            let Saved { head, .. } = Saved::new(&session.sitting, 0, session.head.as_ref());
            let id = session.id.as_deref()?;
            Some(format!("{id} {} {}", head.ply, head.spent?))
        });
        if let Some(note) = note {
            keep_in_tab(SPENT, &note);
        }
    }

    /// The time noted by [`note_time`](Self::note_time) for the match stored under `id`, if
    /// it has not moved on.
    pub(crate) fn noted_time(id: &str, head: &SavedHead) -> Option<u64> {
        let note = kept_in_tab(SPENT)?;
        let spent = note.strip_prefix(&format!("{id} {} ", head.ply))?;
        rules::parse_decimal(spent).max(head.spent)
    }

    fn run(self, effects: Vec<play::Effect>) {
        for effect in effects {
            match effect {
                play::Effect::AskBot(question) => {
                    self.drop_answer();
                    // It replaces an inquiry.
                    self.on_opinion.set_value(None);
                    self.waiting_since.set_value(now());
                    self.with_engine(|engine| engine.ask(question));
                }
                play::Effect::StopBot => {
                    self.drop_answer();
                    self.on_opinion.set_value(None);
                    self.with_engine(EngineLink::stop);
                }
                play::Effect::PrepareBot(question) => {
                    self.with_engine(|engine| engine.prepare(question));
                }
                play::Effect::Inquire { at, inquiry } => {
                    self.inquire_for(inquiry, Listener::Match(at));
                }
                play::Effect::StopInquiry => self.stop_inquiry(),
                play::Effect::Save => self.save(),
                play::Effect::Turn(moves) => {
                    if let Some(listener) = self.on_turn.get_value() {
                        listener.run(moves);
                    }
                }
                play::Effect::LowTime(player) => self.set_low_time(player),
                play::Effect::Refuse(refusal) => self.set_refusal(Some(refusal)),
            }
        }
    }

    /// Stores the match. From its first move on the address is that of the stored match, unless
    /// it leads elsewhere by now, so that a reload and the browser's buttons lead back to it.
    fn save(self) {
        let mut saved = None;
        self.session.update_untracked(|session| {
            // The server stores those that are played online.
            if let Some(session) = session.as_mut().filter(|session| session.online.is_none()) {
                let is_new = session.id.is_none();
                let (id, text) = session.save(date(), new_id);
                saved = Some((id, text, is_new, session.wish.is_fast));
            }
        });
        let Some((id, saved, is_new, is_fast)) = saved else {
            return;
        };
        // While the next match is being opened, the address is its.
        let is_here = self
            .opened_at
            .with_value(|opened_at| *opened_at == fragment());
        if is_new
            && is_here
            && let Ok(history) = window().history()
        {
            let address = saved_address(&id, is_fast);
            history
                .replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&address))
                .ok();
        }
        self.shelf.write(id, &saved);
    }

    /// Another tab changed the match that is open here.
    fn follow(self, news: &News) {
        let Ok(saved) = news.text.parse::<Saved>() else {
            return;
        };
        let is_news = self.with_untracked(|session| {
            let revision = session.head.as_ref().map(|head| head.revision);
            let is_other = news.is_conflict || revision != Some(saved.head.revision);
            is_other && session.id.as_ref() == Some(&news.id)
        });
        if news.is_conflict && news.is_study && is_news {
            self.take_study(&saved);
            return;
        }
        let Some((sitting, effects)) = saved.open().ok().filter(|_| is_news) else {
            return;
        };
        let mut is_step = false;
        self.session.update_untracked(|session| {
            if let Some(session) = session {
                let (before, _) = session.places();
                let position = |sitting: &Sitting| sitting.record().position();
                let mut picked = session.sitting.table().picked();
                if position(&session.sitting) != position(&sitting) {
                    picked.clear();
                }
                session.sitting = sitting;
                // What somebody holds in the hand stays there.
                for target in picked {
                    session.sitting.update(Event::Activate(target));
                }
                session.head = Some(saved.head.clone());
                is_step = session.places().1 == Some(before) && !session.wish.is_fast;
            }
        });
        self.run(vec![play::Effect::StopBot]);
        if is_step && !document().hidden() {
            self.is_moving.set(true);
        }
        self.set_refusal(None);
        tell(&self.session);
        self.counted.set_value(now());
        self.show_clocks();
        self.run(effects);
    }

    /// Another tab stored what somebody found out about the match while it went on here: both
    /// are kept.
    fn take_study(self, saved: &Saved) {
        let studied = Event::Studied(saved.record().to_owned());
        let mut effects = Vec::new();
        self.session.update_untracked(|session| {
            if let Some(session) = session {
                effects = session.sitting.update(studied);
                if let Some(head) = &mut session.head {
                    head.revision = saved.head.revision;
                    head.review.clone_from(&saved.head.review);
                }
            }
        });
        tell(&self.session);
        self.run(effects);
    }

    fn with_engine(self, f: impl FnOnce(&EngineLink)) {
        if let Some(Some(engine)) = self.engine.try_get_value() {
            f(&engine);
        }
    }

    fn drop_answer(self) {
        self.pause.stop();
        self.answer.set_value(None);
        if self.progress.get_untracked() != 0 {
            self.progress.set(0);
        }
    }

    fn set_refusal(self, refusal: Option<RefusedInput>) {
        self.refusal_end.stop();
        if refusal.is_some() {
            self.refusal_end
                .start(REFUSAL_TIME, move || self.set_refusal(None));
        }
        if self.refusal.with_untracked(|kept| *kept != refusal) {
            self.refusal.set(refusal);
        }
    }

    fn hear(self, report: EngineReport) {
        match report {
            EngineReport::Thought(thought) => {
                // Nobody knows how long it will take; the bar grows ever slower.
                let progress = 1000 * thought.nodes / (thought.nodes + MANY_NODES);
                self.progress.set(progress as u32);
            }
            EngineReport::Event(event @ Event::BotMoved { .. }) => {
                self.answer.set_value(Some(event));
                self.apply_answer();
            }
            EngineReport::Event(event) => self.dispatch(event),
            EngineReport::Opinion(opinion) => {
                let listener = self.on_opinion.get_value();
                if opinion.is_end() {
                    self.on_opinion.set_value(None);
                }
                match listener {
                    Some(Listener::Match(at)) => self.hear_opinion(at, opinion),
                    // The listener may be gone.
                    Some(Listener::Other(listener)) => drop(listener.try_run(opinion)),
                    None => {}
                }
            }
            EngineReport::LacksWeights => self.lacks_weights.set(true),
            EngineReport::Puzzle(text) => {
                let listener = self.on_puzzle.try_update_value(Option::take).flatten();
                if let Some(listener) = listener {
                    listener.run(text);
                }
            }
        }
    }

    /// Hands what the engine says about the position at `at` to the match.
    fn hear_opinion(self, at: NodeId, opinion: Opinion) {
        let is_end = opinion.is_end();
        let event = Event::Opinion { at, opinion };
        if !is_end {
            // There are hundreds of lines, and nothing to be seen before the last.
            self.session.update_untracked(|session| {
                if let Some(session) = session {
                    session.sitting.update(event);
                }
            });
        } else {
            self.dispatch(event);
        }
    }

    /// Asks `inquiry` instead of any earlier question. What is said about it goes to
    /// `listener`. Returns its number.
    pub(crate) fn inquire(self, inquiry: Inquiry, listener: Callback<Opinion>) -> u32 {
        self.inquire_for(inquiry, Listener::Other(listener))
    }

    fn inquire_for(self, inquiry: Inquiry, listener: Listener) -> u32 {
        self.on_opinion.set_value(Some(listener));
        self.n_inquiries.update_value(|n| *n += 1);
        self.with_engine(|engine| engine.inquire(inquiry));
        self.n_inquiries.get_value()
    }

    /// Whether the answer to the inquiry of this number is still awaited.
    pub(crate) fn is_inquiring(self, number: u32) -> bool {
        let is_open = self.on_opinion.with_value(Option::is_some);
        is_open && self.n_inquiries.get_value() == number
    }

    /// Asks for the puzzle of `game` that `seed` leads to, instead of any earlier question.
    /// `listener` hears of it in the form of the protocol, or `none`.
    pub(crate) fn mine(self, game: &'static str, seed: u64, listener: Callback<String>) {
        self.on_puzzle.set_value(Some(listener));
        self.with_engine(|engine| engine.mine(game, seed));
    }

    /// Drops the inquiry: its answer is no longer needed.
    pub(crate) fn stop_inquiry(self) {
        if self.on_opinion.with_value(Option::is_some) {
            self.on_opinion.set_value(None);
            self.with_engine(EngineLink::stop);
        }
    }

    /// Applies the engine's pending reply once the board is at rest.
    fn apply_answer(self) {
        if self.answer.with_value(Option::is_none) {
            return;
        }
        if !document().hidden() {
            if self.is_moving.get_untracked() || self.is_drawing.get_untracked() {
                return;
            }
            // The machine takes a moment at least, so that one can follow it.
            let pause = self.with_untracked(|session| {
                let is_fast = session.wish.is_fast;
                (!is_fast).then(|| session.game.presentation().answer_time)
            });
            let rest = pause.unwrap_or(0.0) - (now() - self.waiting_since.get_value());
            if rest > 1.0 {
                self.pause.start(rest, move || self.apply_answer());
                return;
            }
        }
        self.pause.stop();
        let answer = self.answer.try_update_value(Option::take).flatten();
        if let Some(answer) = answer {
            self.dispatch(answer);
        }
    }

    /// The current stage.
    pub(crate) fn stage(self) -> Option<Stage> {
        let phase = self.with(|session| Some(session.sitting.phase()))?;
        Some(if self.is_drawing.get() {
            Stage::Lots
        } else if self.is_moving.get() {
            Stage::Moving
        } else {
            match phase {
                Phase::Person(_) => Stage::Waiting,
                Phase::Bot(_) => Stage::Thinking,
                Phase::Stalled(_) => Stage::Stalled,
                Phase::Remote(_) => Stage::Remote,
                Phase::Over(ending) => Stage::Over(ending),
            }
        })
    }

    /// The result, once the last move has been seen to happen.
    pub(crate) fn outcome(self) -> Option<Outcome> {
        match self.stage()? {
            Stage::Over(ending) => Some(ending.outcome),
            _ => None,
        }
    }

    /// Whether something happens by itself.
    pub(crate) fn is_busy(self) -> bool {
        matches!(
            self.stage(),
            Some(Stage::Lots | Stage::Moving | Stage::Thinking)
        )
    }
}
