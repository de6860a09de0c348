//! The sheet for a new game.

use catalog::{AnyMatch, CatalogError, OptionInfo};
use leptos::{ev, prelude::*};
use play::{Bot, PlayerKind};
use protocol::ColorChoice;
use rules::{Player, Values, record::TimeControl};
use web_sys::HtmlInputElement;

use crate::{
    clock::{OFFERED, control_name},
    device::chance_number,
    dialog::Dialog,
    icons::{Icon, icon},
    miniature::Preview,
    nav::{FIRST_LEVEL, ordinary, remember_opponent},
    room::{Room, token_svg},
    route::Wish,
    segment::{Item, Segment},
};

/// The sheet for a new game.
#[component]
pub(crate) fn Sheet(
    room: Room,
    /// The initial choices.
    wish: Wish,
) -> impl IntoView {
    let close = Callback::new(move |()| room.sheet.set(None));
    let begin = Callback::new(move |wish: Wish| {
        close.run(());
        remember_opponent(&wish);
        room.go(&wish);
    });
    view! {
        <Dialog class="sheet" label="sheet-title" on_close=close>
            <StartForm
                room=room
                wish=RwSignal::new(wish)
                title="new.title"
                is_match=true
                on_close=close
                on_start=begin
            />
        </Dialog>
    }
}

/// A form in which the start of a match is put together, with a preview. Its title has the id
/// `sheet-title`.
#[component]
pub(crate) fn StartForm(
    room: Room,
    wish: RwSignal<Wish>,
    title: &'static str,
    /// Whether it is a match to be played, by somebody and with a clock.
    is_match: bool,
    on_close: Callback<()>,
    on_start: Callback<Wish>,
) -> impl IntoView {
    let game = Memo::new(move |_| wish.with(|wish| wish.game.clone()));
    let record = Signal::derive_local(move || wish.with(|wish| start(wish).ok()));
    view! {
        <div class="cols" data-game=move || game.get()>
            <div class="pv"><Preview room=room record=record /></div>
            <form on:submit=move |event: ev::SubmitEvent| {
                event.prevent_default();
                on_start.run(wish.get_untracked());
            }>
                <h2 id="sheet-title">{room.text(title)}</h2>
                <Games room=room wish=wish />
                {is_match.then(|| view! { <Opponents room=room wish=wish /> })}
                <Options room=room wish=wish game=game />
                {is_match.then(|| view! { <ClockChoice room=room wish=wish /> })}
                <div class="go">
                    <button type="button" class="btn" on:click=move |_| on_close.run(())>
                        {room.text("new.cancel")}
                    </button>
                    <button class="btn pri" id="start">{room.text("new.start")}</button>
                </div>
            </form>
        </div>
    }
}

fn start(wish: &Wish) -> Result<Box<dyn AnyMatch>, CatalogError> {
    catalog::find(&wish.game)?.start(&wish.choice_texts())
}

/// The choice of a game.
#[component]
pub(crate) fn Games(room: Room, wish: RwSignal<Wish>) -> impl IntoView {
    let items = move || {
        catalog::GAMES
            .map(|game| {
                let item = Item {
                    text: room.say(&format!("{}.name", game.name())),
                    mark: Some(game.presentation().mark),
                    token: None,
                };
                (game.name().to_owned(), item)
            })
            .to_vec()
    };
    let choose = move |name: String| {
        let Ok(game) = catalog::find(&name) else {
            return;
        };
        wish.update(|wish| {
            *wish = Wish {
                is_fast: wish.is_fast,
                clock: wish.clock,
                turns_board: wish.turns_board,
                ..ordinary(game, wish.opponent)
            };
        });
    };
    view! {
        <Segment
            name="game"
            class="seg gm"
            label=Signal::derive(room.text("new.game"))
            items=Signal::derive(items)
            value=Signal::derive(move || wish.with(|wish| wish.game.clone()))
            on_choose=Callback::new(choose)
        />
    }
}

