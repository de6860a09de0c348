//! A match that is studied on the page: its state, what moves, what is stored.

use std::sync::Arc;

use catalog::{AnyMatch, AnyStart, CatalogError, OptionInfo};
use leptos::{ev, prelude::*};
use play::{PlayerKind, Saved};
use rules::{ByPlayer, Player, record::NodeId};
use study::{
    Effect as StudyEffect, Event, JudgedMove, Opinion, SetUp, SetUpEvent, Shown, Study,
    turning_points,
};
use view::Sound;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

use crate::{
    app::uses_key,
    board::Transition,
    device::{date, new_id, store, stored},
    driver::REFUSAL_TIME,
    news::tell,
    room::{Jump, Room},
    shelf::News,
    study_route::{Source, StudyRoute},
    timer::Timer,
    wheel::Wheel,
};

/// How long somebody looks at a position before the address leads to it, in milliseconds. Safari
/// allows a page 100 changes of its address in 30 s.
const ADDRESS_TIME: f64 = 1000.0;

/// How many turning points are named.
const N_POINTS: usize = 3;

/// The choices of what the board shows, by the names they are stored under.
pub(super) const SHOWN: [(&str, Shown); 3] = [
    ("all", Shown::All),
    ("best", Shown::Best),
    ("nothing", Shown::Nothing),
];

/// A match that is studied. It is cheap to copy.
#[derive(Clone, Copy)]
pub(super) struct Studying {
    pub(super) room: Room,
    study: RwSignal<Study, LocalStorage>,
    /// The moves that are judged.
    pub(super) moves: Memo<Arc<Vec<JudgedMove>>>,
    /// Notified when the engine has found more about the position that is looked at.
    lines: Trigger,
    /// How the match is stored, if it is.
    saved: StoredValue<Option<(String, Saved)>, LocalStorage>,
    /// Who played, as far as that is known.
    pub(super) seats: StoredValue<Option<ByPlayer<PlayerKind>>>,
    pub(super) is_analysis: RwSignal<bool>,
    /// The evaluations that the board shows.
    pub(super) shown: RwSignal<Shown>,
    /// Whether the board is showing how a move happens. The board sets it.
    pub(super) is_moving: RwSignal<bool>,
    pub(super) hover: RwSignal<Option<String>>,
    pub(super) wheel: Wheel,
    /// The target that was refused last.
    pub(super) refusal: RwSignal<Option<String>>,
    /// The last typed text, if it was not a legal move.
    pub(super) misread: RwSignal<Option<String>>,
    refusal_end: Timer,
    /// Runs once somebody looks at another position, until the address leads to it.
    address_due: Timer,
    /// Where it was opened.
    route: StoredValue<StudyRoute>,
    /// Whether somebody sets up a position by hand.
    pub(super) is_setting_up: RwSignal<bool>,
    /// Whether somebody chooses what to analyze next.
    pub(super) is_choosing: RwSignal<bool>,
    /// Whether the position is of an online match that is being played.
    pub(super) is_off_limits: Memo<bool>,
    /// The position that is set up, or was last: the panel for it reads this until it is gone.
    set_up: RwSignal<Option<SetUp>, LocalStorage>,
    pub(super) is_fast: bool,
    number: u32,
    /// What lasts as long as the screen does: a button that asks the engine may be gone
    /// before the answer.
    owner: StoredValue<Option<Owner>>,
}

/// The target of a route.
pub(super) struct Opened {
    pub(super) record: Box<dyn AnyMatch>,
    pub(super) end: NodeId,
    pub(super) saved: Option<(String, Saved)>,
}

impl Opened {
    /// A match that is not stored.
    pub(super) fn of_record(record: Box<dyn AnyMatch>) -> Self {
        let line = std::iter::successors(Some(NodeId::ROOT), |&node| record.next(node));
        let end = line.last().unwrap_or(NodeId::ROOT);
        Self {
            record,
            end,
            saved: None,
        }
    }

    pub(super) fn of_link(link: &str) -> Result<Self, CatalogError> {
        Ok(Self::of_record(catalog::read_link(link)?))
    }

