//! How a person is doing: bars by game and by opponent, and points week by week.

use leptos::prelude::*;
use play::library::{Statistics, Tally};

use crate::{device::matches, files::day, icons::mark, room::Room, rooms::Entries};

/// The chart waits for this many matches.
const N_FOR_CHART: u32 = 10;

/// The chart shows this many weeks.
const N_WEEKS: usize = 12;

/// The statistics beside the library.
#[component]
pub(crate) fn StatisticsView(room: Room, entries: Entries) -> impl IntoView {
    let statistics = Memo::new(move |_| {
        entries.with(|entries| {
            let entries = entries.iter().flat_map(|entries| entries.iter());
            let saved = entries.filter_map(|entry| entry.saved.as_ref().ok());
            Statistics::new(saved.map(|saved| (saved.game(), &saved.head)))
        })
    });
    let all = move || statistics.with(|statistics| statistics.all);
    let by_game = move || {
        let games = catalog::GAMES.into_iter();
        let rows = games.map(|game| {
            let name = game.name();
            let tally = statistics.with(|s| s.by_game.get(name).copied().unwrap_or_default());
            let label = view! {
                {mark(game.presentation().mark)}
                {room.say(&format!("{name}.name"))}
            };
            row(room, label, tally)
        });
        rows.collect_view()
    };
    let by_rival = move || {
        let rivals = statistics.with(|statistics| statistics.by_rival.clone());
        let rows = rivals.into_iter();
        rows.map(|(rival, tally)| row(room, room.opponent_name(rival), tally))
            .collect_view()
    };
    let streaks = move || {
        let (now, longest) = statistics.with(|s| (s.streak, s.longest_streak));
        room.say_with("stats.streak", &[("now", &now), ("longest", &longest)])
    };
    view! {
        // On phones they are behind one line.
        <details class="stats" open=!matches("(max-width: 760px)")>
            <summary>
                <b>{move || all().n_played()}</b>
                <span>
                    {move || {
                        let Tally { won, drawn, lost } = all();
                        room.say_with("stats.sum", &[("won", &won), ("drawn", &drawn), ("lost", &lost)])
                    }}
                </span>
                <span class="link">{room.text("stats.title")}</span>
                {move || bar(all())}
            </summary>
            <section>
                <h2>{room.text("stats.by-game")}</h2>
                <table>{by_game}</table>
                <p class="legend">
                    <i class="won"></i> {room.text("library.won")}
                    <i class="drawn"></i> {room.text("library.drawn")}
                    <i class="lost"></i> {room.text("library.lost")}
                </p>
            </section>
            <section>
                <h2>{room.text("stats.by-rival")}</h2>
                <table>{by_rival}</table>
                <p>{streaks}</p>
            </section>
            <section>
                <h2>{room.text("stats.weeks")}</h2>
                {move || {
                    if all().n_played() < N_FOR_CHART {
                        let n = N_FOR_CHART;
                        view! { <p>{room.say_with("stats.wait", &[("n", &n)])}</p> }.into_any()
                    } else {
                        statistics.with(|s| chart(room, &s.weeks)).into_any()
                    }
                }}
            </section>
        </details>
    }
}

fn row(room: Room, label: impl IntoView + 'static, tally: Tally) -> impl IntoView {
    let Tally { won, drawn, lost } = tally;
    let text = room.say_with(
        "stats.sum",
        &[("won", &won), ("drawn", &drawn), ("lost", &lost)],
    );
    view! {
        <tr>
            <th scope="row">{label}</th>
            <td>{bar(tally)}</td>
            <td class="n">
                <span aria-hidden="true">{format!("{won} · {drawn} · {lost}")}</span>
                <span class="sr">{text}</span>
            </td>
        </tr>
    }
}

/// Won, drawn and lost as shares of a bar.
fn bar(tally: Tally) -> impl IntoView {
    let part = |class: &'static str, n: u32| {
        (n > 0).then(|| view! { <i class=class style:flex-grow=n.to_string()></i> })
    };
    view! {
        <span class="wdl" aria-hidden="true">
            {part("won", tally.won)}
            {part("drawn", tally.drawn)}
            {part("lost", tally.lost)}
        </span>
    }
}

/// The points of the last weeks as a line.
fn chart(room: Room, weeks: &[(u64, Tally)]) -> impl IntoView + use<> {
    const WIDTH: f64 = 320.0;
    const HEIGHT: f64 = 90.0;
    let weeks = &weeks[weeks.len().saturating_sub(N_WEEKS)..];
    let language = room.settings.language.get().tag();
    let begin = weeks.first().map(|(begin, _)| day(*begin, language));
    // A week without matches says nothing.
    let scores = weeks.iter().enumerate();
    let scores = scores.filter_map(|(n, (_, tally))| Some((n, f64::from(tally.score()?))));
    let step = WIDTH / (weeks.len().max(2) - 1) as f64;
    let points: Vec<_> = scores
        .map(|(n, score)| (n as f64 * step, HEIGHT - score * HEIGHT / 1000.0, score))
        .collect();
    let line: Vec<_> = points
        .iter()
        .map(|(x, y, _)| format!("{x:.1},{y:.1}"))
        .collect();
    let end = points.last().map(|&(x, y, score)| {
        let text = format!("{:.0} %", score / 10.0);
        view! {
            <circle cx=x cy=y r="4" />
            <text x=x y=y - 10.0 text-anchor="end">{text}</text>
        }
    });
    view! {
        <svg class="chart" viewBox="-6 -18 332 114" role="img" aria-label=room.say("stats.weeks")>
            <path class="half" d=format!("M0 {0}H{WIDTH}", HEIGHT / 2.0) />
            <polyline points=line.join(" ") />
            {end}
        </svg>
        <p class="ends"><span>{begin}</span><span>{room.say("stats.this-week")}</span></p>
    }
}
