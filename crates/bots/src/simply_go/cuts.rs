use rules::Player;
use simply_go::{Point, PointSet, SimplyGo};

/// For every point of a player's areas, the articulation points on its ways to the
/// rim: a stone of the opponent there would cut it off.
#[derive(Clone, Debug)]
pub(crate) struct Cuts {
    size: u8,
    counts: Vec<Count>,
}

/// The cuts of a point: none, one, or more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Count {
    /// There is no way to the rim.
    NoWay,
    None,
    /// Exactly this one.
    One(Point),
    Several,
}

impl Count {
    /// Adds a cut.
    fn and(self, point: Point) -> Self {
        match self {
            Self::None => Self::One(point),
            Self::One(other) if other == point => self,
            _ => Self::Several,
        }
    }

    /// Adds the cuts of `other`.
    pub(crate) fn union(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, _) => other,
            (_, Self::One(point)) => self.and(point),
            (_, Self::None) => self,
            (Self::NoWay, _) | (_, Self::NoWay) => Self::NoWay,
            _ => Self::Several,
        }
    }

    /// Whether there is a cut other than `point`.
    pub(crate) fn is_more_than(self, point: Point) -> bool {
        match self {
            Self::None => false,
            Self::One(other) => other != point,
            Self::Several | Self::NoWay => true,
        }
    }
}

/// A point on the stack of the depth-first search.
#[derive(Clone, Copy)]
struct Visit {
    point: Point,
    parent: Option<Point>,
    /// The number of neighbors visited.
    n_tried: usize,
}

impl Cuts {
    /// The cuts of `player`, who has just put a stone on `taken`, if that is
    /// given and captures nothing.
    pub(crate) fn new(position: &SimplyGo, player: Player, taken: Option<Point>) -> Self {
        Walk::new(position, player, taken).cuts()
    }

    /// The cuts of one point.
    pub(crate) fn of(&self, point: Point) -> Count {
        self.counts[index(self.size, point)]
    }
}

fn index(size: u8, point: Point) -> usize {
    usize::from(point.row()) * usize::from(size) + usize::from(point.column())
}

/// Depth-first search over all areas, from the rim inwards: Tarjan's algorithm for
/// articulation points.
struct Walk {
    size: u8,
    open: PointSet,
    exits: PointSet,
    /// Where the opponent may put a stone.
    playable: PointSet,
    /// Discovery time of each point, from 1.
    reached: Vec<u32>,
    /// Low-link of each point: the earliest point that can be reached from behind
    /// it; 0 is outside.
    lowest: Vec<u32>,
    /// Points and their parents, in order of discovery.
    order: Vec<(Point, Option<Point>)>,
}

impl Walk {
    fn new(position: &SimplyGo, player: Player, taken: Option<Point>) -> Self {
        let size = position.size();
        let own = *position.stones(player) | taken.into_iter().collect();
        let open = PointSet::board(size) - *position.stones(!player);
        let n = usize::from(size) * usize::from(size);
        Self {
            size,
            open,
            exits: (PointSet::rim(size) & open) - own,
            playable: position.playable() - taken.into_iter().collect(),
            reached: vec![0; n],
            lowest: vec![0; n],
            order: Vec::with_capacity(n),
        }
    }

    fn cuts(mut self) -> Cuts {
        for exit in self.exits.iter().collect::<Vec<_>>() {
            if self.reached[index(self.size, exit)] == 0 {
                self.walk_from(exit);
            }
        }
        let mut counts = vec![Count::NoWay; self.reached.len()];
        for &(point, parent) in &self.order {
            let count = match parent {
                None => Count::None,
                Some(parent) => {
                    let from = index(self.size, parent);
                    let is_cut = self.lowest[index(self.size, point)] >= self.reached[from];
                    if is_cut && self.playable.contains(parent) {
                        counts[from].and(parent)
                    } else {
                        counts[from]
                    }
                }
            };
            counts[index(self.size, point)] = count;
        }
        Cuts {
            size: self.size,
            counts,
        }
    }

    fn reach(&mut self, point: Point, parent: Option<Point>) -> Visit {
        let number = self.order.len() as u32 + 1;
        let at = index(self.size, point);
        self.reached[at] = number;
        self.lowest[at] = if self.exits.contains(point) {
            0
        } else {
            number
        };
        self.order.push((point, parent));
        Visit {
            point,
            parent,
            n_tried: 0,
        }
    }

    fn walk_from(&mut self, exit: Point) {
        const WAYS: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        let first = self.reach(exit, None);
        let mut visits = vec![first];
        while let Some(visit) = visits.last_mut() {
            let Visit {
                point,
                parent,
                n_tried,
            } = *visit;
            let Some(&(columns, rows)) = WAYS.get(n_tried) else {
                visits.pop();
                if let Some(parent) = parent {
                    let lowest = self.lowest[index(self.size, point)];
                    let above = &mut self.lowest[index(self.size, parent)];
                    *above = (*above).min(lowest);
                }
                continue;
            };
            visit.n_tried += 1;
            let next = point.offset(columns, rows, self.size);
            let Some(next) = next.filter(|next| self.open.contains(*next)) else {
                continue;
            };
            let reached = self.reached[index(self.size, next)];
            if reached == 0 {
                let visit = self.reach(next, Some(point));
                visits.push(visit);
            } else if Some(next) != parent {
                let lowest = &mut self.lowest[index(self.size, point)];
                *lowest = (*lowest).min(reached);
            }
        }
    }
}
