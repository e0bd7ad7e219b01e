//! Servers beside their fakes, one pair per era.

use std::path::Path;

use fixtures::{
    mcp::{Both, Launch},
    weread::Weread,
};

/// The server with a secret store that is a file, as a machine without a keyring has it.
pub(crate) fn launch() -> Launch {
    Launch::new(env!("CARGO_BIN_EXE_weread-mcp"))
}

/// The variables of a server beside that fake, without a credential.
pub(crate) fn environment(fake: &Weread) -> Vec<(String, String)> {
    let mut env = fake.env();
    for (name, value) in [
        ("WEREAD_SECRET_STORE", "file"),
        ("WEREAD_RETRY_PAUSE_MS", "1"),
    ] {
        env.push((name.to_owned(), value.to_owned()));
    }
    env
}

/// Servers with what `more` gives for their fake.
pub(crate) fn world_with(more: impl Fn(&Weread) -> Vec<(&'static str, String)>) -> Both<Weread> {
    Both::launch(&launch(), |_| {
        let fake = Weread::start();
        let mut env = environment(&fake);
        let more = more(&fake).into_iter();
        env.extend(more.map(|(name, value)| (name.to_owned(), value)));
        (fake, env)
    })
}

/// Nobody is signed in.
pub(crate) fn world() -> Both<Weread> {
    world_with(|_| Vec::new())
}

/// With the API key: the gateway is asked.
pub(crate) fn with_key() -> Both<Weread> {
    world_with(|_| vec![key()])
}

/// With a cookie: the web surface is asked.
pub(crate) fn with_cookie() -> Both<Weread> {
    world_with(|fake| vec![cookie(fake)])
}

/// The variable that gives the fake's key.
pub(crate) fn key() -> (&'static str, String) {
    ("WEREAD_API_KEY", Weread::API_KEY.to_owned())
}

/// The variable that gives a live session of the fake.
pub(crate) fn cookie(fake: &Weread) -> (&'static str, String) {
    ("WEREAD_COOKIE", fake.cookie())
}

/// The variables that give the fake's CookieCloud.
pub(crate) fn cloud(fake: &Weread) -> Vec<(&'static str, String)> {
    vec![
        ("CC_URL", fake.cloud_url()),
        ("CC_ID", Weread::CLOUD_ID.to_owned()),
        ("CC_PASSWORD", Weread::CLOUD_PASSWORD.to_owned()),
    ]
}

/// A server beside that fake on that state folder, with more variables.
pub(crate) fn beside(fake: &Weread, data: &Path, more: &[(&'static str, String)]) -> Launch {
    let more = more.iter();
    let more = more.map(|(name, value)| ((*name).to_owned(), value.clone()));
    launch()
        .args(["--data-dir", data.to_str().expect("a plain name")])
        .env(environment(fake))
        .env(more)
}
