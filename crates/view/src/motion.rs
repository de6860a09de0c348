use crate::{Key, Node, Point, Rect, limited};

/// An easing function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Easing {
    /// Ease-out, cubic: 1 − (1 − t)³.
    Out,
    /// Ease-in-out.
    InOut,
}

impl Easing {
    /// The progress of the motion after `share` of its time.
    #[must_use]
    pub fn at(self, share: f64) -> f64 {
        match self {
            Self::Out => 1.0 - (1.0 - share).powi(3),
            Self::InOut if share < 0.5 => 4.0 * share.powi(3),
            Self::InOut => 1.0 - (2.0 - 2.0 * share).powi(3) / 2.0,
        }
    }
}

/// The transformation of a node, relative to its place in the scene.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pose {
    /// Translation.
    pub offset: Point,
    /// Horizontal and vertical scale.
    pub scale: Point,
    /// Opacity, from 0 to 1.
    pub opacity: f64,
}

impl Pose {
    /// No transformation.
    pub const REST: Self = Self {
        offset: Point::new(0.0, 0.0),
        scale: Point::new(1.0, 1.0),
        opacity: 1.0,
    };

    /// Invisible.
    pub const GONE: Self = Self {
        opacity: 0.0,
        ..Self::REST
    };

    /// Moved by `offset`.
    #[must_use]
    pub const fn moved(offset: Point) -> Self {
        Self {
            offset,
            ..Self::REST
        }
    }

    /// Scaled.
    #[must_use]
    pub const fn scaled(x: f64, y: f64) -> Self {
        Self {
            scale: Point::new(x, y),
            ..Self::REST
        }
    }

    fn toward(self, other: Self, share: f64) -> Self {
        Self {
            offset: self.offset.toward(other.offset, share),
            scale: self.scale.toward(other.scale, share),
            opacity: self.opacity + (other.opacity - self.opacity) * share,
        }
    }
}

/// The animation of one node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Track {
    /// The node.
    pub key: Key,
    /// Its start, in milliseconds.
    pub start: f64,
    /// Its duration, in milliseconds.
    pub duration: f64,
    /// How it gathers speed.
    pub easing: Easing,
    /// The pose at its start.
    pub from: Pose,
    /// The pose at its end.
    pub to: Pose,
    /// The height of its arc.
    pub arc: f64,
    /// Whether it is drawn above everything else.
    pub is_raised: bool,
}

impl Track {
    /// An animation from `from` to the node's place in the scene.
    #[must_use]
    pub const fn new(key: Key, duration: f64, easing: Easing, from: Pose) -> Self {
        Self {
            key,
            start: 0.0,
            duration,
            easing,
            from,
            to: Pose::REST,
            arc: 0.0,
            is_raised: false,
        }
    }

    /// Drawn above everything else.
    #[must_use]
    pub const fn raised(mut self) -> Self {
        self.is_raised = true;
        self
    }

    /// Starting later.
    #[must_use]
    pub const fn after(mut self, start: f64) -> Self {
        self.start = start;
        self
    }

    /// With another pose at its end.
    #[must_use]
    pub const fn ending(mut self, to: Pose) -> Self {
        self.to = to;
        self
    }

    fn at(&self, time: f64) -> Pose {
        let share = limited((time - self.start) / self.duration, 0.0, 1.0);
        let eased = self.easing.at(share);
        let mut pose = self.from.toward(self.to, eased);
        pose.offset.y -= self.arc * 4.0 * eased * (1.0 - eased);
        pose
    }

    fn end(&self) -> f64 {
        self.start + self.duration
    }
}

/// Something that is heard in a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sound {
    /// Something is taken up.
    PickUp,
    /// Something is put down.
    Place,
    /// Something begins to slide.
    Slide,
    /// Something is captured.
    Capture,
    /// Something changes sides.
    Convert,
    /// A player passes.
    Pass,
    /// Something can't be done.
    Illegal,
    /// Time runs short.
    LowTime,
    /// Somebody here has won.
    Win,
    /// Somebody here has lost.
    Loss,
    /// Nobody has won.
    Draw,
}

impl Sound {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::PickUp,
        Self::Place,
        Self::Slide,
        Self::Capture,
        Self::Convert,
        Self::Pass,
        Self::Illegal,
        Self::LowTime,
        Self::Win,
        Self::Loss,
        Self::Draw,
    ];
}

/// When a sound is heard.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cue {
    /// When, in milliseconds.
    pub at: f64,
    /// What.
    pub sound: Sound,
    /// How many like it came right before.
    pub step: usize,
}

impl Cue {
    /// The first of its kind.
    #[must_use]
    pub const fn new(at: f64, sound: Sound) -> Self {
        Self { at, sound, step: 0 }
    }
}

/// The animation from one position to the next.
///
/// It belongs to the scene of the later position: at its end everything is where
/// that scene has it, and `extras` are gone.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plan {
    /// The motions.
    pub tracks: Vec<Track>,
    /// Nodes that exist during the animation only.
    pub extras: Vec<Node>,
    /// The view before, and how long the camera takes from there.
    pub view: Option<(Rect, f64)>,
    /// The sounds, with their times.
    pub cues: Vec<Cue>,
}

impl Plan {
    /// Its duration, in milliseconds.
    #[must_use]
    pub fn duration(&self) -> f64 {
        let tracks = self.tracks.iter().map(Track::end);
        let view = self.view.iter().map(|&(_, duration)| duration);
        tracks.chain(view).fold(0.0, f64::max)
    }

    /// The same in a share of the time.
    #[must_use]
    pub fn in_share(mut self, share: f64) -> Self {
        for track in &mut self.tracks {
            track.start *= share;
            track.duration *= share;
        }
        for cue in &mut self.cues {
            cue.at *= share;
        }
        self.view = self.view.map(|(view, duration)| (view, duration * share));
        self
    }

