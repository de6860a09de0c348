use std::{
    f64::consts::PI,
    fmt::{Debug, Display},
    str::FromStr,
};

use rules::{Game, Player};

use crate::{
    Color, Edit, EditError, Plan, Point, Presentation, Scene, Segment, Shape, Sketch, Steps, Tool,
    Words,
};

/// An achievement of a move that follows from the rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Deed {
    /// It encloses so many points, in which nobody may play from now on.
    Encloses(u32),
    /// It brings two of the player's pieces together, where no two were.
    Joins,
}

/// A game that can be shown: one implementation for each, in `games`.
pub trait Picture: Game {
    /// A place that moves refer to.
    type Spot: Copy + Eq + Debug + Display + FromStr;

    /// How it is presented around its board.
    const PRESENTATION: Presentation;

    /// The tools for setting up positions by hand, besides the choice of the player to
    /// move.
    const TOOLS: &'static [Tool];

    /// Every sequence of clicks for the legal move `m`. Empty for a pass, which has
    /// a button of its own.
    fn ways(&self, m: Self::Move) -> Vec<Vec<Self::Spot>>;

    /// The pass, in games that have one. The interface of the others does not
    /// mention passes.
    fn pass() -> Option<Self::Move> {
        None
    }

    /// Draws the scene.
    fn draw(sketch: &Sketch<'_, Self>) -> Scene;

    /// A piece of `player` within a radius of 14 around the origin.
    fn token(player: Player) -> Vec<Shape>;

    /// The animation of the last move; empty without one.
    fn plan(sketch: &Sketch<'_, Self>) -> Plan;

    /// Player status shown in the side panel.
    fn side(&self, player: Player) -> PlayerStatus;

    /// Facts shown beside the board, besides the options: keys of phrases, and
    /// values. The first one is the most important.
    fn facts(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The steps of the turn, if it may take several moves.
    fn steps(&self) -> Option<Steps> {
        None
    }

    /// A hint at what the player can do now.
    fn advice(sketch: &Sketch<'_, Self>) -> String;

    /// The legend of the marks on the board now: each drawn in a box of 20 × 20, and
    /// the key of its phrase.
    fn legend(_sketch: &Sketch<'_, Self>) -> Vec<(Vec<Shape>, &'static str)> {
        Vec::new()
    }

    /// How many pieces of the opponent a move to `after` takes or turns over.
    fn n_taken(&self, _after: &Self) -> u32 {
        0
    }

    /// What a move to `after` achieves by the rules, besides what it takes.
    fn deed(&self, _after: &Self) -> Option<Deed> {
        None
    }

    /// The move `m`, which leads to `after`, in the notation of move lists, with
    /// captures and conversions.
    fn notation(&self, m: Self::Move, _after: &Self) -> String {
        m.to_string()
    }

    /// Describes the move `m` in a sentence.
    fn tale(&self, m: Self::Move, after: &Self, words: &Words) -> String;

    /// Why a click on `spot` was rejected, with `selected` selected before it. Only
    /// called if no legal move starts at or continues with `spot`.
    fn refusal(
        &self,
        spot: Self::Spot,
        selected: Option<Self::Spot>,
        words: &Words,
    ) -> Option<String>;

    /// The position after a change by hand. The constructors of the game decide whether it
    /// is legal.
    ///
    /// # Errors
    ///
    /// Returns an [`EditError`] if it is not.
    fn edited(&self, edit: Edit<Self::Spot>) -> Result<Self, EditError>;

    /// How `winner` won by the rules, in a sentence.
    fn verdict(&self, winner: Player, words: &Words) -> String;

    /// How the match was drawn by the rules, in a sentence.
    fn draw_verdict(&self, words: &Words) -> String {
        words.say("end.draw", &[])
    }
}

/// Player status shown in the side panel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerStatus {
    /// Pieces in hand, and pieces in all.
    pub holding: Option<(usize, usize)>,
    /// The target that brings in a piece from the hand.
    pub entry: Option<String>,
    /// Counts, each with the key of its phrase. The first one is shown largest.
    pub counts: Vec<(&'static str, i32)>,
    /// The share of the board, in thousandths.
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
