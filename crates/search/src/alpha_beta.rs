use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
};

use rules::Position;

use crate::{
    Guide, Limits, NoStop, Report, SearchStep, Slice, Stop, TranspositionTable, Tuning,
    history::MOST_PLIES, root::Root, worker::Context,
};

/// Alpha-beta search with iterative deepening, until a limit or a proof ends it.
///
/// With one thread and a limit of nodes or depth, the same position, table and
/// options give the same result on every platform.
pub struct AlphaBeta<'a, G> {
    /// Evaluates positions and ranks moves.
    pub guide: &'a G,
    /// The transposition table, shared by all threads.
    pub table: &'a TranspositionTable,
    /// The number of threads.
    pub n_threads: usize,
    /// The number of principal variations to find (MultiPV).
    pub n_lines: usize,
    /// Disables all pruning and reductions, whatever the guide's tuning: the value
    /// is that of plain minimax at the same depth.
    pub is_exact: bool,
}

/// An alpha-beta search in progress.
///
/// It is a plain value: nothing runs between one [step](AlphaBeta::step) and the
/// next.
pub struct Search<P: Position, G: Guide<P>> {
    main: Root<P, G>,
    /// The searches of the other threads, which share the table (lazy SMP).
    helpers: Vec<Root<P, G>>,
    all_nodes: AtomicU64,
    most_nodes: u64,
    tuning: Tuning,
    is_exact: bool,
}

impl<'a, G> AlphaBeta<'a, G> {
    /// A search with one thread and one line.
    pub fn new(guide: &'a G, table: &'a TranspositionTable) -> Self {
        Self {
            guide,
            table,
            n_threads: 1,
            n_lines: 1,
            is_exact: false,
        }
    }

    /// Searches `position` and calls `report` after every depth.
    ///
    /// `played` holds the repetition keys of the positions before it. Returns `None`
    /// if the game is over.
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
        let mut search = self.begin(position, played, limits)?;
        loop {
            match self.step(&mut search, stop, Slice::WHOLE) {
                SearchStep::Paused => {}
                SearchStep::Report(found) => report(&found),
                SearchStep::Done(found) => return Some(found),
            }
        }
    }

    /// Sets up a search of `position`; nothing is searched before the first
    /// [step](Self::step).
    ///
    /// `played` holds the repetition keys of the positions before it. Returns `None`
    /// if the game is over.
    pub fn begin<P: Position>(
        &self,
        position: &P,
        played: &[u64],
        limits: Limits,
    ) -> Option<Search<P, G>>
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
        let most = MOST_PLIES as u32;
        let deepest = limits.depth.unwrap_or(most).min(most);
        let root = |depths, n_lines, learned| {
            Root::new(self.guide, position, played, depths, n_lines, learned)
        };
        // Every other helper starts one ply deeper, so that the threads diverge.
        let helper = |number| root((1 + (number % 2) as u32, most), 1, None);
        Some(Search {
            main: root((1, deepest), self.n_lines, self.table.take_statistics()),
            helpers: (1..self.n_threads).map(helper).collect(),
            all_nodes: AtomicU64::new(0),
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
            tuning,
            is_exact: self.is_exact,
        })
    }

    /// Runs one slice of a search that was [begun](Self::begin) with the same guide
    /// and table. `stop` ends the search, `slice` only this step.
    pub fn step<P: Position>(
        &self,
        search: &mut Search<P, G>,
        stop: &dyn Stop,
        slice: Slice<'_>,
    ) -> SearchStep<P::Move>
    where
        G: Guide<P>,
    {
        let Search {
            main,
            helpers,
            all_nodes,
            most_nodes,
            tuning,
            is_exact,
        } = search;
        let context = Context {
            guide: self.guide,
            table: self.table,
            stop,
            slice,
            all_nodes: &*all_nodes,
            most_nodes: *most_nodes,
            tuning: *tuning,
            is_exact: *is_exact,
        };
        if helpers.is_empty() {
            return main.step(&context);
        }
        let is_over = AtomicBool::new(false);
        let (is_over, all_nodes, guide, table) = (&is_over, &*all_nodes, self.guide, self.table);
        let (tuning, is_exact) = (*tuning, *is_exact);
        thread::scope(|scope| {
            for helper in helpers {
                let search = move || {
                    let is_over = || is_over.load(Ordering::Relaxed);
                    let context = Context {
                        guide,
                        table,
                        stop: &NoStop,
                        slice: Slice {
                            nodes: u64::MAX,
                            is_over: &is_over,
                        },
                        all_nodes,
                        most_nodes: u64::MAX,
                        tuning,
                        is_exact,
                    };
                    // Helpers return nothing: their results are in the table.
                    while let SearchStep::Report(_) = helper.step(&context) {}
                };
                // If a thread can't be spawned, the others do the work.
                thread::Builder::new().spawn_scoped(scope, search).ok();
            }
            let step = main.step(&context);
            is_over.store(true, Ordering::Relaxed);
            step
        })
    }
}
