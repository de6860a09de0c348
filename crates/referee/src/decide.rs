use protocol::{ClaimAs, Event, N_PHRASES, OfferKind, Refusal, Seat};

use crate::{Intent, State, claim_delay};

/// Why something can't be done.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Denial {
    /// As the protocol has it, with the reason for people who write programs.
    #[error("{1}")]
    Refused(Refusal, String),
    /// The time of the player was up before the turn arrived: the match ends with this
    /// event.
    #[error("the time is up")]
    Late(Event),
}

impl Denial {
    fn new(why: Refusal, reason: &str) -> Self {
        Self::Refused(why, reason.to_owned())
    }
}

/// How often a player can propose or say something between two turns, so that a log stays
/// short.
const MOST_SAID: u32 = 30;

/// Decides what happens at `now` because of `intent`.
///
/// # Errors
///
/// Returns [`Denial`] if nothing does.
pub fn decide(state: &State, intent: &Intent, now: u64) -> Result<Event, Denial> {
    if let Intent::Say { by, .. } | Intent::Offer { by, .. } = intent
        && state.n_said[*by as usize] >= MOST_SAID
    {
        let reason = "enough was said until the next turn";
        return Err(Denial::new(Refusal::SlowDown, reason));
    }
    match intent {
        Intent::Rematch { g } => return note_rematch(state, g),
        Intent::Say { by, phrase } => return say(*by, *phrase),
        Intent::Offer {
            by,
            what: OfferKind::Rematch,
        } => return offer_rematch(state, *by),
        Intent::Decline { by, of } => return decline(state, *by, *of),
        _ => {}
    }
    if !state.is_playing() {
        return Err(Denial::new(Refusal::Over, "the match is over"));
    }
    match intent {
        Intent::Turn {
            by,
            at,
            m,
            ms,
            round_trip,
        } => turn(state, *by, *at, m, (*ms, *round_trip), now),
        Intent::Offer { by, what } => offer(state, *by, *what),
        Intent::Accept { by, of } => accept(state, *by, *of),
        Intent::Resign { by } => Ok(Event::Resign { by: *by }),
        Intent::Abort { by } => {
            if state.have_both_moved() {
                return Err(Denial::new(
                    Refusal::NotNow,
                    "both players have made a turn: resign instead",
                ));
            }
            Ok(Event::Abort { by: Some(*by) })
        }
        Intent::Claim {
            by,
            result,
            gone_since,
        } => claim(state, *by, *result, *gone_since, now),
        Intent::TimeIsUp => match time_is_up(state, now) {
            Some(event) => Ok(event),
            None => Err(Denial::new(Refusal::NotNow, "there is time left")),
        },
        Intent::GiveTime { to, ms } => Ok(Event::Time { to: *to, ms: *ms }),
        Intent::Rematch { .. } | Intent::Say { .. } | Intent::Decline { .. } => {
            Err(Denial::new(Refusal::NotNow, "decided above"))
        }
    }
}

fn turn(
    state: &State,
    by: Seat,
    at: u64,
    m: &[String],
    (ms, round_trip): (u64, u64),
    now: u64,
) -> Result<Event, Denial> {
    if at != state.at() {
        return Err(Denial::new(Refusal::Stale, "the position has changed"));
    }
    if by != state.turn() {
        return Err(Denial::new(
            Refusal::NotYourTurn,
            "it is the other player's turn",
        ));
    }
    let mut course = state.course.clone();
    if let Err(error) = course.play_turn(m) {
        return Err(Denial::Refused(Refusal::Illegal, error.to_string()));
    }
    let Some(clock) = &state.clock else {
        return Ok(Event::Turn {
            by,
            m: m.to_vec(),
            left: None,
            lag: 0,
        });
    };
    let Some(cost) = clock.cost(by, now, ms, round_trip) else {
        return Err(Denial::Late(ended_by_time(state)));
    };
    Ok(Event::Turn {
        by,
        m: m.to_vec(),
        left: Some(cost.left),
        lag: cost.lag,
    })
}

