//! How easily a player's stones can be cut off from the rim.
//!
//! A stone is captured when the opponent's stones separate it from every empty point
//! of the rim (R4). So what counts is how many more stones that takes. Call a point
//! *firm* if no single stone elsewhere does it, and *solid* if no two do. An exit is
//! both. So is a point with two firm or three solid neighbors: whatever one or two
//! stones cut off, one of these is left. That finds nearly all firm points a whole
//! row at a time; the few others are visited one by one.

use rules::Player;
use simply_go::{PointSet, SimplyGo};

use super::bits::{Bits, N_SPOTS, Spot, three_of, two_of};

/// How exposed a player is to capture.
#[derive(Clone, Debug)]
pub(crate) struct Exposure {
    /// The points where a single stone of the opponent captures something, each with
    /// all that it captures. Points behind another of them are not listed.
    pub(crate) cuts: Vec<Cut>,
    /// The number of stones without a way to the rim: the opponent's next stone
    /// captures them, wherever it is (R5).
    pub(crate) n_lost: u32,
    /// The points behind a cut, and those without a way to the rim.
    pub(crate) behind: Bits,
    /// The points that two stones may be able to cut off.
    pub(crate) shaky: Bits,
    /// The parts into which the opponent's stones divide the rest, if they have
    /// stones of the player.
    pub(crate) parts: Vec<Part>,
}

/// An area with stones in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub(crate) n_stones: u32,
    /// The number of stones needed to close all exits; `None` if one of them is
    /// inside a fort, where no stone can be put.
    pub(crate) n_exits: Option<u32>,
    /// The number of eyes: one to three adjacent exits walled in by the player
    /// alone. A stone of the opponent's there is soon lost, and the exit is then in
    /// a fort.
    pub(crate) n_eyes: u32,
}

/// A point where one stone captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cut {
    pub(crate) at: Spot,
    /// How many stones it captures.
    pub(crate) n_stones: u32,
    /// How many of them another stone could capture as well, so that a defense here
    /// does not save them.
    pub(crate) n_twice: u32,
}

/// The relevant sets of a position, with a margin.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) size: u8,
    pub(crate) all: Bits,
    pub(crate) rim: Bits,
    pub(crate) stones: [Bits; 2],
    pub(crate) playable: Bits,
}

impl Board {
    pub(crate) fn new(position: &SimplyGo) -> Self {
        let size = position.size();
        let all = Bits::new(&PointSet::board(size), size);
        let mut rim = Bits::EMPTY;
        let last = usize::from(size);
        for row in 2..last {
            rim.rows[row] = 1 << 1 | 1 << last;
        }
        rim.rows[1] = all.rows[1];
        rim.rows[last] = all.rows[last];
        Self {
            size,
            all,
            rim,
            stones: Player::BOTH.map(|player| Bits::new(position.stones(player), size)),
            playable: Bits::new(&position.playable(), size),
        }
    }
}

impl Exposure {
    pub(crate) fn new(board: &Board, player: Player) -> Self {
        let size = board.size;
        let own = &board.stones[player as usize];
        let open = board
            .all
            .zip(&board.stones[!player as usize], size, |all, enemy| {
                all & !enemy
            });
        let exits = board.rim.zip(&open, size, |rim, open| rim & open);
        let exits = exits.zip(own, size, |exits, own| exits & !own);

        let rays = rays(size, &open, &exits);
        let mut firm = exits;
        let mut solid = exits;
        for row in 1..=usize::from(size) {
            let [right, left, down, up] = rays.map(|ray| ray.rows[row]);
            firm.rows[row] |= two_of(right, left, down, up);
            solid.rows[row] |= three_of(right, left, down, up);
        }
        // What the opponent can't occupy: own stones, and points inside a fort (R3).
        let kept = open.zip(&board.playable, size, |open, playable| open & !playable);
        close(&mut firm, &open, &kept, size, 3, two_of);
        close(&mut solid, &open, &kept, size, 4, three_of);

        let mut exposure = Self {
            cuts: Vec::new(),
            n_lost: 0,
            behind: Bits::EMPTY,
            shaky: open.zip(&solid, size, |open, solid| open & !solid),
            parts: parts(board, player, &open, &exits, &kept),
        };
        let loose = open.zip(&firm, size, |open, firm| open & !firm);
        if loose.rows.iter().any(|&row| row != 0) {
            exposure.walk(&firm, &loose, own, &board.playable);
        }
        exposure
    }

