//! Bone tiles on a table, and three draughts each.

use std::rc::Rc;

use nonaga::{Hex, Move, Nonaga, ParsePositionError, Phase};
use rules::{ByPlayer, Player, Position, sort_short};

use crate::{
    Color, Cue, Deed, Easing, Edit, EditError, Key, Kind, Node, Outline, Paint, Picture, Plan,
    PlayerStatus, Point, Pose, Presentation, Rect, Scene, Segment, Shape, Sketch, Sound, Steps,
    Target, Tool, Track, Words,
    picture::{color_name, dots, star},
    scene::push_still,
    shape::bounds_of,
};

/// The radius of a cell.
const CELL: f64 = 38.0;
const PIECE: f64 = 22.0;

/// In milliseconds, with cubic ease-out, from the rule sheet.
const MOVE_TIME: f64 = 800.0;

/// The space around the cells that may come into play.
const AIR: f64 = 10.0;

/// Coordinates for display, with a real minus sign.
fn shown(hex: Hex) -> String {
    hex.to_string().replace('-', "−")
}

/// The spacing of the rule sheet, so that tiles mesh.
fn center(hex: Hex, is_flipped: bool) -> Point {
    let (q, r) = (f64::from(hex.q), f64::from(hex.r));
    let at = Point::new(1.5 * q, 3_f64.sqrt() * (q / 2.0 + r)) * CELL;
    if is_flipped { at * -1.0 } else { at }
}

/// The tiles and one cell around them, so that the view does not jump when a tile is
/// lifted. It follows the board as it drifts.
fn view(position: &Nonaga, is_flipped: bool, is_bare: bool) -> Rect {
    let centers = position.tiles().iter().map(|hex| center(hex, is_flipped));
    let bounds = bounds_of(centers);
    let ring = if is_bare { 0.0 } else { 1.0 };
    let width = bounds.width + CELL * (2.0 + 3.0 * ring);
    let height = bounds.height + CELL * 3_f64.sqrt() * (1.0 + 2.0 * ring);
    let middle = bounds.center() + Point::new(0.0, 3.0);
    Rect::around(middle, width.max(height) / 2.0 + AIR)
}

/// The tiles and the cells around them, which fit into the view, in ascending order.
fn spots(position: &Nonaga) -> Vec<Hex> {
    let tiles = position.tiles();
    let reach = |coordinate: fn(Hex) -> i32| {
        let all = tiles.iter().map(coordinate);
        let ends = all.clone().min().zip(all.max());
        ends.map_or(0..0, |(least, most)| least - 1..most + 2)
    };
    let (columns, rows) = (reach(|hex| hex.q), reach(|hex| hex.r));
    let plane = columns.flat_map(|q| rows.clone().map(move |r| Hex { q, r }));
    let is_tile = |hex| tiles.contains(hex);
    plane
        .filter(|&hex| is_tile(hex) || hex.neighbors().into_iter().any(is_tile))
        .collect()
}

fn key(kind: Kind, hex: Hex) -> Key {
    // The board drifts, but never so far in a match that two places of one picture
    // get the same number.
    let number = (hex.q as u32 & 0xffff) << 16 | hex.r as u32 & 0xffff;
    Key::new(kind, number)
}

fn owner(position: &Nonaga, hex: Hex) -> Option<Player> {
    let stands = |&player: &Player| position.pieces(player).contains(&hex);
    Player::BOTH.into_iter().find(stands)
}

fn colors(player: Player) -> (Color, Color) {
    match player {
        Player::First => (Color::TileFirst, Color::TileFirstSide),
        Player::Second => (Color::TileSecond, Color::TileSecondSide),
    }
}

fn tile() -> Vec<Shape> {
    let middle = Point::default();
    let side = |at, radius| {
        Shape::hexagon(at, radius)
            .filled(Color::TileSide)
            .lined(Color::TileSide, 3.4)
    };
    vec![
        side(Point::new(0.0, 6.0), 35.2),
        side(middle, 36.0),
        Shape::hexagon(middle, 35.0)
            .painted(Paint::Vertical(Color::TileTop, Color::TileFoot))
            .lined(Color::TileFoot, 3.4),
        Shape::hexagon(middle, 33.4)
            .lined(Color::TileBevel, 1.6)
            .faded(0.9),
    ]
}

