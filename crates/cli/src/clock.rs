//! The clocks that thinking is measured by.

use std::{
    sync::LazyLock,
    time::{Duration, Instant},
};

use clap::ValueEnum;
use engine::Clock;

/// What counts as time in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TimeKind {
    /// The time that passes.
    Wall,
    /// The time that a processor works for the player (Linux).
    Cpu,
}

impl TimeKind {
    /// Whether it can be measured on this machine.
    pub(crate) fn is_available(self) -> bool {
        self == Self::Wall || cpu::THREAD.is_some()
    }

    /// A clock for what the calling thread does.
    pub(crate) fn thread_clock(self) -> Clock {
        match self {
            Self::Wall => now,
            Self::Cpu => cpu::THREAD.unwrap_or(now),
        }
    }

    /// The time of the process `id` since some fixed moment; `None` if it has ended and its
    /// time can't be read anymore.
    pub(crate) fn of_process(self, id: u32) -> Option<Duration> {
        match self {
            Self::Wall => Some(now()),
            Self::Cpu => cpu::of_process(id),
        }
    }

    /// As `--clock` and `--json` have it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Cpu => "cpu",
        }
    }
}

/// The time since the first call.
pub(crate) fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// The time that processors have worked for this process, where it can be measured.
pub(crate) const PROCESS: Option<Clock> = cpu::PROCESS;

#[cfg(target_os = "linux")]
mod cpu {
    use std::{fs, time::Duration};

    use engine::Clock;
    use rustix::{
        param::clock_ticks_per_second,
        time::{ClockId, clock_gettime},
    };

    pub(super) const THREAD: Option<Clock> = Some(|| read(ClockId::ThreadCPUTime));
    pub(super) const PROCESS: Option<Clock> = Some(|| read(ClockId::ProcessCPUTime));

    fn read(clock: ClockId) -> Duration {
        // These clocks are never negative.
        Duration::try_from(clock_gettime(clock)).unwrap_or_default()
    }

    /// All threads of the process count, also those that have ended. The system counts in
    /// hundredths of a second.
    pub(super) fn of_process(id: u32) -> Option<Duration> {
        let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let ticks = ticks(&text)?;
        Some(Duration::from_nanos(
            1_000_000_000 / clock_ticks_per_second() * ticks,
        ))
    }

    /// The time in user and system mode, the 14th and 15th field of `stat`. The name of the
    /// program, the second field, may have spaces and parentheses.
    fn ticks(stat: &str) -> Option<u64> {
        let (_, rest) = stat.rsplit_once(") ")?;
        let mut fields = rest.split(' ').skip(11);
        let user: u64 = fields.next()?.parse().ok()?;
        let system: u64 = fields.next()?.parse().ok()?;
        Some(user + system)
    }

    #[cfg(test)]
    mod tests {
        use std::{hint::black_box, process, time::Duration};

        use super::{PROCESS, THREAD, of_process, ticks};
        use crate::clock::now;

        #[test]
        fn names_of_programs_do_not_matter() {
            let numbers = "S 1 2 3 4 5 6 7 8 9 10 120 34 55 66 20 0 1 0 77";
            for name in ["sh", "a b", "a) R (b", ""] {
                assert_eq!(ticks(&format!("42 ({name}) {numbers}")), Some(154));
            }
            for text in [
                "",
                "42 (sh)",
                "42 (sh) S 1 2 3",
                "42 (sh) S 1 2 3 4 5 6 7 8 9 10 x y",
            ] {
                assert_eq!(ticks(text), None);
            }
        }

        /// A thread never works longer than time passes, and a process at least as long as one
        /// of its threads.
        #[test]
        fn clocks_agree_with_each_other() {
            let (thread, process) = (THREAD.unwrap(), PROCESS.unwrap());
            let (start, worked) = (now(), thread());
            while thread() < worked + Duration::from_millis(30) {
                black_box(mixed(1));
            }
            let worked = thread() - worked;
            assert!(worked <= now() - start);
            assert!(worked <= process());
            // Two fields, each rounded down to a tick.
            let ticks = Duration::from_millis(20);
            let before = process();
            let read = of_process(process::id()).unwrap();
            assert!(before <= read + ticks && read <= process());
        }

        fn mixed(n: u64) -> u64 {
            (0..1_000).fold(n, |n, k| rules::mix(n ^ k))
        }

        #[test]
        fn a_process_that_is_not_there_has_no_time() {
            assert_eq!(of_process(u32::MAX), None);
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod cpu {
    use std::time::Duration;

    use engine::Clock;

    pub(super) const THREAD: Option<Clock> = None;
    pub(super) const PROCESS: Option<Clock> = None;

    pub(super) fn of_process(_: u32) -> Option<Duration> {
        None
    }
}
