//! The four games, each as a small board that plays by itself.

use std::{cell::RefCell, rc::Rc, time::Duration};

use catalog::{AnyGame, AnyMatch};
use leptos::{html, prelude::*};
use rules::Random;
use view::{AnyTable, Look, Plan, Theme, Words};
use web_sys::HtmlCanvasElement;

use crate::{
    device::now,
    icons::{Wordmark, mark},
    nav::{Settings, play_address},
    painter::{Frame, Painter},
    room::Room,
    route::Opponent,
};

/// The time between two moves of a small board.
const PACE: Duration = Duration::from_millis(2600);

/// Small boards begin after so many moves, when there is something to see.
const N_OPENING_MOVES: usize = 24;

/// The home screen.
#[component]
pub(crate) fn Home(room: Room) -> impl IntoView {
    let tables = catalog::GAMES.into_iter().map(move |game| {
        let name = game.name();
        view! {
            <a class="tb" data-game=name href=play_address(game, Opponent::Classic)>
                <div class="art"><Miniature room=room game=game /></div>
                <div class="tx">
                    <h2>{mark(game.presentation().mark)}{move || room.say(&format!("{name}.name"))}</h2>
                    <p>{move || room.say(&format!("{name}.line"))}</p>
                    <span class="btn">{room.text("home.play")}</span>
                </div>
            </a>
        }
    });
    view! {
        <div class="home">
            <header>
                <h1><Wordmark /></h1>
                <p>{room.text("site.tagline")}</p>
                <span class="sp"></span>
                <span class="grp"><Settings room=room /></span>
            </header>
            <Show when=move || room.is_bad_link.get()>
                <p class="notice" role="alert">{room.text("bad.link")}</p>
            </Show>
            <main class="tabs">{tables.collect_view()}</main>
        </div>
    }
}

/// A board that plays by itself.
struct Small {
    playing: Box<dyn AnyMatch>,
    table: Box<dyn AnyTable>,
    plan: Option<Plan>,
    started: Option<f64>,
    random: Random,
    painter: Option<Painter>,
}

impl Small {
    fn new(game: &dyn AnyGame) -> Option<Self> {
        let playing = game.start(game.presentation().miniature).ok()?;
        let mut small = Self {
            table: playing.table(),
            playing,
            plan: None,
            started: None,
            random: Random::new(game.name().len() as u64),
            painter: None,
        };
        for _ in 0..N_OPENING_MOVES {
            small.step();
        }
        Some(small)
    }

    /// One move at random; after the end it begins again.
    fn step(&mut self) {
        // A pass is nothing to see.
        let mut moves = self.playing.legal_moves();
        if moves.len() > 1 {
            let pass = self.table.pass();
            moves.retain(|m| Some(m) != pass.as_ref());
        }
        let m = self.random.pick(&moves).cloned();
        let is_over = self.playing.ending().is_some();
        match m.filter(|_| !is_over) {
            Some(m) => drop(self.playing.play(&m)),
            None => while self.playing.undo().is_some() {},
        }
        self.table = self.playing.table();
        self.table.lock();
    }

    /// One move at random, to be seen to happen.
    fn step_visibly(&mut self, words: &Words) {
        self.step();
        self.plan = Some(self.table.plan(&look(words)));
        self.started = None;
    }

    /// Draws a frame. Tells whether there is more to come.
    fn draw(&mut self, canvas: HtmlCanvasElement, words: &Words, theme: Theme) -> bool {
        let scene = self.table.scene(&look(words));
        let time = now();
        let elapsed = time - *self.started.get_or_insert(time);
        self.plan = self.plan.take().filter(|plan| elapsed < plan.duration());
        let frame = Frame {
            scene: &scene,
            motion: self.plan.as_ref().map(|plan| (plan, elapsed)),
            view: scene.view,
            theme,
            focus: None,
            drag: None,
            confetti: None,
        };
        if let Some(painter) = Painter::renew(&mut self.painter, canvas) {
            painter.paint(&frame);
        }
        self.plan.is_some()
    }
}

fn look(words: &Words) -> Look<'_> {
    Look {
        is_bare: true,
        ..Look::new(words)
    }
}

#[component]
fn Miniature(room: Room, game: &'static dyn AnyGame) -> impl IntoView {
    let canvas = NodeRef::<html::Canvas>::new();
    let small = StoredValue::new_local(Small::new(game).map(|small| Rc::new(RefCell::new(small))));

    let frame = move || draw(room, small, canvas);
    Effect::new(move |_| {
        room.settings.theme();
        if canvas.get().is_some() {
            request_animation_frame(frame);
        }
    });
    let on_resize = window_event_listener(leptos::ev::resize, move |_| frame());
    let step = move || {
        let Some(Some(small)) = small.try_get_value() else {
            return;
        };
        if document().hidden() {
            return;
        }
        if let Ok(mut small) = small.try_borrow_mut() {
            small.step_visibly(&room.settings.words.get_untracked());
        }
        frame();
    };
    let timer = (!room.settings.is_calm_untracked()).then(|| set_interval_with_handle(step, PACE));
    on_cleanup(move || {
        on_resize.remove();
        if let Some(Ok(timer)) = timer {
            timer.clear();
        }
    });
    view! { <canvas node_ref=canvas aria-hidden="true"></canvas> }
}

/// Draws one frame, and goes on as long as something moves.
fn draw(
    room: Room,
    small: StoredValue<Option<Rc<RefCell<Small>>>, LocalStorage>,
    canvas: NodeRef<html::Canvas>,
) {
    let Some(Some(shared)) = small.try_get_value() else {
        return;
    };
    let Some(Some(canvas_now)) = canvas.try_get_untracked() else {
        return;
    };
    let Ok(mut shared) = shared.try_borrow_mut() else {
        return;
    };
    let words = room.settings.words.get_untracked();
    if shared.draw(canvas_now, &words, room.settings.theme_untracked()) {
        request_animation_frame(move || draw(room, small, canvas));
    }
}
