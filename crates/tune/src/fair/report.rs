//! The text of the report.

use std::fmt::Write as _;

use crate::fair::{
    FairArgs, Measured,
    matches::{MOST_MOVES, N_OPENING_LINES, N_OPENING_MOVES},
    takeover::{Boards, CONFIRM_TOLERANCE, Round, SCREEN_TOLERANCE},
    tally::{Tally, spread},
};

/// One game's part of the report.
pub(crate) struct Section {
    title: &'static str,
    text: String,
}

/// The titles of all sections, in their order.
const TITLES: [&str; 3] = ["Takeover and Ataxx", "Nonaga", "Simply Go"];

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
        } else if let Some((_, rest)) = old.split_once(&heading) {
            let end = rest.find("\n## ").unwrap_or(rest.len());
            new += &heading;
            new += &rest[..end];
        }
    }
    new
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
        matches,
        seed,
        ..
    } = args;
    let extent = match args.game {
        Measured::Takeover => format!("--boards {boards} --screen {screen} --confirm {confirm}"),
        Measured::Nonaga | Measured::SimplyGo => format!("--matches {matches}"),
    };
    format!("`cargo xtask fair {name} {extent} --nodes {nodes} --noise {noise} --seed {seed}`")
}

/// First's share with its interval, the draws, and the number of different matches, as
/// cells of a table.
fn cells(tally: &Tally) -> String {
    let [low, high] = tally.interval().map(|end| 100.0 * end);
    let draws = 100.0 * f64::from(tally.draws) / f64::from(tally.n_matches().max(1));
    format!(
        "{} | {} | {:.1} % | {low:.1} to {high:.1} % | {draws:.1} %",
        tally.n_matches(),
        tally.n_different,
        100.0 * tally.share(),
    )
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

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string takes any text");
}

impl Boards {
    /// The section of Takeover and Ataxx.
    pub(crate) fn section(&self, args: &FairArgs) -> Section {
        let mut text = format!(
            "\n{}.\n\n\
             | boards | how many | matches | different ones | First’s share | interval | drawn | spread |\n\
             |---|---|---|---|---|---|---|---|\n",
            command(args),
        );
        let mut row = |name: &str, round: &Round| {
            let tallies: Vec<&Tally> = round.values().collect();
            let spread = match tallies.len() {
                0 | 1 => String::new(),
                _ => format!("± {:.1}", 100.0 * spread(&tallies)),
            };
            let cells = cells(&Tally::sum(round.values()));
            let n_boards = round.len();
            line(
                &mut text,
                &format!("| {name} | {n_boards} | {cells} | {spread} |"),
            );
        };
        row("Takeover, all boards", &self.screened);
        row("Takeover, fair boards", &self.checked);
        row("Ataxx, boards of the same numbers", &self.ataxx);
        row("Ataxx, no obstacles", &self.bare);
        text += "\n*Spread* is the standard deviation of the boards’ true shares, in percent: that of the measured ones, less what is due to sampling.\n\n";
        self.explain(args, &mut text);
        text += "### Every fair board of Takeover\n\n\
                 Matches of the checking round.\n\n\
                 | board | won by First | drawn | won by Second | First’s share |\n\
                 |---|---|---|---|---|\n";
        for (board, tally) in &self.checked {
            let Tally {
                first,
                draws,
                second,
                ..
            } = tally;
            let share = 100.0 * tally.share();
            line(
                &mut text,
                &format!("| {board} | {first} | {draws} | {second} | {share:.1} % |"),
            );
        }
        Section {
            title: TITLES[0],
            text,
        }
    }

    /// Appends how the boards were selected.
    fn explain(&self, args: &FairArgs, text: &mut String) {
        let FairArgs {
            screen, confirm, ..
        } = args;
        let last = args.boards.saturating_sub(1);
        let n_screened = self.confirmed.len();
        let n_fair = self.checked.len();
        let n_far = |points: u32| {
            let far = |tally: &&Tally| !tally.is_within(points);
            self.screened.values().filter(far).count()
        };
        // The error of 95 % of a share near one half.
        let error = 98.0 / f64::from((*confirm).max(1)).sqrt();
        let bound = f64::from(CONFIRM_TOLERANCE) + error;
        let close = self.checked.values().filter(|tally| tally.is_within(5));
        let n_close = close.count();
        *text += &format!(
            "How the {n_fair} fair boards were selected:\n\n\
             1. Screening: {screen} matches on each of the boards 0 to {last}. First’s share was more than 10 off 50 % on {} of them, and more than 20 off on {}. Those at most \
             {SCREEN_TOLERANCE} off passed: {n_screened}.\n\
             2. Confirming: {confirm} fresh matches on each of these. Those at most {CONFIRM_TOLERANCE} off passed: {n_fair}. The error of a share is ± {error:.1} (95 %), so a board \
             that is truly {bound:.0} off passes this round once in 40 times.\n\
             3. Checking: {confirm} fresh matches on each of the fair boards. They select nothing, so their figures are not flattered by luck in the selection: First’s share is at most 5 off \
             50 % on {n_close} of {n_fair}. They are the figures of the tables here and of `parlour board takeover --fair`.\n\n\
             The obstacles of Ataxx look the same to both players, so only having the first move can matter; no boards were selected there.\n\n",
            n_far(10),
            n_far(20),
        );
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
