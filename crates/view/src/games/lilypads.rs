//! A pond: pads, blossoms and pieces on dark water.

use std::{
    f64::consts::{PI, TAU},
    rc::Rc,
    sync::{Arc, Mutex},
};

use lilypads::{BOARD_SIZE, Board, Circle, Lilypads, Move};
use rules::{Player, Position};

use crate::{
    Color, Easing, Key, Kind, Node, Outline, Paint, Picture, Plan, Point, Pose, Presentation, Rect,
    Scene, Segment, Shape, Side, Sketch, Target, Track, Words,
    picture::{color_name, dots},
    scene::push_still,
};

const SIZE: f64 = BOARD_SIZE as f64;

/// The radius of a piece, as a share of its circle's.
const PIECE: f64 = 0.57;

/// In milliseconds.
const STEP_TIME: f64 = 320.0;
const LEAP_TIME: f64 = 420.0;
const HOME_TIME: f64 = 420.0;

/// A board takes a while to draw from its number, and positions carry the
/// number only, so the last few are kept.
fn board(position: &Lilypads) -> Arc<Board> {
    const N_KEPT: usize = 4;
    static BOARDS: Mutex<Vec<Arc<Board>>> = Mutex::new(Vec::new());

    let number = position.number();
    let mut boards = BOARDS.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(board) = boards.iter().find(|board| board.number() == number) {
        return Arc::clone(board);
    }
    let board = Arc::new(position.board());
    if boards.len() == N_KEPT {
        boards.remove(0);
    }
    boards.push(Arc::clone(&board));
    board
}

/// A circle of the board as it is seen.
#[derive(Clone, Copy)]
struct Pad {
    center: Point,
    radius: f64,
}

impl Pad {
    fn of(board: &Board, circle: Circle, is_flipped: bool) -> Self {
        let disc = board.disc(circle);
        let center = Point::new(f64::from(disc.center.x), f64::from(disc.center.y));
        Self {
            center: if is_flipped {
                Point::new(SIZE, SIZE) - center
            } else {
                center
            },
            radius: f64::from(disc.radius),
        }
    }

    /// The point at an angle, `share` of the radius away from the center.
    fn at(&self, angle: f64, share: f64) -> Point {
        self.center + Point::polar(angle, self.radius * share)
    }

    fn ring(&self, radius: f64) -> Shape {
        Shape::circle(self.center, radius)
    }
}

/// What a circle is at the start of a match.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Start(Player),
    Entry(Player),
    Plain,
}

fn role(board: &Board, circle: Circle) -> Role {
    let graph = board.graph();
    let is_start = |&player: &Player| graph.start(player) == circle;
    let is_entry = |&player: &Player| graph.neighbors(graph.start(player)).contains(circle);
    let start = Player::BOTH.into_iter().find(is_start).map(Role::Start);
    let entry = || Player::BOTH.into_iter().find(is_entry).map(Role::Entry);
    start.or_else(entry).unwrap_or(Role::Plain)
}

fn color(player: Player) -> Color {
    match player {
        Player::First => Color::PondFirst,
        Player::Second => Color::PondSecond,
    }
}

fn trail_color(player: Player) -> Color {
    match player {
        Player::First => Color::PondFirstTrail,
        Player::Second => Color::PondSecondTrail,
    }
}

