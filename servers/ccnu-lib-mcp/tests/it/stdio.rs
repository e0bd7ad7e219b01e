//! The real binary as a host's child: how it begins, is interrupted and ends.

use std::{fs, thread};

use fixtures::{
    ccnu::Ccnu,
    mcp::{Both, Client, Era, World},
    shell::{end, ended_well},
    upstream::Fault,
};
use serde_json::json;

use crate::world::{NOW, environment, launch, signed_in, world};

/// Does the same in both eras at once, since most of it is waiting.
fn in_both(both: &Both<Ccnu>, step: impl Fn(&World<Ccnu>) + Sync) {
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
    let fake = Ccnu::start(NOW);
    for era in Era::ALL {
        let home = tempfile::tempdir().unwrap();
        let data = home.path().join("none/yet");
        let folder = data.to_str().unwrap();
        let launch = launch()
            .args(["--data-dir", folder])
            .env(environment(&fake));
        let client = Client::start(&launch, era);
        assert_eq!(client.tools().len(), 22);
        end(&client);
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    }
}

#[test]
fn a_cancelled_read_leaves_the_service_and_the_server_goes_on() {
    let both = signed_in();
    in_both(&both, |World { client, fake, .. }| {
        fake.fault("currentUseMake", 1, Fault::Hang);
        let pending = client.begin_call("get_current_reservation", json!({}));
        fake.journal().wait_for_route("currentUseMake", 1);
        client.cancel(&pending);
        fake.journal().wait_for_abandoned(1);
        let answer = client.call("get_current_reservation", json!({}));
        assert_eq!(answer.structured["status"], "none");
        end(client);
        assert_eq!(client.outcome(&pending), None);
    });
}

#[test]
fn the_end_of_input_and_a_signal_end_a_hanging_read() {
    for stop in [Client::close_stdin, Client::terminate] {
        let both = signed_in();
        in_both(&both, |World { client, fake, .. }| {
            fake.fault("currentUseMake", 1, Fault::Hang);
            client.begin_call("get_current_reservation", json!({}));
            fake.journal().wait_for_route("currentUseMake", 1);
            stop(client);
            ended_well(client);
            assert_eq!(fake.journal().wait_for_abandoned(1).len(), 1);
        });
    }
}
