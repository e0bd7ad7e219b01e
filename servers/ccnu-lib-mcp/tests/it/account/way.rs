//! Every way in which the way through the sign-in can break, and its code.

use fixtures::{
    ccnu::{Ccnu, Outage, Part},
    mcp::{Both, World},
    upstream::Fault,
};
use serde_json::{Value, json};

use crate::{
    told::{call, captcha, submit},
    world::{PASSWORD, READER, world, world_with},
};

const LATER: &str = "稍后重试；若一直失败，运行 ccnu-lib-mcp doctor --live";
const LATER_OR_ANEW: &str =
    "稍后重试，登录则重新 start_login；若一直失败，运行 ccnu-lib-mcp doctor --live";

fn account() -> Value {
    json!({ "username": READER, "password": PASSWORD })
}

/// Nobody is asked for a captcha.
fn plain(more: &[(&str, &str)]) -> Both<Ccnu> {
    let both = world_with(more);
    both.each(|fake| fake.switch(|switches| switches.captcha = false));
    both
}

fn failed(code: &str, message: &str, retryable: bool, next: &str) -> Value {
    json!({ "ok": false, "code": code, "message": message, "retryable": retryable, "next": next })
}

fn with_data(mut failure: Value, data: Value) -> Value {
    failure["data"] = data;
    failure
}

fn off_campus(cause: &str) -> Value {
    let message = "连不上图书馆预约系统：它只在校园网内开放";
    let next = "接入校园网后重试；已在校内则运行 ccnu-lib-mcp doctor --live";
    with_data(
        failed("OFF_CAMPUS", message, true, next),
        json!({ "cause": cause }),
    )
}

fn unsettled(host: &str, path: &str) -> Value {
    let message = format!("登录跳转停在了意料之外的地方：{host}");
    let next = "稍后重试；若一直如此，请反馈 data 中的 host 与 path";
    with_data(
        failed("AUTH_UNSETTLED", &message, false, next),
        json!({ "host": host, "path": path }),
    )
}

/// What is told when each fake has been scripted so.
#[track_caller]
fn check(script: impl Fn(&Ccnu), expected: &Value) {
    let both = plain(&[]);
    both.each(script);
    let told = call(&both, "start_login", account());
    assert_eq!((&told.value, told.is_error), (expected, true));
}

#[test]
fn the_configuration_comes_first() {
    let down = failed(
        "SYSCFG_FAILED",
        "读取图书馆系统的配置失败：返回状态 502",
        true,
        LATER,
    );
    check(
        |fake| fake.outage(Part::Api, Some(Outage::BadGateway)),
        &down,
    );
    let page = "读取图书馆系统的配置失败：返回了网页而不是数据，可能在维护";
    let page = failed("SYSCFG_FAILED", page, true, LATER);
    check(
        |fake| fake.outage(Part::Api, Some(Outage::Maintenance)),
        &page,
    );
    let unusable = |why: &str| {
        let message = format!("图书馆系统的配置无法使用：{why}");
        failed(
            "SYSCFG_FAILED",
            &message,
            false,
            "稍后重试；若一直失败，升级 ccnu-lib-mcp 或反馈",
        )
    };
    let system = |name: &'static str, value: Value| {
        move |fake: &Ccnu| {
            fake.switch(|switches| {
                switches.system.insert(name.to_owned(), value.clone());
            });
        }
    };
    let bad_key = system("hmacKey", json!("AAAA"));
    check(bad_key, &unusable("hmacKey is not in whole blocks"));
    let ways = |name: &'static str, address: &'static str| {
        move |fake: &Ccnu| {
            let origin = fake.origin();
            let mut ways = json!({
                "VUESERVICE": format!("{origin}/jsq-v/"), "CASSSERVICE": format!("{origin}/rem"),
            });
            ways[name] = json!(address);
            system("vueConfig", ways)(fake);
        }
    };
    check(
        ways("VUESERVICE", "/jsq-v/"),
        &unusable("VUESERVICE 不是可用的地址"),
    );
    check(
        ways("CASSSERVICE", "rem"),
        &unusable("CASSSERVICE 不是可用的地址"),
    );
    // A gateway elsewhere is not asked.
    let elsewhere = unsettled("gateway.example", "/rem/static/sso/login");
    check(
        ways("CASSSERVICE", "https://gateway.example/rem"),
        &elsewhere,
    );
    let refused = "{\"status\":false,\"code\":500,\"message\":\"系统升级\"}".to_owned();
    check(
        |fake| fake.fault("getSysSet", 1, Fault::Body(refused.clone())),
        &unusable("系统升级"),
    );
    let changed = with_data(
        failed(
            "UPSTREAM_CHANGED",
            "图书馆系统的接口与本程序所知不同：/public/cg/getSysSet/PC 的 data.vueConfig（缺失或类型不同）",
            false,
            "升级 ccnu-lib-mcp；若已是最新，请反馈 path 与 field",
        ),
        json!({ "path": "/public/cg/getSysSet/PC", "field": "data.vueConfig" }),
    );
    check(system("vueConfig", Value::Null), &changed);
}

