//! Writes and checks the puzzles that are shipped, for `cargo xtask puzzles`.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use miner::{prove, shipped};
use puzzles::Puzzle;

const HELP: &str = "\
parlour-mine write FOLDER [GAME]...   writes the files of shipped puzzles
parlour-mine check FOLDER N [GAME]... chooses them again and compares, and proves all of
                                      them and those of N seeds
parlour-mine check FOLDER N --record FILE WHEN
                                      the same of all games, and writes the result into
                                      the document FILE: WHEN is date, commit and machine
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match &args[..] {
        ["write", folder, games @ ..] => write(&PathBuf::from(folder), games),
        ["check", folder, n, "--record", path, when] => match n.parse() {
            Ok(n) => check(Path::new(folder), n, &[])
                .and_then(|proved| record(Path::new(path), when, &proved)),
            Err(_) => return fail(HELP),
        },
        ["check", folder, n, games @ ..] => match n.parse() {
            Ok(n) => check(Path::new(folder), n, games).map(drop),
            Err(_) => return fail(HELP),
        },
        _ => return fail(HELP),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => fail(&format!("{problem}\n")),
    }
}

fn fail(text: &str) -> ExitCode {
    say(text);
    ExitCode::from(2)
}

/// Standard error may be closed.
fn say(text: &str) {
    write!(io::stderr(), "{text}").ok();
}

