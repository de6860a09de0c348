//! One match at the table, and who sits there.

use catalog::{AnyGame, AnyMatch, CatalogError};
use rules::{ByPlayer, Outcome, Player, Random};
use view::{AnyTable, Click};

use crate::route::{Color, Opponent, Wish};

/// What is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// The colors are being drawn.
    Lots,
    /// The last move is seen to happen.
    Moving,
    /// The machine thinks.
    Thinking,
    /// A person is to move.
    Waiting,
    /// The match is over.
    Over,
}

/// What an activated target did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// Nothing: it was not the time.
    Ignored,
    /// Something was taken up or put back.
    Changed,
    /// Nothing can be done there.
    Refused,
    /// A move was made.
    Moved,
}

/// An ordinary match of `game`, with the color that whoever plays against the
/// machine and does not choose gets.
pub(crate) fn usual_wish(game: &dyn AnyGame) -> Wish {
    Wish {
        color: Some(usual_color(game)),
        ..Wish::new(game.name())
    }
}

fn usual_color(game: &dyn AnyGame) -> Color {
    if game.presentation().draws_lots {
        Color::Random
    } else {
        Color::First
    }
}

/// One match.
pub(crate) struct Session {
    /// What was asked for.
    pub(crate) wish: Wish,
    /// The game.
    pub(crate) game: &'static dyn AnyGame,
    /// The match so far.
    pub(crate) playing: Box<dyn AnyMatch>,
    /// The position to be seen.
    pub(crate) table: Box<dyn AnyTable>,
    /// Who plays which side.
    pub(crate) seats: ByPlayer<Opponent>,
    /// What is going on.
    pub(crate) stage: Stage,
    /// A short notice, such as why a point can't be played.
    pub(crate) notice: Option<String>,
    /// Whether the board is turned around.
    pub(crate) is_flipped: bool,
    /// How many moves were seen to happen, so that the board notices the next.
    pub(crate) n_motions: u32,
    /// How far the machine has thought, from 0 to 1000.
    pub(crate) progress: u32,
    /// What random choices come from.
    pub(crate) seed: u64,
    /// How many moves can be redone.
    n_undone: usize,
}

impl Session {
    /// A new match. `seed` is for random choices if the wish brings none.
    pub(crate) fn new(wish: Wish, seed: u64) -> Result<Self, CatalogError> {
        let game = catalog::find(&wish.game)?;
        let playing = game.start(&wish.choice_texts())?;
        let seed = wish.seed.unwrap_or(seed);
        let color = wish.color.unwrap_or_else(|| usual_color(game));
        let person = match color {
            Color::First => Player::First,
            Color::Second => Player::Second,
            Color::Random if Random::new(seed).below(2) == 0 => Player::First,
            Color::Random => Player::Second,
        };
        let mut wish = wish;
        wish.color = Some(color);
        // Nobody is perfect where the game is not solved.
        if wish.opponent == Opponent::Perfect && !game.is_solved() {
            wish.opponent = Opponent::Level(Opponent::TOP_LEVEL);
        }
        let mut seats = ByPlayer::from_fn(|_| Opponent::Human);
        seats[!person] = wish.opponent;
        let table = playing.table();
        let has_lots = wish.opponent != Opponent::Human && color == Color::Random;
        Ok(Self {
            wish,
            game,
            playing,
            table,
            seats,
            stage: if has_lots {
                Stage::Lots
            } else {
                Stage::Waiting
            },
            notice: None,
            is_flipped: false,
            n_motions: 0,
            progress: 0,
            seed,
            n_undone: 0,
        })
    }

    /// The person at the table, if there is only one.
    pub(crate) fn person(&self) -> Option<Player> {
        let is_person = |player: Player| self.seats[player] == Opponent::Human;
        match (is_person(Player::First), is_person(Player::Second)) {
            (true, false) => Some(Player::First),
            (false, true) => Some(Player::Second),
            _ => None,
        }
    }

    /// Whether something happens by itself.
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self.stage, Stage::Lots | Stage::Moving | Stage::Thinking)
    }

    /// The result, once it is declared.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        let is_over = self.stage == Stage::Over;
        self.playing
            .ending()
            .filter(|_| is_over)
            .map(|ending| ending.outcome)
    }

    /// Nothing moves any more: who is next?
    pub(crate) fn settle(&mut self) {
        self.table = self.playing.table();
        self.progress = 0;
        self.stage = if self.playing.ending().is_some() {
            Stage::Over
        } else if self.seats[self.playing.turn()] == Opponent::Human {
            Stage::Waiting
        } else {
            self.table.lock();
            Stage::Thinking
        };
    }

    /// Goes on with a target, as a click or a key does.
    pub(crate) fn activate(&mut self, id: &str) -> Answer {
        if self.stage != Stage::Waiting {
            return Answer::Ignored;
        }
        self.notice = None;
        if id == "pass" {
            return match self.table.pass() {
                Some(m) => self.play(&m),
                None => Answer::Refused,
            };
        }
        match self.table.click(id) {
            Click::Move(m) => self.play(&m),
            Click::Picked | Click::Cleared => Answer::Changed,
            Click::Nothing => Answer::Refused,
        }
    }

    /// Plays a move of the match.
    pub(crate) fn play(&mut self, m: &str) -> Answer {
        if self.playing.play(m).is_err() {
            return Answer::Refused;
        }
        self.n_undone = 0;
        self.table = self.playing.table();
        self.table.withhold();
        self.notice = None;
        self.stage = Stage::Moving;
        self.n_motions += 1;
        Answer::Moved
    }

    /// Whether there is something to undo.
    pub(crate) fn can_undo(&self) -> bool {
        matches!(self.stage, Stage::Waiting | Stage::Thinking | Stage::Over)
            && !self.playing.moves().is_empty()
            && self.playing.ending().is_none_or(|ending| {
                // What was given up stays given up.
                ending.reason != rules::record::Reason::Resignation
            })
    }

    /// Goes back to the last decision of a person.
    pub(crate) fn undo(&mut self) {
        while self.playing.undo().is_some() {
            self.n_undone += 1;
            if self.seats[self.playing.turn()] == Opponent::Human {
                break;
            }
        }
        self.notice = None;
        self.settle();
    }

    /// Whether there is something to redo.
    pub(crate) fn can_redo(&self) -> bool {
        self.stage == Stage::Waiting && self.n_undone > 0
    }

    /// Goes on to the next decision of a person.
    pub(crate) fn redo(&mut self) {
        while self.n_undone > 0 && self.playing.redo().is_some() {
            self.n_undone -= 1;
            if self.seats[self.playing.turn()] == Opponent::Human {
                break;
            }
        }
        self.notice = None;
        self.settle();
    }

    /// The one to move, or the only person, gives up.
    pub(crate) fn resign(&mut self) {
        let player = self.person().unwrap_or(self.playing.turn());
        if self.playing.resign(player).is_ok() {
            self.notice = None;
            self.settle();
        }
    }
}
