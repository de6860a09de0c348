//! Navigation: the games, a new match, language and theme.

use catalog::{AnyGame, OptionInfo};
use leptos::prelude::*;
use play::{Bot, PlayerKind};
use rules::Values;
use view::{Theme, Words};

use crate::{
    clock::control_name,
    device::{chance_number, store, stored},
    icons::{Icon, IconButton, Wordmark, icon, mark},
    panel::study_address,
    room::Room,
    route::Wish,
    session::{MatchSession, usual_wish},
    study_route::StudyRoute,
    updates::UpdateNotice,
};

/// The current theme, in words.
fn theme_text(room: Room) -> String {
    let theme = room.settings.chosen_theme.get().map_or("auto", Theme::name);
    let theme = room.say(&format!("set.theme.{theme}"));
    room.say_with("set.theme", &[("theme", &theme)])
}

/// The label of the sound button: what a press does.
fn sound_text(room: Room) -> String {
    let is_muted = room.sounds.is_muted.get();
    room.say(if is_muted { "set.unmute" } else { "set.mute" })
}

/// Whether sounds are heard, as an icon.
fn sound_icon(room: Room) -> Icon {
    if room.sounds.is_muted.get() {
        Icon::Muted
    } else {
        Icon::Sound
    }
}

/// Mutes sounds, and ends that.
#[component]
fn SoundButton(room: Room) -> impl IntoView {
    let name = Signal::derive(move || sound_text(room));
    view! {
        <button
            class="ib"
            id="sound"
            title=name
            aria-label=name
            on:click=move |_| room.sounds.toggle()
        >
            {move || icon(sound_icon(room))}
        </button>
    }
}

/// Opens the settings.
#[component]
fn SettingsButton(room: Room) -> impl IntoView {
    view! {
        <IconButton
            id="settings"
            name=Signal::derive(room.text("settings.title"))
            kind=Icon::Settings
            on_press=move || room.settings.is_open.set(true)
        />
    }
}

/// Language, theme and settings.
#[component]
pub(crate) fn QuickSettings(room: Room) -> impl IntoView {
    view! {
        <IconButton
            id="language"
            name=Signal::derive(room.text("set.language"))
            kind=Icon::Language
            on_press=move || room.settings.switch_language()
        />
        <IconButton
            id="theme"
            name=Signal::derive(move || theme_text(room))
            kind=Icon::Theme
            on_press=move || room.settings.switch_theme()
        />
        <SettingsButton room=room />
    }
}

