use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
};

use axum::Router;

use crate::{File, app};

/// Error when the page can't be served.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The program was built without the page.
    #[error("this program was built without the page; cargo xtask play builds both")]
    NoPage,
    /// Something else listens on the port.
    #[error("port {0} is in use; another one can be chosen with --port, 0 for any that is free")]
    PortInUse(u16),
    /// The port can't be used for another reason.
    #[error("can't serve on port {port}: {error}")]
    Refused {
        /// Which port.
        port: u16,
        /// Why not.
        error: io::Error,
    },
    /// The server broke down.
    #[error(transparent)]
    Broken(#[from] io::Error),
}

/// A server bound to a port.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    app: Router,
}

impl Server {
    /// Binds `port` of the loopback address, or any free one if it is 0.
    ///
    /// # Errors
    ///
    /// Returns [`ServerError`] if there are no files or the port is not available.
    pub fn new(files: &'static [File], port: u16) -> Result<Self, ServerError> {
        let server = Self::with_app(app(files), port)?;
        if files.is_empty() {
            return Err(ServerError::NoPage);
        }
        Ok(server)
    }

    /// Like [`new`](Self::new), for another service.
    ///
    /// # Errors
    ///
    /// Returns [`ServerError`] if the port is not available.
    pub fn with_app(app: Router, port: u16) -> Result<Self, ServerError> {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| match error.kind() {
                io::ErrorKind::AddrInUse => ServerError::PortInUse(port),
                _ => ServerError::Refused { port, error },
            })?;
        Ok(Self { listener, app })
    }

    /// The address of the server.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not report it.
    pub fn address(&self) -> Result<SocketAddr, ServerError> {
        Ok(self.listener.local_addr()?)
    }

    /// Serves until the program ends.
    ///
    /// # Errors
    ///
    /// Returns an error if the server fails.
    pub fn run(self) -> Result<(), ServerError> {
        let Self { listener, app } = self;
        listener.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            axum::serve(listener, app).await
        })?;
        Ok(())
    }
}
