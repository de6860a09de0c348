//! Nonaga a second time: slow, plain, and written from the rule sheet alone.

use std::{collections::BTreeSet, fmt};

use rules::{Outcome, Player};
use testkit::Reference;

/// R1: a cell's q and r.
type Cell = (i32, i32);

/// R1: the six directions, each beside the one before it.
const DIRECTIONS: [Cell; 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];

/// A position of Nonaga.
#[derive(Clone)]
pub(crate) struct Honeycomb {
    tiles: BTreeSet<Cell>,
    first: BTreeSet<Cell>,
    second: BTreeSet<Cell>,
    turn: Player,
    phase: Phase,
    rules: Rules,
}

/// Which of its two moves a player is to make.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Slide,
    Shift,
}

/// The variant, and what only it needs to know.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rules {
    /// R1 to R7.
    Standard,
    /// R8 and R9 besides.
    Published {
        /// R9: where the tile lies that the opponent shifted in the last turn.
        barred: Option<Cell>,
    },
}

impl Honeycomb {
    /// R2: the position in which a match begins.
    pub(crate) fn new(rules: Rules) -> Self {
        let mut tiles = BTreeSet::new();
        for q in -2_i32..=2 {
            for r in -2_i32..=2 {
                if (q + r).abs() <= 2 {
                    tiles.insert((q, r));
                }
            }
        }
        Self {
            tiles,
            first: BTreeSet::from([(2, -2), (0, 2), (-2, 0)]),
            second: BTreeSet::from([(2, 0), (-2, 2), (0, -2)]),
            turn: Player::First,
            phase: Phase::Slide,
            rules,
        }
    }

    fn pieces(&self, player: Player) -> &BTreeSet<Cell> {
        match player {
            Player::First => &self.first,
            Player::Second => &self.second,
        }
    }

    fn has_piece(&self, cell: Cell) -> bool {
        self.first.contains(&cell) || self.second.contains(&cell)
    }

    /// R3: the slides of the player to move, as from and to.
    fn slides(&self) -> Vec<(Cell, Cell)> {
        let mut slides = Vec::new();
        for &from in self.pieces(self.turn) {
            for direction in DIRECTIONS {
                let mut to = from;
                loop {
                    let next = plus(to, direction);
                    if !self.tiles.contains(&next) || self.has_piece(next) {
                        break;
                    }
                    to = next;
                }
                // It must move at least one cell.
                if to != from {
                    slides.push((from, to));
                }
            }
        }
        slides
    }

    /// R5: the shifts, as from and to.
    fn shifts(&self) -> Vec<(Cell, Cell)> {
        let mut shifts = Vec::new();
        for &from in &self.tiles {
            let mut others = self.tiles.clone();
            others.remove(&from);
            if self.has_piece(from) || !is_connected(&others) || !self.variant_allows(from) {
                continue;
            }
            let around: BTreeSet<Cell> = others.iter().flat_map(|&tile| neighbors(tile)).collect();
            for to in around {
                let n_touched = neighbors(to)
                    .iter()
                    .filter(|&tile| others.contains(tile))
                    .count();
                if !others.contains(&to) && n_touched >= 2 && to != from {
                    shifts.push((from, to));
                }
            }
        }
        shifts
    }

    fn variant_allows(&self, tile: Cell) -> bool {
        match self.rules {
            Rules::Standard => true,
            Rules::Published { barred } => self.slips_out(tile) && barred != Some(tile),
        }
    }

    /// R8: two of the neighboring cells, side by side, have no tile.
    fn slips_out(&self, tile: Cell) -> bool {
        let gaps: Vec<Cell> = neighbors(tile)
            .into_iter()
            .filter(|cell| !self.tiles.contains(cell))
            .collect();
        gaps.iter()
            .any(|&one| gaps.iter().any(|&other| are_adjacent(one, other)))
    }

    /// R6: the turn ends after a shift, or where none is possible. R9: then
    /// the tile that was shifted, if any, is barred to the opponent.
    fn end_turn(&mut self, shifted: Option<Cell>) {
        self.turn = !self.turn;
        self.phase = Phase::Slide;
        if let Rules::Published { barred } = &mut self.rules {
            *barred = shifted;
        }
    }
}

