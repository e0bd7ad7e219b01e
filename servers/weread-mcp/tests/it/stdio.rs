//! The real binary as a host's child: how it begins, is interrupted and ends.

use std::{fs, thread};

use fixtures::{
    mcp::{Both, Client, Era, World},
    shell::{end, ended_well},
    upstream::Fault,
    weread::Weread,
};
use serde_json::json;

use crate::world::{beside, key, with_key, world, world_with};

/// A read, and what it asks.
const TOOL: &str = "get_login_status";
const ROUTE: &str = "/user/notebooks";

/// Does the same in both eras at once, since most of it is waiting.
fn in_both(both: &Both<Weread>, step: impl Fn(&World<Weread>) + Sync) {
    thread::scope(|scope| {
        for world in both.worlds() {
            scope.spawn(|| step(world));
        }
    });
}

#[test]
fn to_be_listed_asks_nothing_and_writes_nothing() {
    let both = world();
    for World { client, fake, data } in both.worlds() {
        end(client);
        assert_eq!(fake.journal().all().len(), 0);
        assert_eq!(fs::read_dir(data.path()).unwrap().count(), 0);
    }
    // A state folder that is not there is not made either.
    let fake = Weread::start();
    for era in Era::ALL {
        let home = tempfile::tempdir().unwrap();
        let data = home.path().join("none/yet");
        let client = Client::start(&beside(&fake, &data, &[key()]), era);
        assert!(client.tools().len() >= 4);
        end(&client);
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    }
}

#[test]
fn it_starts_without_a_service() {
    // Nobody listens there.
    let both = world_with(|_| {
        let nowhere = ("WEREAD_GATEWAY_URL", "http://127.0.0.1:9".to_owned());
        vec![key(), nowhere]
    });
    let told = both
        .call("get_login_status", json!({ "check": false }))
        .structured;
    assert_eq!(told["ways"][0]["state"], "not_checked");
    let told = both.call("get_login_status", json!({})).structured;
    let message = "UPSTREAM_UNAVAILABLE：请求微信读书失败：无法建立连接";
    let way = &told["ways"][0];
    assert_eq!(
        (&way["state"], &way["message"]),
        (&json!("unknown"), &json!(message))
    );
}

#[test]
fn a_setting_that_is_wrong_keeps_it_from_starting_and_is_named() {
    let fake = Weread::start();
    for (name, value, why) in [
        ("CC_URL", "https://cloud.example", "CC_ID"),
        ("WEREAD_REST_MS", "soon", "WEREAD_REST_MS"),
        ("WEREAD_WEB_URL", "http://weread.example", "WEREAD_WEB_URL"),
    ] {
        let (data, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let launch = beside(&fake, data.path(), &[(name, value.to_owned())]);
        let args: Vec<_> = launch.args.iter().map(String::as_str).collect();
        let mut command = fixtures::shell::command(&launch.binary, &args, home.path());
        let ended = fixtures::shell::Ended::from(command.envs(launch.env).output().unwrap());
        assert_eq!(ended.out, "");
        assert!(ended.code != 0 && ended.err.contains(why), "{ended:?}");
    }
}

#[test]
fn a_cancelled_read_leaves_the_service_and_the_server_goes_on() {
    let both = with_key();
    in_both(&both, |World { client, fake, .. }| {
        fake.fault(ROUTE, 1, Fault::Hang);
        let pending = client.begin_call(TOOL, json!({}));
        fake.journal().wait_for_route(ROUTE, 1);
        client.cancel(&pending);
        fake.journal().wait_for_abandoned(1);
        let answer = client.call(TOOL, json!({}));
        assert_eq!(answer.structured["active"], "api_key");
        end(client);
        assert_eq!(client.outcome(&pending), None);
    });
}

#[test]
fn the_end_of_input_and_a_signal_end_a_hanging_read() {
    for stop in [Client::close_stdin, Client::terminate] {
        let both = with_key();
        in_both(&both, |World { client, fake, .. }| {
            fake.fault(ROUTE, 1, Fault::Hang);
            client.begin_call(TOOL, json!({}));
            fake.journal().wait_for_route(ROUTE, 1);
            stop(client);
            ended_well(client);
            assert_eq!(fake.journal().wait_for_abandoned(1).len(), 1);
        });
    }
}