/// Six dots: the tile can be lifted.
fn grip(center: Point, reach: f64, color: Color, width: f64) -> Shape {
    let mut segments = Vec::new();
    for y in [-0.5, 0.5] {
        for x in [-1.0, 0.0, 1.0] {
            let at = center + Point::new(x * reach, y * reach * 1.1);
            segments.push(Segment::Move(at));
            segments.push(Segment::Line(at + Point::new(0.01, 0.0)));
        }
    }
    Shape::path(segments).lined(color, width)
}

fn lifted_tile() -> Vec<Shape> {
    let lift = Point::new(0.0, -7.0);
    let mut shapes = vec![
        Shape::hexagon(Point::new(0.0, 16.0), 35.0)
            .filled(Color::Black)
            .faded(0.28),
    ];
    shapes.extend(tile().into_iter().map(|shape| shape.moved(lift)));
    shapes.push(Shape::hexagon(lift, 35.0).filled(Color::Lamp).faded(0.42));
    shapes.push(Shape::hexagon(lift, 35.0).lined(Color::OnLamp, 5.5));
    shapes.push(Shape::hexagon(lift, 35.0).lined(Color::Lamp, 3.0));
    shapes.push(grip(lift, 7.0, Color::OnLamp, 4.0));
    shapes
}

fn piece(player: Player, has_ring: bool) -> Rc<[Shape]> {
    let (face, side) = colors(player);
    let top = Point::new(0.0, -2.5);
    let mut shapes = vec![
        Shape::circle(Point::new(0.0, 8.0), PIECE + 0.3)
            .filled(Color::Black)
            .faded(0.22),
        Shape::circle(Point::new(0.0, 2.5), PIECE).filled(side),
        Shape::circle(top, PIECE).filled(face).lined(side, 1.0),
        Shape::circle(top, 16.5)
            .lined(Color::White, 1.4)
            .faded(0.38),
    ];
    shapes.extend(dots(top, PIECE, player, Color::White));
    if has_ring {
        shapes.push(Shape::circle(top, 26.5).lined(Color::OnLamp, 5.5));
        shapes.push(Shape::circle(top, 26.5).lined(Color::Lamp, 3.2));
    }
    shapes.into()
}

/// A dashed hexagon with a plus: a tile can be put here.
fn place(center: Point) -> Vec<Shape> {
    let at = center + Point::new(0.0, 2.0);
    let plus = vec![
        Segment::Move(at + Point::new(-6.0, 0.0)),
        Segment::Line(at + Point::new(6.0, 0.0)),
        Segment::Move(at + Point::new(0.0, -6.0)),
        Segment::Line(at + Point::new(0.0, 6.0)),
    ];
    vec![
        Shape::hexagon(at, 33.0).filled(Color::Surface).faded(0.34),
        Shape::hexagon(at, 33.0).dashed(Color::Ink2, 1.8, 5.0, 4.5),
        Shape::path(plus).lined(Color::Ink, 2.4),
    ]
}

/// A ring with a black edge: a piece can stop here.
fn stop(center: Point) -> Vec<Shape> {
    vec![
        Shape::circle(center, 17.0).filled(Color::Lamp).faded(0.3),
        Shape::circle(center, 17.0).lined(Color::OnLamp, 6.5),
        Shape::circle(center, 17.0).lined(Color::Lamp, 4.0),
    ]
}

/// A star: a piece that stops here wins.
fn winning_stop(center: Point) -> Vec<Shape> {
    let mut shapes = stop(center);
    let star = star(center, 24.0).filled(Color::Lamp);
    shapes.push(star.lined(Color::OnLamp, 2.6));
    shapes
}

/// The last slide or shift: dashed at its origin, solid at its destination.
fn trail(before: &Nonaga, m: Move, is_flipped: bool) -> Vec<Shape> {
    let (face, _) = colors(before.turn());
    match m {
        Move::Slide { from, to } => {
            let (from, to) = (center(from, is_flipped), center(to, is_flipped));
            vec![
                Shape::lines(&[from, to]).dashed(face, 5.0, 0.1, 11.0),
                Shape::circle(from, 15.0).dashed(face, 2.0, 4.0, 5.0),
                Shape::circle(to, 26.5).lined(face, 3.0),
            ]
        }
        Move::Shift { from, to } => vec![
            Shape::hexagon(center(from, is_flipped) + Point::new(0.0, 2.0), 27.0)
                .dashed(face, 2.0, 4.0, 5.0),
            Shape::hexagon(center(to, is_flipped), 27.0).lined(face, 3.0),
            Shape::circle(center(to, is_flipped), 5.0).filled(face),
        ],
        Move::Pass => Vec::new(),
    }
}

