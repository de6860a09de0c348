//! Statistics of a match of many games.

/// The results of pairs of games, from the point of view of the first player: both
/// games of a pair start with the same opening, with sides exchanged (pentanomial).
#[derive(Clone, Debug, Default)]
pub(crate) struct Score {
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// The number of pairs with 0 to 4 half points.
    pairs: [u64; 5],
}

/// The result of one game in half points.
pub(crate) type HalfPoints = usize;

/// Bound of the log-likelihood ratio for error rates of 5 %.
const SPRT_BOUND: f64 = 2.944;

/// The 95 % quantile of the normal distribution, two-sided.
const NORMAL_95: f64 = 1.96;

impl Score {
    /// Adds a pair of games.
    pub(crate) fn add_pair(&mut self, first: HalfPoints, second: HalfPoints) {
        self.add_single(first);
        self.add_single(second);
        self.pairs[first + second] += 1;
    }

    /// Adds an unpaired game.
    pub(crate) fn add_single(&mut self, half_points: HalfPoints) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    pub(crate) fn n_games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points per game, from 0 to 1.
    pub(crate) fn mean(&self) -> f64 {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        points / (self.n_games().max(1)) as f64
    }

    /// The variance of the points per game of a pair. Openings that favor one side
    /// cancel out in a pair.
    fn pair_variance(&self) -> f64 {
        variance(self.pairs, self.mean())
    }

    /// The bound of the Elo difference that is known with 95 % confidence if one side lost
    /// hardly anything: at least this much for a player who lost no game, at most this much
    /// for one who won none. `None` if the usual error says enough.
    ///
    /// By the exact binomial interval (Clopper–Pearson) for the share of wins, so a draw
    /// counts as not won.
    pub(crate) fn shutout_bound(&self) -> Option<f64> {
        let n = self.n_games();
        let bound = || elo_of(least_share(n, self.draws));
        if n == 0 || !self.is_near_the_end() {
            None
        } else if self.losses == 0 {
            Some(bound())
        } else if self.wins == 0 {
            Some(-bound())
        } else {
            None
        }
    }

    /// Whether the usual interval reaches a score of 0 or 1, which no finite difference
    /// leads to.
    fn is_near_the_end(&self) -> bool {
        let margin = NORMAL_95 * self.deviation();
        let mean = self.mean();
        mean - margin <= 0.0 || mean + margin >= 1.0
    }

    /// The standard deviation of the mean.
    fn deviation(&self) -> f64 {
        let n = self.n_games().max(1) as f64;
        let n_pairs = (n / 2.0).max(1.0);
        (self.pair_variance() / n_pairs).sqrt().max(0.25 / n)
    }

    /// The Elo difference and its 95 % confidence interval. Where there is a
    /// [bound](Self::shutout_bound), the first is only a guess, and the interval ends there.
    pub(crate) fn elo(&self) -> (f64, f64) {
        let n = self.n_games().max(1) as f64;
        // If all games are won, the difference would be infinite; count half a game
        // as not won.
        let limit = |mean: f64| mean.clamp(0.5 / n, 1.0 - 0.5 / n);
        let margin = NORMAL_95 * self.deviation();
        let mean = limit(self.mean());
        let low = elo_of(limit(mean - margin));
        let high = elo_of(limit(mean + margin));
        let elo = elo_of(mean);
        match self.shutout_bound() {
            Some(bound) => (elo, (elo - bound).abs()),
            None => (elo, (high - low) / 2.0),
        }
    }

    /// The log-likelihood ratio of `elo1` against `elo0`.
    pub(crate) fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        let n_pairs: u64 = self.pairs.iter().sum();
        // Wins alone have no variance, so one more pair is counted as drawn.
        let mut pairs = self.pairs;
        pairs[2] += 1;
        let mean = (self.mean() * n_pairs as f64 + 0.5) / (n_pairs + 1) as f64;
        let variance = variance(pairs, mean);
        if n_pairs < 2 || variance == 0.0 {
            return 0.0;
        }
        let (mean0, mean1) = (mean_of(elo0), mean_of(elo1));
        n_pairs as f64 * (mean1 - mean0) * (2.0 * self.mean() - mean0 - mean1) / (2.0 * variance)
    }

    /// The sequential probability ratio test: whether the difference is `elo1`
    /// rather than `elo0`, or `None` if there are too few games.
    pub(crate) fn sprt(&self, elo0: f64, elo1: f64) -> Option<bool> {
        let ratio = self.log_likelihood_ratio(elo0, elo1);
        if ratio >= SPRT_BOUND {
            Some(true)
        } else if ratio <= -SPRT_BOUND {
            Some(false)
        } else {
            None
        }
    }
}

