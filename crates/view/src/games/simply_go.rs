//! Ink and shell on straw.

use std::rc::Rc;

use rules::{ByPlayer, Player, Position};
use simply_go::{Mode, Move, ParsePositionError, Point as Spot, PointSet, SimplyGo};

use super::lattice::Lattice;
use crate::{
    Color, Cue, Deed, Easing, Edit, EditError, Key, Kind, Look, Node, Outline, Paint, Picture,
    Plan, PlayerStatus, Point, Pose, Presentation, Rect, Rulers, Scene, Segment, Shape, Sketch,
    Sound, Target, Tool, Track, Words,
    edit::Item,
    limited,
    picture::{color_name, star},
    scene::push_still,
    sin_cos,
};

const SIZE: f64 = 800.0;
/// The width of the margins: to the left and below, where the names of columns and
/// rows are, and on the other sides.
const LABELS: f64 = 32.0;
const EDGE: f64 = 6.0;

/// The radius of stones, relative to the distance of points.
const STONE: f64 = 0.47;

/// Larger boards need pan and zoom on some screens.
const LARGEST_PLAIN_SIZE: u8 = 19;

/// In milliseconds.
const SETTLE_TIME: f64 = 140.0;
const GHOST_TIME: f64 = 220.0;
const FORT_TIME: f64 = 320.0;

/// The coordinates of the points.
#[derive(Clone, Copy)]
struct Grid {
    lattice: Lattice,
}

impl Grid {
    fn new(sketch: &Sketch<'_, SimplyGo>) -> Self {
        let size = sketch.position.size();
        let labels = if sketch.look.is_bare { EDGE } else { LABELS };
        let n_steps = f64::from(size - 1) + 2.0 * STONE;
        let pitch = (SIZE - labels - EDGE) / n_steps;
        let stone = STONE * pitch;
        let lattice = Lattice {
            size,
            corner: Point::new(labels + stone, EDGE + stone),
            pitch,
            is_flipped: sketch.look.is_flipped,
        };
        Self { lattice }
    }

    fn at(&self, column: u8, row: u8) -> Point {
        self.lattice.at(column, row)
    }

    fn center(&self, spot: Spot) -> Point {
        self.at(spot.column(), spot.row())
    }

    fn spots(&self) -> impl Iterator<Item = Spot> {
        let size = self.lattice.size;
        (0..size)
            .rev()
            .flat_map(move |row| (0..size).map(move |column| Spot::new(column, row)))
    }

    fn stone_radius(&self) -> f64 {
        STONE * self.lattice.pitch
    }

    fn rulers(&self) -> Rulers {
        let lines = 0..self.lattice.size;
        let column = |index| (self.at(index, 0).x, column_name(index));
        let row = |index| (self.at(0, index).y, (index + 1).to_string());
        Rulers {
            columns: lines.clone().map(column).collect(),
            rows: lines.map(row).collect(),
            letters: Color::WoodLabel,
            band: Color::Wood,
        }
    }

    /// The star points of a board.
    fn stars(&self) -> Vec<u8> {
        match self.lattice.size {
            9 => vec![2, 4, 6],
            13 => vec![3, 6, 9],
            19 => vec![3, 9, 15],
            25 => vec![3, 12, 21],
            size => vec![3, size / 3, size - 1 - size / 3, size - 4],
        }
    }
}

fn key(kind: Kind, spot: Spot) -> Key {
    Key::new(kind, u32::from(spot.row()) << 8 | u32::from(spot.column()))
}

fn column_name(column: u8) -> String {
    // The text of a point is its column and then its row.
    let name = Spot::new(column, 0).to_string();
    name.trim_end_matches('1').to_owned()
}

fn ground(grid: &Grid, look: &Look<'_>) -> Vec<Shape> {
    let mut shapes = Vec::new();
    if !look.is_bare {
        shapes.push(Shape::rect(Rect::square(SIZE), 0.0).filled(Color::Wood));
        shapes.push(grain());
    }
    draw_lines(&mut shapes, grid);
    if !look.is_bare {
        draw_names(&mut shapes, grid, look);
    }
    shapes
}

