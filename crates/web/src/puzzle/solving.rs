//! A puzzle that somebody solves on the page: its state, what moves, what is stored.

use std::sync::Arc;

use leptos::{ev, prelude::*};
use puzzles::{
    Attempt, Day, Event, Phase, Puzzle, PuzzleRating, Rated, Scores, SeedSearch, Streak,
};
use study::{Effort, EngineLine, Inquiry, Opinion};
use view::{Sound, Words};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

use crate::{
    board::Transition,
    device::{chance, date, now, store, stored},
    news::tell,
    puzzle_route::{PuzzleRoute, Which},
    room::Room,
    timer::Timer,
};

/// How long the opponent waits with a reply, in milliseconds.
const REPLY_TIME: f64 = 350.0;

/// How long a wrong try stays once its reply has been seen, in milliseconds.
const WRONG_TIME: f64 = 1300.0;

/// How long the engine may take to refute a wrong try, in milliseconds.
const REFUTE_TIME: f64 = 2500.0;

/// Seeds have as many digits as one likes to see in an address.
const MOST_SEEDS: u64 = 1_000_000_000;

/// How many positions the engine looks at for that.
const REFUTE_NODES: u64 = 20_000;

/// The scores in one game, and the days in a row.
#[derive(Clone, Default)]
pub(super) struct PuzzleScores {
    pub(super) of_game: Scores,
    pub(super) streak: Streak,
}

impl PuzzleScores {
    /// As the last visit left it.
    pub(super) fn stored(game: &str) -> Self {
        let read = |name: &str| stored(&format!("puzzle.{name}")).unwrap_or_default();
        let progress = |name: &str| read(&format!("{name}.{game}")).parse().unwrap_or_default();
        Self {
            of_game: Scores {
                rating: read(&format!("rating.{game}")).parse().unwrap_or_default(),
                solved: progress("solved"),
                rated: progress("rated"),
            },
            streak: read("streak").parse().unwrap_or_default(),
        }
    }

    fn store(&self, game: &str) {
        let Scores {
            rating,
            solved,
            rated,
        } = &self.of_game;
        store(&format!("puzzle.rating.{game}"), &rating.to_string());
        store(&format!("puzzle.solved.{game}"), &solved.to_string());
        store(&format!("puzzle.rated.{game}"), &rated.to_string());
        store("puzzle.streak", &self.streak.to_string());
    }
}

/// The day it is where the device is.
pub(super) fn today() -> Day {
    let minutes = js_sys::Date::new_0().get_timezone_offset();
    Day::at((date() / 1000) as i64, -(minutes as i32))
}

/// A puzzle that somebody solves. It is cheap to copy.
#[derive(Clone, Copy)]
pub(super) struct Solving {
    pub(super) room: Room,
    attempt: RwSignal<Attempt, LocalStorage>,
    pub(super) scores: RwSignal<PuzzleScores, LocalStorage>,
    /// How the attempt was rated so far.
    rated: StoredValue<Option<Rated>>,
    /// The rating before the puzzle, once it is over.
    pub(super) before: RwSignal<Option<PuzzleRating>>,
    /// The day, if it is a daily puzzle.
    pub(super) day: Option<Day>,
    /// Whether that was today when it was opened, so that it counts for the days in a row.
    is_of_today: bool,
    pub(super) is_moving: RwSignal<bool>,
    pub(super) hover: RwSignal<Option<String>>,
    pub(super) is_fast: bool,
    number: u32,
    started: f64,
    pub(super) seconds: StoredValue<Option<u32>>,
    next: Timer,
    give_up: Timer,
}

