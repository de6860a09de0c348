//! Plays sounds with Web Audio, after the first gesture and until they are muted.

use leptos::prelude::*;
use rules::{Outcome, Random};
use view::{Cue, Sound};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{AudioContext, AudioContextState, GainNode};

use crate::{
    device::{chance, has_gesture, has_vibration, store, stored},
    lazy::sing,
    room::Room,
    sound::{Voice, voices},
    timer::Timer,
};

/// How loud sounds are at first, in hundredths.
const USUAL_VOLUME: u32 = 60;

/// The gain that a voice fades to; an exponential ramp never reaches zero.
const SILENCE: f32 = 0.0001;

/// How late a sound may be, in seconds: the first may have to wait for a part of the page.
const LATEST: f64 = 0.5;

/// How long after the last sound the output rests, in milliseconds: while it is open, a part of
/// the device works for it.
const REST: f64 = 3000.0;

/// The audio output.
#[derive(Clone)]
enum Output {
    /// Nothing, before the first gesture.
    None,
    /// Something that is about to be opened, and what is to be heard of it then.
    Opening(Vec<Cue>),
    Open(AudioContext, GainNode),
    /// A device without sound is silent.
    Silent,
}

/// Plays sounds. It is cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Sounds {
    pub(crate) is_muted: RwSignal<bool>,
    /// How loud sounds are, in hundredths.
    pub(crate) volume: RwSignal<u32>,
    output: StoredValue<Output, LocalStorage>,
    /// Opens the output, and lets it rest.
    timer: Timer,
    random: StoredValue<Random>,
    /// Whether the device vibrates with the sounds, even if they are muted.
    pub(crate) vibrates: RwSignal<bool>,
}

impl Sounds {
    /// As the last visit left them. Nothing is heard before [`follow`] has seen a gesture.
    pub(crate) fn new() -> Self {
        let volume = stored("volume").and_then(|volume| volume.parse().ok());
        Self {
            is_muted: RwSignal::new(stored("sound").as_deref() == Some("off")),
            volume: RwSignal::new(volume.unwrap_or(USUAL_VOLUME).min(100)),
            output: StoredValue::new_local(Output::None),
            timer: Timer::new(),
            random: StoredValue::new(Random::new(chance())),
            vibrates: RwSignal::new(stored("vibration").as_deref() == Some("on")),
        }
    }

    /// Mutes, or ends that.
    pub(crate) fn toggle(self) {
        let is_muted = !self.is_muted.get_untracked();
        store("sound", if is_muted { "off" } else { "on" });
        self.is_muted.set(is_muted);
        self.wake();
        self.play(Sound::Place);
    }

    /// Sets the volume, in hundredths, and lets it be heard.
    pub(crate) fn set_volume(self, volume: u32) {
        let volume = volume.min(100);
        store("volume", &volume.to_string());
        self.volume.set(volume);
        self.play(Sound::Place);
    }

    /// Lets the device vibrate, or not.
    pub(crate) fn set_vibration(self, is_on: bool) {
        store("vibration", if is_on { "on" } else { "off" });
        self.vibrates.set(is_on);
        self.vibrate(Sound::Place);
    }

    fn vibrate(self, sound: Sound) {
        let time = match sound {
            Sound::PickUp | Sound::Slide => return,
            Sound::Capture | Sound::Illegal | Sound::Win | Sound::Loss | Sound::Draw => 40,
            _ => 12,
        };
        if self.vibrates.get_untracked() && has_vibration() {
            window().navigator().vibrate_with_duration(time);
        }
    }

    /// Browsers let a page be heard only after somebody has done something on it.
    fn wake(self) {
        if self.is_muted.get_untracked() || !has_gesture() {
            return;
        }
        match self.output.get_value() {
            Output::Open(context, _) => self.keep_awake(&context, 0.0),
            Output::None => {
                self.output.set_value(Output::Opening(Vec::new()));
                // The page stands still for up to a tenth of a second, so that what was
                // done comes to the screen first.
                request_animation_frame(move || self.timer.start(0.0, move || self.open()));
            }
            Output::Opening(_) | Output::Silent => {}
        }
    }

    /// Lets the output rest a while after `end`, in milliseconds from now, and not before.
    fn keep_awake(self, context: &AudioContext, end: f64) {
        if context.state() == AudioContextState::Suspended {
            context.resume().ok();
        }
        let context = context.clone();
        self.timer.start(end + REST, move || {
            context.suspend().ok();
        });
    }

    fn open(self) {
        let opened = match open() {
            Some((context, master)) => {
                // It rests again, whether anything is heard of it or not.
                self.keep_awake(&context, 0.0);
                Output::Open(context, master)
            }
            None => Output::Silent,
        };
        let before = self.output.get_value();
        self.output.set_value(opened);
        if let Output::Opening(cues) = before {
            self.sing_all(&cues);
        }
    }

    /// Plays a sound now.
    pub(crate) fn play(self, sound: Sound) {
        self.play_all(&[Cue::new(0.0, sound)]);
    }

