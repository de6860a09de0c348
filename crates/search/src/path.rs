use rules::Position;

/// Repetition keys of the positions from the start of the match to the current node.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    keys: Vec<u64>,
    /// How many of the positions come before the root.
    n_played: usize,
    /// Counts of keys, hashed into few buckets: 0 rules out a repetition at once.
    counts: Box<[u8; N_COUNTS]>,
}

const N_COUNTS: usize = 1 << 12;

impl Path {
    /// `played` holds the repetition keys of the positions before the root.
    pub(crate) fn new(played: &[u64]) -> Self {
        let mut path = Self {
            keys: Vec::with_capacity(played.len() + 64),
            n_played: 0,
            counts: Box::new([0; N_COUNTS]),
        };
        for &key in played {
            path.push_key(key);
        }
        path.n_played = played.len();
        path
    }

    fn push_key(&mut self, key: u64) {
        self.keys.push(key);
        let count = &mut self.counts[key as usize % N_COUNTS];
        *count = count.saturating_add(1);
    }

    pub(crate) fn push<P: Position>(&mut self, position: &P) {
        if let Some(key) = position.repetition_key() {
            self.push_key(key);
        }
    }

    pub(crate) fn pop<P: Position>(&mut self, position: &P) {
        if position.repetition_key().is_some()
            && let Some(key) = self.keys.pop()
        {
            let count = &mut self.counts[key as usize % N_COUNTS];
            // Saturated counts stay saturated.
            if *count < u8::MAX {
                *count -= 1;
            }
        }
    }

    /// Whether `position` counts as a draw by repetition: it occurred in the search,
    /// or twice before it.
    #[inline]
    pub(crate) fn repeats<P: Position>(&self, position: &P) -> bool {
        let Some(key) = position.repetition_key() else {
            return false;
        };
        if self.counts[key as usize % N_COUNTS] == 0 {
            return false;
        }
        let (played, searched) = self.keys.split_at(self.n_played);
        searched.contains(&key) || played.iter().filter(|&&other| other == key).count() >= 2
    }
}