fn grain() -> Shape {
    let mut grain = Vec::new();
    let mut y: f64 = 6.0;
    let mut index: f64 = 0.0;
    while y < SIZE {
        let wave = 9.0 - 5.0 * sin_cos(index * 1.7).0;
        let point = |x: f64, down: f64| Point::new(x, y + down);
        grain.extend([
            Segment::Move(point(0.0, 0.0)),
            Segment::Curve(point(200.0, wave), point(400.0, 1.0)),
            Segment::Curve(point(600.0, -wave), point(SIZE, 0.0)),
        ]);
        y += 13.0 + 3.0 * sin_cos(index).1;
        index += 1.0;
    }
    Shape::path(grain)
        .lined(Color::WoodGrain, 2.5)
        .faded(0.7)
        .fine()
}

fn draw_lines(shapes: &mut Vec<Shape>, grid: &Grid) {
    let last = grid.lattice.size - 1;
    let mut lines = Vec::new();
    for index in 0..grid.lattice.size {
        for (from, to) in [((index, 0), (index, last)), ((0, index), (last, index))] {
            lines.push(Segment::Move(grid.at(from.0, from.1)));
            lines.push(Segment::Line(grid.at(to.0, to.1)));
        }
    }
    let thin = limited(grid.lattice.pitch * 0.03, 0.6, 1.2);
    shapes.push(Shape::path(lines).lined(Color::WoodLine, thin));
    let side = f64::from(last) * grid.lattice.pitch;
    let frame = Rect {
        x: grid.lattice.corner.x,
        y: grid.lattice.corner.y,
        width: side,
        height: side,
    };
    shapes.push(Shape::rect(frame, 0.0).lined(Color::WoodLine, 2.6));
    for &column in &grid.stars() {
        for &row in &grid.stars() {
            let dot = Shape::circle(grid.at(column, row), (grid.lattice.pitch * 0.09).max(1.8));
            shapes.push(dot.filled(Color::WoodLine));
        }
    }
}

/// The names of columns and rows, as many as fit.
fn draw_names(shapes: &mut Vec<Shape>, grid: &Grid, look: &Look<'_>) {
    let size: f64 = if look.is_large { 23.0 } else { 13.0 };
    let step = (size * 1.5 / grid.lattice.pitch).ceil().max(1.0) as usize;
    for index in (0..grid.lattice.size).step_by(step) {
        let name = |at, text| Shape::text(at, size, text).filled(Color::WoodLabel);
        let x = grid.at(index, 0).x;
        shapes.push(name(Point::new(x, SIZE - 10.0), column_name(index)));
        let y = grid.at(0, index).y + size * 0.35;
        shapes.push(name(Point::new(16.0, y), (index + 1).to_string()));
    }
}

fn stone(player: Player, radius: f64, turn: f64) -> Rc<[Shape]> {
    let middle = Point::default();
    let shadow = Shape::circle(Point::new(radius * 0.06, radius * 0.15), radius)
        .filled(Color::Black)
        .faded(0.3)
        .fine();
    match player {
        Player::First => Rc::new([
            shadow,
            Shape::circle(middle, radius)
                .painted(Paint::Radial(Color::StoneSheen, Color::StoneInk, 0.0))
                .lined(Color::Black, 0.9),
        ]),
        Player::Second => {
            let (sine, cosine) = sin_cos(turn);
            let mut growth = Vec::new();
            for (half, y, bow) in [(0.8, -0.22, -0.28), (0.9, 0.1, -0.28), (0.74, 0.42, -0.22)] {
                let at = |x: f64, y: f64| {
                    let (x, y) = (x * radius, y * radius);
                    Point::new(x * cosine - y * sine, x * sine + y * cosine)
                };
                growth.push(Segment::Move(at(-half, y)));
                growth.push(Segment::Curve(at(0.0, y + bow), at(half, y)));
            }
            Rc::new([
                shadow,
                Shape::circle(middle, radius)
                    .painted(Paint::Radial(Color::StoneShell, Color::StoneShade, 0.55))
                    .lined(Color::StoneRim, 0.9),
                Shape::path(growth)
                    .lined(Color::StoneGrowth, 0.8)
                    .faded(0.75)
                    .fine(),
            ])
        }
    }
}