    pub(super) fn of_game(game: &str, choices: &[(String, String)]) -> Result<Self, CatalogError> {
        let choices: Vec<_> = choices
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        Ok(Self::of_record(catalog::find(game)?.start(&choices)?))
    }

    pub(super) fn of_saved(id: String, text: &str) -> Result<Self, String> {
        let saved: Saved = text.parse().map_err(|error| format!("{error}"))?;
        Self::of_stored(id, saved)
    }

    pub(super) fn of_stored(id: String, saved: Saved) -> Result<Self, String> {
        let record = saved.read_record().map_err(|error| error.to_string())?;
        let end = saved.tip_node(&*record);
        let end = end.map_err(|error| error.to_string())?;
        Ok(Self {
            record,
            end,
            saved: Some((id, saved)),
        })
    }
}

impl Studying {
    pub(super) fn new(room: Room, opened: Opened, route: &StudyRoute, number: u32) -> Self {
        let Opened {
            mut record,
            end,
            saved,
        } = opened;
        let line = record.line(end);
        let first = route.ply.and_then(|ply| line.get(ply)).unwrap_or(&end);
        // The node is of this record.
        record.go_to(*first).ok();
        let mut study = Study::new(record, end);
        // Of what is not stored there is no match to keep.
        study.set_free(saved.is_none());
        let review = saved
            .as_ref()
            .and_then(|(_, saved)| saved.head.review.clone());
        if let Some(review) = review {
            study.recall(&review);
        }
        let kept = stored("analysis-shown");
        let shown = SHOWN.iter().find(|(name, _)| kept.as_deref() == Some(name));
        let study = RwSignal::new_local(study);
        let studying = Self {
            room,
            study,
            moves: Memo::new(move |_| Arc::new(study.with(Study::moves))),
            lines: Trigger::new(),
            seats: StoredValue::new(saved.as_ref().map(|(_, saved)| saved.head.seats)),
            saved: StoredValue::new_local(saved),
            is_analysis: RwSignal::new(route.is_analysis),
            shown: RwSignal::new(shown.map_or(Shown::All, |&(_, shown)| shown)),
            is_moving: RwSignal::new(false),
            hover: RwSignal::new(None),
            wheel: Wheel::new(),
            refusal: RwSignal::new(None),
            misread: RwSignal::new(None),
            refusal_end: Timer::new(),
            address_due: Timer::new(),
            route: StoredValue::new(route.clone()),
            is_setting_up: RwSignal::new(false),
            is_choosing: RwSignal::new(false),
            is_off_limits: Memo::new(move |_| {
                // The line that is looked at, with what comes before and after, and the one that
                // is reviewed: the engine goes on with it wherever somebody looks.
                room.off_limits.with(|off_limits| {
                    study.with(|study| {
                        let record = study.record();
                        let mut nodes = record.line(study.last());
                        nodes.extend(study.review().nodes());
                        off_limits.forbids(record, &nodes)
                    })
                })
            }),
            set_up: RwSignal::new_local(None),
            is_fast: route.is_fast,
            number,
            owner: StoredValue::new(Owner::current()),
        };
        let shelf = room.driver.shelf;
        shelf.tell_study(Some(Callback::new(move |news| studying.follow(&news))));
        let on_hide = window_event_listener_untyped("visibilitychange", move |_| {
            // The tab may be thrown away and loaded again.
            if document().hidden() && studying.save_rest() {
                studying.note_address();
            }
        });
        let on_leave = window_event_listener_untyped("pagehide", move |_| {
            studying.save_rest();
        });
        on_cleanup(move || {
            on_hide.remove();
            on_leave.remove();
            studying.save_rest();
            shelf.tell_study(None);
            studying.refusal_end.stop();
            studying.address_due.stop();
            room.shared.set_value(None);
            room.driver.stop_inquiry();
        });
        if studying.saved.with_value(Option::is_some) && matches!(route.source, Source::Shared(_)) {
            // It was stored by an earlier visit.
            studying.note_address();
        }
        studying.begin();
        // A match may begin, or its position come up, at any time.
        Effect::new(move |was_off_limits: Option<bool>| {
            let is_off_limits = studying.is_off_limits.get();
            if is_off_limits {
                for event in [
                    Event::Engine(false),
                    Event::Threat(false),
                    Event::Review(false),
                ] {
                    studying.dispatch(event);
                }
            } else if was_off_limits == Some(true) {
                studying.begin();
            }
            is_off_limits
        });
        studying
    }

