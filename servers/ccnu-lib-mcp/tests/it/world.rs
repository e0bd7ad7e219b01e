//! Servers beside their fakes, one pair per era.

use fixtures::{
    ccnu::Ccnu,
    mcp::{Both, Launch},
};
use serde_json::json;

/// A Thursday, in the middle of the opening hours.
pub(crate) const NOW: &str = "2026-06-25T11:00:00+08:00";

/// The reader who signs in.
pub(crate) const READER: &str = "2026000001";

/// The reader's password at the fake.
pub(crate) const PASSWORD: &str = "pw-right";

/// The server with a secret store that is a file, as a machine without a keyring has it.
pub(crate) fn launch() -> Launch {
    Launch::new(env!("CARGO_BIN_EXE_ccnu-lib-mcp"))
}

/// The variables of a server beside that fake.
pub(crate) fn environment(fake: &Ccnu) -> Vec<(String, String)> {
    let mut env = fake.env();
    env.push(("CCNU_SECRET_STORE".to_owned(), "file".to_owned()));
    env.push(("CCNU_RETRY_PAUSE_MS".to_owned(), "1".to_owned()));
    env
}

/// Nobody is signed in.
pub(crate) fn world() -> Both<Ccnu> {
    world_with(&[])
}

/// The same with more variables.
pub(crate) fn world_with(more: &[(&str, &str)]) -> Both<Ccnu> {
    Both::launch(&launch(), |_| {
        let fake = Ccnu::start(NOW);
        let mut env = environment(&fake);
        env.extend(
            more.iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
        );
        (fake, env)
    })
}

/// [`READER`] is signed in, without a captcha on the way.
pub(crate) fn signed_in() -> Both<Ccnu> {
    signed_in_with(&[])
}

/// The same with more variables.
pub(crate) fn signed_in_with(more: &[(&str, &str)]) -> Both<Ccnu> {
    let both = world_with(more);
    both.each(|fake| fake.switch(|switches| switches.captcha = false));
    let account = json!({ "username": READER, "password": PASSWORD });
    let answer = both.call("start_login", account);
    assert_eq!(answer.structured["logged_in"], true, "{}", answer.text);
    both.each(|fake| fake.switch(|switches| switches.captcha = true));
    both
}
