use catalog::AnyMatch;
use rules::record::NodeId;
use view::Mark;

use crate::{EngineLine, Evaluation, Inquiry, Standing, review};

/// How many positions are searched for a hint.
const HINT_NODES: u64 = 100_000;

/// How many moves are judged where the game is not solved: a search that judges all of them
/// does not get deep.
const HINT_LINES: usize = 4;

/// A move is a block if at most every fourth of the others is safe too.
const SAFE_SHARE: usize = 4;

/// A move that the player to move is advised to make, told step by step: where it begins,
/// where it leads, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The move.
    pub m: String,
    /// What speaks for it.
    pub reason: Reason,
    /// The targets that are clicked to make it; none for a pass.
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
    /// What speaks for the move.
    Why(Reason),
}

/// What speaks for a move. All of it is proven but [`Best`](Self::Best).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// It wins at once.
    WinsNow,
    /// There is no other.
    Forced,
    /// It wins.
    Wins {
        /// The plies it takes.
        plies: u32,
        /// Whether no other move does.
        is_only: bool,
    },
    /// The match is lost, but no other move loses later.
    HoldsOut {
        /// The plies it takes.
        plies: u32,
    },
    /// Nearly all other moves lose at once.
    Blocks {
        /// Whether all of them do.
        is_only: bool,
    },
    /// It draws, and no move wins.
    Draws {
        /// Whether no other move draws.
        is_only: bool,
    },
    /// It is the best that a search found.
    Best {
        /// Who is ahead then.
        standing: Standing,
        /// How deep the search was.
        depth: u32,
    },
}

impl Hint {
    /// What to ask an engine about the position at `node`.
    #[must_use]
    pub fn inquiry(record: &dyn AnyMatch, node: NodeId) -> Inquiry {
        let mut inquiry = review::inquiry(record, node, HINT_NODES);
        inquiry.n_lines = inquiry.n_lines.max(HINT_LINES);
        inquiry
    }

    /// The hint that the lines of an engine lead to; `None` if none of them begins with a
    /// legal move.
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
        let ways = playing.table().ways(m);
        playing.explore(m).ok()?;
        let n_own = if playing.turn() == mover { 2 } else { 1 };
        let others: Vec<_> = values
            .iter()
            .filter_map(|&(other, value)| (other != m).then_some(value))
            .collect();
        // The rules tell about moves that no line is about, if it is worth the time.
        let seems_block = matches!(others.last(), Some(Evaluation::Loss(n)) if *n <= n_own + 1);
        let n_safe = seems_block.then(|| {
            let is_safe = |other: &&String| *other != m && !record.loses_at_once(node, other);
            legal.iter().filter(is_safe).count()
        });
        Some(Self {
            reason: Reason::new(best, &others, legal.len(), n_own, n_safe),
            m: m.clone(),
            way: ways.into_iter().next().unwrap_or_default(),
        })
    }

    /// Its steps, from the vaguest to the plainest.
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

    /// What is marked on the board after the first `n` steps.
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

impl Reason {
    /// How deep the search was that it comes from; `None` if it is proven.
    #[must_use]
    pub fn depth(self) -> Option<u32> {
        match self {
            Self::Best { depth, .. } => Some(depth),
            _ => None,
        }
    }

    /// Why a move that is worth `best` is better than moves that are worth `others`. There
    /// are `n_legal` moves, and the opponent moves after `n_own` plies. Of the other moves
    /// `n_safe` do not lose at once, if that is known.
    fn new(
        best: Evaluation,
        others: &[Evaluation],
        n_legal: usize,
        n_own: u32,
        n_safe: Option<usize>,
    ) -> Self {
        // Nothing is said about all other moves if only some are judged.
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
                // What is not proven may win as well.
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
            },
        }
    }
}
