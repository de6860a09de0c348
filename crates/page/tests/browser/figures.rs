//! Figures of the page, for `docs/page-figures.md`.

use std::{collections::BTreeSet, fmt::Write, thread, time::Duration};

use page::{File, files};
use rules::Random;
use serde_json::json;

use super::{
    chromium::{Chromium, DESK},
    matches::choose,
    memory::{CASES, growth},
    study_figures::{rehearse, write_reviews, write_studies, write_work},
    table::{Table, clicks, site},
    trace::{LATE, Task, Trace},
};

/// How often each thing is measured.
pub(crate) const N_ROUNDS: u64 = 5;

/// A task is long after so many milliseconds.
pub(crate) const LONG: f64 = 50.0;

/// How many matches are played for the figures of memory.
const N_MATCHES: u64 = 50;

/// How many moves the person makes in a traced match.
const N_MOVES: usize = 6;

/// The time between two clicks, so that each is answered on its own.
pub(crate) const BREATH: Duration = Duration::from_millis(150);

/// What is traced: a name for it, and the address.
const TRACED: [(&str, &str); 5] = [
    ("Lilypads", "#/lilypads?board=42&opponent=level-10"),
    ("Nonaga", "#/nonaga?opponent=level-10"),
    ("Takeover", "#/takeover?board=7&opponent=level-10"),
    ("Simply Go", "#/simply-go?opponent=level-10"),
    ("Simply Go, classic", "#/simply-go?opponent=classic"),
];

/// The target for the bytes of the first load.
const MOST_BYTES: usize = 350_000;

/// The target for the time until the page is ready, in milliseconds.
const MOST_READY: f64 = 1000.0;

/// Measures everything and writes it to the file that `PARLOUR_FIGURES` names.
#[test]
fn are_written() {
    let path = std::env::var_os("PARLOUR_FIGURES").expect("cargo xtask figures names the file");
    rehearse();
    let mut text = String::new();
    let version = Chromium::start(DESK).send("Browser.getVersion", json!({}));
    let version = version["product"].as_str().unwrap().to_owned();
    writeln!(
        text,
        "Browser: {version}, drawing without a graphics card.\n"
    )
    .unwrap();
    write_loads(&mut text);
    write_motion(&mut text);
    write_studies(&mut text);
    write_reviews(&mut text);
    write_work(&mut text);
    write_memory(&mut text);
    std::fs::write(path, text).unwrap();
}

/// The middle one of some figures, and the largest.
pub(crate) fn median_and_worst(mut figures: Vec<f64>) -> (f64, f64) {
    figures.sort_by(f64::total_cmp);
    let worst = figures.last().copied().unwrap_or_default();
    let median = figures.get(figures.len() / 2).copied();
    (median.unwrap_or_default(), worst)
}

/// What a first visit loads, and how long it takes.
fn write_loads(text: &mut String) {
    let mut asked = BTreeSet::new();
    let pages = ["", "#/takeover?opponent=classic&board=7"];
    let times = pages.map(|fragment| {
        let times = (0..N_ROUNDS).map(|_| {
            // A new browser has kept nothing.
            let mut browser = Chromium::start(DESK);
            browser.inject(include_str!("js/ready.js"));
            browser.open(&format!("{}{fragment}", site()));
            if fragment.is_empty() {
                let requests = browser.requests.iter();
                asked.extend(requests.filter_map(|at| at.strip_prefix(site()).map(str::to_owned)));
            }
            browser.call("readyAt", json!([])).as_f64().unwrap()
        });
        median_and_worst(times.collect())
    });
    writeln!(text, "## First load\n").unwrap();
    writeln!(text, "| file | bytes, compressed with Brotli |\n|---|---|").unwrap();
    let mut total = 0;
    // The page asks for its worker and for what it shows later once it is ready, so that these
    // are no part of the first load. What it is installed with, nobody waits for.
    let is_later = |name: &str| {
        let later = ["worker-", "more-", "split_", "chunk_"];
        later.iter().any(|start| name.starts_with(start)) || name.ends_with("webmanifest")
    };
    let is_first = |name: &String| !is_later(name);
    for name in asked.into_iter().filter(is_first) {
        let name = if name.is_empty() { "index.html" } else { &name };
        let file = files().iter().find(|file| file.name == name);
        let size = compressed_size(file.expect("everything comes from here"));
        total += size;
        // The fingerprint in a name says nothing here.
        let (stem, extension) = name.rsplit_once('.').unwrap();
        let stem = stem.split('-').next().unwrap_or(stem);
        writeln!(text, "| {stem}.{extension} | {size} |").unwrap();
    }
    let name = row_name("**together**", total <= MOST_BYTES);
    writeln!(text, "| {name} | **{total}** (target: {MOST_BYTES}) |\n").unwrap();
    let worker = files()
        .iter()
        .filter(|file| file.name.starts_with("worker-"));
    let worker: usize = worker.map(compressed_size).sum();
    writeln!(
        text,
        "The worker, fetched after that: {worker} bytes, compressed.\n"
    )
    .unwrap();
    writeln!(
        text,
        "Online play, fetched by those who play online: {} bytes, compressed (limit: 70000).\n",
        online_size()
    )
    .unwrap();
    writeln!(
        text,
        "From the request to `data-ready`, {N_ROUNDS} new browsers each (target: {MOST_READY} ms):\n\n\
         | page | median ms | worst ms |\n|---|---|---|"
    )
    .unwrap();
    for (name, (median, worst)) in ["home", "a match"].iter().zip(times) {
        let name = row_name(name, worst <= MOST_READY);
        writeln!(text, "| {name} | {median:.0} | {worst:.0} |").unwrap();
    }
}