fn ground(board: &Board, is_flipped: bool, is_bare: bool) -> Vec<Shape> {
    let pads: Vec<Pad> = Circle::all()
        .map(|c| Pad::of(board, c, is_flipped))
        .collect();
    let mut shapes = Vec::new();
    if !is_bare {
        let water = Paint::Radial(Color::PondMiddle, Color::PondRim, 0.0);
        shapes.push(Shape::rect(Rect::square(SIZE), 0.0).painted(water));
    }
    for pad in &pads {
        let ripples = [
            (30.0, 9.0, 2.5, 0.8),
            (30.0, 21.0, 1.8, 0.5),
            (60.0, 37.0, 1.2, 0.35),
        ];
        for (least, out, width, opacity) in ripples {
            if pad.radius > least {
                let at = pad.center + Point::new(0.0, 4.0);
                let ripple = Shape::circle(at, pad.radius + out).lined(Color::PondRipple, width);
                shapes.push(ripple.faded(opacity).fine());
            }
        }
    }
    for (a, b) in board.edges() {
        let ends = [pads[a.index()].center, pads[b.index()].center];
        shapes.push(Shape::lines(&ends).lined(Color::PondEdge, 3.0));
    }
    for circle in Circle::all() {
        draw_pad(
            &mut shapes,
            &pads[circle.index()],
            circle,
            role(board, circle),
        );
    }
    shapes
}

fn draw_pad(shapes: &mut Vec<Shape>, pad: &Pad, circle: Circle, role: Role) {
    let radius = pad.radius;
    let shadow = pad.center + Point::new(0.0, (3.0 + radius * 0.05).min(7.0));
    shapes.push(
        Shape::circle(shadow, radius)
            .filled(Color::Black)
            .faded(0.16),
    );
    let fill = match role {
        Role::Start(player) => Paint::Solid(color(player)),
        Role::Entry(Player::First) => Paint::Solid(Color::PondFirstSoft),
        Role::Entry(Player::Second) => Paint::Solid(Color::PondSecondSoft),
        Role::Plain => Paint::Radial(Color::Pad, Color::PadShade, 0.0),
    };
    shapes.push(pad.ring(radius).painted(fill));
    let veins = match role {
        Role::Start(player) => {
            draw_blossom(shapes, pad, player);
            return;
        }
        Role::Entry(Player::First) => Color::PondFirstVein,
        Role::Entry(Player::Second) => Color::PondSecondVein,
        Role::Plain => Color::PadVein,
    };
    // The cut is somewhere in the upper half, so that numbers keep the foot.
    let cut = -2.7 + (circle.index() as f64 * 2.399) % 2.3;
    let n_veins = match radius {
        r if r > 60.0 => 11,
        r if r > 34.0 => 9,
        _ => 7,
    };
    let mut vein = Vec::new();
    for index in 1..n_veins {
        let angle = cut + TAU * f64::from(index) / f64::from(n_veins);
        let fork = 0.9 / f64::from(n_veins);
        vein.extend([
            Segment::Move(pad.at(angle, 0.14)),
            Segment::Line(pad.at(angle, 0.5)),
        ]);
        if radius > 26.0 {
            for side in [fork, -fork] {
                vein.push(Segment::Move(pad.at(angle, 0.42)));
                let handle = pad.at(angle + side * 0.2, 0.6);
                vein.push(Segment::Curve(handle, pad.at(angle + side, 0.84)));
            }
        }
    }
    let width = if radius > 40.0 { 1.4 } else { 1.0 };
    shapes.push(Shape::path(vein).lined(veins, width).faded(0.5).fine());
    if role == Role::Plain {
        let rim = pad.ring(radius * 0.93).lined(Color::White, radius * 0.05);
        shapes.push(rim.faded(0.28).fine());
    }
    let notch = vec![
        Segment::Move(pad.at(cut - 0.15, 1.0)),
        Segment::Curve(pad.at(cut - 0.05, 0.7), pad.at(cut, 0.26)),
        Segment::Curve(pad.at(cut + 0.05, 0.7), pad.at(cut + 0.15, 1.0)),
        Segment::Curve(pad.at(cut, 1.022), pad.at(cut - 0.15, 1.0)),
        Segment::Close,
    ];
    shapes.push(
        Shape::path(notch)
            .filled(Color::PadNotch)
            .lined(veins, 1.2)
            .fine(),
    );
    // Pink and grey look the same to some eyes, so the rings tell.
    let rings: &[f64] = match role {
        Role::Entry(Player::First) => &[6.0],
        Role::Entry(Player::Second) => &[6.0, 10.0],
        _ => &[],
    };
    let ring_color = if role == Role::Entry(Player::First) {
        Color::PondFirstRing
    } else {
        Color::PondSecondRing
    };
    for inset in rings {
        shapes.push(pad.ring(radius - inset).lined(ring_color, 1.6));
    }
    draw_border(shapes, pad);
}

