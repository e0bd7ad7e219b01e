//! `doctor`: what stands between this machine and a booking, told apart.

use std::path::Path;

use fixtures::{
    ccnu::{Ccnu, Outage, Part},
    mcp::{Client, Era},
    shell::{Ended, command, end},
    upstream::Fault,
};
use serde_json::{Value, json};

use crate::world::{NOW, PASSWORD, READER, environment, launch};

/// Every check that all servers have.
const COMMON: [&str; 6] = ["版本", "程序", "时钟", "状态目录", "密钥存放处", "设置"];

/// Runs `doctor` and gives its status and the checks that only this server has.
fn doctor(fake: &Ccnu, data: &Path, args: &[&str]) -> (i32, Vec<Value>) {
    let home = tempfile::tempdir().unwrap();
    let folder = data.to_str().unwrap();
    let args = [&["doctor", "--json", "--data-dir", folder], args].concat();
    let mut command = command(&launch().binary, &args, home.path());
    // The machine's clock stands, whatever the service's does.
    let clock = [("CCNU_CLOCK".to_owned(), NOW.to_owned())];
    command.envs(environment(fake)).envs(clock);
    let ended = Ended::from(command.output().unwrap());
    let findings = ended.json();
    let findings = findings.as_array().unwrap().iter().cloned();
    let own = findings.filter(|finding| !COMMON.contains(&finding["check"].as_str().unwrap()));
    (ended.code, own.collect())
}

fn ok(check: &str, found: &str) -> Value {
    json!({ "check": check, "health": "ok", "found": found })
}

fn finding(health: &str, check: &str, found: &str, next: &str) -> Value {
    json!({ "check": check, "health": health, "found": found, "next": next })
}

fn broken(check: &str, found: &str, next: &str) -> Value {
    finding("broken", check, found, next)
}

fn reachable() -> Value {
    ok("图书馆系统", "可以连接，配置与签名密钥可读")
}

fn on_time() -> Value {
    ok("时钟偏差", "与图书馆系统相差 0 秒")
}

fn sign_in() -> Value {
    ok("统一身份认证", "经登录网关可以打开登录页")
}

fn alive() -> Value {
    ok("登录态", "可用（已由图书馆系统证实）")
}

const LATER: &str = "稍后再检查；若一直如此，在浏览器中打开看是否也不可用";

/// A fake and a state folder on which a reader has signed in.
fn signed_in() -> (Ccnu, tempfile::TempDir) {
    let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
    fake.switch(|switches| switches.captcha = false);
    let folder = data.path().to_str().unwrap();
    let launch = launch()
        .args(["--data-dir", folder])
        .env(environment(&fake));
    let client = Client::start(&launch, Era::Modern);
    let account = json!({ "username": READER, "password": PASSWORD });
    assert_eq!(client.call("start_login", account).structured["ok"], true);
    end(&client);
    (fake, data)
}

/// What is found when the fake has been scripted so.
#[track_caller]
fn check(script: impl Fn(&Ccnu), expected: &[Value]) {
    let (fake, data) = signed_in();
    script(&fake);
    let (code, found) = doctor(&fake, data.path(), &["--live"]);
    assert_eq!(found, expected);
    let broken = expected.iter().any(|finding| finding["health"] == "broken");
    assert_eq!(code, i32::from(broken));
}

#[test]
fn nothing_is_asked_unless_told_to() {
    let (fake, data) = signed_in();
    let asked = fake.journal().all().len();
    assert_eq!(doctor(&fake, data.path(), &[]), (0, vec![]));
    assert_eq!(fake.journal().all().len(), asked);
    check(|_| (), &[reachable(), on_time(), sign_in(), alive()]);
}

#[test]
fn the_campus_the_system_its_key_and_its_form_are_told_apart() {
    let found = "OFF_CAMPUS：连不上图书馆预约系统：它只在校园网内开放";
    let away = [broken("校园网", found, "接入校园网后再检查")];
    check(
        |fake| fake.outage(Part::Api, Some(Outage::OffCampus)),
        &away,
    );
    let (mut fake, data) = signed_in();
    fake.stop();
    assert_eq!(doctor(&fake, data.path(), &["--live"]), (1, away.to_vec()));
    let found = "SYSCFG_FAILED：读取图书馆系统的配置失败：返回状态 502";
    let down = [broken("图书馆系统", found, LATER)];
    check(
        |fake| fake.outage(Part::Api, Some(Outage::BadGateway)),
        &down,
    );
    let found = "SYSCFG_FAILED：图书馆系统的配置无法使用：hmacKey is not base64";
    let key = [broken(
        "签名密钥",
        found,
        "稍后重试；若一直失败，升级 ccnu-lib-mcp 或反馈",
    )];
    let set = |name: &'static str, value: Value| {
        move |fake: &Ccnu| {
            fake.switch(|switches| drop(switches.system.insert(name.to_owned(), value.clone())));
        }
    };
    check(set("hmacKey", json!("?")), &key);
    let found = "UPSTREAM_CHANGED：图书馆系统的接口与本程序所知不同：/public/cg/getSysSet/PC 的 data.hmac（缺失或类型不同）";
    let next = "升级 ccnu-lib-mcp；若已是最新，请反馈以上内容";
    check(set("hmac", Value::Null), &[broken("接口", found, next)]);
}

