//! The panel right of the board: players, status, moves, controls.

use leptos::prelude::*;
use play::{Event, PlayerKind, RefusedInput};
use rules::Player;
use view::{Look, Point, Rect, Steps, decimal};
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent, PointerEventInit};

use crate::{
    board::pointers::{is_finger, place},
    choices::Announce,
    clock::{Clock, LowTime},
    controls::Controls,
    driver::Stage,
    gesture::slack,
    history::{History, Past},
    html::escaped,
    lazy::{Lazy, Part},
    learn::LessonOffer,
    moves::Moves,
    result::ResultCard,
    room::Room,
    session::MatchSession,
    study_route::{Source, StudyRoute},
};

/// The name of a count as HTML. A press explains it where that is needed.
fn term(room: Room, name: &str, player: Player) -> String {
    let what = format!("{name}.what");
    let text = escaped(&room.say(name));
    if !room.settings.words.with(|words| words.has(&what)) {
        return text;
    }
    let id = format!("{what}-{player}");
    let what = escaped(&room.say(&what));
    format!(
        "<button class='term' popovertarget='{id}'>{text}</button><span class='menu what' id='{id}' popover>{what}</span>"
    )
}

/// The right column.
#[component]
pub(crate) fn Panel(room: Room) -> impl IntoView {
    let near = room.near;
    let is_over = Memo::new(move |_| room.driver.outcome().is_some());
    let is_past =
        Memo::new(move |_| room.with_session(|session| session.sitting.is_looking_back()));
    let is_online = Memo::new(move |_| room.with_session(|session| session.online.is_some()));
    view! {
        <aside class="side">
            {move || view! { <Card room=room player=!near.get() is_near=false /> }}
            <BoardShares room=room />
            {move || {
                if is_past.get() {
                    view! { <Past room=room /> }.into_any()
                } else if is_online.get() {
                    view! { <Lazy room=room part=Part::OnlinePanel /> }.into_any()
                } else if is_over.get() {
                    view! { <ResultCard room=room /> }.into_any()
                } else {
                    view! { <Message room=room /> }.into_any()
                }
            }}
            <Show when=move || !is_online.get()>
                <LessonOffer room=room />
            </Show>
            <Moves room=room />
            <History room=room />
            {move || {
                if is_online.get() {
                    view! { <Lazy room=room part=Part::OnlineControls /> }.into_any()
                } else {
                    view! { <Controls room=room /> }.into_any()
                }
            }}
            {move || view! { <Card room=room player=near.get() is_near=true /> }}
            <LowTime room=room />
            <p class="sr" aria-live="assertive">{move || announcement(room)}</p>
        </aside>
    }
}

/// The announcement of the last move for screen readers.
fn announcement(room: Room) -> String {
    let words = room.settings.words.get();
    let announce = room.settings.announce.get();
    let text = room.with_session(|session| match announce {
        Announce::Off => None,
        Announce::Brief => session.table().notation(),
        Announce::Full => session.table().tale(&words),
    });
    text.unwrap_or_default()
}

