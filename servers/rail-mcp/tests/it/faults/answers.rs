//! Answers with a bad status, a broken body or an unknown shape.

use fixtures::upstream::Fault;
use serde_json::json;

use super::{
    Met, ROUTE, TICKETS, TRANSFERS, arguments, changed, forgetful, turned_away, unavailable,
};

const PATH: &str = "/otn/leftTicket/queryG";

#[test]
fn each_bad_answer_is_its_own_failure() {
    let both = forgetful();
    let mut met = Met::new();
    both.call(TICKETS, arguments(TICKETS));
    met.since(&both, &["init", "tickets"], "the first call");
    let status = |status| Fault::Status(status, vec![]);
    let body = |text: &str| Fault::Body(text.to_owned());
    let said = |status: u16| unavailable(&format!("12306 返回状态 {status}（{PATH}）"));
    let blocked = |status: u16| {
        let message =
            format!("12306 返回状态 {status}（{PATH}），可能限制了所在网络（境外、云主机）");
        let mut failure = unavailable(&message);
        failure["next"] = json!("换用中国内地的家庭或办公网络后重试；无需账号");
        failure
    };
    let (once, twice) = (&["tickets"][..], &["tickets", "tickets"][..]);
    let lacking = "缺失或类型不同";
    for (fault, times, expected, requests) in [
        (status(500), 2, said(500), twice),
        (status(503), 2, said(503), twice),
        (status(408), 2, said(408), twice),
        (status(403), 1, blocked(403), once),
        (status(405), 1, blocked(405), once),
        (
            Fault::CutBody,
            1,
            unavailable(&format!("12306 的答复不完整（{PATH}）")),
            once,
        ),
        (
            body(r#"{"status":true,"data":{"resu"#),
            1,
            unavailable(&format!("12306 的答复不完整（{PATH}）")),
            once,
        ),
        (body("busy"), 1, changed(PATH, ".", "不是 JSON"), once),
        (Fault::Empty, 1, changed(PATH, ".", "不是 JSON"), once),
        (
            body(&" ".repeat((4 << 20) + 1)),
            1,
            changed(PATH, ".", "超过 4194304 字节"),
            once,
        ),
        (body("7"), 1, changed(PATH, ".", lacking), once),
        (body("{}"), 1, changed(PATH, "data", "缺失"), once),
        (
            body(r#"{"status":false}"#),
            1,
            changed(PATH, "status", "为 false 而没有说明"),
            once,
        ),
        (
            body(r#"{"status":"yes"}"#),
            1,
            changed(PATH, "status", lacking),
            once,
        ),
        (
            body(r#"{"data":{"result":7}}"#),
            1,
            changed(PATH, "data.result", lacking),
            once,
        ),
    ] {
        both.each(|fake| fake.fault("tickets", times, fault.clone()));
        let answer = both.call(TICKETS, arguments(TICKETS));
        assert_eq!(answer.structured, expected);
        met.since(&both, requests, &expected.to_string());
    }
}

#[test]
fn a_passing_fault_is_tried_once_more() {
    let both = forgetful();
    let mut met = Met::new();
    let tools = [TICKETS, TRANSFERS, ROUTE];
    let before = tools.map(|tool| both.call(tool, arguments(tool)));
    let first = ["init", "tickets", "lc_init", "transfers", "search", "stops"];
    met.since(&both, &first, "without faults");
    for ((tool, before), (route, expected)) in tools.iter().zip(before).zip([
        ("tickets", &["tickets", "tickets"][..]),
        ("transfers", &["transfers", "transfers"]),
        ("search", &["search", "search", "stops"]),
    ]) {
        both.each(|fake| fake.fault(route, 1, Fault::Status(503, vec![])));
        assert_eq!(both.call(tool, arguments(tool)), before);
        met.since(&both, expected, route);
    }
}

#[test]
fn each_step_of_a_call_names_its_own_path() {
    let both = forgetful();
    let said = |path: &str| unavailable(&format!("12306 返回状态 404（{path}）"));
    let search = "/search/v1/train/search";
    for (tool, route, fault, expected) in [
        (TICKETS, "init", 404, said("/otn/leftTicket/init")),
        (TRANSFERS, "lc_init", 404, said("/otn/lcQuery/init")),
        (ROUTE, "search", 404, said(search)),
        (ROUTE, "search", 200, turned_away(search)),
        (
            TRANSFERS,
            "transfers",
            201,
            changed("/lcquery/queryX", "data", "缺失"),
        ),
        (
            ROUTE,
            "stops",
            201,
            changed("/otn/queryTrainInfo/query", "data", "缺失"),
        ),
        (
            ROUTE,
            "search",
            202,
            changed(search, "data[0].train_no", "缺失或格式不同"),
        ),
    ] {
        let hit = json!([{ "station_train_code": "G77", "train_no": "", "from_station": "a", "to_station": "b" }]);
        both.each(|fake| {
            let fault = match fault {
                200 => Fault::Html,
                201 => Fault::Body("{}".into()),
                202 => Fault::Body(json!({ "status": true, "data": hit }).to_string()),
                status => Fault::Status(status, vec![]),
            };
            fake.fault(route, 1, fault);
        });
        let answer = both.call(tool, arguments(tool));
        assert_eq!(answer.structured, expected, "{tool} {route}");
    }
}
