use rules::Player;
use simply_go::{Point, PointSet, SimplyGo};

/// The areas of a player: the parts into which the opponent's stones divide the
/// other points.
#[derive(Clone, Debug)]
pub(crate) struct Areas {
    size: u8,
    /// The number of each point's area; `NONE` on the opponent's stones.
    numbers: Vec<u16>,
    pub(crate) list: Vec<Area>,
}

/// One area.
#[derive(Clone, Debug)]
pub(crate) struct Area {
    pub(crate) points: PointSet,
    /// The number of empty points on the rim.
    pub(crate) n_exits: u32,
    /// The number of the player's stones.
    pub(crate) n_stones: u32,
    /// The number of sides that touch a stone of the opponent.
    pub(crate) n_walls: u32,
    /// The number of sides that touch the edge of the board.
    pub(crate) n_edges: u32,
}

const NONE: u16 = u16::MAX;

impl Areas {
    pub(crate) fn new(position: &SimplyGo, player: Player) -> Self {
        let size = position.size();
        let enemy = position.stones(!player);
        let open = PointSet::board(size) - *enemy;
        let mut left = open;
        let mut areas = Self {
            size,
            numbers: vec![NONE; usize::from(size) * usize::from(size)],
            list: Vec::new(),
        };
        while let Some(point) = left.first() {
            let points = PointSet::flooded_from(point, &open);
            left = left - points;
            let number = areas.list.len() as u16;
            for point in points.iter() {
                let index = areas.index(point);
                areas.numbers[index] = number;
            }
            areas.list.push(Area::new(position, player, points));
        }
        areas
    }

    fn index(&self, point: Point) -> usize {
        usize::from(point.row()) * usize::from(self.size) + usize::from(point.column())
    }

    /// The number of the area of `point`, which has no stone of the opponent.
    pub(crate) fn number(&self, point: Point) -> usize {
        usize::from(self.numbers[self.index(point)])
    }

    /// The area of `point`, unless it has a stone of the opponent.
    pub(crate) fn of(&self, point: Point) -> Option<&Area> {
        self.list.get(usize::from(self.numbers[self.index(point)]))
    }
}

impl Area {
    pub(crate) fn new(position: &SimplyGo, player: Player, points: PointSet) -> Self {
        let size = position.size();
        let own = position.stones(player);
        let enemy = position.stones(!player);
        let mut n_walls = 0;
        let mut n_edges = 0;
        for point in points.iter() {
            let mut n_neighbors = 0;
            for neighbor in point.neighbors(size) {
                n_neighbors += 1;
                n_walls += u32::from(enemy.contains(neighbor));
            }
            n_edges += 4 - n_neighbors;
        }
        Self {
            n_exits: ((points & PointSet::rim(size)) - *own).len(),
            n_stones: (points & *own).len(),
            points,
            n_walls,
            n_edges,
        }
    }

    /// The share of its border that is the opponent's stones, in percent.
    pub(crate) fn wall_percent(&self) -> u32 {
        100 * self.n_walls / (self.n_walls + self.n_edges).max(1)
    }
}
