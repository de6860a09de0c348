//! The graph of a review: how the match stood after every move. It leads to the positions.

use leptos::{ev, html, prelude::*};
use rules::Player;
use study::{Event, MoveClass, Study, is_exact};
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::Studying;
use crate::{board::own_touch, html::escaped, room::Jump};

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 100.0;

/// The graph. Positions that are not judged yet are left out, so it fills from the left.
#[component]
pub(super) fn Graph(studying: Studying) -> impl IntoView {
    let room = studying.room;
    let place = NodeRef::<html::Div>::new();
    let drawing = Memo::new(move |_| studying.with(|study| svg(studying, study)));
    let n_moves = move || studying.with(|study| study.review().nodes().len() - 1);
    let at = move || studying.with(index);
    // A press or a drag looks at the position below the pointer.
    let look = move |event: &ev::PointerEvent| {
        let drawing = place.get_untracked();
        let drawing = drawing.and_then(|place| place.query_selector("svg").ok().flatten());
        let Some(drawing) = drawing else {
            return;
        };
        let rect = drawing.get_bounding_client_rect();
        let share = (f64::from(event.client_x()) - rect.left()) / rect.width().max(1.0);
        let node = studying.with_untracked(|study| {
            let nodes = study.review().nodes();
            let last = nodes.len() as f64 - 1.0;
            let index = (share * last).round().clamp(0.0, last);
            nodes.get(index as usize).copied()
        });
        let is_other = |study: &Study| Some(study.record().cursor()) != node;
        if let Some(node) = node.filter(|_| studying.with_untracked(is_other)) {
            studying.dispatch(Event::GoTo(node));
        }
    };
    let press = move |event: ev::PointerEvent| {
        let target = event.current_target().and_then(|it| it.dyn_into().ok());
        if let Some(target) = target {
            let target: Element = target;
            target.set_pointer_capture(event.pointer_id()).ok();
        }
        look(&event);
    };
    let drag = move |event: ev::PointerEvent| {
        if event.buttons() != 0 {
            look(&event);
        }
    };
    let key = move |event: ev::KeyboardEvent| {
        let jump = match event.key().as_str() {
            "ArrowLeft" | "ArrowDown" => Jump::Back,
            "ArrowRight" | "ArrowUp" => Jump::Forward,
            "Home" => Jump::First,
            "End" => Jump::Last,
            _ => return,
        };
        event.prevent_default();
        studying.jump(jump);
    };
    view! {
        <div
            class="graph"
            class:exact=move || studying.with(|study| is_exact(study.record().game()))
            node_ref=place
            role="slider"
            tabindex="0"
            aria-label=room.text("study.graph")
            aria-valuemin="0"
            aria-valuemax=move || n_moves().to_string()
            aria-valuenow=move || at().to_string()
            aria-valuetext=move || studying.with(|study| spoken(studying, study))
            on:pointerdown=press
            on:pointermove=drag
            on:touchmove=own_touch
            on:keydown=key
            inner_html=move || drawing.get()
        ></div>
    }
}

/// The number of the last position on the line of the review that is looked at or lies
/// before it.
fn index(study: &Study) -> usize {
    let nodes = study.review().nodes();
    let line = study.record().line(study.record().cursor());
    let common = line.iter().zip(nodes).take_while(|(a, b)| a == b).count();
    common.saturating_sub(1)
}

fn spoken(studying: Studying, study: &Study) -> String {
    let room = studying.room;
    let index = index(study);
    let near = studying.near();
    let who = studying.name(near);
    let chance = study.review().chance_of_first(study.record(), index);
    let chance = chance.map(|chance| {
        if near == Player::First {
            chance
        } else {
            1.0 - chance
        }
    });
    match chance {
        // What is exact has no percentages.
        Some(chance) if is_exact(study.record().game()) => {
            let value = match chance {
                chance if chance > 0.5 => "study.won",
                chance if chance < 0.5 => "study.lost",
                _ => "study.drawn",
            };
            let value = room.say(value);
            room.say_with("study.graph.exact", &[("n", &index), ("value", &value)])
        }
        Some(chance) => {
            let percent = (100.0 * chance).round();
            room.say_with(
                "study.graph.at",
                &[("n", &index), ("who", &who), ("percent", &percent)],
            )
        }
        None => room.say_with("past.after", &[("n", &index)]),
    }
}

