//! One whole match as text.

use expect_test::expect_file;
use simply_go::{Mode, Setup, SimplyGo};
use testkit::playthrough;

#[test]
fn size_9() {
    let setup = Setup {
        size: 9,
        mode: Mode::Moves(100),
    };
    expect_file!["playthrough.txt"].assert_eq(&playthrough::<SimplyGo>(setup, 3));
}
