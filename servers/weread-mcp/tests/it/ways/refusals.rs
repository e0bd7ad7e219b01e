//! What the service says no with, and what broke on the way.

use fixtures::{
    mcp::Both,
    upstream::Fault,
    weread::{Upgrade, Weread},
};
use serde_json::{Value, json};

use super::{GATEWAY, WEB, read, refused, uncached};
use crate::world::{cookie, key, world_with};

fn with_key() -> Both<Weread> {
    world_with(|_| vec![key(), uncached()])
}

fn with_cookie() -> Both<Weread> {
    world_with(|fake| vec![cookie(fake), uncached()])
}

fn failure(code: &str, message: &str, retryable: bool, next: &str) -> Value {
    json!({ "ok": false, "code": code, "message": message, "retryable": retryable, "next": next })
}

fn with_data(mut failure: Value, data: Value) -> Value {
    failure["data"] = data;
    failure
}

#[test]
fn a_no_carries_the_services_own_words_as_data() {
    for (both, route) in [(with_key(), GATEWAY), (with_cookie(), WEB)] {
        let shelf = "微信读书读不出这个账号的书架；不经书架的查询仍可用，例如按 book_id 取笔记";
        let parameters = "核对参数；若参数无误，请升级 weread-mcp";
        let other = "按微信读书的提示处理后重试";
        for (code, said, next) in [
            (-1, "-1", other),
            (-202, "-202", shelf),
            (-2003, "参数格式错误", parameters),
            (-9999, "-9999", other),
        ] {
            both.each(|fake| fake.refuse(route, Some(code)));
            let message = format!("微信读书拒绝了请求：{said}");
            let failure = failure("UPSTREAM_REFUSED", &message, false, next);
            let data = json!({ "said": said, "untrusted": true, "code": code });
            refused(&both, &with_data(failure, data));
        }
        both.each(|fake| fake.refuse(route, None));
        read(&both);
    }
}

#[test]
fn either_spelling_counts_whatever_the_status() {
    for (both, route) in [(with_key(), GATEWAY), (with_cookie(), WEB)] {
        for name in ["errcode", "errCode"] {
            for status in [200, 400, 401, 403, 404, 499] {
                let body = json!({ name: -1, "errmsg": "请稍后" }).to_string();
                both.each(|fake| fake.fault(route, 1, Fault::Page(status, body.clone())));
                let message = "微信读书拒绝了请求：请稍后";
                let next = "按微信读书的提示处理后重试";
                let failure = failure("UPSTREAM_REFUSED", message, false, next);
                let data = json!({ "said": "请稍后", "untrusted": true, "code": -1 });
                refused(&both, &with_data(failure, data));
            }
        }
    }
}

#[test]
fn a_code_means_the_same_with_every_status() {
    let next = "等待 retry_after 秒后重试，不要反复调用";
    let too_fast = json!({
        "ok": false, "code": "RATE_LIMITED", "message": "微信读书提示请求过于频繁，1 秒内不再请求",
        "retryable": true, "retry_after": 1, "next": next,
    });
    for (status, times) in [(400, 1), (403, 1), (499, 1), (500, 2), (502, 2)] {
        let short = ("WEREAD_BACK_OFF_MS", "1".to_owned());
        let both = world_with(|_| vec![key(), uncached(), short.clone()]);
        let body = json!({ "errcode": -2014 }).to_string();
        both.each(|fake| fake.fault(GATEWAY, times, Fault::Page(status, body.clone())));
        refused(&both, &too_fast);
        // The login is over, and is renewed.
        let both = with_cookie();
        let body = json!({ "errCode": -2012, "errMsg": "登录超时" }).to_string();
        both.each(|fake| fake.fault(WEB, times, Fault::Page(status, body.clone())));
        read(&both);
        both.each(|fake| assert_eq!(fake.renewed(), 1));
    }
}

#[test]
fn an_error_page_is_no_word_of_the_service() {
    let framework = json!({ "url": "/x", "statusCode": 404, "message": "Not Found" }).to_string();
    for (both, route) in [(with_key(), GATEWAY), (with_cookie(), WEB)] {
        for (status, times, body) in [
            (400, 1, "<html>"),
            (403, 1, ""),
            (404, 1, &framework),
            (404, 1, "[]"),
            (401, 1, "Unauthorized"),
            (500, 2, &framework),
            (503, 2, "null"),
        ] {
            both.each(|fake| fake.fault(route, times, Fault::Page(status, body.to_owned())));
            let message = format!("请求微信读书失败：返回状态 {status}");
            let next = "稍后重试；若一直失败，运行 weread-mcp doctor --live";
            refused(
                &both,
                &failure("UPSTREAM_UNAVAILABLE", &message, true, next),
            );
        }
        read(&both);
    }
}

