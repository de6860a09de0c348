//! The four games, each as a small board that plays by itself.

use leptos::prelude::*;

use crate::{
    app::SkipLink,
    icons::mark,
    lazy::{Lazy, Part},
    learn::FirstOffer,
    miniature::DemoBoard,
    nav::{play_address, usual_opponent},
    room::{BadAddress, Room},
    rooms::{Header, Tabs, TroubleNotice},
    updates::UpdateNotice,
};

fn bad_text(room: Room, bad: &BadAddress) -> String {
    match bad {
        BadAddress::Link => room.say("bad.link"),
        BadAddress::Shared => room.say("bad.shared"),
        BadAddress::Missing => room.say("bad.missing"),
        BadAddress::Damaged(why) => room.say_with("bad.damaged", &[("why", why)]),
        BadAddress::Unfetched => room.say("bad.part"),
    }
}

/// Goes back to where somebody came from, who has lost nothing: addresses hold what is open.
fn back() {
    if let Ok(history) = window().history() {
        history.back().ok();
    }
}

/// The home screen.
#[component]
pub(crate) fn Home(room: Room) -> impl IntoView {
    let tables = catalog::GAMES.into_iter().map(move |game| {
        let name = game.name();
        view! {
            <a class="tb" data-game=name href=play_address(game, usual_opponent(game))>
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
        <SkipLink room=room text="site.skip.games" to=".tabs a" part="#games" />
        <div class="home">
            <Header room=room />
            <UpdateNotice room=room />
            {move || {
                room.bad_address
                    .get()
                    .map(|bad| {
                        view! {
                            <p class="notice" role="alert">
                                {move || bad_text(room, &bad)}
                                {room
                                    .has_come_from()
                                    .then(|| {
                                        view! {
                                            <button class="btn" id="back" on:click=move |_| back()>
                                                {room.text("learn.back")}
                                            </button>
                                        }
                                    })}
                                <button class="btn" on:click=move |_| room.open_sheet()>
                                    {room.text("do.new")}
                                </button>
                            </p>
                        }
                    })
            }}
            <main class="desk">
                <h1 class="sr">{room.text("site.title")}</h1>
                <p class="sr">{room.text("site.tagline")}</p>
                <Show when=move || room.going.with(Vec::is_empty)>
                    <FirstOffer room=room />
                </Show>
                <Lazy room=room part=Part::Resume />
                <Lazy room=room part=Part::Today />
                <div class="tabs" id="games">{tables.collect_view()}</div>
            </main>
            <TroubleNotice room=room />
            <Tabs room=room />
        </div>
    }
}
