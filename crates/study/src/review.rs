use catalog::AnyMatch;
use rules::{
    ByPlayer, Outcome, Player,
    record::{NodeId, Reason},
};

use crate::{Effort, EngineLine, Evaluation, Inquiry, MoveClass, class::plies_lost, is_exact};

/// The version of the engine and of the budgets of reviews, in the text of a review. Increment it when
/// the same position may be judged in another way: with the number of `parlour bench`, with new weights,
/// and with the constants below.
const JUDGE_VERSION: u32 = 2;

/// The number of `parlour bench` that the version of the engine in reviews belongs to. A test of the
/// command line compares it; increment the version when you change it.
pub const JUDGE_BENCH: u64 = 196_639_876;

/// The default number of nodes that a review searches for each position of a match.
pub const REVIEW_NODES: u64 = 30_000;

/// The least number of nodes for each move of a position, which is enough to compare moves.
const LEAST_NODES: usize = 10;

/// Of larger positions no more moves than this count for that: on boards of 25 and 48 there are
/// hundreds, and a review takes too long.
const MOST_COMPARED: usize = 200;

/// A move is strong if the next best would have given away this much winning chance.
const STRONG_LEAD: f64 = 0.10;

/// The value of a position, and the best play in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assessment {
    /// The value for the player to move.
    pub evaluation: Evaluation,
    /// The value of the best of the other moves, if there are others.
    pub second: Option<Evaluation>,
    /// The best moves: all of them if the game is solved, otherwise the one that was found.
    pub best: Vec<String>,
    /// The principal variation.
    pub line: Vec<String>,
}

impl Assessment {
    /// The assessment of a position by the lines of an engine, best first; `None` without lines.
    #[must_use]
    pub fn of_lines(lines: &[EngineLine], is_exact: bool) -> Option<Self> {
        let (first, others) = lines.split_first()?;
        let is_best = |line: &&EngineLine| is_exact && line.evaluation == first.evaluation;
        let n_best = others.iter().take_while(is_best).count();
        let best = lines[..=n_best].iter();
        Some(Self {
            evaluation: first.evaluation,
            second: others.get(n_best).map(|line| line.evaluation),
            best: best
                .filter_map(|line| line.moves.first().cloned())
                .collect(),
            line: first.moves.clone(),
        })
    }

    /// The assessment of a position in which the match is over; `None` if it goes on.
    pub(crate) fn of_ending(record: &dyn AnyMatch, node: NodeId) -> Option<Self> {
        let ending = record.ending_at(node)?;
        let is_last = record.n_legal_moves_at(node) == 0;
        // No table knows about repetitions: they belong to the match.
        if !is_last && ending.reason != Reason::Repetition {
            return None;
        }
        let evaluation = match ending.outcome {
            Outcome::Draw => Evaluation::Draw,
            Outcome::Win(winner) if Some(winner) == record.turn_at(node) => Evaluation::Win(0),
            Outcome::Win(_) => Evaluation::Loss(0),
        };
        Some(Self {
            evaluation,
            second: None,
            best: Vec::new(),
            line: Vec::new(),
        })
    }
}

/// A move of a match, and what it gave away.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedMove {
    /// The number of moves before it.
    pub ply: usize,
    /// The position that it led to.
    pub node: NodeId,
    /// The move.
    pub text: String,
    /// The player who made it.
    pub player: Player,
    /// The value of the position before it for that player.
    pub before: Evaluation,
    /// The value of the position after it for that player.
    pub after: Evaluation,
    /// The best moves, the one that was made included if it was as good.
    pub best: Vec<String>,
    /// Best play from the position before.
    pub line: Vec<String>,
    /// The class of the move.
    pub class: MoveClass,
    /// Whether it was the only good move.
    pub is_strong: bool,
}

impl JudgedMove {
    /// The winning chance that it gave away, from 0 to 1.
    #[must_use]
    pub fn drop(&self) -> f64 {
        (self.before.chance() - self.after.chance()).max(0.0)
    }

    /// Whether it kept the result, as far as results are proven.
    #[must_use]
    pub fn kept_value(&self) -> bool {
        match (self.before.result(), self.after.result()) {
            (Some(before), Some(after)) => after >= before,
            _ => !self.class.is_slip(),
        }
    }

