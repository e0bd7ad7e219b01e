//! Settings.

use http_session::drift::Drift;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    client::{
        Rejected,
        configuration::{CaptchaMode, ConfigurationError, configuration, rush_hour},
        signature::KeyError,
        tests::recorded,
    },
    domain::reservations::SignInRule,
};

/// The prefix variant with some members replaced.
fn with(members: Value) -> Value {
    let mut answer = recorded("configuration_system_prefix_variant");
    for (member, value) in members.as_object().expect("members") {
        answer["data"][member] = value.clone();
    }
    answer
}

#[test]
fn the_settings_of_two_schools() {
    let whu = configuration(recorded("configuration_system_whu_20260927")).expect("settings");
    assert_eq!(whu.cas_service, "https://seat.lib.whu.edu.cn/rem");
    assert_eq!(whu.vue_service, "https://seat.lib.whu.edu.cn/seat");
    assert_eq!(whu.captcha, CaptchaMode::Always);
    let rule = SignInRule {
        before: Some(60),
        after: Some(30),
    };
    assert_eq!(whu.sign_in, rule);
    assert_eq!(whu.supervise_away, Some(0));
    assert_eq!(whu.today_time.map(|minute| minute.get()), Some(60));
    assert_eq!(whu.future_cond.map(|minute| minute.get()), Some(1365));
    assert_eq!(
        (whu.breach_max, whu.black_day, whu.cycle_day),
        (Some(7), Some(1), Some(0))
    );
    let ours = configuration(recorded("configuration_system")).expect("settings");
    assert_eq!(
        (ours.captcha, ours.supervise_away),
        (CaptchaMode::None, Some(90))
    );
    assert_eq!((ours.breach_max, ours.future_make_day), (Some(3), Some(1)));
    let (ours, whu) = (
        ours.signer.expect("a signer"),
        whu.signer.expect("a signer"),
    );
    assert!(ours.same_key(&whu));
    let variant = configuration(recorded("configuration_system_prefix_variant"));
    let variant = variant.expect("settings").signer.expect("a signer");
    let signed = |signer: &crate::client::signature::Signer| signer.headers(Uuid::nil(), 0, "POST");
    assert_eq!(signed(&variant), signed(&ours));
    assert_eq!(rush_hour(recorded("configuration_rush_hour")), Ok(false));
}

#[test]
fn signatures_are_wanted_in_four_ways() {
    for (hmac, expected) in [
        (json!(1), true),
        (json!("1"), true),
        (json!(true), true),
        (json!("true"), true),
        (json!(0), false),
        (json!("0"), false),
        (json!(false), false),
        (json!("false"), false),
    ] {
        let found = configuration(with(json!({ "hmac": hmac }))).expect("settings");
        assert_eq!(found.signer.is_some(), expected, "{hmac}");
    }
    let off = with(json!({ "hmac": 0, "hmacKey": "*" }));
    assert!(configuration(off).expect("settings").signer.is_none());
}

#[test]
fn captcha_modes_are_known_or_unknown() {
    for (sent, expected) in [
        (json!(0), CaptchaMode::None),
        (json!("0"), CaptchaMode::None),
        (json!(1), CaptchaMode::RushHours),
        (json!("1"), CaptchaMode::RushHours),
        (json!(2), CaptchaMode::Always),
        (json!("2"), CaptchaMode::Always),
        (json!(3), CaptchaMode::Unknown),
        (json!("on"), CaptchaMode::Unknown),
        (json!(null), CaptchaMode::Unknown),
    ] {
        let found = configuration(with(json!({ "mackCaptcha": sent }))).expect("settings");
        assert_eq!(found.captcha, expected, "{sent}");
    }
}

#[test]
fn settings_come_as_numbers_or_texts() {
    let found = configuration(with(json!({
        "superviseAway": "90", "signStartMinute": "60", "breachMax": "", "todayTime": "6:00",
        "futureCondTime": "1365",
    })));
    let found = found.expect("settings");
    assert_eq!(
        (found.supervise_away, found.sign_in.before),
        (Some(90), Some(60))
    );
    assert_eq!((found.breach_max, found.sign_in.after), (None, None));
    assert_eq!(
        found.today_time.map(|minute| minute.to_string()).as_deref(),
        Some("06:00")
    );
    assert_eq!(
        found
            .future_cond
            .map(|minute| minute.to_string())
            .as_deref(),
        Some("22:45")
    );
}

#[test]
fn wrong_settings_are_told_from_a_wrong_key() {
    let drift = |field: &str, problem| {
        ConfigurationError::Rejected(Rejected::Drift(Drift::new(field, problem)))
    };
    const FORM: &str = "缺失或类型不同";
    for (members, expected) in [
        (
            json!({ "hmac": null }),
            drift("data.hmac", "缺失或格式不同"),
        ),
        (json!({ "hmac": 2 }), drift("data.hmac", "缺失或格式不同")),
        (json!({ "hmac": [] }), drift("data.hmac", FORM)),
        (
            json!({ "vueConfig": {} }),
            drift("data.vueConfig.CASSSERVICE", FORM),
        ),
        (
            json!({ "vueConfig": { "CASSSERVICE": 1 } }),
            drift("data.vueConfig.CASSSERVICE", FORM),
        ),
        (
            json!({ "superviseAway": -1 }),
            drift("data.superviseAway", FORM),
        ),
        (
            json!({ "signEndMinute": 1.5 }),
            drift("data.signEndMinute", FORM),
        ),
        (
            json!({ "todayTime": "soon" }),
            drift("data.todayTime", "缺失或格式不同"),
        ),
        (
            json!({ "futureCondTime": 1441 }),
            drift("data.futureCondTime", "缺失或格式不同"),
        ),
        (json!({ "hmacKey": null }), KeyError::Missing.into()),
        (json!({ "hmacKey": "" }), KeyError::Missing.into()),
        (json!({ "hmacKey": "*" }), KeyError::NotBase64.into()),
        (json!({ "makePrefix": "short" }), KeyError::Pair.into()),
        (json!({ "makePrefix": "" }), KeyError::Padding.into()),
        (json!({ "makeSuffix": null }), KeyError::Padding.into()),
    ] {
        let found = configuration(with(members.clone())).map(|_| ());
        assert_eq!(found, Err(expected), "{members}");
    }
    let data = json!({ "status": true, "data": {} });
    assert_eq!(
        configuration(data).map(|_| ()),
        Err(drift("data.hmac", FORM))
    );
    let data = json!({ "status": true, "data": 1 });
    assert_eq!(
        rush_hour(data),
        Err(Rejected::Drift(Drift::new("data", FORM)))
    );
}