#[test]
fn the_campus_is_where_the_system_is() {
    let mut both = plain(&[]);
    both.each(|fake| fake.outage(Part::Api, Some(Outage::OffCampus)));
    assert_eq!(
        call(&both, "start_login", account()).value,
        off_campus("返回状态 483")
    );
    both.each_mut(Ccnu::stop);
    assert_eq!(
        call(&both, "start_login", json!({})).value,
        off_campus("无法建立连接")
    );
    check(
        |fake| fake.outage(Part::Gateway, Some(Outage::OffCampus)),
        &off_campus("返回状态 483"),
    );
}

#[test]
fn the_gateway_leads_to_the_sign_in() {
    let down = "经图书馆系统转到统一身份认证失败：返回状态 502";
    let down = failed("SSO_FAILED", down, true, LATER_OR_ANEW);
    check(
        |fake| fake.outage(Part::Gateway, Some(Outage::BadGateway)),
        &down,
    );
    // A page where there should be a way on.
    let there = unsettled("127.0.0.1", "/rem/static/sso/login");
    check(
        |fake| fake.outage(Part::Gateway, Some(Outage::Maintenance)),
        &there,
    );
    // After the password went out, too: its ticket was not taken.
    let late = unsettled("127.0.0.1", "/rem/static/sso/webOAuthRed");
    check(
        |fake| fake.switch(|switches| switches.ticket_seconds = -1),
        &late,
    );
}

#[test]
fn the_sign_in_is_a_page_with_a_form() {
    let down = failed(
        "NAV_FAILED",
        "打开统一身份认证页面失败：返回状态 502",
        true,
        LATER_OR_ANEW,
    );
    check(
        |fake| fake.outage(Part::Cas, Some(Outage::BadGateway)),
        &down,
    );
    let formless = with_data(
        failed(
            "LOGIN_FORM_NOT_FOUND",
            "统一身份认证页面上没有登录表单",
            false,
            "稍后重试；若一直如此，请在浏览器中登录一次看看有什么提示",
        ),
        json!({ "title": "系统维护", "untrusted": true }),
    );
    check(
        |fake| fake.outage(Part::Cas, Some(Outage::Maintenance)),
        &formless,
    );
    let far = "图书馆系统的接口与本程序所知不同：/cas/login 的 .（超过 262144 字节）";
    let far = failed(
        "UPSTREAM_CHANGED",
        far,
        false,
        "升级 ccnu-lib-mcp；若已是最新，请反馈 path 与 field",
    );
    let far = with_data(far, json!({ "path": "/cas/login", "field": "." }));
    let nested = "<div>".repeat(60_000);
    check(
        |fake| fake.fault("cas_page", 1, Fault::Page(200, nested.clone())),
        &far,
    );
}