    /// The number of plies by which a proven win comes later or a proven loss earlier than
    /// necessary.
    #[must_use]
    pub fn plies_lost(&self) -> u32 {
        plies_lost(self.before, self.after)
    }
}

/// How well a player played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Accuracy {
    /// From 0 to 100. In a solved game it is the share of moves that kept the result; in others it
    /// falls with the winning chances that moves give away.
    pub percent: f64,
    /// The number of moves that kept the result, or gave away next to nothing.
    pub n_kept: usize,
    /// The number of moves.
    pub n_moves: usize,
}

/// The assessments of the positions on one line of a match, as far as an engine has judged them.
///
/// Each position is judged on its own, so a review can be interrupted and resumed, and is
/// reproducible.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// The positions, the start included.
    nodes: Vec<NodeId>,
    /// Whether each of them has only one legal move.
    is_forced: Vec<bool>,
    assessments: Vec<Option<Assessment>>,
    n_nodes: u64,
    /// What judged them.
    judge: String,
}

/// The fingerprint of the engine of today, with or without its weights.
fn judge_of_today(has_weights: bool) -> String {
    format!("{JUDGE_VERSION}{}", if has_weights { "w" } else { "s" })
}

impl Review {
    /// A review of the line that ends at `end`. Only the end of the match is judged yet.
    #[must_use]
    pub fn new(record: &dyn AnyMatch, end: NodeId, n_nodes: u64) -> Self {
        let nodes = record.line(end);
        let assessments = nodes.iter();
        let n_moves = |&node: &NodeId| record.n_legal_moves_at(node);
        Self {
            is_forced: nodes.iter().map(|node| n_moves(node) == 1).collect(),
            assessments: assessments
                .map(|&node| Assessment::of_ending(record, node))
                .collect(),
            nodes,
            n_nodes,
            judge: judge_of_today(true),
        }
    }

    /// Whether it was judged by the engine of today. A whole review by an earlier one is shown as it
    /// is, since judgments of different engines can't be compared.
    #[must_use]
    pub fn is_of_today(&self) -> bool {
        [true, false].map(judge_of_today).contains(&self.judge)
    }

    /// Goes on with the engine of `other`, if it is the one of today.
    pub(crate) fn be_judged_as(&mut self, other: &Self) {
        if other.is_of_today() {
            self.judge.clone_from(&other.judge);
        }
    }

    /// The fingerprint of the engine that judges it.
    pub(crate) fn judge_name(&self) -> &str {
        &self.judge
    }

    /// The review as it begins with an engine that has its weights or not; `None` if this one is by
    /// that engine, or done.
    #[must_use]
    pub(crate) fn judged_as(&self, record: &dyn AnyMatch, has_weights: bool) -> Option<Self> {
        let judge = judge_of_today(has_weights);
        let is_other = self.judge != judge && !self.is_done();
        let end = self.nodes.last().filter(|_| is_other)?;
        Some(Self {
            judge,
            ..Self::new(record, *end, self.n_nodes)
        })
    }

    /// A review of the line that ends at `end`, with the assessments that this one has of its
    /// positions.
    #[must_use]
    pub fn along(&self, record: &dyn AnyMatch, end: NodeId) -> Self {
        let mut review = Self::new(record, end, self.n_nodes);
        review.be_judged_as(self);
        if review.judge != self.judge {
            return review;
        }
        for (&node, place) in review.nodes.iter().zip(&mut review.assessments) {
            if place.is_none() {
                *place = self.assessment_at(node).cloned();
            }
        }
        review
    }

    /// The positions, the start included.
    #[must_use]
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The assessment of the position at `index`.
    #[must_use]
    pub fn assessment(&self, index: usize) -> Option<&Assessment> {
        self.assessments.get(index)?.as_ref()
    }

    /// The assessment of the position at `node`.
    #[must_use]
    pub fn assessment_at(&self, node: NodeId) -> Option<&Assessment> {
        let index = self.nodes.iter().position(|&other| other == node)?;
        self.assessment(index)
    }

    /// The number of positions that are judged.
    #[must_use]
    pub fn n_judged(&self) -> usize {
        self.assessments.iter().flatten().count()
    }

