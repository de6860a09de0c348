use std::{
    f64::consts::PI,
    fmt::{Debug, Display},
    str::FromStr,
};

use rules::{Game, Player};

use crate::{Color, Plan, Point, Presentation, Scene, Segment, Shape, Sketch, Steps, Words};

/// A game that can be shown: one implementation for each, in `games`.
pub trait Picture: Game {
    /// A place that moves name.
    type Spot: Copy + Eq + Debug + Display + FromStr;

    /// How it is presented around its board.
    const PRESENTATION: Presentation;

    /// Every way to click the legal move `m`, spot by spot. None for a pass,
    /// which has a button of its own.
    fn ways(&self, m: Self::Move) -> Vec<Vec<Self::Spot>>;

    /// The move that leaves a turn out, in games that have one. Nothing is said
    /// about passes in the others.
    fn pass() -> Option<Self::Move> {
        None
    }

    /// The picture.
    fn draw(sketch: &Sketch<'_, Self>) -> Scene;

    /// A piece of `player` within a distance of 14 of the middle.
    fn token(player: Player) -> Vec<Shape>;

    /// How the last move is seen to happen; empty without one.
    fn plan(sketch: &Sketch<'_, Self>) -> Plan;

    /// What must always be seen of a player.
    fn side(&self, player: Player) -> PlayerStatus;

    /// Facts shown beside the board, besides the choices before the match: the
    /// names of phrases, and values. The first one is the most important.
    fn facts(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Where the turn stands, if it may take several moves.
    fn steps(&self) -> Option<Steps> {
        None
    }

    /// What can be done now.
    fn advice(sketch: &Sketch<'_, Self>) -> String;

    /// What the marks on the board mean that are there now: each drawn in a
    /// box of 20 × 20, and the name of its phrase.
    fn legend(_sketch: &Sketch<'_, Self>) -> Vec<(Vec<Shape>, &'static str)> {
        Vec::new()
    }

    /// The move `m`, which leads to `after`, as people read it in a list, with what
    /// it captured or turned.
    fn notation(&self, m: Self::Move, _after: &Self) -> String {
        m.to_string()
    }

    /// What the move `m` did, in words.
    fn tale(&self, m: Self::Move, after: &Self, words: &Words) -> String;

    /// Why a click on `spot` did nothing, with `selected` selected before it. Only
    /// asked where no legal move goes on with `spot` or begins with it.
    fn refusal(
        &self,
        spot: Self::Spot,
        selected: Option<Self::Spot>,
        words: &Words,
    ) -> Option<String>;

    /// How `winner` won by the rules, in a sentence.
    fn verdict(&self, winner: Player, words: &Words) -> String;

    /// How the match was drawn by the rules, in a sentence.
    fn draw_verdict(&self, words: &Words) -> String {
        words.say("end.draw", &[])
    }
}

/// What must always be seen of a player.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerStatus {
    /// Pieces in hand, and pieces in all.
    pub holding: Option<(usize, usize)>,
    /// The target that brings in a piece from the hand.
    pub entry: Option<String>,
    /// Numbers, each with the name of its phrase. The first one is the largest.
    pub counts: Vec<(&'static str, i32)>,
    /// What share of the board it has, in thousandths.
    pub share: Option<u32>,
}

/// The phrase of a player's color: `takeover.second` is yellow.
pub(crate) fn color_name<G: Game>(player: Player, words: &Words) -> String {
    words.say(&format!("{}.{player}", G::NAME), &[])
}

/// The mark of a move that wins at once, on every board.
pub(crate) fn star(center: Point, radius: f64) -> Shape {
    let tip = |index: i32| {
        let share = if index % 2 == 0 { 1.0 } else { 0.42 };
        center + Point::polar(PI * (f64::from(index) / 5.0 - 0.5), radius * share)
    };
    let mut segments = vec![Segment::Move(tip(0))];
    segments.extend((1..10).map(|index| Segment::Line(tip(index))));
    segments.push(Segment::Close);
    Shape::path(segments)
}

/// One dot for First and two for Second, so that nobody has to tell colors
/// apart.
pub(crate) fn dots(center: Point, radius: f64, player: Player, color: Color) -> Vec<Shape> {
    let dot = |x: f64, share: f64| {
        let at = center + Point::new(x * radius, 0.0);
        Shape::circle(at, share * radius).filled(color)
    };
    match player {
        Player::First => vec![dot(0.0, 0.22)],
        Player::Second => vec![dot(-0.34, 0.19), dot(0.34, 0.19)],
    }
}
