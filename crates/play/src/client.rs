use rules::record::NodeId;

use crate::{Event, Question};

/// The page's end of the conversation with an engine that speaks the protocol.
///
/// Whoever has the connection carries the lines: what the methods return goes to the
/// engine, and every line of the engine goes to [`hear`](Self::hear). Only one
/// question is open at a time, and only the answer to that one is reported: a search
/// that was stopped is waited for and forgotten.
#[derive(Debug, Default)]
pub struct EngineClient {
    /// Whether there is an engine that listens.
    is_connected: bool,
    state: State,
    /// The question whose answer is of use.
    wanted: Option<Question>,
    /// What the engine was set up for last.
    last: Option<Question>,
    /// A match that the engine is to prepare for once it has nothing else to do.
    to_prepare: Option<Question>,
}

/// What the engine is doing.
#[derive(Debug, Default)]
enum State {
    /// Nothing, or what `prepare` asks for.
    #[default]
    Idle,
    /// It was told about this position, and answers `readyok` when it has understood.
    SettingUp(Question),
    /// It thinks about the question that is wanted.
    Thinking,
    /// It was told to stop, and answers with a move that nobody wants.
    Stopping,
}

/// What a line of the engine means.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heard {
    /// The lines to send back.
    pub lines: Vec<String>,
    /// What happens to the match.
    pub event: Option<Event>,
    /// How the search is going.
    pub thought: Option<Thought>,
}

/// What a search reports on its way.
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

    /// Whether an answer is awaited, so that silence means that something is wrong.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        !self.is_connected && self.wanted.is_some() || !matches!(self.state, State::Idle)
    }

    /// There is a new engine that listens.
    pub fn connected(&mut self) -> Vec<String> {
        self.is_connected = true;
        self.state = State::Idle;
        self.last = None;
        self.go_on()
    }

    /// The engine died. The question that it owes an answer to has failed.
    pub fn disconnected(&mut self) -> Option<Event> {
        self.is_connected = false;
        self.state = State::Idle;
        let question = self.wanted.take()?;
        Some(Event::BotFailed { at: question.at })
    }

    /// Asks `question` instead of any earlier one.
    pub fn ask(&mut self, question: Question) -> Vec<String> {
        self.to_prepare = None;
        let mut lines = self.stop();
        self.wanted = Some(question);
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
        if !matches!(self.state, State::Thinking) {
            return Vec::new();
        }
        self.state = State::Stopping;
        vec!["stop".to_owned()]
    }

    /// Takes in a line of the engine.
    pub fn hear(&mut self, line: &str) -> Heard {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, &self.state) {
            ("readyok", State::SettingUp(question)) => {
                if self.wanted.as_ref() == Some(question) {
                    self.state = State::Thinking;
                    return Heard::answer(vec!["go".to_owned()]);
                }
                self.state = State::Idle;
                Heard::answer(self.go_on())
            }
            ("bestmove", State::Thinking) => {
                self.state = State::Idle;
                let event = self.wanted.take().map(|question| Event::BotMoved {
                    at: question.at,
                    m: rest.to_owned(),
                });
                Heard {
                    event,
                    ..Heard::default()
                }
            }
            ("bestmove", State::Stopping) => {
                self.state = State::Idle;
                Heard::answer(self.go_on())
            }
            ("info", _) if rest.starts_with("error") => self.hear_error(),
            ("info", State::Thinking) => {
                let mut words = rest.split(' ').skip_while(|&word| word != "nodes");
                let nodes = words.nth(1).and_then(|nodes| nodes.parse().ok());
                let at = self.wanted.as_ref().map(|question| question.at);
                let thought = at.zip(nodes).map(|(at, nodes)| Thought { at, nodes });
                Heard {
                    thought,
                    ..Heard::default()
                }
            }
            _ => Heard::default(),
        }
    }

    /// The engine did not accept a line.
    fn hear_error(&mut self) -> Heard {
        match self.state {
            // It will still say that it is ready, with a position that nobody asked for.
            State::SettingUp(_) => Heard {
                event: self.fail(),
                ..Heard::default()
            },
            // It does not think.
            State::Thinking => {
                self.state = State::Idle;
                Heard {
                    event: self.fail(),
                    ..Heard::default()
                }
            }
            State::Stopping => {
                self.state = State::Idle;
                Heard::answer(self.go_on())
            }
            State::Idle => Heard::default(),
        }
    }

    fn fail(&mut self) -> Option<Event> {
        let at = self.wanted.take()?.at;
        Some(Event::BotFailed { at })
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
            Some(question) => self.set_up(question, "prepare"),
            None => Vec::new(),
        }
    }

    /// The lines that set the engine up for `question`, and `end`.
    fn set_up(&mut self, question: Question, end: &str) -> Vec<String> {
        let mut lines = question.setup_lines(self.last.as_ref());
        lines.push(end.to_owned());
        self.last = Some(question);
        lines
    }
}

impl Heard {
    fn answer(lines: Vec<String>) -> Self {
        Self {
            lines,
            ..Self::default()
        }
    }
}
