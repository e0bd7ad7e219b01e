//! Asking, and the parts of answers, written short.

use fixtures::{
    mcp::{Answer, Both},
    rail::Rail,
};
use serde_json::{Value, json};

/// The day that most tests ask about: two days after the clock's, so that waitlists are open.
pub(crate) const DAY: &str = "2026-12-02";

/// The script that the fake serves, read here without the code under test.
const CATALOGUE: &str = include_str!("../../../../fixtures/data/rail/stations_20260930.js");

/// Calls a tool in both eras. None of the service's tokens may be in the answer.
pub(crate) fn ask(world: &Both<Rail>, tool: &str, arguments: &Value) -> Answer {
    let answer = world.call(tool, arguments.clone());
    let all = json!([answer.structured, answer.content]).to_string();
    assert!(!all.contains("CANARY"), "{tool} {arguments}: {all}");
    answer
}

/// Calls a tool that must succeed.
pub(crate) fn given(world: &Both<Rail>, tool: &str, arguments: &Value) -> Value {
    let answer = ask(world, tool, arguments).structured;
    assert_eq!(answer["ok"], true, "{tool} {arguments}: {answer}");
    answer
}

/// Calls a tool that must fail with that code and that `data`.
pub(crate) fn refused(
    world: &Both<Rail>,
    tool: &str,
    arguments: &Value,
    (code, data): (&str, &Value),
) -> Value {
    let answer = ask(world, tool, arguments).structured;
    let (found, about) = (&answer["code"], &answer["data"]);
    assert_eq!(
        (found, about),
        (&json!(code), data),
        "{tool} {arguments}: {answer}"
    );
    answer
}

/// `12306_query_tickets` on [`DAY`], or on the day in `more`.
pub(crate) fn tickets(world: &Both<Rail>, from: &str, to: &str, more: &Value) -> Value {
    given(world, "12306_query_tickets", &journey(from, to, more))
}

/// `12306_query_transfer` on [`DAY`], or on the day in `more`.
pub(crate) fn transfers(world: &Both<Rail>, from: &str, to: &str, more: &Value) -> Value {
    given(world, "12306_query_transfer", &journey(from, to, more))
}

/// The arguments of a journey and more of them.
pub(crate) fn journey(from: &str, to: &str, more: &Value) -> Value {
    with(json!({"date": DAY, "from": from, "to": to}), more)
}

/// The object with the fields of another one set.
pub(crate) fn with(mut object: Value, more: &Value) -> Value {
    for (name, value) in more.as_object().expect("an object") {
        object[name] = value.clone();
    }
    object
}

/// The train codes of a ticket answer; of a transfer answer the legs' codes as `G1+G2`.
pub(crate) fn codes(answer: &Value) -> Vec<String> {
    let code = |train: &Value| train["train_code"].as_str().expect("a code").to_owned();
    let list = |name: &str| answer[name].as_array().cloned().unwrap_or_default();
    let plan = |plan: &Value| format!("{}+{}", code(&plan["legs"][0]), code(&plan["legs"][1]));
    let trains = list("trains");
    let plans = list("plans");
    trains
        .iter()
        .map(code)
        .chain(plans.iter().map(plan))
        .collect()
}

/// A place taken for one station.
pub(crate) fn station(query: &str, name: &str, telecode: &str) -> Value {
    json!({"query": query, "kind": "station", "name": name, "telecodes": [telecode]})
}

/// A place taken for a city: the station it is asked by, then the others in the script's order.
pub(crate) fn city(query: &str, name: &str, asked: &str) -> Value {
    let records = CATALOGUE
        .split('@')
        .skip(1)
        .map(|record| record.split('|').collect::<Vec<_>>());
    let members = records
        .filter(|fields| fields[7] == name)
        .map(|fields| fields[2]);
    let telecodes: Vec<&str> = std::iter::once(asked)
        .chain(members.filter(|code| *code != asked))
        .collect();
    json!({"query": query, "kind": "city", "name": name, "telecodes": telecodes})
}

/// One of the places that words may mean; `text` is name, telecode and city, `latin` pinyin and initials.
pub(crate) fn candidate(
    kind: &str,
    text: [&str; 3],
    latin: Option<[&str; 2]>,
    matched: &str,
) -> Value {
    let [name, telecode, city] = text;
    json!({
        "kind": kind, "name": name, "telecode": telecode, "city": city,
        "pinyin": latin.map(|[pinyin, _]| pinyin), "initials": latin.map(|[_, initials]| initials), "matched": matched,
    })
}

/// A seat without discount and berths.
pub(crate) fn seat(
    seat: &str,
    code: &str,
    availability: &str,
    count: impl Into<Value>,
    price_yuan: impl Into<Value>,
) -> Value {
    let (count, price_yuan): (Value, Value) = (count.into(), price_yuan.into());
    json!({
        "seat": seat, "code": code, "availability": availability, "count": count, "price_yuan": price_yuan,
        "discount_percent": null, "berths": [],
    })
}

/// That seat at a share of the published fare.
pub(crate) fn at_percent(percent: u32, seat: Value) -> Value {
    with(seat, &json!({"discount_percent": percent}))
}

/// That seat with berths: which, price, percent of the published fare.
pub(crate) fn in_berths(seat: Value, berths: &[(&str, f64, Option<u32>)]) -> Value {
    let berth = |(berth, price, percent): &(&str, f64, Option<u32>)| json!({"berth": berth, "price_yuan": price, "discount_percent": percent});
    with(
        seat,
        &json!({"berths": berths.iter().map(berth).collect::<Vec<_>>()}),
    )
}

/// A station with its telecode, written `北京南 VNP`.
pub(crate) fn at(text: &str) -> Value {
    let (name, telecode) = text.split_once(' ').expect("name and telecode");
    json!({"name": name, "telecode": telecode})
}

/// A moment of 2026 in China, written `12-02 07:00`.
pub(crate) fn moment(text: &str) -> Value {
    json!(format!("2026-{}:00+08:00", text.replace(' ', "T")))
}

/// A train on its whole way, on sale since 12:45 fourteen days before [`DAY`]; `when` is departure, arrival and minutes.
pub(crate) fn train(
    (code, train_no): (&str, &str),
    [from, to]: [&str; 2],
    when: (&str, &str, u32),
    seats: &[Value],
    features: &[&str],
) -> Value {
    let (from, to) = (at(from), at(to));
    json!({
        "train_code": code, "train_no": train_no, "origin": from["name"], "terminus": to["name"],
        "from_station": from, "to_station": to, "depart_at": moment(when.0), "arrive_at": moment(when.1),
        "duration_minutes": when.2, "sale": "on_sale", "sale_opens_at": moment("11-18 12:45"), "seats": seats,
        "features": features,
    })
}

/// Looks for trains of one answer, each by code and boarding station, and compares them whole.
pub(crate) fn check_trains(answer: &Value, expected: &[Value]) {
    let key = |train: &Value| json!([train["train_code"], train["from_station"]]);
    for train in expected {
        let mut all = answer["trains"].as_array().expect("trains").iter();
        let found = all.find(|found| key(found) == key(train));
        assert_eq!(found, Some(train));
    }
}