    /// Plays several sounds, each at its time.
    pub(crate) fn play_all(self, cues: &[Cue]) {
        if let Some(cue) = cues.last() {
            self.vibrate(cue.sound);
        }
        self.sing_all(cues);
    }

    fn sing_all(self, cues: &[Cue]) {
        if self.is_muted.get_untracked() {
            return;
        }
        match self.output.get_value() {
            Output::Open(context, _) => sing(self, cues.to_vec(), context.current_time()),
            Output::Opening(mut waiting) => {
                waiting.extend_from_slice(cues);
                self.output.set_value(Output::Opening(waiting));
            }
            Output::None | Output::Silent => {}
        }
    }

    /// Plays several sounds, each at its time after `now`.
    pub(crate) fn sing_at(self, cues: &[Cue], now: f64) {
        let Output::Open(context, master) = self.output.get_value() else {
            return;
        };
        // What is heard long after it was seen would be a riddle. Meanwhile somebody may also have
        // muted the page.
        let is_late = context.current_time() - now > LATEST;
        if is_late || self.is_muted.get_untracked() {
            return;
        }
        let volume = f64::from(self.volume.get_untracked()) / 100.0;
        // Ears hear ratios.
        master.gain().set_value((volume * volume * 2.0) as f32);
        let mut random = self.random.get_value();
        let mut end: f64 = 0.0;
        for cue in cues {
            let start = now + cue.at / 1000.0;
            for voice in voices(cue.sound, cue.step, &mut random) {
                end = end.max(cue.at + voice.end());
                // A voice that can't be played is not heard.
                play(&context, &master, &voice, start);
            }
        }
        self.keep_awake(&context, end);
        self.random.set_value(random);
    }
}

fn open() -> Option<(AudioContext, GainNode)> {
    let context = AudioContext::new().ok()?;
    let master = context.create_gain().ok()?;
    master
        .connect_with_audio_node(&context.destination())
        .ok()?;
    Some((context, master))
}

/// Plays one voice of a sound that begins at `start`, in seconds.
fn play(context: &AudioContext, master: &GainNode, voice: &Voice, start: f64) -> Option<()> {
    let wave = context.create_oscillator().ok()?;
    let gain = context.create_gain().ok()?;
    let begin = start + voice.start / 1000.0;
    let top = begin + voice.attack / 1000.0;
    let end = start + voice.end() / 1000.0;
    let pitch = wave.frequency();
    pitch.set_value_at_time(voice.from as f32, begin).ok()?;
    pitch
        .exponential_ramp_to_value_at_time(voice.to as f32, end)
        .ok()?;
    let level = gain.gain();
    level.set_value_at_time(SILENCE, begin).ok()?;
    level
        .linear_ramp_to_value_at_time(voice.gain as f32, top)
        .ok()?;
    level.exponential_ramp_to_value_at_time(SILENCE, end).ok()?;
    wave.connect_with_audio_node(&gain).ok()?;
    gain.connect_with_audio_node(master).ok()?;
    wave.start_with_when(begin).ok()?;
    wave.stop_with_when(end).ok()
}

/// Listens for the first gesture, and plays what is not seen to move on the board: something taken
/// up, something refused, time that gets short, the end.
pub(crate) fn follow(room: Room) {
    let sounds = room.sounds;
    let wake = Closure::<dyn Fn()>::new(move || sounds.wake());
    // Some browsers count the release of a finger only.
    for gesture in ["pointerdown", "pointerup", "keydown"] {
        let wake = wake.as_ref().unchecked_ref();
        // Before the board hears of it, so that it can be heard itself.
        let added = window().add_event_listener_with_callback_and_bool(gesture, wake, true);
        added.ok();
    }
    // It is called for as long as the page is open.
    wake.forget();

    // The position, and how much of a move has been clicked in it.
    let picked = Memo::new(move |_| {
        room.with_session(|session| Some((session.places().0, session.table().picked().len())))
    });
    Effect::new(move |before: Option<Option<_>>| {
        let now = picked.get();
        if let (Some(Some((at, n_before))), Some((here, n))) = (before, now)
            && at == here
            && n > n_before
        {
            sounds.play(Sound::PickUp);
        }
        now
    });
    Effect::new(move |_| {
        if room.driver.refusal.get().is_some() {
            sounds.play(Sound::Illegal);
        }
    });
    Effect::new(move |_| {
        if room.driver.low_time.get().is_some() {
            sounds.play(Sound::LowTime);
        }
    });
    let end = Memo::new(move |_| {
        let outcome = room.driver.outcome();
        room.with_session(|session| Some((session.number, outcome, session.sitting.person())))
    });
    Effect::new(move |before: Option<Option<_>>| {
        let now = end.get();
        // A match that was over when it was opened ends silently.
        if let (Some(Some((match_before, None, _))), Some((number, Some(outcome), person))) =
            (before, now)
            && match_before == number
        {
            sounds.play(match outcome {
                Outcome::Draw => Sound::Draw,
                Outcome::Win(winner) if person.is_some_and(|person| person != winner) => {
                    Sound::Loss
                }
                Outcome::Win(_) => Sound::Win,
            });
        }
        now
    });
}
