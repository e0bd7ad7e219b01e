//! The HTTP client below a session, built when it is first needed.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use reqwest::{Client, ClientBuilder, redirect};
use tokio::sync::OnceCell;
use url::Url;

use crate::error::Fault;
use crate::origin::is_loopback;

/// How requests to an address travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    /// Straight, whatever the proxy settings say.
    Direct,
    /// As `HTTPS_PROXY`, `NO_PROXY` and the system's settings say.
    System,
}

/// The way to an address: loopback is never proxied.
pub(crate) fn route(url: &Url) -> Route {
    if is_loopback(url) {
        Route::Direct
    } else {
        Route::System
    }
}

/// One client for each route; building one takes 14–33 ms, which a handshake must not pay.
#[derive(Default)]
pub(crate) struct Clients {
    direct: OnceCell<Client>,
    system: OnceCell<Client>,
}

impl Clients {
    /// The client for an address. Fails with [`Fault::Tls`] when the machine's roots cannot be loaded.
    pub(crate) async fn get(&self, url: &Url, connect: Duration) -> Result<&Client, Fault> {
        let route = route(url);
        let cell = match route {
            Route::Direct => &self.direct,
            Route::System => &self.system,
        };
        cell.get_or_try_init(|| async move {
            let built = tokio::task::spawn_blocking(move || builder(route, connect).build()).await;
            built
                .map_err(|_stopped| Fault::Other)?
                .map_err(|_roots| Fault::Tls)
        })
        .await
    }
}

fn builder(route: Route, connect: Duration) -> ClientBuilder {
    // ring instead of the default: it takes 2 MB less of each server's binary. Whoever came first
    // in this process has installed it already, and that is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder()
        .redirect(redirect::Policy::none())
        .referer(false)
        .connect_timeout(connect);
    match route {
        Route::Direct => client.no_proxy(),
        Route::System => client,
    }
}

/// Where an exchange broke. Time-outs are told apart before.
pub(crate) fn fault(error: &reqwest::Error) -> Fault {
    let mut closed = false;
    let mut kind = None;
    for cause in std::iter::successors(error.source(), |&cause| cause.source()) {
        if let Some(http) = cause.downcast_ref::<hyper::Error>() {
            closed |= http.is_incomplete_message() || http.is_closed() || http.is_canceled();
        }
        if let Some(io) = cause.downcast_ref::<io::Error>() {
            kind = Some(innermost(io));
        }
    }
    match kind {
        _ if error.is_dns() => Fault::Dns,
        Some(io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof) if error.is_connect() => {
            Fault::Tls
        }
        _ if error.is_connect() => Fault::Connect,
        Some(
            io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::UnexpectedEof,
        ) => Fault::Reset,
        _ if closed => Fault::Reset,
        _ => Fault::Other,
    }
}

/// The TLS connector wraps its error in another one, which hides the inner one from `source`.
fn innermost(error: &io::Error) -> io::ErrorKind {
    let inner = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<io::Error>());
    inner.map_or(error.kind(), innermost)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use reqwest::dns::{Name, Resolve, Resolving};

    use super::*;

    struct NoNames;

    impl Resolve for NoNames {
        fn resolve(&self, _name: Name) -> Resolving {
            Box::pin(async { Err("no such name".into()) })
        }
    }

    #[tokio::test]
    async fn a_name_without_address_is_a_dns_fault() {
        let client = builder(Route::Direct, Duration::from_secs(5))
            .dns_resolver(Arc::new(NoNames))
            .build()
            .unwrap();
        let error = client.get("https://rail.example").send().await.unwrap_err();
        assert_eq!(fault(&error), Fault::Dns);
    }

    #[test]
    fn loopback_is_never_proxied() {
        let cases = [
            ("http://127.0.0.1:8010/a", Route::Direct),
            ("https://127.0.0.1", Route::Direct),
            ("http://localhost:8010", Route::Direct),
            ("http://[::1]:8010", Route::Direct),
            ("https://kyfw.example", Route::System),
            ("https://localhost.example", Route::System),
            ("https://10.0.0.1", Route::System),
        ];
        for (address, expected) in cases {
            assert_eq!(route(&Url::parse(address).unwrap()), expected, "{address}");
        }
    }
}
