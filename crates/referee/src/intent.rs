use protocol::{ClaimAs, OfferKind, Seat};

/// What somebody wants to do, or what time has done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Intent {
    /// Make a turn.
    Turn {
        /// Who.
        by: Seat,
        /// The version of the last event that changed the position, as the player knows it.
        at: u64,
        /// The moves.
        m: Vec<String>,
        /// How long the player thought, in milliseconds, as the page measured it.
        ms: u64,
        /// How long a message to the page and back takes, in milliseconds, as the server
        /// measured it.
        round_trip: u64,
    },
    /// Propose something, or agree to what the other proposed.
    Offer {
        /// Who.
        by: Seat,
        /// What.
        what: OfferKind,
    },
    /// Accept an offer of the other player.
    Accept {
        /// Who.
        by: Seat,
        /// The version of the offer.
        of: u64,
    },
    /// Decline an offer of the other player, or withdraw the own one.
    Decline {
        /// Who.
        by: Seat,
        /// The version of the offer.
        of: u64,
    },
    /// Give up.
    Resign {
        /// Who.
        by: Seat,
    },
    /// End the match without a result.
    Abort {
        /// Who.
        by: Seat,
    },
    /// End the match because the other player is gone.
    Claim {
        /// Who.
        by: Seat,
        /// How.
        result: ClaimAs,
        /// Since when the other player is gone; `None` if they are here, or nobody knows.
        gone_since: Option<u64>,
    },
    /// Say a phrase.
    Say {
        /// Who.
        by: Seat,
        /// Its number.
        phrase: u8,
    },
    /// Note the next match of the two players.
    Rematch {
        /// Its id.
        g: String,
    },
    /// End the match if the time of the player to move is up.
    TimeIsUp,
    /// Give back time that was lost by our fault.
    GiveTime {
        /// To whom.
        to: Seat,
        /// How much, in milliseconds.
        ms: u64,
    },
}
