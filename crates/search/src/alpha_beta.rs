use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
};

use rules::Position;

use crate::{
    Guide, Limits, Report, Stop, Table, Tuning, history::MOST_PLIES, root::Root, worker::Shared,
};

/// An alpha-beta search: ever deeper, until a limit or a proof ends it.
///
/// With one thread and a limit of nodes or depth, the same position, table and
/// options give the same answer on every platform.
pub struct AlphaBeta<'a, G> {
    /// What it knows of the game.
    pub guide: &'a G,
    /// What it remembers.
    pub table: &'a Table,
    /// How many threads share the work.
    pub n_threads: usize,
    /// For how many of the best moves it finds the value and the line.
    pub n_lines: usize,
    /// Whether it leaves nothing out, whatever the guide's tuning: the value is
    /// that of a plain minimax of the same depth.
    pub is_exact: bool,
}

impl<'a, G> AlphaBeta<'a, G> {
    /// A search with one thread and one line.
    pub fn new(guide: &'a G, table: &'a Table) -> Self {
        Self {
            guide,
            table,
            n_threads: 1,
            n_lines: 1,
            is_exact: false,
        }
    }

    /// Searches `position`, and tells `report` after every depth.
    ///
    /// `played` holds the repetition keys of the positions before it. `None` if
    /// the game is over.
    pub fn search<P: Position>(
        &self,
        position: &P,
        played: &[u64],
        limits: Limits,
        stop: &dyn Stop,
        report: &mut dyn FnMut(&Report<P::Move>),
    ) -> Option<Report<P::Move>>
    where
        G: Guide<P>,
    {
        if position.outcome().is_some() {
            return None;
        }
        self.table.age();
        let tuning = self.guide.tuning();
        let tuning = if self.is_exact {
            Tuning {
                poll: tuning.poll,
                ..Tuning::EXACT
            }
        } else {
            tuning
        };
        let all_nodes = AtomicU64::new(0);
        let main = Shared {
            table: self.table,
            stop,
            all_nodes: &all_nodes,
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
            tuning,
            is_exact: self.is_exact,
        };
        let deepest = limits.depth.unwrap_or(u32::MAX).min(MOST_PLIES as u32);
        let mut search = || {
            let mut root = Root::new(self.guide, position, played, main);
            root.deepen(1..=deepest, self.n_lines, report)
        };
        if self.n_threads <= 1 {
            return Some(search());
        }
        let is_done = AtomicBool::new(false);
        let helper = Shared {
            stop: &is_done,
            most_nodes: u64::MAX,
            ..main
        };
        thread::scope(|scope| {
            for number in 1..self.n_threads {
                scope.spawn(move || {
                    // Every other helper is one move ahead, so that they do not
                    // all do the same.
                    let depths = 1 + (number % 2) as u32..=MOST_PLIES as u32;
                    let mut root = Root::new(self.guide, position, played, helper);
                    root.deepen(depths, 1, &mut |_| {});
                });
            }
            let found = search();
            is_done.store(true, Ordering::Relaxed);
            Some(found)
        })
    }
}
