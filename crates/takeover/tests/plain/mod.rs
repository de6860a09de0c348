//! Takeover and Ataxx once more: slow, plain, from the rule sheet alone.

use rules::{Outcome, Player};
use testkit::Reference;

/// R10 and R11: so many moves in a row without a duplication are a draw.
const DRAWN_AFTER: u32 = 100;

/// R3 and R7: the 8 squares around a square.
const NEIGHBORS: [(i32, i32); 8] = [
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
];

/// R4: two squares in a straight or diagonal line.
const JUMPS: [(i32, i32); 8] = [
    (-2, -2),
    (-2, 0),
    (-2, 2),
    (0, -2),
    (0, 2),
    (2, -2),
    (2, 0),
    (2, 2),
];

/// R5: two and one.
const KNIGHTS_MOVES: [(i32, i32); 8] = [
    (-2, -1),
    (-2, 1),
    (-1, -2),
    (-1, 2),
    (1, -2),
    (1, 2),
    (2, -1),
    (2, 1),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Square {
    Empty,
    Obstacle,
    Piece(Player),
}

/// A square's file and rank, both counted from 0 at a1.
type Place = (i32, i32);

/// A position of either variant; a board of seven ranks is Ataxx.
#[derive(Clone)]
pub(crate) struct PlainTakeover {
    /// Ranks from the bottom, each from file a.
    ranks: Vec<Vec<Square>>,
    turn: Player,
    since_duplication: u32,
    full_move: u32,
}

impl PlainTakeover {
    fn is_ataxx(&self) -> bool {
        self.ranks.len() == 7
    }

    fn places(&self) -> Vec<Place> {
        let size = self.ranks.len() as i32;
        (0..size)
            .flat_map(|rank| (0..size).map(move |file| (file, rank)))
            .collect()
    }

    /// What is on a square, or `None` beyond the board.
    fn at(&self, (file, rank): Place) -> Option<Square> {
        let rank = self.ranks.get(usize::try_from(rank).ok()?)?;
        rank.get(usize::try_from(file).ok()?).copied()
    }

    fn put(&mut self, (file, rank): Place, square: Square) {
        self.ranks[rank as usize][file as usize] = square;
    }

    fn count(&self, square: Square) -> usize {
        self.places()
            .into_iter()
            .filter(|&place| self.at(place) == Some(square))
            .count()
    }

    /// The moves of `player`'s pieces, if it were their turn.
    fn moves_of(&self, player: Player) -> Vec<String> {
        let mut moves = Vec::new();
        for from in self.places() {
            if self.at(from) != Some(Square::Piece(player)) {
                continue;
            }
            for step in NEIGHBORS {
                let to = add(from, step);
                // The origin of a duplication changes nothing, so that it is
                // listed once.
                if self.at(to) == Some(Square::Empty) && !moves.contains(&name(to)) {
                    moves.push(name(to));
                }
            }
            for (x, y) in JUMPS {
                let between = add(from, (x / 2, y / 2));
                // R4: an obstacle between blocks a jump; R11: never in Ataxx.
                if self.at(between) == Some(Square::Obstacle) && !self.is_ataxx() {
                    continue;
                }
                let to = add(from, (x, y));
                if self.at(to) == Some(Square::Empty) {
                    moves.push(format!("{}{}", name(from), name(to)));
                }
            }
            for step in KNIGHTS_MOVES {
                let to = add(from, step);
                if self.at(to) == Some(Square::Empty) {
                    moves.push(format!("{}{}", name(from), name(to)));
                }
            }
        }
        moves
    }

    /// R7: every opponent piece around the destination changes sides.
    fn land(&mut self, to: Place) {
        self.put(to, Square::Piece(self.turn));
        for step in NEIGHBORS {
            let place = add(to, step);
            if self.at(place) == Some(Square::Piece(!self.turn)) {
                self.put(place, Square::Piece(self.turn));
            }
        }
    }

    fn most_pieces(&self) -> Outcome {
        let first = self.count(Square::Piece(Player::First));
        let second = self.count(Square::Piece(Player::Second));
        if first > second {
            Outcome::Win(Player::First)
        } else if second > first {
            Outcome::Win(Player::Second)
        } else {
            Outcome::Draw
        }
    }

    /// R8, R9, and of R10 what a position without its history shows.
    fn standard_outcome(&self) -> Option<Outcome> {
        if self.count(Square::Empty) == 0 {
            Some(self.most_pieces())
        } else if self.moves_of(self.turn).is_empty() {
            Some(Outcome::Win(!self.turn))
        } else if self.since_duplication >= DRAWN_AFTER {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    /// R11.
    fn ataxx_outcome(&self) -> Option<Outcome> {
        let is_full = self.count(Square::Empty) == 0;
        let can_neither_move = Player::BOTH.iter().all(|&p| self.moves_of(p).is_empty());
        let is_one_gone = Player::BOTH
            .iter()
            .any(|&p| self.count(Square::Piece(p)) == 0);
        if is_full || can_neither_move || is_one_gone {
            Some(self.most_pieces())
        } else if self.since_duplication >= DRAWN_AFTER {
            Some(Outcome::Draw)
        } else {
            None
        }
    }
}

impl Reference for PlainTakeover {
    fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut ranks: Vec<_> = fields[0].split('/').map(read_rank).collect();
        ranks.reverse();
        Self {
            ranks,
            turn: if fields[1] == "x" {
                Player::First
            } else {
                Player::Second
            },
            since_duplication: fields[2].parse().expect("a count"),
            full_move: fields[3].parse().expect("a number"),
        }
    }

    fn text(&self) -> String {
        let ranks: Vec<_> = self
            .ranks
            .iter()
            .rev()
            .map(|rank| write_rank(rank))
            .collect();
        let turn = letter(self.turn);
        format!(
            "{} {turn} {} {}",
            ranks.join("/"),
            self.since_duplication,
            self.full_move
        )
    }

    fn moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let moves = self.moves_of(self.turn);
        // R11: only in Ataxx does the match go on without a move.
        if moves.is_empty() {
            vec!["0000".to_owned()]
        } else {
            moves
        }
    }

    fn play(&mut self, m: &str) {
        self.since_duplication += 1;
        if m.len() == 2 {
            self.since_duplication = 0;
            self.land(place(m));
        } else if m != "0000" {
            self.put(place(&m[..2]), Square::Empty);
            self.land(place(&m[2..]));
        }
        if self.turn == Player::Second {
            self.full_move += 1;
        }
        self.turn = !self.turn;
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.is_ataxx() {
            self.ataxx_outcome()
        } else {
            self.standard_outcome()
        }
    }
}

fn add((file, rank): Place, (x, y): (i32, i32)) -> Place {
    (file + x, rank + y)
}

fn name((file, rank): Place) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

fn place(name: &str) -> Place {
    let letters = name.as_bytes();
    (i32::from(letters[0] - b'a'), i32::from(letters[1] - b'1'))
}

fn letter(player: Player) -> char {
    match player {
        Player::First => 'x',
        Player::Second => 'o',
    }
}

fn read_rank(text: &str) -> Vec<Square> {
    let mut rank = Vec::new();
    for c in text.chars() {
        match c {
            'x' => rank.push(Square::Piece(Player::First)),
            'o' => rank.push(Square::Piece(Player::Second)),
            '-' => rank.push(Square::Obstacle),
            _ => {
                let n = c.to_digit(10).expect("a digit");
                rank.extend((0..n).map(|_| Square::Empty));
            }
        }
    }
    rank
}

fn write_rank(rank: &[Square]) -> String {
    let mut text = String::new();
    let mut n_empty = 0;
    for &square in rank {
        if square == Square::Empty {
            n_empty += 1;
            continue;
        }
        if n_empty > 0 {
            text.push_str(&n_empty.to_string());
            n_empty = 0;
        }
        text.push(match square {
            Square::Piece(player) => letter(player),
            Square::Empty | Square::Obstacle => '-',
        });
    }
    if n_empty > 0 {
        text.push_str(&n_empty.to_string());
    }
    text
}
