use rules::{ByPlayer, Player};

use crate::{
    Move, Nonaga,
    cell::{Cell, CellSet, SIZE, Step},
    position::{N_PIECES, n_touching_pairs},
};

/// Counts of a player's slides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SlideCounts {
    /// The number of slides.
    pub n_slides: u32,
    /// The number that connect all three pieces.
    pub n_wins: u32,
    /// The number that leave two pieces adjacent, and not the third.
    pub n_joins: u32,
}

/// What a player's slides depend on: which shifts may change them.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// The tiles that slides cross or end on.
    crossed: CellSet,
    /// The cells without a tile that slides end before.
    edges: CellSet,
}

/// The pieces of both players and the ends of all their slides, as numbers of cells.
///
/// The numbers of two cells differ by `q * Survey::WIDTH + r` if one is (q, r) away from
/// the other, wherever the board has drifted to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Survey {
    /// The cells of the pieces, in their order.
    pub pieces: ByPlayer<[u16; N_PIECES]>,
    /// Where each piece ends in each of the [directions](crate::Hex::DIRECTIONS); its own
    /// cell if it can't slide.
    pub ends: ByPlayer<[[u16; 6]; N_PIECES]>,
}

impl Survey {
    /// How far apart the numbers of two cells are that differ by (1, 0).
    pub const WIDTH: i32 = SIZE as i32;
}

/// A slide of a piece in one direction.
struct Ray {
    from: Cell,
    step: Step,
    /// Where it ends; `from` if the piece can't slide.
    to: Cell,
    /// The number of pairs of the player's pieces that touch after the slide.
    n_pairs: u8,
}

impl Nonaga {
    fn each_ray(&self, player: Player, mut visit: impl FnMut(Ray)) {
        let free = self.free_tiles();
        let pieces = self.cells_of(player);
        for (index, &from) in pieces.iter().enumerate() {
            let beside = pieces[(index + 1) % N_PIECES];
            let other = pieces[(index + 2) % N_PIECES];
            for step in Step::ALL {
                let mut to = from;
                while free.contains(to.step(step)) {
                    to = to.step(step);
                }
                visit(Ray {
                    from,
                    step,
                    to,
                    n_pairs: n_touching_pairs([to, beside, other]),
                });
            }
        }
    }

    /// The pieces of both players and the ends of all their slides.
    #[must_use]
    pub fn survey(&self) -> Survey {
        let free = self.free_tiles();
        let ends = |player: Player| {
            self.cells_of(player).map(|from| {
                Step::ALL.map(|step| {
                    let mut to = from;
                    while free.contains(to.step(step)) {
                        to = to.step(step);
                    }
                    to.number()
                })
            })
        };
        Survey {
            pieces: ByPlayer::from_fn(|player| self.cells_of(player).map(Cell::number)),
            ends: ByPlayer::from_fn(ends),
        }
    }

    /// Counts the slides of `player`, whoever is to move.
    #[must_use]
    pub fn slide_counts(&self, player: Player) -> SlideCounts {
        let mut counts = SlideCounts::default();
        self.each_ray(player, |ray| {
            if ray.to != ray.from {
                counts.n_slides += 1;
                counts.n_joins += u32::from(ray.n_pairs == 1);
                counts.n_wins += u32::from(ray.n_pairs >= 2);
            }
        });
        counts
    }

    /// The slides of `player`, whoever is to move.
    #[must_use]
    pub fn slides_of(&self, player: Player) -> Vec<Move> {
        let mut slides = Vec::new();
        self.each_ray(player, |ray| {
            if ray.to != ray.from {
                slides.push(Move::Slide {
                    from: self.tiles().hex(ray.from),
                    to: self.tiles().hex(ray.to),
                });
            }
        });
        slides
    }

    /// What the slides of `player` depend on.
    #[must_use]
    pub fn reach(&self, player: Player) -> Reach {
        let mut reach = Reach::default();
        self.each_ray(player, |ray| reach.add(self, &ray));
        reach
    }

    /// What the winning slides of `player` depend on.
    #[must_use]
    pub fn winning_reach(&self, player: Player) -> Reach {
        let mut reach = Reach::default();
        self.each_ray(player, |ray| {
            if ray.to != ray.from && ray.n_pairs >= 2 {
                reach.add(self, &ray);
            }
        });
        reach
    }
}

impl Reach {
    fn add(&mut self, position: &Nonaga, ray: &Ray) {
        let mut cell = ray.from;
        while cell != ray.to {
            cell = cell.step(ray.step);
            self.crossed.insert(cell);
        }
        let edge = cell.step(ray.step);
        if !position.tiles().cells().contains(edge) {
            self.edges.insert(edge);
        }
    }

    /// Whether the shift `m` may change one of the slides. If not, it certainly
    /// doesn't.
    #[must_use]
    pub fn may_change(&self, position: &Nonaga, m: Move) -> bool {
        let Move::Shift { from, to } = m else {
            return false;
        };
        let holds = |set: &CellSet, hex| {
            let cell = position.tiles().cell(hex);
            cell.is_some_and(|cell| set.contains(cell))
        };
        holds(&self.crossed, from) || holds(&self.edges, to)
    }
}
