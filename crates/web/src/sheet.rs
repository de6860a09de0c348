//! The sheet for a new game.

use catalog::{AnyMatch, CatalogError};
use leptos::{ev, prelude::*};
use rules::{Player, Values};
use web_sys::HtmlInputElement;

use crate::{
    device::chance_board,
    dialog::Dialog,
    icons::{Icon, icon},
    miniature::Preview,
    nav::{mode_name, ordinary},
    room::{Room, token_svg},
    route::{Color, Opponent, Wish},
    segment::{Item, Segment},
};

/// The level that is offered first.
const FIRST_LEVEL: u8 = 3;

/// The sheet for a new game.
#[component]
pub(crate) fn Sheet(
    room: Room,
    /// What is chosen at first.
    wish: Wish,
) -> impl IntoView {
    let wish = RwSignal::new(wish);
    let close = move || room.sheet.set(None);
    let begin = move || {
        let wish = wish.get_untracked();
        close();
        room.go(&wish);
    };
    let game = Memo::new(move |_| wish.with(|wish| wish.game.clone()));
    let record = Signal::derive_local(move || wish.with(|wish| start(wish).ok()));
    view! {
        <Dialog class="sheet" label="sheet-title" on_close=Callback::new(move |()| close())>
            <div class="cols" data-game=move || game.get()>
                <div class="pv"><Preview room=room record=record /></div>
                <form on:submit=move |event: ev::SubmitEvent| {
                    event.prevent_default();
                    begin();
                }>
                    <h2 id="sheet-title">{room.text("new.title")}</h2>
                    <Games room=room wish=wish />
                    <Opponents room=room wish=wish />
                    {move || {
                        game.with(|game| catalog::find(game).ok())
                            .map(|game| {
                                let options = game.options().into_iter();
                                options
                                    .map(|option| match option.values {
                                        Values::Words(words) => {
                                            view! { <Words room=room wish=wish name=option.name words=words default=option.default /> }
                                                .into_any()
                                        }
                                        Values::Number => {
                                            view! { <Number room=room wish=wish name=option.name default=option.default /> }
                                                .into_any()
                                        }
                                    })
                                    .collect_view()
                            })
                    }}
                    <div class="go">
                        <button type="button" class="btn" on:click=move |_| close()>{room.text("new.cancel")}</button>
                        <button class="btn pri" id="start">{room.text("new.start")}</button>
                    </div>
                </form>
            </div>
        </Dialog>
    }
}

fn start(wish: &Wish) -> Result<Box<dyn AnyMatch>, CatalogError> {
    catalog::find(&wish.game)?.start(&wish.choice_texts())
}

