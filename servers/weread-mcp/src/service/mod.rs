//! The steps of each use.

pub(crate) mod access;
pub(crate) mod books;
pub(crate) mod examination;
pub mod export;
pub(crate) mod index;
pub(crate) mod library;
pub(crate) mod notes;
pub(crate) mod reviews;
pub(crate) mod shelf;
pub(crate) mod sign_in;
pub(crate) mod statistics;
pub(crate) mod store;

/// Does all of `work`, even when the caller stops waiting for it.
async fn to_the_end<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    match tokio::spawn(work).await {
        Ok(done) => done,
        Err(stopped) => match stopped.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // Stopped with the runtime, and so is the caller.
            Err(_) => std::future::pending().await,
        },
    }
}