/// The target of a route.
pub(super) enum FoundPuzzle {
    /// A puzzle, and its day if it is a daily one.
    Puzzle(Puzzle, Option<Day>),
    /// One of this game that the engine has to find.
    New(&'static str, SeedSearch),
}

/// The puzzle that a route leads to.
pub(super) fn find(route: &PuzzleRoute) -> Option<FoundPuzzle> {
    let game = route.game.as_deref()?;
    let collection = puzzles::all(game);
    let of_day = |day: Day| {
        let puzzle = collection.get(puzzles::daily(game, day)?)?;
        Some(FoundPuzzle::Puzzle(puzzle, Some(day)))
    };
    match &route.which {
        Which::Daily => of_day(today()),
        Which::Yesterday => of_day(Day(today().0.checked_sub(1)?)),
        Which::Id(id) => {
            let index = id.parse().ok().and_then(|id| collection.find(id));
            Some(FoundPuzzle::Puzzle(collection.get(index?)?, None))
        }
        Which::Next => {
            let scores = PuzzleScores::stored(game);
            let Scores { rating, solved, .. } = &scores.of_game;
            let index = scores.of_game.next(&collection, chance());
            Some(match index {
                Some(index) => FoundPuzzle::Puzzle(collection.get(index)?, None),
                // Who has solved them all gets new ones.
                None => {
                    let seed = chance() % MOST_SEEDS;
                    let search = SeedSearch::new(*rating, solved.clone(), seed);
                    FoundPuzzle::New(collection.game(), search)
                }
            })
        }
        &Which::Seed(seed) => Some(FoundPuzzle::New(collection.game(), SeedSearch::only(seed))),
    }
}

impl Solving {
    pub(super) fn new(
        room: Room,
        puzzle: Puzzle,
        day: Option<Day>,
        route: &PuzzleRoute,
        number: u32,
        seed: Option<u64>,
    ) -> Option<Self> {
        let game = puzzle.game();
        let id = puzzle.id();
        let solving = Self {
            room,
            attempt: RwSignal::new_local(Attempt::new(puzzle)?),
            scores: RwSignal::new_local(PuzzleScores::stored(game)),
            rated: StoredValue::new(None),
            before: RwSignal::new(None),
            day,
            is_of_today: day == Some(today()),
            is_moving: RwSignal::new(false),
            hover: RwSignal::new(None),
            is_fast: route.is_fast,
            number,
            started: now(),
            seconds: StoredValue::new(None),
            next: Timer::new(),
            give_up: Timer::new(),
        };
        // What comes by itself comes once the last move has been seen.
        Effect::new(move |_| {
            let phase = solving.with(Attempt::phase);
            if solving.is_moving.get() {
                return;
            }
            let pause = |time: f64| if solving.is_fast { 0.0 } else { time };
            match phase {
                Phase::Reply | Phase::Showing => solving
                    .next
                    .start(pause(REPLY_TIME), move || solving.dispatch(Event::Proceed)),
                Phase::Wrong => solving.refute(),
                Phase::Solver | Phase::Done => {}
            }
        });
        on_cleanup(move || {
            solving.next.stop();
            solving.give_up.stop();
            room.driver.stop_inquiry();
        });
        // A reload comes back to the same puzzle.
        if let (Which::Next, Ok(history)) = (&route.which, window().history()) {
            let route = PuzzleRoute {
                which: seed.map_or_else(|| Which::Id(id.to_string()), Which::Seed),
                ..route.clone()
            };
            history
                .replace_state_with_url(&JsValue::NULL, "", Some(&route.to_string()))
                .ok();
        }
        Some(solving)
    }

    /// Returns `f` of the attempt; subscribes to it.
    pub(super) fn with<T>(self, f: impl FnOnce(&Attempt) -> T) -> T {
        self.attempt.with(f)
    }

    /// As [`with`](Self::with), without a subscription.
    pub(super) fn with_untracked<T>(self, f: impl FnOnce(&Attempt) -> T) -> T {
        self.attempt.with_untracked(f)
    }

    /// The phrases, with those of puzzles.
    pub(super) fn words(self) -> Arc<Words> {
        self.room.settings.words.get()
    }

    /// Where the board stands.
    pub(super) fn place(self, attempt: &Attempt) -> Transition {
        Transition::of(attempt.sitting().record(), self.number)
    }

    /// Hands an event to the attempt.
    pub(super) fn dispatch(self, event: Event) {
        self.next.stop();
        let mut is_move = false;
        let effort = |attempt: &Attempt| (attempt.tally(), attempt.is_over());
        let was = self.with_untracked(effort);
        let is_back = event == Event::TakeBack;
        self.attempt.update_untracked(|attempt| {
            let before = self.place(attempt).at;
            attempt.update(event);
            is_move = self.place(attempt).before == Some(before);
        });
        if is_move && !self.is_fast && !document().hidden() {
            self.is_moving.set(true);
        }
        if was != self.with_untracked(effort) {
            self.count();
        }
        tell(&self.attempt);
        if is_back {
            self.room.sounds.play(Sound::Illegal);
        }
    }

