//! Studying a match: its review, and the analysis board.

mod board;
mod graph;
mod new_analysis;
mod parts;
mod set_up;
mod studying;

use leptos::{ev, prelude::*, task::spawn_local};
use play::{Bot, PlayerKind, library};
use rules::record::NodeId;
use study::{Event, Shown, Study};
use web_sys::HtmlElement;

use self::{
    graph::Graph,
    new_analysis::NewAnalysis,
    set_up::SetUpPanel,
    studying::{Opened, SHOWN, Studying},
};
use crate::{
    app::{SkipLink, find},
    hosted_board::HostedBoard,
    html::Html,
    icons::{Icon, Wordmark, icon, mark},
    moves::{TypedMove, scroll_to_current},
    nav::QuickSettings,
    room::{BadAddress, Jump, Room},
    route::shared_match_address,
    segment::{Item, Segment},
    study_route::{Source, StudyRoute},
    timer::breathe,
};

/// The number of stored matches that are compared with another in one task.
const N_COMPARED: usize = 8;

/// The screen: what the address asks for, once it has been read.
#[component]
pub(crate) fn StudyScreen(room: Room) -> impl IntoView {
    let number = StoredValue::new(0);
    let opened = RwSignal::new_local(None::<Result<Studying, BadAddress>>);
    let owner = Owner::current();
    Effect::new(move |_| {
        let route = room.study.get();
        number.update_value(|number| *number += 1);
        let n = number.get_value();
        let owner = owner.clone();
        spawn_local(async move {
            let read = open(room, &route).await;
            // Each step is a task of its own, as none is to take long.
            breathe().await;
            // Somebody may have gone elsewhere meanwhile.
            let is_wanted = || number.try_get_value() == Some(n);
            if !is_wanted() {
                return;
            }
            let begin = || read.map(|opened| Studying::new(room, opened, &route, n));
            let studying = match &owner {
                Some(owner) => owner.with(begin),
                None => begin(),
            };
            breathe().await;
            if is_wanted() {
                opened.try_set(Some(studying));
            }
        });
    });
    move || match opened.get() {
        None => view! { <main class="app" aria-busy="true"></main> }.into_any(),
        Some(Ok(studying)) => view! { <StudyView studying=studying /> }.into_any(),
        Some(Err(problem)) => {
            room.fail(problem);
            ().into_any()
        }
    }
}

async fn open(room: Room, route: &StudyRoute) -> Result<Opened, BadAddress> {
    match &route.source {
        Source::Saved(id) => {
            let text = room
                .driver
                .shelf
                .read(id)
                .await
                .ok_or(BadAddress::Missing)?;
            Opened::of_saved(id.clone(), &text).map_err(BadAddress::Damaged)
        }
        Source::Shared(link) => {
            let opened = Opened::of_link(link).map_err(|_| BadAddress::Shared)?;
            // A review stores the match: a second visit finds it, with what is known of it.
            let known = match route.is_analysis {
                true => None,
                false => find_stored(room, &opened).await,
            };
            Ok(known.unwrap_or(opened))
        }
        Source::Game(game) => Opened::of_game(game, &route.choices).map_err(|_| BadAddress::Link),
    }
}

/// The stored match with this record, if there is one.
async fn find_stored(room: Room, opened: &Opened) -> Option<Opened> {
    let entries = room.driver.shelf.read_all().await.into_iter();
    for (index, entry) in entries.enumerate() {
        // No task is to take long.
        if index % N_COMPARED == 0 {
            breathe().await;
        }
        if let Ok(saved) = entry.saved
            && library::contains(&saved, &*opened.record)
        {
            return Opened::of_stored(entry.id, saved).ok();
        }
    }
    None
}

