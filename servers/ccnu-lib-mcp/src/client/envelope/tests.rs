//! Which answers say yes, and why the others say no.

use serde_json::json;

use super::*;

fn refusal(code: Option<&str>, said: &str, in_the_way: Option<&str>) -> Rejected {
    Rejected::Refused(Refusal {
        code: code.map(|code| Code(code.to_owned())),
        said: said.to_owned(),
        in_the_way: in_the_way.and_then(ReservationId::parse),
    })
}

#[test]
fn status_code_and_success_decide_together() {
    let no = |code| Err(refusal(code, "", None));
    let drift = |field: &str, problem| Err(Rejected::Drift(Drift::new(field, problem)));
    for (answer, expected) in [
        (
            json!({ "status": true, "code": 200, "data": 1 }),
            Ok(json!(1)),
        ),
        (
            json!({ "status": true, "code": "200", "data": 1 }),
            Ok(json!(1)),
        ),
        (
            json!({ "status": true, "code": 0, "data": 1 }),
            Ok(json!(1)),
        ),
        (json!({ "status": true, "data": 1 }), Ok(json!(1))),
        (
            json!({ "status": true, "code": null, "success": true }),
            Ok(json!(null)),
        ),
        (json!({ "status": true, "code": 500 }), no(Some("500"))),
        (
            json!({ "status": true, "success": false, "code": 200 }),
            no(Some("200")),
        ),
        (json!({ "status": false, "code": 20002 }), no(Some("20002"))),
        (
            json!({ "status": false, "code": "20003" }),
            no(Some("20003")),
        ),
        (json!({ "status": false }), no(None)),
        (json!({ "code": "20003" }), no(Some("20003"))),
        (json!({ "success": false }), no(None)),
        (json!({ "code": 200, "data": 1 }), drift("status", "缺失")),
        (json!({}), drift("status", "缺失")),
        (
            json!({ "status": "true" }),
            drift("status", "缺失或类型不同"),
        ),
        (
            json!({ "status": true, "code": 200.5 }),
            drift("code", "缺失或类型不同"),
        ),
        (
            json!({ "status": true, "message": 1 }),
            drift("message", "缺失或类型不同"),
        ),
        (json!([]), drift(".", "缺失或类型不同")),
        (json!("maintenance"), drift(".", "缺失或类型不同")),
    ] {
        let found = open(answer.clone()).map(|accepted| accepted.data);
        assert_eq!(found, expected, "{answer}");
    }
}

#[test]
fn a_refusal_keeps_its_sentence_and_what_is_in_the_way() {
    for (data, in_the_way) in [
        (
            json!({ "ctId": "2070000000000000001" }),
            Some("2070000000000000001"),
        ),
        (
            json!({ "ctId": 2070000000000000001_u64 }),
            Some("2070000000000000001"),
        ),
        (json!({ "ctId": 2.07e18 }), None),
        (json!({ "ctId": "" }), None),
        (json!({}), None),
        (json!("x"), None),
        (json!(null), None),
    ] {
        let answer =
            json!({ "status": false, "code": 500, "message": " 不\u{202e}行 ", "data": data });
        let expected = refusal(Some("500"), "不行", in_the_way);
        assert_eq!(accepted(answer), Err(expected), "{data}");
    }
}

#[test]
fn reasons_come_from_the_code_first_and_the_sentence_last() {
    for (code, said, in_the_way, expected) in [
        ("20002", "token认证无效", None, Reason::SignedOut),
        ("20003", "座位", None, Reason::SignedOut),
        ("10001", "", None, Reason::SignedOut),
        ("10002", "", None, Reason::SignedOut),
        ("10003", "", None, Reason::SignedOut),
        ("401", "签名校验失败", None, Reason::Unauthorised),
        ("403", "", None, Reason::Unauthorised),
        (
            "500",
            "操作失败",
            Some("2070000000000000001"),
            Reason::AlreadyReserved,
        ),
        (
            "500",
            "已有1个有效预约，请先取消或结束后再预约",
            None,
            Reason::AlreadyReserved,
        ),
        (
            "500",
            "您已被列入黑名单，2026-07-02 前不可预约座位",
            None,
            Reason::Blacklisted,
        ),
        ("500", "请完成验证码校验", None, Reason::Captcha),
        (
            "500",
            "该座位当前时段已被预约，请选择其他时段或座位",
            None,
            Reason::SeatTaken,
        ),
        ("500", "已超过可取消时间", None, Reason::Other),
        ("20004", "", None, Reason::Other),
    ] {
        let Rejected::Refused(refusal) = refusal(Some(code), said, in_the_way) else {
            panic!("not a refusal");
        };
        assert_eq!(refusal.reason(), expected, "{code} {said}");
    }
}
