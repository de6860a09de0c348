//! Parsing of URLs.

use play::PlayerKind;
use protocol::ColorChoice;
use rules::{Player, record::TimeControl};

use crate::{
    learn_route::LearnRoute, online_route::OnlineRoute, puzzle_route::PuzzleRoute,
    study_route::StudyRoute,
};

/// The screen that a URL leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Route {
    /// The four games.
    Home,
    /// A new match of one of them.
    Match(Wish),
    /// A stored match.
    Saved {
        /// Its id in the database.
        id: String,
        /// Whether artificial delays and animations are skipped.
        is_fast: bool,
    },
    /// All stored matches.
    Library,
    /// A match inside the link itself.
    Shared {
        link: String,
        /// Who plays the side that `color` leaves.
        opponent: PlayerKind,
        /// The side of the person here, if it matters.
        color: Option<ColorChoice>,
        /// Whether artificial delays and animations are skipped.
        is_fast: bool,
    },
    /// A puzzle, or the choice of one.
    Puzzle(PuzzleRoute),
    /// The review of a match, or the analysis board.
    Study(StudyRoute),
    /// A lesson, or the choice of one.
    Learn(LearnRoute),
    /// Online play.
    Online(OnlineRoute),
}

/// The fragment that opens the match stored under `id`.
pub(crate) fn saved_address(id: &str, is_fast: bool) -> String {
    let speed = if is_fast { "?speed=0" } else { "" };
    format!("#/saved/{id}{speed}")
}

/// The fragment that opens all stored matches.
pub(crate) const LIBRARY: &str = "#/library";

/// The fragment that opens the match in `link`.
pub(crate) fn shared_address(link: &str) -> String {
    format!("#/shared/{link}")
}

/// The fragment that goes on with the match in `link`, with a person on one side and `opponent`
/// on the other.
pub(crate) fn shared_match_address(link: &str, opponent: PlayerKind, person: Player) -> String {
    format!(
        "{}?opponent={}&color={person}",
        shared_address(link),
        opponent.name()
    )
}

/// A match that somebody wants to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wish {
    /// The name of the game.
    pub(crate) game: String,
    /// Who plays the other side.
    pub(crate) opponent: PlayerKind,
    /// The color of the person here, if they care. Of two people it is the one at the
    /// near side of the board.
    pub(crate) color: Option<ColorChoice>,
    /// The time control, if it is played with clocks.
    pub(crate) clock: Option<TimeControl>,
    /// Whether the board is turned to whichever of two people is to move.
    pub(crate) turns_board: bool,
    /// The choices before the match, each a name and a value.
    pub(crate) choices: Vec<(String, String)>,
    /// Whether artificial delays and animations are skipped.
    pub(crate) is_fast: bool,
    /// The seed of random choices.
    pub(crate) seed: Option<u64>,
}

impl Wish {
    /// An ordinary match of `game`.
    pub(crate) fn new(game: &str) -> Self {
        Self {
            game: game.to_owned(),
            opponent: PlayerKind::Person,
            color: None,
            clock: None,
            turns_board: false,
            choices: Vec::new(),
            is_fast: false,
            seed: None,
        }
    }

    /// The choice called `name`.
    pub(crate) fn choice(&self, name: &str) -> Option<&str> {
        let choice = self.choices.iter().find(|(given, _)| given == name);
        choice.map(|(_, value)| value.as_str())
    }

    /// The choices, as games take them.
    pub(crate) fn choice_texts(&self) -> Vec<(&str, &str)> {
        let choices = self.choices.iter();
        choices
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect()
    }

    /// The same match with the colors swapped, unless they are drawn by lot.
    pub(crate) fn swapped(&self) -> Option<Self> {
        let color = match (self.color, self.opponent) {
            (Some(ColorChoice::Second), _) => ColorChoice::First,
            (Some(ColorChoice::First), _) | (_, PlayerKind::Person) => ColorChoice::Second,
            _ => return None,
        };
        Some(Self {
            color: Some(color),
            ..self.clone()
        })
    }

    /// The address that asks for it.
    pub(crate) fn address(&self) -> String {
        let mut fields = vec![("opponent".to_owned(), self.opponent.name())];
        let is_shared = self.opponent == PlayerKind::Person;
        let color = self
            .color
            .filter(|&color| !is_shared || color == ColorChoice::Second);
        fields.extend(color.map(|color| ("color".to_owned(), color.name().to_owned())));
        if is_shared && self.turns_board {
            fields.push(("flip".to_owned(), "turn".to_owned()));
        }
        fields.extend(
            self.clock
                .map(|clock| ("clock".to_owned(), clock.to_string())),
        );
        fields.extend(self.choices.iter().cloned());
        if self.is_fast {
            fields.push(("speed".to_owned(), "0".to_owned()));
        }
        fields.extend(self.seed.map(|seed| ("seed".to_owned(), seed.to_string())));
        let fields: Vec<_> = fields
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        format!("#/{}?{}", self.game, fields.join("&"))
    }
}

