//! The text of the report.

use std::fmt::Write as _;

use anyhow::Context;
use takeover::FairBoard;

use crate::fair::{
    FairArgs, Measured,
    matches::{MOST_MOVES, N_OPENING_LINES, N_OPENING_MOVES},
    openings::{self, Opened, Openings},
    takeover::{Boards, CONFIRM_TOLERANCE, Round, SCREEN_TOLERANCE, Selected},
    tally::{Tally, spread},
};

/// One game's part of the report.
pub(crate) struct Section {
    title: &'static str,
    text: String,
}

/// The titles of all sections, in their order.
const TITLES: [&str; 5] = [
    "Takeover and Ataxx",
    "Nonaga",
    "Fair openings of Nonaga",
    "Simply Go",
    "Fair openings of Simply Go",
];

/// The beginning of the report.
fn head() -> String {
    format!(
        "\
# How fair the games are

Every figure here was written by `cargo xtask fair`: the engine plays against itself with a fixed number of nodes a move. In the first {N_OPENING_MOVES} moves of a match it chooses among its
{N_OPENING_LINES} best moves, with noise on their scores (`--noise`, in hundredths), so that matches differ; after that it plays what it finds best. *First’s share* is that of the points, a draw being
half a point, and the interval beside it that of 95 % (Wilson). 50 % is fair. The same command gives the same figures on every machine.

The figures hold for players of that strength and variety. Perfect players may find a win where these share the points; between beginners, other mistakes decide.

Lilypads is solved, so its boards are certified instead: [lilypads-boards.md](lilypads-boards.md) reports who wins on 200 of them, and which are fair: draws whoever begins, and
nearly even between average players.
"
    )
}

/// The report with one section replaced.
pub(crate) fn with_section(old: &str, section: &Section) -> String {
    let mut new = head();
    for title in TITLES {
        let heading = format!("\n## {title}\n");
        if title == section.title {
            new += &heading;
            new += &section.text;
        } else if let Some(text) = text_of(title, old) {
            new += &heading;
            new += text;
        }
    }
    new
}

/// The text of a section of a report.
fn text_of<'a>(title: &str, report: &'a str) -> Option<&'a str> {
    let (_, rest) = report.split_once(&format!("\n## {title}\n"))?;
    let end = rest.find("\n## ").unwrap_or(rest.len());
    Some(&rest[..end])
}

/// The command that writes a section.
fn command(args: &FairArgs) -> String {
    let name = match args.game {
        Measured::Takeover => "takeover",
        Measured::Nonaga => "nonaga",
        Measured::SimplyGo => "simply-go",
    };
    let FairArgs {
        nodes,
        noise,
        boards,
        screen,
        confirm,
        judge,
        margin,
        matches,
        seed,
        ..
    } = args;
    let extent = match (args.game, args.openings) {
        (Measured::Takeover, _) => {
            format!("--boards {boards} --screen {screen} --confirm {confirm}")
        }
        (_, Some(n)) => {
            format!("--openings {n} --judge {judge} --margin {margin} --confirm {confirm}")
        }
        (_, None) => format!("--matches {matches}"),
    };
    format!("`cargo xtask fair {name} {extent} --nodes {nodes} --noise {noise} --seed {seed}`")
}

/// First's share with its interval, the draws, and the number of different matches, as
/// cells of a table.
fn cells(tally: &Tally) -> String {
    let [low, high] = tally.interval().map(|end| 100.0 * end);
    let draws = 100.0 * f64::from(tally.draws) / f64::from(tally.n_matches().max(1));
    // Rounds do not record which matches they have in common.
    let n_different = match tally.n_different {
        0 => String::new(),
        n => n.to_string(),
    };
    format!(
        "{} | {n_different} | {:.1} % | {low:.1} to {high:.1} % | {draws:.1} %",
        tally.n_matches(),
        100.0 * tally.share(),
    )
}

/// The results on some boards as a row of a table, without its end.
pub(crate) fn row(name: &str, round: &Round) -> String {
    let tallies: Vec<&Tally> = round.values().collect();
    let spread = match tallies.len() {
        0 | 1 => String::new(),
        _ => format!("± {:.1}", 100.0 * spread(&tallies)),
    };
    let cells = cells(&Tally::sum(round.values()));
    format!("| {name} | {} | {cells} | {spread} |", round.len())
}

/// The section of a game that is measured with each combination of its options.
pub(crate) fn options_section(
    title: &'static str,
    args: &FairArgs,
    rows: &[(String, Tally)],
) -> Section {
    let mut text = format!(
        "\n{}. Matches of {MOST_MOVES} moves without a result count as drawn.\n\n\
         | options | matches | different ones | First’s share | interval | drawn |\n\
         |---|---|---|---|---|---|\n",
        command(args)
    );
    for (options, tally) in rows.iter().chain(&sums(rows)) {
        line(&mut text, &format!("| {options} | {} |", cells(tally)));
    }
    Section { title, text }
}

