//! The stored matches: find one, see how one is doing, take them in and out.

mod card;

use std::rc::Rc;

use leptos::{ev, html, prelude::*, task::spawn_local};
use play::{PlayerKind, Saved, library};
use web_sys::{ClipboardEvent, DragEvent};

use self::card::{LibraryStatus, card, rival};
use crate::{
    device::{date, new_id},
    files,
    icons::{Icon, IconButton, icon},
    room::Room,
    rooms::{Entries, Header, Tabs, TroubleNotice, entries},
    segment::{Item, Segment},
    shelf::Entry,
    statistics::StatisticsView,
    timer::Timer,
};

/// Matches on a page.
const N_PER_PAGE: usize = 8;

/// How long a deletion can be undone, in milliseconds.
const UNDO_TIME: f64 = 8000.0;

/// The filters of the list.
#[derive(Clone, PartialEq, Default)]
struct Filter {
    game: String,
    rival: String,
    standing: String,
}

impl Filter {
    fn admits(&self, entry: &Entry) -> bool {
        let Ok(saved) = &entry.saved else {
            return *self == Self::default();
        };
        let fits = |wanted: &str, value: &str| wanted.is_empty() || wanted == value;
        fits(&self.game, saved.game())
            && fits(&self.rival, &rival(saved).name())
            && fits(&self.standing, LibraryStatus::new(saved).name())
    }
}

/// The last change of the list, reported below it.
#[derive(Clone, PartialEq)]
enum Note {
    /// Matches were deleted, and can come back.
    Deleted(Vec<(String, String)>),
    Imported {
        n_added: usize,
        errors: Vec<String>,
    },
}

/// The stored matches.
#[component]
pub(crate) fn Library(room: Room) -> impl IntoView {
    let all = entries(room);
    let filter = RwSignal::new(Filter::default());
    let page = RwSignal::new(0_usize);
    let note = RwSignal::new(None::<Note>);
    let note_end = Timer::new();
    on_cleanup(move || note_end.stop());
    let set_note = move |new: Note| {
        note_end.start(UNDO_TIME, move || note.set(None));
        note.set(Some(new));
    };
    let shown = Memo::new_with_compare(
        move |_| {
            let filter = filter.get();
            all.with(|all| {
                let entries = all.iter().flat_map(|all| all.iter());
                let ids = entries.filter(|entry| filter.admits(entry));
                ids.map(|entry| entry.id.clone()).collect::<Vec<_>>()
            })
        },
        |old, new| old != new,
    );
    let n_pages = move || shown.with(Vec::len).div_ceil(N_PER_PAGE).max(1);
    let current = move || page.get().min(n_pages() - 1);
    let remove = Callback::new(move |ids: Vec<String>| {
        let texts = all.with_untracked(|all| {
            let entries = all.iter().flat_map(|all| all.iter());
            let gone = entries.filter(|entry| ids.contains(&entry.id));
            gone.map(|entry| (entry.id.clone(), entry.text.clone()))
                .collect::<Vec<_>>()
        });
        spawn_local(async move {
            for id in ids {
                room.driver.shelf.remove(&id).await;
            }
        });
        set_note(Note::Deleted(texts));
    });
    let import = Callback::new(move |texts: Vec<String>| {
        let known = all.get_untracked().unwrap_or_default();
        spawn_local(async move {
            let (entries, errors) = read_files(&texts, &known);
            let n_added = entries.len();
            room.driver.shelf.put_all(entries).await;
            set_note(Note::Imported { n_added, errors });
        });
    });
    let is_loaded = move || all.with(Option::is_some);
    let is_empty = move || all.with(|all| all.as_ref().is_some_and(|all| all.is_empty()));
    let cards = move || {
        let first = current() * N_PER_PAGE;
        let ids = shown.get().into_iter().skip(first).take(N_PER_PAGE);
        ids.filter_map(|id| {
            let entry = all.with(|all| {
                all.iter()
                    .flat_map(|all| all.iter())
                    .find(|e| e.id == id)
                    .cloned()
            });
            entry.map(|entry| card(room, entry, remove))
        })
        .collect_view()
    };
    view! {
        <div
            class="home library"
            on:dragover=|event: DragEvent| event.prevent_default()
            on:paste=move |event: ClipboardEvent| {
                let data = event.clipboard_data();
                let text = data.and_then(|data| data.get_data("text").ok());
                if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
                    import.run(vec![text]);
                }
            }
            on:drop=move |event: DragEvent| {
                event.prevent_default();
                let files = event.data_transfer().and_then(|data| data.files());
                files::read_all(files, import);
            }
        >
            <Header room=room />
            <main>
                <h1 class="sr">{room.text("library.title")}</h1>
                <Show when=move || !is_empty() fallback=move || view! { <Empty room=room import=import /> }>
                    <div class="shelf">
                        <Filters room=room all=all filter=filter page=page import=import />
                        <ul class="cards">
                            <Show when=is_loaded>{cards}</Show>
                        </ul>
                        <Show when=move || is_loaded() && shown.with(Vec::is_empty)>
                            <p class="none">{room.text("library.none")}</p>
                        </Show>
                        <footer>
                            <span>
                                {move || {
                                    let n = all.with(|all| all.as_ref().map_or(0, |all| all.len()));
                                    room.say_with("library.count", &[("n", &n)])
                                }}
                            </span>
                            <button class="link" id="export" on:click=move |_| export(all)>
                                {room.text("library.export")}
                            </button>
                            <DeleteAll room=room all=all remove=remove />
                            <span class="sp"></span>
                            <Show when=move || { n_pages() > 1 }>
                                <IconButton
                                    id="page-back"
                                    name=Signal::derive(room.text("library.newer"))
                                    kind=Icon::Back
                                    is_disabled=Signal::derive(move || current() == 0)
                                    on_press=move || page.set(current() - 1)
                                />
                                <span>{move || format!("{} / {}", current() + 1, n_pages())}</span>
                                <IconButton
                                    id="page-on"
                                    name=Signal::derive(room.text("library.older"))
                                    kind=Icon::Forward
                                    is_disabled=Signal::derive(move || current() + 1 >= n_pages())
                                    on_press=move || page.set(current() + 1)
                                />
                            </Show>
                        </footer>
                    </div>
                    <StatisticsView room=room entries=all />
                </Show>
            </main>
            {move || note.get().map(|new| view! { <NoteView room=room new=new note=note /> })}
            <TroubleNotice room=room />
            <Tabs room=room />
        </div>
    }
}

