//! From the code that is shown to the session: what the phone does, and what the tool answers.

use data_encoding::BASE64;
use fixtures::{
    mcp::World,
    upstream::Fault,
    weread::{Phone, Weread},
};
use serde_json::{Value, json};

use super::sign_in;
use crate::{
    told::{self, call, digits, login_failed, signed_in, submit},
    world::{world, world_with},
};

/// What a phone reads in a picture.
fn read(picture: &Value) -> String {
    assert_eq!(
        (&picture["type"], &picture["mimeType"]),
        (&json!("image"), &json!("image/png"))
    );
    let bytes = BASE64
        .decode(picture["data"].as_str().unwrap().as_bytes())
        .unwrap();
    let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let side = usize::try_from(info.width).unwrap();
    assert_eq!((info.width, pixels.len()), (info.height, side * side));
    let mut shown =
        rqrr::PreparedImage::prepare_from_greyscale(side, side, |x, y| pixels[y * side + x]);
    let [code] = &shown.detect_grids()[..] else {
        panic!("one code")
    };
    code.decode().unwrap().1
}

#[test]
fn the_picture_says_where_the_phone_confirms() {
    let both = world();
    let question = call(&both, "start_login", json!({}));
    assert_eq!(question.value, told::scan(&json!({})));
    for World { client, fake, .. } in both.worlds() {
        let answer = client.call("start_login", json!({}));
        assert_eq!(answer.content.len(), 2);
        let expected = format!("{}/web/confirm?uid={}", fake.web_url(), fake.login_uid());
        assert_eq!(read(&answer.content[1]), expected);
    }
    // For callers that are programs it stands in the JSON too.
    let both = world_with(|_| vec![("WEREAD_CHALLENGE_IMAGE", "inline".to_owned())]);
    for World { client, .. } in both.worlds() {
        let answer = client.call("start_login", json!({}));
        let picture = answer.content[1]["data"].as_str().unwrap();
        assert_eq!(
            answer.structured["image_base64"],
            format!("data:image/png;base64,{picture}")
        );
    }
}

#[test]
fn it_is_done_when_the_phone_has_confirmed() {
    let both = world_with(|_| vec![("WEREAD_ASK_WAIT_MS", "200".to_owned())]);
    let question = call(&both, "start_login", json!({}));
    // Neither scanned nor confirmed.
    let again = submit(&both, &question, "ok");
    assert_eq!(again.value, told::scan(&json!({})));
    assert_eq!(
        (again.ids(), again.pages()),
        (question.ids(), question.pages())
    );
    both.each(|fake| {
        fake.phone(Phone::Scan);
        fake.journal().wait_for_route("login_info", 2);
    });
    assert_eq!(submit(&both, &question, "ok").value, told::scan(&json!({})));
    both.each(|fake| {
        fake.phone(Phone::Confirm);
    });
    let done = loop {
        let told = submit(&both, &question, "ok").value;
        if told["code"] != "NEED_CHALLENGE" {
            break told;
        }
    };
    assert_eq!(done, signed_in(true));
    both.each(|fake| {
        let polls = fake.journal().of("login_info");
        let queries: Vec<_> = polls.iter().map(|seen| seen.query.clone()).collect();
        let pair = |name: &str, value: String| (name.to_owned(), value);
        let expected = vec![pair("uid", fake.login_uid()), pair("otp", String::new())];
        assert_eq!(queries, [expected.clone(), expected]);
    });
}

#[test]
fn whatever_the_answer_brings_is_a_session() {
    for (cookies, other_name) in [(true, false), (false, false), (false, true)] {
        let both = world();
        both.each(|fake| {
            fake.switch(|switches| {
                switches.login_cookies = cookies;
                switches.web_login_vid = other_name;
            });
        });
        sign_in(&both);
        // Its renewal cookie is good too.
        both.each(Weread::expire_session);
        let status = both.call("get_login_status", json!({})).structured;
        assert_eq!(
            status["ways"][3]["state"], "works",
            "{cookies} {other_name}: {status}"
        );
        both.each(|fake| assert_eq!(fake.renewed(), 1));
    }
}