#[component]
fn StudyView(studying: Studying) -> impl IntoView {
    let room = studying.room;
    let game = studying.with_untracked(|study| study.record().game());
    studying.listen_to_keys();
    let is_analysis = studying.is_analysis;
    let is_setting_up = studying.is_setting_up;
    let on_do = Callback::new(move |command: String| obey(studying, &command));
    let part = move |f: fn(Studying) -> String| Signal::derive(move || f(studying));
    let name = move || {
        let kind = if is_analysis.get() {
            "study.analysis"
        } else {
            "study.review"
        };
        room.say(kind)
    };
    // The move that is looked at is in sight.
    Effect::new(move |_| {
        studying.with(|_| ());
        request_animation_frame(|| {
            if let Some(list) = find("#study-moves") {
                scroll_to_current(&list);
            }
        });
    });
    // What is beside the board comes after it, and then what is below, so that no task takes
    // long.
    let n_stages = RwSignal::new(0);
    spawn_local(async move {
        for n in 1..=2 {
            breathe().await;
            n_stages.try_set(n);
        }
    });
    let has_side = Memo::new(move |_| n_stages.get() >= 1);
    let has_foot = Memo::new(move |_| n_stages.get() >= 2);
    view! {
        <SkipLink room=room text="site.skip" to=".mirror [tabindex='0']" />
        <div
            class="app study"
            class:analysis=move || is_analysis.get()
            class:setting=move || is_setting_up.get()
            data-game=game
            data-judged=move || studying.with(|study| study.review().n_judged().to_string())
            data-depth=move || {
                studying
                    .with_lines(|study| study.lines().first().map_or(0, |line| line.depth))
                    .to_string()
            }
        >
            <nav class="nav" aria-label=room.text("site.games")>
                <a class="brand" href="#/" aria-label=room.text("site.home")><Wordmark /></a>
                <Html class="slot" html=part(parts::games) />
                <Html class="acts-col" html=part(parts::actions) on_do=on_do />
                <div class="ft"><QuickSettings room=room /></div>
            </nav>
            <header class="top">
                <a class="ib" href=move || back_address(studying) aria-label=room.text("study.back")>
                    {icon(Icon::Back)}
                </a>
                <div class="title">
                    {catalog::find(game).ok().map(|game| mark(game.presentation().mark))}
                    {name}
                    {move || {
                        let result = parts::result(studying).filter(|_| !is_analysis.get());
                        result.map(|(_, result)| view! { <span class="chip">{result}</span> })
                    }}
                </div>
                {move || {
                    if is_analysis.get() {
                        view! { <Menu studying=studying /> }.into_any()
                    } else {
                        view! {
                            <button
                                class="ib"
                                aria-label=room.text("share.title")
                                on:click=move |_| obey(studying, "share")
                            >
                                {icon(Icon::Share)}
                            </button>
                        }
                        .into_any()
                    }
                }}
            </header>
            <main class="middle">
                <h1 class="sr">{name}</h1>
                <HostedBoard hosted=studying />
                {move || {
                    has_foot
                        .get()
                        .then(|| {
                            if is_analysis.get() {
                                view! { <UnderBoard studying=studying /> }.into_any()
                            } else {
                                view! { <Graph studying=studying /> }.into_any()
                            }
                        })
                }}
            </main>
            <aside class="side">
                {move || has_side.get().then(|| view! { <Side studying=studying /> })}
            </aside>
        </div>
        <Show when=move || studying.is_choosing.get()>
            <NewAnalysis studying=studying />
        </Show>
    }
}

