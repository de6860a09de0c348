use rules::{ByPlayer, Player};

/// Who plays one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlayerKind {
    /// Somebody in front of the screen.
    Person,
    /// The engine.
    Bot(Bot),
    /// Somebody elsewhere, whose moves come from a server.
    Remote,
}

impl PlayerKind {
    /// As addresses have it: `human`, `remote`, or the name of the bot.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Person => "human".to_owned(),
            Self::Bot(bot) => bot.name(),
            Self::Remote => "remote".to_owned(),
        }
    }

    /// Reads a [name](Self::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "human" => Some(Self::Person),
            "remote" => Some(Self::Remote),
            _ => Bot::from_name(name).map(Self::Bot),
        }
    }
}

/// The person at the table, if there is only one.
pub(crate) fn only_person(seats: &ByPlayer<PlayerKind>) -> Option<Player> {
    let is_person = |player: &Player| seats[*player] == PlayerKind::Person;
    let mut people = Player::BOTH.into_iter().filter(is_person);
    people.next().filter(|_| people.next().is_none())
}

/// How the engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bot {
    /// The game's classic opponent.
    Classic,
    /// A step of the ladder, from 1 to [`Bot::TOP_LEVEL`].
    Level(u8),
    /// Without fault, where the game is solved.
    Perfect,
}

impl Bot {
    /// The strongest level.
    pub const TOP_LEVEL: u8 = 10;

    /// As addresses have it: `classic`, `level-3`, `perfect`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Classic => "classic".to_owned(),
            Self::Level(level) => format!("level-{level}"),
            Self::Perfect => "perfect".to_owned(),
        }
    }

    /// Reads a [name](Self::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "classic" => Some(Self::Classic),
            "perfect" => Some(Self::Perfect),
            _ => {
                let level = name.strip_prefix("level-")?.parse().ok()?;
                (1..=Self::TOP_LEVEL)
                    .contains(&level)
                    .then_some(Self::Level(level))
            }
        }
    }

    /// The engine's options that make it play like this.
    pub(crate) fn options(self) -> [(&'static str, String); 2] {
        let (opponent, level) = match self {
            Self::Classic => ("classic", 0),
            Self::Level(level) => ("engine", level),
            Self::Perfect => ("perfect", 0),
        };
        [
            ("Opponent", opponent.to_owned()),
            ("Level", level.to_string()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::{Bot, PlayerKind};

    #[test]
    fn names_round_trip() {
        for name in [
            "human", "remote", "classic", "level-1", "level-9", "level-10", "perfect",
        ] {
            assert_eq!(
                PlayerKind::from_name(name).map(PlayerKind::name),
                Some(name.to_owned())
            );
        }
        for name in ["", "level-0", "level-11", "level-", "Human", "level:1"] {
            assert_eq!(PlayerKind::from_name(name), None, "{name}");
        }
        assert_eq!(Bot::from_name("human"), None);
    }
}
