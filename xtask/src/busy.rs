//! Matches on a busy machine: whether engines still answer in time, and after at least one whole
//! depth.

mod engine_process;

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    process::Child,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};

use self::engine_process::{Answer, EngineProcess};
use crate::{
    circumstances::circumstances,
    run::{cargo, load_average, program, root, say, target_folder},
};

const FIGURES: &str = "docs/busy-figures.md";

/// The number of processes that keep the machine busy.
const N_SPINNERS: usize = 4;

/// The limit for the whole run; the processes end by then at the latest.
const LONGEST_RUN: Duration = Duration::from_secs(900);

/// The moves of each game under each control.
const N_MOVES: usize = 120;

/// The random moves at the beginning of a match.
const OPENING: usize = 4;

const HEAD: &str = "\
# The engine on a busy machine

Written by `cargo xtask busy`, which starts four processes that compute without a pause and lets
`parlour engine` play against itself beside them, with random openings. *Without a depth* are moves
that came before the search had finished any depth. A move with a clock is *lost on time* if it
takes more than the player has left; with a fixed time for a move, if it takes more than twice of
that. *Late* is how much longer than a fixed time a move took from `go` to `bestmove`, and *left*
the least that a clock showed after a move.
";

/// How long a player may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Control {
    /// For every move.
    Move(Duration),
    /// For the match, and more after every move.
    Clock {
        start: Duration,
        increment: Duration,
    },
}

const CONTROLS: [Control; 2] = [
    Control::Move(Duration::from_millis(50)),
    Control::Clock {
        start: Duration::from_millis(2_000),
        increment: Duration::from_millis(20),
    },
];

/// Options of a game: names and values.
type Options = &'static [(&'static str, &'static str)];

/// A game, its name for the engine and its options.
const GAMES: [(&str, &str, Options); 5] = [
    ("Lilypads", "lilypads", &[]),
    ("Nonaga", "nonaga", &[]),
    ("Takeover", "takeover", &[]),
    ("Ataxx", "takeover", &[("variant", "ataxx")]),
    ("Simply Go, 9 × 9", "simply-go", &[("size", "9")]),
];

/// What was counted in the matches of a game under a control.
#[derive(Clone, PartialEq, Debug, Default)]
struct Counts {
    n_matches: usize,
    n_moves: usize,
    n_without_depth: usize,
    n_lost: usize,
    /// How late the moves with a fixed time were.
    late: Vec<Duration>,
    /// The least that a clock showed after a move.
    left: Option<Duration>,
}

impl Counts {
    /// Adds a move that is lost if it took more than `longest`.
    fn add(&mut self, answer: &Answer, longest: Duration) {
        self.n_moves += 1;
        self.n_without_depth += usize::from(!answer.has_depth);
        self.n_lost += usize::from(answer.time > longest);
    }

    /// Adds a move with a fixed time.
    fn add_fixed(&mut self, answer: &Answer, time: Duration) {
        self.add(answer, 2 * time);
        self.late.push(answer.time.saturating_sub(time));
    }

    /// Adds a move of a player who had `left`, and returns what is left after it.
    fn add_clock(&mut self, answer: &Answer, left: Duration) -> Duration {
        self.add(answer, left);
        let after = left.saturating_sub(answer.time);
        self.left = Some(self.left.map_or(after, |least| least.min(after)));
        after
    }

    /// The lateness that this many moves of a hundred do not exceed.
    fn late(&self, percent: usize) -> Option<Duration> {
        let mut late = self.late.clone();
        late.sort_unstable();
        let index = (late.len() * percent).div_ceil(100).saturating_sub(1);
        late.get(index).copied()
    }
}

/// Plays, and writes the figures to the document.
pub(crate) fn run() -> anyhow::Result<()> {
    cargo(&["build", "--release", "--package", "parlour-cli"]).check()?;
    let engine = target_folder().join("release").join("parlour");
    let circumstances = circumstances()?;
    let load = load_average();
    let mut text = format!(
        "{HEAD}\n{circumstances}, load {load} before.\n\n\
         | game | time | matches | moves | without a depth | lost on time | late, median | 99 % | most | left |\n\
         |---|---|---|---|---|---|---|---|---|---|\n"
    );
    let start = Instant::now();
    let spinners = Spinners::start()?;
    let mut n_moves = 0;
    let mut faults = Vec::new();
    for (title, game, options) in GAMES {
        for control in CONTROLS {
            let counts = play(&engine, game, options, control, start)
                .with_context(|| format!("{title}, {}", control.describe()))?;
            let row = row(title, control, &counts);
            say(row.trim_end());
            text += &row;
            n_moves += counts.n_moves;
            if counts.n_without_depth + counts.n_lost > 0 {
                faults.push(title);
            }
        }
    }
    drop(spinners);
    writeln!(
        text,
        "\n{n_moves} moves in {:.0} s.",
        start.elapsed().as_secs_f64()
    )?;
    fs::write(root().join(FIGURES), text)?;
    ensure!(
        faults.is_empty(),
        "moves without a depth or lost on time: {}",
        faults.join(", ")
    );
    Ok(())
}

