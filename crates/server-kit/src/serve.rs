//! Serving on standard input and output, and stopping properly.

#[cfg(feature = "http")]
mod http;

use std::{pin::pin, sync::Arc, time::Duration};

use rmcp::{ServiceExt, service::ServerInitializeError, transport::stdio_pipes};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::{Errand, input::Input, served::Served};
#[cfg(feature = "http")]
pub(crate) use http::Door;

/// There is no way in but standard input.
#[cfg(not(feature = "http"))]
pub(crate) enum Door {}

/// What calls under way may take after the end of input; hosts kill a child two seconds after it.
const DRAIN: Duration = Duration::from_millis(1_100);

/// What cancelled calls may take to end, and audit rows after the last write.
const SETTLE: Duration = Duration::from_millis(400);

/// What writes under way may take since it was asked to stop, whatever became of their calls.
const WRITES: Duration = Duration::from_millis(1_500);

/// Serves where callers come in: at a door, else on standard input. Fails with what ended it.
pub(crate) async fn serve<S: Errand>(
    served: Arc<Served<S>>,
    door: Option<Door>,
    parent: Option<u32>,
) -> Result<(), String> {
    match door {
        #[cfg(feature = "http")]
        Some(door) => {
            let ended = http::serve(served, door).await;
            ended.map_err(|error| error.to_string())
        }
        _ => {
            let ended = stdio(served, parent).await;
            ended.map_err(|error| error.to_string())
        }
    }
}

/// Serves until standard input ends, the parent is gone or a signal asks to stop. After the end of
/// input calls under way get their answers within [`DRAIN`]; what still runs then, or when asked to
/// stop, is cancelled. Audit rows are on disk when this returns. `parent` is the process that
/// started this one.
async fn stdio<S: Errand>(
    served: Arc<Served<S>>,
    parent: Option<u32>,
) -> Result<(), ServerInitializeError> {
    // One for the whole time: a signal between two that listen would be lost.
    let mut told = pin!(told_to_stop(parent));
    let (stop, ended) = (CancellationToken::new(), CancellationToken::new());
    let (read, write) = stdio_pipes();
    let input = Input::new(read, write, ended.clone());
    let running = tokio::select! {
        started = Arc::clone(&served).serve_with_ct(input, stop.clone()) => match started {
            Ok(running) => running,
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(error),
        },
        // `serve` waits for the first message and would not hear a signal.
        () = &mut told => return Ok(()),
    };
    let mut since = None;
    let asked = async {
        tokio::select! {
            () = ended.cancelled() => {
                since = Some(Instant::now());
                drop(timeout(DRAIN, &mut told).await);
            }
            () = &mut told => since = Some(Instant::now()),
        }
        stop.cancel();
        let _ = timeout(SETTLE, std::future::pending::<()>()).await;
    };
    tokio::select! {
        _ = running.waiting() => {}
        () = asked => tracing::info!("calls under way were left behind"),
    }
    finish(&served, since.unwrap_or_else(Instant::now)).await;
    Ok(())
}

/// Waits for writes that are under way and for the audit rows, as long as a host waits for its child.
async fn finish<S: Errand>(served: &Served<S>, since: Instant) {
    if timeout_at(since + WRITES, served.written()).await.is_err() {
        tracing::warn!("a write was left behind; the next call with its client_token settles it");
    }
    let _ = timeout(SETTLE, served.settle()).await;
}

/// Returns on SIGTERM, Ctrl-C, or when the parent that started this process is gone.
async fn told_to_stop(parent: Option<u32>) {
    tokio::select! {
        () = state::platform::terminated() => {}
        () = orphaned(parent) => {}
    }
}

async fn orphaned(parent: Option<u32>) {
    let mut tick = interval(Duration::from_secs(1));
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while state::platform::parent_id() == parent {
        tick.tick().await;
    }
}
