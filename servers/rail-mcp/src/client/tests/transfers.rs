//! Transfer answers, of which no complete recording is known.

use http_session::drift::Drift;
use insta::assert_compact_json_snapshot;
use jiff::civil::date;
use serde_json::json;

use super::*;
use crate::{
    client::{Rejected, tickets::Context, transfers::page},
    domain::transfers::{Page, Plan},
};

fn plans(name: &str) -> Result<Page, Rejected> {
    mapped(recorded(name))
}

fn mapped(answer: Value) -> Result<Page, Rejected> {
    let catalogue = bundled();
    let now = Moment::at(date(2025, 1, 1).at(10, 0, 0, 0));
    page(
        answer,
        Context {
            catalogue: &catalogue,
            now,
        },
    )
}

/// A plan in one line, its legs aside.
fn plan_line(plan: &Plan) -> String {
    [
        format!("{} → {}", at(plan.depart_at), at(plan.arrive_at)),
        format!(
            "{} min, wait {}",
            or_dash(plan.total_minutes),
            or_dash(plan.wait_minutes)
        ),
        plan.transfer_station.join("/"),
        format!(
            "same station {}, same train {}",
            plan.same_station, plan.same_train
        ),
        format!("from {}", or_dash(plan.total_price_yuan_min)),
    ]
    .join(", ")
}

#[test]
fn a_complete_transfer_answer() {
    let page = plans("transfers_complete.json").expect("plans");
    let lines: Vec<String> = page.plans.iter().map(plan_line).collect();
    assert_eq!(
        lines,
        [
            "01-10 10:00 → 01-10 20:40, 640 min, wait 38, 广州南, \
             same station true, same train false, from 1280.5",
            "01-10 09:17 → 01-11 21:03, 2146 min, wait 153, 广州白云/广州, \
             same station false, same train false, from 413.5",
            "01-10 14:00 → 01-10 22:15, 495 min, wait 3, 广州南, \
             same station true, same train true, from -",
        ]
    );
    assert_eq!((page.next, page.more), (Some(10), true));
    let [first, second] = &page.plans[1].legs;
    check(
        first,
        "D35, 2400000D3510, 北京西 BXP → 广州白云 GBA, 北京西…广州白云, \
         01-10 09:17 → 01-11 06:39, 1282 min, Unknown -, [Fuxing, BerthChoice]",
        &[
            "二等座 O Plenty - 325 46%",
            "二等卧 J Plenty - 520 Upper 520 50% Lower 606 49% Middle 554 49%",
            "一等卧 I Plenty - 872 Upper 872 65% Lower 987 65%",
            "无座 W Plenty 34 325 46%",
        ],
    );
    // Boarded on the second day, `middle_date`.
    check(
        second,
        "K950, 690000K9500A, 广州 GZQ → 桂林北 GBZ, 深圳…桂林北, 01-11 09:12 → 01-11 21:03, \
         711 min, Unknown -, [BerthChoice]",
        &[
            "硬座 1 Plenty - 88.5",
            "硬卧 3 None 0 163.5 Upper 163.5 Lower 167.5 Middle 165.5",
            "软卧 4 Count 3 255.5 Upper 255.5 Lower 265.5",
            "无座 W Count 12 88.5",
        ],
    );
    // The price text of the last leg is cut: no price, and the seats are known from their letters.
    let seats: Vec<String> = page.plans[2].legs[1].seats.iter().map(seat_line).collect();
    assert_eq!(
        seats,
        [
            "商务座 9 NotOnSale - -",
            "一等座 M Plenty - -",
            "二等座 O Plenty - -"
        ]
    );
    assert_compact_json_snapshot!("complete", page.plans);
}

#[test]
fn a_plan_with_missing_members() {
    let page = plans("transfers_guangzhou_guilin_partial_20260527.json").expect("plans");
    assert_eq!((page.next, page.more), (None, false));
    let [plan] = page.plans.as_slice() else {
        panic!("one plan");
    };
    assert_eq!(
        plan_line(plan),
        "05-27 22:30 → 05-28 09:44, 674 min, wait 183, 衡阳/衡阳东, \
         same station false, same train false, from -"
    );
    // No duration, no second boarding day: the times that depend on them are not known.
    check(
        &plan.legs[0],
        "K436, -, 广州北 - → 衡阳 -, -…-, 05-27 22:30 → -, - min, Unknown -, []",
        &[
            "硬卧/二等卧 - None 0 -",
            "硬座 1 None 0 -",
            "无座 W Plenty - -",
        ],
    );
    check(
        &plan.legs[1],
        "D3961, -, 衡阳东 - → 桂林 -, -…-, - → -, - min, Unknown -, []",
        &[
            "一等座 M Plenty - -",
            "二等座/二等包座 - Plenty - -",
            "无座 W Plenty - -",
        ],
    );
    assert_compact_json_snapshot!("guangzhou_guilin", page.plans);
}

