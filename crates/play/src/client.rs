use catalog::AnyStart;
use rules::record::NodeId;
use study::{Effort, EngineLine, Inquiry, Opinion, setup_lines};

use crate::{Event, Question};

/// Lets the engine begin with what the next `go` needs.
const PREPARE: &str = "prepare";

/// What the engine says of an answer before it gives it, if it does not have its weights.
const WITHOUT_WEIGHTS: &str = "string without weights ";

/// An inquiry that kills so many engines is given up.
const MOST_DEATHS: u32 = 2;

/// The page's end of the conversation with an engine that speaks the protocol.
///
/// The owner of the connection carries the lines: what the methods return goes to the
/// engine, and every line of the engine goes to [`hear`](Self::hear). Only one
/// question is open at a time, and only the answer to that one is reported: a search
/// that was stopped is waited for and forgotten. A question is for a move of a bot, or an
/// [`Inquiry`] about what a position is worth.
#[derive(Debug, Default)]
pub struct EngineClient {
    /// Whether there is an engine that listens.
    is_connected: bool,
    state: State,
    /// The question whose answer is of use.
    wanted: Option<Wanted>,
    /// The last set-up of the engine.
    last: Option<Wanted>,
    /// How many engines died over the inquiry that is wanted.
    n_deaths: u32,
    /// A match that the engine is to prepare for once it has nothing else to do.
    to_prepare: Option<Question>,
}

/// A question of either kind.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Wanted {
    Move(Question),
    Inquiry(Inquiry),
    /// The puzzle of a game that a seed leads to.
    Puzzle(&'static str, u64),
}

impl Wanted {
    fn game(&self) -> &'static str {
        match self {
            Self::Move(question) => question.game,
            Self::Inquiry(inquiry) => inquiry.game,
            Self::Puzzle(game, _) => game,
        }
    }

    /// How the match began that it belongs to.
    fn match_start(&self) -> Option<&AnyStart> {
        match self {
            Self::Move(question) => Some(&question.start),
            Self::Inquiry(inquiry) => Some(&inquiry.match_start),
            Self::Puzzle(..) => None,
        }
    }

    fn go_line(&self) -> String {
        match self {
            Self::Move(_) => "go".to_owned(),
            Self::Inquiry(inquiry) => inquiry.go_line(),
            Self::Puzzle(_, seed) => format!("puzzle {seed}"),
        }
    }

    /// Whether it belongs to another match than `last`, as far as that can be told.
    fn is_other_match(&self, last: &Self) -> bool {
        match (self, last) {
            (Self::Move(question), Self::Move(last)) => {
                (&last.start, last.seed) != (&question.start, question.seed)
            }
            _ => last.match_start() != self.match_start(),
        }
    }

    /// The lines of the protocol that set an engine up for it, if it was last set up for
    /// `last`.
    ///
    /// An engine remembers positions from one question to the next, within a match.
    fn setup_lines(&self, last: Option<&Self>) -> Vec<String> {
        let last = last.filter(|last| last.game() == self.game());
        let is_known = last.is_some();
        match self {
            Self::Move(question) => {
                let options = question.options();
                let forgets = last.is_some_and(|last| self.is_other_match(last));
                let Question {
                    game, start, moves, ..
                } = question;
                setup_lines(game, start, moves, &options, is_known, forgets)
            }
            Self::Puzzle(..) if is_known => Vec::new(),
            Self::Puzzle(game, _) => vec![format!("game {game}")],
            Self::Inquiry(inquiry) => {
                let is_other = last.is_some_and(|last| self.is_other_match(last));
                let forgets = matches!(inquiry.effort, Effort::Nodes(_)) || is_other;
                let Inquiry {
                    game, start, moves, ..
                } = inquiry;
                setup_lines(game, start, moves, &inquiry.options(), is_known, forgets)
            }
        }
    }
}

/// The state of the engine.
#[derive(Debug, Default)]
enum State {
    /// Nothing, or what `prepare` asks for.
    #[default]
    Idle,
    /// It was told about this position, and answers `readyok` when it has understood.
    SettingUp(Wanted),
    /// It thinks about the question that is wanted.
    Thinking,
    /// It looks for the puzzle that is wanted, which ends without an answer if it is
    /// stopped.
    Mining,
    /// It was told to stop, and answers with a move that nobody wants.
    Stopping,
}

