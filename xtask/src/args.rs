//! The command line of `cargo xtask`.

use crate::{check::Part, play::PlayArgs, soak};

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command {
    Play(PlayArgs),
    Web,
    SingleFile,
    /// All checks except the named parts.
    Test(Vec<Part>),
    Browser,
    Figures,
    Card,
    Icons,
    Bench,
    Speed,
    Busy,
    /// Keeps a processor busy, for [`Busy`](Self::Busy).
    Spin,
    Ladder(Vec<String>),
    Fuzz {
        seconds: u32,
    },
    Boards,
    /// Arguments of `tune fair`, which checks them.
    Fair(Vec<String>),
    /// Writes the shipped puzzles of these games, or of all.
    Puzzles(Vec<String>),
    CheckPuzzles,
    /// The named parts of online play at full size, or all.
    Soak(Vec<String>),
    Solver,
    Wasm,
    Help,
}

/// Error for an invalid command line.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct UsageError(pub(crate) String);

fn usage<T>(text: impl Into<String>) -> Result<T, UsageError> {
    Err(UsageError(text.into()))
}

/// Parses a command line.
pub(crate) fn parse(args: &[&str]) -> Result<Command, UsageError> {
    let [name, rest @ ..] = args else {
        return usage("expected a command");
    };
    let command = match *name {
        "play" => return play(rest),
        "test" => return test(rest),
        "ladder" => {
            let games = rest.iter().map(|&game| game.to_owned());
            return Ok(Command::Ladder(games.collect()));
        }
        "fair" => {
            let args = rest.iter().map(|&arg| arg.to_owned());
            return Ok(Command::Fair(args.collect()));
        }
        "fuzz" => {
            let [seconds] = rest else {
                return usage("expected fuzz SECONDS");
            };
            return match seconds.parse() {
                Ok(seconds) => Ok(Command::Fuzz { seconds }),
                Err(_) => usage(format!("expected a number of seconds, found {seconds}")),
            };
        }
        "soak"
            if rest
                .iter()
                .all(|part| soak::names().any(|name| name == *part)) =>
        {
            let parts = rest.iter().map(|&part| part.to_owned());
            return Ok(Command::Soak(parts.collect()));
        }
        "soak" => {
            let names: Vec<_> = soak::names().collect();
            return usage(format!("expected soak and any of {}", names.join(", ")));
        }
        "puzzles" if rest == ["--check"] => return Ok(Command::CheckPuzzles),
        "puzzles" if rest.iter().all(|game| !game.starts_with('-')) => {
            let games = rest.iter().map(|&game| game.to_owned());
            return Ok(Command::Puzzles(games.collect()));
        }
        "puzzles" => return usage("expected puzzles --check or puzzles [GAME]..."),
        "web" if rest == ["--single-file"] => return Ok(Command::SingleFile),
        "web" => Command::Web,
        "browser" => Command::Browser,
        "figures" => Command::Figures,
        "card" => Command::Card,
        "icons" => Command::Icons,
        "bench" => Command::Bench,
        "speed" => Command::Speed,
        "busy" => Command::Busy,
        "spin" => Command::Spin,
        "boards" => Command::Boards,
        "solver" => Command::Solver,
        "wasm" => Command::Wasm,
        "help" | "--help" | "-h" => Command::Help,
        _ => return usage(format!("there is no command {name}")),
    };
    match rest {
        [] => Ok(command),
        ["--help" | "-h"] => Ok(Command::Help),
        [unknown, ..] => usage(format!("{name} takes no {unknown}")),
    }
}