#[test]
fn gateway_and_sign_in_are_told_apart() {
    let found = "SSO_FAILED：经图书馆系统转到统一身份认证失败：返回状态 502";
    let gateway = [
        reachable(),
        on_time(),
        broken("登录网关", found, LATER),
        alive(),
    ];
    check(
        |fake| fake.outage(Part::Gateway, Some(Outage::BadGateway)),
        &gateway,
    );
    let found = "AUTH_UNSETTLED：登录跳转停在了意料之外的地方：127.0.0.1/rem/static/sso/login";
    let next = "稍后再检查；若一直如此，请反馈以上地址";
    let repaired = [
        reachable(),
        on_time(),
        broken("登录网关", found, next),
        alive(),
    ];
    check(
        |fake| fake.outage(Part::Gateway, Some(Outage::Maintenance)),
        &repaired,
    );
    let found = "NAV_FAILED：打开统一身份认证页面失败：返回状态 502";
    let cas = [reachable(), on_time(), broken("统一身份认证", found, LATER)];
    check(
        |fake| fake.outage(Part::Cas, Some(Outage::BadGateway)),
        &[&cas[..], &[alive()]].concat(),
    );
    // What keeps the session from being renewed is told once.
    let both = |fake: &Ccnu| {
        fake.expire_tokens();
        fake.outage(Part::Cas, Some(Outage::BadGateway));
    };
    check(both, &cas);
    let found = "LOGIN_FORM_NOT_FOUND：统一身份认证页面上没有登录表单";
    let next = "稍后重试；若一直如此，请在浏览器中登录一次看看有什么提示";
    let formless = [
        reachable(),
        on_time(),
        broken("统一身份认证", found, next),
        alive(),
    ];
    check(
        |fake| fake.outage(Part::Cas, Some(Outage::Maintenance)),
        &formless,
    );
}

#[test]
fn a_refused_signature_is_told_from_a_clock_that_is_off() {
    let sealed = json!("LWrADtff4PL4HvWbyYbTCA==");
    let rotated = |fake: &Ccnu| {
        fake.switch(|switches| {
            switches.key = "SimLib2026rot".to_owned();
            switches.system.insert("hmacKey".to_owned(), sealed.clone());
        });
    };
    let found = "SIGNATURE_REJECTED：图书馆系统不接受请求签名，密钥已重新读取过";
    let refused = broken("请求签名", found, "升级 ccnu-lib-mcp；若已是最新，请反馈");
    check(rotated, &[reachable(), on_time(), sign_in(), refused]);
    let next = "校准本机时间";
    let skew = broken(
        "时钟偏差",
        "本机比图书馆系统慢 300 秒，请求签名会被拒绝",
        next,
    );
    let ahead = |fake: &Ccnu| fake.switch(|switches| switches.date_skew_seconds = 300);
    check(ahead, &[reachable(), skew, sign_in(), alive()]);
    let found = "CLOCK_SKEW：本机时钟比图书馆系统快 360 秒，请求签名因此无效";
    let skew = broken(
        "时钟偏差",
        "本机比图书馆系统快 360 秒，请求签名会被拒绝",
        next,
    );
    let refused = broken("请求签名", found, "校准本机时间后重试");
    let behind = |fake: &Ccnu| fake.set_clock("2026-06-25T10:54:00+08:00");
    check(behind, &[reachable(), skew, sign_in(), refused]);
}

#[test]
fn a_session_that_is_gone_or_never_was_is_told() {
    let out = finding(
        "warning",
        "登录态",
        "未登录，或已失效",
        "用 start_login 登录",
    );
    let gone = |fake: &Ccnu| {
        fake.expire_tokens();
        fake.revoke_castgc();
    };
    check(gone, &[reachable(), on_time(), sign_in(), out]);
    let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
    let next = "执行 ccnu-lib-mcp login 保存账号，或用 start_login 在登录页登录";
    let none = finding("warning", "登录态", "未登录，也没有保存账号", next);
    let (code, found) = doctor(&fake, data.path(), &["--live"]);
    assert_eq!(
        (code, found),
        (0, vec![reachable(), on_time(), sign_in(), none])
    );
}

#[test]
fn a_changed_answer_of_the_api_is_told() {
    for path in [
        "user/getUserInfo",
        "res/buildingFloorDate",
        "user/currentUseMake",
    ] {
        let found = format!(
            "UPSTREAM_CHANGED：图书馆系统的接口与本程序所知不同：/frontApi/{path} 的 data（缺失或类型不同）"
        );
        let next = "升级 ccnu-lib-mcp；若已是最新，请反馈以上内容";
        let changed = broken("接口", &found, next);
        let (_, route) = path.split_once('/').unwrap();
        let script = |fake: &Ccnu| {
            let body = "{\"status\":true,\"data\":5}".to_owned();
            fake.fault(route, 1, Fault::Body(body));
        };
        check(script, &[reachable(), on_time(), sign_in(), changed]);
    }
    let found = "UPSTREAM_UNAVAILABLE：请求图书馆系统失败：返回状态 502";
    let down = broken("图书馆系统", found, LATER);
    let script = |fake: &Ccnu| fake.fault("getUserInfo", 2, Fault::Status(502, Vec::new()));
    check(script, &[reachable(), on_time(), sign_in(), down]);
}