#[test]
fn the_digits_on_the_phone_are_asked_for() {
    let both = world();
    let question = call(&both, "start_login", json!({}));
    both.each(|fake| fake.phone(Phone::AskOtp("4321".to_owned())));
    let wanted = submit(&both, &question, "ok");
    assert_eq!(wanted.value, digits(&json!({})));
    assert_eq!(wanted.pictures, [] as [Value; 0]);
    let again = submit(&both, &wanted, "0000");
    let note = json!({ "note": "验证码不对，请再看一次手机", "untrusted": true });
    assert_eq!(again.value, digits(&note));
    // The id of before leads on to the question that is open.
    assert_eq!(submit(&both, &question, "ok").ids(), again.ids());
    assert_eq!(submit(&both, &again, " 4321 ").value, signed_in(true));
    both.each(|fake| {
        let polls = fake.journal().of("login_info");
        let digits: Vec<_> = polls
            .iter()
            .map(|seen| seen.parameter("otp").unwrap_or("-").to_owned())
            .collect();
        assert_eq!(digits, ["", "0000", "4321"]);
    });
}

#[test]
fn a_phone_that_confirms_after_the_call_has_signed_in_all_the_same() {
    let both = world_with(|_| vec![("WEREAD_ASK_WAIT_MS", "300".to_owned())]);
    let question = call(&both, "start_login", json!({}));
    both.each(|fake| fake.phone(Phone::AskOtp("4321".to_owned())));
    let wanted = loop {
        let told = submit(&both, &question, "ok");
        if told.value == digits(&json!({})) {
            break told;
        }
    };
    // The digits are taken, and the phone wants one more tap.
    both.each(|fake| fake.phone(Phone::Scan));
    let still = json!({
        "ok": false, "code": "STILL_NOT_LOGGED_IN", "message": "还没有收到手机上的确认", "retryable": true,
        "next": "请用户在手机上确认，然后再次调用；登录已在进行，不必重来",
    });
    for _ in 0..2 {
        assert_eq!(submit(&both, &wanted, "4321").value, still);
    }
    assert_eq!(call(&both, "start_login", json!({})).value, still);
    both.each(|fake| fake.phone(Phone::Confirm));
    let done = loop {
        let told = submit(&both, &wanted, "4321").value;
        if told != still {
            break told;
        }
    };
    assert_eq!(done, signed_in(true));
    both.each(|fake| {
        let polls = fake.journal().of("login_info");
        let sent = polls
            .iter()
            .map(|seen| seen.parameter("otp").unwrap_or("-"));
        assert_eq!(sent.collect::<Vec<_>>(), ["", "4321", ""]);
    });
}

#[test]
fn a_poll_that_is_lost_is_asked_again() {
    let both = world();
    let broken = Fault::Status(502, Vec::new());
    both.each(|fake| fake.fault("login_info", 5, broken.clone()));
    let question = call(&both, "start_login", json!({}));
    both.each(|fake| {
        fake.journal().wait_for_route("login_info", 6);
        fake.phone(Phone::AskOtp("4321".to_owned()));
    });
    let wanted = submit(&both, &question, "ok");
    assert_eq!(wanted.value, digits(&json!({})));
    // What is lost with the digits is asked for without them.
    both.each(|fake| {
        fake.fault("login_info", 2, broken.clone());
        fake.phone(Phone::Confirm);
    });
    assert_eq!(submit(&both, &wanted, "4321").value, signed_in(true));
    both.each(|fake| {
        let polls = fake.journal().of("login_info");
        let sent = polls
            .iter()
            .map(|seen| seen.parameter("otp").unwrap_or("-"));
        let expected = ["", "", "", "", "", "", "4321", "4321", ""];
        assert_eq!(sent.collect::<Vec<_>>(), expected);
    });
}

#[test]
fn digits_that_come_too_late_end_it() {
    let both = world();
    let question = call(&both, "start_login", json!({}));
    both.each(|fake| fake.phone(Phone::AskOtp("4321".to_owned())));
    let wanted = submit(&both, &question, "ok");
    both.each(|fake| fake.phone(Phone::ExpireOtp));
    assert_eq!(
        submit(&both, &wanted, "4321").value,
        login_failed("验证码已过期")
    );
    let status = both.call("get_login_status", json!({})).structured;
    assert_eq!(status["needs_challenge"], false);
}