fn owner(position: &SimplyGo, spot: Spot) -> Option<Player> {
    let stands = |&player: &Player| position.stones(player).contains(spot);
    Player::BOTH.into_iter().find(stands)
}

fn fort_owner(position: &SimplyGo, spot: Spot) -> Option<Player> {
    let holds = |&player: &Player| position.forts(player).contains(spot);
    Player::BOTH.into_iter().find(holds)
}

/// The inside of a fort: tinted, hatched for First and dotted for Second.
fn fort(player: Player, pitch: f64) -> Rc<[Shape]> {
    let half = pitch / 2.0;
    let cell = Shape::rect(Rect::around(Point::default(), half + 0.2), 0.0);
    match player {
        Player::First => {
            let mut hatch = Vec::new();
            // Lines of one cell continue in the next.
            for share in [-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75] {
                let c = share * pitch;
                let low = (c - half).max(-half);
                let high = (c + half).min(half);
                hatch.push(Segment::Move(Point::new(low, c - low)));
                hatch.push(Segment::Line(Point::new(high, c - high)));
            }
            let hatch = Shape::path(hatch).lined(Color::StoneInk, (pitch * 0.03).max(0.6));
            Rc::new([cell.filled(Color::FortFirst), hatch.faded(0.5)])
        }
        Player::Second => {
            let mut shapes = vec![cell.filled(Color::FortSecond)];
            for x in [-0.375, -0.125, 0.125, 0.375] {
                for y in [-0.375, -0.125, 0.125, 0.375] {
                    let dot = Shape::circle(Point::new(x, y) * pitch, pitch * 0.036);
                    shapes.push(dot.filled(Color::FortSecondDot).fine());
                }
            }
            shapes.into()
        }
    }
}

fn wall(player: Player, pitch: f64) -> Rc<[Shape]> {
    let color = match player {
        Player::First => Color::FortFirstWall,
        Player::Second => Color::FortSecondWall,
    };
    let cell = Shape::rect(Rect::around(Point::default(), pitch / 2.0 + 0.2), 0.0);
    Rc::new([cell.filled(color)])
}

/// The stones that the last move captured.
fn captured(sketch: &Sketch<'_, SimplyGo>) -> Option<(Player, PointSet)> {
    let (before, _) = sketch.last?;
    let player = !before.turn();
    let captured = *before.stones(player) - *sketch.position.stones(player);
    (!captured.is_empty()).then_some((player, captured))
}

fn draw_forts(nodes: &mut Vec<Node>, position: &SimplyGo, grid: &Grid) {
    for player in Player::BOTH {
        let forts = position.forts(player);
        let walls = forts.grown() & *position.stones(player);
        let wall = wall(player, grid.lattice.pitch);
        nodes.extend(
            walls.iter().map(|spot| {
                Node::moving(key(Kind::Wall, spot), grid.center(spot), Rc::clone(&wall))
            }),
        );
        let fort = fort(player, grid.lattice.pitch);
        nodes.extend(
            forts.iter().map(|spot| {
                Node::moving(key(Kind::Fort, spot), grid.center(spot), Rc::clone(&fort))
            }),
        );
    }
}