    /// The plan without the travel of the nodes called `keys`, as after a drag: the
    /// rest starts at once.
    #[must_use]
    pub fn landed(mut self, keys: &[Key]) -> Self {
        let is_way =
            |track: &Track| keys.contains(&track.key) && track.from.offset != Point::default();
        let begun = self.tracks.iter().filter(|track| is_way(track));
        let Some(end) = begun.map(Track::end).reduce(f64::max) else {
            return self;
        };
        self.tracks.retain(|track| !is_way(track));
        let others = self.tracks.iter().map(|track| track.start);
        let saved = others.fold(end, f64::min);
        for track in &mut self.tracks {
            track.start -= saved;
        }
        self.cues.retain(|cue| cue.sound != Sound::Slide);
        for cue in &mut self.cues {
            let is_way = cue.sound == Sound::Place;
            cue.at = if is_way {
                0.0
            } else {
                (cue.at - saved).max(0.0)
            };
        }
        self
    }

    /// The pose of the node called `key` at `time`. Of several animations of a node
    /// the last that has started applies, and before that the first.
    #[must_use]
    pub fn pose(&self, key: Key, time: f64) -> Pose {
        let mut tracks = self.tracks.iter().filter(|track| track.key == key);
        let begun = tracks.clone().rfind(|track| track.start <= time);
        begun
            .or_else(|| tracks.next())
            .map_or(Pose::REST, |track| track.at(time))
    }

    /// Whether the node called `key` is drawn above everything else.
    #[must_use]
    pub fn is_raised(&self, key: Key) -> bool {
        self.tracks
            .iter()
            .any(|track| track.key == key && track.is_raised)
    }

    /// The view at `time`, if that of the scene is `view`.
    #[must_use]
    pub fn view(&self, view: Rect, time: f64) -> Rect {
        match self.view {
            Some((before, duration)) if time < duration => {
                before.toward(&view, Easing::Out.at(limited(time / duration, 0.0, 1.0)))
            }
            _ => view,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cue, Easing, Plan, Pose, Sound, Track};
    use crate::{Key, Kind, Point};

    const KEY: Key = Key::new(Kind::Piece, 7);

    #[test]
    fn a_motion_ends_where_the_scene_has_it() {
        let track = Track::new(KEY, 800.0, Easing::Out, Pose::moved(Point::new(80.0, 0.0)));
        let plan = Plan {
            tracks: vec![track],
            ..Plan::default()
        };
        assert_eq!(plan.duration(), 800.0);
        assert_eq!(plan.pose(KEY, 0.0).offset.x, 80.0);
        // Cubic ease-out has an eighth of the way left at half time.
        assert_eq!(plan.pose(KEY, 400.0).offset.x, 10.0);
        assert_eq!(plan.pose(KEY, 800.0), Pose::REST);
        assert_eq!(plan.pose(Key::new(Kind::Tile, 7), 0.0), Pose::REST);
    }

    #[test]
    fn a_hasty_motion_ends_in_the_same_place() {
        let track = Track::new(KEY, 800.0, Easing::Out, Pose::moved(Point::new(80.0, 0.0)));
        let plan = Plan {
            tracks: vec![track.after(100.0)],
            cues: vec![Cue::new(600.0, Sound::Place)],
            ..Plan::default()
        };
        let hasty = plan.in_share(0.5);
        assert_eq!(hasty.duration(), 450.0);
        assert_eq!(hasty.pose(KEY, 250.0).offset.x, 10.0);
        assert_eq!(hasty.cues, [Cue::new(300.0, Sound::Place)]);
    }

    #[test]
    fn what_was_put_there_by_hand_does_not_travel_again() {
        let other = Key::new(Kind::Piece, 8);
        let way = Track::new(KEY, 200.0, Easing::Out, Pose::moved(Point::new(80.0, 0.0)));
        let turn = Track::new(other, 100.0, Easing::Out, Pose::scaled(0.0, 1.0)).after(120.0);
        let plan = Plan {
            tracks: vec![way, turn],
            cues: [
                (0.0, Sound::Slide),
                (160.0, Sound::Place),
                (180.0, Sound::Convert),
            ]
            .map(|(at, sound)| Cue::new(at, sound))
            .to_vec(),
            ..Plan::default()
        };
        let landed = plan.clone().landed(&[KEY]);
        assert_eq!(landed.pose(KEY, 0.0), Pose::REST);
        assert_eq!(landed.duration(), 100.0);
        let heard = [(0.0, Sound::Place), (60.0, Sound::Convert)];
        assert_eq!(landed.cues, heard.map(|(at, sound)| Cue::new(at, sound)));
        assert_eq!(landed.pose(other, 0.0), plan.pose(other, 120.0));
        // What did not travel is left alone.
        assert_eq!(plan.clone().landed(&[other]), plan);
    }

    #[test]
    fn one_motion_follows_another() {
        let shrink =
            Track::new(KEY, 100.0, Easing::InOut, Pose::REST).ending(Pose::scaled(0.0, 1.0));
        let grow = Track::new(KEY, 100.0, Easing::InOut, Pose::scaled(0.0, 1.0)).after(100.0);
        let plan = Plan {
            tracks: vec![shrink, grow],
            ..Plan::default()
        };
        let widths = [0.0, 50.0, 100.0, 150.0, 200.0].map(|time| plan.pose(KEY, time).scale.x);
        assert_eq!(widths, [1.0, 0.5, 0.0, 0.5, 1.0]);
        assert_eq!(plan.duration(), 200.0);
    }
}