/// The selected tile.
fn lifted(sketch: &Sketch<'_, Nonaga>) -> Option<Hex> {
    let is_shift = sketch.position.phase() == Phase::Shift;
    sketch.selected().filter(|_| is_shift)
}

/// Whether there is a tile that can be lifted.
fn is_loose(sketch: &Sketch<'_, Nonaga>, hex: Hex) -> bool {
    let is_shift = sketch.position.phase() == Phase::Shift;
    is_shift && sketch.selected().is_none() && sketch.is_open(hex)
}

/// All tiles but the selected one.
fn draw_tiles(nodes: &mut Vec<Node>, sketch: &Sketch<'_, Nonaga>, tiles: &[Hex]) {
    let plain: Rc<[Shape]> = tile().into();
    let mut shapes = tile();
    shapes.push(grip(Point::default(), 6.0, Color::TileGrip, 3.2));
    let loose: Rc<[Shape]> = shapes.into();
    let up = Point::new(0.0, -2.0);
    let raised: Rc<[Shape]> = loose.iter().cloned().map(|shape| shape.moved(up)).collect();
    for &hex in tiles.iter().filter(|&&hex| lifted(sketch) != Some(hex)) {
        let shapes = match is_loose(sketch, hex) {
            true if sketch.hover == Some(hex) => &raised,
            true => &loose,
            false => &plain,
        };
        let at = center(hex, sketch.look.is_flipped);
        let mut shapes = Rc::clone(shapes);
        if sketch.look.has_coordinates && owner(sketch.position, hex).is_none() {
            let name = name(hex, Point::new(0.0, 25.0), Color::OnLamp, sketch);
            shapes = shapes.iter().cloned().chain([name]).collect();
        }
        nodes.push(Node::moving(key(Kind::Tile, hex), at, shapes));
    }
}

/// The coordinates of a cell, to be written at `at`.
fn name(hex: Hex, at: Point, color: Color, sketch: &Sketch<'_, Nonaga>) -> Shape {
    let size = if sketch.look.is_large { 14.0 } else { 11.0 };
    Shape::text(at, size, shown(hex)).filled(color)
}

/// All pieces but those of the winner.
fn draw_pieces(nodes: &mut Vec<Node>, sketch: &Sketch<'_, Nonaga>, winner: Option<Player>) {
    let at = |hex| center(hex, sketch.look.is_flipped);
    let players = Player::BOTH.into_iter();
    let players = players.filter(|&player| winner != Some(player));
    let mut pieces: Vec<(Player, Hex)> = players
        .flat_map(|player| sketch.position.pieces(player).map(|hex| (player, hex)))
        .collect();
    sort_short(&mut pieces, |(_, a), (_, b)| at(*a).y < at(*b).y);
    for (player, hex) in pieces {
        let mut shapes = piece(player, sketch.selected() == Some(hex));
        if sketch.look.has_coordinates {
            let name = name(hex, Point::new(0.0, 15.0), Color::White, sketch);
            shapes = shapes.iter().cloned().chain([name]).collect();
        }
        nodes.push(Node::moving(key(Kind::Piece, hex), at(hex), shapes));
    }
}

/// The three pieces that met, marked and joined.
fn draw_win(nodes: &mut Vec<Node>, sketch: &Sketch<'_, Nonaga>, winner: Player, view: Rect) {
    let is_flipped = sketch.look.is_flipped;
    let pieces = sketch.position.pieces(winner);
    let wide = Rect::around(view.center(), view.width);
    let veil = Shape::rect(wide, 0.0).filled(Color::TileTable).faded(0.66);
    nodes.push(Node::still(vec![veil]));
    let shapes: Rc<[Shape]> = tile().into();
    for hex in pieces {
        nodes.push(Node::moving(
            key(Kind::Tile, hex),
            center(hex, is_flipped),
            Rc::clone(&shapes),
        ));
    }
    let up = Point::new(0.0, -2.5);
    let mut joints = Vec::new();
    for (index, a) in pieces.into_iter().enumerate() {
        for &b in pieces[index + 1..].iter().filter(|&&b| a.distance(b) == 1) {
            joints.push(Segment::Move(center(a, is_flipped) + up));
            joints.push(Segment::Line(center(b, is_flipped) + up));
        }
    }
    nodes.push(Node::still(vec![
        Shape::path(joints.clone()).lined(Color::OnLamp, 13.0),
        Shape::path(joints).lined(Color::Lamp, 10.0),
    ]));
    let shapes = piece(winner, true);
    for hex in pieces {
        let at = center(hex, is_flipped);
        nodes.push(Node::moving(key(Kind::Piece, hex), at, Rc::clone(&shapes)));
    }
}

