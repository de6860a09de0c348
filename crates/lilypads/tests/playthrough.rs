//! One whole match as text.

use expect_test::expect_file;
use lilypads::{Lilypads, Setup};
use testkit::playthrough;

#[test]
fn board_42() {
    let text = playthrough::<Lilypads>(Setup { board: 42 }, 1);
    expect_file!["playthrough.txt"].assert_eq(&text);
}
