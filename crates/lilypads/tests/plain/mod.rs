//! Lilypads a second time: slow, plain, and written from the rule sheet alone.
//!
//! Only the place and the radius of each circle come from the crate. Edges,
//! numbers, starts and moves are found anew, as the sheet words them.

use std::collections::{BTreeSet, VecDeque};

use lilypads::{Board, Circle};
use rules::{Outcome, Player};
use testkit::Reference;

/// A place in the square, as x and y.
type Place = (i64, i64);

const UPPER_LEFT: Place = (0, 0);
const LOWER_RIGHT: Place = (800, 800);

/// A position of Lilypads.
#[derive(Clone)]
pub(crate) struct Pond {
    number: u64,
    first_start: usize,
    second_start: usize,
    edges: BTreeSet<(usize, usize)>,
    first: BTreeSet<usize>,
    second: BTreeSet<usize>,
    turn: Player,
}

impl Pond {
    /// R8: all pieces are in the holdings, and First moves first.
    pub(crate) fn new(number: u64) -> Self {
        let discs = discs(number);
        Self {
            number,
            first_start: nearest(&discs, UPPER_LEFT),
            second_start: nearest(&discs, LOWER_RIGHT),
            edges: edges(&discs),
            first: BTreeSet::new(),
            second: BTreeSet::new(),
            turn: Player::First,
        }
    }

    /// The circles that an edge joins to `circle`.
    pub(crate) fn neighbors(&self, circle: usize) -> BTreeSet<usize> {
        neighbors(&self.edges, circle)
    }

    /// The circle that is nearest to the corner of `player`.
    pub(crate) fn start(&self, player: Player) -> usize {
        match player {
            Player::First => self.first_start,
            Player::Second => self.second_start,
        }
    }

    fn pieces(&self, player: Player) -> &BTreeSet<usize> {
        match player {
            Player::First => &self.first,
            Player::Second => &self.second,
        }
    }

    fn pieces_mut(&mut self, player: Player) -> &mut BTreeSet<usize> {
        match player {
            Player::First => &mut self.first,
            Player::Second => &mut self.second,
        }
    }

    fn is_empty(&self, circle: usize) -> bool {
        !self.first.contains(&circle) && !self.second.contains(&circle)
    }

    /// R9: a held piece goes to an empty neighbor of the player's own start.
    fn entries(&self) -> BTreeSet<usize> {
        if self.pieces(self.turn).len() == 3 {
            return BTreeSet::new();
        }
        let mut targets = self.neighbors(self.start(self.turn));
        targets.retain(|&to| self.is_empty(to) && self.may_hold(to));
        targets
    }

    /// R10 to R12: where the piece on `from` may go.
    fn targets(&self, from: usize) -> BTreeSet<usize> {
        let mut targets = BTreeSet::new();
        for near in self.neighbors(from) {
            // R10: a step to an empty circle.
            if self.is_empty(near) {
                targets.insert(near);
                continue;
            }
            // R11: a step onto an opponent's piece captures it.
            if self.pieces(!self.turn).contains(&near) {
                targets.insert(near);
            }
            // R12: a leap over the piece, whosever it is, to an empty circle,
            // and never back to where it began.
            for far in self.neighbors(near) {
                if self.is_empty(far) && far != from {
                    targets.insert(far);
                }
            }
        }
        targets.retain(|&to| self.may_hold(to));
        targets
    }

    /// R13: nothing moves onto its own start or onto its own side's pieces.
    fn may_hold(&self, to: usize) -> bool {
        to != self.start(self.turn) && !self.pieces(self.turn).contains(&to)
    }
}

impl Reference for Pond {
    fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let &[board, first, second, turn] = fields.as_slice() else {
            panic!("four fields in {text}");
        };
        let number = board.strip_prefix('#').expect("a board number");
        Self {
            first: read_circles(first),
            second: read_circles(second),
            turn: turn.parse().expect("a player"),
            ..Self::new(number.parse().expect("a board number"))
        }
    }

    fn text(&self) -> String {
        let first = write_circles(&self.first);
        let second = write_circles(&self.second);
        format!("#{} {first} {second} {}", self.number, self.turn)
    }

    fn moves(&self) -> Vec<String> {
        // R15: the match is over at once.
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        for to in self.entries() {
            moves.push(format!("@{to}"));
        }
        for &from in self.pieces(self.turn) {
            for to in self.targets(from) {
                moves.push(format!("{from}-{to}"));
            }
        }
        // R14: a pass is legal only where nothing else is.
        if moves.is_empty() {
            moves.push("pass".to_owned());
        }
        moves
    }

    fn play(&mut self, m: &str) {
        let (mover, opponent) = (self.turn, !self.turn);
        if let Some(to) = m.strip_prefix('@') {
            self.pieces_mut(mover).insert(read_circle(to));
        } else if let Some((from, to)) = m.split_once('-') {
            self.pieces_mut(mover).remove(&read_circle(from));
            self.pieces_mut(mover).insert(read_circle(to));
            // R11: a captured piece is held again, that is, on no circle.
            self.pieces_mut(opponent).remove(&read_circle(to));
        } else {
            assert_eq!(m, "pass");
        }
        self.turn = opponent;
    }

    fn outcome(&self) -> Option<Outcome> {
        // R15: a piece on the opponent's start circle wins.
        Player::BOTH
            .into_iter()
            .find(|&player| self.pieces(player).contains(&self.start(!player)))
            .map(Outcome::Win)
    }
}

