//! The mirror of the board: a real button for every place.
//!
//! It is the input path. Keys and screen readers go by its buttons, and a click
//! on the canvas activates a target as Enter on the target's button does.

use std::{rc::Rc, sync::Arc};

use leptos::{ev, prelude::*};
use view::{Direction, Point, Rect, Scene, Target};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

use crate::{news::tell, settings::Settings};

/// Beyond this many targets the mirror holds only those around the focus.
const MOST_BUTTONS: usize = 400;

/// How many places away from the focus the mirror reaches then.
const REACH: f64 = 7.5;

/// The board's name and state, for screen readers and programs.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Status {
    /// The name of the board.
    pub(crate) label: String,
    /// The name of the game, as addresses have it.
    pub(crate) game: String,
    /// The player to move: `first` or `second`.
    pub(crate) turn: String,
    /// The result: `none`, `p1win`, `p2win` or `draw`.
    pub(crate) result: String,
    /// The text of the position.
    pub(crate) position: String,
    /// Whether something happens by itself.
    pub(crate) is_busy: bool,
    /// How the connection to the server is, in a match with somebody elsewhere.
    pub(crate) online: Option<&'static str>,
}

/// What the mirror shows, and where the focus is. It is cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Mirror {
    targets: RwSignal<Rc<Vec<Target>>, LocalStorage>,
    /// The scene's view, in which the buttons have their places.
    whole: RwSignal<Rect>,
    /// The target that has the focus, or would get it.
    focus: RwSignal<Option<String>>,
    /// The target that is to be seen to have the focus.
    ring: RwSignal<Option<String>>,
}

impl Mirror {
    /// A mirror of nothing yet.
    pub(crate) fn new() -> Self {
        Self {
            targets: RwSignal::new_local(Rc::new(Vec::new())),
            whole: RwSignal::new(Rect::around(Point::default(), 1.0)),
            focus: RwSignal::new(None),
            ring: RwSignal::new(None),
        }
    }

    /// Shows the targets of `scene`.
    pub(crate) fn show(self, scene: &Scene) {
        let focus = self.focus.get_untracked();
        let is_there = focus.is_some_and(|id| scene.target(&id).is_some());
        if !is_there {
            let entrance = scene.entrance().map(|target| target.id.clone());
            self.focus.set(entrance);
        }
        let is_known = self
            .targets
            .with_untracked(|targets| **targets == scene.targets);
        if !is_known {
            let targets = Rc::new(scene.targets.clone());
            self.targets.update_untracked(|known| *known = targets);
            self.whole.update_untracked(|known| *known = scene.view);
            // Buttons come and go, and follow all three.
            tell(&self.targets);
            tell(&self.whole);
            tell(&self.focus);
        }
    }

    /// The target that has the focus, or would get it.
    pub(crate) fn focus_now(self) -> Option<String> {
        self.focus.get_untracked()
    }

    /// Gives the focus to the target called `id`.
    pub(crate) fn move_focus(self, id: String) {
        self.focus.set(Some(id.clone()));
        // The mirror of a vast board may have to come along first.
        request_animation_frame(move || focus_button(&id));
    }

    /// The target that is to be seen to have the focus.
    pub(crate) fn ring(self) -> Option<String> {
        self.ring.get()
    }

    /// As [`ring`](Self::ring), without following it.
    pub(crate) fn ring_now(self) -> Option<String> {
        self.ring.get_untracked()
    }

    /// A pointer is used, so that nobody has to see the focus.
    pub(crate) fn hide_ring(self) {
        // A button that has the focus loses it when the board is taken off the page.
        if self.ring.try_with_untracked(Option::is_some) == Some(true) {
            self.ring.set(None);
        }
    }

    /// The button of the target called `id` got the focus.
    fn focused(self, id: &str, button: &HtmlElement) {
        let is_visible = button.matches(":focus-visible").unwrap_or(true);
        self.focus.set(Some(id.to_owned()));
        self.ring.set(is_visible.then(|| id.to_owned()));
    }

    /// What `f` tells of the target called `id`, which was at `index`.
    fn with_target<T>(self, id: &str, index: usize, f: impl FnOnce(&Target) -> T) -> Option<T> {
        self.targets.with(|targets| {
            let target = targets.get(index).filter(|target| target.id == id);
            let target = target.or_else(|| targets.iter().find(|target| target.id == id));
            target.map(f)
        })
    }

