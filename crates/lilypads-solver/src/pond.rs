use lilypads::{Circle, CircleSet, Graph};
use rules::{ByPlayer, Player};

/// The maximum number of circles of a [`Pond`], without the starts.
pub const MOST_CIRCLES: usize = 28;

/// The circles that pieces can be on during a match, which are all but the starts
/// (R13, R15), renumbered from 0.
///
/// Sets of circles are bits of a word, as in [`CircleSet`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pond {
    neighbors: Vec<u32>,
    near_start: ByPlayer<u32>,
}

impl Pond {
    /// A pond in which circle `i` is joined to the circles `neighbors[i]`, and each
    /// player's start to the circles `near_start`.
    ///
    /// `None` if there are too many circles, if one is joined to itself or to one
    /// that does not exist, or if an edge is not symmetric.
    #[must_use]
    pub fn new(neighbors: Vec<u32>, near_start: ByPlayer<u32>) -> Option<Self> {
        let n_circles = neighbors.len();
        if n_circles > MOST_CIRCLES {
            return None;
        }
        let is_there = |set: u32| set >> n_circles == 0;
        let is_mutual = |a: usize| bits(neighbors[a]).all(|b| b != a && neighbors[b] >> a & 1 == 1);
        let is_fine = neighbors.iter().all(|&set| is_there(set))
            && Player::BOTH.iter().all(|&p| is_there(near_start[p]))
            && (0..n_circles).all(is_mutual);
        is_fine.then_some(Self {
            neighbors,
            near_start,
        })
    }

    /// The pond of a board.
    #[must_use]
    pub fn of_graph(graph: &Graph) -> Self {
        let narrow = Narrowing::of_graph(graph);
        let circles = Circle::all().filter(|&circle| narrow.has(circle));
        Self {
            neighbors: circles
                .map(|circle| narrow.set(graph.neighbors(circle)))
                .collect(),
            near_start: ByPlayer::from_fn(|player| {
                narrow.set(graph.neighbors(graph.start(player)))
            }),
        }
    }

    /// The number of circles.
    #[must_use]
    pub fn n_circles(&self) -> usize {
        self.neighbors.len()
    }

    /// The circles joined to `circle`.
    #[must_use]
    pub fn neighbors(&self, circle: usize) -> u32 {
        self.neighbors[circle]
    }

    /// The circles joined to the start of `player`: its pieces enter there (R9), and
    /// the opponent's win with one more step (R15).
    #[must_use]
    pub fn near_start(&self, player: Player) -> u32 {
        self.near_start[player]
    }
}

/// The indices of the bits of a set, lowest first.
pub(crate) fn bits(set: u32) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let lowest = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (lowest < u32::BITS).then_some(lowest as usize)
    })
}

/// Maps circles of a board to those of its pond.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Narrowing {
    starts: CircleSet,
    /// The circles below the lower start, those between the starts, and those
    /// above the higher one.
    parts: [u32; 3],
}

impl Narrowing {
    pub(crate) fn of_graph(graph: &Graph) -> Self {
        let starts: CircleSet = Player::BOTH
            .map(|player| graph.start(player))
            .into_iter()
            .collect();
        let low = (1 << starts.bits().trailing_zeros()) - 1;
        let up_to_high = u32::MAX >> starts.bits().leading_zeros();
        Self {
            starts,
            parts: [
                low,
                up_to_high & !low & !starts.bits(),
                CircleSet::ALL.bits() & !up_to_high,
            ],
        }
    }

    fn has(&self, circle: Circle) -> bool {
        !self.starts.contains(circle)
    }

    /// The set in the pond's numbers, without the starts.
    #[inline]
    pub(crate) fn set(&self, circles: CircleSet) -> u32 {
        let [low, middle, high] = self.parts.map(|part| circles.bits() & part);
        low | middle >> 1 | high >> 2
    }
}