#[component]
fn Games(room: Room, wish: RwSignal<Wish>) -> impl IntoView {
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
                ..ordinary(game, wish.opponent, chance_board(game))
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
            Opponent::Level(_) => "levels".to_owned(),
            opponent => opponent.name(),
        })
    };
    let choose = move |kind: String| {
        wish.update(|wish| {
            wish.opponent = match kind.as_str() {
                "classic" => Opponent::Classic,
                "levels" => Opponent::Level(FIRST_LEVEL),
                "perfect" => Opponent::Perfect,
                _ => Opponent::Human,
            };
        });
    };
    let is_machine = move || wish.with(|wish| wish.opponent != Opponent::Human);
    let has_levels = move || wish.with(|wish| matches!(wish.opponent, Opponent::Level(_)));
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
        (1..=Opponent::TOP_LEVEL).map(level).collect::<Vec<_>>()
    };
    let level = move || {
        wish.with(|wish| match wish.opponent {
            Opponent::Level(level) => level.to_string(),
            _ => String::new(),
        })
    };
    let choose = move |level: String| {
        wish.update(|wish| {
            wish.opponent = level.parse().map_or(wish.opponent, Opponent::Level);
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
    }
}

/// The colors, each with its piece.
#[component]
fn Colors(room: Room, wish: RwSignal<Wish>) -> impl IntoView {
    let colors = move || {
        let theme = room.settings.theme();
        let table = wish.with(|wish| {
            let game = catalog::find(&wish.game).ok()?;
            Some(game.start(&[]).ok()?.table())
        });
        let item = |color: Color, player: Option<Player>| {
            let token = table.as_ref().zip(player);
            let token = token.map(|(table, player)| token_svg(&table.token(player), theme));
            let item = Item {
                text: room.say(&format!("new.{}", color.name())),
                mark: None,
                token,
            };
            (color.name().to_owned(), item)
        };
        vec![
            item(Color::First, Some(Player::First)),
            item(Color::Second, Some(Player::Second)),
            item(Color::Random, None),
        ]
    };
    let color = move || wish.with(|wish| wish.color.map_or("", Color::name).to_owned());
    let choose = move |name: String| wish.update(|wish| wish.color = Color::read(&name));
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

fn set_choice(wish: &mut Wish, name: &str, value: Option<String>) {
    wish.choices.retain(|(given, _)| given != name);
    wish.choices
        .extend(value.map(|value| (name.to_owned(), value)));
}

/// Whether a match can be begun with these choices.
fn is_possible(wish: &Wish) -> bool {
    start(wish).is_ok()
}

/// A choice among the words of an option. Those that don't go with the other
/// choices are left out.
#[component]
fn Words(
    room: Room,
    wish: RwSignal<Wish>,
    name: &'static str,
    words: &'static [&'static str],
    default: String,
) -> impl IntoView {
    let items = move || {
        let wish = wish.get();
        let offered = words.iter().filter(|&&word| {
            let mut other = wish.clone();
            set_choice(&mut other, name, Some(word.to_owned()));
            // Another size may still bring its own modes.
            name != "mode" || is_possible(&other)
        });
        let item = |word: &&'static str| {
            let text = match name {
                "variant" => room.say(&format!("{}.variant.{word}", wish.game)),
                "mode" => mode_name(room, word),
                _ => (*word).to_owned(),
            };
            ((*word).to_owned(), Item::from(text))
        };
        offered.map(item).collect::<Vec<_>>()
    };
    let fallback = default.clone();
    let value = move || {
        wish.with(|wish| {
            wish.choice(name)
                .map_or_else(|| fallback.clone(), str::to_owned)
        })
    };
    let choose = move |word: String| {
        wish.update(|wish| {
            set_choice(wish, name, (word != default).then_some(word.clone()));
            // What the new choice excludes is left to the game.
            if !is_possible(wish) {
                wish.choices.retain(|(given, _)| given == name);
            }
        });
    };
    let label = match name {
        "variant" => "new.variant",
        "size" => "new.size",
        _ => "new.mode",
    };
    let class = if name == "mode" { "seg wrap" } else { "seg" };
    view! {
        <Segment
            name=name
            class=class
            label=Signal::derive(room.text(label))
            items=Signal::derive(items)
            value=Signal::derive(value)
            on_choose=Callback::new(choose)
        />
    }
}

#[component]
fn Number(room: Room, wish: RwSignal<Wish>, name: &'static str, default: String) -> impl IntoView {
    let value = Signal::derive(move || {
        wish.with(|wish| {
            wish.choice(name)
                .map_or_else(|| default.clone(), str::to_owned)
        })
    });
    let write = move |text: &str| {
        let mut other = wish.get_untracked();
        set_choice(&mut other, name, Some(text.trim().to_owned()));
        if is_possible(&other) {
            wish.set(other);
        }
    };
    let read = move |event: ev::Event| {
        write(&event_target_value(&event));
        // What is no number gives way to what was there.
        event_target::<HtmlInputElement>(&event).set_value(&value.get_untracked());
    };
    view! {
        <div class="fd">
            <label for="number">{room.text("new.board")}</label>
            <div class="fld">
                <input
                    id="number"
                    inputmode="numeric"
                    autocomplete="off"
                    prop:value=value
                    on:change=read
                />
                <button
                    type="button"
                    class="btn"
                    on:click=move |_| {
                        let game = wish.with_untracked(|wish| catalog::find(&wish.game));
                        if let Ok(game) = game {
                            write(&chance_board(game).to_string());
                        }
                    }
                >
                    {icon(Icon::Dice)}
                    <span>{room.text("new.another")}</span>
                </button>
            </div>
        </div>
    }
}
