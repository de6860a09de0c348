//! The table of sounds: each is a few bars of wood, struck softly.
//!
//! Each voice is a sine wave that swells for a few milliseconds and dies away; a bar of a marimba is
//! one with another two octaves above it that is gone sooner. Nothing here needs a browser.

use rules::Random;
use view::Sound;

/// One sine wave.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Voice {
    /// When it begins, in milliseconds.
    pub(crate) start: f64,
    /// Its pitch at first, in hertz.
    pub(crate) from: f64,
    /// Its pitch in the end.
    pub(crate) to: f64,
    /// How long it swells, in milliseconds.
    pub(crate) attack: f64,
    /// How long it takes to die away, in milliseconds.
    pub(crate) decay: f64,
    /// How loud it is, from 0 to 1.
    pub(crate) gain: f64,
}

impl Voice {
    /// When nothing of it is left, in milliseconds.
    pub(crate) fn end(&self) -> f64 {
        self.start + self.attack + self.decay
    }
}

/// Five notes to the octave, so that whatever sounds together agrees, in hertz.
const SCALE: [f64; 8] = [
    523.25, 587.33, 659.26, 783.99, 880.0, 1046.5, 1174.66, 1318.51,
];

/// No two moves sound quite the same: pitches vary by so many cents, hundredths of a semitone.
const VARIATION: i32 = 14;

/// A struck bar.
fn bar(start: f64, pitch: f64, decay: f64, gain: f64) -> [Voice; 2] {
    let tone = Voice {
        start,
        from: pitch,
        to: pitch,
        attack: 3.0,
        decay,
        gain,
    };
    let overtone = Voice {
        from: 4.0 * pitch,
        to: 4.0 * pitch,
        decay: decay / 4.0,
        gain: gain / 5.0,
        ..tone
    };
    [tone, overtone]
}

/// A knock on wood.
fn knock(start: f64, pitch: f64, gain: f64) -> Voice {
    Voice {
        start,
        from: pitch,
        to: 0.6 * pitch,
        attack: 2.0,
        decay: 80.0,
        gain,
    }
}

/// The voices of a sound. The `step`th of several in a row is higher than those before, where
/// that makes sense. `random` varies the pitch a little.
pub(crate) fn voices(sound: Sound, step: usize, random: &mut Random) -> Vec<Voice> {
    let bars = |bars: &[(f64, f64, f64, f64)]| {
        let bars = bars.iter();
        bars.flat_map(|&(start, pitch, decay, gain)| bar(start, pitch, decay, gain))
            .collect()
    };
    let mut voices: Vec<Voice> = match sound {
        Sound::PickUp => vec![knock(0.0, 420.0, 0.10)],
        Sound::Place => {
            let [tone, overtone] = bar(0.0, 329.63, 150.0, 0.16);
            vec![tone, overtone, knock(0.0, 170.0, 0.22)]
        }
        Sound::Slide => vec![Voice {
            start: 0.0,
            from: 180.0,
            to: 230.0,
            attack: 120.0,
            decay: 320.0,
            gain: 0.07,
        }],
        Sound::Capture => bars(&[(0.0, 392.0, 180.0, 0.18), (85.0, 261.63, 260.0, 0.20)]),
        Sound::Convert => {
            let pitch = SCALE[step.min(SCALE.len() - 1)];
            bar(0.0, pitch, 170.0, 0.10).to_vec()
        }
        Sound::Pass => vec![knock(0.0, 240.0, 0.12), knock(120.0, 240.0, 0.08)],
        Sound::Illegal => vec![knock(0.0, 130.0, 0.20), knock(90.0, 116.0, 0.16)],
        Sound::LowTime => bars(&[(0.0, 880.0, 90.0, 0.10), (180.0, 880.0, 90.0, 0.10)]),
        Sound::Win => bars(&[
            (0.0, 523.25, 420.0, 0.14),
            (110.0, 659.26, 420.0, 0.14),
            (220.0, 783.99, 420.0, 0.14),
            (330.0, 1046.5, 700.0, 0.16),
        ]),
        Sound::Loss => bars(&[
            (0.0, 392.0, 380.0, 0.14),
            (170.0, 329.63, 380.0, 0.14),
            (340.0, 261.63, 640.0, 0.15),
        ]),
        Sound::Draw => bars(&[
            (0.0, 293.66, 380.0, 0.12),
            (0.0, 440.0, 380.0, 0.10),
            (220.0, 293.66, 560.0, 0.12),
            (220.0, 440.0, 560.0, 0.10),
        ]),
    };
    let cents = f64::from(random.between(-VARIATION, VARIATION));
    let factor = (cents / 1200.0).exp2();
    for voice in &mut voices {
        voice.from *= factor;
        voice.to *= factor;
    }
    voices
}