/// The panel beside the board: the review or the engine, the moves, and what can be done.
#[component]
fn Side(studying: Studying) -> impl IntoView {
    let room = studying.room;
    let (is_analysis, is_setting_up) = (studying.is_analysis, studying.is_setting_up);
    let on_do = Callback::new(move |command: String| obey(studying, &command));
    let part = move |f: fn(Studying) -> String| Signal::derive(move || f(studying));
    view! {
        {move || {
            if is_setting_up.get() {
                view! { <SetUpPanel studying=studying /> }.into_any()
            } else if is_analysis.get() {
                view! { <EnginePanel studying=studying /> }.into_any()
            } else {
                view! {
                    <Html class="accs" html=part(parts::cards) />
                    <Html class="progress" role="status" html=part(parts::progress) on_do=on_do />
                    <Html class="points" html=part(parts::points) on_do=on_do />
                    <Html class="notes" role="status" html=part(parts::note) on_do=on_do />
                }
                .into_any()
            }
        }}
        <section class="mv" aria-label=room.text("moves.title")>
            <Html class="list" html=part(parts::moves) on_do=on_do />
            <Html class="tree" html=part(parts::tree_actions) on_do=on_do />
            <Show when=move || is_analysis.get()>
                <Typed studying=studying />
            </Show>
        </section>
        <Show when=move || is_analysis.get()>
            <CommentField studying=studying />
        </Show>
        <Html class="phone-acts" html=part(parts::phone_actions) on_do=on_do />
        <Html class="hist" html=part(parts::history) on_do=on_do />
    }
}

/// The menu of small screens, behind a button of the top bar.
#[component]
fn Menu(studying: Studying) -> impl IntoView {
    let room = studying.room;
    let on_do = Callback::new(move |command: String| obey(studying, &command));
    view! {
        <button class="ib" id="more" aria-label=room.text("set.more") popovertarget=parts::MENU>
            {icon(Icon::More)}
        </button>
        <div class="menu" id=parts::MENU popover="auto">
            <Html class="items" html=Signal::derive(move || parts::menu(studying)) on_do=on_do />
        </div>
    }
}

/// Where somebody who has studied enough goes back to.
fn back_address(studying: Studying) -> String {
    match studying.source() {
        Source::Saved(id) => crate::route::saved_address(&id, studying.is_fast),
        _ => "#/".to_owned(),
    }
}

/// Does what a button says.
fn obey(studying: Studying, command: &str) {
    let (word, rest) = command.split_once(' ').unwrap_or((command, ""));
    match word {
        "go" => {
            if let Some(node) = node_at(studying, rest) {
                studying.dispatch(Event::GoTo(node));
            }
        }
        "better" => better(studying, rest),
        "line" => line(studying, rest),
        "jump-first" => studying.jump(Jump::First),
        "jump-back" => studying.jump(Jump::Back),
        "jump-forward" => studying.jump(Jump::Forward),
        "jump-last" => studying.jump(Jump::Last),
        "next-point" => {
            if let Some(node) = untrack(|| parts::next_point(studying)) {
                studying.dispatch(Event::GoTo(node));
            }
        }
        "cycle" => {
            let shown = studying.shown.get_untracked();
            let index = SHOWN.iter().position(|(_, other)| *other == shown);
            let (_, next) = SHOWN[index.map_or(0, |index| (index + 1) % SHOWN.len())];
            studying.show(next);
        }
        "pass" => studying.dispatch(Event::Activate("pass".to_owned())),
        "stop" => studying.dispatch(Event::Review(false)),
        "continue" if !studying.is_off_limits.get_untracked() => {
            studying.dispatch(Event::Review(true));
        }
        "learn" => {
            let nodes = untrack(|| parts::mistakes(studying))
                .iter()
                .map(|m| m.node)
                .collect();
            studying.dispatch(Event::Practice(nodes));
        }
        "task-show" => studying.dispatch(Event::ShowAnswer),
        "task-again" => studying.dispatch(Event::TryAgain),
        "task-next" => studying.dispatch(Event::NextTask),
        "task-end" => studying.dispatch(Event::EndPractice),
        "analysis" => studying.show_analysis(true),
        "review" => studying.show_analysis(false),
        "share" => studying.share(),
        "set-up" => {
            let is_on = !studying.is_setting_up.get_untracked();
            studying.set_up(is_on);
        }
        "new-analysis" => studying.is_choosing.set(true),
        // On small screens the fields are to be seen as long as they have the focus.
        "type" => focus("#typed"),
        "write" => focus("#comment"),
        "promote" => studying.dispatch(Event::Promote),
        "delete" => {
            studying.dispatch(Event::Delete);
            // The button may be gone with the move.
            request_animation_frame(focus_moves);
        }
        "restore" => studying.dispatch(Event::Restore),
        "play-here" => play_here(studying),
        _ => {}
    }
}

