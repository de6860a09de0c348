//! What a placement encloses (R4, R6).
//!
//! Most placements enclose nothing, which the eight points around them show.
//! Otherwise four straight lines often do. Only then is an area flooded.

use crate::{Point, PointSet};

/// A board as the stones of one player divide it.
pub(crate) struct Walls<'a> {
    pub(crate) size: u8,
    /// The stones that are walls.
    pub(crate) walls: &'a PointSet,
    /// The stones of the other player.
    pub(crate) inmates: &'a PointSet,
}

impl Walls<'_> {
    /// All points but the walls.
    fn open(&self) -> PointSet {
        PointSet::board(self.size) - *self.walls
    }

    /// The points without a stone.
    fn vacant(&self) -> PointSet {
        self.open() - *self.inmates
    }

    /// The empty points of the rim; an area that contains one escapes.
    fn exits(&self) -> PointSet {
        PointSet::rim(self.size) - *self.walls - *self.inmates
    }

    /// R4: whether the area around `from`, which is no wall, escapes.
    pub(crate) fn escapes(&self, from: Point) -> bool {
        self.sees_exit(from) || PointSet::flooded_from(from, &self.open()).intersects(&self.exits())
    }

    /// R4: every area with inmates that does not escape.
    pub(crate) fn captured(&self) -> Vec<PointSet> {
        let open = self.open();
        let mut trapped = *self.inmates - self.exits().flooded(&open);
        let mut areas = Vec::new();
        while let Some(stone) = trapped.first() {
            let area = PointSet::flooded_from(stone, &open);
            trapped = trapped - area;
            areas.push(area);
        }
        areas
    }

    /// The areas of [`captured`](Self::captured) that touch the wall `at`; these are
    /// all if there were none before it was built.
    pub(crate) fn captured_beside(&self, at: Point) -> Vec<PointSet> {
        let gates = self.gates(at);
        let mut areas: Vec<PointSet> = Vec::new();
        // A wall that divides nothing can't close an area, unless it occupied an
        // exit.
        if gates.iter().flatten().count() < 2 && !at.is_on_rim(self.size) {
            return areas;
        }
        for gate in gates.into_iter().flatten() {
            if self.sees_exit(gate) || areas.iter().any(|area| area.contains(gate)) {
                continue;
            }
            let area = PointSet::flooded_from(gate, &self.open());
            if area.intersects(self.inmates) && !area.intersects(&self.exits()) {
                areas.push(area);
            }
        }
        areas
    }

    /// R6: every region without stones that touches only the walls, and contains
    /// neither a point of the rim nor of `forts`.
    pub(crate) fn enclosed(&self, forts: &PointSet) -> PointSet {
        let vacant = self.vacant();
        let spoiled = PointSet::rim(self.size) | *forts | self.inmates.grown();
        vacant - spoiled.flooded(&vacant)
    }

    /// The regions of [`enclosed`](Self::enclosed) that touch the wall `at`; these
    /// are all if there were none before it was built.
    pub(crate) fn enclosed_beside(&self, at: Point, forts: &PointSet) -> PointSet {
        let touches_inmate = || {
            let mut neighbors = at.neighbors(self.size);
            neighbors.any(|point| self.inmates.contains(point))
        };
        // A wall that divides nothing can't enclose a region, unless the region
        // touched an inmate or the rim exactly here.
        let divides = self.gates(at).iter().flatten().count() >= 2;
        let mut regions = PointSet::EMPTY;
        if !(divides || at.is_on_rim(self.size) || touches_inmate()) {
            return regions;
        }
        for side in at.neighbors(self.size) {
            let is_vacant = !self.walls.contains(side) && !self.inmates.contains(side);
            if !is_vacant || regions.contains(side) || self.sees_spoil(side, forts) {
                continue;
            }
            let region = PointSet::flooded_from(side, &self.vacant());
            let is_spoiled = region.intersects(&PointSet::rim(self.size))
                || region.intersects(forts)
                || region.grown().intersects(self.inmates);
            if !is_spoiled {
                regions |= region;
            }
        }
        regions
    }

    /// One point of each group that the points around `at` form. Different groups
    /// may still be connected further out.
    fn gates(&self, at: Point) -> [Option<Point>; 4] {
        // Each is next to the one before; those with an even number touch `at`.
        const AROUND: [(i8, i8); 8] = [
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
            (0, -1),
            (1, -1),
        ];
        let around = AROUND.map(|(columns, rows)| {
            let point = at.offset(columns, rows, self.size);
            point.filter(|&point| !self.walls.contains(point))
        });
        // A group is identified by the side where it ends.
        let mut gates = [0, 2, 4, 6].map(|side: usize| {
            let goes_on = around[side + 1].is_some() && around[(side + 2) % 8].is_some();
            around[side].filter(|_| !goes_on)
        });
        // No group ends if all points are open.
        if gates.iter().all(Option::is_none) {
            gates[0] = around[0];
        }
        gates
    }

    /// Whether one of four straight lines from `from` leads to an exit.
    fn sees_exit(&self, from: Point) -> bool {
        let is_exit = |end: &Point| end.is_on_rim(self.size) && !self.inmates.contains(*end);
        self.last_points(from).iter().any(is_exit)
    }

    /// Whether one of four straight lines from the vacant point `from` shows
    /// that its region is not enclosed. It may pass over an inmate, but then
    /// the region is not enclosed either.
    fn sees_spoil(&self, from: Point, forts: &PointSet) -> bool {
        let is_spoil = |&end: &Point| {
            end.is_on_rim(self.size) || self.inmates.contains(end) || forts.contains(end)
        };
        self.last_points(from).iter().any(is_spoil)
    }

    /// The last points before a wall or the edge in the four directions.
    fn last_points(&self, from: Point) -> [Point; 4] {
        let (column, row) = (from.column(), from.row());
        let walls = self.walls.row(row);
        let n_free_right = (walls >> column).trailing_zeros() as u8;
        let right = self.size.min(column.saturating_add(n_free_right)) - 1;
        let walls_left = walls & ((1 << column) - 1);
        let left = (u64::BITS - walls_left.leading_zeros()) as u8;
        let is_free = |&row: &u8| !self.walls.contains(Point::new(column, row));
        let up = (row..self.size).take_while(is_free).last();
        let down = (0..=row).rev().take_while(is_free).last();
        [
            Point::new(right, row),
            Point::new(left, row),
            Point::new(column, up.unwrap_or(row)),
            Point::new(column, down.unwrap_or(row)),
        ]
    }
}
