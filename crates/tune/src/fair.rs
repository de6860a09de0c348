//! How fair the games are: the engine plays against itself many times from every start.
//!
//! `tune fair GAME` measures a game, replaces its section of the report
//! (docs/fairness.md) and, for Takeover, writes the list of fair boards. `--again` plays more
//! matches on the boards that were selected, and drops those that do not stay fair. `--openings`
//! selects fair openings of Nonaga or of Simply Go instead.

mod matches;
mod openings;
mod report;
mod takeover;
mod tally;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use bots::Bots;
use clap::{Args, ValueEnum};
use nonaga::Nonaga;
use rules::{Game, MatchSetup, Values};
use simply_go::SimplyGo;

pub(crate) use self::tally::interval;
use self::{
    matches::{Conditions, Job, play_all},
    openings::{Opened, Openings},
    report::Section,
    takeover::Selected,
    tally::Tally,
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
    /// Matches on a board or from an opening that passed, to confirm it
    #[arg(long, default_value_t = 400)]
    confirm: u32,
    /// Other games: selects fair openings among so many that a search judges even, and does not
    /// measure the options
    #[arg(long, requires = "list")]
    openings: Option<usize>,
    /// Nodes of the search that judges an opening
    #[arg(long, default_value_t = 20_000)]
    judge: u64,
    /// The highest score of an opening that counts as even, in hundredths
    #[arg(long, default_value_t = 50)]
    margin: i32,
    /// Takeover: selects no boards, but plays so many more matches on each of those selected,
    /// with a new seed; 0 only writes the files again
    #[arg(long, value_name = "MATCHES", requires = "figures")]
    again: Option<u32>,
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
    /// The list of fair boards or openings
    #[arg(long)]
    list: Option<PathBuf>,
    /// Takeover: the boards that were selected, with the results of all matches since then
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

/// Reports progress.
type Tell<'a> = &'a (dyn Fn(String) + Sync);

/// Measures a game and writes its files.
pub(crate) fn run(args: &FairArgs, tell: Tell<'_>) -> anyhow::Result<()> {
    let path = &args.report;
    let old = fs::read_to_string(path).unwrap_or_default();
    let section = match args.game {
        Measured::Takeover => takeover_section(args, &old, tell)?,
        Measured::Nonaga => other_section::<Nonaga>(args, "Nonaga", tell)?,
        Measured::SimplyGo => other_section::<SimplyGo>(args, "Simply Go", tell)?,
    };
    write(path, &report::with_section(&old, &section))
}

/// Measures Takeover and writes its files except the report, of which `old` is the last.
fn takeover_section(args: &FairArgs, old: &str, tell: Tell<'_>) -> anyhow::Result<Section> {
    let (selection, mut rounds, mut selected) = if args.again.is_some() {
        let path = args.figures.as_ref().context("expected --figures")?;
        let figures = fs::read_to_string(path);
        let figures = figures.with_context(|| format!("can't read {}", path.display()))?;
        let (selection, rounds) = report::recorded(old)?;
        (selection, rounds, Selected::read(&figures)?)
    } else {
        let boards = takeover::select(args, tell);
        let unplayed = boards.selected().into_iter();
        let unplayed = unplayed.map(|board| (board, Tally::default())).collect();
        (boards.selection(args), Vec::new(), Selected(unplayed))
    };
    if args.again.is_some() && report::is_counted(args.seed, &rounds) {
        bail!("matches with this seed count already; expected another --seed");
    }
    if args.again != Some(0) {
        let boards: Vec<u64> = selected.0.keys().copied().collect();
        let round = takeover::check(args, &boards, tell);
        rounds.push(report::round_row(args, &round));
        selected.add(&round);
    }
    if let Some(path) = &args.list {
        write(path, &selected.list())?;
    }
    if let Some(path) = &args.figures {
        write(path, &selected.figures())?;
    }
    Ok(selected.section(&selection, &rounds))
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("can't write {}", path.display()))
}

/// Measures a game that has no boards, or selects its openings and writes their list.
fn other_section<G: Opened>(
    args: &FairArgs,
    title: &'static str,
    tell: Tell<'_>,
) -> anyhow::Result<Section> {
    let Some(n_even) = args.openings else {
        return Ok(options_section::<G>(args, title, tell));
    };
    let openings = Openings::<G>::select(args, n_even, tell);
    if let Some(path) = &args.list {
        write(path, &openings.list())?;
    }
    Ok(openings.section(args))
}

