//! Weights that the host fetches.

use std::ptr;

use bots::WeightFile;
use miner::Mining;

use super::Engine;
use crate::{
    bots_of,
    loading::{Fetch, Loading},
};

impl Engine {
    /// The engine of a host that fetches files of weights: a `go` or a puzzle that needs one
    /// waits for it.
    #[must_use]
    pub fn with_fetched_weights(mut self) -> Self {
        self.loading = Some(Loading::default());
        self
    }

    /// The next file that the host has to fetch. It is named once, and the host has to
    /// [supply](Self::supply) it or to say that it can't, in bounded time.
    pub fn next_fetch(&mut self) -> Option<Fetch> {
        self.loading.as_mut()?.next()
    }

    /// Takes in the content of a file, or that it could not be fetched, and returns the
    /// lines to send. One that came damaged is to be [fetched](Self::next_fetch) once more. What waited for it goes on: a `go` with a small evaluation if there
    /// are no weights.
    pub fn supply(&mut self, file: &'static WeightFile, content: Option<&[u8]>) -> Vec<String> {
        let Some(loading) = &mut self.loading else {
            return Vec::new();
        };
        let problem = match content.map(|content| file.load(content)) {
            Some(Ok(())) => None,
            Some(Err(_)) if loading.retry(file) => return Vec::new(),
            Some(Err(_)) => Some("damaged"),
            None => Some("missing"),
        };
        loading.end(file, problem.is_none());
        let mut lines = Vec::new();
        match problem {
            // Values of the two evaluations must not be mixed.
            None => self.options.forget(),
            Some(problem) => {
                lines.push(format!("info string weights {} {problem}", file.name()));
                if self.mining_weights().is_some_and(|it| ptr::eq(it, file)) {
                    lines.push(self.give_up_mining());
                }
            }
        }
        if self.waiting.is_some_and(|(_, it)| ptr::eq(it, file)) {
            self.resume();
        }
        lines
    }

    /// The file that the search for a puzzle needs.
    pub(super) fn mining_weights(&self) -> Option<&'static WeightFile> {
        self.mining.as_ref().and_then(Mining::weights)
    }

    /// Whether the search for a puzzle waits for weights.
    pub(super) fn is_mining_blocked(&self) -> bool {
        let file = self.mining_weights();
        let loading = self.loading.as_ref();
        file.zip(loading)
            .is_some_and(|(file, loading)| loading.is_coming(file))
    }

    /// Goes on with a `go` that waits, with the weights that there are.
    pub(super) fn resume(&mut self) {
        if let Some((bounds, _)) = self.waiting.take() {
            self.think(bounds);
        }
    }

    /// The file of weights that a `go` needs.
    pub(super) fn needed_weights(&self) -> Option<&'static WeightFile> {
        let playing = &*self.playing;
        bots_of(playing).weights(playing, self.options.opponent())
    }

    /// The weights that the next `go` needs and has to do without.
    pub(super) fn lacking_weights(&self) -> Option<&'static WeightFile> {
        let loading = self.loading.as_ref()?;
        let file = self.needed_weights()?;
        (!loading.is_loaded(file)).then_some(file)
    }

    /// Asks the host for a file, if that is where weights come from.
    pub(super) fn want(&mut self, file: Option<&'static WeightFile>) {
        if let (Some(file), Some(loading)) = (file, &mut self.loading) {
            loading.want(file);
        }
    }

    /// Whether the next `go` has to wait for `file`. One that was never asked for is asked
    /// for.
    pub(super) fn is_awaited(&mut self, file: &'static WeightFile) -> bool {
        let loading = self.loading.as_mut();
        loading.is_some_and(|loading| loading.is_awaited(file))
    }

    /// Ends what waits for weights, and returns the lines to send.
    pub(super) fn give_up_weights(&mut self) -> Vec<String> {
        self.resume();
        let is_blocked = self.is_mining_blocked();
        is_blocked
            .then(|| self.give_up_mining())
            .into_iter()
            .collect()
    }

    /// Ends the search for a puzzle: another evaluation would lead to another puzzle.
    fn give_up_mining(&mut self) -> String {
        self.mining = None;
        "puzzle none".to_owned()
    }
}
