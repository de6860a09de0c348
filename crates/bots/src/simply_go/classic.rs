//! The classic opponent: veto, score, select.

use rules::{Player, Position, Random};
use simply_go::{Move, Point, PointSet, SimplyGo};

use super::{
    areas::{Area, Areas},
    cuts::{Count, Cuts},
};

/// Why a move is not considered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Veto {
    /// Inside a fort, where the rules forbid it as well.
    Fort,
    /// One more stone of the opponent would capture something.
    OneMoveFromEncirclement,
    /// The area has too few exits.
    DangerZone,
}

/// The weights of the nine factors.
pub(crate) const WEIGHTS: [f64; 9] = [1.0, 2.0, 3.0, 5.0, 10.0, 15.0, 30.0, 50.0, 100.0];

/// The largest difference from the best score that counts as a tie.
const TOLERANCE: f64 = 2.0;

/// Chooses a move.
pub(crate) fn choose(position: &SimplyGo, random: &mut Random) -> Move {
    let view = View::new(position);
    let scored = |point: Point| (view.score(point), point);
    let points: Vec<Point> = position.playable().iter().collect();
    let allowed: Vec<_> = points
        .iter()
        .filter(|&&point| view.veto(point).is_none())
        .map(|&point| scored(point))
        .collect();
    if !allowed.is_empty() {
        return Move::Place(select(&allowed, random));
    }
    let is_ahead = {
        let counts = |player| (position.n_captures(player), position.forts(player).len());
        counts(position.turn()) > counts(!position.turn())
    };
    if points.is_empty() || is_ahead {
        return Move::Pass;
    }
    let vetoed: Vec<_> = points.iter().map(|&point| scored(point)).collect();
    let best = vetoed
        .iter()
        .map(|(score, _)| *score)
        .fold(f64::MIN, f64::max);
    let (_, point) = vetoed
        .iter()
        .find(|(score, _)| *score == best)
        .expect("the best is one of them");
    Move::Place(*point)
}

/// Picks one of the moves within [`TOLERANCE`] of the best.
fn select(scored: &[(f64, Point)], random: &mut Random) -> Point {
    let best = scored
        .iter()
        .map(|(score, _)| *score)
        .fold(f64::MIN, f64::max);
    let good: Vec<Point> = scored
        .iter()
        .filter(|(score, _)| *score >= best - TOLERANCE)
        .map(|(_, point)| *point)
        .collect();
    *random.pick(&good).expect("the best is one of them")
}

/// The board from the point of view of the player to move.
pub(crate) struct View<'a> {
    position: &'a SimplyGo,
    own: Player,
    own_areas: Areas,
    enemy_areas: Areas,
    /// One stone of each connected group of the opponent's.
    enemy_groups: Vec<Point>,
    cuts: Cuts,
    /// For each own area, the points where one stone captures something in it.
    area_cuts: Vec<Count>,
    /// The points where a stone of the opponent would capture, and how many stones.
    threats: Vec<(Point, u32)>,
}

impl<'a> View<'a> {
    pub(crate) fn new(position: &'a SimplyGo) -> Self {
        let own = position.turn();
        let own_areas = Areas::new(position, own);
        let cuts = Cuts::new(position, own, None);
        let area_cuts = own_areas
            .list
            .iter()
            .map(|area| stone_cuts(position, own, area, &cuts));
        Self {
            position,
            own,
            enemy_areas: Areas::new(position, !own),
            enemy_groups: groups(position.stones(!own)),
            area_cuts: area_cuts.collect(),
            own_areas,
            cuts,
            threats: threats(position),
        }
    }

    /// The first reason not to play on `point`, which is empty.
    pub(crate) fn veto(&self, point: Point) -> Option<Veto> {
        let is_fort = |player| self.position.forts(player).contains(point);
        if Player::BOTH.into_iter().any(is_fort) {
            return Some(Veto::Fort);
        }
        let after = self.after_capture(point);
        if self.is_one_move_from_encirclement(point, after.as_ref()) {
            return Some(Veto::OneMoveFromEncirclement);
        }
        if self.is_in_danger_zone(point, after.as_ref()) {
            return Some(Veto::DangerZone);
        }
        None
    }

    /// The position after a stone on `point`, if it captures something.
    fn after_capture(&self, point: Point) -> Option<SimplyGo> {
        if !self.may_enclose(point) {
            return None;
        }
        let after = self.position.after(Move::Place(point));
        (after.n_captures(self.own) > self.position.n_captures(self.own)).then_some(after)
    }

