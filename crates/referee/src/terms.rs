use protocol::OnlineControl;

/// What players agree on before a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The name of the game.
    pub game: String,
    /// Its options, each with its value.
    pub options: Vec<(String, String)>,
    /// The time control.
    pub control: Option<OnlineControl>,
    /// Whether the result counts.
    pub is_rated: bool,
}

impl Terms {
    /// A casual match without clocks.
    #[must_use]
    pub fn new(game: &str, options: &[(&str, &str)]) -> Self {
        let options = options
            .iter()
            .map(|&(name, value)| (name.into(), value.into()));
        Self {
            game: game.to_owned(),
            options: options.collect(),
            control: None,
            is_rated: false,
        }
    }

    /// The options, as the catalog takes them.
    pub(crate) fn choices(&self) -> Vec<(&str, &str)> {
        let options = self.options.iter();
        options.map(|(name, value)| (&**name, &**value)).collect()
    }
}
