use catalog::{AnyCourse, CatalogError, begin_course};
use protocol::{
    ClaimAs, ClockState, Event, EventKind, MatchResult, MatchStatus, Offer, OfferKind, Seat,
};
use rules::record::Reason;

use crate::{
    Terms,
    clock::{Clock, Cost},
};

/// An online match as it stands after some events.
#[derive(Clone)]
pub struct State {
    pub(crate) terms: Terms,
    pub(crate) course: Box<dyn AnyCourse>,
    version: u64,
    at: u64,
    created: u64,
    pub(crate) clock: Option<Clock>,
    pub(crate) offers: Vec<Offer>,
    /// For each seat, the position at which its last offer was declined.
    pub(crate) declined: [Option<u64>; 2],
    pub(crate) n_turns: [u32; 2],
    /// How often each seat has proposed or said something since the last turn.
    pub(crate) n_said: [u32; 2],
    status: MatchStatus,
    result: MatchResult,
    reason: Option<&'static str>,
    rematch: Option<String>,
}

/// Error for a match that can't begin or go on like this.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StateError {
    /// The terms are not valid.
    #[error(transparent)]
    Terms(#[from] CatalogError),
    /// An event can't happen here. It was not decided by this referee.
    #[error("event {version} can't happen here: {reason}")]
    Event {
        /// Which event.
        version: u64,
        /// Why not.
        reason: String,
    },
}

impl State {
    /// A match that was created at `created`.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::Terms`] if there is no such game, or an option is not valid.
    pub fn new(terms: Terms, created: u64) -> Result<Self, StateError> {
        let course = begin_course(&terms.game, &terms.choices())?;
        Ok(Self {
            clock: terms.control.map(|control| Clock::new(control, created)),
            terms,
            course,
            version: 0,
            at: 0,
            created,
            offers: Vec::new(),
            declined: [None; 2],
            n_turns: [0; 2],
            n_said: [0; 2],
            status: MatchStatus::Playing,
            result: MatchResult::None,
            reason: None,
            rematch: None,
        })
    }

    /// The terms.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The number of events so far.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The version of the last event that changed the position.
    #[must_use]
    pub fn at(&self) -> u64 {
        self.at
    }

    /// When the match was created.
    #[must_use]
    pub fn created(&self) -> u64 {
        self.created
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> String {
        self.course.position()
    }

    /// Whose turn it is; after the end, whose it would be.
    #[must_use]
    pub fn turn(&self) -> Seat {
        self.course.turn().into()
    }

    /// How many moves were made.
    #[must_use]
    pub fn n_moves(&self) -> usize {
        self.course.n_moves()
    }

    /// Whether the match goes on.
    #[must_use]
    pub fn status(&self) -> MatchStatus {
        self.status
    }

    /// Whether the match goes on.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.status == MatchStatus::Playing
    }

    /// The result.
    #[must_use]
    pub fn result(&self) -> MatchResult {
        self.result
    }

