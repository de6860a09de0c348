//! Matches of many games between two players.

mod clocks;
mod opening;
mod score;
mod side;

use std::{
    fs,
    io::Write,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use anyhow::{Context, bail, ensure};
use bots::{Level, Opponent};
use catalog::{AnyGame, AnyMatch};
use indicatif::{ProgressBar, ProgressStyle};
use rules::{Outcome, Player, Random, Values, mix};
use serde_json::json;

use self::{
    clocks::{Clocks, MARGIN, in_ms},
    opening::{Judge, Opening},
    score::{HalfPoints, Score},
    side::{Allowance, Contestant, Reply, Time},
};
use crate::{args::MatchArgs, clock::TimeKind};

pub(crate) use self::{clocks::TimeControl, side::Side};

/// The default time per move.
const MOVE_TIME: Duration = Duration::from_millis(100);

/// Longer games are drawn; only cycles lead to them.
const MOST_MOVES: usize = 1_000;

/// Plays the games and prints the results.
pub(crate) fn run(args: &MatchArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let tournament = Tournament::new(args)?;
    let Totals {
        score,
        times,
        faults,
        least_left,
        openings,
    } = tournament.play()?;
    let (elo, error) = score.elo();
    let ms_per_move = times.map(Average::milliseconds);
    writeln!(
        out,
        "{} against {}: {} games, {} won, {} drawn, {} lost ({:.1} %)",
        args.a,
        args.b,
        score.n_games(),
        score.wins,
        score.draws,
        score.losses,
        100.0 * score.mean()
    )?;
    match score.shutout_bound() {
        Some(bound) if score.wins > 0 => {
            writeln!(out, "Elo difference at least {bound:+.0} (95 %)")?
        }
        Some(bound) => writeln!(out, "Elo difference at most {bound:+.0} (95 %)")?,
        None => writeln!(out, "Elo difference {elo:+.0} ± {error:.0} (95 %)")?,
    }
    if let Some((elo0, elo1)) = args.sprt {
        let ratio = score.log_likelihood_ratio(elo0, elo1);
        let verdict = match score.sprt(elo0, elo1) {
            Some(true) => "accepted",
            Some(false) => "rejected",
            None => "undecided",
        };
        writeln!(
            out,
            "SPRT {elo0},{elo1}: {verdict} (log likelihood ratio {ratio:+.2})"
        )?;
    }
    if let Some(margin) = args.balanced {
        writeln!(
            out,
            "openings: {} random moves, then a score within {margin} by {} nodes ({} of {} kept)",
            args.opening, args.judge_nodes, openings.n_kept, openings.n_tried
        )?;
    }
    let unit = match args.clock {
        TimeKind::Wall => "ms a move",
        TimeKind::Cpu => "ms of a processor a move",
    };
    writeln!(
        out,
        "{unit}: {:.1} and {:.1}",
        ms_per_move[0], ms_per_move[1]
    )?;
    let n_late = faults.each_ref().map(|faults| faults.n_late);
    // Shown rounded down: a clock that has nothing left has run out.
    let least_left = least_left.map(|left| left.map(in_ms));
    if let Some(control) = args.time_control {
        let shown = |left: Option<u64>| left.map_or("-".to_owned(), |ms| ms.to_string());
        writeln!(
            out,
            "time control {control}: {} and {} games lost on time, at least {} and {} ms left",
            n_late[0],
            n_late[1],
            shown(least_left[0]),
            shown(least_left[1])
        )?;
    }
    for (side, faults) in [&args.a, &args.b].into_iter().zip(&faults) {
        if let Some(first) = &faults.first {
            let n = faults.n;
            writeln!(out, "{side} lost {n} games by a fault, such as: {first}")?;
        }
    }
    if args.json {
        let round = |number: f64, digits: f64| (number * digits).round() / digits;
        let mut line = json!({
            "games": score.n_games(),
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "score": round(score.mean(), 10_000.0),
            "elo": round(elo, 10.0),
            "error": round(error, 10.0),
            "ms_per_move": ms_per_move.map(|ms| round(ms, 1_000.0)),
            "clock": args.clock.name(),
            "shutout_bound": score.shutout_bound().map(|bound| round(bound, 10.0)),
            "faults": faults.each_ref().map(|faults| faults.n),
            "first_fault": faults.each_ref().map(|faults| &faults.first),
        });
        if let Some(control) = args.time_control {
            line["time_control"] = json!(control.to_string());
            line["time_losses"] = json!(n_late);
            line["least_left_ms"] = json!(least_left);
        }
        if let Some(margin) = args.balanced {
            line["openings"] = json!({
                "moves": args.opening,
                "margin": margin,
                "nodes": args.judge_nodes,
                "kept": openings.n_kept,
                "tried": openings.n_tried,
            });
        }
        writeln!(out, "{line}")?;
    }
    Ok(())
}

struct Tournament<'a> {
    args: &'a MatchArgs,
    game: &'static dyn AnyGame,
    allowance: Allowance,
    judge: Judge,
}

