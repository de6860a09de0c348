use rules::{
    Outcome, Player,
    record::{Ending, Reason},
};

use crate::{
    Choice, Click, Color, Cue, Look, Picture, Plan, PlayerStatus, Point, Scene, Shape, Sketch,
    Sound, Steps, Words, picture::star,
};

/// An interactive position.
#[derive(Clone, Debug)]
pub struct Table<G: Picture> {
    position: G,
    last: Option<(G, G::Move)>,
    earlier: Option<(G, G::Move)>,
    ending: Option<Ending>,
    choice: Choice<G>,
    /// The selection before the last click or drop, if that cleared it.
    dropped: Option<G::Spot>,
}

impl<G: Picture> Table<G> {
    /// The position, with all of its legal moves to choose from.
    #[must_use]
    pub fn new(position: G) -> Self {
        let choice = Choice::new(&position);
        Self {
            position,
            last: None,
            earlier: None,
            ending: None,
            choice,
            dropped: None,
        }
    }

    /// With the last move, and the position before it.
    #[must_use]
    pub fn after(mut self, before: G, m: G::Move) -> Self {
        self.last = Some((before, m));
        self
    }

    /// With the previous move of the same turn, and the position before it.
    #[must_use]
    pub fn earlier(mut self, before: G, m: G::Move) -> Self {
        self.earlier = Some((before, m));
        self
    }

    /// With the ending of the match, after which nothing can be selected.
    #[must_use]
    pub fn ended(mut self, ending: Option<Ending>) -> Self {
        self.ending = ending;
        if ending.is_some() {
            self.choice = Choice::none();
        }
        self
    }

    fn sketch<'a>(&'a self, look: &Look<'a>) -> Sketch<'a, G> {
        let is_closed = look.is_locked || look.is_moving;
        Sketch {
            position: &self.position,
            last: self.last.as_ref().map(|(before, m)| (before, *m)),
            earlier: self.earlier.as_ref().map(|(before, m)| (before, *m)),
            picked: if is_closed { &[] } else { self.choice.picked() },
            open: if is_closed || look.hides_destinations {
                Vec::new()
            } else {
                self.choice.open().collect()
            },
            hover: look.hover.and_then(|spot| spot.parse().ok()),
            origin: look.origin.and_then(|spot| spot.parse().ok()),
            ending: self.ending.filter(|_| !look.is_moving),
            look: *look,
        }
    }

    /// Draws the scene.
    #[must_use]
    pub fn scene(&self, look: &Look<'_>) -> Scene {
        G::draw(&self.sketch(look))
    }
}