    /// Depth-first search over the loose points, from the firm ones inwards:
    /// Tarjan's algorithm for articulation points.
    fn walk(&mut self, firm: &Bits, loose: &Bits, own: &Bits, playable: &Bits) {
        let mut walk = Walk {
            firm,
            loose,
            numbers: [0; N_SPOTS],
            reached: Vec::new(),
        };
        for spot in loose.iter() {
            if walk.numbers[spot.index()] != 0 {
                continue;
            }
            let beside = Spot::WAYS.map(|way| spot.step(way));
            if let Some(&gate) = beside.iter().find(|&&near| firm.contains(near)) {
                walk.go(spot, gate);
            }
        }
        // For each reached point the first cut on the way from outside, and whether
        // there are more.
        let mut ways: Vec<(Option<Spot>, bool)> = Vec::with_capacity(walk.reached.len());
        for reached in &walk.reached {
            let (cut, is_twice) = match reached.parent {
                0 => (None, false),
                parent => ways[usize::from(parent) - 1],
            };
            let (before, is_cut) = match reached.parent {
                0 => (reached.gate, reached.lowest >= GATE),
                parent => {
                    let before = &walk.reached[usize::from(parent) - 1];
                    (before.spot, reached.lowest >= parent + GATE)
                }
            };
            let way = if !is_cut || !playable.contains(before) {
                (cut, is_twice)
            } else if cut.is_none() {
                (Some(before), false)
            } else {
                (cut, true)
            };
            ways.push(way);
            let (Some(cut), is_twice) = way else {
                continue;
            };
            self.behind.insert(reached.spot);
            if own.contains(reached.spot) {
                self.add(cut, is_twice);
            }
        }
        for spot in loose.iter() {
            if walk.numbers[spot.index()] == 0 {
                self.behind.insert(spot);
                self.n_lost += u32::from(own.contains(spot));
            }
        }
    }

    fn add(&mut self, at: Spot, is_twice: bool) {
        let n_twice = u32::from(is_twice);
        match self.cuts.iter_mut().find(|cut| cut.at == at) {
            Some(cut) => {
                cut.n_stones += 1;
                cut.n_twice += n_twice;
            }
            None => self.cuts.push(Cut {
                at,
                n_stones: 1,
                n_twice,
            }),
        }
    }

    /// The cut at a spot.
    pub(crate) fn cut_at(&self, spot: Spot) -> Option<&Cut> {
        self.cuts.iter().find(|cut| cut.at == spot)
    }
}

/// The firm point that a search starts from has this discovery time, and all others
/// later ones; outside is 0.
const GATE: u16 = 1;

struct Walk<'a> {
    firm: &'a Bits,
    loose: &'a Bits,
    /// Discovery time of each spot, from 1.
    numbers: [u16; N_SPOTS],
    reached: Vec<Reached>,
}

struct Reached {
    spot: Spot,
    /// The firm point that the search started from.
    gate: Spot,
    /// The number of the parent, 0 for the gate.
    parent: u16,
    /// Low-link: the earliest point that can be reached from here and behind; 0 is
    /// outside, 1 the gate.
    lowest: u16,
    n_tried: u8,
}

impl Walk<'_> {
    fn reach(&mut self, spot: Spot, gate: Spot, parent: u16) -> u16 {
        let number = self.reached.len() as u16 + 1;
        self.numbers[spot.index()] = number;
        self.reached.push(Reached {
            spot,
            gate,
            parent,
            lowest: number + GATE,
            n_tried: 0,
        });
        number
    }

    fn go(&mut self, spot: Spot, gate: Spot) {
        let mut at = self.reach(spot, gate, 0);
        while at != 0 {
            let here = &mut self.reached[usize::from(at) - 1];
            let Some(&way) = Spot::WAYS.get(usize::from(here.n_tried)) else {
                let (parent, lowest) = (here.parent, here.lowest);
                if parent != 0 {
                    let before = &mut self.reached[usize::from(parent) - 1];
                    before.lowest = before.lowest.min(lowest);
                }
                at = parent;
                continue;
            };
            here.n_tried += 1;
            let next = here.spot.step(way);
            if self.loose.contains(next) {
                let number = self.numbers[next.index()];
                if number == 0 {
                    at = self.reach(next, gate, at);
                } else if number != here.parent {
                    here.lowest = here.lowest.min(number + GATE);
                }
            } else if self.firm.contains(next) {
                // Another firm point has a way out that avoids any one stone but
                // itself.
                let lowest = if next == gate { GATE } else { 0 };
                here.lowest = here.lowest.min(lowest);
            }
        }
    }
}

