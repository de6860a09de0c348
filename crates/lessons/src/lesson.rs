use play::{Effect, PlayerKind, RefusedInput, Sitting};
use rules::ByPlayer;
use view::Words;

use crate::{AnyLesson, LessonVerdict};

/// Somebody taking a lesson.
///
/// [`update`](Self::update) is the only way it changes.
pub struct Lesson {
    lesson: &'static dyn AnyLesson,
    steps: Vec<&'static str>,
    /// Which steps were done, now or on an earlier day.
    done: Vec<bool>,
    /// The step, or the number of steps once the last one was left behind.
    at: usize,
    /// The board of the step. There is none after the last one.
    sitting: Option<Sitting>,
    /// How often a board was set up.
    n_boards: u32,
    answer: Option<LessonFeedback>,
}

/// An action of the learner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Activates a target of the board, or `pass`.
    Activate(String),
    /// Drops what was clicked so far.
    Clear,
    /// A wrong try has been seen, and goes back.
    TakeBack,
    /// Asks to see how it is done.
    Show,
    /// Does the step once more.
    Again,
    /// Goes on, once the step is done.
    Next,
    /// Goes to any step, or after the last one.
    GoTo(usize),
}

/// How the board answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LessonFeedback {
    /// The move was right; the key of what is said of it.
    Right(String),
    /// The solution was shown on request; the key of its phrase.
    Shown(String),
    /// The move was not what was asked for; the key of what is said of it.
    Wrong {
        /// The key.
        key: String,
        /// Whether the move is still on the board.
        is_out: bool,
    },
    /// Nothing can be done at this target, after these were taken up.
    Refused {
        /// The selection.
        picked: Vec<String>,
        /// The target.
        target: String,
    },
}

impl LessonFeedback {
    /// Whether the step is done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        matches!(self, Self::Right(_) | Self::Shown(_))
    }
}

impl Lesson {
    /// The lesson at the step `at`, or at the first one that is not done yet. `progress`
    /// is what an earlier lesson [kept](Self::progress); names of other steps in it are
    /// ignored.
    #[must_use]
    pub fn new(lesson: &'static dyn AnyLesson, progress: &str, at: Option<usize>) -> Self {
        let steps = lesson.steps();
        let is_done = |step: &&str| progress.split(' ').any(|name| name == *step);
        let done: Vec<_> = steps.iter().map(is_done).collect();
        let first_open = done.iter().position(|is_done| !is_done).unwrap_or(0);
        let at = at.filter(|&at| at <= steps.len()).unwrap_or(first_open);
        let mut lesson = Self {
            lesson,
            steps,
            done,
            at,
            sitting: None,
            n_boards: 0,
            answer: None,
        };
        lesson.set_up();
        lesson
    }

    /// Applies `event`. One that does not fit the current state is ignored.
    pub fn update(&mut self, event: Event) {
        match event {
            Event::Activate(target) => self.activate(target),
            Event::Clear => {
                if let Some(sitting) = &mut self.sitting {
                    sitting.update(play::Event::Clear);
                }
            }
            Event::TakeBack => self.take_back(),
            Event::Show => self.show(),
            Event::Again => self.set_up(),
            Event::Next if self.is_done() => self.go_to(self.at + 1),
            Event::Next => {}
            Event::GoTo(step) => self.go_to(step),
        }
    }

