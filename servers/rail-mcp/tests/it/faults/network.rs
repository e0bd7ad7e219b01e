//! Hosts that cannot be reached, are slow, or end in the middle.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    thread,
    time::Duration,
};

use fixtures::{rail::Rail, upstream::Fault};
use serde_json::json;

use super::{Met, ROUTE, TICKETS, TRANSFERS, arguments, forgetful, unavailable};
use crate::world::world_with;

#[test]
fn a_slow_service_is_given_up_after_the_limit() {
    let both = world_with(&[("RAIL_TIMEOUT_MS", "400"), ("RAIL_CACHE_MS", "0")]);
    let mut met = Met::new();
    both.call(TICKETS, arguments(TICKETS));
    met.since(&both, &["init", "tickets"], "the first call");
    let slow = Fault::SlowBody(Duration::from_secs(30));
    for fault in [slow, Fault::Hang] {
        both.each(|fake| fake.fault("tickets", 2, fault.clone()));
        thread::scope(|scope| {
            for world in both.worlds() {
                scope.spawn(|| {
                    let answer = world.client.call(TICKETS, arguments(TICKETS)).structured;
                    let expected = unavailable("127.0.0.1 在 0.4 秒内没有答复");
                    assert_eq!(answer, expected, "{fault:?}");
                });
            }
        });
        met.since(&both, &["tickets", "tickets"], &format!("{fault:?}"));
    }
    both.each(|fake| fake.fault("tickets", 1, Fault::Hang));
    assert_eq!(both.call(TICKETS, arguments(TICKETS)).code(), None);
    met.since(&both, &["tickets", "tickets"], "slow once");
}

#[test]
fn a_service_that_goes_away_is_named_and_the_server_goes_on() {
    let mut both = forgetful();
    let before = both.call(TICKETS, arguments(TICKETS));
    assert_eq!(before.code(), None);
    both.each_mut(Rail::stop);
    let expected = unavailable("连不上 127.0.0.1：无法建立连接");
    for tool in [TICKETS, TRANSFERS, ROUTE] {
        let answer = both.call(tool, arguments(tool));
        assert_eq!(answer.structured, expected, "{tool}");
    }
    let stations = both.call("12306_search_stations", json!({ "text": "AOH" }));
    assert_eq!(stations.code(), None);
}

#[test]
fn a_service_that_goes_away_during_a_call_is_named() {
    let mut both = forgetful();
    both.each(|fake| fake.fault("tickets", 1, Fault::Hang));
    let pending = both.worlds().each_ref().map(|world| {
        let pending = world.client.begin_call(TICKETS, arguments(TICKETS));
        world.fake.journal().wait_for_route("tickets", 1);
        pending
    });
    both.each_mut(Rail::stop);
    for (world, pending) in both.worlds().iter().zip(pending) {
        let answer = world.client.finish_call(&pending).structured;
        assert_eq!(answer, unavailable("连不上 127.0.0.1：无法建立连接"));
    }
}

#[test]
fn a_server_starts_and_lists_without_any_service() {
    // The port of a stopped fake may be given to the next one; nobody is given this one.
    let nobody = "http://127.0.0.1:1";
    let both = world_with(&[
        ("RAIL_SITE_URL", nobody),
        ("RAIL_KYFW_URL", nobody),
        ("RAIL_SEARCH_URL", nobody),
    ]);
    assert_eq!(both.tools().len(), 4);
    let expected = unavailable("连不上 127.0.0.1：无法建立连接");
    for tool in [TICKETS, TRANSFERS, ROUTE] {
        assert_eq!(both.call(tool, arguments(tool)).structured, expected);
    }
}

/// A host that does this with every connection, for as long as the test program runs.
fn host(answer: fn(TcpStream)) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || listener.incoming().flatten().for_each(answer));
    origin
}

/// The failure of a train search at that host.
#[track_caller]
fn check(origin: &str, expected: &str) {
    let both = world_with(&[("RAIL_SEARCH_URL", origin)]);
    let answer = both.call(ROUTE, arguments(ROUTE));
    assert_eq!(answer.structured, unavailable(expected), "{origin}");
}

#[test]
fn a_connection_that_breaks_tells_how() {
    check(
        &host(|mut stream| drop(stream.read(&mut [0; 4096]))),
        "连不上 127.0.0.1：连接被中断",
    );
    check(
        &host(|mut stream| {
            let _read = stream.read(&mut [0; 4096]);
            drop(stream.write_all(b"SSH-2.0-OpenSSH\r\n\r\n"));
        }),
        "连不上 127.0.0.1：通信异常",
    );
    // The fake speaks no TLS.
    let plain = host(|mut stream| {
        let _read = stream.read(&mut [0; 4096]);
        drop(stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
    });
    check(
        &plain.replace("http://", "https://"),
        "连不上 127.0.0.1：证书或安全握手未通过",
    );
}