    /// A wrong try: the engine shows what is wrong with it, move by move until the opponent's turn
    /// is over, and then it goes back.
    fn refute(self) {
        let back = move || {
            self.give_up.stop();
            self.dispatch(Event::TakeBack);
        };
        if self.is_fast || !self.with_untracked(Attempt::may_refute) {
            let pause = if self.is_fast { 0.0 } else { WRONG_TIME };
            self.next.start(pause, back);
            return;
        }
        let (node, inquiry) = self.with_untracked(|attempt| {
            let record = attempt.sitting().record();
            let node = record.cursor();
            let effort = Effort::Nodes(REFUTE_NODES);
            (node, Inquiry::new(record, node, 1, effort))
        });
        let best = StoredValue::new(None::<EngineLine>);
        let hear = move |opinion| match opinion {
            Opinion::Line(line) if line.number == 1 => best.set_value(Some(line)),
            Opinion::Line(_) | Opinion::Weightless => {}
            Opinion::Done | Opinion::Failed => {
                let line = best.try_get_value().flatten();
                let m = line.and_then(|line| line.moves.into_iter().next());
                let is_playable = |m: &String| {
                    self.with_untracked(|attempt| {
                        let record = attempt.sitting().record();
                        attempt.may_refute()
                            && record.cursor() == node
                            && record.legal_moves().contains(m)
                    })
                };
                // Without an answer the try goes back in the end.
                if let Some(m) = m.filter(is_playable) {
                    // The reply is seen for as long as any.
                    self.give_up.stop();
                    self.dispatch(Event::Refute(m));
                }
            }
        };
        self.give_up.start(REFUTE_TIME, back);
        self.room.driver.inquire(inquiry, Callback::new(hear));
    }

    /// Stores what the attempt has changed so far: a reload forgets no wrong try. What it
    /// changes is shown once it is over.
    fn count(self) {
        let (game, is_over, is_solved) = self.with_untracked(|attempt| {
            let is_over = attempt.is_over();
            let is_solved = is_over && !attempt.tally().is_revealed;
            (attempt.puzzle().game(), is_over, is_solved)
        });
        // Another tab may have solved some meanwhile.
        let mut scores = PuzzleScores::stored(game);
        let rated =
            self.with_untracked(|attempt| scores.of_game.rate(attempt, self.rated.get_value()));
        self.rated.set_value(rated);
        // The day that was opened counts, even if midnight has passed.
        if let (Some(day), true, true) = (self.day, self.is_of_today, is_solved) {
            scores.streak = scores.streak.solved(day);
        }
        scores.store(game);
        if is_over {
            self.give_up.stop();
            let seconds = ((now() - self.started) / 1000.0).max(0.0) as u32;
            self.seconds.set_value(Some(seconds));
            let before = rated.map_or(scores.of_game.rating, Rated::before);
            self.before.set(Some(before));
            self.scores.set(scores);
        }
    }

    /// Does what a button says.
    pub(super) fn command(self, command: &str) {
        match command {
            "hint" => self.dispatch(Event::Hint),
            "reveal" => self.dispatch(Event::Reveal),
            "pass" => self.dispatch(Event::Activate("pass".to_owned())),
            "share" => self.share(),
            "next" => self.go_on(),
            _ => {}
        }
    }

    /// Goes to another puzzle of the same game.
    pub(super) fn go_on(self) {
        let game = self.with_untracked(|attempt| attempt.puzzle().game());
        let route = PuzzleRoute {
            is_fast: self.is_fast,
            ..PuzzleRoute::of(game, Which::Next)
        };
        let location = window().location();
        if location.hash().unwrap_or_default() == route.to_string() {
            self.room.puzzle.set(route);
        } else {
            location.set_hash(&route.to_string()).ok();
        }
    }

    /// The result as text.
    pub(super) fn share_text(self) -> String {
        let words = untrack(|| self.words());
        self.with_untracked(|attempt| {
            let (puzzle, tally) = (attempt.puzzle(), attempt.tally());
            puzzles::share_text(puzzle, tally, self.day, self.seconds.get_value(), &words)
        })
    }

    fn share(self) {
        let is_copied = crate::share::share_or_copy(self.share_text());
        self.room.is_copied.set(is_copied);
        Timer::new().start(2000.0, move || {
            self.room.is_copied.try_set(false);
        });
    }

    /// `h` asks for a hint, Enter goes on after the end.
    pub(super) fn listen_to_keys(self) {
        let listener = window_event_listener(ev::keydown, move |event| {
            let room = self.room;
            let is_covered = room.is_help_open.get_untracked()
                || room.settings.is_open.get_untracked()
                || room.is_keys_open.get_untracked();
            let target = event.target().and_then(|target| target.dyn_into().ok());
            let pressed =
                target.and_then(|target: Element| target.closest("button, a, input").ok()?);
            let is_other =
                pressed.is_some_and(|pressed| !matches!(pressed.closest(".mirror"), Ok(Some(_))));
            let has_modifier = event.ctrl_key() || event.meta_key() || event.alt_key();
            if is_covered || event.repeat() || has_modifier {
                return;
            }
            match event.key().as_str() {
                "h" => self.command("hint"),
                "Escape" => self.dispatch(Event::Clear),
                "Enter" if !is_other && self.with_untracked(Attempt::is_over) => {
                    event.prevent_default();
                    self.go_on();
                }
                _ => {}
            }
        });
        on_cleanup(move || listener.remove());
    }
}
