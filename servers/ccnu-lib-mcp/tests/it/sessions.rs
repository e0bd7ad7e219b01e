//! Sessions: renewed without a person, kept for the next start, shared between processes.

mod processes;
mod renewal;
mod rest;
mod signature;

use fixtures::{ccnu::Ccnu, mcp::Both};

/// The routes that each fake has met since it had met so many.
#[track_caller]
fn met(both: &Both<Ccnu>, before: &[usize; 2], expected: &[&str]) {
    for (world, before) in both.worlds().iter().zip(before) {
        let all = world.fake.journal().all();
        let routes: Vec<_> = all[*before..].iter().map(|seen| seen.route).collect();
        assert_eq!(routes, expected, "{:?}", world.client.era());
    }
}

fn before(both: &Both<Ccnu>) -> [usize; 2] {
    both.worlds()
        .each_ref()
        .map(|world| world.fake.journal().all().len())
}
