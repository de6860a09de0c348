//! Addresses of puzzles.

use std::fmt;

/// The puzzle that somebody wants to solve.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PuzzleRoute {
    /// The name of the game; without one they want to choose.
    pub(crate) game: Option<String>,
    pub(crate) which: Which,
    /// Whether artificial delays and animations are skipped.
    pub(crate) is_fast: bool,
}

/// Which puzzle of a game it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum Which {
    /// One that is about as hard as whoever solves it is good.
    #[default]
    Next,
    /// Today's.
    Daily,
    /// Yesterday's.
    Yesterday,
    /// The one with this id.
    Id(String),
    /// The one that the engine finds from this seed.
    Seed(u64),
}

impl PuzzleRoute {
    /// A puzzle of `game`.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        expect(dead_code, reason = "only the browser links to puzzles")
    )]
    pub(crate) fn of(game: &str, which: Which) -> Self {
        Self {
            game: Some(game.to_owned()),
            which,
            is_fast: false,
        }
    }

    /// Reads what follows `puzzles` in an address, such as `/nonaga/daily`; `None` if that
    /// is another address.
    pub(crate) fn read(path: &str, query: &str) -> Option<Self> {
        let mut parts = path.split('/');
        if !parts.next()?.is_empty() {
            return None;
        }
        let game = parts.next().filter(|name| catalog::find(name).is_ok());
        let which = match parts.next() {
            None | Some("") => Which::Next,
            Some("daily") => Which::Daily,
            Some("yesterday") => Which::Yesterday,
            Some(id) => match id.strip_prefix("new-").and_then(rules::parse_decimal) {
                Some(seed) => Which::Seed(seed),
                None => Which::Id(id.to_owned()),
            },
        };
        Some(Self {
            game: game.map(str::to_owned),
            which: if game.is_some() { which } else { Which::Next },
            is_fast: query.split('&').any(|field| field == "speed=0"),
        })
    }
}

/// The address.
impl fmt::Display for PuzzleRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("#/puzzles")?;
        if let Some(game) = &self.game {
            write!(f, "/{game}")?;
            match &self.which {
                Which::Next => {}
                Which::Daily => f.write_str("/daily")?,
                Which::Yesterday => f.write_str("/yesterday")?,
                Which::Id(id) => write!(f, "/{id}")?,
                Which::Seed(seed) => write!(f, "/new-{seed}")?,
            }
        }
        if self.is_fast {
            f.write_str("?speed=0")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::PuzzleRoute;

    #[test]
    fn addresses_round_trip() {
        for address in [
            "#/puzzles",
            "#/puzzles/nonaga",
            "#/puzzles/lilypads/daily",
            "#/puzzles/lilypads/yesterday?speed=0",
            "#/puzzles/takeover/0123abcd",
            "#/puzzles/takeover/new-42",
        ] {
            let path = address.trim_start_matches("#/puzzles");
            let (path, query) = path.split_once('?').unwrap_or((path, ""));
            assert_eq!(PuzzleRoute::read(path, query).unwrap().to_string(), address);
        }
        assert_eq!(PuzzleRoute::read("s", ""), None);
        let strange = PuzzleRoute::read("/chess/daily", "").unwrap();
        assert_eq!(strange, PuzzleRoute::default());
    }
}
