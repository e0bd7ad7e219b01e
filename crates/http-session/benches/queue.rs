//! What the queue and the joining of reads add to each request.
#![allow(
    clippy::expect_used,
    reason = "a bench that cannot run should say so and end"
)]

use std::time::Duration;

use http_session::{Joined, Pace};
use state::StateDir;
use tokio::runtime::{Builder, Runtime};

fn main() {
    divan::main();
}

fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
}

/// A turn that is free at once, agreed on in a file with other processes.
#[divan::bench]
fn free_turn(bencher: divan::Bencher<'_, '_>) {
    let (folder, runtime) = (tempfile::tempdir().expect("a folder"), runtime());
    let folder = StateDir::at(folder.path().join("bench"));
    let pace = Pace::shared_in(folder, "pace.json", Duration::ZERO, Duration::from_secs(1));
    bencher.bench_local(|| runtime.block_on(async { drop(pace.turn().await.expect("a turn")) }));
}

/// A read whose result is kept.
#[divan::bench]
fn kept_read(bencher: divan::Bencher<'_, '_>) {
    let runtime = runtime();
    let joined: Joined<u32, u32, ()> = Joined::new(Duration::from_secs(60), 64);
    bencher.bench_local(|| runtime.block_on(joined.get(1, || async { Ok(2) })));
}
