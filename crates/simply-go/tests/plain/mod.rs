//! Simply Go once more: slow, plain, from the rule sheet alone.

use rules::{Outcome, Player};
use testkit::Reference;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Point {
    Empty,
    Stone(Player),
    /// An empty point inside a fort of the given player.
    Fort(Player),
}

impl Point {
    fn is_stone(self) -> bool {
        matches!(self, Self::Stone(_))
    }
}

/// R8.
#[derive(Clone, Copy)]
enum Mode {
    Moves(u32),
    Target(u32),
}

/// A position on a board of any size.
#[derive(Clone)]
pub(crate) struct PlainSimplyGo {
    size: usize,
    /// Row by row from the bottom, each from column A.
    points: Vec<Point>,
    turn: Player,
    captures_by_black: u32,
    captures_by_white: u32,
    moves_played: u32,
    passes: u32,
    mode: Mode,
}

impl PlainSimplyGo {
    /// R1: points touch orthogonally.
    fn neighbors(&self, point: usize) -> Vec<usize> {
        let (column, row) = (point % self.size, point / self.size);
        let mut neighbors = Vec::new();
        if column > 0 {
            neighbors.push(point - 1);
        }
        if column + 1 < self.size {
            neighbors.push(point + 1);
        }
        if row > 0 {
            neighbors.push(point - self.size);
        }
        if row + 1 < self.size {
            neighbors.push(point + self.size);
        }
        neighbors
    }

    /// R1: the outermost ring of points.
    fn is_rim(&self, point: usize) -> bool {
        let (column, row) = (point % self.size, point / self.size);
        column == 0 || row == 0 || column + 1 == self.size || row + 1 == self.size
    }

    /// The points that connect with `start` through points that are `open`.
    fn flood(&self, start: usize, open: impl Fn(Point) -> bool) -> Vec<usize> {
        let mut is_flooded = vec![false; self.points.len()];
        is_flooded[start] = true;
        let mut flooded = vec![start];
        let mut next = 0;
        while next < flooded.len() {
            for neighbor in self.neighbors(flooded[next]) {
                if !is_flooded[neighbor] && open(self.points[neighbor]) {
                    is_flooded[neighbor] = true;
                    flooded.push(neighbor);
                }
            }
            next += 1;
        }
        flooded
    }

    /// R4: removes and counts the opponent's stones that can't escape. R6: the
    /// areas they were in become forts; R7: with any fort in them.
    fn capture(&mut self, mover: Player) {
        let mut captured = Vec::new();
        for start in 0..self.points.len() {
            if self.points[start] != Point::Stone(!mover) {
                continue;
            }
            let area = self.flood(start, |point| point != Point::Stone(mover));
            let is_exit = |&p: &usize| self.is_rim(p) && !self.points[p].is_stone();
            if !area.iter().any(is_exit) {
                captured.push(area);
            }
        }
        // An area is listed once for each stone in it, and counted the first
        // time only, since its stones are gone then.
        for point in captured.into_iter().flatten() {
            if self.points[point] == Point::Stone(!mover) {
                match mover {
                    Player::First => self.captures_by_black += 1,
                    Player::Second => self.captures_by_white += 1,
                }
            }
            self.points[point] = Point::Fort(mover);
        }
    }

    /// R6: regions without stones that the mover alone encloses become forts.
    fn enclose(&mut self, mover: Player) {
        let mut is_seen = vec![false; self.points.len()];
        for start in 0..self.points.len() {
            if is_seen[start] || self.points[start].is_stone() {
                continue;
            }
            let region = self.flood(start, |point| !point.is_stone());
            for &point in &region {
                is_seen[point] = true;
            }
            if self.is_new_fort(&region, mover) {
                for point in region {
                    self.points[point] = Point::Fort(mover);
                }
            }
        }
    }

    fn is_new_fort(&self, region: &[usize], mover: Player) -> bool {
        let touches = |player| {
            region
                .iter()
                .flat_map(|&point| self.neighbors(point))
                .any(|neighbor| self.points[neighbor] == Point::Stone(player))
        };
        touches(mover)
            && !touches(!mover)
            && !region.iter().any(|&point| self.is_rim(point))
            && region
                .iter()
                .all(|&point| self.points[point] == Point::Empty)
    }

    /// R9: the total interior of a player's forts.
    fn interior(&self, player: Player) -> usize {
        self.points
            .iter()
            .filter(|&&point| point == Point::Fort(player))
            .count()
    }

    /// R9: most captures, then the larger interior.
    fn leader(&self) -> Outcome {
        let black = (self.captures_by_black, self.interior(Player::First));
        let white = (self.captures_by_white, self.interior(Player::Second));
        if black > white {
            Outcome::Win(Player::First)
        } else if white > black {
            Outcome::Win(Player::Second)
        } else {
            Outcome::Draw
        }
    }

