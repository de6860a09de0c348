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
    /// The port may not be used, or the like.
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

/// A server that is ready to answer.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    app: Router,
}

impl Server {
    /// Listens on `port` of the loopback address, or on any free one if it is 0.
    ///
    /// # Errors
    ///
    /// Returns [`ServerError`] if there are no files or the port can't be had.
    pub fn new(files: &'static [File], port: u16) -> Result<Self, ServerError> {
        let server = Self::with_app(app(files), port)?;
        if files.is_empty() {
            return Err(ServerError::NoPage);
        }
        Ok(server)
    }

    /// As [`new`](Self::new), for a service of one's own.
    ///
    /// # Errors
    ///
    /// Returns [`ServerError`] if the port can't be had.
    pub fn with_app(app: Router, port: u16) -> Result<Self, ServerError> {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| match error.kind() {
                io::ErrorKind::AddrInUse => ServerError::PortInUse(port),
                _ => ServerError::Refused { port, error },
            })?;
        Ok(Self { listener, app })
    }

    /// Where the page is to be found.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not tell.
    pub fn address(&self) -> Result<SocketAddr, ServerError> {
        Ok(self.listener.local_addr()?)
    }

    /// Answers until the program ends.
    ///
    /// # Errors
    ///
    /// Returns an error if the server breaks down.
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
