use catalog::AnyMatch;
use rules::record::NodeId;
use view::{Deed, Mark};

use crate::{EngineLine, Evaluation, Inquiry, Standing, review};

/// The number of nodes searched for a hint.
const HINT_NODES: u64 = 100_000;

/// The number of moves judged in games that are not solved: a search that judges all of them
/// does not get deep.
const HINT_LINES: usize = 4;

/// A move is a block if at most every fourth of the others is safe too.
const SAFE_SHARE: usize = 4;

/// A recommended move for the player to move, revealed step by step: where it begins, where it
/// leads, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The move.
    pub m: String,
    /// Why it is recommended.
    pub reason: HintReason,
    /// The targets to click; empty for a pass.
    way: Vec<String>,
}

/// A step of a hint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Clue {
    /// The move begins at this target.
    From(String),
    /// The move is made with one click, in the part of the board around this target.
    Near(String),
    /// The move leads to this target.
    To(String),
    /// The move is to pass.
    Pass,
    /// The reason for the move.
    Why(HintReason),
}

/// The reason for a recommended move. All reasons are proven, except [`Best`](Self::Best).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HintReason {
    /// It wins at once.
    WinsNow,
    /// It is the only legal move.
    Forced,
    /// It wins.
    Wins {
        /// The number of plies to the end.
        plies: u32,
        /// Whether it is the only move that wins.
        is_only: bool,
    },
    /// The match is lost, but no other move loses later.
    HoldsOut {
        /// The number of plies to the end.
        plies: u32,
    },
    /// Nearly all other moves lose at once.
    Blocks {
        /// Whether all other moves do.
        is_only: bool,
    },
    /// It draws, and no move wins.
    Draws {
        /// Whether no other move draws.
        is_only: bool,
    },
    /// It is the best move that a search found.
    Best {
        /// How the player stands after it.
        standing: Standing,
        /// The search depth.
        depth: u32,
        /// What it does by the rules, if that is worth saying.
        feat: Option<Feat>,
    },
}

/// What a move does. It follows from the rules, so that it is true whatever the search found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Feat {
    /// It captures or converts this many pieces, and no other move captures more.
    TakesMost(u32),
    /// A single move of the opponent could capture this many pieces if the player passed, and
    /// none after it.
    Saves(u32),
    /// It encloses this many points, in which nobody may play from now on.
    Encloses(u32),
    /// A single move of the opponent can convert at most this many pieces after it, more after
    /// at least half of the others, and fewer after none.
    LeavesLeast(u32),
    /// It brings two pieces together, where no two were.
    Joins,
}

/// In positions with more moves than this, replies to a move are not counted.
const MOST_REPLIES: usize = 700;

/// In positions with more moves than this, replies to all moves are not counted.
const MOST_COMPARED: usize = 150;

impl Hint {
    /// The inquiry for a hint in the position at `node`.
    #[must_use]
    pub fn inquiry(record: &dyn AnyMatch, node: NodeId) -> Inquiry {
        let mut inquiry = review::inquiry(record, node, HINT_NODES);
        inquiry.n_lines = inquiry.n_lines.max(HINT_LINES);
        inquiry
    }

    /// Makes a hint of the lines of an engine; `None` if none of them begins with a legal move.
    #[must_use]
    pub fn new(record: &dyn AnyMatch, node: NodeId, lines: &[EngineLine]) -> Option<Self> {
        let legal = record.legal_moves_at(node);
        let mut values: Vec<(&String, Evaluation)> = Vec::new();
        for line in lines {
            let Some(m) = line.moves.first() else {
                continue;
            };
            if legal.contains(m) && values.iter().all(|(other, _)| *other != m) {
                values.push((m, line.evaluation));
            }
        }
        let (mut m, mut best) = *values.first()?;
        for &(other, value) in &values[1..] {
            if value > best {
                (m, best) = (other, value);
            }
        }
        let mut playing = record.boxed_clone();
        playing.go_to(node).ok()?;
        let mover = playing.turn();
        let way = playing.table().way(m);
        playing.explore(m).ok()?;
        let n_own = if playing.turn() == mover { 2 } else { 1 };
        let others: Vec<_> = values
            .iter()
            .filter_map(|&(other, value)| (other != m).then_some(value))
            .collect();
        // Moves without a line are checked by the rules, where that can matter.
        let seems_block = matches!(others.last(), Some(Evaluation::Loss(n)) if *n <= n_own + 1);
        let n_safe = seems_block.then(|| {
            let is_safe = |other: &&String| *other != m && !record.loses_at_once(node, other);
            legal.iter().filter(is_safe).count()
        });
        let mut reason = HintReason::new(best, &others, legal.len(), n_own, n_safe);
        if let HintReason::Best { feat, .. } = &mut reason {
            *feat = Feat::of(&mut *playing, node, m, &legal);
        }
        Some(Self {
            reason,
            m: m.clone(),
            way: way.unwrap_or_default(),
        })
    }

