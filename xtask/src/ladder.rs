//! Plays the ladder of opponents, and writes the results to the document.

use std::{
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
    thread,
};

use anyhow::{Context, bail};
use serde_json::Value;

use crate::{
    circumstances::circumstances,
    run::{cargo, program, root, say},
};

/// A game with its options.
struct Section {
    title: &'static str,
    game: &'static str,
    options: &'static [&'static str],
    /// The level that *careful* should score half against.
    careful: u32,
}

const SECTIONS: [Section; 5] = [
    section("Lilypads", "lilypads", &[], 4),
    section("Nonaga", "nonaga", &[], 4),
    section("Takeover", "takeover", &[], 3),
    section("Ataxx", "takeover", &["--variant", "ataxx"], 3),
    section("Simply Go", "simply-go", &[], 3),
];

/// The highest level.
const TOP: u32 = 10;

const fn section(
    title: &'static str,
    game: &'static str,
    options: &'static [&'static str],
    careful: u32,
) -> Section {
    Section {
        title,
        game,
        options,
        careful,
    }
}

/// Two players, and how many games they play.
struct Pairing {
    a: String,
    b: String,
    n_games: u32,
    options: &'static [&'static str],
}

const HEAD: &str = "\
# How strong the opponents are

Every figure here was written by `cargo xtask ladder`, which plays the matches
with `parlour match`: openings of random moves, on Takeover on boards measured to be
fair, each played twice with the sides exchanged. The score is that of the first-named player, a draw being half a
point; the error of the Elo difference is that of 95 %, and after a shutout the
exact bound is given. Times are milliseconds a
move, of the first-named player and of the other, with as many games at a time
as there are cores. Levels are the same on every machine; the engine had 100 ms
a move.

The lower levels are calibrated against three models of beginners
(`crates/bots/src/beginner.rs`), which should score about half against level 1, level 2,
and level 3 or 4: *newcomer* never saw the game, plays any legal move and takes a win in one
four times of five; *greedy* knows the rules and takes what it can get, with a slip
in one turn of three; *careful* is like it, but never misses a win in one or an
answer to one. Level 1 plays nearly any move until it falls behind. The levels above it, as far
as *careful* is measured, overlook threats and have tunnel vision: in some turns they see only a
few neighboring moves, mostly of one piece or in one corner of the board, and take the best of those
at first sight.
";

fn pairings(section: &Section) -> Vec<Pairing> {
    let steps = (2..=TOP).rev().map(|level| Pairing {
        a: format!("level:{level}"),
        b: format!("level:{}", level - 1),
        // The top levels think long.
        n_games: match level {
            TOP => 40,
            7.. => 100,
            _ => 200,
        },
        options: &[],
    });
    let models = [("newcomer", 1), ("greedy", 2), ("careful", section.careful)];
    let models = models.map(|(a, level)| Pairing {
        a: a.to_owned(),
        b: format!("level:{level}"),
        n_games: 400,
        options: &[],
    });
    let others = [("classic", 60), ("random", 20)].map(|(b, n_games)| Pairing {
        a: "engine".to_owned(),
        b: b.to_owned(),
        n_games,
        options: &["--movetime", "100"],
    });
    others.into_iter().chain(steps).chain(models).collect()
}

/// Plays the sections whose title begins with one of `names`, or all, and writes
/// them to the document.
///
/// With `--lower`, the rows of the engine and of the top level are kept as they are. With
/// `--with PROGRAM`, a `parlour` that was built before plays, so that no cargo is needed. With
/// `--balanced SCORE`, openings are judged, as in `parlour match`, and the section says so.
pub(crate) fn run(words: &[&str]) -> anyhow::Result<()> {
    let (mut is_lower, mut built, mut names) = (false, None, Vec::new());
    let mut balanced = None;
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--lower" => is_lower = true,
            "--with" => built = Some(words.next().context("expected a program after --with")?),
            "--balanced" => {
                balanced = Some(words.next().context("expected a score after --balanced")?);
            }
            name => names.push(name),
        }
    }
    let is_asked = |section: &&Section| {
        let is_named = |name: &&str| {
            let title = section.title.to_lowercase().replace(' ', "-");
            title.starts_with(&name.to_lowercase())
        };
        names.is_empty() || names.iter().any(is_named)
    };
    let asked: Vec<_> = SECTIONS.iter().filter(is_asked).collect();
    if asked.is_empty() {
        bail!("expected lilypads, nonaga, takeover, ataxx or simply-go");
    }
    let parlour = match built {
        Some(program) => root().join(program),
        None => {
            cargo(&["build", "--release", "--package", "parlour-cli"]).check()?;
            root().join("target/release/parlour")
        }
    };
    for section in asked {
        let path = document();
        let old = fs::read_to_string(&path).unwrap_or_default();
        let kept = match section_of(&old, section.title) {
            Some(text) if is_lower => kept(text),
            _ => Kept::default(),
        };
        play(&parlour, section, balanced, &kept, &|text| {
            // Other sections may be played at the same time, and written since.
            let old = fs::read_to_string(&path).unwrap_or_default();
            fs::write(&path, with_section(&old, section.title, text))
        })?;
    }
    Ok(())
}

fn document() -> PathBuf {
    root().join("docs/strength.md")
}

/// The document with one section replaced.
fn with_section(old: &str, title: &str, text: &str) -> String {
    let mut new = HEAD.to_owned();
    for section in &SECTIONS {
        let heading = format!("\n## {}\n", section.title);
        if section.title == title {
            new += &heading;
            new += text;
        } else if let Some(text) = section_of(old, section.title) {
            new += &heading;
            new += text;
        }
    }
    new
}

