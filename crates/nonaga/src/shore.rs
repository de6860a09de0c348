use crate::{
    cell::{Cell, CellSet, Step},
    tiles::reached_from,
};

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

    /// Removes the places for which `is_place` is false.
    pub(crate) fn retain(&mut self, is_place: impl Fn(Cell) -> bool) {
        let places: CellSet = self.places.iter().filter(|&cell| is_place(cell)).collect();
        self.places = places;
        self.scant = self.scant & places;
        self.n_places = places.len();
    }

    /// R5: whether the other tiles stay connected without the one on `tile`.
    #[inline]
    pub(crate) fn may_lift(&self, tile: Cell) -> bool {
        let n_arcs = AROUND[usize::from(self.tiles.around(tile))].n_arcs;
        // The neighbors of a tile form arcs. Without it, two arcs are connected only
        // around a hole.
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
            // A place that touches only two tiles, one of them this, is not allowed.
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

/// Whether the connected `tiles` enclose a cell without a tile, by Euler's formula:
/// vertices minus edges plus triangles are one minus the number of holes. `beside`
/// has the tiles stepped back in each direction.
fn has_hole(tiles: &CellSet, beside: &[CellSet; 6]) -> bool {
    let [east, northeast, _, _, _, south] = *beside;
    let east = *tiles & east;
    let northeast = *tiles & northeast;
    let south = *tiles & south;
    let n_edges = east.len() + northeast.len() + south.len();
    let n_triangles = (east & northeast).len() + (east & south).len();
    1 + n_edges > tiles.len() + n_triangles
}

/// Properties of the six cells around a tile.
#[derive(Clone, Copy)]
struct Around {
    /// The number of arcs that the tiles around form.
    n_arcs: u8,
    /// Whether two adjacent cells have no tile.
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
