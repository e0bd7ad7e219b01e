//! What is kept of a session between two starts.

use std::{fs, os::unix::fs::PermissionsExt};

use fixtures::{
    mcp::{Client, World},
    shell::end,
};
use serde_json::json;

use crate::{
    canary::{files, holds},
    told::{signed_in as success, told},
    world::{PASSWORD, environment, launch, signed_in, world},
};

/// A server on the state of one that ran before.
fn next(world: &World<fixtures::ccnu::Ccnu>) -> Client {
    let folder = world.data.path().to_str().unwrap();
    let launch = launch()
        .args(["--data-dir", folder])
        .env(environment(&world.fake));
    Client::start(&launch, world.client.era())
}

#[test]
fn a_session_goes_on_after_a_restart() {
    let both = signed_in();
    for world in both.worlds() {
        end(&world.client);
        let client = next(world);
        let status = client.call("get_login_status", json!({})).structured;
        assert_eq!(status["status"], "logged_in");
        // The sign-in is remembered too, though its cookie has no expiry.
        world.fake.expire_tokens();
        assert_eq!(
            told(client.call("start_login", json!({}))).value,
            success(true)
        );
        assert_eq!(world.fake.passwords_posted(), 1);
    }
}

#[test]
fn nothing_of_it_lies_open() {
    let both = signed_in();
    for World { client, data, .. } in both.worlds() {
        end(client);
        let all = files(data.path());
        assert!(
            all.iter()
                .any(|(name, _)| name.ends_with("users/default/session.json"))
        );
        for (name, bytes) in &all {
            assert!(!holds(bytes, "CANARY"), "{name}");
            assert_eq!(
                holds(bytes, PASSWORD),
                name.ends_with("/secrets.json"),
                "{name}"
            );
            let mode = fs::metadata(name).unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{name}");
        }
        for folder in [data.path().join("users"), data.path().join("users/default")] {
            let mode = fs::metadata(&folder).unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{}", folder.display());
        }
    }
}

#[test]
fn a_damaged_session_is_none_and_is_replaced() {
    let both = signed_in();
    for world in both.worlds() {
        end(&world.client);
        let file = world.data.path().join("users/default/session.json");
        fs::write(&file, "{").unwrap();
        let client = next(world);
        let status = client.call("get_login_status", json!({})).structured;
        assert_eq!(status["status"], "logged_out");
        world.fake.switch(|switches| switches.captcha = false);
        assert_eq!(
            told(client.call("start_login", json!({}))).value,
            success(true)
        );
        assert!(fs::read_to_string(&file).unwrap().len() > 100);
        end(&client);
        assert!(
            client
                .stderr()
                .contains("the saved session is damaged or not ours")
        );
    }
}

#[test]
fn a_server_that_is_only_listed_keeps_nothing() {
    let both = world();
    both.call("get_login_status", json!({}));
    for World { client, data, .. } in both.worlds() {
        end(client);
        assert!(!data.path().join("secrets.json").exists());
        assert!(!data.path().join("users").exists());
    }
}
