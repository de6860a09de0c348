use std::{fmt::Write, io, sync::Arc, thread, time::Duration};

use bots::{Opponent, Request};
use catalog::AnyMatch;
use search::{Limits, Table};

use crate::{Thought, Timer, think};

/// A search that the engine was told to do.
pub struct Job {
    pub(crate) playing: Box<dyn AnyMatch>,
    pub(crate) opponent: Opponent,
    pub(crate) limits: Limits,
    pub(crate) seed: u64,
    pub(crate) n_threads: usize,
    pub(crate) n_lines: usize,
    pub(crate) table: Arc<Table>,
    pub(crate) timer: Arc<Timer>,
    /// Whether the answer has to wait until it is asked for.
    pub(crate) is_endless: bool,
}

impl Job {
    /// What ends it.
    #[must_use]
    pub fn timer(&self) -> &Arc<Timer> {
        &self.timer
    }

    /// Whether its answer waits until it is asked for.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.is_endless
    }

    /// Thinks, and says what it finds, line by line. The last line is the move.
    ///
    /// # Errors
    ///
    /// Returns the error of `say`, if it has any.
    pub fn run(&self, say: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        let request = Request {
            opponent: self.opponent,
            limits: self.limits,
            seed: self.seed,
            n_threads: self.n_threads,
            n_lines: self.n_lines,
            table: &self.table,
            stop: &*self.timer,
        };
        let mut said = Ok(());
        let m = think(&*self.playing, &request, &mut |thought| {
            self.tell_timer(thought);
            for line in self.describe(thought) {
                if said.is_ok() {
                    said = say(&line);
                }
            }
        });
        said?;
        while self.is_endless && !self.timer.is_stopped() {
            thread::sleep(Duration::from_millis(1));
        }
        // Whoever is told to move moves, even if a bot has no idea.
        let m = m.or_else(|| self.playing.legal_moves().into_iter().next());
        match m {
            Some(m) => say(&format!("bestmove {m}")),
            None => Ok(()),
        }
    }

    /// Looks at `nodes` positions at most and answers at once, for those who
    /// can't wait.
    ///
    /// # Errors
    ///
    /// Returns the error of `say`, if it has any.
    pub fn run_at_most(
        mut self,
        nodes: u64,
        say: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> io::Result<()> {
        let nodes = self.limits.nodes.unwrap_or(u64::MAX).min(nodes);
        self.limits.nodes = Some(nodes);
        self.is_endless = false;
        self.run(say)
    }

    /// What is nearly decided is not worth all the time.
    fn tell_timer(&self, thought: &Thought) {
        let Some((value, moves)) = thought.lines.first() else {
            return;
        };
        let best = thought
            .effort
            .iter()
            .find(|(m, _)| Some(m) == moves.first());
        self.timer
            .learn(*value, best.map_or(0, |&(_, effort)| effort));
    }

    /// `info depth … score … nodes … nps … time … pv …`, a line for each of the
    /// best.
    fn describe(&self, thought: &Thought) -> Vec<String> {
        let time = self.timer.elapsed();
        let per_second = thought.nodes as f64 / time.as_secs_f64().max(1e-6);
        let n_lines = thought.lines.len().min(self.n_lines);
        let lines = (1..).zip(&thought.lines[..n_lines]);
        lines
            .map(|(number, (value, moves))| {
                let mut line = format!("info depth {}", thought.depth);
                if self.n_lines > 1 {
                    // Writing to a string does not fail.
                    write!(line, " multipv {number}").ok();
                }
                format!(
                    "{line} score {value} nodes {} nps {} time {} pv {}",
                    thought.nodes,
                    per_second as u64,
                    time.as_millis(),
                    moves.join(" ")
                )
            })
            .collect()
    }
}
