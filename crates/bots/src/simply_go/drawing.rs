//! Positions drawn in tests.

use std::fmt::Write;

use simply_go::SimplyGo;

/// Parses the rows of a board, from the top: `b` and `w` stones, `B` and `W` points
/// inside forts, `.` empty. `rest` is the rest of the position's text.
#[track_caller]
pub(crate) fn drawn(rows: &str, rest: &str) -> SimplyGo {
    let mut text = String::new();
    for row in rows.split_whitespace() {
        if !text.is_empty() {
            text.push('/');
        }
        let mut n_empty = 0;
        for spot in row.chars().chain([' ']) {
            if spot == '.' {
                n_empty += 1;
                continue;
            }
            if n_empty > 0 {
                write!(text, "{n_empty}").unwrap();
                n_empty = 0;
            }
            text.extend([spot].iter().filter(|&&spot| spot != ' '));
        }
    }
    let text = format!("{text} {rest}");
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}