    /// A review begins by itself, and so does the engine on the analysis board.
    fn begin(self) {
        if self.is_off_limits.get_untracked() {
            return;
        }
        if self.is_analysis.get_untracked() {
            let n_lines = stored("analysis-lines").and_then(|n| n.parse().ok());
            self.set_lines(n_lines.unwrap_or(3));
            if stored("analysis-engine").as_deref() != Some("off") {
                self.dispatch(Event::Engine(true));
            }
        } else {
            self.dispatch(Event::Engine(false));
            self.dispatch(Event::Review(true));
        }
    }

    /// Goes from the review to the analysis board, or back.
    pub(super) fn show_analysis(self, is_analysis: bool) {
        self.is_analysis.set(is_analysis);
        self.note_address();
        self.begin();
    }

    /// Returns `f` of the study; subscribes to it, but not to the lines of the engine.
    pub(super) fn with<T>(self, f: impl FnOnce(&Study) -> T) -> T {
        self.study.with(f)
    }

    /// Returns `f` of the study; subscribes to it and to the lines of the engine.
    pub(super) fn with_lines<T>(self, f: impl FnOnce(&Study) -> T) -> T {
        self.lines.track();
        self.study.with(f)
    }

    /// As [`with`](Self::with), without a subscription.
    pub(super) fn with_untracked<T>(self, f: impl FnOnce(&Study) -> T) -> T {
        self.study.with_untracked(f)
    }

