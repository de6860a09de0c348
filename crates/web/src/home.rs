//! The four games, each as a small board that plays by itself.

use leptos::prelude::*;
use play::{Bot, Seat};

use crate::{
    icons::{Icon, Wordmark, icon, mark},
    learn::FirstOffer,
    miniature::DemoBoard,
    nav::{Settings, play_address},
    room::Room,
};

/// The home screen.
#[component]
pub(crate) fn Home(room: Room) -> impl IntoView {
    let tables = catalog::GAMES.into_iter().map(move |game| {
        let name = game.name();
        view! {
            <a class="tb" data-game=name href=play_address(game, Seat::Bot(Bot::Classic))>
                <div class="art"><DemoBoard room=room game=game /></div>
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
                <a class="btn quiet" href="#/learn">{icon(Icon::Learn)}{room.text("learn.title")}</a>
                <span class="grp"><Settings room=room /></span>
            </header>
            <Show when=move || room.is_bad_link.get()>
                <p class="notice" role="alert">
                    {room.text("bad.link")}
                    <button class="btn" on:click=move |_| room.open_sheet()>
                        {room.text("do.new")}
                    </button>
                </p>
            </Show>
            <FirstOffer room=room />
            <main class="tabs">{tables.collect_view()}</main>
        </div>
    }
}
