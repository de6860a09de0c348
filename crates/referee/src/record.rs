use catalog::{AnyMatch, CatalogError, begin_course};
use protocol::{ClaimAs, Event, EventKind, Seat};

use crate::{StateError, Terms};

/// How much of a match a record has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All of it: what was taken back, and the time left after every turn.
    Whole,
    /// The turns that count, without times.
    MainLine,
    /// The last turns that count, without times, from the position before them.
    Last(usize),
}

/// The record of the match with these events, with the names of the players.
///
/// # Errors
///
/// Returns [`StateError`] if the events are not those of such a match.
pub fn record<'a>(
    terms: &Terms,
    names: [&str; 2],
    events: impl IntoIterator<Item = &'a Event>,
    extent: Extent,
) -> Result<Box<dyn AnyMatch>, StateError> {
    let game = catalog::find(&terms.game)?;
    let mut events: Vec<_> = events.into_iter().collect();
    if extent != Extent::Whole {
        events = main_line(&events);
    }
    let mut record = match extent {
        Extent::Whole | Extent::MainLine => game.start(&terms.choices())?,
        Extent::Last(n_turns) => {
            let n_all = events.iter().filter(|event| is_turn(event)).count();
            let last = events.split_off(n_all.saturating_sub(n_turns));
            let position = position_after(terms, &events)?;
            events = last;
            game.start_from(&position)?
        }
    };
    record.set_time_control(terms.control.map(|control| control.time_control()));
    for (seat, name) in Seat::BOTH.into_iter().zip(names) {
        record.set_player_name(seat.into(), name);
    }
    for (event, version) in events.into_iter().zip(1..) {
        let noted = note(&mut *record, event, extent == Extent::Whole);
        noted.map_err(|error| fail(version, &error))?;
    }
    Ok(record)
}

fn fail(version: u64, error: &CatalogError) -> StateError {
    let reason = error.to_string();
    StateError::Event { version, reason }
}

fn is_turn(event: &Event) -> bool {
    matches!(event, Event::Turn { .. })
}

/// The turns that were not taken back, and then how the match ended.
fn main_line<'a>(events: &[&'a Event]) -> Vec<&'a Event> {
    let mut line: Vec<&Event> = Vec::new();
    for &event in events {
        match event {
            Event::Takeback { n, .. } => {
                let mut n_left = *n;
                while n_left > 0
                    && let Some(Event::Turn { m, .. }) = line.pop()
                {
                    n_left = n_left.saturating_sub(m.len());
                }
            }
            event if event.kind() != EventKind::Other => line.push(event),
            _ => {}
        }
    }
    line
}

/// The position after these turns.
fn position_after(terms: &Terms, turns: &[&Event]) -> Result<String, StateError> {
    let mut course = begin_course(&terms.game, &terms.choices())?;
    for (event, version) in turns.iter().zip(1..) {
        if let Event::Turn { m, .. } = event {
            let played = course.play_turn(m);
            played.map_err(|error| fail(version, &error))?;
        }
    }
    Ok(course.position())
}

fn note(record: &mut dyn AnyMatch, event: &Event, has_times: bool) -> Result<(), CatalogError> {
    match event {
        Event::Turn { m, left, .. } => {
            for m in m {
                record.play(m)?;
            }
            if let Some(left) = left.filter(|_| has_times) {
                record.set_time_left(left);
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
