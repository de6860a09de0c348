//! The text of the report.

use std::fmt::Write as _;

use crate::fair::{
    FairArgs, Measured,
    matches::MOST_MOVES,
    takeover::{Boards, CONFIRM_TOLERANCE, Round, Rounds, SCREEN_TOLERANCE},
    tally::{Tally, spread},
};

/// One game's part of the report.
pub(crate) struct Section {
    title: &'static str,
    text: String,
}

/// The titles of all sections, in their order.
const TITLES: [&str; 3] = ["Takeover and Ataxx", "Nonaga", "Simply Go"];

const HEAD: &str = "\
# How fair the games are

Every figure here was written by `cargo xtask fair`, in which the engine plays against itself with a fixed number of nodes a move, as the highest level does: in
the first eight moves it varies its play, choosing among its four best moves with a little noise. *First's share* is that of the points, a draw being half a point; the interval
beside it is that of 95 % (Wilson). 50 % is fair. The same command gives the same figures on every machine.

The figures are those of the engine at that strength: perfect players may find a win where these share the points, and beginners lose for other reasons than who began.

Lilypads is solved, so its boards are certified instead: [lilypads-boards.md](lilypads-boards.md) reports who wins on 200 of them,
and which are fair: draws whoever begins, and nearly even between average players.
";

/// The report with one section replaced.
pub(crate) fn with_section(old: &str, section: &Section) -> String {
    let mut new = HEAD.to_owned();
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
    for (options, tally) in rows {
        line(&mut text, &format!("| {options} | {} |", cells(tally)));
    }
    Section { title, text }
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string takes any text");
}

impl Boards {
    /// The section of Takeover and Ataxx.
    pub(crate) fn section(&self, args: &FairArgs) -> Section {
        let last = args.boards.saturating_sub(1);
        let n_fair = self.fair().count();
        let worst_error = 98.0 / f64::from(args.confirm.max(1)).sqrt();
        let mut text = format!(
            "\n{}.\n\n\
             | boards | number of boards | matches | different ones | First’s share | interval | drawn | spread of the boards |\n\
             |---|---|---|---|---|---|---|---|\n",
            command(args),
        );
        let fair = |rounds: &Rounds| -> Round {
            let fair = self.fair().map(|(board, _)| board);
            fair.filter_map(|board| Some((board, rounds.checked.get(&board)?.clone())))
                .collect()
        };
        let mut row = |name: &str, round: &Round| {
            let tallies: Vec<&Tally> = round.values().collect();
            let spread = 100.0 * spread(&tallies);
            let cells = cells(&Tally::sum(round.values()));
            let n = round.len();
            line(
                &mut text,
                &format!("| {name} | {n} | {cells} | ± {spread:.1} |"),
            );
        };
        row("Takeover, all", &self.standard.screened);
        row("Takeover, fair ones", &fair(&self.standard));
        row("Ataxx, those fair in Takeover", &self.ataxx.screened);
        row("Ataxx, fair ones", &fair(&self.ataxx));
        row(
            "Ataxx without obstacles",
            &[(0, self.bare.clone())].into(),
        );
        line(
            &mut text,
            &format!(
                "\n*Spread* is the standard deviation of the boards’ true shares around their mean, in percent: that of the measured ones, less what is due to sampling.\n\n\
                 How the {n_fair} fair boards were selected:\n\n\
                 1. Screening: {} matches on each of the boards 0 to {last}. A board passes if First’s share is at most {SCREEN_TOLERANCE} off 50 %: {} did.\n\
                 2. Confirming: {} fresh matches on each of those. A board passes if First’s share is at most {CONFIRM_TOLERANCE} off 50 %: {} did. Since the error of 95 % is \
                 {worst_error:.1} at most, a board that is truly {:.0} or more off passes once in 40 times.\n\
                 3. The same two rounds with Ataxx on the boards of those numbers, whose obstacles are others: {} and {} passed.\n\
                 4. Checking: {} fresh matches on each board that was selected. They select nothing, so luck in the first rounds does not flatter their figures, which are those of \
                 the tables and of `parlour board takeover --fair`.",
                args.screen,
                self.standard.confirmed.len(),
                args.confirm,
                self.standard.passed().len(),
                f64::from(CONFIRM_TOLERANCE) + worst_error,
                self.ataxx.confirmed.len(),
                self.ataxx.passed().len(),
                args.confirm,
            ),
        );
        let all = &self.standard.screened;
        let n_far = |points: u32| all.values().filter(|tally| !tally.is_within(points)).count();
        line(
            &mut text,
            &format!(
                "\nOf all {} boards of Takeover, First’s share in the screening was more than 10 off 50 % on {}, more than 25 off on {}.\n",
                all.len(),
                n_far(10),
                n_far(25)
            ),
        );
        text += "### Every fair board\n\n\
                 Won by First – drawn – won by Second, in the checking round.\n\n\
                 | board | Takeover | First’s share | Ataxx | First’s share |\n\
                 |---|---|---|---|---|\n";
        for (board, tallies) in self.fair() {
            let [standard, ataxx] = tallies.map(|tally| {
                let share = 100.0 * tally.share();
                let Tally {
                    first,
                    draws,
                    second,
                    ..
                } = tally;
                format!("{first} – {draws} – {second} | {share:.1} %")
            });
            line(&mut text, &format!("| {board} | {standard} | {ataxx} |"));
        }
        Section {
            title: TITLES[0],
            text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HEAD, Section, with_section};

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
            format!("{HEAD}\n## Nonaga\n\nsecond\n\n## Simply Go\n\nnew\n")
        );
    }
}
