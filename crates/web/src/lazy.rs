//! Screens and dialogs that a first match does not need.
//!
//! They are parts of the program that are fetched when they are first needed, or a moment after
//! the page can be used: whatever only the functions of [`split`] lead to.

use catalog::AnyMatch;
use js_sys::Promise;
use leptos::{prelude::*, reactive::computed::ScopedFuture, task::spawn_local};
use rules::Player;
use view::{Cue, Language};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;

use crate::{
    audio::Sounds,
    comments::Comments,
    help::Help,
    hint::HintText,
    keys::Keys,
    learn::Learn,
    library::Library,
    online::{AccountDialog, OnlineControls, OnlinePanel, OnlineRoot, OnlineSeat, People},
    preferences::Preferences,
    puzzle::{Puzzles, Today},
    result::NextLevel,
    resume::Resume,
    room::{Room, Screen},
    rooms::Trouble,
    settings::MorePhrases,
    share::ShareDialog,
    sheet::Sheet,
    study::StudyScreen,
};

/// Parts of the page that are loaded later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Learn,
    Library,
    Help,
    Share,
    Keys,
    Settings,
    Comments,
    Hint,
    Study,
    Puzzles,
    Today,
    Sheet,
    NextLevel,
    Resume,
    /// The driver of online play, and its screens.
    Online,
    OnlinePanel,
    OnlineControls,
    OnlineSeat(Player),
    /// Players and finished matches.
    People,
    /// The dialog for accounts.
    Account,
}

impl Part {
    fn is_online(self) -> bool {
        matches!(
            self,
            Self::Online | Self::OnlinePanel | Self::OnlineControls | Self::OnlineSeat(_)
        )
    }

    /// Whether it is a part of online play that most matches do without.
    fn is_of_people(self) -> bool {
        matches!(self, Self::People | Self::Account)
    }
}

/// The phrases of what can be shown later.
fn phrases() -> MorePhrases {
    Language::ALL.map(|language| {
        let own = match language {
            Language::English => include_str!("../text/more.en.txt"),
            Language::Japanese => include_str!("../text/more.ja.txt"),
        };
        let boards = view::more_phrases(language);
        vec![
            own,
            boards,
            lessons::phrases(language),
            puzzles::phrases(language),
        ]
    })
}

fn part_view(room: Room, part: Part) -> AnyView {
    add_more_phrases(room);
    match part {
        Part::Learn => view! { <Learn room=room /> }.into_any(),
        Part::Library => view! { <Library room=room /> }.into_any(),
        Part::Help => view! { <Help room=room /> }.into_any(),
        Part::Share => view! { <ShareDialog room=room /> }.into_any(),
        Part::Keys => view! { <Keys room=room /> }.into_any(),
        Part::Study => view! { <StudyScreen room=room /> }.into_any(),
        Part::Puzzles => view! { <Puzzles room=room /> }.into_any(),
        Part::Today => view! { <Today room=room /> }.into_any(),
        Part::Sheet => {
            let sheet = move || {
                room.sheet
                    .get()
                    .map(|wish| view! { <Sheet room=room wish=wish /> })
            };
            sheet.into_any()
        }
        Part::Resume => view! { <Resume room=room /> }.into_any(),
        Part::NextLevel => view! { <NextLevel room=room /> }.into_any(),
        Part::Settings => view! { <Preferences room=room /> }.into_any(),
        Part::Hint => view! { <HintText room=room /> }.into_any(),
        Part::Comments => view! { <Comments room=room /> }.into_any(),
        // The page in one file has no server to play on.
        Part::Online => {
            let is_shown = move || room.screen.get() == Screen::Online;
            let card = move || view! { <Trouble room=room name="online.no-server" /> };
            (move || is_shown().then(card)).into_any()
        }
        _ => ().into_any(),
    }
}

/// Adds the phrases of what can be shown later.
fn add_more_phrases(room: Room) {
    room.settings.add_phrases(0, phrases);
}

