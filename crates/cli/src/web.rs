//! `parlour web`: the page on this machine.

use std::{io::Write, process::Command};

use page::Server;

use crate::args::WebArgs;

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

/// Serves the page until somebody stops it.
pub(crate) fn run(args: &WebArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let server = Server::new(page::files(), args.port)?;
    let address = format!("http://{}/", server.address()?);
    writeln!(out, "{address}")?;
    if !args.no_open && !open(&address) {
        writeln!(out, "no browser could be started; open this address in one")?;
    }
    out.flush()?;
    Ok(server.run()?)
}

/// Opens `address` in a browser, if there is one.
fn open(address: &str) -> bool {
    OPENERS.iter().any(|opener| {
        let [program, args @ ..] = opener else {
            return false;
        };
        let mut command = Command::new(program);
        command.args(args).arg(address);
        // What the browser has to say is of no use here.
        command.stdin(std::process::Stdio::null());
        command.stdout(std::process::Stdio::null());
        command.stderr(std::process::Stdio::null());
        command.spawn().is_ok()
    })
}
