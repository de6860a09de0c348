use crate::{
    Hex,
    cell::{Cell, CellSet, Step},
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
        (tiles.reached_from(first) == tiles.cells).then_some(tiles)
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

    /// The tiles that can be reached from `cell`, going from tile to tile.
    fn reached_from(&self, cell: Cell) -> CellSet {
        reached_from(cell, &self.cells)
    }

    /// What there is to know for shifts.
    pub(crate) fn shore(&self) -> Shore {
        Shore::new(&self.cells)
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

/// The field's place that has `hexes` in its middle, if it has room for them.
fn origin_for(hexes: impl Iterator<Item = Hex> + Clone) -> Option<Hex> {
    let middle = |coordinate: fn(Hex) -> i32| {
        let all = hexes.clone().map(coordinate);
        let (least, most) = (all.clone().min()?, all.max()?);
        Some(least + (most.checked_sub(least)?) / 2)
    };
    let middle = Hex::new(middle(|hex| hex.q)?, middle(|hex| hex.r)?);
    Some(middle - Cell::CENTER)
}

/// The cells of `cells` that can be reached from `start` within them.
fn reached_from(start: Cell, cells: &CellSet) -> CellSet {
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

/// Where tiles may be taken from and put to.
pub(crate) struct Shore {
    tiles: CellSet,
    /// The cells without a tile that touch at least two tiles.
    places: CellSet,
    /// Those that touch exactly two.
    scant: CellSet,
    n_places: u32,
    has_hole: bool,
}

impl Shore {
    pub(crate) fn new(tiles: &CellSet) -> Self {
        let beside = Step::ALL.map(|step| tiles.stepped_back(step));
        let mut one = CellSet::default();
        let mut two = CellSet::default();
        let mut three = CellSet::default();
        for side in beside {
            three = three | two & side;
            two = two | one & side;
            one = one | side;
        }
        let places = two & !*tiles;
        Self {
            tiles: *tiles,
            places,
            scant: places & !three,
            n_places: places.len(),
            has_hole: has_hole(tiles, &beside),
        }
    }

    /// R5: whether the other tiles stay connected without the one on `tile`.
    #[inline]
    pub(crate) fn may_lift(&self, tile: Cell) -> bool {
        let n_arcs = AROUND[usize::from(self.tiles.around(tile))].n_arcs;
        // The neighbors of a tile fall into arcs. Without it, two arcs are
        // connected only if they were so round a hole.
        n_arcs == 1 || self.has_hole && self.is_connected_without(tile)
    }

    fn is_connected_without(&self, tile: Cell) -> bool {
        let mut others = self.tiles;
        others.remove(tile);
        let first = others.iter().next();
        first.is_none_or(|first| reached_from(first, &others) == others)
    }

    /// R8: whether two cells side by side next to `tile` have no tile.
    #[inline]
    pub(crate) fn may_draw_out(&self, tile: Cell) -> bool {
        AROUND[usize::from(self.tiles.around(tile))].has_gap
    }

    /// R5: the cells that the tile on `tile` may be put on.
    #[inline]
    pub(crate) fn destinations(&self, tile: Cell) -> CellSet {
        let mut destinations = self.places;
        for step in Step::ALL {
            // A place that touches two tiles of which this is one does not do.
            let place = tile.step(step);
            if self.scant.contains(place) {
                destinations.remove(place);
            }
        }
        destinations
    }

    /// The number of [`destinations`](Self::destinations).
    #[inline]
    pub(crate) fn n_destinations(&self, tile: Cell) -> u32 {
        self.n_places - self.scant.around(tile).count_ones()
    }
}

/// Whether the connected `tiles` enclose a cell without one, by Euler's
/// formula: corners less edges plus triangles are one less a hole each.
/// `beside` has the tiles stepped back in each direction.
fn has_hole(tiles: &CellSet, beside: &[CellSet; 6]) -> bool {
    let [east, northeast, _, _, _, south] = *beside;
    let east = *tiles & east;
    let northeast = *tiles & northeast;
    let south = *tiles & south;
    let n_edges = east.len() + northeast.len() + south.len();
    let n_triangles = (east & northeast).len() + (east & south).len();
    1 + n_edges > tiles.len() + n_triangles
}

/// What the six cells around a tile tell.
#[derive(Clone, Copy)]
struct Around {
    /// Into how many pieces the tiles around fall.
    n_arcs: u8,
    /// Whether two cells running have no tile.
    has_gap: bool,
}

/// For each set of neighbors, a bit for each direction.
static AROUND: [Around; 64] = {
    let mut all = [Around {
        n_arcs: 0,
        has_gap: false,
    }; 64];
    let mut around = 0;
    while around < 64 {
        let mut direction = 0;
        while direction < 6 {
            let is_tile = around >> direction & 1 == 1;
            let next_is_tile = around >> ((direction + 1) % 6) & 1 == 1;
            if is_tile && !next_is_tile {
                all[around].n_arcs += 1;
            }
            if !is_tile && !next_is_tile {
                all[around].has_gap = true;
            }
            direction += 1;
        }
        around += 1;
    }
    all[63].n_arcs = 1;
    all
};
