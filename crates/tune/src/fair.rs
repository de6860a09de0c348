//! How fair the games are: the engine plays against itself many times from every start.
//!
//! `tune fair GAME` measures a game, replaces its section of the report
//! (docs/fairness.md) and, for Takeover, writes the list of fair boards.

mod matches;
mod report;
mod takeover;
mod tally;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use bots::Bots;
use clap::{Args, ValueEnum};
use nonaga::Nonaga;
use rules::{Game, MatchSetup, Values};
use simply_go::SimplyGo;

use self::{
    matches::{Conditions, Job, play_all},
    report::Section,
};

/// What is measured, and how thoroughly.
#[derive(Args, Clone, Debug)]
pub(crate) struct FairArgs {
    pub(crate) game: Measured,
    /// Nodes per move
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// Maximum noise of the score of a move in the opening, in hundredths
    #[arg(long, default_value_t = 60)]
    noise: i32,
    /// Takeover: the number of boards to screen, from board 0 on
    #[arg(long, default_value_t = 420)]
    boards: u64,
    /// Takeover: matches on a board to screen it
    #[arg(long, default_value_t = 100)]
    screen: u32,
    /// Takeover: matches on a board that passed, to confirm it
    #[arg(long, default_value_t = 400)]
    confirm: u32,
    /// Other games: matches with each set of options; fewer on large boards
    #[arg(long, default_value_t = 2_000)]
    matches: u32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The result does not depend on it
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// The report, of which one section is replaced
    #[arg(long)]
    report: PathBuf,
    /// Takeover: the list of fair boards
    #[arg(long)]
    list: Option<PathBuf>,
    /// Takeover: the same list with the results on every board
    #[arg(long)]
    figures: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Measured {
    /// Takeover and Ataxx
    Takeover,
    Nonaga,
    SimplyGo,
}

impl FairArgs {
    fn conditions(&self) -> Conditions {
        Conditions {
            nodes: self.nodes,
            noise: self.noise.max(0),
            n_threads: self.threads,
        }
    }
}

/// The number of legal moves up to which a board counts as small.
const MOVES_OF_A_SMALL_BOARD: usize = 170;

/// Measures a game and writes its files.
pub(crate) fn run(args: &FairArgs, tell: &(dyn Fn(String) + Sync)) -> anyhow::Result<()> {
    let section = match args.game {
        Measured::Takeover => {
            let measured = takeover::measure(args, tell);
            if let Some(path) = &args.list {
                write(path, &measured.list())?;
            }
            if let Some(path) = &args.figures {
                write(path, &measured.figures())?;
            }
            measured.section(args)
        }
        Measured::Nonaga => options_section::<Nonaga>(args, "Nonaga", tell),
        Measured::SimplyGo => options_section::<SimplyGo>(args, "Simply Go", tell),
    };
    let path = &args.report;
    let old = fs::read_to_string(path).unwrap_or_default();
    write(path, &report::with_section(&old, &section))
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("can't write {}", path.display()))
}

/// Measures a game with every combination of its options.
fn options_section<G: Bots>(
    args: &FairArgs,
    title: &'static str,
    tell: &(dyn Fn(String) + Sync),
) -> Section {
    let (words, jobs): (Vec<String>, Vec<Job<G>>) = (0..)
        .zip(starts::<G>())
        .map(|(number, (words, start))| {
            // A match on a large board takes longer: every move does.
            let share = (start.legal_moves().len() / MOVES_OF_A_SMALL_BOARD).max(1);
            let n_matches = (args.matches / share as u32).max(1);
            (words, Job::new(start, args.seed, number, n_matches))
        })
        .unzip();
    let tallies = play_all(&jobs, args.conditions());
    let rows: Vec<_> = words.into_iter().zip(tallies).collect();
    for (words, tally) in &rows {
        tell(format!("{title}, {words}: {}", tally.line()));
    }
    report::options_section(title, args, &rows)
}

/// The first positions of a game, with the options that lead to them.
fn starts<G: Game>() -> Vec<(String, G)> {
    let mut setups = vec![(Vec::new(), G::Setup::default())];
    for option in G::Setup::options() {
        let Values::Words(values) = option.values else {
            continue;
        };
        let with = |(words, setup): &(Vec<String>, G::Setup)| {
            let with_value = |value: &&str| {
                let mut setup = setup.clone();
                setup.set(option.name, value).ok()?;
                let word = format!("{} {value}", option.name);
                Some(([&words[..], &[word]].concat(), setup))
            };
            values.iter().filter_map(with_value).collect::<Vec<_>>()
        };
        setups = setups.iter().flat_map(with).collect();
    }
    // Those whose options conflict have no start.
    let start =
        |(words, setup): (Vec<String>, G::Setup)| Some((words.join(", "), G::start(&setup).ok()?));
    setups.into_iter().filter_map(start).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use super::run;
    use crate::{Args, Command};

    /// The files that `tune fair` writes for these arguments.
    fn measured(args: &str, n_threads: &str) -> String {
        let folder =
            std::env::temp_dir().join(format!("parlour-fair-{}-{n_threads}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let files = ["report", "list", "figures"].map(path);
        let mut words = vec!["tune", "fair"];
        words.extend(args.split(' '));
        words.extend(["--threads", n_threads, "--report", &files[0]]);
        words.extend(["--list", &files[1], "--figures", &files[2]]);
        let Command::Fair(args) = Args::parse_from(words).command else {
            panic!("the command is another");
        };
        run(&args, &|_| {}).unwrap();
        let texts = files.map(|file| fs::read_to_string(file).unwrap_or_default());
        fs::remove_dir_all(&folder).unwrap();
        texts.join("\n")
    }

    #[test]
    fn figures_do_not_depend_on_the_number_of_threads() {
        let takeover = "takeover --nodes 20 --boards 4 --screen 4 --confirm 4";
        let text = measured(takeover, "1");
        assert!(text.contains("| Takeover, all boards | 4 | 16 |"), "{text}");
        assert_eq!(text, measured(takeover, "3"));
        let nonaga = "nonaga --nodes 20 --matches 3";
        let text = measured(nonaga, "1");
        assert!(text.contains("| variant published | 3 |"), "{text}");
        assert_eq!(text, measured(nonaga, "2"));
        assert_ne!(text, measured(&format!("{nonaga} --seed 2"), "2"));
    }
}
