use rules::{Course, Game, MatchSetup, Player, record::Ending};

use crate::{
    CatalogError,
    any_match::{parse_move, texts},
};

/// The [`Course`] of a match of any game, with moves and positions as text.
pub trait AnyCourse: Send + Sync {
    /// The position after the moves.
    fn position(&self) -> String;

    /// The player to move.
    fn turn(&self) -> Player;

    /// The moves.
    fn moves(&self) -> Vec<String>;

    /// How many there are.
    fn n_moves(&self) -> usize;

    /// How the match ended, or `None` while it goes on.
    fn ending(&self) -> Option<Ending>;

    /// Plays one whole turn.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError`], with nothing changed, if the match is over, a move is not
    /// legal, or the turn has more or fewer moves.
    fn play_turn(&mut self, moves: &[String]) -> Result<(), CatalogError>;

    /// The number of moves from the last turn of `player` on, that turn included; `None` if
    /// there is no such turn.
    fn n_since_turn_of(&self, player: Player) -> Option<usize>;

    /// Takes back the last `n` moves; all if there are fewer.
    fn take_back(&mut self, n: usize);

    /// A copy.
    fn boxed_clone(&self) -> Box<dyn AnyCourse>;
}

impl Clone for Box<dyn AnyCourse> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

impl<G: Game> AnyCourse for Course<G> {
    fn position(&self) -> String {
        Self::position(self).to_string()
    }

    fn turn(&self) -> Player {
        Self::position(self).turn()
    }

    fn moves(&self) -> Vec<String> {
        texts(Self::moves(self))
    }

    fn n_moves(&self) -> usize {
        Self::moves(self).len()
    }

    fn ending(&self) -> Option<Ending> {
        Self::ending(self)
    }

    fn play_turn(&mut self, moves: &[String]) -> Result<(), CatalogError> {
        let player = Self::position(self).turn();
        let n_before = Self::moves(self).len();
        let result = moves.iter().try_for_each(|m| {
            if Self::position(self).turn() != player {
                return Err(CatalogError::NotOneTurn);
            }
            Ok(Self::play(self, parse_move::<G>(m)?)?)
        });
        let goes_on = Self::ending(self).is_none() && Self::position(self).turn() == player;
        let result = match result {
            Ok(()) if goes_on => Err(CatalogError::NotOneTurn),
            result => result,
        };
        if result.is_err() {
            Self::take_back(self, Self::moves(self).len() - n_before);
        }
        result
    }

    fn n_since_turn_of(&self, player: Player) -> Option<usize> {
        Self::n_since_turn_of(self, player)
    }

    fn take_back(&mut self, n: usize) {
        // A refused first move changed nothing, and replaying takes time.
        if n > 0 {
            Self::take_back(self, n);
        }
    }

    fn boxed_clone(&self) -> Box<dyn AnyCourse> {
        Box::new(self.clone())
    }
}

/// Begins a match of the game called `name`, with the given options.
///
/// It is no method of [`AnyGame`](crate::AnyGame), so that programs which only show matches do
/// not link it.
///
/// # Errors
///
/// Returns [`CatalogError`] if there is no such game, or an option is not valid.
pub fn begin_course(
    name: &str,
    choices: &[(&str, &str)],
) -> Result<Box<dyn AnyCourse>, CatalogError> {
    let begin = BEGINNERS.into_iter().find(|(game, _)| *game == name);
    let (_, begin) = begin.ok_or_else(|| CatalogError::NoSuchGame(name.to_owned()))?;
    begin(choices)
}

type Begin = fn(&[(&str, &str)]) -> Result<Box<dyn AnyCourse>, CatalogError>;

/// In the order of [`GAMES`](crate::GAMES).
const BEGINNERS: [(&str, Begin); 4] = [
    (lilypads::Lilypads::NAME, begin::<lilypads::Lilypads>),
    (nonaga::Nonaga::NAME, begin::<nonaga::Nonaga>),
    (takeover::Takeover::NAME, begin::<takeover::Takeover>),
    (simply_go::SimplyGo::NAME, begin::<simply_go::SimplyGo>),
];

fn begin<G: Game>(choices: &[(&str, &str)]) -> Result<Box<dyn AnyCourse>, CatalogError> {
    let mut setup = G::Setup::default();
    for (name, value) in choices {
        setup.set(name, value)?;
    }
    Ok(Box::new(Course::<G>::new(&setup)?))
}

#[cfg(test)]
mod tests {
    use rules::Random;

    use super::{BEGINNERS, begin_course};

    #[test]
    fn every_game_has_its_course() {
        let games = crate::GAMES.map(|game| game.name());
        assert_eq!(BEGINNERS.map(|(name, _)| name), games);
    }

    /// Plays random matches as course and as record, which agree in everything.
    #[test]
    fn a_course_decides_like_a_record() {
        let mut random = Random::new(5);
        for game in crate::GAMES {
            for _ in 0..20 {
                let mut record = game.start(&[]).unwrap();
                let mut course = begin_course(game.name(), &[]).unwrap();
                for _ in 0..60 {
                    assert_eq!(course.position(), record.position());
                    assert_eq!(course.moves(), record.moves());
                    assert_eq!(course.ending(), record.ending());
                    let player = record.turn();
                    if random.below(8) == 0
                        && let Ok(n) = record.take_back(player)
                    {
                        assert_eq!(course.n_since_turn_of(player), Some(n));
                        course.take_back(n);
                        continue;
                    }
                    let mut turn = Vec::new();
                    while record.ending().is_none() && record.turn() == player {
                        let moves = record.legal_moves();
                        let m = random.pick(&moves).unwrap().clone();
                        record.play(&m).unwrap();
                        turn.push(m);
                    }
                    if turn.is_empty() {
                        break;
                    }
                    let before = course.moves();
                    if turn.len() > 1 {
                        assert!(course.play_turn(&turn[..1]).is_err());
                    }
                    let mut two = turn.clone();
                    two.push("pass".to_owned());
                    assert!(course.play_turn(&two).is_err());
                    assert_eq!(course.moves(), before);
                    course.play_turn(&turn).unwrap();
                }
            }
        }
    }
}
