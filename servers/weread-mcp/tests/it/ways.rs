//! The ways to the service: tried in order, renewed, refused.

mod fallback;
mod pages;
mod processes;
mod refusals;
mod renewal;

use fixtures::{mcp::Both, weread::Weread};
use serde_json::{Value, json};

/// A read that either surface answers. It asks one question, and then for the shelf.
const READ: &str = "search_store";

/// What it asks the gateway, and the web surface.
const GATEWAY: &str = "/store/search";
const WEB: &str = "store_search";

/// What is asked beside it, and does not matter here.
const SHELF: [&str; 2] = ["/shelf/sync", "shelf_sync"];

/// Its arguments.
fn keyword() -> Value {
    json!({ "keyword": "三体" })
}

/// Reads in both eras; it must succeed.
#[track_caller]
fn read(both: &Both<Weread>) {
    let told = both.call(READ, keyword()).structured;
    assert_eq!(told["ok"], true, "{told}");
}

/// Reads in both eras; it must fail so.
#[track_caller]
fn refused(both: &Both<Weread>, expected: &Value) {
    let told = both.call(READ, keyword());
    assert_eq!((&told.structured, told.is_error), (expected, true));
}

fn before(both: &Both<Weread>) -> [usize; 2] {
    both.worlds()
        .each_ref()
        .map(|world| world.fake.journal().all().len())
}

/// The routes that each fake has met since it had met so many, without the shelf.
#[track_caller]
fn met(both: &Both<Weread>, before: &[usize; 2], expected: &[&str]) {
    for (world, before) in both.worlds().iter().zip(before) {
        let all = world.fake.journal().all();
        let routes = all[*before..].iter().map(|seen| seen.route);
        let routes: Vec<_> = routes.filter(|route| !SHELF.contains(route)).collect();
        assert_eq!(routes, expected, "{:?}", world.client.era());
    }
}

/// The variable that lets every call ask anew.
fn uncached() -> (&'static str, String) {
    ("WEREAD_CACHE_MS", "0".to_owned())
}
