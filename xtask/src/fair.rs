//! How fair the games are, measured by matches.

use std::thread;

use crate::run::cargo;

const REPORT: &str = "docs/fairness.md";
const LIST: &str = "crates/takeover/src/fair-boards.txt";
const FIGURES: &str = "crates/takeover/src/fair-figures.txt";

/// The list that `tune fair GAME` writes: of boards for Takeover, or else of openings.
fn list(game: &str) -> String {
    match game {
        "takeover" => LIST.to_owned(),
        game => format!("crates/puzzles/openings/{game}.txt"),
    }
}

/// Runs `tune fair` with `args`, on all cores, and writes its files.
pub(crate) fn measure(args: &[&str]) -> anyhow::Result<()> {
    let run = [
        "run",
        "--release",
        "--package",
        "parlour-tune",
        "--",
        "fair",
    ];
    let n_threads = thread::available_parallelism()?.get().to_string();
    let list = list(args.first().copied().unwrap_or_default());
    let files = ["--report", REPORT, "--list", &list, "--figures", FIGURES];
    cargo(&[&run, args, &["--threads", &n_threads], &files].concat()).check()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{LIST, REPORT, list};
    use crate::run::root;

    fn read(path: &str) -> String {
        fs::read_to_string(root().join(path)).unwrap()
    }

    /// First's share in the row of a section of the report, in whole percent.
    fn share(section: &str, row: &str) -> String {
        let report = read(REPORT);
        let (_, rest) = report.split_once(&format!("\n## {section}\n")).unwrap();
        let mut lines = rest.lines();
        let line = lines.find(|line| line.starts_with(&format!("| {row} |")));
        let mut cells = line.unwrap().split('|').map(str::trim);
        let cell = cells.find_map(|cell| cell.strip_suffix(" %")).unwrap();
        format!("{:.0}", cell.parse::<f64>().unwrap().round())
    }

    /// The numbers of a text that are followed by a percent sign.
    fn percentages(text: &str) -> Vec<String> {
        let text = &text.replace('\u{a0}', " ");
        let signs = text.match_indices(" %").map(|(end, _)| &text[..end]);
        let number = |before: &str| {
            let digits = before.rsplit(|c: char| !c.is_ascii_digit()).next();
            digits.unwrap_or_default().to_owned()
        };
        signs.map(number).collect()
    }

    /// What players read about a game's fairness: in the sheet, and on the page in both
    /// languages.
    fn texts(game: &str) -> [String; 3] {
        let sheet = read(&format!("docs/rules/{game}.md"));
        let (_, sheet) = sheet.split_once("\n## Fairness\n").unwrap();
        let phrase = |language: &str| {
            let phrases = read(&format!("crates/view/text/more.{language}.txt"));
            let name = format!("{game}.fairness = ");
            let mut lines = phrases.lines();
            lines
                .find_map(|line| line.strip_prefix(&name))
                .unwrap()
                .to_owned()
        };
        [sheet.to_owned(), phrase("en"), phrase("ja")]
    }

    #[test]
    fn texts_say_what_was_measured() {
        let rows = [
            (
                "nonaga",
                "Nonaga",
                &["variant standard", "variant published"][..],
            ),
            (
                "takeover",
                "Takeover and Ataxx",
                &[
                    "Takeover, all boards",
                    "all rounds, fair boards",
                    "Ataxx, boards that were selected on Takeover",
                ],
            ),
            (
                "simply-go",
                "Simply Go",
                &["size 9, all", "size 13, all", "size 19, all"],
            ),
        ];
        for (game, section, rows) in rows {
            let mut measured: Vec<String> = rows.iter().map(|row| share(section, row)).collect();
            if game == "simply-go" {
                // What the larger boards can't be told from.
                measured.push("50".to_owned());
            }
            for text in texts(game) {
                assert_eq!(percentages(&text), measured, "{text}");
            }
        }
        let n_fair = read(LIST).lines().count().to_string();
        assert!(texts("takeover").iter().all(|text| text.contains(&n_fair)));
        let report = read("docs/lilypads-boards.md");
        let after = |words: &str| {
            let (_, rest) = report.split_once(words).unwrap();
            let (number, _) = rest.split_once('.').unwrap();
            number.to_owned()
        };
        for number in [
            after("Draw whoever begins: "),
            after("average players as well: "),
        ] {
            let texts = texts("lilypads");
            assert!(texts.iter().all(|text| text.contains(&number)), "{number}");
        }
    }

    /// The tables of a part of the report whose first column is a number: that number, and what
    /// First won, drew and lost.
    fn reported(part: &str) -> Vec<[u64; 4]> {
        let report = read(REPORT);
        let (_, table) = report.split_once(part).unwrap();
        let table = table.split("\n## ").next().unwrap();
        let numbers = |line: &str| {
            let mut cells = line.split('|').skip(1).map(|cell| cell.trim().parse().ok());
            let mut next = || cells.next()?;
            Some([next()?, next()?, next()?, next()?])
        };
        table.lines().filter_map(numbers).collect()
    }

    #[test]
    fn the_list_is_that_of_the_report() {
        let reported = reported("\n### Every fair board").into_iter();
        let reported: Vec<u64> = reported.map(|[number, ..]| number).collect();
        let list = read(LIST);
        let listed: Vec<u64> = list.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(listed, reported);
    }

    #[test]
    fn the_openings_are_those_of_the_report() {
        for (game, name) in [("nonaga", "Nonaga"), ("simply-go", "Simply Go")] {
            let text = read(&list(game));
            let numbers = |line: &str| -> Vec<u64> {
                let fields = line.split(' ').take(4);
                fields.map(|field| field.parse().unwrap()).collect()
            };
            let listed: Vec<Vec<u64>> = text.lines().map(numbers).collect();
            assert!(listed.len() >= 25, "{game}: {}", listed.len());
            let reported = reported(&format!("\n## Fair openings of {name}\n"));
            assert_eq!(listed, reported, "{game}");
        }
    }
}