    /// Whether a stone on `point` could capture or enclose anything at all.
    fn may_enclose(&self, point: Point) -> bool {
        let size = self.position.size();
        let stones = |player: Player| self.position.stones(player);
        let touches = |player| {
            point
                .neighbors(size)
                .any(|near| stones(player).contains(near))
        };
        let is_pending = || {
            self.enemy_areas
                .list
                .iter()
                .any(|area| area.n_exits == 0 && area.n_stones > 0)
        };
        point.is_on_rim(size)
            || touches(!self.own)
            || divides(self.position, self.own, point)
            || is_pending()
    }

    /// Veto 2: whether, after a stone on `point`, one stone of the opponent inside
    /// its area would capture something.
    fn is_one_move_from_encirclement(&self, point: Point, after: Option<&SimplyGo>) -> bool {
        let Some(area) = self.own_areas.of(point) else {
            return false;
        };
        if let Some(after) = after {
            let cuts = Cuts::new(after, self.own, None);
            let area = area_around(after, self.own, point);
            return stone_cuts(after, self.own, &area, &cuts).is_more_than(point);
        }
        if point.is_on_rim(self.position.size()) {
            // It takes an exit away.
            let cuts = Cuts::new(self.position, self.own, Some(point));
            let stones = stone_cuts(self.position, self.own, area, &cuts);
            return stones.union(cuts.of(point)).is_more_than(point);
        }
        let stones = self.area_cuts[self.own_areas.number(point)];
        stones.is_more_than(point) || self.cuts.of(point).is_more_than(point)
    }

    /// Veto 3, by the table of exits, walls and critical gaps.
    fn is_in_danger_zone(&self, point: Point, after: Option<&SimplyGo>) -> bool {
        let changed;
        let (position, area, n_exits) = match after {
            Some(after) => {
                changed = area_around(after, self.own, point);
                (after, &changed, changed.n_exits)
            }
            None => {
                let Some(area) = self.own_areas.of(point) else {
                    return true;
                };
                let taken = u32::from(point.is_on_rim(self.position.size()));
                (self.position, area, area.n_exits.saturating_sub(taken))
            }
        };
        match n_exits {
            0 => true,
            1..=2 => area.wall_percent() >= 60,
            3..=4 => {
                area.wall_percent() >= 40
                    && n_critical_gaps(position, self.own, area, point) >= n_exits
            }
            _ => false,
        }
    }

    /// The weighted sum of all factors.
    pub(crate) fn score(&self, point: Point) -> f64 {
        let factors = self.factors(point);
        factors
            .iter()
            .zip(WEIGHTS)
            .map(|(factor, weight)| factor * weight)
            .sum()
    }

    /// The nine factors of a stone on `point`.
    pub(crate) fn factors(&self, point: Point) -> [f64; 9] {
        let after = self
            .may_enclose(point)
            .then(|| self.position.after(Move::Place(point)));
        [
            self.strategic_position(point),
            self.liberties(point),
            self.connection(point),
            self.territory_control(point),
            self.capture(after.as_ref()),
            self.encirclement_progress(point, after.as_ref()),
            self.encirclement_block(point, after.as_ref()),
            self.urgent_defense(point, after.as_ref()),
            self.capture_blocking(point),
        ]
    }

    /// 1 in the middle, 0 on the rim.
    fn strategic_position(&self, point: Point) -> f64 {
        let half = f64::from(self.position.size() - 1) / 2.0;
        let off = |n: u8| (f64::from(n) - half).abs();
        1.0 - off(point.column()).max(off(point.row())) / half
    }

    /// 5 for each empty neighbor.
    fn liberties(&self, point: Point) -> f64 {
        let near = point.neighbors(self.position.size());
        5.0 * near.filter(|&near| self.is_empty(near)).count() as f64
    }

    /// 10 for each own neighbor and 2 for each own stone two steps away.
    fn connection(&self, point: Point) -> f64 {
        const TWO_AWAY: [(i8, i8); 8] = [
            (2, 0),
            (1, 1),
            (0, 2),
            (-1, 1),
            (-2, 0),
            (-1, -1),
            (0, -2),
            (1, -1),
        ];
        let size = self.position.size();
        let own = self.position.stones(self.own);
        let n_adjacent = point
            .neighbors(size)
            .filter(|&near| own.contains(near))
            .count();
        let far = TWO_AWAY
            .iter()
            .filter_map(|&(columns, rows)| point.offset(columns, rows, size));
        let n_near = far.filter(|&near| own.contains(near)).count();
        10.0 * n_adjacent as f64 + 2.0 * n_near as f64
    }

