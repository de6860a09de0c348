use catalog::AnyMatch;
use rules::{
    ByPlayer, Player,
    record::{Ending, NodeId, Reason},
};
use view::{AnyTable, Click};

use crate::{
    Bot, Clocks, Effect, Event, PlayerKind, Question, RefusedInput, hint::Hinting,
    seat::only_person,
};

/// A bot that fails this often in the same position is not asked again by itself.
const MOST_FAILURES: u32 = 3;

/// One match as somebody sits at it.
pub struct Sitting {
    /// The tree of moves with its cursor, which is what is looked at: the only history
    /// there is.
    pub(crate) record: Box<dyn AnyMatch>,
    pub(crate) seats: ByPlayer<PlayerKind>,
    /// The seed of the random choices of bots.
    seed: u64,
    /// Where the match stands.
    pub(crate) live: NodeId,
    /// The end of the line that the match stands on: where [`Event::Redo`] leads. It
    /// is `live` or comes after it.
    pub(crate) tip: NodeId,
    /// The milliseconds spent at `live`, once the clocks have started.
    pub(crate) spent: Option<u64>,
    /// The clocks as a server reported them last, in a match with a remote seat.
    pub(crate) reported: Option<Clocks>,
    /// Whether a server called the match off.
    pub(crate) is_called_off: bool,
    /// Where the match stood when it was last looked at.
    seen: NodeId,
    /// The node that a bot was asked about, if its answer is still awaited.
    asked: Option<NodeId>,
    /// How often a bot failed at `live`.
    n_failures: u32,
    /// The hint at `live` that somebody asked for.
    pub(crate) hinting: Option<Hinting>,
    /// The target that a person began the last move with, and the node it led to.
    origin: Option<(NodeId, String)>,
    /// The position at the cursor, with what has been clicked so far.
    pub(crate) table: Box<dyn AnyTable>,
}

/// What a match waits for, or that it is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// A person is to move.
    Person(Player),
    /// A bot is to move, and was asked.
    Bot(Player),
    /// A bot is to move, but failed too often: [`Event::Retry`] asks again.
    Stalled(Player),
    /// Somebody elsewhere is to move, or the match was called off: [`Event::Follow`] leads on.
    Remote(Player),
    /// The match is over.
    Over(Ending),
}

impl Sitting {
    /// A match that goes on from the cursor of `record`, and its first effects.
    #[must_use]
    pub fn new(
        record: Box<dyn AnyMatch>,
        seats: ByPlayer<PlayerKind>,
        seed: u64,
    ) -> (Self, Vec<Effect>) {
        let tip = record.cursor();
        Self::with_tip(record, seats, seed, tip)
    }

    /// As [`new`](Self::new), with moves up to `tip` that were taken back.
    pub(crate) fn with_tip(
        record: Box<dyn AnyMatch>,
        seats: ByPlayer<PlayerKind>,
        seed: u64,
        tip: NodeId,
    ) -> (Self, Vec<Effect>) {
        let live = record.cursor();
        let table = record.table();
        let mut sitting = Self {
            record,
            seats,
            seed,
            live,
            tip,
            spent: None,
            reported: None,
            is_called_off: false,
            seen: live,
            asked: None,
            n_failures: 0,
            hinting: None,
            origin: None,
            table,
        };
        let mut effects = sitting.settle();
        let mut bots = Player::BOTH.into_iter().filter_map(|p| sitting.bot(p));
        if let (true, Some(bot)) = (effects.is_empty(), bots.next()) {
            effects.push(Effect::PrepareBot(sitting.question(bot)));
        }
        (sitting, effects)
    }

