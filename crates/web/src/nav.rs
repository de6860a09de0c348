//! What leads elsewhere: the games, a new match, language and theme.

use leptos::prelude::*;
use rules::Values;

use crate::{
    device::chance_board,
    icons::{Icon, Wordmark, icon, mark},
    room::Room,
    route::{Opponent, Wish},
};

/// Language and theme.
#[component]
pub(crate) fn Settings(room: Room) -> impl IntoView {
    let theme = move || {
        let name = match room.theme.get() {
            None => "set.theme.auto".to_owned(),
            Some(theme) => format!("set.theme.{}", theme.name()),
        };
        room.say_with("set.theme", &[("theme", &room.say(&name))])
    };
    view! {
        <button
            class="ib"
            id="language"
            title=room.text("set.language")
            aria-label=room.text("set.language")
            on:click=move |_| room.switch_language()
        >
            {icon(Icon::Language)}
        </button>
        <button class="ib" id="theme" title=theme aria-label=theme on:click=move |_| room.switch_theme()>
            {icon(Icon::Theme)}
        </button>
    }
}

/// The left column: the games, facts of the match, a new game.
#[component]
pub(crate) fn Nav(room: Room) -> impl IntoView {
    // Whoever plays against the machine wants to do so in another game as well.
    let opponent = Memo::new(move |_| {
        let opponent = room.with_session(|session| Some(session.wish.opponent));
        match opponent {
            Some(Opponent::Perfect) => Opponent::Level(Opponent::TOP_LEVEL),
            Some(opponent) => opponent,
            None => Opponent::Human,
        }
    });
    let games = catalog::GAMES.map(|game| {
        let name = game.name();
        let board = chance_board(name);
        let is_current = move || room.with_session(|session| session.wish.game == name);
        view! {
            <li>
                <a href=move || play_address(name, opponent.get(), board) aria-current=move || is_current().then_some("page")>
                    {mark(name)}
                    <span>{move || room.say(&format!("{name}.name"))}</span>
                </a>
            </li>
        }
    });
    view! {
        <nav class="nav" aria-label=room.text("site.games")>
            <a class="brand" href="#/" aria-label=room.text("site.home")>
                <Wordmark />
            </a>
            <ul>{games.into_iter().collect_view()}</ul>
            <dl class="facts">
                {move || {
                    facts(room)
                        .into_iter()
                        .map(|(name, value)| view! { <dt>{name}</dt> <dd>{value}</dd> })
                        .collect_view()
                }}
            </dl>
            <button class="btn" id="new" on:click=move |_| room.open_sheet()>
                {icon(Icon::Plus)}
                <span>{room.text("do.new")}</span>
            </button>
            <div class="ft">
                <Settings room=room />
                <button
                    class="ib"
                    id="flip"
                    title=room.text("do.flip")
                    aria-label=room.text("do.flip")
                    on:click=move |_| room.flip()
                >
                    {icon(Icon::Flip)}
                </button>
                <button
                    class="ib"
                    id="help"
                    title=room.text("do.help")
                    aria-label=room.text("do.help")
                    on:click=move |_| room.is_help_open.set(true)
                >
                    {icon(Icon::Help)}
                </button>
            </div>
        </nav>
    }
}

/// Names and values of what is known about the match.
fn facts(room: Room) -> Vec<(String, String)> {
    room.with_session(|session| {
        let mut facts = Vec::new();
        let of_table = session.table.facts();
        if let Some(board) = session.wish.choice("board").filter(|_| {
            // A table that knows the number of its board tells it.
            of_table.iter().all(|(name, _)| *name != "fact.board")
        }) {
            facts.push((room.say("fact.board"), format!("#{board}")));
        }
        if let Some(variant) = session.playing.option("variant") {
            let name = format!("new.variant.{}.{variant}", session.wish.game);
            facts.push((room.say("fact.rules"), room.say(&name)));
        }
        for (name, value) in of_table {
            facts.push((room.say(name), value));
        }
        if let Some(mode) = session.playing.option("mode") {
            facts.push((room.say("fact.mode"), mode_name(room, &mode)));
        }
        let opponent = room.opponent_name(session.wish.opponent);
        facts.push((room.say("fact.opponent"), opponent));
        facts
    })
}

/// `moves:200` in words.
pub(crate) fn mode_name(room: Room, mode: &str) -> String {
    let (kind, n) = mode.split_once(':').unwrap_or((mode, ""));
    room.say_with(&format!("new.mode.{kind}"), &[("n", &n)])
}

/// The bar at the top of small screens.
#[component]
pub(crate) fn TopBar(room: Room) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let name = move || room.with_session(|session| session.wish.game.clone());
    // The one fact that matters.
    let fact = move || {
        room.with_session(|session| {
            let facts = session.table.facts();
            let fact = facts.first().map(|(name, value)| match *name {
                "fact.board" => value.clone(),
                name => format!("{}: {value}", room.say(name)),
            });
            fact.unwrap_or_default()
        })
    };
    let close = move |_| is_open.set(false);
    view! {
        <header class="top">
            <a class="ib" href="#/" aria-label=room.text("site.home")>
                {icon(Icon::Home)}
            </a>
            <div class="title">
                {move || mark(&name())}
                {move || room.say(&format!("{}.name", name()))}
                <Show when=move || !fact().is_empty()>
                    <span class="chip">{fact}</span>
                </Show>
            </div>
            <button
                class="ib"
                aria-label=room.text("set.more")
                aria-expanded=move || is_open.get().to_string()
                on:click=move |_| is_open.update(|is_open| *is_open = !*is_open)
            >
                {icon(Icon::More)}
            </button>
            <Show when=move || is_open.get()>
                <div class="menu" on:click=close>
                    <button class="btn" on:click=move |_| room.open_sheet()>
                        {icon(Icon::Plus)}
                        {room.text("do.new")}
                    </button>
                    <button class="btn" on:click=move |_| room.flip()>
                        {icon(Icon::Flip)}
                        {room.text("do.flip")}
                    </button>
                    <button class="btn" on:click=move |_| room.is_help_open.set(true)>
                        {icon(Icon::Help)}
                        {room.text("do.help")}
                    </button>
                    <button class="btn" on:click=move |_| room.switch_language()>
                        {icon(Icon::Language)}
                        {room.text("set.language")}
                    </button>
                    <button class="btn" on:click=move |_| room.switch_theme()>
                        {icon(Icon::Theme)}
                        {move || {
                            let theme = room.theme.get().map_or("auto", view::Theme::name);
                            let theme = room.say(&format!("set.theme.{theme}"));
                            room.say_with("set.theme", &[("theme", &theme)])
                        }}
                    </button>
                </div>
            </Show>
        </header>
    }
}

/// The address of an ordinary match of the game, on board number `board` where
/// boards have numbers.
pub(crate) fn play_address(game: &str, opponent: Opponent, board: u64) -> String {
    ordinary(game, opponent, board).address()
}

/// An ordinary match of the game, on board number `board` where boards have numbers.
pub(crate) fn ordinary(game: &str, opponent: Opponent, board: u64) -> Wish {
    let mut wish = Wish {
        opponent,
        ..Wish::new(game)
    };
    let options = catalog::find(game)
        .map(|game| game.options())
        .unwrap_or_default();
    if options.iter().any(|option| option.values == Values::Number) {
        wish.choices.push(("board".to_owned(), board.to_string()));
    }
    wish
}