fn svg(studying: Studying, study: &Study) -> String {
    let record = study.record();
    let review = study.review();
    let near = studying.near();
    let is_exact = is_exact(record.game());
    let n_steps = (review.nodes().len().max(2) - 1) as f64;
    let x = |index: usize| WIDTH * index as f64 / n_steps;
    let height = |index: usize| {
        let chance = review.chance_of_first(record, index)?;
        let chance = if near == Player::First {
            chance
        } else {
            1.0 - chance
        };
        // Lines at the rim would be cut off.
        Some(HEIGHT - 6.0 - chance * (HEIGHT - 12.0))
    };
    let known: Vec<_> = (0..review.nodes().len())
        .map_while(|index| Some((x(index), height(index)?)))
        .collect();
    let mut path = String::new();
    for (index, (x, y)) in known.iter().enumerate() {
        if index == 0 {
            path += &format!("M{x:.1} {y:.1}");
        } else if is_exact {
            path += &format!("H{x:.1}V{y:.1}");
        } else {
            path += &format!("L{x:.1} {y:.1}");
        }
    }
    let middle = HEIGHT / 2.0;
    let end = known.last().map_or(0.0, |&(x, _)| x);
    let area = if known.is_empty() {
        String::new()
    } else {
        format!("{path}L{end:.1} {middle}L0 {middle}Z")
    };
    let at = index(study);
    let place = |index: usize| {
        let (left, top) = (x(index) / WIDTH, height(index)? / HEIGHT);
        Some((100.0 * left, 100.0 * top))
    };
    let moves = studying.moves.get();
    let marks = moves.iter().filter(|m| m.class.is_slip());
    // Squares, which the style sheet stands on their tips, differ from dots in more than color.
    let marks = marks.filter_map(|m| {
        let (left, top) = place(m.ply + 1)?;
        Some(if m.class == MoveClass::Blunder {
            format!("<rect class='bb' x='{left:.2}%' y='{top:.2}%' width='9' height='9'/>")
        } else {
            format!("<circle class='b' cx='{left:.2}%' cy='{top:.2}%' r='4'/>")
        })
    });
    let here = place(at)
        .map(|(left, top)| format!("<circle class='here' cx='{left:.2}%' cy='{top:.2}%' r='5'/>"));
    // Its shapes are not stretched with the curve.
    let dots = if is_exact {
        String::new()
    } else {
        let dots: String = marks.chain(here).collect();
        format!("<svg class='plot' aria-hidden='true'>{dots}</svg>")
    };
    let at = x(at);
    let (over, under) = match near {
        Player::First => ("p1", "p2"),
        Player::Second => ("p2", "p1"),
    };
    let bands = if is_exact {
        format!(
            "<rect class='{over}' width='{WIDTH}' height='33.3'/><rect class='{under}' y='66.7' width='{WIDTH}' height='33.3'/>"
        )
    } else {
        format!(
            "<clipPath id='over'><rect width='{WIDTH}' height='{middle}'/></clipPath>\
             <clipPath id='under'><rect y='{middle}' width='{WIDTH}' height='{middle}'/></clipPath>\
             <path class='{over}' clip-path='url(#over)' d='{area}'/><path class='{under}' clip-path='url(#under)' d='{area}'/>\
             <path class='half' d='M0 {middle}H{WIDTH}'/>"
        )
    };
    let names = if is_exact {
        let room = studying.room;
        ["study.won.title", "study.drawn.title", "study.lost.title"]
            .map(|key| format!("<span>{}</span>", escaped(&room.say(key))))
            .concat()
    } else {
        [near, !near]
            .map(|player| format!("<span>{}</span>", escaped(&studying.name(player))))
            .concat()
    };
    format!(
        "<svg viewBox='0 0 {WIDTH} {HEIGHT}' preserveAspectRatio='none' aria-hidden='true'>{bands}\
         <path class='now' d='M{at:.1} 0V{HEIGHT}'/><path class='curve' d='{path}'/></svg>{dots}<div class='names'>{names}</div>",
    )
}
