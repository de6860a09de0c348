//! Node counts by the fast generator; `reference.rs` counts them plainly.

use expect_test::expect_file;
use takeover::Takeover;
use testkit::check_perft;

#[test]
fn fast_counts() {
    check_perft::<Takeover>(&expect_file!["takeover.perft"]);
}