#[component]
fn Card(room: Room, player: Player, is_near: bool) -> impl IntoView {
    let stage = move || room.driver.stage();
    let is_on = move || {
        let is_playing = !matches!(stage(), None | Some(Stage::Over(_) | Stage::Lots));
        let is_turn = |session: &MatchSession| {
            session.record().turn() == player && !session.sitting.is_called_off()
        };
        is_playing && room.with_session(is_turn)
    };
    let is_online = move || room.with_session(|session| session.online.is_some());
    let is_thinking = move || is_on() && stage() == Some(Stage::Thinking);
    // The session changes several times in a move, and these seldom.
    let token = Memo::new(move |_| room.token(player));
    let side = Memo::new(move |_| room.with_session(|session| session.table().side(player)));
    let side = move || side.get();
    let counts = move || {
        let counts = side().counts.into_iter();
        counts
            .map(|(name, n)| {
                let n = n.to_string().replace('-', "−");
                let html = format!("{} <b>{n}</b>", term(room, name, player));
                view! { <span class="ct-n" inner_html=html></span> }
            })
            .collect_view()
    };
    let is_open = Memo::new(move |_| {
        stage() == Some(Stage::Waiting)
            && room.with_session(|session| {
                session.sitting.may_act() && session.record().turn() == player
            })
    });
    let holding = move || {
        side().holding.map(|(n, of)| {
            let label = room.say_with("seat.held", &[("n", &n)]);
            let tokens = (0..of)
                .map(|index| {
                    if index < n {
                        view! { <span class="tk" inner_html=token.get()></span> }.into_any()
                    } else {
                        view! { <span class="tk gone"></span> }.into_any()
                    }
                })
                .collect_view();
            match side().entry.filter(|_| n > 0 && is_open.get()) {
                Some(entry) => {
                    let dragged = entry.clone();
                    let activate = move |_| room.driver.dispatch(Event::Activate(entry.clone()));
                    let pressed = StoredValue::new(None::<Point>);
                    let press = move |event: PointerEvent| {
                        // A mouse that is fast leaves the button between two events.
                        if let Some(button) = event.current_target() {
                            let button: Element = button.unchecked_into();
                            button.set_pointer_capture(event.pointer_id()).ok();
                        }
                        pressed.set_value(Some(place(&event)));
                    };
                    let drag = move |event: PointerEvent| {
                        let start = pressed.get_value().filter(|_| event.buttons() != 0);
                        let least = slack(is_finger(&event));
                        if start.is_some_and(|start| start.distance(place(&event)) > least) {
                            pressed.set_value(None);
                            drag_in(&dragged, &event);
                        }
                    };
                    view! {
                        <button
                            class="hold"
                            aria-label=label
                            on:click=activate
                            on:pointerdown=press
                            on:pointermove=drag
                        >
                            {tokens}
                        </button>
                    }
                    .into_any()
                }
                None => view! { <span class="hold" role="img" aria-label=label>{tokens}</span> }
                    .into_any(),
            }
        })
    };
    view! {
        <section
            class="pc"
            class:p1=player == Player::First
            class:p2=player == Player::Second
            class:you=is_near
            class:on=is_on
        >
            <div class="nm">
                <span class="pi" inner_html=move || token.get()></span>
                <b>
                    {move || {
                        match stage() {
                            // Nobody knows yet.
                            Some(Stage::Lots) => "…".to_owned(),
                            _ => room.with_session(|session| room.seat_name(session, player)),
                        }
                    }}
                </b>
                <Show when=is_online>
                    <Lazy room=room part=Part::OnlineSeat(player) />
                </Show>
                <span class="sp"></span>
                <Show when=move || is_on() && stage() != Some(Stage::Moving)>
                    <span class="chip">
                        {move || room.say(if is_thinking() { "seat.thinking" } else { "seat.to-move" })}
                        <Show when=is_thinking>
                            <span class="dots"><i></i><i></i><i></i></span>
                        </Show>
                    </span>
                </Show>
            </div>
            <div class="ex">
                {holding}
                <Show when=move || side().holding.is_none() && side().counts.len() < 2>
                    <span class="long">
                        {move || {
                            let game = room.with_session(|session| session.wish.game.clone());
                            room.say(&format!("{game}.{player}.long"))
                        }}
                    </span>
                </Show>
                <span class="sp"></span>
                {counts}
                <Clock room=room player=player />
            </div>
            <Show when=is_thinking>
                <i
                    class="hair"
                    style:width=move || {
                        format!("{}%", room.driver.progress.get() / 10)
                    }
                ></i>
            </Show>
        </section>
    }
}

/// A pointer drags a piece from the hand: on the board that is the same as a drag
/// from the target that pieces come in by.
fn drag_in(entry: &str, event: &PointerEvent) {
    let find = |selector: &str| document().query_selector(selector).ok().flatten();
    let target = find(&format!(".mirror [data-target=\"{entry}\"]"));
    let (Some(target), Some(canvas)) = (target, find(".board canvas")) else {
        return;
    };
    let rect = target.get_bounding_client_rect();
    let init = PointerEventInit::new();
    init.set_pointer_id(event.pointer_id());
    init.set_pointer_type(&event.pointer_type());
    init.set_is_primary(true);
    init.set_buttons(1);
    init.set_client_x((rect.left() + rect.width() / 2.0) as i32);
    init.set_client_y((rect.top() + rect.height() / 2.0) as i32);
    if let Ok(press) = PointerEvent::new_with_event_init_dict("pointerdown", &init) {
        // The canvas captures the pointer, so that what follows happens there.
        canvas.dispatch_event(&press).ok();
    }
}

/// The shares of the board, where a game has them.
#[component]
fn BoardShares(room: Room) -> impl IntoView {
    let share = move |player| room.with_session(|session| session.table().side(player).share);
    let width =
        move |player| move || decimal(f64::from(share(player).unwrap_or(0)) / 10.0, 1) + "%";
    view! {
        <Show when=move || share(Player::First).is_some()>
            <div class="bar" aria-hidden="true">
                <i class="b1" style:width=width(Player::First)></i>
                <i class="sp"></i>
                <i class="b2" style:width=width(Player::Second)></i>
            </div>
        </Show>
    }
}

/// Plays the move that waits.
fn confirm(room: Room) {
    if let Some(id) = room.pending.get_untracked() {
        room.pending.set(None);
        room.driver.dispatch(Event::Activate(id));
    }
}

/// Who made the last move.
fn moved(room: Room, session: &MatchSession) -> String {
    let record = session.record();
    let before = record.ancestors(record.cursor()).first().copied();
    let Some(mover) = before.and_then(|node| record.turn_at(node)) else {
        return String::new();
    };
    if session.sitting.person() == Some(mover) {
        return room.say("state.moved.you");
    }
    let who = room.seat_name(session, mover);
    room.say_with("state.moved", &[("who", &who)])
}