#[cfg(test)]
mod tests {
    use rules::Random;
    use view::{Language, Look, Sound, Words};

    use super::{Voice, voices};

    /// How loud a sound is at worst: at the top of one of its voices.
    fn peak(voices: &[Voice]) -> f64 {
        let level = |voice: &Voice, time: f64| {
            let share = (time - voice.start - voice.attack) / voice.decay;
            if time < voice.start || share > 1.0 {
                return 0.0;
            }
            voice.gain * 0.001_f64.powf(share.max(0.0))
        };
        let tops = voices.iter().map(|voice| voice.start + voice.attack);
        let at = |time: f64| voices.iter().map(|voice| level(voice, time)).sum();
        tops.map(at).fold(0.0, f64::max)
    }

    #[test]
    fn sounds_are_short_and_soft() {
        for sound in Sound::ALL {
            let voices = voices(sound, 0, &mut Random::new(1));
            assert!(!voices.is_empty(), "{sound:?}");
            let peak = peak(&voices);
            assert!((0.05..=0.5).contains(&peak), "{sound:?}: {peak}");
            let is_end = matches!(sound, Sound::Win | Sound::Loss | Sound::Draw);
            let limit = if is_end { 1100.0 } else { 450.0 };
            for voice in &voices {
                assert!(voice.end() <= limit, "{sound:?}: {voice:?}");
                // A wave that begins at full strength clicks.
                assert!(voice.attack >= 2.0 && voice.decay > 0.0, "{sound:?}");
                let range = 50.0..=6000.0;
                assert!(range.contains(&voice.from) && range.contains(&voice.to));
            }
        }
    }

    #[test]
    fn no_two_sounds_are_alike() {
        for (index, sound) in Sound::ALL.into_iter().enumerate() {
            for other in Sound::ALL.into_iter().skip(index + 1) {
                let [a, b] = [sound, other].map(|it| voices(it, 0, &mut Random::new(1)));
                assert_ne!(a, b, "{sound:?} and {other:?}");
            }
        }
    }

    #[test]
    fn pitches_vary_by_the_seed_and_rise_step_by_step() {
        let pitch = |step, seed| voices(Sound::Convert, step, &mut Random::new(seed))[0].from;
        assert_eq!(pitch(0, 1), pitch(0, 1));
        assert!((2..20).any(|seed| pitch(0, seed) != pitch(0, 1)));
        let steps: Vec<f64> = (0..8).map(|step| pitch(step, 1)).collect();
        assert!(steps.is_sorted_by(|a, b| a < b), "{steps:?}");
        assert_eq!(pitch(30, 1), steps[7]);
    }

    /// Whatever is played in any game is heard, and in every game something is heard that
    /// is more than a piece put down.
    #[test]
    fn every_move_of_every_game_is_heard() {
        let words = Words::of(Language::English);
        let mut heard = Vec::new();
        for game in catalog::GAMES {
            let mut random = Random::new(7);
            for _ in 0..6 {
                // On a small board stones are captured sooner.
                let is_small = game.options().iter().any(|option| option.name == "size");
                let choices = [("size", "9")];
                let choices = if is_small { &choices[..] } else { &[] };
                let mut playing = game.start(choices).expect("every game can be started");
                for _ in 0..150 {
                    let moves = playing.legal_moves();
                    let Some(m) = random.pick(&moves) else {
                        break;
                    };
                    playing.play(m).expect("it is legal");
                    let cues = playing.table().plan(&Look::new(&words)).cues;
                    assert!(!cues.is_empty(), "{} {m}", game.name());
                    for cue in cues {
                        assert!(!voices(cue.sound, cue.step, &mut random).is_empty());
                        heard.push((game.name(), cue.sound));
                    }
                }
            }
        }
        for expected in [
            ("lilypads", Sound::Place),
            ("lilypads", Sound::Capture),
            ("nonaga", Sound::Slide),
            ("nonaga", Sound::Place),
            ("takeover", Sound::Place),
            ("takeover", Sound::Convert),
            ("simply-go", Sound::Place),
            ("simply-go", Sound::Capture),
            ("simply-go", Sound::Pass),
        ] {
            assert!(heard.contains(&expected), "{expected:?}");
        }
    }
}