/// The phrases of online play.
fn online_phrases() -> MorePhrases {
    Language::ALL.map(|language| {
        vec![match language {
            Language::English => include_str!("../text/online.en.txt"),
            Language::Japanese => include_str!("../text/online.ja.txt"),
        }]
    })
}

/// A part of online play. Nobody but those who play online fetches it, and the page in one file
/// comes without it.
fn online_view(room: Room, part: Part) -> AnyView {
    room.settings.add_phrases(1, online_phrases);
    match part {
        Part::OnlinePanel => view! { <OnlinePanel room=room /> }.into_any(),
        Part::OnlineControls => view! { <OnlineControls room=room /> }.into_any(),
        Part::OnlineSeat(player) => view! { <OnlineSeat room=room player=player /> }.into_any(),
        _ => view! { <OnlineRoot room=room /> }.into_any(),
    }
}

/// The phrases of the screens for players and accounts.
fn people_phrases() -> MorePhrases {
    Language::ALL.map(|language| {
        vec![match language {
            Language::English => include_str!("../text/people.en.txt"),
            Language::Japanese => include_str!("../text/people.ja.txt"),
        }]
    })
}

/// A part of online play that is fetched with the screens for players and accounts.
fn people_view(room: Room, part: Part) -> AnyView {
    room.settings.add_phrases(2, people_phrases);
    match part {
        Part::Account => view! { <AccountDialog room=room /> }.into_any(),
        _ => view! { <People room=room /> }.into_any(),
    }
}

/// The functions that fetch their part of the program before they run.
#[cfg(feature = "split")]
mod split {
    use catalog::AnyMatch;
    use leptos::prelude::AnyView;
    use view::Cue;
    use wasm_split_helpers::{SplitLoaderError, wasm_split};

    use super::{Part, Room, Sounds};

    #[wasm_split(more, fallible, preload(preload))]
    pub(super) fn part_view(room: Room, part: Part) -> Result<AnyView, SplitLoaderError> {
        Ok(super::part_view(room, part))
    }

    #[wasm_split(more, fallible)]
    pub(super) fn add_more_phrases(room: Room) -> Result<(), SplitLoaderError> {
        super::add_more_phrases(room);
        Ok(())
    }

    /// A small part, for those who follow a link to a match.
    #[wasm_split(links, fallible)]
    pub(super) fn read_link(link: String) -> Result<Option<Box<dyn AnyMatch>>, SplitLoaderError> {
        Ok(catalog::read_link(&link).ok())
    }

    #[wasm_split(more, fallible)]
    pub(super) fn sing(sounds: Sounds, cues: Vec<Cue>, now: f64) -> Result<(), SplitLoaderError> {
        sounds.sing_at(&cues, now);
        Ok(())
    }

    #[wasm_split(online, fallible)]
    pub(super) fn online_view(room: Room, part: Part) -> Result<AnyView, SplitLoaderError> {
        Ok(super::online_view(room, part))
    }

    #[wasm_split(people, fallible)]
    pub(super) fn people_view(room: Room, part: Part) -> Result<AnyView, SplitLoaderError> {
        Ok(super::people_view(room, part))
    }
}

/// The same where the program is in one piece.
#[cfg(not(feature = "split"))]
mod split {
    use std::convert::Infallible;

    use catalog::AnyMatch;
    use leptos::prelude::AnyView;
    use view::Cue;

    use super::{Part, Room, Sounds};

    pub(super) async fn preload() -> Result<(), Infallible> {
        Ok(())
    }

    pub(super) async fn part_view(room: Room, part: Part) -> Result<AnyView, Infallible> {
        Ok(super::part_view(room, part))
    }

    pub(super) async fn add_more_phrases(room: Room) -> Result<(), Infallible> {
        super::add_more_phrases(room);
        Ok(())
    }

    pub(super) async fn read_link(link: String) -> Result<Option<Box<dyn AnyMatch>>, Infallible> {
        Ok(catalog::read_link(&link).ok())
    }

    pub(super) async fn sing(sounds: Sounds, cues: Vec<Cue>, now: f64) -> Result<(), Infallible> {
        sounds.sing_at(&cues, now);
        Ok(())
    }

