//! A match that plays itself from the start, and a film of it.

use std::rc::Rc;

use catalog::AnyMatch;
use js_sys::Array;
use leptos::{html, prelude::*};
use rules::record::NodeId;
use view::{Look, Plan, Words};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Blob, BlobEvent, HtmlCanvasElement, MediaRecorder, MediaRecorderOptions};

use crate::{
    board::{BoardView, Transition},
    files,
    icons::{Icon, IconButton},
    room::Room,
    segment::{Item, Segment},
    timer::Timer,
};

/// The time between two moves at ordinary speed, in milliseconds.
const PACE: f64 = 1100.0;

/// How long the last position stays in a film, in milliseconds.
const END_TIME: f64 = 1500.0;

/// Frames a second of a film.
const FRAME_RATE: f64 = 30.0;

/// Kinds of films, the best first; which of them there are is up to the browser.
const FILMS: [(&str, &str); 4] = [
    ("video/webm;codecs=vp9", "webm"),
    ("video/webm", "webm"),
    ("video/mp4", "mp4"),
    ("", "webm"),
];

const SPEEDS: [(&str, f64); 3] = [("1", 1.0), ("2", 2.0), ("4", 4.0)];

/// A match as it plays itself. It is cheap to copy.
#[derive(Clone, Copy)]
struct ReplayState {
    record: StoredValue<Box<dyn AnyMatch>, LocalStorage>,
    line: StoredValue<Vec<NodeId>>,
    /// The position that is shown, as a place in the line.
    at: RwSignal<usize>,
    is_playing: RwSignal<bool>,
    /// How many times faster than usual, as a text.
    speed: RwSignal<String>,
    /// Whether a film is being made.
    is_filming: RwSignal<bool>,
    film: StoredValue<Option<MediaRecorder>, LocalStorage>,
    pace: Timer,
}

impl ReplayState {
    fn n_moves(self) -> usize {
        self.line.with_value(Vec::len) - 1
    }

    fn pause(self) {
        self.pace.stop();
        self.is_playing.set(false);
    }

    fn play(self) {
        if self.at.get_untracked() >= self.n_moves() {
            self.at.set(0);
        }
        self.is_playing.set(true);
        self.wait();
    }

    fn wait(self) {
        let speed = self.speed.get_untracked();
        let factor = SPEEDS.iter().find(|(name, _)| *name == speed);
        let pace = PACE / factor.map_or(1.0, |(_, factor)| *factor);
        self.pace.start(pace, move || self.step());
    }

    fn step(self) {
        let next = self.at.get_untracked() + 1;
        if next > self.n_moves() {
            self.pause();
            self.stop_film();
            return;
        }
        self.at.set(next);
        if next == self.n_moves() && self.is_filming.get_untracked() {
            self.pace.start(END_TIME, move || self.step());
        } else {
            self.wait();
        }
    }

    /// Plays the match from the start and offers a film of what `canvas` shows.
    fn start_film(self, canvas: &HtmlCanvasElement, name: &'static str) {
        let Ok(stream) = canvas.capture_stream_with_frame_request_rate(FRAME_RATE) else {
            return;
        };
        let is_there = |kind: &str| kind.is_empty() || MediaRecorder::is_type_supported(kind);
        let kind = FILMS.into_iter().find(|(kind, _)| is_there(kind));
        let Some((kind, ending)) = kind else {
            return;
        };
        let options = MediaRecorderOptions::new();
        if !kind.is_empty() {
            options.set_mime_type(kind);
        }
        let recorder =
            MediaRecorder::new_with_media_stream_and_media_recorder_options(&stream, &options);
        let Ok(recorder) = recorder else {
            return;
        };
        let parts = Array::new();
        let kept = parts.clone();
        let on_data = Closure::<dyn Fn(BlobEvent)>::new(move |event: BlobEvent| {
            if let Some(data) = event.data() {
                kept.push(&data);
            }
        });
        recorder.set_ondataavailable(Some(on_data.as_ref().unchecked_ref()));
        let on_stop = Closure::once_into_js(move || {
            // What receives the parts is needed until here.
            drop(on_data);
            if self.is_filming.try_get_untracked() == Some(true) {
                self.is_filming.set(false);
                if let Ok(film) = Blob::new_with_blob_sequence(&parts) {
                    files::download_blob(&format!("parlour-{name}.{ending}"), &film);
                }
            }
        });
        recorder.set_onstop(Some(on_stop.unchecked_ref()));
        if recorder.start().is_ok() {
            self.pause();
            self.at.set(0);
            self.is_filming.set(true);
            self.film.set_value(Some(recorder));
            self.play();
        }
    }

    fn stop_film(self) {
        if let Some(Some(recorder)) = self.film.try_update_value(Option::take) {
            recorder.stop().ok();
        }
    }