impl Route {
    /// Reads the fragment of a URL, such as
    /// `#/lilypads?board=42&opponent=classic`. The parameters are the page's own
    /// and those named like an option of the game; others are ignored. Whether the
    /// game exists and its options have these values is for the catalog to say.
    pub(crate) fn read(fragment: &str) -> Self {
        let path = fragment.trim_start_matches('#').trim_start_matches('/');
        let (game, query) = path.split_once('?').unwrap_or((path, ""));
        if game.is_empty() {
            return Self::Home;
        }
        if let Some(learn) = path.strip_prefix("learn").and_then(LearnRoute::read) {
            return Self::Learn(learn);
        }
        if let Some(id) = game.strip_prefix("saved/") {
            return Self::Saved {
                id: id.to_owned(),
                is_fast: query.split('&').any(|field| field == "speed=0"),
            };
        }
        if let Some(link) = game.strip_prefix("shared/") {
            let wish = Self::read_query(Wish::new(""), query);
            return Self::Shared {
                link: link.to_owned(),
                opponent: wish.opponent,
                color: wish.color,
                is_fast: wish.is_fast,
            };
        }
        let puzzle = game.strip_prefix("puzzles");
        if let Some(puzzle) = puzzle.and_then(|rest| PuzzleRoute::read(rest, query)) {
            return Self::Puzzle(puzzle);
        }
        if let Some(study) = StudyRoute::read(game, query) {
            return Self::Study(study);
        }
        if let Some(online) = OnlineRoute::read(game, query) {
            return Self::Online(online);
        }
        if game == "library" {
            return Self::Library;
        }
        Self::Match(Self::read_query(Wish::new(game), query))
    }

    /// Reads the parameters of an address into `wish`.
    fn read_query(mut wish: Wish, query: &str) -> Wish {
        let game = catalog::find(&wish.game);
        let options = game.map_or_else(|_| Vec::new(), |game| game.options());
        for field in query.split('&') {
            let Some((name, value)) = field.split_once('=') else {
                continue;
            };
            match name {
                "opponent" => {
                    let opponent =
                        PlayerKind::from_name(value).filter(|it| *it != PlayerKind::Remote);
                    wish.opponent = opponent.unwrap_or(wish.opponent);
                }
                "color" => wish.color = ColorChoice::read(value).or(wish.color),
                "clock" => {
                    // Programs that pass links on may escape its signs.
                    let value = value.replace("%2B", "+").replace("%2F", "/");
                    wish.clock = value.parse().ok().or(wish.clock);
                }
                "flip" => wish.turns_board = value == "turn",
                "speed" => wish.is_fast = value == "0",
                "seed" => wish.seed = value.parse().ok(),
                _ if options.iter().any(|option| option.name == name) => {
                    // Browsers may write a colon as %3A.
                    let value = value.replace("%3A", ":").replace("%3a", ":");
                    wish.choices.retain(|(given, _)| given != name);
                    wish.choices.push((name.to_owned(), value));
                }
                _ => {}
            }
        }
        wish
    }
}

#[cfg(test)]
mod tests {
    use play::{Bot, PlayerKind};
    use protocol::ColorChoice;
    use rules::{Player, Values, record::TimeControl};

    use super::{LIBRARY, Route, Wish, saved_address, shared_address, shared_match_address};

    fn read(fragment: &str) -> Wish {
        match Route::read(fragment) {
            Route::Match(wish) => wish,
            other => panic!("{fragment} asks for {other:?}"),
        }
    }

    #[test]
    fn nothing_is_home() {
        for fragment in ["", "#", "#/", "#/?opponent=classic"] {
            assert_eq!(Route::read(fragment), Route::Home);
        }
    }

    #[test]
    fn stored_and_shared_matches_have_addresses() {
        for is_fast in [false, true] {
            let route = Route::Saved {
                id: "0123abc".to_owned(),
                is_fast,
            };
            assert_eq!(Route::read(&saved_address("0123abc", is_fast)), route);
        }
        let link = "1.nonaga.1.variant-published...pA4g.x0Bd";
        assert_eq!(
            Route::read(&shared_address(link)),
            Route::Shared {
                link: link.to_owned(),
                opponent: PlayerKind::Person,
                color: None,
                is_fast: false,
            }
        );
        assert_eq!(
            Route::read(&shared_match_address(
                link,
                PlayerKind::Bot(Bot::Level(3)),
                Player::Second
            )),
            Route::Shared {
                link: link.to_owned(),
                opponent: PlayerKind::Bot(Bot::Level(3)),
                color: Some(ColorChoice::Second),
                is_fast: false,
            }
        );
        assert_eq!(Route::read(LIBRARY), Route::Library);
    }

