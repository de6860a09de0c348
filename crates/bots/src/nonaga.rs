//! Nonaga.

mod classic;

use nonaga::{Move, Nonaga, Phase, SlideCounts};
use rules::{Player, Position, Random};
use search::{Guide, Tuning, Value};

use crate::{Beginner, Bots, Level, level::Habits, linear::Linear};

/// Evaluation and move ranking of Nonaga.
#[derive(Clone, Copy, Debug, Default)]
pub struct NonagaGuide;

/// The number of features of a player.
pub const N_COUNTS: usize = 8;

/// The features of a player: the distances between the pieces, and what their slides
/// lead to.
#[must_use]
pub fn counts(position: &Nonaga, player: Player, slides: SlideCounts) -> [i32; N_COUNTS] {
    let [a, b, c] = position.pieces(player);
    let mut distances = [a.distance(b), b.distance(c), a.distance(c)];
    distances.sort_unstable();
    let [near, middle, far] = distances.map(|distance| distance as i32);
    [
        near,
        middle,
        far,
        i32::from(near == 1),
        slides.n_slides as i32,
        slides.n_joins as i32,
        i32::from(slides.n_wins > 0),
        i32::from(slides.n_wins > 1),
    ]
}

/// The weights of the features, for either phase.
static WEIGHTS: [Linear<N_COUNTS>; 2] = {
    const BYTES: &[u8] = include_bytes!("nonaga/counts.weights");
    [
        Linear::read(BYTES, 0),
        Linear::read(BYTES, Linear::<N_COUNTS>::n_numbers()),
    ]
};

/// The score for the player to move.
fn score(position: &Nonaga, own: SlideCounts, other: SlideCounts) -> i32 {
    let turn = position.turn();
    let weights = &WEIGHTS[position.phase() as usize];
    weights.score(
        &counts(position, turn, own),
        &counts(position, !turn, other),
    )
}

/// The score of `position` for `player`, whoever is to move.
fn score_for(position: &Nonaga, player: Player) -> i32 {
    let turn = position.turn();
    let score = score(
        position,
        position.slide_counts(turn),
        position.slide_counts(!turn),
    );
    if turn == player { score } else { -score }
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
        let turn = position.turn();
        let own = position.slide_counts(turn);
        let other = position.slide_counts(!turn);
        match position.phase() {
            Phase::Slide if own.n_wins > 0 => return Value::win_in(1),
            Phase::Shift if other.n_wins > 0 && !can_answer(position) => return Value::loss_in(2),
            _ => {}
        }
        Value::from_score(score(position, own, other))
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
        let after = |m: Move| score_for(&position.after(m), turn);
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
        NonagaGuide
    }

    fn beginner(level: Level) -> Option<&'static Beginner> {
        BEGINNERS.get(level.index())
    }

    fn greed(position: &Self, m: Move) -> i32 {
        // How near the pieces are to each other; a tile is as good as any other.
        let [a, b, c] = position.after(m).pieces(position.turn());
        -((a.distance(b) + b.distance(c) + a.distance(c)) as i32)
    }

    fn habits(_: &Self, level: Level) -> Option<&'static Habits> {
        LEVELS.get(level.index().checked_sub(BEGINNERS.len())?)
    }
}

/// The levels below those that search.
static BEGINNERS: [Beginner; 3] = [
    Beginner::new(68, 5, 4),
    Beginner::new(70, 10, 60),
    Beginner::new(100, 93, 67),
];

/// Depths are in moves, two to a turn.
static LEVELS: [Habits; 5] = [
    Habits::seeing(1, 1_000).blurred(16, 330).careless(),
    Habits::seeing(2, 2_000).blurred(8, 60),
    Habits::seeing(3, 5_000).blurred(4, 40),
    Habits::seeing(5, 15_000),
    Habits::seeing(99, 150_000),
];