    /// Stops a film that nobody wants any more.
    fn cancel_film(self) {
        self.is_filming.try_set(false);
        self.stop_film();
        self.pace.stop();
        self.is_playing.try_set(false);
    }
}

fn look(words: &Words, is_flipped: bool) -> Look<'_> {
    Look {
        is_bare: true,
        is_locked: true,
        is_flipped,
        ..Look::new(words)
    }
}

/// A board on which the match up to the cursor of `record` plays itself.
#[component]
pub(crate) fn Replay(room: Room, record: Box<dyn AnyMatch>) -> impl IntoView {
    let line = record.line(record.cursor());
    let game = record.game();
    let last = line.len() - 1;
    let player = ReplayState {
        record: StoredValue::new_local(record),
        line: StoredValue::new(line),
        at: RwSignal::new(last),
        is_playing: RwSignal::new(false),
        speed: RwSignal::new("2".to_owned()),
        is_filming: RwSignal::new(false),
        film: StoredValue::new_local(None),
        pace: Timer::new(),
    };
    on_cleanup(move || player.cancel_film());
    let node = move |at: usize| player.line.with_value(|line| line[at.min(line.len() - 1)]);
    let table = move |at: usize| {
        player.record.try_update_value(|record| {
            // The node is one of its own.
            record.go_to(node(at)).ok();
            record.table()
        })
    };
    let is_flipped = room.is_flipped.get_untracked();
    let scene = Signal::derive_local(move || {
        let words = room.settings.words.get();
        let table = table(player.at.get())?;
        Some(Rc::new(table.scene(&look(&words, is_flipped))))
    });
    let step = Signal::derive(move || {
        let at = player.at.get();
        Some(Transition {
            at: (0, node(at)),
            before: at.checked_sub(1).map(|before| (0, node(before))),
            last: None,
        })
    });
    let plan = Callback::new(move |()| {
        let words = room.settings.words.get_untracked();
        let table = table(player.at.get_untracked());
        table.map_or_else(Plan::default, |table| table.plan(&look(&words, is_flipped)))
    });
    let board = NodeRef::<html::Div>::new();
    let film = move || {
        let canvas = board
            .get_untracked()
            .and_then(|board| board.query_selector("canvas").ok().flatten());
        if let Some(canvas) = canvas.and_then(|canvas| canvas.dyn_into().ok()) {
            player.start_film(&canvas, game);
        }
    };
    let can_film = js_sys::Reflect::has(&window(), &JsValue::from_str("MediaRecorder"));
    let speeds = Signal::derive(move || {
        let item = |(name, _): (&str, f64)| (name.to_owned(), Item::from(format!("{name}×")));
        SPEEDS.map(item).to_vec()
    });
    let toggle = move || {
        if player.is_playing.get_untracked() {
            player.pause();
        } else {
            player.play();
        }
    };
    let seek = move |event| {
        player.pause();
        let value: String = event_target_value(&event);
        player.at.set(value.parse().unwrap_or(0));
    };
    view! {
        <div class="replay">
            <div node_ref=board>
                <BoardView
                    settings=room.settings
                    scene=scene
                    step=step
                    plan=plan
                    is_still=Signal::derive(move || room.settings.is_calm())
                    is_moving=RwSignal::new(false)
                    class="mini"
                />
            </div>
            <div class="player">
                {move || {
                    let (kind, name) = if player.is_playing.get() {
                        (Icon::Pause, "replay.pause")
                    } else {
                        (Icon::Play, "replay.play")
                    };
                    view! {
                        <IconButton
                            id="replay-play"
                            name=Signal::derive(room.text(name))
                            kind=kind
                            is_disabled=Signal::derive(move || player.is_filming.get())
                            on_press=toggle
                        />
                    }
                }}
                <input
                    type="range"
                    min="0"
                    max=last
                    aria-label=room.text("moves.title")
                    prop:value=move || player.at.get().to_string()
                    disabled=move || player.is_filming.get()
                    on:input=seek
                />
                <span>{move || format!("{} / {last}", player.at.get())}</span>
            </div>
            <Segment
                name="replay-speed"
                label=Signal::derive(room.text("replay.speed"))
                items=speeds
                value=player.speed
                on_choose=Callback::new(move |speed| player.speed.set(speed))
            />
            <Show when=move || can_film == Ok(true)>
                <button
                    class="btn"
                    id="film"
                    on:click=move |_| {
                        if player.is_filming.get_untracked() {
                            player.cancel_film();
                        } else {
                            film();
                        }
                    }
                >
                    {move || {
                        room.say(if player.is_filming.get() { "replay.filming" } else { "replay.film" })
                    }}
                </button>
            </Show>
        </div>
    }
}
