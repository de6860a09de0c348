use std::fmt;

use catalog::CatalogError;

/// A line that can't be obeyed, and what was expected instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Mistake {
    /// The first word is no command.
    UnknownCommand,
    /// Something follows a command that takes no arguments.
    Trailing { command: String, found: String },
    /// The arguments do not have the right form.
    Form(&'static str),
    /// A number is missing or not valid.
    Number { after: String },
    /// An option does not have this value.
    Value {
        name: &'static str,
        expected: &'static str,
    },
    /// There is no such option.
    UnknownOption { expected: String },
    /// There is not enough memory.
    NoRoom,
    /// The engine is thinking.
    Busy,
    /// There is no move to choose.
    GameOver,
    /// The game has no variant Ataxx.
    NoAtaxx { game: &'static str },
    /// A match of Ataxx has to be selected first.
    NotYetAtaxx,
    /// A position, a move or an option is not valid.
    Catalog(CatalogError),
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand => f.write_str(
                "expected ugi, isready, game, uginewgame, setoption, position, prepare, go, puzzle, stop, \
                 query or quit",
            ),
            Self::Trailing { command, found } => {
                write!(f, "expected nothing after {command}, found {found}")
            }
            Self::Form(form) => write!(f, "expected {form}"),
            Self::Number { after } => write!(f, "expected a number after {after}"),
            Self::Value { name, expected } => write!(f, "expected {expected} for {name}"),
            Self::UnknownOption { expected } => write!(f, "expected an option: {expected}"),
            Self::NoRoom => f.write_str("expected a smaller Hash: there is not enough memory"),
            Self::Busy => f.write_str("expected stop first: the engine is thinking"),
            Self::GameOver => {
                f.write_str("expected a position with a legal move: the game is over")
            }
            Self::NoAtaxx { game } => write!(f, "expected ugi: {game} is no Ataxx"),
            Self::NotYetAtaxx => f.write_str("expected uai before uainewgame"),
            Self::Catalog(error) => error.fmt(f),
        }
    }
}

impl From<CatalogError> for Mistake {
    fn from(error: CatalogError) -> Self {
        Self::Catalog(error)
    }
}