/// Measures a game with every combination of its options.
fn options_section<G: Bots>(args: &FairArgs, title: &'static str, tell: Tell<'_>) -> Section {
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
    use std::{fs, path::PathBuf};

    use clap::Parser;
    use nonaga::Nonaga;
    use rules::Position;

    use super::{Selected, openings::TOLERANCE, run};
    use crate::{Args, Command};

    /// A folder for the files of `tune fair`.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path =
                std::env::temp_dir().join(format!("parlour-fair-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn paths(&self) -> [PathBuf; 3] {
            ["report", "list", "figures"].map(|name| self.0.join(name))
        }

        /// Runs `tune fair` with these arguments.
        fn measure(&self, args: &str, n_threads: &str) -> anyhow::Result<()> {
            let [report, list, figures] =
                self.paths().map(|path| path.to_string_lossy().into_owned());
            let mut words = vec!["tune", "fair"];
            words.extend(args.split(' '));
            words.extend(["--threads", n_threads, "--report", &report]);
            words.extend(["--list", &list, "--figures", &figures]);
            let Command::Fair(args) = Args::parse_from(words).command else {
                panic!("the command is another");
            };
            run(&args, &|_| {})
        }

        /// The report, the list and the figures.
        fn texts(&self) -> [String; 3] {
            self.paths()
                .map(|path| fs::read_to_string(path).unwrap_or_default())
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).ok();
        }
    }

    /// The files that `tune fair` writes for these arguments.
    fn measured(args: &str, n_threads: &str) -> String {
        let folder = Folder::new(n_threads);
        folder.measure(args, n_threads).unwrap();
        folder.texts().join("\n")
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

    #[test]
    fn openings_are_selected_by_their_matches() {
        let args = "nonaga --openings 8 --judge 60 --margin 300 --nodes 20 --confirm 6";
        let folder = Folder::new("openings");
        folder
            .measure("nonaga --nodes 20 --matches 1", "1")
            .unwrap();
        folder.measure(args, "1").unwrap();
        let [report, list, figures] = folder.texts();
        assert_eq!(figures, "");
        assert!(report.contains("| variant published | 1 |"), "{report}");
        assert!(report.contains("| confirming | 8 | 48 |"), "{report}");
        assert!(!list.is_empty(), "{report}");
        for line in list.lines() {
            let fields: Vec<&str> = line.splitn(5, ' ').collect();
            let number = |index: usize| fields[index].parse::<u32>().unwrap();
            let (first, draws, second) = (number(1), number(2), number(3));
            assert_eq!(first + draws + second, 12, "{line}");
            let off = (2 * first + draws).abs_diff(12);
            assert!(100 * off <= 2 * TOLERANCE * 12, "{line}");
            let start: Nonaga = fields[4].parse().unwrap();
            assert_eq!(start.outcome(), None);
            let [number, first, draws, second] = [0, 1, 2, 3].map(|index| fields[index]);
            let row = format!("\n| {number} | {first} | {draws} | {second} | ");
            assert!(report.contains(&row), "{report}");
        }
        folder.measure(args, "3").unwrap();
        assert_eq!(folder.texts(), [report.clone(), list, String::new()]);
        // Measuring the options leaves the openings alone.
        folder
            .measure("nonaga --nodes 20 --matches 2", "1")
            .unwrap();
        let part = |text: &str| text.split("\n## Fair openings").nth(1).map(str::to_owned);
        assert_eq!(part(&folder.texts()[0]), part(&report));
    }

    /// Every board that was selected keeps all its matches, and those decide whether it is fair.
    #[test]
    fn later_rounds_add_up_and_decide() {
        let folder = Folder::new("again");
        let select = "takeover --nodes 20 --boards 60 --screen 2 --confirm 2";
        folder.measure(select, "2").unwrap();
        let [report, _, figures] = folder.texts();
        let selected = Selected::read(&figures).unwrap();
        let n_selected = selected.0.len();
        assert!(n_selected > 2, "{figures}");
        assert!(selected.0.values().all(|tally| tally.n_matches() == 2));
        assert!(selected.fair().len() < n_selected, "{figures}");
        let once = "takeover --nodes 20 --again 6 --seed 2";
        folder.measure(once, "2").unwrap();
        let [longer, list, figures] = folder.texts();
        let selected = Selected::read(&figures).unwrap();
        assert_eq!(selected.0.len(), n_selected);
        assert!(selected.0.values().all(|tally| tally.n_matches() == 8));
        assert_eq!(list, selected.list());
        // The rest of the report stays, and the new round is a row after the others.
        let heading = "\n### Matches since";
        assert_eq!(report.split(heading).next(), longer.split(heading).next());
        let names: Vec<&str> = longer
            .lines()
            .filter_map(|line| line.strip_prefix("| `--")?.split('`').next())
            .collect();
        let expected = [
            "confirm 2 --nodes 20 --noise 60 --seed 1",
            "again 6 --nodes 20 --noise 60 --seed 2",
        ];
        assert_eq!(names, expected);
        // The same matches do not count twice.
        assert!(folder.measure(once, "2").is_err());
        assert_eq!(folder.texts(), [longer, list, figures]);
        let texts = folder.texts();
        folder.measure("takeover --again 0", "1").unwrap();
        assert_eq!(folder.texts(), texts);
    }

    #[test]
    fn damaged_figures_are_refused() {
        for text in ["8", "8 1 2", "8 1 2 x", "8 1 2 -3"] {
            assert!(Selected::read(text).is_err(), "{text}");
        }
    }
}