fn focus(selector: &str) {
    if let Some(element) = crate::app::find(selector) {
        element.focus().ok();
    }
}

/// Gives the focus to the list of moves, if nothing has it.
fn focus_moves() {
    let has_focus = document()
        .active_element()
        .is_some_and(|focused| focused.tag_name() != "BODY");
    if !has_focus {
        focus("#study-moves");
    }
}

/// The node with this number.
fn node_at(studying: Studying, number: &str) -> Option<NodeId> {
    let number: usize = number.parse().ok()?;
    studying.with_untracked(|study| study.node(number))
}

/// Looks at the review's better line after some of its moves.
fn better(studying: Studying, words: &str) {
    let Some((from, n_shown)) = words.split_once(' ') else {
        return;
    };
    let (from, n_shown) = (node_at(studying, from), n_shown.parse().unwrap_or(1));
    let moves = from.and_then(|from| {
        studying.with_untracked(|study| Some(study.review().assessment_at(from)?.line.clone()))
    });
    if let (Some(from), Some(moves)) = (from, moves) {
        let moves = moves.into_iter().take(n_shown).collect();
        studying.dispatch(Event::Follow {
            from,
            moves,
            n_shown,
        });
    }
}

/// Plays the first move of a line of the engine.
fn line(studying: Studying, number: &str) {
    let number: usize = number.parse().unwrap_or(0);
    let found = studying.with_untracked(|study| {
        let m = study.lines().get(number)?.moves.first()?.clone();
        Some((study.record().cursor(), m))
    });
    if let Some((from, m)) = found {
        let moves = vec![m];
        studying.dispatch(Event::Follow {
            from,
            moves,
            n_shown: 1,
        });
    }
}

/// Begins a match from the position that is looked at, against the opponent of the match.
fn play_here(studying: Studying) {
    let seats = studying.seats.get_value();
    let bot = seats.and_then(|seats| {
        [seats.first, seats.second]
            .into_iter()
            .find(|&seat| seat != PlayerKind::Person)
    });
    let opponent = bot.unwrap_or(PlayerKind::Bot(Bot::Level(3)));
    let found = studying.with_untracked(|study| {
        let record = study.record();
        let game = catalog::find(record.game()).ok()?;
        let from = game.start_from(&record.position()).ok()?;
        Some((from.to_link(), record.turn()))
    });
    if let Some((link, turn)) = found {
        let address = shared_match_address(&link, opponent, turn);
        window().location().set_hash(&address).ok();
    }
}

/// The value of the position, and what the board shows of it.
#[component]
fn UnderBoard(studying: Studying) -> impl IntoView {
    let room = studying.room;
    let name_of = |shown: Shown| {
        let found = SHOWN.iter().find(|(_, other)| *other == shown);
        found.map_or("all", |(name, _)| name).to_owned()
    };
    let chosen = Signal::derive(move || name_of(studying.shown.get()));
    let items = Signal::derive(move || {
        SHOWN
            .iter()
            .map(|(name, _)| {
                let text = room.say(&format!("study.shown.{name}"));
                let item = Item {
                    text,
                    ..Item::default()
                };
                ((*name).to_owned(), item)
            })
            .collect::<Vec<_>>()
    });
    let choose = Callback::new(move |name: String| {
        if let Some(&(_, shown)) = SHOWN.iter().find(|(other, _)| *other == name) {
            studying.show(shown);
        }
    });
    view! {
        <div class="under">
            <Html class="ev" html=Signal::derive(move || parts::verdict(studying)) />
            <div class="row">
                <span>{room.text("study.on-board")}</span>
                <Segment name="shown" label=Signal::derive(room.text("study.on-board")) items=items value=chosen on_choose=choose />
            </div>
            <Html class="cap" role="status" html=Signal::derive(move || parts::caption(studying)) />
        </div>
    }
}

