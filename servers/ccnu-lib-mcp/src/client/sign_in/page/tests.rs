//! Pages as the fixtures have them, and variations.

use super::*;

const WRONG_CAPTCHA: &str =
    include_str!("../../../../../../fixtures/data/ccnu-lib/account_login_wrong_captcha.html");
const PLAIN: &str =
    include_str!("../../../../../../fixtures/data/ccnu-lib/account_login_no_captcha.html");
const SMS: &str =
    include_str!("../../../../../../fixtures/data/ccnu-lib/account_second_factor_sms.html");

fn address() -> Url {
    Url::parse("http://127.0.0.1:18080/cas/login?service=s").unwrap()
}

fn account() -> Account {
    Account::new(" 2026000001 ", SecretString::from(" 密 &=+码 "))
}

#[test]
fn everything_goes_back_as_the_page_gave_it() {
    let page = LoginPage::read(WRONG_CAPTCHA, &address()).unwrap();
    assert!(page.has_captcha());
    let form = page.filled(&account(), Some(&SecretString::from(" 7k3p\n")));
    let service = "http%3A%2F%2F127.0.0.1%3A18080%2Frem%2Fstatic%2Fsso%2FwebOAuthRed";
    assert_eq!(
        form.action.as_str(),
        format!("http://127.0.0.1:18080/cas/login;jsessionid=SIMJSESSION0001?service={service}")
    );
    assert_eq!(
        form.pairs(),
        [
            ("username", "2026000001"),
            ("password", " 密 &=+码 "),
            ("captcha", "7k3p"),
            ("lt", "LT-2-simulated-lt-value"),
            ("execution", "e1s2"),
            ("_eventId", "submit"),
            ("visitorId", ""),
            ("visitorId1", ""),
            ("bz", ""),
            ("submit", "登录"),
        ]
    );
}

#[test]
fn only_the_form_of_an_account_is_the_sign_in() {
    assert!(!LoginPage::read(PLAIN, &address()).unwrap().has_captcha());
    let cases = [
        SMS,
        "<form><input name=username><input name=password></form>",
        "<form><input name=execution><input name=password></form>",
        "<form><input name=execution></form><form><input name=username><input name=password></form>",
        "系统维护中",
        "",
    ];
    for html in cases {
        assert!(LoginPage::read(html, &address()).is_none(), "{html}");
    }
    let any_order = "<form><input value=e1 name='execution'><INPUT TYPE=password NAME=password>
        <input name=\"username\"></form>";
    assert!(LoginPage::read(any_order, &address()).is_some());
}

#[test]
fn a_refusal_is_the_pages_own_sentence() {
    let labels = "<a>忘记用户名或密码？</a><label>验证码</label>";
    let cases = [
        (WRONG_CAPTCHA.to_owned(), Some("验证码不正确。")),
        (
            format!("{labels}<p class='x errors'> 您输入的 <b>用户名</b>或密码有误 </p>"),
            Some("您输入的 用户名或密码有误"),
        ),
        (
            format!("<div id=msg></div>{labels}<span class=errors>账号被锁定</span>"),
            Some("账号被锁定"),
        ),
        (
            format!("{labels}<p>请注意！您输入的用户名或密码有误。请重试</p>"),
            Some("您输入的用户名或密码有误"),
        ),
        (
            format!("{labels}<p>认证信息无效。</p>"),
            Some("认证信息无效"),
        ),
        (format!("{labels}<p hidden>认证失败</p>"), None),
        (labels.to_owned(), None),
        (
            "<p id=msg>\u{202e}验证码错误\u{200b}</p>".to_owned(),
            Some("验证码错误"),
        ),
    ];
    for (html, said) in cases {
        assert_eq!(refusal(&html).as_deref(), said, "{html}");
    }
}

#[test]
fn the_token_stands_in_query_or_fragment() {
    let cases = [
        (
            "https://h.example/jsq-v/?token=a.b-c_d#/main/home",
            Some("a.b-c_d"),
        ),
        (
            "https://h.example/jsq-v/#/main/home?x=1&token=a.b",
            Some("a.b"),
        ),
        ("https://h.example/jsq-v/?x=1#/?token=ab%3D", Some("ab=")),
        ("https://h.example/jsq-v/?token=#/?token=b", Some("b")),
        ("https://h.example/jsq-v/?tokens=a", None),
        ("https://h.example/jsq-v/#token=a", None),
        ("https://h.example/jsq-v/?token=../../make/stop", None),
        ("https://h.example/jsq-v/?token=..", None),
        ("https://h.example/jsq-v/?token=a%2Fb", None),
        ("https://h.example/jsq-v/?token=a%3Fb", None),
        ("https://h.example/jsq-v/", None),
    ];
    for (address, expected) in cases {
        let found = token(&Url::parse(address).unwrap());
        let found = found.as_ref().map(SecretString::expose_secret);
        assert_eq!(found, expected, "{address}");
    }
}