    /// The targets that have buttons, with their places in the list.
    fn shown(self) -> Vec<(usize, Target)> {
        let targets = self.targets.get();
        let all = targets.iter().cloned().enumerate();
        if targets.len() <= MOST_BUTTONS {
            return all.collect();
        }
        let focus = self.focus.get();
        let focused = focus.and_then(|id| targets.iter().find(|target| target.id == id));
        let around = focused.map(|target| {
            let reach = 2.0 * target.outline.half_width() * REACH;
            Rect::around(target.at, reach)
        });
        all.filter(|(_, target)| around.is_some_and(|around| around.contains(target.at)))
            .collect()
    }
}

fn focus_button(id: &str) {
    // Names of places have no quotes in them.
    let button = document().query_selector(&format!(".mirror [data-target=\"{id}\"]"));
    let button = button.ok().flatten();
    if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
        button.focus().ok();
    }
}

/// The mirror, over the canvas.
#[component]
pub(crate) fn MirrorView(
    settings: Settings,
    mirror: Mirror,
    status: Signal<Status>,
    on_activate: Callback<String>,
    /// Escape was pressed.
    on_clear: Callback<()>,
    /// An arrow key was pressed.
    on_arrow: Callback<Direction>,
) -> impl IntoView {
    let keys = move |event: KeyboardEvent| {
        let direction = match event.key().as_str() {
            "ArrowLeft" => Direction::Left,
            "ArrowRight" => Direction::Right,
            "ArrowUp" => Direction::Up,
            "ArrowDown" => Direction::Down,
            "Escape" => return on_clear.run(()),
            _ => return,
        };
        event.prevent_default();
        on_arrow.run(direction);
    };
    let attribute = move |f: fn(&Status) -> String| move || status.with(f);
    view! {
        <div
            class="mirror"
            id="board"
            role="group"
            tabindex="-1"
            aria-label=attribute(|status| status.label.clone())
            aria-describedby="board-help"
            data-game=attribute(|status| status.game.clone())
            data-turn=attribute(|status| status.turn.clone())
            data-result=attribute(|status| status.result.clone())
            data-fen=attribute(|status| status.position.clone())
            data-busy=attribute(|status| status.is_busy.to_string())
            data-online=move || status.with(|status| status.online)
            on:keydown=keys
        >
            <For each=move || mirror.shown() key=|(_, target)| target.id.clone() let:item>
                {button(mirror, item.1.id, item.0, on_activate)}
            </For>
        </div>
        <p id="board-help" class="sr">{settings.text("board.help")}</p>
    }
}

/// The button of the target called `id`, which is at `index` in the list.
fn button(
    mirror: Mirror,
    id: String,
    index: usize,
    on_activate: Callback<String>,
) -> impl IntoView {
    let id: Arc<str> = id.into();
    let percent = |f: fn(&Target, Rect) -> f64| {
        let id = Arc::clone(&id);
        move || {
            let whole = mirror.whole.get();
            let share = mirror.with_target(&id, index, |target| f(target, whole));
            format!("{:.3}%", 100.0 * share.unwrap_or(0.0))
        }
    };
    let left = percent(|target, whole| {
        (target.at.x - target.outline.half_width() - whole.x) / whole.width
    });
    let top = percent(|target, whole| {
        (target.at.y - target.outline.half_width() - whole.y) / whole.height
    });
    let width = percent(|target, whole| 2.0 * target.outline.half_width() / whole.width);
    let height = percent(|target, whole| 2.0 * target.outline.half_width() / whole.height);
    let label = {
        let id = Arc::clone(&id);
        move || mirror.with_target(&id, index, |target| target.label.clone())
    };
    let is_stop = {
        let id = Arc::clone(&id);
        move || mirror.focus.with(|focus| focus.as_deref() == Some(&*id))
    };
    let (name, focused) = (id.to_string(), Arc::clone(&id));
    view! {
        <button
            type="button"
            data-target=name
            tabindex=move || if is_stop() { "0" } else { "-1" }
            aria-label=label
            style:left=left
            style:top=top
            style:width=width
            style:height=height
            on:click=move |_| on_activate.run(id.to_string())
            on:focus=move |event: ev::FocusEvent| {
                mirror.focused(&focused, event_target::<HtmlElement>(&event).as_ref())
            }
            on:blur=move |_| mirror.hide_ring()
        ></button>
    }
}