impl Reference for Honeycomb {
    fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let (fields, rules) = match *fields.as_slice() {
            [tiles, first, second, turn, phase] => {
                ([tiles, first, second, turn, phase], Rules::Standard)
            }
            [tiles, first, second, turn, phase, barred] => {
                let barred = (barred != "-").then(|| read_cell(barred));
                (
                    [tiles, first, second, turn, phase],
                    Rules::Published { barred },
                )
            }
            _ => panic!("five or six fields in {text}"),
        };
        let [tiles, first, second, turn, phase] = fields;
        Self {
            tiles: read_cells(tiles),
            first: read_cells(first),
            second: read_cells(second),
            turn: turn.parse().expect("a player"),
            phase: match phase {
                "slide" => Phase::Slide,
                "shift" => Phase::Shift,
                _ => panic!("a phase in {text}"),
            },
            rules,
        }
    }

    fn text(&self) -> String {
        let mut fields = vec![
            write_cells(&self.tiles),
            write_cells(&self.first),
            write_cells(&self.second),
            self.turn.to_string(),
            self.phase.to_string(),
        ];
        if let Rules::Published { barred } = self.rules {
            fields.push(barred.map_or_else(|| "-".to_owned(), write_cell));
        }
        fields.join(" ")
    }

    fn moves(&self) -> Vec<String> {
        // R4: the match is over at once.
        if self.outcome().is_some() {
            return Vec::new();
        }
        let (mark, moves) = match self.phase {
            Phase::Slide => ("", self.slides()),
            Phase::Shift => ("#", self.shifts()),
        };
        // R6: a pass is legal only where the phase has no other move.
        if moves.is_empty() {
            return vec!["pass".to_owned()];
        }
        let write = |(from, to)| format!("{mark}{}>{}", write_cell(from), write_cell(to));
        moves.into_iter().map(write).collect()
    }

    fn play(&mut self, m: &str) {
        match self.phase {
            Phase::Slide => {
                if m != "pass" {
                    let (from, to) = read_way(m);
                    let pieces = match self.turn {
                        Player::First => &mut self.first,
                        Player::Second => &mut self.second,
                    };
                    pieces.remove(&from);
                    pieces.insert(to);
                }
                self.phase = Phase::Shift;
            }
            Phase::Shift if m == "pass" => self.end_turn(None),
            Phase::Shift => {
                let (from, to) = read_way(m.strip_prefix('#').expect("a shift"));
                self.tiles.remove(&from);
                self.tiles.insert(to);
                self.end_turn(Some(to));
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        // R4: only the mover is tested, and only after the slide.
        let after_slide = self.phase == Phase::Shift;
        (after_slide && n_adjacent_pairs(self.pieces(self.turn)) >= 2)
            .then_some(Outcome::Win(self.turn))
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Slide => "slide",
            Self::Shift => "shift",
        })
    }
}

fn plus(cell: Cell, direction: Cell) -> Cell {
    (cell.0 + direction.0, cell.1 + direction.1)
}

fn neighbors(cell: Cell) -> [Cell; 6] {
    DIRECTIONS.map(|direction| plus(cell, direction))
}

fn are_adjacent(one: Cell, other: Cell) -> bool {
    neighbors(one).contains(&other)
}

/// How many pairs of the cells are adjacent.
fn n_adjacent_pairs(cells: &BTreeSet<Cell>) -> usize {
    let mut n_pairs = 0;
    for &one in cells {
        for &other in cells {
            if one < other && are_adjacent(one, other) {
                n_pairs += 1;
            }
        }
    }
    n_pairs
}

/// Whether a walk over the tiles from one of them reaches all.
fn is_connected(tiles: &BTreeSet<Cell>) -> bool {
    let mut reached = BTreeSet::new();
    let mut open: Vec<Cell> = tiles.first().copied().into_iter().collect();
    while let Some(tile) = open.pop() {
        if tiles.contains(&tile) && reached.insert(tile) {
            open.extend(neighbors(tile));
        }
    }
    reached == *tiles
}

fn read_cell(text: &str) -> Cell {
    let (q, r) = text.split_once(',').expect("q and r");
    (q.parse().expect("a number"), r.parse().expect("a number"))
}

fn read_cells(text: &str) -> BTreeSet<Cell> {
    text.split(';').map(read_cell).collect()
}

fn read_way(text: &str) -> (Cell, Cell) {
    let (from, to) = text.split_once('>').expect("from and to");
    (read_cell(from), read_cell(to))
}

fn write_cell((q, r): Cell) -> String {
    format!("{q},{r}")
}

/// The set is sorted by q, then r.
fn write_cells(cells: &BTreeSet<Cell>) -> String {
    let cells: Vec<String> = cells.iter().copied().map(write_cell).collect();
    cells.join(";")
}
