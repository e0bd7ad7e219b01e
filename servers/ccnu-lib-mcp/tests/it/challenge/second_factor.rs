//! The code that comes by SMS, and steps that nobody knows.

use fixtures::ccnu::SecondFactor;
use fixtures::mcp::World;
use serde_json::{Value, json};

use crate::{
    told::{call, captcha, login_failed, question, signed_in, submit},
    world::{PASSWORD, world},
};

fn account() -> Value {
    json!({ "username": "2026000002", "password": PASSWORD })
}

fn confirm() -> Value {
    question(
        "confirm_send_sms",
        "统一身份认证要求短信验证。是否现在发送验证码？",
        "问用户是否发送；同意后以任意 answer 调用 submit_challenge，或请用户在 page_url 自己完成",
        json!({ "phone_hint": "138****1234", "untrusted": true }),
    )
}

fn sms(note: Option<&str>) -> Value {
    let mut more = json!({ "phone_hint": "138****1234", "untrusted": true });
    if let Some(note) = note {
        more["note"] = json!(note);
    }
    question(
        "sms",
        "请输入收到的短信验证码",
        "向用户要验证码，调用 submit_challenge 提交；或请用户在 page_url 自己填写",
        more,
    )
}

#[test]
fn a_code_is_sent_when_the_person_agrees_and_asked_until_it_is_right() {
    let both = world();
    let first = call(&both, "start_login", account());
    assert_eq!(first.value, captcha(json!({})));
    let asked = submit(&both, &first, "7k3p");
    assert_eq!((&asked.value, asked.is_error), (&confirm(), false));
    assert_eq!(asked.pictures, [] as [Value; 0]);
    let code = submit(&both, &asked, "ok");
    assert_eq!(code.value, sms(None));
    let again = submit(&both, &code, "000000");
    assert_eq!(again.value, sms(Some("短信验证码不正确。")));
    // One that is used up is not asked again.
    let over = submit(&both, &code, "246810");
    assert_eq!(over.value["code"], "CHALLENGE_NOT_PENDING");
    assert_eq!(submit(&both, &again, "246810").value, signed_in(true));
    for World { fake, .. } in both.worlds() {
        assert_eq!(fake.passwords_posted(), 1);
        assert_eq!(fake.journal().of("cas_post").len(), 4);
    }
}

#[test]
fn too_many_wrong_codes_end_the_sign_in() {
    let both = world();
    both.each(|fake| fake.switch(|switches| switches.captcha = false));
    let mut asked = call(&both, "start_login", account());
    asked = submit(&both, &asked, "ok");
    for _ in 0..4 {
        asked = submit(&both, &asked, "000000");
        assert_eq!(asked.value, sms(Some("短信验证码不正确。")));
    }
    let told = submit(&both, &asked, "000000").value;
    assert_eq!(told, login_failed("短信验证码错误次数过多，请重新登录。"));
}

#[test]
fn a_second_step_that_nobody_knows_is_told_as_it_reads() {
    let both = world();
    both.each(|fake| {
        fake.switch(|switches| switches.captcha = false);
        fake.set_second_factor("2026000002", SecondFactor::Unknown);
    });
    let told = call(&both, "start_login", account());
    assert_eq!(
        told.value,
        json!({
            "ok": false, "code": "SECOND_FACTOR_UNSUPPORTED",
            "message": "统一身份认证要求本服务不认识的第二步验证", "retryable": false,
            "next": "请先在浏览器中登录一次统一身份认证，完成验证后再 start_login",
            "data": {
                "title": "安全验证", "text": "安全验证 请打开企业微信，在手机上确认本次登录。",
                "untrusted": true,
            },
        })
    );
}

#[test]
fn the_readers_own_hint_stands_in_for_one_that_the_page_lacks() {
    use fixtures::upstream::Fault;
    let both = world();
    both.each(|fake| {
        fake.switch(|switches| switches.captcha = false);
        let page = "<form method=post action=/cas/login><input name=smsCode><input name=execution value=e1s2>
            <button name=_eventId value=send>获取验证码</button></form>";
        fake.fault("cas_post", 1, Fault::Page(200, page.to_owned()));
    });
    let mut account = account();
    account["phone_hint"] = json!("尾号9999");
    account["login_now"] = json!(true);
    let told = call(&both, "save_account", account).value;
    assert_eq!(told["challenge_type"], "confirm_send_sms");
    assert_eq!(told["phone_hint"], "尾号9999");
}

#[test]
fn device_fields_go_back_as_they_came() {
    let both = world();
    let fields = vec![
        ("visitorId".to_owned(), "v-1".to_owned()),
        ("bz".to_owned(), String::new()),
    ];
    both.each(|fake| {
        fake.switch(|switches| {
            switches.captcha = false;
            switches.device_fields = fields.clone();
        });
    });
    let account = json!({ "username": "2026000005", "password": PASSWORD });
    // Anything else would have brought on the second step.
    assert_eq!(call(&both, "start_login", account).value, signed_in(true));
}