    /// Applies `event` and returns what has to be done about it. An event that does
    /// not fit the [phase](Self::phase), such as a late answer, changes nothing.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        let mut effects = self.apply(event);
        // An engine answers one question at a time, so this comes before the next.
        effects.splice(0..0, self.drop_hint());
        if !self.is_looking_back() {
            self.seen = self.live;
        }
        effects
    }

    fn apply(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Activate(target) => self.act(&target, |table| table.activate(&target)),
            Event::Drop(target) => self.act(&target, |table| table.drop_on(&target)),
            Event::Clear => {
                self.table.clear();
                self.hide_hint();
                Vec::new()
            }
            Event::Typed(text) => self.play_typed(&text),
            Event::GoTo(node) => {
                self.look_at(node);
                Vec::new()
            }
            Event::TakeBack => self.move_live(self.take_back_target()),
            Event::Redo => self.move_live(self.redo_target()),
            Event::Resign => self.resign(),
            Event::Retry => self.retry(),
            Event::Hint => self.ask_hint(),
            Event::Opinion { at, opinion } => self.hear_opinion(at, opinion),
            Event::TimePassed(milliseconds) => self.pass_time(milliseconds),
            Event::ClockRanOut(player) => self.clock_ran_out(player),
            Event::BotMoved { at, m } => self.bot_moved(at, &m),
            Event::BotFailed { at } => self.bot_failed(at),
            Event::Follow(standing) => self.follow(&standing),
            Event::Clocks(clocks) => self.set_clocks(clocks),
            Event::HoldClocks => self.hold_clocks(),
            Event::Studied(record) => self.add_variations(&record),
        }
    }

    /// Whose move it is, what is awaited, whether the match is over.
    #[must_use]
    pub fn phase(&self) -> Phase {
        if let Some(ending) = self.record.ending_at(self.live) {
            return Phase::Over(ending);
        }
        let turn = self.turn_at(self.live);
        match self.seats[turn] {
            _ if self.is_called_off => Phase::Remote(turn),
            PlayerKind::Person => Phase::Person(turn),
            PlayerKind::Remote => Phase::Remote(turn),
            PlayerKind::Bot(_) if self.asked == Some(self.live) => Phase::Bot(turn),
            PlayerKind::Bot(_) => Phase::Stalled(turn),
        }
    }

    /// Whether a person may move in the position that is looked at. A move in an
    /// earlier position begins a variation, which becomes the match; with somebody elsewhere
    /// there are moves only where the match stands.
    #[must_use]
    pub fn may_act(&self) -> bool {
        let cursor = self.record.cursor();
        let is_over = self.record.ending_at(cursor).is_some() || self.is_closed();
        let is_past = self.is_remote() && self.is_looking_back();
        !is_over
            && !is_past
            && !self.is_called_off
            && self.seats[self.turn_at(cursor)] == PlayerKind::Person
    }

    /// The record; its cursor is what is looked at.
    #[must_use]
    pub fn record(&self) -> &dyn AnyMatch {
        &*self.record
    }

    /// The position that is looked at, with what has been clicked so far.
    #[must_use]
    pub fn table(&self) -> &dyn AnyTable {
        &*self.table
    }

    /// The target that the move to the position that is looked at began with, if a
    /// person just made it. Several targets may begin the same move.
    #[must_use]
    pub fn origin(&self) -> Option<&str> {
        let (node, target) = self.origin.as_ref()?;
        (*node == self.record.cursor()).then_some(target)
    }

    /// Who plays which side.
    #[must_use]
    pub fn seats(&self) -> &ByPlayer<PlayerKind> {
        &self.seats
    }

    /// The seed of the random choices of bots.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The node where the match stands.
    #[must_use]
    pub fn live(&self) -> NodeId {
        self.live
    }

    /// The end of the line that the match stands on: `live`, or after it if moves were
    /// taken back.
    #[must_use]
    pub fn tip(&self) -> NodeId {
        self.tip
    }

    /// Whether another position is looked at than the one where the match stands.
    #[must_use]
    pub fn is_looking_back(&self) -> bool {
        self.record.cursor() != self.live
    }

    /// Whether the match went on while somebody looked back.
    #[must_use]
    pub fn has_news(&self) -> bool {
        self.seen != self.live
    }

    fn add_variations(&mut self, studied: &str) -> Vec<Effect> {
        let is_same = |other: &dyn AnyMatch| {
            other.game() == self.record.game() && other.start() == self.record.start()
        };
        match catalog::read_file(studied) {
            Ok(studied) if is_same(&*studied) => {
                catalog::add_variations(&*studied, &mut *self.record);
                vec![Effect::Save]
            }
            _ => Vec::new(),
        }
    }

    /// The position before the one that is looked at.
    #[must_use]
    pub fn step_back(&self) -> Option<NodeId> {
        let cursor = self.record.cursor();
        self.record.ancestors(cursor).first().copied()
    }

    /// The position after the one that is looked at: on the line of the match, or
    /// else of its variation.
    #[must_use]
    pub fn step_forward(&self) -> Option<NodeId> {
        let cursor = self.record.cursor();
        let line = self.record.line(self.tip);
        match line.iter().position(|&node| node == cursor) {
            Some(index) => line.get(index + 1).copied(),
            None => self.record.next(cursor),
        }
    }

    /// The person at the table, if there is only one.
    #[must_use]
    pub fn person(&self) -> Option<Player> {
        only_person(&self.seats)
    }

    /// Whether a person has moved, even if the move was taken back. Where only bots play,
    /// whether anybody has.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        let before = self.record.ancestors(self.tip);
        match self.has_person() {
            true => before.into_iter().any(|node| self.is_persons_turn(node)),
            false => !before.is_empty(),
        }
    }

    /// Whether [`Event::TakeBack`] does anything. It does not while somebody looks back.
    #[must_use]
    pub fn can_take_back(&self) -> bool {
        self.take_back_target().is_some()
    }

    /// Whether [`Event::Redo`] does anything. It does not while somebody looks back.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        self.redo_target().is_some()
    }

    /// Whether [`Event::Resign`] does anything. It does not while somebody looks back.
    #[must_use]
    pub fn can_resign(&self) -> bool {
        let is_open = !self.is_looking_back() && !self.is_called_off;
        self.has_person() && is_open && !matches!(self.phase(), Phase::Over(_))
    }

    /// Whether the match was ended by a control such as a resignation: what was given
    /// up stays given up.
    pub(crate) fn is_closed(&self) -> bool {
        let ending = self.record.ending_at(self.live);
        ending.is_some_and(|ending| !matches!(ending.reason, Reason::Rules | Reason::Repetition))
    }

    pub(crate) fn turn_at(&self, node: NodeId) -> Player {
        let turn = self.record.turn_at(node);
        turn.unwrap_or_else(|| self.record.turn())
    }

    pub(crate) fn is_persons_turn(&self, node: NodeId) -> bool {
        self.seats[self.turn_at(node)] == PlayerKind::Person
    }

    fn has_person(&self) -> bool {
        self.seats.first == PlayerKind::Person || self.seats.second == PlayerKind::Person
    }

    fn bot(&self, player: Player) -> Option<Bot> {
        match self.seats[player] {
            PlayerKind::Person | PlayerKind::Remote => None,
            PlayerKind::Bot(bot) => Some(bot),
        }
    }

    fn question(&self, bot: Bot) -> Question {
        Question::new(&*self.record, self.live, bot, self.seed)
    }

    /// The match changed: it is to be saved, and the next move to be asked for. A match with
    /// somebody elsewhere is stored by the server.
    pub(crate) fn go_on(&mut self) -> Vec<Effect> {
        if self.is_remote() {
            return Vec::new();
        }
        let mut effects = vec![Effect::Save];
        effects.append(&mut self.settle());
        effects
    }

    /// Asks for what is awaited now, and calls off what no longer is.
    fn settle(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        let is_over = self.record.ending_at(self.live).is_some();
        let bot = self.bot(self.turn_at(self.live)).filter(|_| !is_over);
        let wanted = bot.map(|_| self.live);
        if self.asked.is_some() && self.asked != wanted {
            self.asked = None;
            effects.push(Effect::StopBot);
        }
        if let Some(bot) = bot
            && self.asked.is_none()
            && self.n_failures < MOST_FAILURES
        {
            self.asked = wanted;
            effects.push(Effect::AskBot(self.question(bot)));
        }
        effects
    }

    /// Looks at `node`, if there is such a node.
    pub(crate) fn look_at(&mut self, node: NodeId) {
        let is_other = node != self.record.cursor();
        if self.record.go_to(node).is_ok() && is_other {
            self.table = self.record.table();
        }
    }

    /// The match stands at `node` now.
    pub(crate) fn stand_at(&mut self, node: NodeId) {
        self.live = node;
        if !self.is_remote() {
            self.spent = self.spent.map(|_| 0);
        }
        self.n_failures = 0;
    }

    /// Applies the action `f` at a target: plays the move that it completes, or refuses it.
    fn act(
        &mut self,
        target: &str,
        f: impl FnOnce(&mut dyn AnyTable) -> Click<String>,
    ) -> Vec<Effect> {
        if !self.may_act() {
            return Vec::new();
        }
        let refused = || vec![Effect::Refuse(RefusedInput::Target(target.to_owned()))];
        let origin = self.table.picked().into_iter().next();
        let m = match f(&mut *self.table) {
            Click::Move(m) => Some(m),
            Click::Picked | Click::Cleared => return Vec::new(),
            Click::Nothing => None,
        };
        let Some(effects) = m.and_then(|m| self.play(&m)) else {
            return refused();
        };
        self.origin = origin.map(|origin| (self.live, origin));
        effects
    }

    fn play_typed(&mut self, text: &str) -> Vec<Effect> {
        if !self.may_act() {
            return Vec::new();
        }
        let m = self.table.read_move(text);
        let played = m.and_then(|m| self.play(&m));
        played.unwrap_or_else(|| vec![Effect::Refuse(RefusedInput::Typed(text.to_owned()))])
    }

    /// Plays `m` at the cursor, where the match stands from now on; `None`, with
    /// nothing changed, if it is not legal.
    fn play(&mut self, m: &str) -> Option<Vec<Effect>> {
        let before = self.record.cursor();
        self.record.play(m).ok()?;
        self.press_clock(before);
        self.stand_at(self.record.cursor());
        self.tip = self.live;
        self.table = self.record.table();
        let mut effects = self.go_on();
        effects.extend(self.whole_turn(before));
        Some(effects)
    }

    fn bot_moved(&mut self, at: NodeId, m: &str) -> Vec<Effect> {
        if self.asked != Some(at) {
            return Vec::new();
        }
        // Somebody may be looking elsewhere, and is not disturbed. Both nodes are of
        // this record, so going there does not fail.
        let looked_at = self.record.cursor();
        self.record.go_to(self.live).ok();
        let is_legal = self.record.play(m).is_ok();
        let next = self.record.cursor();
        if is_legal {
            self.press_clock(self.live);
        }
        if looked_at != self.live {
            self.record.go_to(looked_at).ok();
        } else if is_legal {
            self.table = self.record.table();
        }
        if !is_legal {
            return self.bot_failed(at);
        }
        self.asked = None;
        self.stand_at(next);
        self.tip = next;
        self.go_on()
    }

    fn bot_failed(&mut self, at: NodeId) -> Vec<Effect> {
        if self.asked != Some(at) {
            return Vec::new();
        }
        self.asked = None;
        self.n_failures += 1;
        self.settle()
    }

    fn retry(&mut self) -> Vec<Effect> {
        if !matches!(self.phase(), Phase::Stalled(_)) {
            return Vec::new();
        }
        self.n_failures = 0;
        self.settle()
    }

    fn take_back_target(&self) -> Option<NodeId> {
        if self.is_remote() {
            return self.turn_take_back_target();
        }
        let mut before = self.record.ancestors(self.live).into_iter();
        let target = before.find(|&node| self.is_persons_turn(node));
        target.filter(|_| !self.is_closed() && !self.is_looking_back())
    }

    fn redo_target(&self) -> Option<NodeId> {
        let line = self.record.line(self.tip);
        let mut after = line.into_iter().skip_while(|&node| node != self.live);
        after.next()?;
        let target = after.find(|&node| node == self.tip || self.is_persons_turn(node));
        target.filter(|_| !self.is_looking_back())
    }

    /// The match goes back or forward to `node`, and is looked at there.
    fn move_live(&mut self, node: Option<NodeId>) -> Vec<Effect> {
        let Some(node) = node else {
            return Vec::new();
        };
        self.stand_at(node);
        self.look_at(node);
        self.table.clear();
        self.go_on()
    }

    fn resign(&mut self) -> Vec<Effect> {
        // A server is asked to end a match with somebody elsewhere.
        if !self.can_resign() || self.is_remote() {
            return Vec::new();
        }
        let player = self.person().unwrap_or_else(|| self.turn_at(self.live));
        if self.record.resign(player).is_err() {
            return Vec::new();
        }
        self.tip = self.live;
        self.table = self.record.table();
        self.go_on()
    }
}
