//! The picture: shown, read wrong, read right.

use fixtures::mcp::World;
use serde_json::{Value, json};

use crate::{
    told::{call, captcha, login_failed, signed_in, submit},
    world::{PASSWORD, READER, world, world_with},
};

fn account() -> Value {
    json!({ "username": READER, "password": PASSWORD })
}

#[test]
fn a_wrong_answer_is_refused_and_the_next_picture_can_be_right() {
    let both = world();
    let first = call(&both, "start_login", account());
    assert_eq!(first.value, captcha(json!({})));
    assert_eq!((first.is_error, first.pictures.len()), (false, 1));
    let wrong = submit(&both, &first, "7k3q");
    assert_eq!(wrong.value, login_failed("验证码不正确。"));
    assert!(wrong.is_error);
    let second = call(&both, "start_login", json!({}));
    assert_eq!(second.value, captcha(json!({})));
    assert_ne!(second.ids(), first.ids());
    assert_ne!(
        second.pictures, first.pictures,
        "the picture of the new page"
    );
    assert_eq!(submit(&both, &second, " 7K3P ").value, signed_in(true));
    let status = both.call("get_login_status", json!({})).structured;
    assert_eq!(status["status"], "logged_in");
    for World { fake, .. } in both.worlds() {
        assert_eq!(fake.passwords_posted(), 2);
        let routes: Vec<_> = fake
            .journal()
            .all()
            .into_iter()
            .map(|seen| seen.route)
            .collect();
        let walk = ["sso_login", "cas_page", "captcha", "cas_post"];
        let end = ["web_oauth", "auth_cas", "getUserInfo", "getUserInfo"];
        assert_eq!(routes, [&["getSysSet"], &walk[..], &walk, &end].concat());
    }
}

#[test]
fn the_picture_is_shown_and_not_told() {
    for (image, is_inline) in [("block", false), ("inline", true)] {
        let both = world_with(&[("CCNU_CHALLENGE_IMAGE", image)]);
        for World { client, .. } in both.worlds() {
            let call = json!({ "name": "start_login", "arguments": account() });
            let result = client.request("tools/call", call).unwrap();
            assert_eq!(result.get("structuredContent"), None);
            assert_eq!(result["isError"], false);
            let [text, picture] = &result["content"].as_array().unwrap()[..] else {
                panic!("{result}");
            };
            assert_eq!(picture["type"], "image");
            assert_eq!(picture["mimeType"], "image/jpeg");
            let data = picture["data"].as_str().unwrap();
            assert!(data.starts_with("/9j/"), "a JPEG");
            let told: Value = serde_json::from_str(text["text"].as_str().unwrap()).unwrap();
            let url = format!("data:image/jpeg;base64,{data}");
            assert_eq!(told.get("image_base64"), is_inline.then_some(&json!(url)));
            assert_eq!(text["text"].as_str().unwrap().contains(data), is_inline);
        }
    }
}

#[test]
fn without_a_captcha_the_form_is_sent_at_once() {
    let both = world();
    both.each(|fake| fake.switch(|switches| switches.captcha = false));
    assert_eq!(call(&both, "start_login", account()).value, signed_in(true));
    // What is live is proven, and nothing is sent anew.
    assert_eq!(call(&both, "start_login", json!({})).value, signed_in(true));
    for World { fake, .. } in both.worlds() {
        assert_eq!(fake.passwords_posted(), 1);
        assert_eq!(fake.journal().of("captcha").len(), 0);
        assert_eq!(fake.journal().of("getUserInfo").len(), 2);
    }
}

#[test]
fn a_wrong_password_and_a_locked_account_are_told_in_the_services_words() {
    let both = world();
    both.each(|fake| fake.switch(|switches| switches.captcha = false));
    let wrong = json!({ "username": READER, "password": "pw-wrong" });
    let told = call(&both, "start_login", wrong);
    assert_eq!(told.value, login_failed("您输入的用户名或密码有误。"));
    both.each(|fake| fake.set_locked(READER, true));
    let told = call(&both, "start_login", account());
    assert_eq!(told.value, login_failed("账号被锁定，请稍后再试。"));
    // The account that was given is the one that is kept.
    both.each(|fake| fake.set_locked(READER, false));
    assert_eq!(call(&both, "start_login", json!({})).value, signed_in(true));
}

#[test]
fn a_picture_that_is_none_is_no_question() {
    use fixtures::upstream::Fault;
    let both = world();
    let failed = |cause: &str| {
        json!({
            "ok": false, "code": "CAPTCHA_FETCH_FAILED", "message": format!("取得验证码图片失败：{cause}"),
            "retryable": true,
            "next": "稍后重试，登录则重新 start_login；若一直失败，运行 ccnu-lib-mcp doctor --live",
        })
    };
    both.each(|fake| fake.fault("captcha", 1, Fault::Html));
    let told = call(&both, "start_login", account());
    assert_eq!(told.value, failed("返回了网页而不是数据，可能在维护"));
    both.each(|fake| fake.fault("captcha", 2, Fault::Status(500, Vec::new())));
    let told = call(&both, "start_login", json!({}));
    assert_eq!(told.value, failed("返回状态 500"));
    let told = call(&both, "start_login", json!({}));
    assert_eq!(told.value, captcha(json!({})));
}
