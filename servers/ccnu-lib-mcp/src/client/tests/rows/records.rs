//! One record of a reservation, in every form it may come in, and in those it may not.

use http_session::drift::Drift;
use serde_json::{Value, json};

use super::reservations::line;
use crate::client::{
    Rejected,
    reservations::{current, recent, records, stages},
    tests::recorded,
};

/// The current reservation with some members replaced; null ones are left out.
fn with(members: Value) -> Value {
    let mut answer = recorded("reservations_current_in_use_20260625");
    let data = answer["data"].as_object_mut().expect("a record");
    for (member, value) in members.as_object().expect("members") {
        if value.is_null() {
            data.shift_remove(member);
        } else {
            data.insert(member.clone(), value.clone());
        }
    }
    answer
}

#[test]
fn a_record_comes_in_several_forms() {
    for (members, expected) in [
        (
            json!({ "id": 2070000000000000001_u64, "seatId": 2003722571020177408_u64 }),
            "2070000000000000001 InUse CHECK_IN N1167 2026-06-25 08:00–12:00 (07:57–-) - -",
        ),
        (
            json!({ "status": 3 }),
            "2070000000000000001 Unknown 3 N1167 2026-06-25 08:00–12:00 (07:57–-) - -",
        ),
        (
            json!({ "status": "check_in" }),
            "2070000000000000001 InUse check_in N1167 2026-06-25 08:00–12:00 (07:57–-) - -",
        ),
        (
            json!({ "makeBegin": "510", "makeEnd": "13:30" }),
            "2070000000000000001 InUse CHECK_IN N1167 2026-06-25 08:30–13:30 (07:57–-) - -",
        ),
        (
            json!({ "makeBegin": null, "makeEnd": -1 }),
            "2070000000000000001 InUse CHECK_IN N1167 2026-06-25 08:00–12:00 (07:57–-) - -",
        ),
        (
            json!({ "makeDateStr": null }),
            "2070000000000000001 InUse CHECK_IN N1167 2026-06-25 08:00–12:00 (07:57–-) - -",
        ),
        (
            json!({ "actualBegin": "", "actualEnd": "11:00" }),
            "2070000000000000001 InUse CHECK_IN N1167 2026-06-25 08:00–12:00 (-–11:00) - -",
        ),
        (
            json!({ "seatLabel": "060" }),
            "2070000000000000001 InUse CHECK_IN 060 2026-06-25 08:00–12:00 (07:57–-) - -",
        ),
        (
            json!({ "message": "请于 07:30-08:30 签到" }),
            "2070000000000000001 InUse CHECK_IN N1167 2026-06-25 08:00–12:00 (07:57–-) - 07:30–08:30",
        ),
        (
            json!({ "message": "座位 07:30-08:30 有人" }),
            "2070000000000000001 InUse CHECK_IN N1167 2026-06-25 08:00–12:00 (07:57–-) - -",
        ),
    ] {
        let found = current(with(members.clone()))
            .expect("an answer")
            .expect("a record");
        assert_eq!(line(&found), expected, "{members}");
    }
}

#[test]
fn absences_are_read_from_their_last_part() {
    for (range, expected) in [
        ("", "-"),
        ("~~", "-"),
        ("09:40 _ 10:00", "09:40…10:00"),
        ("09:40 _ ", "09:40…-"),
        ("09:40 _", "09:40…-"),
        ("09:40~~", "09:40…-"),
        ("09:40-10:00", "09:40…10:00"),
        ("09:40 _ 10:00,11:05 _ 11:20", "09:40…10:00,11:05…11:20"),
        ("09:40 _ 10:00;11:05 _ ", "11:05…-"),
        ("09:40 _ 10:00，11:05 _ ，", "11:05…-"),
        ("09:40 _ 10:00 11:05 _ 11:20", "11:05…11:20"),
        ("09:40 _ 10:00 11:05", "11:05…-"),
        ("2026-06-25 09:40:07 _ 2026-06-25 10:00:09", "09:40…10:00"),
    ] {
        let found = current(with(json!({ "awayRange": range }))).expect("an answer");
        let found = found.expect("a record");
        let away = line(&found);
        let away = away.split(' ').nth(7).unwrap_or_default();
        let expected = expected.rsplit(',').next().unwrap_or_default();
        assert_eq!(away, expected, "{range:?}");
    }
}

#[test]
fn an_absence_that_never_was_is_not_shown() {
    for (minutes, range, expected) in [
        (json!(0), "", json!(null)),
        (json!(-1), "", json!(null)),
        (json!("0"), " ", json!(null)),
        (json!(""), "", json!(null)),
        (json!(22), "", json!({ "awayTimeM": 22 })),
        (
            json!("22"),
            "09:40 _ ",
            json!({ "awayTimeM": 22, "awayRange": "09:40 _" }),
        ),
    ] {
        let answer = with(json!({ "awayTimeM": minutes, "awayRange": range }));
        let found = current(answer).expect("an answer").expect("a record");
        let raw = serde_json::to_value(found.away_raw).expect("json");
        assert_eq!(raw, expected, "{minutes} {range:?}");
    }
}