fn draw_border(shapes: &mut Vec<Shape>, pad: &Pad) {
    shapes.push(pad.ring(pad.radius + 2.0).lined(Color::PadHalo, 1.6));
    shapes.push(pad.ring(pad.radius).lined(Color::PadLine, 2.6));
}

/// First has six round petals and one ring, Second ten narrow ones and two.
fn draw_blossom(shapes: &mut Vec<Shape>, pad: &Pad, player: Player) {
    let (n_petals, width, belly, rings): (u8, f64, f64, &[f64]) = match player {
        Player::First => (6, 0.36, 0.56, &[6.0]),
        Player::Second => (10, 0.2, 0.46, &[6.0, 10.0]),
    };
    let mut petals = Vec::new();
    for index in 0..n_petals {
        let angle = TAU * f64::from(index) / f64::from(n_petals) - PI / 2.0;
        petals.extend([
            Segment::Move(pad.at(angle, 0.16)),
            Segment::Curve(pad.at(angle - width, belly), pad.at(angle, 0.7)),
            Segment::Curve(pad.at(angle + width, belly), pad.at(angle, 0.16)),
            Segment::Close,
        ]);
    }
    let petals = Shape::path(petals);
    shapes.push(petals.clone().filled(Color::White).faded(0.2));
    shapes.push(petals.lined(Color::White, 1.8));
    shapes.push(pad.ring(pad.radius * 0.1).filled(Color::Lamp));
    for inset in rings {
        shapes.push(
            pad.ring(pad.radius - inset)
                .lined(Color::White, 1.6)
                .faded(0.75),
        );
    }
    draw_border(shapes, pad);
}

/// A piece around the middle of nothing.
fn piece(player: Player, radius: f64) -> Rc<[Shape]> {
    let center = Point::default();
    let mut shapes = vec![
        Shape::circle(Point::new(0.0, 3.0), radius)
            .filled(Color::Black)
            .faded(0.3),
        Shape::circle(center, radius)
            .filled(color(player))
            .lined(Color::PadLine, (radius * 0.07).max(1.5)),
        Shape::circle(center, radius * 0.78)
            .lined(Color::White, (radius * 0.05).max(1.0))
            .faded(0.42),
    ];
    shapes.extend(dots(center, radius, player, Color::White));
    shapes.into()
}

fn piece_key(circle: Circle) -> Key {
    Key::new(Kind::Piece, circle.index() as u32)
}

/// Where a move goes through: over the piece leapt over, if it is a leap.
fn is_leap(position: &Lilypads, from: Circle, to: Circle) -> bool {
    !position.graph().neighbors(from).contains(to)
}

/// Where `m` leads from and to.
fn ends(position: &Lilypads, m: Move) -> Option<(Circle, Circle)> {
    match m {
        Move::Enter { to } => Some((position.graph().start(position.turn()), to)),
        Move::Go { from, to } => Some((from, to)),
        Move::Pass => None,
    }
}

fn owner(position: &Lilypads, circle: Circle) -> Option<Player> {
    let stands = |&player: &Player| position.pieces(player).contains(circle);
    Player::BOTH.into_iter().find(stands)
}

/// The mark for a way to go: a dot, an arch or four ticks.
fn mark(sketch: &Sketch<'_, Lilypads>, pad: &Pad, to: Circle, m: Move) -> Vec<Shape> {
    let size = (pad.radius * 0.2).clamp(6.0, 10.0);
    if owner(sketch.position, to).is_some() {
        return vec![ticks(pad, 4.5)];
    }
    match m {
        Move::Go { from, to } if is_leap(sketch.position, from, to) => arch(pad.center, size),
        _ => vec![pad.ring(size).filled(Color::PadLine)],
    }
}

