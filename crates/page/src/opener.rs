use std::process::{Command, Stdio};

/// Commands that open a URL, by system.
const OPENERS: &[&[&str]] = if cfg!(target_os = "macos") {
    &[&["open"]]
} else if cfg!(windows) {
    &[&["cmd", "/c", "start", ""]]
} else {
    &[
        &["xdg-open"],
        &["sensible-browser"],
        &["chromium"],
        &["firefox"],
    ]
};

/// Opens `address` in a browser. Returns whether one could be started.
#[must_use]
pub fn open_browser(address: &str) -> bool {
    OPENERS.iter().any(|opener| {
        let [program, args @ ..] = opener else {
            return false;
        };
        let mut command = Command::new(program);
        command.args(args).arg(address);
        // The browser's output is discarded.
        command.stdin(Stdio::null());
        command.stdout(Stdio::null());
        command.stderr(Stdio::null());
        command.spawn().is_ok()
    })
}