    /// The steps, from vague to plain.
    #[must_use]
    pub fn clues(&self) -> Vec<Clue> {
        let mut clues = match &*self.way {
            [] => vec![Clue::Pass],
            [only] => vec![Clue::Near(only.clone()), Clue::To(only.clone())],
            [from, .., to] => vec![Clue::From(from.clone()), Clue::To(to.clone())],
        };
        clues.push(Clue::Why(self.reason));
        clues
    }

    /// The marks on the board after the first `n` steps.
    #[must_use]
    pub fn marks(&self, n: usize) -> Vec<Mark> {
        match (&*self.way, n) {
            ([], _) | (_, 0) => Vec::new(),
            ([only], 1) => vec![Mark::Region(only.clone())],
            ([only], _) => vec![Mark::Ring(only.clone())],
            ([from, ..], 1) => vec![Mark::Ring(from.clone())],
            ([from, .., to], _) => vec![
                Mark::Ring(from.clone()),
                Mark::Ring(to.clone()),
                Mark::Arrow {
                    from: from.clone(),
                    to: to.clone(),
                    is_quiet: false,
                },
            ],
        }
    }
}

/// The number of pieces captured by the move just made at `node`, if there are any and no other
/// of the `legal` moves captures more.
fn n_most_taken(playing: &mut dyn AnyMatch, node: NodeId, legal: &[String]) -> Option<u32> {
    let n = Some(playing.n_taken()).filter(|&n| n > 0)?;
    let takes_more = |m: &String| {
        let is_made = playing.go_to(node).is_ok() && playing.explore(m).is_ok();
        is_made && playing.n_taken() > n
    };
    (!legal.iter().any(takes_more)).then_some(n)
}

impl Feat {
    /// The most remarkable feat of the move `m`, which was just made at `node`, where these
    /// moves are `legal`.
    fn of(playing: &mut dyn AnyMatch, node: NodeId, m: &String, legal: &[String]) -> Option<Self> {
        let deed = playing.deed();
        if let Some(n) = n_most_taken(playing, node, legal) {
            return Some(Self::TakesMost(n));
        }
        playing.go_to(node).ok()?;
        let pass = playing.table().pass().filter(|pass| legal.contains(pass));
        if let Some(n) = pass.as_ref().and_then(|pass| {
            let is_few = legal.len() <= MOST_REPLIES && pass != m;
            let n = playing.most_lost(node, pass).filter(|_| is_few)?;
            (n > 0 && playing.most_lost(node, m) == Some(0)).then_some(n)
        }) {
            return Some(Self::Saves(n));
        }
        if let Some(Deed::Encloses(n)) = deed {
            return Some(Self::Encloses(n));
        }
        // Where nobody may pass, moves are compared with each other.
        if pass.is_none() && legal.len() <= MOST_COMPARED {
            let own = playing.most_lost(node, m);
            let others = legal.iter().filter(|other| *other != m);
            let others: Vec<_> = others.map(|other| playing.most_lost(node, other)).collect();
            let n_worse = others.iter().filter(|&&other| other > own).count();
            let is_least = n_worse > 0 && 2 * n_worse >= others.len();
            if let Some(n) = own.filter(|_| is_least && others.iter().all(|&other| other >= own)) {
                return Some(Self::LeavesLeast(n));
            }
        }
        (deed == Some(Deed::Joins)).then_some(Self::Joins)
    }
}

impl HintReason {
    /// The depth of the search that it is based on; `None` if it is proven.
    #[must_use]
    pub fn depth(self) -> Option<u32> {
        match self {
            Self::Best { depth, .. } => Some(depth),
            _ => None,
        }
    }

    /// Why a move with the value `best` is better than those with the values `others`. There are
    /// `n_legal` moves, and the opponent moves after `n_own` plies. `n_safe` of the other moves do
    /// not lose at once, if that is known.
    fn new(
        best: Evaluation,
        others: &[Evaluation],
        n_legal: usize,
        n_own: u32,
        n_safe: Option<usize>,
    ) -> Self {
        // Claims about all other moves need all of them to be judged.
        let knows_all = others.len() + 1 == n_legal;
        let is_only = |is_as_good: fn(&Evaluation) -> bool| {
            knows_all && n_legal > 1 && !others.iter().any(is_as_good)
        };
        let n_safe = n_safe.filter(|n_safe| n_safe * SAFE_SHARE < n_legal);
        match (best, n_safe) {
            (Evaluation::Win(plies), _) if plies <= n_own => Self::WinsNow,
            _ if n_legal == 1 => Self::Forced,
            (Evaluation::Win(plies), _) => Self::Wins {
                plies,
                // A move without a proven value may win too.
                is_only: is_only(|value| !matches!(value, Evaluation::Loss(_) | Evaluation::Draw)),
            },
            (Evaluation::Loss(plies), _) => Self::HoldsOut { plies },
            (_, Some(n_safe)) => Self::Blocks {
                is_only: n_safe == 0,
            },
            (Evaluation::Draw, None) => Self::Draws {
                is_only: is_only(|value| !matches!(value, Evaluation::Loss(_))),
            },
            (Evaluation::Score { depth, .. }, None) => Self::Best {
                standing: Standing::of(best),
                depth,
                feat: None,
            },
        }
    }
}