/// Reads imported files: matches with new ids, and what is wrong with others.
fn read_files(texts: &[String], known: &Rc<Vec<Entry>>) -> (Vec<(String, String)>, Vec<String>) {
    let (mut added, mut errors) = (Vec::<(String, String)>::new(), Vec::new());
    let now = date();
    for read in texts.iter().flat_map(|text| library::import(text, now)) {
        match read {
            Ok(saved) => {
                let is_same = |other: &Saved| {
                    other.record() == saved.record() && other.head.seats == saved.head.seats
                };
                let is_known = known
                    .iter()
                    .filter_map(|e| e.saved.as_ref().ok())
                    .any(is_same);
                if !is_known {
                    added.push((new_id(), saved.to_string()));
                }
            }
            Err(error) => errors.push(error.to_string()),
        }
    }
    (added, errors)
}

fn export(all: Entries) {
    let text = all.with_untracked(|all| {
        let entries = all.iter().flat_map(|all| all.iter());
        library::export(entries.filter_map(|entry| entry.saved.as_ref().ok()))
    });
    files::download("parlour-matches.txt", &text);
}

#[component]
fn Filters(
    room: Room,
    all: Entries,
    filter: RwSignal<Filter>,
    page: RwSignal<usize>,
    import: Callback<Vec<String>>,
) -> impl IntoView {
    let set = move |change: &dyn Fn(&mut Filter)| {
        page.set(0);
        filter.update(|filter| change(filter));
    };
    let games = Signal::derive(move || {
        let all = (String::new(), Item::from(room.say("library.all")));
        let games = catalog::GAMES.map(|game| {
            let item = Item {
                text: room.say(&format!("{}.name", game.name())),
                mark: Some(game.presentation().mark),
                token: None,
            };
            (game.name().to_owned(), item)
        });
        [all].into_iter().chain(games).collect()
    });
    let rivals = move || {
        let mut rivals: Vec<PlayerKind> = all.with(|all| {
            let entries = all.iter().flat_map(|all| all.iter());
            entries
                .filter_map(|entry| entry.saved.as_ref().ok())
                .map(rival)
                .collect()
        });
        rivals.sort_by_key(|rival| rival.name());
        rivals.dedup();
        let options = rivals.into_iter().map(|rival| {
            view! { <option value=rival.name()>{room.opponent_name(rival)}</option> }
        });
        options.collect_view()
    };
    let standings = LibraryStatus::FILTERS.map(|standing| {
        let name = standing.name();
        view! { <option value=name>{move || room.say(&format!("library.{name}"))}</option> }
    });
    view! {
        <div class="filters">
            <Segment
                name="library-game"
                label=Signal::derive(room.text("new.game"))
                items=games
                value=Signal::derive(move || filter.with(|filter| filter.game.clone()))
                on_choose=Callback::new(move |game: String| set(&|filter| filter.game.clone_from(&game)))
                class="seg gm"
            />
            <select
                class="btn"
                aria-label=room.text("new.opponent")
                on:change=move |event| {
                    let value = event_target_value(&event);
                    set(&|filter| filter.rival.clone_from(&value));
                }
            >
                <option value="">{room.text("library.any-rival")}</option>
                {rivals}
            </select>
            <select
                class="btn"
                aria-label=room.text("library.result")
                on:change=move |event| {
                    let value = event_target_value(&event);
                    set(&|filter| filter.standing.clone_from(&value));
                }
            >
                <option value="">{room.text("library.any-result")}</option>
                {standings.into_iter().collect_view()}
            </select>
            <span class="sp"></span>
            <Import room=room import=import />
        </div>
    }
}

