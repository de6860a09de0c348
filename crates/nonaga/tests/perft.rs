//! Node counts by the fast generator; `reference.rs` counts them plainly.

use expect_test::expect_file;
use nonaga::Nonaga;
use testkit::check_perft;

#[test]
fn fast_counts() {
    check_perft::<Nonaga>(&expect_file!["nonaga.perft"]);
}
