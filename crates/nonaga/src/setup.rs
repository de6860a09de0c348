use rules::{SetupError, SetupOption, Values};

/// Which tiles may be shifted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// Any tile that leaves the others connected.
    #[default]
    Standard,
    /// Only a tile that can be drawn out sideways (R8), and not the one the
    /// opponent just shifted (R9).
    Published,
}

impl Variant {
    const NAMES: &'static [&'static str] = &["standard", "published"];
}

/// The options of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Setup {
    /// Which tiles may be shifted.
    pub variant: Variant,
}

const VARIANT: SetupOption = SetupOption {
    name: "variant",
    label: "nonaga.variant",
    values: Values::Words(Variant::NAMES),
};

impl rules::MatchSetup for Setup {
    fn options() -> &'static [SetupOption] {
        &[VARIANT]
    }

    fn value(&self, name: &str) -> Option<String> {
        (name == VARIANT.name).then(|| Variant::NAMES[self.variant as usize].to_owned())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SetupError> {
        if name != VARIANT.name {
            return Err(SetupError::no_such_option::<Self>(name));
        }
        self.variant = match value {
            "standard" => Variant::Standard,
            "published" => Variant::Published,
            _ => return Err(SetupError::no_such_value(&VARIANT, value)),
        };
        Ok(())
    }
}
