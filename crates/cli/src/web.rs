//! `parlour web`: serves the page and online play on this machine.

use std::{
    env,
    io::{self, Write},
    net::Ipv4Addr,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, anyhow, bail};
use server::{Hub, NoBus, ServeError};
use store::{MemoryStore, SqliteStore, Store};

use crate::{
    args::WebArgs,
    serve::{local_config, runtime, serve},
};

/// Serves the page until it is stopped.
pub(crate) fn run(args: &WebArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let runtime = runtime()?;
    runtime.block_on(async {
        let listening = server::listen((Ipv4Addr::LOCALHOST, args.port).into());
        let listening =
            listening.map_err(|ServeError::Listen { error, .. }| match error.kind() {
                io::ErrorKind::AddrInUse => anyhow!(
                    "port {} is in use; another one can be chosen with --port, 0 for any that is free",
                    args.port
                ),
                _ => anyhow!("can't serve on port {}: {error}", args.port),
            })?;
        if page::files().is_empty() {
            bail!("this program was built without the page; cargo xtask play builds both");
        }
        let store = open_store(args.data.as_deref(), out)?;
        let hub = Hub::new(local_config(listening.address), store, Arc::new(NoBus)).await?;
        let address = format!("http://{}/", listening.address);
        writeln!(out, "{address}")?;
        if !args.no_open && !page::open_browser(&address) {
            writeln!(out, "no browser could be started; open this address in one")?;
        }
        out.flush()?;
        serve(hub, listening, None).await
    })
}

/// Opens the file with online matches. One that was asked for has to work; without the user's
/// data directory matches are kept in memory, and a warning is printed.
fn open_store(data: Option<&Path>, out: &mut impl Write) -> anyhow::Result<Arc<dyn Store>> {
    let open = |directory: &Path| -> anyhow::Result<Arc<dyn Store>> {
        std::fs::create_dir_all(directory)
            .with_context(|| format!("can't create {}", directory.display()))?;
        let path = directory.join("online.db");
        let store = SqliteStore::open(&path);
        Ok(Arc::new(store.with_context(|| {
            format!("can't open {}", path.display())
        })?))
    };
    if let Some(directory) = data {
        return open(directory);
    }
    let opened = match data_directory() {
        Some(directory) => open(&directory),
        None => Err(anyhow::anyhow!("there is no data directory")),
    };
    opened.or_else(|error| {
        writeln!(
            out,
            "online matches are kept only while this runs: {error:#}"
        )?;
        Ok(Arc::new(MemoryStore::new()) as Arc<dyn Store>)
    })
}

/// Where programs keep the user's data on this system.
fn data_directory() -> Option<PathBuf> {
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let home = || variable("HOME").map(PathBuf::from);
    let base = if cfg!(windows) {
        variable("APPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        let data = variable("XDG_DATA_HOME").map(PathBuf::from);
        data.or_else(|| home().map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("parlour"))
}
