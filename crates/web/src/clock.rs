//! Clocks as people see them.

use leptos::prelude::*;
use play::Clocks;
use rules::{Player, record::TimeControl};

use crate::{
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

/// No more than this is shown: 99 hours and a bit.
const MOST_SECONDS: u64 = 359_999;

/// Milliseconds as a clock shows them: hours and minutes if there are any, seconds,
/// and tenths where time is short.
pub(crate) fn face(left: u64) -> String {
    if left < Clocks::LOW {
        let tenths = left.div_ceil(100);
        return format!("{}.{}", tenths / 10, tenths % 10);
    }
    let seconds = left.div_ceil(1000).min(MOST_SECONDS);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    match minutes / 60 {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{:02}:{seconds:02}", minutes % 60),
    }
}

/// The milliseconds until the [face](face) of a running clock changes.
pub(crate) fn until_change(left: u64) -> u64 {
    let step = if left <= Clocks::LOW { 100 } else { 1000 };
    left.saturating_sub(1) % step + 1
}

/// What a time control is called.
pub(crate) fn control_name(room: Room, time_control: Option<TimeControl>) -> String {
    let length = |milliseconds: u64| {
        let (name, n) = if milliseconds.is_multiple_of(60_000) {
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

/// Tells those who don't see it that time gets short.
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

#[cfg(test)]
mod tests {
    use super::{face, until_change};

    #[test]
    fn faces() {
        for (left, text) in [
            (0, "0.0"),
            (1, "0.1"),
            (9_900, "9.9"),
            (10_000, "0:10"),
            (10_001, "0:11"),
            (59_999, "1:00"),
            (60_001, "1:01"),
            (300_000, "5:00"),
            (3_599_000, "59:59"),
            (3_600_000, "1:00:00"),
            (u64::MAX, "99:59:59"),
        ] {
            assert_eq!(face(left), text, "{left}");
        }
    }

    #[test]
    fn a_face_stays_until_it_is_said_to_change() {
        let mut left = 75_250;
        while left > 0 {
            let wait = until_change(left);
            assert!((1..=left).contains(&wait), "{left}");
            assert_eq!(face(left - (wait - 1)), face(left), "{left}");
            assert_ne!(face(left - wait), face(left), "{left}");
            left -= wait;
        }
        assert_eq!(until_change(0), 1);
        assert_eq!(until_change(u64::MAX) % 1000, u64::MAX % 1000);
    }
}
