//! Checks of the Lilypads solver beyond the tests of its crate.

use std::fs;

use crate::{
    install,
    run::{cargo, program, root, say},
    wasm,
};

const PACKAGE: &str = "parlour-lilypads-solver";
const SCRIPT: &str = include_str!("solver.mjs");

/// Solves `n_boards` boards in WebAssembly, under Node.js, and compares the
/// tablebases with those of native code.
pub(crate) fn compare_wasm(n_boards: u32) -> anyhow::Result<()> {
    say(&format!(
        "solving {n_boards} boards of Lilypads in WebAssembly"
    ));
    compare_example(PACKAGE, "tables", n_boards, "board")
}

/// Runs an example that compares WebAssembly with native code, `count` times.
pub(crate) fn compare_example(
    package: &str,
    example: &str,
    count: u32,
    name: &str,
) -> anyhow::Result<()> {
    install::node()?;
    let path = wasm::build_example(package, example)?;
    let path = path.to_string_lossy();
    let count = count.to_string();
    let eval = ["--input-type=module", "--eval", SCRIPT, "--"];
    let args = [&eval[..], &[&path, &count, name]].concat();
    say(&program("node", &args).output()?);
    Ok(())
}

/// Verifies every position of `n_boards` boards against its moves.
pub(crate) fn check_states(n_boards: u32) -> anyhow::Result<()> {
    for number in 0..n_boards {
        let number = number.to_string();
        let run = ["run", "--release", "--package", "parlour-cli", "--"];
        cargo(&[&run[..], &["solve", &number, "--check"]].concat()).check()?;
    }
    Ok(())
}

const REPORT: &str = "docs/lilypads-boards.md";
const FAIR_BOARDS: &str = "crates/lilypads/src/fair-boards.txt";

/// The numbers of the fair boards in the report's last table, a line each.
fn fair_boards(report: &str) -> String {
    let rows = report
        .lines()
        .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let fair = rows.filter_map(|row| match row[..] {
        [_, number, _, _, _, _, _, "yes", _, _] => Some(format!("{number}\n")),
        _ => None,
    });
    fair.collect()
}

/// Writes the report on the first 200 boards, and the list of the fair ones.
pub(crate) fn report_boards() -> anyhow::Result<()> {
    let run = [
        "run",
        "--release",
        "--package",
        PACKAGE,
        "--example",
        "boards",
    ];
    let report = cargo(&run).output()?;
    fs::write(root().join(FAIR_BOARDS), fair_boards(&report))?;
    fs::write(root().join(REPORT), report + "\n")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{FAIR_BOARDS, REPORT, fair_boards};
    use crate::run::root;

    #[test]
    fn the_list_of_fair_boards_is_that_of_the_report() {
        let read = |path| fs::read_to_string(root().join(path)).unwrap();
        let list = read(FAIR_BOARDS);
        assert!(list.lines().count() > 50);
        assert_eq!(list, fair_boards(&read(REPORT)));
    }
}
