//! Soft squares, pieces that grow, travel and turn over.

use std::rc::Rc;

use rules::{ByPlayer, Player, Position};
use takeover::{Move, ParsePositionError, Square, SquareSet, Takeover, Variant};

use super::lattice::Lattice;
use crate::{
    Color, Cue, Easing, Edit, EditError, Key, Kind, Look, Node, Outline, Paint, Picture, Plan,
    PlayerStatus, Point, Pose, Presentation, Rect, Scene, Segment, Shape, Sketch, Sound, Target,
    Tool, Track, Words,
    edit::Item,
    picture::{color_name, dots, star},
    scene::push_still,
};

const SIZE: f64 = 600.0;
const GAP: f64 = 6.0;
/// The margins for the names of files and ranks, and on the other sides.
const LABELS: f64 = 23.0;
const EDGE: f64 = 7.0;

/// In milliseconds.
const GROW_TIME: f64 = 260.0;
const TRAVEL_TIME: f64 = 320.0;
const FLIP_TIME: f64 = 240.0;
const FLIP_DELAY: f64 = 40.0;

/// The coordinates of the squares.
#[derive(Clone, Copy)]
struct Grid {
    lattice: Lattice,
    cell: f64,
}

impl Grid {
    fn new(sketch: &Sketch<'_, Takeover>) -> Self {
        let size = sketch.position.variant().size();
        let n = f64::from(size);
        let left = if sketch.look.is_bare { EDGE } else { LABELS };
        let cell = (SIZE - left - EDGE - GAP * (n - 1.0)) / n;
        let lattice = Lattice {
            size,
            corner: Point::new(left + cell / 2.0, EDGE + cell / 2.0),
            pitch: cell + GAP,
            is_flipped: sketch.look.is_flipped,
        };
        Self { lattice, cell }
    }

    /// The scale, where a cell of Takeover is 90.
    fn scale(&self) -> f64 {
        self.cell / 90.0
    }

    fn center(&self, square: Square) -> Point {
        self.lattice.at(square.file(), square.rank())
    }

    fn squares(&self) -> impl Iterator<Item = Square> {
        SquareSet::board(self.lattice.size).iter()
    }

    /// A rounded square around `at`, `inset` smaller than a cell on each side.
    fn frame(&self, at: Point, inset: f64, corner: f64) -> Shape {
        let scale = self.scale();
        Shape::rect(
            Rect::around(at, self.cell / 2.0 - inset * scale),
            corner * scale,
        )
    }
}

fn ground(position: &Takeover, grid: &Grid, sketch: &Sketch<'_, Takeover>) -> Vec<Shape> {
    let mut shapes = Vec::new();
    if !sketch.look.is_bare {
        shapes.push(Shape::rect(Rect::square(SIZE), 0.0).filled(Color::SquareBase));
        draw_names(&mut shapes, grid, &sketch.look);
    }
    for square in grid.squares() {
        let at = grid.center(square);
        if !position.obstacles().contains(square) {
            shapes.push(grid.frame(at, 0.0, 16.0).filled(Color::SquareCell));
            continue;
        }
        shapes.push(grid.frame(at, 0.0, 16.0).filled(Color::SquareHole));
        let arm = 15.0 * grid.scale();
        let cross = vec![
            Segment::Move(at + Point::new(-arm, -arm)),
            Segment::Line(at + Point::new(arm, arm)),
            Segment::Move(at + Point::new(arm, -arm)),
            Segment::Line(at + Point::new(-arm, arm)),
        ];
        shapes.push(Shape::path(cross).lined(Color::SquareCross, 7.0 * grid.scale()));
    }
    shapes
}

/// The names of files and ranks.
fn draw_names(shapes: &mut Vec<Shape>, grid: &Grid, look: &Look<'_>) {
    let size = if look.is_large { 17.0 } else { 12.5 };
    for index in 0..grid.lattice.size {
        let file = char::from(b'a' + index).to_string();
        let name = |at, text| Shape::text(at, size, text).filled(Color::SquareLabel);
        let x = grid.lattice.at(index, 0).x;
        shapes.push(name(Point::new(x, SIZE - 6.0), file));
        let y = grid.lattice.at(0, index).y + size * 0.36;
        shapes.push(name(Point::new(12.0, y), (index + 1).to_string()));
    }
}

