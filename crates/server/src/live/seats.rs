//! Who plays a match.

use protocol::{Player, Seat, SeatInfo, Seats, Speed};
use store::{MatchHead, Profile, ProfileKind, StoreError};

use crate::{hub::Hub, terms::stored_terms};

fn seat_player(profile: Option<Profile>, id: &str) -> Player {
    let (name, kind) = match profile {
        Some(profile) => (profile.name, profile.kind),
        None => (String::new(), ProfileKind::Deleted),
    };
    Player {
        id: id.to_owned(),
        name,
        guest: kind == ProfileKind::Guest,
        bot: kind == ProfileKind::Bot,
        deleted: kind == ProfileKind::Deleted,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "ratings have four digits")]
pub(crate) fn whole(rating: f64) -> i32 {
    rating.round() as i32
}

/// Who plays a match, with their ratings.
pub(crate) async fn seats(hub: &Hub, head: &MatchHead) -> Result<Seats, StoreError> {
    let terms = stored_terms(&head.game, &head.options, &head.clock, head.rated);
    let speed = Speed::of(terms.and_then(|terms| terms.control)).name();
    let mut infos = Vec::new();
    for seat in Seat::BOTH {
        let id = head.player(seat);
        let player = seat_player(hub.store.player(id).await?, id);
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
