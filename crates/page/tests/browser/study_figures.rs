//! Figures of studies and puzzles, for `docs/page-figures.md`.

use std::{
    fmt::Write,
    thread,
    time::{Duration, Instant},
};

use catalog::AnyMatch;
use rules::Random;
use serde_json::json;

use super::{
    chromium::DESK,
    figures::{BREATH, LONG, N_ROUNDS, has_hard_tasks, median_and_worst, row_name, task_columns},
    hints::{ask, step},
    puzzles::{after, puzzle, wait_for_phase},
    study::{played, reviewed},
    table::{Hand, Table, clicks},
    trace::Task,
};

/// How often reviews, analyses and puzzles are measured.
const N_STUDIES: u64 = 3;

/// How many moves the matches have whose reviews are measured.
const REVIEWED: usize = 60;

/// The target for the time of a review.
const TARGET: Duration = Duration::from_secs(20);

/// How long a review may take before something is wrong with it.
const MOST: Duration = Duration::from_secs(300);

/// Options of a game: names and values.
type Options = &'static [(&'static str, &'static str)];

/// A page on the home screen, with everything that comes after the first load.
fn at_home() -> Table {
    let mut table = Table::open(DESK, "#/");
    table
        .browser
        .wait_for_element("link[data-more][data-there]");
    thread::sleep(20 * BREATH);
    table
}

/// A match of so many random moves that does not end before.
fn long_match(game: &str, choices: &[(&str, &str)], n_moves: usize) -> Box<dyn AnyMatch> {
    let mut playing = catalog::find(game).unwrap().start(choices).unwrap();
    let mut random = Random::new(3);
    while playing.moves().len() < n_moves {
        let mut next = playing.boxed_clone();
        next.play(random.pick(&playing.legal_moves()).unwrap())
            .unwrap();
        if next.ending().is_none() {
            playing = next;
        }
    }
    playing
}

/// Makes every kind of visit once, so that what is missing shows before anything is measured.
pub(crate) fn rehearse() {
    let (_, tasks) = trace_review(&*long_match("takeover", &[("board", "7")], 8));
    assert!(!tasks.is_empty(), "the trace of a review is empty");
    for (name, visit) in visits() {
        assert!(!visit().is_empty(), "the trace of {name} is empty");
    }
}

#[test]
fn every_visit_can_be_made() {
    rehearse();
}

/// How many seconds a review takes, and the tasks of the interface's thread.
fn trace_review(playing: &dyn AnyMatch) -> (f64, Vec<Task>) {
    let fragment = format!("#/review/shared/{}", playing.to_link());
    let mut table = at_home();
    table.browser.start_trace();
    let n_positions = playing.line(playing.cursor()).len();
    let start = Instant::now();
    table
        .browser
        .call("beginReview", json!([fragment, n_positions]));
    let time = loop {
        // Whoever asks more often measures the questions.
        thread::sleep(4 * BREATH);
        if let Some(time) = table.browser.call("reviewTime", json!([])).as_f64() {
            break time;
        }
        let n_judged = table.browser.call("nJudged", json!([]));
        let so_far = format!("{n_judged} of {n_positions} positions are judged");
        assert!(start.elapsed() < MOST, "{}: {so_far}", playing.game());
    };
    assert_eq!(table.browser.complaints, [""; 0]);
    let tasks = table.browser.end_trace().tasks().to_vec();
    (time / 1000.0, tasks)
}

