//! The end of a match.

use leptos::prelude::*;
use play::{Bot, PlayerKind, library::next_level};
use rules::{Outcome, Player};

use crate::{
    lazy::{Lazy, Part},
    nav::remember_opponent,
    panel::study_address,
    room::Room,
    rooms::entries,
    route::Wish,
    study_route::StudyRoute,
};

/// How the match ended, and what to do next.
#[component]
pub(crate) fn ResultCard(room: Room) -> impl IntoView {
    let outcome = move || room.driver.outcome();
    let heading = move || {
        let outcome = outcome();
        room.with_session(|session| match outcome {
            Some(Outcome::Win(winner)) if session.sitting.person() == Some(winner) => {
                room.say("state.you-win")
            }
            Some(Outcome::Win(winner)) => {
                let who = room.seat_name(session, winner);
                room.say_with("state.wins", &[("who", &who)])
            }
            _ => room.say("state.draw"),
        })
    };
    let detail = move || {
        let words = room.settings.words.get();
        room.with_session(|session| session.table().verdict(&words))
            .unwrap_or_default()
    };
    let swapped = move || swapped(room);
    let again = move |_| {
        let wish = untrack(swapped).or_else(|| {
            let driver = room.driver;
            driver.with_untracked(|session| Some(session.wish.clone()))
        });
        if let Some(wish) = wish {
            room.go(&wish);
        }
    };
    let is_winner = move |player| outcome() == Some(Outcome::Win(player));
    let is_step = move || {
        let opponent = room.with_session(|session| Some(session.wish.opponent));
        matches!(opponent, Some(PlayerKind::Bot(Bot::Level(_))))
    };
    view! {
        <section
            class="res"
            role="status"
            class:p1=move || is_winner(Player::First)
            class:p2=move || is_winner(Player::Second)
        >
            <h2>{heading}</h2>
            <p>{detail}</p>
            <Show when=is_step>
                <Lazy room=room part=Part::NextLevel />
            </Show>
            <div class="two">
                <button class="btn pri" id="again" on:click=again>
                    <span>
                        {room.text("do.again")}
                        <Show when=move || swapped().is_some()>
                            <small>{room.text("do.again.swapped")}</small>
                        </Show>
                    </span>
                </button>
                <button class="btn" on:click=move |_| room.open_sheet()>{room.text("do.new")}</button>
                <a class="btn" id="review" href=move || study_address(room, StudyRoute::review)>
                    {room.text("study.review")}
                </a>
                <button class="btn" on:click=move |_| room.is_share_open.set(true)>
                    {room.text("share.title")}
                </button>
            </div>
        </section>
    }
}

/// The next match: colors that were not drawn by lot are swapped.
fn swapped(room: Room) -> Option<Wish> {
    room.with_session(|session| session.wish.swapped())
}

/// The offer of the level above or below, after two wins or losses in a row against a level.
#[component]
pub(crate) fn NextLevel(room: Room) -> impl IntoView {
    let entries = entries(room);
    let next = Memo::new(move |_| {
        let (game, opponent) =
            room.with_session(|session| Some((session.game.name(), session.wish.opponent)))?;
        let PlayerKind::Bot(Bot::Level(level)) = opponent else {
            return None;
        };
        entries.with(|entries| {
            let saved = entries
                .as_ref()?
                .iter()
                .filter_map(|entry| entry.saved.as_ref().ok());
            let heads = saved.map(|saved| (saved.game(), &saved.head));
            let next = next_level(heads, game, level)?;
            Some((next, next > level))
        })
    });
    move || {
        next.get().map(|(level, is_up)| {
            let name = if is_up { "level.up" } else { "level.down" };
            let step = move |_| {
                let wish = untrack(|| swapped(room)).or_else(|| {
                    room.driver
                        .with_untracked(|session| Some(session.wish.clone()))
                });
                if let Some(wish) = wish {
                    let opponent = PlayerKind::Bot(Bot::Level(level));
                    let wish = Wish { opponent, ..wish };
                    remember_opponent(&wish);
                    room.go(&wish);
                }
            };
            view! {
                <button class="btn step" id="step" on:click=step>
                    <span>
                        {move || room.say_with("level.try", &[("n", &level)])}
                        <small>{room.text(name)}</small>
                    </span>
                </button>
            }
        })
    }
}