/// The meaning of a line of the engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heard {
    /// The lines to send back.
    pub lines: Vec<String>,
    /// The event for the match.
    pub event: Option<Event>,
    /// How the search is going.
    pub thought: Option<Thought>,
    /// The answer to the last inquiry, or a part of it.
    pub opinion: Option<Opinion>,
    /// The puzzle that was asked for, in the form of the protocol; `none` if there is none.
    pub puzzle: Option<String>,
    /// Whether the engine says, once, that it could not get its weights, and goes on without
    /// them. Whether the answer to an inquiry is without weights its opinion says.
    pub lacks_weights: bool,
}

/// Progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thought {
    /// The position.
    pub at: NodeId,
    /// The positions searched so far.
    pub nodes: u64,
}

impl EngineClient {
    /// A client without an engine yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is an engine that listens.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.is_connected
    }

    /// Whether an answer is awaited, so that silence means that something is wrong.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        match (&self.state, &self.wanted) {
            _ if !self.is_connected => self.wanted.is_some(),
            // It is heard of again when there is something to say.
            (State::Thinking, Some(Wanted::Inquiry(inquiry))) => inquiry.effort != Effort::Endless,
            (state, _) => !matches!(state, State::Idle),
        }
    }

    /// There is a new engine that listens.
    pub fn connected(&mut self) -> Vec<String> {
        self.is_connected = true;
        self.state = State::Idle;
        self.last = None;
        self.go_on()
    }

    /// The engine died. The question that it owes an answer to has failed; an inquiry is
    /// asked again once there is another engine, unless that has happened before.
    pub fn disconnected(&mut self) -> Heard {
        self.is_connected = false;
        self.state = State::Idle;
        if matches!(self.wanted, Some(Wanted::Inquiry(_))) {
            self.n_deaths += 1;
            if self.n_deaths < MOST_DEATHS {
                return Heard::default();
            }
        }
        self.fail()
    }

    /// Asks `question` instead of any earlier one.
    pub fn ask(&mut self, question: Question) -> Vec<String> {
        self.to_prepare = None;
        self.want(Wanted::Move(question))
    }

    /// Asks `inquiry` instead of any earlier question.
    pub fn inquire(&mut self, inquiry: Inquiry) -> Vec<String> {
        self.want(Wanted::Inquiry(inquiry))
    }

    /// Asks for the puzzle of `game` that `seed` leads to, instead of any earlier question.
    pub fn mine(&mut self, game: &'static str, seed: u64) -> Vec<String> {
        self.want(Wanted::Puzzle(game, seed))
    }

    fn want(&mut self, wanted: Wanted) -> Vec<String> {
        let mut lines = self.stop();
        self.n_deaths = 0;
        self.wanted = Some(wanted);
        lines.extend(self.go_on());
        lines
    }

    /// Lets the engine begin with what takes long in a match like that of `question`.
    pub fn prepare(&mut self, question: Question) -> Vec<String> {
        self.to_prepare = Some(question);
        self.go_on()
    }

    /// The answer to the last question is no longer of use.
    pub fn stop(&mut self) -> Vec<String> {
        self.wanted = None;
        self.state = match self.state {
            State::Thinking => State::Stopping,
            State::Mining => State::Idle,
            _ => return Vec::new(),
        };
        vec!["stop".to_owned()]
    }

    /// Takes in a line of the engine.
    pub fn hear(&mut self, line: &str) -> Heard {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, &self.state) {
            ("readyok", State::SettingUp(question)) => {
                if self.wanted.as_ref() == Some(question) {
                    let go = question.go_line();
                    self.state = match question {
                        Wanted::Puzzle(..) => State::Mining,
                        Wanted::Move(_) | Wanted::Inquiry(_) => State::Thinking,
                    };
                    return Heard::answer(vec![go]);
                }
                self.state = State::Idle;
                Heard::answer(self.go_on())
            }
            ("bestmove", State::Thinking) => {
                self.state = State::Idle;
                match self.wanted.take() {
                    Some(Wanted::Move(question)) => Heard {
                        event: Some(Event::BotMoved {
                            at: question.at,
                            m: rest.to_owned(),
                        }),
                        ..Heard::default()
                    },
                    Some(Wanted::Inquiry(_)) => Heard {
                        opinion: Some(Opinion::Done),
                        lines: self.go_on(),
                        ..Heard::default()
                    },
                    Some(Wanted::Puzzle(..)) | None => Heard::default(),
                }
            }
            ("puzzle", State::Mining) => {
                self.state = State::Idle;
                self.wanted = None;
                Heard {
                    puzzle: Some(rest.to_owned()),
                    lines: self.go_on(),
                    ..Heard::default()
                }
            }
            ("bestmove", State::Stopping) => {
                self.state = State::Idle;
                Heard::answer(self.go_on())
            }
            ("info", _) if rest.starts_with("error") => self.hear_error(),
            ("info", _) if is_lack_of_weights(rest) => Heard {
                lacks_weights: true,
                ..Heard::default()
            },
            ("info", State::Thinking) => self.hear_info(line, rest),
            _ => Heard::default(),
        }
    }

    fn hear_info(&self, line: &str, rest: &str) -> Heard {
        match &self.wanted {
            Some(Wanted::Move(question)) => {
                let mut words = rest.split(' ').skip_while(|&word| word != "nodes");
                let nodes = words.nth(1).and_then(|nodes| nodes.parse().ok());
                let at = question.at;
                Heard {
                    thought: nodes.map(|nodes| Thought { at, nodes }),
                    ..Heard::default()
                }
            }
            Some(Wanted::Inquiry(_)) if rest.starts_with(WITHOUT_WEIGHTS) => Heard {
                opinion: Some(Opinion::Weightless),
                ..Heard::default()
            },
            Some(Wanted::Inquiry(inquiry)) => Heard {
                opinion: EngineLine::read(line, inquiry.is_exact()).map(Opinion::Line),
                ..Heard::default()
            },
            Some(Wanted::Puzzle(..)) | None => Heard::default(),
        }
    }

    /// The engine did not accept a line.
    fn hear_error(&mut self) -> Heard {
        match self.state {
            // It will still say that it is ready, with a position that nobody asked for.
            State::SettingUp(_) => self.fail(),
            // It does not think.
            State::Thinking | State::Mining => {
                self.state = State::Idle;
                self.fail()
            }
            State::Stopping => {
                self.state = State::Idle;
                Heard::answer(self.go_on())
            }
            State::Idle => Heard::default(),
        }
    }

    /// The question has failed.
    fn fail(&mut self) -> Heard {
        match self.wanted.take() {
            Some(Wanted::Move(question)) => Heard {
                event: Some(Event::BotFailed { at: question.at }),
                ..Heard::default()
            },
            Some(Wanted::Inquiry(_)) => Heard {
                opinion: Some(Opinion::Failed),
                ..Heard::default()
            },
            Some(Wanted::Puzzle(..)) => Heard {
                puzzle: Some("none".to_owned()),
                ..Heard::default()
            },
            None => Heard::default(),
        }
    }

    /// The next thing to tell an engine that has nothing to do.
    fn go_on(&mut self) -> Vec<String> {
        if !self.is_connected || !matches!(self.state, State::Idle) {
            return Vec::new();
        }
        if let Some(question) = self.wanted.clone() {
            self.state = State::SettingUp(question.clone());
            return self.set_up(question, "isready");
        }
        match self.to_prepare.take() {
            Some(question) => self.set_up(Wanted::Move(question), PREPARE),
            None => Vec::new(),
        }
    }

    /// The lines that set the engine up for `question`, and `end`.
    fn set_up(&mut self, question: Wanted, end: &str) -> Vec<String> {
        let last = self.last.as_ref();
        let mut lines = question.setup_lines(last);
        let is_other = last.is_none_or(|last| question.is_other_match(last));
        if is_other && question.match_start().is_some() && end != PREPARE {
            // A match fetches what it needs, also if that failed in the one before.
            lines.push(PREPARE.to_owned());
        }
        lines.push(end.to_owned());
        self.last = Some(question);
        lines
    }
}

/// Whether `info` reports weights that could not be fetched.
fn is_lack_of_weights(info: &str) -> bool {
    let end = info
        .strip_prefix("string weights ")
        .and_then(|rest| rest.rsplit(' ').next());
    matches!(end, Some("missing" | "damaged"))
}

impl Heard {
    fn answer(lines: Vec<String>) -> Self {
        Self {
            lines,
            ..Self::default()
        }
    }
}
