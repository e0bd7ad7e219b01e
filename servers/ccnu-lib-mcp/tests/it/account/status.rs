//! `get_login_status`: proven by the service, and never a login.

use fixtures::{
    ccnu::{Outage, Part},
    mcp::World,
    upstream::Fault,
};
use serde_json::{Value, json};

use crate::{
    told::{call, signed_in as success},
    world::{PASSWORD, READER, signed_in, world, world_with},
};

fn status(logged_in: Value, status: &str, message: &str) -> Value {
    json!({
        "ok": true, "user_key": "default", "logged_in": logged_in, "status": status,
        "needs_challenge": false, "message": message,
    })
}

fn no_account() -> Value {
    let message = "未登录，也没有保存账号；用 start_login 取得登录页，或先 save_account";
    status(json!(false), "no_account", message)
}

fn logged_out() -> Value {
    let message = "未登录，或登录态已失效；用 start_login 登录";
    status(json!(false), "logged_out", message)
}

#[test]
fn a_session_is_proven_by_the_service() {
    let both = signed_in();
    let asked = both
        .worlds()
        .each_ref()
        .map(|world| world.fake.journal().all().len());
    let answer = both.call("get_login_status", json!({}));
    let mut expected = status(json!(true), "logged_in", "当前登录态可用");
    expected["proven_at"] = json!("2026-06-25T11:00:00+08:00");
    assert_eq!(answer.structured, expected);
    for (world, asked) in both.worlds().iter().zip(asked) {
        let routes: Vec<_> = world.fake.journal().all()[asked..]
            .iter()
            .map(|seen| seen.route)
            .collect();
        assert_eq!(routes, ["getUserInfo"]);
    }
}

#[test]
fn strangers_are_told_without_asking() {
    let both = world();
    assert_eq!(
        both.call("get_login_status", json!({})).structured,
        no_account()
    );
    let account = json!({ "username": READER, "password": PASSWORD });
    both.call("save_account", account);
    assert_eq!(
        both.call("get_login_status", json!({})).structured,
        logged_out()
    );
    for World { fake, .. } in both.worlds() {
        assert_eq!(fake.journal().all().len(), 0);
    }
}

#[test]
fn the_environment_has_the_account_of_the_default_user() {
    let env = [
        ("CCNU_DEFAULT_USERNAME", READER),
        ("CCNU_DEFAULT_PASSWORD", PASSWORD),
    ];
    let both = world_with(&env);
    assert_eq!(
        both.call("get_login_status", json!({})).structured,
        logged_out()
    );
    let other = both
        .call("get_login_status", json!({ "user_key": "other" }))
        .structured;
    assert_eq!(other["status"], "no_account");
    both.each(|fake| fake.switch(|switches| switches.captcha = false));
    assert_eq!(call(&both, "start_login", json!({})).value, success(true));
    // A user of another name has to be given it first.
    let other = json!({ "user_key": "other" });
    let asked = call(&both, "start_login", other.clone()).value;
    assert_eq!(asked["challenge_type"], "manual_login");
    let saved = both.call("save_account", other.clone()).structured;
    assert_eq!(
        saved,
        json!({ "ok": true, "user_key": "other", "persisted": true, "message": "账号已保存" })
    );
    let mut expected = success(true);
    expected["user_key"] = json!("other");
    assert_eq!(call(&both, "start_login", other).value, expected);
}

#[test]
fn a_session_that_is_gone_is_logged_out_and_nothing_is_posted() {
    let both = signed_in();
    both.each(|fake| {
        fake.expire_tokens();
        fake.revoke_castgc();
    });
    assert_eq!(
        both.call("get_login_status", json!({})).structured,
        logged_out()
    );
    for World { fake, .. } in both.worlds() {
        assert_eq!(fake.passwords_posted(), 1, "that of the login before");
        assert_eq!(fake.journal().of("captcha").len(), 0);
    }
}

#[test]
fn what_cannot_be_found_out_is_an_error_with_its_code() {
    let both = signed_in();
    let error = |message: &str| status(Value::Null, "error", message);
    both.each(|fake| fake.outage(Part::Api, Some(Outage::OffCampus)));
    let told = both.call("get_login_status", json!({}));
    let message = "OFF_CAMPUS：连不上图书馆预约系统：它只在校园网内开放";
    assert_eq!((told.structured, told.is_error), (error(message), false));
    both.each(|fake| {
        fake.outage(Part::Api, None);
        fake.fault(
            "getUserInfo",
            1,
            Fault::Body("{\"status\":true,\"data\":5}".to_owned()),
        );
    });
    let told = both.call("get_login_status", json!({})).structured;
    assert_eq!(told["status"], "error");
    let message = told["message"].as_str().unwrap();
    assert!(message.starts_with("UPSTREAM_CHANGED："), "{message}");
    // A token that is refused even when it is new is neither in nor out.
    both.each(|fake| {
        let over = "{\"status\":false,\"code\":20003,\"message\":\"登录已失效\"}".to_owned();
        fake.fault("getUserInfo", 1, Fault::Body(over.clone()));
        fake.fault(
            "getUserInfo",
            1,
            Fault::SlowAnswer(std::time::Duration::ZERO),
        );
        fake.fault("getUserInfo", 1, Fault::Body(over));
    });
    let told = both.call("get_login_status", json!({})).structured;
    assert_eq!(told, error("LOGIN_EXPIRED：登录态刚刚失效"));
    let told = both.call("get_login_status", json!({})).structured;
    assert_eq!(told["status"], "logged_in");
}