fn n_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The named games, or all if none is named.
fn chosen<'a>(games: &'a [&'a str]) -> Result<Vec<&'a str>, String> {
    for game in games {
        catalog::find(game).map_err(|e| e.to_string())?;
    }
    let all = catalog::GAMES.into_iter().map(|game| game.name());
    let is_chosen = |game: &&str| games.is_empty() || games.contains(game);
    Ok(all.filter(is_chosen).collect())
}

fn write(folder: &Path, games: &[&str]) -> Result<(), String> {
    for game in chosen(games)? {
        let path = path(folder, game);
        fs::write(&path, select(game)).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

/// The text of the file of a game, made anew.
fn select(game: &str) -> String {
    let puzzles = shipped::select(game, n_threads(), |n| {
        say(&format!("\r{game}: {n} of {}", shipped::N_PUZZLES));
    });
    say("\n");
    puzzles.iter().map(|puzzle| puzzle.line() + "\n").collect()
}

/// The file of a game.
fn path(folder: &Path, game: &str) -> PathBuf {
    folder.join(format!("{game}.txt"))
}

/// Checks that the file of a game is `expected`, byte for byte.
fn compare(path: &Path, expected: &str) -> Result<(), String> {
    let problem = |problem: String| format!("{}: {problem}", path.display());
    let text = fs::read_to_string(path).map_err(|e| problem(e.to_string()))?;
    if text == expected {
        return Ok(());
    }
    let lines = text.split('\n').zip(expected.split('\n'));
    let n_equal = lines.take_while(|(old, new)| old == new).count();
    Err(problem(format!(
        "line {} is not what the seeds lead to",
        n_equal + 1
    )))
}

/// What was proved of a game.
struct Proved<'a> {
    game: &'a str,
    n_shipped: usize,
    n_seeds: u64,
}

fn check<'a>(folder: &Path, n_seeds: u64, games: &'a [&'a str]) -> Result<Vec<Proved<'a>>, String> {
    let mut proved = Vec::new();
    for game in chosen(games)? {
        compare(&path(folder, game), &select(game))?;
        let mut puzzles: Vec<Puzzle> = puzzles::all(game).iter().collect();
        if puzzles.len() != puzzles::all(game).len() {
            return Err(format!("{game}: a line of the file can't be read"));
        }
        // Those of one board of Lilypads come together.
        puzzles.sort_by_cached_key(|puzzle| puzzle.position().to_owned());
        // Other seeds than those of the files.
        let first = 1 << 32;
        let mined = shipped::mine(game, first, n_seeds, n_threads());
        if mined.len() as u64 != n_seeds {
            let n_mined = mined.len();
            return Err(format!("{game}: {n_seeds} seeds have {n_mined} puzzles"));
        }
        let n_shipped = puzzles.len();
        puzzles.extend(mined);
        let n_proved = prove_all(&puzzles)?;
        if n_proved != puzzles.len() {
            return Err(format!("{game}: {n_proved} of {} proved", puzzles.len()));
        }
        say(&format!(
            "{game}: {n_shipped} shipped puzzles and those of {n_seeds} seeds proved\n"
        ));
        proved.push(Proved {
            game,
            n_shipped,
            n_seeds,
        });
    }
    Ok(proved)
}

/// The beginning of the line of a document that has the last result.
const RECORD: &str = "Last run: ";

/// Writes into a document that all of this was proved.
fn record(path: &Path, when: &str, proved: &[Proved<'_>]) -> Result<(), String> {
    let problem = |e: io::Error| format!("{}: {e}", path.display());
    let old = fs::read_to_string(path).map_err(problem)?;
    let new = recorded(&old, when, proved)
        .ok_or_else(|| format!("{}: expected a line “{RECORD}…”", path.display()))?;
    fs::write(path, new).map_err(problem)
}

/// The document with the result in place of the last one; `None` if there is no place for it.
fn recorded(document: &str, when: &str, proved: &[Proved<'_>]) -> Option<String> {
    let of_game =
        |proved: &Proved<'_>| format!("{} {} + {}", proved.game, proved.n_shipped, proved.n_seeds);
    let games: Vec<String> = proved.iter().map(of_game).collect();
    let n_all: u64 = proved.iter().map(|p| p.n_shipped as u64 + p.n_seeds).sum();
    let line = format!(
        "{RECORD}{when}. All {n_all} puzzles were proved, those shipped and those of new seeds: {}.",
        games.join(", ")
    );
    let is_old = |old: &&str| old.starts_with(RECORD);
    let old = document.lines().find(is_old)?;
    Some(document.replacen(old, &line, 1))
}

/// Proves all, in blocks that share a board. Returns how many were proved.
fn prove_all(puzzles: &[Puzzle]) -> Result<usize, String> {
    let blocks: Vec<_> = puzzles.chunks(16).collect();
    let (next, n_proved) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(block) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
            for puzzle in *block {
                prove(puzzle).map_err(|why| format!("{puzzle}: {why}"))?;
                n_proved.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads()).map(|_| scope.spawn(work)).collect();
        let mut results = threads.into_iter().map(|thread| thread.join());
        results.try_for_each(|result| result.unwrap_or_else(|_| Err("a proof panicked".to_owned())))
    })?;
    Ok(n_proved.into_inner())
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::{Proved, compare, recorded};

    #[test]
    fn a_file_that_differs_is_named_with_the_line() {
        let path = env::temp_dir().join(format!("parlour-mine-{}.txt", process::id()));
        fs::write(&path, "one\ntwo\n").unwrap();
        assert_eq!(compare(&path, "one\ntwo\n"), Ok(()));
        for (expected, line) in [
            ("one\nthree\n", 2),
            ("one\ntwo", 3),
            ("one\ntwo\nthree\n", 3),
            ("", 1),
        ] {
            let error = compare(&path, expected).unwrap_err();
            let end = format!(": line {line} is not what the seeds lead to");
            assert!(error.ends_with(&end), "{error}");
        }
        fs::remove_file(&path).unwrap();
        assert!(compare(&path, "").is_err());
    }

    #[test]
    fn the_last_result_replaces_the_one_before() {
        let proved = ["nonaga", "takeover"].map(|game| Proved {
            game,
            n_shipped: 400,
            n_seeds: 1_000,
        });
        let text = recorded("# Title\n\nLast run: never.\n\nMore.\n", "Today", &proved);
        let expected = "# Title\n\nLast run: Today. All 2800 puzzles were proved, those shipped and \
                        those of new seeds: nonaga 400 + 1000, takeover 400 + 1000.\n\nMore.\n";
        assert_eq!(text.as_deref(), Some(expected));
        assert_eq!(recorded("# Title\n", "Today", &proved), None);
    }
}