/// The sums of rows that agree in their first option, if there are others.
fn sums(rows: &[(String, Tally)]) -> Vec<(String, Tally)> {
    let mut sums: Vec<(String, Vec<&Tally>)> = Vec::new();
    for (options, tally) in rows {
        let Some((first, _)) = options.split_once(", ") else {
            continue;
        };
        match sums.last_mut() {
            Some((last, tallies)) if last == first => tallies.push(tally),
            _ => sums.push((first.to_owned(), vec![tally])),
        }
    }
    let sum = |(first, tallies): (String, Vec<&Tally>)| (first + ", all", Tally::sum(tallies));
    sums.into_iter().map(sum).collect()
}

/// The results on one board or from one opening as a row of a table.
fn result_row(number: u64, tally: &Tally) -> String {
    let Tally {
        first,
        draws,
        second,
        ..
    } = tally;
    let share = 100.0 * tally.share();
    format!("| {number} | {first} | {draws} | {second} | {share:.1} % |")
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string takes any text");
}

/// The heading of what follows the selection of boards.
const SINCE: &str = "### Matches since the selection\n";

/// The beginning of the rows of rounds.
const ROUND: &str = "| `--";

impl Boards {
    /// The text on Ataxx and on the selection of Takeover's boards.
    pub(crate) fn selection(&self, args: &FairArgs) -> String {
        let mut text = format!(
            "\n{}.\n\n\
             | boards | how many | matches | different ones | First’s share | interval | drawn | spread |\n\
             |---|---|---|---|---|---|---|---|\n",
            command(args),
        );
        for (name, round) in [
            ("Takeover, all boards", &self.screened),
            ("Ataxx, boards that were selected on Takeover", &self.ataxx),
            ("Ataxx, no obstacles", &self.bare),
        ] {
            line(&mut text, &row(name, round));
        }
        text += "\n*Spread* is the standard deviation of the boards’ true shares, in percent: that of the measured ones, less what is due to sampling.\n\n";
        self.explain(args, &mut text);
        text
    }

    /// Appends how the boards were selected.
    fn explain(&self, args: &FairArgs, text: &mut String) {
        let FairArgs {
            screen, confirm, ..
        } = args;
        let last = args.boards.saturating_sub(1);
        let n_screened = self.confirmed.len();
        let n_selected = self.selected().len();
        let n_far = |points: u32| {
            let far = |tally: &&Tally| !tally.is_within(points);
            self.screened.values().filter(far).count()
        };
        // The error of 95 % of a share near one half.
        let error = 98.0 / f64::from((*confirm).max(1)).sqrt();
        let bound = f64::from(CONFIRM_TOLERANCE) + error;
        *text += &format!(
            "How {n_selected} boards were selected:\n\n\
             1. Screening: {screen} matches on each of the boards 0 to {last}. First’s share was more than 10 off 50 % on {} of them, and more than 20 off on {}. Those at most \
             {SCREEN_TOLERANCE} off passed: {n_screened}.\n\
             2. Confirming: {confirm} fresh matches on each of these. Those at most {CONFIRM_TOLERANCE} off passed: {n_selected}. The error of a share is ± {error:.1} (95 %), so a board \
             that is truly {bound:.0} off passes this round once in 40 times.\n\n\
             The obstacles of Ataxx look the same to both players, so only having the first move can matter; no boards were selected there.\n\n",
            n_far(10),
            n_far(20),
        );
    }
}

/// What a report says about the selection of Takeover's boards, and its rows of the rounds
/// since.
pub(crate) fn recorded(report: &str) -> anyhow::Result<(String, Vec<String>)> {
    let text = text_of(TITLES[0], report).context("the report has no section on Takeover")?;
    let (selection, rest) = text
        .split_once(SINCE)
        .context("the report has no matches since the selection")?;
    let rounds = rest.lines().filter(|line| line.starts_with(ROUND));
    Ok((selection.to_owned(), rounds.map(str::to_owned).collect()))
}

/// The row of a round on selected boards.
pub(crate) fn round_row(args: &FairArgs, round: &Round) -> String {
    let FairArgs {
        nodes, noise, seed, ..
    } = args;
    let extent = match args.again {
        None => format!("--confirm {}", args.confirm),
        Some(n_matches) => format!("--again {n_matches}"),
    };
    let name = format!("`{extent} --nodes {nodes} --noise {noise} --seed {seed}`");
    format!("{} {} |", row(&name, round), n_even(round))
}

/// Whether a later round with this seed is among the rows.
pub(crate) fn is_counted(seed: u64, rounds: &[String]) -> bool {
    let seed = format!(" --seed {seed}`");
    let mut later = rounds.iter().filter(|row| row.contains("--again"));
    later.any(|row| row.contains(&seed))
}

/// The number of boards with a share near one half.
fn n_even(round: &Round) -> usize {
    let tallies = round.values();
    tallies
        .filter(|tally| tally.is_within(FairBoard::TOLERANCE))
        .count()
}

