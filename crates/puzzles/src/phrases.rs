//! The phrases of puzzles. They are in files; here they get their values.

use std::fmt::Display;

use view::{Language, Words};

use crate::{AttemptTally, Day, Puzzle, games};

/// The phrases of puzzles, in the given language.
#[must_use]
pub fn phrases(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../text/en.txt"),
        Language::Japanese => include_str!("../text/ja.txt"),
    }
}

/// The headline of a puzzle: “Red wins in three”.
#[must_use]
pub fn title(puzzle: &Puzzle, words: &Words) -> String {
    Phrasing::new(puzzle, words).say("title")
}

/// The task, in a sentence or two, and the rules if they are not the
/// usual ones.
#[must_use]
pub fn task(puzzle: &Puzzle, words: &Words) -> String {
    let task = Phrasing::new(puzzle, words).say("task");
    let game = puzzle.game();
    let rules = games::find(game).and_then(|game| game.rules_name(puzzle.position()));
    match rules {
        Some(rules) => words.say(&format!("{game}.puzzle.{rules}"), &[("task", &task)]),
        None => task,
    }
}

/// The result of a puzzle as text to share, without the answer: three lines.
///
/// `day` is that of a daily puzzle, and `seconds` how long it took.
#[must_use]
pub fn share_text(
    puzzle: &Puzzle,
    tally: AttemptTally,
    day: Option<Day>,
    seconds: Option<u32>,
    words: &Words,
) -> String {
    let phrasing = Phrasing::new(puzzle, words);
    let game = words.say(&format!("{}.name", puzzle.game()), &[]);
    let head = match day {
        Some(day) => words.say(
            "puzzle.share.daily",
            &[("n", &day.number()), ("game", &game)],
        ),
        None => words.say("puzzle.share.any", &[("game", &game)]),
    };
    let goal = phrasing.say("goal");
    let values: [(&str, &dyn Display); 2] = [("goal", &goal), ("grade", &puzzle.grade())];
    let what = words.say("puzzle.share.what", &values);
    let dots: Vec<_> = (0..crate::Attempt::N_HINTS)
        .map(|hint| if hint < tally.hints { "●" } else { "○" })
        .collect();
    let mut notes = vec![match (tally.is_revealed, tally.hints) {
        (true, _) => words.say("puzzle.share.shown", &[]),
        (_, 0) => words.say("puzzle.share.no-hints", &[]),
        (_, n) => words.say("puzzle.share.hints", &[("n", &phrasing.number(n.into()))]),
    }];
    if tally.wrong_tries > 0 {
        let n = phrasing.number(tally.wrong_tries);
        notes.push(words.say("puzzle.share.wrong", &[("n", &n)]));
    }
    if let Some(seconds) = seconds {
        notes.push(format!("{}:{:02}", seconds / 60, seconds % 60));
    }
    let and = |a: String, b| words.say("puzzle.share.and", &[("a", &a), ("b", &b)]);
    let notes = notes.into_iter().reduce(and).unwrap_or_default();
    format!("{head}\n{what}\n{} {notes}", dots.join(" "))
}

/// The values of a puzzle's phrases.
pub(crate) struct Phrasing<'a> {
    puzzle: &'a Puzzle,
    words: &'a Words,
    turns: u8,
}

impl<'a> Phrasing<'a> {
    pub(crate) fn new(puzzle: &'a Puzzle, words: &'a Words) -> Self {
        let turns = puzzle.goal().turns();
        Self {
            puzzle,
            words,
            turns,
        }
    }

    /// The same with so many turns to go.
    pub(crate) fn with_turns(self, turns: u8) -> Self {
        Self { turns, ..self }
    }

    /// The phrase `GAME.puzzle.GOAL.NAME`.
    pub(crate) fn say(&self, name: &str) -> String {
        self.say_move(name, "")
    }

    /// The same, with a move in it.
    pub(crate) fn say_move(&self, name: &str, m: &str) -> String {
        let goal = self.puzzle.goal();
        let key = format!("{}.puzzle.{}.{name}", self.puzzle.game(), goal.name());
        let player = self.player(self.puzzle.solver());
        let opponent = self.player(!self.puzzle.solver());
        let turns = self.number(self.turns.into());
        let amount = self.number(goal.amount().into());
        self.words.say(
            &key,
            &[
                ("player", &player),
                ("opponent", &opponent),
                ("turns", &turns),
                ("amount", &amount),
                ("move", &m),
            ],
        )
    }

    /// A phrase with the names of places in it.
    pub(crate) fn say_places(&self, key: &str, places: &[String]) -> String {
        let player = self.player(self.puzzle.solver());
        let places = places.join(", ").replace('-', "−");
        self.words
            .say(key, &[("player", &player), ("places", &places)])
    }

    fn player(&self, player: rules::Player) -> String {
        self.words
            .say(&format!("{}.{player}", self.puzzle.game()), &[])
    }

    /// A small number in words, where the language writes it so. `1` stays a digit, since
    /// it chooses the singular.
    pub(crate) fn number(&self, n: u32) -> String {
        let key = format!("puzzle.number.{n}");
        if self.words.has(&key) {
            self.words.say(&key, &[])
        } else {
            n.to_string()
        }
    }
}
