//! `parlour web`: serves the page.

use std::io::Write;

use page::Server;

use crate::args::WebArgs;

/// Serves the page until it is stopped.
pub(crate) fn run(args: &WebArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let server = Server::new(page::files(), args.port)?;
    let address = format!("http://{}/", server.address()?);
    writeln!(out, "{address}")?;
    if !args.no_open && !page::open_browser(&address) {
        writeln!(out, "no browser could be started; open this address in one")?;
    }
    out.flush()?;
    Ok(server.run()?)
}
