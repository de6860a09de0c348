//! The wordmark, the frame of the games' marks, and icons.

use leptos::prelude::*;

/// The wordmark.
#[component]
pub(crate) fn Wordmark() -> impl IntoView {
    view! {
        <svg class="wm" viewBox="0 0 140 44" role="img" aria-label="Parlour">
            <circle cx="12" cy="21" r="9" />
            <path d="M3 12V40M45 12V30M53 12V30M53 21a8.6 8.6 0 0 1 8-8.8M68 3V30M102 12v9a9 9 0 0 0 18 0v-9M120 12V30M129 12V30M129 21a8.6 8.6 0 0 1 8-8.8" />
            <circle cx="36" cy="21" r="9" />
            <circle class="o" cx="85" cy="21" r="10.6" />
        </svg>
    }
}

/// The mark of a game, from its presentation.
pub(crate) fn mark(shapes: &'static str) -> impl IntoView + use<> {
    view! { <svg class="mk" viewBox="0 0 32 32" aria-hidden="true" inner_html=shapes></svg> }
}

/// The mark of a game as HTML.
pub(crate) fn mark_html(shapes: &str) -> String {
    format!("<svg class='mk' viewBox='0 0 32 32' aria-hidden='true'>{shapes}</svg>")
}

/// An icon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Icon {
    Undo,
    Redo,
    Flag,
    Pass,
    Home,
    More,
    Theme,
    Language,
    Dice,
    Plus,
    Minus,
    Flip,
    Help,
    First,
    Back,
    Forward,
    Last,
    Library,
    Import,
    Delete,
    Share,
    Copy,
    Picture,
    File,
    Play,
    Pause,
    Close,
    Clock,
    Reload,
    Settings,
    Sound,
    Muted,
    Check,
    Learn,
    Lamp,
    Chart,
    Puzzle,
    Analysis,
    Pencil,
    Arrow,
    Threat,
    Block,
    Move,
    Promote,
    People,
}

/// An icon as HTML.
pub(crate) fn icon_html(icon: Icon) -> String {
    let width = if icon == Icon::More { "3" } else { "1.75" };
    let path = path(icon);
    format!(
        "<svg class='i' viewBox='0 0 24 24' aria-hidden='true'><path d='{path}' stroke-width='{width}'/></svg>"
    )
}

/// Draws an icon.
pub(crate) fn icon(icon: Icon) -> impl IntoView + use<> {
    let width = if icon == Icon::More { "3" } else { "1.75" };
    view! {
        <svg class="i" viewBox="0 0 24 24" aria-hidden="true">
            <path d=path(icon) stroke-width=width />
        </svg>
    }
}