/// A [`Table`] of any game, with targets and moves as text.
pub trait AnyTable {
    /// Draws the scene.
    fn scene(&self, look: &Look<'_>) -> Scene;

    /// The animation of the last move.
    fn plan(&self, look: &Look<'_>) -> Plan;

    /// Handles a click on the target called `id`: continues the selection, selects
    /// it, or clears the selection.
    fn click(&mut self, id: &str) -> Click<String>;

    /// Clears the selection. Returns whether there was one.
    fn clear(&mut self) -> bool;

    /// A piece of `player` within a radius of 14 around the origin.
    fn token(&self, player: Player) -> Vec<Shape>;

    /// The selection.
    fn picked(&self) -> Vec<String>;

    /// Whether a click on the target called `id` would only select it.
    fn takes_up(&self, id: &str) -> bool;

    /// Whether the target called `id` continues the selection.
    fn leads_on(&self, id: &str) -> bool;

    /// Whether a click on the target called `id` would complete a move.
    fn completes(&self, id: &str) -> bool;

    /// Whether a click on the target called `id` would select something or complete a move.
    fn is_useful(&self, id: &str) -> bool;

    /// Handles a drop of what is selected on the target called `id`: it completes the move
    /// that leads there, or clears the selection and is refused.
    fn drop_on(&mut self, id: &str) -> Click<String>;

    /// The pass, if it is legal and the match goes on.
    fn pass(&self) -> Option<String>;

    /// Whether a pass is the only legal move.
    fn must_pass(&self) -> bool;

    /// Player status shown in the side panel.
    fn side(&self, player: Player) -> PlayerStatus;

    /// Facts shown beside the board, besides the options.
    fn facts(&self) -> Vec<(&'static str, String)>;

    /// The steps of the turn, if it may take several moves.
    fn steps(&self) -> Option<Steps>;

    /// A hint at what the player can do now.
    fn advice(&self, look: &Look<'_>) -> String;

    /// The legend of the marks on the board now.
    fn legend(&self, look: &Look<'_>) -> Vec<(Vec<Shape>, &'static str)>;

    /// The last move in the notation of move lists, with captures and conversions.
    fn notation(&self) -> Option<String>;

    /// Parses a move typed by a person: in the text form or in the
    /// [notation](Self::notation) of move lists, case-insensitive, with any spaces.
    /// Returns the text form of the legal move.
    fn read_move(&self, text: &str) -> Option<String>;

    /// Every legal move with its targets, in the order in which they are clicked: several
    /// times if it can be made in several ways, and a pass not at all. Empty after the end.
    fn ways(&self) -> Vec<(String, Vec<String>)>;

    /// Describes the last move in a sentence.
    fn tale(&self, words: &Words) -> Option<String>;

    /// Why the last click or drop, on the target called `id`, was rejected. `None` if it
    /// was not, and after the end.
    fn refusal(&self, id: &str, words: &Words) -> Option<String>;

    /// Describes how the match ended.
    fn verdict(&self, words: &Words) -> Option<String>;
}

impl dyn AnyTable + '_ {
    /// Handles what somebody does at the target called `id`, or passes if it is `pass`.
    ///
    /// It is a [click](AnyTable::click), but [`Cleared`](Click::Cleared) only if the selection
    /// was put back. Anything else that leads to no move is [`Nothing`](Click::Nothing), a try
    /// that has to be refused.
    pub fn activate(&mut self, id: &str) -> Click<String> {
        if id == "pass" {
            return self.pass().map_or(Click::Nothing, Click::Move);
        }
        let selected = self.picked().pop();
        match self.click(id) {
            Click::Cleared if selected.as_deref() != Some(id) => Click::Nothing,
            click => click,
        }
    }

    /// The targets of the legal move `m`, in the order in which they are clicked; `None` for a
    /// pass and for a move that is not legal.
    #[must_use]
    pub fn way(&self, m: &str) -> Option<Vec<String>> {
        let mut ways = self.ways().into_iter();
        ways.find_map(|(other, way)| (other == m).then_some(way))
    }
}

impl<G: Picture> AnyTable for Table<G> {
    fn scene(&self, look: &Look<'_>) -> Scene {
        Self::scene(self, look)
    }

    fn plan(&self, look: &Look<'_>) -> Plan {
        let mut plan = G::plan(&self.sketch(look));
        let last = self.last.as_ref().map(|(_, m)| *m);
        if last.is_some() && last == G::pass() {
            plan.cues.push(Cue::new(0.0, Sound::Pass));
        }
        plan
    }

    fn click(&mut self, id: &str) -> Click<String> {
        let selected = self.choice.picked().last().copied();
        self.dropped = None;
        let Ok(spot) = id.parse() else {
            return if self.choice.clear() {
                Click::Cleared
            } else {
                Click::Nothing
            };
        };
        match self.choice.click(spot) {
            Click::Move(m) => Click::Move(m.to_string()),
            Click::Picked => Click::Picked,
            Click::Cleared => {
                self.dropped = selected.filter(|&selected| selected != spot);
                Click::Cleared
            }
            Click::Nothing => Click::Nothing,
        }
    }

    fn clear(&mut self) -> bool {
        self.dropped = None;
        self.choice.clear()
    }

    fn token(&self, player: Player) -> Vec<Shape> {
        G::token(player)
    }

    fn picked(&self) -> Vec<String> {
        self.choice
            .picked()
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    fn takes_up(&self, id: &str) -> bool {
        id.parse().is_ok_and(|spot| self.choice.takes_up(spot))
    }

    fn completes(&self, id: &str) -> bool {
        let click = |spot| matches!(self.choice.clone().click(spot), Click::Move(_));
        id.parse().is_ok_and(click)
    }

    fn leads_on(&self, id: &str) -> bool {
        id.parse().is_ok_and(|spot| self.choice.leads_on(spot))
    }

    fn is_useful(&self, id: &str) -> bool {
        id.parse().is_ok_and(|spot| self.choice.is_useful(spot))
    }

    fn drop_on(&mut self, id: &str) -> Click<String> {
        if self.leads_on(id) {
            return self.click(id);
        }
        self.dropped = self.choice.picked().last().copied();
        self.choice.clear();
        Click::Nothing
    }

    fn pass(&self) -> Option<String> {
        let pass = G::pass().filter(|_| self.ending.is_none())?;
        self.position.is_legal(pass).then(|| pass.to_string())
    }

    fn must_pass(&self) -> bool {
        self.pass().is_some() && self.position.n_legal_moves() == 1
    }

    fn side(&self, player: Player) -> PlayerStatus {
        self.position.side(player)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        self.position.facts()
    }

    fn steps(&self) -> Option<Steps> {
        self.position.steps()
    }

    fn advice(&self, look: &Look<'_>) -> String {
        if self.must_pass() {
            return look.words.say("advice.pass", &[]);
        }
        G::advice(&self.sketch(look))
    }

    fn legend(&self, look: &Look<'_>) -> Vec<(Vec<Shape>, &'static str)> {
        let sketch = self.sketch(look);
        let mut legend = G::legend(&sketch);
        if sketch.selected().is_some() && sketch.open.iter().any(|&(_, m)| sketch.wins(m)) {
            let mark = star(Point::new(10.0, 10.5), 9.0).filled(Color::Ink2);
            legend.push((vec![mark], "key.win"));
        }
        legend
    }

    fn notation(&self) -> Option<String> {
        let (before, m) = self.last.as_ref()?;
        Some(before.notation(*m, &self.position))
    }

    fn read_move(&self, text: &str) -> Option<String> {
        if self.ending.is_some() {
            return None;
        }
        let wanted = plain(text);
        if wanted == "pass" {
            return self.pass();
        }
        let moves = self.position.legal_moves().into_iter();
        let mut texts = moves.map(|m| m.to_string());
        texts.find(|text| plain(text) == wanted)
    }

    fn ways(&self) -> Vec<(String, Vec<String>)> {
        let ways = self.choice.ways().iter();
        let text = |(way, m): &(Vec<G::Spot>, G::Move)| {
            let way = way.iter().map(ToString::to_string);
            (m.to_string(), way.collect())
        };
        ways.map(text).collect()
    }

    fn tale(&self, words: &Words) -> Option<String> {
        let (before, m) = self.last.as_ref()?;
        Some(before.tale(*m, &self.position, words))
    }

    fn refusal(&self, id: &str, words: &Words) -> Option<String> {
        let spot = id.parse().ok()?;
        let is_useful = self.dropped.is_none() && self.choice.is_useful(spot);
        if self.ending.is_some() || is_useful {
            return None;
        }
        self.position.refusal(spot, self.dropped, words)
    }

    fn verdict(&self, words: &Words) -> Option<String> {
        let ending = self.ending?;
        Some(match ending.reason {
            Reason::Rules => match ending.outcome {
                Outcome::Win(winner) => self.position.verdict(winner, words),
                Outcome::Draw => self.position.draw_verdict(words),
            },
            Reason::Repetition => words.say("end.repetition", &[]),
            Reason::Resignation => words.say("end.resignation", &[]),
            Reason::Agreement => words.say("end.agreement", &[]),
            Reason::TimeOut => words.say("end.time", &[]),
        })
    }
}

/// Normalizes the notation of a move: lower case, no spaces, plain signs, no
/// captures or conversions.
fn plain(text: &str) -> String {
    // A sign of its own stands between two places: `9 × 21`.
    let is_effect = |word: &&str| {
        let number = word.strip_prefix(['+', '×']);
        number.is_some_and(|number| number.starts_with(|sign: char| sign.is_ascii_digit()))
    };
    let words = text.split_whitespace().filter(|word| !is_effect(word));
    let signs = words.flat_map(str::chars).map(|sign| match sign {
        '−' | '×' => '-',
        '›' => '>',
        sign => sign.to_ascii_lowercase(),
    });
    let mut plain = String::with_capacity(text.len());
    for sign in signs {
        // Move lists write `a5-c4` where the text form is `a5c4`.
        if sign.is_ascii_lowercase() && plain.ends_with('-') {
            plain.pop();
        }
        plain.push(sign);
    }
    plain
}
