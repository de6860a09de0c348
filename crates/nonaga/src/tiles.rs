use crate::{
    Hex,
    cell::{Cell, CellSet, Step},
    shore::Shore,
};

/// How many tiles there are (R2).
pub(crate) const N_TILES: usize = 19;

/// The tiles of a board: 19 connected cells, anywhere on the plane.
///
/// They are kept in a bit field that follows the board as it drifts: when a
/// tile comes to lie on the field's rim, the field is moved.
#[derive(Clone, Copy, Debug)]
pub struct Tiles {
    cells: CellSet,
    /// Where the field's first cell is on the plane.
    origin: Hex,
}

impl Tiles {
    /// The hexagon of a new match (R2).
    pub(crate) fn start() -> Self {
        let center = Hex::new(0, 0);
        let near = (-2..=2).flat_map(|q| (-2..=2).map(move |r| Hex::new(q, r)));
        let hexagon: Vec<Hex> = near.filter(|hex| hex.distance(center) <= 2).collect();
        Self::new(&hexagon).expect("the hexagon is connected")
    }

    /// The board with tiles on `hexes`, if they are connected.
    pub(crate) fn new(hexes: &[Hex]) -> Option<Self> {
        let origin = origin_for(hexes.iter().copied())?;
        let cells = hexes.iter().map(|&hex| Cell::inside(hex - origin));
        let tiles = Self {
            cells: cells.collect::<Option<_>>()?,
            origin,
        };
        let first = tiles.cells.iter().next()?;
        (reached_from(first, &tiles.cells) == tiles.cells).then_some(tiles)
    }

    /// The tiles one by one, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Hex> + Clone {
        self.cells.iter().map(|cell| self.hex(cell))
    }

    /// Whether there is a tile on `hex`.
    #[must_use]
    pub fn contains(&self, hex: Hex) -> bool {
        self.cell(hex).is_some_and(|cell| self.cells.contains(cell))
    }

    /// Whether the tile on `hex` is there, and the others stay connected
    /// without it (R5).
    #[must_use]
    pub fn may_lift(&self, hex: Hex) -> bool {
        let cell = self.cell(hex).filter(|&cell| self.cells.contains(cell));
        cell.is_some_and(|cell| self.shore().may_lift(cell))
    }

    pub(crate) fn cells(&self) -> &CellSet {
        &self.cells
    }

    /// The place on the plane of a cell of the field.
    #[inline]
    pub(crate) fn hex(&self, cell: Cell) -> Hex {
        self.origin + cell.offset()
    }

    /// The cell of the field at a place on the plane.
    pub(crate) fn cell(&self, hex: Hex) -> Option<Cell> {
        Cell::on_field(hex - self.origin)
    }

    /// Moves a tile. If the field has to follow, returns by how much everything
    /// on it has moved.
    #[must_use]
    pub(crate) fn shift(&mut self, from: Cell, to: Cell) -> Option<Hex> {
        self.cells.remove(from);
        self.cells.insert(to);
        if !to.is_on_rim() {
            return None;
        }
        let origin = origin_for(self.iter()).expect("19 connected tiles fit the field");
        let offset = self.origin - origin;
        self.cells = self.cells.moved(offset);
        self.origin = origin;
        Some(offset)
    }

    /// The places for shifts.
    pub(crate) fn shore(&self) -> Shore {
        let mut shore = Shore::new(&self.cells);
        let corner =
            Hex::new(self.origin.q.abs(), self.origin.r.abs()) + Cell::CENTER + Cell::CENTER;
        if !corner.is_on_plane() {
            shore.retain(|place| self.hex(place).is_on_plane());
        }
        shore
    }
}

/// Two boards are equal if their tiles are at the same places on the plane,
/// wherever their fields are.
impl PartialEq for Tiles {
    fn eq(&self, other: &Self) -> bool {
        if self.origin == other.origin {
            return self.cells == other.cells;
        }
        self.iter().eq(other.iter())
    }
}

impl Eq for Tiles {}

/// The origin of a field with `hexes` in its middle, if there is room for them.
fn origin_for(hexes: impl Iterator<Item = Hex> + Clone) -> Option<Hex> {
    let middle = |coordinate: fn(Hex) -> i32| {
        let all = hexes.clone().map(coordinate);
        let (least, most) = (all.clone().min()?, all.max()?);
        Some(least + (most.checked_sub(least)?) / 2)
    };
    let middle = Hex::new(middle(|hex| hex.q)?, middle(|hex| hex.r)?);
    Some(middle - Cell::CENTER)
}

/// Flood fill: the cells of `cells` that are connected with `start`.
pub(crate) fn reached_from(start: Cell, cells: &CellSet) -> CellSet {
    let mut reached = CellSet::default();
    reached.insert(start);
    let mut frontier = vec![start];
    while let Some(cell) = frontier.pop() {
        for step in Step::ALL {
            let next = cell.step(step);
            if cells.contains(next) && !reached.contains(next) {
                reached.insert(next);
                frontier.push(next);
            }
        }
    }
    reached
}
