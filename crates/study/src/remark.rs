use catalog::AnyMatch;
use rules::{Player, record::NodeId};

use crate::{Assessment, Evaluation, Inquiry, JudgedMove, MoveClass, Review, Standing, is_exact};

/// How many positions are searched for a remark, for each of the two positions.
const REMARK_NODES: u64 = 30_000;

/// Remarks on the last moves of a match, as far as an engine has judged them.
#[derive(Clone, PartialEq, Debug)]
pub struct Commentary {
    review: Review,
}

/// What is said about a move after it was made. It never says what to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The position that the move led to.
    pub node: NodeId,
    /// Who made it.
    pub player: Player,
    /// What is said.
    pub comment: Comment,
    /// A better move, in the notation of move lists, if it was a slip. Left out if that would
    /// tell what to do now.
    pub better: Option<String>,
    /// How deep the search was that it comes from; `None` if it is proven.
    pub depth: Option<u32>,
}

/// What is said about a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comment {
    /// There was no other.
    Forced,
    /// It was the only one that wins.
    OnlyWin {
        /// The plies it takes from here.
        plies: u32,
    },
    /// It was the only one that draws.
    OnlyDraw,
    /// It was better than all others by far.
    Strong,
    /// It lets the opponent win.
    LetsWin {
        /// The plies it takes from here.
        plies: u32,
    },
    /// It gives a win away, and the match is a draw.
    MissesWin,
    /// It gives something away.
    Slip {
        /// Whether it gives much away.
        is_grave: bool,
    },
    /// It wins.
    Wins {
        /// The plies it takes from here.
        plies: u32,
    },
    /// The match is a draw.
    Draws,
    /// It loses, as all others did.
    Loses {
        /// The plies it takes from here.
        plies: u32,
    },
    /// It is as good as any, and leaves the player who made it like this.
    Stands(Standing),
}

impl Commentary {
    /// Remarks on a match that stands at `live`. Nothing is known yet.
    #[must_use]
    pub fn new(record: &dyn AnyMatch, live: NodeId) -> Self {
        Self {
            review: Review::new(record, live, REMARK_NODES),
        }
    }

    /// The match stands at `live` now. What is known of its positions stays known.
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
        // Without a move there is nothing to remark on.
        (nodes.len() > 1).then_some((nodes[index], inquiry))
    }

    /// Takes in what an engine said about the position at `node`.
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
        // What is best now is not named, not even as what would have been better before.
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
    /// What there is to say about a move; `None` if it ended the match. `second` is what the
    /// best of the other moves was worth, and `secret` are moves that are not named.
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
        // Elsewhere a search leaves out moves.
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
        // What compares moves rests on the position before as well.
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
    let mut instead = record.boxed_clone();
    instead.go_to(before).ok()?;
    instead.explore(m).ok()?;
    instead.notation(instead.cursor())
}