#[test]
fn a_sign_in_at_a_closed_port_is_not_the_campus() {
    let both = plain(&[("CCNU_CAS_URL", "http://127.0.0.1:1/cas")]);
    both.each(|fake| {
        fake.fault(
            "sso_login",
            1,
            Fault::Redirect("http://127.0.0.1:1/cas/login?service=s".to_owned()),
        );
    });
    let told = call(&both, "start_login", account()).value;
    let down = "打开统一身份认证页面失败：无法建立连接";
    assert_eq!(told, failed("NAV_FAILED", down, true, LATER_OR_ANEW));
}

#[test]
fn a_form_that_may_have_been_sent_is_not_sent_again() {
    let lost = "重新 start_login；若一直失败，运行 ccnu-lib-mcp doctor --live";
    let both = world();
    let question = call(&both, "start_login", account());
    both.each(|fake| fake.fault("cas_post", 1, Fault::LostAnswer));
    let told = submit(&both, &question, "7k3p").value;
    assert_eq!(
        told,
        failed("SUBMIT_FAILED", "提交登录表单失败：连接被中断", false, lost)
    );
    for World { fake, .. } in both.worlds() {
        assert_eq!(fake.passwords_posted(), 1);
    }
    let again = submit(&both, &question, "7k3p").value;
    assert_eq!(again["code"], "CHALLENGE_NOT_PENDING");
    assert_eq!(
        call(&both, "start_login", json!({})).value,
        captcha(json!({}))
    );
}

#[test]
fn a_foreign_host_is_never_asked_whatever_its_address_says() {
    let both = plain(&[]);
    both.each(|fake| {
        let foreign = fake.foreign();
        fake.switch(|switches| switches.foreign_redirect = Some(foreign.clone()));
    });
    let told = call(&both, "start_login", account()).value;
    assert_eq!(told, unsettled("localhost", "/jsq-v/"));
    assert!(!told.to_string().contains("CANARY"), "{told}");
    for World { fake, .. } in both.worlds() {
        assert_eq!(fake.journal().of("web_app").len(), 0);
        assert_eq!(fake.journal().of("auth_cas").len(), 0);
    }
    // A path beside the web app's is not the web app.
    let both = plain(&[]);
    both.each(|fake| {
        let beside = format!("{}/jsq-v2/?token=CANARY-BESIDE", fake.origin());
        fake.switch(|switches| switches.foreign_redirect = Some(beside));
    });
    let told = call(&both, "start_login", account()).value;
    assert_eq!(told["code"], "SSO_FAILED");
    for World { fake, .. } in both.worlds() {
        assert_eq!(fake.journal().of("auth_cas").len(), 0);
    }
}

#[test]
fn a_way_that_goes_in_circles_ends() {
    let both = plain(&[]);
    both.each(|fake| {
        let circle = format!(
            "{}/rem/static/sso/login?redirectUrl=x&ticket=CANARY",
            fake.origin()
        );
        fake.fault("sso_login", 20, Fault::Redirect(circle));
    });
    let told = call(&both, "start_login", account()).value;
    assert_eq!(told, unsettled("127.0.0.1", "/rem/static/sso/login"));
    for World { fake, .. } in both.worlds() {
        assert_eq!(fake.journal().of("sso_login").len(), 10);
    }
}