fn piece(player: Player, scale: f64) -> Rc<[Shape]> {
    let (head, foot, side, dot) = match player {
        Player::First => (
            Color::SquareFirstHead,
            Color::SquareFirst,
            Color::SquareFirstSide,
            Color::White,
        ),
        Player::Second => (
            Color::SquareSecondHead,
            Color::SquareSecond,
            Color::SquareSecondSide,
            Color::SquareSecondDot,
        ),
    };
    let rect = |x: f64, y: f64, width: f64, height: f64, corner: f64| {
        let rect = Rect {
            x: x * scale,
            y: y * scale,
            width: width * scale,
            height: height * scale,
        };
        Shape::rect(rect, corner * scale)
    };
    let mut shapes = vec![
        rect(-33.0, -28.0, 66.0, 66.0, 25.0)
            .filled(Color::Black)
            .faded(0.18),
        rect(-33.0, -33.0, 66.0, 66.0, 25.0).filled(side),
        rect(-31.5, -31.8, 63.0, 60.0, 23.5).painted(Paint::Vertical(head, foot)),
        rect(-24.0, -25.5, 48.0, 47.0, 17.0)
            .lined(Color::White, 1.6 * scale)
            .faded(0.35),
    ];
    shapes.extend(dots(
        Point::new(0.0, -1.5 * scale),
        30.0 * scale,
        player,
        dot,
    ));
    shapes.into()
}

fn piece_key(square: Square) -> Key {
    Key::new(Kind::Piece, square.index() as u32)
}

fn owner(position: &Takeover, square: Square) -> Option<Player> {
    let stands = |&player: &Player| position.pieces(player).contains(square);
    Player::BOTH.into_iter().find(stands)
}

/// A solid plus for a duplication, a hollow square for a jump.
fn mark(at: Point, m: Move, scale: f64) -> Vec<Shape> {
    if let Move::Duplicate { .. } = m {
        let plus = vec![
            Segment::Move(at + Point::new(-7.0, 0.0) * scale),
            Segment::Line(at + Point::new(7.0, 0.0) * scale),
            Segment::Move(at + Point::new(0.0, -7.0) * scale),
            Segment::Line(at + Point::new(0.0, 7.0) * scale),
        ];
        return vec![
            Shape::rect(Rect::around(at, 17.0 * scale), 12.0 * scale).filled(Color::Accent),
            Shape::path(plus).lined(Color::OnAccent, 3.0 * scale),
        ];
    }
    vec![
        Shape::rect(Rect::around(at, 15.0 * scale), 11.0 * scale).lined(Color::Accent, 3.4 * scale),
    ]
}

/// Brackets in the corners of a square of the last move.
fn brackets(at: Point, grid: &Grid, width: f64) -> Shape {
    let half = grid.cell / 2.0 - 5.0;
    let mut segments = Vec::new();
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        let corner = at + Point::new(x * half, y * half);
        segments.push(Segment::Move(corner - Point::new(0.0, y * 18.0)));
        segments.push(Segment::Line(corner - Point::new(0.0, y * 11.0)));
        segments.push(Segment::Curve(corner, corner - Point::new(x * 11.0, 0.0)));
        segments.push(Segment::Line(corner - Point::new(x * 18.0, 0.0)));
    }
    Shape::path(segments).lined(Color::Ink2, width)
}

/// The last move: its destination, its origin, and the converted pieces.
fn last_marks(sketch: &Sketch<'_, Takeover>, grid: &Grid) -> Vec<Shape> {
    let mut shapes = Vec::new();
    let Some((before, m)) = sketch.last else {
        return shapes;
    };
    let Some(to) = destination_of(m) else {
        return shapes;
    };
    shapes.push(brackets(grid.center(to), grid, 3.6));
    let from = match m {
        Move::Jump { from, .. } => Some(from),
        _ => parent(before, to, sketch.origin),
    };
    if let Some(from) = from {
        shapes.push(brackets(grid.center(from), grid, 2.2).faded(0.55));
    }
    for square in turned(before, sketch.position).iter() {
        let frame = grid.frame(grid.center(square), 5.0, 22.0);
        shapes.push(frame.lined(Color::Ink2, 1.8).faded(0.55));
    }
    shapes
}

fn destination_of(m: Move) -> Option<Square> {
    match m {
        Move::Duplicate { to } | Move::Jump { to, .. } => Some(to),
        Move::Pass => None,
    }
}

/// The pieces that are converted when `position` becomes `after`.
fn turned(position: &Takeover, after: &Takeover) -> SquareSet {
    position.pieces(!position.turn()) & after.pieces(position.turn())
}

