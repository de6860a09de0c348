//! Small boards that are decoration: one that plays by itself, and one that stands still.

use std::rc::Rc;

use catalog::{AnyGame, AnyMatch};
use leptos::prelude::*;
use rules::Random;
use view::{Look, Plan, Words};

use crate::{
    board::{BoardView, Transition},
    room::Room,
    timer::Timer,
};

/// The time between two moves of a small board, in milliseconds.
const PACE: f64 = 2600.0;

/// Small boards begin after so many moves, when there is something to see.
const N_OPENING_MOVES: usize = 24;

/// A match that plays by itself.
struct Demo {
    record: Box<dyn AnyMatch>,
    random: Random,
}

impl Demo {
    fn new(game: &dyn AnyGame) -> Option<Self> {
        let mut demo = Self {
            record: game.start(game.presentation().miniature).ok()?,
            random: Random::new(game.name().len() as u64),
        };
        for _ in 0..N_OPENING_MOVES {
            demo.step();
        }
        Some(demo)
    }

    /// One move at random; after the end it begins again.
    fn step(&mut self) {
        // A pass is nothing to see.
        let mut moves = self.record.legal_moves();
        if moves.len() > 1 {
            let pass = self.record.table().pass();
            moves.retain(|m| Some(m) != pass.as_ref());
        }
        let m = self.random.pick(&moves).cloned();
        let is_over = self.record.ending().is_some();
        match m.filter(|_| !is_over) {
            Some(m) => drop(self.record.play(&m)),
            None => while self.record.undo().is_some() {},
        }
    }

    fn place(&self) -> Transition {
        let at = self.record.cursor();
        let before = self.record.ancestors(at).first().copied();
        Transition {
            at: (0, at),
            before: before.map(|node| (0, node)),
            last: None,
        }
    }
}

fn bare(words: &Words) -> Look<'_> {
    Look {
        is_bare: true,
        is_locked: true,
        ..Look::new(words)
    }
}

/// A small board of `game` that plays by itself.
#[component]
pub(crate) fn DemoBoard(room: Room, game: &'static dyn AnyGame) -> impl IntoView {
    let demo = RwSignal::new_local(Demo::new(game));
    let scene = Signal::derive_local(move || {
        let words = room.settings.words.get();
        demo.with(|demo| Some(Rc::new(demo.as_ref()?.record.table().scene(&bare(&words)))))
    });
    let step = Signal::derive(move || demo.with(|demo| demo.as_ref().map(Demo::place)));
    let plan = Callback::new(move |()| {
        let words = room.settings.words.get_untracked();
        let plan =
            demo.with_untracked(|demo| Some(demo.as_ref()?.record.table().plan(&bare(&words))));
        room.settings.paced(plan.unwrap_or_default())
    });
    let pace = Timer::new();
    play_on(room, demo, pace);
    on_cleanup(move || pace.stop());
    view! {
        <BoardView
            settings=room.settings
            scene=scene
            step=step
            plan=plan
            is_still=Signal::derive(move || room.settings.is_still())
            is_moving=RwSignal::new(false)
            class="mini"
        />
    }
}

/// Plays a move after every pause, as long as somebody may be looking.
fn play_on(room: Room, demo: RwSignal<Option<Demo>, LocalStorage>, pace: Timer) {
    pace.start(PACE, move || {
        let is_calm = untrack(|| room.settings.is_calm());
        if !document().hidden() && !is_calm {
            demo.try_update(|demo| demo.as_mut().map(Demo::step));
        }
        play_on(room, demo, pace);
    });
}

/// The first position of a match that may be begun.
#[component]
pub(crate) fn Preview(
    room: Room,
    /// The match, if it can be begun.
    #[prop(into)]
    record: Signal<Option<Box<dyn AnyMatch>>, LocalStorage>,
) -> impl IntoView {
    let scene = Signal::derive_local(move || {
        let words = room.settings.words.get();
        record.with(|record| Some(Rc::new(record.as_ref()?.table().scene(&bare(&words)))))
    });
    let step = Signal::derive(move || {
        Some(Transition {
            at: (0, rules::record::NodeId::ROOT),
            before: None,
            last: None,
        })
    });
    view! {
        <BoardView
            settings=room.settings
            scene=scene
            step=step
            plan=Callback::new(|()| Plan::default())
            is_still=true
            is_moving=RwSignal::new(false)
            class="mini"
        />
    }
}