fn ticks(pad: &Pad, width: f64) -> Shape {
    let mut segments = Vec::new();
    for index in 0..4 {
        let angle = PI / 4.0 + f64::from(index) * PI / 2.0;
        segments.push(Segment::Move(pad.at(angle, 0.66)));
        segments.push(Segment::Line(pad.at(angle, 0.9)));
    }
    Shape::path(segments).lined(Color::PadLine, width)
}

fn arch(center: Point, size: f64) -> Vec<Shape> {
    let foot = |x: f64| center + Point::new(x * size, 0.7 * size);
    let top = center + Point::new(0.0, -0.9 * size);
    let corner = |x: f64| center + Point::new(x * size, -0.9 * size);
    let segments = vec![
        Segment::Move(foot(-1.5)),
        Segment::Curve(corner(-1.5), top),
        Segment::Curve(corner(1.5), foot(1.5)),
    ];
    vec![
        Shape::path(segments).lined(Color::PadLine, 0.36 * size),
        Shape::circle(foot(1.5), 0.42 * size).filled(Color::PadLine),
    ]
}

fn label(sketch: &Sketch<'_, Lilypads>, board: &Board, circle: Circle) -> String {
    let words = sketch.look.words;
    let what = match (owner(sketch.position, circle), role(board, circle)) {
        (Some(player), _) => {
            let color = color_name::<Lilypads>(player, words);
            words.say("lilypads.place.piece", &[("color", &color)])
        }
        (None, Role::Start(player)) => {
            let color = color_name::<Lilypads>(player, words);
            words.say("lilypads.place.start", &[("color", &color)])
        }
        (None, _) => words.say("place.empty", &[]),
    };
    let neighbors = sketch.position.graph().neighbors(circle).iter();
    let neighbors = neighbors.map(|circle| circle.to_string());
    let neighbors = neighbors.reduce(|a, b| words.say("list.and", &[("a", &a), ("b", &b)]));
    let neighbors = neighbors.unwrap_or_default();
    let state = sketch.place_state(circle, |m| match (m, owner(sketch.position, circle)) {
        (_, Some(_)) => "place.capture",
        (Move::Go { from, to }, None) if is_leap(sketch.position, from, to) => "place.leap",
        (Move::Enter { .. }, None) => "place.enter",
        _ => "place.step",
    });
    let values: [(&str, &dyn std::fmt::Display); 4] = [
        ("n", &circle),
        ("what", &what),
        ("neighbors", &neighbors),
        ("state", &state),
    ];
    words.say("lilypads.place", &values)
}

impl Picture for Lilypads {
    type Spot = Circle;

    const PRESENTATION: Presentation = Presentation {
        miniature: &[("board", "7")],
        // The sheet says so.
        answer_time: 500.0,
        ..Presentation::new(
            r#"<path d="M15.5 15.5l3 3M17.6 9.3l3-.8"/><circle cx="10.5" cy="10.5" r="7"/><circle cx="25" cy="7.5" r="4.2"/><circle class="f" cx="22.5" cy="22.5" r="6"/>"#,
        )
    };

    fn ways(&self, m: Move) -> Vec<Vec<Circle>> {
        ends(self, m)
            .map(|(from, to)| vec![from, to])
            .into_iter()
            .collect()
    }

    fn pass() -> Move {
        Move::Pass
    }