fn parts(board: &Board, player: Player, open: &Bits, exits: &Bits, kept: &Bits) -> Vec<Part> {
    let size = board.size;
    let own = &board.stones[player as usize];
    let eyes = eyes(board, player);
    let mut parts = Vec::new();
    let mut left = *own;
    while let Some(stone) = left.first() {
        let part = Bits::flooded(stone, open, size);
        left = left.zip(&part, size, |left, part| left & !part);
        let exits = part.zip(exits, size, |part, exits| part & exits);
        let is_kept = exits.zip(kept, size, |exits, kept| exits & kept).len() > 0;
        parts.push(Part {
            n_stones: part.zip(own, size, |part, own| part & own).len(),
            n_exits: (!is_kept).then(|| exits.len()),
            n_eyes: eyes.iter().filter(|&&eye| part.contains(eye)).count() as u32,
        });
    }
    parts
}

/// With more exits it is open space, not an eye.
const MOST_EYE_EXITS: u32 = 3;

/// An exit of each eye of `player`.
fn eyes(board: &Board, player: Player) -> Vec<Spot> {
    let size = board.size;
    let own = &board.stones[player as usize];
    let other = &board.stones[!player as usize];
    let open = board.all.zip(own, size, |all, own| all & !own);
    // An eye ends at an own stone on the rim, so only their neighbors matter.
    let on_rim = board.rim.zip(own, size, |rim, own| rim & own);
    let beside = on_rim
        .spread(size)
        .zip(&board.rim, size, |near, rim| near & rim);
    let beside = beside.zip(&board.playable, size, |near, playable| near & playable);
    let mut seen = Bits::EMPTY;
    let mut eyes = Vec::new();
    for exit in beside.iter() {
        if seen.contains(exit) {
            continue;
        }
        let room = Bits::flooded(exit, &open, size);
        seen = seen.zip(&room, size, |seen, room| seen | room);
        let has_stone = room.zip(other, size, |room, other| room & other).len() > 0;
        let n_exits = room.zip(&board.rim, size, |room, rim| room & rim).len();
        if !has_stone && n_exits <= MOST_EYE_EXITS {
            eyes.push(exit);
        }
    }
    eyes
}

/// For each direction, the points with a straight line to an exit: right, left,
/// down, up.
fn rays(size: u8, open: &Bits, exits: &Bits) -> [Bits; 4] {
    let last = usize::from(size);
    let mut rays = [Bits::EMPTY; 4];
    for row in 1..=last {
        let walls = !open.rows[row] & ((1 << (last + 1)) - 2);
        if exits.rows[row] >> last & 1 == 1 {
            // All above the highest wall.
            let n_below = u64::BITS - walls.leading_zeros();
            rays[0].rows[row] = open.rows[row] & (u64::MAX << n_below);
        }
        if exits.rows[row] >> 1 & 1 == 1 {
            // All below the lowest wall.
            let below = walls & walls.wrapping_neg();
            rays[1].rows[row] = open.rows[row] & below.wrapping_sub(1);
        }
    }
    rays[2].rows[1] = exits.rows[1];
    for row in 2..=last {
        rays[2].rows[row] = open.rows[row] & rays[2].rows[row - 1];
    }
    rays[3].rows[last] = exits.rows[last];
    for row in (1..last).rev() {
        rays[3].rows[row] = open.rows[row] & rays[3].rows[row + 1];
    }
    rays
}