fn play(mut rest: &[&str]) -> Result<Command, UsageError> {
    let mut args = PlayArgs::default();
    while let [flag, more @ ..] = rest {
        rest = more;
        match *flag {
            "--watch" => args.watch = true,
            "--no-open" => args.no_open = true,
            "--port" => {
                let [port, more @ ..] = rest else {
                    return usage("--port needs a number");
                };
                rest = more;
                let Ok(port) = port.parse() else {
                    return usage(format!(
                        "{port} is no port; expected a number up to 65535, 0 for any that is free"
                    ));
                };
                args.port = port;
            }
            "--help" | "-h" => return Ok(Command::Help),
            _ => {
                return usage(format!(
                    "play takes no {flag}; expected --watch, --port N or --no-open"
                ));
            }
        }
    }
    Ok(Command::Play(args))
}

fn test(mut rest: &[&str]) -> Result<Command, UsageError> {
    let names = || Part::ALL.map(Part::name).join(", ");
    let mut skipped = Vec::new();
    while let [flag, more @ ..] = rest {
        rest = more;
        match *flag {
            "--skip" => {
                let [name, more @ ..] = rest else {
                    return usage(format!("--skip needs one of {}", names()));
                };
                rest = more;
                let Some(part) = Part::ALL.into_iter().find(|part| part.name() == *name) else {
                    return usage(format!("can't skip {name}; expected one of {}", names()));
                };
                if !skipped.contains(&part) {
                    skipped.push(part);
                }
            }
            "--help" | "-h" => return Ok(Command::Help),
            _ => return usage(format!("test takes no {flag}; expected --skip PART")),
        }
    }
    Ok(Command::Test(skipped))
}

#[cfg(test)]
mod tests {
    use super::{Command, UsageError, parse};
    use crate::{check::Part, play::PlayArgs};

    fn words(line: &str) -> Vec<&str> {
        line.split_whitespace().collect()
    }

    #[test]
    fn commands_are_read() {
        let play = PlayArgs::default();
        for (line, expected) in [
            ("web", Command::Web),
            ("web --single-file", Command::SingleFile),
            ("help", Command::Help),
            ("web --help", Command::Help),
            ("play --help", Command::Help),
            ("play", Command::Play(play)),
            (
                "play --watch --port 0 --no-open",
                Command::Play(PlayArgs {
                    port: 0,
                    no_open: true,
                    watch: true,
                }),
            ),
            ("test", Command::Test(Vec::new())),
            (
                "test --skip browser --skip audit --skip browser",
                Command::Test(vec![Part::Browser, Part::Audit]),
            ),
            ("soak", Command::Soak(Vec::new())),
            (
                "soak network nodes",
                Command::Soak(vec!["network".to_owned(), "nodes".to_owned()]),
            ),
            ("fuzz 5", Command::Fuzz { seconds: 5 }),
            (
                "puzzles nonaga",
                Command::Puzzles(vec!["nonaga".to_owned()]),
            ),
            ("puzzles --check", Command::CheckPuzzles),
            ("ladder nonaga", Command::Ladder(vec!["nonaga".to_owned()])),
        ] {
            assert_eq!(parse(&words(line)), Ok(expected), "{line}");
        }
    }

    #[test]
    fn unknown_commands_are_rejected_with_what_was_expected() {
        for (line, expected) in [
            ("", "expected a command"),
            ("paly", "there is no command paly"),
            ("web --watch", "web takes no --watch"),
            (
                "play --wach",
                "play takes no --wach; expected --watch, --port N or --no-open",
            ),
            ("play --port", "--port needs a number"),
            (
                "play --port 70000",
                "70000 is no port; expected a number up to 65535, 0 for any that is free",
            ),
            (
                "test browser",
                "test takes no browser; expected --skip PART",
            ),
            (
                "test --skip all",
                "can't skip all; expected one of format, lints, page-lints, docs, dependencies, \
                 browser, audit, solver, services",
            ),
            (
                "puzzles --chek",
                "expected puzzles --check or puzzles [GAME]...",
            ),
            ("fuzz", "expected fuzz SECONDS"),
            ("fuzz long", "expected a number of seconds, found long"),
        ] {
            let error = UsageError(expected.to_owned());
            assert_eq!(parse(&words(line)), Err(error), "{line}");
        }
    }
}
