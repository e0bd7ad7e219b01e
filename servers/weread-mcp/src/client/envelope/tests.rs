//! Which answers hold data, and why the others do not.

use serde_json::json;

use super::*;

fn refused<T>(code: i64, said: &str) -> Result<T, Rejected> {
    let said = said.to_owned();
    Err(Rejected::Refused(Refusal { code, said }))
}

#[test]
fn both_spellings_count_whatever_the_status() {
    let over = || refused(-2012, "登录超时");
    for (status, answer, expected) in [
        (
            200,
            json!({ "errCode": -2012, "errMsg": "登录超时", "errLog": "C8yl2bO", "info": "" }),
            over(),
        ),
        (
            200,
            json!({ "errcode": -2012, "errmsg": "登录超时" }),
            over(),
        ),
        (
            401,
            json!({ "errcode": -2012, "errlog": "C5Iu7E3", "errmsg": "登录超时" }),
            over(),
        ),
        (
            499,
            json!({ "errCode": "-2012", "errMsg": "登录超时" }),
            over(),
        ),
        (
            200,
            json!({ "errcode": 0, "errCode": -2012, "errMsg": "登录超时", "books": [] }),
            over(),
        ),
        (
            200,
            json!({ "errcode": -2012, "books": [1] }),
            refused(-2012, ""),
        ),
        (
            200,
            json!({ "errCode": -1, "errMsg": null, "errmsg": " 系统\u{202e}繁忙\n" }),
            refused(-1, "系统繁忙"),
        ),
        (
            499,
            json!({ "errcode": -202, "errmsg": "-202" }),
            refused(-202, "-202"),
        ),
        (
            499,
            json!({ "errcode": -202, "errmsg": -202 }),
            refused(-202, "-202"),
        ),
    ] {
        assert_eq!(
            accepted(status, answer.clone()),
            expected,
            "{status} {answer}"
        );
    }
}

#[test]
fn a_failing_status_is_no_yes() {
    let page = json!({ "url": "/api/auth/getLoginInfo", "statusCode": 401 });
    assert_eq!(accepted(401, page.clone()), refused(401, ""));
    assert_eq!(accepted(499, json!({ "books": [] })), refused(499, ""));
    assert_eq!(accepted(500, json!({})), refused(500, ""));
    assert_eq!(accepted(200, page.clone()), Ok(page));
}

#[test]
fn nothing_is_no_empty_list() {
    for answer in [
        json!({}),
        json!({ "errcode": 0 }),
        json!({ "errCode": 0, "errMsg": "", "errLog": "C8yl2bO", "info": "" }),
    ] {
        assert_eq!(
            accepted(200, answer.clone()),
            Err(Rejected::Nothing),
            "{answer}"
        );
    }
    for answer in [
        json!({ "synckey": 0 }),
        json!({ "books": [] }),
        json!({ "errcode": 0, "books": [] }),
        json!({ "errcode": null, "succ": 1 }),
    ] {
        assert_eq!(accepted(200, answer.clone()), Ok(answer));
    }
}

#[test]
fn what_is_no_object_is_drift() {
    let drift = |field: &str, problem| Err(Rejected::Drift(Drift::new(field, problem)));
    for answer in [json!([]), json!(null), json!("maintenance"), json!(1)] {
        assert_eq!(
            accepted(200, answer.clone()),
            drift(".", "不是对象"),
            "{answer}"
        );
    }
    let answer = json!({ "errcode": "soon", "books": [] });
    assert_eq!(accepted(200, answer), drift("errcode", "缺失或类型不同"));
    let answer = json!({ "errCode": 0, "errMsg": {}, "books": [] });
    assert_eq!(accepted(200, answer), drift("errMsg", "缺失或类型不同"));
}

#[test]
fn every_code_has_its_reason() {
    for (code, expected) in [
        (-1, Reason::Other),
        (-202, Reason::ShelfBroken),
        (-2003, Reason::BadParameters),
        (-2010, Reason::Unauthenticated),
        (-2012, Reason::Expired),
        (-2013, Reason::Replaced),
        (-2014, Reason::RateLimited),
        (-2041, Reason::Expired),
        (-12013, Reason::WeChatExpired),
        (401, Reason::Unauthenticated),
        (429, Reason::RateLimited),
        (499, Reason::Other),
        (2012, Reason::Other),
    ] {
        let said = String::new();
        assert_eq!(Refusal { code, said }.reason(), expected, "{code}");
    }
}

