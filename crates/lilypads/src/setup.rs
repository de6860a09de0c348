use rules::{SetupError, SetupOption, Values, parse_decimal};

/// The options of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Setup {
    /// The number of the board.
    pub board: u64,
}

const BOARD: SetupOption = SetupOption {
    name: "board",
    label: "lilypads.board",
    values: Values::Number,
};

impl rules::MatchSetup for Setup {
    fn options() -> &'static [SetupOption] {
        &[BOARD]
    }

    fn value(&self, name: &str) -> Option<String> {
        (name == BOARD.name).then(|| self.board.to_string())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SetupError> {
        if name != BOARD.name {
            return Err(SetupError::no_such_option::<Self>(name));
        }
        let number = parse_decimal(value);
        self.board = number.ok_or_else(|| SetupError::no_such_value(&BOARD, value))?;
        Ok(())
    }
}