/// How long reviews take, and how free the interface stays meanwhile.
pub(crate) fn write_reviews(text: &mut String) {
    writeln!(
        text,
        "\n## Reviews\n\nFrom the address of a match with {REVIEWED} random moves until all of its positions are judged with the default number of nodes, in \
         {N_STUDIES} new browsers each (target: {} s), and the tasks of the interface's thread meanwhile (target: none over 50 ms). Columns as above.\n\n\
         | match | median s | worst s | tasks | over 50 ms | longest of a review, median ms | longest ms | over 50 ms of a processor | longest, ms of a processor |\n\
         |---|---|---|---|---|---|---|---|---|",
        TARGET.as_secs()
    )
    .unwrap();
    let cases: [(&str, &str, Options); 10] = [
        ("Lilypads", "lilypads", &[("board", "42")]),
        ("Nonaga", "nonaga", &[]),
        ("Nonaga, published", "nonaga", &[("variant", "published")]),
        ("Takeover", "takeover", &[("board", "7")]),
        ("Ataxx", "takeover", &[("variant", "ataxx")]),
        ("Simply Go, 9 × 9", "simply-go", &[("size", "9")]),
        ("Simply Go, 13 × 13", "simply-go", &[("size", "13")]),
        ("Simply Go, 19 × 19", "simply-go", &[("size", "19")]),
        ("Simply Go, 25 × 25", "simply-go", &[("size", "25")]),
        ("Simply Go, 48 × 48", "simply-go", &[("size", "48")]),
    ];
    for (name, game, choices) in cases {
        let playing = long_match(game, choices, REVIEWED);
        let rounds = (0..N_STUDIES).map(|_| trace_review(&*playing));
        let (times, tasks): (Vec<_>, Vec<_>) = rounds.unzip();
        let has_long = has_hard_tasks(&tasks);
        let ((median, worst), tasks) = (median_and_worst(times), task_columns(&tasks));
        let name = row_name(name, worst <= TARGET.as_secs_f64() && !has_long);
        writeln!(text, "| {name} | {median:.1} | {worst:.1} | {tasks} |").unwrap();
    }
}

/// How free the interface stays while somebody analyzes, looks for better moves, solves
/// puzzles and asks for hints.
pub(crate) fn write_work(text: &mut String) {
    writeln!(
        text,
        "\n## Analysis, puzzles and hints\n\nTasks of the interface's thread in {N_STUDIES} new browsers each (target: none over 50 ms): on the analysis board with five lines, moves, \
         threats and steps back; with three mistakes of a review; with a wrong move, three hints and the solution of a puzzle; with the hint of a first move.\n\n\
         | what | tasks | over 50 ms | longest of a visit, median ms | longest ms | over 50 ms of a processor | longest, ms of a processor |\n\
         |---|---|---|---|---|---|---|"
    )
    .unwrap();
    for (name, visit) in visits() {
        let rounds: Vec<_> = (0..N_STUDIES).map(|_| visit()).collect();
        let name = row_name(&name, !has_hard_tasks(&rounds));
        let tasks = task_columns(&rounds);
        writeln!(text, "| {name} | {tasks} |").unwrap();
    }
}

/// A visit that is measured: its name, and the tasks of the interface's thread.
type Visit = (String, Box<dyn Fn() -> Vec<Task>>);

fn visits() -> Vec<Visit> {
    let mut visits: Vec<Visit> = Vec::new();
    for game in catalog::GAMES.map(|game| game.name()) {
        let board = match game {
            "lilypads" => "?board=42",
            "takeover" => "?board=7",
            _ => "",
        };
        let analysis = format!("#/analysis/{game}{board}");
        visits.push((
            format!("analysis, {game}"),
            Box::new(move || trace_analysis(&analysis)),
        ));
    }
    visits.push(("mistakes, takeover".to_owned(), Box::new(trace_practice)));
    for game in catalog::GAMES.map(|game| game.name()) {
        visits.push((
            format!("puzzle, {game}"),
            Box::new(move || trace_puzzle(game)),
        ));
        visits.push((format!("hint, {game}"), Box::new(move || trace_hint(game))));
    }
    visits
}

fn trace_analysis(fragment: &str) -> Vec<Task> {
    let mut table = at_home();
    table.browser.start_trace();
    table.browser.call("goTo", json!([fragment]));
    table.browser.wait_for_element("#line-0");
    table.browser.call("choose", json!(["#lines", "5"]));
    for _ in 0..4 {
        table.browser.wait_for_element("#line-0");
        thread::sleep(4 * BREATH);
        table.browser.call("clickIfThere", json!(["#line-0"]));
        thread::sleep(4 * BREATH);
    }
    for key in [
        "t",
        "t",
        "ArrowLeft",
        "ArrowLeft",
        "e",
        "e",
        "ArrowRight",
        "Home",
        "End",
    ] {
        table.browser.press(key);
        thread::sleep(2 * BREATH);
    }
    assert_eq!(table.browser.complaints, [""; 0]);
    table.browser.end_trace().tasks().to_vec()
}

fn trace_practice() -> Vec<Task> {
    let playing = long_match("takeover", &[("board", "7")], 30);
    let mut table = reviewed(DESK, &*playing);
    table.browser.start_trace();
    table.browser.call("click", json!(["#learn"]));
    for _ in 0..3 {
        for button in ["#task-show", "#task-next"] {
            table.browser.wait_for_element(button);
            table.browser.call("click", json!([button]));
            thread::sleep(2 * BREATH);
        }
    }
    assert_eq!(table.browser.complaints, [""; 0]);
    table.browser.end_trace().tasks().to_vec()
}