    #[test]
    fn addresses_ask_for_matches() {
        let wish = read("#/lilypads?board=42&opponent=classic&color=second&speed=0&seed=7");
        assert_eq!(wish.game, "lilypads");
        assert_eq!(wish.opponent, PlayerKind::Bot(Bot::Classic));
        assert_eq!(wish.color, Some(ColorChoice::Second));
        assert_eq!(wish.choice("board"), Some("42"));
        assert_eq!(wish.choice_texts(), [("board", "42")]);
        assert!(wish.is_fast);
        assert_eq!(wish.seed, Some(7));
        assert_eq!(
            read("#/simply-go?mode=target%3A25").choice("mode"),
            Some("target:25")
        );
    }

    /// An address means the same start for ever, whatever boards turn out to be fair.
    #[test]
    fn without_a_board_it_is_board_0() {
        for game in ["lilypads", "takeover"] {
            let wish = read(&format!("#/{game}?opponent=level-3"));
            let game = catalog::find(game).unwrap();
            let opened = game.start(&wish.choice_texts()).unwrap();
            let start = game.start(&[("board", "0")]).unwrap();
            assert_eq!(opened.position(), start.position());
        }
    }

    #[test]
    fn addresses_round_trip() {
        for address in [
            "#/lilypads?opponent=human",
            "#/lilypads?opponent=classic",
            "#/lilypads?opponent=perfect&color=first&board=42&speed=0&seed=3",
            "#/nonaga?opponent=level-10&color=random&variant=published",
            "#/nonaga?opponent=human&color=second&flip=turn&clock=180000+2000&variant=published",
            "#/takeover?opponent=classic&color=first&clock=30000/turn",
        ] {
            assert_eq!(read(address).address(), address);
        }
    }

    #[test]
    fn every_option_of_every_game_round_trips() {
        for game in catalog::GAMES {
            let mut all = Wish::new(game.name());
            for option in game.options() {
                let values = match option.values {
                    Values::Words(words) => words.to_vec(),
                    Values::Number => vec!["0", "18446744073709551615"],
                };
                for value in values {
                    let mut wish = Wish::new(game.name());
                    let choice = (option.name.to_owned(), value.to_owned());
                    wish.choices.push(choice);
                    assert_eq!(read(&wish.address()), wish);
                    let escaped = wish.address().replace(':', "%3A");
                    assert_eq!(read(&escaped), wish);
                }
                all.choices.push((option.name.to_owned(), option.default));
            }
            assert_eq!(read(&all.address()), all);
            // Nonsense is passed on: what a value may be is not decided here.
            for (_, value) in &mut all.choices {
                *value = "nonsense".to_owned();
            }
            assert_eq!(read(&all.address()), all);
        }
    }

    /// The page's own parameters would hide an option of the same name, and its
    /// own fields in the form for a new game would be mixed up with it.
    #[test]
    fn no_option_is_named_like_something_of_the_page() {
        let own = [
            "opponent", "color", "clock", "flip", "speed", "seed", "game", "level",
        ];
        for game in catalog::GAMES {
            let mut options = game.options().into_iter();
            assert!(options.all(|option| !own.contains(&option.name)));
        }
    }

    #[test]
    fn clocks_are_read_even_if_escaped() {
        let whole = TimeControl::Match {
            base: 180_000,
            increment: 2_000,
        };
        for (text, clock) in [
            ("180000+2000", whole),
            ("180000%2B2000", whole),
            ("30000/turn", TimeControl::Turn(30_000)),
            ("30000%2Fturn", TimeControl::Turn(30_000)),
        ] {
            let wish = read(&format!("#/nonaga?clock={text}"));
            assert_eq!(wish.clock, Some(clock));
        }
    }

    #[test]
    fn a_rematch_swaps_the_colors_that_were_chosen() {
        let swapped = |address: &str| read(address).swapped().map(|wish| wish.address());
        let two_people = "#/nonaga?opponent=human&clock=30000/turn";
        let other_way = "#/nonaga?opponent=human&color=second&clock=30000/turn";
        assert_eq!(swapped(two_people).as_deref(), Some(other_way));
        assert_eq!(swapped(other_way).as_deref(), Some(two_people));
        let first = "#/takeover?opponent=level-3&color=first";
        let second = "#/takeover?opponent=level-3&color=second";
        assert_eq!(swapped(first).as_deref(), Some(second));
        assert_eq!(swapped(second).as_deref(), Some(first));
        assert_eq!(swapped("#/nonaga?opponent=classic&color=random"), None);
    }

    #[test]
    fn options_of_other_games_are_ignored() {
        let wish = read("#/nonaga?size=9&board=3&weather=fine&variant=published");
        assert_eq!(wish.choice_texts(), [("variant", "published")]);
        assert_eq!(read("#/chess?variant=960"), Wish::new("chess"));
    }

    #[test]
    fn rubbish_is_left_out() {
        let wish =
            read("#/takeover?opponent=level-99&color=blue&seed=-1&x&=&speed=fast&clock=5m&flip=on");
        assert_eq!(wish, Wish::new("takeover"));
    }
}