fn row(title: &str, control: Control, counts: &Counts) -> String {
    let times = [
        counts.late(50),
        counts.late(99),
        counts.late(100),
        counts.left,
    ];
    let times = times.map(|time| match time {
        Some(time) => format!("{:.1} ms", time.as_secs_f64() * 1_000.0),
        None => "–".to_owned(),
    });
    format!(
        "| {title} | {} | {} | {} | {} | {} | {} |\n",
        control.describe(),
        counts.n_matches,
        counts.n_moves,
        counts.n_without_depth,
        counts.n_lost,
        times.join(" | ")
    )
}

impl Control {
    fn describe(self) -> String {
        match self {
            Self::Move(time) => format!("{} ms a move", time.as_millis()),
            Self::Clock { start, increment } => format!(
                "{} s and {} ms a move",
                start.as_secs(),
                increment.as_millis()
            ),
        }
    }
}

/// Plays matches of a game until there are enough moves.
fn play(
    engine: &Path,
    game: &str,
    options: &[(&str, &str)],
    control: Control,
    start: Instant,
) -> anyhow::Result<Counts> {
    let mut players = [
        EngineProcess::start(engine, game, options)?,
        EngineProcess::start(engine, game, options)?,
    ];
    let mut counts = Counts::default();
    // Any numbers will do, as long as they are the same every time.
    let mut random = 1_u64;
    while counts.n_moves < N_MOVES {
        ensure!(start.elapsed() < LONGEST_RUN, "it takes too long");
        let mut moves = Vec::new();
        for player in &mut players {
            player.new_match()?;
        }
        let mut clocks = [Duration::ZERO; 2];
        if let Control::Clock { start, .. } = control {
            clocks = [start; 2];
        }
        counts.n_matches += 1;
        while counts.n_moves < N_MOVES {
            let legal = players[0].legal_moves(&moves)?;
            if legal.is_empty() {
                break;
            }
            if moves.len() < OPENING {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                moves.push(legal[(random >> 33) as usize % legal.len()].clone());
                continue;
            }
            // The same player may be on move twice.
            let side = players[0].turn()?;
            let player = &mut players[side];
            let answer = match control {
                Control::Move(time) => {
                    let go = format!("go movetime {}", time.as_millis());
                    let answer = player.choose(&moves, &go)?;
                    counts.add_fixed(&answer, time);
                    answer
                }
                Control::Clock { increment, .. } => {
                    let [one, other] = clocks.map(|clock| clock.as_millis());
                    let increment_ms = increment.as_millis();
                    let go = format!(
                        "go p1time {one} p2time {other} p1inc {increment_ms} p2inc {increment_ms}"
                    );
                    let answer = player.choose(&moves, &go)?;
                    clocks[side] = counts.add_clock(&answer, clocks[side]) + increment;
                    answer
                }
            };
            ensure!(legal.contains(&answer.m), "{} is not legal", answer.m);
            moves.push(answer.m);
        }
    }
    Ok(counts)
}

/// Processes that compute without a pause, until this is dropped.
struct Spinners(Vec<Child>);

impl Spinners {
    fn start() -> anyhow::Result<Self> {
        let this = std::env::current_exe()?;
        let mut spinners = Self(Vec::new());
        for _ in 0..N_SPINNERS {
            let child = program(&this, &["spin"]).spawn_with_input()?;
            spinners.0.push(child);
        }
        Ok(spinners)
    }
}

impl Drop for Spinners {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // It may have ended already.
            child.kill().ok();
            child.wait().ok();
        }
    }
}

/// Computes without a pause until the input is closed or the time is up.
pub(crate) fn spin() -> anyhow::Result<()> {
    use std::{
        hint::black_box,
        io::Read,
        sync::{
            Arc,
            atomic::{AtomicBool, Ordering},
        },
        thread,
    };

    let is_over = Arc::new(AtomicBool::new(false));
    let over = Arc::clone(&is_over);
    thread::spawn(move || {
        std::io::stdin().read_to_end(&mut Vec::new()).ok();
        over.store(true, Ordering::Relaxed);
    });
    let start = Instant::now();
    let mut number = 1_u64;
    while !is_over.load(Ordering::Relaxed) && start.elapsed() < LONGEST_RUN {
        for _ in 0..100_000 {
            number = black_box(number.wrapping_mul(3).wrapping_add(1));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Answer, CONTROLS, Counts, row};

    #[test]
    fn faults_and_lateness_are_counted() {
        let ms = Duration::from_millis;
        let answer = |time, has_depth| Answer {
            m: "a1".to_owned(),
            time: ms(time),
            has_depth,
        };
        let mut counts = Counts {
            n_matches: 1,
            ..Counts::default()
        };
        for (time, has_depth) in [(49, true), (52, true), (60, false), (101, true)] {
            counts.add_fixed(&answer(time, has_depth), ms(50));
        }
        let line = "| Nonaga | 50 ms a move | 1 | 4 | 1 | 1 | 2.0 ms | 51.0 ms | 51.0 ms | – |\n";
        assert_eq!(row("Nonaga", CONTROLS[0], &counts), line);
        let mut counts = Counts::default();
        for (time, left, after) in [(30, 100, 70), (90, 100, 10), (60, 50, 0)] {
            assert_eq!(counts.add_clock(&answer(time, true), ms(left)), ms(after));
        }
        let line = "| Nonaga | 2 s and 20 ms a move | 0 | 3 | 0 | 1 | – | – | – | 0.0 ms |\n";
        assert_eq!(row("Nonaga", CONTROLS[1], &counts), line);
    }
}
