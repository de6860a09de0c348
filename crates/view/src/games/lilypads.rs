//! A pond: pads, blossoms and pieces on dark water.

mod pond;

use std::{f64::consts::PI, rc::Rc};

use lilypads::{Board, Circle, Lilypads, Move, ParsePositionError};
use rules::{ByPlayer, Player, Position};

use self::pond::{Pad, Role, SIZE, board, color, ground, role};
use crate::{
    Color, Cue, Easing, Edit, EditError, Key, Kind, Node, Outline, Paint, Picture, Plan,
    PlayerStatus, Point, Pose, Presentation, Rect, Scene, Segment, Shape, Sketch, Sound, Target,
    Tool, Track, Words,
    edit::Item,
    limited,
    picture::{color_name, dots, star},
    scene::push_still,
};

/// The radius of a piece, as a share of its circle's.
const PIECE: f64 = 0.57;

/// In milliseconds.
const STEP_TIME: f64 = 320.0;
const LEAP_TIME: f64 = 420.0;
const HOME_TIME: f64 = 420.0;

fn trail_color(player: Player) -> Color {
    match player {
        Player::First => Color::PondFirstTrail,
        Player::Second => Color::PondSecondTrail,
    }
}

/// A piece at the origin.
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

/// Whether the move from `from` to `to` is a leap: they are not adjacent.
fn is_leap(position: &Lilypads, from: Circle, to: Circle) -> bool {
    !position.graph().neighbors(from).contains(to)
}

/// The origin and destination of `m`.
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

/// The last move: a dashed ring at its origin, a ring at its destination, and dots
/// between.
fn trail(sketch: &Sketch<'_, Lilypads>, board: &Board, pad: impl Fn(Circle) -> Pad) -> Vec<Shape> {
    let Some((before, m)) = sketch.last else {
        return Vec::new();
    };
    let Some((from, to)) = ends(before, m) else {
        return Vec::new();
    };
    let (a, b) = (pad(from), pad(to));
    let way = a.center.distance(b.center);
    let start = a.center.toward(b.center, a.radius / way);
    let end = b.center.toward(a.center, b.radius / way);
    let trail = Shape::lines(&[start, end]);
    let ink = |circle| match role(board, circle) {
        Role::Start(_) => Color::White,
        _ => color(before.turn()),
    };
    let width = |pad: &Pad| (pad.radius * 0.06).max(2.5);
    // Where the piece stood, and around where it stands.
    let left = a.ring(a.radius * PIECE);
    let reached = b.ring(b.radius * (1.0 + PIECE) / 2.0);
    vec![
        trail.dashed(trail_color(before.turn()), 7.0, 0.1, 13.0),
        left.dashed(ink(from), width(&a), 5.0, 6.0).faded(0.7),
        reached.lined(ink(to), width(&b)),
    ]
}

/// Whether the mover holds pieces and has no free circle to enter.
fn is_shut(position: &Lilypads) -> bool {
    let may_enter = |m: &Move| matches!(m, Move::Enter { .. });
    let is_over = position.outcome().is_some();
    !is_over
        && position.n_held(position.turn()) > 0
        && !position.legal_moves().iter().any(may_enter)
}

/// A barred circle on the mover's start: no entry is free.
fn no_entry(pad: &Pad) -> Vec<Shape> {
    let radius = pad.radius * 0.42;
    let bar = [pad.at(PI * 0.75, 0.42), pad.at(-PI * 0.25, 0.42)];
    let width = (pad.radius * 0.09).max(3.0);
    vec![
        pad.ring(radius).filled(Color::White),
        pad.ring(radius).lined(Color::PadLine, width),
        Shape::lines(&bar).lined(Color::PadLine, width),
    ]
}

/// The circle that the winner reached; none after a resignation.
fn goal_reached(sketch: &Sketch<'_, Lilypads>) -> Option<Circle> {
    let winner = sketch.winner()?;
    let goal = sketch.position.graph().start(!winner);
    sketch
        .position
        .pieces(winner)
        .contains(goal)
        .then_some(goal)
}

