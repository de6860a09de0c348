//! Clocks as people see them.

use leptos::prelude::*;
use play::Clocks;
use rules::{Player, record::TimeControl};

use crate::{
    clock_face::face,
    icons::{Icon, icon},
    room::Room,
};

/// The time controls on offer.
pub(crate) const OFFERED: [TimeControl; 8] = [
    fixed(60_000),
    fixed(180_000),
    fixed(300_000),
    fixed(600_000),
    TimeControl::Match {
        base: 180_000,
        increment: 2_000,
    },
    TimeControl::Match {
        base: 300_000,
        increment: 5_000,
    },
    TimeControl::Turn(15_000),
    TimeControl::Turn(30_000),
];

const fn fixed(base: u64) -> TimeControl {
    TimeControl::Match { base, increment: 0 }
}

/// The name of a time control.
pub(crate) fn control_name(room: Room, time_control: Option<TimeControl>) -> String {
    let length = |milliseconds: u64| {
        let (name, n) = if milliseconds.is_multiple_of(86_400_000) {
            ("clock.days", milliseconds / 86_400_000)
        } else if milliseconds.is_multiple_of(60_000) {
            ("clock.minutes", milliseconds / 60_000)
        } else {
            ("clock.seconds", milliseconds.div_ceil(1000))
        };
        room.say_with(name, &[("n", &n)])
    };
    match time_control {
        None => room.say("clock.none"),
        Some(TimeControl::Match { base, increment: 0 }) => length(base),
        Some(TimeControl::Match { base, increment }) => {
            format!("{} + {}", length(base), length(increment))
        }
        Some(TimeControl::Turn(time)) => {
            let time = length(time);
            room.say_with("clock.turn", &[("time", &time)])
        }
    }
}

/// The clock of a player, in a match with clocks.
#[component]
pub(crate) fn Clock(room: Room, player: Player) -> impl IntoView {
    let clocks = room.driver.clocks;
    let has_clock = Memo::new(move |_| clocks.get().is_some());
    let left = move || clocks.get().map_or(0, |clocks| clocks.left[player]);
    let is_running = Memo::new(move |_| {
        let running = clocks.get().and_then(|clocks| clocks.running);
        running == Some(player)
    });
    let is_low = Memo::new(move |_| clocks.get().is_some_and(|clocks| clocks.is_low(player)));
    let text = Memo::new(move |_| face(left()));
    view! {
        <Show when=move || has_clock.get()>
            <span
                class="clk"
                class:run=move || is_running.get()
                class:low=move || is_low.get()
                role="timer"
                data-clock=player.to_string()
            >
                {icon(Icon::Clock)}
                <b>{move || text.get()}</b>
            </span>
        </Show>
    }
}

/// Announces low time to screen readers.
#[component]
pub(crate) fn LowTime(room: Room) -> impl IntoView {
    let message = move || {
        let player = room.driver.low_time.get()?;
        let who = room.with_session(|session| room.seat_name(session, player));
        let n = Clocks::LOW / 1000;
        Some(room.say_with("clock.low", &[("who", &who), ("n", &n)]))
    };
    view! { <p class="sr low-time" aria-live="assertive">{message}</p> }
}