/// Why the tile on `hex` can't be lifted now.
fn why_fixed(position: &Nonaga, hex: Hex) -> &'static str {
    if owner(position, hex).is_some() {
        "nonaga.refusal.piece"
    } else if position.barred() == Some(hex) {
        "nonaga.refusal.barred"
    } else if !position.tiles().may_lift(hex) {
        "nonaga.refusal.holds"
    } else {
        // R8, the only reason left.
        "nonaga.refusal.enclosed"
    }
}

/// Why the piece on `from` can't stop on the tile `to`.
fn why_no_stop(position: &Nonaga, from: Hex, to: Hex) -> &'static str {
    // A slide is the only shortest path between its ends.
    let passes = |m: Move| match m {
        Move::Slide {
            from: start,
            to: end,
        } => start == from && from.distance(to) + to.distance(end) == from.distance(end),
        _ => false,
    };
    let way = to - from;
    let is_straight = way.q == 0 || way.r == 0 || way.q == -way.r;
    if position.legal_moves().into_iter().any(passes) {
        "nonaga.refusal.through"
    } else if is_straight {
        "nonaga.refusal.blocked"
    } else {
        "nonaga.refusal.straight"
    }
}

fn label(sketch: &Sketch<'_, Nonaga>, hex: Hex) -> String {
    let words = sketch.look.words;
    let position = sketch.position;
    let what = match owner(position, hex) {
        Some(player) => {
            let color = color_name::<Nonaga>(player, words);
            words.say("nonaga.place.piece", &[("color", &color)])
        }
        None if position.tiles().contains(hex) => {
            let may_be_taken = sketch.selected().is_none() && sketch.is_open(hex);
            let name = if may_be_taken {
                "nonaga.place.loose"
            } else {
                "nonaga.place.tile"
            };
            words.say(name, &[])
        }
        None => words.say("nonaga.place.none", &[]),
    };
    let state = sketch.place_state(hex, |m| match m {
        Move::Shift { .. } => "place.put",
        _ => "place.slide",
    });
    words.say(
        "nonaga.place",
        &[("at", &shown(hex)), ("what", &what), ("state", &state)],
    )
}

impl Picture for Nonaga {
    type Spot = Hex;

    const PRESENTATION: Presentation = Presentation {
        // From the rule sheet, like the random color and the confetti.
        answer_time: 800.0,
        draws_lots: true,
        confetti: &[
            Color::TileFirst,
            Color::Accent,
            Color::Lamp,
            Color::TileSecond,
        ],
        ..Presentation::new(
            r#"<path d="M16.3 16L12.9 21.9H6.1L2.7 16L6.1 10.1H12.9Z"/><path class="f" d="M28.1 9.2L24.7 15.1H17.9L14.5 9.2L17.9 3.3H24.7Z"/><path d="M28.1 22.8L24.7 28.7H17.9L14.5 22.8L17.9 16.9H24.7Z"/>"#,
        )
    };

    const TOOLS: &'static [Tool] = &[Tool::Move];

    fn ways(&self, m: Move) -> Vec<Vec<Hex>> {
        match m {
            Move::Slide { from, to } | Move::Shift { from, to } => vec![vec![from, to]],
            Move::Pass => Vec::new(),
        }
    }

    fn pass() -> Option<Move> {
        Some(Move::Pass)
    }

