//! The matches that go on, on the home screen.

use leptos::prelude::*;
use play::PlayerKind;

use crate::{
    miniature::Preview,
    room::Room,
    rooms::entries,
    route::{LIBRARY, saved_address},
    shelf::Entry,
};

/// How many matches are shown.
const MOST_SHOWN: usize = 3;

/// Matches that are looked through for one's turn.
const MOST_READ: usize = 12;

/// A match that goes on.
struct Going {
    entry: Entry,
    /// Whether the only person is to move.
    is_turn: bool,
}

/// How many matches go on, and the latest of them, those with one's turn first.
fn going_on(entries: &[Entry]) -> (usize, Vec<Going>) {
    let is_going = |entry: &&Entry| match &entry.saved {
        Ok(saved) => saved.head.result.is_none() && saved.head.ply > 0,
        Err(_) => true,
    };
    let read = |entry: &Entry| {
        let saved = entry.saved.as_ref().ok();
        let record = saved.and_then(|saved| saved.read_record().ok());
        let person = saved.and_then(|saved| saved.head.person());
        Going {
            entry: entry.clone(),
            is_turn: record.is_some_and(|record| Some(record.turn()) == person),
        }
    };
    let going = entries.iter().filter(is_going);
    let n_going = going.clone().count();
    let mut going: Vec<_> = going.take(MOST_READ).map(read).collect();
    going.sort_by_key(|going| !going.is_turn);
    (n_going, going)
}

/// The matches that go on, here and online: three at most, those where it is one's turn first.
#[component]
pub(crate) fn Resume(room: Room) -> impl IntoView {
    let entries = entries(room);
    move || {
        let going = entries.with(|entries| entries.as_ref().map(|entries| going_on(entries)));
        let (n_here, going) = going.unwrap_or_default();
        let online = room.going.get();
        // The longer list is behind the link.
        let (address, n_going) = if online.len() > n_here {
            ("#/play", online.len())
        } else {
            (LIBRARY, n_here)
        };
        let mut rows: Vec<(bool, AnyView)> = Vec::new();
        for going in online.into_iter().take(MOST_SHOWN) {
            let row = view! { <li inner_html=going.html></li> };
            rows.push((going.is_turn, row.into_any()));
        }
        for going in going.into_iter().take(MOST_SHOWN) {
            rows.push((going.is_turn, row(room, going).into_any()));
        }
        rows.sort_by_key(|(is_turn, _)| !is_turn);
        rows.truncate(MOST_SHOWN);
        if rows.is_empty() {
            return None;
        }
        let rows: Vec<_> = rows.into_iter().map(|(_, row)| row).collect();
        Some(view! {
            <section class="resume" aria-labelledby="resume-title">
                <div class="hd">
                    <h2 id="resume-title">{room.text("home.continue")}</h2>
                    <a href=address>
                        {move || room.say_with("home.all", &[("n", &n_going)])}
                    </a>
                </div>
                <ul>{rows}</ul>
            </section>
        })
    }
}

fn row(room: Room, Going { entry, is_turn }: Going) -> impl IntoView {
    let Ok(saved) = entry.saved else {
        return view! {
            <li>
                <a href=LIBRARY>
                    <span class="tx"><b>{room.text("library.damaged")}</b></span>
                </a>
            </li>
        }
        .into_any();
    };
    let game = saved.game().to_owned();
    let head = saved.head.clone();
    let detail = move || {
        let rival = match head.person() {
            Some(person) => room.opponent_name(head.seats[!person]),
            None => room.opponent_name(PlayerKind::Person),
        };
        let n = head.ply.div_ceil(2);
        room.say_with("home.row", &[("rival", &rival), ("n", &n)])
    };
    let name = format!("{game}.name");
    let record = StoredValue::new_local(saved.read_record().ok());
    let record = Signal::derive_local(move || record.get_value());
    view! {
        <li>
            <a href=saved_address(&entry.id, false) data-game=game>
                <span class="mn"><Preview room=room record=record /></span>
                <span class="tx">
                    <b>{move || room.say(&name)}</b>
                    <span>{detail}</span>
                </span>
                <Show when=move || is_turn>
                    <span class="turn">{room.text("state.turn")}</span>
                </Show>
            </a>
        </li>
    }
    .into_any()
}
