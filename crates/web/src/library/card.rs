//! A stored match as a card of the library.

use leptos::prelude::*;
use play::{PlayerKind, Saved};
use rules::Outcome;

use crate::{
    files,
    icons::{Icon, IconButton},
    miniature::Preview,
    room::Room,
    route::saved_address,
    shelf::Entry,
};

/// How a match stands for the person who plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LibraryStatus {
    Won,
    Drawn,
    Lost,
    GoingOn,
    /// Between two people.
    Over,
}

impl LibraryStatus {
    pub(super) fn new(saved: &Saved) -> Self {
        let head = &saved.head;
        match (head.result, head.person()) {
            (None, _) => Self::GoingOn,
            (Some(Outcome::Draw), _) => Self::Drawn,
            (Some(Outcome::Win(_)), None) => Self::Over,
            (Some(Outcome::Win(winner)), Some(person)) if winner == person => Self::Won,
            (Some(Outcome::Win(_)), Some(_)) => Self::Lost,
        }
    }

    pub(super) const FILTERS: [Self; 4] = [Self::Won, Self::Drawn, Self::Lost, Self::GoingOn];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Drawn => "drawn",
            Self::Lost => "lost",
            Self::GoingOn => "going-on",
            Self::Over => "over",
        }
    }
}

/// The other player, as the person who plays sees it.
pub(super) fn rival(saved: &Saved) -> PlayerKind {
    let person = saved.head.person();
    person.map_or(PlayerKind::Person, |person| saved.head.seats[!person])
}

/// The card of a match: where it stands, against whom, and a button to delete it.
pub(super) fn card(room: Room, entry: Entry, remove: Callback<Vec<String>>) -> impl IntoView {
    let Entry { id, saved, .. } = entry;
    let removed = id.clone();
    let delete = view! {
        <IconButton
            name=Signal::derive(room.text("library.delete"))
            kind=Icon::Delete
            on_press=move || remove.run(vec![removed.clone()])
        />
    };
    let read = saved.and_then(|saved| {
        let record = saved.read_record().map_err(|error| error.to_string())?;
        Ok((saved, record))
    });
    let (saved, record) = match read {
        Ok(read) => read,
        Err(why) => {
            return view! {
                <li class="card bad">
                    <p>{room.text("library.damaged")}</p>
                    <p class="why">{why}</p>
                    {delete}
                </li>
            }
            .into_any();
        }
    };
    let game = saved.game().to_owned();
    let standing = LibraryStatus::new(&saved);
    let head = saved.head.clone();
    let name = format!("{game}.name");
    let title = {
        let n = head.ply.div_ceil(2);
        move || {
            let name = room.say(&name);
            room.say_with("library.card", &[("game", &name), ("n", &n)])
        }
    };
    let detail = move || {
        let rival = room.opponent_name(rival(&saved));
        let day = files::day(saved.head.changed, room.settings.language.get().tag());
        format!("{rival} · {day}")
    };
    let is_turn = head.person() == Some(record.turn());
    let mark = move || {
        let name = standing.name();
        let label = room.say(&format!("library.{name}"));
        match standing {
            LibraryStatus::GoingOn if is_turn => {
                view! { <span class="turn">{room.say("state.turn")}</span> }.into_any()
            }
            LibraryStatus::GoingOn | LibraryStatus::Over => {
                view! { <span class="chip">{label}</span> }.into_any()
            }
            _ => {
                let letter = room.say(&format!("library.{name}.letter"));
                view! { <abbr class=format!("res-{name}") title=label>{letter}</abbr> }.into_any()
            }
        }
    };
    let record = StoredValue::new_local(Some(record));
    let record = Signal::derive_local(move || record.get_value());
    view! {
        <li class="card">
            <a href=saved_address(&id, false) data-game=game>
                <span class="mn"><Preview room=room record=record /></span>
                <b>{mark}{title}</b>
                <span>{detail}</span>
            </a>
            {delete}
        </li>
    }
    .into_any()
}