fn read_circle(text: &str) -> usize {
    text.parse().expect("the number of a circle")
}

fn read_circles(text: &str) -> BTreeSet<usize> {
    if text == "-" {
        return BTreeSet::new();
    }
    text.split(',').map(read_circle).collect()
}

fn write_circles(circles: &BTreeSet<usize>) -> String {
    if circles.is_empty() {
        return "-".to_owned();
    }
    let numbers: Vec<String> = circles.iter().map(ToString::to_string).collect();
    numbers.join(",")
}

/// A circle's center and radius.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Disc {
    center: Place,
    radius: i64,
}

/// The circles of a board in the order of their numbers.
fn discs(number: u64) -> Vec<Disc> {
    let board = Board::new(number);
    let disc = |circle| {
        let disc = board.disc(circle);
        Disc {
            center: (i64::from(disc.center.x), i64::from(disc.center.y)),
            radius: i64::from(disc.radius),
        }
    };
    Circle::all().map(disc).collect()
}

/// R6: the circle whose center is nearest to a corner; of several the one with
/// the lowest number, which in the upper left is the sheet's order.
fn nearest(discs: &[Disc], corner: Place) -> usize {
    let distance = |&circle: &usize| squared_distance(discs[circle].center, corner);
    (0..discs.len())
        .min_by_key(distance)
        .expect("a board has circles")
}

/// R4: the edges, each with its lower circle first.
fn edges(discs: &[Disc]) -> BTreeSet<(usize, usize)> {
    let mut candidates = Vec::new();
    for a in 0..discs.len() {
        for b in a + 1..discs.len() {
            let length = squared_distance(discs[a].center, discs[b].center);
            if length <= 300 * 300 {
                candidates.push((length, a, b));
            }
        }
    }
    // Shortest first, then lower circle numbers first.
    candidates.sort_unstable();

    let mut kept = BTreeSet::new();
    for (_, a, b) in candidates {
        let over_a_third = (0..discs.len())
            .filter(|&third| third != a && third != b)
            .any(|third| passes_over(discs[a].center, discs[b].center, discs[third]));
        let over_an_edge = kept.iter().any(|&edge| cross(discs, (a, b), edge));
        if !over_a_third && !over_an_edge {
            kept.insert((a, b));
        }
    }
    kept
}

/// R4 (a): whether the segment from `a` to `b` is nearer to the disc's center
/// than its radius.
fn passes_over(a: Place, b: Place, disc: Disc) -> bool {
    let p = disc.center;
    let squared_radius = disc.radius * disc.radius;
    let squared_length = squared_distance(a, b);
    // How far along the segment the foot of the perpendicular lies, times the
    // squared length.
    let along = dot(a, b, p);
    if along <= 0 {
        squared_distance(a, p) < squared_radius
    } else if along >= squared_length {
        squared_distance(b, p) < squared_radius
    } else {
        // The distance to the line is the area over the length.
        area(a, b, p) * area(a, b, p) < squared_radius * squared_length
    }
}

/// R4 (b): whether two edges have a point in common other than an end that they
/// share.
fn cross(discs: &[Disc], one: (usize, usize), other: (usize, usize)) -> bool {
    let center = |circle: usize| discs[circle].center;
    for (shared, p) in [(one.0, one.1), (one.1, one.0)] {
        for (also, q) in [(other.0, other.1), (other.1, other.0)] {
            if shared == also {
                // Two segments from one point overlap if the shorter lies on
                // the longer.
                return lies_on(center(p), center(shared), center(q))
                    || lies_on(center(q), center(shared), center(p));
            }
        }
    }
    meet(
        center(one.0),
        center(one.1),
        center(other.0),
        center(other.1),
    )
}

/// Whether the segments `ab` and `cd`, ends included, have a point in common.
fn meet(a: Place, b: Place, c: Place, d: Place) -> bool {
    let cd_is_on_both_sides = area(a, b, c).signum() * area(a, b, d).signum() == -1;
    let ab_is_on_both_sides = area(c, d, a).signum() * area(c, d, b).signum() == -1;
    cd_is_on_both_sides && ab_is_on_both_sides
        || lies_on(a, c, d)
        || lies_on(b, c, d)
        || lies_on(c, a, b)
        || lies_on(d, a, b)
}

/// Whether `p` lies on the segment `ab`, ends included.
fn lies_on(p: Place, a: Place, b: Place) -> bool {
    area(a, b, p) == 0 && dot(p, a, b) <= 0
}

fn squared_distance(a: Place, b: Place) -> i64 {
    dot(a, b, b)
}