/// The engine: whether it is on, how many lines, and what it finds.
#[component]
fn EnginePanel(studying: Studying) -> impl IntoView {
    let room = studying.room;
    let on_do = Callback::new(move |command: String| obey(studying, &command));
    let n_lines = studying.n_shown_lines();
    let choose = move |event: ev::Event| {
        let n_lines = event_target_value(&event).parse().unwrap_or(3);
        studying.set_lines(n_lines);
    };
    view! {
        <section class="eng" aria-label=room.text("study.engine")>
            <div class="hd">
                <label class="sr" for="lines">{room.text("study.lines")}</label>
                <select id="lines" on:change=choose prop:value=move || n_lines.get().to_string()>
                    {(1..=study::MOST_LINES)
                        .map(|n| {
                            view! {
                                <option value=n.to_string() selected=move || n_lines.get() == n>
                                    {move || room.say_with("study.n-lines", &[("n", &n)])}
                                </option>
                            }
                        })
                        .collect_view()}
                </select>
                <button
                    class="ib"
                    id="draw"
                    class:on=move || studying.with(Study::is_drawing)
                    aria-pressed=move || studying.with(Study::is_drawing).to_string()
                    title=room.text("study.draw")
                    aria-label=room.text("study.draw")
                    on:click=move |_| {
                        let is_on = studying.with_untracked(Study::is_drawing);
                        studying.dispatch(Event::Draw(!is_on));
                    }
                >
                    {icon(Icon::Arrow)}
                </button>
                <button
                    class="ib"
                    id="threat"
                    class:on=move || studying.with(Study::shows_threat)
                    aria-pressed=move || studying.with(Study::shows_threat).to_string()
                    title=room.text("study.threat")
                    aria-label=room.text("study.threat")
                    on:click=move |_| studying.toggle_threat()
                >
                    {icon(Icon::Threat)}
                </button>
                <input
                    class="sw"
                    type="checkbox"
                    role="switch"
                    id="engine"
                    aria-label=room.text("study.engine")
                    disabled=move || studying.is_off_limits.get()
                    prop:checked=move || studying.with(Study::is_engine_on)
                    on:change=move |_| studying.toggle_engine()
                />
            </div>
            <Html class="lines" html=Signal::derive(move || parts::lines(studying)) on_do=on_do />
        </section>
    }
}

/// The field for moves to try.
#[component]
fn Typed(studying: Studying) -> impl IntoView {
    let play = Callback::new(move |text| {
        let place = |study: &Study| study.record().cursor();
        let before = studying.with_untracked(place);
        studying.dispatch(Event::Typed(text));
        studying.with_untracked(place) != before
    });
    view! { <TypedMove room=studying.room bad=studying.misread.into() play=play /> }
}

/// The comment on the position.
#[component]
fn CommentField(studying: Studying) -> impl IntoView {
    let room = studying.room;
    let comment = Memo::new(move |_| studying.with(|study| study.comment().to_owned()));
    view! {
        <input
            class="comment"
            id="comment"
            maxlength="400"
            placeholder=room.text("study.comment")
            aria-label=room.text("study.comment")
            prop:value=move || comment.get()
            enterkeyhint="done"
            on:keydown=move |event: ev::KeyboardEvent| {
                // What was written counts from then on.
                if event.key() == "Enter" && !event.is_composing() {
                    event_target::<HtmlElement>(&event).blur().ok();
                }
            }
            on:change=move |event| {
                let text = event_target_value(&event);
                studying.dispatch(Event::Comment(text));
            }
        />
    }
}