/// Captured stones stay visible until the next move.
fn draw_ghosts(nodes: &mut Vec<Node>, sketch: &Sketch<'_, SimplyGo>, grid: &Grid) {
    let Some((player, captured)) = captured(sketch) else {
        return;
    };
    let (fill, rim) = match player {
        Player::First => (Color::StoneInk, Color::StoneShell),
        Player::Second => (Color::StoneShell, Color::StoneInk),
    };
    let circle = Shape::circle(Point::default(), grid.stone_radius() - 1.0);
    let ghost: Rc<[Shape]> = Rc::new([
        circle.clone().filled(fill).faded(0.5),
        circle.dashed(rim, 1.6, 3.5, 3.5),
    ]);
    nodes.extend(
        captured
            .iter()
            .map(|spot| Node::moving(key(Kind::Ghost, spot), grid.center(spot), Rc::clone(&ghost))),
    );
}

/// Stones from the top down, so that shadows fall on farther ones. Neighboring
/// shells are rotated differently.
fn draw_stones(nodes: &mut Vec<Node>, position: &SimplyGo, grid: &Grid) {
    let radius = grid.stone_radius();
    let black = stone(Player::First, radius, 0.0);
    let shells: Vec<_> = (0..6_u8)
        .map(|turn| stone(Player::Second, radius, f64::from(turn) * 0.52))
        .collect();
    // Rows from the top, as they are seen.
    let mut stones: Vec<_> = grid
        .spots()
        .filter_map(|spot| Some((spot, owner(position, spot)?)))
        .collect();
    if grid.lattice.is_flipped {
        stones.reverse();
    }
    for (spot, player) in stones {
        let turn = usize::from(spot.column()) * 7 + usize::from(spot.row()) * 13;
        let shapes = match player {
            Player::First => &black,
            Player::Second => &shells[turn % shells.len()],
        };
        let at = grid.center(spot);
        nodes.push(Node::moving(key(Kind::Piece, spot), at, Rc::clone(shapes)));
    }
}

/// A ring on the last stone.
fn last_mark(sketch: &Sketch<'_, SimplyGo>, grid: &Grid) -> Vec<Shape> {
    let Some((before, Move::Place(spot))) = sketch.last else {
        return Vec::new();
    };
    let color = match before.turn() {
        Player::First => Color::White,
        Player::Second => Color::Black,
    };
    let radius = grid.stone_radius();
    let ring = Shape::circle(grid.center(spot), radius * 0.46);
    vec![ring.lined(color, (radius * 0.15).max(1.2))]
}

fn label(sketch: &Sketch<'_, SimplyGo>, spot: Spot) -> String {
    let words = sketch.look.words;
    let what = match (
        owner(sketch.position, spot),
        fort_owner(sketch.position, spot),
    ) {
        (Some(player), _) => {
            let color = color_name::<SimplyGo>(player, words);
            words.say("simply-go.place.stone", &[("color", &color)])
        }
        (None, Some(player)) => {
            let color = color_name::<SimplyGo>(player, words);
            words.say("simply-go.place.fort", &[("color", &color)])
        }
        (None, None) => words.say("place.empty", &[]),
    };
    // Only the point under the pointer, since a large board has thousands.
    let is_hovered = sketch.hover == Some(spot) && sketch.is_open(spot);
    let state = if is_hovered && sketch.wins(Move::Place(spot)) {
        words.say("place.win", &[])
    } else {
        String::new()
    };
    words.say(
        "simply-go.place",
        &[("at", &spot), ("what", &what), ("state", &state)],
    )
}

fn why_illegal(position: &SimplyGo, error: ParsePositionError) -> EditError {
    match (error, position.mode()) {
        (ParsePositionError::OffBoard(spot), _) => EditError::no_such_place(spot),
        (ParsePositionError::TooManyMoves(_), Mode::Moves(n)) => {
            EditError::new("simply-go.edit.moves").with("n", n)
        }
        (ParsePositionError::WinnerToMove(player), _) => {
            EditError::new("edit.won").of::<SimplyGo>(player)
        }
        _ => EditError::new("edit.illegal"),
    }
}

impl Picture for SimplyGo {
    type Spot = Spot;