    /// Whether all positions are judged.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.assessments.iter().all(Option::is_some)
    }

    /// The first position that is not judged yet.
    pub(crate) fn next_node(&self) -> Option<NodeId> {
        let index = self.assessments.iter().position(Option::is_none)?;
        self.nodes.get(index).copied()
    }

    /// The inquiry about the position at `node`.
    pub(crate) fn inquiry(&self, record: &dyn AnyMatch, node: NodeId) -> Inquiry {
        inquiry(record, node, self.n_nodes)
    }

    /// The index of the first position that is not judged yet, and the inquiry about it.
    #[must_use]
    pub fn next(&self, record: &dyn AnyMatch) -> Option<(usize, Inquiry)> {
        let index = self.assessments.iter().position(Option::is_none)?;
        let node = *self.nodes.get(index)?;
        Some((index, self.inquiry(record, node)))
    }

    /// Stores the assessment of the position at `index`.
    pub fn judge(&mut self, index: usize, assessment: Assessment) {
        if let Some(place) = self.assessments.get_mut(index) {
            *place = Some(assessment);
        }
    }

    /// The move from the position at `index` to the next, once both are judged.
    #[must_use]
    pub fn judged_move(&self, record: &dyn AnyMatch, index: usize) -> Option<JudgedMove> {
        let before = self.assessment(index)?;
        let after = self.assessment(index + 1)?;
        let (from, node) = (self.nodes[index], self.nodes[index + 1]);
        let player = record.turn_at(from)?;
        let is_same_turn = record.turn_at(node)? == player;
        let text = record.move_to(node)?;
        let after = if is_same_turn {
            after.evaluation
        } else {
            -after.evaluation
        };
        let mut best = before.best.clone();
        let is_listed = best.contains(&text);
        // One move later a search may find the move better than it did before.
        let is_better = !is_listed
            && match before.evaluation {
                Evaluation::Score { .. } => after > before.evaluation,
                proven => after.one_ply_earlier() >= proven && !after.is_worse_result(proven),
            };
        if is_better {
            best.push(text.clone());
        }
        let is_best = is_listed || is_better;
        let is_forced = self.is_forced[index];
        let class = if is_forced {
            MoveClass::Forced
        } else if is_best {
            MoveClass::Best
        } else {
            MoveClass::of(before.evaluation, after)
        };
        let lead = before.second.map(|second| {
            match (before.evaluation.result(), second.result()) {
                // A slower way to the same result keeps it too.
                (Some(best), Some(second)) if best == second => 0.0,
                _ => before.evaluation.chance() - second.chance(),
            }
        });
        Some(JudgedMove {
            ply: index,
            node,
            text,
            player,
            before: before.evaluation,
            after,
            is_strong: is_best && best.len() == 1 && lead.is_some_and(|lead| lead >= STRONG_LEAD),
            best,
            line: before.line.clone(),
            class,
        })
    }

    /// The moves that are judged.
    #[must_use]
    pub fn moves(&self, record: &dyn AnyMatch) -> Vec<JudgedMove> {
        let indices = 0..self.nodes.len().saturating_sub(1);
        indices
            .filter_map(|index| self.judged_move(record, index))
            .collect()
    }

    /// The winning chance of the first player in the position at `index`, from 0 to 1.
    #[must_use]
    pub fn chance_of_first(&self, record: &dyn AnyMatch, index: usize) -> Option<f64> {
        let chance = self.assessment(index)?.evaluation.chance();
        let turn = record.turn_at(*self.nodes.get(index)?)?;
        Some(if turn == Player::First {
            chance
        } else {
            1.0 - chance
        })
    }

    /// The text form for storage: the assessments of all positions.
    #[must_use]
    pub fn to_text(&self) -> String {
        let texts = self.assessments.iter().map(|assessment| match assessment {
            None => String::new(),
            Some(assessment) => {
                let second = assessment.second.map(|second| second.to_string());
                format!(
                    "{}/{}/{}/{}",
                    assessment.evaluation,
                    second.unwrap_or_default(),
                    assessment.best.join(" "),
                    assessment.line.join(" ")
                )
            }
        });
        let texts: Vec<_> = texts.collect();
        format!("{}/{};{}", self.n_nodes, self.judge, texts.join(";"))
    }

    /// Restores assessments from a [text](Self::to_text). Those that do not fit this line are
    /// ignored, and so are those of another engine, unless they are a whole review. Solved games are
    /// judged again then, which takes no time.
    pub fn recall(&mut self, record: &dyn AnyMatch, text: &str) {
        let Some((head, texts)) = text.split_once(';') else {
            return;
        };
        // Reviews of before have no fingerprint.
        let (n_nodes, judge) = head.split_once('/').unwrap_or((head, ""));
        if rules::parse_decimal(n_nodes) != Some(self.n_nodes) {
            return;
        }
        let mut recalled = self.assessments.clone();
        let places = self.nodes.iter().zip(&mut recalled);
        for ((&node, place), text) in places.zip(texts.split(';')) {
            if place.is_none() {
                *place = read_assessment(record, node, text);
            }
        }
        if judge != self.judge {
            let is_new = *self
                == Self {
                    judge: self.judge.clone(),
                    ..self.begun(record)
                };
            let is_whole = recalled.iter().all(Option::is_some);
            if !(is_new && is_whole) || is_exact(record.game()) {
                return;
            }
            judge.clone_into(&mut self.judge);
        }
        self.assessments = recalled;
    }

    /// The same review with nothing judged yet.
    fn begun(&self, record: &dyn AnyMatch) -> Self {
        let end = self.nodes.last().copied().unwrap_or(NodeId::ROOT);
        Self::new(record, end, self.n_nodes)
    }
}