/// The size of what is fetched for online play besides what every visit fetches.
fn online_size() -> usize {
    let mut browser = Chromium::start(DESK);
    // The library has what every visit fetches.
    browser.open(&format!("{}#/library", site()));
    browser.wait_for_element("main h1");
    let known: BTreeSet<_> = browser.requests.iter().cloned().collect();
    browser.call("goTo", json!(["#/play"]));
    browser.wait_for_element(".home.online main, .trouble");
    let asked: BTreeSet<_> = browser.requests.iter().cloned().collect();
    let new = asked.difference(&known);
    let names = new.filter_map(|at| at.strip_prefix(site()));
    let files = names.filter_map(|name| files().iter().find(|file| file.name == name));
    // No answers of a server, which this one is not.
    let files = files.filter(|file| file.small.is_some());
    files.map(compressed_size).sum()
}

fn compressed_size(file: &File) -> usize {
    let small = file.small.as_ref();
    small.expect("the shipped page is compressed").len()
}

/// Plays with the mouse against the machine, and traces it.
fn trace_match(fragment: &str, seed: u64) -> Trace {
    let mut table = Table::open(DESK, &format!("{fragment}&color=first&seed={seed}"));
    table.rest();
    let mut random = Random::new(seed);
    let game = table.data("game");
    table.browser.start_trace();
    for _ in 0..N_MOVES {
        if table.data("result") != "none" {
            break;
        }
        let fen = table.data("fen");
        let playing = catalog::find(&game).unwrap().start_from(&fen).unwrap();
        let m = choose(&*playing, &mut random);
        for id in clicks(&*playing, &m) {
            let (x, y) = table.middle(&id);
            for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
                table.browser.mouse(kind, x, y);
                thread::sleep(BREATH);
            }
        }
        table.rest();
    }
    assert_eq!(table.browser.complaints, [""; 0]);
    table.browser.end_trace()
}