/// Whose turn it is, and what can be done.
#[component]
pub(crate) fn Message(room: Room) -> impl IntoView {
    let stage = move || room.driver.stage();
    let heading = move || {
        let stage = stage();
        room.with_session(|session| {
            let turn = session.record().turn();
            let who = room.seat_name(session, turn);
            let is_person = session.sitting.seats()[turn] == PlayerKind::Person;
            match stage {
                Some(Stage::Lots) => room.say("state.lots"),
                Some(Stage::Moving) => moved(room, session),
                Some(Stage::Thinking) => room.say_with("state.thinking", &[("who", &who)]),
                _ if is_person && session.sitting.person().is_some() => room.say("state.turn"),
                _ => room.say_with("state.turn.of", &[("who", &who)]),
            }
        })
    };
    let detail = move || {
        let words = room.settings.words.get();
        let hover = room.hover.get();
        let stage = stage();
        let refusal = room.driver.refusal.get();
        room.with_session(|session| {
            if let Some(RefusedInput::Target(id)) = &refusal
                && let Some(why) = session.table().refusal(id, &words)
            {
                return why;
            }
            match stage {
                None | Some(Stage::Lots) => String::new(),
                Some(Stage::Stalled) => room.say("bad.worker"),
                Some(Stage::Waiting) => {
                    let look = Look {
                        hover: hover.as_deref(),
                        is_locked: !session.sitting.may_act(),
                        ..Look::new(&words)
                    };
                    session.table().advice(&look)
                }
                _ => session.table().tale(&words).unwrap_or_default(),
            }
        })
    };
    // What the opponent did stays in sight until the next move.
    let tale = move || {
        let words = room.settings.words.get();
        let tale = room.with_session(|session| session.table().tale(&words));
        tale.filter(|_| stage() == Some(Stage::Waiting))
    };
    let is_locked = Memo::new(move |_| stage() != Some(Stage::Waiting));
    let legend = Memo::new(move |_| {
        let words = room.settings.words.get();
        let palette = room.settings.palette();
        room.with_session(|session| {
            let look = Look {
                is_locked: is_locked.get(),
                ..Look::new(&words)
            };
            let legend = session.table().legend(&look).into_iter();
            let marks = legend.map(|(shapes, name)| {
                let view = Rect::around(Point::new(10.0, 10.0), 10.0);
                (view::svg_of(&shapes, view, palette), words.say(name, &[]))
            });
            marks.collect::<Vec<_>>()
        })
    });
    let has_hint =
        Memo::new(move |_| room.with_session(|session| session.sitting.hint().is_some()));
    let steps = move || room.with_session(|session| session.table().steps());
    let player = move || room.with_session(|session| Some(session.record().turn()));
    // Beside a typed move its field says what is wrong.
    let is_refused = move || {
        let refusal = room.driver.refusal;
        refusal.with(|refusal| matches!(refusal, Some(RefusedInput::Target(_))))
    };
    view! {
        <section class="msg" class:p1=move || player() == Some(Player::First) class:p2=move || player() == Some(Player::Second)>
            <div role=move || (room.settings.announce.get() == Announce::Full).then_some("status")>
                <h2>{heading}</h2>
                {move || tale().map(|tale| view! { <p class="tale">{tale}</p> })}
                <p class="detail" class:refused=is_refused>{detail}</p>
            </div>
            <Show when=move || room.settings.has_comments.get()>
                <Lazy room=room part=Part::Comments />
            </Show>
            <div role="status">
                <Show when=move || has_hint.get()>
                    <Lazy room=room part=Part::Hint />
                </Show>
            </div>
            <Show when=move || stage() == Some(Stage::Stalled)>
                <button
                    class="btn"
                    id="retry"
                    on:click=move |_| room.driver.dispatch(Event::Retry)
                >
                    {room.text("do.retry")}
                </button>
            </Show>
            <Show when=move || room.pending.with(Option::is_some)>
                <div class="two" role="status">
                    <button class="btn pri" id="confirm" on:click=move |_| confirm(room)>
                        {room.text("do.confirm")}
                    </button>
                    <button class="btn" id="decline" on:click=move |_| room.pending.set(None)>
                        {room.text("do.decline")}
                    </button>
                </div>
            </Show>
            <div class="key">
                {move || {
                    legend
                        .get()
                        .into_iter()
                        .map(|(svg, text)| {
                            view! { <span><i class="kg" inner_html=svg></i>{text}</span> }
                        })
                        .collect_view()
                }}
            </div>
            {move || {
                steps()
                    .map(|Steps { names, current }| {
                        let step = |(index, &name)| {
                            view! {
                                <span class:dn=index < current class:nw=index == current>
                                    {room.say(name)}
                                </span>
                            }
                        };
                        view! {
                            <div class="steps">
                                {names.iter().enumerate().map(step).collect_view()}
                            </div>
                        }
                    })
            }}
        </section>
    }
}

/// The address of a study of the match.
pub(crate) fn study_address(room: Room, study: fn(Source) -> StudyRoute) -> String {
    room.with_session(|session| {
        let source = match &session.id {
            Some(id) => Source::Saved(id.clone()),
            None => Source::Shared(session.record().to_link()),
        };
        let route = StudyRoute {
            is_fast: session.wish.is_fast,
            ply: (session.sitting.is_looking_back() && !session.record().moves().is_empty())
                .then(|| session.record().moves().len()),
            ..study(source)
        };
        route.to_string()
    })
}
