//! Keys: rotated, sealed otherwise, or not wanted.

use fixtures::{ccnu::HoldAt, mcp::World};
use serde_json::json;

use super::{before, met};
use crate::{
    told::{call, signed_in as success},
    world::{PASSWORD, READER, signed_in, world},
};

const TOOL: &str = "get_site_favorite_locations";
const READ: &str = "findCommonSeat";

#[test]
fn a_rotated_key_is_read_anew_and_the_session_stays() {
    let both = signed_in();
    both.each(|fake| fake.switch(|switches| switches.key = "SimLib2026rot".to_owned()));
    let before = before(&both);
    assert_eq!(both.call(TOOL, json!({})).structured["ok"], true);
    met(&both, &before, &[READ, "getSysSet", READ]);
}

#[test]
fn two_users_who_meet_a_new_key_read_it_once() {
    let both = signed_in();
    both.each(|fake| fake.switch(|switches| switches.captcha = false));
    let other = json!({ "user_key": "other", "username": "2026000005", "password": PASSWORD });
    call(&both, "start_login", other);
    for World { client, fake, .. } in both.worlds() {
        fake.switch(|switches| switches.key = "SimLib2026rot".to_owned());
        let reading = fake.hold("getSysSet", HoldAt::Arrival);
        let calls = [json!({}), json!({ "user_key": "other" })];
        let calls = calls.map(|arguments| client.begin_call(TOOL, arguments));
        reading.wait_reached(1);
        reading.release();
        for call in &calls {
            assert_eq!(client.finish_call(call).structured["ok"], true);
        }
        assert_eq!(fake.journal().of("getSysSet").len(), 2);
        assert_eq!(
            fake.journal().of("sso_login").len(),
            2,
            "nobody signed in anew"
        );
    }
}

#[test]
fn schools_without_signatures_get_none() {
    for hmac in [json!(0), json!("0"), json!(false), json!("1"), json!(true)] {
        let signed = [json!("1"), json!(true)].contains(&hmac);
        let both = world();
        both.each(|fake| {
            fake.switch(|switches| {
                switches.captcha = false;
                switches.hmac = hmac.clone();
            });
        });
        let account = json!({ "username": READER, "password": PASSWORD });
        assert_eq!(call(&both, "start_login", account).value, success(true));
        for World { fake, .. } in both.worlds() {
            let proof = fake.journal().of("getUserInfo").remove(0);
            for name in ["x-request-id", "x-request-date", "x-hmac-request-key"] {
                assert_eq!(proof.header(name).is_some(), signed, "{hmac} {name}");
            }
        }
    }
}

#[test]
fn the_seal_can_come_along_with_the_key() {
    let both = world();
    both.each(|fake| {
        fake.switch(|switches| {
            switches.captcha = false;
            switches.prefix_suffix = true;
        });
    });
    let account = json!({ "username": READER, "password": PASSWORD });
    assert_eq!(call(&both, "start_login", account).value, success(true));
}

#[test]
fn a_signature_that_stays_refused_is_told_as_such() {
    let both = signed_in();
    // The key that is read is not the one that is checked.
    let sealed = "LWrADtff4PL4HvWbyYbTCA==";
    both.each(|fake| {
        fake.switch(|switches| {
            switches.key = "SimLib2026rot".to_owned();
            switches.system.insert("hmacKey".to_owned(), json!(sealed));
        });
    });
    let before = before(&both);
    let told = both.call(TOOL, json!({})).structured;
    assert_eq!(told["code"], "SIGNATURE_REJECTED");
    assert_eq!(told["data"], json!({ "skew_seconds": 0 }));
    let walk = [
        "sso_login",
        "cas_page",
        "web_oauth",
        "auth_cas",
        "getUserInfo",
        "getSysSet",
    ];
    met(&both, &before, &[&[READ, "getSysSet"], &walk[..]].concat());
    both.each(|fake| fake.switch(|switches| switches.system.clear()));
    assert_eq!(both.call(TOOL, json!({})).structured["ok"], true);
}