    /// 30 times the share of own stones in the 5 × 5 points around.
    fn territory_control(&self, point: Point) -> f64 {
        let size = self.position.size();
        let around = (-2..=2).flat_map(|rows| (-2..=2).map(move |columns| (columns, rows)));
        let points = around.filter_map(|(columns, rows)| point.offset(columns, rows, size));
        let (mut n_own, mut n_all) = (0.0, 0.0);
        for near in points {
            let is_own = self.position.stones(self.own).contains(near);
            n_own += f64::from(u8::from(is_own));
            n_all += f64::from(u8::from(!self.is_empty(near)));
        }
        if n_all == 0.0 {
            0.0
        } else {
            30.0 * n_own / n_all
        }
    }

    /// 50 for each captured stone, 200 for completing an encirclement, and 5 for
    /// each point inside it.
    fn capture(&self, after: Option<&SimplyGo>) -> f64 {
        let Some(after) = after else {
            return 0.0;
        };
        let n_captured = after.n_captures(self.own) - self.position.n_captures(self.own);
        let interior = *after.forts(self.own) - *self.position.forts(self.own);
        let completed = if interior.is_empty() { 0.0 } else { 200.0 };
        50.0 * f64::from(n_captured) + completed + 5.0 * f64::from(interior.len())
    }

    /// For each group of the opponent's stones whose area loses exits: 30, 10 for
    /// each exit, and 5 if three or fewer are left.
    fn encirclement_progress(&self, point: Point, after: Option<&SimplyGo>) -> f64 {
        let size = self.position.size();
        let enemy = self.position.stones(!self.own);
        let worth = |before: u32, now: u32| {
            if now >= before {
                return 0.0;
            }
            30.0 + 10.0 * f64::from(before - now) + if now <= 3 { 5.0 } else { 0.0 }
        };
        let Some(area) = self.enemy_areas.of(point).filter(|area| area.n_stones > 0) else {
            return 0.0;
        };
        if !divides(self.position, self.own, point) {
            let taken = u32::from(point.is_on_rim(size));
            return self.n_enemy_groups(&area.points) * worth(area.n_exits, area.n_exits - taken);
        }
        // The area falls apart: each group has the exits of its part.
        let captured = after.map_or(PointSet::EMPTY, |after| *enemy - *after.stones(!self.own));
        let own = *self.position.stones(self.own) | [point].into_iter().collect();
        let open = PointSet::board(size) - own;
        let mut left = (area.points & *enemy) - captured;
        let mut sum = self.n_enemy_groups(&captured) * worth(area.n_exits, 0);
        while let Some(stone) = left.first() {
            let part = PointSet::flooded_from(stone, &open);
            left = left - part;
            let n_exits = ((part & PointSet::rim(size)) - *enemy).len();
            sum += self.n_enemy_groups(&part) * worth(area.n_exits, n_exits);
        }
        sum
    }

    /// The number of groups of the opponent's in `points`, which contains each as a
    /// whole or not at all.
    fn n_enemy_groups(&self, points: &PointSet) -> f64 {
        let groups = self.enemy_groups.iter();
        groups.filter(|&&stone| points.contains(stone)).count() as f64
    }

    /// For each own stone in the area at `point`, if that has three exits or fewer
    /// and half of its border is walls, and if it gains exits: 30, and 5 for each it
    /// has then.
    fn encirclement_block(&self, point: Point, after: Option<&SimplyGo>) -> f64 {
        let Some(area) = self
            .endangered(point, 3)
            .filter(|area| area.wall_percent() >= 50)
        else {
            return 0.0;
        };
        match self.exits_gained(area, point, after) {
            Some(n_exits) => f64::from(area.n_stones) * (30.0 + 5.0 * f64::from(n_exits)),
            None => 0.0,
        }
    }

    /// For each own stone in the area at `point`, if that has two exits or fewer: 50,
    /// 100 if it gains exits, and 80 if the point is a gap between walls.
    fn urgent_defense(&self, point: Point, after: Option<&SimplyGo>) -> f64 {
        let Some(area) = self.endangered(point, 2) else {
            return 0.0;
        };
        let gains = self.exits_gained(area, point, after).is_some();
        let is_gap = touches_wall(self.position, self.own, point);
        let each = 50.0 + if gains { 100.0 } else { 0.0 } + if is_gap { 80.0 } else { 0.0 };
        f64::from(area.n_stones) * each
    }

