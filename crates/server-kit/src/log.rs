//! Logs: standard error only, our own modules only.

use tracing::Level;
use tracing_subscriber::{filter::Targets, layer::SubscriberExt, util::SubscriberInitExt};

/// Our own modules log from `level` on. Dependencies stay at warn whatever is asked: at debug the
/// SDK prints whole requests, arguments included.
pub(crate) fn to_stderr(level: Level, server: &str) {
    let ours = ["server_kit", "http_session", "state", "audit", "challenge"];
    let targets = Targets::new()
        .with_default(Level::WARN)
        .with_targets(ours.map(|name| (name, level)))
        .with_target(server.replace('-', "_"), level);
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .without_time();
    tracing_subscriber::registry()
        .with(lines)
        .with(targets)
        .init();
}

/// A panic is told by its place alone: its message may hold arguments.
pub(crate) fn panics_by_place() {
    std::panic::set_hook(Box::new(|panic| match panic.location() {
        Some(place) => tracing::error!("a panic at {}:{}", place.file(), place.line()),
        None => tracing::error!("a panic at an unknown place"),
    }));
}
