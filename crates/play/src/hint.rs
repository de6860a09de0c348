//! Hints for the person to move.

use rules::record::NodeId;
use study::{Hint, Lines, Opinion};

use crate::{Effect, Phase, Sitting};

/// The hint at the position where the match stands, once somebody asked for one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hinting {
    /// The position.
    at: NodeId,
    state: HintState,
}

/// How far a hint is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HintState {
    /// An engine was asked, and said this so far.
    Asked(Lines),
    /// The engine did not answer; [`Event::Hint`](crate::Event::Hint) asks again.
    Failed,
    /// It is known.
    Known {
        /// The hint.
        hint: Hint,
        /// How many of its steps are shown.
        n_shown: usize,
    },
}

impl Sitting {
    /// How far the hint is that somebody asked for in this position.
    #[must_use]
    pub fn hint(&self) -> Option<&HintState> {
        self.hinting.as_ref().map(|hinting| &hinting.state)
    }

    /// The hint, and how many of its steps are shown: at least one.
    #[must_use]
    pub fn shown_hint(&self) -> Option<(&Hint, usize)> {
        match self.hint()? {
            HintState::Known { hint, n_shown } if *n_shown > 0 => Some((hint, *n_shown)),
            _ => None,
        }
    }

    /// Whether [`Event::Hint`](crate::Event::Hint) does anything: a person is to move, and
    /// looks at the position.
    #[must_use]
    pub fn can_hint(&self) -> bool {
        let is_turn = matches!(self.phase(), Phase::Person(_));
        // Somebody elsewhere plays without an engine, too.
        is_turn && !self.is_looking_back() && !self.is_remote()
    }

    /// Asks for a hint, or shows its next step. After the last one nothing is shown again.
    pub(crate) fn ask_hint(&mut self) -> Vec<Effect> {
        if !self.can_hint() {
            return Vec::new();
        }
        let at = self.live;
        match self.hinting.as_mut().map(|hinting| &mut hinting.state) {
            Some(HintState::Asked(_)) => Vec::new(),
            Some(HintState::Known { hint, n_shown }) => {
                *n_shown = (*n_shown + 1) % (hint.clues().len() + 1);
                Vec::new()
            }
            None | Some(HintState::Failed) => {
                let inquiry = Hint::inquiry(&*self.record, at);
                let n_moves = self.record.n_legal_moves_at(at);
                let lines = Lines::new(inquiry.n_lines.min(n_moves));
                let state = HintState::Asked(lines);
                self.hinting = Some(Hinting { at, state });
                vec![Effect::Inquire { at, inquiry }]
            }
        }
    }

    /// Takes in what an engine says about the position that it was asked about.
    pub(crate) fn hear_opinion(&mut self, at: NodeId, opinion: Opinion) -> Vec<Effect> {
        let Some(hinting) = &mut self.hinting else {
            return Vec::new();
        };
        let HintState::Asked(lines) = &mut hinting.state else {
            return Vec::new();
        };
        if hinting.at != at {
            return Vec::new();
        }
        let hint = match opinion {
            Opinion::Line(line) => {
                lines.hear(line);
                return Vec::new();
            }
            Opinion::Weightless => return Vec::new(),
            Opinion::Done => {
                lines.end();
                Hint::new(&*self.record, at, lines.whole())
            }
            Opinion::Failed => None,
        };
        let Some(hint) = hint else {
            hinting.state = HintState::Failed;
            return Vec::new();
        };
        hinting.state = HintState::Known { hint, n_shown: 1 };
        // The cursor is there: looking elsewhere drops a hint.
        self.record.note_hint();
        vec![Effect::Save]
    }

    /// Hides the hint. It is still known.
    pub(crate) fn hide_hint(&mut self) {
        if let Some(hinting) = &mut self.hinting
            && let HintState::Known { n_shown, .. } = &mut hinting.state
        {
            *n_shown = 0;
        }
    }

    /// Drops the hint unless it is about the position that is looked at, and a person is to
    /// move there. The engine must be told before it is asked something else.
    pub(crate) fn drop_hint(&mut self) -> Option<Effect> {
        let can_hint = self.can_hint();
        let live = self.live;
        let dropped = self
            .hinting
            .take_if(|hinting| !can_hint || hinting.at != live)?;
        let is_asked = matches!(dropped.state, HintState::Asked(_));
        is_asked.then_some(Effect::StopInquiry)
    }
}
