//! Serving over Streamable HTTP, for a machine that the host cannot reach by standard input.
//!
//! Loopback is open to the user's own programs. Any other address needs a token that callers send,
//! and the names under which they may call.

use std::{
    io,
    net::{AddrParseError, IpAddr, Ipv4Addr, SocketAddr},
    pin::pin,
    str::FromStr,
    sync::Arc,
};

use audit::Event;
use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::{
    net::TcpListener,
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{SETTLE, finish};
use crate::{
    Errand, Failure, Journal,
    served::Served,
    settings::{Refusal, Settings},
};

/// The shortest token that keeps strangers out.
const TOKEN_LENGTH: usize = 24;

/// Names of this machine under which a browser or program calls a loopback address.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The address of one interface of this machine, or `localhost`.
struct Interface(IpAddr);

impl FromStr for Interface {
    type Err = AddrParseError;

    fn from_str(text: &str) -> Result<Self, AddrParseError> {
        match text {
            "localhost" => Ok(Self(Ipv4Addr::LOCALHOST.into())),
            _ => text.parse().map(Self),
        }
    }
}

/// Where to listen and whom to answer.
pub(crate) struct Door {
    address: SocketAddr,
    token: Option<SecretString>,
    /// Names, or names with a port, that callers may use for this machine.
    hosts: Vec<String>,
}

impl Door {
    /// Reads the settings of serving at `flag`, else at `MCP_HOST` and `MCP_PORT`.
    ///
    /// Fails when the address is not loopback and token or hosts are missing.
    pub(crate) fn read(flag: Option<SocketAddr>, settings: &mut Settings) -> Result<Self, Refusal> {
        let prefix = settings.prefix();
        let (names, token) = (
            format!("{prefix}_HTTP_HOSTS"),
            format!("{prefix}_HTTP_TOKEN"),
        );
        // All are read before one can be refused, so that none counts as unknown.
        let about = "HTTP 服务监听的 IP 地址，或 localhost";
        let host = settings.parsed("MCP_HOST", "127.0.0.1", about, "IP 地址或 localhost");
        let port = settings.number("MCP_PORT", 8_010, 0..=65_535, "HTTP 服务的端口，0 为任选");
        let hosts = settings
            .text(&names, "HTTP 服务接受的主机名，逗号分隔，可带端口")
            .unwrap_or_default();
        let shown = settings.secret(&token, "HTTP 调用者须出示的令牌（Authorization: Bearer …）");
        let address = match flag {
            Some(address) => address,
            None => SocketAddr::new(
                host.map(|Interface(address)| address)?,
                u16::try_from(port?).unwrap_or(8_010),
            ),
        };
        let door = Self {
            address,
            token: shown,
            hosts: hosts
                .split(',')
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty())
                .collect(),
        };
        let short = |given: &SecretString| given.expose_secret().len() < TOKEN_LENGTH;
        if door.token.as_ref().is_some_and(short) {
            let why = format!("令牌至少 {TOKEN_LENGTH} 个字符");
            return Err(Refusal::new(&token, "***", why));
        }
        if door.is_open() && door.token.is_none() {
            let why = format!("监听 {} 时必须设置令牌", door.address);
            return Err(Refusal::new(&token, "", why));
        }
        if door.is_open() && door.hosts.is_empty() {
            let why = format!("监听 {} 时必须列出调用者使用的主机名", door.address);
            return Err(Refusal::new(&names, "", why));
        }
        Ok(door)
    }

    /// Whether callers may sit at other machines: they reach us here, or by a name of a proxy or tunnel.
    pub(crate) fn is_remote(&self) -> bool {
        self.is_open() || !self.hosts.is_empty()
    }

    /// Whether other machines reach the address itself.
    fn is_open(&self) -> bool {
        !self.address.ip().is_loopback()
    }

    /// The names of `Host`: those listed, and on loopback its own.
    fn names(&self) -> Vec<String> {
        let mut names = self.hosts.clone();
        if !self.is_open() {
            names.extend(LOOPBACK.map(str::to_owned));
            // Loopback is more than these.
            names.push(match self.address.ip() {
                IpAddr::V4(address) => address.to_string(),
                IpAddr::V6(address) => format!("[{address}]"),
            });
        }
        names
    }

    /// The origins of pages that may call: those served under our own names.
    fn origins(&self) -> Vec<String> {
        let with_port = |name: String| match name.rsplit_once(':') {
            Some((_, port)) if port.parse::<u16>().is_ok() => name,
            _ => format!("{name}:*"),
        };
        self.names()
            .into_iter()
            .map(with_port)
            .flat_map(|name| [format!("http://{name}"), format!("https://{name}")])
            .collect()
    }

    fn lets_in(&self, given: Option<&HeaderValue>) -> bool {
        let Some(token) = &self.token else {
            return true;
        };
        let given = given
            .and_then(|value| value.to_str().ok()?.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("Bearer"))
            .map_or("", |(_, token)| token);
        // Equal digests take the same time whatever the texts share.
        Sha256::digest(given.trim()) == Sha256::digest(token.expose_secret())
    }
}

/// Serves at `/mcp` until a signal asks to stop. `/healthz` answers anybody, and only that it does.
pub(crate) async fn serve<S: Errand>(served: Arc<Served<S>>, door: Door) -> io::Result<()> {
    let mut told = pin!(state::platform::terminated());
    let listener = TcpListener::bind(door.address).await?;
    let stop = CancellationToken::new();
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(door.names())
        .with_allowed_origins(door.origins())
        .with_cancellation_token(stop.clone());
    let shared = Arc::clone(&served);
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(Arc::clone(&shared)), sessions, config);
    let gate = (Arc::new(door), served.journal());
    let guarded = Router::new()
        .route_service("/mcp", service)
        .layer(middleware::from_fn_with_state(gate, only_callers));
    let router = guarded.route("/healthz", get(|| async { "ok" }));
    tracing::info!("在 http://{}/mcp 提供服务", listener.local_addr()?);
    let closed = stop.clone();
    let serving = axum::serve(listener, router).with_graceful_shutdown(closed.cancelled_owned());
    let mut serving = pin!(serving.into_future());
    tokio::select! {
        ended = &mut serving => return ended,
        () = &mut told => {}
    }
    let since = Instant::now();
    stop.cancel();
    // Cancelled calls end at once, and connections after them.
    let _ = timeout(SETTLE, futures::future::join(serving, served.idle())).await;
    finish(&served, since).await;
    Ok(())
}

/// Turns away who does not show the token.
async fn only_callers(
    State((door, journal)): State<(Arc<Door>, Journal)>,
    request: Request,
    next: Next,
) -> Response {
    if door.lets_in(request.headers().get(header::AUTHORIZATION)) {
        return next.run(request).await;
    }
    tracing::warn!("a caller without the token was turned away");
    let refused = Failure::new("UNAUTHORIZED", "令牌缺失或不符");
    let about = json!({ "method": request.method().as_str() });
    journal.note(Event::AuthFail, None, about, Some(&refused));
    let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
    (StatusCode::UNAUTHORIZED, challenge, "unauthorized").into_response()
}