/// The left column: the games, facts of the match, a new game.
#[component]
pub(crate) fn Nav(room: Room) -> impl IntoView {
    // Whoever plays against the machine wants to do so in another game as well.
    let opponent = Memo::new(move |_| {
        let opponent = room.with_session(|session| Some(session.wish.opponent));
        opponent.filter(|opponent| *opponent != PlayerKind::Remote)
    });
    let seed = Memo::new(move |_| room.with_session(|session| session.sitting.seed()));
    let games = catalog::GAMES.map(|game| {
        let name = game.name();
        let address = move || {
            // Another board with every match.
            seed.track();
            play_address(game, opponent.get().unwrap_or_else(|| usual_opponent(game)))
        };
        let is_current = move || room.with_session(|session| session.wish.game == name);
        view! {
            <li>
                <a href=address aria-current=move || is_current().then_some("page")>
                    {mark(game.presentation().mark)}
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
            <a
                class="btn"
                id="study"
                href=move || study_address(room, StudyRoute::analysis)
                title=room.text("study.analysis")
            >
                {icon(Icon::Analysis)}
                <span>{room.text("study.analysis")}</span>
            </a>
            <UpdateNotice room=room />
            <div class="ft">
                <SettingsButton room=room />
                <SoundButton room=room />
                <IconButton
                    id="flip"
                    name=Signal::derive(room.text("do.flip"))
                    kind=Icon::Flip
                    on_press=move || room.flip()
                />
                <IconButton
                    id="help"
                    name=Signal::derive(room.text("do.help"))
                    kind=Icon::Help
                    on_press=move || room.is_help_open.set(true)
                />
            </div>
        </nav>
    }
}

/// Names and values of what is known about the match.
fn facts(room: Room) -> Vec<(String, String)> {
    room.with_session(|session| {
        let words = room.settings.words.get();
        let of_position = session.table().facts().into_iter();
        let of_position = of_position.map(|(name, value)| (words.say(name, &[]), value));
        let options = session.game.options();
        let of_options = options.iter().filter_map(|option| {
            let value = option_text(session, &words, option)?;
            Some((words.say(option.label, &[]), value))
        });
        let is_local = session.wish.opponent != PlayerKind::Remote;
        let opponent = is_local.then(|| room.opponent_name(session.wish.opponent));
        let opponent = opponent.map(|opponent| (words.say("fact.opponent", &[]), opponent));
        let clock = session.record().time_control().map(|time_control| {
            let value = control_name(room, Some(time_control));
            (words.say("new.clock", &[]), value)
        });
        let of_match = clock.into_iter().chain(opponent);
        of_position.chain(of_options).chain(of_match).collect()
    })
}

/// The value of an option in the match, if the position shows it or it was
/// chosen.
fn option_text(session: &MatchSession, words: &Words, option: &OptionInfo) -> Option<String> {
    let shown = session.record().option(option.name);
    let chosen = || session.wish.choice(option.name).map(str::to_owned);
    let value = shown.or_else(chosen)?;
    Some(words.say_value(option.label, &value))
}

/// The id of the menu of small screens.
const MENU: &str = "menu";

/// The bar at the top of small screens.
#[component]
pub(crate) fn TopBar(room: Room) -> impl IntoView {
    let name = move || room.with_session(|session| session.wish.game.clone());
    let shapes = move || room.with_session(|session| session.game.presentation().mark);
    // The one fact that matters.
    let fact = move || {
        room.with_session(|session| {
            let words = room.settings.words.get();
            if let Some(headline) = session.game.presentation().headline {
                let mut options = session.game.options().into_iter();
                let option = options.find(|option| option.name == headline);
                let text = option.and_then(|option| option_text(session, &words, &option));
                return text.unwrap_or_default();
            }
            let facts = session.table().facts();
            let fact = facts.first();
            let text = fact.map(|(name, value)| {
                let name = words.say(name, &[]);
                words.say("fact.short", &[("name", &name), ("value", value)])
            });
            text.unwrap_or_default()
        })
    };
    view! {
        <header class="top">
            <a class="ib" href="#/" aria-label=room.text("site.home")>
                {icon(Icon::Home)}
            </a>
            <div class="title">
                {move || mark(shapes())}
                {move || room.say(&format!("{}.name", name()))}
                <Show when=move || !fact().is_empty()>
                    <span class="chip">{fact}</span>
                </Show>
            </div>
            <button
                class="ib"
                class:news=move || room.updates.is_ready.get()
                aria-label=room.text("set.more")
                popovertarget=MENU
            >
                {icon(Icon::More)}
            </button>
            // The browser closes it on Escape and on a tap elsewhere.
            <div class="menu" id=MENU popover="auto">
                <UpdateNotice room=room />
                {item(Icon::Plus, room.text("do.new"), move || room.open_sheet())}
                <a
                    class="btn"
                    id="menu-study"
                    href=move || study_address(room, StudyRoute::analysis)
                >
                    {icon(Icon::Analysis)}
                    <span>{room.text("study.analysis")}</span>
                </a>
                {item(Icon::Flip, room.text("do.flip"), move || room.flip())}
                {item(Icon::Help, room.text("do.help"), move || room.is_help_open.set(true))}
                {move || item(sound_icon(room), move || sound_text(room), move || room.sounds.toggle())}
                {item(Icon::Settings, room.text("settings.title"), move || room.settings.is_open.set(true))}
            </div>
        </header>
    }
}

/// An item of the menu.
fn item(
    kind: Icon,
    text: impl Fn() -> String + Send + 'static,
    on_press: impl Fn() + 'static,
) -> impl IntoView {
    view! {
        <button
            class="btn"
            popovertarget=MENU
            popovertargetaction="hide"
            on:click=move |_| on_press()
        >
            {icon(kind)}
            {text}
        </button>
    }
}

/// The URL of an ordinary match of the game.
pub(crate) fn play_address(game: &dyn AnyGame, opponent: PlayerKind) -> String {
    ordinary(game, opponent).address()
}

/// The level of a first match; docs/strength.md measures the levels against beginners.
pub(crate) const FIRST_LEVEL: u8 = 2;

/// The opponent that was chosen last for the game, or else a gentle one.
pub(crate) fn usual_opponent(game: &dyn AnyGame) -> PlayerKind {
    let chosen = stored(&format!("opponent.{}", game.name()));
    let chosen = chosen.and_then(|name| PlayerKind::from_name(&name));
    chosen.unwrap_or(PlayerKind::Bot(Bot::Level(FIRST_LEVEL)))
}

/// Stores the opponent of a match, if it is a machine, for the next visit.
pub(crate) fn remember_opponent(wish: &Wish) {
    if wish.opponent != PlayerKind::Person {
        store(&format!("opponent.{}", wish.game), &wish.opponent.name());
    }
}

/// An ordinary match of the game, with numbers such as that of the board drawn by
/// lot. Where nobody is perfect, the top level comes next.
pub(crate) fn ordinary(game: &dyn AnyGame, opponent: PlayerKind) -> Wish {
    let opponent = match opponent {
        PlayerKind::Bot(Bot::Perfect) if !game.is_solved() => {
            PlayerKind::Bot(Bot::Level(Bot::TOP_LEVEL))
        }
        opponent => opponent,
    };
    let mut wish = Wish {
        opponent,
        ..usual_wish(game)
    };
    for option in game.options() {
        if option.values == Values::Number {
            let number = chance_number(game);
            let choice = (option.name.to_owned(), number.to_string());
            wish.choices.push(choice);
        }
    }
    wish
}
