//! Hints: the button, what it says, and the mark in the list of moves.

use leptos::prelude::*;
use play::HintState;
use study::{Clue, Feat, HintReason, Standing};
use view::{Look, Scene};

use crate::{
    driver::Stage,
    icons::{Icon, icon},
    room::Room,
    session::MatchSession,
    timer::Timer,
};

/// After so many milliseconds without an answer the page says that it looks for one.
const SLOW: f64 = 300.0;

/// The button that asks for a hint, and then for the next step of it.
#[component]
pub(crate) fn HintButton(room: Room) -> impl IntoView {
    let is_off = Memo::new(move |_| room.is_off_limits());
    let is_open = move || {
        let is_waiting = room.driver.stage() == Some(Stage::Waiting);
        is_waiting && !is_off.get() && room.with_session(|session| session.sitting.can_hint())
    };
    let name = move || {
        let step = room.with_session(|session| {
            let (hint, n_shown) = session.sitting.shown_hint()?;
            Some((hint.clues().len(), n_shown))
        });
        match step {
            _ if is_off.get() => room.say("study.off-limits"),
            None => room.say("hint.ask"),
            Some((n, n_shown)) if n_shown < n => room.say("hint.next"),
            Some(_) => room.say("hint.hide"),
        }
    };
    let is_on = move || room.with_session(|session| session.sitting.shown_hint().is_some());
    view! {
        <button
            class="ib"
            id="hint"
            class:on=is_on
            title=name
            aria-label=name
            aria-busy=move || is_asked(room).to_string()
            disabled=move || !is_open()
            on:click=move |_| room.ask_hint()
        >
            {icon(Icon::Lamp)}
        </button>
    }
}

fn is_asked(room: Room) -> bool {
    room.with_session(|session| matches!(session.sitting.hint(), Some(HintState::Asked(_))))
}

/// The steps of the hint that are shown.
#[component]
pub(crate) fn HintText(room: Room) -> impl IntoView {
    let is_slow = RwSignal::new(false);
    let slow = Timer::new();
    on_cleanup(move || slow.stop());
    let is_asked = Memo::new(move |_| is_asked(room));
    Effect::new(move |_| {
        if is_asked.get() {
            slow.start(SLOW, move || is_slow.set(true));
        } else {
            slow.stop();
            is_slow.set(false);
        }
    });
    let text = Memo::new(move |_| {
        if is_slow.get() {
            return Some(ShownHint::plain(room.say("hint.slow")));
        }
        room.with_session(|session| match session.sitting.hint()? {
            HintState::Asked(_) => None,
            HintState::Failed => Some(ShownHint::plain(room.say("hint.failed"))),
            HintState::Known { hint, n_shown } => {
                let clues = hint.clues();
                let clue = clues.get(n_shown.checked_sub(1)?)?;
                let step = [("n", n_shown as _), ("of", &clues.len() as _)];
                Some(ShownHint {
                    step: Some(room.say_with("hint.step", &step)),
                    text: clue_text(room, session, clue),
                    sureness: match clue {
                        Clue::Why(reason) => sureness(room, reason.depth()),
                        _ => String::new(),
                    },
                })
            }
        })
    });
    move || {
        text.get().map(|said| {
            let step = said.step.map(|step| view! { <b>{step}</b> " " });
            view! {
                <p class="hint">
                    {icon(Icon::Lamp)}
                    <span>{step} {said.text} " " <small>{said.sureness}</small></span>
                </p>
            }
        })
    }
}

/// What is shown of a hint.
#[derive(Clone, PartialEq)]
struct ShownHint {
    step: Option<String>,
    text: String,
    sureness: String,
}

impl ShownHint {
    fn plain(text: String) -> Self {
        Self {
            step: None,
            text,
            sureness: String::new(),
        }
    }
}

/// How sure something is that comes from a search of this depth, or else is proven.
pub(crate) fn sureness(room: Room, depth: Option<u32>) -> String {
    match depth {
        Some(depth) => room.say_with("sure.depth", &[("n", &depth)]),
        None => room.say("sure.proven"),
    }
}

fn clue_text(room: Room, session: &MatchSession, clue: &Clue) -> String {
    let words = room.settings.words.get();
    // Without what can be done there now.
    let look = Look {
        is_flipped: room.is_upside_down(),
        is_locked: true,
        ..Look::new(&words)
    };
    let scene = || session.table().scene(&look);
    match clue {
        Clue::From(id) => room.say_with("hint.from", &[("place", &place(&scene(), id))]),
        Clue::To(id) => room.say_with("hint.to", &[("place", &place(&scene(), id))]),
        Clue::Near(id) => {
            let region = scene().region(id);
            let name = region.map(|region| format!("hint.near.{}.{}", region.row, region.column));
            name.map_or_else(String::new, |name| room.say(&name))
        }
        Clue::Pass => room.say("hint.pass"),
        Clue::Why(reason) => reason_text(room, session.record().game(), *reason),
    }
}

/// The name of a target: its label up to the first full stop.
fn place(scene: &Scene, id: &str) -> String {
    let label = scene.target(id).map_or(id, |target| &target.label);
    let first = label.split(['.', '。']).next();
    first.unwrap_or(label).to_owned()
}

fn reason_text(room: Room, game: &str, reason: HintReason) -> String {
    match reason {
        HintReason::WinsNow => room.say("hint.wins-now"),
        HintReason::Forced => room.say("hint.forced"),
        HintReason::Wins { plies, is_only } => {
            let name = if is_only {
                "hint.wins.only"
            } else {
                "hint.wins"
            };
            room.say_with(name, &[("n", &plies)])
        }
        HintReason::HoldsOut { plies } => room.say_with("hint.holds-out", &[("n", &plies)]),
        HintReason::Blocks { is_only } => room.say(if is_only {
            "hint.blocks.only"
        } else {
            "hint.blocks"
        }),
        HintReason::Draws { is_only } => room.say(if is_only {
            "hint.draws.only"
        } else {
            "hint.draws"
        }),
        HintReason::Best { standing, feat, .. } => {
            let standing = room.say(standing_name(standing));
            let best = room.say_with("hint.best", &[("standing", &standing)]);
            let (name, n) = match feat {
                Some(Feat::TakesMost(n)) => (format!("hint.most.{game}"), n),
                Some(Feat::Saves(n)) => (format!("hint.saves.{game}"), n),
                Some(Feat::Encloses(n)) => ("hint.encloses".to_owned(), n),
                Some(Feat::LeavesLeast(0)) => (format!("hint.least.none.{game}"), 0),
                Some(Feat::LeavesLeast(n)) => (format!("hint.least.{game}"), n),
                Some(Feat::Joins) => ("hint.joins".to_owned(), 2),
                None => return best,
            };
            room.say_with(&name, &[("n", &n), ("best", &best)])
        }
    }
}

fn standing_name(standing: Standing) -> &'static str {
    match standing {
        Standing::FarBehind => "standing.far-behind",
        Standing::Behind => "standing.behind",
        Standing::Even => "standing.even",
        Standing::Ahead => "standing.ahead",
        Standing::FarAhead => "standing.far-ahead",
    }
}

/// The mark of a move that was made with a hint.
pub(crate) fn hint_mark(room: Room) -> impl IntoView {
    view! {
        <span class="hm" role="img" title=room.text("hint.taken") aria-label=room.text("hint.taken")>
            {icon(Icon::Lamp)}
        </span>
    }
}
