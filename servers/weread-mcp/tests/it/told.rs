//! Calls whose answers name questions: random ids and page addresses are checked and replaced, then
//! the eras must agree.

use fixtures::{
    mcp::{Answer, Both, exchange},
    weread::Weread,
};
use serde_json::{Value, json};

/// What both eras were told.
#[derive(Debug)]
pub(crate) struct Told {
    /// The result, with `ID` and `PAGE` in place of what is random.
    pub(crate) value: Value,
    /// The pictures beside it.
    pub(crate) pictures: Vec<Value>,
    pub(crate) is_error: bool,
    /// The id of the question in each era, where there is one.
    ids: [Option<String>; 2],
    pages: [Option<String>; 2],
}

impl Told {
    pub(crate) fn ids(&self) -> [String; 2] {
        self.ids.clone().map(|id| id.expect("a question"))
    }

    pub(crate) fn pages(&self) -> [String; 2] {
        self.pages.clone().map(|page| page.expect("a page"))
    }
}

/// Calls a tool with the same arguments in both eras.
#[track_caller]
pub(crate) fn call(both: &Both<Weread>, tool: &str, arguments: Value) -> Told {
    call_each(both, tool, |_| arguments.clone())
}

/// Answers the question of both eras.
#[track_caller]
pub(crate) fn submit(both: &Both<Weread>, question: &Told, answer: &str) -> Told {
    let ids = question.ids();
    let arguments = |era: usize| json!({ "challenge_id": ids[era], "answer": answer });
    call_each(both, "submit_challenge", arguments)
}

/// Calls a tool with arguments of its own in each era.
#[track_caller]
pub(crate) fn call_each(
    both: &Both<Weread>,
    tool: &str,
    arguments: impl Fn(usize) -> Value,
) -> Told {
    let answers = [0, 1].map(|era| both.worlds()[era].client.call(tool, arguments(era)));
    both_told(answers)
}

/// Brings the answers of both eras together.
#[track_caller]
pub(crate) fn both_told(answers: [Answer; 2]) -> Told {
    let [legacy, modern] = answers.map(told);
    assert_eq!(legacy.value, modern.value, "the eras answer differently");
    // Each shows the address of its own fake.
    assert_eq!(legacy.pictures.len(), modern.pictures.len());
    assert_eq!(legacy.is_error, modern.is_error);
    let [id, page] = [modern.ids, modern.pages].map(|[_, second]| second);
    let ids = [legacy.ids[0].clone(), id];
    let pages = [legacy.pages[0].clone(), page];
    Told {
        ids,
        pages,
        ..legacy
    }
}

/// One answer, its id and page in both places.
pub(crate) fn told(answer: Answer) -> Told {
    let mut value = answer.structured;
    let mut taken = |name: &str, instead: &str, is_right: fn(&str) -> bool| {
        let mut found = None;
        for place in [format!("/{name}"), format!("/data/{name}")] {
            let Some(field) = value.pointer_mut(&place) else {
                continue;
            };
            let text = field.as_str().expect("a text").to_owned();
            assert!(is_right(&text), "{name}: {text}");
            *field = json!(instead);
            found = Some(text);
        }
        found
    };
    let id = taken("challenge_id", "ID", |id| {
        let digits = id.strip_prefix("ch_").unwrap_or_default();
        digits.len() == 12 && digits.bytes().all(is_hex)
    });
    let page = taken("page_url", "PAGE", |page| {
        let (address, path) = split(page);
        address.starts_with("127.0.0.1:") && path.len() == 33 && path.bytes().skip(1).all(is_hex)
    });
    Told {
        value,
        pictures: answer.content[1..].to_vec(),
        is_error: answer.is_error,
        ids: [id.clone(), id],
        pages: [page.clone(), page],
    }
}

fn is_hex(byte: u8) -> bool {
    byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)
}

/// What the page shows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sheet {
    pub(crate) status: u16,
    pub(crate) html: String,
}

impl Sheet {
    /// The heading.
    pub(crate) fn heading(&self) -> &str {
        between(&self.html, "<h1>", "</h1>").expect("a heading")
    }

    /// What it says of the last answer.
    pub(crate) fn note(&self) -> Option<&str> {
        between(&self.html, "role=\"alert\">", "<")
    }

    /// The sentences of a notice.
    pub(crate) fn said(&self) -> Vec<&str> {
        let parts = self.html.split("<p class=\"said\">").skip(1);
        parts.filter_map(|part| part.split('<').next()).collect()
    }

    /// The names of what is to be typed, in order.
    pub(crate) fn fields(&self) -> Vec<&str> {
        let inputs = self.html.split("<input ").skip(1);
        inputs
            .filter_map(|input| between(input, "name=\"", "\""))
            .collect()
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(found, _)| found)
}

/// Opens a page as a browser does.
pub(crate) fn open(url: &str) -> Sheet {
    let (address, path) = split(url);
    let reply = exchange(address, "GET", path, &[], "").expect("a page");
    Sheet {
        status: reply.status,
        html: reply.text(),
    }
}

/// Sends the form of a page, and opens the page it leads to. Gives that one's address too.
pub(crate) fn send(url: &str, typed: &[(&str, &str)]) -> (String, Sheet) {
    let (address, path) = split(url);
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(typed);
    let kind = [("Content-Type", "application/x-www-form-urlencoded")];
    let reply = exchange(address, "POST", path, &kind, &form.finish()).expect("a page");
    match reply.header("Location") {
        Some(to) => {
            let next = format!("http://{address}{to}");
            let sheet = open(&next);
            (next, sheet)
        }
        None => {
            let sheet = Sheet {
                status: reply.status,
                html: reply.text(),
            };
            (url.to_owned(), sheet)
        }
    }
}

fn split(url: &str) -> (&str, &str) {
    let rest = url.strip_prefix("http://").expect("a loopback page");
    rest.split_at(rest.find('/').expect("a path"))
}

/// The fields of `NEED_CHALLENGE` in common, with more.
fn question(kind: &str, prompt: &str, next: &str, more: &Value) -> Value {
    let mut expected = json!({
        "ok": false, "code": "NEED_CHALLENGE", "message": "登录需要人工完成一步验证", "retryable": false,
        "next": next, "challenge_id": "ID", "challenge_type": kind, "prompt": prompt,
        "expires_at": "2026-11-20T12:05:00+08:00", "page_url": "PAGE",
    });
    let fields = expected.as_object_mut().expect("an object");
    fields.extend(more.as_object().cloned().expect("an object"));
    expected
}

/// The question for a scan.
pub(crate) fn scan(more: &Value) -> Value {
    let prompt = "请用手机微信扫描二维码，并在手机上确认登录微信读书";
    let next = "把图片给用户用手机扫码，或请用户打开 page_url 扫码；确认后以任意 answer 调用 submit_challenge";
    question("qr_code", prompt, next, more)
}

/// The question for the digits on the phone.
pub(crate) fn digits(more: &Value) -> Value {
    let next = "向用户要验证码，调用 submit_challenge 提交；或请用户在 page_url 自己填写";
    question("sms", "请输入手机微信上显示的 4 位验证码", next, more)
}

/// A success.
pub(crate) fn signed_in(persisted: bool) -> Value {
    json!({ "ok": true, "logged_in": true, "persisted": persisted, "message": "登录成功" })
}

/// A sign-in that did not get through.
pub(crate) fn login_failed(why: &str) -> Value {
    json!({
        "ok": false, "code": "LOGIN_FAILED", "message": format!("扫码登录没有完成：{why}"), "retryable": false,
        "next": "重新调用 start_login",
    })
}
