//! Asking, and the parts of answers, written short.

use fixtures::{
    ccnu::Ccnu,
    mcp::{Answer, Both},
};
use serde_json::{Value, json};

use crate::world::{NOW, PASSWORD, READER, environment, launch};

/// The day of [`NOW`].
pub(crate) const TODAY: &str = "2026-06-25";

/// The room names of the fake, read here without the code under test.
const ROOMS: &str = include_str!("../../../../fixtures/data/ccnu-lib/seats_ccnu_rooms.json");

/// Calls a tool in both eras. No secret of the fake may be in the answer.
pub(crate) fn ask(both: &Both<Ccnu>, tool: &str, arguments: &Value) -> Answer {
    let answer = both.call(tool, arguments.clone());
    let all = json!([answer.structured, answer.content]).to_string();
    assert!(!all.contains("CANARY"), "{tool} {arguments}: {all}");
    answer
}

/// Calls a tool that must succeed.
pub(crate) fn given(both: &Both<Ccnu>, tool: &str, arguments: &Value) -> Value {
    let answer = ask(both, tool, arguments).structured;
    assert_eq!(answer["ok"], true, "{tool} {arguments}: {answer}");
    answer
}

/// Calls a tool that must fail with that code and that `data`, and without anything of a success.
pub(crate) fn refused(
    both: &Both<Ccnu>,
    tool: &str,
    arguments: &Value,
    (code, data): (&str, &Value),
) -> Value {
    let answer = ask(both, tool, arguments).structured;
    assert_eq!(
        (&answer["code"], &answer["data"]),
        (&json!(code), data),
        "{tool} {arguments}: {answer}"
    );
    for field in answer.as_object().expect("an object").keys() {
        let known = [
            "ok",
            "code",
            "message",
            "retryable",
            "retry_after",
            "next",
            "data",
        ];
        assert!(
            known.contains(&field.as_str()),
            "{tool} {arguments}: {field}"
        );
    }
    answer
}

/// Calls a tool whose upstream has changed there.
pub(crate) fn changed(both: &Both<Ccnu>, tool: &str, arguments: &Value, path: &str, field: &str) {
    let data = json!({ "path": format!("/frontApi/{path}"), "field": field });
    refused(both, tool, arguments, ("UPSTREAM_CHANGED", &data));
}

/// The same call, for which nothing may be sent.
pub(crate) fn refused_unasked(
    both: &Both<Ccnu>,
    tool: &str,
    arguments: &Value,
    refusal: (&str, &Value),
) -> Value {
    let before = requests(both);
    let answer = refused(both, tool, arguments, refusal);
    assert_eq!(requests(both), before, "{tool} {arguments}");
    answer
}

/// How many requests have arrived in each world.
pub(crate) fn requests(both: &Both<Ccnu>) -> [usize; 2] {
    both.worlds()
        .each_ref()
        .map(|world| world.fake.journal().all().len())
}

/// How many of them to one route.
pub(crate) fn requests_to(both: &Both<Ccnu>, route: &str) -> [usize; 2] {
    both.worlds()
        .each_ref()
        .map(|world| world.fake.journal().of(route).len())
}

/// The JSON that was sent.
pub(crate) fn body(seen: &fixtures::upstream::Seen) -> Value {
    serde_json::from_slice(&seen.body).expect("JSON")
}

/// A span of [`TODAY`] and more arguments.
pub(crate) fn span(start_time: &str, end_time: &str, more: &Value) -> Value {
    with(
        json!({ "date": TODAY, "start_time": start_time, "end_time": end_time }),
        more,
    )
}

/// The object with the fields of another one set.
pub(crate) fn with(mut object: Value, more: &Value) -> Value {
    for (name, value) in more.as_object().expect("an object") {
        object[name] = value.clone();
    }
    object
}

/// A scripted answer that says yes.
pub(crate) fn yes(data: &Value) -> fixtures::upstream::Fault {
    let envelope = json!({ "status": true, "code": 200, "message": "操作成功", "data": data });
    fixtures::upstream::Fault::Body(envelope.to_string())
}

/// [`READER`] is signed in at [`NOW`], at a fake that `before` was done to.
pub(crate) fn signed_in_after(before: impl Fn(&Ccnu)) -> Both<Ccnu> {
    signed_in_as(READER, NOW, before)
}

/// A reader is signed in at another time.
pub(crate) fn signed_in_as(reader: &str, now: &str, before: impl Fn(&Ccnu)) -> Both<Ccnu> {
    let both = Both::launch(&launch(), |_| {
        let fake = Ccnu::start(now);
        fake.switch(|switches| switches.captcha = false);
        before(&fake);
        let env = environment(&fake);
        (fake, env)
    });
    let account = json!({ "username": reader, "password": PASSWORD });
    given(&both, "start_login", &account);
    both
}

/// A room of the fake: id, building, floor, name, number of seats.
pub(crate) struct Room {
    pub(crate) id: String,
    pub(crate) path: [String; 3],
    pub(crate) seats: u64,
}

/// All of them.
pub(crate) fn rooms() -> Vec<Room> {
    let facts: Value = serde_json::from_str(ROOMS).expect("JSON");
    let rooms = facts["rooms"].as_array().expect("rooms").iter();
    let room = |fact: &Value| {
        let text = |name: &str| fact[name].as_str().expect(name).to_owned();
        Room {
            id: text("roomId"),
            path: [text("building"), text("floor"), text("name")],
            seats: fact["legacyCount"].as_u64().unwrap_or(40),
        }
    };
    rooms.map(room).collect()
}

/// Seats of such a room that are locked or broken: every 41st and every 53rd, but for those of the
/// atrium that are kept usable.
pub(crate) fn locked(room: &Room) -> u64 {
    let kept = |place: &u64| room.id == Ccnu::ATRIUM && *place >= 159;
    let out = (0..room.seats).filter(|place| place % 41 == 39 || place % 53 == 31);
    out.filter(|place| !kept(place)).count() as u64
}
