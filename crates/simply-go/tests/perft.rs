//! Node counts by the fast generator; `reference.rs` counts them plainly.

use expect_test::expect_file;
use simply_go::SimplyGo;
use testkit::check_perft;

#[test]
fn fast_counts() {
    check_perft::<SimplyGo>(&expect_file!["simply-go.perft"]);
}
