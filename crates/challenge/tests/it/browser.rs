//! The page in a real Chromium, as a person fills it in on a computer and on two phones.

use std::path::Path;

use fixtures::browser::Browser;
use serde_json::json;

use crate::{
    captcha, login_question, sms_question,
    toy::{Step, Toy, answers},
};

/// Width, height and dots per pixel of a window.
type Size = (u32, u32, u32);

const DESKTOP: Size = (1000, 760, 1);
const PHONE: Size = (390, 844, 1);
const SMALL_PHONE: Size = (320, 568, 2);

#[tokio::test]
async fn a_person_signs_in_with_a_browser() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let mut browser = browser;
    for (size, file) in [
        (DESKTOP, Some("challenge-page.png")),
        (PHONE, Some("challenge-page-phone.png")),
        (SMALL_PHONE, None),
    ] {
        let toy = Toy::new();
        let mut wrong = login_question(captcha::picture());
        wrong.note = Some("验证码不对，已经换了一张，请再试一次。".to_owned());
        let steps = [
            Step::Ask(wrong),
            Step::Ask(sms_question()),
            Step::Done("登录成功。"),
        ];
        let open = toy.ask(login_question(captcha::picture()), steps).await;
        let url = open.page_url.unwrap();
        // The page is served by this thread.
        let filled_in = tokio::task::spawn_blocking(move || {
            fill_in(&browser, &url, size, file);
            browser
        });
        browser = filled_in.await.unwrap();
        let login = |answer| {
            answers([
                ("username", "2024000001"),
                ("password", "p&ss <词>"),
                ("answer", answer),
            ])
        };
        assert_eq!(
            toy.seen(),
            [
                login("7k2n"),
                login("7k2m"),
                answers([("answer", "123456")])
            ]
        );
    }
}

fn fill_in(browser: &Browser, url: &str, (width, height, density): Size, file: Option<&str>) {
    browser.size(width, height, density);
    browser.open(url);
    fits(browser, width);
    assert_eq!(
        browser.run("return document.activeElement.id"),
        json!("username")
    );
    let picture = "const shown = document.querySelector('img'); return [shown.naturalWidth, shown.naturalHeight]";
    assert_eq!(browser.run(picture), json!([120, 40]));
    assert_eq!(browser.text("h1"), "登录");
    assert_eq!(browser.text("label[for=answer]"), "验证码");
    if let Some(file) = file {
        keep(browser, file);
    }
    let ground = "return getComputedStyle(document.body).backgroundColor";
    for (dark, colour) in [(true, "rgb(18, 22, 28)"), (false, "rgb(242, 244, 247)")] {
        browser.dark(dark);
        assert_eq!(browser.run(ground), json!(colour));
    }
    let sign_in = |answer: &str| {
        browser.type_into("#username", "2024000001");
        browser.type_into("#password", "p&ss <词>");
        browser.type_into("#answer", answer);
        browser.click("button");
    };
    sign_in("7k2n");
    assert_eq!(
        browser.text("[role=alert]"),
        "验证码不对，已经换了一张，请再试一次。"
    );
    assert_ne!(browser.url(), url);
    fits(browser, width);
    sign_in("7k2m");
    assert_eq!(
        browser.text("label:has(+ [autocomplete=one-time-code])"),
        "短信验证码"
    );
    fits(browser, width);
    browser.type_into("[autocomplete=one-time-code]", "123456");
    browser.click("button");
    assert_eq!(browser.text("main.notice .said"), "登录成功。");
    assert_eq!(browser.text("h1"), "完成了");
    fits(browser, width);
    browser.open(url);
    assert_eq!(browser.text("h1"), "已经回答过了");
    fits(browser, width);
}

/// The window is as wide as it should be, and nothing reaches beyond it.
fn fits(browser: &Browser, width: u32) {
    let script = "const page = document.documentElement; \
                  return [innerWidth, page.scrollWidth - page.clientWidth]";
    assert_eq!(browser.run(script), json!([width, 0]));
}

/// Keeps a picture for the docs where `CHALLENGE_SCREENSHOTS` names a folder.
#[expect(
    clippy::disallowed_methods,
    reason = "who runs the test says where pictures go"
)]
fn keep(browser: &Browser, file: &str) {
    if let Some(folder) = std::env::var_os("CHALLENGE_SCREENSHOTS") {
        std::fs::write(Path::new(&folder).join(file), browser.screenshot()).unwrap();
    }
}
