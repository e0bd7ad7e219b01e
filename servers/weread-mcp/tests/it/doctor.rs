//! `doctor`: which ways are set up, and with `--live` whether each leads to the service.

use std::path::Path;

use fixtures::{
    shell::{Ended, command},
    upstream::Fault,
    weread::Weread,
};
use serde_json::{Value, json};

use crate::{
    standing::{EXPIRED, REVOKED},
    world::{beside, cloud, cookie, key},
};

/// Every check that all servers have.
const COMMON: [&str; 6] = ["版本", "程序", "时钟", "状态目录", "密钥存放处", "设置"];

/// Runs `doctor` and gives its status and the checks that only this server has.
fn doctor(
    fake: &Weread,
    data: &Path,
    more: &[(&'static str, String)],
    args: &[&str],
) -> (i32, Vec<Value>) {
    let home = tempfile::tempdir().unwrap();
    let launch = beside(fake, data, more);
    let own: Vec<_> = launch.args.iter().map(String::as_str).collect();
    let args = [&["doctor", "--json"], args, &own].concat();
    let mut command = command(&launch.binary, &args, home.path());
    let ended = Ended::from(command.envs(launch.env).output().unwrap());
    let findings = ended.json();
    assert!(!ended.out.contains("CANARY"), "{}", ended.out);
    let findings = findings.as_array().unwrap().iter().cloned();
    let own = findings.filter(|finding| !COMMON.contains(&finding["check"].as_str().unwrap()));
    (ended.code, own.collect())
}

fn ok(check: &str, found: &str) -> Value {
    json!({ "check": check, "health": "ok", "found": found })
}

fn broken(check: &str, found: &str, next: &str) -> Value {
    json!({ "check": check, "health": "broken", "found": found, "next": next })
}

fn all(fake: &Weread) -> Vec<(&'static str, String)> {
    let mut all = cloud(fake);
    all.extend([key(), cookie(fake)]);
    all
}

const WAYS: [&str; 3] = ["API Key", "Cookie", "CookieCloud"];

/// What is found when the fake has been scripted so.
#[track_caller]
fn check(script: impl Fn(&Weread), expected: &[Value]) {
    let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
    let env = all(&fake);
    script(&fake);
    let (code, found) = doctor(&fake, data.path(), &env, &["--live"]);
    assert_eq!(found, expected);
    let broken = expected.iter().any(|finding| finding["health"] == "broken");
    assert_eq!(code, i32::from(broken));
}

#[test]
fn nothing_is_asked_unless_told_to() {
    let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
    let expected = WAYS.map(|way| ok(way, "已设置；用 --live 查验是否可用"));
    assert_eq!(
        doctor(&fake, data.path(), &all(&fake), &[]),
        (0, expected.to_vec())
    );
    assert_eq!(fake.journal().all().len(), 0);
    check(|_| (), &WAYS.map(|way| ok(way, "可用")));
}

#[test]
fn nothing_set_up_is_a_warning() {
    let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
    let expected = json!({
        "check": "凭证", "health": "warning", "found": "没有设置任何凭证",
        "next": "执行 weread-mcp login，或在对话中用 start_login 扫码登录",
    });
    for args in [&[][..], &["--live"]] {
        assert_eq!(
            doctor(&fake, data.path(), &[], args),
            (0, vec![expected.clone()])
        );
    }
    assert_eq!(fake.journal().all().len(), 0);
}

#[test]
fn each_way_is_told_with_its_own_reason() {
    let dead = |fake: &Weread| {
        fake.revoke_key();
        fake.expire_session();
        fake.revoke_refresh_tokens();
        fake.remove_cloud(Weread::CLOUD_ID);
    };
    let id = [
        "CookieCloud 服务器上没有这个用户 KEY",
        "核对 CC_ID，并在浏览器插件里同步一次",
    ];
    check(
        dead,
        &[
            broken("API Key", REVOKED[1], REVOKED[2]),
            broken("Cookie", EXPIRED[1], EXPIRED[2]),
            broken("CookieCloud", id[0], id[1]),
        ],
    );
    let next = "稍后再检查；若一直如此，在浏览器中打开微信读书看是否也不可用";
    let down = |fake: &Weread| fake.fault("/user/notebooks", 2, Fault::Status(502, Vec::new()));
    let found = "UPSTREAM_UNAVAILABLE：请求微信读书失败：返回状态 502";
    check(
        down,
        &[
            broken("API Key", found, next),
            ok("Cookie", "可用"),
            ok("CookieCloud", "可用"),
        ],
    );
}