    /// The name of the game.
    pub(super) fn game(self) -> &'static str {
        self.with_untracked(|study| study.record().game())
    }

    /// The options of the match, with what they are set to: as its position shows it, or as it
    /// was chosen.
    pub(super) fn options(self) -> Vec<(OptionInfo, String)> {
        self.with_untracked(|study| {
            let record = study.record();
            let game = catalog::find(record.game());
            let options = game.map_or_else(|_| Vec::new(), |game| game.options());
            let chosen = match record.start() {
                AnyStart::Setup(choices) => choices,
                AnyStart::Position(_) => Vec::new(),
            };
            let value = |name: &str| {
                let mut chosen = chosen.iter();
                let chosen = || chosen.find_map(|(n, value)| (*n == name).then(|| value.clone()));
                record.option(name).or_else(chosen)
            };
            let options = options.into_iter();
            options
                .filter_map(|option| Some((value(option.name)?, option)))
                .map(|(value, option)| (option, value))
                .collect()
        })
    }

    /// Where the match turned.
    pub(super) fn points(self) -> Vec<JudgedMove> {
        turning_points(&self.moves.get(), N_POINTS)
    }

    /// Where the board stands.
    pub(super) fn place(self, study: &Study) -> Transition {
        Transition::of(study.record(), self.number)
    }

    /// Hands an event to the study and carries out its effects.
    pub(super) fn dispatch(self, event: Event) {
        let mut effects = Vec::new();
        let (mut is_move, mut is_elsewhere) = (false, false);
        // Many lines of an engine change nothing that is to be seen.
        let is_line = matches!(
            &event,
            Event::Opinion {
                opinion: Opinion::Line(_),
                ..
            }
        );
        let mut is_seen = false;
        if !matches!(event, Event::Opinion { .. }) {
            self.forget_refusal();
        }
        self.study.update_untracked(|study| {
            let shown = |study: &Study| {
                let lines = study.lines();
                let first = lines.first().map(|line| (line.depth, line.nodes));
                (lines.len(), first)
            };
            let (before, lines) = (self.place(study).at, shown(study));
            effects = study.update(event);
            let place = self.place(study);
            is_elsewhere = place.at != before;
            is_move = place.before == Some(before);
            is_seen = shown(study) != lines;
        });
        if is_move && !self.is_fast && !document().hidden() {
            self.is_moving.set(true);
        }
        if is_elsewhere {
            self.address_due
                .start(ADDRESS_TIME, move || self.note_address());
        }
        if is_line && effects.is_empty() {
            if is_seen {
                self.lines.notify();
            }
        } else {
            tell(&self.study);
        }
        self.run(effects);
    }

    /// Another tab changed the match that is studied: both have what both found.
    fn follow(self, news: &News) {
        let revision = self.saved.with_value(|saved| {
            let saved = saved.as_ref().filter(|(id, _)| *id == news.id);
            saved.map(|(_, saved)| saved.head.revision)
        });
        let Some(revision) = revision else {
            return;
        };
        let Ok(Opened {
            record,
            end,
            saved: Some((id, saved)),
        }) = Opened::of_saved(news.id.clone(), &news.text)
        else {
            return;
        };
        if saved.head.revision == revision && !news.is_conflict {
            return;
        }
        let mut effects = Vec::new();
        let mut has_more = false;
        self.study.update_untracked(|study| {
            effects = study.follow(record, end);
            if let Some(review) = &saved.head.review {
                study.recall(review);
            }
            has_more = study.record().to_string() != saved.record();
        });
        self.saved.set_value(Some((id, saved)));
        tell(&self.study);
        self.run(effects);
        if has_more {
            self.save();
        }
    }

    fn run(self, effects: Vec<StudyEffect>) {
        for effect in effects {
            match effect {
                StudyEffect::Ask { number, inquiry } => {
                    let hear = move |opinion| self.dispatch(Event::Opinion { number, opinion });
                    let hear = match self.owner.get_value() {
                        Some(owner) => owner.with(|| Callback::new(hear)),
                        None => Callback::new(hear),
                    };
                    self.room.driver.inquire(inquiry, hear);
                }
                StudyEffect::Stop => self.room.driver.stop_inquiry(),
                StudyEffect::Save => self.save(),
                StudyEffect::Refuse(target) => self.refuse(self.refusal, target),
                StudyEffect::Misread(text) => self.refuse(self.misread, text),
            }
        }
    }

    /// Returns `f` of the position that is set up by hand, or was last; subscribes to it.
    pub(super) fn with_set_up<T>(self, f: impl FnOnce(&SetUp) -> T) -> Option<T> {
        self.set_up.with(|set_up| set_up.as_ref().map(f))
    }

    /// As [`with_set_up`](Self::with_set_up); `None` if nobody sets up anything.
    pub(super) fn with_shown_set_up<T>(self, f: impl FnOnce(&SetUp) -> T) -> Option<T> {
        self.is_setting_up
            .get()
            .then(|| self.with_set_up(f))
            .flatten()
    }

    /// As [`with_set_up`](Self::with_set_up), without a subscription; `None` if nobody sets
    /// up anything.
    pub(super) fn with_set_up_untracked<T>(self, f: impl FnOnce(&SetUp) -> T) -> Option<T> {
        if !self.is_setting_up.get_untracked() {
            return None;
        }
        self.set_up.with_untracked(|set_up| set_up.as_ref().map(f))
    }

    /// Starts or stops setting up a position by hand. The engine rests meanwhile.
    pub(super) fn set_up(self, is_on: bool) {
        if is_on {
            self.dispatch(Event::Engine(false));
            let set_up = self.with_untracked(|study| SetUp::new(study.record()));
            self.set_up.set(Some(set_up));
            self.is_setting_up.set(true);
        } else {
            self.is_setting_up.set(false);
            self.begin();
        }
    }

    /// Hands an event to what is set up.
    pub(super) fn edit(self, event: SetUpEvent) {
        let is_refused = self.set_up.try_update(|set_up| {
            let set_up = set_up.as_mut()?;
            set_up.update(event);
            Some(set_up.refusal().is_some())
        });
        if is_refused == Some(Some(true)) {
            self.room.sounds.play(Sound::Illegal);
        }
    }

    /// Shows for a while in `place` that something was refused.
    fn refuse(self, place: RwSignal<Option<String>>, what: String) {
        self.room.sounds.play(Sound::Illegal);
        place.set(Some(what));
        self.refusal_end
            .start(REFUSAL_TIME, move || self.forget_refusal());
    }

    fn forget_refusal(self) {
        for place in [self.refusal, self.misread] {
            if place.with_untracked(Option::is_some) {
                place.set(None);
            }
        }
    }

    /// Stores the match with what was found out. One that was not stored is, once there is
    /// a review of it; until then the address holds it.
    fn save(self) {
        let is_new = self.store();
        if is_new || self.saved.with_value(Option::is_none) {
            self.note_address();
        }
    }

    /// Stores what a review found since it was stored last, as the page may be left. The address
    /// may be that of another screen already. Returns whether the match was not stored before.
    fn save_rest(self) -> bool {
        let has_rest = self.study.try_update_untracked(Study::take_unsaved);
        has_rest == Some(true) && self.store()
    }

    /// As [`save`](Self::save), whatever the address is. Returns whether the match was not stored
    /// before.
    fn store(self) -> bool {
        let (saved, is_new) = self.with_untracked(|study| {
            let review = study.review();
            let text = if review.n_judged() > 1 {
                review.to_text()
            } else {
                String::new()
            };
            match self.saved.get_value() {
                Some((id, saved)) => (Some((id, saved.studied(study.record(), &text))), false),
                None if self.is_analysis.get_untracked() => (None, false),
                None => {
                    let saved = Saved::from_record(study.record().boxed_clone(), date());
                    (Some((new_id(), saved.studied(study.record(), &text))), true)
                }
            }
        });
        if let Some((id, saved)) = saved {
            self.room.driver.shelf.write(id.clone(), &saved);
            self.study.update_untracked(|study| study.set_free(false));
            self.saved.set_value(Some((id, saved)));
        }
        is_new
    }

    /// Where the match comes from, as addresses have it.
    pub(super) fn source(self) -> Source {
        match self.saved.get_value() {
            Some((id, _)) => Source::Saved(id),
            None => Source::Shared(self.with_untracked(|study| study.record().to_link())),
        }
    }

    /// How many moves of the line that is reviewed lead to the position that is looked at, unless it is
    /// the last or of a variation.
    fn ply(self) -> Option<usize> {
        self.with_untracked(|study| {
            let (cursor, nodes) = (study.record().cursor(), study.review().nodes());
            let ply = nodes.iter().position(|&node| node == cursor);
            ply.filter(|ply| ply + 1 < nodes.len())
        })
    }

    /// The address follows, so that a reload comes back to the same.
    fn note_address(self) {
        let is_left = self.room.study.with_untracked(|route| {
            let opened = self.route.try_with_value(|opened| opened == route);
            opened != Some(true)
        });
        if is_left {
            // The address leads to another study already.
            return;
        }
        let route = StudyRoute {
            is_analysis: self.is_analysis.get_untracked(),
            source: self.source(),
            choices: Vec::new(),
            ply: self.ply(),
            is_fast: self.is_fast,
        };
        if let Ok(history) = window().history() {
            history
                .replace_state_with_url(&JsValue::NULL, "", Some(&route.to_string()))
                .ok();
        }
    }

    /// Opens the dialog for sharing with the tree as it is.
    pub(super) fn share(self) {
        let record = self.with_untracked(|study| study.record().boxed_clone());
        self.room.shared.set_value(Some(record));
        self.room.is_share_open.set(true);
    }

    /// How many lines the engine follows; all if the board shows all moves.
    pub(super) fn set_lines(self, n_lines: usize) {
        let n_lines = n_lines.clamp(1, study::MOST_LINES);
        store("analysis-lines", &n_lines.to_string());
        self.n_shown_lines().set(n_lines);
        let n_lines = if self.shown.get_untracked() == Shown::All {
            study::Inquiry::ALL_LINES
        } else {
            n_lines
        };
        self.dispatch(Event::Lines(n_lines));
    }

    /// How many lines are listed.
    pub(super) fn n_shown_lines(self) -> RwSignal<usize> {
        self.room.n_study_lines
    }

    pub(super) fn show(self, shown: Shown) {
        let name = SHOWN.iter().find(|(_, other)| *other == shown);
        store("analysis-shown", name.map_or("all", |(name, _)| name));
        self.shown.set(shown);
        self.set_lines(self.n_shown_lines().get_untracked());
    }

    pub(super) fn toggle_engine(self) {
        if self.is_off_limits.get_untracked() {
            return;
        }
        let is_on = !self.with_untracked(Study::is_engine_on);
        store("analysis-engine", if is_on { "on" } else { "off" });
        self.dispatch(Event::Engine(is_on));
    }

    pub(super) fn toggle_threat(self) {
        if self.is_off_limits.get_untracked() {
            return;
        }
        let is_on = !self.with_untracked(Study::shows_threat);
        self.dispatch(Event::Threat(is_on));
    }

    /// The position that a jump leads to, if it is another.
    pub(super) fn jump_target(study: &Study, jump: Jump) -> Option<NodeId> {
        let target = match jump {
            Jump::First => Some(NodeId::ROOT),
            Jump::Back => study.step_back(),
            Jump::Forward => study.step_forward(),
            Jump::Last => Some(study.last()),
        };
        target.filter(|&node| node != study.record().cursor())
    }

    pub(super) fn jump(self, jump: Jump) {
        if self.is_setting_up.get_untracked() {
            return;
        }
        let target = self.with_untracked(|study| Self::jump_target(study, jump));
        if let Some(node) = target {
            self.dispatch(Event::GoTo(node));
        }
    }

    /// The player whose point of view is taken: the only person who played, or the first.
    pub(super) fn near(self) -> Player {
        let seats = self.seats.get_value();
        let people =
            seats.map(|seats| ByPlayer::from_fn(|player| seats[player] == PlayerKind::Person));
        match people {
            Some(people) if people.second && !people.first => Player::Second,
            _ => Player::First,
        }
    }

    /// Whether the one who played `player` is the only person of the match.
    pub(super) fn is_you(self, player: Player) -> bool {
        let seats = self.seats.get_value();
        seats.is_some_and(|seats| {
            seats[player] == PlayerKind::Person && seats[!player] != PlayerKind::Person
        })
    }

    /// The name of the one who played `player`.
    pub(super) fn name(self, player: Player) -> String {
        let game = self.with_untracked(|study| study.record().game());
        let color = || self.room.say(&format!("{game}.{player}"));
        match self.seats.get_value() {
            Some(seats) => match seats[player] {
                PlayerKind::Person if seats[!player] == PlayerKind::Person => color(),
                PlayerKind::Person => self.room.say("seat.you"),
                opponent => self.room.opponent_name(opponent),
            },
            None => color(),
        }
    }

    /// Keys that lead through the moves.
    pub(super) fn listen_to_keys(self) {
        let listener = window_event_listener(ev::keydown, move |event| self.key(&event));
        on_cleanup(move || listener.remove());
    }

    fn key(self, event: &ev::KeyboardEvent) {
        let room = self.room;
        let is_covered = self.is_choosing.get_untracked()
            || room.is_help_open.get_untracked()
            || room.is_share_open.get_untracked()
            || room.is_keys_open.get_untracked()
            || room.settings.is_open.get_untracked()
            || room.sheet.with_untracked(Option::is_some);
        let target = event.target().and_then(|target| target.dyn_into().ok());
        let is_used = target.is_some_and(|target: Element| uses_key(&target, &event.key()));
        let has_modifier = event.ctrl_key() || event.meta_key() || event.alt_key();
        if is_covered || event.default_prevented() || has_modifier || is_used {
            return;
        }
        match event.key().as_str() {
            "ArrowLeft" => self.jump(Jump::Back),
            "ArrowRight" => self.jump(Jump::Forward),
            "Home" => self.jump(Jump::First),
            "End" => self.jump(Jump::Last),
            "Escape" if self.is_setting_up.get_untracked() => self.edit(SetUpEvent::Clear),
            _ if self.is_setting_up.get_untracked() => {}
            "e" if self.is_analysis.get_untracked() => self.toggle_engine(),
            "t" if self.is_analysis.get_untracked() => self.toggle_threat(),
            "Escape" => self.dispatch(Event::Clear),
            _ => {}
        }
    }
}