#[test]
fn every_recorded_error_has_its_reason() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fixtures/data/weread/account_errors.json"
    );
    let text = std::fs::read_to_string(path).expect("the errors");
    let errors: Vec<Value> = serde_json::from_str(&text).expect("a list");
    let found = errors.iter().map(|error| {
        // Where the status is not told it plays no part.
        let status = error["http"]
            .as_u64()
            .map_or(200, |status| u16::try_from(status).expect("a status"));
        match accepted(status, error["body"].clone()) {
            Err(Rejected::Refused(refusal)) => Ok(Some((refusal.reason(), refusal.said))),
            Err(Rejected::Nothing) => Ok(None),
            Ok(data) => Err(data),
            other => panic!("{other:?}"),
        }
    });
    let found: Vec<_> = found.collect();
    let said = |reason, said: &str| Ok(Some((reason, said.to_owned())));
    let expected = [
        said(Reason::Unauthenticated, "用户不存在"),
        said(Reason::ShelfBroken, "-202"),
        said(Reason::RateLimited, "请求频率超限，请稍后再试"),
        said(Reason::BadParameters, "缺少必填参数: bookId (书籍 ID)"),
        said(Reason::Unauthenticated, "用户不存在"),
        said(Reason::Expired, "登录超时"),
        said(Reason::Replaced, "params error (node)"),
        said(Reason::Replaced, "鉴权失败"),
        said(Reason::Expired, "登录超时"),
        said(Reason::BadParameters, "参数格式错误"),
        // A step of signing in, which is data.
        Err(json!({ "succeed": false, "logicCode": "LOGIN_TIMEOUT", "canRetry": false })),
        Ok(None),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_newer_skill_is_told_beside_data_or_instead_of_it() {
    let notice = json!({
        "message": "请更新\u{200b}技能", "current_version": "1.0.3", "latest_version": "1.0.5",
        "upgrade_url": "https://weread.qq.com/r/weread-skills",
    });
    let told = Upgrade {
        message: Some("请更新技能".to_owned()),
        latest: Some("1.0.5".to_owned()),
    };
    let beside = json!({ "upgrade_info": notice, "books": [] });
    assert_eq!(upgrade(&beside), Some(told.clone()));
    assert_eq!(accepted(200, beside.clone()), Ok(beside));
    for (status, answer) in [
        (200, json!({ "upgrade_info": notice })),
        (
            200,
            json!({ "upgrade_info": notice, "errcode": 0, "errmsg": "" }),
        ),
        (499, json!({ "upgrade_info": notice, "errcode": -1 })),
        (499, json!({ "upgrade_info": notice })),
    ] {
        let expected = Err(Rejected::UpgradeOnly(told.clone()));
        assert_eq!(accepted(status, answer.clone()), expected, "{answer}");
    }
    // What the caller must do first comes first.
    let signed_out = json!({ "upgrade_info": notice, "errcode": -2010 });
    assert_eq!(accepted(401, signed_out), refused(-2010, ""));
}

#[test]
fn a_notice_is_one_in_whatever_form() {
    let message = |text: &str| Upgrade {
        message: Some(text.to_owned()),
        ..Upgrade::default()
    };
    let latest = Upgrade {
        latest: Some("2".to_owned()),
        ..Upgrade::default()
    };
    for (sent, expected) in [
        (json!("请更新"), Some(message("请更新"))),
        (json!({ "msg": "请更新" }), Some(message("请更新"))),
        (json!({ "latestVersion": "2" }), Some(latest)),
        (json!({ "message": 5, "url": "" }), Some(Upgrade::default())),
        (json!({}), Some(Upgrade::default())),
        (json!(true), Some(Upgrade::default())),
        (json!(null), None),
    ] {
        let answer = json!({ "upgrade_info": sent, "books": [] });
        assert_eq!(upgrade(&answer), expected, "{sent}");
    }
    assert_eq!(upgrade(&json!({ "books": [] })), None);
}