impl Selected {
    /// The section of Takeover and Ataxx, after the text on the `selection`.
    pub(crate) fn section(&self, selection: &str, rounds: &[String]) -> Section {
        const TOLERANCE: u32 = FairBoard::TOLERANCE;
        let fair = self.fair();
        let mut text = format!(
            "{selection}{SINCE}\n\
             A board is fair as long as First’s share is at most {TOLERANCE} off 50 % in all matches since its selection together. The matches that selected it do not count, since they would flatter it. \
             `cargo xtask fair takeover --again MATCHES --seed SEED` adds a round, played by the engine of the day, and drops or readmits boards.\n\n\
             | round | boards | matches | different ones | First’s share | interval | drawn | spread | boards at most {TOLERANCE} off |\n\
             |---|---|---|---|---|---|---|---|---|\n",
        );
        for round in rounds {
            line(&mut text, round);
        }
        let all = row("all rounds, fair boards", &fair);
        line(&mut text, &format!("{all} {} |", fair.len()));
        let dropped = self.0.iter().filter(|(board, _)| !fair.contains_key(board));
        let dropped: Vec<String> = dropped
            .map(|(board, tally)| format!("{board} ({:.1} %)", 100.0 * tally.share()))
            .collect();
        let n_matches = Tally::sum(fair.values()).n_matches() / fair.len().max(1) as u32;
        let error = 98.0 / f64::from(n_matches.max(1)).sqrt();
        text += &format!(
            "\nFair boards: {} of {}. The error of a share in {n_matches} matches is ± {error:.1} (95 %), so some of them are truly more than {TOLERANCE} off, and show it in a round by itself.",
            fair.len(),
            self.0.len(),
        );
        if !dropped.is_empty() {
            text += &format!(" Not fair any more: {}.", dropped.join(", "));
        }
        text += "\n\n### Every fair board of Takeover\n\n\
                 All matches since the selection, as `parlour board takeover --fair` prints them.\n\n\
                 | board | won by First | drawn | won by Second | First’s share |\n\
                 |---|---|---|---|---|\n";
        for (board, tally) in &fair {
            line(&mut text, &result_row(*board, tally));
        }
        Section {
            title: TITLES[0],
            text,
        }
    }
}

impl<G: Opened> Openings<G> {
    /// The section on the fair openings of a game.
    pub(crate) fn section(&self, args: &FairArgs) -> Section {
        const TOLERANCE: u32 = openings::TOLERANCE;
        let FairArgs {
            judge,
            margin,
            confirm,
            ..
        } = args;
        let title = match args.game {
            Measured::SimplyGo => TITLES[4],
            Measured::Nonaga | Measured::Takeover => TITLES[2],
        };
        let options = G::OPTIONS.iter();
        let options = options.map(|(name, value)| format!("{name} {value}"));
        let options: Vec<String> = options.collect();
        let fair = self.fair();
        let mut text = format!(
            "\n{}, with {}. Matches of {MOST_MOVES} moves without a result count as drawn.\n\n\
             An opening is the position after {} random moves, of which its number is the seed. How {} of them were selected:\n\n\
             1. Screening: a search of {judge} nodes judged the openings 0 to {}. It saw a forced win in {}; the score was at most {margin} hundredths in {} different ones, which passed.\n\
             2. Confirming: {confirm} matches from each of these. Those in which First’s share was at most {} off 50 % passed: {}.\n\
             3. Checking: {confirm} fresh matches from each of these. An opening is fair if First’s share is at most {TOLERANCE} off in the matches of both rounds together: {}.\n\n\
             | round | openings | matches | different ones | First’s share | interval | drawn | spread |\n\
             |---|---|---|---|---|---|---|---|\n",
            command(args),
            options.join(", "),
            G::N_MOVES,
            fair.len(),
            self.n_judged.saturating_sub(1),
            self.n_decided,
            self.even.len(),
            openings::CONFIRM_TOLERANCE,
            self.checked.len(),
            fair.len(),
        );
        for (name, round) in [
            ("confirming", &self.confirmed),
            ("checking", &self.checked),
            ("both, fair openings", &fair),
        ] {
            line(&mut text, &row(name, round));
        }
        let error = 98.0 / f64::from((2 * confirm).max(1)).sqrt();
        text += &format!(
            "\nThe error of the share of one opening in {} matches is ± {error:.1} (95 %), so some fair ones are truly more than {TOLERANCE} off. The share of all of them together \
             is known much better. The matches that confirmed them flatter them; the row *checking* does not.\n\n\
             | opening | won by First | drawn | won by Second | First’s share |\n\
             |---|---|---|---|---|\n",
            2 * confirm,
        );
        for (number, tally) in &fair {
            line(&mut text, &result_row(*number, tally));
        }
        Section { title, text }
    }
}

#[cfg(test)]
mod tests {
    use super::{Section, head, with_section};

    #[test]
    fn sections_are_replaced_one_by_one_and_stay_in_order() {
        let section = |title, text: &str| Section {
            title,
            text: text.to_owned(),
        };
        let text = with_section("", &section("Simply Go", "\nnew\n"));
        let text = with_section(&text, &section("Nonaga", "\nfirst\n"));
        let text = with_section(&text, &section("Nonaga", "\nsecond\n"));
        assert_eq!(
            text,
            head() + "\n## Nonaga\n\nsecond\n\n## Simply Go\n\nnew\n"
        );
    }
}
