//! Nonaga.

mod classic;
mod evaluation;
mod patterns;

use nonaga::{Move, Nonaga, Phase};
use rules::{Player, Position, Random};
use search::{Guide, Tuning, Value};

use crate::{Beginner, Bots, Level, level::Habits};

use self::evaluation::Weights;

/// Evaluation and move ranking of Nonaga.
#[derive(Clone, Copy, Debug)]
pub struct NonagaGuide {
    weights: &'static Weights,
}

impl Default for NonagaGuide {
    fn default() -> Self {
        Self {
            weights: Weights::built_in(),
        }
    }
}

impl NonagaGuide {
    /// A guide with the weights in `bytes`, which stay in memory; `None` if there are too
    /// few or too many.
    #[must_use]
    pub fn with_weights(bytes: &[u8]) -> Option<Self> {
        let weights = Weights::read(bytes)?;
        Some(Self {
            weights: Box::leak(Box::new(weights)),
        })
    }

    /// The score of `position` for `player`, whoever is to move.
    fn score_for(&self, position: &Nonaga, player: Player) -> i32 {
        let inputs = self.weights.inputs(position);
        let score = self.weights.score(position.phase(), &inputs);
        if position.turn() == player {
            score
        } else {
            -score
        }
    }
}

/// The number of patterns.
#[must_use]
pub fn n_inputs() -> usize {
    Weights::built_in().n_inputs()
}

/// The patterns of a position, each as often as it occurs; `None` if the evaluation does not
/// use them.
#[must_use]
pub fn inputs(position: &Nonaga) -> Option<Vec<u16>> {
    let guide = NonagaGuide::default();
    if guide.evaluate(position, &()).is_decided() {
        return None;
    }
    Some(guide.weights.inputs(position).numbers().to_vec())
}

/// Whether the player to shift can stop every winning slide of the opponent.
fn can_answer(position: &Nonaga) -> bool {
    let enemy = !position.turn();
    let reach = position.winning_reach(enemy);
    let answers = |m: &Move| {
        reach.may_change(position, *m) && position.after(*m).slide_counts(enemy).n_wins == 0
    };
    position.legal_moves().iter().any(answers)
}

impl Guide<Nonaga> for NonagaGuide {
    type Memo = ();

    const N_SLOTS: usize = 2 << 16;

    const TUNING: Tuning = Tuning {
        late_move_reduction: 160,
        futility_margin: None,
        late_move_count: None,
        null_move_reduction: 0,
        singular_margin: None,
        least_table_depth: 1,
        poll: 64,
    };

    fn memo(&self, _: &Nonaga) {}

    fn evaluate(&self, position: &Nonaga, (): &()) -> Value {
        let inputs = self.weights.inputs(position);
        let [n_own_wins, n_other_wins] = inputs.n_wins;
        match position.phase() {
            Phase::Slide if n_own_wins > 0 => return Value::win_in(1),
            Phase::Shift if n_other_wins > 0 && !can_answer(position) => return Value::loss_in(2),
            _ => {}
        }
        Value::from_score(self.weights.score(position.phase(), &inputs))
    }

    fn moves_into(&self, position: &Nonaga, (): &(), moves: &mut Vec<Move>) {
        let start = moves.len();
        position.legal_moves_into(moves);
        let enemy = !position.turn();
        if position.phase() == Phase::Slide || position.slide_counts(enemy).n_wins == 0 {
            return;
        }
        // Moves that do not answer the threat lose to it.
        let reach = position.winning_reach(enemy);
        let mut n_kept = start;
        for index in start..moves.len() {
            let m = moves[index];
            if reach.may_change(position, m) && position.after(m).slide_counts(enemy).n_wins == 0 {
                moves[n_kept] = m;
                n_kept += 1;
            }
        }
        // If none does, one move is enough: all lose.
        moves.truncate(n_kept.max(start + 1));
    }

    fn rank_into(
        &self,
        position: &Nonaga,
        (): &(),
        moves: &[Move],
        depth: i32,
        ranks: &mut Vec<i32>,
    ) {
        let turn = position.turn();
        let after = |m: Move| self.score_for(&position.after(m), turn);
        match position.phase() {
            Phase::Slide => ranks.extend(moves.iter().map(|&m| after(m))),
            Phase::Shift if depth <= 1 => ranks.extend(moves.iter().map(|_| 0)),
            Phase::Shift => {
                // Most shifts change nothing for the pieces and have the same rank.
                let own = position.reach(turn);
                let other = position.reach(!turn);
                let matters = |m| own.may_change(position, m) || other.may_change(position, m);
                let mut idle = None;
                ranks.extend(moves.iter().map(|&m| {
                    if matters(m) {
                        return after(m);
                    }
                    *idle.get_or_insert_with(|| after(m))
                }));
            }
        }
    }

    fn slot(&self, _: &Nonaga, m: Move) -> usize {
        let cell = |hex: nonaga::Hex| ((hex.q & 15) << 4 | hex.r & 15) as usize;
        match m {
            Move::Slide { from, to } => cell(from) << 8 | cell(to),
            Move::Shift { from, to } => 1 << 16 | cell(from) << 8 | cell(to),
            Move::Pass => 0,
        }
    }
}

impl Bots for Nonaga {
    fn classic(position: &Self, random: &mut Random) -> Move {
        classic::choose(position, random)
    }

    type Guide = NonagaGuide;

    fn guide(_: &Self, _: usize) -> NonagaGuide {
        NonagaGuide::default()
    }

    fn beginner(_: &Self, level: Level) -> Option<&'static Beginner> {
        BEGINNERS.get(level.index())
    }

    fn greed(position: &Self, m: Move) -> i32 {
        // How near the pieces are to each other; a tile is as good as any other.
        -spread(&position.after(m), position.turn())
    }

    fn lead(position: &Self) -> i32 {
        let turn = position.turn();
        spread(position, !turn) - spread(position, turn)
    }

    fn habits(_: &Self, level: Level) -> Option<&'static Habits> {
        LEVELS.get(level.index().checked_sub(N_BEGINNERS)?)
    }
}

/// The sum of the distances between a player's pieces.
fn spread(position: &Nonaga, player: Player) -> i32 {
    let [a, b, c] = position.pieces(player);
    (a.distance(b) + b.distance(c) + a.distance(c)) as i32
}

/// The number of levels below those that search.
const N_BEGINNERS: usize = 4;

static BEGINNERS: [Beginner; N_BEGINNERS] = [
    Beginner::new(75, 5, 2).rallying(3, 20),
    Beginner::new(65, 5, 20).seeing(3),
    Beginner::new(100, 62, 32).seeing(3),
    Beginner::new(100, 98, 58).seeing(3),
];

/// Depths are in moves, two to a turn.
static LEVELS: [Habits; Level::TOP as usize - N_BEGINNERS] = [
    Habits::seeing(1, 1_000).blurred(16, 410).careless(),
    Habits::seeing(2, 2_000).blurred(8, 275),
    Habits::seeing(3, 5_000).blurred(4, 250),
    Habits::seeing(99, 1_800),
    Habits::seeing(99, 15_000),
    Habits::seeing(99, 150_000),
];
