//! What `get_login_status` says of each way, written short.

use serde_json::{Value, json};

/// A way that is not set up.
pub(crate) fn not_set(way: &str) -> Value {
    json!({ "way": way, "state": "not_set" })
}

/// A way that leads to the service. `renewable` is null for a key.
pub(crate) fn works(way: &str, source: &str, renewable: &Value) -> Value {
    way_of(way, "works", source, renewable)
}

/// A way that was not looked at.
pub(crate) fn not_checked(way: &str, source: &str, renewable: &Value) -> Value {
    way_of(way, "not_checked", source, renewable)
}

/// A way that does not lead there: reason, message, next.
pub(crate) fn failed(way: &str, source: &str, renewable: &Value, why: [&str; 3]) -> Value {
    let mut told = way_of(way, "failed", source, renewable);
    let [reason, message, next] = why;
    let fields = told.as_object_mut().expect("an object");
    fields.insert("reason".to_owned(), json!(reason));
    fields.insert("message".to_owned(), json!(message));
    fields.insert("next".to_owned(), json!(next));
    told
}

fn way_of(way: &str, state: &str, source: &str, renewable: &Value) -> Value {
    let mut told = json!({ "way": way, "state": state, "source": source });
    if !renewable.is_null() {
        told["renewable"] = renewable.clone();
    }
    told
}

/// The whole answer of a check.
pub(crate) fn status(active: &Value, ways: &[Value; 4], message: &str) -> Value {
    json!({
        "ok": true, "logged_in": !active.is_null(), "active": active, "ways": ways, "needs_challenge": false,
        "proven_at": "2026-11-20T12:00:00+08:00", "untrusted": true, "message": message,
    })
}

/// Nothing is set up but one way.
pub(crate) fn only(way: &str, told: &Value) -> [Value; 4] {
    ["api_key", "cookie", "cookiecloud", "scan"].map(|known| match known == way {
        true => told.clone(),
        false => not_set(known),
    })
}

/// What the service's word about a dead session is told as.
pub(crate) const EXPIRED: [&str; 3] = [
    "expired",
    "登录已过期，续登没有成功（鉴权失败）",
    "重新取得 Cookie，或用 start_login 扫码登录",
];

/// What is told of a key that was revoked.
pub(crate) const REVOKED: [&str; 3] = [
    "api_key_rejected",
    "官方网关不接受这个 API Key（用户不存在）",
    "在微信读书的 skill 页面重新生成 API Key，换掉环境变量 WEREAD_API_KEY，或用 weread-mcp login、save_credentials 保存",
];

/// All that was tried and what is wrong with it: way, reason, message, next.
pub(crate) fn ways(closed: &[(&str, [&str; 3])]) -> Value {
    let ways = closed.iter().map(|(way, [reason, message, next])| {
        json!({ "way": way, "reason": reason, "message": message, "next": next })
    });
    ways.collect()
}
