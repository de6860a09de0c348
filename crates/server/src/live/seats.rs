//! The players of a match.

use protocol::{PlayerInfo, Seat, SeatInfo, Seats, Speed};
use store::{MatchHead, Profile, ProfileKind, StoreError};

use crate::{hub::Hub, socket::public, terms::stored_terms};

/// The player with this id; a deleted one if the store has none.
pub(super) fn seat_player(profile: Option<&Profile>, id: &str) -> PlayerInfo {
    let deleted = || Profile {
        id: id.to_owned(),
        name: String::new(),
        kind: ProfileKind::Deleted,
        created: 0,
    };
    profile.map_or_else(|| public(&deleted()), public)
}

#[expect(clippy::cast_possible_truncation, reason = "ratings have four digits")]
pub(crate) fn whole(rating: f64) -> i32 {
    rating.round() as i32
}

/// The players of a match, with their ratings.
pub(crate) async fn seats(hub: &Hub, head: &MatchHead) -> Result<Seats, StoreError> {
    let terms = stored_terms(&head.game, &head.options, &head.clock, head.rated);
    let speed = Speed::of(terms.and_then(|terms| terms.control)).name();
    let mut infos = Vec::new();
    for seat in Seat::BOTH {
        let id = head.player(seat);
        let player = seat_player(hub.store.player(id).await?.as_ref(), id);
        let rating = if player.guest || player.deleted {
            None
        } else {
            let ratings = hub.store.ratings_of(id).await?;
            ratings
                .into_iter()
                .find(|rating| rating.game == head.game && rating.speed == speed)
        };
        infos.push(SeatInfo {
            player,
            provisional: rating
                .as_ref()
                .is_some_and(|rating| rating.rating.is_provisional()),
            rating: rating.map(|rating| whole(rating.rating.rating)),
            change: None,
        });
    }
    let mut infos = infos.into_iter();
    let (first, second) = infos.next().zip(infos.next()).expect("there are two seats");
    Ok(Seats { first, second })
}