    /// The own area of `point`, if it has stones and at most `most_exits` exits.
    fn endangered(&self, point: Point, most_exits: u32) -> Option<&Area> {
        let area = self.own_areas.of(point)?;
        (area.n_stones > 0 && area.n_exits <= most_exits).then_some(area)
    }

    /// The number of exits of the area after a stone on `point`, if it gains any.
    /// Only a capture can do that.
    fn exits_gained(&self, area: &Area, point: Point, after: Option<&SimplyGo>) -> Option<u32> {
        let after = after?;
        let n_exits = area_around(after, self.own, point).n_exits;
        (n_exits > area.n_exits).then_some(n_exits)
    }

    /// 150 where the opponent could capture, and 30 for each stone.
    fn capture_blocking(&self, point: Point) -> f64 {
        let threat = self.threats.iter().find(|(threat, _)| *threat == point);
        threat.map_or(0.0, |&(_, n_captured)| 150.0 + 30.0 * f64::from(n_captured))
    }

    fn is_empty(&self, point: Point) -> bool {
        !Player::BOTH
            .into_iter()
            .any(|player| self.position.stones(player).contains(point))
    }
}

/// The area of `player` around `point`.
fn area_around(position: &SimplyGo, player: Player, point: Point) -> Area {
    let open = PointSet::board(position.size()) - *position.stones(!player);
    Area::new(position, player, PointSet::flooded_from(point, &open))
}

/// One stone of each connected group.
fn groups(stones: &PointSet) -> Vec<Point> {
    let mut left = *stones;
    let mut groups = Vec::new();
    while let Some(stone) = left.first() {
        left = left - PointSet::flooded_from(stone, stones);
        groups.push(stone);
    }
    groups
}

/// The points where one stone would capture something in `area`.
fn stone_cuts(position: &SimplyGo, player: Player, area: &Area, cuts: &Cuts) -> Count {
    let stones = area.points & *position.stones(player);
    stones
        .iter()
        .map(|stone| cuts.of(stone))
        .fold(Count::None, Count::union)
}

/// Whether `player`'s stone on `point` divides the points around it into parts that
/// are not connected locally.
fn divides(position: &SimplyGo, player: Player, point: Point) -> bool {
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
    let size = position.size();
    let own = position.stones(player);
    let is_open = AROUND.map(|(columns, rows)| {
        point
            .offset(columns, rows, size)
            .is_some_and(|near| !own.contains(near))
    });
    let ends = (0..8)
        .step_by(2)
        .filter(|&side| is_open[side] && !(is_open[side + 1] && is_open[(side + 2) % 8]));
    ends.count() >= 2
}

fn touches_wall(position: &SimplyGo, player: Player, point: Point) -> bool {
    let enemy = position.stones(!player);
    point
        .neighbors(position.size())
        .any(|near| enemy.contains(near))
}

/// The number of empty points of an area beside a wall that are on the rim, or that
/// every way out from `point` leads through.
fn n_critical_gaps(position: &SimplyGo, player: Player, area: &Area, point: Point) -> u32 {
    let size = position.size();
    let stones = *position.stones(player) | [point].into_iter().collect();
    let open = PointSet::board(size) - *position.stones(!player);
    let exits = (area.points & PointSet::rim(size)) - stones;
    let empty = area.points - stones;
    let gaps = empty.iter().filter(|&gap| {
        let is_only_way = || {
            let without = open - [gap].into_iter().collect();
            !PointSet::flooded_from(point, &without).intersects(&(exits & without))
        };
        touches_wall(position, player, gap) && (gap.is_on_rim(size) || is_only_way())
    });
    gaps.count() as u32
}

/// The points beside the mover's stones where a stone of the opponent would capture,
/// and how many.
fn threats(position: &SimplyGo) -> Vec<(Point, u32)> {
    let own = position.turn();
    let passed = position.after(Move::Pass);
    let beside = position.stones(own).grown() & position.playable();
    let captured = |point: Point| {
        let after = passed.after(Move::Place(point));
        u32::from(after.n_captures(!own) - position.n_captures(!own))
    };
    let points = beside.iter().map(|point| (point, captured(point)));
    points.filter(|&(_, n_captured)| n_captured > 0).collect()
}

#[cfg(test)]
mod tests;
