//! TLS connections to Postgres.

use std::{
    io,
    path::{Path, PathBuf},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::{
    Socket,
    tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream as PostgresStream},
};
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::ring,
        pki_types::{CertificateDer, InvalidDnsNameError, ServerName, pem::PemObject},
    },
};

use crate::StoreError;

/// The TLS options of a URL.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TlsOptions {
    /// The file with root certificates; those of the system by default.
    authorities: Option<PathBuf>,
}

impl TlsOptions {
    /// Removes the TLS options that the client library does not know from a URL:
    /// `sslmode=verify-full`, and `sslrootcert` with a file. `None` if the URL does not request
    /// TLS.
    pub(crate) fn split(url: &str) -> (String, Option<Self>) {
        let Some((address, query)) = url.split_once('?') else {
            return (url.to_owned(), None);
        };
        let mut is_wanted = false;
        let mut authorities = None;
        let mut rest = Vec::new();
        for pair in query.split('&') {
            match pair.split_once('=') {
                Some(("sslrootcert", path)) => authorities = Some(PathBuf::from(path)),
                Some(("sslmode", "require" | "verify-ca" | "verify-full")) => {
                    is_wanted = true;
                    rest.push("sslmode=require");
                }
                _ => rest.push(pair),
            }
        }
        let url = match rest.is_empty() {
            true => address.to_owned(),
            false => format!("{address}?{}", rest.join("&")),
        };
        (url, is_wanted.then_some(Self { authorities }))
    }
}

/// Opens TLS connections. The certificate and the host name are always verified.
#[derive(Clone)]
pub(crate) struct Tls(Arc<ClientConfig>);

impl Tls {
    pub(crate) fn new(options: &TlsOptions) -> Result<Self, StoreError> {
        let broken = |error: String| StoreError::Broken(format!("TLS: {error}"));
        let mut authorities = RootCertStore::empty();
        match &options.authorities {
            Some(path) => {
                for certificate in certificates(path).map_err(broken)? {
                    let added = authorities.add(certificate);
                    added.map_err(|error| broken(error.to_string()))?;
                }
            }
            None => {
                let found = rustls_native_certs::load_native_certs();
                authorities.add_parsable_certificates(found.certs);
            }
        }
        if authorities.is_empty() {
            return Err(broken(
                "there are no certificates of authorities".to_owned(),
            ));
        }
        let provider = Arc::new(ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| broken(error.to_string()))?
            .with_root_certificates(authorities)
            .with_no_client_auth();
        Ok(Self(Arc::new(config)))
    }
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let certificates = CertificateDer::pem_file_iter(path).map_err(|error| failed(&error))?;
    certificates
        .collect::<Result<_, _>>()
        .map_err(|error| failed(&error))
}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = Stream;
    type TlsConnect = Connect;
    type Error = InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> Result<Connect, InvalidDnsNameError> {
        Ok(Connect {
            config: self.0.clone(),
            host: ServerName::try_from(host)?.to_owned(),
        })
    }
}

/// A connection that is about to be opened.
pub(crate) struct Connect {
    config: Arc<ClientConfig>,
    host: ServerName<'static>,
}

impl TlsConnect<Socket> for Connect {
    type Stream = Stream;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Stream>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let connector = TlsConnector::from(self.config);
            Ok(Stream(connector.connect(self.host, socket).await?))
        })
    }
}

/// An open connection.
pub(crate) struct Stream(TlsStream<Socket>);

impl PostgresStream for Stream {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::TlsOptions;

    #[test]
    fn what_is_about_tls_is_taken_out_of_the_url() {
        let file = |path: &str| TlsOptions {
            authorities: Some(path.into()),
        };
        let system = TlsOptions { authorities: None };
        for (url, rest, tls) in [
            ("postgres://a@b/c", "postgres://a@b/c", None),
            (
                "postgres://b/c?sslmode=prefer",
                "postgres://b/c?sslmode=prefer",
                None,
            ),
            (
                "postgres://b/c?sslmode=require",
                "postgres://b/c?sslmode=require",
                Some(system),
            ),
            (
                "postgres://b/c?connect_timeout=3&sslrootcert=/etc/ca.pem&sslmode=verify-full",
                "postgres://b/c?connect_timeout=3&sslmode=require",
                Some(file("/etc/ca.pem")),
            ),
            ("postgres://b/c?sslrootcert=/x", "postgres://b/c", None),
        ] {
            assert_eq!(TlsOptions::split(url), (rest.to_owned(), tls), "{url}");
        }
    }
}
