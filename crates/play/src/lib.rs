//! One match as somebody sits at it: state, events, effects.
//!
//! A [`Sitting`] is the whole state of a match: the record, who sits where, what has
//! been clicked so far. [`Sitting::update`] is the only way it changes; it returns the
//! [`Effect`]s that somebody outside has to carry out, such as asking an engine for a
//! move. What is awaited is derived ([`Sitting::phase`]), never stored. An
//! [`EngineClient`] is the other half of that conversation: it asks an engine in lines
//! of the protocol and turns its lines into events.
//!
//! Nothing here reads the time, starts a thread or needs a browser: the page drives it,
//! and tests do.
//!
//! ```
//! use play::{Bot, Effect, Event, Phase, PlayerKind, Sitting};
//! use rules::{ByPlayer, Player};
//!
//! let game = catalog::find("takeover")?;
//! let seats = ByPlayer { first: PlayerKind::Person, second: PlayerKind::Bot(Bot::Level(2)) };
//! let (mut sitting, _) = Sitting::new(game.start(&[])?, seats, 7);
//! assert_eq!(sitting.phase(), Phase::Person(Player::First));
//!
//! let move_of_ours = sitting.record().legal_moves()[0].clone();
//! let effects = sitting.update(Event::Typed(move_of_ours));
//! let [Effect::Save, Effect::AskBot(question)] = &effects[..] else { panic!("the bot is asked") };
//! assert_eq!(sitting.phase(), Phase::Bot(Player::Second));
//!
//! let answer = sitting.record().legal_moves()[0].clone();
//! sitting.update(Event::BotMoved { at: question.at, m: answer });
//! assert_eq!(sitting.phase(), Phase::Person(Player::First));
//! # Ok::<(), catalog::CatalogError>(())
//! ```

mod client;
mod clock;
mod event;
mod hint;
pub mod library;
mod move_list;
mod question;
mod remote;
mod saved;
mod seat;
mod sitting;

pub use crate::{
    client::{EngineClient, Heard, Thought},
    clock::Clocks,
    event::{Effect, Event, RefusedInput},
    hint::HintState,
    move_list::{ListedMove, MoveRow},
    question::Question,
    remote::RemoteState,
    saved::{Near, OpenSavedError, ReadSavedError, Saved, SavedHead},
    seat::{Bot, PlayerKind},
    sitting::{Phase, Sitting},
};