    fn draw(sketch: &Sketch<'_, Self>) -> Scene {
        let position = sketch.position;
        let is_flipped = sketch.look.is_flipped;
        let is_bare = sketch.look.is_bare;
        let view = view(position, is_flipped, is_bare);
        let at = |hex| center(hex, is_flipped);
        let mut nodes = Vec::new();
        if !is_bare {
            let wide = Rect::around(view.center(), view.width * 2.0);
            nodes.push(Node::still(vec![
                Shape::rect(wide, 0.0).filled(Color::TileTable),
            ]));
        }

        // Nearer tiles cover farther ones.
        let mut tiles: Vec<Hex> = position.tiles().iter().collect();
        sort_short(&mut tiles, |&a, &b| at(a).y < at(b).y);
        let shadow: Rc<[Shape]> = Rc::new([Shape::hexagon(Point::new(0.0, 13.0), 37.0)
            .filled(Color::Black)
            .faded(0.2)]);
        nodes.extend(
            tiles
                .iter()
                .map(|&hex| Node::moving(key(Kind::Shadow, hex), at(hex), Rc::clone(&shadow))),
        );
        let spots = spots(position);
        let places = spots.iter().copied();
        let places = places.filter(|&hex| !position.tiles().contains(hex));
        let places = places.filter(|&hex| sketch.destination(hex).is_some());
        let places = places.flat_map(|hex| {
            let mut shapes = place(at(hex));
            if sketch.look.has_coordinates {
                let foot = at(hex) + Point::new(0.0, 25.0);
                shapes.push(name(hex, foot, Color::Ink, sketch));
            }
            shapes
        });
        push_still(&mut nodes, places.collect());
        draw_tiles(&mut nodes, sketch, &tiles);
        // Three connected pieces, rather than a resignation.
        let winner = sketch.winner().filter(|_| position.outcome().is_some());
        if winner.is_none() && !is_bare {
            let turn = sketch.earlier.into_iter().chain(sketch.last);
            let marks = turn.flat_map(|(before, m)| trail(before, m, is_flipped));
            push_still(&mut nodes, marks.collect());
        }
        if position.phase() == Phase::Slide {
            let stops = tiles.iter().filter_map(|&hex| {
                let m = sketch.destination(hex)?;
                Some(if sketch.wins(m) {
                    winning_stop(at(hex))
                } else {
                    stop(at(hex))
                })
            });
            push_still(&mut nodes, stops.flatten().collect());
        }
        draw_pieces(&mut nodes, sketch, winner);
        if let Some(hex) = lifted(sketch) {
            let mut shapes = lifted_tile();
            if sketch.look.has_coordinates {
                shapes.push(name(hex, Point::new(0.0, 18.0), Color::OnLamp, sketch));
            }
            nodes.push(Node::moving(key(Kind::Tile, hex), at(hex), shapes.into()));
        }
        if let Some(winner) = winner {
            draw_win(&mut nodes, sketch, winner, view);
        }

        let targets = spots.into_iter().map(|hex| Target {
            id: hex.to_string(),
            at: at(hex),
            outline: Outline::Hexagon(CELL),
            label: label(sketch, hex),
        });
        Scene {
            view,
            ground: Rc::new([]),
            nodes,
            targets: targets.collect(),
            is_vast: false,
            rulers: None,
        }
    }

    fn token(player: Player) -> Vec<Shape> {
        let (face, side) = colors(player);
        let middle = Point::default();
        let mut shapes = vec![
            Shape::circle(middle, 12.5).filled(face).lined(side, 1.5),
            Shape::circle(middle, 9.5)
                .lined(Color::White, 0.9)
                .faded(0.4),
        ];
        shapes.extend(dots(middle, 12.5, player, Color::White));
        shapes
    }

    fn plan(sketch: &Sketch<'_, Self>) -> Plan {
        let mut plan = Plan::default();
        let Some((before, m)) = sketch.last else {
            return plan;
        };
        let is_flipped = sketch.look.is_flipped;
        let away = |from, to| Pose::moved(center(from, is_flipped) - center(to, is_flipped));
        let track = |key, from, to| Track::new(key, MOVE_TIME, Easing::Out, away(from, to));
        if m != Move::Pass {
            // It has nearly come to rest when it is heard.
            let place = Cue::new(0.6 * MOVE_TIME, Sound::Place);
            plan.cues = vec![Cue::new(0.0, Sound::Slide), place];
        }
        match m {
            Move::Slide { from, to } => {
                plan.tracks
                    .push(track(key(Kind::Piece, to), from, to).raised());
            }
            Move::Shift { from, to } => {
                plan.tracks
                    .push(track(key(Kind::Tile, to), from, to).raised());
                plan.tracks.push(track(key(Kind::Shadow, to), from, to));
                let views = [before, sketch.position]
                    .map(|position| view(position, is_flipped, sketch.look.is_bare));
                plan.view = (views[0] != views[1]).then_some((views[0], MOVE_TIME));
            }
            Move::Pass => {}
        }
        plan
    }

    fn side(&self, _player: Player) -> PlayerStatus {
        PlayerStatus::default()
    }

    /// R3 and R5: a turn is a slide and then a shift.
    fn steps(&self) -> Option<Steps> {
        Some(Steps {
            names: &["nonaga.step.slide", "nonaga.step.shift"],
            current: match self.phase() {
                Phase::Slide => 0,
                Phase::Shift => 1,
            },
        })
    }

