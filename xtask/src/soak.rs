//! Online play at full size: servers under load, with figures, and its tests as large as they
//! are meant to be.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use anyhow::{Context, bail};
use serde_json::Value;

use crate::{
    circumstances::circumstances,
    install,
    run::{cargo, load_average, program, root, say, target_folder},
};

const FIGURES: &str = "docs/online-figures.md";

/// The load that the documents promise, on two cores with the load generator included.
const LOAD: [&str; 8] = [
    "--matches",
    "1000",
    "--watchers",
    "3000",
    "--turns-per-second",
    "500",
    "--seconds",
    "60",
];

/// The most milliseconds from a turn to the other player, and the most memory in MB.
const TARGETS: [(&str, f64); 3] = [("p50", 5.0), ("p99", 25.0), ("p99.9", 150.0)];
const MOST_MEMORY: u64 = 300;

/// Measures, writes the figures, and runs the tests.
pub(crate) fn run() -> anyhow::Result<()> {
    cargo(&["build", "--release", "--package", "parlour-cli"]).check()?;
    install::servers()?;
    let circumstances = circumstances()?;
    let before = load_average();
    let mut rows = Vec::new();
    let folder = root().join("target/soak");
    fs::create_dir_all(&folder)?;
    rows.push(measure_sqlite(&folder)?);
    rows.extend(measure_postgres()?);
    let after = load_average();

    let targets = TARGETS.map(|(name, most)| format!("{name} {most}"));
    let mut text = format!(
        "# Figures of online play\n\n\
         Written by `cargo xtask soak`, which puts servers under load with `parlour load` on the same machine.\n\n\
         {circumstances}, load {before} before and {after} after. 1,000 matches of all games at a time, 2,000 players and 3,000 watchers, \
         500 turns a second for 60 s. Milliseconds from the time a turn is due to the other player's socket, and to the acknowledgement that it is on disk. \
         Memory is the most that a server had resident. Targets: {}; {MOST_MEMORY} MB; nothing lost, nobody shown a wrong position.\n\n\
         | servers | turns | to the opponent: p50 | p99 | p99.9 | max | to the acknowledgement: p50 | p99 | MB | lost | wrong |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
        targets.join(", ")
    );
    for row in &rows {
        text += &row.to_line();
    }
    fs::write(root().join(FIGURES), text)?;
    say(&format!("{FIGURES} is written"));

    for package in ["parlour-server", "parlour-store", "parlour-cli"] {
        let args = ["test", "--release", "--no-fail-fast", "--package", package];
        let more: &[&str] = match package {
            "parlour-store" => &["--features", "services"],
            "parlour-cli" => &[
                "--features",
                "services",
                "--test",
                "crashes",
                "--test",
                "nodes",
            ],
            _ => &[],
        };
        let run = cargo(&[&args, more].concat()).with("PARLOUR_SOAK", "1");
        run.check()?;
    }
    let missed: Vec<_> = rows.iter().filter_map(Row::missed).collect();
    if !missed.is_empty() {
        bail!("missed: {}", missed.join("; "));
    }
    Ok(())
}

/// What was measured of a server, or several.
struct Row {
    name: &'static str,
    report: Value,
    /// In MB, of the largest server.
    memory: Option<u64>,
    is_target: bool,
}

impl Row {
    fn number(&self, path: &str) -> f64 {
        let value = self.report.pointer(path);
        value.and_then(Value::as_f64).unwrap_or(f64::NAN)
    }

    fn n_wrong(&self) -> f64 {
        self.number("/wrong_views") + self.number("/wrong_events") + self.number("/doubled")
    }

    fn to_line(&self) -> String {
        let mut line = format!("| {} | {} |", self.name, self.number("/ok"));
        for path in [
            "/to_opponent_ms/p50",
            "/to_opponent_ms/p99",
            "/to_opponent_ms/p99.9",
            "/to_opponent_ms/max",
            "/to_ok_ms/p50",
            "/to_ok_ms/p99",
        ] {
            line += &format!(" {:.1} |", self.number(path));
        }
        let memory = self.memory.map_or_else(String::new, |mb| mb.to_string());
        let (lost, wrong) = (self.number("/lost"), self.n_wrong());
        line + &format!(" {memory} | {lost} | {wrong} |\n")
    }

    /// The targets that were missed, if any.
    fn missed(&self) -> Option<String> {
        let mut missed = Vec::new();
        for (name, most) in TARGETS {
            let found = self.number(&format!("/to_opponent_ms/{name}"));
            if self.is_target && (found.is_nan() || found > most) {
                missed.push(format!("{name} {found} ms instead of {most}"));
            }
        }
        if self.memory.is_some_and(|mb| mb > MOST_MEMORY) {
            missed.push(format!("more than {MOST_MEMORY} MB"));
        }
        if self.number("/lost") + self.n_wrong() != 0.0 {
            missed.push("turns lost or positions wrong".to_owned());
        }
        (!missed.is_empty()).then(|| format!("{}: {}", self.name, missed.join(", ")))
    }
}

fn measure_sqlite(folder: &Path) -> anyhow::Result<Row> {
    let file = folder.join("parlour.db");
    for suffix in ["", "-wal", "-shm"] {
        // There is nothing to remove at the first time.
        fs::remove_file(format!("{}{suffix}", file.display())).ok();
    }
    let server = Server::start(&["--store", &format!("sqlite:{}", file.display())])?;
    let row = measure("one, SQLite", true, &[&server])?;
    Ok(row)
}

#[cfg(unix)]
fn measure_postgres() -> anyhow::Result<Vec<Row>> {
    let postgres = testservers::Postgres::start()?;
    let url = postgres.url();
    let alone = Server::start(&["--store", &url])?;
    let mut rows = vec![measure("one, Postgres", false, &[&alone])?];
    drop(alone);
    let nats = testservers::Nats::start()?;
    let args = ["--store", &url, "--bus", &nats.url()];
    let servers = [Server::start(&args)?, Server::start(&args)?];
    let [first, second] = &servers;
    rows.push(measure(
        "two, Postgres and NATS, the players of a match on different ones",
        false,
        &[first, second],
    )?);
    Ok(rows)
}

#[cfg(not(unix))]
fn measure_postgres() -> anyhow::Result<Vec<Row>> {
    Ok(Vec::new())
}

fn measure(name: &'static str, is_target: bool, servers: &[&Server]) -> anyhow::Result<Row> {
    let mut args = vec!["load", "--json"];
    args.extend(LOAD);
    for server in servers {
        args.extend(["--server", &server.url]);
    }
    say(&format!("$ parlour {}", args.join(" ")));
    let report = program(parlour(), &args).output()?;
    let report = serde_json::from_str(&report).context("parlour load prints JSON")?;
    let memory = servers.iter().filter_map(|server| server.memory()).max();
    let row = Row {
        name,
        report,
        memory,
        is_target,
    };
    say(&row.to_line());
    Ok(row)
}

fn parlour() -> std::path::PathBuf {
    target_folder().join("release/parlour")
}

/// A server that ends when it is dropped.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(args: &[&str]) -> anyhow::Result<Self> {
        let mut child = Command::new(parlour())
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("can't start parlour serve")?;
        let output = child.stdout.take().context("a server has an output")?;
        let mut server = Self {
            child,
            url: String::new(),
        };
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let url = line.trim().strip_prefix("listening on ");
        let url = url.with_context(|| format!("parlour serve says {line:?}"))?;
        server.url = url.trim_end_matches('/').to_owned();
        Ok(server)
    }

    /// The most memory that was resident, in MB, where the system tells.
    fn memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kib * 1024 / 1_000_000)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