/// The inquiry about the position at `node`.
pub(crate) fn inquiry(record: &dyn AnyMatch, node: NodeId, n_nodes: u64) -> Inquiry {
    let n_lines = if is_exact(record.game()) {
        Inquiry::ALL_LINES
    } else {
        2
    };
    // Positions with many moves take longer to search.
    let n_moves = record.n_legal_moves_at(node);
    let least = (LEAST_NODES * n_moves.min(MOST_COMPARED)) as u64;
    let game = catalog::find(record.game());
    let many = game.map_or(n_moves, |game| game.n_moves_for_full_review());
    let share = n_nodes.saturating_mul(many as u64) / n_moves.max(many) as u64;
    let n_nodes = share.max(least);
    Inquiry::new(record, node, n_lines, Effort::Nodes(n_nodes))
}

fn read_assessment(record: &dyn AnyMatch, node: NodeId, text: &str) -> Option<Assessment> {
    let mut fields = text.split('/');
    let evaluation = fields.next()?.parse().ok()?;
    let second = fields.next()?;
    let second = match second {
        "" => None,
        text => Some(text.parse().ok()?),
    };
    let mut moves = || -> Option<Vec<String>> {
        let field = fields.next()?;
        let words = field.split(' ').filter(|word| !word.is_empty());
        Some(words.map(str::to_owned).collect())
    };
    let (best, line) = (moves()?, moves()?);
    let legal = record.legal_moves_at(node);
    let is_sound = !best.is_empty() && best.iter().chain(line.first()).all(|m| legal.contains(m));
    is_sound.then_some(Assessment {
        evaluation,
        second,
        best,
        line,
    })
}

/// The accuracy of each player; `None` for one who made no move.
#[must_use]
pub fn accuracy(moves: &[JudgedMove], is_exact: bool) -> ByPlayer<Option<Accuracy>> {
    ByPlayer::from_fn(|player| {
        let own: Vec<_> = moves.iter().filter(|m| m.player == player).collect();
        let n_kept = own.iter().filter(|m| m.kept_value()).count();
        let quality = |m: &&JudgedMove| {
            if is_exact {
                return f64::from(u8::from(m.kept_value()));
            }
            let kept = 1.0 - m.drop();
            let squared = kept * kept;
            if m.class <= MoveClass::Best {
                1.0
            } else {
                squared * squared
            }
        };
        let sum: f64 = own.iter().map(quality).sum();
        (!own.is_empty()).then(|| Accuracy {
            percent: (1000.0 * sum / own.len() as f64).round() / 10.0,
            n_kept,
            n_moves: own.len(),
        })
    })
}

/// The `n` moves that gave away most, in the order of the match.
#[must_use]
pub fn turning_points(moves: &[JudgedMove], n: usize) -> Vec<JudgedMove> {
    let mut slips: Vec<_> = moves
        .iter()
        .filter(|m| m.class.is_slip() && m.drop() > 0.0)
        .cloned()
        .collect();
    slips.sort_by(|a, b| b.drop().total_cmp(&a.drop()).then(a.ply.cmp(&b.ply)));
    slips.truncate(n);
    slips.sort_by_key(|m| m.ply);
    slips
}
