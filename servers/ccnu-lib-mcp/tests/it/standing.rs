//! `get_account_standing`.

use serde_json::{Value, json};

use crate::{
    expected::{changed, given, signed_in_after, signed_in_as, with, yes},
    world::{NOW, READER, signed_in},
};

const TOOL: &str = "get_account_standing";

fn clean() -> Value {
    json!({
        "ok": true, "reader_kind": "本科生", "breaches": 0, "breach_max": 3, "breaches_left": 3, "score": 100,
        "blacklisted": false, "blacklist_until": null, "blacklist_message": null, "cycle": "2026-06",
        "max_minute": 840, "step_minute": 30, "untrusted": true, "as_of": NOW,
    })
}

#[test]
fn a_reader_in_good_standing_has_all_breaches_left() {
    assert_eq!(given(&signed_in(), TOOL, &json!({})), clean());
}

#[test]
fn breaches_bring_the_blacklist_nearer() {
    let both = signed_in_after(|fake| {
        fake.record(READER, "N1160", "2026-06-20", 480, 720, "MISS");
        fake.record(READER, "N1160", "2026-06-21", 480, 720, "LEAVE_EARLY");
        fake.record(READER, "N1160", "2026-05-21", 480, 720, "MISS");
    });
    let two = json!({ "breaches": 2, "breaches_left": 1, "score": 80 });
    assert_eq!(given(&both, TOOL, &json!({})), with(clean(), &two));
}

#[test]
fn a_blacklisted_reader_is_told_until_when() {
    let both = signed_in_as("2026000003", NOW, |_| {});
    let black = json!({
        "breaches": 3, "breaches_left": 0, "score": 70, "blacklisted": true,
        "blacklist_until": "2026-07-02T00:00:00+08:00", "blacklist_message": "违约次数过多，暂停预约至 2026-07-02",
    });
    assert_eq!(given(&both, TOOL, &json!({})), with(clean(), &black));
}

#[test]
fn what_is_not_told_is_unknown() {
    let unset = |name: &'static str| {
        signed_in_after(move |fake| {
            fake.switch(|switches| drop(switches.system.insert(name.into(), Value::Null)));
        })
    };
    let both = unset("breachMax");
    let unknown = json!({ "breach_max": null, "breaches_left": null });
    assert_eq!(given(&both, TOOL, &json!({})), with(clean(), &unknown));
    both.each(|fake| {
        fake.fault(
            "getUserInfo",
            1,
            yes(&json!({ "maxMinute": null, "scoreNum": 90 })),
        )
    });
    let nothing = json!({
        "reader_kind": null, "breaches": null, "score": 90, "blacklisted": null, "cycle": null, "max_minute": null,
        "step_minute": null,
    });
    assert_eq!(
        given(&both, TOOL, &json!({})),
        with(with(clean(), &unknown), &nothing)
    );
    // A time that cannot be read is not "off the list"; the sentence still tells.
    let strange = json!({ "blackTime": "下周", "blackMessage": "暂停预约" });
    both.each(|fake| fake.fault("getUserInfo", 1, yes(&strange)));
    let found = given(&both, TOOL, &json!({}));
    let about = json!([
        found["blacklisted"],
        found["blacklist_until"],
        found["blacklist_message"]
    ]);
    assert_eq!(about, json!([null, null, "暂停预约"]));
}

#[test]
fn numbers_of_another_shape_are_named() {
    let both = signed_in();
    for (data, field) in [
        (Value::Null, "data"),
        (json!({}), "data"),
        (json!({ "name": "某人", "likeSeats": "[]" }), "data"),
        (json!({ "breachNum": "three" }), "data.breachNum"),
        (json!({ "maxMinute": -1 }), "data.maxMinute"),
    ] {
        both.each(|fake| fake.fault("getUserInfo", 1, yes(&data)));
        changed(&both, TOOL, &json!({}), "user/getUserInfo", field);
    }
}
