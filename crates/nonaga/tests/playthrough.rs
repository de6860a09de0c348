//! One whole match of each variant as text.

use expect_test::expect_file;
use nonaga::{Nonaga, Setup, Variant};
use testkit::playthrough;

#[test]
fn standard() {
    let text = playthrough::<Nonaga>(Setup::default(), 1);
    expect_file!["playthrough.txt"].assert_eq(&text);
}

#[test]
fn published() {
    let variant = Variant::Published;
    let text = playthrough::<Nonaga>(Setup { variant }, 2);
    expect_file!["playthrough-published.txt"].assert_eq(&text);
}
