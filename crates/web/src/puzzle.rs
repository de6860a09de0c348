//! Puzzles: the choice of one, one that is being solved, and today's on the home screen.

mod board;
mod parts;
mod solving;

use catalog::AnyMatch;
use leptos::prelude::*;
use puzzles::{Attempt, Day, FairStart, Puzzle, SeedSearch};
use rules::Values;
use view::Look;

use self::solving::{FoundPuzzle, PuzzleScores, Solving, today};
use crate::{
    app::SkipLink,
    hosted_board::HostedBoard,
    html::{Html, escaped},
    icons::{Icon, Wordmark, icon, icon_html, mark, mark_html},
    nav::{QuickSettings, ordinary, usual_opponent},
    puzzle_route::{PuzzleRoute, Which},
    room::Room,
    rooms::{Header, Tabs},
    route::shared_match_address,
};

/// The screen for puzzles.
#[component]
pub(crate) fn Puzzles(room: Room) -> impl IntoView {
    let number = StoredValue::new(0);
    move || {
        let route = room.puzzle.get();
        number.update_value(|number| *number += 1);
        let show = move |puzzle, day, seed| {
            let route = room.puzzle.get_untracked();
            match Solving::new(room, puzzle, day, &route, number.get_value(), seed) {
                Some(solving) => view! { <PuzzleView solving=solving /> }.into_any(),
                None => view! { <Choice room=room /> }.into_any(),
            }
        };
        match solving::find(&route) {
            Some(FoundPuzzle::Puzzle(puzzle, day)) => show(puzzle, day, None),
            Some(FoundPuzzle::New(game, search)) => {
                let mined = mine(room, game, search);
                (move || match mined.get() {
                    MiningState::Mining => view! { <Mining room=room game=game /> }.into_any(),
                    MiningState::Found(seed, puzzle) => show(puzzle, None, Some(seed)),
                    MiningState::Nothing => {
                        view! { <NothingMined room=room game=game /> }.into_any()
                    }
                })
                .into_any()
            }
            None => view! { <Choice room=room /> }.into_any(),
        }
    }
}

/// What came of a search for a new puzzle.
#[derive(Clone, PartialEq)]
enum MiningState {
    /// The engine is at it.
    Mining,
    /// The puzzle of a seed.
    Found(u64, Puzzle),
    /// There is none, or there is no engine.
    Nothing,
}

/// Lets the engine find a new puzzle.
fn mine(room: Room, game: &'static str, search: SeedSearch) -> Memo<MiningState> {
    let search = RwSignal::new(search);
    let hear = Callback::new(move |text: String| {
        search.try_update(|search| search.hear(Puzzle::from_json(&text).ok()));
    });
    Effect::new(move |_| {
        if let Some(seed) = search.with(SeedSearch::next_seed) {
            room.driver.mine(game, seed, hear);
        }
    });
    Memo::new(move |_| {
        search.with(|search| match (search.next_seed(), search.found()) {
            (Some(_), _) => MiningState::Mining,
            (None, Some((seed, puzzle))) => MiningState::Found(seed, puzzle.clone()),
            (None, None) => MiningState::Nothing,
        })
    })
}

/// While the engine looks for a puzzle.
#[component]
fn Mining(room: Room, game: &'static str) -> impl IntoView {
    view! {
        <Unset room=room game=game is_busy=true>
            <h2>{room.text("puzzles.mining")}</h2>
            <p>{room.text("puzzles.mining.line")}</p>
            <progress></progress>
        </Unset>
    }
}

/// The engine found no puzzle.
#[component]
fn NothingMined(room: Room, game: &'static str) -> impl IntoView {
    view! {
        <Unset room=room game=game is_busy=false>
            <h2>{room.text("puzzles.none")}</h2>
            <p>{room.text("puzzles.none.line")}</p>
            <button class="btn pri" id="retry" on:click=move |_| room.puzzle.notify()>
                {room.text("do.retry")}
            </button>
        </Unset>
    }
}

/// The screen of a puzzle that there is none of yet.
#[component]
fn Unset(room: Room, game: &'static str, is_busy: bool, children: Children) -> impl IntoView {
    view! {
        <div class="app puzzle" data-game=game aria-busy=is_busy.to_string()>
            <header class="top">
                <a class="ib" href="#/puzzles" aria-label=room.text("puzzles.title")>
                    {icon(Icon::Back)}
                </a>
                <div class="title">{room.text("puzzles.one")}</div>
            </header>
            <main class="middle">
                <div class="board rest"></div>
            </main>
            <aside class="side">
                <div class="ask" role="status">{children()}</div>
                <a class="btn" href="#/puzzles">{room.text("puzzles.all")}</a>
            </aside>
        </div>
    }
}