/// The average time per move.
#[derive(Clone, Copy, Debug, Default)]
struct Average {
    n: u64,
    total: Duration,
}

impl Average {
    fn milliseconds(self) -> f64 {
        self.total.as_secs_f64() * 1_000.0 / self.n.max(1) as f64
    }
}

/// A finished game.
struct Played {
    half_points: HalfPoints,
    times: [Average; 2],
    /// The least time left on the clocks after a move.
    least_left: [Option<Duration>; 2],
    fault: Option<Fault>,
    record: String,
}

/// Why a game was forfeited.
struct Fault {
    side: usize,
    problem: String,
    /// Whether a clock ran out.
    is_late: bool,
}

/// The results of all games.
#[derive(Debug, Default)]
struct Totals {
    score: Score,
    times: [Average; 2],
    faults: [Faults; 2],
    least_left: [Option<Duration>; 2],
    openings: Openings,
}

/// How many openings were judged.
#[derive(Clone, Copy, Debug, Default)]
struct Openings {
    n_kept: u64,
    n_tried: u64,
}

/// Games forfeited by a program that crashed, timed out or made an invalid move.
#[derive(Debug, Default)]
struct Faults {
    n: u64,
    /// How many of them because a clock ran out.
    n_late: u64,
    first: Option<String>,
}

impl Totals {
    fn add(&mut self, played: &[Played]) {
        match played {
            [first, second] => self.score.add_pair(first.half_points, second.half_points),
            others => others
                .iter()
                .for_each(|played| self.score.add_single(played.half_points)),
        }
        for played in played {
            for (all, more) in self.times.iter_mut().zip(played.times) {
                all.n += more.n;
                all.total += more.total;
            }
            for (least, left) in self.least_left.iter_mut().zip(played.least_left) {
                *least = shorter(*least, left);
            }
            if let Some(fault) = &played.fault {
                let faults = &mut self.faults[fault.side];
                faults.n += 1;
                faults.n_late += u64::from(fault.is_late);
                faults.first.get_or_insert_with(|| fault.problem.clone());
            }
        }
    }
}

/// The shorter of two times, as far as they are known.
fn shorter(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    one.into_iter().chain(other).min()
}

impl<'a> Tournament<'a> {
    fn new(args: &'a MatchArgs) -> anyhow::Result<Self> {
        let game = catalog::find(&args.game)?;
        let is_perfect = |side: &Side| *side == Side::Bot(Opponent::Perfect);
        ensure!(
            game.is_solved() || !(is_perfect(&args.a) || is_perfect(&args.b)),
            "{} is not solved, so nobody plays it perfectly; expected random, classic, level:1 to \
             level:{} or engine",
            game.name(),
            Level::TOP
        );
        ensure!(
            args.clock.is_available(),
            "--clock cpu needs Linux; expected --clock wall"
        );
        for (name, value) in args.setup.choices() {
            game.check_option(name, value)?;
        }
        game.start(&args.setup.choices())?;
        if let Some(folder) = &args.save {
            fs::create_dir_all(folder)
                .with_context(|| format!("can't make the folder {}", folder.display()))?;
        }
        let time = match (args.time_control, args.movetime, args.nodes) {
            (Some(control), _, _) => Time::Clocks(Clocks::new(control)),
            (None, Some(ms), _) => Time::Move(Duration::from_millis(ms)),
            (None, None, None) => Time::Usual(MOVE_TIME),
            (None, None, Some(_)) => Time::Unlimited,
        };
        Ok(Self {
            args,
            game,
            judge: Judge::new(args),
            allowance: Allowance {
                time,
                nodes: args.nodes,
                time_kind: args.clock,
            },
        })
    }