/// The button that takes files in.
#[component]
fn Import(room: Room, import: Callback<Vec<String>>) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    let chosen = move |_: ev::Event| {
        if let Some(input) = input.get() {
            files::read_all(input.files(), import);
            input.set_value("");
        }
    };
    view! {
        <label class="btn" tabindex="0" on:keydown=move |event: ev::KeyboardEvent| {
            if let ("Enter" | " ", Some(input)) = (event.key().as_str(), input.get()) {
                event.prevent_default();
                input.click();
            }
        }>
            {icon(Icon::Import)}
            <span>{room.text("library.import")}</span>
            <input type="file" id="import" multiple hidden accept=".txt,text/plain" node_ref=input on:change=chosen />
        </label>
    }
}

/// A button to be pressed twice.
#[component]
fn DeleteAll(room: Room, all: Entries, remove: Callback<Vec<String>>) -> impl IntoView {
    let is_sure = RwSignal::new(false);
    let end = Timer::new();
    on_cleanup(move || end.stop());
    let press = move |_| {
        if is_sure.get_untracked() {
            is_sure.set(false);
            let ids = all.with_untracked(|all| {
                let entries = all.iter().flat_map(|all| all.iter());
                entries.map(|entry| entry.id.clone()).collect::<Vec<_>>()
            });
            remove.run(ids);
        } else {
            is_sure.set(true);
            end.start(3000.0, move || is_sure.set(false));
        }
    };
    view! {
        <button class="link" id="delete-all" on:click=press>
            {move || {
                room.say(if is_sure.get() { "library.delete-all.sure" } else { "library.delete-all" })
            }}
        </button>
    }
}

/// The message of an empty list.
#[component]
fn Empty(room: Room, import: Callback<Vec<String>>) -> impl IntoView {
    view! {
        <section class="empty">
            <svg viewBox="0 0 120 80" aria-hidden="true">
                <path d="M10 66h100M22 66V26h18v40M46 66V16h18v50M70 66V34h18v32" />
                <circle cx="79" cy="22" r="8" />
            </svg>
            <h2>{room.text("library.empty")}</h2>
            <div class="two">
                <button class="btn pri" on:click=move |_| room.open_sheet()>{room.text("do.new")}</button>
                <Import room=room import=import />
            </div>
        </section>
    }
}

#[component]
fn NoteView(room: Room, new: Note, note: RwSignal<Option<Note>>) -> impl IntoView {
    match new {
        Note::Deleted(texts) => {
            let n = texts.len();
            let undo = move |_| {
                let texts = texts.clone();
                note.set(None);
                spawn_local(async move { room.driver.shelf.put_all(texts).await });
            };
            view! {
                <p class="notice float" role="status">
                    {move || room.say_with("library.deleted", &[("n", &n)])}
                    <button class="btn" id="undo-delete" on:click=undo>{room.text("do.undo")}</button>
                </p>
            }
            .into_any()
        }
        Note::Imported { n_added, errors } => {
            let text = {
                let errors = errors.clone();
                move || match errors.first() {
                    None => room.say_with("library.imported", &[("n", &n_added)]),
                    Some(why) => room.say_with(
                        "library.imported.bad",
                        &[("n", &n_added), ("bad", &errors.len()), ("why", why)],
                    ),
                }
            };
            view! {
                <p class="notice float" role="status" id="imported">
                    {text}
                    <button class="btn" on:click=move |_| note.set(None)>{room.text("do.close")}</button>
                </p>
            }
            .into_any()
        }
    }
}
