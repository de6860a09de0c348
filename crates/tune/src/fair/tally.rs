use rules::{Outcome, Player};

/// The results of matches from one start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) first: u32,
    pub(crate) draws: u32,
    pub(crate) second: u32,
    /// The number of matches that differ in a move from all others.
    pub(crate) n_different: u32,
}

/// The ends of the 95 % interval of a share of the points of `n` matches, after Wilson, from 0
/// to 1.
pub(crate) fn interval(share: f64, n: f64) -> [f64; 2] {
    const Z: f64 = 1.96;
    let scale = 1.0 + Z * Z / n;
    let middle = (share + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    [(middle - half).max(0.0), (middle + half).min(1.0)]
}

impl Tally {
    pub(crate) fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win(Player::First) => self.first += 1,
            Outcome::Win(Player::Second) => self.second += 1,
            Outcome::Draw => self.draws += 1,
        }
    }

    /// All results of `tallies` together.
    pub(crate) fn sum<'a>(tallies: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut all = Self::default();
        for tally in tallies {
            all.first += tally.first;
            all.draws += tally.draws;
            all.second += tally.second;
            all.n_different += tally.n_different;
        }
        all
    }

    pub(crate) fn n_matches(&self) -> u32 {
        self.first + self.draws + self.second
    }

    /// First's share of the points, from 0 to 1; a draw is half a point.
    pub(crate) fn share(&self) -> f64 {
        f64::from(2 * self.first + self.draws) / f64::from(2 * self.n_matches().max(1))
    }

    /// The variance of the points of a match.
    fn variance(&self) -> f64 {
        let n = f64::from(self.n_matches().max(1));
        let squares = (f64::from(self.first) + 0.25 * f64::from(self.draws)) / n;
        (squares - self.share().powi(2)).max(0.0)
    }

    /// The variance of the share from one sample of matches to another.
    fn sampling_variance(&self) -> f64 {
        self.variance() / f64::from(self.n_matches().max(1))
    }

    /// The ends of the 95 % interval of the share, after Wilson, from 0 to 1.
    ///
    /// A draw counts as half a win, so the interval is too wide rather than too
    /// narrow if there are draws.
    pub(crate) fn interval(&self) -> [f64; 2] {
        interval(self.share(), f64::from(self.n_matches().max(1)))
    }

    /// Whether First's share is at most `points` percent off one half.
    pub(crate) fn is_within(&self, points: u32) -> bool {
        let off = (2 * self.first + self.draws).abs_diff(self.n_matches());
        100 * off <= 2 * points * self.n_matches()
    }

    pub(crate) fn line(&self) -> String {
        let [low, high] = self.interval().map(|end| 100.0 * end);
        format!(
            "+{} ={} -{}, {:.1} % ({low:.1} to {high:.1}), {} different",
            self.first,
            self.draws,
            self.second,
            100.0 * self.share(),
            self.n_different
        )
    }
}

/// The standard deviation of the boards' true shares: that of the measured ones, less
/// what is due to sampling.
pub(crate) fn spread(tallies: &[&Tally]) -> f64 {
    let n = tallies.len().max(2) as f64;
    let mean = tallies.iter().map(|tally| tally.share()).sum::<f64>() / n;
    let squares = tallies.iter().map(|tally| (tally.share() - mean).powi(2));
    let variance = squares.sum::<f64>() / (n - 1.0);
    let sampling = tallies.iter().map(|tally| tally.sampling_variance());
    (variance - sampling.sum::<f64>() / n).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::{Tally, spread};

    fn tally(first: u32, draws: u32, second: u32) -> Tally {
        Tally {
            first,
            draws,
            second,
            n_different: 0,
        }
    }

    #[test]
    fn a_draw_is_half_a_point() {
        assert_eq!(tally(1, 2, 1).share(), 0.5);
        assert_eq!(tally(3, 2, 1).share(), 4.0 / 6.0);
    }

    #[test]
    fn the_tolerance_includes_its_end() {
        assert!(tally(55, 0, 45).is_within(5));
        assert!(tally(44, 2, 54).is_within(5));
        assert!(!tally(44, 1, 55).is_within(5));
    }

    #[test]
    fn a_shutout_has_an_interval() {
        let [low, high] = tally(20, 0, 0).interval();
        assert!(high == 1.0 && (0.83..0.85).contains(&low), "{low}");
        let [low, high] = tally(200, 0, 200).interval();
        assert!((0.450..0.452).contains(&low) && (0.548..0.550).contains(&high));
    }

    #[test]
    fn sampling_is_no_spread() {
        let equal = [tally(50, 0, 50), tally(50, 0, 50), tally(50, 0, 50)];
        assert_eq!(spread(&equal.each_ref()), 0.0);
        let apart = [tally(1_000, 0, 0), tally(0, 0, 1_000)];
        assert!((spread(&apart.each_ref()) - 0.5_f64.sqrt()).abs() < 1e-9);
    }
}