/// The dot product of the ways from `origin` to `a` and to `b`.
fn dot(origin: Place, a: Place, b: Place) -> i64 {
    (a.0 - origin.0) * (b.0 - origin.0) + (a.1 - origin.1) * (b.1 - origin.1)
}

/// Twice the signed area of the triangle `abc`.
fn area(a: Place, b: Place, c: Place) -> i64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

fn neighbors(edges: &BTreeSet<(usize, usize)>, circle: usize) -> BTreeSet<usize> {
    let mut neighbors = BTreeSet::new();
    for &(a, b) in edges {
        if a == circle {
            neighbors.insert(b);
        }
        if b == circle {
            neighbors.insert(a);
        }
    }
    neighbors
}

/// The steps from `start` to each circle, `None` where no path leads.
fn steps_from(
    edges: &BTreeSet<(usize, usize)>,
    start: usize,
    n_circles: usize,
) -> Vec<Option<u32>> {
    let mut steps = vec![None; n_circles];
    steps[start] = Some(0);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((circle, n)) = queue.pop_front() {
        for near in neighbors(edges, circle) {
            if steps[near].is_none() {
                steps[near] = Some(n + 1);
                queue.push_back((near, n + 1));
            }
        }
    }
    steps
}

/// Checks all that R1 to R6 say about a board.
///
/// # Panics
///
/// Panics if the board is otherwise.
#[track_caller]
pub(crate) fn check_board(number: u64) {
    let discs = discs(number);
    check_discs(number, &discs);
    check_graph(number, &discs);
    // R3: the number alone gives the board.
    assert_eq!(self::discs(number), discs, "R3: board {number} drawn again");
}

/// R1, R2 and the numbers of R6.
#[track_caller]
fn check_discs(number: u64, discs: &[Disc]) {
    assert_eq!(discs.len(), 30, "R1: the circles of board {number}");
    for (circle, &Disc { center, radius }) in discs.iter().enumerate() {
        let (x, y) = center;
        assert!(
            x - radius >= 0 && x + radius <= 800 && y - radius >= 0 && y + radius <= 800,
            "R1: circle {circle} of board {number} lies in the square"
        );
        assert!(
            (20..=200).contains(&radius),
            "R2: the radius of circle {circle} of board {number}"
        );
        for (other, disc) in discs.iter().enumerate().skip(circle + 1) {
            let apart = radius + disc.radius + 5;
            assert!(
                squared_distance(center, disc.center) >= apart * apart,
                "R2: the gap between circles {circle} and {other} of board {number}"
            );
        }
    }
    // A center on a middle line counts for no quarter.
    for right in [false, true] {
        for lower in [false, true] {
            let in_quarter = |disc: &&Disc| {
                let (x, y) = disc.center;
                let is_beside = |n: i64, beyond| if beyond { n > 400 } else { n < 400 };
                is_beside(x, right) && is_beside(y, lower)
            };
            assert!(
                discs.iter().filter(in_quarter).count() >= 3,
                "R2: the quarter right: {right}, lower: {lower} of board {number}"
            );
        }
    }
    let order = |disc: &Disc| {
        let (x, y) = disc.center;
        (squared_distance(disc.center, UPPER_LEFT), x, y)
    };
    assert!(
        discs.is_sorted_by_key(order),
        "R6: the numbers of the circles of board {number}"
    );
}

/// R4, R5 and the starts of R6.
#[track_caller]
fn check_graph(number: u64, discs: &[Disc]) {
    let board = Board::new(number);
    let edges = edges(discs);
    let mut n_edges = 0;
    for (a, b) in board.edges() {
        let edge = (a.index(), b.index());
        assert!(edges.contains(&edge), "R4: {edge:?} on board {number}");
        n_edges += 1;
    }
    assert_eq!(n_edges, edges.len(), "R4: the edges of board {number}");

    let first = nearest(discs, UPPER_LEFT);
    let second = nearest(discs, LOWER_RIGHT);
    let to_corner = |disc: &Disc| squared_distance(disc.center, LOWER_RIGHT);
    let n_nearest = discs
        .iter()
        .filter(|disc| to_corner(disc) == to_corner(&discs[second]))
        .count();
    assert_eq!(n_nearest, 1, "R6: no choice of a start on board {number}");
    let graph = board.graph();
    assert_eq!(first, 0, "R6: First's start on board {number}");
    assert_eq!(
        [
            graph.start(Player::First).index(),
            graph.start(Player::Second).index()
        ],
        [first, second],
        "R6: the starts of board {number}"
    );

    let steps = steps_from(&edges, first, discs.len());
    assert!(
        steps.iter().all(Option::is_some),
        "R5: board {number} is connected"
    );
    assert!(
        steps[second] >= Some(5),
        "R5: the starts of board {number} are {:?} steps apart",
        steps[second]
    );
    for start in [first, second] {
        assert!(
            neighbors(&edges, start).len() >= 2,
            "R5: the neighbors of start {start} on board {number}"
        );
    }
}