/// Adds the points with enough neighbors in `set`, or with one in `kept`.
fn close(
    set: &mut Bits,
    open: &Bits,
    kept: &Bits,
    size: u8,
    n_sweeps: usize,
    enough_of: impl Fn(u64, u64, u64, u64) -> u64,
) {
    let last = usize::from(size);
    let mut step = |row: usize| {
        let mut here = set.rows[row];
        if here == open.rows[row] {
            return false;
        }
        let (down, up) = (set.rows[row - 1], set.rows[row + 1]);
        let beside_stone = down & kept.rows[row - 1] | up & kept.rows[row + 1];
        loop {
            let stones = here & kept.rows[row];
            let enough = enough_of(here << 1, here >> 1, down, up);
            let more = (enough | beside_stone | stones << 1 | stones >> 1) & open.rows[row];
            if more & !here == 0 {
                break;
            }
            here |= more;
        }
        let has_changed = here != set.rows[row];
        set.rows[row] = here;
        has_changed
    };
    for _ in 0..n_sweeps {
        let mut has_changed = false;
        for row in 1..=last {
            has_changed |= step(row);
        }
        for row in (1..last).rev() {
            has_changed |= step(row);
        }
        if !has_changed {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::{Game, Player, Position, Random};
    use simply_go::{Mode, Move, Setup, SimplyGo};

    use super::{Board, Exposure, Spot};

    /// Positions of random matches on a small board.
    fn positions() -> impl Iterator<Item = SimplyGo> {
        let setup = Setup {
            size: 9,
            mode: Mode::Moves(100),
        };
        (0..16).flat_map(move |seed| {
            let mut random = Random::new(seed);
            let mut position = SimplyGo::start(&setup).unwrap();
            let mut all = Vec::new();
            while position.outcome().is_none() {
                all.push(position.clone());
                let moves = position.legal_moves();
                position.play(*random.pick(&moves).unwrap()).unwrap();
            }
            all
        })
    }

    fn with_turn(position: &SimplyGo, turn: Player) -> SimplyGo {
        if position.turn() == turn {
            position.clone()
        } else {
            position.after(Move::Pass)
        }
    }

    #[test]
    fn cuts_are_what_captures() {
        let mut n_cuts = 0;
        for position in positions() {
            let board = Board::new(&position);
            for player in Player::BOTH {
                let exposure = Exposure::new(&board, player);
                let before = with_turn(&position, !player);
                if before.outcome().is_some() {
                    continue;
                }
                let n_captured = |m| {
                    let after = before.after(m);
                    u32::from(after.n_captures(!player) - before.n_captures(!player))
                };
                let points = || before.playable().iter().collect::<Vec<_>>().into_iter();
                for point in points() {
                    let spot = Spot::new(point);
                    let n = n_captured(Move::Place(point)) - exposure.n_lost;
                    match exposure.cut_at(spot) {
                        Some(cut) => assert_eq!(n, cut.n_stones, "{before} {point:?}"),
                        // A cut behind another is not listed.
                        None => assert!(
                            n == 0 || exposure.behind.contains(spot),
                            "{before} {point:?}"
                        ),
                    }
                    n_cuts += exposure.cuts.len();
                }
            }
        }
        assert!(n_cuts > 500);
    }

    #[test]
    fn two_stones_capture_nothing_solid() {
        let mut n_captured = 0;
        for position in positions().step_by(11) {
            let board = Board::new(&position);
            for player in Player::BOTH {
                let exposure = Exposure::new(&board, player);
                let before = with_turn(&position, !player);
                if before.outcome().is_some() {
                    continue;
                }
                for one in before.playable().iter() {
                    let first = before.after(Move::Place(one)).after(Move::Pass);
                    if first.outcome().is_some() {
                        continue;
                    }
                    for other in first.playable().iter() {
                        let after = first.after(Move::Place(other));
                        let captured = *before.stones(player) - *after.stones(player);
                        for stone in captured.iter() {
                            n_captured += 1;
                            let is_shaky = exposure.shaky.contains(Spot::new(stone));
                            assert!(is_shaky, "{before} {one:?} {other:?} {stone:?}");
                        }
                    }
                }
            }
        }
        assert!(n_captured > 1000);
    }
}
