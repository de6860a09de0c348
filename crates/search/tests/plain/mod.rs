//! Plain minimax, the reference for the search.

#![allow(dead_code, reason = "each test uses a part of it")]

use rules::{Outcome, Player, Position};
use search::{Guide, Value, Verdict};

/// Plain minimax to a fixed depth, with the evaluation of a guide.
///
/// It tries every legal move in the order of the rules, without a table and without
/// pruning.
pub(crate) struct Plain<'a, G> {
    guide: &'a G,
    /// The repetition keys of the positions before the root, as for a search.
    played: &'a [u64],
    /// The repetition keys from the root on.
    path: Vec<u64>,
    /// Whether a position other than the root was repeated. Table entries then
    /// depend on the path.
    pub(crate) has_cycle: bool,
}

impl<'a, G> Plain<'a, G> {
    pub(crate) fn new(guide: &'a G, played: &'a [u64]) -> Self {
        Self {
            guide,
            played,
            path: Vec::new(),
            has_cycle: false,
        }
    }

    /// The value of each legal move, for the player to move.
    pub(crate) fn root<P: Position>(&mut self, position: &P, depth: u32) -> Vec<(P::Move, Value)>
    where
        G: Guide<P>,
    {
        self.path.extend(position.repetition_key());
        let moves = position.legal_moves().into_iter();
        let values = moves
            .map(|m| (m, self.child(position, m, 0, depth - 1)))
            .collect();
        self.path.clear();
        values
    }

    /// The value of the position after `m`, for the player who plays it.
    fn child<P: Position>(&mut self, position: &P, m: P::Move, ply: u32, depth: u32) -> Value
    where
        G: Guide<P>,
    {
        let child = position.after(m);
        let value = self.value(&child, ply + 1, depth);
        if child.turn() == position.turn() {
            value
        } else {
            -value
        }
    }

    fn value<P: Position>(&mut self, position: &P, ply: u32, depth: u32) -> Value
    where
        G: Guide<P>,
    {
        match position.outcome() {
            Some(Outcome::Draw) => return Value::DRAW,
            Some(Outcome::Win(player)) if player == position.turn() => return Value::win_in(ply),
            Some(Outcome::Win(_)) => return Value::loss_in(ply),
            None => {}
        }
        let key = position.repetition_key();
        if let Some(key) = key {
            if let Some(index) = self.path.iter().position(|&other| other == key) {
                self.has_cycle |= index > 0;
                return Value::DRAW;
            }
            if self.played.iter().filter(|&&other| other == key).count() >= 2 {
                return Value::DRAW;
            }
        }
        let memo = self.guide.memo(position);
        let evaluation = self.guide.evaluate(position, &memo);
        if depth == 0 || evaluation.is_decided() {
            return later(evaluation, ply);
        }
        // A forced move costs no depth.
        let mut looked_at = Vec::new();
        self.guide.moves_into(position, &memo, &mut looked_at);
        let depth = if looked_at.len() == 1 {
            depth
        } else {
            depth - 1
        };
        self.path.extend(key);
        let moves = position.legal_moves().into_iter();
        let best = moves.map(|m| self.child(position, m, ply, depth)).max();
        if key.is_some() {
            self.path.pop();
        }
        best.expect("a game goes on while there are moves")
    }
}

/// A value at `ply`, counted from the root.
fn later(value: Value, ply: u32) -> Value {
    match value.verdict() {
        Verdict::Win(n) => Value::win_in(n + ply),
        Verdict::Loss(n) => Value::loss_in(n + ply),
        Verdict::Draw | Verdict::Score(_) => value,
    }
}

/// Whether `player` can force a win within `n` moves of both players, by brute
/// force. No evaluation, no repetition: the fastest win never needs a cycle.
pub(crate) fn can_win_within<P: Position>(position: &P, player: Player, n: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome == Outcome::Win(player);
    }
    if n == 0 {
        return false;
    }
    let moves = position.legal_moves();
    let wins = |&m: &P::Move| can_win_within(&position.after(m), player, n - 1);
    if position.turn() == player {
        moves.iter().any(wins)
    } else {
        moves.iter().all(wins)
    }
}

/// Checks that a reported win or loss is one, and that it is not slower than one
/// that can be forced in `n` moves less. Returns whether there was something to
/// check.
#[track_caller]
pub(crate) fn check_verdict<P: Position>(
    position: &P,
    value: Value,
    is_exact: bool,
    most: u32,
) -> bool {
    let (winner, n) = match value.verdict() {
        Verdict::Win(n) => (position.turn(), n),
        Verdict::Loss(n) => (!position.turn(), n),
        Verdict::Draw | Verdict::Score(_) => return false,
    };
    if n > most {
        return false;
    }
    assert!(
        can_win_within(position, winner, n),
        "{value} is not true in {position}"
    );
    assert!(
        !is_exact || n == 0 || !can_win_within(position, winner, n - 1),
        "{value} could be faster in {position}"
    );
    true
}
