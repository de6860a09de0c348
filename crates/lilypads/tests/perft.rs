//! Node counts by the fast generator; `reference.rs` counts them plainly.

use expect_test::expect_file;
use lilypads::Lilypads;
use testkit::check_perft;

#[test]
fn fast_counts() {
    check_perft::<Lilypads>(&expect_file!["lilypads.perft"]);
}
