//! Setting up a position.

use leptos::{ev, html, prelude::*};
use rules::Player;
use study::{SetUp, SetUpEvent};
use view::Tool;

use super::Studying;
use crate::{
    icons::{Icon, icon, icon_html},
    room::token_svg,
    segment::{Item, Segment},
    study_route::{Source, StudyRoute},
};

/// Where the lines of the engine are otherwise: tools for changing the position on the
/// board, and the position as text.
#[component]
pub(super) fn SetUpPanel(studying: Studying) -> impl IntoView {
    let room = studying.room;
    let field = NodeRef::<html::Textarea>::new();
    let problem = RwSignal::new(None::<String>);
    let position = Memo::new(move |_| studying.with_set_up(position_of).unwrap_or_default());
    // What was typed is not true any more once the board changes.
    Effect::new(move |_| {
        position.track();
        problem.set(None);
    });
    let done = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let Some(field) = field.get() else {
            return;
        };
        let text = field.value();
        let text = text.trim();
        let address = if text == position.get_untracked() {
            // The position may be one that was reached in the match.
            let start = studying.with_set_up_untracked(SetUp::start).flatten();
            start.map(|start| address(&start.to_link()))
        } else {
            None
        };
        match address.map_or_else(|| read(studying, text), Ok) {
            Ok(address) => {
                let is_same = window().location().hash().as_deref() == Ok(&*address);
                if is_same {
                    studying.set_up(false);
                } else {
                    window().location().set_hash(&address).ok();
                }
            }
            Err(why) => problem.set(Some(why)),
        }
    };
    let refusal = move || {
        let words = room.settings.words.get();
        let refused = studying.with_set_up(|set_up| Some(set_up.refusal()?.say(&words)));
        refused.flatten().or_else(|| problem.get())
    };
    let tools = studying.with_set_up_untracked(SetUp::tools).unwrap_or(&[]);
    let tool = Signal::derive(move || {
        let tool = studying.with_set_up(SetUp::tool).flatten();
        let index = tools.iter().position(|&other| Some(other) == tool);
        index.unwrap_or(0).to_string()
    });
    let choose_tool = Callback::new(move |index: String| {
        let tool = index.parse().ok().and_then(|index: usize| tools.get(index));
        if let Some(&tool) = tool {
            studying.edit(SetUpEvent::Choose(tool));
        }
    });
    let turn = Signal::derive(move || {
        let turn = studying.with_set_up(|set_up| set_up.record().turn());
        turn.map_or_else(String::new, |turn| turn.to_string())
    });
    let choose_turn = Callback::new(move |player: String| {
        let player = Player::BOTH
            .into_iter()
            .find(|other| other.to_string() == player);
        if let Some(player) = player {
            studying.edit(SetUpEvent::Turn(player));
        }
    });
    let can_undo = move || studying.with_set_up(SetUp::can_undo) == Some(true);
    view! {
        <form class="eng setup" on:submit=done>
            <h2>{room.text("study.set-up")}</h2>
            <Segment
                name="tool"
                label=Signal::derive(room.text("study.tool"))
                items=Signal::derive(move || tool_items(studying))
                value=tool
                on_choose=choose_tool
                class="seg tools"
            />
            <Segment
                name="turn"
                label=Signal::derive(room.text("study.turn"))
                items=Signal::derive(move || turn_items(studying))
                value=turn
                on_choose=choose_turn
            />
            <p class="bad" role="alert">{refusal}</p>
            <label for="position">{room.text("study.position")}</label>
            <textarea
                id="position"
                node_ref=field
                rows="3"
                spellcheck="false"
                autocomplete="off"
                prop:value=move || position.get()
            ></textarea>
            <div class="three">
                <button
                    class="btn"
                    type="button"
                    id="set-up-undo"
                    disabled=move || !can_undo()
                    on:click=move |_| studying.edit(SetUpEvent::Undo)
                >
                    {icon(Icon::Undo)}
                    {room.text("do.undo")}
                </button>
                <button
                    class="btn"
                    type="button"
                    id="set-up-cancel"
                    on:click=move |_| studying.set_up(false)
                >
                    {room.text("do.decline")}
                </button>
                <button class="btn pri" id="set-up-done">{room.text("study.done")}</button>
            </div>
        </form>
    }
}

fn position_of(set_up: &SetUp) -> String {
    set_up.record().position()
}

fn address(link: &str) -> String {
    StudyRoute::analysis(Source::Shared(link.to_owned())).to_string()
}

fn tool_items(studying: Studying) -> Vec<(String, Item)> {
    let room = studying.room;
    let items = studying.with_set_up(|set_up| {
        let game = set_up.record().game();
        let item = |(index, tool): (usize, &Tool)| {
            let token = match *tool {
                Tool::Put(player) => {
                    token_svg(&set_up.table().token(player), room.settings.palette())
                }
                Tool::Block => icon_html(Icon::Block),
                Tool::Remove => icon_html(Icon::Close),
                Tool::Move => icon_html(Icon::Move),
            };
            let item = Item {
                text: room.say(&tool.label(game)),
                token: Some(token),
                ..Item::default()
            };
            (index.to_string(), item)
        };
        set_up.tools().iter().enumerate().map(item).collect()
    });
    items.unwrap_or_default()
}

fn turn_items(studying: Studying) -> Vec<(String, Item)> {
    let room = studying.room;
    let items = studying.with_set_up(|set_up| {
        let game = set_up.record().game();
        let item = |player: Player| {
            let token = token_svg(&set_up.table().token(player), room.settings.palette());
            // The tools have the same drawings, and ids are there once.
            let token = token
                .replace("id=\"", "id=\"turn-")
                .replace("url(#", "url(#turn-");
            let item = Item {
                text: room.say(&format!("{game}.{player}")),
                token: Some(token),
                ..Item::default()
            };
            (player.to_string(), item)
        };
        Player::BOTH.map(item).to_vec()
    });
    items.unwrap_or_default()
}

/// The address of the analysis of what `text` is: a position of the same game, the record
/// of a match, or a link.
fn read(studying: Studying, text: &str) -> Result<String, String> {
    let game = studying.with_untracked(|study| study.record().game());
    let record = match catalog::read_shared(text) {
        Err(_) if !text.starts_with("parlour ") => {
            catalog::find(game).and_then(|game| game.start_from(text))
        }
        shared => shared,
    };
    let record = record.map_err(|error| error.to_string())?;
    Ok(address(&record.to_link()))
}