#[test]
fn transfer_answers_without_plans() {
    let none = Page {
        plans: Vec::new(),
        next: None,
        more: false,
    };
    assert_eq!(plans("transfers_no_plan.json"), Ok(none));
    // Its publisher kept a single leg and few of its members.
    let cut = plans("transfers_beijing_guilin_partial_20230518.json");
    let drift = Drift::new("data.middleList[0].fullList", "缺失或格式不同");
    assert_eq!(cut, Err(Rejected::Drift(drift)));
}

/// The first complete plan with these members of plan, first and second leg set, or removed by null.
fn changed(plan: Value, first: Value, second: Value) -> Plan {
    let mut answer = recorded("transfers_complete.json");
    let target = &mut answer["data"]["middleList"][0];
    let set = |target: &mut Value, members: Value| {
        for (name, value) in members.as_object().expect("members") {
            target[name] = value.clone();
        }
    };
    set(target, plan);
    set(&mut target["fullList"][0], first);
    set(&mut target["fullList"][1], second);
    mapped(answer).expect("plans").plans.remove(0)
}

#[test]
fn the_legs_tell_whether_the_station_changes() {
    let arrive =
        |code: Value, name: &str| json!({ "to_station_telecode": code, "to_station_name": name });
    let leave = |code: Value, name: &str| json!({ "from_station_telecode": code, "from_station_name": name });
    let check = |flag: Value, first: Value, second: Value, expected: bool| {
        let said = format!("{flag} {first} {second}");
        let plan = changed(json!({ "same_station": flag }), first, second);
        assert_eq!(plan.same_station, expected, "{said}");
    };
    // The codes win over the flag, and both codes of 成都东 are one station.
    check(json!("1"), json!({}), json!({}), true);
    check(json!("0"), arrive(json!("GZQ"), "广州"), json!({}), false);
    check(
        json!("1"),
        arrive(json!("ICW"), "成都东"),
        leave(json!("WEI"), "成  都东"),
        true,
    );
    // Without codes the flag counts, without a flag the names.
    let unknown = Value::Null;
    check(
        json!("0"),
        arrive(unknown.clone(), "衡阳"),
        leave(json!("HVQ"), "衡阳东"),
        true,
    );
    check(
        json!("1"),
        arrive(unknown.clone(), "衡阳"),
        leave(unknown.clone(), "衡阳"),
        false,
    );
    check(
        unknown.clone(),
        arrive(unknown.clone(), "衡阳"),
        leave(unknown.clone(), "衡阳"),
        true,
    );
    check(
        unknown.clone(),
        arrive(unknown.clone(), "衡阳"),
        leave(unknown, "衡阳东"),
        false,
    );
}

#[test]
fn a_transfer_without_a_name_has_the_names_of_its_legs() {
    let unnamed = json!({ "middle_station_name": null });
    let plan = changed(unnamed.clone(), json!({}), json!({}));
    assert_eq!(plan.transfer_station, ["广州南"]);
    let elsewhere = json!({ "from_station_telecode": "GZQ", "from_station_name": "广州" });
    let plan = changed(unnamed, json!({}), elsewhere);
    assert_eq!(plan.transfer_station, ["广州南", "广州"]);
}

#[test]
fn a_leg_whose_times_disagree_has_no_arrival() {
    let plan = changed(
        json!({}),
        json!({ "lishi": "07:18" }),
        json!({ "arrive_time": "20:41" }),
    );
    let arrivals = plan.legs.each_ref().map(|leg| leg.arrive_at);
    assert_eq!(arrivals, [None, None]);
    assert_eq!(
        plan.legs.map(|leg| at(leg.depart_at)),
        ["01-10 10:00", "01-10 17:55"]
    );
}

#[test]
fn legs_may_stand_under_another_name() {
    let mut answer = recorded("transfers_complete.json");
    let plan = answer["data"]["middleList"][0]
        .as_object_mut()
        .expect("a plan");
    let legs = plan.shift_remove("fullList").expect("legs");
    plan.insert("trainList".to_owned(), legs);
    let page = mapped(answer).expect("plans");
    assert_eq!(page, plans("transfers_complete.json").expect("plans"));
}

#[test]
fn the_last_page_says_so() {
    let mut answer = recorded("transfers_complete.json");
    answer["data"]["can_query"] = json!("N");
    answer["data"]["middleList"] = json!([]);
    let last = Page {
        plans: Vec::new(),
        next: Some(10),
        more: false,
    };
    assert_eq!(mapped(answer), Ok(last));
}

#[test]
fn a_leg_without_its_code_is_drift_where_it_is() {
    let mut answer = recorded("transfers_complete.json");
    answer["data"]["middleList"][2]["fullList"][1]["station_train_code"] = json!("");
    let field = "data.middleList[2].fullList[1].station_train_code";
    let drift = Drift::new(field, "缺失或格式不同");
    assert_eq!(mapped(answer), Err(Rejected::Drift(drift)));
}
