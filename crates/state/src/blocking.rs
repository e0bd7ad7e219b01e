//! Steps that block, beside the runtime.

/// Runs a step that blocks on a thread of its own and gives what it gives. A panic in it goes on
/// here; when the runtime stops, this never returns.
pub async fn blocking<T: Send + 'static>(step: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(step).await {
        Ok(done) => done,
        Err(stopped) => match stopped.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime stops, and nobody is left to be answered.
            Err(_) => std::future::pending().await,
        },
    }
}
