//! Addresses of reviews and of the analysis board.

use std::fmt;

/// The URL of a study.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StudyRoute {
    /// Whether it is the analysis board, or else the review of a match.
    pub(crate) is_analysis: bool,
    pub(crate) source: Source,
    /// The choices before a new match, each a name and a value.
    pub(crate) choices: Vec<(String, String)>,
    /// How many moves of the match lead to the position that is looked at first.
    pub(crate) ply: Option<usize>,
    /// Whether animations are skipped.
    pub(crate) is_fast: bool,
}

/// Where a match that is studied comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// It is stored under this id.
    Saved(String),
    /// It is inside the address, as a link.
    Shared(String),
    /// It is a new one of this game.
    Game(String),
}

impl Default for StudyRoute {
    fn default() -> Self {
        Self::analysis(Source::Game(String::new()))
    }
}

impl StudyRoute {
    /// The review of a match.
    pub(crate) fn review(source: Source) -> Self {
        Self {
            is_analysis: false,
            source,
            choices: Vec::new(),
            ply: None,
            is_fast: false,
        }
    }

    /// The analysis of a match.
    pub(crate) fn analysis(source: Source) -> Self {
        Self {
            is_analysis: true,
            ..Self::review(source)
        }
    }

    /// Reads the path and the query of an address, without the `#/`.
    pub(crate) fn read(path: &str, query: &str) -> Option<Self> {
        let (is_analysis, rest) = match path.split_once('/')? {
            ("analysis", rest) => (true, rest),
            ("review", rest) => (false, rest),
            _ => return None,
        };
        let source = match rest.split_once('/') {
            Some(("saved", id)) => Source::Saved(id.to_owned()),
            Some(("shared", link)) => Source::Shared(link.to_owned()),
            Some(_) => return None,
            None if is_analysis => Source::Game(rest.to_owned()),
            None => return None,
        };
        let game = match &source {
            Source::Game(game) => catalog::find(game).ok(),
            _ => None,
        };
        let options = game.map_or_else(Vec::new, |game| game.options());
        let mut route = Self {
            is_analysis,
            ..Self::review(source)
        };
        for field in query.split('&') {
            match field.split_once('=') {
                Some(("ply", value)) => route.ply = rules::parse_decimal(value),
                Some(("speed", value)) => route.is_fast = value == "0",
                Some((name, value)) if options.iter().any(|option| option.name == name) => {
                    // Browsers may write a colon as %3A.
                    let value = value.replace("%3A", ":").replace("%3a", ":");
                    route.choices.retain(|(given, _)| given != name);
                    route.choices.push((name.to_owned(), value));
                }
                _ => {}
            }
        }
        Some(route)
    }
}

/// The address.
impl fmt::Display for StudyRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_analysis {
            "analysis"
        } else {
            "review"
        };
        write!(f, "#/{kind}/")?;
        match &self.source {
            Source::Saved(id) => write!(f, "saved/{id}")?,
            Source::Shared(link) => write!(f, "shared/{link}")?,
            Source::Game(game) => f.write_str(game)?,
        }
        let choices = self.choices.iter();
        let mut fields: Vec<_> = choices
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        fields.extend(self.ply.map(|ply| format!("ply={ply}")));
        fields.extend(self.is_fast.then(|| "speed=0".to_owned()));
        if !fields.is_empty() {
            write!(f, "?{}", fields.join("&"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, StudyRoute};

    #[test]
    fn addresses_round_trip() {
        for address in [
            "#/review/saved/0123abc",
            "#/review/shared/1.nonaga.1.variant-published...pA4g.x0Bd",
            "#/analysis/saved/0123abc?ply=7",
            "#/analysis/shared/1.nonaga.1....pA4g.x0Bd?ply=3&speed=0",
            "#/analysis/takeover",
            "#/analysis/takeover?board=7&speed=0",
            "#/analysis/simply-go?size=13&mode=target:25",
        ] {
            let path = address.trim_start_matches("#/");
            let (path, query) = path.split_once('?').unwrap_or((path, ""));
            let route = StudyRoute::read(path, query).unwrap();
            assert_eq!(route.to_string(), address);
        }
        for path in ["review", "review/takeover", "analysis/else/x", "x/saved/1"] {
            assert_eq!(StudyRoute::read(path, ""), None, "{path}");
        }
        let strange = StudyRoute::read("analysis/chess", "ply=-1&speed=fast&size=9").unwrap();
        assert_eq!(
            strange,
            StudyRoute::analysis(Source::Game("chess".to_owned()))
        );
    }
}