/// The event that ends a match whose player to move has no time left.
fn ended_by_time(state: &State) -> Event {
    if state.have_both_moved() {
        Event::Timeout { by: state.turn() }
    } else {
        Event::Abort { by: None }
    }
}

fn time_is_up(state: &State, now: u64) -> Option<Event> {
    (now > state.deadline()?).then(|| ended_by_time(state))
}

fn offer(state: &State, by: Seat, what: OfferKind) -> Result<Event, Denial> {
    if state.offer_by(by, what).is_some() {
        return Err(Denial::new(Refusal::NotNow, "this is proposed already"));
    }
    if what == OfferKind::Draw && state.offer_by(!by, what).is_some() {
        return Ok(Event::Draw);
    }
    if state.declined[by as usize] == Some(state.at()) {
        return Err(Denial::new(
            Refusal::NotNow,
            "an offer was declined in this position",
        ));
    }
    match what {
        OfferKind::Takeback if state.course.n_since_turn_of(by.into()).is_none() => Err(
            Denial::new(Refusal::NotNow, "there is no turn to take back"),
        ),
        OfferKind::Draw if !state.have_both_moved() => Err(Denial::new(
            Refusal::NotNow,
            "both players have to make a turn first",
        )),
        _ => Ok(Event::Offer { by, what }),
    }
}

/// After the end. An offer that meets one of the other player is accepted by the server,
/// which knows the id of the next match.
fn offer_rematch(state: &State, by: Seat) -> Result<Event, Denial> {
    if state.is_playing() {
        return Err(Denial::new(Refusal::NotNow, "the match is not over"));
    }
    if state.rematch().is_some() || state.offer_by(by, OfferKind::Rematch).is_some() {
        return Err(Denial::new(Refusal::NotNow, "this is proposed already"));
    }
    Ok(Event::Offer {
        by,
        what: OfferKind::Rematch,
    })
}

fn note_rematch(state: &State, g: &str) -> Result<Event, Denial> {
    if state.is_playing() || state.rematch().is_some() {
        return Err(Denial::new(
            Refusal::NotNow,
            "there is a next match already",
        ));
    }
    Ok(Event::Rematch { g: g.to_owned() })
}

fn accept(state: &State, by: Seat, of: u64) -> Result<Event, Denial> {
    let offer = state.offer(of).filter(|offer| offer.by != by);
    let Some(offer) = offer else {
        return Err(Denial::new(Refusal::Unknown, "there is no such offer"));
    };
    match offer.what {
        OfferKind::Draw => Ok(Event::Draw),
        OfferKind::Takeback => {
            let n = state.course.n_since_turn_of(offer.by.into());
            let n =
                n.ok_or_else(|| Denial::new(Refusal::NotNow, "there is no turn to take back"))?;
            Ok(Event::Takeback { by: offer.by, n })
        }
        OfferKind::Rematch => Err(Denial::new(Refusal::NotNow, "the match is not over")),
    }
}

fn decline(state: &State, by: Seat, of: u64) -> Result<Event, Denial> {
    match state.offer(of) {
        Some(offer) => Ok(Event::Decline {
            by,
            what: offer.what,
            of,
        }),
        None => Err(Denial::new(Refusal::Unknown, "there is no such offer")),
    }
}

fn claim(
    state: &State,
    by: Seat,
    result: ClaimAs,
    gone_since: Option<u64>,
    now: u64,
) -> Result<Event, Denial> {
    let delay = claim_delay(state.terms.control);
    let is_long_gone = gone_since
        .zip(delay)
        .is_some_and(|(since, delay)| now >= since + delay);
    if !is_long_gone || !state.have_both_moved() {
        return Err(Denial::new(
            Refusal::NotNow,
            "the other player has not been gone for long",
        ));
    }
    Ok(Event::Claim { by, result })
}

fn say(by: Seat, phrase: u8) -> Result<Event, Denial> {
    if phrase >= N_PHRASES {
        return Err(Denial::new(Refusal::Unknown, "there is no such phrase"));
    }
    Ok(Event::Say { by, phrase })
}
