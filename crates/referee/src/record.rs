use catalog::{AnyMatch, CatalogError};
use protocol::{ClaimAs, Event, Seat};

use crate::{StateError, Terms};

/// The record of the match with these events, with the names of the players.
///
/// # Errors
///
/// Returns [`StateError`] if the events are not those of such a match.
pub fn record<'a>(
    terms: &Terms,
    names: [&str; 2],
    events: impl IntoIterator<Item = &'a Event>,
) -> Result<Box<dyn AnyMatch>, StateError> {
    let game = catalog::find(&terms.game)?;
    let mut record = game.start(&terms.choices())?;
    record.set_time_control(terms.control.map(|control| control.time_control()));
    for (seat, name) in Seat::BOTH.into_iter().zip(names) {
        record.set_player_name(seat.into(), name);
    }
    for (event, version) in events.into_iter().zip(1..) {
        let noted = note(&mut *record, event);
        noted.map_err(|error| StateError::Event {
            version,
            reason: error.to_string(),
        })?;
    }
    Ok(record)
}

fn note(record: &mut dyn AnyMatch, event: &Event) -> Result<(), CatalogError> {
    match event {
        Event::Turn { m, left, .. } => {
            for m in m {
                record.play(m)?;
            }
            if let Some(left) = left {
                record.set_time_left(*left);
            }
            // What once followed the same turn was taken back: the match ends here so far.
            while let Some(next) = record.next(record.cursor()) {
                record.delete(next);
            }
            Ok(())
        }
        Event::Takeback { by, .. } => record.take_back((*by).into()).map(drop),
        Event::Resign { by } => record.resign((*by).into()),
        Event::Draw => record.agree_draw(),
        Event::Claim {
            result: ClaimAs::Draw,
            ..
        } => record.agree_draw(),
        // Whoever is gone has let their time run out.
        Event::Claim {
            by,
            result: ClaimAs::Win,
        } => record.time_out((!*by).into()),
        Event::Timeout { by } => record.time_out((*by).into()),
        Event::Offer { .. }
        | Event::Decline { .. }
        | Event::Abort { .. }
        | Event::Say { .. }
        | Event::Rematch { .. }
        | Event::Time { .. } => Ok(()),
    }
}