/// Highlights of selected circles, destinations, and the circle the winner reached.
fn lights(sketch: &Sketch<'_, Lilypads>, board: &Board, circle: Circle) -> Vec<Shape> {
    let pad = Pad::of(board, circle, sketch.look.is_flipped);
    let mut shapes = Vec::new();
    if sketch.destination(circle).is_some() {
        shapes.push(pad.ring(pad.radius).filled(Color::PadLit));
        shapes.push(pad.ring(pad.radius).lined(Color::PadLine, 2.6));
    }
    let is_selected = sketch.selected() == Some(circle);
    if is_selected || goal_reached(sketch) == Some(circle) {
        shapes.push(pad.ring(pad.radius - 4.0).lined(Color::Lamp, 6.0));
        shapes.push(pad.ring(pad.radius - 7.5).lined(Color::PadLine, 1.2));
    }
    if owner(sketch.position, circle).is_some() {
        let radius = pad.radius * PIECE;
        if is_selected {
            shapes.push(pad.ring(radius + 5.0).filled(Color::Lamp));
        } else if sketch.hover == Some(circle) && sketch.is_open(circle) {
            shapes.push(pad.ring(radius + 3.0).lined(Color::White, 2.0));
        }
    }
    let is_home = board.graph().start(sketch.position.turn()) == circle;
    if is_home && !sketch.look.is_bare && is_shut(sketch.position) {
        shapes.extend(no_entry(&pad));
    }
    shapes
}

/// The number of an empty circle, unless a mark takes its place.
fn number(sketch: &Sketch<'_, Lilypads>, board: &Board, circle: Circle) -> Option<Shape> {
    let role = role(board, circle);
    if owner(sketch.position, circle).is_some() || matches!(role, Role::Start(_)) {
        return None;
    }
    let pad = Pad::of(board, circle, sketch.look.is_flipped);
    let size = if sketch.look.is_large { 24.0 } else { 13.0 };
    let is_lit = sketch.destination(circle).is_some();
    let has_foot = pad.radius > size * 2.9;
    if is_lit && !has_foot {
        return None;
    }
    let color = if role == Role::Plain && !is_lit {
        Color::PadNumber
    } else {
        Color::PadNumberLit
    };
    let down = if has_foot {
        pad.radius * 0.66 + 3.0
    } else {
        size * 0.36
    };
    let at = pad.center + Point::new(0.0, down);
    Some(Shape::text(at, size, circle.to_string()).filled(color))
}

/// The numbers of circles that show none otherwise: those with pieces, and starts.
fn hidden_numbers(sketch: &Sketch<'_, Lilypads>, board: &Board) -> Vec<Shape> {
    let size = if sketch.look.is_large { 24.0 } else { 14.0 };
    let is_hidden = |&circle: &Circle| number(sketch, board, circle).is_none();
    let numbers = Circle::all().filter(is_hidden).map(|circle| {
        let pad = Pad::of(board, circle, sketch.look.is_flipped);
        let at = pad.center + Point::new(0.0, pad.radius * 0.78 + size * 0.36);
        let digits = circle.to_string();
        let half = Point::new(size * (0.32 * digits.len() as f64 + 0.2), size * 0.55);
        let corner = at - Point::new(half.x, size * 0.36 + half.y);
        let plate = Rect {
            x: corner.x,
            y: corner.y,
            width: half.x * 2.0,
            height: half.y * 2.0,
        };
        [
            Shape::rect(plate, half.y).filled(Color::White),
            Shape::rect(plate, half.y).lined(Color::PadLine, 1.2),
            Shape::text(at, size, digits).filled(Color::Black),
        ]
    });
    numbers.flatten().collect()
}

