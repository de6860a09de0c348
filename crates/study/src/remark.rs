use catalog::AnyMatch;
use rules::{Player, record::NodeId};

use crate::{Assessment, Evaluation, Inquiry, JudgedMove, MoveClass, Review, Standing, is_exact};

/// The number of nodes searched for a remark, before and after the move.
const REMARK_NODES: u64 = 30_000;

/// Remarks on the last moves of a match, as far as an engine has judged them.
#[derive(Clone, PartialEq, Debug)]
pub struct Commentary {
    review: Review,
}

/// A remark on a move that was made. It never reveals what to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The position that the move led to.
    pub node: NodeId,
    /// The player who made it.
    pub player: Player,
    /// The comment.
    pub comment: Comment,
    /// A better move, in the notation of move lists, if it was a slip; `None` if that would reveal
    /// what to do now.
    pub better: Option<String>,
    /// The depth of the search that it is based on; `None` if it is proven.
    pub depth: Option<u32>,
}

/// The content of a remark on a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comment {
    /// It was the only legal move.
    Forced,
    /// It was the only one that wins.
    OnlyWin {
        /// The number of plies from here.
        plies: u32,
    },
    /// It was the only one that draws.
    OnlyDraw,
    /// It was far better than all others.
    Strong,
    /// It lets the opponent win.
    LetsWin {
        /// The number of plies from here.
        plies: u32,
    },
    /// It turns a win into a draw.
    MissesWin,
    /// It gives something away.
    Slip {
        /// Whether it gives away much.
        is_grave: bool,
    },
    /// It wins.
    Wins {
        /// The number of plies from here.
        plies: u32,
    },
    /// The match is a draw.
    Draws,
    /// It loses, as all others did.
    Loses {
        /// The number of plies from here.
        plies: u32,
    },
    /// It is as good as any other; the player who made it stands like this.
    Stands(Standing),
}

impl Commentary {
    /// Remarks on a match whose current position is `live`. Nothing is judged yet.
    #[must_use]
    pub fn new(record: &dyn AnyMatch, live: NodeId) -> Self {
        Self {
            review: Review::new(record, live, REMARK_NODES),
        }
    }

    /// Follows the match to `live`. Positions that were judged stay judged.
    pub fn follow(&mut self, record: &dyn AnyMatch, live: NodeId) {
        if self.review.nodes().last() == Some(&live) {
            return;
        }
        let last = std::mem::replace(&mut self.review, Review::new(record, live, REMARK_NODES));
        let shared = last.nodes().iter().zip(self.review.nodes());
        let n_shared = shared.take_while(|(last, now)| last == now).count();
        for index in 0..n_shared {
            if let Some(assessment) = last.assessment(index) {
                self.review.judge(index, assessment.clone());
            }
        }
    }

    /// The next position to ask about, so that there are remarks on the last `n` moves; the
    /// latest moves come first.
    #[must_use]
    pub fn next(&self, record: &dyn AnyMatch, n: usize) -> Option<(NodeId, Inquiry)> {
        let nodes = self.review.nodes();
        let mut wanted = (0..nodes.len()).rev().take(n + 1);
        let index = wanted.find(|&index| self.review.assessment(index).is_none())?;
        let inquiry = crate::review::inquiry(record, nodes[index], REMARK_NODES);
        // A match without a move has no remarks.
        (nodes.len() > 1).then_some((nodes[index], inquiry))
    }

    /// Stores the assessment of the position at `node`.
    pub fn judge(&mut self, node: NodeId, assessment: Assessment) {
        let index = self.review.nodes().iter().position(|&other| other == node);
        if let Some(index) = index {
            self.review.judge(index, assessment);
        }
    }

    /// The remarks on the last `n` moves that are judged, in the order of the match.
    #[must_use]
    pub fn remarks(&self, record: &dyn AnyMatch, n: usize) -> Vec<Remark> {
        let n_moves = self.review.nodes().len().saturating_sub(1);
        let indices = n_moves.saturating_sub(n)..n_moves;
        // The best move now is not revealed, not even as a better move of before.
        let now = self.review.assessment(n_moves);
        let secret = now.map_or(&[][..], |now| &now.best);
        let remark = |index| {
            let m = self.review.judged_move(record, index)?;
            let second = self.review.assessment(index)?.second;
            Remark::new(record, &m, second, secret)
        };
        indices.filter_map(remark).collect()
    }
}

impl Remark {
    /// The remark on a move; `None` if it ended the match. `second` is the value of the best of the
    /// other moves, and `secret` are moves that are not revealed.
    fn new(
        record: &dyn AnyMatch,
        m: &JudgedMove,
        second: Option<Evaluation>,
        secret: &[String],
    ) -> Option<Self> {
        if record.ending_at(m.node).is_some() {
            return None;
        }
        let is_slip = m.class.is_slip();
        // In other games a search may skip moves.
        let is_only = m.is_strong && is_exact(record.game());
        let comment = match (m.before, m.after) {
            _ if m.class == MoveClass::Forced => Comment::Forced,
            (_, Evaluation::Win(plies)) if is_only => Comment::OnlyWin { plies },
            (_, Evaluation::Draw) if is_only => Comment::OnlyDraw,
            _ if m.is_strong => Comment::Strong,
            (_, Evaluation::Loss(plies)) if is_slip && !is_lost(m.before) => {
                Comment::LetsWin { plies }
            }
            (Evaluation::Win(_), Evaluation::Draw) => Comment::MissesWin,
            _ if is_slip => Comment::Slip {
                is_grave: m.class > MoveClass::Inaccuracy,
            },
            (_, Evaluation::Win(plies)) => Comment::Wins { plies },
            (_, Evaluation::Draw) => Comment::Draws,
            (_, Evaluation::Loss(plies)) => Comment::Loses { plies },
            (_, Evaluation::Score { .. }) => Comment::Stands(Standing::of(m.after)),
        };
        // Comparisons of moves depend on the search of the position before as well.
        let before = match comment {
            Comment::Forced
            | Comment::Wins { .. }
            | Comment::Draws
            | Comment::Loses { .. }
            | Comment::Stands(_) => [None, None],
            Comment::Strong => [Some(m.before), second],
            _ => [Some(m.before), None],
        };
        let after = Some(m.after).filter(|_| comment != Comment::Forced);
        let rests_on = before.into_iter().chain([after]).flatten();
        let depths = rests_on.filter_map(|evaluation| match evaluation {
            Evaluation::Score { depth, .. } => Some(depth),
            _ => None,
        });
        let better = match comment {
            Comment::LetsWin { .. } | Comment::MissesWin | Comment::Slip { .. } => {
                let mut best = m.best.iter().filter(|best| **best != m.text);
                best.find(|best| !secret.contains(best))
            }
            _ => None,
        };
        Some(Self {
            node: m.node,
            player: m.player,
            better: better.and_then(|better| notation(record, m.node, better)),
            comment,
            depth: depths.min(),
        })
    }
}

fn is_lost(evaluation: Evaluation) -> bool {
    matches!(evaluation, Evaluation::Loss(_))
}

/// The move `m`, made instead of the one that led to `node`, in the notation of move lists.
fn notation(record: &dyn AnyMatch, node: NodeId, m: &str) -> Option<String> {
    let before = record.ancestors(node).first().copied()?;
    catalog::notations(record, before, &[m.to_owned()]).pop()
}
