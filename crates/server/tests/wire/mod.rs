//! A proxy between clients and a node, whose connections break.

#![allow(dead_code, reason = "each test program uses a part")]

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU8, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::Notify,
};

/// The fate of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// Everything passes.
    Pass,
    /// It breaks.
    Cut,
    /// Nothing passes any more, and neither side notices.
    Blackhole,
    /// The client's side ends, the server's does not.
    HalfClose,
    /// One byte a second passes.
    Trickle,
}

impl Fate {
    pub(crate) const BAD: [Self; 4] = [Self::Cut, Self::Blackhole, Self::HalfClose, Self::Trickle];
    const ALL: [Self; 5] = [
        Self::Pass,
        Self::Cut,
        Self::Blackhole,
        Self::HalfClose,
        Self::Trickle,
    ];
}

/// One connection through the proxy.
struct Link {
    fate: AtomicU8,
    changed: Notify,
}

impl Link {
    fn fate(&self) -> Fate {
        Fate::ALL[usize::from(self.fate.load(Ordering::SeqCst))]
    }
}

/// A proxy that distributes connections over nodes, one after the other.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    nodes: Arc<Mutex<Vec<String>>>,
    links: Arc<Mutex<Vec<Arc<Link>>>>,
}

impl Proxy {
    /// A proxy in front of the nodes with these addresses.
    pub(crate) async fn new(nodes: &[String]) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let nodes = Arc::new(Mutex::new(nodes.to_vec()));
        let links = Arc::new(Mutex::new(Vec::new()));
        let (behind, known) = (nodes.clone(), links.clone());
        let turn = AtomicUsize::new(0);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let nodes = behind.lock().unwrap().clone();
                let turn = turn.fetch_add(1, Ordering::Relaxed);
                let link = Arc::new(Link {
                    fate: AtomicU8::new(0),
                    changed: Notify::new(),
                });
                known.lock().unwrap().push(link.clone());
                tokio::spawn(async move {
                    // A node that is down is skipped.
                    for i in 0..nodes.len() {
                        let node = &nodes[(turn + i) % nodes.len()];
                        if let Ok(server) = TcpStream::connect(node).await {
                            return connect(client, server, link).await;
                        }
                    }
                });
            }
        });
        Self {
            address,
            nodes,
            links,
        }
    }

    /// The address of the WebSocket.
    pub(crate) fn socket(&self) -> String {
        format!("ws://{}/ws", self.address)
    }

    /// New connections go to these nodes.
    pub(crate) fn set_nodes(&self, nodes: &[String]) {
        *self.nodes.lock().unwrap() = nodes.to_vec();
    }

    /// The number of connections so far.
    pub(crate) fn n_links(&self) -> usize {
        self.links.lock().unwrap().len()
    }

    /// Sets the fate of a connection.
    pub(crate) fn set_fate(&self, link: usize, fate: Fate) {
        let link = self.links.lock().unwrap()[link].clone();
        let index = Fate::ALL.iter().position(|&other| other == fate).unwrap();
        let index = u8::try_from(index).unwrap();
        link.fate.store(index, Ordering::SeqCst);
        link.changed.notify_waiters();
    }
}

async fn connect(client: TcpStream, server: TcpStream, link: Arc<Link>) {
    client.set_nodelay(true).ok();
    server.set_nodelay(true).ok();
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let up = tokio::spawn(pump(from_client, to_server, link.clone(), true));
    pump(from_server, to_client, link, false).await;
    up.abort();
}

/// Passes bytes in one direction, as the link's fate allows.
async fn pump(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, link: Arc<Link>, is_up: bool) {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let changed = link.changed.notified();
        let most = match link.fate() {
            Fate::Pass => buffer.len(),
            Fate::Cut => return,
            Fate::Blackhole => {
                changed.await;
                continue;
            }
            Fate::HalfClose if is_up => {
                to.shutdown().await.ok();
                changed.await;
                continue;
            }
            Fate::HalfClose => buffer.len(),
            Fate::Trickle => {
                tokio::time::sleep(Duration::from_secs(1)).await;
                1
            }
        };
        let n = tokio::select! {
            n = from.read(&mut buffer[..most]) => n.unwrap_or(0),
            () = changed => continue,
        };
        if n == 0 || to.write_all(&buffer[..n]).await.is_err() {
            return;
        }
    }
}
