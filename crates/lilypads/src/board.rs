use rules::{ByPlayer, Player, Random, sort_short};

use crate::{
    Circle, CircleSet, N_CIRCLES,
    geometry::{Disc, Point, Segment},
};

/// The width and height of the board (R1).
pub const BOARD_SIZE: i32 = 800;

/// R2.
const RADII: (i32, i32) = (20, 200);
const LEAST_GAP: i32 = 5;
const LEAST_CENTERS_IN_QUARTER: usize = 3;

/// R4.
const LONGEST_EDGE: i64 = 300;

/// R5.
const LEAST_STEPS_BETWEEN_STARTS: u8 = 5;
const LEAST_NEIGHBORS_OF_START: usize = 2;

/// The number of circles in a row that do not fit before the draw starts over. With
/// 300 a board takes five times as long and its circles are smaller; with 1,000 to
/// 10,000 nothing changes.
const MOST_MISSES: u32 = 3000;

/// A pond: its circles and how they are joined.
///
/// A board number gives the same board on every machine (R3).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    number: u64,
    discs: [Disc; N_CIRCLES],
    graph: Graph,
    pips: ByPlayer<[u8; N_CIRCLES]>,
}

/// Which circles are joined, and where the players start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Graph {
    neighbors: [CircleSet; N_CIRCLES],
    starts: ByPlayer<Circle>,
}

impl Graph {
    /// The circles joined to `circle` by an edge.
    #[inline]
    #[must_use]
    pub fn neighbors(&self, circle: Circle) -> CircleSet {
        self.neighbors[circle.index()]
    }

    /// The start circle of `player` (R6).
    #[inline]
    #[must_use]
    pub fn start(&self, player: Player) -> Circle {
        self.starts[player]
    }

    /// The number of steps from `circle` to every circle, or `u8::MAX` where there
    /// is no path.
    #[must_use]
    pub fn steps_from(&self, circle: Circle) -> [u8; N_CIRCLES] {
        let mut steps = [u8::MAX; N_CIRCLES];
        let mut reached = CircleSet::EMPTY;
        let mut ring = CircleSet::from(circle);
        let mut n_steps = 0;
        while !ring.is_empty() {
            let mut next = CircleSet::EMPTY;
            for circle in ring {
                steps[circle.index()] = n_steps;
                next |= self.neighbors(circle);
            }
            reached |= ring;
            ring = next - reached;
            n_steps += 1;
        }
        steps
    }
}

impl Board {
    /// The board with the given number.
    #[must_use]
    pub fn new(number: u64) -> Self {
        let mut random = Random::new(number);
        loop {
            if let Some(discs) = draw_discs(&mut random)
                && let Some(board) = Self::from_discs(number, discs)
            {
                return board;
            }
        }
    }

    /// The board with these circles, if it is legal.
    fn from_discs(number: u64, mut discs: [Disc; N_CIRCLES]) -> Option<Self> {
        if !are_spread(&discs) {
            return None;
        }
        // R6.
        let corner = Point { x: 0, y: 0 };
        let key = |disc: &Disc| (disc.center.squared_distance(corner), disc.center);
        sort_short(&mut discs, |a, b| key(a) < key(b));
        let graph = Graph {
            neighbors: join(&discs),
            starts: ByPlayer {
                first: Circle::new(0)?,
                second: second_start(&discs)?,
            },
        };
        let pips = ByPlayer::from_fn(|player| graph.steps_from(graph.start(!player)));
        // R5: every circle is reached, the starts are far enough apart and
        // well joined.
        let is_connected = pips.first.iter().all(|&steps| steps < u8::MAX);
        let apart = pips[Player::First][graph.start(Player::First).index()];
        let is_joined =
            |player| graph.neighbors(graph.start(player)).len() >= LEAST_NEIGHBORS_OF_START;
        let is_fine = is_connected
            && apart >= LEAST_STEPS_BETWEEN_STARTS
            && Player::BOTH.into_iter().all(is_joined);
        is_fine.then_some(Self {
            number,
            discs,
            graph,
            pips,
        })
    }

    /// The board's number.
    #[inline]
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Where `circle` is and how large.
    #[must_use]
    pub fn disc(&self, circle: Circle) -> Disc {
        self.discs[circle.index()]
    }