/// A piece beside `to` that a duplication seems to grow out of.
fn parent(position: &Takeover, to: Square, wanted: Option<Square>) -> Option<Square> {
    let parents = SquareSet::neighbors(to) & position.pieces(position.turn());
    wanted
        .filter(|&square| parents.contains(square))
        .or(parents.iter().next())
}

/// Marks below the pieces: the last move, the selection and its destinations.
fn marks(sketch: &Sketch<'_, Takeover>, grid: &Grid) -> Vec<Shape> {
    let mut shapes = Vec::new();
    if !sketch.look.is_bare {
        shapes.extend(last_marks(sketch, grid));
    }
    let lit = |square, width| {
        let frame = grid.frame(grid.center(square), 2.0, 15.0);
        let glow = frame.clone().filled(Color::Accent).faded(0.16);
        [glow, frame.lined(Color::Accent, width)]
    };
    if let Some(selected) = sketch.selected() {
        shapes.extend(lit(selected, 4.0));
    }
    for square in grid.squares() {
        let is_hovered = sketch.hover == Some(square);
        let at = grid.center(square);
        match sketch.destination(square) {
            Some(m) if sketch.wins(m) => {
                if is_hovered {
                    shapes.extend(lit(square, 3.0));
                }
                let star = star(at, 27.0 * grid.scale()).filled(Color::Accent);
                shapes.push(star.lined(Color::OnAccent, 2.0 * grid.scale()));
            }
            Some(_) if is_hovered => shapes.extend(lit(square, 3.0)),
            Some(m) => shapes.extend(mark(at, m, grid.scale())),
            None if is_hovered && sketch.selected().is_none() && sketch.is_open(square) => {
                shapes.push(grid.frame(at, 0.0, 16.0).filled(Color::Accent).faded(0.12));
            }
            None => {}
        }
    }
    shapes
}

fn label(sketch: &Sketch<'_, Takeover>, square: Square) -> String {
    let words = sketch.look.words;
    let position = sketch.position;
    let what = match owner(position, square) {
        Some(player) => {
            let color = color_name::<Takeover>(player, words);
            words.say("takeover.place.piece", &[("color", &color)])
        }
        None if position.obstacles().contains(square) => words.say("takeover.place.hole", &[]),
        None => words.say("place.empty", &[]),
    };
    let state = sketch.place_state(square, |m| match m {
        Move::Duplicate { .. } => "place.duplicate",
        _ => "place.jump",
    });
    words.say(
        "takeover.place",
        &[("at", &square), ("what", &what), ("state", &state)],
    )
}

impl Picture for Takeover {
    type Spot = Square;

    const PRESENTATION: Presentation = Presentation {
        miniature: &[("board", "12")],
        ..Presentation::new(
            r#"<rect class="f" x="4" y="4" width="10.5" height="10.5" rx="3.6"/><rect x="17.5" y="4" width="10.5" height="10.5" rx="3.6"/><rect x="4" y="17.5" width="10.5" height="10.5" rx="3.6"/><path d="M19.5 19.5l7 7m0-7l-7 7"/>"#,
        )
    };

