//! The offer to take a lesson, made once.

use leptos::prelude::*;
use lessons::OVERVIEW;

use super::{about, phrase, stored_progress};
use crate::{
    device::{store, stored},
    html::{Html, escaped},
    learn_route::LearnRoute,
    room::Room,
};

/// The name under which the answer to the home screen's offer is stored.
const HOME: &str = "home";

/// Whether the lesson of `game` was neither offered nor begun yet.
fn is_new(game: &str) -> bool {
    stored(&format!("offered.{game}")).is_none() && stored_progress(game).is_empty()
}

fn store_answer(game: &str) {
    store(&format!("offered.{game}"), "yes");
}

/// The offer beside the board, before the first move of somebody who plays the game for
/// the first time; an opponent who begins does not take it away. It is never made again once
/// it was answered or the person has moved.
#[component]
pub(crate) fn LessonOffer(room: Room) -> impl IntoView {
    let n_answers = RwSignal::new(0_u32);
    // The game, and whether the person has not moved yet.
    let played = Memo::new(move |_| {
        room.with_session(|session| {
            let game = session.game.name();
            (game, !session.sitting.has_begun())
        })
    });
    Effect::new(move |_| {
        let (game, is_untouched) = played.get();
        if !is_untouched && is_new(game) {
            store_answer(game);
        }
    });
    let html = move || {
        n_answers.track();
        let (game, is_untouched) = played.get();
        let lesson = OVERVIEW.iter().find(|(known, _)| *known == game);
        let lesson = lesson.filter(|_| is_untouched && is_new(game));
        let Some((_, n_steps)) = lesson else {
            return String::new();
        };
        let line = room.say_with("offer.line", &[("n", n_steps)]);
        offer(
            game,
            [
                room.say("offer.title"),
                line,
                room.say("offer.no"),
                room.say("offer.yes"),
            ],
        ) + &format!(
            "<p class='note'>{}</p></section>",
            phrase(room, "offer.note")
        )
    };
    let answer = Callback::new(move |_| {
        store_answer(played.get_untracked().0);
        n_answers.update(|n| *n += 1);
    });
    view! { <Html class="slot" html=Signal::derive(html) on_do=answer /> }
}

/// The offer on the home screen, to somebody who has learned nothing yet: the shortest
/// lesson.
#[component]
pub(crate) fn FirstOffer(room: Room) -> impl IntoView {
    let is_first = OVERVIEW.iter().all(|(game, _)| is_new(game));
    let is_open = RwSignal::new(is_first && is_new(HOME));
    let html = move || {
        let shortest = OVERVIEW.iter().min_by_key(|(_, n_steps)| *n_steps);
        let Some(&(game, _)) = shortest.filter(|_| is_open.get()) else {
            return String::new();
        };
        offer(
            game,
            [
                room.say("offer.home.title"),
                about(room, "offer.home.line", game),
                room.say("offer.home.no"),
                about(room, "learn.of", game),
            ],
        ) + "</section>"
    };
    let answer = Callback::new(move |_| {
        store_answer(HOME);
        is_open.set(false);
    });
    view! { <Html class="slot" html=Signal::derive(html) on_do=answer /> }
}

/// An offer, without its end. Either answer is a command.
fn offer(game: &str, texts: [String; 4]) -> String {
    let [title, line, no, yes] = texts.map(|text| escaped(&text));
    let address = LearnRoute::of(game);
    format!(
        "<section class='offer' aria-labelledby='offer-title'><h2 id='offer-title'>{title}</h2><p>{line}</p>\
         <div class='two'><button class='btn' id='offer-no' data-do='no'>{no}</button>\
         <a class='btn pri' id='offer-yes' data-do='yes' href='{address}'>{yes}</a></div>"
    )
}