/// The mark of a destination: a dot, an arch, four ticks, or a star if it wins.
fn mark(sketch: &Sketch<'_, Lilypads>, pad: &Pad, to: Circle, m: Move) -> Vec<Shape> {
    let size = limited(pad.radius * 0.2, 6.0, 10.0);
    if sketch.wins(m) {
        let radius = (pad.radius * 0.5).max(12.0);
        let star = star(pad.center, radius).filled(Color::White);
        return vec![star.lined(Color::PadLine, 4.0)];
    }
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
            let is_full = player == sketch.position.turn() && is_shut(sketch.position);
            let name = if is_full {
                "lilypads.place.start.full"
            } else {
                "lilypads.place.start"
            };
            words.say(name, &[("color", &color)])
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

fn why_illegal(error: ParsePositionError) -> EditError {
    match error {
        ParsePositionError::TooManyPieces(player) => {
            EditError::new("lilypads.edit.full").of::<Lilypads>(player)
        }
        ParsePositionError::OnOwnStart(player) => {
            EditError::new("lilypads.edit.home").of::<Lilypads>(player)
        }
        ParsePositionError::WinnerToMove(player) => {
            EditError::new("edit.won").of::<Lilypads>(player)
        }
        ParsePositionError::BothWon => EditError::new("lilypads.edit.both"),
        _ => EditError::new("edit.illegal"),
    }
}

impl Picture for Lilypads {
    type Spot = Circle;

    const PRESENTATION: Presentation = Presentation {
        miniature: &[("board", "7")],
        headline: Some("board"),
        // From the rule sheet.
        answer_time: 500.0,
        ..Presentation::new(
            r#"<path d="M15.5 15.5l3 3M17.6 9.3l3-.8"/><circle cx="10.5" cy="10.5" r="7"/><circle cx="25" cy="7.5" r="4.2"/><circle class="f" cx="22.5" cy="22.5" r="6"/>"#,
        )
    };

    const TOOLS: &'static [Tool] = &[
        Tool::Put(Player::First),
        Tool::Put(Player::Second),
        Tool::Remove,
        Tool::Move,
    ];

    fn ways(&self, m: Move) -> Vec<Vec<Circle>> {
        ends(self, m)
            .map(|(from, to)| vec![from, to])
            .into_iter()
            .collect()
    }

    fn pass() -> Option<Move> {
        Some(Move::Pass)
    }

    fn draw(sketch: &Sketch<'_, Self>) -> Scene {
        let position = sketch.position;
        let look = &sketch.look;
        let board = board(position);
        let pad = |circle| Pad::of(&board, circle, look.is_flipped);
        let mut nodes = Vec::new();

        if !look.is_bare {
            push_still(&mut nodes, trail(sketch, &board, pad));
        }
        for circle in Circle::all() {
            let mut shapes = lights(sketch, &board, circle);
            if !look.is_bare {
                shapes.extend(number(sketch, &board, circle));
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
        if look.has_coordinates && !look.is_bare {
            push_still(&mut nodes, hidden_numbers(sketch, &board));
        }

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
            rulers: None,
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
        let captured = owner(before, to);
        let sound = captured.map_or(Sound::Place, |_| Sound::Capture);
        plan.cues.push(Cue::new(0.85 * time, sound));
        // R11: a captured piece goes home.
        if let Some(captured) = captured {
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

    fn side(&self, player: Player) -> PlayerStatus {
        let board = board(self);
        PlayerStatus {
            holding: Some((self.n_held(player), lilypads::N_PIECES)),
            entry: Some(board.graph().start(player).to_string()),
            counts: vec![("lilypads.pips", self.pips(&board, player))],
            share: None,
        }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let board = board(self);
        let start = board.graph().start(Player::First);
        let crossing = board.pips(Player::First, start);
        vec![("lilypads.crossing", crossing.to_string())]
    }

    fn advice(sketch: &Sketch<'_, Self>) -> String {
        let words = sketch.look.words;
        let n = sketch.n_open();
        match sketch.selected() {
            None if is_shut(sketch.position) => words.say("lilypads.advice.full", &[]),
            None if sketch.position.n_held(sketch.position.turn()) == 0 => {
                words.say("lilypads.advice.none-held", &[])
            }
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

    /// `3×7` for a capture.
    fn notation(&self, m: Move, _after: &Self) -> String {
        match m {
            Move::Go { from, to } if owner(self, to).is_some() => format!("{from}×{to}"),
            _ => m.to_string(),
        }
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

    fn refusal(&self, spot: Circle, selected: Option<Circle>, words: &Words) -> Option<String> {
        let own = self.turn();
        let home = self.graph().start(own);
        let name = match (selected, owner(self, spot)) {
            (_, None) if spot == home && is_shut(self) => "lilypads.refusal.full",
            (None, None) if spot == home => "lilypads.refusal.none-held",
            (_, None) if spot == home => "lilypads.refusal.home",
            (None, Some(player)) if player == own => "refusal.stuck",
            (Some(_), Some(player)) if player == own => "lilypads.refusal.own",
            (None, Some(_)) => "refusal.theirs",
            (None, None) => "refusal.choose",
            (Some(from), Some(_)) if from == home => "lilypads.refusal.entry-capture",
            (Some(from), _) if from == home => "lilypads.refusal.entry",
            (Some(_), Some(_)) => "lilypads.refusal.capture",
            (Some(_), None) => "refusal.far",
        };
        Some(words.say(name, &[("to", &spot)]))
    }

    /// Pieces that are not on the board are in hand.
    fn edited(&self, edit: Edit<Circle>) -> Result<Self, EditError> {
        let mut pieces = ByPlayer::from_fn(|player| self.pieces(player));
        for (circle, item) in edit.changes(|circle| owner(self, circle).map(Item::Piece))? {
            for player in Player::BOTH {
                pieces[player] = pieces[player] - circle.into();
            }
            match item {
                Some(Item::Piece(player)) => pieces[player] |= circle.into(),
                Some(Item::Obstacle) => return Err(EditError::new("edit.obstacles")),
                None => {}
            }
        }
        self.rearranged(pieces, edit.turn_after(self.turn()))
            .map_err(why_illegal)
    }

    fn verdict(&self, winner: Player, words: &Words) -> String {
        let color = color_name::<Self>(winner, words);
        words.say("lilypads.verdict", &[("color", &color)])
    }
}
