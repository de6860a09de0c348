//! Matches between beginners with any settings, to calibrate the lower levels.

use std::{
    str::FromStr,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use anyhow::{Context, bail};
use bots::{Beginner, Bots, Opponent, Request, Thinking, ThinkingStep, level::Habits, think};
use clap::Args;
use lilypads::Lilypads;
use nonaga::Nonaga;
use rules::{MatchSetup, Outcome, Player, Random, Record, SetupError, mix};
use search::{Limits, NoStop, Slice, TranspositionTable, Value};
use simply_go::SimplyGo;
use takeover::Takeover;

use crate::fair::interval;

/// Who plays, and how often.
#[derive(Args, Clone, Debug)]
pub(crate) struct BeginnersArgs {
    /// lilypads, nonaga, takeover, ataxx or simply-go
    game: String,
    /// An opponent, such as newcomer or level:3; or three percentages: how often it sees
    /// wins, looks for threats and is greedy (80,0,0), and perhaps how many moves it sees
    /// otherwise (80,0,50,4), or from which margin it rallies and how often it is greedy then
    /// (80,0,0,5,50); or depth, nodes, breadth, noise and sight of a search
    /// (search:3,5000,8,50,threats)
    a: Contestant,
    b: Contestant,
    #[arg(long, default_value_t = 400)]
    matches: u64,
    /// The number of random moves at the start of a match
    #[arg(long, default_value_t = 4)]
    opening: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

#[derive(Clone, Copy, Debug)]
enum Contestant {
    Beginner(Beginner),
    Habits(&'static Habits),
    Opponent(Opponent),
}

impl FromStr for Contestant {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        if let Some(text) = text.strip_prefix("search:") {
            return Ok(Self::Habits(Box::leak(Box::new(habits(text)?))));
        }
        let numbers: Result<Vec<u32>, _> = text.split(',').map(str::parse).collect();
        match numbers.as_deref() {
            Ok(&[wins, threats, greed]) => Ok(Self::Beginner(Beginner::new(wins, threats, greed))),
            Ok(&[wins, threats, greed, n_seen]) => {
                let beginner = Beginner::new(wins, threats, greed);
                Ok(Self::Beginner(beginner.seeing(n_seen as usize)))
            }
            Ok(&[wins, threats, greed, margin, rally]) => {
                let beginner = Beginner::new(wins, threats, greed);
                let margin = i32::try_from(margin)?;
                Ok(Self::Beginner(beginner.rallying(margin, rally)))
            }
            _ => Ok(Self::Opponent(text.parse()?)),
        }
    }
}

/// Reads the settings of a level that searches: depth, nodes, breadth, noise, and what it
/// sees, such as `3,5000,8,50,threats`.
fn habits(text: &str) -> anyhow::Result<Habits> {
    let [depth, nodes, breadth, noise, sight] = text.split(',').collect::<Vec<_>>()[..] else {
        bail!("expected depth, nodes, breadth, noise, and nothing, wins or threats");
    };
    let habits = Habits::seeing(depth.parse()?, nodes.parse()?);
    let habits = habits.blurred(breadth.parse()?, noise.parse()?);
    Ok(match sight {
        "threats" => habits,
        "wins" => habits.careless(),
        "nothing" => habits.blind(),
        _ => bail!("expected nothing, wins or threats"),
    })
}

impl Contestant {
    fn choose<G: Bots>(
        self,
        record: &Record<G>,
        seed: u64,
        table: &TranspositionTable,
    ) -> Option<G::Move> {
        let request = Request {
            opponent: match self {
                Self::Opponent(opponent) => opponent,
                Self::Beginner(_) | Self::Habits(_) => Opponent::Engine,
            },
            limits: Limits::default(),
            seed,
            n_threads: 1,
            n_lines: 1,
            table,
            stop: &NoStop,
        };
        match self {
            Self::Beginner(beginner) => {
                let position = record.position();
                let mut random = Random::new(mix(seed) ^ record.n_moves() as u64);
                beginner.choose(position, &position.legal_moves(), &mut random)
            }
            Self::Habits(habits) => {
                let mut thinking = Thinking::with_habits(record, &request, habits);
                loop {
                    if let ThinkingStep::Done(m) = thinking.step(table, &NoStop, Slice::WHOLE) {
                        return m;
                    }
                }
            }
            Self::Opponent(_) => think(record, &request, &mut |_| {}),
        }
    }
}

/// Longer matches are drawn.
const MOST_MOVES: usize = 600;

/// Plays the matches and prints the score of the first-named player.
pub(crate) fn run(args: &BeginnersArgs, tell: &dyn Fn(String)) -> anyhow::Result<()> {
    let half_points = match &*args.game {
        "lilypads" => play_all::<Lilypads>(args, &[])?,
        "nonaga" => play_all::<Nonaga>(args, &[])?,
        "takeover" => play_all::<Takeover>(args, &[])?,
        "ataxx" => play_all::<Takeover>(args, &[("variant", "ataxx")])?,
        "simply-go" => play_all::<SimplyGo>(args, &[])?,
        other => bail!("there is no game {other}"),
    };
    let n = args.matches as f64;
    let score = half_points as f64 / (2.0 * n);
    let [low, high] = interval(score, n).map(|end| 100.0 * end);
    tell(format!("{:.1} % ({low:.1} to {high:.1})", 100.0 * score));
    Ok(())
}

/// The half points of the first-named player.
fn play_all<G: Bots>(args: &BeginnersArgs, options: &[(&str, &str)]) -> anyhow::Result<u64> {
    let next = AtomicU64::new(0);
    let total = AtomicU64::new(0);
    let work = || -> anyhow::Result<()> {
        // As in matches, neither player knows what the other has thought.
        let tables = [(); 2].map(|()| TranspositionTable::for_nodes(100_000));
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= args.matches {
                return Ok(());
            }
            let points = play::<G>(args, options, number, &tables)?;
            total.fetch_add(points, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..args.threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().expect("playing does not panic"))
    })?;
    Ok(total.into_inner())
}

/// Plays a match; the sides alternate, so that two matches share an opening.
fn play<G: Bots>(
    args: &BeginnersArgs,
    options: &[(&str, &str)],
    number: u64,
    tables: &[TranspositionTable; 2],
) -> anyhow::Result<u64> {
    let mut setup = G::Setup::default();
    for (name, value) in options {
        setup.set(name, value)?;
    }
    if let Some(board) = board::<G>(options, number) {
        match setup.set("board", &board.to_string()) {
            Ok(()) | Err(SetupError::NoSuchOption { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let mut record = opening::<G>(&setup, args, number / 2)?;
    let a = Player::BOTH[(number % 2) as usize];
    let seed = mix(mix(args.seed) ^ number);
    tables.iter().for_each(TranspositionTable::clear);
    while record.ending().is_none() && record.n_moves() < MOST_MOVES {
        let is_a = record.position().turn() == a;
        let contestant = if is_a { args.a } else { args.b };
        let seed = mix(seed ^ u64::from(is_a));
        let m = contestant.choose(&record, seed, &tables[usize::from(is_a)]);
        record
            .play(m.context("no move")?)
            .ok()
            .context("an illegal move")?;
    }
    Ok(match record.ending().map(|ending| ending.outcome) {
        Some(Outcome::Win(player)) if player == a => 2,
        Some(Outcome::Win(_)) => 0,
        Some(Outcome::Draw) | None => 1,
    })
}

/// The board of a match, as `parlour match` chooses it: none for Ataxx, which has no obstacles there, and a
/// fair one where such are known. Others come in blocks that share a solution.
fn board<G: Bots>(options: &[(&str, &str)], number: u64) -> Option<u64> {
    if options.contains(&("variant", "ataxx")) {
        return None;
    }
    let fair = G::fair_boards();
    Some(match fair.len() as u64 {
        0 => number / 16,
        n => fair[(number / 2 % n) as usize],
    })
}

/// A match that begins with random moves, after which nobody has won or can force a win, by a
/// short search; as in `parlour match`.
fn opening<G: Bots>(
    setup: &G::Setup,
    args: &BeginnersArgs,
    number: u64,
) -> anyhow::Result<Record<G>> {
    let mut random = Random::new(mix(args.seed ^ 0x6f70) ^ number);
    loop {
        let mut record = Record::<G>::new(setup.clone())?;
        while record.ending().is_none() && record.n_moves() < args.opening {
            let moves = record.position().legal_moves();
            let m = *random.pick(&moves).context("no move")?;
            record.play(m).ok().context("an illegal move")?;
        }
        if record.ending().is_none() && !is_decided(&record) {
            return Ok(record);
        }
    }
}

/// Whether a short search finds a forced win.
fn is_decided<G: Bots>(record: &Record<G>) -> bool {
    const GLANCE: u64 = 3_000;
    let table = TranspositionTable::for_nodes(GLANCE);
    let request = Request {
        opponent: Opponent::Engine,
        limits: Limits::nodes(GLANCE),
        seed: 0,
        n_threads: 1,
        n_lines: 1,
        table: &table,
        stop: &NoStop,
    };
    let mut value = None;
    think(record, &request, &mut |report| {
        value = report.lines.first().map(|line| line.value);
    });
    value.is_some_and(Value::is_decided)
}
