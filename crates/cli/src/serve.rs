//! `parlour serve`: the page and online play, for the world.

use std::{io::Write, net::SocketAddr, sync::Arc};

use anyhow::Context;
use server::{Bus, Config, Hub, Listening, NatsBus, NoBus, PublicUrl};
use store::{PostgresStore, SqliteStore, Store};

use crate::{
    args::{ServeArgs, StoreAddress},
    open_files,
};

/// Serves until a signal stops it.
pub(crate) fn run(args: &ServeArgs, out: &mut impl Write) -> anyhow::Result<()> {
    // Every socket is an open file, and the usual limit is 1,024.
    open_files::raise();
    runtime()?.block_on(async {
        let store: Arc<dyn Store> = match &args.store {
            StoreAddress::Sqlite(path) => {
                let opened = SqliteStore::open(path);
                Arc::new(opened.with_context(|| format!("can't open {}", path.display()))?)
            }
            StoreAddress::Postgres(url) => {
                let connected = PostgresStore::connect(url).await;
                Arc::new(connected.context("can't use the database")?)
            }
        };
        let bus: Arc<dyn Bus> = match &args.bus {
            Some(address) => {
                let connected = NatsBus::connect(address).await;
                connected.with_context(|| format!("can't use the bus {address}"))?
            }
            None => Arc::new(NoBus),
        };
        let metrics = args.metrics.map(server::listen).transpose()?;
        let listening = server::listen(args.listen)?;
        let url = args.public_url.clone();
        let config = Config {
            url: url.unwrap_or_else(|| listening.address.into()),
            proxies: args.proxy.clone(),
            files: page::files(),
        };
        let address = listening.address;
        let hub = Hub::new(config, store, bus).await?;
        writeln!(out, "listening on http://{address}/")?;
        if let Some(metrics) = &metrics {
            writeln!(out, "metrics on http://{}/metrics", metrics.address)?;
        }
        out.flush()?;
        serve(hub, listening, metrics).await
    })
}

/// A runtime with a thread per core.
pub(crate) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    runtime.context("can't start threads")
}

/// Serves until a signal stops it.
pub(crate) async fn serve(
    hub: Arc<Hub>,
    listening: Listening,
    metrics: Option<Listening>,
) -> anyhow::Result<()> {
    Ok(server::serve(hub, listening, metrics, stopped()).await?)
}

/// The settings of a server for this machine alone.
pub(crate) fn local_config(address: SocketAddr) -> Config {
    Config {
        url: PublicUrl::from(address),
        proxies: Vec::new(),
        files: page::files(),
    }
}

/// Completes when somebody presses Ctrl-C, or the system ends the program.
async fn stopped() {
    let interrupted = async {
        // Without a handler Ctrl-C ends the program, which is as well.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminated) = signal(SignalKind::terminate()) else {
            return interrupted.await;
        };
        tokio::select! {
            () = interrupted => {}
            _ = terminated.recv() => {}
        }
    }
    #[cfg(not(unix))]
    interrupted.await;
}