#[test]
fn the_path_is_the_location_or_the_three_names() {
    for (location, names, expected) in [
        (json!("馆|楼|室"), ["a", "b", "c"], vec!["馆", "楼", "室"]),
        (json!("馆||室"), ["a", "b", "c"], vec!["馆", "室"]),
        (json!(""), ["a", "b", "c"], vec!["a", "b", "c"]),
        (json!(null), ["a", "", "c"], vec!["a", "c"]),
        (json!(null), ["", "", ""], vec![]),
    ] {
        let [build, floor, room] = names;
        let members = json!({
            "location": location, "buildName": build, "floorName": floor, "roomName": room,
        });
        let found = current(with(members))
            .expect("an answer")
            .expect("a record");
        assert_eq!(found.path, expected, "{location}");
    }
}

#[test]
fn drift_names_its_field() {
    const TYPE: &str = "缺失或类型不同";
    const FORM: &str = "缺失或格式不同";
    for (members, field, problem) in [
        (json!({ "id": null }), "data.id", TYPE),
        (json!({ "id": 2.07e18 }), "data.id", TYPE),
        (json!({ "id": "../1" }), "data.id", FORM),
        (json!({ "status": null }), "data.status", TYPE),
        (json!({ "status": "" }), "data.status", TYPE),
        (json!({ "status": true }), "data.status", TYPE),
        (json!({ "seatLabel": null }), "data.seatLabel", TYPE),
        (json!({ "seatId": "a b" }), "data.seatId", FORM),
        (json!({ "roomId": 1.5 }), "data.roomId", TYPE),
        (
            json!({ "makeDateStr": "tomorrow" }),
            "data.makeDateStr",
            FORM,
        ),
        (
            json!({ "makeDateStr": null, "makeDate": null }),
            "data.makeDateStr",
            FORM,
        ),
        (json!({ "makeBegin": "dawn" }), "data.makeBegin", FORM),
        (
            json!({ "makeEnd": null, "makeEndStr": null }),
            "data.makeEnd",
            FORM,
        ),
        (json!({ "makeEnd": 1441 }), "data.makeEnd", FORM),
        (json!({ "actualBegin": 7.5 }), "data.actualBegin", TYPE),
        (json!({ "actualEnd": -2 }), "data.actualEnd", FORM),
        (json!({ "awayTimeM": "long" }), "data.awayTimeM", FORM),
        (json!({ "awayRange": 5 }), "data.awayRange", TYPE),
        (json!({ "message": [] }), "data.message", TYPE),
    ] {
        let expected = Rejected::Drift(Drift::new(field, problem));
        assert_eq!(current(with(members.clone())), Err(expected), "{members}");
    }
    let drift = |field: &str, problem| Rejected::Drift(Drift::new(field, problem));
    let record = recorded("reservations_current_in_use_20260625")["data"].clone();
    let mut broken = record.clone();
    broken["makeEnd"] = json!("late");
    let answer = |data: Value| json!({ "status": true, "data": data });
    for (data, field, problem) in [
        (json!(null), "data", TYPE),
        (json!({}), "data", TYPE),
        (json!(""), "data", TYPE),
        (json!([record, broken]), "data[1].makeEnd", FORM),
        (json!([record, 5]), "data[1]", TYPE),
    ] {
        assert_eq!(
            recent(answer(data.clone())),
            Err(drift(field, problem)),
            "{data}"
        );
    }
    for (data, field, problem) in [
        (json!(null), "data", TYPE),
        (json!([]), "data", TYPE),
        (json!({ "list": [] }), "data.count", TYPE),
        (json!({ "count": null, "list": [] }), "data.count", TYPE),
        (json!({ "count": 1, "list": {} }), "data.list", TYPE),
        (
            json!({ "count": 1, "list": [broken] }),
            "data.list[0].makeEnd",
            FORM,
        ),
    ] {
        assert_eq!(
            records(answer(data.clone())),
            Err(drift(field, problem)),
            "{data}"
        );
    }
    assert_eq!(current(answer(json!([]))), Err(drift("data", TYPE)));
    assert_eq!(current(answer(json!("none"))), Err(drift("data", TYPE)));
    let stage = json!([{ "stage": "AWAY", "createdDate": "noon" }]);
    assert_eq!(
        stages(answer(stage)),
        Err(drift("data[0].createdDate", FORM))
    );
    let stage = json!([{ "createdDate": "2026-06-25 07:01:03" }]);
    assert_eq!(stages(answer(stage)), Err(drift("data[0].stage", TYPE)));
}