    /// How the circles are joined.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The pips of `circle` for `player` (R7).
    #[must_use]
    pub fn pips(&self, player: Player, circle: Circle) -> u8 {
        self.pips[player][circle.index()]
    }

    /// Every edge once, the lower number first.
    pub fn edges(&self) -> impl Iterator<Item = (Circle, Circle)> {
        Circle::all().flat_map(|a| {
            let above = self.graph.neighbors(a).iter().filter(move |&b| a < b);
            above.map(move |b| (a, b))
        })
    }
}

/// R1, R2: thirty circles that fit, or `None` if the draw got stuck.
fn draw_discs(random: &mut Random) -> Option<[Disc; N_CIRCLES]> {
    let mut discs: Vec<Disc> = Vec::with_capacity(N_CIRCLES);
    let mut n_misses = 0;
    while discs.len() < N_CIRCLES {
        let center = Point {
            x: random.between(0, BOARD_SIZE),
            y: random.between(0, BOARD_SIZE),
        };
        let radius = random.between(RADII.0, RADII.1);
        let disc = Disc { center, radius };
        if fits(&disc, &discs) {
            discs.push(disc);
        } else {
            n_misses += 1;
            if n_misses > MOST_MISSES {
                return None;
            }
        }
    }
    discs.try_into().ok()
}

/// R1, R2: whether `disc` lies inside the square and clear of the others.
fn fits(disc: &Disc, others: &[Disc]) -> bool {
    let Disc { center, radius } = *disc;
    let is_inside = |n| n - radius >= 0 && n + radius <= BOARD_SIZE;
    let is_clear = |other: &Disc| {
        let least = i64::from(radius + other.radius + LEAST_GAP);
        center.squared_distance(other.center) >= least * least
    };
    is_inside(center.x) && is_inside(center.y) && others.iter().all(is_clear)
}

/// R2: whether every quarter holds enough centers. One on the line between two
/// quarters counts for neither.
fn are_spread(discs: &[Disc]) -> bool {
    const MIDDLE: i32 = BOARD_SIZE / 2;
    let mut n_centers = [0; 4];
    for Disc { center, .. } in discs {
        if center.x != MIDDLE && center.y != MIDDLE {
            let quarter = usize::from(center.x > MIDDLE) + 2 * usize::from(center.y > MIDDLE);
            n_centers[quarter] += 1;
        }
    }
    n_centers.iter().all(|&n| n >= LEAST_CENTERS_IN_QUARTER)
}

/// R6: the circle nearest to the lower right corner. `None` if two are equally near,
/// so that no tie-break is needed.
fn second_start(discs: &[Disc]) -> Option<Circle> {
    let corner = Point {
        x: BOARD_SIZE,
        y: BOARD_SIZE,
    };
    let distance = |&circle: &Circle| discs[circle.index()].center.squared_distance(corner);
    let nearest = Circle::all().min_by_key(distance)?;
    let n_nearest = Circle::all()
        .filter(|circle| distance(circle) == distance(&nearest))
        .count();
    (n_nearest == 1).then_some(nearest)
}

/// R4: the neighbors of each circle.
fn join(discs: &[Disc; N_CIRCLES]) -> [CircleSet; N_CIRCLES] {
    let mut candidates = Vec::new();
    for a in Circle::all() {
        for b in Circle::all().filter(|&b| a < b) {
            let length = discs[a.index()]
                .center
                .squared_distance(discs[b.index()].center);
            if length <= LONGEST_EDGE * LONGEST_EDGE {
                candidates.push((length, a, b));
            }
        }
    }
    candidates.sort_unstable();

    let mut neighbors = [CircleSet::EMPTY; N_CIRCLES];
    let mut kept: Vec<Segment> = Vec::new();
    for (_, a, b) in candidates {
        let edge = Segment(discs[a.index()].center, discs[b.index()].center);
        let is_third = |circle: &Circle| *circle != a && *circle != b;
        let passes_over_third = Circle::all()
            .filter(is_third)
            .any(|circle| edge.passes_over(&discs[circle.index()]));
        if !passes_over_third && !kept.iter().any(|&other| edge.crosses(other)) {
            kept.push(edge);
            neighbors[a.index()] |= b.into();
            neighbors[b.index()] |= a.into();
        }
    }
    neighbors
}
