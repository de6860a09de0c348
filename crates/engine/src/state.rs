mod weights;

use std::{fmt, sync::Arc, time::Duration};

use bots::{Request, WeightFile};
use catalog::{AnyGame, AnyMatch, CatalogError, OptionInfo};
use miner::{Mining, MiningStep};
use rules::{Player, Values};
use search::{Limits, NoStop, Slice};

use crate::{
    AnyPreparation, Clock, MoveTimer, bots_of,
    command::{Bounds, Command, Query},
    go::Go,
    loading::Loading,
    mistake::Mistake,
    options::Options,
};

/// The variant for referees of Ataxx.
const ATAXX: (&str, &str) = ("variant", "ataxx");

/// The thinking time of a `go` without limits.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// An engine that speaks the Universal Game Interface.
///
/// A line that can't be parsed or obeyed is answered with `info error …` and changes
/// nothing.
///
/// It needs no threads: a host alternates between passing it lines and calling
/// [step](Self::step) as long as it [has work](Self::has_work), so that lines are
/// handled between two slices of thinking.
///
/// A program that is built without weights calls
/// [`with_fetched_weights`](Self::with_fetched_weights), and then fetches the files that
/// [`next_fetch`](Self::next_fetch) names.
///
/// ```
/// use engine::Engine;
/// use search::Slice;
///
/// let game = catalog::find("takeover")?;
/// let mut engine = Engine::new(game, || std::time::Duration::ZERO)?;
/// assert_eq!(engine.answer("isready"), ["readyok"]);
/// assert!(engine.answer("go depth 2").is_empty());
/// let mut lines = Vec::new();
/// while engine.has_work() {
///     lines.extend(engine.step(Slice::nodes(10)));
/// }
/// assert!(lines[0].starts_with("info depth 1 "));
/// assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")));
/// # Ok::<(), catalog::CatalogError>(())
/// ```
pub struct Engine {
    clock: Clock,
    game: &'static dyn AnyGame,
    /// The options of the match that were set, by name.
    choices: Vec<(String, String)>,
    options: Options,
    playing: Box<dyn AnyMatch>,
    /// The `go` in progress.
    go: Option<Go>,
    /// A `go` that waits for a file of weights.
    waiting: Option<(Bounds, &'static WeightFile)>,
    /// The weights that come from the host; `None` if they are part of the program.
    loading: Option<Loading>,
    /// Work that the next `go` will need.
    preparation: Option<Box<dyn AnyPreparation>>,
    /// The search for a puzzle.
    mining: Option<Mining>,
    has_quit: bool,
}

/// Shows everything that the answers depend on.
impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("game", &self.game.name())
            .field("choices", &self.choices)
            .field("options", &self.options)
            .field("playing", &self.playing.to_string())
            .field("is_thinking", &self.is_thinking())
            .field("waiting", &self.waiting)
            .field("loading", &self.loading)
            .field("is_preparing", &self.preparation.is_some())
            .field("is_mining", &self.mining.is_some())
            .field("has_quit", &self.has_quit)
            .finish()
    }
}

impl Engine {
    /// An engine for `game`, with the first position of a match.
    ///
    /// # Errors
    ///
    /// Returns [`CatalogError`] if the game has none.
    pub fn new(game: &'static dyn AnyGame, clock: Clock) -> Result<Self, CatalogError> {
        Ok(Self {
            clock,
            game,
            choices: Vec::new(),
            options: Options::new(),
            playing: game.start(&[])?,
            go: None,
            waiting: None,
            loading: None,
            preparation: None,
            mining: None,
            has_quit: false,
        })
    }

    /// The same with an option `Clock`, by which thinking is measured by the time that
    /// processors work instead of the time that passes.
    #[must_use]
    pub fn with_cpu_clock(mut self, clock: Clock) -> Self {
        self.options.cpu_clock = Some(clock);
        self
    }

    /// Answers one line, without its line break.
    pub fn answer(&mut self, line: &str) -> Vec<String> {
        if line.trim().is_empty() {
            return Vec::new();
        }
        let answer = Command::read(line).and_then(|command| self.obey(command));
        answer.unwrap_or_else(|mistake| vec![format!("info error {mistake}")])
    }

    /// Whether there is work to do before the next line.
    #[must_use]
    pub fn has_work(&self) -> bool {
        let is_mining = || self.mining.is_some() && !self.is_mining_blocked();
        let is_idle_work = || self.preparation.is_some() || is_mining();
        match &self.go {
            Some(go) => go.has_work(),
            None => self.waiting.is_none() && is_idle_work(),
        }
    }

    /// Whether an answer is still to come: a move or a puzzle.
    #[must_use]
    pub fn owes_answer(&self) -> bool {
        self.is_thinking() || self.mining.is_some()
    }

