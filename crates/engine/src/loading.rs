use bots::WeightFile;

/// A file of weights that the host is asked to fetch.
#[derive(Clone, Copy, Debug)]
pub struct Fetch {
    /// The file.
    pub file: &'static WeightFile,
    /// Whether it was fetched before and could not be used: what was kept of it may be
    /// damaged.
    pub is_again: bool,
}

/// The files of weights that an engine has from its host.
#[derive(Debug, Default)]
pub(crate) struct Loading {
    /// Those that were asked for.
    files: Vec<(&'static WeightFile, State)>,
}

/// How far a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// The host will be asked for it.
    Wanted { is_again: bool },
    /// The host was asked for it.
    Fetching { is_again: bool },
    /// It is there.
    Loaded,
    /// The host could not fetch it. Nothing waits for it until it is wanted again.
    Failed,
}

impl Loading {
    fn state(&self, file: &WeightFile) -> Option<State> {
        let mut files = self.files.iter();
        let known = files.find(|(known, _)| known.name() == file.name());
        known.map(|(_, state)| *state)
    }

    fn set(&mut self, file: &'static WeightFile, state: State) {
        self.files.retain(|(known, _)| known.name() != file.name());
        self.files.push((file, state));
    }

    /// Asks for a file, again if an earlier fetch failed.
    pub(crate) fn want(&mut self, file: &'static WeightFile) {
        match self.state(file) {
            None => self.set(file, State::Wanted { is_again: false }),
            Some(State::Failed) => self.set(file, State::Wanted { is_again: true }),
            Some(State::Wanted { .. } | State::Fetching { .. } | State::Loaded) => {}
        }
    }

    /// Whether it is worth waiting for a file. One that was never asked for is asked for.
    pub(crate) fn is_awaited(&mut self, file: &'static WeightFile) -> bool {
        if self.state(file).is_none() {
            self.want(file);
        }
        self.is_coming(file)
    }

    /// Whether the host is to fetch the file, or does.
    pub(crate) fn is_coming(&self, file: &WeightFile) -> bool {
        let state = self.state(file);
        matches!(state, Some(State::Wanted { .. } | State::Fetching { .. }))
    }

    pub(crate) fn is_loaded(&self, file: &WeightFile) -> bool {
        self.state(file) == Some(State::Loaded)
    }

    /// The next file that the host has to fetch.
    pub(crate) fn next(&mut self) -> Option<Fetch> {
        let (file, is_again) = self.files.iter().find_map(|&(file, state)| match state {
            State::Wanted { is_again } => Some((file, is_again)),
            _ => None,
        })?;
        self.set(file, State::Fetching { is_again });
        Some(Fetch { file, is_again })
    }

    /// Asks once more for a file that came damaged, since a cache may have kept it like that.
    /// False if that was tried already.
    pub(crate) fn retry(&mut self, file: &'static WeightFile) -> bool {
        let is_first = self.state(file) == Some(State::Fetching { is_again: false });
        if is_first {
            self.set(file, State::Wanted { is_again: true });
        }
        is_first
    }

    /// Notes how a fetch ended.
    pub(crate) fn end(&mut self, file: &'static WeightFile, is_loaded: bool) {
        let state = if is_loaded {
            State::Loaded
        } else {
            State::Failed
        };
        self.set(file, state);
    }
}