fn path(icon: Icon) -> &'static str {
    match icon {
        Icon::Check => "M6 12.500l4 4 8-9",
        Icon::Learn => "M3 9l9-4 9 4-9 4-9-4M7 11v4.500c3 2 7 2 10 0V11M21 9v5",
        Icon::Lamp => "M9 4h6l3 9H6zM12 13v6M8.500 19h7",
        Icon::Puzzle => {
            "M4 9h4a2.200 2.200 0 1 1 4 0h4v4a2.200 2.200 0 1 1 0 4v4H4v-4a2.200 2.200 0 1 0 0-4z"
        }
        Icon::Chart => "M4 4v16h16M7 15l4-5 3 3 5-7",
        Icon::Analysis => {
            "M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13M15.500 15.500L21 21M7.500 10.500h6M10.500 7.500v6"
        }
        Icon::Pencil => "M4 20l1-4L16 5l3 3L8 19zM13.500 7.500l3 3",
        Icon::Arrow => "M5 19L19 5M10 5h9v9",
        Icon::Threat => "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 2v5M12 17v5M2 12h5M17 12h5",
        Icon::Block => "M5 5h14v14H5zM5 5l14 14M19 5L5 19",
        Icon::Move => "M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3",
        Icon::People => {
            "M9 5a3.200 3.200 0 1 0 0 6.400A3.200 3.200 0 0 0 9 5M3 19c0-3.500 2.500-5.300 6-5.300s6 1.800 6 5.300M16 5.500a3 3 0 0 1 0 5.600M18 14.200c2 .8 3 2.400 3 4.800"
        }
        Icon::Promote => "M6 15l6-6 6 6M6 20h12",
        Icon::First => "M6 6v12M18 6l-7 6 7 6",
        Icon::Back => "M15 6l-6 6 6 6",
        Icon::Forward => "M9 6l6 6-6 6",
        Icon::Share => "M12 15V3M8 7l4-4 4 4M8 11H5v10h14V11h-3",
        Icon::Copy => "M9 9h11v11H9zM15 9V4H4v11h5",
        Icon::Picture => "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9v.01",
        Icon::File => "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
        Icon::Play => "M8 5l11 7-11 7z",
        Icon::Pause => "M8 5v14M16 5v14",
        Icon::Close => "M6 6l12 12M18 6L6 18",
        Icon::Clock => "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 2",
        Icon::Library => "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z",
        Icon::Import => "M12 15V4M8 8l4-4 4 4M5 15v4h14v-4",
        Icon::Delete => "M5 7h14M10 4h4M7 7l1 13h8l1-13M10 11v5M14 11v5",
        Icon::Last => "M18 6v12M6 6l7 6-7 6",
        Icon::Undo => "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3",
        Icon::Redo => "M16 5l4 4-4 4M20 9H10a5 5 0 0 0 0 10h3",
        Icon::Flag => "M6 21V4c4-2 8 2 12 0v9c-4 2-8-2-12 0",
        Icon::Pass => "M5 6l7 6-7 6M17 6v12",
        Icon::Home => "M4 11l8-7 8 7M6 10v9h12v-9",
        Icon::More => "M5 12h.01M12 12h.01M19 12h.01",
        Icon::Theme => "M12 3a9 9 0 1 0 0 18M12 3a9 9 0 0 1 0 18M12 3v18",
        Icon::Language => {
            "M3 6h9M7.5 4v2M10.5 6c-.8 4-3.5 7-7 8.5M5 9c1 2.5 3 4.5 6 5.5M12.5 20l4-10 4 10M14 17h5"
        }
        Icon::Dice => {
            "M6 4h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2M9 9v.01M15 15v.01M12 12v.01M15 9v.01M9 15v.01"
        }
        Icon::Plus => "M12 5v14M5 12h14",
        Icon::Minus => "M5 12h14",
        Icon::Flip => {
            "M7 4L3.5 7.5L7 11M3.5 7.5H16a4 4 0 0 1 4 4M17 20l3.5-3.5L17 13M20.500 16.500H8a4 4 0 0 1-4-4"
        }
        Icon::Settings => {
            "M4 8h9M18 8h2M13 8a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M4 16h2M11 16h9M6 16a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0"
        }
        Icon::Reload => {
            "M4.5 12a7.5 7.5 0 0 1 13-5.1L20 9.5M20 4v5.5h-5.5M19.5 12a7.5 7.5 0 0 1-13 5.1L4 14.5M4 20v-5.5h5.5"
        }
        Icon::Sound => {
            "M4 9.5v5h3.5L12 18.5V5.5L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11"
        }
        Icon::Muted => "M4 9.5v5h3.5L12 18.5V5.5L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5",
        Icon::Help => {
            "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.7v.1"
        }
    }
}

/// A button with an icon only; the name is its tooltip and accessible name.
#[component]
pub(crate) fn IconButton(
    #[prop(optional)] id: Option<&'static str>,
    #[prop(into)] name: Signal<String>,
    kind: Icon,
    #[prop(optional, into)] is_disabled: Signal<bool>,
    on_press: impl Fn() + 'static,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class="ib"
            id=id
            title=name
            aria-label=name
            disabled=is_disabled
            on:click=move |_| on_press()
        >
            {icon(kind)}
        </button>
    }
}
