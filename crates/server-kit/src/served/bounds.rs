//! What ends a call from outside, and the boundary that its panics do not leave.

use std::{convert::Infallible, future::pending, panic::AssertUnwindSafe, time::Duration};

use futures::FutureExt;
use rmcp::{
    RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
    service::{Peer, RequestContext},
};
use tokio::time::{Instant, interval_at, timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    Kit,
    failure::{Failure, internal},
};

/// How long a call may take, and how its client follows it.
pub(super) struct Bounds {
    cancelled: CancellationToken,
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    beat: Duration,
    limit: Option<Duration>,
}

impl Bounds {
    /// The bounds of a read. What may have been sent is not given up, so a write has no
    /// [limit](Self::unlimited).
    pub(super) fn new(context: &RequestContext<RoleServer>, kit: &Kit) -> Self {
        Self {
            cancelled: context.ct.clone(),
            peer: context.peer.clone(),
            token: context.meta.get_progress_token(),
            beat: kit.progress,
            limit: Some(kit.call_limit),
        }
    }

    /// The same without a limit of time.
    pub(super) fn unlimited(self) -> Self {
        Self {
            limit: None,
            ..self
        }
    }

    /// Does the `work` of `what`, a tool or a method. Fails with `INTERNAL` when it panics,
    /// `CANCELLED` and `TIMEOUT`; it is dropped at its next await then.
    pub(super) async fn hold<T>(
        self,
        what: &str,
        work: impl Future<Output = T>,
    ) -> Result<T, Failure> {
        let too_long = async {
            match self.limit {
                Some(limit) => {
                    drop(timeout(limit, pending::<()>()).await);
                    limit
                }
                None => pending().await,
            }
        };
        tokio::select! {
            done = AssertUnwindSafe(work).catch_unwind() => done.map_err(|_| {
                tracing::error!(tool = what, "a tool panicked; the call was answered INTERNAL");
                internal()
            }),
            never = still_alive(self.peer, self.token, self.beat) => match never {},
            () = self.cancelled.cancelled() => Err(Failure::new("CANCELLED", "调用已取消")),
            limit = too_long => {
                let why = format!("查询超过了总时限 {} 秒", limit.as_secs_f64());
                Err(Failure::new("TIMEOUT", why).retryable().next("稍后重试，或缩小查询范围"))
            }
        }
    }
}

/// Tells a client that has asked for it that a call is still under way: hosts cut a silent one.
async fn still_alive(
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    every: Duration,
) -> Infallible {
    let Some(token) = token else {
        return pending().await;
    };
    let begun = Instant::now();
    let mut beat = interval_at(begun + every, every);
    loop {
        beat.tick().await;
        let seconds = begun.elapsed().as_secs_f64();
        let told = ProgressNotificationParam::new(token.clone(), seconds);
        // A client that is gone cancels the call by itself.
        let _gone = peer.notify_progress(told).await;
    }
}
