//! What is marked on the board.

use catalog::Editing;
use view::{AnyTable, Mark, ValueKind};

use super::{
    MOST_LINES, Study,
    comment::{Drawn, split_comment},
};
use crate::Evaluation;

/// What the board shows of what moves are worth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shown {
    /// The value of every move.
    All,
    /// The best lines as arrows.
    Best,
    /// Nothing.
    Nothing,
}

impl Study {
    /// The marks on the board: arrows that somebody drew, and what the engine found.
    #[must_use]
    pub fn marks(&self, shown: Shown) -> Vec<Mark> {
        let (arrows, _) = split_comment(self.record.comment_at(self.record.cursor()));
        let mut marks: Vec<_> = arrows.into_iter().map(Drawn::into_mark).collect();
        if let Some(Some(from)) = &self.drawing {
            marks.push(Mark::Ring(from.clone()));
        }
        if self.practice.is_some() {
            return marks;
        }
        if !self.is_engine_on {
            marks.extend(self.threat_marks());
            return marks;
        }
        match shown {
            Shown::All => marks.extend(self.values()),
            Shown::Best => {
                let lines = self.lines().iter().take(MOST_LINES.min(self.n_lines));
                let arrows = lines.enumerate().filter_map(|(index, line)| {
                    let m = line.moves.first()?;
                    self.arrow(m, index > 0)
                });
                marks.extend(arrows);
            }
            Shown::Nothing => {}
        }
        // On top, as values may be where it points.
        marks.extend(self.threat_marks());
        marks
    }

    /// The moves of the threat as arrows.
    fn threat_marks(&self) -> Vec<Mark> {
        let (Some(threat), Some(mut passed)) = (self.threat(), self.record.passed()) else {
            return Vec::new();
        };
        let mut marks = Vec::new();
        for m in threat {
            let way = passed.analysis_table().ways(m).into_iter().next();
            if let Some((from, to)) =
                way.and_then(|way| Some((way.first()?.clone(), way.last()?.clone())))
            {
                marks.push(Mark::Threat { from, to });
            }
            if passed.explore(m).is_err() {
                break;
            }
        }
        marks
    }

    /// The move `m` as an arrow, or as a ring if it has one target only.
    fn arrow(&self, m: &str, is_quiet: bool) -> Option<Mark> {
        arrow_of(&*self.table, m, is_quiet)
    }

    /// What the best move to every target is worth; of what is selected, if anything is.
    fn values(&self) -> Vec<Mark> {
        let picked = self.table.picked();
        let mut values: Vec<(String, Evaluation)> = Vec::new();
        for line in self.lines() {
            let Some(m) = line.moves.first() else {
                continue;
            };
            for way in self.table.ways(m) {
                let (true, Some(at)) = (way.starts_with(&picked), way.last()) else {
                    continue;
                };
                // Lines come best first.
                if !values.iter().any(|(known, _)| known == at) {
                    values.push((at.clone(), line.evaluation));
                }
            }
        }
        let best = values.iter().map(|&(_, value)| value);
        let best = best.fold(None, |best, value| match best {
            Some(best) if best >= value => Some(best),
            _ => Some(value),
        });
        let mark = |(at, value): (String, Evaluation)| Mark::Value {
            at,
            text: short_text(value),
            kind: value_kind(value, Some(value) == best),
        };
        values.into_iter().map(mark).collect()
    }

    /// The review's better line from the position before the one that is looked at, as
    /// arrows on the board of that position; the tree is not changed.
    #[must_use]
    pub fn better_marks(&self) -> Vec<Mark> {
        let Some(m) = self.current_move().filter(|m| m.class.is_slip()) else {
            return Vec::new();
        };
        let mut before = self.record.boxed_clone();
        let parent = self.step_back();
        let is_there = parent.is_some_and(|parent| before.go_to(parent).is_ok());
        let better = m.best.first().filter(|_| is_there);
        let arrow = better.and_then(|better| arrow_of(&*before.analysis_table(), better, false));
        arrow.into_iter().collect()
    }
}

fn arrow_of(table: &dyn AnyTable, m: &str, is_quiet: bool) -> Option<Mark> {
    let way = table.ways(m).into_iter().next()?;
    let (from, to) = (way.first()?.clone(), way.last()?.clone());
    Some(if from == to {
        Mark::Ring(to)
    } else {
        Mark::Arrow { from, to, is_quiet }
    })
}

/// An evaluation in a few letters, as boards show it.
#[must_use]
pub fn short_text(evaluation: Evaluation) -> String {
    match evaluation {
        Evaluation::Win(plies) => format!("W{plies}"),
        Evaluation::Draw => "=".to_owned(),
        Evaluation::Loss(plies) => format!("L{plies}"),
        Evaluation::Score { score, .. } => {
            let tenths = (f64::from(score) / 10.0).round() / 10.0;
            // Zero has no sign.
            let sign = match tenths {
                tenths if tenths > 0.0 => "+",
                tenths if tenths < 0.0 => "−",
                _ => "",
            };
            format!("{sign}{:.1}", tenths.abs())
        }
    }
}

fn value_kind(value: Evaluation, is_best: bool) -> ValueKind {
    match value {
        Evaluation::Loss(_) => ValueKind::Loss,
        _ if is_best => ValueKind::Best,
        Evaluation::Win(_) => ValueKind::Win,
        Evaluation::Draw | Evaluation::Score { .. } => ValueKind::Open,
    }
}