    /// The name of the game.
    #[must_use]
    pub fn game(&self) -> &'static str {
        self.lesson.game()
    }

    /// The key of a step's title, and whether it is done.
    pub fn steps(&self) -> impl Iterator<Item = (String, bool)> {
        let steps = self.steps.iter().zip(&self.done);
        steps.map(|(name, &is_done)| (self.key(name), is_done))
    }

    /// The number of steps.
    #[must_use]
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// The step, counted from 0; the number of steps once all are behind.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// The key of what is to be done; `None` after the last step.
    #[must_use]
    pub fn task(&self) -> Option<String> {
        let name = self.steps.get(self.at)?;
        Some(self.key(name) + ".task")
    }

    /// The board of the step, and what has been clicked on it; none after the last
    /// step.
    #[must_use]
    pub fn sitting(&self) -> Option<&Sitting> {
        self.sitting.as_ref()
    }

    /// Tells apart the boards of this lesson.
    #[must_use]
    pub fn n_boards(&self) -> u32 {
        self.n_boards
    }

    /// How the board answered the last try.
    #[must_use]
    pub fn answer(&self) -> Option<&LessonFeedback> {
        self.answer.as_ref()
    }

    /// The feedback of the board, in words.
    #[must_use]
    pub fn answer_text(&self, words: &Words) -> Option<String> {
        match self.answer.as_ref()? {
            LessonFeedback::Right(key)
            | LessonFeedback::Shown(key)
            | LessonFeedback::Wrong { key, .. } => Some(words.say(key, &[])),
            LessonFeedback::Refused { picked, target } => {
                let mut table = self.sitting.as_ref()?.record().table();
                for id in picked.iter().chain([target]) {
                    table.click(id);
                }
                table.refusal(target, words)
            }
        }
    }

    /// Whether somebody may act on the board: a step that is done rests, and a wrong try
    /// goes back first.
    #[must_use]
    pub fn may_act(&self) -> bool {
        self.sitting.is_some() && !self.is_done() && !self.is_out()
    }

    /// Whether the step is done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.answer.as_ref().is_some_and(LessonFeedback::is_done)
    }

    /// Whether a wrong try is still on the board.
    #[must_use]
    pub fn is_out(&self) -> bool {
        matches!(
            self.answer,
            Some(LessonFeedback::Wrong { is_out: true, .. })
        )
    }

    /// The names of the steps that were done, to be kept.
    #[must_use]
    pub fn progress(&self) -> String {
        let steps = self.steps.iter().zip(&self.done);
        let done = steps.filter(|(_, is_done)| **is_done);
        done.map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
    }

    fn key(&self, step: &str) -> String {
        format!("{}.lesson.{step}", self.game())
    }

    fn go_to(&mut self, step: usize) {
        if step <= self.steps.len() {
            self.at = step;
            self.set_up();
        }
    }

    /// Sets up the board of the step as it was in the beginning.
    fn set_up(&mut self) {
        let people = ByPlayer::from_fn(|_| PlayerKind::Person);
        let record = self.lesson.start(self.at);
        self.sitting = record.map(|record| Sitting::new(record, people, 0).0);
        self.n_boards += 1;
        self.answer = None;
    }

    fn activate(&mut self, target: String) {
        if !self.may_act() {
            return;
        }
        let Some(sitting) = &mut self.sitting else {
            return;
        };
        let picked = sitting.table().picked();
        let effects = sitting.update(play::Event::Activate(target.clone()));
        let is_refused = matches!(effects[..], [Effect::Refuse(RefusedInput::Target(_))]);
        if is_refused {
            // What was taken up stays, so that one can go on with the lit places.
            for id in &picked {
                sitting.update(play::Event::Activate(id.clone()));
            }
            self.answer = Some(LessonFeedback::Refused { picked, target });
        } else if let Some(m) = sitting.record().moves().pop() {
            self.answer_move(&m, false);
        } else if let Some(LessonFeedback::Refused { .. }) = self.answer {
            // Something else was taken up, or put back.
            self.answer = None;
        }
    }

    /// Answers a move that is on the board now.
    fn answer_move(&mut self, m: &str, is_shown: bool) {
        let Some(name) = self.steps.get(self.at) else {
            return;
        };
        let verdict = self
            .lesson
            .judge(self.at, m)
            .unwrap_or(LessonVerdict::WRONG);
        let key = format!("{}.{}", self.key(name), verdict.key());
        self.answer = Some(match verdict {
            LessonVerdict::Wrong(_) => LessonFeedback::Wrong { key, is_out: true },
            LessonVerdict::Right(_) if is_shown => LessonFeedback::Shown(key),
            LessonVerdict::Right(_) => LessonFeedback::Right(key),
        });
        if self.is_done() {
            self.done[self.at] = true;
        }
    }

    fn take_back(&mut self) {
        if let (Some(sitting), Some(LessonFeedback::Wrong { is_out, .. })) =
            (&mut self.sitting, &mut self.answer)
            && *is_out
        {
            sitting.update(play::Event::TakeBack);
            *is_out = false;
        }
    }

    fn show(&mut self) {
        self.take_back();
        let solution = self.lesson.solution(self.at).filter(|_| self.may_act());
        if let (Some(sitting), Some(solution)) = (&mut self.sitting, solution) {
            sitting.update(play::Event::Clear);
            sitting.update(play::Event::Typed(solution.to_owned()));
            self.answer_move(solution, true);
        }
    }
}