#[test]
fn the_token_of_the_way_is_there_and_is_taken() {
    let none = failed(
        "NO_CAS_TOKEN",
        "登录返回的地址中没有令牌",
        true,
        "重新 start_login；若一直如此，升级 ccnu-lib-mcp 或反馈",
    );
    let bare = |fake: &Ccnu| {
        let home = format!("{}/jsq-v/?x=1#/main/home", fake.origin());
        fake.switch(|switches| switches.foreign_redirect = Some(home));
    };
    check(bare, &none);
    let refused = |said: Option<&str>| {
        let message = "图书馆系统没有接受登录令牌";
        let sentence = said.map_or(message.to_owned(), |said| format!("{message}：{said}"));
        let failure = failed("AUTH_EXCHANGE_FAILED", &sentence, true, "重新 start_login");
        match said {
            Some(said) => with_data(failure, json!({ "said": said, "untrusted": true })),
            None => failure,
        }
    };
    let late = |fake: &Ccnu| fake.switch(|switches| switches.jwt_seconds = -1);
    check(late, &refused(Some("casToken异常")));
    let turned_away = |fake: &Ccnu| fake.fault("auth_cas", 1, Fault::Status(403, Vec::new()));
    check(turned_away, &refused(None));
    let unproven = |fake: &Ccnu| {
        let over = json!({ "status": false, "code": "20002", "message": "token认证无效" });
        fake.fault("getUserInfo", 1, Fault::Body(over.to_string()));
    };
    check(unproven, &refused(Some("新令牌未被接受")));
}

#[test]
fn a_refused_signature_is_the_key_or_the_clock() {
    let rejected = with_data(
        failed(
            "SIGNATURE_REJECTED",
            "图书馆系统不接受请求签名，密钥已重新读取过",
            false,
            "升级 ccnu-lib-mcp；若已是最新，运行 ccnu-lib-mcp doctor --live 并反馈",
        ),
        json!({ "skew_seconds": 0 }),
    );
    let refused = json!({ "status": false, "code": 401, "message": "签名校验失败" });
    check(
        |fake| fake.fault("getUserInfo", 9, Fault::Body(refused.to_string())),
        &rejected,
    );
    for (now, skew, way) in [
        ("2026-06-25T10:50:00+08:00", 600, "快"),
        ("2026-06-25T11:06:00+08:00", -360, "慢"),
    ] {
        let message = format!(
            "本机时钟比图书馆系统{way} {} 秒，请求签名因此无效",
            i64::abs(skew)
        );
        let off = failed("CLOCK_SKEW", &message, false, "校准本机时间后重试");
        check(
            |fake| fake.set_clock(now),
            &with_data(off, json!({ "skew_seconds": skew })),
        );
    }
}

#[test]
fn who_asks_to_wait_is_waited_for() {
    let both = plain(&[]);
    both.each(|fake| {
        let retry_after = Some("30".to_owned());
        fake.fault("cas_page", 1, Fault::RateLimited { retry_after });
    });
    let limited = json!({
        "ok": false, "code": "RATE_LIMITED", "message": "图书馆系统要求 30 秒后再来", "retryable": true,
        "retry_after": 30, "next": "等待 retry_after 秒后重试",
    });
    assert_eq!(call(&both, "start_login", account()).value, limited);
    let asked = both
        .worlds()
        .each_ref()
        .map(|world| world.fake.journal().all().len());
    let told = call(&both, "start_login", json!({})).value;
    assert_eq!(told["code"], "RATE_LIMITED");
    let since = both
        .worlds()
        .each_ref()
        .map(|world| world.fake.journal().all().len());
    assert_eq!(since, asked, "nothing is asked in the pause");
}

#[test]
fn a_folder_that_cannot_be_used_is_told() {
    let both = world();
    for World { data, .. } in both.worlds() {
        std::fs::create_dir(data.path().join("challenges.json")).unwrap();
    }
    for World { client, data, .. } in both.worlds() {
        let told = client.call("start_login", account()).structured;
        let path = data.path().join("challenges.json");
        let why = format!(
            "本机文件不可用：cannot use {}: Is a directory (os error 21)",
            path.display()
        );
        let next = "运行 ccnu-lib-mcp doctor 查看状态目录与密钥存放处";
        assert_eq!(told, failed("STATE_UNAVAILABLE", &why, false, next));
    }
}