/// The text of a section of the document.
fn section_of<'a>(document: &'a str, title: &str) -> Option<&'a str> {
    let (_, rest) = document.split_once(&format!("\n## {title}\n"))?;
    let end = rest.find("\n## ").unwrap_or(rest.len());
    Some(&rest[..end])
}

/// Rows of an earlier run.
#[derive(Default)]
struct Kept {
    rows: String,
    /// When and where they were played, as a clause.
    circumstances: String,
}

/// The rows of the engine and of the top level.
fn kept(section: &str) -> Kept {
    let top = format!("| level:{TOP} ");
    let is_kept = |line: &&str| line.starts_with("| engine ") || line.starts_with(&top);
    let rows = section.lines().filter(is_kept);
    let mut lines = section.lines();
    let when = lines.find_map(|line| line.split_once(". Options: "));
    let when = when.map_or("", |(when, _)| when);
    let when = when.rsplit("played earlier: ").next().unwrap_or_default();
    Kept {
        rows: rows.map(|row| format!("{row}\n")).collect(),
        circumstances: format!("; engine and level {TOP} played earlier: {when}"),
    }
}

/// Plays the matches of a section, and writes its text after each, so that the rows of a run
/// that is stopped are not lost.
fn play(
    parlour: &Path,
    section: &Section,
    balanced: Option<&str>,
    kept: &Kept,
    write: &dyn Fn(&str) -> io::Result<()>,
) -> anyhow::Result<()> {
    let circumstances = circumstances()?;
    let n_cores = thread::available_parallelism()?.get();
    let mut text = format!(
        "\n{circumstances}{}. Options: {}.{}\n\n\
         | players | games | won | drawn | lost | score | Elo | ms a move |\n\
         |---|---|---|---|---|---|---|---|\n{}",
        kept.circumstances,
        match section.options {
            [] => "none".to_owned(),
            options => format!("`{}`", options.join(" ")),
        },
        balanced.map_or_else(String::new, |score| format!(
            " Openings whose score is at most {score} for either side (`--balanced {score}`)."
        )),
        kept.rows,
    );
    let is_new = |pairing: &Pairing| {
        !kept
            .rows
            .contains(&format!("| {} – {} |", pairing.a, pairing.b))
    };
    for pairing in pairings(section).into_iter().filter(is_new) {
        let result = play_pairing(parlour, section, &pairing, balanced, n_cores)?;
        let count = |name: &str| result[name].as_u64().with_context(|| name.to_owned());
        let number = |name: &str| result[name].as_f64().with_context(|| name.to_owned());
        let time = |index: usize| result["ms_per_move"][index].as_f64().context("ms_per_move");
        let elo = match result["shutout_bound"].as_f64() {
            Some(bound) if count("wins")? > 0 => format!("at least {bound:+.0}"),
            Some(bound) => format!("at most {bound:+.0}"),
            None => format!("{:+.0} ± {:.0}", number("elo")?, number("error")?),
        };
        writeln!(
            text,
            "| {} – {} | {} | {} | {} | {} | {:.1} % | {elo} | {:.1}, {:.1} |",
            pairing.a,
            pairing.b,
            count("games")?,
            count("wins")?,
            count("draws")?,
            count("losses")?,
            100.0 * number("score")?,
            time(0)?,
            time(1)?,
        )?;
        write(&text)?;
    }
    Ok(())
}

fn play_pairing(
    parlour: &Path,
    section: &Section,
    pairing: &Pairing,
    balanced: Option<&str>,
    n_cores: usize,
) -> anyhow::Result<Value> {
    let n_games = pairing.n_games.to_string();
    let n_cores = n_cores.to_string();
    let mut args = vec!["match", section.game, &pairing.a, &pairing.b];
    args.extend(["--games", &n_games, "--concurrency", &n_cores, "--json"]);
    args.extend(section.options);
    args.extend(pairing.options);
    if let Some(score) = balanced {
        args.extend(["--balanced", score]);
    }
    say(&format!(
        "{}: {} against {}",
        section.title, pairing.a, pairing.b
    ));
    let output = program(parlour, &args).output()?;
    let line = output.lines().last().context("the match printed nothing")?;
    Ok(serde_json::from_str(line)?)
}

#[cfg(test)]
mod tests {
    use super::{HEAD, kept, with_section};

    #[test]
    fn rows_of_the_strongest_are_kept() {
        let section = "\nToday, 2 cores. Options: none.\n\n| players | score |\n|---|---|\n\
                       | engine – classic | 1 |\n| level:10 – level:9 | 2 |\n| level:9 – level:8 | 3 |\n";
        let kept = kept(section);
        assert_eq!(
            kept.rows,
            "| engine – classic | 1 |\n| level:10 – level:9 | 2 |\n"
        );
        assert!(kept.circumstances.ends_with("earlier: Today, 2 cores"));
    }

    #[test]
    fn sections_are_replaced_one_by_one_and_stay_in_order() {
        let text = with_section("", "Takeover", "\nnew\n");
        assert_eq!(text, format!("{HEAD}\n## Takeover\n\nnew\n"));
        let text = with_section(&text, "Nonaga", "\nfirst\n");
        let text = with_section(&text, "Nonaga", "\nsecond\n");
        assert_eq!(
            text,
            format!("{HEAD}\n## Nonaga\n\nsecond\n\n## Takeover\n\nnew\n")
        );
    }
}