    /// `D4`, `AA17`: no letter is skipped.
    fn name(&self, point: usize) -> String {
        let (column, row) = (point % self.size, point / self.size);
        let letter = |n: usize| char::from(b'A' + n as u8);
        if column < 26 {
            format!("{}{}", letter(column), row + 1)
        } else {
            format!("A{}{}", letter(column - 26), row + 1)
        }
    }

    fn write_row(&self, row: usize) -> String {
        let mut text = String::new();
        let mut n_empty = 0;
        for column in 0..self.size {
            let letter = match self.points[row * self.size + column] {
                Point::Empty => {
                    n_empty += 1;
                    continue;
                }
                Point::Stone(Player::First) => 'b',
                Point::Stone(Player::Second) => 'w',
                Point::Fort(Player::First) => 'B',
                Point::Fort(Player::Second) => 'W',
            };
            if n_empty > 0 {
                text.push_str(&n_empty.to_string());
                n_empty = 0;
            }
            text.push(letter);
        }
        if n_empty > 0 {
            text.push_str(&n_empty.to_string());
        }
        text
    }
}

impl Reference for PlainSimplyGo {
    fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let rows: Vec<&str> = fields[0].split('/').collect();
        let (black, white) = fields[2].split_once(':').expect("two counts");
        let (mode, limit) = fields[5].split_once(':').expect("a mode and its number");
        let number = |text: &str| text.parse().expect("a number");
        Self {
            size: rows.len(),
            points: rows.iter().rev().flat_map(|row| read_row(row)).collect(),
            turn: if fields[1] == "b" {
                Player::First
            } else {
                Player::Second
            },
            captures_by_black: number(black),
            captures_by_white: number(white),
            moves_played: number(fields[3]),
            passes: number(fields[4]),
            mode: match mode {
                "moves" => Mode::Moves(number(limit)),
                _ => Mode::Target(number(limit)),
            },
        }
    }

    fn text(&self) -> String {
        let rows: Vec<_> = (0..self.size)
            .rev()
            .map(|row| self.write_row(row))
            .collect();
        let turn = match self.turn {
            Player::First => 'b',
            Player::Second => 'w',
        };
        let mode = match self.mode {
            Mode::Moves(n) => format!("moves:{n}"),
            Mode::Target(n) => format!("target:{n}"),
        };
        format!(
            "{} {turn} {}:{} {} {} {mode}",
            rows.join("/"),
            self.captures_by_black,
            self.captures_by_white,
            self.moves_played,
            self.passes,
        )
    }

    fn moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        // R2 and R3: any empty point outside the forts, or a pass.
        let mut moves = vec!["pass".to_owned()];
        for point in 0..self.points.len() {
            if self.points[point] == Point::Empty {
                moves.push(self.name(point));
            }
        }
        moves
    }

    fn play(&mut self, m: &str) {
        let mover = self.turn;
        self.turn = !mover;
        self.moves_played += 1;
        // R5: a pass tests nothing.
        if m == "pass" {
            self.passes += 1;
            return;
        }
        self.passes = 0;
        let point = (0..self.points.len())
            .find(|&point| self.name(point) == m)
            .expect("a point of the board");
        self.points[point] = Point::Stone(mover);
        self.capture(mover);
        self.enclose(mover);
    }

    fn outcome(&self) -> Option<Outcome> {
        // R8: a reached target wins at once.
        if let Mode::Target(target) = self.mode {
            if self.captures_by_black >= target {
                return Some(Outcome::Win(Player::First));
            }
            if self.captures_by_white >= target {
                return Some(Outcome::Win(Player::Second));
            }
        }
        let is_played_out = match self.mode {
            Mode::Moves(n) => self.moves_played >= n,
            Mode::Target(_) => false,
        };
        // R9.
        (is_played_out || self.passes >= 2).then(|| self.leader())
    }
}

fn read_row(text: &str) -> Vec<Point> {
    let mut row = Vec::new();
    let mut n_empty = 0;
    for c in text.chars() {
        // A number has two digits on the larger boards.
        if let Some(digit) = c.to_digit(10) {
            n_empty = 10 * n_empty + digit;
            continue;
        }
        row.extend((0..n_empty).map(|_| Point::Empty));
        n_empty = 0;
        row.push(match c {
            'b' => Point::Stone(Player::First),
            'w' => Point::Stone(Player::Second),
            'B' => Point::Fort(Player::First),
            _ => Point::Fort(Player::Second),
        });
    }
    row.extend((0..n_empty).map(|_| Point::Empty));
    row
}
