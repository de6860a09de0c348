use std::{fmt::Write, sync::Arc};

use bots::{Request, WeightFile};
use catalog::AnyMatch;
use search::{Slice, TranspositionTable};

use crate::{AnyReport, AnyThinking, AnyThinkingStep, MoveTimer, bots_of};

/// A `go` in progress.
pub(crate) struct Go {
    /// `None` once the choice is made.
    thinking: Option<Box<dyn AnyThinking>>,
    /// The chosen move, or any legal move before that: a `go` is always answered
    /// with a move.
    best: String,
    table: Arc<TranspositionTable>,
    timer: MoveTimer,
    n_lines: usize,
    /// Whether the answer has to wait for `stop`.
    is_endless: bool,
    /// The weights that it has to do without, until that is said.
    lacking: Option<&'static WeightFile>,
}

impl Go {
    /// Starts to think about the position at the cursor of `playing`, without the weights
    /// that are `lacking`; `None` if it has no legal move.
    pub(crate) fn new(
        playing: &dyn AnyMatch,
        request: &Request<'_>,
        table: Arc<TranspositionTable>,
        timer: MoveTimer,
        is_endless: bool,
        lacking: Option<&'static WeightFile>,
    ) -> Option<Self> {
        let bots = bots_of(playing);
        let thinking = if lacking.is_some() {
            bots.begin_small(playing, request)
        } else {
            bots.begin(playing, request)
        };
        Some(Self {
            best: playing.legal_moves().into_iter().next()?,
            thinking,
            table,
            timer,
            n_lines: request.n_lines,
            is_endless,
            lacking,
        })
    }

    pub(crate) fn is_endless(&self) -> bool {
        self.is_endless
    }

    /// Whether there is work left before the answer.
    pub(crate) fn has_work(&self) -> bool {
        self.thinking.is_some()
    }

    /// Whether the answer is due.
    pub(crate) fn is_answered(&self) -> bool {
        self.thinking.is_none() && (!self.is_endless || self.timer.is_stopped())
    }

    /// The answer.
    pub(crate) fn answer(&self) -> String {
        format!("bestmove {}", self.best)
    }

    /// Runs one slice, and appends the lines to send.
    pub(crate) fn step(&mut self, slice: Slice<'_>, lines: &mut Vec<String>) {
        let Some(thinking) = &mut self.thinking else {
            return;
        };
        if let Some(file) = self.lacking.take() {
            lines.push(format!("info string without weights {}", file.name()));
        }
        match thinking.step(&self.table, &self.timer, slice) {
            AnyThinkingStep::Paused => {}
            AnyThinkingStep::Report(report) => {
                self.timer.learn(&report);
                self.describe(&report, lines);
            }
            AnyThinkingStep::Done(choice) => {
                self.thinking = None;
                if let Some(choice) = choice {
                    self.best = choice;
                }
            }
        }
    }

    /// Ends it now, and appends the lines to send.
    pub(crate) fn finish(&mut self, lines: &mut Vec<String>) {
        self.timer.stop();
        while self.has_work() {
            self.step(Slice::WHOLE, lines);
        }
    }

    /// `info depth … score … nodes … nps … time … pv …`, one line for each of the
    /// best moves.
    fn describe(&self, report: &AnyReport, lines: &mut Vec<String>) {
        let time = self.timer.elapsed();
        let per_second = report.nodes as f64 / time.as_secs_f64().max(1e-6);
        for (number, (value, moves)) in (1..=self.n_lines).zip(&report.lines) {
            let mut line = format!("info depth {}", report.depth);
            if self.n_lines > 1 {
                // Writing to a string does not fail.
                write!(line, " multipv {number}").ok();
            }
            lines.push(format!(
                "{line} score {value} nodes {} nps {} time {} pv {}",
                report.nodes,
                per_second as u64,
                time.as_millis(),
                moves.join(" ")
            ));
        }
    }
}
