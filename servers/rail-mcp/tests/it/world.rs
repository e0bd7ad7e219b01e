//! The server and the fake service, in both protocol eras.

use fixtures::{
    mcp::{Both, Launch},
    rail::Rail,
};

/// A Monday morning in China. Tickets are on sale until 2026-12-14.
pub(crate) const NOW: &str = "2026-11-30T10:00:00+08:00";

/// The program under test.
pub(crate) fn binary() -> &'static str {
    env!("CARGO_BIN_EXE_rail-mcp")
}

/// Both worlds at [`NOW`], without spacing, pauses and refreshes.
pub(crate) fn world() -> Both<Rail> {
    world_with(&[])
}

/// Both worlds with more variables; a later one of the same name wins.
pub(crate) fn world_with(variables: &[(&str, &str)]) -> Both<Rail> {
    Both::start(binary(), |_| {
        let fake = Rail::start(NOW);
        let env = environment(&fake, variables);
        (fake, env)
    })
}

/// The variables of a server that speaks to that fake.
pub(crate) fn environment(fake: &Rail, more: &[(&str, &str)]) -> Vec<(String, String)> {
    let quick = [
        ("RAIL_STATIONS_REFRESH_DAYS", "0"),
        ("RAIL_RETRY_PAUSE_MS", "1"),
    ];
    let more = quick.iter().chain(more);
    let more = more.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    fake.env().into_iter().chain(more).collect()
}

/// A server that speaks to that fake, for one era.
pub(crate) fn launch(fake: &Rail, data: &std::path::Path, more: &[(&str, &str)]) -> Launch {
    let folder = data.to_str().expect("a folder with a plain name");
    Launch::new(binary())
        .args(["--data-dir", folder])
        .env(environment(fake, more))
}