    /// Whether a `go` is in progress.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.go.is_some() || self.waiting.is_some()
    }

    /// Whether it received `quit`.
    #[must_use]
    pub fn has_quit(&self) -> bool {
        self.has_quit
    }

    /// Runs one slice of the work, and returns the lines to send.
    pub fn step(&mut self, slice: Slice<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.has_work() {
            return lines;
        }
        if let Some(go) = &mut self.go {
            go.step(slice, &mut lines);
            if go.is_answered() {
                lines.push(go.answer());
                self.go = None;
            }
        } else if let Some(preparation) = &mut self.preparation {
            if preparation.step(slice) {
                self.preparation = None;
            }
        } else if let Some(mining) = &mut self.mining {
            let answer = match mining.step(slice) {
                MiningStep::Working => return lines,
                MiningStep::Found(puzzle) => puzzle.to_json(),
                MiningStep::Exhausted => "none".to_owned(),
            };
            lines.push(format!("puzzle {answer}"));
            self.mining = None;
        }
        lines
    }

    /// Ends the input: stops preparing, and answers a `go infinite`. Other thinking
    /// ends by itself.
    pub fn close(&mut self) -> Vec<String> {
        self.preparation = None;
        let mut lines = self.give_up_weights();
        if self.go.as_ref().is_some_and(Go::is_endless) {
            lines.extend(self.finish());
        }
        lines
    }

    /// Ends the `go` in progress and returns its lines.
    fn finish(&mut self) -> Vec<String> {
        self.resume();
        let mut lines = Vec::new();
        if let Some(mut go) = self.go.take() {
            go.finish(&mut lines);
            lines.push(go.answer());
        }
        lines
    }

    /// Runs a command and returns the lines to send.
    fn obey(&mut self, command: Command<'_>) -> Result<Vec<String>, Mistake> {
        let may_be_busy = matches!(
            command,
            Command::Ugi
                | Command::IsReady
                | Command::Prepare
                | Command::Puzzle(_)
                | Command::Stop
                | Command::Query(_)
                | Command::Quit
        );
        if self.is_thinking() && !may_be_busy {
            return Err(Mistake::Busy);
        }
        let mut lines = Vec::new();
        match command {
            Command::Ugi => lines = self.introduce("ugiok"),
            Command::Uai => {
                let (name, value) = ATAXX;
                let game = self.game.name();
                self.set_choice(name, value)
                    .map_err(|_| Mistake::NoAtaxx { game })?;
                lines = self.introduce("uaiok");
            }
            Command::IsReady => {
                // Allocating it takes milliseconds, which would be missing in the first move.
                self.options.table();
                lines.push("readyok".to_owned());
            }
            Command::Game(name) => self.switch_to(name)?,
            Command::NewGame => self.new_game()?,
            Command::NewAtaxxGame => {
                if self.playing.option(ATAXX.0).as_deref() != Some(ATAXX.1) {
                    return Err(Mistake::NotYetAtaxx);
                }
                self.new_game()?;
            }
            Command::SetOption { name, value } => self.set_option(name, value)?,
            Command::Position { text, moves } => {
                self.playing = self.set_up(text.as_deref(), &moves)?;
            }
            Command::Prepare => self.prepare(),
            Command::Go(bounds) => self.begin(bounds)?,
            Command::Puzzle(seed) => self.mine(seed),
            Command::Stop if self.is_thinking() => lines = self.finish(),
            Command::Stop => self.mining = None,
            Command::Query(query) => lines.push(format!("response {}", self.ask(query))),
            Command::Quit => {
                lines = self.finish();
                self.has_quit = true;
            }
        }
        Ok(lines)
    }

    fn introduce(&self, end: &str) -> Vec<String> {
        let version = env!("CARGO_PKG_VERSION");
        let mut lines = vec![
            format!("id name Parlour {} {version}", self.game.name()),
            "id author the Parlour authors".to_owned(),
        ];
        lines.extend(self.game.options().iter().map(describe_option));
        lines.extend(self.options.describe(self.game));
        lines.push(end.to_owned());
        lines
    }

    /// Starts over with the game called `name`.
    fn switch_to(&mut self, name: &str) -> Result<(), CatalogError> {
        let game = catalog::find(name)?;
        self.begin_match(game.start(&[])?);
        self.game = game;
        self.mining = None;
        self.choices.clear();
        self.options.reset();
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), Mistake> {
        let playing = self.start()?;
        self.begin_match(playing);
        self.options.forget();
        Ok(())
    }

    /// Drops the preparation; its progress is kept.
    fn begin_match(&mut self, playing: Box<dyn AnyMatch>) {
        self.playing = playing;
        self.preparation = None;
    }

    /// Sets an option; names are case-insensitive.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Mistake> {
        let name = name.to_ascii_lowercase();
        if let Some(set) = self.options.set(self.game, &name, value) {
            return set;
        }
        let options = self.game.options();
        if !options.iter().any(|option| option.name == name) {
            let own = options.iter().map(|option| capitalized(option.name));
            let all: Vec<_> = own.chain(self.options.names().map(str::to_owned)).collect();
            return Err(Mistake::UnknownOption {
                expected: all.join(", "),
            });
        }
        Ok(self.set_choice(&name, value)?)
    }

    /// Sets an option of the match and starts a new one, unless it conflicts with
    /// another option that may still change.
    fn set_choice(&mut self, name: &str, value: &str) -> Result<(), CatalogError> {
        self.game.check_option(name, value)?;
        self.choices.retain(|(other, _)| other != name);
        self.choices.push((name.to_owned(), value.to_owned()));
        if let Ok(playing) = self.start() {
            self.begin_match(playing);
        }
        Ok(())
    }

    fn start(&self) -> Result<Box<dyn AnyMatch>, CatalogError> {
        let choices = self.choices.iter();
        let choices: Vec<_> = choices.map(|(name, value)| (&**name, &**value)).collect();
        self.game.start(&choices)
    }

    /// Sets up the match with the given position and moves. A referee may continue
    /// after a draw by repetition, so the moves only have to be legal.
    fn set_up(
        &self,
        text: Option<&str>,
        moves: &[&str],
    ) -> Result<Box<dyn AnyMatch>, CatalogError> {
        let mut playing = match text {
            Some(text) => self.game.start_from(text)?,
            None => self.start()?,
        };
        for m in moves {
            playing.explore(m)?;
        }
        Ok(playing)
    }

    /// Starts the work that `go` would need. A `go` in progress already does it.
    fn prepare(&mut self) {
        if !self.is_thinking() {
            self.want(self.needed_weights());
            // The current preparation is dropped first, so that it can be resumed.
            self.preparation = None;
            let bots = bots_of(&*self.playing);
            self.preparation = bots.prepare(&*self.playing, self.options.opponent());
        }
    }

    /// Starts to look for the puzzle of `seed`.
    fn mine(&mut self, seed: u64) {
        self.mining = Mining::new(self.game.name(), seed);
        self.want(self.mining_weights());
    }

    /// Starts to think, once the weights are there.
    fn begin(&mut self, bounds: Bounds) -> Result<(), Mistake> {
        if self.playing.legal_moves().is_empty() {
            return Err(Mistake::GameOver);
        }
        match self.needed_weights() {
            Some(file) if self.is_awaited(file) => self.waiting = Some((bounds, file)),
            _ => self.think(bounds),
        }
        Ok(())
    }

    /// Starts to think, with the weights that there are.
    fn think(&mut self, bounds: Bounds) {
        let lacking = self.lacking_weights();
        let opponent = self.options.opponent();
        let turn = self.playing.turn();
        let is_bounded = bounds.depth.is_some() || bounds.nodes.is_some();
        let is_level = opponent != bots::Opponent::Engine;
        let clock = self.options.clock(self.clock);
        let timer = if bounds.is_endless {
            MoveTimer::endless(clock)
        } else if let Some(time) = bounds.move_time {
            MoveTimer::for_move(clock, time)
        } else if let Some(left) = bounds.clock[turn] {
            MoveTimer::for_clock(clock, &*self.playing, left, bounds.increment[turn])
        } else if is_bounded || is_level {
            MoveTimer::endless(clock)
        } else {
            MoveTimer::for_move(clock, MOVE_TIME)
        };
        let table = self.options.table();
        let request = Request {
            opponent,
            limits: Limits {
                depth: bounds.depth,
                nodes: bounds.nodes,
            },
            seed: self.options.seed,
            n_threads: self.options.n_threads,
            n_lines: self.options.n_lines,
            table: &table,
            stop: &NoStop,
        };
        // The preparation is dropped first, so that it can be resumed.
        self.preparation = None;
        let playing = &*self.playing;
        self.go = Go::new(
            playing,
            &request,
            Arc::clone(&table),
            timer,
            bounds.is_endless,
            lacking,
        );
    }

    fn ask(&self, query: Query) -> String {
        match query {
            Query::IsFirstTurn => (self.playing.turn() == Player::First).to_string(),
            Query::IsGameOver => self.playing.ending().is_some().to_string(),
            Query::Result => match self.playing.ending() {
                Some(ending) => ending.outcome.to_string(),
                None => "none".to_owned(),
            },
            Query::Text => self.playing.position(),
            Query::Moves => {
                let moves = self.playing.legal_moves();
                if moves.is_empty() {
                    "-".to_owned()
                } else {
                    moves.join(" ")
                }
            }
        }
    }
}

fn capitalized(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_ascii_uppercase() + rest
}

/// `option name Variant type combo default standard var standard var ataxx`.
fn describe_option(option: &OptionInfo) -> String {
    let name = capitalized(option.name);
    let default = &option.default;
    match option.values {
        Values::Words(words) => {
            let words: String = words.iter().map(|word| format!(" var {word}")).collect();
            format!("option name {name} type combo default {default}{words}")
        }
        Values::Number => format!(
            "option name {name} type spin default {default} min 0 max {}",
            u64::MAX
        ),
    }
}
