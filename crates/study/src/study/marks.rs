//! The marks on the board.

use std::collections::BTreeMap;

use catalog::Editing;
use view::{AnyTable, Mark, ValueKind};

use super::{
    MOST_LINES, Study,
    comment::{Drawn, split_comment},
};
use crate::Evaluation;

/// The evaluations that the board shows.
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
    /// The marks on the board: arrows drawn by hand, and the engine's findings.
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
            Shown::All => {
                // Values are at the ends of moves; the arrow also shows where the best one begins.
                let best = self.lines().first().and_then(|line| line.moves.first());
                let best = best.filter(|_| self.table.picked().is_empty());
                let arrow = best.and_then(|m| self.arrow(m, false));
                marks.extend(arrow.filter(|mark| matches!(mark, Mark::Arrow { .. })));
                marks.extend(self.values());
            }
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
        // On top of values at the same targets.
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
            let way = passed.analysis_table().way(m);
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

    /// The pass, if it can be made now. It is a move without targets, made with a button.
    #[must_use]
    pub fn pass(&self) -> Option<String> {
        let can_pass = self.may_act() && !self.is_drawing();
        self.table.pass().filter(|_| can_pass)
    }

    /// The value of the pass in a few letters, if the board shows those of all moves.
    #[must_use]
    pub fn pass_value(&self, shown: Shown) -> Option<(String, ValueKind)> {
        let is_shown = shown == Shown::All && self.is_engine_on && self.practice.is_none();
        let pass = self.pass().filter(|_| is_shown)?;
        let mut lines = self.lines().iter();
        let line = lines.find(|line| line.moves.first() == Some(&pass))?;
        let is_best = self.evaluation() == Some(line.evaluation);
        let kind = value_kind(line.evaluation, is_best);
        Some((short_text(line.evaluation), kind))
    }

    /// The value of the best move to every target; of moves that begin with the selection, if there
    /// is one. That of a pass is not on the board ([`pass_value`](Self::pass_value)).
    fn values(&self) -> Vec<Mark> {
        let mut values: BTreeMap<String, Evaluation> = BTreeMap::new();
        let lines = self.lines().iter();
        let known: BTreeMap<&str, Evaluation> = lines
            .filter_map(|line| Some((line.moves.first()?.as_str(), line.evaluation)))
            .collect();
        let picked = self.table.picked();
        for (m, mut way) in self.table.ways() {
            let at = way.pop().filter(|_| way.starts_with(&picked));
            if let Some((&value, at)) = known.get(&*m).zip(at) {
                let best = values.entry(at).or_insert(value);
                if value > *best {
                    *best = value;
                }
            }
        }
        // A pass may be better than anything on the board.
        let pass = self.table.pass().filter(|_| picked.is_empty());
        let pass = pass.and_then(|pass| known.get(&*pass).copied());
        let best = values.values().copied().chain(pass);
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

    /// The review's better line from the position before the current one: the rest of that turn as
    /// arrows, and the reply as quiet ones. The tree is not changed.
    #[must_use]
    pub fn better_marks(&self) -> Vec<Mark> {
        let slip = self.current_move().filter(|m| m.class.is_slip());
        let (Some(m), Some(parent)) = (slip, self.step_back()) else {
            return Vec::new();
        };
        let mut playing = self.record.boxed_clone();
        if playing.go_to(parent).is_err() {
            return Vec::new();
        }
        let mut marks = Vec::new();
        let mut has_replied = false;
        for better in &m.line {
            let is_reply = playing.turn() != m.player;
            // The panel beside the board shows the rest of the line.
            if has_replied && !is_reply {
                break;
            }
            has_replied |= is_reply;
            let mark = arrow_of(&*playing.analysis_table(), better, is_reply);
            // A ring can't say whose move it is.
            marks.extend(mark.filter(|mark| !(is_reply && matches!(mark, Mark::Ring(_)))));
            if playing.explore(better).is_err() {
                break;
            }
        }
        marks
    }
}

fn arrow_of(table: &dyn AnyTable, m: &str, is_quiet: bool) -> Option<Mark> {
    let way = table.way(m)?;
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
