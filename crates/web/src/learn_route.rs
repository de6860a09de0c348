//! The addresses of lessons.

/// The lesson that somebody wants to take.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct LearnRoute {
    /// The name of the game; without one they want to choose.
    pub(crate) game: Option<String>,
    /// The step, counted from 0; without one the first that is not done.
    pub(crate) step: Option<usize>,
    /// Whether artificial delays and animations are skipped.
    pub(crate) is_fast: bool,
}

/// Whether there is a lesson of `game`.
fn has_lesson(game: &str) -> bool {
    lessons::OVERVIEW.iter().any(|(known, _)| *known == game)
}

impl LearnRoute {
    /// The address of the lesson of `game`.
    pub(crate) fn of(game: &str) -> String {
        format!("#/learn/{game}")
    }

    /// Reads what follows `learn` in a fragment, such as `/nonaga/3?speed=0`; `None` if that
    /// is another address. Unknown parts are ignored.
    pub(crate) fn read(path: &str) -> Option<Self> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let mut parts = path.split('/');
        if !parts.next()?.is_empty() {
            return None;
        }
        let game = parts.next().filter(|game| has_lesson(game));
        let step = parts.next().and_then(|step| step.parse().ok());
        let step = step.and_then(|step: usize| step.checked_sub(1));
        Some(Self {
            game: game.map(str::to_owned),
            step: step.filter(|_| game.is_some()),
            is_fast: query.split('&').any(|field| field == "speed=0"),
        })
    }

    /// The address that asks for it.
    pub(crate) fn address(&self) -> String {
        let game = self.game.as_deref().unwrap_or_default();
        let mut address = Self::of(game);
        if let Some(step) = self.step {
            address += &format!("/{}", step + 1);
        }
        if self.is_fast {
            address += "?speed=0";
        }
        address
    }
}

#[cfg(test)]
mod tests {
    use super::LearnRoute;
    use crate::route::Route;

    #[test]
    fn addresses_ask_for_lessons() {
        let learn = |game: Option<&str>, step, is_fast| {
            Route::Learn(LearnRoute {
                game: game.map(str::to_owned),
                step,
                is_fast,
            })
        };
        for (fragment, route) in [
            ("#/learn", learn(None, None, false)),
            ("#/learn/", learn(None, None, false)),
            ("#/learn?speed=0", learn(None, None, true)),
            ("#/learn/nonaga", learn(Some("nonaga"), None, false)),
            (
                "#/learn/simply-go/3",
                learn(Some("simply-go"), Some(2), false),
            ),
            (
                "#/learn/nonaga/8?speed=0",
                learn(Some("nonaga"), Some(7), true),
            ),
            // Unknown parameters are ignored.
            ("#/learn/chess/2", learn(None, None, false)),
            ("#/learn/nonaga/0", learn(Some("nonaga"), None, false)),
            ("#/learn/nonaga/-1/2", learn(Some("nonaga"), None, false)),
            ("#/learn//nonaga", learn(None, None, false)),
        ] {
            assert_eq!(Route::read(fragment), route, "{fragment}");
            if let Route::Learn(learn) = &route
                && learn.game.is_some()
            {
                assert_eq!(Route::read(&learn.address()), route);
            }
        }
        assert!(matches!(Route::read("#/learning"), Route::Match(_)));
        assert!(catalog::find("learn").is_err(), "the address is taken");
    }
}