/// The mean squared deviation of pairs from `mean`.
fn variance(pairs: [u64; 5], mean: f64) -> f64 {
    let n_pairs: u64 = pairs.iter().sum();
    let squares = pairs.iter().enumerate().map(|(half_points, &n)| {
        let difference = half_points as f64 / 4.0 - mean;
        n as f64 * difference * difference
    });
    squares.sum::<f64>() / n_pairs.max(1) as f64
}

/// The smallest share of wins with which at most `n_missed` of `n` games are not won in one
/// case of forty.
fn least_share(n: u64, n_missed: u64) -> f64 {
    let chance = |share: f64| -> f64 {
        let mut term = share.powf(n as f64);
        let mut sum = term;
        for missed in 1..=n_missed {
            term *= (n - missed + 1) as f64 / missed as f64 * (1.0 - share) / share;
            sum += term;
        }
        sum
    };
    // The chance grows with the share, so halve the interval until it is narrow.
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if chance(middle) < 0.025 {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The Elo difference for an expected score per game.
fn elo_of(mean: f64) -> f64 {
    -400.0 * (1.0 / mean - 1.0).log10()
}

/// The expected score per game for an Elo difference.
fn mean_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::Score;

    fn score(pairs: &[(usize, usize, u64)]) -> Score {
        let mut score = Score::default();
        for &(first, second, n) in pairs {
            for _ in 0..n {
                score.add_pair(first, second);
            }
        }
        score
    }

    #[test]
    fn three_points_of_four_are_191_elo() {
        let (elo, error) = score(&[(2, 2, 50), (2, 0, 50)]).elo();
        assert!((elo - 190.8).abs() < 0.1, "{elo}");
        assert!((30.0..80.0).contains(&error), "{error}");
    }

    #[test]
    fn even_is_even_and_a_pair_that_cancels_out_says_so_surely() {
        let (elo, error) = score(&[(2, 0, 100)]).elo();
        assert_eq!(elo.round(), 0.0);
        let (_, wild_error) = score(&[(2, 2, 50), (0, 0, 50)]).elo();
        assert!(error < wild_error);
    }

    #[test]
    fn nothing_but_wins_is_finite() {
        let (elo, error) = score(&[(2, 2, 50)]).elo();
        assert!(elo > 700.0 && elo.is_finite() && error.is_finite());
    }

    #[test]
    fn a_shutout_has_an_exact_bound() {
        let bound = score(&[(2, 2, 10)]).shutout_bound().expect("a bound");
        assert!((bound - 277.4).abs() < 0.1, "{bound}");
        assert_eq!(score(&[(0, 0, 10)]).shutout_bound(), Some(-bound));
        assert_eq!(score(&[]).shutout_bound(), None);
        let (elo, error) = score(&[(2, 2, 10)]).elo();
        assert!((elo - error - bound).abs() < 0.1, "{elo} ± {error}");
    }

    /// The quantiles are those of the beta distribution, from a table.
    #[test]
    fn a_draw_beside_wins_alone_has_an_exact_bound_as_well() {
        let bound = score(&[(2, 2, 19), (2, 1, 1)])
            .shutout_bound()
            .expect("a bound");
        assert!((bound - 328.2).abs() < 0.5, "{bound}");
        let lost = score(&[(0, 0, 19), (0, 1, 1)]);
        assert_eq!(lost.shutout_bound(), Some(-bound));
        // Draws all over say how close the players are.
        assert_eq!(score(&[(2, 1, 1), (1, 1, 50)]).shutout_bound(), None);
        assert_eq!(score(&[(2, 2, 48), (2, 0, 2)]).shutout_bound(), None);
    }

    #[test]
    fn a_test_of_nothing_but_wins_comes_to_an_end() {
        assert_eq!(score(&[(2, 2, 2)]).sprt(0.0, 10.0), None);
        assert_eq!(score(&[(2, 2, 20)]).sprt(0.0, 10.0), Some(true));
        assert_eq!(score(&[(0, 0, 20)]).sprt(0.0, 10.0), Some(false));
        // Draws alone eventually show that there is no difference.
        assert_eq!(score(&[(1, 1, 3)]).sprt(-10.0, 10.0), None);
    }

    #[test]
    fn a_lone_game_counts() {
        let mut score = score(&[(2, 0, 1)]);
        score.add_single(2);
        assert_eq!((score.n_games(), score.wins), (3, 2));
        let (elo, error) = score.elo();
        assert!(elo > 0.0 && error.is_finite());
    }

    #[test]
    fn a_test_decides_when_it_has_seen_enough() {
        assert_eq!(score(&[(2, 1, 5), (0, 1, 3)]).sprt(0.0, 10.0), None);
        assert_eq!(
            score(&[(2, 1, 300), (0, 1, 100)]).sprt(0.0, 10.0),
            Some(true)
        );
        assert_eq!(
            score(&[(2, 1, 100), (0, 1, 300)]).sprt(0.0, 10.0),
            Some(false)
        );
    }
}