#[test]
fn a_code_that_nobody_scans_is_replaced_four_times() {
    let both = world();
    let first = call(&both, "start_login", json!({}));
    let mut last = first;
    for _ in 0..4 {
        both.each(|fake| fake.phone(Phone::TimeOut));
        let next = submit(&both, &last, "ok");
        let note = json!({ "note": "二维码已更新，请扫描新的", "untrusted": true });
        assert_eq!(next.value, told::scan(&note));
        assert_ne!(next.ids(), last.ids());
        last = next;
    }
    both.each(|fake| fake.phone(Phone::TimeOut));
    let over = submit(&both, &last, "ok").value;
    assert_eq!(over, login_failed("二维码已过期，没有人扫码"));
    let again = call(&both, "start_login", json!({}));
    assert_eq!(again.value, told::scan(&json!({})));
}

#[test]
fn what_breaks_on_the_way_is_told() {
    let unavailable = |why: &str| {
        json!({
            "ok": false, "code": "UPSTREAM_UNAVAILABLE", "message": format!("请求微信读书失败：{why}"),
            "retryable": true, "next": "稍后重试；若一直失败，运行 weread-mcp doctor --live",
        })
    };
    let changed = |path: &str, field: &str, why: &str| {
        json!({
            "ok": false, "code": "UPSTREAM_CHANGED", "retryable": false,
            "message": format!("微信读书的接口与本程序所知不同：{path} 的 {field}（{why}）"),
            "next": "升级 weread-mcp；若已是最新，请反馈 path 与 field",
            "data": { "path": path, "field": field },
        })
    };
    let empty = |path: &str| {
        json!({
            "ok": false, "code": "UPSTREAM_EMPTY", "retryable": true, "data": { "path": path },
            "message": format!("微信读书对 {path} 什么都没有返回，这不等于没有内容"),
            "next": "稍后重试；若一直如此，换一种凭证（官方 API Key 或 Cookie）",
        })
    };
    let body = |text: &str| Fault::Body(text.to_owned());
    // Before a code is shown.
    let uid = "api/auth/getLoginUid";
    for (fault, expected) in [
        (Fault::Status(502, Vec::new()), unavailable("返回状态 502")),
        (Fault::Html, unavailable("返回了网页而不是数据，可能在维护")),
        (body("{}"), empty(uid)),
        (body("{\"id\":1}"), changed(uid, "uid", "缺失或类型不同")),
        (
            body("{\"errCode\":-1,\"errMsg\":\"稍后再试\"}"),
            json!({
                "ok": false, "code": "UPSTREAM_REFUSED", "message": "微信读书拒绝了请求：稍后再试", "retryable": false,
                "next": "按微信读书的提示处理后重试",
                "data": { "said": "稍后再试", "untrusted": true, "code": -1 },
            }),
        ),
        (
            body("{\"uid\":\"../x\"}"),
            login_failed("登录编号的形式不同"),
        ),
    ] {
        let both = world();
        both.each(|fake| fake.fault("login_uid", 2, fault.clone()));
        assert_eq!(call(&both, "start_login", json!({})).value, expected);
    }
    // While it is waited for.
    let refused = "{\"url\":\"/api/auth/getLoginInfo\",\"statusCode\":401}";
    for (fault, expected) in [
        (
            Fault::Page(401, refused.to_owned()),
            login_failed("微信读书没有接受这次登录请求"),
        ),
        (Fault::Html, unavailable("返回了网页而不是数据，可能在维护")),
        (
            body("{\"succeed\":false,\"logicCode\":\"SOMETHING\"}"),
            login_failed("登录结果的形式不同"),
        ),
        (
            body("{\"succeed\":true,\"vid\":1}"),
            login_failed("登录成功，但没有给出登录态"),
        ),
    ] {
        let both = world();
        both.each(|fake| fake.fault("login_info", 2, fault.clone()));
        let question = call(&both, "start_login", json!({}));
        assert_eq!(submit(&both, &question, "ok").value, expected);
        let status = both.call("get_login_status", json!({})).structured;
        assert_eq!(
            (&status["needs_challenge"], &status["ways"][3]["state"]),
            (&json!(false), &json!("not_set"))
        );
    }
}

#[test]
fn a_new_login_takes_the_place_of_the_one_before() {
    let both = world();
    sign_in(&both);
    sign_in(&both);
    let status = both.call("get_login_status", json!({})).structured;
    assert_eq!(status["ways"][3]["state"], "works");
    both.each(|fake| assert_eq!(fake.renewals(), []));
}