    pub(super) async fn online_view(room: Room, part: Part) -> Result<AnyView, Infallible> {
        Ok(super::online_view(room, part))
    }

    pub(super) async fn people_view(room: Room, part: Part) -> Result<AnyView, Infallible> {
        Ok(super::people_view(room, part))
    }
}

/// Whether the page is one file, which comes from no server.
fn is_single_file() -> bool {
    let meta = document()
        .query_selector("meta[name=parlour-online]")
        .ok()
        .flatten();
    let name = meta.and_then(|meta| meta.get_attribute("content"));
    name.is_none_or(|name| name.is_empty())
}

/// Fetches what can be shown later, so that it is there at once.
pub(crate) fn fetch() {
    // If that fails, it is tried again when it is needed.
    spawn_local(async {
        style("more").await;
        split::preload().await.ok();
    });
}

/// The match in a link; `None` if it is damaged.
///
/// # Errors
///
/// Returns what went wrong if its part of the page can't be fetched.
pub(crate) async fn read_link(link: String) -> Result<Option<Box<dyn AnyMatch>>, impl Sized> {
    split::read_link(link).await
}

/// Plays sounds, each at its time after `now`, which the output counts.
pub(crate) fn sing(sounds: Sounds, cues: Vec<Cue>, now: f64) {
    // Without its part of the page a match is silent.
    spawn_local(async move { split::sing(sounds, cues, now).await.unwrap_or_default() });
}

/// Fetches a style sheet of what can be shown later. If that fails, things look plain and work.
async fn style(part: &str) {
    let find = |selector: &str| document().query_selector(selector).ok().flatten();
    let name =
        find(&format!("meta[name=parlour-{part}]")).and_then(|meta| meta.get_attribute("content"));
    // The page in one file has everything in one.
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return;
    };
    let mark = format!("data-{part}");
    let known = find(&format!("link[{mark}]"));
    if known
        .as_ref()
        .is_some_and(|link| link.has_attribute("data-there"))
    {
        return;
    }
    let link = known.or_else(|| {
        let link = document().create_element("link").ok()?;
        link.set_attribute("rel", "stylesheet").ok()?;
        link.set_attribute(&mark, "").ok()?;
        link.set_attribute("href", &name).ok()?;
        document().head()?.append_child(&link).ok()?;
        Some(link)
    });
    let Some(link) = link else {
        return;
    };
    let waiting = Promise::new(&mut |done, _| {
        let there = link.clone();
        let end = Closure::once_into_js(move || {
            there.set_attribute("data-there", "").ok();
            done.call0(&JsValue::NULL).ok();
        });
        for event in ["load", "error"] {
            link.add_event_listener_with_callback(event, end.unchecked_ref())
                .ok();
        }
    });
    JsFuture::from(waiting).await.ok();
}

/// Shows a part of the page, once it has been fetched.
#[component]
pub(crate) fn Lazy(room: Room, part: Part) -> impl IntoView {
    let fetched = RwSignal::new_local(None);
    let fetch = move || {
        // The part belongs to the place where it is shown.
        spawn_local(ScopedFuture::new(async move {
            style("more").await;
            let view = if part.is_of_people() {
                // Online play, which is there, has their style.
                split::people_view(room, part).await
            } else if part.is_online() && !is_single_file() {
                style("online").await;
                match split::add_more_phrases(room).await {
                    Ok(()) => split::online_view(room, part).await,
                    Err(error) => Err(error),
                }
            } else {
                split::part_view(room, part).await
            };
            fetched.try_set(Some(view));
        }));
    };
    fetch();
    move || {
        fetched.track();
        let view = fetched.try_update_untracked(Option::take).flatten()?;
        Some(view.unwrap_or_else(|_| {
            view! {
                <p class="notice float" role="alert">
                    {room.text("bad.part")}
                    <button class="btn" on:click=move |_| fetch()>{room.text("do.retry")}</button>
                </p>
            }
            .into_any()
        }))
    }
}
