//! Flags for the options of a match, generated from the options of all games.

use catalog::{GAMES, OptionInfo};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use rules::Values;

/// The options of a match: a flag for every option of any game, whether or not the
/// selected one has it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SetupArgs {
    choices: Vec<(&'static str, String)>,
}

impl SetupArgs {
    /// The options, each a name and a value. The game checks them.
    pub(crate) fn choices(&self) -> Vec<(&str, &str)> {
        let choices = self.choices.iter();
        choices.map(|(name, value)| (*name, &**value)).collect()
    }
}

/// Every option there is, each with the games that have it.
fn options() -> Vec<(&'static str, Vec<(&'static str, OptionInfo)>)> {
    let mut options: Vec<(_, Vec<_>)> = Vec::new();
    for game in GAMES {
        for option in game.options() {
            let name = option.name;
            let entry = (game.name(), option);
            match options.iter_mut().find(|(known, _)| *known == name) {
                Some((_, games)) => games.push(entry),
                None => options.push((name, vec![entry])),
            }
        }
    }
    options
}

/// `nonaga: standard, published. takeover: standard, ataxx`
fn describe(games: &[(&str, OptionInfo)]) -> String {
    let describe = |(game, option): &(&str, OptionInfo)| match option.values {
        Values::Words(words) => format!("{game}: {}", words.join(", ")),
        Values::Number => format!("{game}: any number"),
    };
    let lines: Vec<_> = games.iter().map(describe).collect();
    lines.join(". ")
}

impl Args for SetupArgs {
    fn augment_args(command: Command) -> Command {
        options()
            .into_iter()
            .fold(command, |command, (name, games)| {
                let is_number = games
                    .iter()
                    .all(|(_, option)| option.values == Values::Number);
                let arg = Arg::new(name)
                    .long(name)
                    .value_name(if is_number { "N" } else { "V" })
                    .help(describe(&games));
                command.arg(arg)
            })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SetupArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut setup = Self::default();
        setup.update_from_arg_matches(matches)?;
        Ok(setup)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for (name, _) in options() {
            if let Some(value) = matches.get_one::<String>(name) {
                self.choices.retain(|(given, _)| *given != name);
                self.choices.push((name, value.clone()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::options;
    use crate::args::{Args, Command};

    /// Also checks that no option is named like another flag.
    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_option_of_every_game_is_a_flag() {
        for (name, games) in options() {
            for (game, option) in games {
                let flag = format!("--{name}");
                let line = ["parlour", "perft", game, "1", &flag, &option.default];
                let args = Args::try_parse_from(line).map(|args| args.command);
                let Ok(Some(Command::Perft(args))) = args else {
                    panic!("{line:?}");
                };
                assert_eq!(args.setup.choices(), [(name, &*option.default)]);
            }
        }
    }
}
