use catalog::{AnyMatch, CatalogError};
use rules::record::NodeId;
use search::Slice;
use std::time::Duration;
use study::{Assessment, EngineLine, Inquiry, Lines, Review, setup_lines};

use crate::Engine;

/// Judges positions with an engine of its own, in lines of the protocol, so that whoever
/// asks an engine in another way gets the same answers.
pub struct Judge {
    engine: Engine,
}

impl Judge {
    /// A judge of matches of the game called `name`.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError`] if there is no such game.
    pub fn new(name: &str) -> Result<Self, CatalogError> {
        // Nothing is limited by time.
        let engine = Engine::new(catalog::find(name)?, || Duration::ZERO)?;
        Ok(Self { engine })
    }

    /// What the engine says about a position, best line first; empty if the match is over
    /// there.
    pub fn judge(&mut self, inquiry: &Inquiry, n_moves: usize) -> Vec<EngineLine> {
        let lines = setup_lines(
            inquiry.game,
            &inquiry.start,
            &inquiry.moves,
            &inquiry.options(),
            false,
            true,
        );
        for line in lines {
            self.engine.answer(&line);
        }
        let mut heard = Lines::new(inquiry.n_lines.min(n_moves));
        self.engine.answer(&inquiry.go_line());
        while self.engine.has_work() {
            for line in self.engine.step(Slice::WHOLE) {
                if let Some(line) = EngineLine::read(&line, inquiry.is_exact()) {
                    heard.hear(line);
                }
            }
        }
        heard.end();
        heard.whole().to_vec()
    }

    /// Judges the next position of `review` that is not judged yet. Returns whether there
    /// was one.
    pub fn review_next(&mut self, review: &mut Review, record: &dyn AnyMatch) -> bool {
        let Some((index, inquiry)) = review.next(record) else {
            return false;
        };
        let n_moves = record.legal_moves_at(review.nodes()[index]).len();
        let lines = self.judge(&inquiry, n_moves);
        let assessment = Assessment::of_lines(&lines, inquiry.is_exact());
        assessment.is_some_and(|assessment| {
            review.judge(index, assessment);
            true
        })
    }
}

/// The end of the main line of `record`.
#[must_use]
pub fn main_end(record: &dyn AnyMatch) -> NodeId {
    let line = std::iter::successors(Some(NodeId::ROOT), |&node| record.next(node));
    line.last().unwrap_or(NodeId::ROOT)
}
