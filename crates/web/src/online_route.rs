//! The part of an address that asks for online play.

use std::fmt;

/// A screen of online play.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum OnlineRoute {
    /// Challenges, pairing, one's matches.
    #[default]
    Play,
    /// An invitation.
    Join {
        /// The secret in the link.
        token: String,
        /// Whether artificial delays and animations are skipped.
        is_fast: bool,
    },
    /// A match.
    Match {
        /// The id that the server gave it.
        id: String,
        /// Whether artificial delays and animations are skipped.
        is_fast: bool,
    },
    /// Somebody's ratings and matches.
    Player(String),
    /// One's finished matches, and the leaderboards.
    Games,
}

impl OnlineRoute {
    /// Reads the path and the parameters of an address.
    pub(crate) fn read(path: &str, query: &str) -> Option<Self> {
        let is_fast = query.split('&').any(|field| field == "speed=0");
        let (screen, rest) = path.split_once('/').unwrap_or((path, ""));
        let is_name = !rest.is_empty() && !rest.contains('/');
        match screen {
            "play" if rest.is_empty() => Some(Self::Play),
            "games" if rest.is_empty() => Some(Self::Games),
            "join" if is_name => Some(Self::Join {
                token: rest.to_owned(),
                is_fast,
            }),
            "match" if is_name => Some(Self::Match {
                id: rest.to_owned(),
                is_fast,
            }),
            "player" if is_name => Some(Self::Player(rest.to_owned())),
            _ => None,
        }
    }

    /// The id of the match, if it is one.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn match_id(&self) -> Option<&str> {
        match self {
            Self::Match { id, .. } => Some(id),
            _ => None,
        }
    }
}

impl fmt::Display for OnlineRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let speed = |is_fast: bool| if is_fast { "?speed=0" } else { "" };
        match self {
            Self::Play => f.write_str("#/play"),
            Self::Games => f.write_str("#/games"),
            Self::Join { token, is_fast } => write!(f, "#/join/{token}{}", speed(*is_fast)),
            Self::Match { id, is_fast } => write!(f, "#/match/{id}{}", speed(*is_fast)),
            Self::Player(name) => write!(f, "#/player/{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OnlineRoute;
    use crate::route::Route;

    #[test]
    fn addresses_round_trip() {
        for address in [
            "#/play",
            "#/games",
            "#/join/7QmZt2VbKd",
            "#/join/7QmZt2VbKd?speed=0",
            "#/match/k3",
            "#/match/k3?speed=0",
            "#/player/Quiet%20Heron",
        ] {
            let Route::Online(route) = Route::read(address) else {
                panic!("{address} is online play");
            };
            assert_eq!(route.to_string(), address);
        }
        for path in [
            "join",
            "join/",
            "match",
            "match/a/b",
            "player",
            "play/x",
            "games/1",
        ] {
            assert_eq!(OnlineRoute::read(path, ""), None, "{path}");
        }
    }
}