#[test]
fn nothing_at_all_is_no_empty_list() {
    for (both, route, path) in [
        (with_key(), GATEWAY, "/store/search"),
        (with_cookie(), WEB, "/api/store/search"),
    ] {
        both.each(|fake| {
            fake.switch(|switches| {
                switches.empty.insert(route.to_owned());
            });
        });
        let message = format!("微信读书对 {path} 什么都没有返回，这不等于没有内容");
        let next = "稍后重试；若一直如此，换一种凭证（官方 API Key 或 Cookie）";
        let failure = failure("UPSTREAM_EMPTY", &message, true, next);
        refused(&both, &with_data(failure, json!({ "path": path })));
    }
}

#[test]
fn what_breaks_on_the_way_is_told_and_may_pass() {
    for (both, route) in [(with_key(), GATEWAY), (with_cookie(), WEB)] {
        let page = Fault::Page(502, "<html><body>502 Bad Gateway</body></html>".to_owned());
        for (fault, why) in [
            (Fault::Status(502, Vec::new()), "返回状态 502"),
            (page, "返回状态 502"),
            (Fault::LostAnswer, "连接被中断"),
        ] {
            both.each(|fake| fake.fault(route, 2, fault.clone()));
            let next = "稍后重试；若一直失败，运行 weread-mcp doctor --live";
            let message = format!("请求微信读书失败：{why}");
            refused(
                &both,
                &failure("UPSTREAM_UNAVAILABLE", &message, true, next),
            );
            // Once is repeated without a word.
            both.each(|fake| fake.fault(route, 1, fault.clone()));
            read(&both);
        }
        // What has been answered is not asked again.
        for (fault, why) in [
            (Fault::Html, "返回了网页而不是数据，可能在维护"),
            (Fault::CutBody, "答复不完整"),
        ] {
            both.each(|fake| fake.fault(route, 1, fault.clone()));
            let next = "稍后重试；若一直失败，运行 weread-mcp doctor --live";
            let message = format!("请求微信读书失败：{why}");
            refused(
                &both,
                &failure("UPSTREAM_UNAVAILABLE", &message, true, next),
            );
            read(&both);
        }
    }
}

#[test]
fn a_form_that_is_not_known_is_told() {
    for (both, route, path) in [
        (with_key(), GATEWAY, "/store/search"),
        (with_cookie(), WEB, "/api/store/search"),
    ] {
        for (body, field, why) in [
            ("[]", ".", "不是对象"),
            ("{\"results\":5}", "results", "缺失或类型不同"),
            ("not json", ".", "不是 JSON"),
        ] {
            both.each(|fake| fake.fault(route, 1, Fault::Body(body.to_owned())));
            let message = format!("微信读书的接口与本程序所知不同：{path} 的 {field}（{why}）");
            let next = "升级 weread-mcp；若已是最新，请反馈 path 与 field";
            let failure = failure("UPSTREAM_CHANGED", &message, false, next);
            let data = json!({ "path": path, "field": field });
            refused(&both, &with_data(failure, data));
        }
    }
}

#[test]
fn a_skill_that_is_too_old_is_told_when_nothing_else_comes() {
    let both = world_with(|_| {
        let version = ("WEREAD_SKILL_VERSION", "1.0.2".to_owned());
        vec![key(), uncached(), version]
    });
    read(&both);
    both.each(|fake| fake.switch(|switches| switches.upgrade = Upgrade::Instead));
    let next = "升级 weread-mcp，或用 WEREAD_SKILL_VERSION 设为网关要求的版本；也可改用 Cookie";
    let failure = failure(
        "SKILL_OUTDATED",
        "官方网关不再接受本程序所报的 skill 版本",
        false,
        next,
    );
    let said = "当前 skill 版本过低，请更新到最新版本";
    let data = json!({ "said": said, "latest": "1.0.5", "untrusted": true });
    refused(&both, &with_data(failure, data));
}
