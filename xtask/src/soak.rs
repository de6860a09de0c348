//! Online play at full size: servers under load, with figures, and its tests as large as they
//! are meant to be.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    time::Instant,
};

use anyhow::{Context, bail};
use serde_json::Value;

use crate::{
    circumstances::circumstances,
    install,
    run::{cargo, load_average, program, root, say, target_folder},
};

const FIGURES: &str = "docs/online-figures.md";

/// A part that can be run alone, and has a section of the document.
struct Part {
    name: &'static str,
    title: &'static str,
    /// Arguments of `cargo test`, separated by spaces; none for the load.
    test: &'static str,
}

const PARTS: [Part; 7] = [
    Part {
        name: "load",
        title: "Under load",
        test: "",
    },
    Part {
        name: "hostile",
        title: "Hostile clients",
        test: "--package parlour-server --test hostile",
    },
    Part {
        name: "log",
        title: "The law of the log",
        test: "--package parlour-server --test log",
    },
    Part {
        name: "network",
        title: "Bad networks",
        test: "--package parlour-server --test proxy",
    },
    Part {
        name: "sqlite",
        title: "Servers killed on one file",
        test: "--package parlour-cli --features services --test crashes one_file",
    },
    Part {
        name: "postgres",
        title: "Servers killed on Postgres",
        test: "--package parlour-cli --features services --test crashes on_postgres",
    },
    Part {
        name: "nodes",
        title: "Three nodes, Postgres and NATS",
        test: "--package parlour-cli --features services --test nodes",
    },
];

/// The names of the parts.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    PARTS.iter().map(|part| part.name)
}

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

/// Runs the named parts, or all, one after the other, and writes what they report.
pub(crate) fn run(chosen: &[String]) -> anyhow::Result<()> {
    install::servers()?;
    let is_chosen = |part: &Part| chosen.is_empty() || chosen.iter().any(|name| name == part.name);
    let mut failed = Vec::new();
    for part in PARTS.iter().filter(|part| is_chosen(part)) {
        let result = if part.test.is_empty() {
            measure_load(part)
        } else {
            test(part)
        };
        if let Err(error) = result {
            failed.push(format!("{}: {error:#}", part.name));
        }
    }
    if !failed.is_empty() {
        bail!("{}", failed.join("; "));
    }
    Ok(())
}

/// Runs tests at full size, and writes what they note.
fn test(part: &Part) -> anyhow::Result<()> {
    let folder = target_folder().join("soak");
    fs::create_dir_all(&folder)?;
    let notes = folder.join(format!("{}.txt", part.name));
    // What is built is not part of the time.
    let args: Vec<_> = part.test.split(' ').collect();
    cargo(&[&["test", "--no-run"], &args[..]].concat()).check()?;
    fs::write(&notes, "")?;
    let (circumstances, before, began) = (circumstances()?, load_average(), Instant::now());
    cargo(&[&["test"], &args[..]].concat())
        .with("PARLOUR_SOAK", &notes)
        .check()?;
    let (minutes, after) = (began.elapsed().as_secs_f64() / 60.0, load_average());
    let mut body = format!(
        "{circumstances}, load {before} before and {after} after, {minutes:.1} minutes. Passed:\n\n"
    );
    for note in fs::read_to_string(&notes)?.lines() {
        body += &format!("- {note}\n");
    }
    write_section(part.title, &body)
}

fn write_section(title: &str, body: &str) -> anyhow::Result<()> {
    let path = root().join(FIGURES);
    let old = fs::read_to_string(&path).unwrap_or_default();
    fs::write(path, with_section(&old, title, body))?;
    say(&format!("{title}: written into {FIGURES}"));
    Ok(())
}

/// The document with one section replaced.
fn with_section(old: &str, title: &str, body: &str) -> String {
    let mut text = "# Figures of online play\n\n\
        Written by `cargo xtask soak`, section by section: servers under load by `parlour load` on the same machine, and the \
        tests of online play at full size.\n"
        .to_owned();
    let sections = || {
        old.split("\n## ")
            .skip(1)
            .filter_map(|it| it.split_once('\n'))
    };
    for part in &PARTS {
        let found = sections().find(|(found, _)| *found == part.title);
        let found = found.map(|(_, body)| body);
        let body = (part.title == title).then_some(body).or(found);
        if let Some(body) = body {
            text += &format!("\n## {}\n\n{}\n", part.title, body.trim());
        }
    }
    text
}

/// Measures, writes the figures, and fails if a target is missed.
fn measure_load(part: &Part) -> anyhow::Result<()> {
    cargo(&["build", "--release", "--package", "parlour-cli"]).check()?;
    let circumstances = circumstances()?;
    let before = load_average();
    let mut rows = Vec::new();
    let folder = target_folder().join("soak");
    fs::create_dir_all(&folder)?;
    rows.push(measure_sqlite(&folder)?);
    rows.extend(measure_postgres()?);
    let after = load_average();

    let targets = TARGETS.map(|(name, most)| format!("{name} {most}"));
    let mut text = format!(
        "{circumstances}, load {before} before and {after} after. 1,000 matches of all games at a time, 2,000 players and 3,000 watchers, \
         500 turns a second for 60 s. Milliseconds from the time a turn is due to the other player's socket, and to the acknowledgement that it is on disk. \
         Memory is the most that a server had resident. Targets: {}; {MOST_MEMORY} MB; nothing lost, nobody shown a wrong position.\n\n\
         | servers | turns | to the opponent: p50 | p99 | p99.9 | max | to the acknowledgement: p50 | p99 | MB | lost | wrong |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
        targets.join(", ")
    );
    for row in &rows {
        text += &row.to_line();
    }
    write_section(part.title, &text)?;
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

#[cfg(test)]
mod tests {
    use super::with_section;

    #[test]
    fn a_section_is_replaced_and_the_others_stay() {
        let one = with_section("", "Bad networks", "old\n");
        let two = with_section(&one, "Under load", "| a |\n| b |\n");
        assert!(two.ends_with("## Under load\n\n| a |\n| b |\n\n## Bad networks\n\nold\n"));
        let three = with_section(&two, "Bad networks", "new\n");
        assert_eq!(three, two.replace("old", "new"));
    }
}
