use rules::Random;

use crate::{
    Setup, Square, SquareSet, Variant,
    position::{jumps, start_pieces},
};

/// How many obstacles a board of Takeover has (R2).
const N_OBSTACLES: u32 = 5;

/// The obstacles of a new match.
///
/// A draw that cuts off a square is drawn again (R2), so every board number
/// gives a board.
pub(crate) fn draw(setup: &Setup) -> SquareSet {
    let mut random = Random::new(setup.board);
    loop {
        let obstacles = match setup.variant {
            Variant::Standard => draw_five(&mut random),
            Variant::Ataxx if setup.board == 0 => return SquareSet::EMPTY,
            Variant::Ataxx => draw_mirrored(&mut random),
        };
        if is_connected(setup.variant, obstacles) {
            return obstacles;
        }
    }
}

/// R2: five different squares among the empty ones.
fn draw_five(random: &mut Random) -> SquareSet {
    let variant = Variant::Standard;
    let taken = start_pieces(variant);
    let empty = variant.board() & !(taken.first | taken.second);
    let mut squares: Vec<Square> = empty.iter().collect();
    let mut obstacles = SquareSet::EMPTY;
    for _ in 0..N_OBSTACLES {
        let index = random.below(squares.len() as u32) as usize;
        obstacles |= squares.swap_remove(index).into();
    }
    obstacles
}

/// Obstacles of Ataxx are symmetric in both directions, so that no corner is better:
/// one to three squares, each with its mirror images.
fn draw_mirrored(random: &mut Random) -> SquareSet {
    let last = Variant::Ataxx.size() - 1;
    let taken = start_pieces(Variant::Ataxx);
    let quarter: Vec<Square> = SquareSet::board(last / 2 + 1)
        .iter()
        .filter(|&square| !(taken.first | taken.second).contains(square))
        .collect();
    let mut obstacles = SquareSet::EMPTY;
    for _ in 0..=random.below(3) {
        let square = quarter[random.below(quarter.len() as u32) as usize];
        let (file, rank) = (square.file(), square.rank());
        for mirrored in [
            Square::new(file, rank),
            Square::new(last - file, rank),
            Square::new(file, last - rank),
            Square::new(last - file, last - rank),
        ] {
            obstacles |= mirrored.into();
        }
    }
    obstacles
}

/// Whether a piece could travel from every free square to every other one.
fn is_connected(variant: Variant, obstacles: SquareSet) -> bool {
    let open = variant.board() & !obstacles;
    let Some(start) = open.iter().next() else {
        return false;
    };
    let mut reached = SquareSet::from(start);
    let mut frontier = vec![start];
    while let Some(from) = frontier.pop() {
        let near = SquareSet::neighbors(from) | jumps(variant, obstacles, from);
        let new = near & open & !reached;
        reached |= new;
        frontier.extend(new);
    }
    reached == open
}

#[cfg(test)]
mod tests {
    use super::is_connected;
    use crate::{Square, SquareSet, Variant};

    /// The squares named in `text`.
    fn squares(text: &str) -> SquareSet {
        let parse = |name: &str| name.parse::<Square>().unwrap();
        text.split(' ').map(parse).collect()
    }

    #[test]
    fn r2_five_obstacles_can_cut_off_a_corner() {
        assert!(!is_connected(Variant::Standard, squares("a2 b1 b2 b3 c2")));
        assert!(is_connected(Variant::Standard, squares("a2 b1 b2 b3 c3")));
    }

    #[test]
    fn r11_obstacles_of_ataxx_never_block_a_jump() {
        assert!(is_connected(Variant::Ataxx, squares("a2 b1 b2 b3 c2")));
    }
}