    /// Plays all pairs of games, some at a time. An odd number leaves a game
    /// unpaired.
    fn play(&self) -> anyhow::Result<Totals> {
        let n_games = self.args.games;
        let n_pairs = n_games.div_ceil(2);
        let progress = ProgressBar::new(n_games).with_style(
            ProgressStyle::with_template("{bar:30} {pos}/{len} games, {elapsed}, {msg}")
                .context("the style of the progress bar")?,
        );
        let next = AtomicU64::new(0);
        let is_decided = AtomicBool::new(false);
        let totals = Mutex::new(Totals::default());
        let play_pairs = || -> anyhow::Result<()> {
            let mut contestants = [&self.args.a, &self.args.b].map(Contestant::new);
            loop {
                let pair = next.fetch_add(1, Ordering::Relaxed);
                if pair >= n_pairs || is_decided.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let choices = self.choices(pair);
                let opening = self.opening(pair, &choices)?;
                let mut played = Vec::new();
                for (number, a) in (1..).zip(Player::BOTH) {
                    if 2 * pair + number > n_games {
                        break;
                    }
                    let game =
                        self.play_game(pair, a, &opening.moves, &choices, &mut contestants)?;
                    self.save(pair, number, &game.record)?;
                    played.push(game);
                }
                let mut totals = totals.lock().expect("adding up does not panic");
                totals.add(&played);
                totals.openings.n_kept += 1;
                totals.openings.n_tried += opening.n_tried;
                let score = &totals.score;
                let (elo, error) = score.elo();
                progress.set_message(format!(
                    "+{} ={} -{}, Elo {elo:+.0} ± {error:.0}",
                    score.wins, score.draws, score.losses
                ));
                progress.inc(played.len() as u64);
                if let Some((elo0, elo1)) = self.args.sprt
                    && score.sprt(elo0, elo1).is_some()
                {
                    is_decided.store(true, Ordering::Relaxed);
                }
            }
        };
        let n_threads = n_pairs.min(self.args.concurrency);
        let errors: Vec<anyhow::Error> = thread::scope(|scope| {
            let threads: Vec<_> = (0..n_threads)
                .map(|_| {
                    scope.spawn(|| {
                        play_pairs().inspect_err(|_| is_decided.store(true, Ordering::Relaxed))
                    })
                })
                .collect();
            let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
            let results = joined.map(|result| result.expect("playing does not panic"));
            results.filter_map(Result::err).collect()
        });
        progress.finish_and_clear();
        if let Some(error) = errors.into_iter().next() {
            return Err(error);
        }
        Ok(totals.into_inner().expect("adding up does not panic"))
    }

    /// The options of a pair's games: each pair has a board of its own, unless one
    /// was given. It is a fair one where such are known: on others the same side may win
    /// both games, whoever plays it.
    fn choices(&self, pair: u64) -> Vec<(String, String)> {
        let given = self.args.setup.choices();
        let mut choices: Vec<(String, String)> = given
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        // Referees of Ataxx play on its board 0, which has no obstacles.
        if given.contains(&("variant", "ataxx")) {
            return choices;
        }
        let fair = self.game.fair_boards();
        for option in self.game.options() {
            let is_given = given.iter().any(|(name, _)| *name == option.name);
            if option.values == Values::Number && !is_given {
                let number = mix(self.args.seed) ^ pair;
                let number = match fair.len() as u64 {
                    0 => number,
                    // One after the other, beginning anywhere.
                    n => fair[((mix(self.args.seed) % n + pair) % n) as usize],
                };
                choices.push((option.name.to_owned(), number.to_string()));
            }
        }
        choices
    }

