//! `parlour load`: puts a running server under load, and measures it.
//!
//! The load is open: a turn is due at its time whether or not earlier ones were answered, and
//! its latency counts from then. A server that stalls is therefore seen to stall.

mod link;
mod pair;
mod report;
mod verify;

use std::{
    io::Write,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, bail, ensure};
use client::Api;
use indicatif::{ProgressBar, ProgressStyle};
use rules::mix;
use tokio::{sync::Semaphore, task::JoinSet, time::Instant};

use self::{
    pair::{LoadTally, Pair, Place},
    report::LoadReport,
};
use crate::{args::LoadArgs, open_files, serve::runtime};

/// Players who arrive at the same time, and matches that are verified at the same time.
const AT_ONCE: usize = 32;

/// Between the last arrival and the first turn.
const LEAD: Duration = Duration::from_millis(200);

/// Plays, verifies and prints the figures. It fails if the server lost or doubled a turn, or
/// showed somebody another position than it has.
pub(crate) fn run(args: &LoadArgs, out: &mut impl Write) -> anyhow::Result<()> {
    ensure!(
        !args.server.iter().any(|server| server.is_secure),
        "load is measured without TLS; expected an address such as http://127.0.0.1:8430"
    );
    let n_sockets = 2 * u64::from(args.matches) + u64::from(args.watchers);
    open_files::require(n_sockets)?;
    let report = runtime()?.block_on(measure(args))?;
    report.print(args.json, out)?;
    if let Some(problem) = report.problem() {
        bail!("{problem}");
    }
    Ok(())
}

async fn measure(args: &LoadArgs) -> anyhow::Result<LoadReport> {
    let server = args.server.first().context("expected a server")?;
    let api = Api::new(&server.host);
    let tally = Arc::new(Mutex::new(LoadTally::default()));
    let pairs = arrive(args, &api, &tally).await?;
    let n_sockets = pairs.iter().map(Pair::n_links).sum();

    let start = Instant::now() + LEAD;
    let length = Duration::from_secs(args.seconds.into());
    let turn_every = Duration::from_secs(1) / args.turns_per_second;
    let progress = bar(args.seconds.into(), "s")?;
    let n_turns = Arc::new(AtomicU64::new(0));
    let mut playing = JoinSet::new();
    for (index, pair) in (0..).zip(pairs) {
        let place = Place {
            first: start + turn_every * index,
            every: turn_every * args.matches,
            end: start + length,
        };
        playing.spawn(pair.play(place, n_turns.clone()));
    }
    let mut pairs = Vec::new();
    let mut ticks = tokio::time::interval(Duration::from_secs(1));
    loop {
        tokio::select! {
            joined = playing.join_next() => match joined {
                Some(joined) => pairs.push(joined.context("playing does not panic")?),
                None => break,
            },
            _ = ticks.tick() => {
                let elapsed = Instant::now().saturating_duration_since(start).as_secs();
                progress.set_position(elapsed);
                let n_turns = n_turns.load(Ordering::Relaxed);
                progress.set_message(format!("{n_turns} turns"));
            }
        }
    }
    progress.finish_and_clear();

    let progress = bar(pairs.len() as u64, "matches verified")?;
    let limit = Arc::new(Semaphore::new(AT_ONCE));
    let mut verifying = JoinSet::new();
    for pair in pairs {
        let (api, limit) = (api.clone(), limit.clone());
        verifying.spawn(async move {
            let _permit = limit.acquire_owned().await;
            verify::verify(&api, pair).await
        });
    }
    let mut audit = verify::Audit::default();
    while let Some(joined) = verifying.join_next().await {
        audit.add(joined.context("verifying does not panic")??);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let tally = tally
        .lock()
        .map_or_else(|e| e.into_inner().clone(), |tally| tally.clone());
    Ok(LoadReport {
        n_matches: args.matches,
        n_sockets,
        length,
        tally,
        audit,
    })
}

/// Creates players and matches, and connects everybody.
async fn arrive(
    args: &LoadArgs,
    api: &Api,
    tally: &Arc<Mutex<LoadTally>>,
) -> anyhow::Result<Vec<Pair>> {
    let games = match &args.game {
        Some(name) => vec![catalog::find(name)?],
        None => catalog::GAMES.to_vec(),
    };
    let urls = args.server.iter().map(|server| server.socket().into());
    let urls: Arc<[Arc<str>]> = urls.collect();
    let progress = bar(args.matches.into(), "matches created")?;
    let limit = Arc::new(Semaphore::new(AT_ONCE));
    let mut arriving = JoinSet::new();
    for index in 0..args.matches {
        let game = games[index as usize % games.len()];
        // The first ones have one watcher more if the number can't be divided.
        let n_watchers = args.watchers / args.matches;
        let n_watchers = n_watchers + u32::from(index < args.watchers % args.matches);
        let seed = mix(args.seed) ^ u64::from(index);
        let (api, urls, limit) = (api.clone(), urls.clone(), limit.clone());
        let tally = tally.clone();
        arriving.spawn(async move {
            let _permit = limit.acquire_owned().await;
            Pair::arrive(&api, &urls, game, n_watchers, seed, tally).await
        });
    }
    let mut pairs = Vec::new();
    while let Some(joined) = arriving.join_next().await {
        pairs.push(joined.context("arriving does not panic")??);
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(pairs)
}

fn bar(length: u64, unit: &str) -> anyhow::Result<ProgressBar> {
    let style =
        ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {unit}, {{msg}}"));
    Ok(ProgressBar::new(length).with_style(style.context("the style of the progress bar")?))
}
