//! The board of a lesson, a puzzle or a study, on which somebody acts without playing a
//! match.

use std::rc::Rc;

use catalog::AnyMatch;
use leptos::prelude::*;
use view::{AnyTable, Cue, Look, Mark};

use crate::{
    board::{Act, BoardView, Input, Place, Transition},
    mirror::Status,
    room::Room,
};

impl Transition {
    /// Where `record` stands, on the board with this number.
    pub(crate) fn of(record: &dyn AnyMatch, number: u32) -> Self {
        let at = record.cursor();
        let place = |node| -> Place { (number, node) };
        Self {
            at: place(at),
            before: record.ancestors(at).first().copied().map(place),
            last: None,
        }
    }
}

/// State that every host of a board has.
#[derive(Clone, Copy)]
pub(crate) struct Host {
    pub(crate) room: Room,
    /// Whether moves are not seen to happen.
    pub(crate) is_fast: bool,
    /// Whether the board is showing how a move happens. The board sets it.
    pub(crate) is_moving: RwSignal<bool>,
    /// The target under the pointer.
    pub(crate) hover: RwSignal<Option<String>>,
}

/// Content and input of a board. Methods that return something subscribe to it.
pub(crate) trait Hosted: Copy + Send + Sync + 'static {
    /// The common state.
    fn host(self) -> Host;

    /// Where the board stands.
    fn step(self) -> Option<Transition>;

    /// Returns `f` of the position, and of where the last move began if that was clicked;
    /// `None` if there is no position.
    fn with_table<T>(self, f: impl FnOnce(&dyn AnyTable, Option<&str>) -> T) -> Option<T>;

    /// Whether somebody may act once nothing moves.
    fn is_open(self) -> bool;

    /// Activates a target.
    fn activate(self, target: String);

    /// Drops what was clicked so far.
    fn clear(self);

    /// The board's name and state, for screen readers and programs.
    fn status(self) -> Status;

    /// Whether no move can be made.
    fn is_locked(self) -> bool {
        !self.is_open()
    }

    /// Whether the board is shown from the other side.
    fn is_flipped(self) -> bool {
        self.host().room.is_flipped.get()
    }

    /// The target under the pointer, if that is to be seen.
    fn hover(self) -> Option<String> {
        self.host().hover.get()
    }

    /// The marks shown while nothing moves.
    fn marks(self) -> Vec<Mark> {
        Vec::new()
    }

    /// Whether a click on a target would take it up and do nothing else.
    fn takes_up(self, target: &str) -> bool {
        self.with_table(|table, _| table.takes_up(target)) == Some(true)
    }

    /// Whether a target is selected.
    fn is_taken_up(self, target: &str) -> bool {
        let picked = self.with_table(|table, _| table.picked().pop());
        picked.flatten().as_deref() == Some(target)
    }

    /// Whether a target continues the selection.
    fn leads_on(self, target: &str) -> bool {
        self.with_table(|table, _| table.leads_on(target)) == Some(true)
    }

    /// Whether a click on a target would do anything.
    fn is_useful(self, target: &str) -> bool {
        self.with_table(|table, _| table.is_useful(target)) != Some(false)
    }

    /// The wheel is turned by so many pixels.
    fn wheel(self, _way: f64) {}
}

/// The board of a host.
#[component]
pub(crate) fn HostedBoard<H: Hosted>(hosted: H) -> impl IntoView {
    let Host {
        room,
        is_fast,
        is_moving,
        hover,
    } = hosted.host();
    let settings = room.settings;
    let is_locked = Memo::new(move |_| hosted.is_locked());
    let scene = Signal::derive_local(move || {
        let words = settings.words.get();
        let hover = hosted.hover();
        let is_moving = is_moving.get();
        let look = Look {
            is_large: settings.is_small.get(),
            is_tiny: settings.is_tiny.get(),
            is_flipped: hosted.is_flipped(),
            has_coordinates: room.has_coordinates.get(),
            hover: hover.as_deref(),
            is_locked: is_locked.get(),
            is_moving,
            ..Look::new(&words)
        };
        let marks = if is_moving {
            Vec::new()
        } else {
            hosted.marks()
        };
        hosted.with_table(|table, origin| {
            let scene = table.scene(&Look { origin, ..look });
            Rc::new(scene.marked(&marks))
        })
    });
    let plan = Callback::new(move |()| {
        untrack(|| {
            let words = settings.words.get();
            let look = Look {
                is_large: settings.is_small.get(),
                is_tiny: settings.is_tiny.get(),
                is_flipped: hosted.is_flipped(),
                is_locked: true,
                is_moving: true,
                ..Look::new(&words)
            };
            let plan = hosted.with_table(|table, origin| table.plan(&Look { origin, ..look }));
            plan.map(|plan| settings.paced(plan)).unwrap_or_default()
        })
    });
    let ask = |f: fn(H, &str) -> bool| Callback::new(move |id: String| untrack(|| f(hosted, &id)));
    let input = Input {
        is_open: Signal::derive(move || hosted.is_open()),
        takes_up: ask(H::takes_up),
        is_taken_up: ask(H::is_taken_up),
        leads_on: ask(H::leads_on),
        is_useful: ask(H::is_useful),
        on_act: Callback::new(move |act| match act {
            Act::Activate(id) => hosted.activate(id),
            // A drop does not select another piece.
            Act::Drop(id) if untrack(|| hosted.takes_up(&id)) => hosted.clear(),
            Act::Drop(id) => hosted.activate(id),
            Act::Clear => hosted.clear(),
            Act::Wheel(way) => hosted.wheel(way),
            Act::Hover(new) => {
                if hover.get_untracked() != new {
                    hover.set(new);
                }
            }
        }),
        status: Memo::new(move |_| hosted.status()).into(),
    };
    view! {
        <BoardView
            settings=settings
            scene=scene
            step=Memo::new(move |_| hosted.step())
            plan=plan
            is_still=Signal::derive(move || is_fast || settings.is_still())
            is_moving=is_moving
            on_cues=Callback::new(move |cues: Vec<Cue>| room.sounds.play_all(&cues))
            input=input
        />
    }
}

/// The name and the state of a board that shows where `record` stands.
pub(crate) fn status_of(room: Room, record: &dyn AnyMatch, is_busy: bool) -> Status {
    let game = record.game();
    let name = room.say(&format!("{game}.name"));
    let ending = record.ending().filter(|_| !is_busy);
    Status {
        label: room.say_with("board.label", &[("game", &name)]),
        game: game.to_owned(),
        turn: record.turn().to_string(),
        result: ending.map_or("none".to_owned(), |ending| ending.outcome.to_string()),
        position: record.position(),
        is_busy,
        online: None,
    }
}