    const TOOLS: &'static [Tool] = &[
        Tool::Put(Player::First),
        Tool::Put(Player::Second),
        Tool::Block,
        Tool::Remove,
        Tool::Move,
    ];

    /// A duplication may be clicked from any piece beside it.
    fn ways(&self, m: Move) -> Vec<Vec<Square>> {
        match m {
            Move::Duplicate { to } => {
                let parents = SquareSet::neighbors(to) & self.pieces(self.turn());
                parents.iter().map(|from| vec![from, to]).collect()
            }
            Move::Jump { from, to } => vec![vec![from, to]],
            Move::Pass => Vec::new(),
        }
    }

    fn pass() -> Option<Move> {
        Some(Move::Pass)
    }

    fn draw(sketch: &Sketch<'_, Self>) -> Scene {
        let position = sketch.position;
        let grid = Grid::new(sketch);
        let mut nodes = Vec::new();
        push_still(&mut nodes, marks(sketch, &grid));

        let winner = sketch.winner();
        for player in Player::BOTH {
            let shapes = piece(player, grid.scale());
            let opacity = if winner == Some(!player) { 0.5 } else { 1.0 };
            nodes.extend(position.pieces(player).iter().map(|square| Node {
                opacity,
                ..Node::moving(piece_key(square), grid.center(square), Rc::clone(&shapes))
            }));
        }
        if let Some((_, m)) = sketch.hovered_destination() {
            let frames = turned(position, &position.after(m)).iter().map(|square| {
                let frame = grid.frame(grid.center(square), 6.0, 29.0);
                frame.dashed(Color::Ink, 2.8, 7.0, 6.5)
            });
            push_still(&mut nodes, frames.collect());
        }

        // Ranks from the top, in reading order.
        let side = grid.lattice.size;
        let squares = (0..side)
            .rev()
            .flat_map(|rank| (0..side).map(move |file| Square::new(file, rank)));
        let targets = squares.map(|square| Target {
            id: square.to_string(),
            at: grid.center(square),
            outline: Outline::Square((grid.cell + GAP) / 2.0),
            label: label(sketch, square),
        });
        Scene {
            view: Rect::square(SIZE),
            ground: ground(position, &grid, sketch).into(),
            nodes,
            targets: targets.collect(),
            is_vast: false,
            rulers: None,
        }
    }

    fn token(player: Player) -> Vec<Shape> {
        piece(player, 0.4).to_vec()
    }

    fn plan(sketch: &Sketch<'_, Self>) -> Plan {
        let mut plan = Plan::default();
        let Some((before, m)) = sketch.last else {
            return plan;
        };
        let Some(to) = destination_of(m) else {
            return plan;
        };
        let grid = Grid::new(sketch);
        let away = |from| grid.center(from) - grid.center(to);
        let time = match m {
            Move::Jump { from, .. } => {
                let track = Track::new(
                    piece_key(to),
                    TRAVEL_TIME,
                    Easing::Out,
                    Pose::moved(away(from)),
                );
                plan.tracks.push(track.raised());
                TRAVEL_TIME
            }
            _ => {
                let offset = parent(before, to, sketch.origin).map_or(Point::default(), away);
                let start = Pose {
                    offset,
                    ..Pose::scaled(0.2, 0.2)
                };
                plan.tracks
                    .push(Track::new(piece_key(to), GROW_TIME, Easing::Out, start));
                GROW_TIME
            }
        };
        plan.cues.push(Cue::new(0.6 * time, Sound::Place));
        // R7: converted pieces turn over, one after the other.
        let turned = turned(before, sketch.position);
        let old = piece(!before.turn(), grid.scale());
        for (index, square) in turned.iter().enumerate() {
            let start = time * 0.6 + FLIP_DELAY * index as f64;
            let half = FLIP_TIME / 2.0;
            let edge = Pose::scaled(0.0, 1.0);
            let ghost = Key::new(Kind::Ghost, square.index() as u32);
            plan.extras
                .push(Node::moving(ghost, grid.center(square), Rc::clone(&old)));
            let away = Track::new(ghost, half, Easing::InOut, Pose::REST).ending(edge);
            plan.tracks.push(away.after(start));
            plan.cues.push(Cue {
                at: start + half,
                sound: Sound::Convert,
                step: index,
            });
            let back = Track::new(piece_key(square), half, Easing::InOut, edge);
            plan.tracks.push(back.after(start + half));
        }
        plan
    }

    fn side(&self, player: Player) -> PlayerStatus {
        let n_pieces = self.pieces(player).len();
        let size = u32::from(self.variant().size());
        let n_free = size * size - self.obstacles().len();
        PlayerStatus {
            holding: None,
            entry: None,
            counts: vec![("takeover.pieces", n_pieces as i32)],
            share: Some(n_pieces * 1000 / n_free.max(1)),
        }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        vec![("takeover.free", self.empty().len().to_string())]
    }

    fn advice(sketch: &Sketch<'_, Self>) -> String {
        let words = sketch.look.words;
        if sketch.selected().is_none() {
            return words.say("takeover.advice", &[]);
        }
        let hovered = sketch.hovered_destination();
        let Some((to, m)) = hovered else {
            return words.say("takeover.advice.piece", &[]);
        };
        let n = turned(sketch.position, &sketch.position.after(m)).len();
        let color = color_name::<Self>(!sketch.position.turn(), words);
        let name = match (m, n) {
            (Move::Duplicate { .. }, 0) => "takeover.advice.duplicate.quiet",
            (Move::Duplicate { .. }, _) => "takeover.advice.duplicate",
            (_, 0) => "takeover.advice.jump.quiet",
            _ => "takeover.advice.jump",
        };
        words.say(name, &[("to", &to), ("n", &n), ("color", &color)])
    }

    fn legend(sketch: &Sketch<'_, Self>) -> Vec<(Vec<Shape>, &'static str)> {
        if sketch.selected().is_none() {
            return Vec::new();
        }
        let middle = Point::new(10.0, 10.0);
        let to = Square::new(0, 0);
        let jump = Move::Jump { from: to, to };
        let turns = Shape::rect(Rect::around(middle, 7.5), 6.0).dashed(Color::Ink2, 1.8, 3.5, 3.0);
        vec![
            (
                mark(middle, Move::Duplicate { to }, 0.47),
                "takeover.key.duplicate",
            ),
            (mark(middle, jump, 0.5), "takeover.key.jump"),
            (vec![turns], "takeover.key.turn"),
        ]
    }

    fn n_taken(&self, after: &Self) -> u32 {
        turned(self, after).len()
    }

    /// `c3 +2` for a new piece that turns two, `a5-c4` for a jump.
    fn notation(&self, m: Move, after: &Self) -> String {
        let text = match m {
            Move::Jump { from, to } => format!("{from}-{to}"),
            Move::Duplicate { to } => to.to_string(),
            Move::Pass => return "pass".to_owned(),
        };
        match self.n_taken(after) {
            0 => text,
            n => format!("{text} +{n}"),
        }
    }

    fn tale(&self, m: Move, after: &Self, words: &Words) -> String {
        let color = color_name::<Self>(self.turn(), words);
        let n = turned(self, after).len();
        match m {
            Move::Pass => words.say("tale.pass", &[("color", &color)]),
            Move::Duplicate { to } => {
                let name = match n {
                    0 => "takeover.tale.duplicate.quiet",
                    _ => "takeover.tale.duplicate",
                };
                words.say(name, &[("color", &color), ("to", &to), ("n", &n)])
            }
            Move::Jump { from, to } => {
                let name = match n {
                    0 => "takeover.tale.jump.quiet",
                    _ => "takeover.tale.jump",
                };
                words.say(
                    name,
                    &[("color", &color), ("from", &from), ("to", &to), ("n", &n)],
                )
            }
        }
    }

    fn refusal(&self, spot: Square, selected: Option<Square>, words: &Words) -> Option<String> {
        let is_two_away = |from| SquareSet::two_away(from).contains(spot);
        let name = match (selected, owner(self, spot)) {
            _ if self.obstacles().contains(spot) => "takeover.refusal.hole",
            (Some(_), Some(_)) => "takeover.refusal.taken",
            (None, Some(player)) if player == self.turn() => "refusal.stuck",
            (None, Some(_)) => "refusal.theirs",
            (None, None) => "refusal.choose",
            // R4: only an obstacle in between forbids a jump of two squares.
            (Some(from), None) if is_two_away(from) => "takeover.refusal.over",
            (Some(_), None) => "refusal.far",
        };
        Some(words.say(name, &[("to", &spot)]))
    }

    fn edited(&self, edit: Edit<Square>) -> Result<Self, EditError> {
        let mut pieces = ByPlayer::from_fn(|player| self.pieces(player));
        let mut obstacles = self.obstacles();
        let item_at = |square| {
            let obstacle = obstacles.contains(square).then_some(Item::Obstacle);
            owner(self, square).map(Item::Piece).or(obstacle)
        };
        for (square, item) in edit.changes(item_at)? {
            let set = SquareSet::from(square);
            pieces.first &= !set;
            pieces.second &= !set;
            obstacles &= !set;
            match item {
                Some(Item::Piece(player)) => pieces[player] |= set,
                Some(Item::Obstacle) => obstacles |= set,
                None => {}
            }
        }
        self.rearranged(pieces, obstacles, edit.turn_after(self.turn()))
            .map_err(|error| match error {
                ParsePositionError::OffBoard(square) => EditError::no_such_place(square),
                _ => EditError::new("edit.illegal"),
            })
    }

    fn verdict(&self, winner: Player, words: &Words) -> String {
        let color = color_name::<Self>(winner, words);
        let loser = color_name::<Self>(!winner, words);
        let (n, m) = (self.pieces(winner).len(), self.pieces(!winner).len());
        // R9: the winner may have fewer pieces, so the message gives the reason.
        let name = match self.variant() {
            _ if self.empty().is_empty() => "takeover.verdict.count",
            _ if m == 0 => "takeover.verdict.bare",
            Variant::Standard => "takeover.verdict.blocked",
            Variant::Ataxx => "takeover.verdict.stuck",
        };
        words.say(
            name,
            &[("color", &color), ("loser", &loser), ("n", &n), ("m", &m)],
        )
    }
}
