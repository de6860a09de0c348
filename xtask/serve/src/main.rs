//! Serves the page from a folder during development.
//!
//! `parlour-serve FOLDER PORT [--no-open]` answers like `parlour web`, with the same
//! headers, but with the current files in `FOLDER`, and reloads the page in every
//! browser when they change. Online matches are kept in memory. It exits when its standard input is closed, so that it
//! never outlives `cargo xtask play`.

mod folder;

use std::{
    io::{Read, Write},
    net::Ipv4Addr,
    sync::Arc,
    thread,
};

use anyhow::{Context, bail};
use server::{Config, Hub, NoBus};
use store::MemoryStore;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (folder, port, is_opened) = match args[..] {
        [folder, port] => (folder, port, true),
        [folder, port, "--no-open"] => (folder, port, false),
        _ => bail!("expected FOLDER PORT [--no-open]"),
    };
    let port: u16 = port.parse().context("expected a port")?;
    let files = folder::app(folder.into())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let listening = server::listen((Ipv4Addr::LOCALHOST, port).into())?;
    let address = format!("http://{}/", listening.address);
    let mut out = std::io::stdout();
    writeln!(out, "{address}")?;
    if is_opened && !page::open_browser(&address) {
        writeln!(out, "no browser could be started; open this address in one")?;
    }
    out.flush()?;
    thread::spawn(|| {
        // Only the end of the input matters.
        std::io::stdin().read_to_end(&mut Vec::new()).ok();
        std::process::exit(0);
    });
    runtime.block_on(async {
        let config = Config {
            url: listening.address.into(),
            proxies: Vec::new(),
            files: &[],
        };
        let hub = Hub::new(config, Arc::new(MemoryStore::new()), Arc::new(NoBus)).await?;
        let app = hub.app_with(files);
        Ok(server::serve_app(hub, app, listening, None, std::future::pending()).await?)
    })
}