/// The choice of a game.
#[component]
fn Choice(room: Room) -> impl IntoView {
    let cards = Signal::derive(move || catalog::GAMES.map(|game| card(room, game.name())).concat());
    view! {
        <div class="home learn puzzles">
            <Header room=room />
            <main>
                <h1>{room.text("puzzles.title")}</h1>
                <p class="lead">{room.text("puzzles.line")}</p>
                <Html class="lessons" html=cards />
            </main>
            <Tabs room=room />
        </div>
    }
}

/// A day without its year: `15 Nov`.
fn date_text(room: Room, day: Day) -> String {
    let language = room.settings.language.get().tag();
    let options = js_sys::Object::new();
    for (name, value) in [("day", "numeric"), ("month", "short"), ("timeZone", "UTC")] {
        js_sys::Reflect::set(&options, &name.into(), &value.into()).ok();
    }
    let midnight = f64::from(day.0) * 86_400_000.0;
    let date = js_sys::Date::new(&midnight.into());
    // English as in the rest of the world: the day comes first.
    let language = if language == "en" { "en-GB" } else { language };
    date.to_locale_date_string(language, &options).into()
}

/// The picture of today's puzzle of a game, and its text.
fn picture(room: Room, game: &str) -> Option<(String, String, u8)> {
    let puzzle = puzzles::all(game).get(puzzles::daily(game, today())?)?;
    let words = room.settings.words.get();
    let title = puzzles::title(&puzzle, &words);
    let grade = puzzle.grade();
    let look = Look {
        is_bare: true,
        is_locked: true,
        ..Look::new(&words)
    };
    let attempt = Attempt::new(puzzle)?;
    let scene = attempt.sitting().table().scene(&look);
    Some((view::svg(&scene, room.settings.palette()), title, grade))
}

/// A grade as dots. It is said in words as well.
fn grade_dots(room: Room, grade: u8) -> String {
    let dots: String = (1..=puzzles::TOP_GRADE)
        .map(|n| {
            if n <= grade {
                "<i class='on'></i>"
            } else {
                "<i></i>"
            }
        })
        .collect();
    let text = escaped(&room.say_with("puzzles.grade.of", &[("n", &grade)]));
    format!("<span class='gr' role='img' aria-label='{text}'>{dots}</span>")
}

fn card(room: Room, game: &'static str) -> String {
    let scores = PuzzleScores::stored(game);
    let (svg, title, grade) = picture(room, game).unwrap_or_default();
    let is_done = puzzles::daily(game, today())
        .and_then(|index| puzzles::all(game).id(index))
        .is_some_and(|id| scores.of_game.solved.has(id));
    let mark = catalog::find(game).map_or_else(
        |_| String::new(),
        |game| mark_html(game.presentation().mark),
    );
    let daily = if is_done {
        "puzzles.daily.done"
    } else {
        "puzzles.daily"
    };
    let board = DailyStart::of(game).map(|start| {
        let address = escaped(&start.address);
        let text = escaped(&room.say(start.heading));
        format!("<a class='btn' id='board-{game}' href='{address}'>{text}</a>")
    });
    format!(
        "<section class='lc' data-game='{game}'><div class='art' aria-hidden='true'>{svg}</div><div class='tx'>\
         <h2>{mark}{}</h2><p>{} {}</p><p>{}</p><div class='row'><a class='btn pri' id='daily-{game}' href='{}'>{}</a>\
         <a class='btn' id='more-{game}' href='{}'>{}</a>{}</div></div></section>",
        escaped(&room.say(&format!("{game}.name"))),
        escaped(&title),
        grade_dots(room, grade),
        escaped(&room.say_with(
            "puzzles.standing",
            &[
                ("rating", &scores.of_game.rating.points()),
                ("n", &scores.of_game.solved.len())
            ]
        )),
        PuzzleRoute::of(game, Which::Daily),
        escaped(&room.say(daily)),
        PuzzleRoute::of(game, Which::Next),
        escaped(&room.say("puzzles.more")),
        board.unwrap_or_default(),
    )
}

/// Today's puzzle and fair start, on the home screen. The games change from day to day, and
/// are two.
#[component]
pub(crate) fn Today(room: Room) -> impl IntoView {
    let html = Signal::derive(move || {
        let of_day = |n: usize| {
            let games = catalog::GAMES;
            games[(today().0 as usize + n) % games.len()].name()
        };
        let game = of_day(0);
        let (svg, title, grade) = picture(room, game).unwrap_or_default();
        let start = fair_card(room, of_day(2));
        format!(
            "<a class='td' id='daily-puzzle' data-game='{game}' href='{}'><span class='mn'>{svg}</span><b>{}</b>\
             <span>{} {}</span></a>{}<a class='td friend-card' id='friend' href='#/play'>{}<span class='tx'><b>{}</b>             <span>{}</span></span><span class='btn'>{}</span></a>",
            PuzzleRoute::of(game, Which::Daily),
            escaped(&room.say("puzzles.daily")),
            escaped(&title),
            grade_dots(room, grade),
            start.unwrap_or_default(),
            icon_html(Icon::People),
            escaped(&room.say("home.friend")),
            escaped(&room.say("home.friend.line")),
            escaped(&room.say("home.friend.make")),
        )
    });
    view! { <Html class="today" html=html /> }
}

