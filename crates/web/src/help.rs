//! The rule sheet: sentences, and pictures drawn from positions.

use leptos::prelude::*;
use view::{Look, Words};

use crate::{dialog::Dialog, html::escaped, learn_route::LearnRoute, room::Room};

/// The rules of the game that is played, or of the one that was asked for.
#[component]
pub(crate) fn Help(room: Room) -> impl IntoView {
    let close = move || room.is_help_open.set(false);
    on_cleanup(move || {
        room.help_game.try_set(None);
    });
    let game = move || {
        let asked = room.help_game.get();
        asked.unwrap_or_else(|| room.with_session(|session| session.game.name()))
    };
    let rules = move || {
        let game = game();
        let words = room.settings.words.get();
        let rules = (1..).map(|n| (n, format!("{game}.rule.{n}")));
        let rules = rules.take_while(|(_, name)| words.has(name));
        let rules = rules.map(|(n, name)| {
            let text = escaped(&words.say(&name, &[]));
            let figures = figures(room, &words, game, n);
            format!(
                "<li><div class='ruled'><p>{text}</p><div class='fig' aria-hidden='true'>{figures}</div></div></li>"
            )
        });
        rules.collect::<String>()
    };
    view! {
        <Dialog class="help" label="help-title" on_close=Callback::new(move |()| close())>
            <h2 id="help-title">{move || room.say(&format!("{}.name", game()))}</h2>
            <ol inner_html=rules></ol>
            <p class="fair">{move || room.say(&format!("{}.fairness", game()))}</p>
            <div class="go">
                <a class="btn" id="lesson" href=move || LearnRoute::of(game()) on:click=move |_| close()>
                    {room.text("learn.offer")}
                </a>
                <button class="btn pri" id="close" on:click=move |_| close()>{room.text("do.close")}</button>
            </div>
        </Dialog>
    }
}

/// The pictures of a rule, as SVG.
fn figures(room: Room, words: &Words, game: &str, rule: usize) -> String {
    let Some(lesson) = lessons::find(game) else {
        return String::new();
    };
    let palette = room.settings.palette();
    let figures = lesson.figures().iter().filter(|figure| figure.rule == rule);
    let scenes = figures.filter_map(|figure| lesson.scene(figure, &Look::new(words)));
    scenes
        .map(|scene| view::svg(&scene.without_text(), palette))
        .collect()
}