fn trace_puzzle(game: &str) -> Vec<Task> {
    let puzzle = puzzle(game, 3);
    let before = after(&puzzle, 0);
    let key = &puzzle.solution()[0];
    let moves = before.legal_moves();
    let wrong = moves.iter().find(|m| *m != key).unwrap();
    let mut table = at_home();
    table.browser.start_trace();
    let fragment = format!("#/puzzles/{game}/{}", puzzle.id());
    table.browser.call("goTo", json!([fragment]));
    table.browser.wait_for_element(".puzzle .ask h2");
    wait_for_phase(&mut table, "solver");
    table.play(Hand::Mirror, &clicks(&*before, wrong));
    table.browser.wait_for_element(".answer .ans");
    wait_for_phase(&mut table, "solver");
    for n_hints in 1..=3 {
        table.browser.call("click", json!(["#hint"]));
        table
            .browser
            .wait_for("hasCount", json!([".hints li.on", n_hints]));
    }
    table.browser.call("click", json!(["#reveal"]));
    wait_for_phase(&mut table, "done");
    table.browser.wait_for_element("#next");
    table.browser.call("click", json!(["#next"]));
    wait_for_phase(&mut table, "solver");
    thread::sleep(4 * BREATH);
    assert_eq!(table.browser.complaints, [""; 0]);
    table.browser.end_trace().tasks().to_vec()
}

fn trace_hint(game: &str) -> Vec<Task> {
    let mut table = at_home();
    table.browser.start_trace();
    let fragment = format!("#/{game}?opponent=human");
    table.browser.call("goTo", json!([fragment]));
    table.browser.wait_for_element("#hint");
    table.rest();
    for n in 1..=3 {
        ask(&mut table, Hand::Mirror);
        step(&mut table, n);
        thread::sleep(2 * BREATH);
    }
    assert_eq!(table.browser.complaints, [""; 0]);
    table.browser.end_trace().tasks().to_vec()
}

/// How free the interface stays while a study opens.
pub(crate) fn write_studies(text: &mut String) {
    writeln!(
        text,
        "\n## Studies\n\nThe longest tasks of the interface's thread while a study opens from the home screen, until the engine has begun, in {N_ROUNDS} new browsers \
         each (target: none over 50 ms).\n\n| study | longest of a visit, median ms | longest ms | longest, median ms of a processor |\n|---|---|---|---|"
    )
    .unwrap();
    let long = played("simply-go", &[("mode", "moves:200")], 200);
    let review = format!("#/review/shared/{}", long.to_link());
    let cases = [
        ("analysis, Lilypads", "#/analysis/lilypads?board=42"),
        ("analysis, Nonaga", "#/analysis/nonaga"),
        ("analysis, Takeover", "#/analysis/takeover?board=7"),
        ("analysis, Simply Go", "#/analysis/simply-go"),
        ("review, Simply Go, 200 moves", &review),
    ];
    for (name, fragment) in cases {
        let longest = (0..N_ROUNDS).map(|_| {
            let tasks = trace_study(fragment);
            let time = |task: &Task| task.span.duration();
            let longest = tasks.iter().max_by(|a, b| time(a).total_cmp(&time(b)));
            longest.map_or((0.0, 0.0), |task| (time(task), task.effort))
        });
        let (times, efforts): (Vec<_>, Vec<_>) = longest.unzip();
        let ((median, worst), (effort, _)) = (median_and_worst(times), median_and_worst(efforts));
        let name = row_name(name, effort <= LONG);
        writeln!(text, "| {name} | {median:.1} | {worst:.1} | {effort:.1} |").unwrap();
    }
}

/// The tasks of the interface's thread while a study opens.
fn trace_study(fragment: &str) -> Vec<Task> {
    let mut table = at_home();
    table.browser.start_trace();
    table.browser.call("goTo", json!([fragment]));
    table.browser.wait_for_element(".study .mirror button");
    let begun = if fragment.contains("review") {
        ("hasJudged", 4)
    } else {
        ("hasDepth", 1)
    };
    table.browser.wait_for(begun.0, json!([begun.1]));
    thread::sleep(5 * BREATH);
    table.browser.end_trace().tasks().to_vec()
}