#[component]
fn Opponents(room: Room, wish: RwSignal<Wish>) -> impl IntoView {
    let has_perfect = Memo::new(move |_| {
        wish.with(|wish| catalog::find(&wish.game).is_ok_and(|game| game.is_solved()))
    });
    let kinds = move || {
        let mut kinds = vec!["human", "classic", "levels"];
        if has_perfect.get() {
            kinds.push("perfect");
        }
        let item = |kind: &str| {
            let text = room.say(&format!("new.{kind}"));
            (kind.to_owned(), Item::from(text))
        };
        kinds.into_iter().map(item).collect::<Vec<_>>()
    };
    let kind = move || {
        wish.with(|wish| match wish.opponent {
            PlayerKind::Bot(Bot::Level(_)) => "levels".to_owned(),
            opponent => opponent.name(),
        })
    };
    let choose = move |kind: String| {
        wish.update(|wish| {
            wish.opponent = match kind.as_str() {
                "classic" => PlayerKind::Bot(Bot::Classic),
                "levels" => PlayerKind::Bot(Bot::Level(FIRST_LEVEL)),
                "perfect" => PlayerKind::Bot(Bot::Perfect),
                _ => PlayerKind::Person,
            };
        });
    };
    let is_machine = move || wish.with(|wish| wish.opponent != PlayerKind::Person);
    let has_levels =
        move || wish.with(|wish| matches!(wish.opponent, PlayerKind::Bot(Bot::Level(_))));
    view! {
        <Segment
            name="opponent"
            label=Signal::derive(room.text("new.opponent"))
            items=Signal::derive(kinds)
            value=Signal::derive(kind)
            on_choose=Callback::new(choose)
        />
        <Show when=has_levels>
            <Levels room=room wish=wish />
        </Show>
        <Show when=is_machine>
            <Colors room=room wish=wish />
        </Show>
    }
}

#[component]
fn Levels(room: Room, wish: RwSignal<Wish>) -> impl IntoView {
    let levels = move || {
        let level = |n: u8| (n.to_string(), Item::from(n.to_string()));
        (1..=Bot::TOP_LEVEL).map(level).collect::<Vec<_>>()
    };
    let level = move || {
        wish.with(|wish| match wish.opponent {
            PlayerKind::Bot(Bot::Level(level)) => level.to_string(),
            _ => String::new(),
        })
    };
    let choose = move |level: String| {
        wish.update(|wish| {
            wish.opponent = level
                .parse()
                .map_or(wish.opponent, |level| PlayerKind::Bot(Bot::Level(level)));
        });
    };
    view! {
        <Segment
            name="level"
            class="seg lv"
            label=Signal::derive(room.text("new.level"))
            items=Signal::derive(levels)
            value=Signal::derive(level)
            on_choose=Callback::new(choose)
        />
        <p class="about" role="status">{move || room.say(&format!("level.{}", level()))}</p>
    }
}

/// The colors, each with its piece.
#[component]
pub(crate) fn Colors(room: Room, wish: RwSignal<Wish>) -> impl IntoView {
    let colors = move || {
        let palette = room.settings.palette();
        let table = wish.with(|wish| {
            let game = catalog::find(&wish.game).ok()?;
            Some(game.start(&[]).ok()?.table())
        });
        let item = |color: ColorChoice, player: Option<Player>| {
            let token = table.as_ref().zip(player);
            let token = token.map(|(table, player)| token_svg(&table.token(player), palette));
            let item = Item {
                text: room.say(&format!("new.{}", color.name())),
                mark: None,
                token,
            };
            (color.name().to_owned(), item)
        };
        vec![
            item(ColorChoice::First, Some(Player::First)),
            item(ColorChoice::Second, Some(Player::Second)),
            item(ColorChoice::Random, None),
        ]
    };
    let color = move || wish.with(|wish| wish.color.map_or("", ColorChoice::name).to_owned());
    let choose = move |name: String| wish.update(|wish| wish.color = ColorChoice::read(&name));
    view! {
        <Segment
            name="color"
            label=Signal::derive(room.text("new.color"))
            items=Signal::derive(colors)
            value=Signal::derive(color)
            on_choose=Callback::new(choose)
        />
    }
}

/// The time control, and whether the board is turned for the other one of two people.
#[component]
fn ClockChoice(room: Room, wish: RwSignal<Wish>) -> impl IntoView {
    let clock = Memo::new(move |_| wish.with(|wish| wish.clock));
    let item = move |time_control: Option<TimeControl>| {
        let value = time_control.map_or_else(String::new, |clock| clock.to_string());
        let is_chosen = move || clock.get() == time_control;
        view! {
            <option value=value selected=is_chosen>
                {move || control_name(room, time_control)}
            </option>
        }
    };
    let offered = {
        // An address may ask for another one.
        let other = clock.get_untracked();
        let other = other.filter(|other| !OFFERED.contains(other));
        let all = OFFERED.into_iter().chain(other).map(Some);
        std::iter::once(None).chain(all)
    };
    let choose = move |event: ev::Event| {
        let clock = event_target_value(&event).parse().ok();
        wish.update(|wish| wish.clock = clock);
    };
    let has_two_people = move || wish.with(|wish| wish.opponent == PlayerKind::Person);
    let turn = move |event: ev::Event| {
        let is_on = event_target_checked(&event);
        wish.update(|wish| wish.turns_board = is_on);
    };
    view! {
        <div class="fd">
            <label for="clock">{room.text("new.clock")}</label>
            <div class="fld">
                <select id="clock" class="btn" on:change=choose>
                    {offered.map(item).collect_view()}
                </select>
                <Show when=has_two_people>
                    <label class="check">
                        <input
                            id="turn-board"
                            type="checkbox"
                            prop:checked=move || wish.with(|wish| wish.turns_board)
                            on:change=turn
                        />
                        {room.text("new.flip")}
                    </label>
                </Show>
            </div>
        </div>
    }
}

