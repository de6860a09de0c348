//! Bounded AND/OR search: whether a goal can be forced.

use puzzles::{Goal, Puzzling};
use rules::Player;

/// How easy a reply is to meet: whether in fewer turns, in how many ways, and whether it
/// is an unnatural one.
type Ease = (bool, usize, bool);

/// Searches for ways to force a goal, over all moves of both players.
pub(crate) struct Forcing<G: Puzzling> {
    start: G,
    goal: Goal,
    solver: Player,
    /// Replies that refuted the last try, by ply: they often refute the next.
    killers: Vec<Option<G::Move>>,
}

impl<G: Puzzling> Forcing<G> {
    /// For a goal set at `start`.
    pub(crate) fn new(start: &G, goal: Goal) -> Self {
        Self {
            solver: start.turn(),
            start: start.clone(),
            goal,
            killers: Vec::new(),
        }
    }

    pub(crate) fn is_fulfilled(&self, position: &G) -> bool {
        position.fulfills(&self.start, self.goal)
    }

    /// Whether the solver, who is to move and has this turn and so many others, can
    /// force the goal with `m`.
    pub(crate) fn works(&mut self, position: &G, m: G::Move, n_others: u8) -> bool {
        let next = position.after(m);
        if self.goal.has_to_hold() {
            return self.holds(&next);
        }
        if self.is_fulfilled(&next) {
            return true;
        }
        if next.outcome().is_some() {
            return false;
        }
        if next.turn() == self.solver {
            (n_others > 0 || next.may_still_win()) && self.can_force(&next, n_others)
        } else {
            n_others > 0 && self.is_forced(&next, n_others, 0)
        }
    }

    /// Whether some move of the solver works.
    pub(crate) fn can_force(&mut self, position: &G, n_others: u8) -> bool {
        let moves = position.legal_moves();
        moves.into_iter().any(|m| self.works(position, m, n_others))
    }

    /// Whether every move of the opponent leaves the solver, who has so many turns, a way
    /// to force the goal.
    fn is_forced(&mut self, position: &G, n_turns: u8, ply: usize) -> bool {
        let mut moves = position.legal_moves();
        self.killers.resize(self.killers.len().max(ply + 1), None);
        let killer = self.killers[ply].and_then(|killer| moves.iter().position(|&m| m == killer));
        if let Some(index) = killer {
            moves.swap(0, index);
        }
        for m in moves {
            if !self.is_answered(&position.after(m), n_turns, ply + 1) {
                self.killers[ply] = Some(m);
                return false;
            }
        }
        true
    }

    /// Whether the goal is still forced after a move of the opponent.
    fn is_answered(&mut self, next: &G, n_turns: u8, ply: usize) -> bool {
        if self.is_fulfilled(next) {
            true
        } else if next.outcome().is_some() {
            false
        } else if next.turn() == self.solver {
            self.can_force(next, n_turns - 1)
        } else {
            self.is_forced(next, n_turns, ply)
        }
    }

    /// Whether the goal holds after every reply.
    fn holds(&self, next: &G) -> bool {
        if next.outcome().is_some() {
            return self.is_fulfilled(next);
        }
        let replies = next.legal_moves();
        replies
            .into_iter()
            .all(|m| self.is_fulfilled(&next.after(m)))
    }

    /// The reply that is hardest to meet if the solver has so many turns, as the moves of
    /// the opponent's turn: it takes longest, and fewest moves work afterwards. Among
    /// equals it is the `natural` one.
    pub(crate) fn toughest_reply(
        &mut self,
        position: &G,
        n_turns: u8,
        natural: &[G::Move],
    ) -> Option<Vec<G::Move>> {
        let mut best: Option<(Ease, Vec<G::Move>)> = None;
        let mut open = vec![(position.clone(), Vec::new())];
        while let Some((position, line)) = open.pop() {
            for m in position.legal_moves() {
                let next = position.after(m);
                let mut line = line.clone();
                line.push(m);
                if next.outcome().is_some() || self.is_fulfilled(&next) {
                    continue;
                }
                if next.turn() != self.solver {
                    open.push((next, line));
                    continue;
                }
                let is_short = n_turns > 1 && self.can_force(&next, n_turns - 2);
                let moves = next.legal_moves().into_iter();
                let n_ways = moves.filter(|&m| self.works(&next, m, n_turns - 1)).count();
                let ease = (is_short, n_ways, line != natural);
                if best.as_ref().is_none_or(|(least, _)| ease < *least) {
                    best = Some((ease, line));
                }
            }
        }
        best.map(|(_, line)| line)
    }
}
