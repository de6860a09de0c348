//! The pond: the part of the picture that never changes in a match.

use std::{
    f64::consts::{PI, TAU},
    sync::{Arc, Mutex},
};

use lilypads::{BOARD_SIZE, Board, Circle, Lilypads};
use rules::Player;

use crate::{Color, Paint, Point, Rect, Segment, Shape};

/// Its width and height.
pub(super) const SIZE: f64 = BOARD_SIZE as f64;

/// Drawing a board from its number takes a while, and positions only have the
/// number, so the last few are cached.
pub(super) fn board(position: &Lilypads) -> Arc<Board> {
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

/// A circle of the board in the picture.
#[derive(Clone, Copy)]
pub(super) struct Pad {
    pub(super) center: Point,
    pub(super) radius: f64,
}

impl Pad {
    pub(super) fn of(board: &Board, circle: Circle, is_flipped: bool) -> Self {
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
    pub(super) fn at(&self, angle: f64, share: f64) -> Point {
        self.center + Point::polar(angle, self.radius * share)
    }

    pub(super) fn ring(&self, radius: f64) -> Shape {
        Shape::circle(self.center, radius)
    }
}

/// The role of a circle at the start of a match.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Role {
    Start(Player),
    Entry(Player),
    Plain,
}

pub(super) fn role(board: &Board, circle: Circle) -> Role {
    let graph = board.graph();
    let is_start = |&player: &Player| graph.start(player) == circle;
    let is_entry = |&player: &Player| graph.neighbors(graph.start(player)).contains(circle);
    let start = Player::BOTH.into_iter().find(is_start).map(Role::Start);
    let entry = || Player::BOTH.into_iter().find(is_entry).map(Role::Entry);
    start.or_else(entry).unwrap_or(Role::Plain)
}

pub(super) fn color(player: Player) -> Color {
    match player {
        Player::First => Color::PondFirst,
        Player::Second => Color::PondSecond,
    }
}

pub(super) fn ground(board: &Board, is_flipped: bool, is_bare: bool) -> Vec<Shape> {
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
    // The notch is in the upper half, so that the number below is legible.
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
    // Pink and gray look the same to some, so rings distinguish them.
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
