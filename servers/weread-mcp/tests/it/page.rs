//! The page: the code to scan, and how it ends.

use fixtures::{
    browser::Browser,
    mcp::{Client, Era},
    weread::{Phone, Weread},
};
use serde_json::json;

use crate::{
    told::{Sheet, call, login_failed, open, scan, send, signed_in, submit, told},
    world::{beside, world},
};

#[track_caller]
fn notice(sheet: &Sheet, heading: &str, said: &[&str]) {
    assert_eq!((sheet.heading(), sheet.said()), (heading, said.to_vec()));
}

/// Where it went well.
#[track_caller]
fn done(sheet: &Sheet) {
    let said = ["登录成功。", "可以关闭这个页面，回到对话里继续。"];
    notice(sheet, "完成了", &said);
}

#[test]
fn the_person_says_that_it_is_scanned() {
    let both = world();
    let question = call(&both, "start_login", json!({}));
    for (world, page) in both.worlds().iter().zip(question.pages()) {
        let sheet = open(&page);
        assert_eq!((sheet.heading(), sheet.fields()), ("扫码登录", vec![]));
        assert!(
            sheet.html.contains("src=\"data:image/png;base64,"),
            "{}",
            sheet.html
        );
        world.fake.phone(Phone::Confirm);
        done(&send(&page, &[]).1);
        assert_eq!(open(&page).heading(), "已经回答过了");
    }
    // The caller is told how it ended.
    assert_eq!(submit(&both, &question, "ok").value, signed_in(true));
}

#[test]
fn the_digits_are_typed_there_too() {
    let both = world();
    let question = call(&both, "start_login", json!({}));
    for (world, page) in both.worlds().iter().zip(question.pages()) {
        world.fake.phone(Phone::AskOtp("4321".to_owned()));
        let (digits, sheet) = send(&page, &[]);
        assert_ne!(digits, page);
        assert_eq!(
            (sheet.heading(), sheet.fields()),
            ("输入验证码", vec!["answer"])
        );
        let (digits, sheet) = send(&digits, &[("answer", "1111")]);
        assert_eq!(sheet.note(), Some("验证码不对，请再看一次手机"));
        done(&send(&digits, &[("answer", "4321")]).1);
    }
    assert_eq!(submit(&both, &question, "ok").value, signed_in(true));
}

#[test]
fn a_code_that_was_replaced_leads_on_to_the_new_one() {
    let both = world();
    let question = call(&both, "start_login", json!({}));
    for (world, page) in both.worlds().iter().zip(question.pages()) {
        world.fake.phone(Phone::TimeOut);
        let (next, sheet) = send(&page, &[]);
        assert_ne!(next, page);
        assert_eq!(
            (sheet.heading(), sheet.note()),
            ("扫码登录", Some("二维码已更新，请扫描新的"))
        );
        world.fake.phone(Phone::Confirm);
        done(&send(&next, &[]).1);
    }
}

#[test]
fn a_login_that_fails_is_told_there_and_to_the_caller() {
    let both = world();
    let question = call(&both, "start_login", json!({}));
    for (world, page) in both.worlds().iter().zip(question.pages()) {
        world.fake.phone(Phone::AskOtp("4321".to_owned()));
        let (digits, _) = send(&page, &[]);
        world.fake.phone(Phone::ExpireOtp);
        let (_, sheet) = send(&digits, &[("answer", "4321")]);
        let said = [
            "扫码登录没有完成：验证码已过期。",
            "请回到对话，让助手重新发起。",
        ];
        notice(&sheet, "没有成功", &said);
    }
    // The id that the caller holds is that of the code.
    let told = submit(&both, &question, "ok").value;
    assert_eq!(told, login_failed("验证码已过期"));
}

#[test]
fn a_person_signs_in_with_a_browser_and_a_phone() {
    let Some(browser) = Browser::start() else {
        return;
    };
    for era in Era::ALL {
        let (fake, data) = (Weread::start(), tempfile::tempdir().unwrap());
        let client = Client::start(&beside(&fake, data.path(), &[]), era);
        let question = told(client.call("start_login", json!({})));
        assert_eq!(question.value, scan(&json!({})));
        browser.open(&question.pages()[0]);
        assert_eq!(browser.text("h1"), "扫码登录");
        assert_eq!(browser.text(".server"), "微信读书");
        let side =
            "const code = document.querySelector('img'); return [code.naturalWidth, code.width]";
        let side = browser.run(side);
        assert!(
            side[0].as_u64().unwrap() > 150 && side[1].as_u64().unwrap() > 150,
            "{side}"
        );
        assert_eq!(browser.text("button"), "我已扫码");
        fake.phone(Phone::Scan);
        fake.phone(Phone::Confirm);
        browser.click("button");
        assert_eq!(browser.text("main.notice h1"), "完成了");
        assert_eq!(browser.text("main.notice .said"), "登录成功。");
        let status = client.call("get_login_status", json!({})).structured;
        assert_eq!(status["active"], "scan");
    }
}