    /// The opening of a pair's games.
    fn opening(&self, pair: u64, choices: &[(String, String)]) -> anyhow::Result<Opening> {
        let mut random = Random::new(mix(self.args.seed ^ 0x6f70) ^ pair);
        let start = || self.start(choices);
        self.judge.opening(self.args.opening, &mut random, start)
    }

    fn start(&self, choices: &[(String, String)]) -> anyhow::Result<Box<dyn AnyMatch>> {
        let choices: Vec<_> = choices
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect();
        Ok(self.game.start(&choices)?)
    }

    /// Plays one game; `a` is the player of side A.
    fn play_game(
        &self,
        pair: u64,
        a: Player,
        opening: &[String],
        choices: &[(String, String)],
        contestants: &mut [Contestant; 2],
    ) -> anyhow::Result<Played> {
        let mut playing = self.start(choices)?;
        for m in opening {
            playing.play(m)?;
        }
        for contestant in &mut *contestants {
            contestant.new_game(choices, self.allowance.time_kind)?;
        }
        let seed = mix(self.args.seed) ^ mix(2 * pair + a as u64);
        let mut allowance = self.allowance;
        playing.set_time_control(self.args.time_control.map(TimeControl::in_record));
        let mut times = [Average::default(); 2];
        let mut least_left = [None; 2];
        let mut fault = None;
        while playing.ending().is_none() && playing.moves().len() < MOST_MOVES {
            let turn = playing.turn();
            let number = usize::from(turn != a);
            let Reply { choice, time } = contestants[number].choose(&*playing, allowance, seed)?;
            if let Time::Clocks(clocks) = &mut allowance.time {
                let left = clocks.left(turn);
                if !clocks.spend(turn, time) {
                    playing.time_out(turn)?;
                    least_left[number] = Some(Duration::ZERO);
                    fault = Some(Fault {
                        side: number,
                        problem: format!(
                            "no move within {} ms and a margin of {} ms",
                            left.as_millis(),
                            MARGIN.as_millis()
                        ),
                        is_late: true,
                    });
                    break;
                }
            }
            if choice.is_ok() {
                times[number].n += 1;
                times[number].total += time;
            }
            let played = choice.and_then(|m| {
                let played = playing.play(&m);
                played.map_err(|e| format!("{e} in {}", playing.position()))
            });
            match played {
                Ok(()) => {
                    if let Time::Clocks(clocks) = &mut allowance.time {
                        let left = clocks.left(turn);
                        least_left[number] = shorter(least_left[number], Some(left));
                        // A turn of Nonaga is two moves.
                        if playing.turn() != turn {
                            clocks.end_turn(turn);
                        }
                        playing.set_time_left(in_ms(clocks.left(turn)));
                    }
                }
                Err(problem) => {
                    if matches!(contestants[number], Contestant::Bot { .. }) {
                        bail!("a bot of ours made a mistake: {problem}");
                    }
                    // A program that crashes or makes an illegal move forfeits.
                    playing.resign(turn)?;
                    fault = Some(Fault {
                        side: number,
                        problem,
                        is_late: false,
                    });
                }
            }
        }
        let outcome = playing.ending().map(|ending| ending.outcome);
        let half_points = match outcome {
            Some(Outcome::Win(winner)) if winner == a => 2,
            Some(Outcome::Win(_)) => 0,
            Some(Outcome::Draw) | None => 1,
        };
        Ok(Played {
            half_points,
            times,
            least_left,
            fault,
            record: playing.to_string(),
        })
    }

    /// Saves a game, if requested.
    fn save(&self, pair: u64, number: u64, record: &str) -> anyhow::Result<()> {
        let Some(folder) = &self.args.save else {
            return Ok(());
        };
        let path = Path::new(folder).join(format!("{:05}-{number}.txt", pair + 1));
        fs::write(&path, record).with_context(|| format!("can't write {}", path.display()))
    }
}