    fn advice(sketch: &Sketch<'_, Self>) -> String {
        let name = match (sketch.position.phase(), sketch.selected()) {
            (Phase::Slide, None) => "nonaga.advice.slide",
            (Phase::Slide, Some(_)) => "nonaga.advice.stop",
            (Phase::Shift, None) => "nonaga.advice.shift",
            (Phase::Shift, Some(_)) => "nonaga.advice.put",
        };
        sketch.look.words.say(name, &[])
    }

    /// R4: a player wins with all three together.
    fn deed(&self, after: &Self) -> Option<Deed> {
        let is_together = |position: &Self| {
            let pieces = position.pieces(self.turn());
            let touches = |piece: &Hex| piece.neighbors().iter().any(|hex| pieces.contains(hex));
            pieces.iter().any(touches)
        };
        (!is_together(self) && is_together(after)).then_some(Deed::Joins)
    }

    /// With a real minus sign, and an arrow between two places.
    fn notation(&self, m: Move, _after: &Self) -> String {
        m.to_string().replace('-', "−").replace('>', " › ")
    }

    fn tale(&self, m: Move, after: &Self, words: &Words) -> String {
        let color = color_name::<Self>(self.turn(), words);
        match m {
            Move::Pass => words.say("tale.pass", &[("color", &color)]),
            Move::Slide { from, to } | Move::Shift { from, to } => {
                let name = match m {
                    Move::Shift { .. } => "nonaga.tale.shift",
                    _ if after.outcome().is_some() => "nonaga.tale.win",
                    _ => "nonaga.tale.slide",
                };
                let (from, to) = (shown(from), shown(to));
                words.say(name, &[("color", &color), ("from", &from), ("to", &to)])
            }
        }
    }

    fn refusal(&self, spot: Hex, selected: Option<Hex>, words: &Words) -> Option<String> {
        let is_tile = self.tiles().contains(spot);
        let name = match (self.phase(), selected, owner(self, spot)) {
            (Phase::Shift, _, _) if is_tile => why_fixed(self, spot),
            (Phase::Shift, Some(_), _) => "nonaga.refusal.touch",
            (Phase::Shift, None, _) => "nonaga.refusal.no-tile",
            (Phase::Slide, None, Some(player)) if player == self.turn() => "refusal.stuck",
            (Phase::Slide, None, Some(_)) => "refusal.theirs",
            (Phase::Slide, None, None) => "nonaga.refusal.slide-first",
            (Phase::Slide, Some(_), Some(_)) => "nonaga.refusal.taken",
            (Phase::Slide, Some(from), None) if is_tile => why_no_stop(self, from, spot),
            (Phase::Slide, Some(_), None) => "nonaga.refusal.off-board",
        };
        Some(words.say(name, &[("to", &shown(spot))]))
    }

    fn edited(&self, edit: Edit<Hex>) -> Result<Self, EditError> {
        let (from, to) = match edit {
            Edit::Turn(player) => return Ok(self.with_turn(player)),
            Edit::Move(from, to) => (from, to),
            Edit::Block(_) => return Err(EditError::new("edit.obstacles")),
            Edit::Put(..) | Edit::Remove(_) => return Err(EditError::new("nonaga.edit.count")),
        };
        let moved = |hex| if hex == from { to } else { hex };
        let mut tiles: Vec<Hex> = self.tiles().iter().collect();
        let mut pieces = ByPlayer::from_fn(|player| self.pieces(player));
        match owner(self, from) {
            Some(player) => pieces[player] = pieces[player].map(moved),
            None if self.tiles().contains(from) => {
                tiles.iter_mut().for_each(|hex| *hex = moved(*hex));
            }
            None => return Err(EditError::nothing_at(shown(from))),
        }
        self.rearranged(&tiles, pieces).map_err(|error| {
            EditError::new(match error {
                ParsePositionError::Twice(hex) if owner(self, hex).is_none() => "nonaga.edit.tile",
                ParsePositionError::Twice(_) | ParsePositionError::Crowded(_) => {
                    "nonaga.refusal.taken"
                }
                ParsePositionError::NoTile(_) => "nonaga.refusal.off-board",
                ParsePositionError::Split => "nonaga.edit.split",
                _ => "edit.illegal",
            })
        })
    }

    fn verdict(&self, winner: Player, words: &Words) -> String {
        let color = color_name::<Self>(winner, words);
        words.say("nonaga.verdict", &[("color", &color)])
    }
}