fn set_choice(wish: &mut Wish, name: &str, value: Option<String>) {
    wish.choices.retain(|(given, _)| given != name);
    wish.choices
        .extend(value.map(|value| (name.to_owned(), value)));
}

/// Whether a match can be begun with these choices.
fn is_possible(wish: &Wish) -> bool {
    start(wish).is_ok()
}

/// Drops the choices of the options that come after `name`: they yield to it.
fn drop_later(wish: &mut Wish, name: &str) {
    let options = catalog::find(&wish.game).map_or_else(|_| Vec::new(), |game| game.options());
    let later = options.iter().skip_while(|option| option.name != name);
    for option in later.skip(1) {
        set_choice(wish, option.name, None);
    }
}

/// The value of the option in the form.
fn chosen(wish: RwSignal<Wish>, option: &OptionInfo) -> Signal<String> {
    let (name, default) = (option.name, option.default.clone());
    Signal::derive(move || {
        let choice = wish.with(|wish| wish.choice(name).map(str::to_owned));
        choice.unwrap_or_else(|| default.clone())
    })
}

/// More values than this need several lines.
const MOST_IN_A_LINE: usize = 5;

/// The options of the game that is chosen.
#[component]
pub(crate) fn Options(room: Room, wish: RwSignal<Wish>, game: Memo<String>) -> impl IntoView {
    let option = move |option: OptionInfo| match option.values {
        Values::Words(words) => {
            view! { <WordOption room=room wish=wish option=option words=words /> }.into_any()
        }
        Values::Number => view! { <Number room=room wish=wish option=option /> }.into_any(),
    };
    move || {
        let game = game.with(|game| catalog::find(game).ok());
        game.map(|game| game.options().into_iter().map(option).collect_view())
    }
}

/// A choice among the words of an option. Those that don't go with the choices
/// before it are not offered.
#[component]
fn WordOption(
    room: Room,
    wish: RwSignal<Wish>,
    option: OptionInfo,
    words: &'static [&'static str],
) -> impl IntoView {
    let value = chosen(wish, &option);
    let OptionInfo {
        name,
        label,
        default,
        ..
    } = option;
    let items = move || {
        let phrases = room.settings.words.get();
        let mut earlier = wish.get();
        drop_later(&mut earlier, name);
        let is_offered = |word: &str| {
            let mut other = earlier.clone();
            set_choice(&mut other, name, Some(word.to_owned()));
            is_possible(&other)
        };
        let offered = words.iter().filter(|word| is_offered(word));
        let item = |&word: &&str| {
            let text = phrases.say_value(label, word);
            (word.to_owned(), Item::from(text))
        };
        offered.map(item).collect::<Vec<_>>()
    };
    let choose = move |word: String| {
        wish.update(|wish| {
            set_choice(wish, name, (word != default).then_some(word.clone()));
            if !is_possible(wish) {
                drop_later(wish, name);
            }
        });
    };
    let class = if words.len() > MOST_IN_A_LINE {
        "seg wrap"
    } else {
        "seg"
    };
    view! {
        <Segment
            name=name
            class=class
            label=Signal::derive(room.text(label))
            items=Signal::derive(items)
            value=value
            on_choose=Callback::new(choose)
        />
    }
}

/// A field for a number, with a button that draws another one by lot.
#[component]
fn Number(room: Room, wish: RwSignal<Wish>, option: OptionInfo) -> impl IntoView {
    let value = chosen(wish, &option);
    let OptionInfo { name, label, .. } = option;
    let id = format!("option-{name}");
    let write = move |text: &str| {
        let mut other = wish.get_untracked();
        set_choice(&mut other, name, Some(text.trim().to_owned()));
        if is_possible(&other) {
            wish.set(other);
        }
    };
    let read = move |event: ev::Event| {
        write(&event_target_value(&event));
        // Invalid numbers are replaced by the last valid one.
        event_target::<HtmlInputElement>(&event).set_value(&value.get_untracked());
    };
    let draw = move |_| {
        let game = wish.with_untracked(|wish| catalog::find(&wish.game));
        if let Ok(game) = game {
            write(&chance_number(game).to_string());
        }
    };
    view! {
        <div class="fd">
            <label for=id.clone()>{room.text(label)}</label>
            <div class="fld">
                <input
                    id=id
                    inputmode="numeric"
                    autocomplete="off"
                    prop:value=value
                    on:change=read
                />
                <button type="button" class="btn" on:click=draw>
                    {icon(Icon::Dice)}
                    <span>{room.text("new.another")}</span>
                </button>
            </div>
        </div>
    }
}
