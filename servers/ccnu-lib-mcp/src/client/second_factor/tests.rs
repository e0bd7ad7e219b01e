//! Pages of a second step, as they may be.

use super::*;

const FIXTURE: &str =
    include_str!("../../../../../fixtures/data/ccnu-lib/account_second_factor_sms.html");

fn read(html: &str) -> Option<SmsPage> {
    sms(
        html,
        &Url::parse("http://127.0.0.1:18080/cas/login").unwrap(),
    )
}

#[test]
fn the_button_sends_a_code_and_is_left_out_with_one() {
    let page = read(FIXTURE).unwrap();
    assert!(page.sends);
    assert_eq!(page.phone_hint.as_deref(), Some("138****1234"));
    assert_eq!(page.complaint, None);
    let pressed = [
        ("smsCode", ""),
        ("_eventId", "send"),
        ("execution", "e1s3"),
        ("_eventId", "submit"),
    ];
    assert_eq!(page.form.pairs(), pressed);
    let entered = [
        ("smsCode", "246810"),
        ("execution", "e1s3"),
        ("_eventId", "submit"),
    ];
    let page = page.with_code(&SecretString::from(" 246810 "));
    assert_eq!(page.without_button(), entered);
}

#[test]
fn without_such_a_button_the_code_is_under_way() {
    let page = read(
        "<p class=errors>验证码不正确</p><form><p>验证码已发送至尾号为 1234 的手机</p>
        <input name=code placeholder='请输入短信验证码'><input type=submit name=ok value=确定></form>",
    );
    let page = page.unwrap();
    assert!(!page.sends);
    assert_eq!(page.phone_hint.as_deref(), Some("尾号1234"));
    assert_eq!(page.complaint.as_deref(), Some("验证码不正确"));
    let page = page.with_code(&SecretString::from("1"));
    assert_eq!(page.without_button(), [("code", "1"), ("ok", "确定")]);
}

#[test]
fn a_button_is_known_by_name_value_or_words() {
    let cases = [
        ("<button>发送短信</button>", false),
        ("<button name=a>获取验证码</button>", true),
        ("<input type=submit name=a value=发送>", true),
        ("<input type=submit name=sendSms value=x>", true),
        ("<input type=submit name=a value=登录>", false),
        ("<button type=button name=a>获取验证码</button>", false),
        ("", false),
    ];
    for (button, sends) in cases {
        let html = format!("<form><input name=smsCode>{button}</form>");
        assert_eq!(read(&html).unwrap().sends, sends, "{button}");
    }
}

#[test]
fn other_pages_are_no_such_step() {
    let cases = [
        "<form><input name=smsCode><input name=password></form>",
        "<form><input name=code></form><p>短信</p>",
        "<h1>安全验证</h1><p>请打开企业微信</p>",
        "",
    ];
    for html in cases {
        assert!(read(html).is_none(), "{html}");
    }
    let text = "请打开企业微信。".repeat(100);
    let page = format!("<title>安全\u{200b}验证</title><p>{text}</p>");
    let SignIn::SecondFactor { title, text } = unknown(&page) else {
        panic!("another error");
    };
    assert_eq!(title.as_deref(), Some("安全验证"));
    assert_eq!(text.unwrap().chars().count(), SHOWN);
}

#[test]
fn a_masked_number_is_recognised() {
    let cases = [
        ("发送到 138****1234 的手机", Some("138****1234")),
        ("发送到138******34", Some("138******34")),
        ("手机尾号1234", Some("尾号1234")),
        ("尾号：1234 的手机", Some("尾号1234")),
        ("尾号为 1234", Some("尾号1234")),
        ("密码 ******** 已隐藏", None),
        ("13812341234", None),
        ("12**34", None),
        ("尾号未知", None),
        ("", None),
    ];
    for (text, hint) in cases {
        assert_eq!(phone_hint(text).as_deref(), hint, "{text}");
    }
}