    const PRESENTATION: Presentation = Presentation {
        miniature: &[("size", "13"), ("mode", "moves:500")],
        // R2: a pass is always legal.
        always_shows_pass: true,
        ..Presentation::new(
            r#"<path d="M16 10v12M10 16h12"/><circle cx="16" cy="6" r="4"/><circle cx="26" cy="16" r="4"/><circle cx="16" cy="26" r="4"/><circle cx="6" cy="16" r="4"/><circle class="f" cx="16" cy="16" r="2.6"/>"#,
        )
    };

    const TOOLS: &'static [Tool] = &[
        Tool::Put(Player::First),
        Tool::Put(Player::Second),
        Tool::Remove,
        Tool::Move,
    ];

    fn ways(&self, m: Move) -> Vec<Vec<Spot>> {
        match m {
            Move::Place(spot) => vec![vec![spot]],
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
        draw_forts(&mut nodes, position, &grid);
        draw_ghosts(&mut nodes, sketch, &grid);
        draw_stones(&mut nodes, position, &grid);
        if !sketch.look.is_bare {
            push_still(&mut nodes, last_mark(sketch, &grid));
        }
        if let Some(hover) = sketch.hover
            && sketch.is_open(hover)
        {
            let shapes = stone(position.turn(), grid.stone_radius(), 0.0);
            nodes.push(Node {
                opacity: 0.5,
                ..Node::moving(key(Kind::Idea, hover), grid.center(hover), shapes)
            });
            if sketch.wins(Move::Place(hover)) {
                let star = star(grid.center(hover), grid.stone_radius() * 0.72);
                let width = grid.stone_radius() * 0.1;
                push_still(
                    &mut nodes,
                    vec![star.filled(Color::Lamp).lined(Color::OnLamp, width)],
                );
            }
        }

        let targets = grid.spots().map(|spot| Target {
            id: spot.to_string(),
            at: grid.center(spot),
            outline: Outline::Square(grid.lattice.pitch / 2.0),
            label: label(sketch, spot),
        });
        let is_tight = grid.lattice.size == LARGEST_PLAIN_SIZE && sketch.look.is_tiny;
        let is_vast = is_tight || grid.lattice.size > LARGEST_PLAIN_SIZE;
        Scene {
            view: Rect::square(SIZE),
            ground: ground(&grid, &sketch.look).into(),
            nodes,
            targets: targets.collect(),
            is_vast,
            rulers: is_vast.then(|| grid.rulers()),
        }
    }

    fn token(player: Player) -> Vec<Shape> {
        stone(player, 12.0, 0.4).to_vec()
    }

    fn plan(sketch: &Sketch<'_, Self>) -> Plan {
        let mut plan = Plan::default();
        let Some((before, Move::Place(spot))) = sketch.last else {
            return plan;
        };
        let settle = Track::new(
            key(Kind::Piece, spot),
            SETTLE_TIME,
            Easing::Out,
            Pose::scaled(1.06, 1.06),
        );
        plan.tracks.push(settle);
        plan.cues.push(Cue::new(0.0, Sound::Place));
        if let Some((_, captured)) = captured(sketch) {
            plan.cues.push(Cue::new(SETTLE_TIME, Sound::Capture));
            let fade =
                |spot| Track::new(key(Kind::Ghost, spot), GHOST_TIME, Easing::Out, Pose::GONE);
            plan.tracks.extend(captured.iter().map(fade));
        }
        for player in Player::BOTH {
            let new = *sketch.position.forts(player) - *before.forts(player);
            let wash = |spot| Track::new(key(Kind::Fort, spot), FORT_TIME, Easing::Out, Pose::GONE);
            plan.tracks.extend(new.iter().map(wash));
        }
        plan
    }

    fn side(&self, player: Player) -> PlayerStatus {
        PlayerStatus {
            holding: None,
            entry: None,
            counts: vec![
                ("simply-go.captures", i32::from(self.n_captures(player))),
                ("simply-go.fort", self.forts(player).len() as i32),
            ],
            share: None,
        }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        vec![match self.mode() {
            Mode::Moves(limit) => (
                "simply-go.left",
                limit.saturating_sub(self.n_moves()).to_string(),
            ),
            Mode::Target(target) => ("simply-go.target", target.to_string()),
        }]
    }

    fn advice(sketch: &Sketch<'_, Self>) -> String {
        let words = sketch.look.words;
        match captured(sketch) {
            Some((_, captured)) => {
                words.say("simply-go.advice.captured", &[("n", &captured.len())])
            }
            None if sketch.position.n_passes() > 0 => words.say("simply-go.advice.passed", &[]),
            None => words.say("simply-go.advice", &[]),
        }
    }

    fn n_taken(&self, after: &Self) -> u32 {
        let player = self.turn();
        u32::from(after.n_captures(player) - self.n_captures(player))
    }

    /// R6: forts.
    fn deed(&self, after: &Self) -> Option<Deed> {
        let player = self.turn();
        let n = after
            .forts(player)
            .len()
            .checked_sub(self.forts(player).len());
        n.filter(|&n| n > 0).map(Deed::Encloses)
    }

    /// `D4 ×3` for three captured stones.
    fn notation(&self, m: Move, after: &Self) -> String {
        match self.n_taken(after) {
            0 => m.to_string(),
            n => format!("{m} ×{n}"),
        }
    }

    fn tale(&self, m: Move, after: &Self, words: &Words) -> String {
        let color = color_name::<Self>(self.turn(), words);
        match m {
            Move::Pass => words.say("tale.pass", &[("color", &color)]),
            Move::Place(spot) => {
                let n = self.n_taken(after);
                let name = if n > 0 {
                    "simply-go.tale.capture"
                } else {
                    "simply-go.tale.place"
                };
                words.say(name, &[("color", &color), ("at", &spot), ("n", &n)])
            }
        }
    }

    fn refusal(&self, spot: Spot, _selected: Option<Spot>, words: &Words) -> Option<String> {
        if owner(self, spot).is_some() {
            return Some(words.say("simply-go.refusal.stone", &[]));
        }
        fort_owner(self, spot).map(|_| words.say("simply-go.refusal.fort", &[]))
    }

    /// Captures stay as they are, and so do forts, except on the points that change.
    fn edited(&self, edit: Edit<Spot>) -> Result<Self, EditError> {
        let mut stones = ByPlayer::from_fn(|player| *self.stones(player));
        let mut forts = ByPlayer::from_fn(|player| *self.forts(player));
        let changes = match edit {
            Edit::Remove(spot) if fort_owner(self, spot).is_some() => vec![(spot, None)],
            _ => edit.changes(|spot| owner(self, spot).map(Item::Piece))?,
        };
        for (spot, item) in changes {
            let set = PointSet::from_iter([spot]);
            for player in Player::BOTH {
                stones[player] = stones[player] - set;
                forts[player] = forts[player] - set;
            }
            match item {
                Some(Item::Piece(player)) => stones[player] |= set,
                Some(Item::Obstacle) => return Err(EditError::new("edit.obstacles")),
                None => {}
            }
        }
        self.rearranged(stones, forts, edit.turn_after(self.turn()))
            .map_err(|error| why_illegal(self, error))
    }

    fn verdict(&self, winner: Player, words: &Words) -> String {
        let color = color_name::<Self>(winner, words);
        let (n, m) = (self.n_captures(winner), self.n_captures(!winner));
        if n == m {
            let (n, m) = (self.forts(winner).len(), self.forts(!winner).len());
            return words.say(
                "simply-go.verdict.forts",
                &[("color", &color), ("n", &n), ("m", &m)],
            );
        }
        words.say(
            "simply-go.verdict",
            &[("color", &color), ("n", &n), ("m", &m)],
        )
    }

    fn draw_verdict(&self, words: &Words) -> String {
        words.say("simply-go.verdict.draw", &[])
    }
}
