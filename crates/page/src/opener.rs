use std::process::{Command, Stdio};

/// What opens an address, by system.
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
        // What the browser has to say is of no use here.
        command.stdin(Stdio::null());
        command.stdout(Stdio::null());
        command.stderr(Stdio::null());
        command.spawn().is_ok()
    })
}
