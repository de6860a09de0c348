//! The engine's searches in WebAssembly, beside native code.

use std::{fmt::Write as _, fs};

use anyhow::{Context, ensure};

use crate::{
    circumstances::circumstances,
    install,
    run::{cargo, load_average, program, root, say},
    wasm,
};

const PACKAGE: &str = "parlour-engine";
const EXAMPLE: &str = "searches";
const SCRIPT: &str = include_str!("searches.mjs");

/// The searches with their results; a native test writes and checks it.
const RECORDED: &str = "crates/engine/tests/searches.txt";

const FIGURES: &str = "docs/wasm-figures.md";

/// How often each search is run to measure it.
const N_ROUNDS: u32 = 5;

/// The least share of the native speed that is good enough, in percent.
const LEAST_SHARE: f64 = 40.0;

const HEAD: &str = "\
# The engine in WebAssembly

Written by `cargo xtask speed`, which repeats the searches of `crates/engine/tests/searches.txt`
natively and in WebAssembly (Node.js, with SIMD): four positions of each game, the least
processor time of five runs each. It fails if a search has another result, move, score, line and
number of nodes, in WebAssembly; `cargo xtask test` checks that too. A native program uses AVX2
where there is one.
";

/// Repeats all searches once in WebAssembly and compares the results.
pub(crate) fn compare() -> anyhow::Result<()> {
    let searches = recorded()?;
    say(&format!(
        "repeating {} searches in WebAssembly",
        searches.len()
    ));
    wasm_times(searches.len(), 1).map(drop)
}

/// Measures both, and writes the figures to the document.
pub(crate) fn measure() -> anyhow::Result<()> {
    let searches = recorded()?;
    let circumstances = circumstances()?;
    let before = load_average();
    let native = native_times()?;
    let wasm = wasm_times(searches.len(), N_ROUNDS)?;
    ensure!(native.len() == searches.len(), "a time is missing");
    let load = format!("load {before} before and {} after", load_average());
    let rows = rows(&searches, &native, &wasm);
    let mut text = format!("{HEAD}\n{circumstances}, {load}.\n\n");
    text += "| game | positions | nodes | native, nodes a second | WebAssembly | share |\n|---|---|---|---|---|---|\n";
    for row in &rows {
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {:.0} % |",
            row.title,
            row.n_positions,
            row.nodes,
            row.per_second(row.native),
            row.per_second(row.wasm),
            row.share()
        )?;
    }
    fs::write(root().join(FIGURES), text)?;
    for row in rows {
        ensure!(
            row.share() >= LEAST_SHARE,
            "{} has {:.0} % of its speed in WebAssembly, less than {LEAST_SHARE} %",
            row.title,
            row.share()
        );
    }
    Ok(())
}

/// A recorded search: the game, and the nodes that it visits.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Search {
    title: String,
    nodes: u64,
}

fn recorded() -> anyhow::Result<Vec<Search>> {
    let text = fs::read_to_string(root().join(RECORDED))?;
    text.lines().map(read_search).collect()
}

fn read_search(line: &str) -> anyhow::Result<Search> {
    let fields: Vec<&str> = line.split(" | ").collect();
    let (title, answer) = (fields.first(), fields.last());
    let (title, answer) = title
        .zip(answer)
        .with_context(|| format!("expected a search, found {line}"))?;
    let mut words = answer.split(' ').skip_while(|&word| word != "nodes");
    let nodes = words.nth(1).and_then(|nodes| nodes.parse().ok());
    Ok(Search {
        title: (*title).to_owned(),
        nodes: nodes.with_context(|| format!("expected nodes in {answer}"))?,
    })
}

/// All searches of a game.
#[derive(Debug)]
struct Row {
    title: String,
    n_positions: u32,
    nodes: u64,
    /// Processor times in seconds.
    native: f64,
    wasm: f64,
}

impl Row {
    /// Nodes a second, in three digits.
    fn per_second(&self, time: f64) -> String {
        let thousands = self.nodes as f64 / time.max(1e-9) / 1_000.0;
        if thousands >= 1_000.0 {
            format!("{:.2} million", thousands / 1_000.0)
        } else {
            format!("{thousands:.0},000")
        }
    }

    /// The share of the native speed, in percent.
    fn share(&self) -> f64 {
        100.0 * self.native / self.wasm.max(1e-9)
    }
}

fn rows(searches: &[Search], native: &[f64], wasm: &[f64]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for ((search, native), wasm) in searches.iter().zip(native).zip(wasm) {
        if rows.last().is_none_or(|row| row.title != search.title) {
            rows.push(Row {
                title: search.title.clone(),
                n_positions: 0,
                nodes: 0,
                native: 0.0,
                wasm: 0.0,
            });
        }
        if let Some(row) = rows.last_mut() {
            row.n_positions += 1;
            row.nodes += search.nodes;
            row.native += native;
            row.wasm += wasm;
        }
    }
    rows
}

fn native_times() -> anyhow::Result<Vec<f64>> {
    let args = [
        "run",
        "--release",
        "--package",
        PACKAGE,
        "--example",
        EXAMPLE,
    ];
    times(&cargo(&args).output()?)
}

fn wasm_times(n_searches: usize, n_rounds: u32) -> anyhow::Result<Vec<f64>> {
    install::node()?;
    let path = wasm::build_example(PACKAGE, EXAMPLE)?;
    let [path, n_searches, n_rounds] = [
        path.to_string_lossy().into_owned(),
        n_searches.to_string(),
        n_rounds.to_string(),
    ];
    let eval = ["--input-type=module", "--eval", SCRIPT, "--"];
    let args = [&eval[..], &[&path, &n_searches, &n_rounds]].concat();
    times(&program("node", &args).output()?)
}

fn times(text: &str) -> anyhow::Result<Vec<f64>> {
    let times = text.lines().map(|line| {
        let time = line.parse();
        time.with_context(|| format!("expected seconds, found {line}"))
    });
    times.collect()
}

#[cfg(test)]
mod tests {
    use super::{Search, read_search, recorded, rows};

    #[test]
    fn searches_are_read() {
        let line =
            "Ataxx | game takeover | go nodes 5 | depth 2 score cp 3 nodes 5 pv a1 bestmove a1";
        let search = read_search(line).unwrap();
        assert_eq!((&*search.title, search.nodes), ("Ataxx", 5));
        assert!(read_search("Ataxx | depth 2").is_err());
        assert!(recorded().unwrap().len() >= 20);
    }

    #[test]
    fn figures_are_added_up_by_game() {
        let search = |title: &str, nodes| Search {
            title: title.to_owned(),
            nodes,
        };
        let searches = [
            search("A", 1_000_000),
            search("A", 3_000_000),
            search("B", 5_000),
        ];
        let rows = rows(&searches, &[0.5, 0.5, 0.1], &[1.0, 1.0, 0.125]);
        let [a, b] = &rows[..] else {
            panic!("{rows:?}");
        };
        assert_eq!((a.n_positions, a.nodes, a.share()), (2, 4_000_000, 50.0));
        assert_eq!(a.per_second(a.native), "4.00 million");
        assert_eq!((b.share(), &*b.per_second(b.wasm)), (80.0, "40,000"));
    }
}
