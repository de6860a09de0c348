//! Repeats the searches of `tests/searches.txt` and compares the results. It is made for
//! WebAssembly, where a program has neither arguments nor output: each call of `main` takes the
//! next search, and its exit status reports whether the result is the recorded one. Natively one
//! call takes all of them, several times, and prints the least processor time of each.
//! `cargo xtask speed` runs both.

#[path = "../tests/searches/mod.rs"]
mod searches;

use std::process::ExitCode;

use searches::{BAR, answer};

/// The searches, a line each.
const RECORDED: &str = include_str!("../tests/searches.txt");

/// Whether search `n` has the recorded result.
fn is_same(n: usize) -> bool {
    let line = RECORDED.lines().nth(n).unwrap_or_default();
    let fields: Vec<&str> = line.split(BAR).collect();
    match &fields[..] {
        [_, lines @ .., expected] => answer(lines.iter().copied()) == *expected,
        _ => false,
    }
}

#[cfg(target_arch = "wasm32")]
fn main() -> ExitCode {
    use std::sync::atomic::{AtomicUsize, Ordering};

    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let n = NEXT.fetch_add(1, Ordering::Relaxed) % RECORDED.lines().count();
    match is_same(n) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> ExitCode {
    use std::{io::Write, time::Duration};

    use cpu_time::ProcessTime;

    const N_ROUNDS: u32 = 5;
    let mut least = vec![Duration::MAX; RECORDED.lines().count()];
    for _ in 0..N_ROUNDS {
        for (n, least) in least.iter_mut().enumerate() {
            let start = ProcessTime::now();
            if !is_same(n) {
                return ExitCode::FAILURE;
            }
            *least = start.elapsed().min(*least);
        }
    }
    for time in least {
        // Whoever reads it may be gone.
        writeln!(std::io::stdout(), "{:.6}", time.as_secs_f64()).ok();
    }
    ExitCode::SUCCESS
}
