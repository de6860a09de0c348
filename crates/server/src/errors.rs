//! The log of store errors, for the operator.

use std::{
    collections::HashMap,
    io::Write,
    sync::{Mutex, PoisonError},
};

use store::{Millis, StoreError};

/// The time between two lines about the same error.
const EVERY: Millis = 60_000;

/// The largest number of distinct errors in that time; others are only counted.
const MOST: usize = 100;

/// The longest text of an error, in characters.
const LONGEST: usize = 200;

/// The errors that were logged lately.
#[derive(Default)]
pub(crate) struct ErrorLog(Mutex<HashMap<String, Logged>>);

struct Logged {
    time: Millis,
    /// How often the error was repeated since.
    n_repeated: u64,
}

impl ErrorLog {
    /// Prints an error to stderr, unless that was done in the last minute.
    pub(crate) fn report(&self, error: &StoreError, now: Millis) {
        if let Some(line) = self.line(error, now) {
            // There is nobody to report to if stderr is closed.
            writeln!(std::io::stderr(), "{line}").ok();
        }
    }

    /// The line for an error; `None` if it was logged in the last minute.
    fn line(&self, error: &StoreError, now: Millis) -> Option<String> {
        // Further lines of a database may have the data of a row.
        let text = error.to_string();
        let text = text.lines().next().unwrap_or_default();
        let text: String = text.chars().take(LONGEST).collect();
        let mut errors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = |logged: &Logged| now < logged.time + EVERY;
        let n_repeated = match errors.get_mut(&text) {
            Some(logged) if is_new(logged) => {
                logged.n_repeated += 1;
                return None;
            }
            Some(logged) => logged.n_repeated,
            None => 0,
        };
        if errors.len() >= MOST {
            errors.retain(|_, logged| is_new(logged));
            if errors.len() >= MOST {
                return None;
            }
        }
        let line = match n_repeated {
            0 => format!("error: {text}"),
            n => format!("error: {text} ({n} more times since it was last reported)"),
        };
        let logged = Logged {
            time: now,
            n_repeated: 0,
        };
        errors.insert(text, logged);
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unavailable(why: &str) -> StoreError {
        StoreError::Unavailable(why.to_owned())
    }

    #[test]
    fn an_error_is_a_line_a_minute() {
        let log = ErrorLog::default();
        let (one, other) = (unavailable("no answer"), unavailable("no disk"));
        let line = "error: the store is unavailable: no answer";
        assert_eq!(log.line(&one, 1_000).as_deref(), Some(line));
        for now in 1_000..1_010 {
            assert_eq!(log.line(&one, now), None);
        }
        assert!(log.line(&other, 1_010).is_some());
        assert_eq!(log.line(&one, 60_999), None);
        let again = format!("{line} (11 more times since it was last reported)");
        assert_eq!(log.line(&one, 61_000), Some(again));
        assert_eq!(log.line(&one, 61_001), None);
        assert_eq!(log.line(&other, 61_001), None);
    }

    #[test]
    fn a_line_has_no_data() {
        let log = ErrorLog::default();
        let error = "db error: ERROR: duplicate key\nDETAIL: Key (token_hash)=(5ec4e7)";
        let line = log.line(&StoreError::Broken(error.to_owned()), 0).unwrap();
        assert!(line.ends_with("duplicate key"), "{line}");
        let line = log.line(&unavailable(&"x".repeat(10_000)), 0).unwrap();
        assert!(line.len() < 300, "{line}");
    }

    #[test]
    fn a_flood_of_errors_is_cut() {
        let log = ErrorLog::default();
        let n_lines = |now| {
            let errors = (0..1_000).map(|i| unavailable(&i.to_string()));
            errors.filter_map(|error| log.line(&error, now)).count()
        };
        assert_eq!(n_lines(0), MOST);
        assert_eq!(n_lines(EVERY), MOST);
        assert!(log.0.lock().unwrap().len() <= MOST);
    }
}
