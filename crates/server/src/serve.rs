//! Serving a node on a port.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    extract::{ConnectInfo, ws::Utf8Bytes},
    http::Request,
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use protocol::ServerMessage;
use tokio::{
    sync::watch,
    time::{Instant, sleep_until, timeout},
};
use tower::ServiceExt;

use crate::{connection::Connection, hub::Hub};

/// The timeout for the head of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// After this time a connection without a WebSocket accepts no more requests, and after as long
/// again it is closed.
const LONGEST_CONNECTION: Duration = Duration::from_secs(120);
/// The period over which sockets are asked to reconnect, so that they do not all come at once.
const SPREAD: Duration = Duration::from_secs(10);
/// The longest pause between two of these requests.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);
/// The timeout for what a node that leaves stores: without it, a store that does not answer would
/// delay the end.
const GOODBYE: Duration = Duration::from_secs(5);
/// The part of it in which time is given back after an outage just before.
const MAKING_UP: Duration = Duration::from_secs(3);

/// Error when a server can't start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port can't be opened.
    #[error("can't listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        error: io::Error,
    },
}

/// An open port.
#[derive(Debug)]
pub struct Listening {
    listener: TcpListener,
    /// The address; its port is never 0.
    pub address: SocketAddr,
}

/// Opens a port; port 0 means any free one.
///
/// # Errors
///
/// Returns [`ServeError`] if it can't be opened.
pub fn listen(address: SocketAddr) -> Result<Listening, ServeError> {
    let open = || {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Listening { listener, address })
    };
    open().map_err(|error| ServeError::Listen { address, error })
}

async fn accept(
    listening: Listening,
    app: Router,
    mut stop: watch::Receiver<bool>,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listening.listener)?;
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => return Ok(()),
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            // Most often too many files are open, and some will be closed.
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        stream.set_nodelay(true).ok();
        let app = app.clone();
        tokio::spawn(async move {
            let service = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(ConnectInfo(address));
                app.clone().oneshot(request.map(axum::body::Body::new))
            });
            let served = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIMEOUT)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            let mut served = pin!(served);
            // Ends connections of clients that never read. Upgraded sockets are no longer part
            // of this future.
            if timeout(LONGEST_CONNECTION, &mut served).await.is_err() {
                served.as_mut().graceful_shutdown();
                timeout(LONGEST_CONNECTION, served).await.ok();
            }
        });
    }
}

/// Serves until `stop` completes, and then shuts down: it is not ready, sockets are asked to
/// reconnect, and it returns after 20 s at most. Requests are answered until then; new sockets are
/// refused if another node can take them, and otherwise asked to reconnect, too.
///
/// # Errors
///
/// Returns an error if a listener fails.
pub async fn serve(
    hub: Arc<Hub>,
    listening: Listening,
    metrics: Option<Listening>,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let app = hub.app();
    serve_app(hub, app, listening, metrics, stop).await
}

/// As [`serve`], with an app of the caller that contains the node's.
///
/// # Errors
///
/// Returns an error if a listener fails.
pub async fn serve_app(
    hub: Arc<Hub>,
    app: Router,
    listening: Listening,
    metrics: Option<Listening>,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let (tell, told) = watch::channel(false);
    hub.start_sweeping();
    let mut accepting = tokio::spawn(accept(listening, app, told.clone()));
    if let Some(metrics) = metrics {
        tokio::spawn(accept(metrics, hub.metrics_app(), told));
    }
    tokio::select! {
        ended = &mut accepting => return ended.unwrap_or_else(|error| Err(io::Error::other(error))),
        () = stop => {}
    }
    hub.leave();
    let connections = hub.connections();
    let over = Utf8Bytes::from(ServerMessage::Over {}.to_json());
    ask_to_reconnect(&connections, &over).await;
    // Time for running requests, and for pages to reconnect elsewhere before their sockets close.
    for _ in 0..20 {
        if hub.connections().is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    tell.send_replace(true);
    timeout(GOODBYE, hub.say_goodbye()).await.ok();
    Ok(())
}

/// Sends `over` to all sockets, spread over [`SPREAD`].
async fn ask_to_reconnect(connections: &[Arc<Connection>], over: &Utf8Bytes) {
    let n = u32::try_from(connections.len()).unwrap_or(u32::MAX);
    let spread = SPREAD.min(LONGEST_PAUSE.saturating_mul(n));
    // Timers are rounded up to milliseconds. With a time for each socket, rather than a pause after
    // it, that does not add up.
    let start = Instant::now();
    for (i, connection) in (1..=n).zip(connections) {
        connection.mention(over);
        sleep_until(start + spread.saturating_mul(i) / n).await;
    }
}

impl Hub {
    /// Removes this node from the store. The last node stays recorded, so that the next one to
    /// start knows how long there was no service.
    async fn say_goodbye(self: &Arc<Self>) {
        let beat = self.store.beat(&self.node, self.now()).await;
        self.note_result(&beat);
        if beat.is_ok() {
            self.outages.end(self.now());
        }
        // Only this process knows of its outages.
        let made_up = timeout(MAKING_UP, self.make_up_for_outages()).await;
        if let Ok(made_up) = made_up {
            self.note_result(&made_up);
        }
        if self.find_live_peer().await {
            let removed = self.store.remove_node(&self.node).await;
            self.note_result(&removed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, NoBus, request::Caller};
    use store::MemoryStore;

    /// Time is simulated, and so are the sockets, which never close.
    #[tokio::test(start_paused = true)]
    async fn a_node_with_many_sockets_leaves_within_20_s() {
        let listening = listen(([127, 0, 0, 1], 0).into()).unwrap();
        let config = Config {
            url: listening.address.into(),
            proxies: Vec::new(),
            files: &[],
        };
        let hub = Hub::new(config, Arc::new(MemoryStore::new()), Arc::new(NoBus));
        let hub = hub.await.unwrap();
        let mut queues = Vec::new();
        for number in 0..20_000 {
            let (connection, queue) = Connection::new(number, Caller::nobody(&hub), hub.now());
            connection.greeted();
            hub.add(&Arc::new(connection));
            queues.push(queue);
        }
        let start = Instant::now();
        serve(hub, listening, None, std::future::ready(()))
            .await
            .unwrap();
        let took = start.elapsed();
        let expected = SPREAD + Duration::from_secs(2);
        assert!(took >= expected, "{took:?}");
        assert!(took <= expected + Duration::from_secs(1), "{took:?}");
        for mut queue in queues {
            assert_eq!(queue.try_recv().unwrap().as_str(), r#"{"t":"over"}"#);
        }
    }
}