    /// Why the match ended: the name of the event, or `rules`, or `repetition`.
    #[must_use]
    pub fn reason(&self) -> Option<&'static str> {
        self.reason
    }

    /// What is proposed.
    #[must_use]
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }

    /// The next match of the two players.
    #[must_use]
    pub fn rematch(&self) -> Option<&str> {
        self.rematch.as_deref()
    }

    /// Whether both players have made a turn.
    #[must_use]
    pub fn have_both_moved(&self) -> bool {
        self.n_turns.iter().all(|&n| n > 0)
    }

    /// The clocks at `now`.
    #[must_use]
    pub fn clock(&self, now: u64) -> Option<ClockState> {
        let turn = self.is_playing().then(|| self.turn());
        Some(self.clock?.state(turn, now))
    }

    /// Since when the player to move has lost time; `None` if they lose none.
    #[must_use]
    pub fn losing_since(&self) -> Option<u64> {
        let clock = self.clock.filter(|_| self.is_playing())?;
        Some(clock.turn_began())
    }

    /// When the time of the player to move is up, with what the network is given.
    #[must_use]
    pub fn deadline(&self) -> Option<u64> {
        let clock = self.clock.filter(|_| self.is_playing())?;
        Some(clock.deadline(self.turn()))
    }

    /// When the match is aborted unless the player to move makes their first turn; `None` if it
    /// will not be.
    #[must_use]
    pub fn abort_at(&self) -> Option<u64> {
        let is_waiting = |clock: &Clock| self.is_playing() && !clock.is_running();
        let clock = self.clock.filter(is_waiting)?;
        Some(clock.deadline(self.turn()))
    }

    /// What the event did that was stored at `time`.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::Event`], with nothing changed, if it can't happen here: then it
    /// was not decided by [`decide`](crate::decide()).
    pub fn apply(&mut self, event: &Event, time: u64) -> Result<(), StateError> {
        let version = self.version + 1;
        let fail = |reason: String| StateError::Event { version, reason };
        if !self.is_playing() && event.kind() != EventKind::Other {
            return Err(fail("the match is over".to_owned()));
        }
        if largest_time(event) > LARGEST_TIME {
            return Err(fail("nobody has so much time".to_owned()));
        }
        match event {
            Event::Turn { by, m, left, lag } => {
                if *by != self.turn() {
                    return Err(fail("it is the other player's turn".to_owned()));
                }
                let played = self.course.play_turn(m);
                played.map_err(|error| fail(error.to_string()))?;
                self.n_turns[*by as usize] += 1;
                self.n_said = [0; 2];
                if let Some((clock, left)) = self.clock.as_mut().zip(*left) {
                    clock.press(*by, Cost { left, lag: *lag }, time);
                }
                self.offers.clear();
                self.end_by_rules();
            }
            Event::Takeback { n, .. } => {
                let before = self.turn();
                self.course.take_back(*n);
                if let Some(clock) = &mut self.clock {
                    clock.stop(before, time);
                }
                self.offers.clear();
            }
            Event::Offer { by, what } => {
                let (what, by) = (*what, *by);
                let of = version;
                self.n_said[by as usize] += 1;
                self.offers
                    .retain(|offer| (offer.what, offer.by) != (what, by));
                self.offers.push(Offer { what, by, of });
            }
            Event::Decline { by, what, of } => {
                let is_meant = |offer: &Offer| offer.of == *of || *of == 0 && offer.what == *what;
                // The own offer, or that of the other player.
                let by_other = |offer: &Offer| offer.by != *by && is_meant(offer);
                if self.offers.iter().any(by_other) {
                    self.declined[!*by as usize] = Some(self.at);
                }
                self.offers.retain(|offer| !is_meant(offer));
            }
            Event::Resign { by } => self.end(MatchResult::win(!*by), "resign", time),
            Event::Draw => self.end(MatchResult::Draw, "draw", time),
            Event::Timeout { by } => self.end(MatchResult::win(!*by), "timeout", time),
            Event::Claim { by, result } => {
                let result = match result {
                    ClaimAs::Win => MatchResult::win(*by),
                    ClaimAs::Draw => MatchResult::Draw,
                };
                self.end(result, "claim", time);
            }
            Event::Abort { .. } => {
                self.end(MatchResult::None, "abort", time);
                self.status = MatchStatus::Aborted;
            }
            Event::Rematch { g } => {
                self.offers.clear();
                self.rematch = Some(g.clone());
            }
            Event::Time { to, ms } => {
                if let Some(clock) = &mut self.clock {
                    clock.give(*to, *ms);
                }
            }
            Event::Say { by, .. } => self.n_said[*by as usize] += 1,
        }
        self.version = version;
        if event.kind() == EventKind::Position {
            self.at = version;
        }
        Ok(())
    }

    fn end_by_rules(&mut self) {
        let Some(ending) = self.course.ending() else {
            return;
        };
        self.status = MatchStatus::Over;
        self.result = Some(ending.outcome).into();
        self.reason = Some(match ending.reason {
            Reason::Repetition => "repetition",
            _ => "rules",
        });
    }

    fn end(&mut self, result: MatchResult, reason: &'static str, time: u64) {
        // The clocks stay as they were.
        if let Some(clock) = &mut self.clock {
            clock.stop(self.course.turn().into(), time);
        }
        self.status = MatchStatus::Over;
        self.result = result;
        self.reason = Some(reason);
        self.offers.clear();
    }

    /// The offer with this version.
    pub(crate) fn offer(&self, of: u64) -> Option<Offer> {
        self.offers.iter().copied().find(|offer| offer.of == of)
    }

    /// The offer of `what` by `seat`.
    pub(crate) fn offer_by(&self, seat: Seat, what: OfferKind) -> Option<Offer> {
        let mut offers = self.offers.iter().copied();
        offers.find(|offer| offer.by == seat && offer.what == what)
    }
}

/// More than anybody ever has, in milliseconds; sums of a few do not overflow.
const LARGEST_TIME: u64 = 1 << 53;

fn largest_time(event: &Event) -> u64 {
    match event {
        Event::Turn { left, lag, .. } => left.unwrap_or(0).max(*lag),
        Event::Time { ms, .. } => *ms,
        _ => 0,
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State")
            .field("version", &self.version)
            .field("at", &self.at)
            .field("position", &self.position())
            .field("status", &self.status)
            .field("result", &self.result)
            .field("offers", &self.offers)
            .field("clock", &self.clock)
            .finish_non_exhaustive()
    }
}
