//! The page: what a person does there, in place of the tool.

use fixtures::{
    browser::Browser,
    ccnu::SecondFactor,
    mcp::{Client, Era, World},
};
use serde_json::json;

use crate::{
    told::{Sheet, call, login_failed, manual, open, send, signed_in, submit, told},
    world::{NOW, PASSWORD, READER, environment, launch, world},
};

const TYPED: [(&str, &str); 3] = [
    ("username", READER),
    ("password", PASSWORD),
    ("answer", "7k3p"),
];

#[track_caller]
fn notice(sheet: &Sheet, heading: &str, said: &[&str]) {
    assert_eq!((sheet.heading(), sheet.said()), (heading, said.to_vec()));
}

/// Where it went well.
#[track_caller]
fn done(sheet: &Sheet) {
    notice(
        sheet,
        "完成了",
        &["登录成功。", "可以关闭这个页面，回到对话里继续。"],
    );
}

#[test]
fn what_was_typed_wrong_is_asked_again_at_once() {
    let both = world();
    let question = call(&both, "start_login", json!({}));
    assert_eq!(question.value, manual(json!({})));
    for (world, page) in both.worlds().iter().zip(question.pages()) {
        let mut typed = TYPED;
        typed[2].1 = "xxxx";
        let (second, sheet) = send(&page, &typed);
        assert_ne!(second, page);
        assert_eq!(sheet.note(), Some("验证码不正确。"));
        typed[2].1 = "7k3p";
        typed[1].1 = "pw-wrong";
        let (third, sheet) = send(&second, &typed);
        assert_eq!(sheet.note(), Some("您输入的用户名或密码有误。"));
        let (_, sheet) = send(&third, &TYPED);
        done(&sheet);
        assert_eq!(world.fake.passwords_posted(), 3);
        assert_eq!(open(&page).heading(), "已经回答过了");
    }
    // The id that the caller holds is told how it ended.
    assert_eq!(submit(&both, &question, "ok").value, signed_in(true));
}

#[test]
fn the_caller_is_given_the_question_that_is_open_now() {
    let both = world();
    let question = call(&both, "start_login", json!({}));
    let mut typed = TYPED;
    typed[2].1 = "xxxx";
    for page in question.pages() {
        send(&page, &typed);
    }
    let now = submit(&both, &question, "ok");
    assert_eq!(
        now.value,
        manual(json!({ "note": "验证码不正确。", "untrusted": true }))
    );
    assert_ne!(now.ids(), question.ids());
}

#[test]
fn a_kept_password_is_not_tried_again() {
    let both = world();
    let wrong = json!({ "username": READER, "password": "pw-wrong" });
    let question = call(&both, "start_login", wrong);
    for (world, page) in both.worlds().iter().zip(question.pages()) {
        assert_eq!(open(&page).fields(), ["answer"]);
        let (again, sheet) = send(&page, &[("answer", "xxxx")]);
        assert_eq!(sheet.note(), Some("验证码不正确。"));
        let (_, sheet) = send(&again, &[("answer", "7k3p")]);
        let why = "登录被拒绝：您输入的用户名或密码有误。";
        notice(&sheet, "没有成功", &[why, "请回到对话，让助手重新发起。"]);
        assert_eq!(world.fake.passwords_posted(), 2);
    }
    let status = both.call("get_login_status", json!({})).structured;
    assert_eq!(
        (&status["status"], &status["needs_challenge"]),
        (&json!("logged_out"), &json!(false))
    );
}

#[test]
fn the_caller_is_told_why_the_page_failed() {
    let both = world();
    let wrong = json!({ "username": READER, "password": "pw-wrong" });
    let question = call(&both, "start_login", wrong);
    for page in question.pages() {
        send(&page, &[("answer", "7k3p")]);
    }
    let told = submit(&both, &question, "7k3p").value;
    assert_eq!(told, login_failed("您输入的用户名或密码有误。"));
}

#[test]
fn a_second_step_is_done_there_too() {
    let both = world();
    both.each(|fake| fake.set_second_factor(READER, SecondFactor::Sms));
    let question = call(&both, "start_login", json!({}));
    for page in question.pages() {
        let (confirm, sheet) = send(&page, &TYPED);
        assert_eq!(
            (sheet.heading(), sheet.fields()),
            ("发送短信验证码", vec![])
        );
        assert!(sheet.html.contains("138****1234"));
        let (code, sheet) = send(&confirm, &[]);
        assert_eq!(
            (sheet.heading(), sheet.fields()),
            ("输入验证码", vec!["answer"])
        );
        let (code, sheet) = send(&code, &[("answer", "000000")]);
        assert_eq!(sheet.note(), Some("短信验证码不正确。"));
        done(&send(&code, &[("answer", "246810")]).1);
    }
    assert_eq!(submit(&both, &question, "ok").value, signed_in(true));
}

#[test]
fn an_unknown_second_step_ends_it() {
    let both = world();
    both.each(|fake| fake.set_second_factor(READER, SecondFactor::Unknown));
    let question = call(&both, "start_login", json!({}));
    for page in question.pages() {
        let (_, sheet) = send(&page, &TYPED);
        let why = "统一身份认证要求本服务不认识的第二步验证。";
        notice(&sheet, "没有成功", &[why, "请回到对话，让助手重新发起。"]);
    }
    assert_eq!(
        submit(&both, &question, "ok").value["code"],
        "SECOND_FACTOR_UNSUPPORTED"
    );
}

#[test]
fn what_the_tool_has_answered_the_page_does_not_take() {
    let both = world();
    let account = json!({ "username": READER, "password": PASSWORD });
    let question = call(&both, "start_login", account);
    assert_eq!(submit(&both, &question, "7k3p").value, signed_in(true));
    for (World { fake, .. }, page) in both.worlds().iter().zip(question.pages()) {
        let (_, sheet) = send(&page, &[("answer", "7k3p")]);
        notice(
            &sheet,
            "已经回答过了",
            &["这个问题已经提交，请回到对话查看结果。"],
        );
        assert_eq!(fake.passwords_posted(), 1);
    }
}

#[test]
fn a_person_signs_in_with_a_browser() {
    let Some(browser) = Browser::start() else {
        return;
    };
    for era in Era::ALL {
        let (fake, data) = (
            fixtures::ccnu::Ccnu::start(NOW),
            tempfile::tempdir().unwrap(),
        );
        let folder = data.path().to_str().unwrap();
        let launch = launch()
            .args(["--data-dir", folder])
            .env(environment(&fake));
        let client = Client::start(&launch, era);
        let question = told(client.call("start_login", json!({})));
        assert_eq!(question.value, manual(json!({})));
        browser.open(&question.pages()[0]);
        assert_eq!(browser.text("h1"), "登录");
        assert_eq!(browser.text(".server"), "华中师大图书馆座位");
        let typed = |captcha: &str| {
            browser.type_into("#username", READER);
            browser.type_into("#password", PASSWORD);
            browser.type_into("#answer", captcha);
            browser.click("button");
        };
        typed("xxxx");
        assert_eq!(browser.text(".note"), "验证码不正确。");
        let shown = browser.run("return document.querySelector('img').naturalWidth");
        assert!(shown.as_u64().unwrap() > 0, "the new picture");
        typed("7k3p");
        assert_eq!(browser.text("main.notice h1"), "完成了");
        let status = client.call("get_login_status", json!({})).structured;
        assert_eq!(status["status"], "logged_in");
    }
}