    fn draw(sketch: &Sketch<'_, Self>) -> Scene {
        let position = sketch.position;
        let look = &sketch.look;
        let board = board(position);
        let pad = |circle| Pad::of(&board, circle, look.is_flipped);
        let mut nodes = Vec::new();

        if let Some((before, m)) = sketch.last
            && let Some((from, to)) = ends(before, m)
            && !look.is_bare
        {
            let (a, b) = (pad(from), pad(to));
            let way = a.center.distance(b.center);
            let start = a.center.toward(b.center, a.radius / way);
            let end = b.center.toward(a.center, b.radius / way);
            let trail = Shape::lines(&[start, end]);
            let color = trail_color(before.turn());
            push_still(&mut nodes, vec![trail.dashed(color, 7.0, 0.1, 13.0)]);
        }

        let winner = sketch.winner();
        for circle in Circle::all() {
            let place = pad(circle);
            let way = sketch.destination(circle);
            let mut shapes = Vec::new();
            if way.is_some() {
                shapes.push(place.ring(place.radius).filled(Color::PadLit));
                shapes.push(place.ring(place.radius).lined(Color::PadLine, 2.6));
            }
            let is_won = winner.is_some_and(|winner| board.graph().start(winner) == circle);
            if sketch.selected() == Some(circle) || is_won {
                shapes.push(place.ring(place.radius - 4.0).lined(Color::Lamp, 6.0));
                shapes.push(place.ring(place.radius - 7.5).lined(Color::PadLine, 1.2));
            }
            let owner = owner(position, circle);
            if sketch.selected() == Some(circle) && owner.is_some() {
                shapes.push(place.ring(place.radius * PIECE + 5.0).filled(Color::Lamp));
            } else if sketch.hover == Some(circle) && owner.is_some() && sketch.is_open(circle) {
                shapes.push(
                    place
                        .ring(place.radius * PIECE + 3.0)
                        .lined(Color::White, 2.0),
                );
            }
            let is_start = matches!(role(&board, circle), Role::Start(_));
            let size = if look.is_large { 23.0 } else { 13.0 };
            let fits = way.is_none() || place.radius > size * 2.9;
            if !look.is_bare && owner.is_none() && !is_start && fits {
                let is_plain = role(&board, circle) == Role::Plain && way.is_none();
                let color = if is_plain {
                    Color::PadNumber
                } else {
                    Color::PadNumberLit
                };
                let down = if place.radius > size * 2.9 {
                    place.radius * 0.66 + 3.0
                } else {
                    size * 0.36
                };
                let at = place.center + Point::new(0.0, down);
                shapes.push(Shape::text(at, size, circle.to_string()).filled(color));
            }
            push_still(&mut nodes, shapes);
        }
        for player in Player::BOTH {
            for circle in position.pieces(player) {
                let place = pad(circle);
                let shapes = piece(player, place.radius * PIECE);
                nodes.push(Node::moving(piece_key(circle), place.center, shapes));
            }
        }
        let mut marks = Vec::new();
        for circle in Circle::all() {
            if let Some(m) = sketch.destination(circle) {
                marks.extend(mark(sketch, &pad(circle), circle, m));
            }
        }
        push_still(&mut nodes, marks);

        let targets = Circle::all().map(|circle| Target {
            id: circle.to_string(),
            at: pad(circle).center,
            outline: Outline::Circle(pad(circle).radius),
            label: label(sketch, &board, circle),
        });
        Scene {
            view: Rect::square(SIZE),
            ground: ground(&board, look.is_flipped, look.is_bare).into(),
            nodes,
            targets: targets.collect(),
            is_vast: false,
        }
    }

    fn token(player: Player) -> Vec<Shape> {
        piece(player, 12.0).to_vec()
    }

