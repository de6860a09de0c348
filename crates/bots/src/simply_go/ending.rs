//! Wins with the next move. Only few positions are near enough to the end.

use rules::{Outcome, Player, Position};
use simply_go::{Mode, Move, SimplyGo};

use super::{
    bits::Spot,
    exposure::{Board, Exposure},
};

/// Whether `m` could be the last move of the match.
pub(crate) fn may_end(position: &SimplyGo, m: Move) -> bool {
    let ends_by_mode = match position.mode() {
        Mode::Moves(limit) => position.n_moves() + 1 >= limit,
        Mode::Target(_) => true,
    };
    ends_by_mode || (m == Move::Pass && position.n_passes() > 0)
}

/// Whether the opponent can win with the next move after `m`.
pub(crate) fn loses_at_once(position: &SimplyGo, m: Move) -> bool {
    let player = position.turn();
    let after = position.after(m);
    if let Some(outcome) = after.outcome() {
        return outcome == Outcome::Win(!player);
    }
    let wins = |reply| after.after(reply).outcome() == Some(Outcome::Win(!player));
    match after.mode() {
        // Only captures reach a target.
        Mode::Target(_) => wins(Move::Pass) || best_capture(&after, player).is_some_and(wins),
        Mode::Moves(limit) if after.n_moves() + 1 < limit => wins(Move::Pass),
        // A fort may also decide on the last move. The largest capture is the
        // likeliest.
        Mode::Moves(_) => {
            wins(Move::Pass) || best_capture(&after, player).is_some_and(wins) || {
                let stones = *after.stones(!player);
                let near = stones.grown().grown() & after.playable();
                let rim = simply_go::PointSet::rim(after.size()) & after.playable();
                (near | rim).iter().any(|point| wins(Move::Place(point)))
            }
        }
    }
}

/// The opponent's move that captures most stones of `player`.
fn best_capture(position: &SimplyGo, player: Player) -> Option<Move> {
    let board = Board::new(position);
    let exposure = Exposure::new(&board, player);
    let best = exposure.cuts.iter().max_by_key(|cut| cut.n_stones);
    let any = || board.playable.iter().find(|_| exposure.n_lost > 0);
    let spot: Option<Spot> = best.map(|cut| cut.at).or_else(any);
    spot.map(|spot| Move::Place(spot.point()))
}

#[cfg(test)]
mod tests {
    use rules::{Game, Position, Random};
    use simply_go::{Mode, Setup, SimplyGo};

    use super::{loses_at_once, may_end};
    use crate::level::is_lost_at_once;

    #[test]
    fn it_agrees_with_a_look_at_every_reply() {
        let (mut n_lost, mut n_safe, mut n_ends) = (0, 0, 0);
        for (seed, mode) in
            (0..30).flat_map(|seed| [Mode::Moves(40), Mode::Target(5)].map(|mode| (seed, mode)))
        {
            let mut random = Random::new(seed);
            let mut position = SimplyGo::start(&Setup { size: 9, mode }).unwrap();
            while position.outcome().is_none() {
                let moves = position.legal_moves();
                let m = *random.pick(&moves).unwrap();
                let is_lost = is_lost_at_once(&position.after(m), position.turn());
                assert_eq!(loses_at_once(&position, m), is_lost, "{position} {m}");
                n_lost += u32::from(is_lost);
                n_safe += u32::from(!is_lost);
                let ends = position.after(m).outcome().is_some();
                assert!(!ends || may_end(&position, m));
                n_ends += u32::from(ends);
                position.play(m).unwrap();
            }
        }
        assert!(
            n_lost > 20 && n_safe > 500 && n_ends == 60,
            "{n_lost} {n_safe} {n_ends}"
        );
    }
}