/// Today's fair start of a game.
struct DailyStart {
    /// A match that begins there.
    record: Box<dyn AnyMatch>,
    /// The address of one against the opponent that was chosen last.
    address: String,
    /// The phrase for such a start.
    heading: &'static str,
}

impl DailyStart {
    fn of(game: &str) -> Option<Self> {
        let start = puzzles::daily_start(game, today())?;
        let record = start.start(game).ok()?;
        let game = catalog::find(game).ok()?;
        let mut wish = ordinary(game, usual_opponent(game));
        let (address, heading) = match start {
            FairStart::Board(number) => {
                let mut options = game.options().into_iter();
                let option = options.find(|option| option.values == Values::Number)?;
                wish.choices.retain(|(name, _)| name != option.name);
                wish.choices
                    .push((option.name.to_owned(), number.to_string()));
                (wish.address(), "puzzles.board")
            }
            FairStart::Opening(_) => {
                let link = record.to_link();
                let address = shared_match_address(&link, wish.opponent, record.turn());
                (address, "puzzles.opening")
            }
        };
        Some(Self {
            record,
            address,
            heading,
        })
    }
}

/// The card of today's fair start of a game.
fn fair_card(room: Room, game: &str) -> Option<String> {
    let start = DailyStart::of(game)?;
    let words = room.settings.words.get();
    let look = Look {
        is_bare: true,
        is_locked: true,
        ..Look::new(&words)
    };
    let svg = view::svg(&start.record.table().scene(&look), room.settings.palette());
    Some(format!(
        "<a class='td' id='daily-board' data-game='{game}' href='{}'><span class='mn'>{svg}</span><b>{}</b><span>{}</span></a>",
        escaped(&start.address),
        escaped(&room.say(start.heading)),
        escaped(&room.say("puzzles.board.line")),
    ))
}

/// A puzzle that is being solved.
#[component]
fn PuzzleView(solving: Solving) -> impl IntoView {
    let room = solving.room;
    let game = solving.with_untracked(|attempt| attempt.puzzle().game());
    solving.listen_to_keys();
    let on_do = Callback::new(move |command: String| solving.command(&command));
    let part = move |f: fn(Solving) -> String| Signal::derive(move || f(solving));
    let heading = if solving.day.is_some() {
        "puzzles.daily"
    } else {
        "puzzles.one"
    };
    view! {
        <SkipLink room=room text="site.skip" to=".mirror [tabindex='0']" />
        <div
            class="app puzzle"
            data-game=game
            data-phase=move || solving.with(|attempt| format!("{:?}", attempt.phase()).to_lowercase())
        >
            <nav class="nav" aria-label=room.text("puzzles.title")>
                <a class="brand" href="#/" aria-label=room.text("site.home")><Wordmark /></a>
                <Html class="slot" html=part(parts::games) />
                <Html class="acts-col" html=part(parts::facts) />
                <div class="ft"><QuickSettings room=room /></div>
            </nav>
            <header class="top">
                <a class="ib" href="#/puzzles" aria-label=room.text("puzzles.title")>{icon(Icon::Back)}</a>
                <div class="title">
                    {catalog::find(game).ok().map(|game| mark(game.presentation().mark))}
                    {room.text(heading)}
                    {solving.day.map(|day| view! { <span class="chip">{move || date_text(room, day)}</span> })}
                </div>
                <button
                    class="ib"
                    aria-label=room.text("do.help")
                    on:click=move |_| {
                        room.help_game.set(Some(game));
                        room.is_help_open.set(true);
                    }
                >
                    {icon(Icon::Help)}
                </button>
            </header>
            <main class="middle">
                <h1 class="sr">{room.text(heading)}</h1>
                <HostedBoard hosted=solving />
            </main>
            <aside class="side">
                <Html class="ask" role="status" html=part(parts::ask) />
                <Html class="stats3" html=part(parts::stats) />
                <Html class="hints" role="status" html=part(parts::hints) on_do=on_do />
                <Html class="answer" role="status" html=part(parts::answer) on_do=on_do />
                <span class="sp"></span>
                <Html class="go" html=part(parts::controls) on_do=on_do />
                <Html class="solver" html=part(parts::solver) />
            </aside>
        </div>
    }
}