/// How smooth motions are, how free the interface stays while the machine thinks, and how
/// soon a click is answered.
fn write_motion(text: &mut String) {
    let rounds = TRACED.map(|(name, fragment)| {
        let traces = (1..=N_ROUNDS).map(|seed| trace_match(fragment, seed));
        (name, traces.collect::<Vec<_>>())
    });
    writeln!(
        text,
        "\n## Frames\n\nWhile pieces move, from the browser's trace of {N_ROUNDS} matches with {N_MOVES} moves of the person; a \
         frame is late after {LATE:.0} ms, which is one and a half at 60 a second.\n\n\
         | game | motions | frames | frames a second | late, all | late, median match | median ms | longest ms | drawing one, median and worst ms of a processor |\n\
         |---|---|---|---|---|---|---|---|---|"
    )
    .unwrap();
    let share = |gaps: &[f64]| {
        let n_late = gaps.iter().filter(|&&gap| gap > LATE).count();
        100.0 * n_late as f64 / gaps.len().max(1) as f64
    };
    for (name, traces) in &rounds {
        let n_motions: usize = traces.iter().map(|trace| trace.animations().len()).sum();
        let (late, _) = median_and_worst(traces.iter().map(|trace| share(&trace.gaps())).collect());
        let gaps: Vec<f64> = traces.iter().flat_map(Trace::gaps).collect();
        let rate = 1000.0 * gaps.len() as f64 / gaps.iter().sum::<f64>().max(1.0);
        let all = share(&gaps);
        let n_frames = gaps.len();
        let (median, worst) = median_and_worst(gaps);
        let drawings = traces.iter().flat_map(Trace::drawings);
        let (drawing, slowest) = median_and_worst(drawings.collect());
        writeln!(
            text,
            "| {name} | {n_motions} | {n_frames} | {rate:.1} | {all:.1} % | {late:.1} % | {median:.1} | {worst:.0} | {drawing:.1}, {slowest:.1} |"
        )
        .unwrap();
    }
    writeln!(
        text,
        "\n## Tasks\n\nOn the interface's thread while the worker thinks (target: none over 50 ms). What a task takes is its time and what others \
         on the machine took from it; the last two columns are without those.\n\n\
         | game | thinking, s | tasks | over 50 ms | longest of a match, median ms | longest ms | over 50 ms of a processor | longest, ms of a processor |\n\
         |---|---|---|---|---|---|---|---|"
    )
    .unwrap();
    for (name, traces) in &rounds {
        let thoughts = traces.iter().flat_map(Trace::thoughts);
        let thought: f64 = thoughts.map(|thought| thought.duration() / 1000.0).sum();
        let tasks = traces.iter().map(Trace::tasks_while_thinking);
        let tasks: Vec<_> = tasks.collect();
        let name = row_name(name, !has_hard_tasks(&tasks));
        let tasks = task_columns(&tasks);
        writeln!(text, "| {name} | {thought:.1} | {tasks} |").unwrap();
    }
    writeln!(
        text,
        "\n## Clicks\n\nFrom the press or the release of the mouse to the screen, and which frame after it is the first that was drawn anew: \
         1 is the next (target), and 0 would be none.\n\n\
         | game | presses and releases | median ms | worst ms | answered in the next frame | worst frame |\n|---|---|---|---|---|---|"
    )
    .unwrap();
    for (name, traces) in &rounds {
        let answers: Vec<_> = traces.iter().flat_map(Trace::answers).collect();
        let n_next = answers.iter().filter(|answer| answer.n_frames == 1).count();
        let n_frames = answers.iter().map(|answer| answer.n_frames).max();
        let n_answers = answers.len();
        let times = answers.iter().map(|answer| answer.time);
        let (median, worst) = median_and_worst(times.collect());
        let n_frames = n_frames.unwrap_or_default();
        let name = row_name(name, n_next == n_answers);
        writeln!(
            text,
            "| {name} | {n_answers} | {median:.1} | {worst:.1} | {n_next} | {n_frames} |"
        )
        .unwrap();
    }
}

/// The name of a row, marked if what it shows misses its target.
pub(crate) fn row_name(name: &str, is_met: bool) -> String {
    if is_met {
        name.to_owned()
    } else {
        format!("**missed:** {name}")
    }
}

/// Whether a task had too much of a processor.
pub(crate) fn has_hard_tasks(rounds: &[Vec<Task>]) -> bool {
    rounds.iter().flatten().any(|task| task.effort > LONG)
}

/// The tasks of some rounds as columns of a table: how many there are, how many are long, and
/// the longest; and the same of what they had of a processor.
pub(crate) fn task_columns(rounds: &[Vec<Task>]) -> String {
    let all = || rounds.iter().flatten();
    let n_tasks = all().count();
    let n_long = all().filter(|task| task.span.duration() > LONG).count();
    let longest = rounds.iter().map(|tasks| {
        let times = tasks.iter().map(|task| task.span.duration());
        median_and_worst(times.collect()).1
    });
    let (median, worst) = median_and_worst(longest.collect());
    let n_hard = all().filter(|task| task.effort > LONG).count();
    let (_, hardest) = median_and_worst(all().map(|task| task.effort).collect());
    format!("{n_tasks} | {n_long} | {median:.1} | {worst:.1} | {n_hard} | {hardest:.1}")
}

/// What fifty matches leave behind.
fn write_memory(text: &mut String) {
    let early = N_MATCHES / 5;
    writeln!(
        text,
        "\n## Memory\n\nAfter {early} and after {N_MATCHES} matches in a row on one page against the machine, garbage aside, in KiB; \
         matches are deleted when they end. A memory of WebAssembly never gives back what it once took.\n\n\
         | game | opponent | page, scripts | page, WebAssembly | worker, scripts | worker, WebAssembly |\n|---|---|---|---|---|---|"
    )
    .unwrap();
    for case in &CASES {
        let samples = growth(case, N_MATCHES);
        let (early, late) = (samples[0], samples[samples.len() - 1]);
        let part = |bytes: [u64; 2]| format!("{} → {}", bytes[0] / 1024, bytes[1] / 1024);
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            case.game,
            case.opponent,
            part([early.page_script, late.page_script]),
            part([early.page_wasm, late.page_wasm]),
            part([early.worker_script, late.worker_script]),
            part([early.worker_wasm, late.worker_wasm]),
        )
        .unwrap();
    }
}
