//! Queries about a match.

use catalog::{AnyMatch, notations};
use play::RemoteState;
use protocol::{ActionName, MatchStatus, Offer, OfferKind, OnlineControl, SeatInfo};
use rules::{ByPlayer, Player, record::NodeId};

use super::{MatchNotice, OnlineMatch, ReportedMatch};
use crate::PendingTurn;

impl OnlineMatch {
    /// How the match stands, with the turn that waits.
    #[must_use]
    pub fn shown(&self) -> RemoteState {
        let Some(known) = &self.known else {
            return RemoteState::default();
        };
        let mut moves = known.record.moves();
        if let Some(pending) = &self.pending
            && pending.ply == moves.len()
            && pending.at == known.at
        {
            moves.extend(pending.moves.iter().cloned());
        }
        RemoteState {
            moves,
            ending: known.ending,
            is_called_off: known.status == MatchStatus::Aborted,
        }
    }

    /// The id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The seat of the player here; none for somebody who watches.
    #[must_use]
    pub fn seat(&self) -> Option<Player> {
        self.known.as_ref()?.seat
    }

    /// The record by the events of the server.
    #[must_use]
    pub fn record(&self) -> Option<&dyn AnyMatch> {
        self.known.as_ref().map(|known| &*known.record)
    }

    /// The version of the last event.
    #[must_use]
    pub fn version(&self) -> Option<u64> {
        self.known.as_ref().map(|known| known.version)
    }

    /// Whether the match is being played.
    #[must_use]
    pub fn status(&self) -> Option<MatchStatus> {
        self.known.as_ref().map(|known| known.status)
    }

    /// Whether the match ended, with a result or without.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.status().is_some_and(|it| it != MatchStatus::Playing)
    }

    /// Whether the player here is to move, by the events of the server.
    #[must_use]
    pub fn is_my_turn(&self) -> bool {
        let is_turn = |known: &ReportedMatch| known.seat == Some(known.record.turn());
        self.known.as_ref().is_some_and(is_turn) && !self.is_over() && self.pending.is_none()
    }

    /// What ended the match: the name of an event, `rules` or `repetition`.
    #[must_use]
    pub fn reason(&self) -> &str {
        self.known.as_ref().map_or("", |known| &known.reason)
    }

    /// Who plays.
    #[must_use]
    pub fn seats(&self) -> Option<&ByPlayer<SeatInfo>> {
        self.known.as_ref().map(|known| &known.seats)
    }

    /// The time control.
    #[must_use]
    pub fn control(&self) -> Option<OnlineControl> {
        self.known.as_ref()?.control
    }

    /// Whether the result counts for ratings.
    #[must_use]
    pub fn is_rated(&self) -> bool {
        self.known.as_ref().is_some_and(|known| known.is_rated)
    }

    /// The open offers.
    #[must_use]
    pub fn offers(&self) -> &[Offer] {
        self.known.as_ref().map_or(&[], |known| &known.offers)
    }

    /// The open offer of `player`.
    #[must_use]
    pub fn offer_of(&self, player: Player, what: OfferKind) -> Option<Offer> {
        let mut offers = self.offers().iter().copied();
        offers.find(|offer| Player::from(offer.by) == player && offer.what == what)
    }

    /// Whether `player` is connected to the server.
    #[must_use]
    pub fn is_here(&self, player: Player) -> bool {
        // Whoever is not known to be gone is here.
        self.known
            .as_ref()
            .is_none_or(|known| known.is_here[player])
    }

    /// When the player here may claim the match, because the other one is gone.
    #[must_use]
    pub fn claim_at(&self) -> Option<u64> {
        let known = self.known.as_ref()?;
        // A match that has hardly begun is aborted instead.
        let seat = known
            .seat
            .filter(|_| !self.is_over() && !self.can_abort())?;
        known.claim_at.filter(|_| !known.is_here[!seat])
    }

    /// Since when the other player is gone.
    #[must_use]
    pub fn gone_since(&self) -> Option<u64> {
        let known = self.known.as_ref()?;
        let seat = known.seat.filter(|_| !self.is_over())?;
        known.gone_since.filter(|_| !known.is_here[!seat])
    }

    /// When the match is called off unless the player to move makes their first turn.
    #[must_use]
    pub fn abort_at(&self) -> Option<u64> {
        let known = self.known.as_ref().filter(|_| !self.is_over())?;
        // A turn that waits is on its way.
        let abort_at = known.abort_at.filter(|_| self.pending.is_none())?;
        Some(self.local(abort_at))
    }

    /// The number of what `player` said last, and its version.
    #[must_use]
    pub fn said(&self, player: Player) -> Option<(u8, u64)> {
        self.known.as_ref()?.said[player]
    }

    /// The next match between the two.
    #[must_use]
    pub fn rematch(&self) -> Option<&str> {
        self.known.as_ref()?.rematch.as_deref()
    }

    /// Whether the match may be ended without a result: not both have made a turn.
    #[must_use]
    pub fn can_abort(&self) -> bool {
        let Some(known) = &self.known else {
            return false;
        };
        // A turn that was taken back was made, and is in the record as a variation.
        let mut has_moved = ByPlayer::from_fn(|_| false);
        let mut nodes = vec![NodeId::ROOT];
        while let Some(node) = nodes.pop() {
            let next = known.record.children(node);
            if let (Some(player), false) = (known.record.turn_at(node), next.is_empty()) {
                has_moved[player] = true;
            }
            nodes.extend(next);
        }
        let has_moved = |player| has_moved[player];
        known.seat.is_some() && !self.is_over() && !Player::BOTH.into_iter().all(has_moved)
    }

    /// Whether the player here has made a turn that can be taken back.
    #[must_use]
    pub fn can_ask_back(&self) -> bool {
        let Some((known, seat)) = self.known.as_ref().and_then(|it| Some((it, it.seat?))) else {
            return false;
        };
        let before = known.record.ancestors(known.record.cursor());
        let mut before = before.into_iter();
        let has_moved = before.any(|node| known.record.turn_at(node) == Some(seat));
        has_moved && !self.is_over() && self.offer_of(seat, OfferKind::Takeback).is_none()
    }

    /// The turn that the server does not have yet.
    #[must_use]
    pub fn pending(&self) -> Option<&PendingTurn> {
        self.pending.as_ref()
    }

    /// The moves of the [pending](Self::pending) turn: in the notation of move lists, or as they
    /// are sent if the match is not known yet.
    #[must_use]
    pub fn pending_notation(&self) -> Option<String> {
        let PendingTurn { ply, moves, .. } = self.pending.as_ref()?;
        let notation = self.record().and_then(|record| {
            let before = *record.line(record.cursor()).get(*ply)?;
            Some(notations(record, before, moves)).filter(|texts| texts.len() == moves.len())
        });
        Some(notation.as_ref().unwrap_or(moves).join(" "))
    }

    /// The request that is not answered.
    #[must_use]
    pub fn asked(&self) -> Option<ActionName> {
        self.asked.map(|(_, what)| what)
    }

    /// The notice to show to the player.
    #[must_use]
    pub fn notice(&self) -> Option<&MatchNotice> {
        self.notice.as_ref()
    }

    /// Whether the server does not know the match.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.is_unknown
    }
}