    fn plan(sketch: &Sketch<'_, Self>) -> Plan {
        let mut plan = Plan::default();
        let Some((before, m)) = sketch.last else {
            return plan;
        };
        let Some((from, to)) = ends(before, m) else {
            return plan;
        };
        let board = board(before);
        let pad = |circle| Pad::of(&board, circle, sketch.look.is_flipped);
        let (a, b) = (pad(from), pad(to));
        let leap = matches!(m, Move::Go { .. }) && is_leap(before, from, to);
        let size = a.radius / b.radius;
        let start = Pose {
            offset: a.center - b.center,
            ..Pose::scaled(size, size)
        };
        let time = if leap { LEAP_TIME } else { STEP_TIME };
        let mut track = Track::new(piece_key(to), time, Easing::InOut, start).raised();
        if leap {
            track.arc = 0.18 * a.center.distance(b.center) + 20.0;
        }
        plan.tracks.push(track);
        // R11: a captured piece goes home.
        if let Some(captured) = owner(before, to) {
            let home = pad(board.graph().start(captured));
            let key = Key::new(Kind::Ghost, to.index() as u32);
            plan.extras.push(Node::moving(
                key,
                b.center,
                piece(captured, b.radius * PIECE),
            ));
            let end = Pose {
                offset: home.center - b.center,
                opacity: 0.0,
                ..Pose::scaled(0.5, 0.5)
            };
            let away = Track::new(key, HOME_TIME, Easing::InOut, Pose::REST).ending(end);
            plan.tracks.push(away.after(time * 0.6).raised());
        }
        plan
    }

    fn side(&self, player: Player) -> Side {
        let board = board(self);
        Side {
            holding: Some((self.n_held(player), lilypads::N_PIECES)),
            counts: vec![("lilypads.pips", self.score(&board, player))],
            share: None,
        }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let board = board(self);
        let start = board.graph().start(Player::First);
        vec![
            ("fact.board", format!("#{}", self.number())),
            (
                "lilypads.crossing",
                board.pips(Player::First, start).to_string(),
            ),
        ]
    }

    fn advice(sketch: &Sketch<'_, Self>) -> String {
        let words = sketch.look.words;
        let n = sketch.n_open();
        match sketch.selected() {
            None => words.say("lilypads.advice", &[]),
            Some(circle) if owner(sketch.position, circle).is_some() => {
                words.say("lilypads.advice.piece", &[("from", &circle), ("n", &n)])
            }
            Some(_) => words.say("lilypads.advice.enter", &[("n", &n)]),
        }
    }

    fn legend(sketch: &Sketch<'_, Self>) -> Vec<(Vec<Shape>, &'static str)> {
        let mut legend = Vec::new();
        if sketch.selected().is_none() {
            return legend;
        }
        let middle = Point::new(10.0, 10.0);
        let ink = |shapes: Vec<Shape>| {
            let shapes = shapes.into_iter().map(|mut shape| {
                if let Some(stroke) = &mut shape.stroke {
                    stroke.color = Color::Ink2;
                }
                if shape.fill.is_some() {
                    shape.fill = Some(Paint::Solid(Color::Ink2));
                }
                shape
            });
            shapes.collect::<Vec<_>>()
        };
        let pad = Pad {
            center: middle,
            radius: 9.5,
        };
        legend.push((
            ink(vec![Shape::circle(middle, 4.0).filled(Color::PadLine)]),
            "lilypads.key.step",
        ));
        legend.push((ink(arch(middle, 4.8)), "lilypads.key.leap"));
        legend.push((ink(vec![ticks(&pad, 2.2)]), "lilypads.key.capture"));
        legend
    }

    fn tale(&self, m: Move, _after: &Self, words: &Words) -> String {
        let color = color_name::<Self>(self.turn(), words);
        match m {
            Move::Pass => words.say("tale.pass", &[("color", &color)]),
            Move::Enter { to } => {
                words.say("lilypads.tale.enter", &[("color", &color), ("to", &to)])
            }
            Move::Go { from, to } => {
                let name = match owner(self, to) {
                    Some(_) => "lilypads.tale.capture",
                    None if is_leap(self, from, to) => "lilypads.tale.leap",
                    None => "lilypads.tale.step",
                };
                words.say(name, &[("color", &color), ("from", &from), ("to", &to)])
            }
        }
    }

    fn verdict(&self, winner: Player, words: &Words) -> String {
        let color = color_name::<Self>(winner, words);
        words.say("lilypads.verdict", &[("color", &color)])
    }
}
