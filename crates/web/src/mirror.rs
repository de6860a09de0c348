//! The mirror of the board: a real button for every place.
//!
//! It is the input path. Keys and screen readers go by its buttons, and a click
//! on the canvas activates a target as Enter on the target's button does.

use std::{rc::Rc, sync::Arc};

use leptos::{ev, prelude::*};
use view::{Direction, Point, Rect, Scene, Target, decimal};
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

/// Label and place of the button of a target.
#[derive(Clone, PartialEq, Debug)]
struct Button {
    label: String,
    /// Its left and top edge, its width and its height, in hundredths of the board.
    place: [f64; 4],
}

impl Button {
    fn new(target: &Target, whole: Rect) -> Self {
        let half = target.outline.half_width();
        let shares = [
            (target.at.x - half - whole.x) / whole.width,
            (target.at.y - half - whole.y) / whole.height,
            2.0 * half / whole.width,
            2.0 * half / whole.height,
        ];
        Self {
            label: target.label.clone(),
            place: shares.map(|share| 100.0 * share),
        }
    }
}

/// A target, and what its button follows: only what changes is told to the few buttons that
/// show it.
#[derive(Clone)]
struct MirroredTarget {
    id: Arc<str>,
    at: Point,
    half_width: f64,
    button: ArcRwSignal<Button>,
    /// Whether the Tab key comes here.
    is_stop: ArcRwSignal<bool>,
}

/// The targets of the mirror, and the focus. It is cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Mirror {
    spots: RwSignal<Rc<Vec<MirroredTarget>>, LocalStorage>,
    /// The target that has the focus, or would get it.
    focus: RwSignal<Option<String>>,
    /// The target that is to be seen to have the focus.
    ring: RwSignal<Option<String>>,
}

impl Mirror {
    /// A mirror of nothing yet.
    pub(crate) fn new() -> Self {
        Self {
            spots: RwSignal::new_local(Rc::new(Vec::new())),
            focus: RwSignal::new(None),
            ring: RwSignal::new(None),
        }
    }

    /// Shows the targets of `scene`.
    pub(crate) fn show(self, scene: &Scene) {
        let old = self.spots.get_untracked();
        let is_same = old.len() == scene.targets.len()
            && old.iter().zip(&scene.targets).all(|(spot, target)| {
                *spot.id == *target.id
                    && spot.at == target.at
                    && spot.half_width == target.outline.half_width()
            });
        let spots = scene.targets.iter().enumerate().map(|(index, target)| {
            let known = old.get(index).filter(|spot| *spot.id == *target.id);
            let known = known.or_else(|| old.iter().find(|spot| *spot.id == *target.id));
            let button = Button::new(target, scene.view);
            if let Some(known) = known {
                if known.button.with_untracked(|shown| *shown != button) {
                    known.button.set(button);
                }
                return MirroredTarget {
                    at: target.at,
                    half_width: target.outline.half_width(),
                    ..known.clone()
                };
            }
            MirroredTarget {
                id: target.id.as_str().into(),
                at: target.at,
                half_width: target.outline.half_width(),
                button: ArcRwSignal::new(button),
                is_stop: ArcRwSignal::new(false),
            }
        });
        let spots = Rc::new(spots.collect());
        if !is_same {
            self.spots.update_untracked(|known| *known = spots);
            tell(&self.spots);
        }
        let focus = self.focus.get_untracked();
        let focus = focus.filter(|id| scene.target(id).is_some());
        let focus = focus.or_else(|| scene.entrance().map(|target| target.id.clone()));
        self.set_focus(focus);
    }

    /// Lets the Tab key come to the target called `id`, and to no other.
    fn set_focus(self, id: Option<String>) {
        for spot in self.spots.get_untracked().iter() {
            let is_stop = id.as_deref() == Some(&*spot.id);
            if spot.is_stop.get_untracked() != is_stop {
                spot.is_stop.set(is_stop);
            }
        }
        if self.focus.get_untracked() != id {
            self.focus.set(id);
        }
    }

    /// The target that has the focus, or would get it.
    pub(crate) fn focus_now(self) -> Option<String> {
        self.focus.get_untracked()
    }

    /// Gives the focus to the target called `id`.
    pub(crate) fn move_focus(self, id: String) {
        self.set_focus(Some(id.clone()));
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
        self.set_focus(Some(id.to_owned()));
        self.ring.set(is_visible.then(|| id.to_owned()));
    }

    /// The targets that have buttons.
    fn shown(self) -> Vec<MirroredTarget> {
        let spots = self.spots.get();
        if spots.len() <= MOST_BUTTONS {
            return spots.to_vec();
        }
        let focus = self.focus.get();
        let focused = spots
            .iter()
            .find(|spot| Some(&*spot.id) == focus.as_deref());
        let around = focused.map(|spot| Rect::around(spot.at, 2.0 * spot.half_width * REACH));
        let near = spots.iter();
        let near = near.filter(|spot| around.is_some_and(|around| around.contains(spot.at)));
        near.cloned().collect()
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
            <For each=move || mirror.shown() key=|spot| Arc::clone(&spot.id) let:spot>
                {button(mirror, spot, on_activate)}
            </For>
        </div>
        <p id="board-help" class="sr">{settings.text("board.help")}</p>
    }
}

/// The button of a target.
fn button(mirror: Mirror, spot: MirroredTarget, on_activate: Callback<String>) -> impl IntoView {
    let percent = |edge: usize| {
        let button = spot.button.clone();
        move || button.with(|button| decimal(button.place[edge], 3) + "%")
    };
    let [left, top, width, height] = [0, 1, 2, 3].map(percent);
    let MirroredTarget {
        id,
        button,
        is_stop,
        ..
    } = spot;
    let (name, focused) = (id.to_string(), Arc::clone(&id));
    view! {
        <button
            type="button"
            data-target=name
            tabindex=move || if is_stop.get() { "0" } else { "-1" }
            aria-label=move || button.with(|button| button.label.clone())
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
