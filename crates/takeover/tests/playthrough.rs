//! One whole match of each variant as text.

use expect_test::expect_file;
use takeover::{Setup, Takeover, Variant};
use testkit::playthrough;

#[test]
fn standard() {
    let setup = Setup {
        board: 42,
        ..Setup::default()
    };
    expect_file!["playthrough.txt"].assert_eq(&playthrough::<Takeover>(setup, 1));
}

#[test]
fn ataxx() {
    let setup = Setup {
        variant: Variant::Ataxx,
        board: 1,
    };
    expect_file!["playthrough-ataxx.txt"].assert_eq(&playthrough::<Takeover>(setup, 2));
}
